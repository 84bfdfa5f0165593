#include "layer_norm_warp.omp.cpp"

#include "support.hpp"

namespace {

void by_hand(const float *x, const float *gamma, const float *beta, float *y, int rows, int cols,
             float epsilon, float *d_x, float *d_gamma, float *d_beta, float *d_y)
{
#pragma omp parallel for reduction(+ : d_gamma[ : cols], d_beta[ : cols])
    for (int row = 0; row < rows; ++row) {
        const float *in = x + row * cols;
        float *out = y + row * cols, *d_in = d_x + row * cols, *d_out = d_y + row * cols;
        float sum = 0.0f, squares = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int c = 0; c < cols; ++c)
            sum += in[c];
        const float mean = sum / float(cols);
#pragma omp simd reduction(+ : squares)
        for (int c = 0; c < cols; ++c)
            squares += (in[c] - mean) * (in[c] - mean);
        const float inverse = 1.0f / std::sqrt(squares / float(cols) + epsilon);
        float d_sum = 0.0f, d_squares = 0.0f;
#pragma omp simd reduction(+ : d_sum, d_squares)
        for (int c = 0; c < cols; ++c) {
            const float normal = (in[c] - mean) * inverse;
            out[c] = normal * gamma[c] + beta[c];
            d_gamma[c] += d_out[c] * normal;
            d_beta[c] += d_out[c];
            d_sum += d_out[c] * gamma[c];
            d_squares += d_out[c] * gamma[c] * normal;
        }
        d_sum /= float(cols);
        d_squares /= float(cols);
#pragma omp simd
        for (int c = 0; c < cols; ++c) {
            d_in[c] += inverse * (d_out[c] * gamma[c] - d_sum - (in[c] - mean) * inverse * d_squares);
            d_out[c] = 0.0f;
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 50), cols = argument(argc, argv, 2, 200);
    Random random(11u);
    const auto x = random.numbers(std::size_t(rows) * cols, -1.0f, 4.0f);
    const auto gamma = random.numbers(cols, 0.5f, 1.5f), beta = random.numbers(cols, -1.0f, 1.0f);
    std::vector<float> y(x.size()), means(rows), inverses(rows), d_means(rows), d_inverses(rows);
    Adjoint adjoint({x.size(), gamma.size(), beta.size()}, random.numbers(y.size(), -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 3, 2),
        [&](Shadows &d) {
            layer_norm_warp_grad((rows + 3) / 4, dim3(32, 4), x.data(), gamma.data(), beta.data(),
                                 y.data(), means.data(), inverses.data(), rows, cols, 1e-5f, d[0],
                                 d[1], d[2], d.result());
        },
        [&](Shadows &d) {
            by_hand(x.data(), gamma.data(), beta.data(), y.data(), rows, cols, 1e-5f, d[0], d[1],
                    d[2], d.result());
        });
    return adjoint.report();
}
