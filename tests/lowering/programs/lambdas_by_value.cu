// Lambdas that capture values are made again behind barriers; what they do, they do where called.
#include <cstdio>
#define N 64

__global__ void k(float *x, float a)
{
    __shared__ float s[N];
    __shared__ float r[N];
    int t = threadIdx.x;
    auto square = [=](float v) { return v * v + a * t; };
    auto put = [=](int i, float v) { x[i] = v; };
    float *to = s;
    auto tell = [to](int i, float v) {
        float w = v + 1;
        to[i] = w;
    };
    auto sum = [=](int n) {
        float c = 0;
        for (int i = 0; i < n; ++i)
            c += to[i];
        return c;
    };
    tell(N - 1 - t, square(x[t]));
    __syncthreads();
    float q = s[t];
    r[t] = sum(t);
    __syncthreads();
    put(t, square(s[N - 1 - t]) + q + r[N - 1 - t]);
    __syncthreads();
    x[N + t] = x[N - 1 - t] + square(1.0f);
}

int main()
{
    float *x;
    cudaMallocManaged(&x, 2 * N * sizeof(float));
    for (int i = 0; i < 2 * N; ++i)
        x[i] = i * 0.5f;
    k<<<1, N>>>(x, 2.0f);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2 * N; ++i)
        printf("%g\n", x[i]);
    return 0;
}
