// Macros that a kernel defines between its statements.
#include <cstdio>

__global__ void squares(float *x, int n) {
#define AT(i, j) ((i) * n + (j))
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int half = n / 2;
#define LAST_OF(i) \
    (AT(i, 0) + \
     n - 1)
#define ROW threadIdx.x
    for (int j = 0; j < n; ++j)
        x[AT(i, j)] = i * j + half + x[LAST_OF(i)] + ROW;
}

__global__ void waits(float *x, int n) {
    __shared__ float s[8];
    s[threadIdx.x] = x[AT(threadIdx.x, 1)];
#define OTHER(i) (7 - (i))
    __syncthreads();
    x[AT(threadIdx.x, 0)] = s[OTHER(threadIdx.x)];
}

int main() {
    const int n = 8;
    float *x;
    cudaMallocManaged(&x, n * n * sizeof(float));
    for (int i = 0; i < n * n; ++i)
        x[i] = i;
    squares<<<1, n>>>(x, n);
    waits<<<1, n>>>(x, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n * n; ++i)
        printf("%g\n", x[i]);
    cudaFree(x);
    return 0;
}
