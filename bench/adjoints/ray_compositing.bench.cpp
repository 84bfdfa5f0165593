#include "ray_compositing.omp.cpp"

#include "support.hpp"

namespace {

// What is behind a sample is what is in the image less what is in front of it: nothing is kept.
void by_hand(const float *sigmas, const float *rgbs, const float *deltas, const int *rays, int count,
             float threshold, float *weights_sum, float *image, float *d_sigmas, float *d_rgbs,
             float *d_image)
{
#pragma omp parallel for
    for (int n = 0; n < count; ++n) {
        const int offset = rays[n * 2], steps = rays[n * 2 + 1];
        float light = 1.0f, r = 0.0f, g = 0.0f, b = 0.0f, sum = 0.0f;
        int used = 0;
        for (int i = offset; i < offset + steps; ++i) {
            const float alpha = 1.0f - std::exp(-sigmas[i] * deltas[i]);
            const float weight = alpha * light;
            r += weight * rgbs[i * 3];
            g += weight * rgbs[i * 3 + 1];
            b += weight * rgbs[i * 3 + 2];
            sum += weight;
            light *= 1.0f - alpha;
            ++used;
            if (light < threshold)
                break;
        }
        weights_sum[n] = sum;
        image[n * 3] = r;
        image[n * 3 + 1] = g;
        image[n * 3 + 2] = b;
        const float d_r = d_image[n * 3], d_g = d_image[n * 3 + 1], d_b = d_image[n * 3 + 2];
        const float whole = r * d_r + g * d_g + b * d_b;
        float before = 0.0f;
        light = 1.0f;
        for (int i = offset; i < offset + used; ++i) {
            const float alpha = 1.0f - std::exp(-sigmas[i] * deltas[i]);
            const float weight = alpha * light;
            const float shade = rgbs[i * 3] * d_r + rgbs[i * 3 + 1] * d_g + rgbs[i * 3 + 2] * d_b;
            d_rgbs[i * 3] += weight * d_r;
            d_rgbs[i * 3 + 1] += weight * d_g;
            d_rgbs[i * 3 + 2] += weight * d_b;
            before += weight * shade;
            light *= 1.0f - alpha;
            d_sigmas[i] += deltas[i] * (light * shade - (whole - before));
        }
        d_image[n * 3] = d_image[n * 3 + 1] = d_image[n * 3 + 2] = 0.0f;
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int count = argument(argc, argv, 1, 100);
    Random random(17u);
    std::vector<int> rays;
    int samples = 0;
    for (int n = 0; n < count; ++n) {
        const int steps = int(random.below(160));
        rays.insert(rays.end(), {samples, steps});
        samples += steps;
    }
    const auto sigmas = random.numbers(samples, 0.0f, 12.0f);
    const auto rgbs = random.numbers(std::size_t(samples) * 3, 0.0f, 1.0f);
    const auto deltas = random.numbers(samples, 0.005f, 0.02f);
    std::vector<float> sums(count), image(count * 3), d_sums(count);
    Adjoint adjoint({sigmas.size(), rgbs.size()}, random.numbers(image.size(), -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 2, 2),
        [&](Shadows &d) {
            composite_grad((count + 127) / 128, 128, sigmas.data(), rgbs.data(), deltas.data(),
                           rays.data(), count, 1e-4f, sums.data(), image.data(), d[0], d[1], d_sums.data(), d.result());
        },
        [&](Shadows &d) {
            by_hand(sigmas.data(), rgbs.data(), deltas.data(), rays.data(), count, 1e-4f, sums.data(),
                    image.data(), d[0], d[1], d.result());
        });
    return adjoint.report();
}
