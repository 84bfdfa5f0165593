// Templates that are launched with blocks of several sizes: what becomes of them is the same for all
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include <cstdio>

template <unsigned BLOCK>
void pairs(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ in,
           int *__restrict__ out, unsigned n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && block.y == 1 && block.z == 1);
    static_assert(BLOCK == 128 || BLOCK == 32);
    const unsigned int stride = BLOCK * 2 * grid.x;
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned sum = 0;
        for (unsigned int base = bx * BLOCK * 2; base < n; base += stride) {
            const unsigned int count = std::min<unsigned int>(BLOCK, n - base);
            const std::ptrdiff_t start = g2o::start_of(base, count);
            const std::ptrdiff_t start2 = g2o::start_of(base + BLOCK, count);
            for (unsigned int t = 0; t < count; ++t) {
                unsigned i = base + t;
                sum += in[start + t];
                if (i + BLOCK < n)
                    sum += in[start2 + t];
            }
        }
        out[bx] = int(sum);
    }
}

// As in textbooks: what no block of that size needs is no part of it.
template <int BLOCK, bool TWICE>
void unrolled(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ in,
              int *__restrict__ out, int n)
{
    assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && block.y == 1 && block.z == 1);
    static_assert((BLOCK == 128 && TWICE == 0) || (BLOCK == 32 && TWICE == 1) ||
                  (BLOCK == 64 && TWICE == 1));
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        unsigned s_sum = 0;
        for (int t = 0; t < std::min<int>(BLOCK, n - bx * BLOCK); ++t) {
            const int i = bx * BLOCK + t;
            s_sum += in[i];
        }
        out[bx] = TWICE ? 2 * int(s_sum) : int(s_sum);
    }
}

// A tree of a part only: no total.
template <int BLOCK>
void part(dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ in, int *__restrict__ out)
{
    assert(block.x == BLOCK);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        int s[BLOCK];
#pragma omp simd
        for (int t = 0; t < BLOCK; ++t)
            s[t] = in[bx * BLOCK + t];
        for (int half = 16; half > 0; half /= 2) {
#pragma omp simd
            for (int t = 0; t < std::min(half, BLOCK); ++t)
                s[t] += s[t + half];
        }
        out[bx] = s[0];
    }
}

int main()
{
    const int n = 700;
    int *x, *y;
    g2o::malloc_managed(&x, 1024 * sizeof(int));
    g2o::malloc_managed(&y, 64 * sizeof(int));
    for (int i = 0; i < 1024; ++i)
        x[i] = i * 37 % 101 - 40;
    for (int i = 0; i < 64; ++i)
        y[i] = 0;
    pairs<128>(3, 128, x, y, n);
    pairs<32>(4, 32, x, y + 4, n);
    unrolled<128, false>(6, 128, x, y + 8, n);
    unrolled<32, true>(8, 32, x, y + 16, 250);
    unrolled<64, true>(8, 64, x, y + 24, 500);
    part<32>(4, 32, x, y + 32);
    part<64>(4, 64, x, y + 40);
    g2o::device_synchronize();
    for (int i = 0; i < 48; ++i)
        printf("%d ", y[i]);
    printf("\n");
    g2o::free(x);
    g2o::free(y);
    return 0;
}
