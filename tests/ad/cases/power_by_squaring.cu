// A while loop that squares its value in place, once for every bit of an integer.
// g2o-verify: power_by_squaring<<<2, 32>>>(n = 40, e = 11, x = [n], y = [n])
__global__ void power_by_squaring(const double *x, double *y, int e, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double base = x[i], result = 1.0;
    while (e > 0) {
        if (e & 1)
            result *= base;
        base *= base;
        e >>= 1;
    }
    y[i] = result;
}
