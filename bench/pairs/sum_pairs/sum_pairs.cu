// A sum in two launches: every thread adds two elements a step over the grid's stride, the block
// adds its threads up in a tree, and one block adds what the blocks found.
//
// usage: sum_pairs [elements] [repeats]

#include "sum_pairs.hpp"

#include <cuda_runtime.h>

constexpr unsigned MAX_BLOCKS = 64;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

template <unsigned BLOCK> __global__ void sum_pairs(const float *in, float *out, unsigned n)
{
    __shared__ float shared[BLOCK];
    const unsigned t = threadIdx.x;
    const unsigned stride = BLOCK * 2 * gridDim.x;
    unsigned i = blockIdx.x * BLOCK * 2 + t;

    float sum = 0.0f;
    while (i < n) {
        sum += in[i];
        if (i + BLOCK < n)
            sum += in[i + BLOCK];
        i += stride;
    }
    shared[t] = sum;
    __syncthreads();

    for (unsigned half = BLOCK / 2; half > 0; half >>= 1) {
        if (t < half)
            shared[t] = sum = sum + shared[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sum;
}

int main(int argc, char **argv)
{
    const unsigned n = argument(argc, argv, 1, 100000);
    const int repeats = argument(argc, argv, 2, 2);
    const std::vector<float> values = values_to_add(n);

    float *d_values, *d_partial, *d_sum;
    CHECK(cudaMalloc(&d_values, n * sizeof(float)));
    CHECK(cudaMalloc(&d_partial, MAX_BLOCKS * sizeof(float)));
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    CHECK(cudaMemcpy(d_values, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    const unsigned blocks = std::min((n + 511) / 512, MAX_BLOCKS);
    float sum = 0.0f;
    const Stopwatch watch;
    for (int r = 0; r < repeats; ++r) {
        sum_pairs<256><<<blocks, 256>>>(d_values, d_partial, n);
        sum_pairs<32><<<1, 32>>>(d_partial, d_sum, blocks);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
    }
    const double ms = watch.milliseconds();

    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_partial));
    CHECK(cudaFree(d_sum));
    return report(is_right(sum, values), sum, ms);
}
