// Objects that are made of a seed alone, of a class that a template is told: no array of them can wait
// for its values.
#include <cstdio>
struct Rng {
    unsigned s;
    __device__ Rng(unsigned seed) : s(seed) {}
    __device__ unsigned next() { s = s * 1664525u + 1013904223u; return s >> 8; }
};
template <class T, class R> __global__ void k(T *out, int n, unsigned seed)
{
    unsigned tid = blockDim.x * blockIdx.x + threadIdx.x;
    R rng{seed + tid};
    for (int i = tid; i < n; i += blockDim.x * gridDim.x)
        out[i] = rng.next();
}
__global__ void j(unsigned *out, int n, unsigned seed)
{
    unsigned tid = blockDim.x * blockIdx.x + threadIdx.x;
    Rng rng(seed + tid);
    for (int i = tid; i < n; i += blockDim.x * gridDim.x)
        out[i] = rng.next();
}
template <class T, class A> struct Operation {
    A by;
    bool times;
    __device__ Operation(A by, bool times) : by(by), times(times) {}
    __device__ T of(T x) { return times ? x * by : x + by; }
};

// Kept over a barrier.
template <class T> __global__ void kept(T *x)
{
    __shared__ T s[64];
    using Own = Operation<T, T>;
    Own own = {T(threadIdx.x), true};
    s[threadIdx.x] = own.of(x[threadIdx.x]);
    __syncthreads();
    x[threadIdx.x] = own.of(s[63 - threadIdx.x]);
}

int main()
{
    unsigned *o;
    cudaMallocManaged(&o, 40000);
    k<unsigned, Rng><<<4, 64>>>(o, 10000, 7);
    cudaDeviceSynchronize();
    printf("%u %u\n", o[5], o[9999]);
    j<<<4, 64>>>(o, 10000, 9);
    cudaDeviceSynchronize();
    printf("%u %u\n", o[5], o[9999]);
    kept<<<1, 64>>>(o);
    cudaDeviceSynchronize();
    printf("%u %u\n", o[3], o[60]);
}
