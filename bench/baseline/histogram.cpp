// Histogram of samples in [0, 1); every thread counts into bins of its own.
//
// usage: histogram [samples [repetitions]]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <omp.h>

#define NUM_BINS 256

// The bin of a sample; what lies outside of [0, 1) is counted in the first or the last one.
static int bin_of(float sample)
{
    int bin = static_cast<int>(sample * NUM_BINS);
    if (bin < 0)
        bin = 0;
    if (bin >= NUM_BINS)
        bin = NUM_BINS - 1;
    return bin;
}

static void histogram(const float *samples, unsigned int *bins, int n)
{
#pragma omp parallel for reduction(+ : bins[ : NUM_BINS])
    for (int i = 0; i < n; ++i)
        ++bins[bin_of(samples[i])];
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 30000;
    const int repetitions = argc > 2 ? atoi(argv[2]) : 1;

    // The mean of two uniform values: a triangular distribution.
    std::vector<float> samples(n);
    unsigned state = 1618u;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        const unsigned first = state >> 12;
        state = state * 1664525u + 1013904223u;
        samples[i] = static_cast<float>(first + (state >> 12)) / 2097152.0f;
    }

    std::vector<unsigned int> bins(NUM_BINS);
    const double start = omp_get_wtime();
    for (int r = 0; r < repetitions; ++r) {
        bins.assign(NUM_BINS, 0u);
        histogram(samples.data(), bins.data(), n);
    }
    const double milliseconds = 1e3 * (omp_get_wtime() - start);

    std::vector<unsigned int> expected(NUM_BINS, 0u);
    for (float sample : samples)
        ++expected[bin_of(sample)];

    unsigned long long counted = 0, moment = 0;
    int mode = 0;
    for (int b = 0; b < NUM_BINS; ++b) {
        counted += bins[b];
        moment += static_cast<unsigned long long>(bins[b]) * b;
        if (bins[b] > bins[mode])
            mode = b;
    }
    const bool ok = bins == expected;

    printf("time_ms %.3f\n", milliseconds);
    printf("counted %llu\n", counted);
    printf("first moment %llu\n", moment);
    printf("mode %d with %u\n", mode, bins[mode]);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
