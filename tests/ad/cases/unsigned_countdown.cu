// Loops that count down, with unsigned and with 64-bit indices, and two indices in one head.
// g2o-verify: countdown<<<2, 16>>>(n = 20, x = [n], y = [n])
__global__ void countdown(const double *x, double *y, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = 1.0;
    for (unsigned k = i; k > 0; --k)
        v = 0.9 * v + x[k] * x[k - 1];
    for (long long a = 0, b = (long long)n - 1; a < b; a += 3, --b)
        v += v * 0.1 * x[a] * x[b];
    y[i] = v;
}
