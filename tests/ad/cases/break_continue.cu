// break and continue in a loop, both on active values.
// g2o-verify: break_continue<<<2, 8>>>(n = 14, m = 9, x = [n * m : -1 .. 2], y = [n])
__global__ void break_continue(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int k = 0; k < m; ++k) {
        double v = x[i * m + k];
        if (v < 0.0)
            continue;
        sum += v * v;
        if (sum > 3.0)
            break;
        sum *= 1.1;
    }
    y[i] = sum;
}
