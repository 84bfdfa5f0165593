// Names for types of elements, where CUB combines values of the type that is meant, and
// `__restrict__` beside an element, which says nothing
#include <cstdio>
#include <cub/cub.cuh>

typedef float Score;
using Count = unsigned;
typedef cub::BlockReduce<Score, 64> BlockReduce;

__global__ void total(int n, const __restrict__ Score *x, Score __restrict__ *sum, Count *many)
{
    __shared__ typename BlockReduce::TempStorage memory;
    __shared__ typename cub::BlockReduce<Count, 64>::TempStorage counts;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = 0;
    unsigned short positive = 0;
    if (i < n) {
        mine += x[i];
        positive = x[i] > 3;
    }
    float all = BlockReduce(memory).Sum(mine);
    Count counted = cub::BlockReduce<Count, 64>(counts).Sum(positive);
    if (threadIdx.x == 0) {
        sum[blockIdx.x] = all;
        many[blockIdx.x] = counted;
    }
}

int main()
{
    const int n = 150;
    float *x, *sum;
    Count *many;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&sum, 3 * sizeof(float));
    cudaMallocManaged(&many, 3 * sizeof(Count));
    for (int i = 0; i < n; ++i)
        x[i] = i % 8;
    total<<<3, 64>>>(n, x, sum, many);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; ++i)
        std::printf("%g %u\n", sum[i], many[i]);
}
