// Rock, paper, scissors against a bag of dice, in doubles: for every die left out, the chances of
// all counts of faces of the others, O(n^5) time altogether.
// Input: n, then rock, paper, scissors weights of every die. Output: seconds, the value.
#include <algorithm>
#include <ctime>
#include <cstdio>
#include <vector>

using Table = std::vector<double>;

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<double> rock(n), paper(n), scissors(n);
    for (int i = 0; i < n; i++) {
        if (scanf("%lf %lf %lf", &rock[i], &paper[i], &scissors[i]) != 3) return 1;
        double sum = rock[i] + paper[i] + scissors[i];
        rock[i] /= sum, paper[i] /= sum, scissors[i] /= sum;
    }
    clock_t started = clock();
    int size = n + 1;
    auto at = [size](int r, int p, int s) { return (r * size + p) * size + s; };
    std::vector<double> choose(size, 1);  // n - 1 over m
    for (int m = 1; m < n; m++) choose[m] = choose[m - 1] * (n - m) / m;
    // Chances of counts and next face together, over all dice that may come next.
    Table next_rock(size * size * size), next_paper = next_rock, next_scissors = next_rock;
    for (int out = 0; out < n; out++) {
        Table chance(size * size * size);
        chance[0] = 1;
        int seen = 0;
        for (int die = 0; die < n; die++) {
            if (die == out) continue;
            seen++;
            for (int r = seen; r >= 0; r--)
                for (int p = seen - r; p >= 0; p--)
                    for (int s = seen - r - p; s >= 0; s--) {
                        double sum = chance[at(r, p, s)];
                        if (r) sum += chance[at(r - 1, p, s)] * rock[die];
                        if (p) sum += chance[at(r, p - 1, s)] * paper[die];
                        if (s) sum += chance[at(r, p, s - 1)] * scissors[die];
                        chance[at(r, p, s)] = sum;
                    }
        }
        for (int r = 0; r < n; r++)
            for (int p = 0; r + p < n; p++)
                for (int s = 0; r + p + s < n; s++) {
                    double weighted = chance[at(r, p, s)] / choose[r + p + s] / n;
                    next_rock[at(r, p, s)] += weighted * rock[out];
                    next_paper[at(r, p, s)] += weighted * paper[out];
                    next_scissors[at(r, p, s)] += weighted * scissors[out];
                }
    }
    double value = 0;
    for (int r = 0; r < n; r++)
        for (int p = 0; r + p < n; p++)
            for (int s = 0; r + p + s < n; s++) {
                double a = next_rock[at(r, p, s)], b = next_paper[at(r, p, s)], c = next_scissors[at(r, p, s)];
                value += std::max({a + 3 * c, b + 3 * a, c + 3 * b});
            }
    double took = double(clock() - started) / CLOCKS_PER_SEC;
    printf("%.6f %.12f\n", took, value);
}
