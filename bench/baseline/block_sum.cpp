// Sum of a vector: one partial sum for each block of elements, in parallel; the partial sums are
// added at the end.
//
// usage: block_sum [elements [elements per block [repetitions]]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <omp.h>

static void block_sum(const float *in, float *partial, int n, int block)
{
#pragma omp parallel for
    for (int begin = 0; begin < n; begin += block) {
        const int end = std::min(begin + block, n);
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int i = begin; i < end; ++i)
            sum += in[i];
        partial[begin / block] = sum;
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 20000;
    const int block = argc > 2 ? atoi(argv[2]) : 256;
    const int repetitions = argc > 3 ? atoi(argv[3]) : 1;
    const int blocks = (n + block - 1) / block;

    // Multiples of 1/256: the sums over a block are exact.
    std::vector<float> in(n), partial(blocks);
    unsigned state = 271828u;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        in[i] = (float)(state >> 24) / 256.0f;
    }

    const double start = omp_get_wtime();
    for (int r = 0; r < repetitions; ++r)
        block_sum(in.data(), partial.data(), n, block);
    const double ms = 1e3 * (omp_get_wtime() - start);

    double sum = 0.0;
    for (float p : partial)
        sum += p;
    double expected = 0.0;
    for (float value : in)
        expected += value;
    const bool ok = sum == expected;

    printf("time_ms %.3f\n", ms);
    printf("blocks %d\n", blocks);
    printf("sum %.6e\n", sum);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
