// Estimates pi by throwing points at a quarter circle, with an own random generator.
//
// Coordinates are 31-bit integers, so that a point is inside or outside without any
// rounding and the number of hits is the same everywhere.
//
// usage: monte_carlo_pi [threads] [points per thread]

#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS_PER_BLOCK 128

#define CHECK(call)                                                         \
    do {                                                                    \
        cudaError_t error = call;                                           \
        if (error != cudaSuccess) {                                         \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));  \
            return EXIT_FAILURE;                                            \
        }                                                                   \
    } while (0)

// xorshift64*, seeded by one round of splitmix64 so that neighbours do not correlate.
typedef struct {
    uint64_t s;
} rng_t;

__host__ __device__ static rng_t rng_seed(uint64_t stream)
{
    uint64_t z = (stream + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    rng_t rng;
    rng.s = z != 0 ? z : 1; // the state must not be zero
    return rng;
}

__host__ __device__ static uint64_t rng_next(rng_t *rng)
{
    rng->s ^= rng->s >> 12;
    rng->s ^= rng->s << 25;
    rng->s ^= rng->s >> 27;
    return rng->s * UINT64_C(0x2545F4914F6CDD1D);
}

// 1 when the next point lies inside the circle. One number gives both coordinates.
__host__ __device__ static unsigned throw_point(rng_t *rng)
{
    uint64_t bits = rng_next(rng);
    uint64_t x = bits >> 33;
    uint64_t y = (bits >> 2) & 0x7fffffff;
    return x * x + y * y < (UINT64_C(1) << 62);
}

__global__ void count_hits(unsigned long long *hits, unsigned threads, unsigned points)
{
    __shared__ unsigned block_hits;
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        block_hits = 0;
    __syncthreads();

    if (thread < threads) {
        rng_t rng = rng_seed(thread);
        unsigned mine = 0;
        for (unsigned p = 0; p < points; p++)
            mine += throw_point(&rng);
        atomicAdd(&block_hits, mine);
    }
    __syncthreads();

    // One update of the total per block.
    if (threadIdx.x == 0)
        atomicAdd(hits, (unsigned long long)block_hits);
}

int main(int argc, char **argv)
{
    unsigned threads = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000u;
    unsigned points = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100u;
    if (threads == 0 || points == 0) {
        fprintf(stderr, "usage: %s [threads] [points per thread]\n", argv[0]);
        return 2;
    }

    unsigned long long *d_hits, hits = 0;
    CHECK(cudaMalloc((void **)&d_hits, sizeof(*d_hits)));
    CHECK(cudaMemset(d_hits, 0, sizeof(*d_hits)));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start, 0));
    count_hits<<<(threads + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK, THREADS_PER_BLOCK>>>(
        d_hits, threads, points);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop, 0));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpy(&hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost));

    // The same streams, one after the other.
    unsigned long long expected = 0;
    for (unsigned t = 0; t < threads; t++) {
        rng_t rng = rng_seed(t);
        for (unsigned p = 0; p < points; p++)
            expected += throw_point(&rng);
    }

    double total = (double)threads * points;
    double pi = 4.0 * (double)hits / total;
    // Five standard deviations of the estimate.
    double tolerance = 5.0 * 1.65 / sqrt(total);
    int pass = hits == expected && fabs(pi - 3.14159265358979) < tolerance;
    printf("hits %llu\n", hits);
    printf("pi %.6e\n", pi);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", ms);

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_hits));
    return pass ? 0 : 1;
}
