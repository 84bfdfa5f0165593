// Functions of CUDA's mathematics library that C does not have, computed in long double.
#pragma once

#include <cmath>

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float rcbrt(float x) { return rcbrtf(x); }
inline float exp10(float x) { return exp10f(x); }
inline void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
inline float fdividef(float a, float b) { return a / b; }
inline float fdivide(float a, float b) { return a / b; }
inline double fdivide(double a, double b) { return a / b; }

// ---- multiples of pi ---------------------------------------------------------------------------

namespace g2o_emulator {

constexpr long double pi = 3.14159265358979323846264338327950288L;

} // namespace g2o_emulator

namespace g2o_emulator {

// sin(pi * x) for x in [-1, 1], from the distance to the next multiple.
inline long double sine_of_turns(long double x) {
    if (std::fabs(x) == 1)
        return 0;
    if (std::fabs(x) > 0.5L)
        x = std::copysign(1, x) - x;
    return std::sin(pi * x);
}

} // namespace g2o_emulator

// A zero of the sine has the sign of its argument.
inline double sinpi(double x) {
    long double rest = std::remainder(static_cast<long double>(x), 2.0L);
    auto sine = static_cast<double>(g2o_emulator::sine_of_turns(rest));
    return sine == 0 ? std::copysign(sine, x) : sine;
}
inline double cospi(double x) {
    long double rest = std::remainder(static_cast<long double>(x), 2.0L);
    return static_cast<double>(g2o_emulator::sine_of_turns(0.5L - std::fabs(rest)));
}
inline double tanpi(double x) { return sinpi(x) / cospi(x); }
inline float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
inline float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
inline float tanpif(float x) { return static_cast<float>(tanpi(static_cast<double>(x))); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }
inline float tanpi(float x) { return tanpif(x); }
inline void sincospi(double x, double *s, double *c) {
    *s = sinpi(x);
    *c = cospi(x);
}
inline void sincospif(float x, float *s, float *c) {
    *s = sinpif(x);
    *c = cospif(x);
}
inline void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }

// ---- lengths of vectors ------------------------------------------------------------------------

namespace g2o_emulator {

// The squares of all doubles are in long double's range. Infinity counts more than NaN.
template <typename T>
long double length(int count, const T *x) {
    long double squares = 0;
    bool infinite = false;
    for (int i = 0; i < count; ++i) {
        infinite = infinite || std::isinf(x[i]);
        squares += static_cast<long double>(x[i]) * x[i];
    }
    return infinite ? HUGE_VALL : std::sqrt(squares);
}

template <typename T, typename... More>
long double length_of(T first, More... more) {
    const T all[] = {first, more...};
    return length(1 + static_cast<int>(sizeof...(more)), all);
}

// Of a length that double cannot hold it is 0.
template <typename T>
T reciprocal(long double length) {
    return static_cast<T>(1.0 / static_cast<double>(length));
}

} // namespace g2o_emulator

#define G2O_EMULATOR_LENGTH(T, suffix)                                                             \
    inline T norm3d##suffix(T a, T b, T c) {                                                       \
        return static_cast<T>(g2o_emulator::length_of(a, b, c));                                   \
    }                                                                                              \
    inline T norm4d##suffix(T a, T b, T c, T d) {                                                  \
        return static_cast<T>(g2o_emulator::length_of(a, b, c, d));                                \
    }                                                                                              \
    inline T norm##suffix(int count, const T *x) {                                                 \
        return static_cast<T>(g2o_emulator::length(count, x));                                     \
    }                                                                                              \
    inline T rhypot##suffix(T a, T b) {                                                            \
        return g2o_emulator::reciprocal<T>(g2o_emulator::length_of(a, b));                         \
    }                                                                                              \
    inline T rnorm3d##suffix(T a, T b, T c) {                                                      \
        return g2o_emulator::reciprocal<T>(g2o_emulator::length_of(a, b, c));                      \
    }                                                                                              \
    inline T rnorm4d##suffix(T a, T b, T c, T d) {                                                 \
        return g2o_emulator::reciprocal<T>(g2o_emulator::length_of(a, b, c, d));                   \
    }                                                                                              \
    inline T rnorm##suffix(int count, const T *x) {                                                \
        return g2o_emulator::reciprocal<T>(g2o_emulator::length(count, x));                        \
    }
G2O_EMULATOR_LENGTH(double, )
G2O_EMULATOR_LENGTH(float, f)
#undef G2O_EMULATOR_LENGTH

// ---- error functions ---------------------------------------------------------------------------

namespace g2o_emulator {

// Where a monotone function changes its sign, by halving the interval until nothing is between.
template <typename Function>
long double root(long double low, long double high, Function below) {
    for (int i = 0; i < 200; ++i)
        (below((low + high) / 2) ? low : high) = (low + high) / 2;
    return (low + high) / 2;
}

// Inverse of erfc where it is at most 1/2, and of erf where that is at most 1/2.
inline long double inverse_erfc_tail(long double y) {
    return root(0, 40, [y](long double x) { return std::erfc(x) > y; });
}
inline long double inverse_erf_middle(long double y) {
    if (std::fabs(y) < 1e-10L)
        return y * std::sqrt(pi) / 2;
    return root(-1, 1, [y](long double x) { return std::erf(x) < y; });
}

inline long double inverse_erfc(long double y) {
    if (!(y >= 0 && y <= 2))
        return NAN;
    if (y == 0 || y == 2)
        return y == 0 ? HUGE_VALL : -HUGE_VALL;
    if (y < 0.5L)
        return inverse_erfc_tail(y);
    return y > 1.5L ? -inverse_erfc_tail(2 - y) : inverse_erf_middle(1 - y);
}

inline long double inverse_erf(long double y) {
    return std::fabs(y) <= 0.5L ? inverse_erf_middle(y) : inverse_erfc(1 - y);
}

// exp(x * x) * erfc(x); where erfc has no bits left, its asymptotic series.
inline long double scaled_erfc(long double x) {
    if (x < 50)
        return std::exp(x * x) * std::erfc(x);
    long double s = 1 / (2 * x * x);
    return (1 - s * (1 - 3 * s * (1 - 5 * s * (1 - 7 * s)))) / (x * std::sqrt(pi));
}

} // namespace g2o_emulator

#define G2O_EMULATOR_SPECIAL(name, expression)                                                     \
    inline double name(double argument) {                                                          \
        const long double x = argument;                                                            \
        return static_cast<double>(expression);                                                    \
    }                                                                                              \
    inline float name##f(float argument) {                                                         \
        const long double x = argument;                                                            \
        return static_cast<float>(expression);                                                     \
    }                                                                                              \
    inline float name(float argument) { return name##f(argument); }
G2O_EMULATOR_SPECIAL(erfinv, g2o_emulator::inverse_erf(x))
G2O_EMULATOR_SPECIAL(erfcinv, g2o_emulator::inverse_erfc(x))
G2O_EMULATOR_SPECIAL(erfcx, g2o_emulator::scaled_erfc(x))
G2O_EMULATOR_SPECIAL(normcdf, std::erfc(-x * std::sqrt(0.5L)) / 2)
G2O_EMULATOR_SPECIAL(normcdfinv, -std::sqrt(2.0L) * g2o_emulator::inverse_erfc(2 * x))

// ---- Bessel functions --------------------------------------------------------------------------

namespace g2o_emulator {

// I_n(x), n = 0 or 1, by its power series (Abramowitz and Stegun 9.6.10): all terms have one sign.
inline long double modified_bessel(int order, long double x) {
    long double term = order == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; k < 2000 && std::fabs(term) > 1e-20L * std::fabs(sum); ++k) {
        term *= x * x / 4 / (static_cast<long double>(k) * (k + order));
        sum += term;
    }
    return sum;
}

} // namespace g2o_emulator

G2O_EMULATOR_SPECIAL(cyl_bessel_i0, g2o_emulator::modified_bessel(0, x))
G2O_EMULATOR_SPECIAL(cyl_bessel_i1, g2o_emulator::modified_bessel(1, x))
#undef G2O_EMULATOR_SPECIAL
