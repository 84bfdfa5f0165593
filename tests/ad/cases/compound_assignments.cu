// Every compound assignment, unary minus, and products of an expression with itself.
// g2o-verify: compound<<<2, 32>>>(n = 40, x = [n], y = [n])
__global__ void compound(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], b = -a, c = 2.0;
    c -= a;
    c /= a + 3.0;
    b *= c;
    b += b * b;
    a /= c * c;
    a -= a * b;
    c = b = a * c;
    y[i] += -(a + b) * (a + b) / c;
    y[i] -= x[i];
    y[i] *= 0.5;
}
