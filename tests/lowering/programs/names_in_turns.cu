// Names of inner scopes in loops that threads leave one after another.
#include <cstdio>
__global__ void a(const float *x, float *y, int n) {
    __shared__ float s[32];
    float a = threadIdx.x, b = 3;
    int k = 7;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        y[i] = a + b * k;
        float a = x[i], b = a * 2;
        int m = n - (i - threadIdx.x);
        int k = m > 32 ? 32 : m;
        s[threadIdx.x] = a;
        __syncthreads();
        y[i] += s[(threadIdx.x + 1) % k] + a * b;
        __syncthreads();
        { float b = 5; y[i] += b; }
    }
    y[n + threadIdx.x] = a + b + k;
}
__global__ void b(const float *x, float *y, int n) {
    int t = threadIdx.x, i = t;
    float a = t, v = 0;
    while (i < n + t / 32) {
        v += a;
        float a = x[i];
        const float c = a + v, *p = x + i;
        float o = __shfl_xor_sync(0xffffffff, c, 1);
        float v = o * a;
        y[i] = v + *p + c;
        i += 32;
    }
    y[n + t] = v + a;
}
int main() {
    float *x, *y; cudaMallocManaged(&x, 1600); cudaMallocManaged(&y, 1600);
    for (int i = 0; i < 400; i++) x[i] = i * 0.5f, y[i] = 0;
    a<<<1, 32>>>(x, y, 90); cudaDeviceSynchronize();
    for (int i = 0; i < 200; i++) printf("%g\n", y[i]);
    b<<<1, 32>>>(x, y, 96); cudaDeviceSynchronize();
    for (int i = 0; i < 200; i++) printf("%g\n", y[i]);
}
