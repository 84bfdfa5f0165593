// Blocks that overlap: the index is not the one that tells threads apart.
// g2o-verify: overlapping_blocks<<<3, 8>>>(x = [40], y = [24])
__global__ void overlapping_blocks(const double *x, double *y)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int j = blockIdx.x * (blockDim.x - 2) + t;
    y[i] = x[j] * x[j];
}
