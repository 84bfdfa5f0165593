// Atomic additions to few elements: which become reductions, and which must not.
#include <cstdio>
#include "g2o_runtime.hpp"
#include "g2o_atomics.hpp"
#include "g2o_blocks.hpp"
G2O_TYPE_PUNNING // memory is read as another type than it was written as

#define BINS 32
#define THREADS 64

// Becomes one loop over all values.
void histogram(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ values,
               int *__restrict__ bins, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == THREADS && block.y == 1 && block.z == 1);
#pragma omp parallel for reduction(+ : bins[ : BINS])
    for (int bx = 0; bx < int(grid.x); ++bx) {
        for (int base = bx * THREADS; base < n; base += grid.x * THREADS) {
            for (int t = 0; t < std::min<int>(THREADS, n - base); ++t) {
                int i = base + t;
                bins[values[i] % BINS] += 1;
            }
        }
    }
}

// The block looks at its own counters, so that they stay.
void frequent(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ values,
              int *__restrict__ bins, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == THREADS && block.y == 1 && block.z == 1);
#pragma omp parallel for reduction(+ : bins[ : BINS])
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int own[BINS];
#pragma omp simd
        for (int t = 0; t < BINS; ++t)
            own[t] = 0;
        for (int t = 0; t < std::min<int>(THREADS, n - bx * THREADS); ++t) {
            int i = bx * THREADS + t;
            own[values[i] % BINS] += 1;
        }
        for (int t = 0; t < BINS; ++t) {
            if (own[t] > 2)
                bins[t] += own[t];
        }
    }
}

// One counter for what the threads find; the other may not exist.
void count(dim3 grid, dim3 block, const int *__restrict__ values, int *__restrict__ odd,
           int *__restrict__ all, bool wanted, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1);
    const int count2 = std::min(n, int(grid.x * block.x));
    int sum_odd = 0;
    int sum_all = 0;
#pragma omp parallel for reduction(+ : sum_odd, sum_all)
    for (int i = 0; i < count2; ++i) {
        if (values[i] % 2 != 0)
            sum_odd += 1;
        if (wanted)
            sum_all += 1;
    }
    *odd += sum_odd;
    if (sum_all != 0)
        *all += sum_all;
}

// The sum may be one of the bins, to which other threads add meanwhile.
void split(dim3 grid, dim3 block, const int *__restrict__ values, int *sum, int *bins, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1);
    const int count2 = std::min(n, int(grid.x * block.x));
    int total_sum = 0;
#pragma omp parallel for reduction(+ : total_sum)
    for (int i = 0; i < count2; ++i) {
        if (values[i] % 2 != 0)
            total_sum += values[i];
        else
            g2o::atomic_add(&bins[values[i] % 4], values[i]);
    }
    *sum += total_sum;
}

// A single thread sees through `seen` what it has added.
void running([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, int *sum, const int *seen,
             int *out, int n)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 1 && block.y == 1 &&
           block.z == 1);
    for (int i = 0; i < n; ++i) {
        g2o::atomic_add(sum, i);
        out[i] = seen[0];
    }
}

// So does the only thread that finds something, through a reference.
void seen_by_name(dim3 grid, dim3 block, int *sum, const int *seen, const int *__restrict__ values,
                  float *__restrict__ found, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int i = 0; i < int(grid.x * block.x); ++i) {
        if (i >= n || values[i] != 96)
            continue;
        const int &now = seen[0];
        g2o::atomic_add(sum, 3);
        found[0] = now;
    }
}

// Floats are added up as the threads come: the result is a little different each time.
void moments(dim3 grid, dim3 block, const float *x, float *sums, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1);
    const int count2 = std::min(n, int(grid.x * block.x));
#pragma omp parallel for reduction(+ : sums[ : 3])
    for (int i = 0; i < count2; ++i) {
        sums[0] += x[i];
        sums[2] += x[i] * x[i];
    }
}

// As many sums as the launch says: each thread has some of its own.
void grouped(dim3 grid, [[maybe_unused]] dim3 block, std::size_t shared_bytes,
             const float *__restrict__ x, double *__restrict__ sums, int *__restrict__ sizes, int n,
             int groups)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 && block.z == 1);
#pragma omp parallel
    {
        g2o::partial_sums<double> own_sums(sums, groups);
        g2o::partial_sums<int> own_sizes2(sizes, groups);
#pragma omp for firstprivate(groups)
        for (int bx = 0; bx < int(grid.x); ++bx) {
            g2o::shared_array<float> own(shared_bytes);
            int *own_sizes = (int *)&own[groups];
            for (int g = 0; g < groups; ++g) {
                own[g] = 0.0f;
                own_sizes[g] = 0;
            }
            for (int t = 0; t < std::min(128, n - bx * 128); ++t) {
                int i = bx * 128 + t;
                own[i % groups] += x[i];
                own_sizes[i % groups] += 1;
            }
            for (int g = 0; g < groups; ++g) {
                own_sums[g] += (double)own[g];
                own_sizes2[g] += own_sizes[g];
            }
        }
    }
}

int main()
{
    const int n = 1000;
    int *values, *out;
    float *x;
    g2o::malloc_managed(&values, n * sizeof(int));
    g2o::malloc_managed(&out, (n + 2 * BINS + 2) * sizeof(int));
    g2o::malloc_managed(&x, (n + 3) * sizeof(float));
    for (int i = 0; i < n; ++i) {
        values[i] = i * i % 97;
        x[i] = (float)(i % 8);
    }
    for (int i = 0; i < n + 2 * BINS + 2; ++i)
        out[i] = 5;
    for (int i = n; i < n + 3; ++i)
        x[i] = 1.0f;
    histogram(3, THREADS, values, out, n);
    frequent((n + THREADS - 1) / THREADS, THREADS, values, out + BINS, n);
    count(8, 128, values, out + 2 * BINS, nullptr, false, n);
    running(1, 1, out + 2 * BINS + 1, out + 2 * BINS + 1, out + 2 * BINS + 2, n);
    seen_by_name(8, 128, out + 1, out + 1, values, x + n, 50);
    moments(8, 128, x, x + n, n);
    const int groups = 5;
    double *sums;
    int *sizes;
    g2o::malloc_managed(&sums, groups * sizeof(double));
    g2o::malloc_managed(&sizes, groups * sizeof(int));
    for (int g = 0; g < groups; ++g) {
        sums[g] = 0.5;
        sizes[g] = g;
    }
    grouped(8, 128, groups * 8, x, sums, sizes, n, groups);
    grouped(8, 128, 0, x, nullptr, nullptr, 0, 0);
    split(8, 128, values, sizes + 2, sizes, n);
    g2o::device_synchronize();
    for (int g = 0; g < groups; ++g)
        printf("%g %d\n", sums[g], sizes[g]);
    long hash = 0;
    for (int i = 0; i < n + 2 * BINS + 2; ++i)
        hash = (hash * 31 + out[i]) % 1000000007;
    printf("%ld %d %d %g %g %g\n", hash, out[3], out[2 * BINS], x[n], x[n + 1], x[n + 2]);
    return 0;
}
