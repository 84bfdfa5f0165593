// A pointer that walks over the elements.
// g2o-verify: walk<<<2, 8>>>(n = 14, m = 4, x = [n * m], y = [n])
__global__ void walk(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *p = x + i * m, *end = p + m;
    double v = 1.0;
    while (p != end) {
        v += v * *p++;
    }
    y[i] = v;
}
