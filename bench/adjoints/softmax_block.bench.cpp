#include "softmax_block.omp.cpp"

#include "support.hpp"

namespace {

void by_hand(const float *x, float *y, int rows, int cols, float *d_x, float *d_y)
{
#pragma omp parallel for
    for (int row = 0; row < rows; ++row) {
        const float *in = x + std::size_t(row) * cols;
        float *out = y + std::size_t(row) * cols;
        float *d_in = d_x + std::size_t(row) * cols;
        float *d_out = d_y + std::size_t(row) * cols;
        float largest = -INFINITY, sum = 0.0f, dot = 0.0f;
#pragma omp simd reduction(max : largest)
        for (int c = 0; c < cols; ++c)
            largest = std::max(largest, in[c]);
#pragma omp simd reduction(+ : sum)
        for (int c = 0; c < cols; ++c) {
            out[c] = std::exp(in[c] - largest);
            sum += out[c];
        }
#pragma omp simd reduction(+ : dot)
        for (int c = 0; c < cols; ++c) {
            out[c] /= sum;
            dot += d_out[c] * out[c];
        }
#pragma omp simd
        for (int c = 0; c < cols; ++c) {
            d_in[c] += (d_out[c] - dot) * out[c];
            d_out[c] = 0.0f;
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 50), cols = argument(argc, argv, 2, 200);
    Random random(7u);
    const auto x = random.numbers(std::size_t(rows) * cols, -4.0f, 4.0f);
    std::vector<float> y(x.size());
    Adjoint adjoint({x.size()}, random.numbers(y.size(), -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 3, 2),
        [&](Shadows &d) {
            softmax_block_grad(rows, 128, x.data(), y.data(), cols, d[0], d.result());
        },
        [&](Shadows &d) { by_hand(x.data(), y.data(), rows, cols, d[0], d.result()); });
    return adjoint.report();
}
