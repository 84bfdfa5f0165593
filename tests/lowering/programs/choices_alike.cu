// Values that one guard chooses for several arrays, and what stands between them.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int T = 32;

__global__ void loads(float *y, const float *a, const float *b, int n, int m)
{
    __shared__ float p[T], q[T], r[T], s[T], u[T];
    int t = threadIdx.x, i = blockIdx.x * T + t;
    // The first of two.
    p[t] = i < n ? a[i] : 0.0f;
    // The second of two.
    q[t] = i < n ? p[t] * b[i] : 1.0f;
    r[t] = i < m ? b[i] : -1.0f;
    s[t] = p[t] + 2 * q[t];
    u[t] = i < n ? s[t] * a[i] : r[t];
    if (i < m)
        p[t] += 0.5f;
    __syncthreads();
    int o = (t + 5) % T;
    y[i] = p[o] + 10 * q[o] + 100 * r[o] + 1000 * s[o] + u[o];
}

__global__ void left_early(float *y, const float *a, int n, int m)
{
    __shared__ float p[T], q[T];
    int t = threadIdx.x;
    for (int k = 0; k < 3; ++k) {
        p[t] = t + k < n ? a[t + k] : 3.0f;
        q[t] = t + k < n ? a[t] - a[t + k] : 4.0f;
        __syncthreads();
        if (t < m)
            y[k * T + t] = p[T - 1 - t] + q[(t + 1) % T];
        __syncthreads();
    }
}

int main()
{
    float *x, *z, *y;
    cudaMallocManaged(&x, 200 * sizeof(float));
    cudaMallocManaged(&z, 200 * sizeof(float));
    cudaMallocManaged(&y, 200 * sizeof(float));
    for (int i = 0; i < 200; ++i) {
        x[i] = i % 9 - 2;
        z[i] = i % 7 + 1;
    }
    for (int n : {0, 5, 32, 50, 96}) {
        loads<<<3, T>>>(y, x, z, n, 96 - n / 2);
        cudaDeviceSynchronize();
        for (int i = 0; i < 96; i += 5)
            std::printf("%g ", y[i]);
        left_early<<<1, T>>>(y, x, n % 40, 20);
        cudaDeviceSynchronize();
        for (int i = 0; i < 96; i += 7)
            std::printf("%g ", y[i]);
        std::printf("\n");
    }
    return 0;
}
