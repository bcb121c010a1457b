// Rolling until a sum repeats, in doubles: recursion over (reward, last sum) with a hash map.
// Input: sides, dice. Output: seconds, the value, the number of states.
#include <algorithm>
#include <ctime>
#include <cstdint>
#include <cstdio>
#include <unordered_map>
#include <vector>

static int low, high;
static int64_t bound;
static std::vector<double> chances;
static std::unordered_map<int64_t, double> known;

static double worth(int64_t reward, int last) {
    if (reward >= bound) return reward;
    int64_t key = reward * (high + 1) + last;
    auto found = known.find(key);
    if (found != known.end()) return found->second;
    double rolling = 0;
    for (int sum = low; sum <= high; sum++)
        if (sum != last) rolling += chances[sum] * worth(reward + sum, sum);
    return known[key] = std::max<double>(reward, rolling);
}

int main() {
    int sides, dice;
    if (scanf("%d %d", &sides, &dice) != 2) return 1;
    clock_t started = clock();
    low = dice, high = dice * sides;
    chances.assign(high + 1, 0);
    chances[0] = 1;
    double throws = 1;
    for (int die = 0; die < dice; die++) {
        throws *= sides;
        std::vector<double> longer(high + 1, 0);
        for (int sum = 0; sum <= high; sum++)
            for (int face = 1; face <= sides && face <= sum; face++) longer[sum] += chances[sum - face] / sides;
        chances = longer;
    }
    bound = static_cast<int64_t>(dice * (sides + 1) / 2.0 * throws) - dice;
    double value = 0;
    for (int sum = low; sum <= high; sum++) value += chances[sum] * worth(0, sum);
    double took = double(clock() - started) / CLOCKS_PER_SEC;
    printf("%.6f %.12f %zu\n", took, value, known.size());
}
