// Neighbours go through the loop together, and every CPU thread has its own sums of d_w.
// g2o-verify: columns_in_strips<<<3, 64>>>(x = [n * m], w = [m], y = [n], n = 150, m = 7)
__global__ void columns_in_strips(const double *x, const double *w, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = 0; j < m; ++j)
        sum += w[j] * x[j * n + i];
    y[i] = sum * sum;
}
