// The median of a few values, sorted in a local array.
// g2o-verify: median<<<2, 8>>>(n = 14, x = [n * 5 : -2 .. 2], y = [n])
__global__ void median(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[5];
    for (int j = 0; j < 5; ++j)
        v[j] = x[i * 5 + j];
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4 - a; ++b)
            if (v[b] > v[b + 1]) {
                double t = v[b];
                v[b] = v[b + 1];
                v[b + 1] = t;
            }
    y[i] = v[2] * v[2];
}
