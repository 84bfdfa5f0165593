// Threads behind the end return before the barriers.
// g2o-verify: shifted<<<2, 16>>>(n = 27, x = [n], y = [n])
__global__ void shifted(const double *x, double *y, int n)
{
    __shared__ double s[16];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = sin(x[i]);
    __syncthreads();
    if (t > 0)
        y[i] = s[t] * s[t - 1];
    else
        y[i] = s[0];
}
