// Numbers that wrap around are no digits, and starts below zero no first ones where signs are lost.
#include <cstdio>
__global__ void a(const float *x, float *y, unsigned n, int off) {
    __shared__ float s[32];
    for (int i = off + (int)threadIdx.x; i < n; i += 32) {
        s[threadIdx.x] = x[i];
        __syncthreads();
        y[i] = s[threadIdx.x] * 2;
        __syncthreads();
    }
}
__global__ void b(const float *x, float *y, int n, unsigned off) {
    __shared__ float s[32];
    for (unsigned i = off + threadIdx.x; i < n; i += blockDim.x) {
        s[threadIdx.x] = x[i];
        __syncthreads();
        y[i] += s[threadIdx.x] * 2;
        __syncthreads();
    }
}
__global__ void c(unsigned *z) {
    unsigned h = (blockIdx.x * 2654435761u * blockDim.x + threadIdx.x) / blockDim.x;
    unsigned g = (threadIdx.x * threadIdx.x * blockDim.x * 40503u * 65537u + threadIdx.x) % blockDim.x;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / blockDim.x;
    z[blockIdx.x * blockDim.x + threadIdx.x] = h + 3 * g + row;
}
int main() {
    float *x, *y; unsigned *z; cudaMallocManaged(&x, 800); cudaMallocManaged(&y, 800); cudaMallocManaged(&z, 800);
    for (int i = 0; i < 200; i++) x[i] = i, y[i] = 0, z[i] = 0;
    a<<<1, 32>>>(x, y, 90, -5);
    cudaDeviceSynchronize();
    b<<<1, 32>>>(x, y, 90, -7);
    c<<<6, 30>>>(z);
    cudaDeviceSynchronize();
    for (int i = 0; i < 200; i++) printf("%g %u\n", y[i], z[i]);
}
