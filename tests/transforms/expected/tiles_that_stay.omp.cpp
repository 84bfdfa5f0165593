// Tiles that seem to repeat an array, and do not: branches, turns, buffers, threads that leave.

#include <cstdio>
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include <vector>
// uniform branches around fills
void branches(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *__restrict__ in,
              float *__restrict__ out, int n, int which)
{
    assert(block.x == 32);
    float tile[32];
    if (which) {
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            tile[t] = in[t];
    } else {
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            tile[t] = in[31 - t + n];
    }
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        out[t] = tile[31 - t];
}
// the fill comes behind in the loop: what is loaded is of the turn before
void before(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *__restrict__ in,
            float *__restrict__ out, int turns)
{
    assert(block.x == 32);
    float tile[32];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        tile[t] = 0.5f;
    for (int k = 0; k < turns; ++k) {
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            out[k * 32 + t] = tile[31 - t];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            tile[t] = in[k * 32 + t];
    }
}
// two buffers
void ahead(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *__restrict__ in,
           float *__restrict__ out, int turns)
{
    assert(block.x == 32);
    float tile[2][32];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        tile[0][t] = in[t];
    for (int k = 0; k < turns; ++k) {
        if (k + 1 < turns)
#pragma omp simd
            for (int t = 0; t < 32; ++t)
                tile[(k + 1) & 1][t] = in[(k + 1) * 32 + t];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            out[k * 32 + t] = tile[k & 1][31 - t];
    }
}
// threads that leave do not fill
void leave(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
           float *__restrict__ out, int n)
{
    assert(block.x == 32);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float tile[34];
#pragma omp simd
        for (int t = 0; t < 2; ++t)
            tile[t + 32] = -1.0f;
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            tile[t] = -2.0f;
#pragma omp simd
        for (int t = 0; t < std::min(32, n - bx * 32); ++t) {
            const int i = bx * 32 + t;
            tile[t] = in[i];
        }
#pragma omp simd
        for (int t = 0; t < std::min(32, n - bx * 32); ++t) {
            const int i = bx * 32 + t;
            out[i] = tile[t + 2];
        }
    }
}
// the same element twice, the second one wins
void twice(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *__restrict__ in,
           float *__restrict__ out)
{
    assert(block.x == 32);
    float tile[32];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        tile[t] = in[t + 1];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        out[t] = tile[(t + 3) % 32];
}
// narrow and unsigned
void narrow(dim3 /*grid*/, [[maybe_unused]] dim3 block, const unsigned char *__restrict__ in,
            int *__restrict__ out, unsigned n)
{
    assert(block.x == 32);
    unsigned char tile[64];
    const std::ptrdiff_t start = g2o::start_of(0 - 16u, 64u);
    for (unsigned int i = 0; i < 64u; ++i)
        tile[i] = i - 16u < n ? in[start + i] : 9;
    const std::ptrdiff_t start2 = g2o::start_of(15, 32);
    const std::ptrdiff_t start3 = g2o::start_of(17, 32);
#pragma omp simd
    for (unsigned int t = 0; t < 32; ++t)
        out[t] = tile[start2 + t] - tile[start3 + t];
}
// offset pointers: negative places
void inner(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *__restrict__ mid,
           float *__restrict__ out)
{
    assert(block.x == 32);
    const std::ptrdiff_t start = g2o::start_of(1, 32);
#pragma omp simd
    for (unsigned int t = 0; t < 32; ++t)
        out[t] = mid[int(t) - 1] + 2.0f * mid[start + t];
}
int main()
{
    float *a, *b;
    unsigned char *c;
    int *d;
    const int n = 1024;
    g2o::malloc_managed(&a, n * 4);
    g2o::malloc_managed(&b, n * 4);
    g2o::malloc_managed(&c, n);
    g2o::malloc_managed(&d, n * 4);
    float *e, *f;
    g2o::malloc(&e, n * 4);
    g2o::malloc(&f, n * 4);
    unsigned char *g;
    int *q;
    g2o::malloc(&g, n);
    g2o::malloc(&q, n * 4);
    std::vector<float> h(n);
    std::vector<unsigned char> hc(n);
    std::vector<int> hi(n);
    for (int i = 0; i < n; ++i) {
        h[i] = i * 37 % 101;
        hc[i] = i * 7;
    }
    g2o::memcpy(e, h.data(), n * 4, g2o::MemcpyHostToDevice);
    g2o::memcpy(g, hc.data(), n, g2o::MemcpyHostToDevice);
    auto show = [&](const char *s) {
        g2o::memcpy(h.data(), f, n * 4, g2o::MemcpyDeviceToHost);
        double x = 0;
        for (int i = 0; i < n; ++i)
            x += h[i] * (i % 29 + 1);
        printf("%s %.3f\n", s, x);
    };
    g2o::memset(f, 0, n * 4);
    branches(1, 32, e, f, 7, 1);
    show("b1");
    branches(1, 32, e, f, 7, 0);
    show("b0");
    before(1, 32, e, f, 4);
    show("before");
    ahead(1, 32, e, f, 5);
    show("ahead");
    leave(3, 32, e, f, 75);
    show("leave");
    twice(1, 32, e, f);
    show("twice");
    inner(1, 32, e + 5, f);
    show("inner");
    narrow(1, 32, g, q, 30);
    g2o::memcpy(hi.data(), q, 128, g2o::MemcpyDeviceToHost);
    int x = 0;
    for (int i = 0; i < 32; ++i)
        x += hi[i] * (i + 1);
    printf("narrow %d\n", x);
}
