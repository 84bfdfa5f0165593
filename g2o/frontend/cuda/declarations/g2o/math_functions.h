// Mathematical functions that CUDA has and the C library has not, and the device intrinsics.
#pragma once

// Global min and max: every pair of arithmetic types that CUDA overloads.
#define G2O_MINMAX(result, a, b)                                                                   \
    result min(const a x, const b y);                                                              \
    result max(const a x, const b y);
G2O_MINMAX(int, int, int)
G2O_MINMAX(unsigned int, unsigned int, unsigned int)
G2O_MINMAX(unsigned int, int, unsigned int)
G2O_MINMAX(unsigned int, unsigned int, int)
G2O_MINMAX(long, long, long)
G2O_MINMAX(unsigned long, unsigned long, unsigned long)
G2O_MINMAX(unsigned long, long, unsigned long)
G2O_MINMAX(unsigned long, unsigned long, long)
G2O_MINMAX(long long, long long, long long)
G2O_MINMAX(unsigned long long, unsigned long long, unsigned long long)
G2O_MINMAX(unsigned long long, long long, unsigned long long)
G2O_MINMAX(unsigned long long, unsigned long long, long long)
G2O_MINMAX(float, float, float)
G2O_MINMAX(double, double, double)
G2O_MINMAX(double, float, double)
G2O_MINMAX(double, double, float)
#undef G2O_MINMAX

unsigned int umin(unsigned int a, unsigned int b);
unsigned int umax(unsigned int a, unsigned int b);
long long llmin(long long a, long long b);
long long llmax(long long a, long long b);
unsigned long long ullmin(unsigned long long a, unsigned long long b);
unsigned long long ullmax(unsigned long long a, unsigned long long b);

// f(double), ff(float) and the overload f(float).
#define G2O_MATH_1(name)                                                                           \
    double name(double x);                                                                         \
    float name##f(float x);                                                                        \
    float name(float x);
G2O_MATH_1(rsqrt)
G2O_MATH_1(rcbrt)
G2O_MATH_1(sinpi)
G2O_MATH_1(cospi)
G2O_MATH_1(tanpi)
G2O_MATH_1(erfinv)
G2O_MATH_1(erfcinv)
G2O_MATH_1(erfcx)
G2O_MATH_1(normcdf)
G2O_MATH_1(normcdfinv)
G2O_MATH_1(cyl_bessel_i0)
G2O_MATH_1(cyl_bessel_i1)
#undef G2O_MATH_1
float exp10(float x);
void sincos(float x, float *sine, float *cosine);
void sincospi(double x, double *sine, double *cosine);
void sincospi(float x, float *sine, float *cosine);
void sincospif(float x, float *sine, float *cosine);
double rhypot(double x, double y);
float rhypotf(float x, float y);
float rhypot(float x, float y);
double norm(int dimension, const double *vector);
float normf(int dimension, const float *vector);
double rnorm(int dimension, const double *vector);
float rnormf(int dimension, const float *vector);
double norm3d(double x, double y, double z);
float norm3df(float x, float y, float z);
double rnorm3d(double x, double y, double z);
float rnorm3df(float x, float y, float z);
double norm4d(double x, double y, double z, double w);
float norm4df(float x, float y, float z, float w);
double rnorm4d(double x, double y, double z, double w);
float rnorm4df(float x, float y, float z, float w);
float fdividef(float x, float y);
double fdivide(double x, double y);
float fdivide(float x, float y);
float __saturatef(float x);

// Fast single precision.
float __expf(float x);
float __exp10f(float x);
float __logf(float x);
float __log2f(float x);
float __log10f(float x);
float __sinf(float x);
float __cosf(float x);
float __tanf(float x);
float __tanhf(float x);
void __sincosf(float x, float *sine, float *cosine);
float __powf(float x, float y);
float __fdividef(float x, float y);
float __frsqrt_rn(float x);

// Arithmetic with a stated rounding: to nearest, towards zero, up, down.
#define G2O_ROUNDED(r)                                                                             \
    float __fadd_##r(float x, float y);                                                            \
    float __fsub_##r(float x, float y);                                                            \
    float __fmul_##r(float x, float y);                                                            \
    float __fdiv_##r(float x, float y);                                                            \
    float __fmaf_##r(float x, float y, float z);                                                   \
    float __fmaf_ieee_##r(float x, float y, float z);                                              \
    float __frcp_##r(float x);                                                                     \
    float __fsqrt_##r(float x);                                                                    \
    double __dadd_##r(double x, double y);                                                         \
    double __dsub_##r(double x, double y);                                                         \
    double __dmul_##r(double x, double y);                                                         \
    double __ddiv_##r(double x, double y);                                                         \
    double __fma_##r(double x, double y, double z);                                                \
    double __drcp_##r(double x);                                                                   \
    double __dsqrt_##r(double x);                                                                  \
    int __float2int_##r(float x);                                                                  \
    unsigned int __float2uint_##r(float x);                                                        \
    long long __float2ll_##r(float x);                                                             \
    unsigned long long __float2ull_##r(float x);                                                   \
    float __int2float_##r(int x);                                                                  \
    float __uint2float_##r(unsigned int x);                                                        \
    float __ll2float_##r(long long x);                                                             \
    float __ull2float_##r(unsigned long long x);                                                   \
    int __double2int_##r(double x);                                                                \
    unsigned int __double2uint_##r(double x);                                                      \
    long long __double2ll_##r(double x);                                                           \
    unsigned long long __double2ull_##r(double x);                                                 \
    double __ll2double_##r(long long x);                                                           \
    double __ull2double_##r(unsigned long long x);                                                 \
    float __double2float_##r(double x);
G2O_ROUNDED(rn)
G2O_ROUNDED(rz)
G2O_ROUNDED(ru)
G2O_ROUNDED(rd)
#undef G2O_ROUNDED
double __int2double_rn(int x);
double __uint2double_rn(unsigned int x);

// Bit patterns.
int __float_as_int(float x);
unsigned int __float_as_uint(float x);
float __int_as_float(int x);
float __uint_as_float(unsigned int x);
long long __double_as_longlong(double x);
double __longlong_as_double(long long x);
int __double2hiint(double x);
int __double2loint(double x);
double __hiloint2double(int high, int low);
