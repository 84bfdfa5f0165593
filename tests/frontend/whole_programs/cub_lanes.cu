// out: 131 1100 3 2069 131 1100 3 2069
// Where CUB says that a thread is, also in blocks of two axes, and its exchange of two values.
#include <cstdio>
#include <cub/util_ptx.cuh>

__device__ int place()
{
    return 100 * (cub::WarpId() + 1) + cub::LaneId();
}
template <int Width>
__global__ void places(int *y)
{
    static_assert(cub::PowerOfTwo<Width>::VALUE && cub::Log2<Width>::VALUE == 4);
    static_assert(!cub::PowerOfTwo<12>::VALUE && cub::Log2<9>::VALUE == 4, "rounded up");
    int i = blockIdx.x * 64 + threadIdx.y * Width + threadIdx.x;
    y[i] = place();
    if (cub::LaneId() == 3) {
        int a = 3, b = y[i];
        cub::Swap(a, b);
        y[i] = b;
    }
    if (cub::LaneId() == 0)
        y[i] += 900 * (cub::WarpId() + 0);
    if (cub::WarpId() == 1 && cub::LaneId() == 31)
        y[i] = 2069;
}
int main()
{
    int *y;
    cudaMallocManaged(&y, 128 * sizeof(int));
    places<16><<<2, dim3(16, 4)>>>(y);
    cudaDeviceSynchronize();
    for (int block = 0; block < 2; ++block)
        std::printf("%d %d %d %d ", y[64 * block + 31], y[64 * block + 32], y[64 * block + 3],
                    y[64 * block + 63]);
    std::printf("\n");
}
