// The number of the warp is unsigned: what lanes there are is counted in int.
#include <cstdio>
enum { WIDTH = 32 };
__global__ void k(const unsigned *in, unsigned *out, unsigned n)
{
    unsigned warpid = threadIdx.x / 32u;
    unsigned lane = threadIdx.x % 32u;
    unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (unsigned d = 1; d < 32; d <<= 1) {
        unsigned o = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += o;
    }
    __shared__ unsigned sums[32];
    if (lane == 31)
        sums[warpid] = v;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = v + (warpid > 0 ? sums[warpid - 1] : 0);
}
int main(int argc, char **)
{
    unsigned *a, *b;
    cudaMallocManaged(&a, 256 * 4);
    cudaMallocManaged(&b, 256 * 4);
    for (int i = 0; i < 256; ++i)
        a[i] = i * 7 % 5;
    int threads = argc > 1 ? 96 : 64;
    k<<<256 / threads, threads>>>(a, b, 256);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; ++i)
        printf("%u\n", b[i]);
}
