// Trees over a shared array that every thread gives its own element: totals of one loop. Functions
// that are handed over; barriers that the threads which have left do not come to.
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include <cfloat>
#include <climits>
#include <cstdio>

#define BLOCK 128

// An unrolled tree, the last step of which stores the total.
void unrolled(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
              int *__restrict__ y, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 64 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned s_sum = 0;
        for (int t = 0; t < std::min(64, n - bx * 64); ++t) {
            const int i = bx * 64 + t;
            s_sum += x[i];
        }
        y[bx] = int(s_sum);
    }
}

// The first warp ends it; the element starts with a zero.
void ended_by_a_warp(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                     int *__restrict__ y, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned part = 0;
        for (int t = 0; t < std::min<int>(BLOCK, n - bx * BLOCK); ++t) {
            const int i = bx * BLOCK + t;
            part += x[i] * 3;
        }
        y[bx] = int(part);
    }
}

int sum_of(int a, int b) { return a + b; }
int larger(int a, int b) { return a > b ? a : b; }

// Only those that go on come to the next barrier.
template <typename T, int OFFSET> struct Tree {};

template <typename T> struct Tree<T, 0> {};

void by_a_function(dim3 grid, [[maybe_unused]] dim3 block, const int *x, int *y, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned kept_sum = 0;
        for (int t = 0; t < std::min<int>(BLOCK, n - bx * BLOCK); ++t) {
            const int i = bx * BLOCK + t;
            kept_sum += x[i] * x[i];
        }
        y[bx] = int(kept_sum);
    }
}

void largest_by_a_function(dim3 grid, [[maybe_unused]] dim3 block, const int *x, int *y, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int kept_max = std::numeric_limits<int>::lowest();
        for (int t = 0; t < std::min<int>(BLOCK, n - bx * BLOCK); ++t) {
            const int i = bx * BLOCK + t;
            kept_max = std::max(kept_max, x[i]);
        }
        y[bx] = kept_max;
    }
}

// Others leave behind something that they do.
void with_others(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                 int *__restrict__ y, int *__restrict__ z)
{
    assert(block.x == BLOCK);
    int s[BLOCK];
    int mine[BLOCK];
#pragma omp simd
    for (int t = 0; t < BLOCK; ++t)
        s[t] = x[t];
    for (int t = 0; t < BLOCK; ++t) {
        if (t >= 64) {
            z[t - 64] = s[t] * 2;
            continue;
        }
        mine[t] = s[t + 64];
        s[t] -= mine[t];
    }
#pragma omp simd
    for (int t = 0; t < 64; ++t)
        y[t] = s[63 - t] + mine[t];
}

// The total, and what all threads stored: the array stays.
void used_again(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                int *__restrict__ y)
{
    assert(block.x == BLOCK);
    int s[BLOCK];
    int again[BLOCK];
#pragma omp simd
    for (int t = 0; t < BLOCK; ++t) {
        s[t] = x[t] + 1;
        again[t] = s[t] * 2;
    }
    for (int h = BLOCK / 2; h > 0; h /= 2) {
#pragma omp simd
        for (int t = 0; t < h; ++t)
            s[t] += s[t + h];
    }
#pragma omp simd
    for (int t = 0; t < BLOCK; ++t)
        y[t] = s[0] - again[BLOCK - 1 - t];
}

// What is looked at behind braces stays, whatever stands in them.
void in_braces(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ x,
               int *__restrict__ y)
{
    assert(block.x == BLOCK);
    int s[BLOCK];
    int total;
#pragma omp simd
    for (int t = 0; t < BLOCK; ++t)
        s[t] = x[t] * 2;
    for (int h = BLOCK / 2; h > 0; h /= 2) {
#pragma omp simd
        for (int t = 0; t < h; ++t)
            s[t] = g2o::max(s[t], s[t + h]);
    }
    total = s[0];
    // Neighbours up to the next edge.
    for (int from = 0, to; from < BLOCK; from = to) {
        to = g2o::run_of_quotient(from, BLOCK, (from + 1), BLOCK);
        const int to_there = ((from + 1) % BLOCK) - from;
#pragma omp simd
        for (int t = from; t < to; ++t)
            y[t] = s[t + to_there] - total;
    }
}

// Two elements of one thread, and an index that changes: no variable.
void other_elements(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                    int *__restrict__ y)
{
    assert(block.x == BLOCK);
    int s[2 * BLOCK];
#pragma omp simd
    for (int t = 0; t < BLOCK; ++t) {
        s[t] = x[t] + 5;
        int at = t + BLOCK;
        s[at] = s[at - BLOCK] * 2;
    }
    for (int h = BLOCK; h > 0; h /= 2) {
#pragma omp simd safelen(BLOCK)
        for (int k = 0; k < h; ++k)
            s[k] += s[k + h];
    }
#pragma omp simd
    for (int t = 0; t < BLOCK; ++t)
        y[t] = s[0];
}

// The largest of real numbers, of two dimensions.
void largest(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ x,
             float *__restrict__ y, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 16 && block.y == 8 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float tile_max = -std::numeric_limits<float>::infinity();
        for (int tx = 0; tx < 128; ++tx) {
            const int i = bx * BLOCK + tx;
            tile_max = std::max(tile_max, i < n ? x[i] : -FLT_MAX);
        }
        y[bx] = tile_max;
    }
}

int main()
{
    const int n = 300;
    int *x, *y, *z;
    float *f, *g;
    g2o::malloc_managed(&x, 512 * sizeof(int));
    g2o::malloc_managed(&y, 512 * sizeof(int));
    g2o::malloc_managed(&z, 512 * sizeof(int));
    g2o::malloc_managed(&f, 512 * sizeof(float));
    g2o::malloc_managed(&g, 512 * sizeof(float));
    for (int i = 0; i < 512; ++i) {
        x[i] = i * 37 % 101 - 40;
        f[i] = (i * 53 % 97) * 0.5f - 30.0f;
        y[i] = z[i] = 0;
        g[i] = 0.0f;
    }
    unrolled(5, 64, x, y, n);
    ended_by_a_warp(3, BLOCK, x, y + 8, n);
    by_a_function(3, BLOCK, x, y + 16, n);
    largest_by_a_function(3, BLOCK, x, y + 24, n);
    largest(3, dim3(16, 8), f, g, n);
    g2o::device_synchronize();
    for (int i = 0; i < 32; ++i)
        printf("%d ", y[i]);
    printf("%g %g %g\n", g[0], g[1], g[2]);
    with_others(1, BLOCK, x, y, z);
    g2o::device_synchronize();
    for (int i = 0; i < 64; ++i)
        printf("%d %d ", y[i], z[i]);
    used_again(1, BLOCK, x, y);
    other_elements(1, BLOCK, x, y + BLOCK);
    g2o::device_synchronize();
    for (int i = 0; i < 2 * BLOCK; ++i)
        printf("%d ", y[i]);
    in_braces(1, BLOCK, x, y);
    g2o::device_synchronize();
    for (int i = 0; i < BLOCK; ++i)
        printf("%d ", y[i]);
    printf("\n");
    g2o::free(x);
    g2o::free(y);
    g2o::free(z);
    g2o::free(f);
    g2o::free(g);
    return 0;
}
