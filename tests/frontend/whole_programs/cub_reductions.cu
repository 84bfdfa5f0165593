// out: 13442 -22 90 -6 16355 10 90 26 13516 42 90 58 13462 74 90 90 408
// CUB's reductions in device functions, of halves of warps, in loops, of other types.
#include <cstdio>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

struct Most {
    template <typename T> __device__ __forceinline__ T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};

template <typename T, int kThreads> __device__ void reduce_both(T &a, T &b)
{
    using BlockReduce = cub::BlockReduce<T, kThreads>;
    __shared__ typename BlockReduce::TempStorage first;
    __shared__ typename BlockReduce::TempStorage second;
    a = BlockReduce(first).Sum(a);
    b = BlockReduce(second).Reduce(b, Most());
}
__global__ void rows(const float *x, float *y, int width)
{
    float sum = 0, most = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        sum += x[blockIdx.x * width + i];
        most = fmaxf(most, x[blockIdx.x * width + i]);
    }
    reduce_both<float, 128>(sum, most);
    if (threadIdx.x == 0) {
        y[2 * blockIdx.x] = sum;
        y[2 * blockIdx.x + 1] = most;
    }
}
__global__ void warps(const int *x, int *y)
{
    typedef cub::WarpReduce<int, 16> WarpReduce;
    __shared__ WarpReduce::TempStorage storage[8];
    int half = threadIdx.x / 16;
    int sum = WarpReduce(storage[half]).Sum(x[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x % 16 == 0)
        y[blockIdx.x * 8 + half] = sum;
}
__global__ void tiles(const int *x, double *y, int n)
{
    __shared__ typename cub::BlockReduce<double, 64>::TempStorage storage;
    double best = 0;
    for (int base = 0; base < n; base += 64) {
        double part = cub::BlockReduce<double, 64>(storage).Sum(x[base + threadIdx.x] + 1);
        if (threadIdx.x == 0)
            best = fmax(best, part);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        y[blockIdx.x] = best;
}

// The class of the operator is known where the function is used.
template <typename T> struct Larger {
    __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <template <typename> class Op, typename T, int size> __device__ T of_all(T value)
{
    typedef cub::BlockReduce<T, size> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    __shared__ T found;
    T result = Reduce(storage).Reduce(value, Op<T>());
    if (threadIdx.x == 0)
        found = result;
    __syncthreads();
    return found;
}
template <int size> __global__ void below(const float *x, float *y)
{
    float most = of_all<Larger, float, size>(x[threadIdx.x]);
    atomicAdd(&y[2], most - x[threadIdx.x]);
}

int main()
{
    float *x, *y;
    int *a, *b;
    double *d;
    cudaMallocManaged(&x, 4 * 300 * sizeof(float));
    cudaMallocManaged(&y, 8 * sizeof(float));
    cudaMallocManaged(&a, 256 * sizeof(int));
    cudaMallocManaged(&b, 16 * sizeof(int));
    cudaMallocManaged(&d, sizeof(double));
    for (int i = 0; i < 1200; ++i)
        x[i] = (i * 37) % 91;
    for (int i = 0; i < 256; ++i)
        a[i] = (i * 37) % 91 - 40;
    rows<<<4, 128>>>(x, y, 300);
    warps<<<2, 128>>>(a, b);
    tiles<<<1, 64>>>(a, d, 256);
    below<64><<<1, 64>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i)
        std::printf("%g %d ", y[i], b[2 * i]);
    std::printf("%g\n", d[0]);
}
