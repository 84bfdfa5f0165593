// Operators of CUB's reductions that are variables, or classes of the program, and results that
// are the same for all threads again.
#include <cstdio>
#include <cub/cub.cuh>

struct Larger {
    template <typename T> __device__ T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};

template <int N> __global__ void best(const float *x, float *values, int *places, int n, int used)
{
    using Pair = cub::KeyValuePair<int, float>;
    using Reduce = cub::BlockReduce<Pair, N>;
    __shared__ typename Reduce::TempStorage storage;
    cub::ArgMax arg_max;
    cub::Max max;
    Pair own;
    own.key = 0;
    own.value = -1;
    for (int i = threadIdx.x; i < n; i += N) {
        Pair other;
        other.key = i;
        other.value = x[i];
        own = arg_max(other, own);
    }
    const Pair found = Reduce(storage).Reduce(own, arg_max);
    if (threadIdx.x == 0) {
        values[0] = found.value;
        places[0] = found.key;
    }
    using Numbers = cub::BlockReduce<float, N>;
    __shared__ typename Numbers::TempStorage numbers;
    float some = Numbers(numbers).Reduce(x[threadIdx.x], Larger{}, used);
    __syncthreads();
    float all = Numbers(numbers).Reduce(x[threadIdx.x], max);
    if (threadIdx.x == 0) {
        values[1] = some;
        values[2] = all;
    }
}

template <typename T, int N> __global__ void scans(T *x, T *total)
{
    typedef cub::BlockScan<T, N> Scan;
    __shared__ typename Scan::TempStorage storage;
    T v = x[threadIdx.x], sum;
    Scan(storage).ExclusiveSum(v, v, sum);
    x[threadIdx.x] = v;
    if (threadIdx.x == 0) *total = sum;
}

template <typename T> __global__ void rows(const float *x, float *y, int count, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    for (int row = blockIdx.x; row < count; row += gridDim.x) {
        T sum = 0;
        for (int i = t; i < n; i += blockDim.x)
            sum += x[row * n + i];
        s[t] = sum;
        __syncthreads();
        if (t == 0)
            for (int i = 1; i < 64; ++i)
                s[0] += s[i];
        __syncthreads();
        sum = s[0];
        __syncthreads();
        if (sum == 0) {
            if (t == 0) y[row] = -1;
            continue;
        }
        s[t] = x[row * n + t] / sum;
        __syncthreads();
        if (t == 0) y[row] = s[63] + s[0];
        __syncthreads();
    }
}

template <typename T> __global__ void braces(T *x, int n)
{
    __shared__ T s[64];
    int t = threadIdx.x;
    T v[2] = {t, n};
    T w[2] = {T(t), x[t]};
    s[t] = v[0] + w[1];
    __syncthreads();
    x[t] = s[63 - t] + v[1] + v[0] + w[0];
}

// How loads and stores use caches changes nothing, but for what is volatile.
template <typename T> __device__ T last_of(const T *x, int n)
{
    T sum = 0;
    for (int i = 0; i < n; ++i)
        sum += cub::ThreadLoad<cub::LOAD_CV>(x + i) * (i + 1);
    return sum;
}
template <typename T> __global__ void cached(T *x, T *y, int n)
{
    int t = threadIdx.x;
    T one = cub::ThreadLoad<cub::LOAD_LDG>(x + t), two = cub::ThreadLoad<cub::LOAD_DEFAULT>(&x[t + 1]);
    cub::ThreadStore<cub::STORE_CG>(y + t, one - 2 * two + last_of(x, n));
    cub::ThreadStore<cub::STORE_VOLATILE>(&y[t + 64], cub::ThreadLoad<cub::LOAD_CS>(y + t) + 1);
}

int main()
{
    float *x, *values;
    int *places;
    cudaMallocManaged(&x, 4 * 128 * sizeof(float));
    cudaMallocManaged(&values, 8 * sizeof(float));
    cudaMallocManaged(&places, 65 * sizeof(int));
    for (int i = 0; i < 4 * 128; ++i)
        x[i] = i / 128 == 2 ? 0 : i * 37 % 101;
    for (int i = 0; i < 65; ++i)
        places[i] = i % 7;
    best<64><<<1, 64>>>(x, values, places, 128, 20);
    rows<float><<<2, 64>>>(x, values + 3, 4, 128);
    cudaDeviceSynchronize();
    for (int i = 0; i < 7; ++i)
        printf("%g %d\n", values[i], places[i]);
    scans<int, 64><<<1, 64>>>(places, places + 64);
    braces<<<1, 64>>>(x, 3);
    braces<<<1, 64>>>(places, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 65; ++i)
        printf("%d %g\n", places[i], x[i]);
    cached<<<1, 64>>>(x, x + 128, 5);
    cudaDeviceSynchronize();
    for (int i = 128; i < 256; ++i)
        printf("%g ", x[i]);
}
