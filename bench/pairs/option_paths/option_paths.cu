// Monte Carlo: threads take paths over the grid's stride; blocks add up in shared memory.
//
// usage: option_paths [paths] [steps]

#include "option_paths.hpp"

#include <cuda_runtime.h>

constexpr int BLOCK = 128;
constexpr int BLOCKS = 120;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__device__ unsigned mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// Between -1 and 1, those in the middle more often.
__device__ float shock_of(unsigned path, unsigned step)
{
    const unsigned bits = mix(path * 2654435769u + step);
    return ((float)(bits & 0xffff) + (float)(bits >> 16)) / 65536.0f - 1.0f;
}

__device__ float payoff(unsigned path, int steps)
{
    float price = START, total = 0.0f;
    for (int step = 0; step < steps; step++) {
        price *= 1.0f + DRIFT + VOLATILITY * shock_of(path, step);
        total += price;
    }
    return fmaxf(total / (float)steps - STRIKE, 0.0f);
}

__global__ void simulate(unsigned paths, int steps, double *sums)
{
    __shared__ double shared[BLOCK];
    double sum = 0.0;
    for (unsigned path = blockIdx.x * blockDim.x + threadIdx.x; path < paths;
         path += blockDim.x * gridDim.x)
        sum += payoff(path, steps);

    shared[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared[0];
}

int main(int argc, char **argv)
{
    const Option option = make_option(argc, argv);
    double *d_sums, sums[BLOCKS], price = 0.0;
    CHECK(cudaMalloc(&d_sums, sizeof(sums)));

    const Stopwatch watch;
    simulate<<<BLOCKS, BLOCK>>>(option.paths, option.steps, d_sums);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost));
    for (double sum : sums)
        price += sum / option.paths;
    const double ms = watch.milliseconds();

    CHECK(cudaFree(d_sums));
    return finish(option, price, ms);
}
