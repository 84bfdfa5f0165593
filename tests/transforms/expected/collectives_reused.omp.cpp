#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include "g2o_vector_math.hpp"
#include "g2o_warps.hpp"
#include <cstdio>
#include <cfloat>

void a([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *x, int *y, int n)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    int s[32];
    for (int warp = 0; warp < 4; ++warp) {
        unsigned v = 0;
        for (int base = warp * g2o::warp_size; base < n; base += 128) {
            for (int lane = 0; lane < std::min<int>(g2o::warp_size, n - base); ++lane) {
                int i = base + lane;
                v += x[i];
            }
        }
        s[warp] = int(v);
    }
    int r = s[0] + s[1] + s[2] + s[3];
#pragma omp simd
    for (int t = 0; t < 128; ++t) {
        const int lane = t % 32;
        const int warp = t / 32;
        y[t] = r + lane * 3 + warp;
    }
    for (int t = 0; t < 32; ++t) {
        const int lane = t % 32;
        s[lane] = x[lane];
    }
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] += s[0];
}
void b([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *x, int *y,
       [[maybe_unused]] int n)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    unsigned v_sum = 0;
    unsigned q_sum = 0;
    for (int t = 0; t < 128; ++t) {
        int q = x[t];
        q_sum += q;
        int v = q * 2 + 1;
        v_sum += v;
    }
#pragma omp simd
    for (int t = 0; t < 128; ++t)
        y[t] = int(q_sum) * 3 + int(v_sum);
}
// the same variable twice, the counter of the loop asked for later
void c(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *x, int *y, int n)
{
    assert(block.x == 64);
    int s[64];
    {
        int v[64];
#pragma omp simd
        for (int t = 0; t < 64; ++t)
            v[t] = 0;
        for (int base = 0; base < n; base += 64) {
#pragma omp simd
            for (int t = 0; t < std::min(64, n - base); ++t) {
                int i = base + t;
                v[t] += x[i];
            }
        }
#pragma omp simd
        for (int t = 0; t < 64; ++t)
            s[t] = v[t];
    }
    for (int k = 32; k > 0; k >>= 1) {
#pragma omp simd
        for (int t = 0; t < k; ++t)
            s[t] += s[t + k];
    }
    int k2 = n % 3;
    int v2 = s[0];
    {
        int v[64];
        if (k2 >= 0 && k2 < 64)
            y[0] = v2;
        y[1] = v2;
#pragma omp simd
        for (int t = 0; t < 64; ++t)
            v[t] = 7;
        for (int base = 0; base < n; base += 64) {
#pragma omp simd
            for (int t = 0; t < std::min(64, n - base); ++t) {
                int i = base + t;
                v[t] = g2o::max(v[t], x[i]);
            }
        }
#pragma omp simd
        for (int t = 0; t < 64; ++t)
            s[t] = v[t];
    }
    for (int k = 32; k > 0; k >>= 1) {
#pragma omp simd
        for (int t = 0; t < k; ++t)
            s[t] = g2o::max(s[t], s[t + k]);
    }
#pragma omp simd
    for (int t = 0; t < 2; ++t)
        y[2 + t] = s[t];
    y[5] = s[0];
}
// result at the first thread; a counter that changed decides who looks
void d(dim3 /*grid*/, dim3 block, const int *x, int *y)
{
    assert(block.y == 1 && block.z == 1);
    int who = x[3] & 31;
    for (int warp = 0; warp < (int(block.x) + g2o::warp_size - 1) / g2o::warp_size; ++warp) {
        const int lanes = std::min(g2o::warp_size, int(block.x) - warp * g2o::warp_size);
        int v[g2o::warp_size] = {};
        int other[g2o::warp_size];
#pragma omp simd
        for (int lane = 0; lane < lanes; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            v[lane] = x[t];
        }
        for (int o = 16; o > 0; o /= 2) {
#pragma omp simd
            for (int lane = 0; lane < lanes; ++lane)
                other[lane] = v[g2o::shfl_down_lane(lane, o)];
#pragma omp simd
            for (int lane = 0; lane < lanes; ++lane)
                v[lane] += other[lane];
        }
        for (int lane = 0; lane < lanes; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            if (t == who)
                y[0] = v[lane];
        }
    }
}
void e([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *x, int *y)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 &&
           block.z == 1);
    unsigned v_sum = 0;
    for (int t = 0; t < 32; ++t) {
        int v = x[t];
        v_sum += v;
    }
    int v2 = int(v_sum);
    v2 += 5;
    y[0] = v2;
    y[1] = v2;
}
// in a condition, the value is used behind it
void f([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *x, int *y, int n)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 64 && block.y == 1 &&
           block.z == 1);
    for (int warp = 0; warp < 2; ++warp) {
        unsigned v_sum;
        int v[g2o::warp_size];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            v[lane] = x[t];
        }
        if (n > 5) {
            v_sum = 0;
            for (int lane = 0; lane < g2o::warp_size; ++lane)
                v_sum += v[lane];
#pragma omp simd
            for (int lane = 0; lane < g2o::warp_size; ++lane)
                v[lane] = int(v_sum);
        }
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            y[t] = v[lane];
        }
    }
}
// warps with rows of their own, in a loop, one result each; leaving in part
void g(dim3 grid, [[maybe_unused]] dim3 block, const int *x, int *y, int rows, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx)
        for (int warp = 0; warp < 4; ++warp) {
            for (int r = bx * 4 + warp; r < rows; r += grid.x * 4) {
                unsigned v = 0;
                for (int i = 0; i < n; ++i)
                    v += x[r * n + i];
                int v2 = int(v);
                y[r] = v2;
            }
        }
}
// wrong tree that counts one twice and leaves one out
void h(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *x, int *y)
{
    assert(block.x == 8);
    int s[8];
#pragma omp simd
    for (int t = 0; t < 8; ++t)
        s[t] = x[t];
    int v = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[6];
#pragma omp simd
    for (int t = 0; t < 8; ++t)
        y[t] = v;
}
// An array has an extreme first, which is exact, and then a sum of real numbers, which stays.
void softmax([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
             float *__restrict__ y, int n)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 64 && block.y == 1 &&
           block.z == 1);
    float s[64];
    float m = -FLT_MAX;
#pragma omp simd reduction(max : m)
    for (int i = 0; i < n; ++i)
        m = std::max(m, x[i]);
    {
        float q[64];
#pragma omp simd
        for (int t = 0; t < 64; ++t)
            q[t] = 0;
        for (int base = 0; base < n; base += 64) {
#pragma omp simd
            for (int t = 0; t < std::min(64, n - base); ++t) {
                int i = base + t;
                q[t] += g2o::simd_expf(x[i] - m);
            }
        }
#pragma omp simd
        for (int t = 0; t < 64; ++t)
            s[t] = q[t];
    }
    for (int k = 32; k > 0; k /= 2) {
#pragma omp simd
        for (int t = 0; t < k; ++t)
            s[t] += s[t + k];
    }
#pragma omp simd
    for (int i = 0; i < n; ++i)
        y[i] = g2o::simd_expf(x[i] - m) / s[0];
}
// result read in place from the element, then the array is used for a real sum
void both([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
          float *__restrict__ y, [[maybe_unused]] int n)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 64 && block.y == 1 &&
           block.z == 1);
    float s[64];
    float s_max = -std::numeric_limits<float>::infinity();
    for (int t = 0; t < 64; ++t)
        s_max = std::max(s_max, x[t]);
#pragma omp simd
    for (int t = 0; t < 64; ++t) {
        y[t] = s_max;
        float q = x[t + 1];
        s[t] = q;
    }
    for (int k = 32; k > 0; k /= 2) {
#pragma omp simd
        for (int t = 0; t < k; ++t)
            s[t] += s[t + k];
    }
#pragma omp simd
    for (int t = 0; t < 64; ++t)
        y[t] += s[0];
}
template <class F> void run(const char *n, F f)
{
    static int *x = 0, *y = 0;
    if (!x) { g2o::malloc_managed(&x, 4096 * 4); g2o::malloc_managed(&y, 4096 * 4); for (int i = 0; i < 4096; ++i) x[i] = i * 37 % 101 - 20; }
    for (int i = 0; i < 4096; ++i) y[i] = 0;
    f(x, y); g2o::device_synchronize();
    long s = 0; for (int i = 0; i < 4096; ++i) s += (i % 17 + 1) * (long)y[i];
    printf("%s %ld\n", n, s);
}
int main()
{
    run("a", [](int *x, int *y) { a(1, 128, x, y, 1000); });
    run("b", [](int *x, int *y) { b(1, 128, x, y, 1000); });
    run("c", [](int *x, int *y) { c(1, 64, x, y, 1000); });
    run("d", [](int *x, int *y) { d(1, 32, x, y); });
    run("e", [](int *x, int *y) { e(1, 32, x, y); });
    run("f", [](int *x, int *y) { f(1, 64, x, y, 9); });
    run("g", [](int *x, int *y) { g(2, 128, x, y, 13, 70); });
    float *p, *q;
    g2o::malloc_managed(&p, 4000);
    g2o::malloc_managed(&q, 4000);
    for (int i = 0; i < 1000; ++i) {
        p[i] = (i * 37 % 101) * 0.05f;
        q[i] = 0;
    }
    softmax(1, 64, p, q, 1000);
    g2o::device_synchronize();
    double sum = 0;
    for (int i = 0; i < 1000; ++i)
        sum += (i % 7 + 1) * q[i];
    printf("%.4f\n", sum);
    both(1, 64, p, q, 1000);
    g2o::device_synchronize();
    for (int i = 0; i < 1000; ++i)
        sum += (i % 7 + 1) * q[i];
    printf("%.2f\n", sum);
    run("h", [](int *x, int *y) { h(1, 8, x, y); });
}
