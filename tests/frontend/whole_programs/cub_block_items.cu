// out: 2.04463e+06 171426 181777 179408 188595 26 88 1 62 175 -913458
// CUB in kernels with arrays of items: loads, stores, exchanges, sorts, scans and reductions in one
// memory, of the first threads only, with other operators, of lanes.
#include <cstdio>
#include <cub/cub.cuh>
struct Xor {
    __device__ int operator()(int a, int b) const { return a ^ b; }
};
template <typename T, int N, int ITEMS, cub::BlockScanAlgorithm HOW>
__global__ void k(const T *x, T *y, T *sums, int n)
{
    using BR = cub::BlockReduce<T, N>;
    typedef cub::BlockScan<T, N, HOW> BS;
    using BL = cub::BlockLoad<T, N, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
    using BW = cub::BlockStore<T, N, ITEMS, cub::BLOCK_STORE_STRIPED>;
    using Sort = cub::BlockRadixSort<T, N, ITEMS>;
    using Exchange = cub::BlockExchange<T, N, ITEMS>;
    __shared__ union {
        typename BL::TempStorage load;
        typename BS::TempStorage scan;
        typename BR::TempStorage reduce;
        typename Sort::TempStorage sort;
        typename Exchange::TempStorage exchange;
    } temp;
    T items[ITEMS];
    T total, more;
    int base = blockIdx.x * N * ITEMS;
    BL(temp.load).Load(x + base, items, n - base, T(1));
    __syncthreads();
    BS(temp.scan).InclusiveSum(items, items, total);
    __syncthreads();
    BS bs(temp.scan);
    bs.ExclusiveScan(items, items, T(5), cub::Max(), more);
    __syncthreads();
    T r = BR(temp.reduce).Sum(items);
    __syncthreads();
    T r2 = BR(temp.reduce).Sum(items[0], n % N);
    __syncthreads();
    T r3 = BR(temp.reduce).Reduce(items[0], cub::Min(), n % N);
    __syncthreads();
    Sort(temp.sort).SortDescending(items);
    __syncthreads();
    Exchange(temp.exchange).BlockedToStriped(items);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = r + r2 + r3 + total + more;
    }
    BW().Store(y + base, items, n - base);
}
__global__ void w(const int *x, int *y, int n)
{
    using WS = cub::WarpScan<int>;
    using WR = cub::WarpReduce<int, 16>;
    __shared__ typename WS::TempStorage s[4];
    __shared__ typename WR::TempStorage q[8];
    int v = x[threadIdx.x], a, b, c, t;
    WS(s[threadIdx.x / 32]).InclusiveSum(v, a);
    __syncwarp();
    WS(s[threadIdx.x / 32]).ExclusiveScan(v, b, 7, cub::Min(), t);
    __syncwarp();
    WS(s[threadIdx.x / 32]).InclusiveScan(v, c, Xor());
    int d = WR(q[threadIdx.x / 16]).Reduce(v, Xor(), 11);
    __syncwarp();
    int e = WR(q[threadIdx.x / 16]).Sum(v, 11);
    y[threadIdx.x] = a + b + c + t;
    if (threadIdx.x % 16 == 0)
        y[threadIdx.x] += d + e;
}
// Pairs are sorted by some of their bits, and go out striped.
__global__ void pairs(const unsigned *x, unsigned *keys, float *values, unsigned *places)
{
    typedef cub::BlockRadixSort<unsigned, 32, 3, float, 4, true, cub::BLOCK_SCAN_WARP_SCANS,
                                cudaSharedMemBankSizeFourByte, 2> Sort;
    typedef cub::BlockExchange<unsigned, 32, 3, false, 2> Exchange;
    __shared__ Sort::TempStorage storage;
    __shared__ Exchange::TempStorage exchange;
    int t = threadIdx.y * 32 + threadIdx.x;
    unsigned own[3], ranks[3];
    float numbers[3];
    for (int i = 0; i < 3; ++i) {
        own[i] = x[t * 3 + i];
        numbers[i] = t * 3 + i;
        ranks[i] = 191 - t * 3 - i;
    }
    Sort(storage).SortBlockedToStriped(own, numbers, 2, 5);
    for (int i = 0; i < 3; ++i) {
        keys[i * 64 + t] = own[i];
        values[i * 64 + t] = numbers[i];
    }
    Exchange(exchange).ScatterToStriped(own, ranks);
    for (int i = 0; i < 3; ++i)
        places[i * 64 + t] = own[i];
}
struct Less {
    __device__ int operator()(int a, int b) const { return a * 3 - b; }
};
// What each item differs by from the one in front of it, or behind it.
template <int N> __global__ void differences(const int *x, long *y, int count)
{
    using Difference = cub::BlockAdjacentDifference<int, N>;
    __shared__ typename Difference::TempStorage storage;
    int items[3], first[3], second[3];
    for (int i = 0; i < 3; ++i)
        items[i] = x[threadIdx.x * 3 + i];
    Difference(storage).SubtractLeft(items, first, Less());
    __syncthreads();
    Difference(storage).SubtractRight(first, first, Less(), count);
    __syncthreads();
    Difference(storage).SubtractLeftPartialTile(first, second, Less(), count, 5);
    __syncthreads();
    Difference(storage).SubtractRightPartialTile(second, second, Less(), count);
    __syncthreads();
    Difference(storage).SubtractRight(items, items, Less());
    for (int i = 0; i < 3; ++i)
        y[threadIdx.x * 3 + i] = items[i] + 7 * first[i] + 11 * second[i];
}
// The algorithm is a parameter: striped ones have the items in another order.
template <int N, cub::BlockLoadAlgorithm LOADS, cub::BlockStoreAlgorithm STORES>
__global__ void moved(const int *x, int *y, int n)
{
    typedef cub::BlockLoad<int, N, 3, LOADS> Load;
    typedef cub::BlockStore<int, N, 3, STORES> Store;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } temp;
    int items[3];
    Load(temp.load).Load(x, items, n, -1);
    __syncthreads();
    for (int &one : items)
        one = one * 3 + threadIdx.x;
    Store(temp.store).Store(y, items);
}

int main()
{
    const int n = 1000, threads = 64, items = 4;
    float *x, *y, *sums;
    int *a, *b;
    unsigned *keys, *sorted, *places;
    float *values;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    cudaMallocManaged(&sums, 4 * sizeof(float));
    cudaMallocManaged(&a, 128 * sizeof(int));
    cudaMallocManaged(&b, 128 * sizeof(int));
    cudaMallocManaged(&keys, 192 * sizeof(unsigned));
    cudaMallocManaged(&sorted, 192 * sizeof(unsigned));
    cudaMallocManaged(&places, 192 * sizeof(unsigned));
    cudaMallocManaged(&values, 192 * sizeof(float));
    for (int i = 0; i < n; ++i)
        x[i] = (i * 37) % 91 - 40;
    for (int i = 0; i < 128; ++i)
        a[i] = (i * 37) % 91 - 40;
    for (int i = 0; i < 192; ++i)
        keys[i] = (i * 37) % 91;
    k<float, threads, items, cub::BLOCK_SCAN_RAKING><<<(n + 255) / 256, threads>>>(x, y, sums, n);
    w<<<1, 128>>>(a, b, n);
    pairs<<<1, dim3(32, 2)>>>(keys, sorted, values, places);
    long *differ;
    cudaMallocManaged(&differ, 96 * sizeof(long));
    differences<32><<<1, 32>>>(a, differ, 80);
    int *placed;
    cudaMallocManaged(&placed, 3 * 96 * sizeof(int));
    moved<32, cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_WARP_TRANSPOSE><<<1, 32>>>(a, placed, 90);
    moved<32, cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_STRIPED><<<1, 32>>>(a, placed + 96, 90);
    moved<32, cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, cub::BLOCK_STORE_DIRECT>
        <<<1, 32>>>(a, placed + 192, 90);
    cudaDeviceSynchronize();
    long differed = 0;
    for (int i = 0; i < 288; ++i)
        differed += placed[i] * (i % 19);
    for (int i = 0; i < 96; ++i)
        differed += differ[i] * (i % 17);
    double all = 0;
    for (int i = 0; i < n; ++i)
        all += y[i] * (i % 7);
    for (int i = 0; i < 128; ++i)
        all += b[i] * (i % 5);
    for (int i = 0; i < 192; ++i)
        all += values[i] * (i % 3) + sorted[i] * (i % 11) + places[i] * (i % 13);
    std::printf("%g %g %g %g %g %d %d %u %u %g %ld\n", all, sums[0], sums[1], sums[2], sums[3], b[16], b[127], sorted[5], places[9], values[100], differed);
}
