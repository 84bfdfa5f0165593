// Every thread calls a device function that reads the whole vector.
// g2o-verify: normalize<<<2, 32>>>(n = 60, in = [n], out = [n])
__device__ double magnitude(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * x[i];
    return sqrt(sum);
}

__global__ void normalize(double *__restrict__ out, const double *__restrict__ in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] / magnitude(in, n);
}
