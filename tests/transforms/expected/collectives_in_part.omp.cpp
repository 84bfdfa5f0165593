#include <cstdio>
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include "g2o_warps.hpp"
// Groups combine values here, but what is made of them is not the same for all threads, or has another name, or is
// converted on its way.
#define M 0xffffffffu
void also_partly(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                 int *__restrict__ out, int n)
{
    assert(block.x == 32 && block.y == 1 && block.z == 1);
    int a[g2o::warp_size];
    int c[g2o::warp_size];
    int b[g2o::warp_size];
#pragma omp simd
    for (int t = 0; t < g2o::warp_size; ++t) {
        a[t] = x[t];
        c[t] = x[t + n];
        b[t] = a[t];
    }
    for (int d = 16; d > 0; d /= 2) {
        int other[g2o::warp_size];
        int other2[g2o::warp_size];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            other[lane] = a[g2o::shfl_down_lane(lane, d)];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            a[lane] += other[lane];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            other2[lane] = c[lane ^ d];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            c[lane] += other2[lane];
    }
#pragma omp simd
    for (int t = 0; t < g2o::warp_size; ++t)
        out[t] = a[t] + b[t] + c[t];
}
void pointer(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ x,
             int *__restrict__ out, int n) // pointer to the variable
{
    assert(block.x == 32 && block.y == 1 && block.z == 1);
    int v[g2o::warp_size];
    int w[g2o::warp_size];
    int c[g2o::warp_size];
#pragma omp simd
    for (int t = 0; t < g2o::warp_size; ++t) {
        v[t] = x[t];
        w[t] = x[t + 1];
        c[t] = v[t];
    }
    for (int d = 16; d > 0; d /= 2) {
        int other[g2o::warp_size];
        int other2[g2o::warp_size];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            other[lane] = v[g2o::shfl_down_lane(lane, d)];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            v[lane] += other[lane];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            other2[lane] = c[lane ^ d];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            c[lane] += other2[lane];
    }
    for (int t = 0; t < g2o::warp_size; ++t) {
        int *p = n > 5 ? &v[t] : &w[t];
        out[t] = *p + c[t];
    }
}
void captured([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
              int *__restrict__ out, int n) // reference, lambda
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 &&
           block.z == 1);
    int v[g2o::warp_size];
    int c[g2o::warp_size];
#pragma omp simd
    for (int t = 0; t < g2o::warp_size; ++t) {
        v[t] = x[t];
        c[t] = x[t + 3];
    }
    for (int d = 16; d > 0; d /= 2) {
        int other[g2o::warp_size];
        int other2[g2o::warp_size];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            other[lane] = v[g2o::shfl_down_lane(lane, d)];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            v[lane] += other[lane];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            other2[lane] = c[lane ^ d];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            c[lane] += other2[lane];
    }
    for (int t = 0; t < g2o::warp_size; ++t) {
        auto f = [&](int a) { return v[t] * a; };
        out[t] = f(n) + c[t];
    }
}
void as_unsigned([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                 int *__restrict__ out, [[maybe_unused]] int n) // compared as unsigned
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 &&
           block.z == 1);
    int v_max = std::numeric_limits<int>::lowest();
    {
        int v[32];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            v[t] = 0;
        for (int base = 0; base < 50; base += 32) {
            for (int t = 0; t < std::min(32, 50 - base); ++t) {
                int i = base + t;
                unsigned u = x[i] - 40;
                if (u > unsigned(v[t]))
                    v[t] = u;
            }
        }
        for (int t = 0; t < 32; ++t)
            v_max = std::max(v_max, v[t]);
    }
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        out[t] = v_max;
}
void two_extremes([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block,
                  const int *__restrict__ x, int *__restrict__ out,
                  [[maybe_unused]] int n) // two starts
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 &&
           block.z == 1);
    int v_max = std::numeric_limits<int>::lowest();
    for (int t = 0; t < 32; ++t) {
        int v = x[t];
        v_max = std::max(v_max, v);
    }
    int b = g2o::max(v_max, 500);
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        out[t] = v_max * 1000 + b;
}
void some_threads([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block,
                  const int *__restrict__ x, int *__restrict__ out,
                  [[maybe_unused]] int n) // start of some threads
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 &&
           block.z == 1);
    int v_max = std::numeric_limits<int>::lowest();
    for (int t = 0; t < 32; ++t) {
        int v = x[t];
        v_max = std::max(v_max, v);
    }
    for (int t = 0; t < 32; ++t) {
        int v = v_max;
        if (t > 5)
            v = g2o::max(v, 500);
        out[t] = v;
    }
}
void sums_and_maxima([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block,
                     const int *__restrict__ x, int *__restrict__ out,
                     [[maybe_unused]] int n) // operators differ
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 &&
           block.z == 1);
    int v_max = std::numeric_limits<int>::lowest();
    unsigned a_sum = 0;
    for (int t = 0; t < 32; ++t) {
        int v = x[t];
        int a = v;
        v_max = std::max(v_max, v);
        a_sum += a;
    }
#pragma omp simd
    for (int t = 0; t < 32; ++t) {
        int c = t < 16 ? int(a_sum) : v_max;
        out[t] = c;
    }
}
void negative_steps(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                    int *__restrict__ out, [[maybe_unused]] int n) // negative steps
{
    assert(block.x == 32 && block.y == 1 && block.z == 1);
    unsigned v[g2o::warp_size];
#pragma omp simd
    for (int t = 0; t < g2o::warp_size; ++t)
        v[t] = x[t];
    for (int d = 16; d > 0; d /= 2) {
        unsigned int other[g2o::warp_size];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            other[lane] = v[g2o::shfl_down_lane(lane, -d)];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane)
            v[lane] += other[lane];
    }
#pragma omp simd
    for (int t = 0; t < g2o::warp_size; ++t)
        out[t] = v[t];
}
void unsigned_bound([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block,
                    const int *__restrict__ x, int *__restrict__ out,
                    [[maybe_unused]] int n) // compared as unsigned
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 &&
           block.z == 1);
    int v_max = std::numeric_limits<int>::lowest();
    int v_max2 = std::numeric_limits<int>::lowest();
    for (int t = 0; t < 32; ++t) {
        int v = x[t] - 40;
        v_max2 = std::max(v_max2, v);
    }
    int v2 = v_max2;
    v2 = v2 - 100;
    for (int t = 0; t < 32; ++t)
        v_max = std::max(v_max, v2);
    v2 = v_max;
    v2 = unsigned(v2) > 5u ? v2 : 5u;
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        out[t] = v2;
}
void rounded([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
             int *__restrict__ out, [[maybe_unused]] int n) // each rounded
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 &&
           block.z == 1);
    double v_max = -std::numeric_limits<double>::infinity();
    {
        double v[32];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            v[t] = -1e300;
        for (int base = 0; base < 50; base += 32) {
#pragma omp simd
            for (int t = 0; t < std::min(32, 50 - base); ++t) {
                int i = base + t;
                v[t] = g2o::fmaxf(v[t], x[i] * 0.1);
            }
        }
        for (int t = 0; t < 32; ++t)
            v_max = std::max(v_max, v[t]);
    }
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        out[t] = (v_max - 8.2) * 1e12;
}
void truncated([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
               int *__restrict__ out,
               [[maybe_unused]] int n) // negative numbers are truncated upwards
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 &&
           block.z == 1);
    unsigned v_sum = 0;
    {
        int v[32];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            v[t] = 3;
        for (int base = 0; base < 50; base += 32) {
#pragma omp simd
            for (int t = 0; t < std::min(32, 50 - base); ++t) {
                int i = base + t;
                v[t] += (x[i] - 40) * 0.5f;
            }
        }
        for (int t = 0; t < 32; ++t)
            v_sum += v[t];
    }
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        out[t] = int(v_sum);
}
void loop_around([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                 int *__restrict__ out, int n) // what an iteration leaves in a variable around
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 64 && block.y == 1 &&
           block.z == 1);
    int v[64];
#pragma omp simd
    for (int t = 0; t < 64; ++t)
        v[t] = x[t];
    for (int r = 0; r < n; ++r) {
        unsigned v_sum = 0;
        for (int t = 0; t < 64; ++t) {
            v[t] = v[t] % 61;
            v_sum += v[t];
        }
#pragma omp simd
        for (int t = 0; t < 64; ++t)
            v[t] = int(v_sum);
        out[2] += r;
    }
    for (int warp = 0; warp < 2; ++warp)
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            out[t] = v[t];
        }
}
void condition_around([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block,
                      const int *__restrict__ x, int *__restrict__ out, int n) // under a condition
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 &&
           block.z == 1);
    unsigned v_sum;
    unsigned v2;
    int v[32];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        v[t] = x[t];
    if (n > 3) {
        v_sum = 0;
        for (int t = 0; t < 32; ++t)
            v_sum += v[t];
#pragma omp simd
        for (int t = 0; t < 32; ++t) {
            v[t] = int(v_sum);
            v[t] = v[t] % 50;
        }
    }
    if (n > 5) {
        v2 = 0;
        for (int i = 0; i < 90; ++i)
            v2 += x[i];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            v[t] = int(v2);
    }
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        out[t] = v[t];
}
int main()
{
    int *x, *out;
    g2o::malloc_managed(&x, 100 * sizeof(int));
    g2o::malloc_managed(&out, 64 * sizeof(int));
    for (int i = 0; i < 100; ++i)
        x[i] = i * i * 7 % 83;
    for (int i = 0; i < 64; ++i)
        out[i] = 0;
    also_partly(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    pointer(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    captured(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    as_unsigned(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    two_extremes(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    some_threads(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    sums_and_maxima(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    negative_steps(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    unsigned_bound(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    rounded(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    truncated(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    loop_around(1, 64, x, out, 3);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    condition_around(1, 32, x, out, 4);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    condition_around(1, 32, x, out, 7);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    g2o::free(x);
    g2o::free(out);
}
