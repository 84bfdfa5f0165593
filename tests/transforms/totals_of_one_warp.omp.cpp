// Totals that the threads under a condition work out: of a norm and of the largest element, and of the
// scale of rows.
// g2o-verify: norms<<<4, 256>>>(x = [n], y = [4], m = [4], n = 3000)
// g2o-verify: rows<<<3, 256>>>(x = [3 * n], y = [3 * n], n = 500)
#include "g2o_runtime.hpp"
#include "g2o_atomics.hpp"
#include "g2o_math.hpp"
#include "g2o_tapes.hpp"
#include <cstdio>

void norms(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
           float *__restrict__ y, float *__restrict__ m, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float sum = 0.0f;
        float largest = -1e30f;
        for (int base = bx * 256; base < n; base += 256 * grid.x) {
#pragma omp simd reduction(+ : sum) reduction(max : largest)
            for (int t = 0; t < std::min(256, n - base); ++t) {
                int i = base + t;
                sum += x[i] * x[i];
                largest = std::max(largest, x[i]);
            }
        }
        y[bx] = sqrtf(sum);
        m[bx] = largest * sum;
    }
}

// Adjoint of norms: runs it, adds to the shadows of what it reads, consumes those
// of what it overwrites. Active arrays do not overlap.
void norms_grad(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
                float *__restrict__ y, float *__restrict__ m, int n, float *__restrict__ d_x,
                float *__restrict__ d_y, float *__restrict__ d_m)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float d_sum = {};
        float d_largest = {};
        int winner_of_largest = {};
        float offer[256];
        bool offered[256];
        g2o::Tape<bool> kept_value[256];
        bool won[256];
        float d_offer[256];
        float sum = 0.0f;
        float largest = -1e30f;
#pragma omp simd
        for (int t = 0; t < 256; ++t) {
            offer[t] = 0.0f;
            offered[t] = false;
        }
        for (int base = bx * 256; base < n; base += 256 * grid.x) {
            for (int t = 0; t < std::min(256, n - base); ++t) {
                int i = base + t;
                sum += x[i] * x[i];
                const float tried = x[i];
                kept_value[t].push(!offered[t] || (offer[t] < tried));
                if (!offered[t] || (offer[t] < tried))
                    offer[t] = tried;
                offered[t] = true;
                largest = std::max(largest, tried);
            }
        }
        for (int t = 0; t < 256; ++t) {
            if (offered[t])
                winner_of_largest = 2147483647;
        }
        for (int t = 0; t < 256; ++t) {
            if (offered[t] && offer[t] == largest)
                winner_of_largest = std::min(winner_of_largest, t);
        }
        for (int t = 0; t < 256; ++t) {
            won[t] = offered[t] && winner_of_largest == t;
            if (won[t])
                largest = offer[t];
        }
#pragma omp simd
        for (int t = 0; t < 256; ++t)
            d_offer[t] = 0.0f;
        {
            const float sqrt_value = sqrtf(sum);
            y[bx] = sqrt_value;
            m[bx] = largest * sum;
            d_largest += sum * d_m[bx];
            d_sum += largest * d_m[bx];
            d_m[bx] = 0.0f;
            d_sum += 0.5f / sqrt_value * d_y[bx];
            d_y[bx] = 0.0f;
        }
        for (int t = 0; t < 256; ++t) {
            if (won[t]) {
                d_offer[t] += d_largest;
                d_largest = 0.0f;
            }
            for (int k = (n - (bx * 256 + t) + int(256 * grid.x) - 1) / int(256 * grid.x) - 1;
                 k >= 0; --k) {
                const int i = bx * 256 + t + k * int(256 * grid.x);
                float d_tried = 0.0f;
                const bool old_value = kept_value[t].pop();
                if (old_value) {
                    d_tried += d_offer[t];
                    d_offer[t] = 0.0f;
                }
                // Atomic: several threads may add to one element of d_x.
                g2o::atomic_add(&d_x[i], d_tried);
                g2o::atomic_add(&d_x[i], 2.0f * x[i] * d_sum);
            }
        }
    }
}

void rows(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
          float *__restrict__ y, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        const float *row = x + bx * n;
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < n; ++i)
            sum += row[i] * row[i];
        float scale = g2o::rsqrtf(sum / n + 1e-3f);
        for (int i = 0; i < n; ++i)
            y[bx * n + i] = row[i] * scale;
    }
}

// Adjoint of rows: runs it, adds to the shadows of what it reads, consumes those
// of what it overwrites. Active arrays do not overlap.
void rows_grad(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
               float *__restrict__ y, int n, float *__restrict__ d_x, float *__restrict__ d_y)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float d_scale = {};
        float d_sum = {};
        float scale;
        const float *row = x + bx * n;
        float *d_row = d_x + bx * n;
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < n; ++i)
            sum += row[i] * row[i];
        {
            const float rsqrt_value = g2o::rsqrtf(sum / n + 1e-3f);
            scale = rsqrt_value;
        }
        for (int i = 0; i < n; ++i)
            y[bx * n + i] = row[i] * scale;
        for (int i = 0; i < n; ++i) {
            d_row[i] += scale * d_y[bx * n + i];
            d_scale += row[i] * d_y[bx * n + i];
            d_y[bx * n + i] = 0.0f;
        }
        {
            const float rsqrt_value = g2o::rsqrtf(sum / n + 1e-3f);
            d_sum += -0.5f * rsqrt_value * rsqrt_value * rsqrt_value * d_scale / n;
            d_scale = 0.0f;
        }
#pragma omp simd safelen(256)
        for (int i = 0; i < n; ++i)
            d_row[i] += 2.0f * row[i] * d_sum;
    }
}

int main()
{
    const int n = 3000;
    float *x, *y, *m;
    g2o::malloc_managed(&x, n * sizeof(float));
    g2o::malloc_managed(&y, n * sizeof(float));
    g2o::malloc_managed(&m, 4 * sizeof(float));
    for (int i = 0; i < n; ++i)
        x[i] = (i * 37 % 1013) * 0.01f;
    norms(4, 256, x, y, m, n);
    g2o::device_synchronize();
    for (int i = 0; i < 4; ++i)
        printf("%.3f %.1f\n", y[i], m[i]);
    rows(3, 256, x, y, n / 3);
    g2o::device_synchronize();
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += (i % 11 + 1) * y[i];
    printf("%.3f\n", sum);
    return 0;
}
