// Batched LU without pivoting: strips of matrices go through the elimination together.
//
// usage: batched_lu [systems] [order] [repeats]

#include "batched_lu.hpp"

constexpr int STRIP = 128;

static void factor_and_solve(float *matrix, float *right, int n, int batch)
{
#pragma omp parallel for schedule(static)
    for (int first = 0; first < batch; first += STRIP) {
        const int count = std::min(STRIP, batch - first);
        const auto at = [=](int i, int j) { return matrix + (i * n + j) * batch + first; };
        const auto x = [=](int i) { return right + i * batch + first; };

        for (int k = 0; k < n; ++k) {
            float pivot[STRIP];
            const float *diagonal = at(k, k);
            for (int s = 0; s < count; ++s)
                pivot[s] = 1.0f / diagonal[s];
            for (int i = k + 1; i < n; ++i) {
                float *factor = at(i, k);
                for (int s = 0; s < count; ++s)
                    factor[s] *= pivot[s];
                for (int j = k + 1; j < n; ++j) {
                    float *to = at(i, j);
                    const float *from = at(k, j);
#pragma omp simd
                    for (int s = 0; s < count; ++s)
                        to[s] -= factor[s] * from[s];
                }
            }
        }

        const auto subtract = [=](int i, int j) {
            float *to = x(i);
            const float *element = at(i, j), *from = x(j);
#pragma omp simd
            for (int s = 0; s < count; ++s)
                to[s] -= element[s] * from[s];
        };
        for (int i = 1; i < n; ++i)
            for (int j = 0; j < i; ++j)
                subtract(i, j);
        for (int i = n - 1; i >= 0; --i) {
            for (int j = i + 1; j < n; ++j)
                subtract(i, j);
            float *to = x(i);
            const float *diagonal = at(i, i);
#pragma omp simd
            for (int s = 0; s < count; ++s)
                to[s] /= diagonal[s];
        }
    }
}

int main(int argc, char **argv)
{
    const Batch batch = make_batch(argc, argv);
    std::vector<float> matrix(batch.matrix.size()), x(batch.right.size());
    double ms = 0.0;
    for (int r = 0; r < batch.repeats; ++r) {
        matrix = batch.matrix;
        x = batch.right;
        const Stopwatch watch;
        factor_and_solve(matrix.data(), x.data(), batch.order, batch.count);
        ms += watch.milliseconds();
    }
    return finish(batch, x, ms);
}
