// A lock taken by threads of all blocks, a barrier between blocks by counting, and the pattern in
// which the last block that arrives does the final step.
#include <cstdio>

__device__ int lock_ = 0;
__device__ unsigned arrived = 0, finished = 0;

__global__ void locked(volatile int *value) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock_, 0, 1) == 0) {
            *value = *value + 1;
            __threadfence();
            atomicExch(&lock_, 0);
            done = true;
        }
    }
}

// Waits for blocks that may not have started: they have to be made resident.
__global__ void meet(int *x, volatile int *flags) {
    if (threadIdx.x == 0) {
        x[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        flags[blockIdx.x] = 1;
        for (unsigned b = 0; b < gridDim.x; ++b)
            while (flags[b] == 0)
                ;
    }
    __syncthreads();
    x[gridDim.x + blockIdx.x * blockDim.x + threadIdx.x] = x[(blockIdx.x + 1) % gridDim.x];
}

__global__ void lastBlock(const int *x, int *sum) {
    __shared__ bool last;
    if (threadIdx.x == 0)
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        *sum = 0;
        for (unsigned i = 0; i < gridDim.x; ++i)
            *sum += x[i];
    }
}

int main() {
    int *x;
    cudaMallocManaged(&x, 100 * sizeof(int));
    cudaMemset(x, 0, 100 * sizeof(int));
    locked<<<3, 40>>>(x);
    cudaDeviceSynchronize();
    printf("%d\n", x[0]);
    meet<<<6, 5>>>(x, x + 90);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", x[6], x[15], x[35]);
    lastBlock<<<6, 8>>>(x, x + 99);
    printf("%d\n", x[99]);
}
// output: 120
// output: 2 3 1
// output: 21
