// g2o_half.hpp: floats of 16 and 8 bits.
#ifndef G2O_HALF_HPP
#define G2O_HALF_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <math.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "g2o_atomics.hpp"
#include "g2o_math.hpp"
#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("T")
#undef T

namespace g2o {

// Storage formats: every operation is done in float and its result rounded. Conversions choose
// between integers and never jump, so that compilers make vectors of them.

namespace detail {

// IEEE binary16 from a float, rounded to nearest even.
inline std::uint16_t float_to_half_bits(float value)
{
    const unsigned bits = float_as_uint(value), sign = bits >> 16 & 0x8000,
                   magnitude = bits & 0x7fffffff;
    // Subnormal: adding 0.5 leaves units of 2^-24 in the last bits.
    const unsigned half = magnitude < 0x38800000 ? 0x3f000000 : 0,
                   shifted = float_as_uint(uint_as_float(magnitude) + uint_as_float(half)),
                   normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13,
                   finite = half != 0 ? shifted - half : normal,
                   rounded = magnitude >= 0x477ff000 ? 0x7c00 : finite; // 65536 or more
    return std::uint16_t(magnitude > 0x7f800000 ? 0x7fff : sign | rounded);
}

inline float half_bits_to_float(std::uint16_t bits)
{
    const unsigned sign = unsigned(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
    // Subnormal: what is too much in the exponent is taken off again.
    const unsigned smallest = magnitude < 0x400 ? 0x38800000 : 0,
                   bias = magnitude >= 0x7c00 ? 0x70000000 : smallest != 0 ? 0x38800000 : 0x38000000;
    const float value = uint_as_float((magnitude << 13) + bias) - uint_as_float(smallest);
    return uint_as_float(sign | float_as_uint(value));
}

// The upper half of a float, rounded to nearest even.
inline std::uint16_t float_to_bfloat16_bits(float value)
{
    const unsigned bits = float_as_uint(value);
    if (value != value)
        return 0x7fff;
    return std::uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float bfloat16_bits_to_float(std::uint16_t bits)
{
    return uint_as_float(unsigned(bits) << 16);
}

template <class T>
constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool>;

} // namespace detail

// clang-format off
// A 16-bit type `Name`, the pair `Pair` of it, their bits and the operators on them.
#define G2O_HALF_TYPE(Name, Pair, to_bits, to_float)                                               \
    struct Name##_raw {                                                                            \
        std::uint16_t x;                                                                           \
    };                                                                                             \
    struct Pair##_raw {                                                                            \
        std::uint16_t x, y;                                                                        \
    };                                                                                             \
    struct Name {                                                                                  \
        std::uint16_t bits;                                                                        \
        Name() = default;                                                                          \
        constexpr Name(Name##_raw raw) : bits(raw.x) {}                                            \
        template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                      \
        Name(T value) : bits(detail::to_bits(detail::round_to_odd(value)))                         \
        {                                                                                          \
        }                                                                                          \
        template <class T,                                                                         \
                  std::enable_if_t<std::is_class_v<T> && std::is_convertible_v<T, float>,          \
                                   int> = 0>                                                       \
        explicit Name(T value) : Name(float(value))                                                \
        {                                                                                          \
        }                                                                                          \
        template <class T>                                                                         \
        std::enable_if_t<std::is_class_v<T> && std::is_convertible_v<T, float> &&                  \
                             !std::is_same_v<T, Name>,                                             \
                         Name &>                                                                   \
        operator=(T value)                                                                         \
        {                                                                                          \
            return *this = Name(value);                                                            \
        }                                                                                          \
        operator float() const { return detail::to_float(bits); }                                  \
        template <class T, class = std::enable_if_t<detail::is_integer<T>>> operator T() const     \
        {                                                                                          \
            return detail::saturate<T>(std::trunc(float(*this)));                                  \
        }                                                                                          \
        operator Name##_raw() const { return {bits}; }                                             \
        Name operator+() const { return *this; }                                                   \
        Name operator-() const { return -float(*this); }                                           \
        Name &operator+=(Name other) { return *this = float(*this) + float(other); }               \
        Name &operator-=(Name other) { return *this = float(*this) - float(other); }               \
        Name &operator*=(Name other) { return *this = float(*this) * float(other); }               \
        Name &operator/=(Name other) { return *this = float(*this) / float(other); }               \
        Name &operator++() { return *this += Name(1); }                                            \
        Name &operator--() { return *this -= Name(1); }                                            \
        Name operator++(int) { return std::exchange(*this, *this + Name(1)); }                     \
        Name operator--(int) { return std::exchange(*this, *this - Name(1)); }                     \
        friend Name operator+(Name a, Name b) { return a += b; }                                   \
        friend Name operator-(Name a, Name b) { return a -= b; }                                   \
        friend Name operator*(Name a, Name b) { return a *= b; }                                   \
        friend Name operator/(Name a, Name b) { return a /= b; }                                   \
        friend bool operator==(Name a, Name b) { return float(a) == float(b); }                    \
        friend bool operator!=(Name a, Name b) { return float(a) != float(b); }                    \
        friend bool operator<(Name a, Name b) { return float(a) < float(b); }                      \
        friend bool operator<=(Name a, Name b) { return float(a) <= float(b); }                    \
        friend bool operator>(Name a, Name b) { return float(a) > float(b); }                      \
        friend bool operator>=(Name a, Name b) { return float(a) >= float(b); }                    \
    };                                                                                             \
    struct alignas(4) Pair {                                                                       \
        Name x, y;                                                                                 \
        Pair() = default;                                                                          \
        Pair(Name low, Name high) : x(low), y(high) {}                                             \
        Pair(Pair##_raw raw) : x(Name##_raw{raw.x}), y(Name##_raw{raw.y}) {}                       \
        operator Pair##_raw() const { return {x.bits, y.bits}; }                                   \
        friend Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }                   \
        friend Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }                   \
        friend Pair operator*(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }                   \
        friend Pair operator/(Pair a, Pair b) { return {a.x / b.x, a.y / b.y}; }                   \
        Pair operator+() const { return *this; }                                                   \
        Pair operator-() const { return {-x, -y}; }                                                \
        Pair &operator+=(Pair other) { return *this = *this + other; }                             \
        Pair &operator-=(Pair other) { return *this = *this - other; }                             \
        Pair &operator*=(Pair other) { return *this = *this * other; }                             \
        Pair &operator/=(Pair other) { return *this = *this / other; }                             \
        Pair &operator++() { return *this += Pair(1, 1); }                                         \
        Pair &operator--() { return *this -= Pair(1, 1); }                                         \
        Pair operator++(int) { return std::exchange(*this, *this + Pair(1, 1)); }                  \
        Pair operator--(int) { return std::exchange(*this, *this - Pair(1, 1)); }                  \
        /* Each holds where it holds for both numbers, != too: it is not the opposite of ==. */    \
        friend bool operator==(Pair a, Pair b) { return a.x == b.x && a.y == b.y; }                \
        friend bool operator!=(Pair a, Pair b) { return a.x != b.x && a.y != b.y; }                \
        friend bool operator<(Pair a, Pair b) { return a.x < b.x && a.y < b.y; }                   \
        friend bool operator<=(Pair a, Pair b) { return a.x <= b.x && a.y <= b.y; }                \
        friend bool operator>(Pair a, Pair b) { return a.x > b.x && a.y > b.y; }                   \
        friend bool operator>=(Pair a, Pair b) { return a.x >= b.x && a.y >= b.y; }                \
    };
// clang-format on

namespace types {

G2O_HALF_TYPE(half, half2, float_to_half_bits, half_bits_to_float)
G2O_HALF_TYPE(nv_bfloat16, nv_bfloat162, float_to_bfloat16_bits, bfloat16_bits_to_float)
using nv_half = half;
using nv_half2 = half2;

} // namespace types
#undef G2O_HALF_TYPE

namespace detail {

// a * b + c for numbers of 16 bits, whose product is exact in double. Where the sum is not (Knuth's
// two-sum gives its error), its last bit is 1, so that it rounds to 16 bits as the exact sum does.
inline double fma_to_odd(float a, float b, float c)
{
    const double product = double(a) * double(b), sum = product + double(c);
    const double summand = sum - product;
    const double error = (product - (sum - summand)) + (double(c) - summand);
    const long long bits = double_as_longlong(sum);
    if (bits % 2 != 0 || !(error < 0 || error > 0))
        return sum;
    return longlong_as_double((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

// The larger and smaller of two numbers; of a number and a NaN the number. +0 is larger than -0:
// of equal numbers only the sign of zeros can differ.
template <class Half> Half half_max(Half a, Half b)
{
    return a == b ? bit_cast<Half>(std::uint16_t(a.bits & b.bits))
                  : Half(g2o::max(float(a), float(b)));
}

template <class Half> Half half_min(Half a, Half b)
{
    return a == b ? bit_cast<Half>(std::uint16_t(a.bits | b.bits))
                  : Half(g2o::min(float(a), float(b)));
}

} // namespace detail

// The named operations, for half and for nv_bfloat16.
#define G2O_HALF_UNARY(Name, Pair, name, expression)                                               \
    inline Name h##name(Name a) { return expression; }                                             \
    inline Pair h2##name(Pair a) { return {h##name(a.x), h##name(a.y)}; }
#define G2O_HALF_BINARY(Name, Pair, name, form, expression)                                        \
    inline Name h##name##form(Name a, Name b) { return expression; }                               \
    inline Pair h##name##2##form(Pair a, Pair b)                                                   \
    {                                                                                              \
        return {h##name##form(a.x, b.x), h##name##form(a.y, b.y)};                                 \
    }
#define G2O_HALF_TERNARY(Name, Pair, name, form, expression)                                       \
    inline Name h##name##form(Name a, Name b, Name c) { return expression; }                       \
    inline Pair h##name##2##form(Pair a, Pair b, Pair c)                                           \
    {                                                                                              \
        return {h##name##form(a.x, b.x, c.x), h##name##form(a.y, b.y, c.y)};                       \
    }
// A comparison, true also for NaN in the form with u; of pairs as 1 and 0, of both at once, and as
// ones in the halves of a word.
#define G2O_HALF_COMPARISON_FORM(Name, Pair, name, condition)                                      \
    inline bool h##name(Name a, Name b) { return condition; }                                      \
    inline Pair h##name##2(Pair a, Pair b) { return {h##name(a.x, b.x), h##name(a.y, b.y)}; }      \
    inline bool hb##name##2(Pair a, Pair b) { return h##name(a.x, b.x) && h##name(a.y, b.y); }     \
    inline unsigned h##name##2_mask(Pair a, Pair b)                                                \
    {                                                                                              \
        return (h##name(a.x, b.x) ? 0xffffu : 0u) | (h##name(a.y, b.y) ? 0xffff0000u : 0u);        \
    }
#define G2O_HALF_COMPARISON(Name, Pair, name, operation)                                           \
    G2O_HALF_COMPARISON_FORM(Name, Pair, name, a operation b && a == a && b == b)                  \
    G2O_HALF_COMPARISON_FORM(Name, Pair, name##u, a operation b || a != a || b != b)
#define G2O_HALF_FUNCTIONS(Name, Pair)                                                             \
    G2O_HALF_BINARY(Name, Pair, add, , a + b)                                                      \
    G2O_HALF_BINARY(Name, Pair, add, _rn, a + b)                                                   \
    G2O_HALF_BINARY(Name, Pair, add, _sat, saturatef(float(a) + float(b)))                         \
    G2O_HALF_BINARY(Name, Pair, sub, , a - b)                                                      \
    G2O_HALF_BINARY(Name, Pair, sub, _rn, a - b)                                                   \
    G2O_HALF_BINARY(Name, Pair, sub, _sat, saturatef(float(a) - float(b)))                         \
    G2O_HALF_BINARY(Name, Pair, mul, , a * b)                                                      \
    G2O_HALF_BINARY(Name, Pair, mul, _rn, a * b)                                                   \
    G2O_HALF_BINARY(Name, Pair, mul, _sat, saturatef(float(a) * float(b)))                         \
    G2O_HALF_BINARY(Name, Pair, min, , detail::half_min(a, b))                                     \
    G2O_HALF_BINARY(Name, Pair, min, _nan, a != a || b != b ? Name(NAN) : hmin(a, b))              \
    G2O_HALF_BINARY(Name, Pair, max, , detail::half_max(a, b))                                     \
    G2O_HALF_BINARY(Name, Pair, max, _nan, a != a || b != b ? Name(NAN) : hmax(a, b))              \
    G2O_HALF_TERNARY(Name, Pair, fma, , detail::fma_to_odd(a, b, c))                               \
    G2O_HALF_TERNARY(Name, Pair, fma, _sat, saturatef(hfma(a, b, c)))                              \
    G2O_HALF_TERNARY(Name, Pair, fma, _relu, hmax_nan(hfma(a, b, c), 0))                           \
    G2O_HALF_COMPARISON(Name, Pair, eq, ==)                                                        \
    G2O_HALF_COMPARISON(Name, Pair, ne, !=)                                                        \
    G2O_HALF_COMPARISON(Name, Pair, lt, <)                                                         \
    G2O_HALF_COMPARISON(Name, Pair, le, <=)                                                        \
    G2O_HALF_COMPARISON(Name, Pair, gt, >)                                                         \
    G2O_HALF_COMPARISON(Name, Pair, ge, >=)                                                        \
    G2O_HALF_UNARY(Name, Pair, exp, expf(a))                                                       \
    G2O_HALF_UNARY(Name, Pair, exp2, exp2f(a))                                                     \
    G2O_HALF_UNARY(Name, Pair, exp10, exp10f(a))                                                   \
    G2O_HALF_UNARY(Name, Pair, log, logf(a))                                                       \
    G2O_HALF_UNARY(Name, Pair, log2, log2f(a))                                                     \
    G2O_HALF_UNARY(Name, Pair, log10, log10f(a))                                                   \
    G2O_HALF_UNARY(Name, Pair, sin, sinf(a))                                                       \
    G2O_HALF_UNARY(Name, Pair, cos, cosf(a))                                                       \
    G2O_HALF_UNARY(Name, Pair, tanh, tanhf(a))                                                     \
    G2O_HALF_UNARY(Name, Pair, tanh_approx, tanhf(a))                                              \
    G2O_HALF_UNARY(Name, Pair, sqrt, sqrtf(a))                                                     \
    G2O_HALF_UNARY(Name, Pair, rsqrt, rsqrtf(a))                                                   \
    G2O_HALF_UNARY(Name, Pair, rcp, 1.0f / float(a))                                               \
    G2O_HALF_UNARY(Name, Pair, floor, floorf(a))                                                   \
    G2O_HALF_UNARY(Name, Pair, ceil, ceilf(a))                                                     \
    G2O_HALF_UNARY(Name, Pair, trunc, truncf(a))                                                   \
    G2O_HALF_UNARY(Name, Pair, rint, nearbyintf(a))                                                \
    inline Name hdiv(Name a, Name b) { return a / b; }                                             \
    inline Pair h2div(Pair a, Pair b) { return a / b; }                                            \
    inline Name hneg(Name a) { return -a; }                                                        \
    inline Pair hneg2(Pair a) { return -a; }                                                       \
    inline Name habs(Name a) { return fabsf(a); }                                                  \
    inline Pair habs2(Pair a) { return {habs(a.x), habs(a.y)}; }                                   \
    inline bool hisnan(Name a) { return a != a; }                                                  \
    inline Pair hisnan2(Pair a) { return {hisnan(a.x), hisnan(a.y)}; }                             \
    inline int hisinf(Name a) { return std::isinf(float(a)) ? (a < Name(0) ? -1 : 1) : 0; }        \
    /* a * b + c of complex numbers */                                                             \
    inline Pair hcmadd(Pair a, Pair b, Pair c)                                                     \
    {                                                                                              \
        return {hfma(-a.y, b.y, hfma(a.x, b.x, c.x)), hfma(a.y, b.x, hfma(a.x, b.y, c.y))};        \
    }

G2O_HALF_FUNCTIONS(half, half2)
G2O_HALF_FUNCTIONS(nv_bfloat16, nv_bfloat162)
#undef G2O_HALF_FUNCTIONS
#undef G2O_HALF_UNARY
#undef G2O_HALF_BINARY
#undef G2O_HALF_TERNARY
#undef G2O_HALF_COMPARISON
#undef G2O_HALF_COMPARISON_FORM

// Conversions, which say `half` or `bfloat16` in the same places. rn: to nearest, rz: towards zero,
// ru: up, rd: down.
#define G2O_HALF_INTEGER(Name, name, integer, T)                                                   \
    inline Name integer##2##name##_rn(T x) { return x; }                                           \
    inline Name integer##2##name##_rz(T x) { return detail::round_to_zero<Name>(x); }              \
    inline Name integer##2##name##_ru(T x) { return detail::round_up<Name>(x); }                   \
    inline Name integer##2##name##_rd(T x) { return detail::round_down<Name>(x); }                 \
    inline T name##2##integer##_rn(Name x) { return detail::saturate<T>(nearbyintf(x)); }          \
    inline T name##2##integer##_rz(Name x) { return x; }                                           \
    inline T name##2##integer##_ru(Name x) { return detail::saturate<T>(ceilf(x)); }               \
    inline T name##2##integer##_rd(Name x) { return detail::saturate<T>(floorf(x)); }
#define G2O_HALF_CONVERSIONS(Name, name, Pair, pair)                                               \
    inline Name float2##name(float x) { return x; }                                                \
    inline Name float2##name##_rn(float x) { return x; }                                           \
    inline Name float2##name##_rz(float x) { return detail::round_to_zero<Name>(x); }              \
    inline Name float2##name##_ru(float x) { return detail::round_up<Name>(x); }                   \
    inline Name float2##name##_rd(float x) { return detail::round_down<Name>(x); }                 \
    inline Name double2##name(double x) { return x; }                                              \
    inline float name##2float(Name x) { return x; }                                                \
    G2O_HALF_INTEGER(Name, name, int, int)                                                         \
    G2O_HALF_INTEGER(Name, name, uint, unsigned)                                                   \
    G2O_HALF_INTEGER(Name, name, short, short)                                                     \
    G2O_HALF_INTEGER(Name, name, ushort, unsigned short)                                           \
    G2O_HALF_INTEGER(Name, name, ll, long long)                                                    \
    G2O_HALF_INTEGER(Name, name, ull, unsigned long long)                                          \
    inline signed char name##2char_rz(Name x) { return x; }                                        \
    inline unsigned char name##2uchar_rz(Name x) { return x; }                                     \
    inline short name##_as_short(Name x) { return short(x.bits); }                                 \
    inline unsigned short name##_as_ushort(Name x) { return x.bits; }                              \
    inline Name short_as_##name(short x) { return detail::bit_cast<Name>(x); }                     \
    inline Name ushort_as_##name(unsigned short x) { return detail::bit_cast<Name>(x); }           \
    inline Pair make_##pair(Name x, Name y) { return {x, y}; }                                     \
    inline Pair name##2##pair(Name x) { return {x, x}; }                                           \
    inline Pair float2##pair##_rn(float x) { return {x, x}; }                                      \
    inline Pair floats2##pair##_rn(float x, float y) { return {x, y}; }                            \
    inline Pair float22##pair##_rn(float2 x) { return {x.x, x.y}; }                                \
    inline float2 pair##2float2(Pair x) { return {x.x, x.y}; }                                     \
    inline float low2float(Pair x) { return x.x; }                                                 \
    inline float high2float(Pair x) { return x.y; }                                                \
    inline Name low2##name(Pair x) { return x.x; }                                                 \
    inline Name high2##name(Pair x) { return x.y; }                                                \
    inline Pair low2##pair(Pair x) { return {x.x, x.x}; }                                          \
    inline Pair high2##pair(Pair x) { return {x.y, x.y}; }                                         \
    inline Pair lowhigh2highlow(Pair x) { return {x.y, x.x}; }                                     \
    inline Pair halves2##pair(Name x, Name y) { return {x, y}; }                                   \
    inline Pair lows2##pair(Pair x, Pair y) { return {x.x, y.x}; }                                 \
    inline Pair highs2##pair(Pair x, Pair y) { return {x.y, y.y}; }

G2O_HALF_CONVERSIONS(half, half, half2, half2)
G2O_HALF_CONVERSIONS(nv_bfloat16, bfloat16, nv_bfloat162, bfloat162)
#undef G2O_HALF_CONVERSIONS
#undef G2O_HALF_INTEGER

constexpr half INF_FP16 = half_raw{0x7c00};
constexpr half NAN_FP16 = half_raw{0x7fff};
constexpr half MIN_DENORM_FP16 = half_raw{0x0001};
constexpr half MAX_NORMAL_FP16 = half_raw{0x7bff};
constexpr half NEG_ZERO_FP16 = half_raw{0x8000};
constexpr half ZERO_FP16 = half_raw{0x0000};
constexpr half ONE_FP16 = half_raw{0x3c00};
constexpr nv_bfloat16 INF_BF16 = nv_bfloat16_raw{0x7f80};
constexpr nv_bfloat16 NAN_BF16 = nv_bfloat16_raw{0x7fff};
constexpr nv_bfloat16 MIN_DENORM_BF16 = nv_bfloat16_raw{0x0001};
constexpr nv_bfloat16 MAX_NORMAL_BF16 = nv_bfloat16_raw{0x7f7f};
constexpr nv_bfloat16 NEG_ZERO_BF16 = nv_bfloat16_raw{0x8000};
constexpr nv_bfloat16 ZERO_BF16 = nv_bfloat16_raw{0x0000};
constexpr nv_bfloat16 ONE_BF16 = nv_bfloat16_raw{0x3f80};

// ---- floats of 8 bits ---------------------------------------------------------------------------

namespace types {

// What becomes of a number that is too large: the largest one, or infinity (NaN for E4M3, which has
// no infinity).
enum Fp8Saturation { FP8_NOSAT, FP8_SATFINITE };

// Bits of the exponent and of the mantissa.
enum Fp8Format { FP8_E4M3, FP8_E5M2 };

// One, two and four numbers as bits.
using fp8_storage = unsigned char;
using fp8x2_storage = unsigned short;
using fp8x4_storage = unsigned;

} // namespace types

// The number in 8 bits, rounded to nearest even.
inline unsigned char double_to_fp8(double value, Fp8Saturation saturation, Fp8Format format)
{
    const int mantissa_bits = format == FP8_E4M3 ? 3 : 2, bias = format == FP8_E4M3 ? 7 : 15;
    const unsigned sign = std::signbit(value) ? 0x80 : 0;
    const unsigned largest = format == FP8_E4M3 ? 0x7e : 0x7b;
    if (std::isnan(value))
        return 0x7f;
    const double magnitude = std::fabs(value);
    unsigned bits = largest + 1;
    if (!std::isinf(value)) {
        // In units of the last place; a carry out of the mantissa moves into the exponent.
        const int least = 1 - bias;
        const int exponent = magnitude == 0.0 ? least : std::max(std::ilogb(magnitude), least);
        const double units = std::nearbyint(std::ldexp(magnitude, mantissa_bits - exponent));
        const double rounded = units + std::ldexp(exponent + bias - 1, mantissa_bits);
        bits = unsigned(std::min(rounded, double(largest + 1)));
    }
    return static_cast<unsigned char>(
        sign | (bits > largest && saturation == FP8_SATFINITE ? largest : bits));
}

inline unsigned char float_to_fp8(float value, Fp8Saturation saturation, Fp8Format format)
{
    return double_to_fp8(value, saturation, format);
}

inline unsigned short float2_to_fp8x2(float2 value, Fp8Saturation saturation, Fp8Format format)
{
    return static_cast<unsigned short>(float_to_fp8(value.x, saturation, format) |
                                       float_to_fp8(value.y, saturation, format) << 8);
}

namespace detail {

inline float fp8_to_float(unsigned char bits, Fp8Format format)
{
    const int mantissa_bits = format == FP8_E4M3 ? 3 : 2, bias = format == FP8_E4M3 ? 7 : 15;
    const int exponent = (bits & 0x7f) >> mantissa_bits;
    const int mantissa = bits & ((1 << mantissa_bits) - 1);
    float magnitude = exponent == 0
                          ? std::ldexp(float(mantissa), 1 - bias - mantissa_bits)
                          : std::ldexp(float(mantissa + (1 << mantissa_bits)),
                                       exponent - bias - mantissa_bits);
    if (format == FP8_E4M3 ? (bits & 0x7f) == 0x7f : exponent == 31)
        magnitude = mantissa == 0 ? INFINITY : NAN;
    return bits & 0x80 ? -magnitude : magnitude;
}

} // namespace detail

// Conversions of pairs, and from and to 16 bits.
inline unsigned short double2_to_fp8x2(double2 value, Fp8Saturation saturation, Fp8Format format)
{
    return static_cast<unsigned short>(double_to_fp8(value.x, saturation, format) |
                                       double_to_fp8(value.y, saturation, format) << 8);
}

inline unsigned char half_raw_to_fp8(half_raw value, Fp8Saturation saturation, Fp8Format format)
{
    return float_to_fp8(half(value), saturation, format);
}

inline unsigned char bfloat16_raw_to_fp8(nv_bfloat16_raw value, Fp8Saturation saturation,
                                         Fp8Format format)
{
    return float_to_fp8(nv_bfloat16(value), saturation, format);
}

inline unsigned short half2_raw_to_fp8x2(half2_raw value, Fp8Saturation saturation,
                                         Fp8Format format)
{
    const half2 pair = value;
    return float2_to_fp8x2(make_float2(pair.x, pair.y), saturation, format);
}

inline unsigned short bfloat162_raw_to_fp8x2(nv_bfloat162_raw value, Fp8Saturation saturation,
                                             Fp8Format format)
{
    const nv_bfloat162 pair = value;
    return float2_to_fp8x2(make_float2(pair.x, pair.y), saturation, format);
}

inline half_raw fp8_to_half_raw(unsigned char bits, Fp8Format format)
{
    return half(detail::fp8_to_float(bits, format));
}

inline half2_raw fp8x2_to_half2_raw(unsigned short bits, Fp8Format format)
{
    return half2(detail::fp8_to_float(bits & 0xff, format),
                 detail::fp8_to_float(bits >> 8, format));
}

namespace types {

template <Fp8Format Format> struct Fp8 {
    unsigned char __x; // as CUDA calls it

    Fp8() = default;
    template <class T, class = std::enable_if_t<std::is_convertible_v<T, float>>>
    explicit Fp8(T value) : __x(double_to_fp8(double(value), FP8_SATFINITE, Format))
    {
    }
    explicit operator float() const { return detail::fp8_to_float(__x, Format); }
    explicit operator double() const { return float(*this); }
    explicit operator half() const { return float(*this); }
    explicit operator nv_bfloat16() const { return float(*this); }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
};

// Two and four of them in one word, the first in the lowest bits.
template <Fp8Format Format> struct Fp8x2 {
    unsigned short __x;

    Fp8x2() = default;
    explicit Fp8x2(float2 v) : __x(float2_to_fp8x2(v, FP8_SATFINITE, Format)) {}
    explicit Fp8x2(double2 v) : Fp8x2(make_float2(float(v.x), float(v.y))) {}
    explicit Fp8x2(half2 v) : Fp8x2(make_float2(v.x, v.y)) {}
    explicit Fp8x2(nv_bfloat162 v) : Fp8x2(make_float2(v.x, v.y)) {}
    explicit operator float2() const
    {
        return {detail::fp8_to_float(__x & 0xff, Format), detail::fp8_to_float(__x >> 8, Format)};
    }
    explicit operator half2() const
    {
        const float2 v = float2(*this);
        return {v.x, v.y};
    }
};

template <Fp8Format Format> struct Fp8x4 {
    unsigned __x;

    Fp8x4() = default;
    Fp8x4(Fp8x2<Format> low, Fp8x2<Format> high) : __x(low.__x | unsigned(high.__x) << 16) {}
    explicit Fp8x4(float4 v)
        : Fp8x4(Fp8x2<Format>(make_float2(v.x, v.y)), Fp8x2<Format>(make_float2(v.z, v.w)))
    {
    }
    explicit Fp8x4(half2 low, half2 high) : Fp8x4(Fp8x2<Format>(low), Fp8x2<Format>(high)) {}
    explicit Fp8x4(nv_bfloat162 low, nv_bfloat162 high)
        : Fp8x4(Fp8x2<Format>(low), Fp8x2<Format>(high))
    {
    }
    explicit operator float4() const
    {
        float v[4];
        for (int i = 0; i < 4; ++i)
            v[i] = detail::fp8_to_float(__x >> 8 * i & 0xff, Format);
        return {v[0], v[1], v[2], v[3]};
    }
};

using fp8_e4m3 = Fp8<FP8_E4M3>;
using fp8_e5m2 = Fp8<FP8_E5M2>;
using fp8x2_e4m3 = Fp8x2<FP8_E4M3>;
using fp8x2_e5m2 = Fp8x2<FP8_E5M2>;
using fp8x4_e4m3 = Fp8x4<FP8_E4M3>;
using fp8x4_e5m2 = Fp8x4<FP8_E5M2>;

} // namespace types

} // namespace g2o

#pragma pop_macro("T")

} // extern "C++"

#endif // G2O_HALF_HPP
