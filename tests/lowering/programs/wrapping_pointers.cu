// Pointers that move by sums of unsigned numbers, which wrap around, as parameters and as loads.
#include <cstdio>
__global__ void by_loads(unsigned *out, const unsigned *offset)
{
    __shared__ unsigned s[140];
    const unsigned t = threadIdx.x;
    s[t] = 3 * t;
    __syncthreads();
    const unsigned *p = s;
    p += t + 64 + offset[0];
    out[t] = *p;
}
__global__ void by_assignment(unsigned *out, const unsigned *offset)
{
    __shared__ unsigned s[140];
    const unsigned t = threadIdx.x;
    s[t] = 3 * t;
    __syncthreads();
    unsigned k = t + 64;
    k += offset[0];
    const unsigned *p = &s[k];
    out[t] = p[0];
}
__global__ void by_member(unsigned *out, const uint2 *offset)
{
    __shared__ unsigned s[140];
    const unsigned t = threadIdx.x;
    s[t] = 3 * t;
    __syncthreads();
    out[t] = *(s + (offset->x + (t + 64)));
}
__global__ void by_parameter(unsigned *out, unsigned offset)
{
    __shared__ unsigned s[140];
    const unsigned t = threadIdx.x;
    s[t] = 3 * t;
    __syncthreads();
    out[t] = s[t + 64 + offset];
}
__global__ void by_products(unsigned *out, unsigned stride)
{
    __shared__ unsigned s[140];
    const unsigned t = threadIdx.x;
    s[t] = 3 * t;
    __syncthreads();
    if (t)
        out[t] = s[64 + t * stride];
}
int main()
{
    unsigned *out, *off;
    cudaMallocManaged(&out, 64 * sizeof *out);
    cudaMallocManaged(&off, 2 * sizeof *off);
    off[0] = 0u - 64 + 1, off[1] = 0;
    const auto show = [&] {
        cudaDeviceSynchronize();
        for (int i = 0; i < 63; ++i)
            printf("%u%c", out[i], i % 21 == 20 ? '\n' : ' ');
    };
    by_loads<<<1, 64>>>(out, off);
    show();
    by_assignment<<<1, 64>>>(out, off);
    show();
    by_member<<<1, 64>>>(out, (const uint2 *)off);
    show();
    by_parameter<<<1, 64>>>(out, 0u - 64 + 1);
    show();
    by_products<<<1, 64>>>(out, 0u - 1);
    show();
    cudaFree(out);
    cudaFree(off);
    return 0;
}
