// bfloat16: the types, their arithmetic and their conversions.
#pragma once
#include "g2o_cuda.h"

#include "g2o/narrow_floats.h"

#pragma clang force_cuda_host_device begin

G2O_NARROW_SCALAR(__nv_bfloat16, __half)
G2O_NARROW_PAIR(__nv_bfloat16, __nv_bfloat162)
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
G2O_NARROW_OPERATORS(__nv_bfloat16)
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
G2O_NARROW_OPERATORS(__nv_bfloat162)
#endif
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
G2O_NARROW_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
G2O_NARROW_LANES(__nv_bfloat16, __nv_bfloat162)
G2O_NARROW_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)

#pragma clang force_cuda_host_device end

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
