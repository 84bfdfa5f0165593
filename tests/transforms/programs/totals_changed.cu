// A total that is combined once more, and then changed by every thread for itself
#include <cstdio>
#include <cuda_runtime.h>
template <typename T> __device__ T warp_sum(T v) { for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d); return v; }
__global__ void k(const int *x, int *out)
{
    __shared__ int p[96];
    __shared__ int part[32];
    const int t = threadIdx.x;
    int v = x[t];
    p[t] = v;
    __syncthreads();
    for (int h = 1; h < 96; h *= 2) {
        if (t % (2 * h) == 0 && t + h < 96)
            p[t] = max(p[t], p[t + h]);
        __syncthreads();
    }
    int r = p[0];
    out[t] += r;
    for (int d = 16; d > 0; d /= 2) {
        int o = __shfl_xor_sync(0xffffffffu, r, d);
        r = r > o ? r : o;
    }
    if (t % 32 == 0) part[t / 32] = r;
    __syncthreads();
    if (t == 0)
        for (int w = 1; w < 3; ++w) part[0] = max(part[0], part[w]);
    __syncthreads();
    r = part[0];
    r = r % 61;
    if (t == 1) out[t] += r;
    r = warp_sum(r);
    out[t] += r % 61;
}
int main()
{
    int *x, *o;
    cudaMallocManaged(&x, 4000); cudaMallocManaged(&o, 4000);
    for (int i = 0; i < 1000; ++i) x[i] = i % 50, o[i] = i;
    k<<<1, 96>>>(x, o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 96; ++i) printf("%d ", o[i]);
    printf("\n");
}
