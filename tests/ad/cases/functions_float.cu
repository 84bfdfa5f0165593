// The float forms and CUDA's fast intrinsics.
// g2o-verify: functions<<<2, 16>>>(n = 24, x = [n : 0.3 .. 0.8], y = [n : 0.3 .. 0.8], z = [n])
__global__ void functions(const float *x, const float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], b = y[i];
    float v = sqrtf(a) * rsqrtf(b) + powf(a, b) + expf(a) * logf(b) + tanhf(a) + fmaf(a, b, 1.0f);
    v += __expf(a) + __logf(b) + __powf(a, b) + __fdividef(a, b) + __sinf(a) * __cosf(b);
    v += __fmaf_rn(a, a, b) + __fsqrt_rn(b) + fabsf(a - b) + fmaxf(a, b) * fminf(a, 0.5f);
    float s, c;
    sincosf(a * b, &s, &c);
    z[i] = v * s + c;
}
