// `return f(...)` of a function that gives nothing: the call, and then the return.
#include <cstdio>

template <int Unroll>
__device__ void add(int *out, const int *in, int n, int by, int *blocks)
{
    for (int i = Unroll * blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += Unroll * blockDim.x * gridDim.x)
        for (int u = 0; u < Unroll; ++u)
            if (i + u * blockDim.x < n)
                out[i + u * blockDim.x] = in[i + u * blockDim.x] + by;
    if (threadIdx.x == 0)
        atomicAdd(blocks, Unroll);
}

__device__ void turned(int *out)
{
    __shared__ int s[16];
    s[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[15 - threadIdx.x];
}

__global__ void add(int *out, const int *in, int n, int by, int *blocks, int unroll)
{
    switch (unroll) {
    case 1: return add<1>(out, in, n, by, blocks);
    case 2: return (add<2>(out, in, n, by, blocks));
    }
    if (blockIdx.x == 0)
        return turned(out);
}

int main()
{
    int *in, *out, *blocks;
    cudaMallocManaged(&in, 100 * sizeof(int));
    cudaMallocManaged(&out, 100 * sizeof(int));
    cudaMallocManaged(&blocks, sizeof(int));
    for (int i = 0; i < 100; ++i)
        in[i] = i;
    *blocks = 0;
    for (int unroll = 1; unroll < 4; ++unroll) {
        add<<<2, 16>>>(out, in, 100, unroll, blocks, unroll);
        cudaDeviceSynchronize();
        std::printf("%d %d %d %d\n", out[0], out[7], out[99], *blocks);
    }
}
