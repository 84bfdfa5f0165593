// What CUDA's documentation says about functions that C does not have, and about numbers' ends.
#include <cmath>
#include <cstdio>
#include <type_traits>

#include <cuComplex.h>
#include <cuda_runtime.h>

__device__ int checked, wrong;

__device__ void expect(int line, double found, double expected, double relative = 0)
{
    const bool is_nan = expected != expected;
    const bool right = is_nan ? found != found
                              : found == expected ? signbit(found) == signbit(expected)
                                                  : fabs(found - expected) <=
                                                        relative * fabs(expected);
    ++checked;
    if (!right) {
        ++wrong;
        printf("line %d: %.17g, not %.17g\n", line, found, expected);
    }
}

#define IS(found, expected) expect(__LINE__, double(found), double(expected))
#define NEAR(found, expected) expect(__LINE__, double(found), double(expected), 2e-15)
#define IS_FLOAT(call) expect(__LINE__, std::is_same<decltype(call), float>::value, 1)

__global__ void conversions(double nan, double infinity)
{
    IS(__float2int_rn(float(nan)), 0);
    IS(__float2uint_rz(float(nan)), 0);
    IS(__float2ll_rn(float(nan)), -9223372036854775808.0);
    IS(__double2int_rn(nan), -2147483648.0);
    IS(__double2uint_rn(nan), 2147483648.0);
    IS(__double2ull_rd(nan), 9223372036854775808.0);
    IS(__float2int_ru(3e9f), 2147483647);
    IS(__float2uint_rd(-1.5f), 0);
    IS(__double2ll_rz(-infinity), -9223372036854775808.0);
    IS(__float2int_rn(2.5f), 2);
    IS(__double2int_ru(-2.5), -2);
    IS(__saturatef(float(nan)), 0);
    IS(__fmaf_ieee_ru(1.0f, 1.0f, 1e-10f), 1.00000012f);
    IS(__fmaf_ieee_rd(1.0f, 1.0f, 1e-10f), 1.0f);
}

__global__ void integers(int least, unsigned all)
{
    IS(__dp2a_lo(0x7fff8000, 0x0101ff80, 5), 32768 * 128 + 32767 * -1 + 5);
    IS(__dp2a_hi(0x7fff8000, 0x02ff0101, 5), 32768 + 32767 * 2 + 5);
    IS(__dp2a_hi(0xffff0001u, 0xfe030000u, 1u), 65535 * 254 + 4);
    IS(__dp2a_lo(make_short2(-3, 4), make_char4(5, -6, 7, 8), 1), -38);
    IS(__dp2a_hi(make_ushort2(3, 65535), make_uchar4(5, 6, 7, 255), 0u), 21 + 65535 * 255);
    IS(__dp4a(make_char4(-1, 2, -3, 4), make_char4(5, 6, 7, -8), 9), -37);
    IS(__dp4a(make_uchar4(255, 2, 3, 4), make_uchar4(255, 6, 7, 8), 9u), 65025 + 74);
    IS(__dp4a(int(0x80808080), int(0x80808080), 2147483647), int(2147483647u + 65536u));
    IS(__fns(0xf0u, 0, 1), 4);
    IS(__fns(0xf0u, 7, -2), 6);
    IS(__fns(0xf0u, 5, 0), 5);
    IS(__fns(0xf0u, 3, 0), 4294967295.0);
    IS(__fns(0xf0u, 5, 4), 4294967295.0);
    IS(__fns(all, all, 0), 4294967295.0);
    IS(umax(all, 1u) / 2, 2147483647);
    IS(__sad(least, 2147483647, 1u), 0);
    IS(__mul24(0x00800000, 1), -8388608);
    IS(__funnelshift_lc(1u, 2u, 40u), 1);
    IS(__byte_perm(0x33221100u, 0x77665544u, 0xf80cu), 0x77000044);
    __prof_trigger(1);
}

__global__ void mathematics(double zero, double nan, double infinity)
{
    const float signalling = __uint_as_float(0x7fa00000u);
    IS(min(signalling, 2.0f), 2);
    IS(max(3.0f, signalling), 3);
    IS(sinpi(-1.0 + zero), -0.0);
    IS(sinpi(3.0 + zero), 0.0);
    IS(cospi(2.5 + zero), 0.0);
    IS(sinpif(float(-0.5 + zero)), -1);
    IS(sinpi(infinity), nan);
    NEAR(sinpi(1.0 + 0x1p-24 + zero), -1.8725351414619535e-07);
    IS(norm3d(-infinity, nan, 1.0), infinity);
    IS(norm3df(float(infinity), 1.0f, float(nan)), infinity);
    IS(norm4d(nan, 1.0, 2.0, 3.0), nan);
    IS(rnorm3d(1.0, infinity, nan), 0);
    NEAR(norm3d(3e300, 4e300, zero), 5e300);
    NEAR(rnorm3df(3e30f, float(zero), 4e30f), double(1 / 5e30f));
    IS(rhypot(zero, zero), infinity);
    IS(erfcinv(zero), infinity);
    IS(erfcinv(2.0 + zero), -infinity);
    IS(erfcinv(-1.0 + zero), nan);
    NEAR(erfcinv(5e-324 + zero), 27.21329321081295);
    NEAR(erfcinv(1e-300 + zero), 26.209469960516124);
    IS(erfinv(1.0 + zero), infinity);
    NEAR(erfinv(0.5 + zero), 0.47693627620446987);
    NEAR(erfinv(1e-300 + zero), 8.8622692545275801e-301);
    IS(normcdfinv(zero), -infinity);
    NEAR(normcdfinv(1e-20 + zero), -9.2623400897984076);
    NEAR(normcdf(-8.0 + zero), 6.2209605742717841e-16);
    NEAR(normcdf(-37.0 + zero), 5.7255712225245768e-300);
    NEAR(erfcx(5.0 + zero), 0.11070463773306863);
    NEAR(erfcx(-7.4 + zero), 1.210586494897026e+24);
    NEAR(erfcx(1e100 + zero), 5.6418958354775628e-101);
    IS(erfcx(-30.0 + zero), infinity);
    IS(erfcx(infinity), 0);
    NEAR(cyl_bessel_i1(1e-20 + zero), 5e-21);
    NEAR(cyl_bessel_i0(1.0 + zero), 1.2660658777520084);
    NEAR(cyl_bessel_i1(-2.0 + zero), -1.5906368546373291);
    IS(cyl_bessel_i0(1e300 + zero), infinity);
    IS(cyl_bessel_i1(-infinity), -infinity);
    IS(cyl_bessel_i0(nan), nan);
    IS(fdivide(1.0, 4.0 + zero), 0.25);
    IS(__tanhf(float(zero)), 0);
    IS_FLOAT(sinpi(1.0f));
    IS_FLOAT(rcbrt(1.0f));
    IS_FLOAT(exp10(1.0f));
    IS_FLOAT(normcdf(1.0f));
    IS_FLOAT(cyl_bessel_i0(1.0f));
    float sine, cosine;
    sincos(float(zero), &sine, &cosine);
    IS(sine + cosine, 1);
    sincospi(float(zero) + 0.5f, &sine, &cosine);
    IS(sine, 1);
    IS(cosine, 0);
    const cuFloatComplex product = cuCfmaf(make_cuFloatComplex(1, 2), make_cuFloatComplex(3, 4),
                                           make_cuFloatComplex(5, 6));
    IS(cuCrealf(product), 0);
    IS(cuCimagf(product), 16);
    IS(abs(-3000000000ll - (long long)zero), 3000000000.0);
}

int main()
{
    conversions<<<1, 1>>>(NAN, INFINITY);
    integers<<<1, 1>>>(-2147483647 - 1, ~0u);
    mathematics<<<1, 1>>>(0.0, NAN, INFINITY);
    cudaDeviceSynchronize();
    int counts[2];
    cudaMemcpyFromSymbol(&counts[0], checked, sizeof(int));
    cudaMemcpyFromSymbol(&counts[1], wrong, sizeof(int));
    std::printf("%d checked, %d wrong\n", counts[0], counts[1]);
}
