// The histogram of bytes, four of which are one word.
#pragma once

#include "../support.hpp"

constexpr int BINS = 256;

inline std::vector<unsigned> make_words(int n)
{
    Random random(365u);
    std::vector<unsigned> words(n);
    for (unsigned &word : words) {
        word = 0;
        // The mean of two bytes: those in the middle are more frequent.
        for (int byte = 0; byte < 4; ++byte)
            word = word << 8 | (random.below(256) + random.below(256)) / 2;
    }
    return words;
}

inline int finish(const std::vector<unsigned> &words, const std::vector<unsigned> &found,
                  double milliseconds)
{
    std::vector<unsigned> bins(BINS, 0u);
    double moment = 0.0;
    for (const unsigned word : words)
        for (int byte = 0; byte < 4; ++byte)
            ++bins[word >> 8 * byte & 0xff];
    for (int b = 0; b < BINS; ++b)
        moment += static_cast<double>(b) * found[b];
    return report(found == bins, moment, milliseconds);
}
