// Threads of a block take elements in turns, behind the first that each of them has taken
#include <cstdio>

__global__ void gray(unsigned n, unsigned *directions, float *out)
{
    __shared__ unsigned v[32];
    if (threadIdx.x < 32)
        v[threadIdx.x] = directions[threadIdx.x];
    __syncthreads();
    int i0 = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = gridDim.x * blockDim.x;
    unsigned g = i0 ^ (i0 >> 1), x = 0;
    for (unsigned k = 0; k < __ffs(stride) - 1; k++) {
        x ^= -(g & 1) & v[k];
        g = g >> 1;
    }
    if (i0 < n)
        out[i0] = x * 2.3283064e-10f;
    for (unsigned i = i0 + stride; i < n; i += stride) {
        x ^= v[__ffs(stride) - 2] ^ v[__ffs(~((i - stride) | (stride - 1))) - 1];
        out[i] = x * 2.3283064e-10f;
    }
}

// What the start is made of may be below zero.
__global__ void from(unsigned n, int low, unsigned *key, unsigned *out)
{
    __shared__ unsigned v[64];
    v[threadIdx.x] = key[threadIdx.x];
    __syncthreads();
    int own = threadIdx.x + low;
    unsigned x = threadIdx.x;
    for (unsigned i = own + 3; i < n; i += 64) {
        x ^= v[x % 64] + i;
        out[i] = x;
    }
}

int main()
{
    const unsigned n = 1000;
    unsigned *directions, *whole;
    float *out;
    cudaMallocManaged(&directions, 64 * sizeof(unsigned));
    cudaMallocManaged(&whole, n * sizeof(unsigned));
    cudaMallocManaged(&out, n * sizeof(float));
    for (int i = 0; i < 64; ++i)
        directions[i] = (1u << (31 - i % 32)) | (i * 2654435761u >> 9);
    gray<<<4, 64>>>(n, directions, out);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < n; i += 37)
        printf("%g\n", out[i]);
    const int lows[] = {0, -20, 17};
    for (int low : lows) {
        cudaMemset(whole, 0, n * sizeof(unsigned));
        from<<<1, 64>>>(n, low, directions, whole);
        cudaDeviceSynchronize();
        for (unsigned i = 0; i < n; i += 31)
            printf("%u ", whole[i]);
        printf("\n");
    }
    cudaFree(directions);
    cudaFree(whole);
    cudaFree(out);
    return 0;
}
