// Dot product in two stages on managed memory: one partial result per block, then one block that
// adds up the partial results.
//
// usage: dot_product [elements [repetitions]]
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

const int threads_per_block = 256;
const int max_blocks = 32;

inline int imin(int a, int b) { return a < b ? a : b; }

static void handle_error(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (handle_error(err, __FILE__, __LINE__))

__global__ void dot(const double *a, const double *b, double *partial, int n)
{
    __shared__ double cache[threads_per_block];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cache_index = threadIdx.x;

    double temp = 0.0;
    while (tid < n) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cache_index] = temp;
    __syncthreads();

    // Halve the number of values until one is left; threads_per_block is a power of two.
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cache_index < i)
            cache[cache_index] += cache[cache_index + i];
        __syncthreads();
        i /= 2;
    }

    if (cache_index == 0)
        partial[blockIdx.x] = cache[0];
}

// One block of max_blocks threads.
__global__ void finish(const double *partial, double *result, int count)
{
    __shared__ double cache[max_blocks];
    const int i = threadIdx.x;
    cache[i] = i < count ? partial[i] : 0.0;
    __syncthreads();
    if (i == 0) {
        double total = 0.0;
        for (int k = 0; k < max_blocks; k++)
            total += cache[k];
        *result = total;
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 33 * 1024;
    const int repetitions = argc > 2 ? atoi(argv[2]) : 1;
    const int blocks = imin(max_blocks, (n + threads_per_block - 1) / threads_per_block);

    double *a, *b, *partial, *result;
    HANDLE_ERROR(cudaMallocManaged(&a, n * sizeof(double)));
    HANDLE_ERROR(cudaMallocManaged(&b, n * sizeof(double)));
    HANDLE_ERROR(cudaMallocManaged(&partial, blocks * sizeof(double)));
    HANDLE_ERROR(cudaMallocManaged(&result, sizeof(double)));

    unsigned int seed = 3141u;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (seed >> 16) / 65536.0;
        seed = seed * 1664525u + 1013904223u;
        b[i] = (seed >> 16) / 65536.0 - 0.25;
    }

    cudaEvent_t start, stop;
    HANDLE_ERROR(cudaEventCreate(&start));
    HANDLE_ERROR(cudaEventCreate(&stop));
    HANDLE_ERROR(cudaEventRecord(start, 0));
    for (int r = 0; r < repetitions; r++) {
        dot<<<blocks, threads_per_block>>>(a, b, partial, n);
        finish<<<1, max_blocks>>>(partial, result, blocks);
    }
    HANDLE_ERROR(cudaEventRecord(stop, 0));
    HANDLE_ERROR(cudaDeviceSynchronize());
    float elapsed;
    HANDLE_ERROR(cudaEventElapsedTime(&elapsed, start, stop));

    double expected = 0.0;
    for (int i = 0; i < n; i++)
        expected += a[i] * b[i];
    const int ok = fabs(*result - expected) <= 1e-10 * fabs(expected);

    printf("time_ms %.3f\n", elapsed);
    printf("blocks %d\n", blocks);
    printf("dot product %.6e\n", *result);
    puts(ok ? "PASS" : "FAIL");

    HANDLE_ERROR(cudaEventDestroy(start));
    HANDLE_ERROR(cudaEventDestroy(stop));
    HANDLE_ERROR(cudaFree(a));
    HANDLE_ERROR(cudaFree(b));
    HANDLE_ERROR(cudaFree(partial));
    HANDLE_ERROR(cudaFree(result));
    return ok ? 0 : 1;
}
