// Launches that no device can run fail, and say so.
#include <cstdio>
#define BIG 2048
__global__ void k(int *x) { x[threadIdx.x] = 1; }
__global__ void s(int *x, int n) { extern __shared__ int b[]; b[threadIdx.x] = n; __syncthreads(); x[threadIdx.x] = b[0]; }
static const char *name() { return cudaGetErrorName(cudaGetLastError()); }
int main() {
    int *x; cudaMalloc(&x, 4096 * 4);
    cudaMemset(x, 0, 4096 * 4);
    k<<<1, BIG>>>(x); printf("%s\n", name());
    k<<<1, 64>>>(x); printf("%s\n", name());
    k<<<0, 64>>>(x); printf("%s\n", name());
    dim3 block(64, 32); s<<<dim3(1), block, 400>>>(x, 3); printf("%s\n", name());
    int b = 1024; k<<<1, b * 2>>>(x); printf("%s\n", name());
    int h[4]; cudaMemcpy(h, x, 16, cudaMemcpyDeviceToHost); printf("%d\n", h[0]);
}
