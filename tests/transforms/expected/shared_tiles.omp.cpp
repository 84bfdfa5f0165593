// Tiles of shared memory: those that only repeat what an array holds, and those that do more.

#include <cstdio>
#include "g2o_runtime.hpp"
#include <utility>
#include <vector>

constexpr int WIDE = 16, HIGH = 4, EDGE = 2;

// Walls of height 0: each side of the tile is loaded by the threads next to it.
void waves(dim3 grid, dim3 block, const float *__restrict__ now, float *__restrict__ next,
           int width, int height)
{
    assert(block.x == WIDE && block.y == HIGH);
    const int rows = std::min(height, int(grid.y * block.y));
    const int cols = std::min(width, int(grid.x * block.x));
#pragma omp parallel for
    for (int y = 0; y < rows; ++y) {
        const int first = y > 0 && y < height - 1 ? std::min<int>(1, cols) : cols;
        const int last = std::max<int>(first, std::min<int>(width - 1, cols));
        for (int x = 0; x < first; ++x)
            next[y * width + x] = (x > 0 ? now[y * width + x - 1] : 0.0f) -
                                  (x < width - 1 ? now[y * width + x + 1] : 0.0f) +
                                  2.0f * (y > 0 ? now[(y - 1) * width + x] : 0.0f) -
                                  3.0f * (y < height - 1 ? now[(y + 1) * width + x] : 0.0f);
#pragma omp simd
        for (int x = first; x < last; ++x)
            next[y * width + x] = now[y * width + x - 1] - now[y * width + x + 1] +
                                  2.0f * now[(y - 1) * width + x] - 3.0f * now[(y + 1) * width + x];
        for (int x = last; x < cols; ++x)
            next[y * width + x] = (x > 0 ? now[y * width + x - 1] : 0.0f) -
                                  (x < width - 1 ? now[y * width + x + 1] : 0.0f) +
                                  2.0f * (y > 0 ? now[(y - 1) * width + x] : 0.0f) -
                                  3.0f * (y < height - 1 ? now[(y + 1) * width + x] : 0.0f);
    }
}

// All threads load a part of a tile that is larger than they are, with unsigned indices.
void smooth(dim3 grid, dim3 block, const float *__restrict__ in, float *__restrict__ out,
            unsigned int width, [[maybe_unused]] unsigned int height)
{
    assert(block.x == WIDE && block.y == HIGH);
#pragma omp parallel for
    for (unsigned int y = 0; y < grid.y * block.y; ++y)
#pragma omp simd
        for (unsigned int x = 0; x < grid.x * block.x; ++x) {
            float sum = 0.0f;
#pragma GCC unroll 16
            for (int i = 0; i <= 2 * EDGE; ++i)
#pragma GCC unroll 16
                for (int j = -EDGE; j <= EDGE; ++j)
                    sum += (i + 1) * (j + 4) * in[(int(y) + i) * (int(width) + 4) + int(x) + j + 2];
            out[y * width + x] = sum;
        }
}

// A plane after the other: the tile is filled again in every turn.
void planes(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
            float *__restrict__ out, int width, int height, int depth)
{
    assert(block.x == WIDE && block.y == HIGH);
#pragma omp parallel for collapse(2)
    for (int by = 0; by < int(grid.y); ++by)
        for (int bx = 0; bx < int(grid.x); ++bx) {
            for (int z = 0; z < depth; ++z) {
                for (int ty = 0; ty < HIGH; ++ty) {
                    const int y = by * HIGH + ty + 1;
#pragma omp simd
                    for (int tx = 0; tx < WIDE; ++tx) {
                        const int x = bx * WIDE + tx + 1;
                        const int place = (z * height + y) * width + x;
                        out[place] = in[place] + 2.0f * in[place - 1] - in[place + 1] +
                                     in[place - width] - in[place + width];
                    }
                }
            }
        }
}

// The first turn alone fills the tile: what later ones find is old.
void once(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *__restrict__ in,
          float *__restrict__ out, int turns)
{
    assert(block.x == 32);
    float tile[32];
    for (int turn = 0; turn < turns; ++turn) {
        if (turn == 0)
#pragma omp simd
            for (int t = 0; t < 32; ++t)
                tile[t] = in[turn * 32 + t];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            out[turn * 32 + t] = tile[31 - t];
    }
}

// A part of the tile is set to 0 first, and filled behind that.
void zeros_first(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
                 float *__restrict__ out, int n)
{
    assert(block.x == 32);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float tile[34];
#pragma omp simd
        for (int t = 0; t < 32; ++t)
            tile[t] = 0.0f;
#pragma omp simd
        for (int t = 0; t < 2; ++t)
            tile[t + 32] = 0.0f;
#pragma omp simd
        for (int t = 0; t < std::min(32, n - bx * 32); ++t) {
            const int i = bx * 32 + t;
            tile[t + 1] = in[i];
        }
#pragma omp simd
        for (int t = 0; t < std::min(32, n - bx * 32); ++t) {
            const int i = bx * 32 + t;
            out[i] = tile[t] + 3.0f * tile[t + 1] - tile[t + 2];
        }
    }
}

// What nobody has stored is loaded, and not used.
void holes(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
           float *__restrict__ out, int n)
{
    assert(block.x == 32);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float tile[33];
#pragma omp simd
        for (int t = 0; t < std::min(32, n - bx * 32); ++t) {
            const int i = bx * 32 + t;
            tile[t] = in[i];
        }
#pragma omp simd
        for (int t = 0; t < std::min(31, n - (bx * 32 + 1)); ++t) {
            const int i = bx * 32 + t;
            const float next = tile[t + 1];
            out[i] = next;
        }
    }
}

// Neighbours exchange their places: a thread changes what others load.
void changed(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
             float *__restrict__ out)
{
    assert(block.x == 32);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float tile[32];
#pragma omp simd
        for (int t = 0; t < 32; ++t) {
            const int i = bx * 32 + t;
            tile[t] = in[i];
        }
#pragma omp simd
        for (int t = 0; t < 16; ++t)
            tile[t] += tile[t + 16];
#pragma omp simd
        for (int t = 0; t < 32; ++t) {
            const int i = bx * 32 + t;
            out[i] = tile[31 - t];
        }
    }
}

// The tile is what keeps rows apart from columns.
void turned(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
            float *__restrict__ out, int n)
{
    assert(block.x == 8 && block.y == 8);
#pragma omp parallel for collapse(2)
    for (int by = 0; by < int(grid.y); ++by)
        for (int bx = 0; bx < int(grid.x); ++bx) {
            float tile[8][9];
            for (int ty = 0; ty < 8; ++ty) {
                const int y = by * 8 + ty;
#pragma omp simd
                for (int tx = 0; tx < 8; ++tx) {
                    const int x = bx * 8 + tx;
                    tile[ty][tx] = in[y * n + x];
                }
            }
            for (int ty = 0; ty < 8; ++ty)
#pragma omp simd
                for (int tx = 0; tx < 8; ++tx)
                    out[(bx * 8 + ty) * n + by * 8 + tx] = tile[tx][ty];
        }
}

// Halves from two arrays; a tile of another type.
void mixed(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
           const float *__restrict__ other, double *__restrict__ out)
{
    assert(block.x == 32);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float tile[64];
        double wide[32];
#pragma omp simd
        for (int t = 0; t < 32; ++t) {
            const int i = bx * 32 + t;
            tile[t] = in[i];
            tile[t + 32] = other[i];
            wide[t] = in[i];
        }
#pragma omp simd
        for (int t = 0; t < 32; ++t) {
            const int i = bx * 32 + t;
            out[i] = tile[2 * t] + 0.1 * wide[31 - t] + tile[31 - t] - tile[63 - t];
        }
    }
}

// Launched with the same array twice, in one block: the tile is what makes that right.
void moved(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *in, float *out)
{
    assert(block.x == 32);
    float tile[33];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        tile[t + 1] = in[t];
    tile[0] = in[31];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        out[t] = tile[t];
}

// The same, launched through what leads to one array in another way.
void moved_too(dim3 /*grid*/, [[maybe_unused]] dim3 block, const float *in, float *out)
{
    assert(block.x == 32);
    float tile[33];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        tile[t + 1] = in[t];
    tile[0] = in[31];
#pragma omp simd
    for (int t = 0; t < 32; ++t)
        out[t] = tile[t];
}

static void move(float *from, float *to) { moved_too(1, 32, from, to); }

int main()
{
    const int width = 37, height = 11, depth = 3, n = 4096;
    std::vector<float> host(n);
    for (int i = 0; i < n; ++i)
        host[i] = static_cast<float>((i * 37 + 11) % 101) * 0.25f;
    float *a, *b;
    double *c;
    g2o::malloc(&a, n * sizeof(float));
    g2o::malloc(&b, n * sizeof(float));
    g2o::malloc(&c, n * sizeof(double));
    g2o::memcpy(a, host.data(), n * sizeof(float), g2o::MemcpyHostToDevice);
    g2o::memset(b, 0, n * sizeof(float));
    const auto show = [&](const char *name) {
        g2o::memcpy(host.data(), b, n * sizeof(float), g2o::MemcpyDeviceToHost);
        double sum = 0.0;
        for (int i = 0; i < n; ++i)
            sum += host[i] * (i % 29 + 1);
        std::printf("%s %.4f\n", name, sum);
    };

    const dim3 block(WIDE, HIGH);
    for (int turn = 0; turn < 2; ++turn) {
        waves(dim3(3, 3), block, a, b, width, height);
        show("waves");
        float *kept = a;
        a = b;
        b = kept;
    }
    smooth(dim3(2, 3), block, a, b, 32, 12);
    show("smooth");
    planes(dim3(2, 2), block, a, b, 34, 10, depth);
    show("planes");
    once(1, 32, a, b, 3);
    show("once");
    zeros_first(4, 32, a, b, 100);
    show("zeros first");
    holes(4, 32, a, b, 100);
    show("holes");
    changed(4, 32, a, b);
    show("changed");
    turned(dim3(2, 2), dim3(8, 8), a, b, 16);
    show("turned");
    mixed(4, 32, a, b, c);
    std::vector<double> sums(128);
    g2o::memcpy(sums.data(), c, 128 * sizeof(double), g2o::MemcpyDeviceToHost);
    double sum = 0.0;
    for (int i = 0; i < 128; ++i)
        sum += sums[i] * (i % 7 + 1);
    std::printf("mixed %.4f\n", sum);
    moved(1, 32, b, b);
    show("moved");
    float *same = b;
    move(same, b);
    move(b, a);
    show("moved too");
    g2o::free(a);
    g2o::free(b);
    g2o::free(c);
    return 0;
}
