// A warp for every row: groups of the language, numbers of threads that have names, strides
#include <cstdio>
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include "g2o_vector_math.hpp"
void layernorm(dim3 grid, [[maybe_unused]] dim3 block2, float *__restrict__ out,
               const float *__restrict__ inp, const float *__restrict__ w,
               const float *__restrict__ b, int N, int C) {
    assert(grid.y == 1 && grid.z == 1 && block2.x == 256 && block2.y == 1 && block2.z == 1);
    const int rows = std::min(N, int(grid.x) * 8);
#pragma omp parallel for
    for (int idx = 0; idx < rows; ++idx) {
        const float *x = inp + idx * C;
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < C; ++i)
            sum += x[i];
        float m = sum / C;
        float var = 0.0f;
#pragma omp simd reduction(+ : var)
        for (int i = 0; i < C; ++i) {
            float d = x[i] - m;
            var += d * d;
        }
        float s = g2o::rsqrtf(var / C + 1e-5f);
        for (int i = 0; i < C; ++i)
            out[idx * C + i] = s * (x[i] - m) * w[i] + b[i];
    }
}

void softmax(dim3 grid, [[maybe_unused]] dim3 block, float *__restrict__ y,
             const float *__restrict__ x, int rows, int cols) {
    assert(grid.y == 1 && grid.z == 1 && block.x == 128 && block.y == 1 && block.z == 1);
    const int rows2 = std::min(rows, int(grid.x) * 4);
#pragma omp parallel for
    for (int row = 0; row < rows2; ++row) {
        float m = -INFINITY;
        for (int c = 0; c < cols; ++c)
            m = std::max(m, x[row * cols + c]);
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (int c = 0; c < cols; ++c)
            s += g2o::simd_expf(x[row * cols + c] - m);
        for (int c = 0; c < cols; ++c)
            y[row * cols + c] = g2o::simd_expf(x[row * cols + c] - m) / s;
    }
}
void dots([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const double *__restrict__ a,
          const double *__restrict__ b, double *__restrict__ d, int rows, int n) {
    assert(grid.y == 1 && grid.z == 1 && block.x == 256 && block.y == 1 && block.z == 1);
#pragma omp parallel for
    for (int row = 0; row < rows; ++row) {
        double v = 0;
#pragma omp simd reduction(+ : v)
        for (int i = 0; i < n; ++i)
            v += a[row * n + i] * b[i];
        d[row] = v;
    }
}

int main() {
    const int rows = 21, n = 100;
    float *x, *w, *y;
    double *a, *d;
    g2o::malloc_managed(&x, rows * n * sizeof(float));
    g2o::malloc_managed(&w, n * sizeof(float));
    g2o::malloc_managed(&y, rows * n * sizeof(float));
    g2o::malloc_managed(&a, rows * n * sizeof(double));
    g2o::malloc_managed(&d, rows * sizeof(double));
    for (int i = 0; i < rows * n; ++i)
        x[i] = (i * 37 % 101) * 0.125f - 5.0f, a[i] = x[i];
    for (int i = 0; i < n; ++i)
        w[i] = 0.25f * (i % 7);
    const auto show = [&] {
        g2o::device_synchronize();
        double sum = 0;
        for (int i = 0; i < rows * n; ++i)
            sum += double(y[i]) * (i % 17 + 1);
        std::printf("%.3f\n", sum);
    };
    layernorm(3, 256, y, x, w, w, rows, n);
    show();
    softmax(6, 128, y, x, rows, n);
    show();
    dots(2, 256, a, a + n, d, rows - 1, n);
    g2o::device_synchronize();
    for (int i = 0; i < rows - 1; i += 6)
        std::printf("%.4f ", d[i]);
    std::printf("\n");
}
