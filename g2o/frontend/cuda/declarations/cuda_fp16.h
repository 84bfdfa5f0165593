// Half precision: the types, their arithmetic and their conversions.
#pragma once
#include "g2o_cuda.h"

#include "g2o/narrow_floats.h"

#pragma clang force_cuda_host_device begin

G2O_NARROW_SCALAR(__half, __nv_bfloat16)
G2O_NARROW_PAIR(__half, __half2)
#ifndef __CUDA_NO_HALF_OPERATORS__
G2O_NARROW_OPERATORS(__half)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
G2O_NARROW_OPERATORS(__half2)
#endif
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
G2O_NARROW_FUNCTIONS(__half, __half2)
G2O_NARROW_LANES(__half, __half2)
G2O_NARROW_CONVERSIONS(__half, __half2, half, half2)

#pragma clang force_cuda_host_device end

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
