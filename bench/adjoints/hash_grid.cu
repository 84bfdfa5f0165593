// Features of points in [0, 1]^3 from grids of several resolutions whose corners lie in hash tables.
#include <cuda_runtime.h>
#include <stdint.h>

#define FEATURES 2

__device__ uint32_t place_of(const uint32_t corner[3], uint32_t resolution, uint32_t size)
{
    uint32_t stride = 1, index = 0;
    for (uint32_t d = 0; d < 3 && stride <= size; ++d) {
        index += corner[d] * stride;
        stride *= resolution + 1;
    }
    if (stride > size) {
        constexpr uint32_t primes[3] = {1u, 2654435761u, 805459861u};
        index = 0;
        for (uint32_t d = 0; d < 3; ++d)
            index ^= corner[d] * primes[d];
    }
    return index % size;
}

__global__ void hash_grid(const float *__restrict__ points, const float *__restrict__ table,
                          const int *__restrict__ offsets, float *__restrict__ features, uint32_t count,
                          uint32_t levels, float growth, uint32_t base)
{
    const uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= count)
        return;
    const uint32_t level = blockIdx.y;
    table += offsets[level] * FEATURES;
    const uint32_t size = offsets[level + 1] - offsets[level];
    const float scale = exp2f(level * growth) * base - 1.0f;
    const uint32_t resolution = (uint32_t)ceilf(scale) + 1;

    float fraction[3];
    uint32_t cell[3];
    for (uint32_t d = 0; d < 3; ++d) {
        const float place = points[b * 3 + d] * scale + 0.5f;
        cell[d] = (uint32_t)floorf(place);
        fraction[d] = place - (float)cell[d];
    }

    float sums[FEATURES] = {0.0f};
    for (uint32_t corner = 0; corner < 8; ++corner) {
        float weight = 1.0f;
        uint32_t at[3];
        for (uint32_t d = 0; d < 3; ++d) {
            if ((corner & (1u << d)) == 0) {
                weight *= 1.0f - fraction[d];
                at[d] = cell[d];
            } else {
                weight *= fraction[d];
                at[d] = cell[d] + 1;
            }
        }
        const uint32_t index = place_of(at, resolution, size) * FEATURES;
        for (uint32_t f = 0; f < FEATURES; ++f)
            sums[f] += weight * table[index + f];
    }
    for (uint32_t f = 0; f < FEATURES; ++f)
        features[(level * count + b) * FEATURES + f] = sums[f];
}

void encode(const float *points, const float *table, const int *offsets, float *features, uint32_t count,
            uint32_t levels, float growth, uint32_t base)
{
    const dim3 blocks((count + 511) / 512, levels, 1);
    hash_grid<<<blocks, 512>>>(points, table, offsets, features, count, levels, growth, base);
}
