// Two kernels that call one function; its default argument.
// g2o-verify: mean_off<<<2, 16>>>(n = 30, in = [n], out = [n])
// g2o-verify: mean_twice<<<2, 16>>>(n = 30, in = [n], out = [n])
__device__ double mean(const double *values, int count = 7)
{
    double s = 0.0;
    for (int k = 0; k < count; ++k)
        s += values[k] * values[k];
    return s / count;
}
__global__ void mean_off(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] - mean(in, n);
}
__global__ void mean_twice(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * mean(in, n) * mean(in, 4);
}
