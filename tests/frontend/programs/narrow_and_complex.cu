// Floats of eight bits, complex numbers, and the rarer functions of half precision.
#include <cmath>
#include <cstdio>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void to_fp8(const float *x, __nv_fp8_storage_t *codes, float *back, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    codes[4 * i] = __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, __NV_E4M3);
    codes[4 * i + 1] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E4M3);
    codes[4 * i + 2] = __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, __NV_E5M2);
    codes[4 * i + 3] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E5M2);
    __nv_fp8_e4m3 small(x[i]);
    __nv_fp8x4_e5m2 four(make_float4(x[i], -x[i], 2 * x[i], 0.5f * x[i]));
    float4 wide = float4(four);
    back[i] = float(small) + wide.x + wide.y + wide.z + wide.w;
    __nv_fp8x4_e4m3 pairs(__floats2bfloat162_rn(x[i], 1.0f), __floats2bfloat162_rn(2.0f, 3.0f));
    back[i] += float(reinterpret_cast<const __nv_fp8_e4m3 *>(&pairs)[3]);
}

__global__ void fp8_of_16_bits(const float *x, float *back, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half_raw half = __float2half(x[i]);
    __nv_bfloat16_raw brain = __float2bfloat16(x[i]);
    __half2_raw pair = __floats2half2_rn(x[i], -x[i]);
    __nv_bfloat162_raw brains = __floats2bfloat162_rn(x[i], 2 * x[i]);
    unsigned sum = __nv_cvt_halfraw_to_fp8(half, __NV_NOSAT, __NV_E4M3) +
                   __nv_cvt_bfloat16raw_to_fp8(brain, __NV_SATFINITE, __NV_E5M2) +
                   __nv_cvt_halfraw2_to_fp8x2(pair, __NV_SATFINITE, __NV_E4M3) +
                   __nv_cvt_bfloat16raw2_to_fp8x2(brains, __NV_NOSAT, __NV_E5M2) +
                   __nv_cvt_double2_to_fp8x2(make_double2(x[i], 3.0), __NV_NOSAT, __NV_E4M3);
    __half one = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(i * 11), __NV_E4M3);
    __half2 two = __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(i * 2579), __NV_E5M2);
    back[i] += sum + __half2float(one) + __half2float(two.x) + __half2float(two.y);
}

__device__ cuFloatComplex square(cuFloatComplex z) { return cuCmulf(z, z); }

__global__ void complex_numbers(cuDoubleComplex *z, cuComplex *w, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    cuDoubleComplex step = make_cuDoubleComplex(0.5 * i, 1.0 - i);
    z[i] = cuCdiv(cuCadd(z[i], step), cuCsub(cuConj(z[i]), make_cuDoubleComplex(3.0, cuCabs(step))));
    w[i] = cuCfmaf(square(w[i]), make_cuFloatComplex(cuCrealf(w[i]), 2.0f), w[i]);
    w[i].x += cuCabsf(cuComplexDoubleToFloat(z[i])) + cuCimagf(w[i]);
}

__global__ void rare_halves(const half2 *p, half2 *q, int *flags, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    half2 a = p[i], b = p[(i + 1) % n];
    flags[i] = __hequ(a.x, b.x) + 2 * __hbge2(a, b) + 4 * __hisnan(a.y) + 8 * __hisinf(b.y);
    half2 less = __hlt2(a, b), nans = __hisnan2(a);
    half2 r = __hadd2(__hmax2_nan(a, b), __hfma2_relu(a, b, __hmul2_sat(a, b)));
    r = __hadd2(r, __hadd2(h2rint(a), h2exp2(h2tanh(less))));
    r.x = __hsub_rn(r.x, hlog10(hexp10(nans.x)));
    q[i] = r;
}

int main()
{
    const float chosen[] = {0.0f,   -0.0f,  1.0f,    1.0625f, 1.1875f, -3.3f, 17.0f, 447.0f, 448.0f,
                            464.0f, 465.0f, 1000.0f, 57344.0f, 61440.0f, 61441.0f, 1e9f, 0.001f,
                            0.0009765625f, 0.002f, 0.015f, 1e-5f, 7.6e-6f, 1.53e-5f, INFINITY, -INFINITY};
    const int n = sizeof chosen / sizeof *chosen;
    float *x, *back;
    __nv_fp8_storage_t *codes;
    cuDoubleComplex *z;
    cuComplex *w;
    half2 *p, *q;
    int *flags;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&back, n * sizeof(float));
    cudaMallocManaged(&codes, 4 * n);
    cudaMallocManaged(&z, n * sizeof(cuDoubleComplex));
    cudaMallocManaged(&w, n * sizeof(cuComplex));
    cudaMallocManaged(&p, n * sizeof(half2));
    cudaMallocManaged(&q, n * sizeof(half2));
    cudaMallocManaged(&flags, n * sizeof(int));
    for (int i = 0; i < n; ++i) {
        x[i] = chosen[i];
        z[i] = make_cuDoubleComplex(i, 0.25 * i);
        w[i] = make_cuComplex(0.5f * i, 1.0f);
        p[i] = __floats2half2_rn(0.25f * i, i % 7 == 3 ? NAN : 2.0f - 0.125f * i);
    }
    to_fp8<<<2, 16>>>(x, codes, back, n);
    fp8_of_16_bits<<<2, 16>>>(x, back, n);
    complex_numbers<<<1, 32>>>(z, w, n);
    rare_halves<<<1, 32>>>(p, q, flags, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) {
        std::printf("%g: %02x %02x %02x %02x", x[i], codes[4 * i], codes[4 * i + 1],
                    codes[4 * i + 2], codes[4 * i + 3]);
        std::printf(" %g, %.12g %.12g, %g %g\n", back[i], cuCreal(z[i]), cuCimag(z[i]), w[i].x, w[i].y);
    }
    for (int i = 0; i < n; ++i)
        std::printf("%g %g %d\n", __low2float(q[i]), __high2float(q[i]), flags[i]);
    half2 nan = __floats2half2_rn(1.0f, NAN), one = __floats2half2_rn(1.0f, 1.0f);
    std::printf("%d %d %d %d\n", __hbeq2(nan, one), __heq(nan.x, one.x), __hneu(nan.y, one.y),
                int(__half2float(__hlt2(nan, one).y)));
}
