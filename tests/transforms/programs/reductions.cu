// Atomic additions to few elements: which become reductions, and which must not.
#include <cstdio>
#include <cuda_runtime.h>

#define BINS 32
#define THREADS 64

// Becomes one loop over all values.
__global__ void histogram(const int *values, int *bins, int n)
{
    __shared__ int own[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        own[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[values[i] % BINS], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], own[b]);
}

// The block looks at its own counters, so that they stay.
__global__ void frequent(const int *values, int *bins, int n)
{
    __shared__ int own[BINS];
    if (threadIdx.x < BINS)
        own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&own[values[i] % BINS], 1);
    __syncthreads();
    if (threadIdx.x < BINS && own[threadIdx.x] > 2)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// One counter for what the threads find; the other may not exist.
__global__ void count(const int *values, int *odd, int *all, bool wanted, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (values[i] % 2 != 0)
        atomicAdd(odd, 1);
    if (wanted)
        atomicAdd(all, 1);
}

// The sum may be one of the bins, to which other threads add meanwhile.
__global__ void split(const int *values, int *sum, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (values[i] % 2 != 0)
        atomicAdd(sum, values[i]);
    else
        atomicAdd(&bins[values[i] % 4], values[i]);
}

// A single thread sees through `seen` what it has added.
__global__ void running(int *sum, const int *seen, int *out, int n)
{
    for (int i = 0; i < n; ++i) {
        atomicAdd(sum, i);
        out[i] = seen[0];
    }
}

// So does the only thread that finds something, through a reference.
__global__ void seen_by_name(int *sum, const int *seen, const int *values, float *found,
                             int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || values[i] != 96)
        return;
    const int &now = seen[0];
    atomicAdd(sum, 3);
    found[0] = now;
}

// Floats are added up as the threads come: the result is a little different each time.
__global__ void moments(const float *x, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&sums[0], x[i]);
        atomicAdd(&sums[2], x[i] * x[i]);
    }
}

// As many sums as the launch says: each thread has some of its own.
__global__ void grouped(const float *x, double *sums, int *sizes, int n, int groups)
{
    extern __shared__ float own[];
    int *own_sizes = (int *)&own[groups];
    for (int g = threadIdx.x; g < groups; g += blockDim.x) {
        own[g] = 0.0f;
        own_sizes[g] = 0;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&own[i % groups], x[i]);
        atomicAdd(&own_sizes[i % groups], 1);
    }
    __syncthreads();
    for (int g = threadIdx.x; g < groups; g += blockDim.x) {
        atomicAdd(&sums[g], (double)own[g]);
        atomicAdd(&sizes[g], own_sizes[g]);
    }
}

int main()
{
    const int n = 1000;
    int *values, *out;
    float *x;
    cudaMallocManaged(&values, n * sizeof(int));
    cudaMallocManaged(&out, (n + 2 * BINS + 2) * sizeof(int));
    cudaMallocManaged(&x, (n + 3) * sizeof(float));
    for (int i = 0; i < n; ++i) {
        values[i] = i * i % 97;
        x[i] = (float)(i % 8);
    }
    for (int i = 0; i < n + 2 * BINS + 2; ++i)
        out[i] = 5;
    for (int i = n; i < n + 3; ++i)
        x[i] = 1.0f;
    histogram<<<3, THREADS>>>(values, out, n);
    frequent<<<(n + THREADS - 1) / THREADS, THREADS>>>(values, out + BINS, n);
    count<<<8, 128>>>(values, out + 2 * BINS, nullptr, false, n);
    running<<<1, 1>>>(out + 2 * BINS + 1, out + 2 * BINS + 1, out + 2 * BINS + 2, n);
    seen_by_name<<<8, 128>>>(out + 1, out + 1, values, x + n, 50);
    moments<<<8, 128>>>(x, x + n, n);
    const int groups = 5;
    double *sums;
    int *sizes;
    cudaMallocManaged(&sums, groups * sizeof(double));
    cudaMallocManaged(&sizes, groups * sizeof(int));
    for (int g = 0; g < groups; ++g) {
        sums[g] = 0.5;
        sizes[g] = g;
    }
    grouped<<<8, 128, groups * 8>>>(x, sums, sizes, n, groups);
    grouped<<<8, 128>>>(x, nullptr, nullptr, 0, 0);
    split<<<8, 128>>>(values, sizes + 2, sizes, n);
    cudaDeviceSynchronize();
    for (int g = 0; g < groups; ++g)
        printf("%g %d\n", sums[g], sizes[g]);
    long hash = 0;
    for (int i = 0; i < n + 2 * BINS + 2; ++i)
        hash = (hash * 31 + out[i]) % 1000000007;
    printf("%ld %d %d %g %g %g\n", hash, out[3], out[2 * BINS], x[n], x[n + 1], x[n + 2]);
    return 0;
}
