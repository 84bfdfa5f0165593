// Exclusive prefix sums in two passes: every thread adds up its chunk, then it scans the chunk from
// the sum of the chunks before.
//
// usage: scan_blelloch [elements [repetitions]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <omp.h>

static void exclusive_scan(const int *in, int *out, int n)
{
    std::vector<int> offsets(omp_get_max_threads() + 1, 0);
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        const int threads = omp_get_num_threads();
        const int chunk = (n + threads - 1) / threads;
        const int begin = std::min(thread * chunk, n);
        const int end = std::min(begin + chunk, n);

        int sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = begin; i < end; ++i)
            sum += in[i];
        offsets[thread + 1] = sum;

#pragma omp barrier
#pragma omp single
        for (int t = 0; t < threads; ++t)
            offsets[t + 1] += offsets[t];

        int running = offsets[thread];
        for (int i = begin; i < end; ++i) {
            const int value = in[i];
            out[i] = running;
            running += value;
        }
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10007;
    const int repetitions = argc > 2 ? atoi(argv[2]) : 1;

    std::vector<int> in(n), out(n);
    unsigned state = 8u;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        in[i] = static_cast<int>(state >> 28) - 4;
    }

    const double start = omp_get_wtime();
    for (int r = 0; r < repetitions; ++r)
        exclusive_scan(in.data(), out.data(), n);
    const double milliseconds = 1e3 * (omp_get_wtime() - start);

    int running = 0, mismatches = 0;
    unsigned hash = 0u;
    for (int i = 0; i < n; ++i) {
        mismatches += out[i] != running;
        running += in[i];
        hash = hash * 31u + static_cast<unsigned>(out[i]);
    }

    printf("time_ms %.3f\n", milliseconds);
    printf("last prefix %d\n", out[n - 1]);
    printf("hash %08x\n", hash);
    printf("%s\n", mismatches == 0 ? "PASS" : "FAIL");
    return mismatches == 0 ? 0 : 1;
}
