// A 3-point stencil: the increments of u[i - 1], u[i] and u[i + 1] meet in one location.
// g2o-verify: stencil_1d<<<4, 32>>>(n = 120, u = [n], v = [n])
__global__ void stencil_1d(const double *u, double *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        v[i] = 0.25 * u[i - 1] * u[i + 1] + 0.5 * u[i] * u[i];
}
