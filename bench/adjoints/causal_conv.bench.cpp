#include "causal_conv.omp.cpp"

#include "support.hpp"

namespace {

void by_hand(const float *x, const float *weight, const float *bias, float *out, int batch, int channels,
             int length, float *d_x, float *d_weight, float *d_bias, float *d_out)
{
#pragma omp parallel for
    for (int channel = 0; channel < channels; ++channel) {
        const float *w = weight + channel * 4;
        float d_w[4] = {}, d_b = 0.0f;
        std::vector<float> d_sum(length + 3);
        for (int n = 0; n < batch; ++n) {
            const int start = (n * channels + channel) * length;
            const float *in = x + start;
            for (int t = 0; t < length; ++t) {
                float sum = bias[channel];
                for (int k = std::max(0, 3 - t); k < 4; ++k)
                    sum += w[k] * in[t - 3 + k];
                const float s = 1.0f / (1.0f + std::exp(-sum));
                out[start + t] = sum * s;
                d_sum[t] = d_out[start + t] * s * (1.0f + sum * (1.0f - s));
                d_out[start + t] = 0.0f;
                d_b += d_sum[t];
                for (int k = std::max(0, 3 - t); k < 4; ++k)
                    d_w[k] += d_sum[t] * in[t - 3 + k];
            }
            for (int t = 0; t < length; ++t)
                for (int k = 0; k < 4; ++k)
                    d_x[start + t] += w[3 - k] * d_sum[t + k];
        }
        for (int k = 0; k < 4; ++k)
            d_weight[channel * 4 + k] += d_w[k];
        d_bias[channel] += d_b;
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int channels = argument(argc, argv, 1, 12), length = argument(argc, argv, 2, 150), batch = 2;
    Random random(41u);
    const auto x = random.numbers(std::size_t(batch) * channels * length, -1.0f, 1.0f);
    const auto weight = random.numbers(std::size_t(channels) * 4, -1.0f, 1.0f);
    const auto bias = random.numbers(channels, -1.0f, 1.0f);
    std::vector<float> out(x.size());
    Adjoint adjoint({x.size(), weight.size(), bias.size()}, random.numbers(out.size(), -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 3, 2),
        [&](Shadows &d) {
            causal_conv_grad(dim3(channels, batch), 128, std::size_t(length) * sizeof(float), x.data(),
                             weight.data(), bias.data(), out.data(), channels, length, d[0], d[1], d[2],
                             d.result());
        },
        [&](Shadows &d) {
            by_hand(x.data(), weight.data(), bias.data(), out.data(), batch, channels, length, d[0], d[1],
                    d[2], d.result());
        });
    return adjoint.report();
}
