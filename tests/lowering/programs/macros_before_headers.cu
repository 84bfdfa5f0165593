// Macros that are defined in front of CUDA's header, or of where nvcc puts it.
// Program.
#define T float
#define N 100
#define block 3
#define min(a, b) ((a) < (b) ? (a) : (b))
#define value 5
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void k(T *x) { x[threadIdx.x] = min(threadIdx.x, N) + block + value; }
int main() { T *x; cudaMallocManaged(&x, N * sizeof(T)); k<<<1, N>>>(x); cudaDeviceSynchronize(); printf("%g\n", x[N - 1]); }
