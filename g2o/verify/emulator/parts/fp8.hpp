// Floats of eight bits. There are so few of them that rounding is a search for the nearest.
#pragma once

#include "half.hpp"

#include <cmath>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace g2o_emulator {

// The value of the non-negative number with these bits, as if there were no infinity.
inline double fp8_magnitude(int bits, __nv_fp8_interpretation_t format) {
    int mantissa_bits = format == __NV_E4M3 ? 3 : 2, bias = format == __NV_E4M3 ? 7 : 15;
    int steps = 1 << mantissa_bits, exponent = bits / steps, mantissa = bits % steps;
    return exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                         : std::ldexp(steps + mantissa, exponent - bias - mantissa_bits);
}

inline double fp8_value(unsigned char bits, __nv_fp8_interpretation_t format) {
    int magnitude = bits & 0x7f, first_special = format == __NV_E4M3 ? 0x7f : 0x7c;
    double value = fp8_magnitude(magnitude, format);
    if (magnitude >= first_special)
        value = format == __NV_E5M2 && magnitude == first_special ? HUGE_VAL : NAN;
    return bits & 0x80 ? -value : value;
}

inline unsigned char fp8_bits(double x, __nv_saturation_t saturation,
                              __nv_fp8_interpretation_t format) {
    if (std::isnan(x))
        return 0x7f;
    int overflow = format == __NV_E4M3 ? 0x7f : 0x7c, nearest = overflow;
    if (!std::isinf(x)) {
        double best = HUGE_VAL;
        for (int bits = 0; bits <= overflow; ++bits) {
            double distance = std::fabs(fp8_magnitude(bits, format) - std::fabs(x));
            if (distance < best || (distance == best && bits % 2 == 0)) {
                best = distance;
                nearest = bits;
            }
        }
    }
    if (nearest == overflow && saturation == __NV_SATFINITE)
        nearest = overflow - 1;
    return static_cast<unsigned char>(nearest | (std::signbit(x) ? 0x80 : 0));
}

} // namespace g2o_emulator

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                 __nv_fp8_interpretation_t format) {
    return g2o_emulator::fp8_bits(x, saturation, format);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                __nv_fp8_interpretation_t format) {
    return g2o_emulator::fp8_bits(x, saturation, format);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t format) {
    return static_cast<__nv_fp8x2_storage_t>(g2o_emulator::fp8_bits(v.x, saturation, format) |
                                             g2o_emulator::fp8_bits(v.y, saturation, format) << 8);
}

inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 v, __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t format) {
    return static_cast<__nv_fp8x2_storage_t>(g2o_emulator::fp8_bits(v.x, saturation, format) |
                                             g2o_emulator::fp8_bits(v.y, saturation, format) << 8);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                                                  __nv_fp8_interpretation_t format) {
    return g2o_emulator::fp8_bits(float(__half(x)), saturation, format);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                      __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t format) {
    return g2o_emulator::fp8_bits(float(__nv_bfloat16(x)), saturation, format);
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw v, __nv_saturation_t saturation,
                                                       __nv_fp8_interpretation_t format) {
    __half2 pair(v);
    return __nv_cvt_float2_to_fp8x2(float2{pair.x, pair.y}, saturation, format);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw v,
                                                           __nv_saturation_t saturation,
                                                           __nv_fp8_interpretation_t format) {
    __nv_bfloat162 pair(v);
    return __nv_cvt_float2_to_fp8x2(float2{pair.x, pair.y}, saturation, format);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
    return __half(static_cast<float>(g2o_emulator::fp8_value(x, format)));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                              __nv_fp8_interpretation_t format) {
    __half low = static_cast<float>(g2o_emulator::fp8_value(x & 0xff, format));
    __half high = static_cast<float>(g2o_emulator::fp8_value(x >> 8, format));
    return __half2(low, high);
}

namespace g2o_emulator {

template <__nv_fp8_interpretation_t Format>
struct Fp8 {
    __nv_fp8_storage_t __x;

    Fp8() = default;
    explicit Fp8(float x) : __x(fp8_bits(x, __NV_SATFINITE, Format)) {}
    explicit Fp8(double x) : __x(fp8_bits(x, __NV_SATFINITE, Format)) {}
    explicit Fp8(int x) : Fp8(static_cast<double>(x)) {}
    explicit Fp8(unsigned x) : Fp8(static_cast<double>(x)) {}
    explicit Fp8(__half x) : Fp8(static_cast<float>(x)) {}
    explicit Fp8(__nv_bfloat16 x) : Fp8(static_cast<float>(x)) {}
    explicit operator float() const { return static_cast<float>(fp8_value(__x, Format)); }
    explicit operator double() const { return fp8_value(__x, Format); }
    explicit operator __half() const { return static_cast<float>(*this); }
    explicit operator __nv_bfloat16() const { return static_cast<float>(*this); }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
};

template <__nv_fp8_interpretation_t Format>
struct Fp8x2 {
    __nv_fp8x2_storage_t __x;

    Fp8x2() = default;
    explicit Fp8x2(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, Format)) {}
    explicit Fp8x2(double2 v)
        : Fp8x2(float2{static_cast<float>(v.x), static_cast<float>(v.y)}) {}
    explicit Fp8x2(__half2 v) : Fp8x2(float2{v.x, v.y}) {}
    explicit Fp8x2(__nv_bfloat162 v) : Fp8x2(float2{v.x, v.y}) {}
    explicit operator float2() const {
        return {static_cast<float>(fp8_value(static_cast<unsigned char>(__x), Format)),
                static_cast<float>(fp8_value(static_cast<unsigned char>(__x >> 8), Format))};
    }
    explicit operator __half2() const {
        float2 v = float2(*this);
        return {v.x, v.y};
    }
};

template <__nv_fp8_interpretation_t Format>
struct Fp8x4 {
    __nv_fp8x4_storage_t __x;

    Fp8x4() = default;
    Fp8x4(float2 low, float2 high)
        : __x(Fp8x2<Format>(low).__x | static_cast<unsigned>(Fp8x2<Format>(high).__x) << 16) {}
    explicit Fp8x4(float4 v) : Fp8x4(float2{v.x, v.y}, float2{v.z, v.w}) {}
    explicit Fp8x4(__half2 low, __half2 high)
        : Fp8x4(float2{low.x, low.y}, float2{high.x, high.y}) {}
    explicit Fp8x4(__nv_bfloat162 low, __nv_bfloat162 high)
        : Fp8x4(float2{low.x, low.y}, float2{high.x, high.y}) {}
    explicit operator float4() const {
        float v[4];
        for (int i = 0; i < 4; ++i)
            v[i] = static_cast<float>(fp8_value(static_cast<unsigned char>(__x >> 8 * i), Format));
        return {v[0], v[1], v[2], v[3]};
    }
};

} // namespace g2o_emulator

using __nv_fp8_e4m3 = g2o_emulator::Fp8<__NV_E4M3>;
using __nv_fp8_e5m2 = g2o_emulator::Fp8<__NV_E5M2>;
using __nv_fp8x2_e4m3 = g2o_emulator::Fp8x2<__NV_E4M3>;
using __nv_fp8x2_e5m2 = g2o_emulator::Fp8x2<__NV_E5M2>;
using __nv_fp8x4_e4m3 = g2o_emulator::Fp8x4<__NV_E4M3>;
using __nv_fp8x4_e5m2 = g2o_emulator::Fp8x4<__NV_E5M2>;
