// Blocks that walk through memory in steps of the whole grid.
#include <cstdio>

#define THREADS 32

__device__ int key(int value) { return value % 16; }

__global__ void count(const int *values, int *counts, int n)
{
    __shared__ int local[16];
    if (threadIdx.x < 16)
        local[threadIdx.x] = 0;
    __syncthreads();
    // The last step is not a whole one.
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[key(values[i])], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

__global__ void count_unsigned(const int *values, int *counts, unsigned n)
{
    __shared__ int local[16];
    if (threadIdx.x < 16)
        local[threadIdx.x] = 0;
    __syncthreads();
    unsigned step = gridDim.x * THREADS;
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += step) {
        if (values[i] < 3)
            continue;
        atomicAdd(&local[key(values[i])], 1);
    }
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

// The start wraps around for the first block, a thread stops early, a loop in each step.
__global__ void count_otherwise(const int *values, int *counts, unsigned n)
{
    __shared__ int local[16];
    if (threadIdx.x < 16)
        local[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * THREADS - 3 + threadIdx.x; i < n; i += gridDim.x * THREADS)
        atomicAdd(&local[key(values[i])], 1);
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < (int)n; i += gridDim.x * THREADS) {
        if (values[i] > 90)
            break;
        atomicAdd(&local[key(values[i])], 1);
    }
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < (int)n; i += gridDim.x * THREADS)
        for (int k = 0; k < 2; ++k)
            atomicAdd(&local[key(values[i] + k)], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

// One sum for each thread.
__global__ void add(const double *a, const double *b, double *partial, int n)
{
    __shared__ double cache[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    double sum = 0;
    while (i < n) {
        sum += a[i] * b[i];
        i += gridDim.x * THREADS;
    }
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            cache[threadIdx.x] += cache[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = cache[0];
}

int main()
{
    const int n = 1000;
    int *values, *counts;
    double *a, *b, *partial;
    cudaMallocManaged(&values, n * sizeof *values);
    cudaMallocManaged(&counts, 64 * sizeof *counts);
    cudaMallocManaged(&a, n * sizeof *a);
    cudaMallocManaged(&b, n * sizeof *b);
    cudaMallocManaged(&partial, 3 * sizeof *partial);
    for (int i = 0; i < n; ++i) {
        values[i] = i * i % 97;
        a[i] = i % 13;
        b[i] = i % 7 - 3;
    }
    for (int i = 0; i < 64; ++i)
        counts[i] = 0;
    count<<<3, THREADS>>>(values, counts, n);
    count<<<2, THREADS>>>(values, counts, 5);
    count_unsigned<<<3, THREADS>>>(values, counts + 16, n);
    count_otherwise<<<3, THREADS>>>(values, counts + 32, n);
    add<<<3, THREADS>>>(a, b, partial, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%d%c", counts[i], i % 16 == 15 ? '\n' : ' ');
    for (int i = 0; i < 3; ++i)
        printf("%g ", partial[i]);
}
