// Bounds that change inside of loops and between them.
// g2o-verify: shrinking<<<2, 16>>>(n = 30, m = 6, x = [m], y = [n])
__global__ void shrinking(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0.0;
    int left = m;
    for (int j = 0; j < left; ++j) {
        s += x[j] * x[0];
        if (j % 2)
            left -= 1;
    }
    m = left / 2;
    for (int j = 0; j < m; ++j)
        s += x[m + j] * x[m];
    y[i] = s;
}
