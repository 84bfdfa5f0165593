// Calls that give every thread the same: made once where that is right, else left alone.
#include "g2o_runtime.hpp"
#include <cstdio>

float total(const float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i];
    return sum;
}

float triangle(int n)
{
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += i;
    return sum;
}

void normalize(dim3 grid, dim3 block, float *__restrict__ out, const float *__restrict__ in, int n)
{
    const int count = std::min(n, int(grid.x * block.x));
    if (count <= 0)
        return;
    const float sum = total(in, n);           // the same for every thread
    const float triangle_value = triangle(n); // the same for every thread
#pragma omp parallel for simd
    for (int i = 0; i < count; ++i)
        out[i] = in[i] / sum + triangle_value * triangle_value;
}

// `out` may be `in`: the sum changes while the kernel runs, if only in a program with a race.
void may_alias(dim3 grid, dim3 block, float *__restrict__ out, const float *__restrict__ in, int n)
{
    const int count = std::min(n, int(grid.x * block.x));
    if (count <= 0)
        return;
    const float in_total = total(in, n); // the same for every thread
#pragma omp parallel for simd
    for (int i = 0; i < count; ++i)
        out[i] = in[i] / in_total;
}

void of_shared(dim3 /*grid*/, [[maybe_unused]] dim3 block, float *__restrict__ out,
               const float *__restrict__ in)
{
    assert(block.x == 64);
    float tile[64];
#pragma omp simd
    for (int t = 0; t < 64; ++t)
        tile[t] = in[t];
    const float tile_total = total(tile, 64); // the same for every thread
#pragma omp simd
    for (int t = 0; t < 64; ++t)
        out[t] = tile[t] / tile_total;
}

// Nothing says that any thread makes these calls.
void conditional(dim3 grid, dim3 block, float *__restrict__ out, const float *__restrict__ in,
                 int n)
{
    const int count = std::min(n, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
        if (in[i] > 3)
            out[i] = triangle(n);
        else
            out[i] = i > 5 ? triangle(n + 1) : 0;
    }
}

void plane(dim3 grid, dim3 block, float *__restrict__ out, const float *__restrict__ in, int width,
           int height)
{
    const int rows = std::min(height, int(grid.y * block.y));
    const int cols = std::min(width, int(grid.x * block.x));
    if (rows <= 0 || cols <= 0)
        return;
    const float triangle_value = triangle(width + height); // the same for every thread
#pragma omp parallel for
    for (int y = 0; y < rows; ++y)
#pragma omp simd
        for (int x = 0; x < cols; ++x)
            out[y * width + x] = in[y * width + x] * triangle_value;
}

void of_block(dim3 grid, [[maybe_unused]] dim3 block, float *out)
{
    assert(block.x == 16);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        const float triangle_value = triangle(bx); // the same for every thread
        for (int t = 0; t < 16; ++t) {
            out[bx * 16 + t] = 1;
            out[bx * 16 + t] += triangle_value + triangle(t);
        }
    }
}

// What remains of the loop adds to the same elements again and again: no place for simd.
void weigh([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, float *__restrict__ out,
           const float *__restrict__ in)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 64 && block.y == 1 &&
           block.z == 1);
    float bins[4];
#pragma omp simd
    for (int t = 0; t < 4; ++t)
        bins[t] = 0;
    const float triangle_value = triangle(5); // the same for every thread
    for (int t = 0; t < 64; ++t)
        bins[t & 3] += triangle_value;
#pragma omp simd
    for (int t = 0; t < 4; ++t)
        out[t] = bins[t] + in[t];
}

int main()
{
    float *in, *out;
    g2o::malloc_managed(&in, 64 * sizeof *in);
    g2o::malloc_managed(&out, 6 * 64 * sizeof *out);
    for (int i = 0; i < 64; ++i)
        in[i] = i % 7;
    for (int i = 0; i < 6 * 64; ++i)
        out[i] = 0;
    normalize(2, 32, out, in, 60);
    normalize(2, 32, out, nullptr, 0); // no thread asks for the sum
    may_alias(2, 32, out + 64, in, 64);
    of_shared(1, 64, out + 128, in);
    conditional(2, 32, out + 192, in, 64);
    plane(dim3(2, 2), dim3(4, 4), out + 256, in, 8, 8);
    of_block(4, 16, out + 320);
    weigh(1, 64, out + 60, in); // behind what `normalize` writes
    g2o::device_synchronize();
    for (int i = 0; i < 6 * 64; ++i)
        printf("%.4g%c", out[i], i % 16 == 15 ? '\n' : ' ');
}
