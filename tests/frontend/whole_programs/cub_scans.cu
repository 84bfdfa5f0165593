// out: 2016 64 127 0 2080 1953 63 63 6 -63 27 8 14 2 16 40
// CUB's prefix sums of a block: of one kernel, in device functions and templates, in loops, of blocks
// with two axes, with totals and with other operators.
#include <cstdio>
#include <cub/block/block_scan.cuh>
#include <cub/util_allocator.cuh>

cub::CachingDeviceAllocator allocator(true);

template <int kThreads> __device__ int position(bool is_kept, int &kept)
{
    typedef cub::BlockScan<int, kThreads> BlockScan;
    __shared__ typename BlockScan::TempStorage storage;
    int before;
    BlockScan(storage).ExclusiveSum(is_kept ? 1 : 0, before, kept);
    return before;
}

template <int kThreads> __global__ void compact(const int *x, int *y, int *count, int n)
{
    int filled = 0;
    for (int base = 0; base < n; base += kThreads) {
        int v = x[base + threadIdx.x], kept;
        int place = position<kThreads>(v % 2 == 0, kept);
        if (v % 2 == 0)
            y[filled + place] = v;
        filled += kept;
    }
    if (threadIdx.x == 0)
        *count = filled;
}

__global__ void sums(const int *x, int *y)
{
    using BlockScan = cub::BlockScan<int, 16, cub::BLOCK_SCAN_RAKING, 4>;
    __shared__ BlockScan::TempStorage storage;
    int t = threadIdx.y * 16 + threadIdx.x, v = x[t], total;
    BlockScan(storage).InclusiveSum(v, v, total);
    y[t] = v;
    __syncthreads();
    BlockScan(storage).ExclusiveSum(x[t], v);
    y[64 + t] = v;
    if (t == 63)
        y[128] = total;
}

template <typename T> __global__ void extremes(const T *x, T *y)
{
    using BlockScan = cub::BlockScan<T, 64>;
    __shared__ typename BlockScan::TempStorage storage;
    T most, least;
    BlockScan(storage).InclusiveScan(x[threadIdx.x], most, cub::Max());
    __syncthreads();
    BlockScan(storage).ExclusiveScan(T(-x[threadIdx.x]), least, T(6), cub::Min());
    y[threadIdx.x] = most;
    y[64 + threadIdx.x] = least;
}

int main()
{
    int *x, *y;
    float *f, *g;
    cudaMallocManaged(&x, 256 * sizeof(int));
    cudaMallocManaged(&y, 256 * sizeof(int));
    allocator.DeviceAllocate((void **)&f, 64 * sizeof(float));
    cudaMallocManaged(&g, 128 * sizeof(float));
    for (int i = 0; i < 64; ++i)
        x[i] = f[i] = i;
    sums<<<1, dim3(16, 4)>>>(x, y);
    cudaDeviceSynchronize();
    std::printf("%d %d %d %d ", y[63], y[128] - y[62] + 1, y[63] - y[127] + 64, y[64]);
    y[0] = y[63] + 64;
    std::printf("%d %d ", y[0], y[62]);
    extremes<<<1, 64>>>(f, g);
    cudaDeviceSynchronize();
    std::printf("%g %g %g %g ", g[63], f[63], g[64], g[127] - 1);
    for (int i = 0; i < 256; ++i)
        x[i] = (i * 37) % 23;
    int *count = y + 255;
    compact<64><<<1, 64>>>(x, y, count, 128);
    cudaDeviceSynchronize();
    int sum = 0;
    for (int i = 0; i < *count; ++i)
        sum += y[i] * (i % 3);
    std::printf("%d %d %d %d %d %d\n", *count % 40, sum % 10, y[1], y[5], y[6], *count - 27);
    allocator.DeviceFree(f);
    return 0;
}
