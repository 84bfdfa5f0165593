// Neighbours whose threads only write under conditions on data and on values.
// g2o-verify: masked<<<3, 16>>>(n = 44, mask = [n : 0 .. 1], u = [n : -1 .. 1], v = [n], w = [n])
__global__ void masked(const int *mask, const double *u, double *v, double *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= n - 1 || !mask[i])
        return;
    v[i] += u[i - 1] * u[i + 1];
    if (u[i] > 0.0)
        w[i] = u[i + 1] * v[i] + u[i - 1];
}
