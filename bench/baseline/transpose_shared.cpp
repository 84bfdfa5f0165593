// Out-of-place transposition of a rectangular matrix in tiles that fit the first-level cache.
//
// usage: transpose_shared [width height [repetitions]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <omp.h>

constexpr int TILE = 32;

static void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
#pragma omp parallel for collapse(2)
    for (int x0 = 0; x0 < width; x0 += TILE) {
        for (int y0 = 0; y0 < height; y0 += TILE) {
            const int x_end = std::min(x0 + TILE, width);
            const int y_end = std::min(y0 + TILE, height);
            for (int x = x0; x < x_end; ++x) {
#pragma omp simd
                for (int y = y0; y < y_end; ++y)
                    out[x * height + y] = in[y * width + x];
            }
        }
    }
}

int main(int argc, char **argv)
{
    int width = 100, height = 75, repetitions = 2;
    if (argc >= 3) {
        width = atoi(argv[1]);
        height = atoi(argv[2]);
    }
    if (argc >= 4)
        repetitions = atoi(argv[3]);
    const size_t elements = size_t(width) * height;

    std::vector<float> in(elements), out(elements);
    unsigned int r = 5;
    for (size_t e = 0; e < elements; e++) {
        r = r * 1664525u + 1013904223u;
        in[e] = float(r >> 12) * 0.25f;
    }

    const double start = omp_get_wtime();
    for (int i = 0; i < repetitions; i++)
        transpose(out.data(), in.data(), width, height);
    const double ms = 1e3 * (omp_get_wtime() - start);

    // Position-weighted, so that a misplaced element shows.
    bool correct = true;
    double checksum = 0.0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const float moved = out[size_t(x) * height + y];
            correct = correct && moved == in[size_t(y) * width + x];
        }
    }
    for (size_t e = 0; e < elements; e++)
        checksum += out[e] * double(e % 1009);

    printf("time_ms %.3f\n", ms);
    printf("checksum %.6e\n", checksum);
    printf("%s\n", correct ? "PASS" : "FAIL");
    return correct ? 0 : 1;
}
