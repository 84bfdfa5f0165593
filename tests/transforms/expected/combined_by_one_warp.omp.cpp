// Totals of a block that only threads under a condition work out, and what looks like that but is not;
// conditions on the number of a thread alone; loops that look for an extreme
#include <cmath>
#include <cstdio>
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include "g2o_warps.hpp"

constexpr int BLOCK = 256;

void sums_and_maxima(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                     const float *__restrict__ f, int n, int *__restrict__ out,
                     float *__restrict__ most)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && block.y == 1 && block.z == 1);
    int sum_out = 0;
#pragma omp parallel for reduction(+ : sum_out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned sum = 0;
        float largest = 0.0f;
        for (int base = bx * BLOCK; base < n; base += BLOCK * grid.x) {
            for (int t = 0; t < std::min<int>(BLOCK, n - base); ++t) {
                int i = base + t;
                sum += x[i];
                largest = std::max(largest, fabsf(f[i]));
            }
        }
        sum_out += int(sum);
        most[bx] = largest;
    }
    *out += sum_out;
}

// A constant of the warp, which is not the first one.
void by_the_last_warp(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                      int *__restrict__ out)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned value_sum = 0;
        for (int t = 0; t < BLOCK; ++t) {
            int value = x[bx * BLOCK + t];
            value_sum += value;
        }
        out[bx] = int(value_sum);
    }
}

// All lanes look at what they have, which is a part in all but one.
void parts_are_seen(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                    int *__restrict__ out)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int sums[BLOCK / 32];
        for (int warp = 0; warp < 8; ++warp) {
            unsigned v_sum = 0;
            for (int lane = 0; lane < g2o::warp_size; ++lane) {
                const int t = warp * g2o::warp_size + lane;
                int v = x[bx * BLOCK + t];
                v_sum += v;
            }
            sums[warp] = int(v_sum);
        }
        {
            int total[g2o::warp_size];
            int v[g2o::warp_size];
            const int inside = std::clamp<int>(8, 0, g2o::warp_size);
#pragma omp simd
            for (int lane = 0; lane < inside; ++lane)
                v[lane] = sums[lane];
#pragma omp simd
            for (int lane = inside; lane < g2o::warp_size; ++lane)
                v[lane] = 0;
            for (int d = 16; d > 0; d /= 2) {
                int other[g2o::warp_size];
#pragma omp simd
                for (int lane = 0; lane < g2o::warp_size; ++lane)
                    other[lane] = v[g2o::shfl_down_lane(lane, d)];
#pragma omp simd
                for (int lane = 0; lane < g2o::warp_size; ++lane)
                    v[lane] += other[lane];
            }
#pragma omp simd
            for (int lane = 0; lane < g2o::warp_size; ++lane)
                total[lane] = v[lane];
#pragma omp simd
            for (int lane = 0; lane < g2o::warp_size; ++lane)
                out[bx * 32 + lane] = total[lane];
        }
    }
}

// Not all warps are added up, and one is twice.
void some_warps(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
                int *__restrict__ out)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int sums[BLOCK / 32];
        unsigned v_sum2[8] = {};
        for (int warp = 0; warp < 8; ++warp) {
            unsigned v_sum = 0;
            for (int lane = 0; lane < g2o::warp_size; ++lane) {
                const int t = warp * g2o::warp_size + lane;
                int v = x[bx * BLOCK + t];
                v_sum += v;
            }
            sums[warp] = int(v_sum);
        }
        v_sum2[0] = 0;
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            int v = lane < 8 ? sums[lane ? lane : 1] : 0;
            v_sum2[0] += v;
        }
        out[bx] = int(v_sum2[0]);
    }
}

// The condition asks what the body changes; and the sum is used by another warp, as it was.
void changing(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
              int *__restrict__ out)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int sums[BLOCK / 32];
        unsigned v_sum[8];
        int sum[BLOCK];
        for (int warp = 0; warp < 8; ++warp) {
            int v[g2o::warp_size];
#pragma omp simd
            for (int lane = 0; lane < g2o::warp_size; ++lane) {
                const int t = warp * g2o::warp_size + lane;
                v[lane] = x[bx * BLOCK + t];
            }
            for (int d = 16; d > 0; d /= 2) {
                int other[g2o::warp_size];
#pragma omp simd
                for (int lane = 0; lane < g2o::warp_size; ++lane)
                    other[lane] = v[g2o::shfl_down_lane(lane, d)];
#pragma omp simd
                for (int lane = 0; lane < g2o::warp_size; ++lane)
                    v[lane] += other[lane];
            }
#pragma omp simd
            for (int lane = 0; lane < g2o::warp_size; ++lane) {
                const int t = warp * g2o::warp_size + lane;
                sum[t] = v[lane];
            }
            {
                const int t = warp * g2o::warp_size;
                sums[warp] = sum[t];
            }
        }
        {
            for (int lane = 0; lane < g2o::warp_size; ++lane) {
                if (lane == 0)
                    v_sum[0] = 0;
            }
            int warp = 1;
            for (int lane = 0; lane < g2o::warp_size; ++lane) {
                int v = lane < 8 ? sums[lane] : 0;
                v_sum[0] += v;
            }
#pragma omp simd
            for (int t = 0; t < g2o::warp_size; ++t)
                sum[t] = int(v_sum[0]);
            for (int t = 0; t < g2o::warp_size; ++t) {
                if (t == 0)
                    out[2 * bx] = sum[t] + warp;
            }
        }
        for (int warp = 0; warp < 8; ++warp)
            for (int lane = 0; lane < g2o::warp_size; ++lane) {
                const int t = warp * g2o::warp_size + lane;
                if (t == 32)
                    out[2 * bx + 1] = sum[t];
            }
    }
}

void asks_numbers(dim3 /*grid*/, [[maybe_unused]] dim3 block, int *out)
{
    assert(block.x == BLOCK);
#pragma omp simd
    for (int t = 96; t < 104; ++t)
        out[t] = 1;
#pragma omp simd
    for (int t = 64; t < 128; ++t)
        out[t] += 2;
    out[164] += 4;
    for (int t = 0; t < BLOCK; ++t) {
        if (t % 3 == 0)
            out[t] += 8;
    }
#pragma omp simd
    for (int t = 100; t < 150; ++t)
        out[t] += 16;
#pragma omp simd
    for (int t = 0; t < std::min<int>(BLOCK, g2o::difference(-40, 0 - 100)); ++t)
        out[t] += 32;
    out[255] += 64;
#pragma omp simd
    for (int t = 0; t < 200; ++t)
        out[t] += 128;
}

// Where there is no number, the extreme stays; it may start with none.
void extremes(dim3 grid, dim3 /*block*/, const float *__restrict__ f, int n,
              float *__restrict__ out)
{
    constexpr int strip = 128;
    // Neighbours go through the loops together.
#pragma omp parallel for
    for (int first2 = 0; first2 < int(grid.x); first2 += strip) {
        const int end = std::min(first2 + strip, int(grid.x));
        float least[strip];
        float most[strip];
        float first[strip];
#pragma omp simd
        for (int bx = first2; bx < end; ++bx) {
            least[bx - first2] = INFINITY;
            most[bx - first2] = -INFINITY;
            first[bx - first2] = f[bx];
        }
        for (int i = 0; i < n; ++i) {
#pragma omp simd
            for (int bx = first2; bx < end; ++bx) {
                least[bx - first2] = g2o::fminf(least[bx - first2], f[i] * (bx + 1));
                most[bx - first2] = g2o::fmaxf(most[bx - first2], f[i] * (bx + 1));
                first[bx - first2] = g2o::fmaxf(first[bx - first2], f[i]);
            }
        }
#pragma omp simd
        for (int bx = first2; bx < end; ++bx) {
            out[3 * bx] = least[bx - first2];
            out[3 * bx + 1] = most[bx - first2];
            out[3 * bx + 2] = first[bx - first2];
        }
    }
}

// OpenMP starts lanes with the least number: not where a variable starts with less, or with none.
void begun(dim3 /*grid*/, dim3 /*block*/, const float *__restrict__ f, const double *__restrict__ d,
           int n, float *__restrict__ out)
{
    const float low = -INFINITY;
    float none = NAN, infinite = -INFINITY, beyond = -INFINITY, finite = -3e38f, wide = -1e30f;
    double large = -1e300, least = INFINITY;
    for (int i = 0; i < n; ++i)
        none = g2o::fmaxf(none, f[i]);
    for (int i = 0; i < n; ++i)
        infinite = g2o::fmaxf(infinite, low);
    for (int i = 0; i < n; ++i)
        beyond = g2o::fmaxf(beyond, f[77]);
    for (int i = 0; i < n; ++i)
        finite = g2o::fmaxf(finite, i == 3 ? NAN : low);
#pragma omp simd reduction(max : wide)
    for (int i = 0; i < n; ++i)
        wide = g2o::fmaxf(low, wide);
#pragma omp simd reduction(max : large)
    for (int i = 0; i < n; ++i)
        large = g2o::fmax(large, d[i] - 2e300);
    for (int i = 0; i < n; ++i)
        least = g2o::fmin(least, d[i] + INFINITY);
    const float found[] = {none,        infinite, beyond, finite, wide, float(large / 1e290),
                           float(least)};
    for (int i = 0; i < 7; ++i)
        out[i] = found[i];
}

int main()
{
    const int n = 5000, blocks = 7;
    int *x, *out;
    float *f, *most;
    g2o::malloc_managed(&x, n * sizeof(int));
    g2o::malloc_managed(&out, 1024 * sizeof(int));
    g2o::malloc_managed(&f, n * sizeof(float));
    g2o::malloc_managed(&most, 64 * sizeof(float));
    for (int i = 0; i < n; ++i) {
        x[i] = i * 7919 % 1013 - 300;
        f[i] = float(i * 7919 % 1013 - 300) / 8;
    }
    f[77] = f[2] = NAN;
    for (int i = 0; i < 1024; ++i)
        out[i] = 0;
    for (int i = 0; i < 64; ++i)
        most[i] = 0;
    const auto show = [&](const char *name, int count) {
        g2o::device_synchronize();
        printf("%s", name);
        for (int i = 0; i < count; ++i)
            printf(" %d", out[i]);
        for (int i = 0; i < 21; ++i)
            printf(" %g", most[i]);
        printf("\n");
        for (int i = 0; i < 1024; ++i)
            out[i] = 0;
        for (int i = 0; i < 64; ++i)
            most[i] = 0;
    };
    sums_and_maxima(blocks, BLOCK, x, f, n, out, most);
    show("sums_and_maxima", 1);
    by_the_last_warp(blocks, BLOCK, x, out);
    show("by_the_last_warp", blocks);
    parts_are_seen(blocks, BLOCK, x, out);
    show("parts_are_seen", blocks * 32);
    some_warps(blocks, BLOCK, x, out);
    show("some_warps", blocks);
    changing(blocks, BLOCK, x, out);
    show("changing", 2 * blocks);
    asks_numbers(1, BLOCK, out);
    show("asks_numbers", BLOCK);
    extremes(blocks, 1, f, n, most);
    show("extremes", 0);
    double *d;
    g2o::malloc_managed(&d, n * sizeof(double));
    for (int i = 0; i < n; ++i)
        d[i] = i;
    begun(1, 1, f, d, n, most);
    show("begun", 0);
    return 0;
}
