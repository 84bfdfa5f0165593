// b = a * a, then a is overwritten: the adjoint needs the old value.
// g2o-verify: overwritten_local<<<2, 32>>>(n = 60, x = [n], y = [n])
__global__ void overwritten_local(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double a = x[i];
        double b = a * a;
        a = 1.0;
        b += a * x[i];
        a *= b;
        a *= a;
        y[i] = a + b;
    }
}
