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
}
