// __half and __nv_bfloat16: stored in 16 bits, computed in single precision and rounded to nearest.
#pragma once

#include "device_math.hpp"

#include <cmath>
#include <cstdint>

namespace g2o_emulator {

// Round a float to a format with `Exponent` exponent and `Mantissa` mantissa bits. The arithmetic
// is exact: scale so that the last kept bit has weight one, round to nearest even, scale back.
template <int Exponent, int Mantissa>
std::uint16_t narrow(float x) {
    constexpr int bias = (1 << (Exponent - 1)) - 1;
    auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
    constexpr auto infinity = static_cast<std::uint16_t>(((1 << Exponent) - 1) << Mantissa);
    if (std::isnan(x))
        return static_cast<std::uint16_t>(sign | infinity | 1 << (Mantissa - 1));
    double magnitude = std::fabs(static_cast<double>(x));
    if (magnitude == 0)
        return sign;
    int exponent = std::isinf(x) ? bias + 1 : std::ilogb(magnitude);
    if (exponent > bias)
        return sign | infinity;
    int lowest = exponent < 1 - bias ? 1 - bias : exponent;
    auto units = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, Mantissa - lowest)));
    // A carry out of the mantissa moves into the exponent field by itself.
    unsigned field = static_cast<unsigned>(lowest + bias - 1) << Mantissa;
    return static_cast<std::uint16_t>(sign | (field + units));
}

template <int Exponent, int Mantissa>
float widen(std::uint16_t bits) {
    constexpr int bias = (1 << (Exponent - 1)) - 1, top = (1 << Exponent) - 1;
    int exponent = bits >> Mantissa & top, mantissa = bits & ((1 << Mantissa) - 1);
    double magnitude;
    if (exponent == top)
        magnitude = mantissa ? NAN : HUGE_VAL;
    else if (exponent == 0)
        magnitude = std::ldexp(mantissa, 1 - bias - Mantissa);
    else
        magnitude = std::ldexp(mantissa + (1 << Mantissa), exponent - bias - Mantissa);
    return static_cast<float>(bits & 0x8000 ? -magnitude : magnitude);
}

template <int Exponent, int Mantissa>
struct SmallFloat {
    std::uint16_t bits;

    SmallFloat() = default;
    SmallFloat(float x) : bits(narrow<Exponent, Mantissa>(x)) {}
    SmallFloat(double x) : SmallFloat(static_cast<float>(x)) {}
    SmallFloat(int x) : SmallFloat(static_cast<float>(x)) {}
    SmallFloat(unsigned x) : SmallFloat(static_cast<float>(x)) {}
    SmallFloat(long x) : SmallFloat(static_cast<float>(x)) {}
    SmallFloat(unsigned long x) : SmallFloat(static_cast<float>(x)) {}
    SmallFloat(long long x) : SmallFloat(static_cast<float>(x)) {}
    operator float() const { return widen<Exponent, Mantissa>(bits); }

    SmallFloat &operator+=(SmallFloat b) { return *this = SmallFloat(float(*this) + float(b)); }
    SmallFloat &operator-=(SmallFloat b) { return *this = SmallFloat(float(*this) - float(b)); }
    SmallFloat &operator*=(SmallFloat b) { return *this = SmallFloat(float(*this) * float(b)); }
    SmallFloat &operator/=(SmallFloat b) { return *this = SmallFloat(float(*this) / float(b)); }
    friend SmallFloat operator+(SmallFloat a, SmallFloat b) { return a += b; }
    friend SmallFloat operator-(SmallFloat a, SmallFloat b) { return a -= b; }
    friend SmallFloat operator*(SmallFloat a, SmallFloat b) { return a *= b; }
    friend SmallFloat operator/(SmallFloat a, SmallFloat b) { return a /= b; }
    friend SmallFloat operator-(SmallFloat a) { return SmallFloat(-float(a)); }
    friend bool operator<(SmallFloat a, SmallFloat b) { return float(a) < float(b); }
    friend bool operator>(SmallFloat a, SmallFloat b) { return float(a) > float(b); }
    friend bool operator<=(SmallFloat a, SmallFloat b) { return float(a) <= float(b); }
    friend bool operator>=(SmallFloat a, SmallFloat b) { return float(a) >= float(b); }
    friend bool operator==(SmallFloat a, SmallFloat b) { return float(a) == float(b); }
    friend bool operator!=(SmallFloat a, SmallFloat b) { return float(a) != float(b); }
};

template <typename T>
struct alignas(4) Pair {
    T x, y;

    friend Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
    friend Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }
    friend Pair operator*(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }
    friend Pair operator/(Pair a, Pair b) { return {a.x / b.x, a.y / b.y}; }
    Pair &operator+=(Pair b) { return *this = *this + b; }
    Pair &operator*=(Pair b) { return *this = *this * b; }
};

} // namespace g2o_emulator

using __half = g2o_emulator::SmallFloat<5, 10>;
using half = __half;
using __half2 = g2o_emulator::Pair<__half>;
using half2 = __half2;
using __nv_bfloat16 = g2o_emulator::SmallFloat<8, 7>;
using nv_bfloat16 = __nv_bfloat16;
using __nv_bfloat162 = g2o_emulator::Pair<__nv_bfloat16>;
using nv_bfloat162 = __nv_bfloat162;

inline __half __float2half(float x) { return x; }
inline __half __float2half_rn(float x) { return x; }
inline __half __double2half(double x) { return x; }
inline float __half2float(__half x) { return x; }
inline __half __int2half_rn(int x) { return x; }
inline __half __uint2half_rn(unsigned x) { return x; }
inline int __half2int_rn(__half x) { return __float2int_rn(x); }
inline int __half2int_rz(__half x) { return __float2int_rz(x); }
inline __half2 __half2half2(__half x) { return {x, x}; }
inline __half2 __float2half2_rn(float x) { return {x, x}; }
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline __half2 __float22half2_rn(float2 v) { return {v.x, v.y}; }
inline float2 __half22float2(__half2 v) { return {v.x, v.y}; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half __low2half(__half2 v) { return v.x; }
inline __half __high2half(__half2 v) { return v.y; }
inline float __low2float(__half2 v) { return v.x; }
inline float __high2float(__half2 v) { return v.y; }
inline std::uint16_t __half_as_ushort(__half x) { return x.bits; }
inline short __half_as_short(__half x) { return static_cast<short>(x.bits); }
inline __half __ushort_as_half(std::uint16_t bits) {
    __half x;
    x.bits = bits;
    return x;
}
inline __nv_bfloat16 __float2bfloat16(float x) { return x; }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
inline float __bfloat162float(__nv_bfloat16 x) { return x; }
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }

// The arithmetic names, for both formats and for pairs.
#define G2O_EMULATOR_HALF(T)                                                                       \
    inline T __hadd(T a, T b) { return a + b; }                                                    \
    inline T __hsub(T a, T b) { return a - b; }                                                    \
    inline T __hmul(T a, T b) { return a * b; }                                                    \
    inline T __hdiv(T a, T b) { return a / b; }                                                    \
    inline T __hneg(T a) { return -a; }                                                            \
    inline T __habs(T a) { return T(fabsf(a)); }                                                   \
    inline T __hfma(T a, T b, T c) { return T(fmaf(a, b, c)); }                                    \
    inline T __hmin(T a, T b) { return T(fminf(a, b)); }                                           \
    inline T __hmax(T a, T b) { return T(fmaxf(a, b)); }                                           \
    inline bool __heq(T a, T b) { return a == b; }                                                 \
    inline bool __hne(T a, T b) { return a != b; }                                                 \
    inline bool __hlt(T a, T b) { return a < b; }                                                  \
    inline bool __hle(T a, T b) { return a <= b; }                                                 \
    inline bool __hgt(T a, T b) { return a > b; }                                                  \
    inline bool __hge(T a, T b) { return a >= b; }                                                 \
    inline bool __hisnan(T a) { return std::isnan(float(a)); }                                     \
    inline T hsqrt(T a) { return T(sqrtf(a)); }                                                    \
    inline T hrsqrt(T a) { return T(1.0f / sqrtf(a)); }                                            \
    inline T hrcp(T a) { return T(1.0f / float(a)); }                                              \
    inline T hexp(T a) { return T(expf(a)); }                                                      \
    inline T hexp2(T a) { return T(exp2f(a)); }                                                    \
    inline T hlog(T a) { return T(logf(a)); }                                                      \
    inline T hlog2(T a) { return T(log2f(a)); }                                                    \
    inline T hsin(T a) { return T(sinf(a)); }                                                      \
    inline T hcos(T a) { return T(cosf(a)); }                                                      \
    inline T hfloor(T a) { return T(floorf(a)); }                                                  \
    inline T hceil(T a) { return T(ceilf(a)); }                                                    \
    inline T hrint(T a) { return T(rintf(a)); }                                                    \
    inline g2o_emulator::Pair<T> __hadd2(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {       \
        return a + b;                                                                              \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __hsub2(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {       \
        return a - b;                                                                              \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __hmul2(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {       \
        return a * b;                                                                              \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __h2div(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {       \
        return a / b;                                                                              \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __hfma2(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b,         \
                                         g2o_emulator::Pair<T> c) {                                \
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                     \
    }
G2O_EMULATOR_HALF(__half)
G2O_EMULATOR_HALF(__nv_bfloat16)
#undef G2O_EMULATOR_HALF
