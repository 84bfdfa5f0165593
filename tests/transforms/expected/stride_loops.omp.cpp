// Ranges that the threads of a block share out, and loops that only look like it.
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include <cstdio>

#define THREADS 32
#define BINS 100
#define TILE 4
#define WIDE 7

void histogram(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ values,
               int *__restrict__ bins, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == THREADS && block.y == 1 && block.z == 1);
#pragma omp parallel for reduction(+ : bins[ : BINS])
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int local[BINS];
        // More bins than threads.
#pragma omp simd
        for (int b = 0; b < BINS; ++b)
            local[b] = 0;
        for (int base = bx * THREADS; base < n; base += grid.x * THREADS) {
            for (int t = 0; t < std::min<int>(THREADS, n - base); ++t) {
                int i = base + t;
                local[values[i] % BINS] += 1;
            }
        }
        for (unsigned int b = 0; b < BINS; ++b) {
            if (local[b] == 0)
                continue;
            bins[b] += local[b];
        }
    }
}

void tiles(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *__restrict__ in,
           float *__restrict__ out, int width)
{
    assert(block.x == TILE && block.y == TILE);
    for (int ty = 0; ty < TILE; ++ty)
#pragma omp simd
        for (int tx = 0; tx < TILE; ++tx) {
            float sum = 0;
#pragma GCC unroll 16
            for (int y = 0; y < WIDE - TILE + 1; ++y)
#pragma GCC unroll 16
                for (int x = 0; x < WIDE - TILE + 1; ++x)
                    sum += in[(y + ty) * width + x + tx];
            out[ty * TILE + tx] = sum;
        }
}

// Each row of threads loads a row; what it needs for that is the same for all of them.
void rows(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
          float *__restrict__ out, int width, int height)
{
    assert(block.x == 8 && block.y == TILE);
    const int rows2 = std::min(height, int(grid.x) * 4);
#pragma omp parallel for
    for (int row = 0; row < rows2; ++row) {
        const int inside = g2o::threads_below<unsigned>(width, 6, 8);
        if (inside == 8) {
#pragma omp simd
            for (int tx = 0; tx < 8; ++tx)
                out[row * 8 + tx] = in[row * width + tx + 6];
        } else {
#pragma omp simd
            for (int tx = 0; tx < inside; ++tx)
                out[row * 8 + tx] = in[row * width + tx + 6];
#pragma omp simd
            for (int tx = inside; tx < 8; ++tx)
                out[row * 8 + tx] = -1;
        }
    }
}

// A sum of each thread, a product of each thread with itself, threads that leave, another stride.
void not_shared_out(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *__restrict__ in,
                    float *__restrict__ out, int n)
{
    assert(block.x == THREADS);
    float sums[THREADS];
    float chain[4 * THREADS];
    float steps[4 * THREADS];
    float sum[THREADS];
#pragma omp simd
    for (int t = 0; t < THREADS; ++t)
        sum[t] = 0;
    for (int base = 0; base < n; base += THREADS) {
#pragma omp simd
        for (int t = 0; t < std::min<int>(THREADS, n - base); ++t) {
            int i = base + t;
            sum[t] += in[i];
        }
    }
#pragma omp simd
    for (int t = 0; t < THREADS; ++t)
        sums[t] = sum[t];
    for (int i = 0; i < 4 * THREADS; ++i)
        chain[i] = i < THREADS ? in[i] : 2 * chain[i - THREADS];
    for (int t = 0; t < THREADS; ++t) {
        for (int i = t; i < 4 * THREADS; i += THREADS) {
            if (in[i % n] > 4)
                break;
            out[i] = 1;
        }
    }
    for (int base = 0; base < 2 * THREADS; base += 2 * THREADS) {
#pragma omp simd
        for (int t = 0; t < std::min<int>(THREADS, 2 * THREADS - base); ++t) {
            int i = base + t;
            steps[i] = i;
        }
    }
    for (int i = -3; i < THREADS - 3; ++i)
        steps[i + THREADS + 3] = i;
    for (int t = 0; t < THREADS; ++t) {
        for (unsigned i = t - 3; i < THREADS - 3u; i += THREADS)
            steps[i + 2 * THREADS] = i;
    }
#pragma omp simd
    for (int t = 0; t < THREADS; ++t) {
        out[4 * THREADS + t] = sums[THREADS - 1 - t] + chain[3 * THREADS];
        out[5 * THREADS + t] = steps[t] + steps[t + THREADS];
    }
#pragma omp simd
    for (int t = 0; t < THREADS - 3; ++t)
        out[5 * THREADS + t] += steps[t + 2 * THREADS];
}

int main()
{
    int *values, *bins;
    float *in, *out;
    g2o::malloc_managed(&values, 1000 * sizeof *values);
    g2o::malloc_managed(&bins, BINS * sizeof *bins);
    g2o::malloc_managed(&in, 64 * sizeof *in);
    g2o::malloc_managed(&out, 6 * THREADS * sizeof *out);
    for (int i = 0; i < 1000; ++i)
        values[i] = i * i % 211;
    for (int i = 0; i < BINS; ++i)
        bins[i] = 0;
    for (int i = 0; i < 64; ++i)
        in[i] = i * 5 % 11;
    for (int i = 0; i < 6 * THREADS; ++i)
        out[i] = 0;
    histogram(3, THREADS, values, bins, 1000);
    tiles(1, dim3(TILE, TILE), in, out, 8);
    g2o::device_synchronize();
    for (int i = 0; i < BINS; ++i)
        printf("%d ", bins[i]);
    for (int i = 0; i < TILE * TILE; ++i)
        printf("%g ", out[i]);
    rows(2, dim3(8, TILE), in, out + 16, 10, 6);
    g2o::device_synchronize();
    for (int i = 0; i < 6 * 8; ++i)
        printf("%g ", out[16 + i]);
    not_shared_out(1, THREADS, in, out, 50);
    g2o::device_synchronize();
    for (int i = 0; i < 6 * THREADS; ++i)
        printf("%g%c", out[i], i % 16 == 15 ? '\n' : ' ');
}
