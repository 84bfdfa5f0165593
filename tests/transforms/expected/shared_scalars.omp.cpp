// Shared variables that hold what every thread can compute itself, and some that do not.
#include <cstdio>
#include "g2o_runtime.hpp"

#define THREADS 64

void scale_rows(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ scales,
                const float *__restrict__ x, float *__restrict__ y, int n)
{
    assert(block.x == THREADS);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float scale = scales[bx] / n;
#pragma omp simd
        for (int t = 0; t < THREADS; ++t)
            y[bx * THREADS + t] = scale * x[bx * THREADS + t];
    }
}

// The first thread takes something nobody else has.
void subtract_first(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
                    float *__restrict__ y)
{
    assert(block.x == THREADS);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float first;
        {
            float mine = x[bx * THREADS];
            first = mine;
        }
#pragma omp simd
        for (int t = 0; t < THREADS; ++t) {
            float mine = x[bx * THREADS + t];
            y[bx * THREADS + t] += mine - first;
        }
    }
}

// It is set anew in every round, and read in the next one.
void rounds(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
            float *__restrict__ y, int n)
{
    assert(block.x == THREADS);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float last = 0;
        for (int k = 0; k < n; ++k) {
#pragma omp simd
            for (int t = 0; t < THREADS; ++t)
                y[bx * THREADS + t] += last;
            last = x[k];
        }
    }
}

int main()
{
    const int blocks = 5, count = blocks * THREADS;
    float scales[blocks], x[count], y[count];
    for (int i = 0; i < blocks; ++i)
        scales[i] = 1.5f * i;
    for (int i = 0; i < count; ++i)
        x[i] = i % 7;
    float *d_scales, *d_x, *d_y;
    g2o::malloc(&d_scales, sizeof(scales));
    g2o::malloc(&d_x, sizeof(x));
    g2o::malloc(&d_y, sizeof(y));
    g2o::memcpy(d_scales, scales, sizeof(scales), g2o::MemcpyHostToDevice);
    g2o::memcpy(d_x, x, sizeof(x), g2o::MemcpyHostToDevice);
    scale_rows(blocks, THREADS, d_scales, d_x, d_y, 4);
    subtract_first(blocks, THREADS, d_x, d_y);
    rounds(blocks, THREADS, d_x, d_y, 3);
    g2o::memcpy(y, d_y, sizeof(y), g2o::MemcpyDeviceToHost);
    for (int i = 0; i < count; i += 9)
        printf("%g\n", y[i]);
    g2o::free(d_scales);
    g2o::free(d_x);
    g2o::free(d_y);
    return 0;
}
