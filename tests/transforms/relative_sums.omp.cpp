// Sums that are kept relative to a running maximum ("online softmax"), as they are written.
#include <cfloat>
#include <cstdio>
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include "g2o_vector_math.hpp"
#include "g2o_warps.hpp"
G2O_TYPE_PUNNING // memory is read as another type than it was written as

// by branches, a thread for each row
void branches(dim3 grid, dim3 block, const float *__restrict__ x, float *__restrict__ y, int rows,
              int n)
{
    const int count = std::min(rows, int(grid.x * block.x));
#pragma omp parallel for
    for (int r = 0; r < count; ++r) {
        float m = -FLT_MAX, s = 0.0f;
        for (int c = 0; c < n; ++c) {
            float v = x[r * n + c];
            m = v > m ? v : m;
        }
#pragma omp simd reduction(+ : s)
        for (int c = 0; c < n; ++c) {
            float v = x[r * n + c];
            s += g2o::simd_expf(v - m);
        }
        for (int c = 0; c < n; ++c)
            y[r * n + c] = g2o::simd_expf(x[r * n + c] - m) / s;
    }
}

// with a correction, chunks of four and a weighted sum
void chunks(dim3 grid, dim3 block, const float *__restrict__ x, const float *__restrict__ w,
            float *__restrict__ y, int n)
{
#pragma omp parallel for
    for (int r = 0; r < int(grid.x * block.x); ++r) {
        float m = -INFINITY, s = 0.0f, acc = 0.0f;
        for (int c = 0; c < n; c += 4)
            for (int k = 0; k < 4; ++k)
                m = g2o::fmaxf(m, x[r * n + c + k]);
        for (int c = 0; c < n; c += 4)
            for (int k = 0; k < 4; ++k) {
                float p = g2o::simd_expf(x[r * n + c + k] - m);
                s += p;
                acc += p * w[c + k];
            }
        y[r] = acc / s + logf(s) + m;
    }
}

// a block for each row
void block_rows(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
                float *__restrict__ y, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        const float *row = x + bx * n;
        float m = -INFINITY;
        float s = 0.0f;
        for (int c = 0; c < n; ++c)
            m = std::max(m, row[c]);
#pragma omp simd reduction(+ : s)
        for (int c = 0; c < n; ++c)
            s += g2o::simd_expf(row[c] - m);
        for (int c = 0; c < n; ++c)
            y[bx * n + c] = g2o::simd_expf(row[c] - m) / s;
    }
}

// shuffles down, broadcast by the first lane
void down(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
          float *__restrict__ y, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        const float *row = x + bx * n;
        float m = -INFINITY;
        float s = 0.0f;
        for (int c = 0; c < n; ++c)
            m = std::max(m, row[c]);
#pragma omp simd reduction(+ : s)
        for (int c = 0; c < n; ++c)
            s += g2o::simd_expf(row[c] - m);
        for (int c = 0; c < n; ++c)
            y[bx * n + c] = g2o::simd_expf(row[c] - m) / s;
    }
}

// what has begun already
void twice(dim3 grid, dim3 block, const float *__restrict__ x, const float *__restrict__ z,
           float *__restrict__ y, int n)
{
#pragma omp parallel for
    for (int r = 0; r < int(grid.x * block.x); ++r) {
        float m = z[r], s = 1.0f;
        float m_before = m;
        for (int c = 0; c < n; ++c)
            m = g2o::fmaxf(x[r * n + c], m);
        s *= expf(m_before - m);
#pragma omp simd reduction(+ : s)
        for (int c = 0; c < n; ++c)
            s += g2o::simd_expf(x[r * n + c] - m);
        y[r] = m + logf(s);
    }
}

// a block that goes over rows, with the second step by the first warp
void grid_rows(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
               float *__restrict__ y, int rows, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        for (int r = bx; r < rows; r += grid.x) {
            float m = -1e30f;
            float s = 0.0f;
#pragma omp simd reduction(max : m)
            for (int c = 0; c < n; ++c)
                m = std::max(m, x[r * n + c]);
#pragma omp simd reduction(+ : s)
            for (int c = 0; c < n; ++c)
                s += g2o::simd_expf(x[r * n + c] - m);
            for (int c = 0; c < n; ++c)
                y[r * n + c] = g2o::simd_expf(x[r * n + c] - m) / s;
        }
    }
}

// once, with the second step by the first warp
void once(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
          float *__restrict__ y, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float m = -1e30f;
        float s = 0.0f;
        const float *row = x + bx * n;
#pragma omp simd reduction(max : m)
        for (int c = 0; c < n; ++c) {
            float v = row[c];
            m = std::max(m, v);
        }
#pragma omp simd reduction(+ : s)
        for (int c = 0; c < n; ++c) {
            float v = row[c];
            s += g2o::simd_expf(v - m);
        }
        for (int c = 0; c < n; ++c)
            y[bx * n + c] = g2o::simd_expf(row[c] - m) / s;
    }
}

// With a temperature, in chunks of two and a rest, and reductions of cooperative groups.
void tempered(dim3 grid, [[maybe_unused]] dim3 block, float *__restrict__ y, float cold,
              const float *__restrict__ x, int rows, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 && block.z == 1);
    const int rows2 = std::min(rows, int(grid.x) * 8);
#pragma omp parallel for
    for (int r = 0; r < rows2; ++r) {
        const float *row = x + r * n;
        const float2 *pairs = reinterpret_cast<const float2 *>(row);
        float m = -FLT_MAX;
        float s = 0.0f;
        for (int i = 0; i < n / 2; ++i) {
            float2 v = pairs[i];
            m = std::max(m, g2o::fmaxf(v.x, v.y));
        }
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            if (n % 2 + (int)lane == 1)
                m = std::max(m, row[n - 1]);
        }
        for (int i = 0; i < n / 2; ++i) {
            float2 v = pairs[i];
            s += expf(cold * (v.x - m)) + expf(cold * (v.y - m));
        }
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            if (n % 2 + (int)lane == 1)
                s += expf(cold * (row[n - 1] - m));
        }
        for (int i = 0; i < n; ++i)
            y[r * n + i] = g2o::simd_expf(cold * (row[i] - m)) / s;
    }
}

int main()
{
    const int R = 64, N = 256;
    float *x, *w, *y;
    g2o::malloc_managed(&x, R * N * sizeof(float));
    g2o::malloc_managed(&w, N * sizeof(float));
    g2o::malloc_managed(&y, R * N * sizeof(float));
    for (int i = 0; i < R * N; ++i)
        x[i] = (i * 7919 % 1009) * 0.01f - 3.0f;
    for (int i = 0; i < N; ++i)
        w[i] = i * 0.125f;
    for (int k = 0; k < 8; ++k) {
        for (int i = 0; i < R * N; ++i)
            y[i] = 0.0f;
        switch (k) {
        case 0: branches(2, 32, x, y, R, N); break;
        case 1: chunks(2, 32, x, w, y, N); break;
        case 2: block_rows(R, 256, x, y, N); break;
        case 3: down(R, 32, x, y, N); break;
        case 4: twice(2, 32, x, w, y, N); break;
        case 5: grid_rows(3, 128, x, y, R, N); break;
        case 6: once(R, 128, x, y, N); break;
        case 7: tempered(8, 256, y, 0.75f, x, R, N - 1); break;
        }
        g2o::device_synchronize();
        double sum = 0.0;
        for (int i = 0; i < R * N; ++i)
            sum += y[i] * (1 + i % 13);
        printf("%d %.4f\n", k, sum);
    }
}
