// Prefix sums and sums of blocks and warps, by CUB.
// g2o-verify: sum_of_block<<<2, 64>>>(n = 100, x = [n], y = [2])
// g2o-verify: sum_of_warp<<<2, 64>>>(n = 100, x = [n], y = [4])
// g2o-verify: scan_of_warp<<<2, 64>>>(n = 100, x = [n], y = [n])
// g2o-verify: scan_of_block<<<2, 64>>>(n = 100, x = [n], y = [n])
// g2o-verify: scans_in_loop<<<2, 48>>>(n = 90, x = [n], y = [n])
#include <cub/cub.cuh>

__global__ void sum_of_block(const double *x, double *y, int n)
{
    using Reduce = cub::BlockReduce<double, 64>;
    __shared__ typename Reduce::TempStorage temp;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = i < n ? x[i] * x[i] : 0.0;
    double s = Reduce(temp).Sum(v);
    if (threadIdx.x == 0)
        y[blockIdx.x] = s * s;
}

__global__ void sum_of_warp(const double *x, double *y, int n)
{
    using Reduce = cub::WarpReduce<double>;
    __shared__ typename Reduce::TempStorage temp[2];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = threadIdx.x / 32;
    double v = i < n ? x[i] * x[i] : 0.0;
    double s = Reduce(temp[warp]).Sum(v);
    if (threadIdx.x % 32 == 0)
        y[blockIdx.x * 2 + warp] = s * s;
}

__global__ void scan_of_warp(const double *x, double *y, int n)
{
    using Scan = cub::WarpScan<double>;
    __shared__ typename Scan::TempStorage temp[2];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = threadIdx.x / 32;
    double v = i < n ? x[i] * x[i] : 0.0;
    double s;
    Scan(temp[warp]).InclusiveSum(v, s);
    if (i < n)
        y[i] = s * s;
}

__global__ void scan_of_block(const double *x, double *y, int n)
{
    using Scan = cub::BlockScan<double, 64>;
    __shared__ typename Scan::TempStorage temp;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = i < n ? x[i] * x[i] : 0.0;
    double s;
    Scan(temp).ExclusiveSum(v, s);
    if (i < n)
        y[i] = s * s;
}

__global__ void scans_in_loop(const float *x, float *y, int n)
{
    using Scan = cub::WarpScan<float, 16>;
    __shared__ typename Scan::TempStorage temp[3];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f, s;
    for (int k = 0; k < 2; ++k) {
        Scan(temp[threadIdx.x / 16]).ExclusiveSum(v, s);
        v = s * s + x[0];
    }
    if (i < n)
        y[i] = v;
}
