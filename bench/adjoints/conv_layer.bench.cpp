#include "conv_layer.omp.cpp"

#include "support.hpp"

namespace {

// What lies where, in rows of w numbers, of those that are there.
void by_hand(const float *in, const float *weight, const float *bias, float *out, int inputs, int outputs, int w,
             int h, float *d_in, float *d_weight, float *d_bias, float *d_out)
{
#pragma omp parallel for collapse(2)
    for (int o = 0; o < outputs; ++o)
        for (int y = 0; y < h; ++y) {
            float *row = out + (o * h + y) * w;
            for (int x = 0; x < w; ++x)
                row[x] = bias[o];
            for (int c = 0; c < inputs; ++c)
                for (int j = std::max(-1, -y); j <= std::min(1, h - 1 - y); ++j)
                    for (int i = -1; i <= 1; ++i) {
                        const float factor = weight[((o * inputs + c) * 3 + j + 1) * 3 + i + 1];
                        const float *from = in + (c * h + y + j) * w + i;
                        const int end = std::min(w, w - i);
                        for (int x = std::max(0, -i); x < end; ++x)
                            row[x] += from[x] * factor;
                    }
        }
#pragma omp parallel for
    for (int o = 0; o < outputs; ++o) {
        for (int y = 0; y < h; ++y) {
            const float *seed = d_out + (o * h + y) * w;
            float all = 0.0f;
#pragma omp simd reduction(+ : all)
            for (int x = 0; x < w; ++x)
                all += seed[x];
            d_bias[o] += all;
            for (int c = 0; c < inputs; ++c)
                for (int j = std::max(-1, -y); j <= std::min(1, h - 1 - y); ++j)
                    for (int i = -1; i <= 1; ++i) {
                        const float *from = in + (c * h + y + j) * w + i;
                        const int end = std::min(w, w - i);
                        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
                        for (int x = std::max(0, -i); x < end; ++x)
                            sum += from[x] * seed[x];
                        d_weight[((o * inputs + c) * 3 + j + 1) * 3 + i + 1] += sum;
                    }
        }
    }
#pragma omp parallel for collapse(2)
    for (int c = 0; c < inputs; ++c)
        for (int y = 0; y < h; ++y) {
            float *row = d_in + (c * h + y) * w;
            for (int o = 0; o < outputs; ++o)
                for (int j = std::max(-1, y - h + 1); j <= std::min(1, y); ++j)
                    for (int i = -1; i <= 1; ++i) {
                        const float factor = weight[((o * inputs + c) * 3 + j + 1) * 3 + i + 1];
                        const float *seed = d_out + (o * h + y - j) * w - i;
                        const int end = std::min(w, w + i);
                        for (int x = std::max(0, i); x < end; ++x)
                            row[x] += factor * seed[x];
                    }
        }
    std::fill(d_out, d_out + outputs * h * w, 0.0f);
}

} // namespace

int main(int argc, char **argv)
{
    const int side = argument(argc, argv, 1, 21), inputs = argument(argc, argv, 2, 3), outputs = inputs + 1;
    Random random(43u);
    const auto in = random.numbers(std::size_t(inputs) * side * side, -1.0f, 1.0f);
    const auto weight = random.numbers(std::size_t(outputs) * inputs * 9, -1.0f, 1.0f);
    const auto bias = random.numbers(outputs, -1.0f, 1.0f);
    std::vector<float> out(std::size_t(outputs) * side * side);
    Adjoint adjoint({in.size(), weight.size(), bias.size()}, random.numbers(out.size(), -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 3, 2),
        [&](Shadows &d) {
            const int tiles = (side + 15) / 16;
            conv_layer_grad(dim3(tiles, tiles, outputs), dim3(16, 16), in.data(), weight.data(), bias.data(),
                            out.data(), inputs, side, side, d[0], d[1], d[2], d.result());
        },
        [&](Shadows &d) {
            by_hand(in.data(), weight.data(), bias.data(), out.data(), inputs, outputs, side, side, d[0], d[1],
                    d[2], d.result());
        });
    return adjoint.report();
}
