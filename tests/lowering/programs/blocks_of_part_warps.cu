// Shuffles and single threads in blocks that are no multiple of a warp: absent lanes give 0.
#include <cstdio>
__global__ void k1(const float *x, float *y) {
    int tid = threadIdx.x;
    float v = x[blockIdx.x * blockDim.x + tid];
    for (int offset = 16; offset > 0; offset >>= 1)
        v += __shfl_down_sync(0xffffffff, v, offset);
    if (tid == 0)
        y[blockIdx.x] = v;
}
__global__ void k2(const float *x, float *y) {
    int tid = threadIdx.x;
    float v = x[blockIdx.x * blockDim.x + tid];
    for (int offset = 16; offset > 0; offset >>= 1)
        v += __shfl_down_sync(0xffffffff, v, offset);
    if (tid % 32 == 0)
        y[blockIdx.x * 2 + tid / 32] = v;
}
__global__ void k3(const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float s[64];
    s[threadIdx.x] = x[i];
    __syncthreads();
    if (i == 0) y[0] = s[0];
    if (!threadIdx.x) y[1 + blockIdx.x] = s[0] * 2;
}
int main() {
    float *x, *y; cudaMallocManaged(&x, 4096); cudaMallocManaged(&y, 4096);
    for (int i = 0; i < 1024; i++) x[i] = (i * 37 % 101) / 8.f;
    for (int b : {40, 33, 64, 17, 1, 31}) {
        for (int i = 0; i < 32; i++) y[i] = -1;
        k1<<<3, b>>>(x, y); k2<<<3, b>>>(x, y + 4); cudaDeviceSynchronize();
        for (int i = 0; i < 12; i++) printf("%g ", y[i]);
        k3<<<3, b>>>(x, y); cudaDeviceSynchronize();
        for (int i = 0; i < 12; i++) printf("%g ", y[i]);
        printf("\n");
    }
}
