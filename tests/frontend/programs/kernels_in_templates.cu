// Kernels as template arguments and out of arrays.
#include <cstdio>

typedef void (*Shared)(int *);
typedef void (*Plain)(int *, int);

__global__ void plain(int *p, int n)
{
    if (threadIdx.x < n)
        p[threadIdx.x] += 1;
}

__global__ void twice(int *p, int n)
{
    if (threadIdx.x < n)
        p[threadIdx.x] *= 2;
}

__global__ void reversed(int *p)
{
    extern __shared__ int s[];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + threadIdx.x;
}

template <void (*K)(int *, int)> void run(int *p, int n)
{
    K<<<1, 32>>>(p, n);
}

template <Shared K, int N> void run_shared(int *p)
{
    K<<<1, N, N * sizeof(int)>>>(p);
}

template <auto K> void run_any(int *p, int n)
{
    K<<<1, 32>>>(p, n);
}

int main()
{
    int *d, h[32];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    run<plain>(d, 20);
    run_shared<reversed, 32>(d);
    run_any<plain>(d, 5);
    Plain kernels[2] = {plain, &twice};
    for (int i = 0; i < 2; ++i)
        kernels[i]<<<1, 32>>>(d, 7);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int value : h)
        std::printf("%d ", value);
    std::printf("\n");
    cudaFree(d);
}
