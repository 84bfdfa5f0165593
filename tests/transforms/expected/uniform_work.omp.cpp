// Work that is the same for every thread is done once where that is right, else it stays.
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include <cmath>
#include <cstdio>

// A loop of the kernel itself, and what it needs.
void weights(dim3 grid, dim3 block, float *__restrict__ y, const float *__restrict__ x,
             const float *__restrict__ w, int n, int m)
{
    const int count = std::min(n, int(grid.x * block.x));
    if (count <= 0)
        return;
    const float first = w[0]; // the same for every thread
    float sum = first;
    for (int k = 1; k < m; ++k) { // over all weights
        if (w[k] < 0)
            continue;
        sum += w[k];
    }
    float norm = sqrtf(sum);
#pragma omp parallel for simd
    for (int i = 0; i < count; ++i)
        y[i] = x[i] / norm + first;
}

// `y` may be `w`.
void weights_may_change(dim3 grid, dim3 block, float *__restrict__ y, const float *__restrict__ x,
                        const float *__restrict__ w, int n, int m)
{
    const int count = std::min(n, int(grid.x * block.x));
    if (count <= 0)
        return;
    float sum = 0; // the same for every thread
    for (int k = 0; k < m; ++k)
        sum += w[k];
#pragma omp parallel for simd
    for (int i = 0; i < count; ++i)
        y[i] = x[i] / sum;
}

// The sum goes on from thread to thread's own value, or is seen on its way.
void of_its_own(dim3 grid, dim3 block, float *__restrict__ y, const float *__restrict__ w, int n,
                int m)
{
    const int count = std::min(n, int(grid.x * block.x));
    constexpr int strip = 128;
    // Neighbours go through the loops together.
#pragma omp parallel for
    for (int first = 0; first < count; first += strip) {
        const int end = std::min(first + strip, count);
        float sum[strip];
        float third[strip];
#pragma omp simd
        for (int i = first; i < end; ++i)
            sum[i - first] = i;
        for (int k = 0; k < m; ++k) {
#pragma omp simd
            for (int i = first; i < end; ++i)
                sum[i - first] += w[k];
        }
        float other = 0;
#pragma omp simd
        for (int i = first; i < end; ++i)
            y[i] = other;
        for (int k = 0; k < m; ++k)
            other += w[k];
#pragma omp simd
        for (int i = first; i < end; ++i) {
            y[i] += other;
            third[i - first] = 0;
        }
        for (int k = 0; k < m; ++k) {
#pragma omp simd
            for (int i = first; i < end; ++i)
                third[i - first] += w[k];
        }
#pragma omp simd
        for (int i = first; i < end; ++i) {
            third[i - first] = y[i] > 3 ? 0.0f : third[i - first];
            y[i] += sum[i - first] + third[i - first];
        }
    }
}

// Only some threads read the weights: with none of them, nobody may.
void only_some(dim3 grid, dim3 block, float *__restrict__ y, const float *__restrict__ w, int n,
               int m)
{
#pragma omp parallel for
    for (int i = 0; i < int(grid.x * block.x); ++i) {
        if (i >= n || y[i] > 0)
            continue;
        float sum = 0;
        for (int k = 0; k < m; ++k)
            sum += w[k];
        y[i] = sum;
    }
}

// Of numbers: out of the loop, be it reached or not; of what changes, or of memory: not.
void decay(dim3 grid, dim3 block, float *__restrict__ y, const float *__restrict__ rate, float r,
           float dt, int n, int steps)
{
    const int count = std::min(n, int(grid.x * block.x));
    const float exp_value = expf(-r * dt); // the same for every thread
    const float sqrt_dt = sqrtf(dt);       // the same for every thread
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
        if (y[i] > 0) {
            float f = r;
            for (int s = 0; s < steps; ++s) {
                y[i] *= exp_value + sqrt_dt + sqrt_dt;
                y[i] += expf(-f * dt) + expf(rate[0] * dt);
                f += 1;
            }
        }
    }
}

// By block: what depends on the block goes in front of its threads; what does not, of all blocks.
void by_block(dim3 grid, [[maybe_unused]] dim3 block, float *__restrict__ y,
              const float *__restrict__ x, float r, int m)
{
    assert(block.x == 32);
    const float pow_value = powf(r, 2.0f); // the same for every thread
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float tile[32];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            tile[t] = x[t];
        float most = 0;
#pragma omp simd reduction(max : most)
        for (int k = 0; k < 32; ++k)
            most = g2o::fmaxf(most, tile[k]);
        float scale = powf(r, bx) * pow_value + cosf(0.5f); // of constants: stays
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            y[bx * 32 + t] = scale * tile[t] / most;
#pragma omp simd
        for (int t = 0; t < 32; ++t) {
            tile[t] = most + t; // not the same as before
        }
        float sum = 0;
        for (int k = 0; k < m; ++k)
            sum += tile[k];
#pragma omp simd
        for (int t = 0; t < 16; ++t)
            y[bx * 32 + t] += sum;
    }
}

// An element read in the loop is one that the loop writes.
void in_place(dim3 /*grid*/, [[maybe_unused]] dim3 block, float *y, int m)
{
    assert(block.x == 32);
    float tile[32];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        tile[t] = y[t];
    {
        float sum = 0;
        for (int k = 0; k < m; ++k)
            sum += tile[k];
        tile[3] = sum;
    }
    float sum = 0;
    for (int k = 0; k < m; ++k)
        sum += tile[k];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        y[t] = sum + tile[t];
}

// A loop that only counts needs no guard.
void counted(dim3 grid, [[maybe_unused]] dim3 block, float *y, int m)
{
    assert(block.x == 32);
    int total = 0; // the same for every thread
    for (int k = 0; k < m; ++k)
        total += k;
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float s[32];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            s[t] = y[bx * 32 + t];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            y[bx * 32 + t] = total + s[31 - t];
    }
}

// Where a tile of a picture starts, that blocks are numbered along its rows: no division is done for
// each pixel. A divisor that changes, or that a condition keeps from being zero, stays.
void tiles(dim3 grid, [[maybe_unused]] dim3 block, float *__restrict__ y,
           const float *__restrict__ x, int per_row, int width, int zero)
{
    assert(block.x == 8 && block.y == 4);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int part = per_row + bx;
        for (int ty = 0; ty < 4; ++ty) {
            int row = bx / unsigned(per_row) * 4 + ty;
#pragma omp simd
            for (int tx = 0; tx < 8; ++tx) {
                int column = bx % unsigned(per_row) * 8 + tx;
                y[row * width + column] =
                    x[(bx / unsigned(per_row) + 1) * column] + x[tx % unsigned(part)];
            }
        }
        if (zero != 0)
            for (int ty = 0; ty < 4; ++ty) {
                int row = bx / unsigned(per_row) * 4 + ty;
#pragma omp simd
                for (int tx = 0; tx < 8; ++tx) {
                    int column = bx % unsigned(per_row) * 8 + tx;
                    y[row * width + column + bx / unsigned(zero)] = 0;
                }
            }
        for (int ty = 0; ty < 4; ++ty) {
            int row = bx / unsigned(per_row) * 4 + ty;
            for (int tx = 0; tx < 8; ++tx) {
                int column = bx % unsigned(per_row) * 8 + tx;
                y[row * width + column] += zero == 0 ? tx : tx + grid.x / unsigned(zero);
            }
        }
    }
}

int main()
{
    const int n = 64;
    float *x, *y, *w;
    g2o::malloc_managed(&x, n * sizeof *x);
    g2o::malloc_managed(&y, 9 * n * sizeof *y);
    g2o::malloc_managed(&w, 8 * sizeof *w);
    for (int i = 0; i < n; ++i)
        x[i] = i % 7 + 1;
    for (int i = 0; i < 9 * n; ++i)
        y[i] = i % 5 - 1;
    for (int i = 0; i < 8; ++i)
        w[i] = i - 2;
    weights(2, 32, y, x, w + 4, 60, 4);
    weights(2, 32, y, nullptr, nullptr, 0, 4); // nobody reads
    weights_may_change(2, 32, y + n, x, w, n, 8);
    of_its_own(2, 32, y + 2 * n, w, n, 8);
    only_some(2, 32, y + 3 * n, w, n, 8);
    for (int i = 0; i < n; ++i)
        x[i] = 1;
    only_some(2, 32, x, nullptr, n, 8); // nobody does
    for (int i = 0; i < n; ++i)
        x[i] = i % 7 + 1;
    decay(2, 32, y + 4 * n, x, 0.5f, 0.25f, n, 3);
    by_block(2, 32, y + 5 * n, x, 0.5f, 8);
    in_place(1, 32, y + 6 * n, 8);
    counted(2, 32, y, 8);
    tiles(4, dim3(8, 4), y + 7 * n, x, 2, 16, 0);
    g2o::device_synchronize();
    for (int i = 0; i < 9 * n; ++i)
        printf("%.6g%c", y[i], i % 16 == 15 ? '\n' : ' ');
}
