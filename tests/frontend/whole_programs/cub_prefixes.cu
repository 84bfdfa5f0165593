// out: 129 131 1 101 164 6 17 7 7
// Scans of a block that are told what comes before its values (prefix functors).
#include <cstdio>
#include <cub/cub.cuh>
struct Running {
    int total;
    __device__ Running(int start) : total(start) {}
    __device__ int operator()(int sum)
    {
        int old = total;
        total += sum;
        return old;
    }
};
struct Most {
    int *most;
    int told;
    __device__ int operator()(int of_block)
    {
        int old = told;
        told = max(told, of_block);
        *most = told;
        return old;
    }
};

__global__ void positions(const int *x, int *y, int n)
{
    using BlockScan = cub::BlockScan<int, 64>;
    __shared__ typename BlockScan::TempStorage storage;
    Running before(1);
    for (int base = 0; base < n; base += 64) {
        int i = base + threadIdx.x;
        int v = i < n ? x[i] : 0;
        BlockScan(storage).ExclusiveSum(v, v, before);
        __syncthreads();
        if (i < n)
            y[i] = v;
    }
}

// Only the first thread's object counts: the others start with something else.
__global__ void of_first(const int *x, int *y)
{
    using BlockScan = cub::BlockScan<int, 64>;
    __shared__ typename BlockScan::TempStorage storage;
    Running before(threadIdx.x == 0 ? 100 : -7 * int(threadIdx.x));
    int v = x[threadIdx.x];
    BlockScan(storage).InclusiveSum(v, v, before);
    y[threadIdx.x] = v;
}

__global__ void most_so_far(const int *x, int *y, int *most, int n)
{
    using BlockScan = cub::BlockScan<int, 64>;
    __shared__ typename BlockScan::TempStorage storage;
    Most before{most, -5};
    for (int base = 0; base < n; base += 128) {
        int items[2];
        for (int k = 0; k < 2; ++k) {
            int i = base + threadIdx.x * 2 + k;
            items[k] = i < n ? x[i] : -1000;
        }
        BlockScan(storage).InclusiveScan(items, items, cub::Max(), before);
        __syncthreads();
        for (int k = 0; k < 2; ++k) {
            int i = base + threadIdx.x * 2 + k;
            if (i < n)
                y[i] = items[k];
        }
    }
    if (threadIdx.x == 0)
        y[n] = before.told;
}

int main()
{
    const int n = 200;
    int *x, *y, *most;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&y, (n + 1) * sizeof(int));
    cudaMallocManaged(&most, sizeof(int));
    for (int i = 0; i < n; ++i)
        x[i] = 1 + (i == 130);
    positions<<<1, 64>>>(x, y, n);
    cudaDeviceSynchronize();
    printf("%d %d %d ", y[128], y[129] + 1, y[0]);
    of_first<<<1, 64>>>(x, y);
    cudaDeviceSynchronize();
    printf("%d %d ", y[0], y[63]);
    for (int i = 0; i < n; ++i)
        x[i] = (i * 7) % 23 - (i < 100 ? 15 : 15);
    most_so_far<<<1, 64>>>(x, y, most, n);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", y[1] + 11, y[30] + 10, y[n], *most);
    return 0;
}
