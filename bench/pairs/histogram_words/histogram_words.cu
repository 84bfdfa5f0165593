// A histogram: every warp counts into bins of its own in shared memory, which the block adds up.
//
// usage: histogram_words [words] [repeats]

#include "histogram_words.hpp"

#include <cuda_runtime.h>

constexpr int WARPS = 6;
constexpr int BLOCK = WARPS * 32;
constexpr int BLOCKS = 240;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__device__ void count_byte(unsigned *bins, unsigned byte)
{
    atomicAdd(bins + byte, 1u);
}

__device__ void count_word(unsigned *bins, unsigned word)
{
    count_byte(bins, word & 0xffu);
    count_byte(bins, word >> 8 & 0xffu);
    count_byte(bins, word >> 16 & 0xffu);
    count_byte(bins, word >> 24);
}

__global__ void histogram(unsigned *bins, const unsigned *words, unsigned n)
{
    __shared__ unsigned counts[WARPS * BINS];
    unsigned *warp_counts = counts + (threadIdx.x / 32) * BINS;

    for (int i = threadIdx.x; i < WARPS * BINS; i += blockDim.x)
        counts[i] = 0;
    __syncthreads();

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        count_word(warp_counts, words[i]);
    __syncthreads();

    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        unsigned sum = 0;
        for (int warp = 0; warp < WARPS; warp++)
            sum += counts[warp * BINS + bin];
        atomicAdd(&bins[bin], sum);
    }
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 50000);
    const int repeats = argument(argc, argv, 2, 2);
    const std::vector<unsigned> words = make_words(n);
    unsigned *d_words, *d_bins;
    CHECK(cudaMalloc(&d_words, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&d_bins, BINS * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_words, words.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));

    const Stopwatch watch;
    for (int r = 0; r < repeats; ++r) {
        CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
        histogram<<<BLOCKS, BLOCK>>>(d_bins, d_words, n);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<unsigned> bins(BINS);
    CHECK(cudaMemcpy(bins.data(), d_bins, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_words));
    CHECK(cudaFree(d_bins));
    return finish(words, bins, ms);
}
