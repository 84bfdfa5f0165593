// Atomics on shared and global memory.
#include <cstdio>

__global__ void histogram(const unsigned char *data, int n, unsigned *bins, float *sum, int *extremes) {
    __shared__ unsigned local[16];
    if (threadIdx.x < 16)
        local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[data[i] % 16], 1u);
        atomicAdd(sum, 0.25f);
        atomicMin(&extremes[0], i - 100);
        atomicMax(&extremes[1], data[i]);
    }
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(bins + threadIdx.x, local[threadIdx.x]);
}

// A double sum by compare-and-swap, as it is written for old devices.
__global__ void casSum(unsigned long long *cell) {
    unsigned long long old = *cell, assumed;
    do {
        assumed = old;
        old = atomicCAS(cell, assumed,
                        __double_as_longlong(__longlong_as_double(assumed) + threadIdx.x));
    } while (assumed != old);
}

__global__ void ring(unsigned *c) {
    atomicInc(&c[0], 4);
    atomicDec(&c[1], 4);
    atomicXor(&c[2], 1u << (threadIdx.x % 7));
    atomicOr(&c[3], 1u << threadIdx.x % 5);
    atomicSub(&c[4], 2u);
    atomicExch(&c[5], 9u);
    atomicAnd(&c[6], ~(1u << threadIdx.x));
}

int main() {
    unsigned char *data;
    unsigned *bins;
    float *sum;
    int *extremes;
    cudaMallocManaged(&data, 1000);
    cudaMallocManaged(&bins, 16 * sizeof *bins);
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&extremes, 2 * sizeof *extremes);
    for (int i = 0; i < 1000; ++i)
        data[i] = (unsigned char)(i * i);
    cudaMemset(bins, 0, 16 * sizeof *bins);
    *sum = 0;
    extremes[0] = extremes[1] = 0;
    histogram<<<3, 96>>>(data, 1000, bins, sum, extremes);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        printf("%u ", bins[i]);
    printf("\n%g %d %d\n", *sum, extremes[0], extremes[1]);
    unsigned long long *cell;
    cudaMallocManaged(&cell, sizeof *cell);
    *cell = 0;
    casSum<<<1, 100>>>(cell);
    printf("%g\n", *(double *)cell);
    unsigned start[7] = {0, 0, 0, 0, 100, 0, ~0u};
    cudaMemcpy(bins, start, sizeof start, cudaMemcpyHostToDevice);
    ring<<<1, 23>>>(bins);
    for (int i = 0; i < 7; ++i)
        printf("%u ", bins[i]);
    printf("\n");
}
// output: 250 250 0 0 250 0 0 0 0 250 0 0 0 0 0 0
// output: 250 -100 249
// output: 4950
// output: 3 2 124 31 54 9 4286578688
