// Values that all lanes of a warp have alike in operations between lanes, spelled with macros.
#include <cstdio>
#define LOG 5
#define BINS 16
#define MUL(a, b) __mul24(a, b)
#define TWICE(x) ((x) * 2)

__global__ void k(int *out) {
    const int base = MUL(threadIdx.x >> LOG, BINS);
    const int other = MUL(BINS, threadIdx.x / TWICE(16)) + TWICE(threadIdx.x & LOG);
    __shared__ int s[64];
    s[threadIdx.x] = MUL(threadIdx.x % BINS, LOG);
    __syncthreads();
    out[threadIdx.x] = base + other + s[63 - threadIdx.x] + __shfl_down_sync(0xffffffffu, base, 1) +
                       __any_sync(0xffffffffu, base) + 2 * __all_sync(0xffffffffu, base == 0) +
                       (__ballot_sync(0xffffffffu, base) >> 30);
}

int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof h);
    k<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i)
        printf("%d ", h[i]);
    printf("\n");
}
