// A history in a local array that is shifted in every step.
// g2o-verify: shift<<<2, 8>>>(n = 14, m = 7, x = [n * m], y = [n])
__global__ void shift(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double h[3] = {1.0, 2.0, 3.0};
    for (int j = 0; j < m; ++j) {
        double t = h[0] * h[1] - 0.1 * h[2] * x[i * m + j];
        for (int q = 2; q > 0; --q)
            h[q] = h[q - 1];
        h[0] = tanh(t);
    }
    y[i] = h[0] + h[1] * h[2];
}
