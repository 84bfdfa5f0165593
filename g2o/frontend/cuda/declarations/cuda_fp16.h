// Half precision: the types, their arithmetic and their conversions.
#pragma once
#include "g2o_cuda.h"

#include "g2o/narrow_floats.h"

#pragma clang force_cuda_host_device begin

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};
G2O_NARROW_SCALAR(__half)
G2O_NARROW_PAIR(__half, __half2)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
G2O_NARROW_FUNCTIONS(__half, __half2)
#define __halves2__half2 __halves2half2
#define __lows2__half2 __lows2half2
#define __highs2__half2 __highs2half2
G2O_NARROW_LANES(__half, __half2)
#undef __halves2__half2
#undef __lows2__half2
#undef __highs2__half2

__half __float2half(float value);
__half __float2half_rn(float value);
__half __float2half_rz(float value);
__half __float2half_rd(float value);
__half __float2half_ru(float value);
__half __double2half(double value);
float __half2float(__half value);
double __half2double(__half value);
__half2 __float2half2_rn(float value);
__half2 __floats2half2_rn(float low, float high);
__half2 __float22half2_rn(float2 value);
float2 __half22float2(__half2 value);
float __low2float(__half2 value);
float __high2float(__half2 value);
__half __low2half(__half2 value);
__half __high2half(__half2 value);
__half2 __low2half2(__half2 value);
__half2 __high2half2(__half2 value);
__half2 __lowhigh2highlow(__half2 value);
__half2 __half2half2(__half value);
__half2 make_half2(__half x, __half y);

#define G2O_HALF_CONVERSIONS(r)                                                                    \
    int __half2int_##r(__half value);                                                              \
    unsigned int __half2uint_##r(__half value);                                                    \
    short __half2short_##r(__half value);                                                          \
    unsigned short __half2ushort_##r(__half value);                                                \
    long long __half2ll_##r(__half value);                                                         \
    unsigned long long __half2ull_##r(__half value);                                               \
    __half __int2half_##r(int value);                                                              \
    __half __uint2half_##r(unsigned int value);                                                    \
    __half __short2half_##r(short value);                                                          \
    __half __ushort2half_##r(unsigned short value);                                                \
    __half __ll2half_##r(long long value);                                                         \
    __half __ull2half_##r(unsigned long long value);
G2O_HALF_CONVERSIONS(rn)
G2O_HALF_CONVERSIONS(rz)
G2O_HALF_CONVERSIONS(ru)
G2O_HALF_CONVERSIONS(rd)
#undef G2O_HALF_CONVERSIONS
short __half_as_short(__half value);
unsigned short __half_as_ushort(__half value);
__half __short_as_half(short value);
__half __ushort_as_half(unsigned short value);

#pragma clang force_cuda_host_device end

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
