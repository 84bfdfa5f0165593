// SAXPY: y <- a * x + y, as one OpenMP loop.
//
// usage: saxpy [elements [repetitions]]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <omp.h>

static void saxpy(int n, float a, const float *x, float *y)
{
#pragma omp parallel for simd
    for (int i = 0; i < n; ++i)
        y[i] = a * x[i] + y[i];
}

// Multiples of 1/1024 in [-1, 1): with a = 1/2 every sum below is exact in single precision.
static float next_value(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(static_cast<int>(state >> 21) - 1024) / 1024.0f;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10000;
    const int repetitions = argc > 2 ? atoi(argv[2]) : 3;
    const float a = 0.5f;

    std::vector<float> x(n), y(n);
    unsigned seed = 12345u;
    for (int i = 0; i < n; ++i) {
        x[i] = next_value(seed);
        y[i] = next_value(seed);
    }
    std::vector<float> result = y;

    const double start = omp_get_wtime();
    for (int r = 0; r < repetitions; ++r)
        saxpy(n, a, x.data(), result.data());
    const double milliseconds = 1e3 * (omp_get_wtime() - start);

    int mismatches = 0;
    double checksum = 0.0;
    for (int i = 0; i < n; ++i) {
        float expected = y[i];
        for (int r = 0; r < repetitions; ++r)
            expected = a * x[i] + expected;
        if (result[i] != expected)
            ++mismatches;
        checksum += result[i] * (1 + i % 7);
    }

    printf("time_ms %.3f\n", milliseconds);
    printf("checksum %.6e\n", checksum);
    printf("%s\n", mismatches == 0 ? "PASS" : "FAIL");
    return mismatches == 0 ? 0 : 1;
}
