// Sweeps over a row in memory that read what the last step has written.
// g2o-verify: sweep<<<2, 4>>>(n = 8, m = 6, x = [n * m], y = [n])
__global__ void sweep(double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *row = x + i * m;
    for (int j = 1; j < m; ++j) {
        row[j] = row[j] * row[j - 1];
        row[j - 1] = row[j] + row[j - 1] * row[j - 1] * 0.2;
    }
    for (int j = m - 1; j > 0; --j)
        row[j - 1] -= row[j] * 0.3 * row[j - 1];
    y[i] = row[0];
}
