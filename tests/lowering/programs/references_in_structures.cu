// A structure that refers to a variable which changes afterwards.
#include <cstdio>
#include <cuda_runtime.h>

struct Mixed {
    unsigned &r;
    float *p;
};

__global__ void k(unsigned *out, const unsigned *in)
{
    __shared__ unsigned s[12];
    unsigned t = threadIdx.x, h = in[t];
    s[t] = t * 3;
    __syncthreads();
    float p = 2.0f;
    Mixed held{h, &p};
    h ^= 5u;
    h += held.r;
    h = h * 31u + unsigned(*held.p);
    h += s[held.r % 12u];
    out[t] = h;
}
int main()
{
    unsigned *x, *y;
    cudaMallocManaged(&x, 64);
    cudaMallocManaged(&y, 64);
    for (int i = 0; i < 12; ++i)
        x[i] = i * 7;
    k<<<1, 12>>>(y, x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 12; ++i)
        std::printf("%u ", y[i]);
    std::printf("\n");
    return 0;
}
