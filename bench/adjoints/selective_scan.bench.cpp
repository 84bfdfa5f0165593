#include "selective_scan.omp.cpp"

#include "support.hpp"

namespace {

// States of all steps are kept, a channel at a time; what many channels feed is added up by threads.
void by_hand(const float *u, const float *delta, const float *a, const float *b, const float *c, float *y,
             int batch, int length, int channels, float *d_u, float *d_delta, float *d_a, float *d_b,
             float *d_c, float *d_y)
{
    constexpr int states = 8;
    const int shared = batch * length * states;
#pragma omp parallel
    {
        std::vector<float> kept(std::size_t(length + 1) * states);
#pragma omp for collapse(2) reduction(+ : d_a[ : channels * states], d_b[ : shared], d_c[ : shared])
        for (int n = 0; n < batch; ++n)
            for (int channel = 0; channel < channels; ++channel) {
                const float *rate = a + channel * states;
                std::fill(kept.begin(), kept.begin() + states, 0.0f);
                for (int t = 0; t < length; ++t) {
                    const int at = (n * length + t) * channels + channel;
                    const float *b_t = b + (n * length + t) * states, *c_t = c + (n * length + t) * states;
                    const float *before = &kept[t * states];
                    float *state = &kept[(t + 1) * states];
                    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
                    for (int s = 0; s < states; ++s) {
                        state[s] = std::exp(delta[at] * rate[s]) * before[s] + delta[at] * b_t[s] * u[at];
                        sum += state[s] * c_t[s];
                    }
                    y[at] = sum;
                }
                float d_state[states] = {};
                for (int t = length - 1; t >= 0; --t) {
                    const int at = (n * length + t) * channels + channel, row = (n * length + t) * states;
                    const float *before = &kept[t * states], *state = &kept[(t + 1) * states];
                    float to_delta = 0.0f, to_u = 0.0f;
#pragma omp simd reduction(+ : to_delta, to_u)
                    for (int s = 0; s < states; ++s) {
                        d_c[row + s] += d_y[at] * state[s];
                        const float d = d_state[s] + d_y[at] * c[row + s];
                        const float decay = std::exp(delta[at] * rate[s]);
                        d_a[channel * states + s] += d * before[s] * decay * delta[at];
                        to_delta += d * (before[s] * decay * rate[s] + b[row + s] * u[at]);
                        d_b[row + s] += d * delta[at] * u[at];
                        to_u += d * b[row + s];
                        d_state[s] = d * decay;
                    }
                    d_delta[at] += to_delta;
                    d_u[at] += to_u * delta[at];
                    d_y[at] = 0.0f;
                }
            }
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int length = argument(argc, argv, 1, 20), channels = argument(argc, argv, 2, 24), batch = 2;
    constexpr int states = 8;
    const std::size_t count = std::size_t(batch) * length * channels;
    Random random(31u);
    const auto u = random.numbers(count, -1.0f, 1.0f), delta = random.numbers(count, 0.01f, 0.5f);
    const auto a = random.numbers(std::size_t(channels) * states, -2.0f, -0.1f);
    const auto b = random.numbers(std::size_t(batch) * length * states, -1.0f, 1.0f);
    const auto c = random.numbers(b.size(), -1.0f, 1.0f);
    std::vector<float> y(count);
    Adjoint adjoint({count, count, a.size(), b.size(), c.size()}, random.numbers(count, -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 3, 2),
        [&](Shadows &d) {
            selective_scan_grad(dim3((channels + 63) / 64, batch), 64, u.data(), delta.data(), a.data(),
                                b.data(), c.data(), y.data(), batch, length, channels, d[0], d[1], d[2],
                                d[3], d[4], d.result());
        },
        [&](Shadows &d) {
            by_hand(u.data(), delta.data(), a.data(), b.data(), c.data(), y.data(), batch, length, channels,
                    d[0], d[1], d[2], d[3], d[4], d.result());
        });
    return adjoint.report();
}
