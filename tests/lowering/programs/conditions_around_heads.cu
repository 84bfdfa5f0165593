// Conditions of the preprocessor that open or close inside of a kernel, and not where they began.
#include <cstdio>
typedef float real;
#define SCALED 2

#ifdef WIDE
__global__ void head(double *x, int n)
{
#else
__global__ void head(real *x, int n)
{
#endif
    int i = threadIdx.x;
    __shared__ real s[64];
#ifdef SCALED
    s[i] = x[i] * SCALED;
#else
    s[i] = x[i];
#endif
    __syncthreads();
    if (i < n) x[i] = s[63 - i];
}

__global__ void tail(real *x)
{
    x[threadIdx.x] += 1;
#ifdef SCALED
}
#else
    x[threadIdx.x] += 2;
}
#endif

#ifndef SCALED
__global__ void alone(real *x, int n)
#elif SCALED > 1
__global__ void alone(real *x)
#endif
{
    x[threadIdx.x] += 3;
}

int main()
{
    real *x;
    cudaMallocManaged(&x, 64 * sizeof(real));
    for (int i = 0; i < 64; ++i)
        x[i] = i;
    head<<<1, 64>>>(x, 32);
    tail<<<1, 64>>>(x);
    alone<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%g\n", x[i]);
}
