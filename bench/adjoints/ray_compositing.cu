// Colours along rays, front to back, until almost no light comes through.
#include <cuda_runtime.h>
#include <math.h>

__global__ void composite(const float *sigmas, const float *rgbs, const float *deltas, const int *rays,
                          int count, float threshold, float *weights_sum, float *image)
{
    const int n = threadIdx.x + blockIdx.x * blockDim.x;
    if (n >= count)
        return;
    const int offset = rays[n * 2], steps = rays[n * 2 + 1];
    sigmas += offset;
    rgbs += offset * 3;
    deltas += offset;

    float light = 1.0f;
    float r = 0.0f, g = 0.0f, b = 0.0f, sum = 0.0f;
    for (int step = 0; step < steps; ++step) {
        const float alpha = 1.0f - expf(-sigmas[0] * deltas[0]);
        const float weight = alpha * light;
        r += weight * rgbs[0];
        g += weight * rgbs[1];
        b += weight * rgbs[2];
        sum += weight;
        light *= 1.0f - alpha;
        if (light < threshold)
            break;
        sigmas++;
        rgbs += 3;
        deltas++;
    }
    weights_sum[n] = sum;
    image[n * 3] = r;
    image[n * 3 + 1] = g;
    image[n * 3 + 2] = b;
}

void render(const float *sigmas, const float *rgbs, const float *deltas, const int *rays, int count,
            float *weights_sum, float *image)
{
    composite<<<(count + 127) / 128, 128>>>(sigmas, rgbs, deltas, rays, count, 1e-4f, weights_sum, image);
}
