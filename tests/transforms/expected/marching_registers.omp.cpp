// Registers that hand elements on while threads march through memory, those that only seem to, and tiles filled from them.

#include <cstdio>
#include "g2o_runtime.hpp"
#include <vector>
#define TX 16
#define TY 4
// planes in registers, neighbours in the plane through a tile that is filled again and again
void planes_and_tile(dim3 grid, dim3 block, const float *__restrict__ in, float *__restrict__ out,
                     int nx, int ny, int nz)
{
    assert(block.x == TX && block.y == TY);
    const int plane = nx * ny;
    constexpr int strip = 1024;
#pragma omp parallel for
    for (int j = 0; j < int(grid.y * block.y); ++j) {
        // Neighbours go through the loops together.
        for (int first = 0; first < int(grid.x * block.x); first += strip) {
            const int end = std::min(first + strip, int(grid.x * block.x));
            std::ptrdiff_t offset = 0;
            for (int k = 1; k < nz - 1; ++k) {
                offset += plane;
                const std::ptrdiff_t start = std::ptrdiff_t(j) * nx;
                const int first2 =
                    j > 0 && j < ny - 1 ? std::min<int>(std::max<int>(first, 1), end) : end;
                const int last = std::max<int>(first2, std::min<int>(nx - 1, end));
#pragma omp simd
                for (int i = first2; i < last; ++i) {
                    const std::ptrdiff_t idx = start + i;
                    out[idx + offset] = in[idx + offset - 1] + in[idx + offset + 1] +
                                        in[idx + offset - nx] + in[idx + offset + nx] +
                                        in[idx + offset + plane] + in[idx + offset - plane] -
                                        6.0f * in[idx + offset];
                }
            }
        }
    }
}
// places told by the turn, a sum over a row of the tile, handed on at the end of the turn
void sums_of_rows(dim3 grid, [[maybe_unused]] dim3 block, const float *__restrict__ in,
                  float *__restrict__ out, int n, int nz)
{
    assert(block.x == TX);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float row[TX + 4];
        for (int k = 1; k < nz; ++k) {
            const int inside = std::clamp<int>(n - bx * TX, 0, TX);
#pragma omp simd
            for (int t = 0; t < inside; ++t) {
                const int i = bx * TX + t;
                row[t + 2] = in[k * n + i];
            }
#pragma omp simd
            for (int t = inside; t < TX; ++t)
                row[t + 2] = 0.0f;
            for (int t = 0; t < 2; ++t) {
                const int i = bx * TX + t;
                row[t] = i >= 2 && i < n ? in[k * n + i - 2] : 0.0f;
            }
            for (int t = TX - 2; t < TX; ++t) {
                const int i = bx * TX + t;
                row[t + 4] = i + 2 < n ? in[k * n + i + 2] : 0.0f;
            }
#pragma omp simd
            for (int t = std::max<int>(0, 2 - bx * TX); t < std::min<int>(TX, n - 2 - bx * TX);
                 ++t) {
                const int i = bx * TX + t;
                float sum = 0.0f;
#pragma GCC unroll 16
                for (int d = -2; d <= 2; ++d)
                    sum += row[t + 2 + d];
                out[k * n + i] = sum - in[(k - 1) * n + i];
            }
        }
    }
}
// named in front of the loop and behind it, where it may have had no turn
void named_around(dim3 grid, dim3 block, const float *__restrict__ x, float *__restrict__ y,
                  int plane, int nz)
{
    assert(block.x == TX);
    const int count = std::min(plane, int(grid.x * block.x));
    constexpr int strip = 128;
    // Neighbours go through the loops together.
#pragma omp parallel for
    for (int first = 0; first < count; first += strip) {
        const int end = std::min(first + strip, count);
        std::ptrdiff_t offset = 0;
#pragma omp simd
        for (int i = first; i < end; ++i) {
            int c = i;
            float now;
            float last = now = x[c];
            float next = x[c + plane];
            y[c] = last + 2.0f * now + 3.0f * next;
        }
        for (int k = 1; k < nz - 1; ++k) {
            offset += plane;
#pragma omp simd
            for (int i = first; i < end; ++i) {
                int c = i;
                float last = x[c + offset - plane];
                y[c + offset] = last + 2.0f * x[c + offset] + 3.0f * x[c + offset + plane];
            }
        }
#pragma omp simd
        for (int i = first; i < end; ++i) {
            int c = i;
            float now = x[c + offset];
            float next = x[c + offset + plane];
            y[c + offset + plane] = now * 5.0f + 7.0f * next;
        }
    }
}
// begins with another element than the one in front of the first
void begun_otherwise(dim3 grid, dim3 block, const float *__restrict__ x, float *__restrict__ y,
                     int plane, int nz)
{
    assert(block.x == TX);
    const int count = std::min(plane, int(grid.x * block.x));
    constexpr int strip = 128;
    // Neighbours go through the loops together.
#pragma omp parallel for
    for (int first = 0; first < count; first += strip) {
        const int end = std::min(first + strip, count);
        float before[strip];
#pragma omp simd
        for (int i = first; i < end; ++i)
            before[i - first] = x[i + plane];
        for (int k = 1; k < nz; ++k) {
#pragma omp simd
            for (int i = first; i < end; ++i) {
                const float now = x[i + k * plane];
                y[i + k * plane] = now - before[i - first] + 3.0f * x[i + (k - 1) * plane];
                before[i - first] = now;
            }
        }
    }
}
// two steps at a time, backwards; steps between what is set and what is read
void steps_between(dim3 grid, dim3 block, const float *__restrict__ x, float *__restrict__ y,
                   int plane, int nz)
{
    assert(block.x == TX);
    const int count = std::min(plane, int(grid.x * block.x));
    constexpr int strip = 128;
    // Neighbours go through the loops together.
#pragma omp parallel for
    for (int first = 0; first < count; first += strip) {
        const int end = std::min(first + strip, count);
        float one[strip];
        float two[strip];
        int there[strip];
        std::ptrdiff_t offset = 0;
#pragma omp simd
        for (int i = first; i < end; ++i) {
            int c = i + (nz - 1) * plane;
            one[i - first] = x[c];
            two[i - first] = x[c - plane];
        }
        for (int k = nz - 3; k >= 0; k -= 2) {
#pragma omp simd
            for (int i = first; i < end; ++i) {
                int c = i + (nz - 1) * plane;
                there[i - first] = int(c + offset) - 2 * plane;
                y[c + offset] = one[i - first] - two[i - first];
            }
            offset -= 2 * plane;
            for (int i = first; i < end; ++i) {
                int c = i + (nz - 1) * plane;
                one[i - first] = x[there[i - first]];
                y[there[i - first]] += 0.5f * one[i - first] + two[i - first];
                two[i - first] = x[c + offset - plane * (k > 0 ? 1 : 0)];
            }
        }
    }
}
// over what it loads from: nothing is loaded again
void over_itself(dim3 grid, dim3 block, float *x, int plane, int nz)
{
    assert(block.x == TX);
    const int count = std::min(plane, int(grid.x * block.x));
    constexpr int strip = 128;
    // Neighbours go through the loops together.
#pragma omp parallel for
    for (int first = 0; first < count; first += strip) {
        const int end = std::min(first + strip, count);
        float before[strip];
#pragma omp simd
        for (int i = first; i < end; ++i)
            before[i - first] = x[i];
        for (int k = 1; k < nz; ++k) {
#pragma omp simd
            for (int i = first; i < end; ++i) {
                const float now = x[i + k * plane];
                x[i + k * plane] = now + before[i - first];
                before[i - first] = now;
            }
        }
    }
}
// sets what it hands on in some turns only, and leaves early
void some_turns(dim3 grid, dim3 block, const float *__restrict__ x, float *__restrict__ y,
                int plane, int nz)
{
    assert(block.x == TX);
    const int count = std::min(plane, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
        float kept = x[i], before = x[i];
        for (int k = 1; k < nz; ++k) {
            const float now = x[i + k * plane];
            y[i + k * plane] = now - kept - before;
            if (now > 20.0f)
                kept = now;
            before = now;
            if (now > 45.0f)
                break;
        }
    }
}
// arrays through which elements are handed on, told by numbers once their loops are unrolled
void queues(dim3 grid, dim3 block, const float *__restrict__ x, float *__restrict__ y, int plane,
            int nz)
{
    assert(block.x == TX);
    const int count = std::min(plane, int(grid.x * block.x));
    constexpr int strip = 128;
    // Neighbours go through the loops together.
#pragma omp parallel for
    for (int first = 0; first < count; first += strip) {
        const int end = std::min(first + strip, count);
        std::ptrdiff_t offset = 0;
        for (int k = 2; k < nz - 2; ++k) {
            offset += plane;
#pragma omp simd
            for (int i = first; i < end; ++i) {
                int c = i + plane;
                float sum = 3.0f * x[c + offset];
                sum += (0 + 0.5f) * (x[c + offset - plane] + x[c + offset + plane]);
                sum += (1 + 0.5f) * (x[c + offset - 2 * plane] + x[c + offset + 2 * plane]);
                y[c + offset] = sum;
            }
        }
    }
}
// an element that the turn decides: the array stays
void chosen_by_turns(dim3 grid, dim3 block, const float *__restrict__ x, float *__restrict__ y,
                     int plane, int nz)
{
    assert(block.x == TX);
    const int count = std::min(plane, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
        float past[2] = {x[i], x[i]};
        for (int k = 1; k < nz; ++k) {
            y[i + k * plane] = past[k % 2] - past[1];
            past[1] = past[0];
            past[0] = x[i + k * plane];
        }
    }
}
static void show(const char *name, const float *y, int n)
{
    std::vector<float> h(n);
    g2o::memcpy(h.data(), y, n * sizeof(float), g2o::MemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += h[i] * (1 + i % 11);
    std::printf("%s %.9g\n", name, sum);
}
int main()
{
    const int most = 40 * 13 * 7;
    std::vector<float> h(most), zero(most);
    for (int i = 0; i < most; ++i)
        h[i] = float(i * 37 % 101) * 0.5f;
    float *x, *y;
    g2o::malloc(&x, most * sizeof(float));
    g2o::malloc(&y, most * sizeof(float));
    for (int nz = 7; nz >= 3; nz -= 2) {
        const int nx = nz == 5 ? 32 : 37, ny = nz == 5 ? 8 : 13, plane = nx * ny;
        const dim3 block(TX, TY), grid((nx + TX - 1) / TX, (ny + TY - 1) / TY);
        const int blocks = (plane + TX - 1) / TX, n = plane * nz;
        g2o::memcpy(x, h.data(), most * sizeof(float), g2o::MemcpyHostToDevice);
        g2o::memcpy(y, zero.data(), most * sizeof(float), g2o::MemcpyHostToDevice);
        planes_and_tile(grid, block, x, y, nx, ny, nz);
        show("planes_and_tile", y, n);
        sums_of_rows(blocks, TX, x, y, plane, nz);
        show("sums_of_rows", y, n);
        named_around(blocks, TX, x, y, plane, nz == 3 ? 2 : nz);
        show("named_around", y, n);
        begun_otherwise(blocks, TX, x, y, plane, nz);
        show("begun_otherwise", y, n);
        steps_between(blocks, TX, x, y, plane, nz);
        show("steps_between", y, n);
        queues(blocks, TX, x, y, plane, nz);
        show("queues", y, n);
        chosen_by_turns(blocks, TX, x, y, plane, nz);
        show("chosen_by_turns", y, n);
        some_turns(blocks, TX, x, y, plane, nz);
        show("some_turns", y, n);
        over_itself(blocks, TX, x, plane, nz);
        show("over_itself", x, n);
    }
    g2o::free(x);
    g2o::free(y);
}
