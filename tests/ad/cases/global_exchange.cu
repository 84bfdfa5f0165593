// Threads of a block exchange values through global memory, and overwrite what others have read.
// g2o-verify: exchange<<<2, 16>>>(x = [32], scratch = [32], y = [32])
__global__ void exchange(const double *x, double *scratch, double *y)
{
    int t = threadIdx.x, base = blockIdx.x * 16;
    scratch[base + t] = x[base + t] * x[base + t];
    __syncthreads();
    double other = scratch[base + (t + 1) % 16];
    __syncthreads();
    scratch[base + t] = other * x[base + t];
    __syncthreads();
    y[base + t] = scratch[base + 15 - t] * other;
}
