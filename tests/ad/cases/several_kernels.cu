// Several kernels that share a device function.
// g2o-verify: forward<<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: damp<<<1, 32>>>(n = 20, y = [n])
__device__ double gelu(double x) { return 0.5 * x * (1.0 + erf(0.7071067811865476 * x)); }

__global__ void forward(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = gelu(x[i]);
}

__global__ void damp(double *y, double factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = gelu(factor * y[i]);
}
