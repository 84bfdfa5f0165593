// Conditional expressions and logical operators on active values.
// g2o-verify: choose<<<2, 32>>>(n = 64, x = [n : -1 .. 1], y = [n : -1 .. 1], z = [n])
__global__ void choose(const double *x, const double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double larger = x[i] > y[i] ? x[i] : y[i] * y[i];
    z[i] = (x[i] > 0.0 && y[i] > 0.0) ? larger * x[i] : (larger < -0.5 || i % 3 == 0 ? x[i] : 1.0);
}
