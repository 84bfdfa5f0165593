// A recurrence over three values that are handed on in a loop.
// g2o-verify: recur<<<2, 8>>>(n = 14, m = 5, x = [n * m], y = [n])
__global__ void recur(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = 0.3, b = 0.7, c = 1.1;
    for (int j = 0; j < m; ++j) {
        double t = a * b + x[i * m + j];
        a = b;
        b = c;
        c = t * t * 0.3;
    }
    y[i] = a * b * c;
}
