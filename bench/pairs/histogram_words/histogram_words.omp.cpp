// A histogram: bins of its own for each thread, and for each byte of a word, so that equal bytes
// do not wait for each other.
//
// usage: histogram_words [words] [repeats]

#include "histogram_words.hpp"

static void histogram(const unsigned *words, int n, unsigned *bins)
{
    std::fill_n(bins, BINS, 0u);
#pragma omp parallel for schedule(static) reduction(+ : bins[:BINS])
    for (int part = 0; part < 64; ++part) {
        const int first = static_cast<int>(static_cast<long long>(n) * part / 64);
        const int last = static_cast<int>(static_cast<long long>(n) * (part + 1) / 64);
        unsigned counts[4][BINS] = {};
        for (int i = first; i < last; ++i) {
            const unsigned word = words[i];
            ++counts[0][word & 0xff];
            ++counts[1][word >> 8 & 0xff];
            ++counts[2][word >> 16 & 0xff];
            ++counts[3][word >> 24];
        }
        for (int b = 0; b < BINS; ++b)
            bins[b] += counts[0][b] + counts[1][b] + counts[2][b] + counts[3][b];
    }
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 50000);
    const int repeats = argument(argc, argv, 2, 2);
    const std::vector<unsigned> words = make_words(n);
    std::vector<unsigned> bins(BINS);
    const Stopwatch watch;
    for (int r = 0; r < repeats; ++r)
        histogram(words.data(), n, bins.data());
    const double ms = watch.milliseconds();
    return finish(words, bins, ms);
}
