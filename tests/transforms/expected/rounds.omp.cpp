// Blocks that walk through memory in steps of the whole grid.
#include "g2o_runtime.hpp"
#include <cstdio>

#define THREADS 32

int key(int value) { return value % 16; }

void count(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ values,
           int *__restrict__ counts, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == THREADS && block.y == 1 && block.z == 1);
#pragma omp parallel for reduction(+ : counts[ : 16])
    for (int bx = 0; bx < int(grid.x); ++bx) {
        // The last step is not a whole one.
        for (int base = bx * THREADS; base < n; base += grid.x * THREADS) {
            for (int t = 0; t < std::min<int>(THREADS, n - base); ++t) {
                int i = base + t;
                counts[key(values[i])] += 1;
            }
        }
    }
}

void count_unsigned(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ values,
                    int *__restrict__ counts, unsigned n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == THREADS && block.y == 1 && block.z == 1);
    unsigned step = grid.x * THREADS;
#pragma omp parallel for reduction(+ : counts[ : 16])
    for (int bx = 0; bx < int(grid.x); ++bx) {
        for (unsigned int base = bx * THREADS; base < n; base += step) {
            for (int t = 0; t < int(std::min<unsigned int>(THREADS, n - base)); ++t) {
                unsigned i = base + t;
                if (values[i] >= 3)
                    counts[key(values[i])] += 1;
            }
        }
    }
}

// The start wraps around for the first block, a thread stops early, a loop in each step.
void count_otherwise(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ values,
                     int *__restrict__ counts, unsigned n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == THREADS && block.y == 1 && block.z == 1);
#pragma omp parallel for reduction(+ : counts[ : 16])
    for (int bx = 0; bx < int(grid.x); ++bx) {
        for (int t = 0; t < THREADS; ++t) {
            for (unsigned i = bx * THREADS - 3 + t; i < n; i += grid.x * THREADS)
                counts[key(values[i])] += 1;
        }
        for (int t = 0; t < THREADS; ++t) {
            for (int i = bx * THREADS + t; i < (int)n; i += grid.x * THREADS) {
                if (values[i] > 90)
                    break;
                counts[key(values[i])] += 1;
            }
        }
        for (int base = bx * THREADS; base < (int)n; base += grid.x * THREADS) {
            for (int t = 0; t < std::min<int>(THREADS, (int)n - base); ++t) {
                int i = base + t;
                for (int k = 0; k < 2; ++k)
                    counts[key(values[i] + k)] += 1;
            }
        }
    }
}

// One sum for each thread.
void add(dim3 grid, [[maybe_unused]] dim3 block, const double *__restrict__ a,
         const double *__restrict__ b, double *__restrict__ partial, int n)
{
    assert(block.x == THREADS);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        double cache[THREADS];
        {
            double sum[THREADS];
#pragma omp simd
            for (int t = 0; t < THREADS; ++t)
                sum[t] = 0;
            for (int base = bx * THREADS; base < n; base += grid.x * THREADS) {
#pragma omp simd
                for (int t = 0; t < std::min<int>(THREADS, n - base); ++t) {
                    int i = base + t;
                    sum[t] += a[i] * b[i];
                }
            }
#pragma omp simd
            for (int t = 0; t < THREADS; ++t)
                cache[t] = sum[t];
        }
        for (int s = THREADS / 2; s > 0; s /= 2) {
#pragma omp simd
            for (int t = 0; t < s; ++t)
                cache[t] += cache[t + s];
        }
        partial[bx] = cache[0];
    }
}

int main()
{
    const int n = 1000;
    int *values, *counts;
    double *a, *b, *partial;
    g2o::malloc_managed(&values, n * sizeof *values);
    g2o::malloc_managed(&counts, 64 * sizeof *counts);
    g2o::malloc_managed(&a, n * sizeof *a);
    g2o::malloc_managed(&b, n * sizeof *b);
    g2o::malloc_managed(&partial, 3 * sizeof *partial);
    for (int i = 0; i < n; ++i) {
        values[i] = i * i % 97;
        a[i] = i % 13;
        b[i] = i % 7 - 3;
    }
    for (int i = 0; i < 64; ++i)
        counts[i] = 0;
    count(3, THREADS, values, counts, n);
    count(2, THREADS, values, counts, 5);
    count_unsigned(3, THREADS, values, counts + 16, n);
    count_otherwise(3, THREADS, values, counts + 32, n);
    add(3, THREADS, a, b, partial, n);
    g2o::device_synchronize();
    for (int i = 0; i < 64; ++i)
        printf("%d%c", counts[i], i % 16 == 15 ? '\n' : ' ');
    for (int i = 0; i < 3; ++i)
        printf("%g ", partial[i]);
}
