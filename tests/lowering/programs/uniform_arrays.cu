// Arrays that threads fill alike, or nearly so: behind guards, by one thread, through pointers.
#include <cstdio>
__global__ void k(const float *w, const float *x, float *y, int n) {
    __shared__ float s[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[4], v;
    if (i >= n) return;
    for (int q = 0; q < 4; ++q) a[q] = w[blockIdx.x * 4 + q];
    v = w[blockIdx.x * 4];
    s[threadIdx.x] = x[i] * a[1];
    __syncwarp();
    y[i] = s[threadIdx.x ^ 1] * a[2] + v;
}
__global__ void part(const float *w, float *y) {
    __shared__ float s[32];
    float a[4] = {1, 2, 3, 4}, b[4], c[3] = {};
    for (int q = 0; q < 4; ++q) b[q] = w[q] * a[q];
    if (threadIdx.x == 3) b[1] = 7;
    c[threadIdx.x % 3] = 5;
    float *p = a;
    if (threadIdx.x > 4) p[2] = 9;
    s[threadIdx.x] = b[1] + c[1] + a[2];
    __syncthreads();
    y[threadIdx.x] = s[31 - threadIdx.x] + b[1] * a[2] + c[2] + a[3];
}
int main() {
    float *m;
    cudaMallocManaged(&m, 4096);
    for (int i = 0; i < 1024; ++i) m[i] = i * 0.25f;
    k<<<2, 32>>>(m, m + 100, m + 200, 40);
    part<<<1, 32>>>(m, m + 300);
    cudaDeviceSynchronize();
    for (int i = 0; i < 40; ++i) printf("%g %g\n", m[200 + i], m[300 + i % 32]);
}
