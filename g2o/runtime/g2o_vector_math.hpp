// g2o_vector_math.hpp: exponentials and logarithms that compilers make vectors of.
//
// Straight-line code in place of calls of the C library, which loops over threads would wait for
// one by one. Numbers of type float are worked out as doubles: they are those next to the exact ones in
// all but some thousandth of the cases, as the C library's. Those of type double are less than one
// unit in the last place away. `errno` is left alone.
//
// Choices are made by bits, as compilers see jumps in `c ? a : b` where an operation could trap.
#ifndef G2O_VECTOR_MATH_HPP
#define G2O_VECTOR_MATH_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <math.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "g2o_runtime.hpp"

namespace g2o {

// g++ makes no vectors of it for x86-64 as it was at first, where the library is faster then.
#if defined __x86_64__ && !defined __AVX2__ && !defined __clang__
inline float simd_expf(float x) { return ::expf(x); }
inline float simd_exp2f(float x) { return ::exp2f(x); }
inline float simd_logf(float x) { return ::logf(x); }
inline float simd_log2f(float x) { return ::log2f(x); }
inline float simd_log10f(float x) { return ::log10f(x); }
inline float simd_powf(float x, float y) { return ::powf(x, y); }
inline float simd_tanhf(float x) { return ::tanhf(x); }
inline float simd_erff(float x) { return ::erff(x); }
inline double simd_exp(double x) { return ::exp(x); }
inline double simd_log(double x) { return ::log(x); }
#else
namespace detail {

constexpr std::uint64_t infinity_bits = 0x7ff0000000000000, nan_bits = 0x7ff8000000000000;
constexpr std::uint64_t sign_bit = 0x8000000000000000;
constexpr double ln_2 = 0.693147180559945309417, log2_e = 1.44269504088896340736;
constexpr double ln_2_high = 0x1.62e42feep-1, ln_2_low = 0x1.a39ef35793c76p-33; // their sum: ln 2

inline double number_of(std::uint64_t bits)
{
    double number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
}

inline std::uint64_t bits_of(double number)
{
    std::uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

// All bits or none.
constexpr std::uint64_t all_if(bool holds) { return 0 - std::uint64_t(holds); }

constexpr std::uint64_t chosen(std::uint64_t which, std::uint64_t one, std::uint64_t other)
{
    return (which & one) | (~which & other);
}

// The integer next to a number between -2^31 and 2^31, as a number and as bits; of others some.
struct Whole {
    double number;
    std::uint64_t bits;
};

inline Whole nearest(double x)
{
    const std::uint64_t bits = bits_of(x + 0x1.8p52) - bits_of(0x1.8p52);
    return {double(static_cast<std::int32_t>(bits)), bits};
}

// A polynomial by its coefficients, from the highest one on (Horner's rule).
template <typename... Lower> double polynomial(double x, double highest, Lower... lower)
{
    double value = highest;
    ((value = value * x + lower), ...);
    return value;
}

// e^r for |r| <= ln(2) / 2, to 2e-10.
inline double short_exp(double r)
{
    return polynomial(r, 1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 0.5, 1, 1);
}

// 2^k * e^r where that is a float's `exponent` in base 2; 0, infinity or NaN as that is, too.
inline float scaled_float(double r, Whole k, double exponent)
{
    std::uint64_t y = bits_of(short_exp(r)) + (k.bits << 52);
    y &= all_if(exponent >= -152.);
    y = chosen(all_if(exponent > 129.), infinity_bits, y);
    return static_cast<float>(number_of(y | (all_if(exponent != exponent) & nan_bits)));
}

// A positive number as 2^exponent * (1 + f) with 1 + f between the roots of 1/2 and of 2.
struct Parts {
    double exponent, f;
};

inline Parts parts_of(double x)
{
    constexpr std::uint64_t root = 0x3fe6a09e667f3bcd; // the bits of sqrt(1/2)
    constexpr std::uint64_t all = std::uint64_t(0xfff) << 52, bias = std::uint64_t(1024) << 52;
    const std::uint64_t bits = bits_of(x), above = bits - root;
    const std::int32_t exponent = static_cast<std::int32_t>((above + bias) >> 52) - 1024;
    return {double(exponent), number_of(bits - (above & all)) - 1};
}

// ln(1 + f) to 1e-11 of itself.
inline double short_log(double f)
{
    const double s = f / (2 + f), z = s * s;
    const double y = polynomial(z, 2. / 15, 2. / 13, 2. / 11, 2. / 9, 2. / 7, 2. / 5, 2. / 3);
    return s * (y * z + 2);
}

// What a logarithm is, by its argument, where it is no plain number.
inline double log_or_limit(double x, double y)
{
    std::uint64_t bits = chosen(all_if(x < 0), nan_bits, bits_of(y));
    bits = chosen(all_if(x == 0), infinity_bits | sign_bit, bits);
    bits = chosen(all_if(x > 0x1.fffffffffffffp1023), infinity_bits, bits);
    return number_of(bits | (all_if(x != x) & nan_bits));
}

// The logarithm of a float in the base whose own is `unit`.
inline double float_log(double x, double unit)
{
    const Parts parts = parts_of(x);
    return log_or_limit(x, parts.exponent * (ln_2 * unit) + short_log(parts.f) * unit);
}

} // namespace detail

inline float simd_expf(float x)
{
    const double exponent = x * detail::log2_e;
    const detail::Whole k = detail::nearest(exponent);
    return detail::scaled_float(x - k.number * detail::ln_2, k, exponent);
}

inline float simd_exp2f(float x)
{
    const detail::Whole k = detail::nearest(x);
    return detail::scaled_float((x - k.number) * detail::ln_2, k, x);
}

inline float simd_logf(float x) { return static_cast<float>(detail::float_log(x, 1)); }
inline float simd_log2f(float x)
{
    return static_cast<float>(detail::float_log(x, detail::log2_e));
}

inline float simd_log10f(float x)
{
    return static_cast<float>(detail::float_log(x, 0.434294481903251827651));
}

inline float simd_powf(float x, float y)
{
    using namespace detail;
    const double power = y, exponent = power * float_log(std::fabs(x), log2_e);
    const Whole k = nearest(exponent);
    const double rest = (exponent - k.number) * ln_2;
    const std::uint64_t is_huge = all_if(std::fabs(power) >= 0x1p24); // an even number
    const std::uint64_t is_whole = is_huge | all_if(nearest(power).number == power);
    const std::uint64_t is_even = is_huge | all_if(nearest(power / 2).number == power / 2);
    const std::uint64_t negative = bits_of(x) & sign_bit & is_whole & ~is_even;
    std::uint64_t bits = bits_of(scaled_float(rest, k, exponent)) | negative;
    bits |= all_if(x < 0) & all_if(x >= -0x1.fffffep127f) & ~is_whole & nan_bits;
    const std::uint64_t is_one = all_if(x == 1) | all_if(y == 0) |
                                 (all_if(x == -1) & all_if(std::fabs(power) > 0x1.fffffep127));
    return static_cast<float>(number_of(chosen(is_one, bits_of(1), bits)));
}

inline float simd_tanhf(float x)
{
    using namespace detail;
    const double size = std::fabs(double(x)), z = size * size;
    // Near 0, where 1 less what follows says little.
    const double y = polynomial(z, 62. / 2835, -17. / 315, 2. / 15, -1. / 3);
    const double near = y * z * size + size;
    const Whole k = nearest(-2 * log2_e * size);
    const double r = -2 * size - k.number * ln_2;
    const std::uint64_t bits = bits_of(short_exp(r)) + (k.bits << 52);
    const double e = number_of(bits & all_if(size < 20)); // exp(-2 |x|)
    const double far = (1 - e) / (1 + e);
    const std::uint64_t tanh = chosen(all_if(size < 0.1), bits_of(near), bits_of(far));
    const std::uint64_t sign = bits_of(x) & sign_bit;
    return static_cast<float>(number_of(tanh | sign | (all_if(x != x) & nan_bits)));
}

// Up to 1 a polynomial, beyond it 1 less exp(-x^2) times one in 1 / (1 + |x|): both are within 3e-11
// of what they stand for (Chebyshev fits, the exponential to 2e-10).
inline float simd_erff(float x)
{
    using namespace detail;
    const double size = std::fabs(double(x)), z = size * size;
    const double y = polynomial(
        z, 1.05952742345956e-06, -1.39117001963868e-05, 0.000119569466136957,
        -0.000854267054457928, 0.00522378500570241, -0.0268661336250372,
        0.112837913134917, -0.376126388898687, 1.1283791670947);
    const double near = y * size;
    const Whole k = nearest(-log2_e * z);
    const double r = -z - k.number * ln_2;
    const std::uint64_t bits = bits_of(short_exp(r)) + (k.bits << 52);
    const double e = number_of(bits & all_if(size < 4)); // exp(-x^2)
    const double w = polynomial(
        1 / (1 + size), 1.01823318019468, -3.45305217515334, 4.74599360404829, -2.96136452359879,
        0.352333146334182, 0.167661910204533, 0.577184708293058, 0.563341001287313,
        2.43261379399671e-05);
    const double far = 1 - e * w;
    const std::uint64_t erf = chosen(all_if(size < 1), bits_of(near), bits_of(far));
    const std::uint64_t sign = bits_of(x) & sign_bit;
    return static_cast<float>(number_of(erf | sign | (all_if(x != x) & nan_bits)));
}

inline double simd_exp(double x)
{
    using namespace detail;
    const Whole k = nearest(x * log2_e);
    const double r = (x - k.number * ln_2_high) - k.number * ln_2_low;
    const double y =
        polynomial(r, 1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880,
                   1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 0.5);
    const double whole = y * (r * r) + r + 1;
    // The last step alone rounds, also to numbers with fewer digits.
    const std::uint64_t power = k.bits + 2 * 1074, half = power >> 1;
    const double one = number_of((half - 1074 + 1023) << 52);
    const double other = number_of((power - half - 1074 + 1023) << 52);
    std::uint64_t bits = bits_of(whole * one * other) & all_if(x >= -746.);
    bits = chosen(all_if(x > 710.), infinity_bits, bits);
    return number_of(bits | (all_if(x != x) & nan_bits));
}

inline double simd_log(double x)
{
    using namespace detail;
    const std::uint64_t is_small = all_if(x < 0x1p-1022); // has fewer digits: times 2^54
    const Parts parts = parts_of(x * number_of(chosen(is_small, bits_of(0x1p54), bits_of(1))));
    const double exponent = parts.exponent - number_of(is_small & bits_of(54)), f = parts.f;
    const double s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    const double y = polynomial(z, 2. / 21, 2. / 19, 2. / 17, 2. / 15, 2. / 13, 2. / 11, 2. / 9,
                                2. / 7, 2. / 5, 2. / 3);
    const double rest = s * (half + y * z) + exponent * ln_2_low;
    return log_or_limit(x, exponent * ln_2_high - ((half - rest) - f));
}

#endif

} // namespace g2o

} // extern "C++"

#endif // G2O_VECTOR_MATH_HPP
