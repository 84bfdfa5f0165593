// Gamma, Bessel and other special functions, in double and float, and arithmetic with a rounding.
// g2o-verify: in_double<<<2, 16>>>(n = 24, x = [n : 0.4 .. 2.9], y = [n : 0.2 .. 0.8], z = [n], k = 2)
__global__ void in_double(const double *x, const double *y, double *z, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], b = y[i];
    double v = lgamma(a) + tgamma(b + 1.0) + lgamma(-b) + erfcx(b) + j0(a) + j1(b) * y0(a) + y1(a);
    v += jn(k, a) * yn(3, a) + cyl_bessel_i0(a) + cyl_bessel_i1(b) * cospi(b) + rcbrt(a) + exp10(b);
    v += norm4d(a, b, a * b, 1.0) + rnorm4d(a, b, a, a) + norm3d(a, b, a * b) + rhypot(a, b);
    v += erfinv(b) * erfcinv(b) + normcdfinv(b) + scalbln(a, 2) + nextafter(a, b);
    v += remainder(a, 7.0) + fmod(a, 5.0) * __dadd_rz(a, b) + __dmul_ru(a, b) + __fma_rd(a, b, a);
    v += __drcp_rz(a) + __ddiv_rd(b, a) + __dsqrt_ru(a);
    double s, c;
    sincospi(b, &s, &c);
    z[i] = v * s + c / v;
}

// g2o-verify: in_float<<<2, 16>>>(n = 24, x = [n : 0.4 .. 2.9], y = [n : 0.2 .. 0.8], z = [n], k = 2)
__global__ void in_float(const float *x, const float *y, float *z, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], b = y[i];
    float v = lgammaf(a) + tgammaf(b + 1.0f) + erfcxf(b) + j0f(a) + j1f(b) * y0f(a) + y1f(a);
    v += jnf(k, a) + ynf(2, a) + cyl_bessel_i0f(b) + cyl_bessel_i1f(b);
    v += norm4df(a, b, a * b, 1.0f) + rnorm4df(a, b, a, a) + fdividef(a, b);
    v += __fadd_rz(a, b) + __fmul_ru(a, b) + __fmaf_rd(a, b, a) + __frcp_rz(a) + __fsqrt_rd(b);
    z[i] = v;
}
