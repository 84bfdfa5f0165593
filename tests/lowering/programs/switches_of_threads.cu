// Steps in a switch that each thread takes its own way through; a switch without braces.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void falls_through(int *o, const int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, c = t * 40;
    for (int k = 0; k < n; ++k) {
        s[t] = c + k;
        __syncthreads();
        switch (t & 3) {
        case 1:
            o[c] += 1;
            c += 4;
        case 2: {
            c += 2;
        }
        default:
            o[c + 1] += 2;
            c += 1;
        }
        o[c] += p[k] + s[t ^ 1];
        __syncthreads();
    }
}

__global__ void of_neighbours(int *o, const int *p, int n, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= w)
        return;
    int c = i;
    for (int k = 0; k < n; ++k) {
        switch (i & 1) {
        case 1:
            c += w;
            c += w;
        }
        c += w;
        o[c] = p[c];
    }
}

__global__ void without_braces(int *o, int n)
{
    int i = threadIdx.x;
    switch (i % 3)
    case 1:
        o[i] += n;
    switch (i % 5)
    default:
    case 2:
        o[i] *= 3;
    switch (i % 7)
    case 4:
        for (int k = 0; k < i; ++k)
            o[i] += k;
    switch (i % 2)
    case 0: {
        o[i] -= 4;
    }
}

int main()
{
    int *o, *p;
    cudaMallocManaged(&o, 4000 * sizeof(int));
    cudaMallocManaged(&p, 4000 * sizeof(int));
    for (int i = 0; i < 4000; ++i)
        o[i] = 0, p[i] = i * 7 % 31;
    falls_through<<<1, 8>>>(o, p, 5);
    cudaDeviceSynchronize();
    for (int i = 0; i < 400; ++i)
        std::printf("%d%c", o[i], i % 20 == 19 ? '\n' : ' ');
    of_neighbours<<<2, 32>>>(o, p, 6, 50);
    cudaDeviceSynchronize();
    for (int i = 0; i < 1000; ++i)
        std::printf("%d%c", o[i], i % 20 == 19 ? '\n' : ' ');
    without_braces<<<1, 64>>>(o, 9);
    cudaDeviceSynchronize();
    for (int i = 0; i < 80; ++i)
        std::printf("%d%c", o[i], i % 20 == 19 ? '\n' : ' ');
}
