// A loop without a condition that ends by break and by return, in a device function.
// g2o-verify: run_all<<<2, 8>>>(n = 14, m = 9, x = [n * m], y = [n])
__device__ double run(const double *x, int m, double limit)
{
    double s = 0.0;
    int j = 0;
    while (true) {
        if (j == m)
            return -s;
        s += x[j] * x[j] * (1.0 + s);
        if (s > limit)
            break;
        ++j;
        if (x[j - 1] < 0.7)
            continue;
        s *= 0.9;
    }
    return s * s;
}
__global__ void run_all(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = run(x + i * m, m, 4.0 + i);
}
