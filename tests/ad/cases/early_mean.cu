// Threads that return before they need the mean again.
// g2o-verify: early_mean<<<2, 16>>>(n = 30, k = 3, in = [n], out = [n])
// g2o-verify: early_mean<<<2, 16>>>(n = 30, k = 30, in = [n], out = [n])
__device__ double mean(const double *values, int count)
{
    double s = 0.0;
    for (int k = 0; k < count; ++k)
        s += values[k] * values[k];
    return s / count;
}
__global__ void early_mean(const double *in, double *out, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = in[i] * mean(in, n);
    if (k > 10)
        return;
    out[i] += mean(in, k);
}
