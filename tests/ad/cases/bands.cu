// Two elements of one array in every iteration of a loop.
// g2o-verify: bands<<<2, 16>>>(n = 30, m = 40, x = [m + 1], y = [n])
__global__ void bands(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0.0;
    for (int j = 0; j < m; ++j) {
        int k = m - j;
        s += x[j] * x[j + 1] * x[k] * (i + 1) * 0.01 + x[j + k];
    }
    y[i] = s;
}
