// Dominoes by memo depth-first search: the same algorithm and data layout as the compiled
// engine's `search` with the moves in the rules' order, written by hand. One 64-bit word
// per slot: the key above, in three low bits the range of values proven so far (alpha-beta
// with a table); children that the table settles are looked at before any is searched.
// The table has its final size from the start.
//
//   g++ -O3 -march=native -o dominoes_search dominoes_search.cpp
//   ./dominoes_search N RUNS        (N = 7 or 8)
//
// Prints one line per run: states edges value seconds (CPU time).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/mman.h>

typedef int64_t Word;
typedef uint64_t Bits;

static double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

// Codes 2 to 7 stand for the ranges within -1 .. 1; 1 for a position under way.
static int low_of(int code) { return code == 7 ? 1 : code >= 5 ? 0 : -1; }
static int high_of(int code) { return code == 2 ? -1 : code == 3 || code == 5 ? 0 : 1; }
static int range_of(int low, int high) { return low == -1 ? 3 + high : low == 0 ? 5 + high : 7; }

template <int N> struct Search {
  static constexpr int tail_bits = N < 8 ? 3 : 4;
  static constexpr int code_bits = 64 - N * (N + 1) / 2 - tail_bits;
  static constexpr Bits code_mask = (Bits(1) << code_bits) - 1;
  Word* table;
  Bits mask, states = 0, edges = 0;

  static int tile(int a, int b) { return a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b; }

  Bits find(Bits key) {
    Bits slot = key * 0x9E3779B97F4A7C15ull;
    slot = (slot ^ slot >> 32) & mask;
    while (table[slot] && Bits(table[slot]) >> code_bits != key) slot = (slot + 1) & mask;
    return slot;
  }
  template <class Visit> static void children(Bits key, Visit visit) {
    Bits used = key >> tail_bits;
    int tail = key & ((1 << tail_bits) - 1);
    if (tail == N) {
      for (int move = 0; move < N * N; move++)
        visit((Bits(1) << tile(move / N, move % N)) << tail_bits | Bits(move % N));
    } else {
      for (int next = 0; next < N; next++)
        if (!(used >> tile(tail, next) & 1)) visit((used | Bits(1) << tile(tail, next)) << tail_bits | Bits(next));
    }
  }
  int search(Bits key, int old, int alpha, int beta) {
    Bits waiting[N * N];
    int count = 0, kept = 0, best = -2;
    children(key, [&](Bits after) {
      count++;
      if (best >= beta) return;
      int code = table[find(after)] & code_mask;
      if (code >= 2) {
        if (-high_of(code) > best) best = -high_of(code);
        if (high_of(code) == low_of(code)) return;
      }
      waiting[kept++] = after;
    });
    edges += count;
    if (!old) states++;
    Bits slot = find(key);
    if (!count) {
      table[slot] = key << code_bits | Bits(range_of(-1, -1));
      return -1;
    }
    table[slot] = key << code_bits | 1;
    for (int item = 0; item < kept && best < beta; item++) {
      Bits after = waiting[item];
      int code = table[find(after)] & code_mask, least = best > alpha ? best : alpha, value;
      if (code >= 2 && (low_of(code) == high_of(code) || low_of(code) >= -least)) value = low_of(code);
      else if (code >= 2 && high_of(code) <= -beta) value = high_of(code);
      else value = search(after, code, -beta, -least);
      if (-value > best) best = -value;
    }
    int low = old >= 2 ? low_of(old) : -1, high = old >= 2 ? high_of(old) : 1;
    if (best > alpha && best > low) low = best;
    if (best < beta && best < high) high = best;
    table[find(key)] = key << code_bits | Bits(range_of(low, high));
    return best;
  }
  void run(int log_slots) {
    Bits slots = Bits(1) << log_slots;
    mask = slots - 1;
    void* room = mmap(nullptr, slots * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) { perror("mmap"); exit(1); }
    madvise(room, slots * 8, MADV_HUGEPAGE);
    table = static_cast<Word*>(room);
    double begin = cpu_seconds();
    int value = search(N, 0, 0, 1);
    if (value == 0) value = search(N, table[find(N)] & code_mask, -1, 0);
    printf("%lu %lu %d %.6f\n", (unsigned long)states, (unsigned long)edges, value, cpu_seconds() - begin);
    fflush(stdout);
    munmap(room, slots * 8);
  }
};

int main(int, char** arguments) {
  int n = atoi(arguments[1]), runs = atoi(arguments[2]);
  for (int k = 0; k < runs; k++) {
    if (n == 7) { Search<7> search; search.run(16); }
    if (n == 8) { Search<8> search; search.run(24); }
  }
}
