// Shared memory that lives across a synchronisation of the grid: its derivatives start at 0.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// g2o-verify: fixed<<<3, 16>>>(x = [48], y = [48], z = [48])
__global__ void fixed(const float *x, float *y, float *z)
{
    __shared__ float s[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 4) s[threadIdx.x] = x[i] * x[i];
    __syncthreads();
    y[i] = x[i] * s[i % 4];
    cg::this_grid().sync();
    z[i] = y[(i + 16) % 48] * s[(i+1)%4];
}

// g2o-verify: dynamic<<<3, 16, 64>>>(x = [48], y = [48], z = [48])
__global__ void dynamic(const float *x, float *y, float *z)
{
    extern __shared__ float own[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    own[threadIdx.x] = sinf(x[i]);
    __syncthreads();
    y[i] = x[i] * own[(threadIdx.x + 3) % 16];
    cg::this_grid().sync();
    z[i] = y[(i + 16) % 48] * own[threadIdx.x / 2];
}
