// Neighbours at distances that parameters give, farther apart than the grid is wide.
// g2o-verify: far<<<1, 16>>>(n = 12, w = 5, u = [n + 40], v = [n])
// g2o-verify: far<<<1, 4>>>(n = 3, w = 9, u = [n + 40], v = [n])
__global__ void far(const double *u, double *v, int n, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = u[i] * u[i + w] + u[i + 2 * w] * u[i + 7];
}
