// STREAM: copy, scale, add, triad and a dot product, `repeats` times.
#pragma once

#include "../support.hpp"

constexpr double FIRST_A = 0.1, FIRST_B = 0.2, FIRST_C = 0.0, SCALAR = 0.4;

// All elements go the same way, so one of each says what the arrays have to hold.
inline bool is_right(const std::vector<double> &a, const std::vector<double> &b,
                     const std::vector<double> &c, double dot, int repeats)
{
    double x = FIRST_A, y = FIRST_B, z = FIRST_C;
    for (int r = 0; r < repeats; ++r) {
        z = x;
        y = SCALAR * z;
        z = x + y;
        x = y + SCALAR * z;
    }
    const std::size_t n = a.size();
    const double sum = x * y * static_cast<double>(n);
    return worst_error(a, std::vector<double>(n, x)) < 1e-12 &&
           worst_error(b, std::vector<double>(n, y)) < 1e-12 &&
           worst_error(c, std::vector<double>(n, z)) < 1e-12 &&
           std::fabs(dot - sum) < 1e-8 * std::fabs(sum);
}
