// Functions of the program's by the names of CUDA's, called in templates of other types.
#include <cstdio>

struct Fixed {
    short x;
    Fixed() = default;
    __host__ __device__ Fixed(float v) : x(short(4 * v)) {}
    __host__ __device__ operator float() const { return x / 4.0f; }
};

__device__ int max(short a, short b)
{
    return a > b ? a : b;
}

__device__ Fixed __shfl_down_sync(unsigned mask, Fixed value, unsigned by)
{
    return Fixed(1 + __shfl_down_sync(mask, float(value), by));
}

template <typename T> __global__ void above(T *y, const T *x)
{
    y[threadIdx.x] = max(x[threadIdx.x], T(2));
}

template <typename T> __global__ void next(T *y, const T *x)
{
    y[threadIdx.x] = __shfl_down_sync(0xffffffff, x[threadIdx.x], 1);
}

template <typename T> void show(void (*kernel)(T *, const T *))
{
    T *d, h[32];
    for (int i = 0; i < 32; ++i)
        h[i] = T(i * 0.75f);
    cudaMalloc(&d, 2 * sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    kernel<<<1, 32>>>(d + 32, d);
    cudaMemcpy(h, d + 32, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 5; ++i)
        std::printf("%g ", double(h[i]));
    std::printf("\n");
    cudaFree(d);
}

int main()
{
    show(above<double>);
    show(above<short>);
    show(next<double>);
    show(next<Fixed>);
}
