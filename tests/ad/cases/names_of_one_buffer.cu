// Several names of one buffer: a pointer into it, and one that is either of two.
// g2o-verify: names<<<2, 16>>>(n = 30, x = [2 * n], y = [n], z = [n])
__global__ void names(double *x, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *second = x + n;
    second[i] = x[i] * x[i];
    x[i] = second[i] * x[n + i];
    const double *source = i % 2 == 0 ? x : y;
    z[i] = source[i] * second[i];
}
