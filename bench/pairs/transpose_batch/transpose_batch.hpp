// Transposes many matrices of any shape.
#pragma once

#include "../support.hpp"

struct Matrices {
    int count, rows, cols, repeats;
    std::vector<float> input;
};

inline Matrices make_matrices(int argc, char **argv)
{
    Matrices m;
    m.count = argument(argc, argv, 1, 3);
    m.rows = argument(argc, argv, 2, 45);
    m.cols = argument(argc, argv, 3, 70);
    m.repeats = argument(argc, argv, 4, 2);
    for (int i = 0; i < m.count * m.rows * m.cols; ++i)
        m.input.push_back(static_cast<float>(i % 9973));
    return m;
}

inline int finish(const Matrices &m, const std::vector<float> &found, double milliseconds)
{
    bool pass = found.size() == m.input.size();
    const int size = m.rows * m.cols;
    for (int b = 0; b < m.count; ++b)
        for (int r = 0; r < m.rows; ++r)
            for (int c = 0; c < m.cols; ++c)
                pass = pass &&
                       found[b * size + c * m.rows + r] == m.input[b * size + r * m.cols + c];
    return report(pass, checksum(found), milliseconds);
}
