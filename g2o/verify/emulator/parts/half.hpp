// __half and __nv_bfloat16: stored in 16 bits, computed in single precision and rounded to nearest.
#pragma once

#include "device_math.hpp"

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace g2o_emulator {

// Round a number to a format with `Exponent` exponent and `Mantissa` mantissa bits. The arithmetic
// is exact: scale so that the last kept bit has weight one, round, scale back.
template <int Exponent, int Mantissa>
std::uint16_t narrow(long double x, int mode = FE_TONEAREST) {
    constexpr int bias = (1 << (Exponent - 1)) - 1;
    constexpr unsigned infinity = ((1u << Exponent) - 1) << Mantissa;
    if (std::isnan(x))
        return 0x7fff;
    const bool outwards = mode == (std::signbit(x) ? FE_DOWNWARD : FE_UPWARD);
    unsigned bits = std::signbit(x) ? 0x8000 : 0;
    long double magnitude = std::fabs(x);
    if (std::isinf(x)) {
        bits |= infinity;
    } else if (magnitude >= std::ldexp(1.0L, bias + 1)) {
        bits |= outwards || mode == FE_TONEAREST ? infinity : infinity - 1;
    } else if (magnitude != 0) {
        int exponent = std::ilogb(magnitude);
        int lowest = exponent < 1 - bias ? 1 - bias : exponent;
        long double scaled = std::ldexp(magnitude, Mantissa - lowest), whole = std::floor(scaled);
        long double rest = scaled - whole;
        auto units = static_cast<unsigned>(whole);
        if (mode == FE_TONEAREST)
            units += rest > 0.5L || (rest == 0.5L && units % 2 == 1);
        else
            units += outwards && rest > 0;
        // A carry out of the mantissa moves into the exponent field by itself.
        bits |= (static_cast<unsigned>(lowest + bias - 1) << Mantissa) + units;
    }
    return static_cast<std::uint16_t>(bits);
}

// a * b + c for narrow numbers. What double cannot hold of the sum leaves a trace beyond its bits,
// in those that only long double has.
inline long double fused(float a, float b, float c) {
    std::feclearexcept(FE_INEXACT);
    double sum = rounded(FE_TOWARDZERO, [&] { return fma(opaque<double>(a), b, c); });
    long double exact = sum;
    if (std::fetestexcept(FE_INEXACT) && std::isfinite(sum))
        exact = std::nextafter(exact, std::copysign(HUGE_VALL, exact));
    return exact;
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

// The bits alone, one type for each format; what a pair's are is told by its type.
template <int Exponent>
struct RawHalf {
    unsigned short x;
};
template <typename T>
struct RawPair {
    unsigned short x, y;
};

template <int Exponent, int Mantissa>
struct SmallFloat {
    std::uint16_t bits;

    SmallFloat() = default;
    explicit SmallFloat(long double x, int mode = FE_TONEAREST)
        : bits(narrow<Exponent, Mantissa>(x, mode)) {}
    template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
    SmallFloat(T x) : SmallFloat(static_cast<long double>(x), FE_TONEAREST) {}
    template <int OtherExponent, int OtherMantissa>
    explicit SmallFloat(SmallFloat<OtherExponent, OtherMantissa> x)
        : SmallFloat(static_cast<float>(x)) {}
    SmallFloat(RawHalf<Exponent> raw) : bits(raw.x) {}
    operator RawHalf<Exponent>() const { return {bits}; }
    operator float() const { return widen<Exponent, Mantissa>(bits); }
    template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>,
              typename = std::enable_if_t<!std::is_same_v<T, bool>>>
    operator T() const {
        return saturate_to<T>(std::trunc(static_cast<float>(*this)));
    }

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
    friend SmallFloat operator+(SmallFloat a) { return a; }
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
    Pair(RawPair<T> raw) : x(reinterpret<T>(raw.x)), y(reinterpret<T>(raw.y)) {}
    operator RawPair<T>() const { return {x.bits, y.bits}; }

    friend Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
    friend Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }
    friend Pair operator*(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }
    friend Pair operator/(Pair a, Pair b) { return {a.x / b.x, a.y / b.y}; }
    friend Pair operator+(Pair a) { return a; }
    friend Pair operator-(Pair a) { return {-a.x, -a.y}; }
    // True where both lanes compare so.
    friend bool operator==(Pair a, Pair b) { return !(a.x != b.x || a.y != b.y); }
    friend bool operator!=(Pair a, Pair b) { return !(a.x == b.x || a.y == b.y); }
    friend bool operator<(Pair a, Pair b) { return a.x < b.x ? a.y < b.y : false; }
    friend bool operator>(Pair a, Pair b) { return b < a; }
    friend bool operator<=(Pair a, Pair b) { return a.x <= b.x ? a.y <= b.y : false; }
    friend bool operator>=(Pair a, Pair b) { return b <= a; }
    Pair &operator+=(Pair b) { return *this = *this + b; }
    Pair &operator-=(Pair b) { return *this = *this - b; }
    Pair &operator*=(Pair b) { return *this = *this * b; }
    Pair &operator/=(Pair b) { return *this = *this / b; }
    Pair &operator++() { return ++x, ++y, *this; }
    Pair &operator--() { return --x, --y, *this; }
    Pair operator++(int) { return {x++, y++}; }
    Pair operator--(int) { return {x--, y--}; }
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
using nv_half = __half;
using nv_half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using __half_raw = g2o_emulator::RawHalf<5>;
using __half2_raw = g2o_emulator::RawPair<__half>;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;
using __nv_bfloat16_raw = g2o_emulator::RawHalf<8>;
using __nv_bfloat162_raw = g2o_emulator::RawPair<__nv_bfloat16>;

// Conversions under CUDA's names: `half` and `bfloat16` stand in the same places.
#define G2O_EMULATOR_HALF_INTEGER(T, name, integer, I, suffix, mode)                               \
    inline T __##integer##2##name##_##suffix(I x) {                                                \
        return T(static_cast<long double>(x), mode);                                               \
    }                                                                                              \
    inline I __##name##2##integer##_##suffix(T x) {                                                \
        float whole = g2o_emulator::rounded(                                                       \
            mode, [&] { return nearbyintf(g2o_emulator::opaque<float>(x)); });                     \
        return g2o_emulator::saturate_to<I>(whole);                                                \
    }
#define G2O_EMULATOR_HALF_ROUNDED(T, name, suffix, mode)                                           \
    inline T __float2##name##_##suffix(float x) { return T(static_cast<long double>(x), mode); }   \
    G2O_EMULATOR_HALF_INTEGER(T, name, int, int, suffix, mode)                                     \
    G2O_EMULATOR_HALF_INTEGER(T, name, uint, unsigned, suffix, mode)                               \
    G2O_EMULATOR_HALF_INTEGER(T, name, short, short, suffix, mode)                                 \
    G2O_EMULATOR_HALF_INTEGER(T, name, ushort, unsigned short, suffix, mode)                       \
    G2O_EMULATOR_HALF_INTEGER(T, name, ll, long long, suffix, mode)                                \
    G2O_EMULATOR_HALF_INTEGER(T, name, ull, unsigned long long, suffix, mode)
#define G2O_EMULATOR_HALF_CONVERSIONS(T, name, pair)                                               \
    G2O_EMULATOR_HALF_ROUNDED(T, name, rn, FE_TONEAREST)                                           \
    G2O_EMULATOR_HALF_ROUNDED(T, name, rz, FE_TOWARDZERO)                                          \
    G2O_EMULATOR_HALF_ROUNDED(T, name, ru, FE_UPWARD)                                              \
    G2O_EMULATOR_HALF_ROUNDED(T, name, rd, FE_DOWNWARD)                                            \
    inline signed char __##name##2char_rz(T x) { return x; }                                       \
    inline unsigned char __##name##2uchar_rz(T x) { return x; }                                    \
    inline T __float2##name(float x) { return x; }                                                 \
    inline T __double2##name(double x) { return x; }                                               \
    inline float __##name##2float(T x) { return x; }                                               \
    inline g2o_emulator::Pair<T> __##name##2##pair(T x) { return {x, x}; }                         \
    inline g2o_emulator::Pair<T> __float2##pair##_rn(float x) { return {x, x}; }                   \
    inline g2o_emulator::Pair<T> __floats2##pair##_rn(float x, float y) { return {x, y}; }         \
    inline g2o_emulator::Pair<T> __float22##pair##_rn(float2 v) { return {v.x, v.y}; }             \
    inline float2 __##pair##2float2(g2o_emulator::Pair<T> v) { return {v.x, v.y}; }                \
    inline g2o_emulator::Pair<T> __halves2##pair(T x, T y) { return {x, y}; }                      \
    inline g2o_emulator::Pair<T> make_##pair(T x, T y) { return {x, y}; }                          \
    inline g2o_emulator::Pair<T> __low2##pair(g2o_emulator::Pair<T> v) { return {v.x, v.x}; }      \
    inline g2o_emulator::Pair<T> __high2##pair(g2o_emulator::Pair<T> v) { return {v.y, v.y}; }     \
    inline g2o_emulator::Pair<T> __lowhigh2highlow(g2o_emulator::Pair<T> v) { return {v.y, v.x}; } \
    inline g2o_emulator::Pair<T> __lows2##pair(g2o_emulator::Pair<T> a,                            \
                                                g2o_emulator::Pair<T> b) {                         \
        return {a.x, b.x};                                                                         \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __highs2##pair(g2o_emulator::Pair<T> a,                           \
                                                 g2o_emulator::Pair<T> b) {                        \
        return {a.y, b.y};                                                                         \
    }                                                                                              \
    inline float __low2float(g2o_emulator::Pair<T> v) { return v.x; }                              \
    inline float __high2float(g2o_emulator::Pair<T> v) { return v.y; }                             \
    inline T __low2##name(g2o_emulator::Pair<T> v) { return v.x; }                                 \
    inline T __high2##name(g2o_emulator::Pair<T> v) { return v.y; }                                \
    inline unsigned short __##name##_as_ushort(T x) { return x.bits; }                             \
    inline short __##name##_as_short(T x) { return static_cast<short>(x.bits); }                   \
    inline T __ushort_as_##name(unsigned short bits) {                                             \
        return g2o_emulator::reinterpret<T>(bits);                                                 \
    }                                                                                              \
    inline T __short_as_##name(short bits) { return g2o_emulator::reinterpret<T>(bits); }
G2O_EMULATOR_HALF_CONVERSIONS(__half, half, half2)
G2O_EMULATOR_HALF_CONVERSIONS(__nv_bfloat16, bfloat16, bfloat162)
#undef G2O_EMULATOR_HALF_CONVERSIONS
#undef G2O_EMULATOR_HALF_ROUNDED
#undef G2O_EMULATOR_HALF_INTEGER

namespace g2o_emulator {

inline float saturated(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

// IEEE 754-2019's maximumNumber, with -0 below +0.
template <typename T>
T larger_number(T a, T b) {
    if (std::isnan(float(a)))
        return std::isnan(float(b)) ? T(NAN) : b;
    if (std::isnan(float(b)) || float(a) > float(b))
        return a;
    return float(a) == float(b) && !std::signbit(float(a)) ? a : b;
}

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
#define G2O_EMULATOR_HALF_COMPARES(T, name, condition)                                             \
    inline bool __h##name(T a, T b) { return condition; }                                          \
    inline bool __hb##name##2(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {                  \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __h##name##2(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {  \
        return {T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f)};       \
    }                                                                                              \
    inline unsigned __h##name##2_mask(g2o_emulator::Pair<T> a,                                     \
                                      g2o_emulator::Pair<T> b) {                                   \
        ushort2 lanes;                                                                             \
        lanes.x = static_cast<unsigned short>(__h##name(a.x, b.x) ? ~0 : 0);                       \
        lanes.y = static_cast<unsigned short>(__h##name(a.y, b.y) ? ~0 : 0);                       \
        return g2o_emulator::reinterpret<unsigned>(lanes);                                         \
    }
#define G2O_EMULATOR_HALF_COMPARISON(T, name, operation)                                           \
    G2O_EMULATOR_HALF_COMPARES(                                                                    \
        T, name, !__hisnan(a) && !__hisnan(b) && float(a) operation float(b))                      \
    G2O_EMULATOR_HALF_COMPARES(                                                                    \
        T, name##u, __hisnan(a) || __hisnan(b) || float(a) operation float(b))
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
    G2O_EMULATOR_HALF_BINARY(T, min, -g2o_emulator::larger_number(-a, -b))                         \
    G2O_EMULATOR_HALF_BINARY(T, max, g2o_emulator::larger_number(a, b))                            \
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
    inline T __hfma(T a, T b, T c) { return T(g2o_emulator::fused(a, b, c)); }                     \
    inline int __hisinf(T a) { return std::isinf(float(a)) ? (float(a) < 0 ? -1 : 1) : 0; }        \
    inline g2o_emulator::Pair<T> __h2div(g2o_emulator::Pair<T> a, g2o_emulator::Pair<T> b) {       \
        return a / b;                                                                              \
    }                                                                                              \
    inline T __hfma_sat(T a, T b, T c) { return g2o_emulator::saturated(__hfma(a, b, c)); }        \
    inline T __hfma_relu(T a, T b, T c) {                                                          \
        float r = __hfma(a, b, c);                                                                 \
        return T(r <= 0 ? 0.0f : r);                                                               \
    }                                                                                              \
    inline g2o_emulator::Pair<T> __hcmadd(g2o_emulator::Pair<T> a,                                 \
                                          g2o_emulator::Pair<T> b,                                 \
                                          g2o_emulator::Pair<T> c) {                               \
        T real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);                         \
        return {__hfma(-a.y, b.y, real), __hfma(a.y, b.x, imaginary)};                             \
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
#undef G2O_EMULATOR_HALF_COMPARES

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
