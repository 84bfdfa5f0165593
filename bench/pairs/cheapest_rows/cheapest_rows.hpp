// The cheapest way down through a wall of costs, a row a step, straight or diagonally.
#pragma once

#include "../support.hpp"

struct Wall {
    int rows, cols;
    std::vector<int> cost;
};

inline Wall make_wall(int argc, char **argv)
{
    Wall wall;
    wall.cols = argument(argc, argv, 1, 1000);
    wall.rows = argument(argc, argv, 2, 45);
    Random random(7u);
    wall.cost.resize(static_cast<std::size_t>(wall.rows) * wall.cols);
    for (int &cost : wall.cost)
        cost = static_cast<int>(random.below(10));
    return wall;
}

inline int finish(const Wall &wall, const std::vector<int> &found, double milliseconds)
{
    const int cols = wall.cols;
    std::vector<int> now(wall.cost.begin(), wall.cost.begin() + cols), next(cols);
    for (int row = 1; row < wall.rows; ++row) {
        for (int c = 0; c < cols; ++c) {
            const int left = now[std::max(c - 1, 0)], right = now[std::min(c + 1, cols - 1)];
            next[c] = wall.cost[static_cast<std::size_t>(row) * cols + c] +
                      std::min(std::min(left, now[c]), right);
        }
        std::swap(now, next);
    }
    return report(found == now, checksum(found), milliseconds);
}
