// The range of an index that is no linear function of the loop.
// g2o-verify: squares_of_offsets<<<2, 16>>>(n = 30, r = 3, x = [16], y = [n])
__global__ void squares_of_offsets(const double *x, double *y, int n, int r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0.0;
    for (int k = -r; k <= r; ++k)
        s += x[k * k] * x[k * k] * (i + 1);
    y[i] = s;
}
