// Extremes begin with numbers that need not be the least of all: masked rows are all -INFINITY.
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include <cstdio>
#include <cfloat>
#include <climits>
#define M fmaxf
void a([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
       float *__restrict__ y)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    float v_max = -FLT_MAX;
#pragma omp simd reduction(max : v_max)
    for (int t = 0; t < 128; ++t) {
        float v = x[t];
        v_max = std::max(v_max, v);
    }
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] = v_max;
}
void b([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
       float *__restrict__ y, int n)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    float v_max = -FLT_MAX;
    {
        float v[128];
#pragma omp simd
        for (int t = 0; t < 128; ++t)
            v[t] = -INFINITY;
        for (int base = 0; base < n; base += 128) {
#pragma omp simd
            for (int t = 0; t < std::min(128, n - base); ++t) {
                int i = base + t;
                v[t] = g2o::fmaxf(v[t], x[i]);
            }
        }
#pragma omp simd reduction(max : v_max)
        for (int t = 0; t < 128; ++t)
            v_max = std::max(v_max, v[t]);
    }
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] = v_max;
}
void c([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
       float *__restrict__ y, int n)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    float v = -INFINITY;
    for (int i = 0; i < n; ++i)
        v = std::max(v, x[i]);
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] = v;
}
void dd([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
        float *__restrict__ y)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    float v_max = -1e20f;
#pragma omp simd reduction(max : v_max)
    for (int t = 0; t < 128; ++t) {
        float v = x[t];
        v_max = std::max(v_max, v);
    }
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] = v_max;
}
void e([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
       float *__restrict__ y)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    float v_max = 0.0f;
#pragma omp simd reduction(max : v_max)
    for (int t = 0; t < 128; ++t) {
        float v = x[t];
        v_max = std::max(v_max, v);
    }
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] = v_max;
}
#undef M
#define M max
void f([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const long long *__restrict__ x,
       long long *__restrict__ y)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    long long v_max = -2147483648;
#pragma omp simd reduction(max : v_max)
    for (int t = 0; t < 128; ++t) {
        long long v = x[t];
        v_max = std::max(v_max, v);
    }
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] = v_max;
}
void g([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
       int *__restrict__ y)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    int v_max = -7;
#pragma omp simd reduction(max : v_max)
    for (int t = 0; t < 128; ++t) {
        int v = x[t];
        v_max = std::max(v_max, v);
    }
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] = v_max;
}
#undef M
#define M min
void h([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
       float *__restrict__ y)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    float v_min = FLT_MAX;
#pragma omp simd reduction(min : v_min)
    for (int t = 0; t < 128; ++t) {
        float v = x[t];
        v_min = std::min(v_min, v);
    }
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] = v_min;
}
// the least number of all has no spelling of its own
void least([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const long long *__restrict__ x,
           long long *__restrict__ y, int n)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    long long v[128];
    long long v_max = (-9223372036854775807 - 1);
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        v[t] = LLONG_MIN;
    for (int base = 0; base < n; base += 128) {
#pragma omp simd
        for (int t = 0; t < std::min(128, n - base); ++t) {
            int i = base + t;
            v[t] = g2o::max(v[t], x[i] * 2);
        }
    }
#pragma omp simd reduction(max : v_max)
    for (int t = 0; t < 128; ++t)
        v_max = std::max(v_max, v[t]);
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] = v_max + v[t];
}
int main()
{
    float *x, *y; long long *l, *m; int *p, *q;
    g2o::malloc_managed(&x, 8000); g2o::malloc_managed(&y, 8000); g2o::malloc_managed(&l, 8000); g2o::malloc_managed(&m, 8000); g2o::malloc_managed(&p, 8000); g2o::malloc_managed(&q, 8000);
    for (int i = 0; i < 1000; ++i) { m[i] = 0; q[i] = 0; y[i] = 0; }
    for (int mode = 0; mode < 3; ++mode) {
        for (int i = 0; i < 400; ++i) { x[i] = mode == 0 ? -INFINITY : mode == 1 ? -5.0f - i % 9 : i % 77 * 1.5f; l[i] = -(1ll << 40) - i; p[i] = -20 + mode * 12 - i % 3; }
        auto show = [&](const char *n) { g2o::device_synchronize(); printf("%s %g %lld %d\n", n, y[5], m[5], q[5]); };
        a(1, 128, x, y); show("a"); b(1, 128, x, y, 300); show("b"); c(1, 128, x, y, 300); show("c"); dd(1, 128, x, y); show("d"); e(1, 128, x, y); show("e");
        f(1, 128, l, m); show("f"); g(1, 128, p, q); show("g"); least(1, 128, l, m, 158); show("least");
        for (int i = 0; i < 400; ++i) x[i] = mode == 0 ? INFINITY : i % 77 * 1.5f;
        h(1, 128, x, y); show("h");
    }
}
