// The program has a function with the name that the adjoint would have.
// g2o-verify: mean_off<<<2, 16>>>(n = 30, in = [n], out = [n])
__device__ double mean(const double *values, int count)
{
    double s = 0.0;
    for (int k = 0; k < count; ++k)
        s += values[k] * values[k];
    return s / count;
}
__host__ __device__ void mean_grad(const double *values, int count, double *d_values, double seed)
{
    for (int k = 0; k < count; ++k)
        d_values[k] += 2.0 * values[k] * seed / count + 100.0;
}
__global__ void mean_off(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] - mean(in, n);
}
