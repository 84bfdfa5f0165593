// A parameter that has the kernel's own name, and a call of the kernel's neighbour of that name.
#include <cstdio>

__global__ void scale(float *x, float scale, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= scale;
}

__global__ void depth(int *depth, int n) {
    __shared__ int turned[64];
    turned[threadIdx.x] = depth[threadIdx.x];
    __syncthreads();
    depth[threadIdx.x] = turned[63 - threadIdx.x] - n;
}

int main() {
    float *x;
    int *d;
    cudaMallocManaged(&x, 100 * sizeof(float));
    cudaMallocManaged(&d, 64 * sizeof(int));
    for (int i = 0; i < 100; ++i)
        x[i] = float(i);
    for (int i = 0; i < 64; ++i)
        d[i] = i * i;
    scale<<<4, 32>>>(x, 1.5f, 100);
    depth<<<1, 64>>>(d, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 100; ++i)
        printf("%g%c", x[i], i % 20 == 19 ? '\n' : ' ');
    for (int i = 0; i < 64; ++i)
        printf("%d%c", d[i], i % 16 == 15 ? '\n' : ' ');
    return 0;
}
