// Lanes that meet in memory without a barrier are in step, in global memory, too, whatever the width
// of the block; in shared memory their prefixes are those of their own warp.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__device__ int scan_of_warp(int *a)
{
    const int lane = threadIdx.x & 31;
    if (lane >= 1)
        a[threadIdx.x] += a[threadIdx.x - 1];
    if (lane >= 2)
        a[threadIdx.x] += a[threadIdx.x - 2];
    if (lane >= 4)
        a[threadIdx.x] += a[threadIdx.x - 4];
    if (lane >= 8)
        a[threadIdx.x] += a[threadIdx.x - 8];
    if (lane >= 16)
        a[threadIdx.x] += a[threadIdx.x - 16];
    return lane > 0 ? a[threadIdx.x - 1] : 0;
}

__global__ void in_global(const int *in, int *out)
{
    const int tid = threadIdx.x;
    out[tid] = in[tid];
    __syncthreads();
    const int value = scan_of_warp(out);
    __syncthreads();
    out[tid] = value;
}

__global__ void in_shared(const int *in, int *out)
{
    __shared__ int s[128];
    const int tid = threadIdx.x;
    s[tid] = in[tid];
    __syncthreads();
    out[tid] = scan_of_warp(s);
}

int main(int argc, char **argv)
{
    const int width = argc > 1 ? std::atoi(argv[1]) : 96;
    std::vector<int> values(128), found(128);
    for (int i = 0; i < 128; ++i)
        values[i] = i * 7 % 11;
    int *in, *out;
    cudaMalloc(&in, 128 * sizeof(int));
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemcpy(in, values.data(), 128 * sizeof(int), cudaMemcpyHostToDevice);
    bool ok = true;
    for (int which = 0; which < 2; ++which) {
        const int count = which == 0 ? width : 128;
        if (which == 0)
            in_global<<<1, width>>>(in, out);
        else
            in_shared<<<1, 128>>>(in, out);
        cudaMemcpy(found.data(), out, 128 * sizeof(int), cudaMemcpyDeviceToHost);
        int sum = 0;
        for (int i = 0; i < count; ++i) {
            if (i % 32 == 0)
                sum = 0;
            ok = ok && found[i] == sum;
            sum += values[i];
        }
    }
    std::printf(ok ? "PASS\n" : "FAIL\n");
    cudaFree(in);
    cudaFree(out);
    return ok ? 0 : 1;
}
