// Arrays that neighbours' increments are read from, written twice.
// g2o-verify: two_written<<<2, 32>>>(n = 60, u = [n], v = [n], w = [n])
__global__ void two_written(const double *u, double *v, double *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        v[i] = u[i - 1] * u[i + 1];
        w[i] = v[i] * u[i + 1] + w[i];
        v[i] = v[i] * w[i];
    }
}
