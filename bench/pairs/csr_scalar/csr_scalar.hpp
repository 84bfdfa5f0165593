// Steps of the power method with a sparse matrix in CSR form.
#pragma once

#include "../support.hpp"

struct Csr {
    int rows, steps;
    std::vector<int> start, column;
    std::vector<double> value;
};

inline Csr make_csr(int argc, char **argv)
{
    Csr a;
    a.rows = argument(argc, argv, 1, 500);
    const int mean = argument(argc, argv, 2, 7);
    a.steps = argument(argc, argv, 3, 3);
    Random random(2024u);
    a.start.push_back(0);
    for (int row = 0; row < a.rows; ++row) {
        // Most entries lie near the diagonal.
        const int entries = 1 + static_cast<int>(random.below(2 * mean - 1));
        for (int k = 0; k < entries; ++k) {
            const int near = row + static_cast<int>(random.below(200)) - 100;
            const int column = k % 8 == 0 ? static_cast<int>(random.below(a.rows)) : near;
            a.column.push_back(std::clamp(column, 0, a.rows - 1));
            a.value.push_back(random.uniform());
        }
        a.start.push_back(static_cast<int>(a.column.size()));
    }
    return a;
}

inline int finish(const Csr &a, const std::vector<double> &found, double milliseconds)
{
    std::vector<double> x(a.rows, 1.0), y(a.rows);
    for (int step = 0; step < a.steps; ++step) {
        double squares = 0.0;
        for (int row = 0; row < a.rows; ++row) {
            y[row] = 0.0;
            for (int k = a.start[row]; k < a.start[row + 1]; ++k)
                y[row] += a.value[k] * x[a.column[k]];
            squares += y[row] * y[row];
        }
        for (int row = 0; row < a.rows; ++row)
            x[row] = y[row] / std::sqrt(squares / a.rows);
    }
    return report(worst_error(found, x) < 1e-9, checksum(found), milliseconds);
}
