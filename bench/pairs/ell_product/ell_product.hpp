// Sparse matrix times vector in ELL form: entry k of all rows lies together, and rows with fewer
// entries end in columns of -1.
#pragma once

#include "../support.hpp"

struct Ell {
    int rows, width, repeats;
    std::vector<int> column;
    std::vector<float> value, x;
};

inline Ell make_ell(int argc, char **argv)
{
    Ell a;
    a.rows = argument(argc, argv, 1, 600);
    a.width = argument(argc, argv, 2, 9);
    a.repeats = argument(argc, argv, 3, 2);
    Random random(8086u);
    a.column.assign(static_cast<std::size_t>(a.rows) * a.width, -1);
    a.value.assign(a.column.size(), 0.0f);
    for (int row = 0; row < a.rows; ++row) {
        a.x.push_back(random.uniform() - 0.5f);
        // Nearly all rows are full.
        const int entries = random.below(4) == 0 ? 1 + random.below(a.width) : a.width;
        for (int k = 0; k < entries; ++k) {
            const int near = row + static_cast<int>(random.below(2000)) - 1000;
            a.column[k * a.rows + row] = std::clamp(near, 0, a.rows - 1);
            a.value[k * a.rows + row] = random.uniform();
        }
    }
    return a;
}

inline int finish(const Ell &a, const std::vector<float> &found, double milliseconds)
{
    std::vector<float> y(a.rows, 0.0f);
    for (int k = 0; k < a.width; ++k)
        for (int row = 0; row < a.rows; ++row)
            if (a.column[k * a.rows + row] >= 0)
                y[row] += a.value[k * a.rows + row] * a.x[a.column[k * a.rows + row]];
    return report(worst_error(found, y) < 1e-5, checksum(found), milliseconds);
}
