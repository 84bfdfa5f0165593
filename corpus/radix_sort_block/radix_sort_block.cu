// Least-significant-digit radix sort of independent segments, one block for each segment. A pass
// counts the digits of each thread's keys, scans the counters of all threads and digits in shared
// memory and moves the keys to where the scan says.
//
// usage: radix_sort_block [segments]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

constexpr int THREADS = 64;
constexpr int KEYS_PER_THREAD = 4;
constexpr int SEGMENT = THREADS * KEYS_PER_THREAD;
constexpr int DIGIT_BITS = 4;
constexpr int DIGITS = 1 << DIGIT_BITS;
constexpr int KEY_BITS = 32;

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            fprintf(stderr, "line %d: %s\n", __LINE__,                         \
                    cudaGetErrorString(status));                               \
            exit(EXIT_FAILURE);                                                \
        }                                                                      \
    } while (0)

// Exclusive scan of one value per thread; called by the whole block.
__device__ unsigned scan_block(unsigned value, unsigned *sums)
{
    const int tid = threadIdx.x;
    sums[tid] = value;
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        const unsigned below = tid >= distance ? sums[tid - distance] : 0u;
        __syncthreads();
        sums[tid] += below;
        __syncthreads();
    }
    return sums[tid] - value;
}

__global__ void sort_segments(unsigned *keys)
{
    __shared__ unsigned segment[SEGMENT];
    __shared__ unsigned counters[DIGITS * THREADS]; // digit by digit, thread by thread in a digit
    __shared__ unsigned sums[THREADS];

    const int tid = threadIdx.x;
    unsigned *global = keys + blockIdx.x * SEGMENT;

    for (int k = tid; k < SEGMENT; k += THREADS)
        segment[k] = global[k];
    __syncthreads();

    for (int shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
        // Neighbouring keys belong to the same thread: this is what makes a pass stable.
        unsigned own[KEYS_PER_THREAD];
        for (int digit = 0; digit < DIGITS; ++digit)
            counters[digit * THREADS + tid] = 0u;
        for (int k = 0; k < KEYS_PER_THREAD; ++k) {
            own[k] = segment[tid * KEYS_PER_THREAD + k];
            ++counters[((own[k] >> shift) & (DIGITS - 1)) * THREADS + tid];
        }
        __syncthreads();

        // Each thread adds up DIGITS consecutive counters, the block scans these sums ...
        unsigned sum = 0u;
        for (int c = 0; c < DIGITS; ++c)
            sum += counters[tid * DIGITS + c];
        unsigned offset = scan_block(sum, sums);
        // ... and each thread turns its counters into positions.
        for (int c = 0; c < DIGITS; ++c) {
            const unsigned count = counters[tid * DIGITS + c];
            counters[tid * DIGITS + c] = offset;
            offset += count;
        }
        __syncthreads();

        for (int k = 0; k < KEYS_PER_THREAD; ++k) {
            const unsigned digit = (own[k] >> shift) & (DIGITS - 1);
            segment[counters[digit * THREADS + tid]++] = own[k];
        }
        __syncthreads();
    }

    for (int k = tid; k < SEGMENT; k += THREADS)
        global[k] = segment[k];
}

int main(int argc, char **argv)
{
    const int segments = argc > 1 ? atoi(argv[1]) : 8;
    const size_t n = static_cast<size_t>(segments) * SEGMENT;

    std::vector<unsigned> keys(n), sorted(n);
    unsigned state = 5381u;
    for (size_t i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        keys[i] = state ^ (state >> 15);
    }

    unsigned *d_keys;
    CHECK(cudaMalloc(&d_keys, n * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    sort_segments<<<segments, THREADS>>>(d_keys);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0.0f;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpy(sorted.data(), d_keys, n * sizeof(unsigned), cudaMemcpyDeviceToHost));

    for (int s = 0; s < segments; ++s)
        std::sort(keys.begin() + s * SEGMENT, keys.begin() + (s + 1) * SEGMENT);
    const bool ok = keys == sorted;
    unsigned hash = 0u;
    for (unsigned key : sorted)
        hash = (hash ^ key) * 16777619u;

    printf("time_ms %.3f\n", ms);
    printf("first segment %u .. %u\n", sorted[0], sorted[SEGMENT - 1]);
    printf("hash %08x\n", hash);
    printf("%s\n", ok ? "PASS" : "FAIL");

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_keys));
    return ok ? 0 : 1;
}
