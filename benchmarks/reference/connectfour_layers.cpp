// Connect Four solved backwards by layers: the same algorithm and data layout as the
// compiled engine's `layers`, written by hand. One 64-bit word per slot (key above, score
// in the low bits), breadth-first order, children in batches of 48 with their slots
// fetched ahead, scores of distance. The table has its final size from the start.
//
//   g++ -O3 -march=native -o connectfour_layers connectfour_layers.cpp
//   ./connectfour_layers WIDTH HEIGHT RUNS      (4 4, 5 4 or 5 5)
//
// Prints one line per run: states edges score forward_seconds backward_seconds (CPU time).
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

static Word* zeros(size_t count) {
  void* room = mmap(nullptr, count * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) { perror("mmap"); exit(1); }
  madvise(room, count * 8, MADV_HUGEPAGE);
  return static_cast<Word*>(room);
}

template <int W, int H> struct Board {
  static constexpr int tall = H + 1;
  static constexpr int field = W * tall - 1;  // the topmost guard bit is never used
  static constexpr int bits = 2 * field;

  static bool has_line(Bits stones) {
    const int steps[4] = {1, tall - 1, tall, tall + 1};
    for (int step : steps) {
      Bits pairs = stones & (stones >> step);
      if (pairs & (pairs >> 2 * step)) return true;
    }
    return false;
  }
  template <class Visit> static void children(Bits key, Visit visit) {
    Bits full = key & ((Bits(1) << field) - 1), mine = key >> field, theirs = full ^ mine;
    if (has_line(theirs)) return;
    for (int column = 0; column < W; column++)
      if (!(full >> (column * tall + H - 1) & 1))
        visit(theirs << field | full | (full + (Bits(1) << column * tall)));
  }
  static int payoff(Bits key) {
    Bits full = key & ((Bits(1) << field) - 1), mine = key >> field;
    return has_line(full ^ mine) ? -1 : 0;
  }
};

template <int W, int H> void run(int log_slots) {
  typedef Board<W, H> B;
  const int code_bits = 64 - B::bits > 16 ? 16 : 64 - B::bits;
  const Bits code_mask = (Bits(1) << code_bits) - 1;
  const int top = int((Bits(1) << code_bits) - 3) / 2, unset = 1, values = 2, batch = 48;
  const Bits slots = Bits(1) << log_slots, mask = slots - 1;
  Word* table = zeros(slots);
  Word* order = zeros(slots / 4 * 3);
  Bits buffer[256];
  int counts[64];
  auto home = [&](Bits key) { Bits h = key * 0x9E3779B97F4A7C15ull; return (h ^ h >> 32) & mask; };

  double begin = cpu_seconds();
  Bits head = 0, tail = 1, edges = 0;
  table[home(0)] = unset;
  while (head < tail) {
    int count = 0;
    while (head < tail && count < batch)
      B::children(order[head++], [&](Bits key) { buffer[count++] = key; __builtin_prefetch(&table[home(key)]); });
    edges += count;
    for (int item = 0; item < count; item++) {
      Bits key = buffer[item], slot = home(key);
      for (;; slot = (slot + 1) & mask) {
        Bits word = table[slot];
        if (!(word & code_mask)) { table[slot] = key << code_bits | unset; order[tail++] = key; break; }
        if (word >> code_bits == key) break;
      }
    }
  }
  double middle = cpu_seconds();
  Bits left = tail;
  int score = 0;
  while (left) {
    int count = 0, nodes = 0;
    while (left && count < batch) {
      Bits own = order[--left];
      int before = count;
      B::children(own, [&](Bits key) { buffer[count++] = key; __builtin_prefetch(&table[home(key)]); });
      counts[nodes++] = count - before;
      buffer[count++] = own;
      __builtin_prefetch(&table[home(own)]);
    }
    Bits* item = buffer;
    for (int node = 0; node < nodes; node++) {
      int best = -(1 << 30);
      for (int child = 0; child < counts[node]; child++) {
        Bits key = *item++, slot = home(key);
        while (Bits(table[slot]) >> code_bits != key) slot = (slot + 1) & mask;
        int code = table[slot] & code_mask;
        if (code == unset) { puts("not layered"); exit(1); }
        int worth = code - values - top;
        worth = worth > 0 ? worth - 1 : worth < 0 ? worth + 1 : 0;
        if (-worth > best) best = -worth;
      }
      Bits key = *item++, slot = home(key);
      if (!counts[node]) best = B::payoff(key) * top;
      while (Bits(table[slot]) >> code_bits != key) slot = (slot + 1) & mask;
      table[slot] = key << code_bits | Bits(best + values + top);
      score = best;
    }
  }
  double end = cpu_seconds();
  printf("%lu %lu %d %.6f %.6f\n", (unsigned long)tail, (unsigned long)edges, score, middle - begin, end - middle);
  fflush(stdout);
  munmap(table, slots * 8);
  munmap(order, slots / 4 * 3 * 8);
}

int main(int, char** arguments) {
  int width = atoi(arguments[1]), height = atoi(arguments[2]), runs = atoi(arguments[3]);
  for (int k = 0; k < runs; k++) {
    if (width == 4 && height == 4) run<4, 4>(18);
    if (width == 5 && height == 4) run<5, 4>(23);
    if (width == 5 && height == 5) run<5, 5>(27);
  }
}
