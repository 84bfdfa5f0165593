// Members of neighbouring elements, which all threads add to.
// g2o-verify: vectors3<<<2, 16>>>(n = 30, m = 9, x = [m], y = [n])
__global__ void vectors3(const double3 *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0.0;
    for (int j = 1; j < m; ++j)
        s += x[j].x * x[j - 1].y * (i + 1) + x[j].z;
    y[i] = s;
}
