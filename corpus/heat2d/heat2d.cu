// Explicit time stepping of the heat equation on a square plate whose rim is held at a fixed
// temperature. Two buffers change roles after each step.
//
// usage: heat2d [cells per side [steps]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#define BLOCK_X 32
#define BLOCK_Y 8

#define CUDA_CHECK(expr)                                                                           \
    {                                                                                              \
        const cudaError_t err_ = (expr);                                                           \
        if (err_ != cudaSuccess) {                                                                 \
            fprintf(stderr, "CUDA error %d (%s) at line %d\n", int(err_),                          \
                    cudaGetErrorString(err_), __LINE__);                                           \
            return EXIT_FAILURE;                                                                   \
        }                                                                                          \
    }

// One step: v = u + k * laplace(u) in the interior. The rim of v already holds the rim of u.
__global__ void heat_step(const double *__restrict__ u, double *__restrict__ v, int n, double k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < 1 || col < 1 || row >= n - 1 || col >= n - 1)
        return;

    int center = row * n + col;
    double north = u[center - n];
    double south = u[center + n];
    double west = u[center - 1];
    double east = u[center + 1];
    v[center] = u[center] + k * (north + south + west + east - 4.0 * u[center]);
}

// Temperatures in [0, 100) from a linear congruential generator.
static void fill(std::vector<double> &field)
{
    unsigned int state = 7u;
    for (double &value : field) {
        state = 1664525u * state + 1013904223u;
        value = 100.0 * (state >> 8) / 16777216.0;
    }
}

static void reference(std::vector<double> &u, int n, int steps, double k)
{
    std::vector<double> v = u;
    for (int step = 0; step < steps; ++step) {
        for (int i = 1; i < n - 1; ++i)
            for (int j = 1; j < n - 1; ++j) {
                const int c = i * n + j;
                v[c] = u[c] + k * (u[c - n] + u[c + n] + u[c - 1] + u[c + 1] - 4.0 * u[c]);
            }
        std::swap(u, v);
    }
}

int main(int argc, char *argv[])
{
    int n = 100;
    int steps = 8;
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2)
        steps = atoi(argv[2]);
    const double k = 0.2;

    std::vector<double> host(size_t(n) * n);
    fill(host);
    const size_t bytes = host.size() * sizeof(double);

    double *current, *next;
    CUDA_CHECK(cudaMalloc(&current, bytes));
    CUDA_CHECK(cudaMalloc(&next, bytes));
    CUDA_CHECK(cudaMemcpy(current, host.data(), bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(next, current, bytes, cudaMemcpyDeviceToDevice));

    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);

    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    for (int step = 0; step < steps; ++step) {
        heat_step<<<grid, block>>>(current, next, n, k);
        std::swap(current, next);
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));

    std::vector<double> result(host.size());
    CUDA_CHECK(cudaMemcpy(result.data(), current, bytes, cudaMemcpyDeviceToHost));
    reference(host, n, steps, k);

    double worst = 0.0, total = 0.0, energy = 0.0;
    for (size_t c = 0; c < result.size(); ++c) {
        worst = std::fmax(worst, std::fabs(result[c] - host[c]));
        total += result[c];
        energy += result[c] * result[c];
    }
    const bool ok = worst < 1e-10;

    printf("time_ms %.3f\n", ms);
    printf("total %.6e\n", total);
    printf("energy %.6e\n", energy);
    printf("%s\n", ok ? "PASS" : "FAIL");

    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    CUDA_CHECK(cudaFree(current));
    CUDA_CHECK(cudaFree(next));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
