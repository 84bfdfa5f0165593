// Histogram of samples in [0, 1). Each block counts into bins of its own in shared memory and adds
// them to the result once at the end.
//
// usage: histogram [samples [repetitions]]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define NUM_BINS 256
#define BLOCK_SIZE 128
#define MAX_BLOCKS 64

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));        \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

// The bin of a sample; what lies outside of [0, 1) is counted in the first or the last one.
__host__ __device__ static int bin_of(float sample)
{
    int bin = static_cast<int>(sample * NUM_BINS);
    if (bin < 0)
        bin = 0;
    if (bin >= NUM_BINS)
        bin = NUM_BINS - 1;
    return bin;
}

__global__ void histogram(const float *samples, unsigned int *bins, int n)
{
    __shared__ unsigned int local[NUM_BINS];

    // There are more bins than threads.
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();

    const int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[bin_of(samples[i])], 1u);
    __syncthreads();

    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
        // Empty bins are common when a block sees few samples.
        if (local[b] > 0)
            atomicAdd(&bins[b], local[b]);
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 30000;
    const int repetitions = argc > 2 ? atoi(argv[2]) : 1;
    int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (blocks > MAX_BLOCKS)
        blocks = MAX_BLOCKS;

    // The mean of two uniform values: a triangular distribution.
    std::vector<float> samples(n);
    unsigned state = 1618u;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        const unsigned first = state >> 12;
        state = state * 1664525u + 1013904223u;
        samples[i] = static_cast<float>(first + (state >> 12)) / 2097152.0f;
    }

    float *d_samples;
    unsigned int *d_bins;
    CHECK(cudaMalloc(&d_samples, n * sizeof(float)));
    CHECK(cudaMalloc(&d_bins, NUM_BINS * sizeof(unsigned int)));
    CHECK(cudaMemcpy(d_samples, samples.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    for (int r = 0; r < repetitions; ++r) {
        CHECK(cudaMemset(d_bins, 0, NUM_BINS * sizeof(unsigned int)));
        histogram<<<blocks, BLOCK_SIZE>>>(d_samples, d_bins, n);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));

    std::vector<unsigned int> bins(NUM_BINS), expected(NUM_BINS, 0u);
    CHECK(cudaMemcpy(bins.data(), d_bins, NUM_BINS * sizeof(unsigned int),
                     cudaMemcpyDeviceToHost));
    for (float sample : samples)
        ++expected[bin_of(sample)];

    unsigned long long counted = 0, moment = 0;
    int mode = 0;
    for (int b = 0; b < NUM_BINS; ++b) {
        counted += bins[b];
        moment += static_cast<unsigned long long>(bins[b]) * b;
        if (bins[b] > bins[mode])
            mode = b;
    }
    const bool ok = bins == expected;

    printf("time_ms %.3f\n", milliseconds);
    printf("counted %llu\n", counted);
    printf("first moment %llu\n", moment);
    printf("mode %d with %u\n", mode, bins[mode]);
    printf("%s\n", ok ? "PASS" : "FAIL");

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_samples));
    CHECK(cudaFree(d_bins));
    return ok ? 0 : 1;
}
