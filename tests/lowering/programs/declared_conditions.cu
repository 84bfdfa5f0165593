// Conditions that declare a variable, in functions that are inlined.
#include <cstdio>
__device__ int first(unsigned pending) {
    int sum = 0;
    while (auto queue = __ballot_sync(0xffffffffu, pending > 0)) {
        int lane = __ffs(queue) - 1;
        sum += __shfl_sync(0xffffffffu, pending, lane) * (lane + 1);
        if ((threadIdx.x & 31) == lane) pending = 0;
    }
    if (auto queue = __ballot_sync(0xffffffffu, sum > 5)) sum += __popc(queue);
    return sum;
}
__global__ void k(const unsigned *x, int *out) {
    unsigned queue = x[threadIdx.x];
    out[threadIdx.x] = first(queue) + first(queue * 2);
}
int main() {
    unsigned x[64], *d; int *o, h[64];
    for (int i = 0; i < 64; ++i) x[i] = i * 7 % 5;
    cudaMalloc(&d, sizeof x); cudaMalloc(&o, sizeof h);
    cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(d, o);
    cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i) printf("%d ", h[i]);
    printf("\n");
}
