// Differences of positions below zero wrap around: quotients, remainders and shifts see it.
#include <cstdio>
__global__ void k(int *out, const int *in) {
    __shared__ int a[32];
    for (int j = 0; j < 32; j += 8) {
        int v = 0;
        if ((threadIdx.x + j) - 20 < 5) v = 1;
        if (threadIdx.x + j - 40 > 100) v += 2;
        unsigned h = (threadIdx.x + j - 3) / 2 + ((threadIdx.x - 5) >> 1) + (threadIdx.x - 7) % 5;
        long long w = threadIdx.x + j - 5;
        a[threadIdx.x + j] = v + int(h % 1000) + int(w % 1000) + in[threadIdx.x + j];
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 8) out[threadIdx.x + j] = a[31 - (threadIdx.x + j)];
}
int main() { int *o, *in; cudaMallocManaged(&o, 128); cudaMallocManaged(&in, 128); for (int i = 0; i < 32; i++) in[i] = i * i;
  k<<<1, 8>>>(o, in); cudaDeviceSynchronize(); for (int i = 0; i < 32; i++) printf("%d\n", o[i]);
}
