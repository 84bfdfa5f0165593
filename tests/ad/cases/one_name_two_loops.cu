// Two loops whose indices have one name, and not one range.
// g2o-verify: one_name_two_loops<<<2, 16>>>(n = 30, m = 5, x = [m], z = [64], y = [n])
__global__ void one_name_two_loops(const double *x, const double *z, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0.0;
    for (int j = 0; j < m; ++j)
        s += x[j] * x[j] * (i + 1);
    for (int j = 1; j * j < 60 && j < n; j *= 2)
        s += z[j] * z[j] * (i + 2);
    y[i] = s;
}
