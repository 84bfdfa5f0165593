// C = A * B for square matrices of any size, blocked for the cache.
//
// usage: matmul_tiled [n [tile, not used here]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <omp.h>

// A panel of B has DEPTH x WIDTH elements and stays in the second-level cache while all the rows of
// a strip of C pass by.
constexpr int ROWS = 32;
constexpr int DEPTH = 64;
constexpr int WIDTH = 512;

static void matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                   int n)
{
#pragma omp parallel for schedule(dynamic)
    for (int i0 = 0; i0 < n; i0 += ROWS) {
        const int i_end = std::min(i0 + ROWS, n);
        std::fill(c + i0 * n, c + i_end * n, 0.0f);
        for (int j0 = 0; j0 < n; j0 += WIDTH) {
            const int j_end = std::min(j0 + WIDTH, n);
            for (int k0 = 0; k0 < n; k0 += DEPTH) {
                const int k_end = std::min(k0 + DEPTH, n);
                for (int i = i0; i < i_end; ++i) {
                    float *c_row = c + i * n;
                    int k = k0;
                    // Four rows of B at once, so that C is loaded and stored less often.
                    for (; k + 4 <= k_end; k += 4) {
                        const float a0 = a[i * n + k], a1 = a[i * n + k + 1];
                        const float a2 = a[i * n + k + 2], a3 = a[i * n + k + 3];
                        const float *b_row = b + k * n;
#pragma omp simd
                        for (int j = j0; j < j_end; ++j)
                            c_row[j] += a0 * b_row[j] + a1 * b_row[j + n] + a2 * b_row[j + 2 * n] +
                                        a3 * b_row[j + 3 * n];
                    }
                    for (; k < k_end; ++k) {
                        const float a0 = a[i * n + k];
#pragma omp simd
                        for (int j = j0; j < j_end; ++j)
                            c_row[j] += a0 * b[k * n + j];
                    }
                }
            }
        }
    }
}

// Multiples of 1/8 in [-1, 1): all partial sums are exact in single precision.
static void fill(std::vector<float> &matrix, unsigned seed)
{
    for (float &element : matrix) {
        seed = seed * 1664525u + 1013904223u;
        element = static_cast<float>(static_cast<int>(seed >> 28) - 8) / 8.0f;
    }
}

static std::vector<float> multiply_serial(const std::vector<float> &a,
                                          const std::vector<float> &b, int n)
{
    std::vector<float> c(a.size(), 0.0f);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
    return c;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 70;
    const size_t elements = static_cast<size_t>(n) * n;

    std::vector<float> a(elements), b(elements), c(elements);
    fill(a, 1u);
    fill(b, 2u);

    const double start = omp_get_wtime();
    matmul(a.data(), b.data(), c.data(), n);
    const double milliseconds = 1e3 * (omp_get_wtime() - start);

    const std::vector<float> expected = multiply_serial(a, b, n);
    double trace = 0.0, squares = 0.0;
    for (int i = 0; i < n; ++i)
        trace += c[i * n + i];
    for (float element : c)
        squares += static_cast<double>(element) * element;
    const bool ok = c == expected;

    std::printf("time_ms %.3f\n", milliseconds);
    std::printf("trace %.6e\n", trace);
    std::printf("squares %.6e\n", squares);
    std::printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
