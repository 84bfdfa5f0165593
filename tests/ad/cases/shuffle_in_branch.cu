// Shuffles that only some warps come to: a row a warp, the totals of the warps in the first one, and
// parts of a warp whose size is an argument of a template.
// g2o-verify: rows<<<2, 64>>>(n = 3, m = 40, x = [n * m], y = [n])
// g2o-verify: block_total<<<2, 96>>>(n = 170, x = [n], y = [2])
// g2o-verify: parts<8><<<2, 32>>>(n = 5, x = [5 * 8], y = [n])
__global__ void rows(const double *x, double *y, int n, int m)
{
    int lane = threadIdx.x & 31;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row < n) {
        double sum = 0.0;
        for (int k = lane; k < m; k += 32)
            sum += x[row * m + k] * x[row * m + k];
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (lane == 0)
            y[row] = sqrt(sum);
    }
}

__device__ double warp_sum(double value)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

__global__ void block_total(const double *x, double *y, int n)
{
    __shared__ double totals[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double value = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        value += sin(x[i]);
    value = warp_sum(value);
    if (lane == 0)
        totals[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int warps = blockDim.x / 32;
        value = lane < warps ? totals[lane] * totals[lane] : 0.0;
        value = warp_sum(value);
        if (lane == 0)
            y[blockIdx.x] = value;
    }
}

template <int LANES> __global__ void parts(const double *x, double *y, int n)
{
    int lane = threadIdx.x % LANES;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    double value = row < n ? exp(x[row * LANES + lane]) : 0.0;
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset, LANES);
    if (lane == 0 && row < n)
        y[row] = log(value);
}
