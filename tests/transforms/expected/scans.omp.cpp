// Prefix sums that a block, or a warp, works out together: one loop. What is no prefix of all
// values, or is not all that is used of the code, stays.
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include "g2o_warps.hpp"
#include <climits>
#include <cstdio>

#define T 128
#define WARPS (T / 32)

// Shuffles in warps, then the sums of warps by the first one.
void by_warps(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ in,
              int *__restrict__ out, int *__restrict__ sums, int n)
{
    assert(block.x == T && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int scanned[T];
        const int inside = std::clamp<int>(n - bx * T, 0, T);
#pragma omp simd
        for (int t = 0; t < inside; ++t) {
            int i = bx * T + t;
            scanned[t] = in[i];
        }
#pragma omp simd
        for (int t = inside; t < T; ++t)
            scanned[t] = 0;
        for (int i = 1; i < T; ++i)
            scanned[i] += scanned[i - 1];
#pragma omp simd
        for (int t = 0; t < std::min<int>(T, n - bx * T); ++t) {
            int i = bx * T + t;
            out[i] = scanned[t];
        }
        sums[bx] = scanned[T - 1];
    }
}

// Each warp its own; the value of the lane itself is taken off again.
void in_warps(dim3 grid, [[maybe_unused]] dim3 block, const unsigned *__restrict__ in,
              unsigned *__restrict__ out)
{
    assert(block.x == T && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned int scanned[T];
        for (int warp = 0; warp < 4; ++warp) {
#pragma omp simd
            for (int lane = 0; lane < g2o::warp_size; ++lane) {
                const int t = warp * g2o::warp_size + lane;
                unsigned int own = in[bx * T + t];
                scanned[t] = own;
            }
            for (int i = 1; i < 32; ++i)
                scanned[warp * 32 + i] += scanned[warp * 32 + i - 1];
#pragma omp simd
            for (int lane = 0; lane < g2o::warp_size; ++lane) {
                const int t = warp * g2o::warp_size + lane;
                unsigned int own = in[bx * T + t];
                out[bx * T + t] = scanned[t] * 3 - own;
            }
        }
    }
}

// Two buffers that change places; seven times, so that the last is not the first.
void two_buffers(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ in,
                 int *__restrict__ out)
{
    assert(block.x == T && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int s[2 * T];
        int from = 0;
#pragma omp simd
        for (int t = 0; t < T; ++t)
            s[from * T + t] = in[bx * T + t];
        s[128] = s[0];
        for (int i = 1; i < T; ++i)
            s[128 + i] = s[128 + i - 1] + s[i];
#pragma omp simd
        for (int t = 0; t < T; ++t)
            out[bx * T + t] = s[1 * T + t];
    }
}

// One buffer, a barrier between reading and writing; the neighbour's prefix is read as well.
void one_buffer(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ in,
                int *__restrict__ out)
{
    assert(block.x == T && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int s[T];
#pragma omp simd
        for (int t = 0; t < T; ++t)
            s[t] = in[bx * T + t];
        for (int i = 1; i < T; ++i)
            s[i] += s[i - 1];
        for (int t = 0; t < T; ++t)
            out[bx * T + t] = s[t] * 2 + (t > 0 ? s[t - 1] : -1) + s[T - 1 - t];
    }
}

// A tree up and down again; the total goes out in between, if anybody wants it.
void tree(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ in, int *__restrict__ out,
          int *__restrict__ totals)
{
    assert(block.x == T && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int s[2 * T];
        int total;
#pragma omp simd
        for (int t = 0; t < T; ++t) {
            s[2 * t] = in[bx * 2 * T + 2 * t];
            s[2 * t + 1] = in[bx * 2 * T + 2 * t + 1];
        }
        {
            int sum = 0;
            for (int i = 0; i < 256; ++i) {
                const int value = s[i];
                s[i] = sum;
                sum += value;
            }
            total = sum;
        }
        if (totals != nullptr)
            totals[bx] = total;
#pragma omp simd
        for (int t = 0; t < T; ++t) {
            out[bx * 2 * T + 2 * t] = s[2 * t] + 1;
            out[bx * 2 * T + 2 * t + 1] = s[2 * t + 1];
        }
    }
}

// The greatest so far.
void running_maximum(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ in,
                     int *__restrict__ out)
{
    assert(block.x == T && block.y == 1 && block.z == 1);
#pragma omp parallel for firstprivate(out)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int s[T];
#pragma omp simd
        for (int t = 0; t < T; ++t)
            s[t] = in[bx * T + t];
        for (int i = 1; i < T; ++i)
            s[i] = s[i] < s[i - 1] ? s[i - 1] : s[i];
#pragma omp simd
        for (int t = 0; t < T; ++t)
            out[bx * T + t] = s[t];
    }
}

// Places for what is kept, block after block in a loop; the total moves the next ones on.
void compact(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ in,
             int *__restrict__ out, int *__restrict__ count, int n)
{
    assert(block.x == T && block.y == 1 && block.z == 1);
    int s[T];
    int done = 0;
    for (int first = 0; first < n; first += T) {
        for (int t = 0; t < T; ++t) {
            int x = first + t < n ? in[first + t] : -1;
            int keep = x >= 50;
            s[t] = keep;
        }
        for (int i = 1; i < T; ++i)
            s[i] += s[i - 1];
        const std::ptrdiff_t start = first;
        for (int t = 0; t < T; ++t) {
            int x = first + t < n ? in[start + t] : -1;
            int keep = x >= 50;
            int place = s[t];
            if (keep)
                out[done + place - 1] = x;
        }
        done += s[T - 1];
    }
    *count = done;
}

// Real numbers: the order that they are added in counts.
void reals(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *__restrict__ in,
           float *__restrict__ out)
{
    assert(block.x == T);
    float s[T];
    float add[T];
#pragma omp simd
    for (int t = 0; t < T; ++t)
        s[t] = in[t];
    for (int d = 1; d < T; d *= 2) {
        const int inside = std::clamp<int>(d, 0, T);
#pragma omp simd
        for (int t = 0; t < inside; ++t)
            add[t] = 0.0f;
#pragma omp simd
        for (int t = inside; t < T; ++t)
            add[t] = s[t - d];
#pragma omp simd
        for (int t = 0; t < T; ++t)
            s[t] += add[t];
    }
#pragma omp simd
    for (int t = 0; t < T; ++t)
        out[t] = s[t];
}

// Not the prefix: the first element is left out, and a neighbour is added twice.
void no_prefix(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ in,
               int *__restrict__ out)
{
    assert(block.x == T);
    int s[T];
    int add[T];
#pragma omp simd
    for (int t = 0; t < T; ++t)
        s[t] = in[t];
    for (int d = 1; d < T; d *= 2) {
        const int inside = std::clamp<int>(d + 1, 0, T);
#pragma omp simd
        for (int t = 0; t < inside; ++t)
            add[t] = 0;
#pragma omp simd
        for (int t = inside; t < T; ++t)
            add[t] = s[t - d];
#pragma omp simd
        for (int t = 0; t < T; ++t)
            s[t] += add[t];
    }
#pragma omp simd
    for (int t = 0; t < T; ++t)
        out[t] = s[t];
}

// What is left in the other buffer is looked at, too.
void other_buffer(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ in,
                  int *__restrict__ out)
{
    assert(block.x == T);
    int s[2 * T];
    int from = 0;
    int to = 1;
#pragma omp simd
    for (int t = 0; t < T; ++t)
        s[t] = in[t];
    for (int d = 1; d < T; d *= 2) {
        for (int t = 0; t < T; ++t)
            s[to * T + t] = s[from * T + t] + (t >= d ? s[from * T + t - d] : 0);
        to = 1 - to;
        from = 1 - from;
    }
#pragma omp simd
    for (int t = 0; t < T; ++t)
        out[t] = s[t] * 5 + s[T + t];
}

// The sums of the warps are looked at behind.
void sums_of_warps(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ in,
                   int *__restrict__ out, int *__restrict__ sums)
{
    assert(block.x == T && block.y == 1 && block.z == 1);
    int part[WARPS];
    int scanned[T];
    int v2[T];
    for (int warp = 0; warp < 4; ++warp) {
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            int v = in[t];
            scanned[t] = v;
        }
        for (int i = 1; i < 32; ++i)
            scanned[warp * 32 + i] += scanned[warp * 32 + i - 1];
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            v2[t] = scanned[t];
        }
        {
            const int t = warp * g2o::warp_size + 31;
            part[warp] = v2[t];
        }
    }
    for (int t = 0; t < T; ++t) {
        int warp = t >> 5;
        for (int w = 0; w < warp; ++w)
            v2[t] += part[w];
        out[t] = v2[t];
    }
#pragma omp simd
    for (int t = 0; t < WARPS; ++t)
        sums[t] = part[t];
}

// The value itself is used beside its prefix; it changes behind.
void with_values(dim3 /*grid*/, [[maybe_unused]] dim3 block, const int *__restrict__ in,
                 int *__restrict__ out)
{
    assert(block.x == T && block.y == 1 && block.z == 1);
    int s[T];
    int v[T];
#pragma omp simd
    for (int t = 0; t < T; ++t) {
        v[t] = in[t];
        s[t] = v[t];
    }
    for (int i = 1; i < T; ++i)
        s[i] += s[i - 1];
#pragma omp simd
    for (int t = 0; t < T; ++t) {
        int before = s[t] - v[t];
        s[t] = 0;
        v[t] += before * 2;
    }
    // Neighbours up to the next edge.
    for (int from = 0, to; from < T; from = to) {
        to = g2o::run_of_quotient(from, T, (from + 1), T);
        const int to_there = ((from + 1) % T) - from;
#pragma omp simd
        for (int t = from; t < to; ++t)
            out[t] = v[t] + s[t + to_there];
    }
}

int main()
{
    const int n = 1000, room = 8 * 2 * T;
    int *in, *out, *sums;
    float *x, *y;
    g2o::malloc_managed(&in, room * sizeof(int));
    g2o::malloc_managed(&out, room * sizeof(int));
    g2o::malloc_managed(&sums, room * sizeof(int));
    g2o::malloc_managed(&x, room * sizeof(float));
    g2o::malloc_managed(&y, room * sizeof(float));
    for (int i = 0; i < room; ++i) {
        in[i] = (i * 37 + 11) % 101;
        out[i] = sums[i] = -1;
        x[i] = 0.1f * (i * 37 % 101);
    }
    auto show = [&](const char *name, int count) {
        g2o::device_synchronize();
        unsigned hash = 0;
        for (int i = 0; i < count; ++i) {
            hash = hash * 31 + unsigned(out[i]) + 7 * unsigned(sums[i]);
            out[i] = sums[i] = -1;
        }
        std::printf("%s %u\n", name, hash);
    };
    by_warps(8, T, in, out, sums, n);
    show("by_warps", room);
    in_warps(8, T, (unsigned *)in, (unsigned *)out);
    show("in_warps", room);
    two_buffers(8, T, in, out);
    show("two_buffers", room);
    one_buffer(8, T, in, out);
    show("one_buffer", room);
    tree(8, T, in, out, sums);
    show("tree", room);
    tree(8, T, in, out, nullptr);
    show("tree without totals", room);
    running_maximum(8, T, in, out);
    show("running_maximum", room);
    compact(1, T, in, out, sums, n);
    show("compact", room);
    no_prefix(1, T, in, out);
    show("no_prefix", room);
    other_buffer(1, T, in, out);
    show("other_buffer", room);
    sums_of_warps(1, T, in, out, sums);
    show("sums_of_warps", room);
    with_values(1, T, in, out);
    show("with_values", room);
    reals(1, T, x, y);
    g2o::device_synchronize();
    std::printf("%.9g %.9g\n", y[T / 2], y[T - 1]);
}
