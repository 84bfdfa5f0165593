// A reduction by a function of the program has nothing that lanes could add which take no part.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__device__ int product(int a, int b) { return a * b; }

__global__ void kernel(const int *x, int *y)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int value = x[threadIdx.x], result = 0;
    if (value > 3)
        result = cg::reduce(warp, value, product);
    y[threadIdx.x] = result;
}
