// Waves on a plate: a tile of threads, with a halo that those at its sides load.
//
// usage: wave_tiles [width] [height] [steps]

#include "wave_tiles.hpp"

#include <cuda_runtime.h>

constexpr int TILE = 16;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void step(const float *now, float *next, int width, int height)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    const int column = threadIdx.x + 1, row = threadIdx.y + 1;

    if (x < width && y < height) {
        const float *here = &now[y * width + x];
        tile[row][column] = *here;
        if (threadIdx.x == 0)
            tile[row][0] = x > 0 ? here[-1] : 0.0f;
        if (threadIdx.x == TILE - 1 || x == width - 1)
            tile[row][column + 1] = x < width - 1 ? here[1] : 0.0f;
        if (threadIdx.y == 0)
            tile[0][column] = y > 0 ? here[-width] : 0.0f;
        if (threadIdx.y == TILE - 1 || y == height - 1)
            tile[row + 1][column] = y < height - 1 ? here[width] : 0.0f;
    }
    __syncthreads();

    if (x < width && y < height) {
        const float around = tile[row][column - 1] + tile[row][column + 1] +
                             tile[row - 1][column] + tile[row + 1][column];
        const int place = y * width + x;
        next[place] = 2.0f * tile[row][column] - next[place] +
                      SPEED * (around - 4.0f * tile[row][column]);
    }
}

int main(int argc, char **argv)
{
    const int width = argument(argc, argv, 1, 70), height = argument(argc, argv, 2, 50);
    const int steps = argument(argc, argv, 3, 3);
    std::vector<float> plate = first_wave(width, height);
    const std::size_t bytes = plate.size() * sizeof(float);

    float *now, *next;
    CHECK(cudaMalloc(&now, bytes));
    CHECK(cudaMalloc(&next, bytes));
    CHECK(cudaMemcpy(now, plate.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(next, plate.data(), bytes, cudaMemcpyHostToDevice));

    const dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), block(TILE, TILE);
    const Stopwatch watch;
    for (int s = 0; s < steps; ++s) {
        step<<<grid, block>>>(now, next, width, height);
        std::swap(now, next);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    CHECK(cudaMemcpy(plate.data(), now, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(now));
    CHECK(cudaFree(next));
    const double sum = profile(plate);
    return report(std::isfinite(sum), sum, ms);
}
