// Atomics on shared memory, whose updates are plain in the translation, and others.
#include "g2o_runtime.hpp"
#include "g2o_atomics.hpp"
#include <cstdio>

#define THREADS 64

void collect(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ values,
             int *__restrict__ out, unsigned *__restrict__ flags)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == THREADS && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int count;
        int taken;
        unsigned int ring;
        unsigned int down;
        unsigned int bits;
        unsigned int slots[8];
        int list[THREADS];
        int *tail = &list[3];
        int lowest = 1 << 30;
        int highest = -1;
        count = taken = 0;
        ring = down = bits = 0;
        float sum = 0;
#pragma omp simd
        for (int t = 0; t < THREADS; ++t)
            list[t] = 0;
#pragma omp simd
        for (int t = 0; t < 8; ++t)
            slots[t] = 0;
        for (int t = 0; t < THREADS; ++t) {
            int value = values[bx * THREADS + t];
            lowest = std::min(lowest, value); // negative ones too
            highest = std::max(highest, value);
            sum += float(0.5 * value); // rounded before it is added
            // Both wrap around.
            ring = ring >= 6 ? 0 : ring + 1;
            down = down == 0 || down > 9 ? 9 : down - 1;
            bits |= 1u << (value & 31);
            if (value & 1) {
                int place = count++;
                tail[place % 8] += 1;
            }
            if (value > 3)
                slots[value & 3] -= 1u;
            else
                slots[4] = 5u;
            unsigned old = slots[5];
            slots[5] = std::max(slots[5], (unsigned)value & 7);
            if (slots[6] == 0u)
                slots[6] = 9u;
            int before = slots[7];
            slots[7] = 3u;
            // Which slot a thread gets is open, not that each gets one.
            flags[bx * THREADS + taken++] = 1;
            g2o::atomic_add(&out[15], old <= 7 && (before == 0 || before == 3));
        }
        {
            int *mine = out + 16 * bx;
            mine[0] = lowest;
            mine[1] = highest;
            mine[2] = count;
            mine[3] = ring;
            mine[4] = down;
            mine[5] = bits;
            mine[6] = sum;
            mine[7] = taken;
            for (int i = 0; i < 7; ++i)
                mine[8 + i] = slots[i] + list[3 + i];
        }
    }
}

// What is kept in a register between two operations must not be the same for all threads.
void tickets(dim3 grid, [[maybe_unused]] dim3 block, int *out)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == THREADS && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int next;
        int total;
        next = total = 0;
        for (int t = 0; t < THREADS; ++t) {
            int ticket = next;
            next += 2;
            total += ticket;
        }
        out[bx] = total + next;
    }
}

template <class T> void sums(dim3 grid, [[maybe_unused]] dim3 block, const T *values, T *out, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        T partial[4];
#pragma omp simd
        for (int t = 0; t < 4; ++t)
            partial[t] = T(0);
        for (int t = 0; t < std::min(32, n - bx * 32); ++t) {
            int i = bx * 32 + t;
            partial[i & 3] += values[i];
            partial[1] += T(1);
        }
        for (int t = 0; t < 4; ++t)
            g2o::atomic_add(&out[t], partial[t]);
    }
}

// The threads are not told apart, but every one of them counts.
void census([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, int *out)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 48 && block.y == 1 &&
           block.z == 1);
    int people = 0;
    for (int t = 0; t < 48; ++t)
        people += 1;
#pragma omp simd
    for (int t = 0; t < 48; ++t)
        *out = people;
}

// Atomic for the threads of a block alone: those that run its threads one after the other need not
// be told, those that share them do.
void own_place(dim3 grid, [[maybe_unused]] dim3 block, int *out)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == 32 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int step = bx + 1;
        for (int t = 0; t < 32; ++t) {
            out[bx] += step;
            g2o::atomic_add(&out[2], step);
        }
    }
}

void every_eighth(dim3 grid, dim3 block, int *__restrict__ out, const int *__restrict__ values,
                  int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1);
    const int count = std::min(n, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 0; i < count; ++i)
        g2o::atomic_add(&out[i / 8], values[i]);
}

// Counted in functions, of which only some are about the memory of a block.
void tick(int *bins, int b) { g2o::atomic_add(bins + (b & 3), 1); }

void tick_both(int *bins, int b)
{
    tick(bins, b);
    tick(bins, b >> 2);
}

int take(int *count, int step) { return g2o::atomic_add(count, step); }

void climb(int *bins, int b)
{
    if (b > 0)
        climb(bins, b - 1);
    g2o::atomic_max(bins, b);
}

void in_functions([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block,
                  const int *__restrict__ values, int *__restrict__ out)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == THREADS && block.y == 1 &&
           block.z == 1);
    int bins[8];
    int taken;
    int top;
#pragma omp simd
    for (int t = 0; t < 8; ++t)
        bins[t] = taken = top = 0;
    for (int t = 0; t < THREADS; ++t) {
        int *own = bins + t / 32 * 4;
        int value = values[t];
        own[(value & 3)] += 1;
        own[((value >> 2) & 3)] += 1;
        if (value > 9)
            g2o::atomic_add(out + (value & 3), 1);
        int place = taken;
        taken += 2;
        g2o::atomic_add(&out[4], place);
        climb(&top, value % 4);
    }
    out[5] = bins[0] + 3 * bins[1] + 5 * bins[6] + 7 * bins[7] + taken + 1000 * top;
}

int main()
{
    int *values, *out;
    unsigned *flags;
    float *numbers;
    g2o::malloc_managed(&values, 2 * THREADS * sizeof *values);
    g2o::malloc_managed(&out, 64 * sizeof *out);
    g2o::malloc_managed(&flags, 2 * THREADS * sizeof *flags);
    g2o::malloc_managed(&numbers, 2 * THREADS * sizeof *numbers);
    for (int i = 0; i < 2 * THREADS; ++i) {
        values[i] = (i * 37) % 53 - 5;
        numbers[i] = i < THREADS ? i : 0;
        flags[i] = 0;
    }
    for (int i = 0; i < 64; ++i)
        out[i] = 0;
    collect(2, THREADS, values, out, flags);
    tickets(2, THREADS, out + 40);
    sums<float>(2, 32, numbers, numbers + THREADS, THREADS);
    census(1, 48, out + 50);
    own_place(2, 32, out + 51);
    every_eighth(2, 24, out + 54, values, 40);
    g2o::device_synchronize();
    for (int i = 0; i < 54; ++i)
        printf("%d ", out[i]);
    in_functions(1, THREADS, values, out);
    g2o::device_synchronize();
    for (int i = 0; i < 64; ++i)
        printf("%d ", out[i]);
    int set = 0;
    for (int i = 0; i < 2 * THREADS; ++i)
        set += flags[i];
    printf("\n%d", set);
    for (int i = 0; i < 4; ++i)
        printf(" %g", numbers[THREADS + i]);
    printf("\n");
}
