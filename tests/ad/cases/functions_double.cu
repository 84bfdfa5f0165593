// One of every kind of function of the table, in double.
// g2o-verify: functions<<<2, 16>>>(n = 24, x = [n : 0.2 .. 0.8], y = [n : 0.2 .. 0.8], z = [n])
__global__ void functions(const double *x, const double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], b = y[i];
    double v = sqrt(a) + rsqrt(b) + cbrt(a * b) + hypot(a, b) + pow(a, b) + pow(b, 3.0);
    v += exp(a) * log(b) + exp2(b) + expm1(a) + log1p(b) + log2(a) + log10(b);
    v += sin(a) * cos(b) + tan(a) + asin(a) + acos(b) + atan(a * b) + atan2(a, b) + sinpi(a);
    v += sinh(a) * cosh(b) * tanh(a) + asinh(b) + atanh(a) + acosh(1.5 + b);
    v += erf(a) + erfc(b) + normcdf(a) + fma(a, b, a) + fdim(1.0, a) + ldexp(a, 2);
    double s, c;
    sincos(a + b, &s, &c);
    z[i] = v * s + c / v;
}
