// Numbers that change inside of expressions, in branches that are chosen there, in conditions.
// g2o-verify: chosen<<<2, 8>>>(n = 14, x = [n : -1 .. 1], y = [n])
__global__ void chosen(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], w = 0.3;
    int count = 0;
    const double r = v > 0.0 ? (w += v, count++, w * v) : (v *= 2.0, v * w);
    y[i] = r * v * w + count;
    y[i] += w > 0.4 && (w *= v) > 0.2 ? (v = w) : 2.0 * (w -= 0.1);
    x[i] > 0.2 ? y[i] *= w : y[i] -= x[i] * v;
}
// g2o-verify: listed<<<2, 8>>>(n = 14, x = [n], y = [n])
__global__ void listed(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], b;
    y[i] = a + 2.0, a *= y[i], y[i] /= a;
    b = a = y[i] * a;
    y[i] += b * (a += 1.0);
    if ((b = y[i] * b) > 5.0)
        y[i] = b * a;
    else if ((a *= 0.5) < 1.5 || (b -= a * a) > 1.0)
        y[i] += a * b;
}
// g2o-verify: conditions<<<2, 8>>>(n = 14, x = [n : 0.5 .. 1], y = [n])
__global__ void conditions(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i] * 9.0;
    int count = 0;
    while ((v *= x[i]) > 0.7 && count < 9) {
        if (++count == 3)
            continue;
        y[i] += v;
    }
    double w = y[i];
    do {
        v = v * 0.5 + w;
    } while ((w *= x[i]) > 0.4);
    for (int k = 0; (v -= 0.3) > 1.0; ++k)
        y[i] = y[i] * v - k;
}
