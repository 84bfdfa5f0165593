// Values that threads keep over barriers, in blocks of three dimensions, where memory changes between their uses.
#include <cstdio>

#define APART(a, b) ((a) > (b) ? (a) - (b) : (b) - (a))

__global__ void largest(unsigned *out, const unsigned *in, unsigned m)
{
    __shared__ unsigned bins[5];
    const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned h = in[blockIdx.x * 32 + t] + m;
    for (unsigned r = t; r < 5; r += 32)
        bins[r] = r;
    __syncthreads();
    if (h < (m & 7))
        atomicMax(&bins[APART(m, h) % 5], h);
    __syncthreads();
    unsigned q = bins[m % 5];
    __syncthreads();
    h = h * 31 + q;
    out[blockIdx.x * 32 + t] = h;
}

int main()
{
    unsigned *out, *in;
    cudaMallocManaged(&out, 64 * sizeof(unsigned));
    cudaMallocManaged(&in, 64 * sizeof(unsigned));
    for (int i = 0; i < 64; ++i)
        in[i] = i % 32 ? 100 : 0u - 2;
    for (unsigned m = 5; m < 8; ++m) {
        largest<<<2, dim3(4, 2, 4)>>>(out, in, m);
        cudaDeviceSynchronize();
        for (int i = 0; i < 64; ++i)
            printf("%u%c", out[i], i % 16 == 15 ? '\n' : ' ');
    }
    cudaFree(out);
    cudaFree(in);
    return 0;
}
