// All threads read the same few numbers: their shadows are sums.
// g2o-verify: affine_by_two<<<2, 16>>>(n = 30, x = [n], w = [2], y = [n])
// g2o-verify: first_and_last<<<2, 16>>>(n = 30, x = [n], m = 1, w = [m], y = [n])
__global__ void affine_by_two(const double *x, const double *w, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * w[0] + w[1];
}

// The two places are one where m is 1.
__global__ void first_and_last(const double *x, const double *w, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * w[0] + x[i] * x[i] * w[m - 1];
}
