// Global alignment of two sequences (Needleman and Wunsch 1970): the table of the best scores.
#pragma once

#include "../support.hpp"

constexpr int TILE = 16;
constexpr int SYMBOLS = 24;

struct Sequences {
    int length, penalty; // `length` is a multiple of TILE
    std::vector<int> first, second;
    std::vector<int> similarity; // of symbols
    std::vector<int> reference;  // similarity of the symbols of every cell, (length + 1)^2
    std::vector<int> table;      // with the first row and the first column filled in
};

inline Sequences make_sequences(int argc, char **argv)
{
    Sequences s;
    s.length = (argument(argc, argv, 1, 96) + TILE - 1) / TILE * TILE;
    s.penalty = argument(argc, argv, 2, 10);
    Random random(1970u);
    for (int a = 0; a < SYMBOLS * SYMBOLS; ++a)
        s.similarity.push_back(static_cast<int>(random.below(19)) - 8);
    for (int i = 0; i < s.length; ++i) {
        s.first.push_back(static_cast<int>(random.below(SYMBOLS)));
        s.second.push_back(static_cast<int>(random.below(SYMBOLS)));
    }
    const int cols = s.length + 1;
    s.reference.assign(static_cast<std::size_t>(cols) * cols, 0);
    s.table.assign(s.reference.size(), 0);
    for (int i = 1; i < cols; ++i) {
        for (int j = 1; j < cols; ++j)
            s.reference[i * cols + j] = s.similarity[s.first[i - 1] * SYMBOLS + s.second[j - 1]];
        s.table[i * cols] = s.table[i] = -i * s.penalty;
    }
    return s;
}

inline int finish(const Sequences &s, const std::vector<int> &found, double milliseconds)
{
    const int cols = s.length + 1;
    std::vector<int> expected = s.table;
    for (int i = 1; i < cols; ++i)
        for (int j = 1; j < cols; ++j)
            expected[i * cols + j] =
                std::max({expected[(i - 1) * cols + j - 1] + s.reference[i * cols + j],
                          expected[i * cols + j - 1] - s.penalty,
                          expected[(i - 1) * cols + j] - s.penalty});
    return report(found == expected, checksum(found), milliseconds);
}
