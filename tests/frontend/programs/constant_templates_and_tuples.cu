// Templates of constants, and tuples that kernels take apart.
#include <thrust/pair.h>
#include <thrust/tuple.h>

#include <cstdio>

template <typename K> constexpr K zero_of() { return K(0); }
template <typename K, typename V> const V empty_value = V(7) + zero_of<K>();
template <typename T> constexpr T pi = T(3.25);

template <typename T> __global__ void spiral(T *x)
{
    int i = threadIdx.x;
    x[i] = pi<T> * i + empty_value<int, T>;
}

__global__ void parts(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float whole;
    int times;
    thrust::tie(whole, times) = thrust::make_pair(x[i] * 2, i % 3);
    thrust::tuple<float, int> both;
    both = thrust::make_tuple(whole, times);
    if (i < n && both != thrust::make_tuple(pi<float>, 1))
        x[i] = thrust::get<0>(both) * thrust::get<1>(both) + empty_value<char, float>;
}

int main()
{
    const int n = 40;
    float *x;
    cudaMallocManaged(&x, 64 * sizeof(float));
    spiral<<<1, 64>>>(x);
    parts<<<2, 32>>>(x, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        std::printf("%g\n", x[i]);
    cudaFree(x);
    return 0;
}
