// What a block combines of the values of all its threads, in whatever way: one loop. What is not
// made of all values, or is not all that is used of the code, stays.
#include "g2o_runtime.hpp"
#include "g2o_warps.hpp"
#include <cfloat>
#include <cstdio>

// A tree in shared memory; the first thread has the sum.
void tree(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x, int *__restrict__ out,
          int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned v = 0;
        for (int base = bx * 128; base < n; base += 128 * grid.x) {
            for (int tid = 0; tid < std::min(128, n - base); ++tid) {
                int i = base + tid;
                v += x[i];
            }
        }
        out[bx] = int(v);
    }
}

// Two sums by shuffles, the last step by one warp.
void two_sums(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
              int *__restrict__ out, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out, n)
    for (int row = 0; row < int(grid.x); ++row) {
        unsigned s = 0;
        unsigned q = 0;
        for (int i = 0; i < n; ++i) {
            int v = x[row * n + i];
            s += v;
            q += v * v;
        }
        int mean = int(s) / n;
        int spread = int(q) / n - mean * mean;
        for (int i = 0; i < n; ++i)
            out[row * n + i] = (x[row * n + i] - mean) * spread;
    }
}

// A row after the other, with the same array each time.
void rows(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x, int *__restrict__ out,
          int n, int m)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 64 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        for (int row = bx; row < m; row += grid.x) {
            unsigned v = 0;
            for (int i = 0; i < n; ++i)
                v += x[row * n + i] * (i % 3);
            out[row] = int(v);
        }
    }
}

// Minima and maxima are exact in any order.
void extremes(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
              float *__restrict__ out, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 8 && block.y == 8 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float least = FLT_MAX;
        float most = -FLT_MAX;
#pragma omp simd reduction(max : most) reduction(min : least)
        for (int i = 0; i < n; ++i) {
            least = std::min(least, x[bx * n + i]);
            most = std::max(most, x[bx * n + i]);
        }
        out[bx] = most - least;
    }
}

// Sums that start in front of each other's steps, and extremes of what is loaded once.
void in_turns([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
              int *__restrict__ out, int n)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 &&
           block.z == 1);
    int m_min[4];
    unsigned r_sum[4];
#pragma omp simd
    for (int warp = 0; warp < 4; ++warp) {
        m_min[warp] = std::numeric_limits<int>::max();
        r_sum[warp] = 0;
    }
    unsigned s = 0;
    unsigned q = 0;
    for (int i = 0; i < n; ++i) {
        s += x[i];
        q += x[i] / 2;
    }
    for (int warp = 0; warp < 4; ++warp) {
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            int r = x[t];
            out[t] = int(s);
            out[t] += int(q);
            r_sum[warp] += r;
        }
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            int m = x[t + 1];
            out[t] += int(r_sum[warp]);
            m_min[warp] = std::min(m_min[warp], m);
        }
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            out[t] += m_min[warp] * 5;
        }
    }
}

// Each thread's own value is asked for behind.
void beside(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
            int *__restrict__ out)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 64 && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned v_sum = 0;
        for (int t = 0; t < 64; ++t) {
            int v = x[bx * 64 + t];
            v_sum += v;
        }
#pragma omp simd
        for (int t = 0; t < 64; ++t) {
            int v = x[bx * 64 + t];
            out[bx * 64 + t] = int(v_sum) + v;
        }
    }
}

// From here on all stays as it is: half of the values, each value twice, prefixes,
void half_of(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
             int *__restrict__ out)
{
    assert(block.x == 64);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int s[64];
#pragma omp simd
        for (int t = 0; t < 64; ++t)
            s[t] = x[bx * 64 + t];
        for (int k = 16; k > 0; k /= 2) {
#pragma omp simd
            for (int t = 0; t < k; ++t)
                s[t] += s[t + k];
        }
        out[bx] = s[0];
    }
}

void twice(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x, int *__restrict__ out)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned v_sum = 0;
        for (int t = 0; t < 32; ++t) {
            int v = x[bx * 32 + t];
            v_sum += v;
        }
        int v2 = int(v_sum);
        v2 += int(v_sum);
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            out[bx * 32 + t] = v2;
    }
}

void prefixes(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
              int *__restrict__ out)
{
    assert(block.x == 32 && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int scanned[32];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            scanned[t] = x[bx * 32 + t];
        for (int i = 1; i < 32; ++i)
            scanned[i] += scanned[i - 1];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            out[bx * 32 + t] = scanned[t];
    }
}

// elements that are read behind, and threads that have left.
void elements(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
              int *__restrict__ out)
{
    assert(block.x == 64);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int s[64];
#pragma omp simd
        for (int t = 0; t < 64; ++t)
            s[t] = x[bx * 64 + t];
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += s[i];
#pragma omp simd
        for (int t = 0; t < 64; ++t)
            out[bx * 64 + t] = sum + s[63 - t];
    }
}

void some_left(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
               int *__restrict__ out, int n)
{
    assert(block.x == 32 && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int v[g2o::warp_size] = {};
#pragma omp simd
        for (int t = 0; t < std::min(g2o::warp_size, n - bx * 32); ++t) {
            int i = bx * 32 + t;
            v[t] = x[i];
        }
        for (int d = 16; d > 0; d /= 2) {
            int other[g2o::warp_size];
#pragma omp simd
            for (int lane = 0; lane < g2o::warp_size; ++lane)
                other[lane] = v[lane ^ d];
#pragma omp simd
            for (int lane = 0; lane < std::min(g2o::warp_size, n - bx * 32); ++lane)
                v[lane] += other[lane];
        }
#pragma omp simd
        for (int t = 0; t < std::min(g2o::warp_size, n - bx * 32); ++t) {
            int i = bx * 32 + t;
            out[i] = v[t];
        }
    }
}

int main()
{
    const int n = 4096;
    float *x, *y;
    int *a, *b;
    g2o::malloc_managed(&x, n * sizeof(float));
    g2o::malloc_managed(&y, n * sizeof(float));
    g2o::malloc_managed(&a, n * sizeof(int));
    g2o::malloc_managed(&b, n * sizeof(int));
    for (int i = 0; i < n; ++i) {
        x[i] = (i * 37 % 101) * 0.25f - 7;
        y[i] = 0;
        a[i] = i * 31 % 17 - 5;
        b[i] = 0;
    }
    auto show = [&](const char *name) {
        g2o::device_synchronize();
        double s = 0;
        for (int i = 0; i < n; ++i)
            s += (i % 11 + 1) * (y[i] + b[i]);
        std::printf("%s %.4f\n", name, s);
    };
    tree(4, 128, a, b, 1000);
    show("tree");
    two_sums(4, 256, a, b, 1000);
    show("two_sums");
    rows(3, 64, a, b, 100, 7);
    show("rows");
    extremes(4, dim3(8, 8), x, y, 1000);
    show("extremes");
    in_turns(1, 128, a, b, 1000);
    show("in_turns");
    beside(4, 64, a, b);
    show("beside");
    half_of(4, 64, a, b);
    show("half_of");
    twice(4, 32, a, b);
    show("twice");
    prefixes(4, 32, a, b);
    show("prefixes");
    elements(4, 64, a, b);
    show("elements");
    some_left(4, 32, a, b, 128);
    show("some_left");
}
