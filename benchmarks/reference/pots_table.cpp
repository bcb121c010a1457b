// The usual table for pots in a line, one row at a time: O(n^2) time, O(n) memory.
// Input: the goal (0 competitive, 1 cooperative), n, the pots. Output: seconds, the first player's gold.
#include <algorithm>
#include <ctime>
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
    int goal, n;
    if (scanf("%d %d", &goal, &n) != 2) return 1;
    std::vector<int64_t> pots(n);
    for (auto& pot : pots)
        if (scanf("%ld", &pot) != 1) return 1;
    clock_t started = clock();
    int64_t total = 0;
    for (auto pot : pots) total += pot;
    std::vector<int64_t> row(n + 1, 0);
    int64_t gold = 0;
    if (goal == 0) {
        // row[i]: lead of the player to move on the pots i to i + length - 1
        for (int length = 1; length <= n; length++)
            for (int i = 0; i + length <= n; i++)
                row[i] = std::max(pots[i] - row[i + 1], pots[i + length - 1] - row[i]);
        gold = n ? (total + row[0]) / 2 : 0;
    } else {
        // row[i]: the first player's gold from there, whoever is to move
        for (int length = 1; length <= n; length++) {
            bool first = (n - length) % 2 == 0;
            for (int i = 0; i + length <= n; i++) {
                int64_t left = row[i + 1] + (first ? pots[i] : 0);
                int64_t right = row[i] + (first ? pots[i + length - 1] : 0);
                row[i] = std::max(left, right);
            }
        }
        gold = n ? row[0] : 0;
    }
    double took = double(clock() - started) / CLOCKS_PER_SEC;
    printf("%.6f %ld\n", took, gold);
}
