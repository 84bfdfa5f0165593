// Threads of different intervals write one location: the last write owns the seed.
// g2o-verify: overwrite<<<2, 16>>>(x = [32], y = [34])
__global__ void overwrite(const double *x, double *y)
{
    int t = threadIdx.x, b = blockIdx.x * 17, i = blockIdx.x * 16 + t;
    y[b + t] = x[i] * x[i];
    __syncthreads();
    y[b + t + 1] = y[b + t + 1] * 0.5 + x[i];
    __syncthreads();
    if (t % 2 == 0)
        y[b + t] = y[b + t + 1] * y[b + t];
}
