// The place of a loop's increments exists only where one of its iterations adds to it.
// g2o-verify: place_that_is_not<<<1, 8>>>(n = 8, m = 4, x = [n], w = [m], y = [n])
__global__ void place_that_is_not(const double *x, const double *w, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int far = i + 1 < n ? i + 1 : 1 << 30;
    double s = 0.0;
    for (int j = 0; j < m; ++j)
        if (far < n)
            s += x[far] * w[j] * w[j];
    y[i] = s;
}
