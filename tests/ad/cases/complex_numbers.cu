// Arithmetic of cuComplex.h.
// g2o-verify: quotients<<<2, 16>>>(n = 30, z = [n], w = [n], r = [n])
// g2o-verify: orbits<<<2, 16>>>(n = 30, x = [n : 0.1 .. 0.4], r = [n])
// g2o-verify: narrow<<<2, 16>>>(n = 30, z = [n], w = [n])
// g2o-verify: spectrum<<<2, 8>>>(z = [16], w = [16])
#include <cuComplex.h>

__global__ void quotients(const cuDoubleComplex *z, cuDoubleComplex *w, double *r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    cuDoubleComplex a = z[i], b = cuCmul(a, cuConj(z[(i + 1) % n]));
    b = cuCadd(b, a);
    w[i] = cuCdiv(cuCsub(w[i], make_cuDoubleComplex(0.5, cuCreal(a))), b);
    r[i] = cuCabs(cuCfma(a, b, z[0])) * cuCimag(w[i]);
}

__global__ void orbits(const double *x, double *r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    cuDoubleComplex c = make_cuDoubleComplex(x[i], 0.2), z = make_cuDoubleComplex(0, 0);
    int k = 0;
    while (cuCabs(z) < 2.0 && k++ < 6)
        z = cuCadd(cuCmul(z, z), c);
    r[i] = cuCreal(z) * cuCreal(z) + cuCimag(z);
}

__global__ void narrow(const cuComplex *z, cuFloatComplex *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        w[i] = cuCmulf(cuCaddf(z[i], make_cuComplex(1.0f, 2.0f)), cuConjf(z[i]));
}

// One stage of a transform in shared memory.
__global__ void spectrum(const cuDoubleComplex *z, cuDoubleComplex *w)
{
    __shared__ cuDoubleComplex s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    s[t] = z[i];
    __syncthreads();
    double angle = -0.7853981633974483 * t;
    cuDoubleComplex turn = make_cuDoubleComplex(cos(angle), sin(angle));
    cuDoubleComplex sum = cuCadd(s[t], cuCmul(turn, s[(t + 4) % 8]));
    __syncthreads();
    s[t] = sum;
    __syncthreads();
    w[i] = cuCmul(s[t], s[7 - t]);
}
