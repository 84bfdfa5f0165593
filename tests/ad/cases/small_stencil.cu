// Fewer elements than the stencil is wide.
// g2o-verify: small_stencil<<<1, 32>>>(n = 3, u = [n], v = [n])
// g2o-verify: small_stencil<<<1, 32>>>(n = 4, u = [n], v = [n])
// g2o-verify: small_stencil<<<1, 32>>>(n = 5, u = [n], v = [n])
// g2o-verify: small_stencil<<<1, 32>>>(n = 6, u = [n], v = [n])
// g2o-verify: small_stencil<<<1, 32>>>(n = 9, u = [n], v = [n])
__global__ void small_stencil(const double *u, double *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 && i < n - 2)
        v[i] = u[i - 2] * u[i + 2] + u[i] * u[i - 1];
}
