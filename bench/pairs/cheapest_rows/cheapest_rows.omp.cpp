// Dynamic programming by rows, each one a vector loop between its two ends.
//
// usage: cheapest_rows [columns] [rows]

#include "cheapest_rows.hpp"

static void advance(const int *cost, const int *now, int *next, int cols)
{
    const int last = cols - 1;
#pragma omp parallel for simd schedule(static)
    for (int c = 1; c < last; ++c) {
        int shortest = now[c - 1] < now[c] ? now[c - 1] : now[c];
        shortest = now[c + 1] < shortest ? now[c + 1] : shortest;
        next[c] = cost[c] + shortest;
    }
    next[0] = cost[0] + std::min(now[0], now[std::min(1, last)]);
    if (last > 0)
        next[last] = cost[last] + std::min(now[last - 1], now[last]);
}

int main(int argc, char **argv)
{
    const Wall wall = make_wall(argc, argv);
    const int cols = wall.cols;
    std::vector<int> now(wall.cost.begin(), wall.cost.begin() + cols), next(cols);
    const Stopwatch watch;
    for (int row = 1; row < wall.rows; ++row) {
        advance(wall.cost.data() + static_cast<std::size_t>(row) * cols, now.data(), next.data(),
                cols);
        std::swap(now, next);
    }
    const double ms = watch.milliseconds();
    return finish(wall, now, ms);
}
