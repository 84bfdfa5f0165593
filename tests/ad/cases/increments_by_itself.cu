// Increments and quotients of a variable by itself.
// g2o-verify: by_itself<<<2, 16>>>(n = 30, x = [n], y = [n])
__global__ void by_itself(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i];
    a += a;
    a -= a * a;
    a *= a + a;
    a /= a * a + 1.0;
    y[i] += y[i] * a;
    y[i] -= y[i] / (a + y[i]);
}
