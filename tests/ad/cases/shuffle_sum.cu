// Sums over warps by shuffles.
// g2o-verify: shuffle_sum<<<2, 64>>>(n = 120, x = [n], y = [4])
__global__ void shuffle_sum(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double value = i < n ? x[i] * x[i] : 0.0;
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    if (threadIdx.x % 32 == 0)
        y[i / 32] = sin(value);
}
