// Code for devices before Volta: reductions and scans in a warp over volatile shared memory.
#include <cstdio>

__device__ void warpReduce(volatile int *s, int t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

__global__ void sum(const int *in, int *out) {
    __shared__ int s[64 + 32];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32)
        warpReduce(s, threadIdx.x);
    if (threadIdx.x == 0)
        *out = s[0];
}

__global__ void scan(int *x) {
    volatile __shared__ int s[32];
    int lane = threadIdx.x;
    s[lane] = x[lane];
    if (lane >= 1) s[lane] += s[lane - 1];
    if (lane >= 2) s[lane] = s[lane] + s[lane - 2];
    if (lane >= 4) s[lane] += s[lane - 4];
    if (lane >= 8) s[lane] += s[lane - 8];
    if (lane >= 16)
        s[lane] += s[lane - 16];
    x[lane] = s[lane];
}

__global__ void fenced(int *x) {
    __shared__ int s[48];
    int at = threadIdx.x + 16;
    s[threadIdx.x] = 0;
    s[at] = x[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        __threadfence_block();
        s[at] += at >= 16 + d ? s[at - d] : 0;
    }
    x[threadIdx.x] = s[at];
}

int main() {
    int *x, *out;
    cudaMallocManaged(&x, 64 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 64; ++i)
        x[i] = i;
    sum<<<1, 64>>>(x, out);
    scan<<<1, 32>>>(x);
    fenced<<<1, 32>>>(x + 32);
    printf("%d %d %d %d\n", *out, x[1], x[17], x[31]);
    printf("%d %d\n", x[33], x[63]);
}
// output: 2016 1 153 496
// output: 65 1520
