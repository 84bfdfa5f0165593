// Floats of eight bits: the types and their conversions.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#pragma clang force_cuda_host_device begin

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

__nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                                         __nv_fp8_interpretation_t format);
__nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                          __nv_fp8_interpretation_t format);
__nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 value, __nv_saturation_t saturation,
                                              __nv_fp8_interpretation_t format);
__nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 value, __nv_saturation_t saturation,
                                               __nv_fp8_interpretation_t format);
__nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturation,
                                           __nv_fp8_interpretation_t format);
__nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw value, __nv_saturation_t saturation,
                                                __nv_fp8_interpretation_t format);
__nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value,
                                               __nv_saturation_t saturation,
                                               __nv_fp8_interpretation_t format);
__nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw value,
                                                    __nv_saturation_t saturation,
                                                    __nv_fp8_interpretation_t format);
__half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t value, __nv_fp8_interpretation_t format);
__half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t value,
                                       __nv_fp8_interpretation_t format);

#define G2O_FP8(format)                                                                            \
    struct __nv_fp8_##format {                                                                     \
        __nv_fp8_storage_t __x;                                                                    \
        __nv_fp8_##format() = default;                                                             \
        explicit __nv_fp8_##format(float value);                                                   \
        explicit __nv_fp8_##format(double value);                                                  \
        explicit __nv_fp8_##format(int value);                                                     \
        explicit __nv_fp8_##format(unsigned int value);                                            \
        explicit __nv_fp8_##format(__half value);                                                  \
        explicit __nv_fp8_##format(__nv_bfloat16 value);                                           \
        explicit operator float() const;                                                           \
        explicit operator double() const;                                                          \
        explicit operator __half() const;                                                          \
        explicit operator __nv_bfloat16() const;                                                   \
        explicit operator bool() const;                                                            \
    };                                                                                             \
    struct alignas(2) __nv_fp8x2_##format {                                                        \
        __nv_fp8x2_storage_t __x;                                                                  \
        __nv_fp8x2_##format() = default;                                                           \
        explicit __nv_fp8x2_##format(float2 value);                                                \
        explicit __nv_fp8x2_##format(double2 value);                                               \
        explicit __nv_fp8x2_##format(__half2 value);                                               \
        explicit __nv_fp8x2_##format(__nv_bfloat162 value);                                        \
        explicit operator float2() const;                                                          \
        explicit operator __half2() const;                                                         \
    };                                                                                             \
    struct alignas(4) __nv_fp8x4_##format {                                                        \
        __nv_fp8x4_storage_t __x;                                                                  \
        __nv_fp8x4_##format() = default;                                                           \
        explicit __nv_fp8x4_##format(float4 value);                                                \
        explicit __nv_fp8x4_##format(__half2 low, __half2 high);                                   \
        explicit __nv_fp8x4_##format(__nv_bfloat162 low, __nv_bfloat162 high);                     \
        explicit operator float4() const;                                                          \
    };
G2O_FP8(e4m3)
G2O_FP8(e5m2)
#undef G2O_FP8

#pragma clang force_cuda_host_device end
