// bfloat16: the types, their arithmetic and their conversions.
#pragma once
#include "g2o_cuda.h"

#include "g2o/narrow_floats.h"

#pragma clang force_cuda_host_device begin

struct __nv_bfloat16_raw {
    unsigned short x;
};
G2O_NARROW_SCALAR(__nv_bfloat16)
G2O_NARROW_PAIR(__nv_bfloat16, __nv_bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
G2O_NARROW_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
#define __halves2__nv_bfloat162 __halves2bfloat162
#define __lows2__nv_bfloat162 __lows2bfloat162
#define __highs2__nv_bfloat162 __highs2bfloat162
G2O_NARROW_LANES(__nv_bfloat16, __nv_bfloat162)
#undef __halves2__nv_bfloat162
#undef __lows2__nv_bfloat162
#undef __highs2__nv_bfloat162

__nv_bfloat16 __float2bfloat16(float value);
__nv_bfloat16 __float2bfloat16_rn(float value);
__nv_bfloat16 __float2bfloat16_rz(float value);
__nv_bfloat16 __float2bfloat16_rd(float value);
__nv_bfloat16 __float2bfloat16_ru(float value);
__nv_bfloat16 __double2bfloat16(double value);
float __bfloat162float(__nv_bfloat16 value);
__nv_bfloat162 __float2bfloat162_rn(float value);
__nv_bfloat162 __floats2bfloat162_rn(float low, float high);
__nv_bfloat162 __float22bfloat162_rn(float2 value);
float2 __bfloat1622float2(__nv_bfloat162 value);
float __low2float(__nv_bfloat162 value);
float __high2float(__nv_bfloat162 value);
__nv_bfloat16 __low2bfloat16(__nv_bfloat162 value);
__nv_bfloat16 __high2bfloat16(__nv_bfloat162 value);
__nv_bfloat162 __low2bfloat162(__nv_bfloat162 value);
__nv_bfloat162 __high2bfloat162(__nv_bfloat162 value);
__nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 value);
__nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y);
int __bfloat162int_rn(__nv_bfloat16 value);
int __bfloat162int_rz(__nv_bfloat16 value);
unsigned int __bfloat162uint_rn(__nv_bfloat16 value);
__nv_bfloat16 __int2bfloat16_rn(int value);
__nv_bfloat16 __uint2bfloat16_rn(unsigned int value);
__nv_bfloat16 __ll2bfloat16_rn(long long value);
short __bfloat16_as_short(__nv_bfloat16 value);
unsigned short __bfloat16_as_ushort(__nv_bfloat16 value);
__nv_bfloat16 __short_as_bfloat16(short value);
__nv_bfloat16 __ushort_as_bfloat16(unsigned short value);

#pragma clang force_cuda_host_device end
