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
    template <int OtherExponent, int OtherMantissa>
    explicit SmallFloat(SmallFloat<OtherExponent, OtherMantissa> x)
        : SmallFloat(static_cast<float>(x)) {}
    operator float() const { return widen<Exponent, Mantissa>(bits); }

    SmallFloat &operator++() { return *this += SmallFloat(1.0f); }
    SmallFloat &operator--() { return *this -= SmallFloat(1.0f); }
    SmallFloat operator++(int) {
        SmallFloat old = *this;
        ++*this;
        return old;
    }
    SmallFloat operator--(int) {
        SmallFloat old = *this;
        --*this;
        return old;
    }
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

    Pair() = default;
    Pair(T x, T y) : x(x), y(y) {}

    friend Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
    friend Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }
    friend Pair operator*(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }
    friend Pair operator/(Pair a, Pair b) { return {a.x / b.x, a.y / b.y}; }
    friend Pair operator-(Pair a) { return {-a.x, -a.y}; }
    friend bool operator==(Pair a, Pair b) { return a.x == b.x && a.y == b.y; }
    friend bool operator!=(Pair a, Pair b) { return !(a == b); }
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

// Conversions under CUDA's names: `half` and `bfloat16` stand in the same places.
#define G2O_EMULATOR_HALF_CONVERSIONS(T, name, pair, prefix)                                       \
    inline T __float2##name(float x) { return x; }                                                 \
    inline T __float2##name##_rn(float x) { return x; }                                            \
    inline T __double2##name(double x) { return x; }                                               \
    inline float __##name##2float(T x) { return x; }                                               \
    inline T __int2##name##_rn(int x) { return x; }                                                \
    inline T __uint2##name##_rn(unsigned x) { return x; }                                          \
    inline T __short2##name##_rn(short x) { return static_cast<float>(x); }                        \
    inline T __ushort2##name##_rn(unsigned short x) { return static_cast<float>(x); }              \
    inline T __ll2##name##_rn(long long x) { return x; }                                           \
    inline int __##name##2int_rn(T x) { return __float2int_rn(x); }                                \
    inline int __##name##2int_rz(T x) { return __float2int_rz(x); }                                \
    inline int __##name##2int_rd(T x) { return __float2int_rd(x); }                                \
    inline int __##name##2int_ru(T x) { return __float2int_ru(x); }                                \
    inline unsigned __##name##2uint_rn(T x) { return __float2uint_rn(x); }                         \
    inline unsigned __##name##2uint_rz(T x) { return __float2uint_rz(x); }                         \
    inline short __##name##2short_rn(T x) { return static_cast<short>(__float2int_rn(x)); }        \
    inline g2o_emulator::Pair<T> __##name##2##pair(T x) { return {x, x}; }                         \
    inline g2o_emulator::Pair<T> __float2##pair##_rn(float x) { return {x, x}; }                   \
    inline g2o_emulator::Pair<T> __floats2##pair##_rn(float x, float y) { return {x, y}; }         \
    inline g2o_emulator::Pair<T> __float22##pair##_rn(float2 v) { return {v.x, v.y}; }             \
    inline float2 __##pair##2float2(g2o_emulator::Pair<T> v) { return {v.x, v.y}; }                \
    inline g2o_emulator::Pair<T> __##prefix##s2##pair(T x, T y) { return {x, y}; }                 \
    inline g2o_emulator::Pair<T> make_##pair(T x, T y) { return {x, y}; }                          \
    inline g2o_emulator::Pair<T> __low2##pair(g2o_emulator::Pair<T> v) { return {v.x, v.x}; }      \
    inline g2o_emulator::Pair<T> __high2##pair(g2o_emulator::Pair<T> v) { return {v.y, v.y}; }     \
    inline T __low2##name(g2o_emulator::Pair<T> v) { return v.x; }                                 \
    inline T __high2##name(g2o_emulator::Pair<T> v) { return v.y; }                                \
    inline unsigned short __##name##_as_ushort(T x) { return x.bits; }                             \
    inline short __##name##_as_short(T x) { return static_cast<short>(x.bits); }                   \
    inline T __ushort_as_##name(unsigned short bits) {                                             \
        return g2o_emulator::reinterpret<T>(bits);                                                 \
    }                                                                                              \
    inline T __short_as_##name(short bits) { return g2o_emulator::reinterpret<T>(bits); }
G2O_EMULATOR_HALF_CONVERSIONS(__half, half, half2, halve)
G2O_EMULATOR_HALF_CONVERSIONS(__nv_bfloat16, bfloat16, bfloat162, bfloat16)
#undef G2O_EMULATOR_HALF_CONVERSIONS
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
inline __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
inline float __low2float(__half2 v) { return v.x; }
inline float __high2float(__half2 v) { return v.y; }
inline float __low2float(__nv_bfloat162 v) { return v.x; }
inline float __high2float(__nv_bfloat162 v) { return v.y; }

namespace g2o_emulator {

inline float saturated(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

} // namespace g2o_emulator

#define G2O_EMULATOR_HALF_FUNCTION(T, name, expression)                                            \
    inline T h##name(T x) { return T(expression); }                                                \
    inline g2o_emulator::Pair<T> h2##name(g2o_emulator::Pair<T> v) {                               \
        return {h##name(v.x), h##name(v.y)};                                                       \
    }
#define G2O_EMULATOR_HALF_BINARY(T, name, expression)                                              \
    inline T __h##name(T a, T b) { return T(expression); }                                         \
    inline g2o_emulator::Pair<T> __h##name##2(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {  \
        return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                                         \
    }
#define G2O_EMULATOR_HALF_FORM(T, name, form, expression)                                          \
    inline T __h##name##_##form(T a, T b) { return T(expression); }                                \
    inline g2o_emulator::Pair<T> __h##name##2_##form(g2o_emulator::Pair<T> a,                      \
                                                     g2o_emulator::Pair<T> b) {                    \
        return {__h##name##_##form(a.x, b.x), __h##name##_##form(a.y, b.y)};                       \
    }
#define G2O_EMULATOR_HALF_COMPARISON(T, name, operation)                                           \
    inline bool __h##name(T a, T b) {                                                              \
        return !__hisnan(a) && !__hisnan(b) && float(a) operation float(b);                        \
    }                                                                                              \
    inline bool __h##name##u(T a, T b) {                                                           \
        return __hisnan(a) || __hisnan(b) || float(a) operation float(b);                          \
    }                                                                                              \
    inline bool __hb##name##2(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {                  \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __h##name##2(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {  \
        return {T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f)};       \
    }
#define G2O_EMULATOR_HALF(T)                                                                       \
    inline bool __hisnan(T a) { return std::isnan(float(a)); }                                     \
    G2O_EMULATOR_HALF_FUNCTION(T, sqrt, sqrtf(x))                                                  \
    G2O_EMULATOR_HALF_FUNCTION(T, rsqrt, 1.0f / sqrtf(x))                                          \
    G2O_EMULATOR_HALF_FUNCTION(T, rcp, 1.0f / float(x))                                            \
    G2O_EMULATOR_HALF_FUNCTION(T, exp, expf(x))                                                    \
    G2O_EMULATOR_HALF_FUNCTION(T, exp2, exp2f(x))                                                  \
    G2O_EMULATOR_HALF_FUNCTION(T, exp10, exp10f(x))                                                \
    G2O_EMULATOR_HALF_FUNCTION(T, log, logf(x))                                                    \
    G2O_EMULATOR_HALF_FUNCTION(T, log2, log2f(x))                                                  \
    G2O_EMULATOR_HALF_FUNCTION(T, log10, log10f(x))                                                \
    G2O_EMULATOR_HALF_FUNCTION(T, sin, sinf(x))                                                    \
    G2O_EMULATOR_HALF_FUNCTION(T, cos, cosf(x))                                                    \
    G2O_EMULATOR_HALF_FUNCTION(T, tanh, tanhf(x))                                                  \
    G2O_EMULATOR_HALF_FUNCTION(T, tanh_approx, tanhf(x))                                           \
    G2O_EMULATOR_HALF_FUNCTION(T, floor, floorf(x))                                                \
    G2O_EMULATOR_HALF_FUNCTION(T, ceil, ceilf(x))                                                  \
    G2O_EMULATOR_HALF_FUNCTION(T, trunc, truncf(x))                                                \
    G2O_EMULATOR_HALF_FUNCTION(T, rint, rintf(x))                                                  \
    G2O_EMULATOR_HALF_BINARY(T, add, float(a) + float(b))                                          \
    G2O_EMULATOR_HALF_BINARY(T, sub, float(a) - float(b))                                          \
    G2O_EMULATOR_HALF_BINARY(T, mul, float(a) * float(b))                                          \
    G2O_EMULATOR_HALF_BINARY(T, div, float(a) / float(b))                                          \
    G2O_EMULATOR_HALF_BINARY(T, min, fminf(a, b))                                                  \
    G2O_EMULATOR_HALF_BINARY(T, max, fmaxf(a, b))                                                  \
    G2O_EMULATOR_HALF_FORM(T, add, rn, float(a) + float(b))                                        \
    G2O_EMULATOR_HALF_FORM(T, sub, rn, float(a) - float(b))                                        \
    G2O_EMULATOR_HALF_FORM(T, mul, rn, float(a) * float(b))                                        \
    G2O_EMULATOR_HALF_FORM(T, add, sat, g2o_emulator::saturated(float(a) + float(b)))              \
    G2O_EMULATOR_HALF_FORM(T, sub, sat, g2o_emulator::saturated(float(a) - float(b)))              \
    G2O_EMULATOR_HALF_FORM(T, mul, sat, g2o_emulator::saturated(float(a) * float(b)))              \
    G2O_EMULATOR_HALF_FORM(T, min, nan, __hisnan(a) || __hisnan(b) ? NAN : float(__hmin(a, b)))    \
    G2O_EMULATOR_HALF_FORM(T, max, nan, __hisnan(a) || __hisnan(b) ? NAN : float(__hmax(a, b)))    \
    G2O_EMULATOR_HALF_COMPARISON(T, eq, ==)                                                        \
    G2O_EMULATOR_HALF_COMPARISON(T, ne, !=)                                                        \
    G2O_EMULATOR_HALF_COMPARISON(T, lt, <)                                                         \
    G2O_EMULATOR_HALF_COMPARISON(T, le, <=)                                                        \
    G2O_EMULATOR_HALF_COMPARISON(T, gt, >)                                                         \
    G2O_EMULATOR_HALF_COMPARISON(T, ge, >=)                                                        \
    inline T __hneg(T a) { return -a; }                                                            \
    inline T __habs(T a) { return T(fabsf(a)); }                                                   \
    inline T __hfma(T a, T b, T c) { return T(fmaf(a, b, c)); }                                    \
    inline int __hisinf(T a) { return std::isinf(float(a)) ? (float(a) < 0 ? -1 : 1) : 0; }        \
    inline g2o_emulator::Pair<T> __h2div(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {       \
        return a / b;                                                                              \
    }                                                                                              \
    inline T __hfma_rn(T a, T b, T c) { return __hfma(a, b, c); }                                  \
    inline T __hfma_sat(T a, T b, T c) { return g2o_emulator::saturated(fmaf(a, b, c)); }          \
    inline T __hfma_relu(T a, T b, T c) {                                                          \
        float r = fmaf(a, b, c);                                                                   \
        return T(r < 0 ? 0.0f : r);                                                                \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __hisnan2(g2o_emulator::Pair<T> a) {                              \
        return {T(__hisnan(a.x)), T(__hisnan(a.y))};                                               \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __hneg2(g2o_emulator::Pair<T> a) { return {-a.x, -a.y}; }         \
    inline g2o_emulator::Pair<T> __habs2(g2o_emulator::Pair<T> a) {                                \
        return {__habs(a.x), __habs(a.y)};                                                         \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __hfma2_sat(                                                      \
        g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b, g2o_emulator::Pair<T> c) {               \
        return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};                             \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __hfma2_relu(                                                     \
        g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b, g2o_emulator::Pair<T> c) {               \
        return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};                           \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __hfma2(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b,         \
                                         g2o_emulator::Pair<T> c) {                                \
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                     \
    }
G2O_EMULATOR_HALF(__half)
G2O_EMULATOR_HALF(__nv_bfloat16)
#undef G2O_EMULATOR_HALF
#undef G2O_EMULATOR_HALF_FUNCTION
#undef G2O_EMULATOR_HALF_BINARY
#undef G2O_EMULATOR_HALF_FORM
#undef G2O_EMULATOR_HALF_COMPARISON
