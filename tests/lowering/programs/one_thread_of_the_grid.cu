// What one thread of the grid does, and single threads whose index is a sum.
#include <cstdio>
const int B = 64;
__device__ void fill(float *c, int n) { for (int k = 0; k < n; ++k) c[k] += 1; }
__global__ void only(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        float sum = 0;
        for (int k = 0; k < n; ++k)
            sum += p[k];
        p[0] = sum;
    }
}
__global__ void guard(float *p, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i > 0) return;
    p[1] = p[0] * n;
}
__global__ void leaves(float *p, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i == 0) {
        if (n < 0) return;
        p[2] = p[1] + n;
    }
}
__global__ void single(float *p) { if (threadIdx.x == 0 && blockIdx.x == 0) { p[3] = 7; } }
__global__ void both(float *w, float *u, int n) {
    int block_id = blockIdx.x;
    int i = B * block_id + threadIdx.x;
    __shared__ float buffer[B];
    if (i < n)
        w[i] = w[i] / 2;
    __syncthreads();
    if (i == 0) { // the first
        fill(u, n);
        u[0] = 1.f / n + i;
    }
    __syncthreads();
    if (threadIdx.x == 0) buffer[0] = w[i];
    __syncthreads();
    if (i < n)
        w[i] += buffer[0];
}
int main() {
    float *x, *u; cudaMallocManaged(&x, 4096); cudaMallocManaged(&u, 4096);
    for (int i = 0; i < 512; i++) x[i] = i, u[i] = -i;
    only<<<2, 64>>>(x, 100); guard<<<2, 64>>>(x, 3); leaves<<<2, 64>>>(x, 3); single<<<2, 32>>>(x); both<<<4, B>>>(x, u, 250);
    cudaDeviceSynchronize();
    for (int i = 0; i < 20; i++) printf("%g %g\n", x[i], u[i]);
}
