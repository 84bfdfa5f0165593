// Sum of a vector: a tree reduction in each block, the partial sums are added on the host.
//
// usage: block_sum [elements [threads per block [repetitions]]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t err = (call);                                                                  \
        if (err != cudaSuccess) {                                                                  \
            fprintf(stderr, "error in %s: %s\n", #call, cudaGetErrorString(err));                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

// Tree reduction: one partial sum per block. The block size is a power of two.
__global__ void block_sum(const float *in, float *partial, int n)
{
    extern __shared__ float buf[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    // Threads past the end contribute nothing.
    buf[t] = (i < n) ? in[i] : 0.0f;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            buf[t] += buf[t + s];
        __syncthreads();
    }

    if (t == 0)
        partial[blockIdx.x] = buf[0];
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 20000;
    const int threads = argc > 2 ? atoi(argv[2]) : 256;
    const int repetitions = argc > 3 ? atoi(argv[3]) : 1;
    const int blocks = (n + threads - 1) / threads;
    if (threads < 1 || threads > 1024 || (threads & (threads - 1)) != 0) {
        fprintf(stderr, "the block size must be a power of two up to 1024\n");
        return 2;
    }

    // Multiples of 1/256: the sums over a block are exact.
    std::vector<float> in(n), partial(blocks);
    unsigned state = 271828u;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        in[i] = (float)(state >> 24) / 256.0f;
    }

    float *d_in, *d_partial;
    CHECK(cudaMalloc((void **)&d_in, n * sizeof(float)));
    CHECK(cudaMalloc((void **)&d_partial, blocks * sizeof(float)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    for (int r = 0; r < repetitions; ++r)
        block_sum<<<blocks, threads, threads * sizeof(float)>>>(d_in, d_partial, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0.0f;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpy(partial.data(), d_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));

    double sum = 0.0;
    for (float p : partial)
        sum += p;
    double expected = 0.0;
    for (float value : in)
        expected += value;
    const bool ok = sum == expected;

    printf("time_ms %.3f\n", ms);
    printf("blocks %d\n", blocks);
    printf("sum %.6e\n", sum);
    printf("%s\n", ok ? "PASS" : "FAIL");

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_partial));
    return ok ? 0 : 1;
}
