// What is added to depends twice on where it is added.
// g2o-verify: sums_with_squares<<<2, 32>>>(n = 40, x = [n], y = [n])
__global__ void sums_with_squares(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double b = x[i];
    b += b * b;
    b = b + 0.1 * b * (b - 1.0);
    y[i] += y[i] * y[i];
    y[i] += b * b + 0.1 * y[i] * y[i] * y[i];
}
