// Templates that are launched with blocks of several sizes: what becomes of them is the same for all
#include <cstdio>

template <unsigned BLOCK> __global__ void pairs(const int *in, int *out, unsigned n)
{
    __shared__ int shared[BLOCK];
    const unsigned t = threadIdx.x, stride = BLOCK * 2 * gridDim.x;
    unsigned i = blockIdx.x * BLOCK * 2 + t;
    int sum = 0;
    while (i < n) {
        sum += in[i];
        if (i + BLOCK < n)
            sum += in[i + BLOCK];
        i += stride;
    }
    shared[t] = sum;
    __syncthreads();
    for (unsigned half = BLOCK / 2; half > 0; half >>= 1) {
        if (t < half)
            shared[t] = sum = sum + shared[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sum;
}

// As in textbooks: what no block of that size needs is no part of it.
template <int BLOCK, bool TWICE> __global__ void unrolled(const int *in, int *out, int n)
{
    __shared__ int s[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (BLOCK >= 128) {
        if (t < 64)
            s[t] += s[t + 64];
        __syncthreads();
    }
    if (BLOCK >= 64) {
        if (t < 32)
            s[t] += s[t + 32];
        __syncthreads();
    }
    for (int half = 16; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = TWICE ? 2 * s[0] : s[0];
}

// A tree of a part only: no total.
template <int BLOCK> __global__ void part(const int *in, int *out)
{
    __shared__ int s[BLOCK];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (int half = 16; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

int main()
{
    const int n = 700;
    int *x, *y;
    cudaMallocManaged(&x, 1024 * sizeof(int));
    cudaMallocManaged(&y, 64 * sizeof(int));
    for (int i = 0; i < 1024; ++i)
        x[i] = i * 37 % 101 - 40;
    for (int i = 0; i < 64; ++i)
        y[i] = 0;
    pairs<128><<<3, 128>>>(x, y, n);
    pairs<32><<<4, 32>>>(x, y + 4, n);
    unrolled<128, false><<<6, 128>>>(x, y + 8, n);
    unrolled<32, true><<<8, 32>>>(x, y + 16, 250);
    unrolled<64, true><<<8, 64>>>(x, y + 24, 500);
    part<32><<<4, 32>>>(x, y + 32);
    part<64><<<4, 64>>>(x, y + 40);
    cudaDeviceSynchronize();
    for (int i = 0; i < 48; ++i)
        printf("%d ", y[i]);
    printf("\n");
    cudaFree(x);
    cudaFree(y);
    return 0;
}
