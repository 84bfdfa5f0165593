// Four values are moved at once: memory is read as another type than it was written as.
#include <cstdio>

template <class T> __device__ float widened(T x) { return x; }

template <class T> __global__ void twice(T *out, const T *in, int packs)
{
    using Pack = uint4;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= packs)
        return;
    Pack all = reinterpret_cast<const Pack *>(in)[i];
    Pack result;
    for (int k = 0; k < int(sizeof(Pack) / sizeof(T)); ++k)
        reinterpret_cast<T *>(&result)[k] = T(2 * widened(reinterpret_cast<const T *>(&all)[k]));
    reinterpret_cast<Pack *>(out)[i] = result;
}

__device__ unsigned bits(float x) { return *(unsigned *)&x; }

__global__ void exponents(const float *x, unsigned *e, int n)
{
    int i = threadIdx.x;
    if (i < n)
        e[i] = bits(x[i]) >> 23 & 0xff;
}

int main()
{
    const int n = 64;
    float *in, *out;
    unsigned *e;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, n * sizeof(float));
    cudaMallocManaged(&e, n * sizeof(unsigned));
    for (int i = 0; i < n; ++i)
        in[i] = 0.5f * i;
    twice<<<1, 32>>>(out, in, n / 4);
    exponents<<<1, n>>>(out, e, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        std::printf("%g %u\n", out[i], e[i]);
}
