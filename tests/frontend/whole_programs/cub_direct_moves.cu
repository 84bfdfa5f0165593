// out: 3 8 15 120 7
// Loads and stores of items without CUB's memory.
#include <cstdio>
#include <cub/cub.cuh>

template <int kThreads, int kItems> __global__ void turned(const int *x, int *y, int n)
{
    int items[kItems];
    cub::LoadDirectBlocked(threadIdx.x, x + blockIdx.x * kThreads * kItems, items);
    cub::StoreDirectStriped<kThreads>(threadIdx.x, y + blockIdx.x * kThreads * kItems, items, n);
}

__global__ void loaded(const int *x, int *y, int n)
{
    int items[4];
    cub::LoadDirectStriped<8>(int(threadIdx.x), x, items, n, 7);
    cub::StoreDirectBlocked(threadIdx.x, y, items);
}

int main()
{
    int *x, *y;
    cudaMallocManaged(&x, 32 * sizeof(int));
    cudaMallocManaged(&y, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) {
        x[i] = i;
        y[i] = 100;
    }
    turned<8, 4><<<1, 8>>>(x, y, 30);
    cudaDeviceSynchronize();
    printf("%d %d %d %d ", y[8 * 3] , y[2], y[3 * 8 + 3], y[31] + 20);
    loaded<<<1, 8>>>(x, y, 29);
    cudaDeviceSynchronize();
    printf("%d\n", y[31]);
    return 0;
}
