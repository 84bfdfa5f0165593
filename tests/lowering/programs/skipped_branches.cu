// Branches of the preprocessor inside kernels: what is skipped must not come back as CUDA.
#include <cstdio>
#define min(a, b) ((a) < (b) ? (a) : (b))

__global__ void fold(int *x, int n)
{
    __shared__ int s[8];
    s[threadIdx.x] = 1;
    if (n > 2) {
#ifdef COUNTED
        atomicAdd(&s[threadIdx.x], blockIdx.x);
#endif
        x[0] = n;
    }
    __syncthreads();
    if (threadIdx.x < n) {
#ifndef COUNTED
        s[threadIdx.x] += x[threadIdx.x];
#else
        s[threadIdx.x] -= x[threadIdx.x];
#endif
        x[threadIdx.x] = min(s[threadIdx.x], 3);
    }
}

int main()
{
    int *x, host[8];
    cudaMalloc(&x, sizeof host);
    for (int i = 0; i < 8; ++i)
        host[i] = i;
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    fold<<<1, 8>>>(x, 5);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i)
        printf("%d\n", host[i]);
}
