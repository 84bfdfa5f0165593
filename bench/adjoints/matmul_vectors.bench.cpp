#include "matmul_vectors.omp.cpp"

#include "support.hpp"

namespace {

// Loops in the order in which the innermost one walks along rows.
void by_hand(const float *a, const float *b, float *c, int m, int n, int k, float *d_a, float *d_b,
             float *d_c)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < m; ++i) {
            std::fill(c + i * n, c + (i + 1) * n, 0.0f);
            for (int l = 0; l < k; ++l) {
                const float left = a[i * k + l];
                float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
                for (int j = 0; j < n; ++j) {
                    c[i * n + j] += left * b[l * n + j];
                    sum += d_c[i * n + j] * b[l * n + j];
                }
                d_a[i * k + l] += sum;
            }
        }
#pragma omp for
        for (int l = 0; l < k; ++l)
            for (int i = 0; i < m; ++i) {
                const float left = a[i * k + l];
#pragma omp simd
                for (int j = 0; j < n; ++j)
                    d_b[l * n + j] += left * d_c[i * n + j];
            }
#pragma omp for
        for (int i = 0; i < m * n; ++i)
            d_c[i] = 0.0f;
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int m = 64 * argument(argc, argv, 1, 2), n = m, k = m;
    Random random(3u);
    const auto a = random.numbers(m * k, -1.0f, 1.0f), b = random.numbers(k * n, -1.0f, 1.0f);
    std::vector<float> c(m * n);
    Adjoint adjoint({a.size(), b.size()}, random.numbers(c.size(), -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 2, 2),
        [&](Shadows &d) {
            matmul_vectors_grad(dim3(n / 64, m / 64), dim3(16, 16), a.data(), b.data(), c.data(), m, n, k,
                                d[0], d[1], d.result());
        },
        [&](Shadows &d) {
            by_hand(a.data(), b.data(), c.data(), m, n, k, d[0], d[1], d.result());
        });
    return adjoint.report();
}
