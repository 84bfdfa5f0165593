#include <cstdio>
#include <type_traits>
#include <cuda_fp16.h>
#include <cuda_bf16.h>

template <class T, std::enable_if_t<std::is_same<T, half2>::value, int> = 0>
__device__ T twice(T x) { return __hadd2(x, x); }
template <class T, typename std::enable_if<std::is_same<T, float>::value, int>::type = 0>
__device__ T twice(T x) { return x + x; }

__device__ half scaled(half a, float by)
{
    __half s = __float2half(by);
    return __hmul(a, s);
}

template <class D, class S> __global__ void convert(D *d, const S *s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        d[i] = static_cast<D>(s[i]);
}

__global__ void pairs(half2 *p, float *f, int n)
{
    __shared__ half tile[64];
    int i = threadIdx.x;
    half2 sum;
    sum = {};
    sum += p[i];
    p[i] = twice(sum);
    f[i] = twice(f[i]);
    tile[i] = scaled(p[i].x, 0.5f);
    __half kept = tile[i];
    __syncthreads();
    f[i] += __half2float(tile[n - 1 - i]) + (float)kept;
}

template <class T> const char *name() { return std::is_same<T, half>::value ? "half" : "other"; }

int main()
{
    const int n = 8;
    half *h;
    nv_bfloat16 *b;
    half2 *p;
    float *f;
    cudaMallocManaged(&h, n * sizeof(half));
    cudaMallocManaged(&b, n * sizeof(__nv_bfloat16));
    cudaMallocManaged(&p, n * sizeof(half2));
    cudaMallocManaged(&f, n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        b[i] = __float2bfloat16(1.5f * i);
        f[i] = i;
        p[i] = __floats2half2_rn(i, 2 * i);
    }
    convert<half, __nv_bfloat16><<<1, n>>>(h, b, n);
    pairs<<<1, n>>>(p, f, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        std::printf("%g %g %g %g\n", float(h[i]), f[i], __low2float(p[i]), __high2float(p[i]));
    std::printf("%s %s\n", name<half>(), name<nv_bfloat16>());
}
