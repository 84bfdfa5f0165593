// Templates that are told apart by their arguments: overloads, deduced and default arguments.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int LANES = 32;

template <class K, class V> struct Tagged {
    K key;
    V tag;
};

// The value of the lane beside: for plain values, and member by member.
template <class T> __device__ T beside(T value, int mask, int width = LANES)
{
    return __shfl_xor_sync(0xffffffffu, value, mask, width);
}

template <class K, class V>
__device__ Tagged<K, V> beside(const Tagged<K, V> &value, int mask, int width = LANES)
{
    Tagged<K, V> other;
    other.key = __shfl_xor_sync(0xffffffffu, value.key, mask, width);
    other.tag = __shfl_xor_sync(0xffffffffu, value.tag, mask, width);
    return other;
}

struct ByValue {
    static __device__ bool before(int a, int b) { return a < b; }
};

struct ByKey {
    template <class P> static __device__ bool before(const P &a, const P &b)
    {
        return a.key < b.key || (a.key == b.key && a.tag < b.tag);
    }
};

template <class T, class Order> __device__ T keep_one(T mine, int mask, bool up)
{
    T other = beside(mine, mask);
    return Order::before(mine, other) == up ? mine : other;
}

template <class T, class Order> __device__ T sorted(T value)
{
    const int lane = threadIdx.x % LANES;
    for (int size = 2; size <= LANES; size *= 2)
        for (int mask = size / 2; mask > 0; mask /= 2)
            value = keep_one<T, Order>(value, mask, ((lane & mask) == 0) == ((lane & size) == 0));
    return value;
}

template <class T, int OFFSET = 3, class Wide = long long>
__device__ Wide shifted(const T *values, int n)
{
    Wide sum = 0;
    for (int k = 0; k < OFFSET; ++k)
        sum += values[(threadIdx.x + k) % n];
    return sum;
}

template <class T, int N> __device__ T last_of(const T (&values)[N])
{
    return values[N - 1] + T(threadIdx.x);
}

template <class V, int N> __device__ int lanes_dot(const V (&a)[N], const V (&b)[N])
{
    int sum = 0;
    for (int k = 0; k < N; ++k)
        sum += int(a[k]) * int(b[k]);
    return sum + __shfl_xor_sync(0xffffffffu, sum, 1);
}

template <class T, int N> __global__ void dots(const T *in, int *out)
{
    constexpr int HALF = N / 2;
    using Item = T;
    __shared__ Item rows[4][HALF];
    Item own[HALF];
    const int t = threadIdx.x;
    if (t < 4 * HALF)
        rows[t / HALF][t % HALF] = in[t];
    for (int k = 0; k < HALF; ++k)
        own[k] = in[t + k];
    __syncthreads();
    out[t] = lanes_dot(rows[t % 4], own);
}

template <int BLOCK, int PART = 0>
__device__ void scale(const int *in, int *out, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = PART > 0 ? in[i] / (PART > 0 ? PART : 1) : in[i];
}

__global__ void order(const int *in, int *values, int *tags, long long *sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = sorted<int, ByValue>(in[i]);
    Tagged<int, int> pair;
    pair.key = in[i] % 5;
    pair.tag = i % LANES;
    pair = sorted<Tagged<int, int>, ByKey>(pair);
    tags[i] = pair.tag;
    int few[3] = {in[i], 2 * in[i], 5};
    sums[i] = shifted(in, n) + shifted<int, 2>(in, n) + shifted<int, 1, int>(in, n) + last_of(few);
}

__global__ void scale_all(const int *in, int *out, int n)
{
    scale<64>(in, out, n);
    scale<64, 4>(in, out + n, n);
}

int main()
{
    constexpr int n = 128;
    int *in, *values, *tags, *scaled;
    long long *sums;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&values, n * sizeof(int));
    cudaMallocManaged(&tags, n * sizeof(int));
    cudaMallocManaged(&scaled, 2 * n * sizeof(int));
    cudaMallocManaged(&sums, n * sizeof(long long));
    for (int i = 0; i < n; ++i)
        in[i] = (i * 37 + 11) % 101;
    order<<<2, 64>>>(in, values, tags, sums, n);
    scale_all<<<2, 64>>>(in, scaled, n);
    cudaDeviceSynchronize();
    dots<int, 8><<<1, 64>>>(in, tags);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        std::printf("%d %d %lld %d %d\n", values[i], tags[i], sums[i], scaled[i], scaled[n + i]);
    cudaFree(in);
    cudaFree(values);
    cudaFree(tags);
    cudaFree(scaled);
    cudaFree(sums);
}
