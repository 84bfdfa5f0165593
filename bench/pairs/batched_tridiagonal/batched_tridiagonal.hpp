// Many tridiagonal systems of one size. Row i of all systems lies together.
#pragma once

#include "../support.hpp"

struct Systems {
    int count, size, repeats;
    std::vector<double> lower, diagonal, upper, right;
};

inline Systems make_systems(int argc, char **argv)
{
    Systems systems;
    systems.count = argument(argc, argv, 1, 200);
    systems.size = argument(argc, argv, 2, 20);
    systems.repeats = argument(argc, argv, 3, 2);
    Random random(17u);
    for (int k = 0; k < systems.count * systems.size; ++k) {
        systems.lower.push_back(random.uniform());
        systems.diagonal.push_back(3.0 + random.uniform());
        systems.upper.push_back(random.uniform());
        systems.right.push_back(random.uniform());
    }
    return systems;
}

inline int finish(const Systems &systems, const std::vector<double> &x, double milliseconds)
{
    const int count = systems.count, size = systems.size;
    std::vector<double> product(x.size());
    for (int k = 0; k < count * size; ++k)
        product[k] = systems.diagonal[k] * x[k] +
                     (k >= count ? systems.lower[k] * x[k - count] : 0.0) +
                     (k < count * (size - 1) ? systems.upper[k] * x[k + count] : 0.0);
    return report(worst_error(product, systems.right) < 1e-10, checksum(x), milliseconds);
}
