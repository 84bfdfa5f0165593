#include <cstdio>
#include <cuda_runtime.h>
// Groups combine values here, but what is made of them is not the same for all threads, or has another name, or is
// converted on its way.
#define M 0xffffffffu
__global__ void also_partly(const int *x, int *out, int n)
{
    int t = threadIdx.x, a = x[t], c = x[t + n];
    int b = a;
    for (int d = 16; d > 0; d /= 2) {
        a += __shfl_down_sync(M, a, d);
        c += __shfl_xor_sync(M, c, d);
    }
    out[t] = a + b + c;
}
__global__ void pointer(const int *x, int *out, int n) // pointer to the variable
{
    int t = threadIdx.x, v = x[t], w = x[t + 1];
    int *p = n > 5 ? &v : &w;
    int c = v;
    for (int d = 16; d > 0; d /= 2) { v += __shfl_down_sync(M, v, d); c += __shfl_xor_sync(M, c, d); }
    out[t] = *p + c;
}
__global__ void captured(const int *x, int *out, int n) // reference, lambda
{
    int t = threadIdx.x, v = x[t], c = x[t + 3];
    auto f = [&](int a) { return v * a; };
    for (int d = 16; d > 0; d /= 2) { v += __shfl_down_sync(M, v, d); c += __shfl_xor_sync(M, c, d); }
    out[t] = f(n) + c;
}
__global__ void as_unsigned(const int *x, int *out, int n) // compared as unsigned
{
    int t = threadIdx.x, v = 0;
    for (int i = t; i < 50; i += 32) {
        unsigned u = x[i] - 40;
        if (u > v) v = u;
    }
    for (int d = 16; d > 0; d /= 2) v = max(v, __shfl_xor_sync(M, v, d));
    out[t] = v;
}
__global__ void two_extremes(const int *x, int *out, int n) // two starts
{
    int t = threadIdx.x, v = x[t];
    for (int d = 16; d > 0; d /= 2) v = max(v, __shfl_xor_sync(M, v, d));
    int b = max(v, 500);
    out[t] = v * 1000 + b;
}
__global__ void some_threads(const int *x, int *out, int n) // start of some threads
{
    int t = threadIdx.x, v = x[t];
    for (int d = 16; d > 0; d /= 2) v = max(v, __shfl_xor_sync(M, v, d));
    if (t > 5) v = max(v, 500);
    out[t] = v;
}
__global__ void sums_and_maxima(const int *x, int *out, int n) // operators differ
{
    int t = threadIdx.x, v = x[t], a = v, b = v;
    for (int d = 16; d > 0; d /= 2) { a += __shfl_xor_sync(M, a, d); b = max(b, __shfl_xor_sync(M, b, d)); }
    int c = t < 16 ? a : b;
    out[t] = c;
}
__global__ void negative_steps(const int *x, int *out, int n) // negative steps
{
    int t = threadIdx.x;
    unsigned v = x[t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(M, v, -d);
    out[t] = v;
}
__global__ void unsigned_bound(const int *x, int *out, int n) // compared as unsigned
{
    int t = threadIdx.x, v = x[t] - 40;
    for (int d = 16; d > 0; d /= 2) v = max(v, __shfl_xor_sync(M, v, d));
    v = v - 100;
    for (int d = 16; d > 0; d /= 2) v = max(v, __shfl_xor_sync(M, v, d));
    v = v > 5u ? v : 5u;
    out[t] = v;
}
__global__ void rounded(const int *x, int *out, int n) // each rounded
{
    int t = threadIdx.x;
    double v = -1e300;
    for (int i = t; i < 50; i += 32) v = fmaxf(v, x[i] * 0.1);
    for (int d = 16; d > 0; d /= 2) v = fmax(v, __shfl_xor_sync(M, v, d));
    out[t] = (v - 8.2) * 1e12;
}
__global__ void truncated(const int *x, int *out, int n) // negative numbers are truncated upwards
{
    int t = threadIdx.x, v = 3;
    for (int i = t; i < 50; i += 32)
        v += (x[i] - 40) * 0.5f;
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(M, v, d);
    out[t] = v;
}
__global__ void loop_around(const int *x, int *out, int n) // what an iteration leaves in a variable around
{
    __shared__ int s[64];
    int t = threadIdx.x, v = x[t];
    for (int r = 0; r < n; ++r) {
        v = v % 61;
        s[t] = v;
        __syncthreads();
        for (int k = 32; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
        v = s[0];
        __syncthreads();
        if (t == 1) out[2] += r;
    }
    out[t] = v;
}
__global__ void condition_around(const int *x, int *out, int n) // under a condition
{
    int t = threadIdx.x, v = x[t];
    if (n > 3) {
        for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(M, v, d);
        v = v % 50;
    }
    if (n > 5) {
        v = 0;
        for (int i = t; i < 90; i += 32) v += x[i];
        for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(M, v, d);
    }
    out[t] = v;
}
int main()
{
    int *x, *out;
    cudaMallocManaged(&x, 100 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 100; ++i)
        x[i] = i * i * 7 % 83;
    for (int i = 0; i < 64; ++i)
        out[i] = 0;
    also_partly<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    pointer<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    captured<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    as_unsigned<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    two_extremes<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    some_threads<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    sums_and_maxima<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    negative_steps<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    unsigned_bound<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    rounded<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    truncated<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    loop_around<<<1, 64>>>(x, out, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    condition_around<<<1, 32>>>(x, out, 4);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    condition_around<<<1, 32>>>(x, out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %d", out[i]);
    printf("\n");
    cudaFree(x);
    cudaFree(out);
}
