// Rows that blocks and warps combine: softmax and two kinds of normalisation, with adjoints.
#include <cfloat>
#include <cstdio>
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include "g2o_vector_math.hpp"
#define WARPS 8

void softmax_rows(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
                  float *__restrict__ out, int cols)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 32 * WARPS && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        const float *x = in + (size_t)bx * cols;
        float *y = out + (size_t)bx * cols;
        float largest = -FLT_MAX;
#pragma omp simd reduction(max : largest)
        for (int c = 0; c < cols; ++c)
            largest = std::max(largest, x[c]);
        float sum = 0.0f;
        for (int c = 0; c < cols; ++c) {
            float e = g2o::simd_expf(x[c] - largest);
            y[c] = e;
            sum += e;
        }
        const float scale = 1.0f / sum;
        for (int c = 0; c < cols; ++c)
            y[c] *= scale;
    }
}

// Adjoint of softmax_rows: runs it, adds to the shadows of what it reads, consumes those
// of what it overwrites. Active arrays do not overlap.
void softmax_rows_grad(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
                       float *__restrict__ out, int cols, float *__restrict__ d_in,
                       float *__restrict__ d_out)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 32 * WARPS && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float d_largest = {};
        float d_sum = {};
        float d_scale = {};
        float largest;
        float sum;
        const float *x = in + (size_t)bx * cols;
        float *d_x = d_in + (size_t)bx * cols;
        float *y = out + (size_t)bx * cols;
        float *d_y = d_out + (size_t)bx * cols;
        float extreme = -FLT_MAX;
#pragma omp simd reduction(max : extreme)
        for (int c = 0; c < cols; ++c)
            extreme = std::max(extreme, x[c]);
        int largest_at = cols;
        for (int c = 0; c < cols; ++c) {
            if (x[c] == extreme)
                largest_at = std::min(largest_at, c);
        }
        if (largest_at >= 0 && largest_at < cols)
            largest = x[largest_at];
        else
            largest = -FLT_MAX;
        sum = 0.0f;
        for (int c = 0; c < cols; ++c) {
            float e = g2o::simd_expf(x[c] - largest);
            y[c] = e;
            sum += e;
        }
        float scale = 1.0f / sum;
        for (int c = 0; c < cols; ++c) {
            const float old_y = y[c];
            y[c] *= scale;
            const float seed_y = d_y[c];
            d_y[c] = scale * seed_y;
            d_scale += old_y * seed_y;
        }
        d_sum -= 1.0f / sum * (d_scale / sum);
        for (int c = 0; c < cols; ++c) {
            const float e = g2o::simd_expf(x[c] - largest);
            const float d_e = d_sum + d_y[c];
            d_y[c] = 0.0f;
            const float seed = e * d_e;
            d_x[c] += seed;
            d_largest += -seed;
        }
        if (largest_at >= 0 && largest_at < cols)
            d_x[largest_at] += d_largest;
    }
}
void norm(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
          float *__restrict__ y, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int row = 0; row < int(grid.x); ++row) {
        float s = 0;
        float q = 0;
#pragma omp simd reduction(+ : s, q)
        for (int i = 0; i < n; ++i) {
            float v = x[row * n + i];
            s += v;
            q += v * v;
        }
        float mean = s / n;
        float var = q / n - mean * mean;
        for (int i = 0; i < n; ++i)
            y[row * n + i] = (x[row * n + i] - mean) * g2o::rsqrtf(var + 1e-5f);
    }
}

// Adjoint of norm: runs it, adds to the shadows of what it reads, consumes those
// of what it overwrites. Active arrays do not overlap.
void norm_grad(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
               float *__restrict__ y, int n, float *__restrict__ d_x, float *__restrict__ d_y)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int row = 0; row < int(grid.x); ++row) {
        float d_s = {};
        float d_q = {};
        float d_mean = {};
        float d_var = {};
        float s = 0;
        float q = 0;
#pragma omp simd reduction(+ : s, q)
        for (int i = 0; i < n; ++i) {
            float v = x[row * n + i];
            s += v;
            q += v * v;
        }
        float mean = s / n;
        float var = q / n - mean * mean;
        for (int i = 0; i < n; ++i) {
            const float rsqrt_value = g2o::rsqrtf(var + 1e-5f);
            y[row * n + i] = (x[row * n + i] - mean) * rsqrt_value;
        }
        for (int i = 0; i < n; ++i) {
            const float rsqrt_value = g2o::rsqrtf(var + 1e-5f);
            const float seed = rsqrt_value * d_y[row * n + i];
            d_x[row * n + i] += seed;
            d_mean += -seed;
            d_var += -0.5f * rsqrt_value * rsqrt_value * rsqrt_value *
                     ((x[row * n + i] - mean) * d_y[row * n + i]);
            d_y[row * n + i] = 0.0f;
        }
        d_q += d_var / n;
        d_mean -= 2.0f * mean * d_var;
        d_s += d_mean / n;
#pragma omp simd
        for (int i = 0; i < n; ++i) {
            const float d_v = 2.0f * x[row * n + i] * d_q + d_s;
            d_x[row * n + i] += d_v;
        }
    }
}

// A warp for each row.
void norm_rows([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
               float *__restrict__ y, int n, int m)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 &&
           block.z == 1);
    for (int warp = 0; warp < std::min(8, m); ++warp) {
        int r = warp;
        const float *row = x + r * n;
        float *out = y + r * n;
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (int i = 0; i < n; ++i)
            s += row[i];
        float mean = s / n;
        float q = 0;
#pragma omp simd reduction(+ : q)
        for (int i = 0; i < n; ++i) {
            float e = row[i] - mean;
            q += e * e;
        }
        float scale = g2o::rsqrtf(q / n + 1e-5f);
        for (int i = 0; i < n; ++i)
            out[i] = (row[i] - mean) * scale;
    }
}

// Adjoint of norm_rows: runs it, adds to the shadows of what it reads, consumes those
// of what it overwrites. Active arrays do not overlap.
void norm_rows_grad([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block,
                    const float *__restrict__ x, float *__restrict__ y, int n, int m,
                    float *__restrict__ d_x, float *__restrict__ d_y)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 &&
           block.z == 1);
    for (int warp = 0; warp < std::min(8, m); ++warp) {
        float scale;
        float d_scale = 0.0f;
        float d_q = 0.0f;
        float d_mean = 0.0f;
        float d_s = 0.0f;
        int r = warp;
        const float *row = x + r * n;
        float *d_row = d_x + r * n;
        float *out = y + r * n;
        float *d_out = d_y + r * n;
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (int i = 0; i < n; ++i)
            s += row[i];
        float mean = s / n;
        float q = 0;
#pragma omp simd reduction(+ : q)
        for (int i = 0; i < n; ++i) {
            float e = row[i] - mean;
            q += e * e;
        }
        {
            const float rsqrt_value = g2o::rsqrtf(q / n + 1e-5f);
            scale = rsqrt_value;
        }
        for (int i = 0; i < n; ++i)
            out[i] = (row[i] - mean) * scale;
        for (int i = 0; i < n; ++i) {
            const float seed = scale * d_out[i];
            d_row[i] += seed;
            d_mean += -seed;
            d_scale += (row[i] - mean) * d_out[i];
            d_out[i] = 0.0f;
        }
        {
            const float rsqrt_value = g2o::rsqrtf(q / n + 1e-5f);
            const float d_rsqrt_value = d_scale;
            d_scale = 0.0f;
            d_q += -0.5f * rsqrt_value * rsqrt_value * rsqrt_value * d_rsqrt_value / n;
        }
#pragma omp simd reduction(+ : d_mean)
        for (int i = 0; i < n; ++i) {
            const float d_e = 2.0f * (row[i] - mean) * d_q;
            d_row[i] += d_e;
            d_mean += -d_e;
        }
        d_s += d_mean / n;
#pragma omp simd
        for (int i = 0; i < n; ++i)
            d_row[i] += d_s;
    }
}

int main()
{
    const int n = 1000;
    float *x, *y;
    g2o::malloc_managed(&x, 4 * n * 4);
    g2o::malloc_managed(&y, 4 * n * 4);
    for (int i = 0; i < 4 * n; ++i)
        x[i] = (i * 37 % 1013) * 0.01f;
    softmax_rows(4, 32 * WARPS, x, y, n);
    g2o::device_synchronize();
    double s = 0;
    for (int i = 0; i < 4 * n; ++i)
        s += (i % 11 + 1) * y[i];
    printf("%.5f\n", s);
    norm(4, 256, x, y, n);
    g2o::device_synchronize();
    for (int i = 0; i < 4 * n; ++i)
        s += (i % 11 + 1) * y[i];
    printf("%.2f\n", s);
    norm_rows(1, 256, x, y, n, 4);
    g2o::device_synchronize();
    for (int i = 0; i < 4 * n; ++i)
        s += (i % 11 + 1) * y[i];
    printf("%.2f\n", s);
}
