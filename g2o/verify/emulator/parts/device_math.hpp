// Device arithmetic that the C library does not have: CUDA's min/max overloads, bit operations,
// conversions, cache-hinted loads, the fast-math names and the clock.
#pragma once

#include "atomics.hpp"
#include "execution.hpp"

#include <cfenv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

// ---- min, max ----------------------------------------------------------------------------------

#define G2O_EMULATOR_MIN_MAX(A, B, R)                                                              \
    inline R min(A a, B b) {                                                                       \
        return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b);      \
    }                                                                                              \
    inline R max(A a, B b) {                                                                       \
        return static_cast<R>(a) > static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b);      \
    }
#define G2O_EMULATOR_MIN_MAX_SIGNS(S, U)                                                           \
    G2O_EMULATOR_MIN_MAX(S, S, S)                                                                  \
    G2O_EMULATOR_MIN_MAX(U, U, U)                                                                  \
    G2O_EMULATOR_MIN_MAX(S, U, U)                                                                  \
    G2O_EMULATOR_MIN_MAX(U, S, U)
G2O_EMULATOR_MIN_MAX_SIGNS(int, unsigned)
G2O_EMULATOR_MIN_MAX_SIGNS(long, unsigned long)
G2O_EMULATOR_MIN_MAX_SIGNS(long long, unsigned long long)
#undef G2O_EMULATOR_MIN_MAX_SIGNS
#undef G2O_EMULATOR_MIN_MAX

// Of a number and a NaN, quiet or signalling, the number.
#define G2O_EMULATOR_MIN_MAX(A, B, R)                                                              \
    inline R min(A a, B b) { return std::isnan(a) ? b : std::isnan(b) || a <= b ? a : b; }         \
    inline R max(A a, B b) { return std::isnan(a) ? b : std::isnan(b) || a >= b ? a : b; }
G2O_EMULATOR_MIN_MAX(float, float, float)
G2O_EMULATOR_MIN_MAX(double, double, double)
G2O_EMULATOR_MIN_MAX(float, double, double)
G2O_EMULATOR_MIN_MAX(double, float, double)
#undef G2O_EMULATOR_MIN_MAX
inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
inline long long llmin(long long a, long long b) { return a < b ? a : b; }
inline long long llmax(long long a, long long b) { return a > b ? a : b; }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return a < b ? a : b;
}
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return a > b ? a : b;
}

// ---- shifts ------------------------------------------------------------------------------------

namespace g2o_emulator {

// A count that may be the width of what is shifted, or more: then everything is shifted out.
template <class T> struct ShiftCount {
    T value;
};

template <class T> constexpr ShiftCount<T> shift_count(T value) { return {value}; }

template <class T, class C> constexpr decltype(auto) operator<<(T &&value, ShiftCount<C> count) {
    using Bare = std::remove_reference_t<T>;
    if constexpr (std::is_integral_v<Bare> && std::is_integral_v<C>) {
        const auto wide = +value;
        const bool is_in = static_cast<unsigned>(count.value) < 8 * sizeof wide;
        return is_in ? decltype(+value)(wide << count.value) : decltype(+value)(0);
    } else {
        return std::forward<T>(value) << count.value;
    }
}

template <class T, class C> constexpr decltype(auto) operator>>(T &&value, ShiftCount<C> count) {
    using Bare = std::remove_reference_t<T>;
    if constexpr (std::is_integral_v<Bare> && std::is_integral_v<C>) {
        const auto wide = +value;
        const bool is_in = static_cast<unsigned>(count.value) < 8 * sizeof wide;
        return is_in ? wide >> count.value : decltype(+value)(wide < 0 ? -1 : 0);
    } else {
        return std::forward<T>(value) >> count.value;
    }
}

template <class T, class C> constexpr T &operator<<=(T &value, ShiftCount<C> count) {
    return value = value << count;
}

template <class T, class C> constexpr T &operator>>=(T &value, ShiftCount<C> count) {
    return value = value >> count;
}

} // namespace g2o_emulator

// ---- fast-math names. Macros, since the C library declares some of them -------------------------

#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __tanhf(x) tanhf(x)
#define __sincosf(x, s, c) sincosf(x, s, c)

inline float __fdividef(float a, float b) { return a / b; }
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
inline float saturate(float x) { return __saturatef(x); }

// ---- arithmetic with a stated rounding ---------------------------------------------------------

namespace g2o_emulator {

template <typename F>
auto rounded(int mode, F f) {
    int before = std::fegetround();
    std::fesetround(mode);
    volatile auto result = f(); // not computed later, under the other mode
    std::fesetround(before);
    return result;
}

template <typename T>
__attribute__((noinline)) T opaque(T value) {
    volatile T copy = value;
    return copy;
}

} // namespace g2o_emulator

#define G2O_EMULATOR_ROUNDED(suffix, mode)                                                         \
    inline float __fadd_##suffix(float a, float b) {                                               \
        return g2o_emulator::rounded(mode, [&] { return g2o_emulator::opaque(a) + b; });           \
    }                                                                                              \
    inline float __fsub_##suffix(float a, float b) {                                               \
        return g2o_emulator::rounded(mode, [&] { return g2o_emulator::opaque(a) - b; });           \
    }                                                                                              \
    inline float __fmul_##suffix(float a, float b) {                                               \
        return g2o_emulator::rounded(mode, [&] { return g2o_emulator::opaque(a) * b; });           \
    }                                                                                              \
    inline float __fdiv_##suffix(float a, float b) {                                               \
        return g2o_emulator::rounded(mode, [&] { return g2o_emulator::opaque(a) / b; });           \
    }                                                                                              \
    inline float __frcp_##suffix(float a) { return __fdiv_##suffix(1.0f, a); }                     \
    inline float __fsqrt_##suffix(float a) {                                                       \
        return g2o_emulator::rounded(mode, [&] { return sqrtf(g2o_emulator::opaque(a)); });        \
    }                                                                                              \
    inline float __fmaf_##suffix(float a, float b, float c) {                                      \
        return g2o_emulator::rounded(mode, [&] { return fmaf(g2o_emulator::opaque(a), b, c); });   \
    }                                                                                              \
    inline float __fmaf_ieee_##suffix(float a, float b, float c) {                                 \
        return __fmaf_##suffix(a, b, c);                                                           \
    }                                                                                              \
    inline double __dadd_##suffix(double a, double b) {                                            \
        return g2o_emulator::rounded(mode, [&] { return g2o_emulator::opaque(a) + b; });           \
    }                                                                                              \
    inline double __dsub_##suffix(double a, double b) {                                            \
        return g2o_emulator::rounded(mode, [&] { return g2o_emulator::opaque(a) - b; });           \
    }                                                                                              \
    inline double __dmul_##suffix(double a, double b) {                                            \
        return g2o_emulator::rounded(mode, [&] { return g2o_emulator::opaque(a) * b; });           \
    }                                                                                              \
    inline double __ddiv_##suffix(double a, double b) {                                            \
        return g2o_emulator::rounded(mode, [&] { return g2o_emulator::opaque(a) / b; });           \
    }                                                                                              \
    inline double __drcp_##suffix(double a) { return __ddiv_##suffix(1.0, a); }                    \
    inline double __dsqrt_##suffix(double a) {                                                     \
        return g2o_emulator::rounded(mode, [&] { return sqrt(g2o_emulator::opaque(a)); });         \
    }                                                                                              \
    inline double __fma_##suffix(double a, double b, double c) {                                   \
        return g2o_emulator::rounded(mode, [&] { return fma(g2o_emulator::opaque(a), b, c); });    \
    }
G2O_EMULATOR_ROUNDED(rn, FE_TONEAREST)
G2O_EMULATOR_ROUNDED(rz, FE_TOWARDZERO)
G2O_EMULATOR_ROUNDED(ru, FE_UPWARD)
G2O_EMULATOR_ROUNDED(rd, FE_DOWNWARD)
#undef G2O_EMULATOR_ROUNDED
inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }

// ---- conversions: saturating -------------------------------------------------------------------

namespace g2o_emulator {

// Of a NaN, 0 where neither side has 64 bits, else the highest bit alone (PTX, cvt).
template <typename To, typename From>
To saturate_to(From x) {
    if (std::isnan(x))
        return sizeof(From) == 8 || sizeof(To) == 8
                   ? static_cast<To>(std::uint64_t{1} << (8 * sizeof(To) - 1))
                   : To{0};
    if (x <= static_cast<double>(std::numeric_limits<To>::min()))
        return std::numeric_limits<To>::min();
    if (x >= static_cast<double>(std::numeric_limits<To>::max()))
        return std::numeric_limits<To>::max();
    return static_cast<To>(x);
}

template <typename To, typename From>
To reinterpret(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof(To));
    return to;
}

} // namespace g2o_emulator

#define G2O_EMULATOR_CONVERT(From, from, suffix, round)                                            \
    inline int __##from##2int_##suffix(From x) {                                                   \
        return g2o_emulator::saturate_to<int>(std::round(x));                                      \
    }                                                                                              \
    inline unsigned __##from##2uint_##suffix(From x) {                                             \
        return g2o_emulator::saturate_to<unsigned>(std::round(x));                                 \
    }                                                                                              \
    inline long long __##from##2ll_##suffix(From x) {                                              \
        return g2o_emulator::saturate_to<long long>(std::round(x));                                \
    }                                                                                              \
    inline unsigned long long __##from##2ull_##suffix(From x) {                                    \
        return g2o_emulator::saturate_to<unsigned long long>(std::round(x));                       \
    }
#define G2O_EMULATOR_CONVERTS(suffix, round, mode)                                                 \
    G2O_EMULATOR_CONVERT(float, float, suffix, round)                                              \
    G2O_EMULATOR_CONVERT(double, double, suffix, round)                                            \
    inline float __double2float_##suffix(double x) {                                               \
        return g2o_emulator::rounded(mode,                                                         \
                                     [&] { return static_cast<float>(g2o_emulator::opaque(x)); }); \
    }                                                                                              \
    inline float __int2float_##suffix(int x) {                                                     \
        return g2o_emulator::rounded(mode,                                                         \
                                     [&] { return static_cast<float>(g2o_emulator::opaque(x)); }); \
    }                                                                                              \
    inline float __uint2float_##suffix(unsigned x) {                                               \
        return g2o_emulator::rounded(mode,                                                         \
                                     [&] { return static_cast<float>(g2o_emulator::opaque(x)); }); \
    }                                                                                              \
    inline float __ll2float_##suffix(long long x) {                                                \
        return g2o_emulator::rounded(mode,                                                         \
                                     [&] { return static_cast<float>(g2o_emulator::opaque(x)); }); \
    }                                                                                              \
    inline float __ull2float_##suffix(unsigned long long x) {                                      \
        return g2o_emulator::rounded(mode,                                                         \
                                     [&] { return static_cast<float>(g2o_emulator::opaque(x)); }); \
    }                                                                                              \
    inline double __ll2double_##suffix(long long x) {                                              \
        return g2o_emulator::rounded(                                                              \
            mode, [&] { return static_cast<double>(g2o_emulator::opaque(x)); });                   \
    }                                                                                              \
    inline double __ull2double_##suffix(unsigned long long x) {                                    \
        return g2o_emulator::rounded(                                                              \
            mode, [&] { return static_cast<double>(g2o_emulator::opaque(x)); });                   \
    }
G2O_EMULATOR_CONVERTS(rn, nearbyint, FE_TONEAREST)
G2O_EMULATOR_CONVERTS(rz, trunc, FE_TOWARDZERO)
G2O_EMULATOR_CONVERTS(ru, ceil, FE_UPWARD)
G2O_EMULATOR_CONVERTS(rd, floor, FE_DOWNWARD)
#undef G2O_EMULATOR_CONVERTS
#undef G2O_EMULATOR_CONVERT
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline float __int_as_float(int x) { return g2o_emulator::reinterpret<float>(x); }
inline float __uint_as_float(unsigned x) { return g2o_emulator::reinterpret<float>(x); }
inline int __float_as_int(float x) { return g2o_emulator::reinterpret<int>(x); }
inline unsigned __float_as_uint(float x) { return g2o_emulator::reinterpret<unsigned>(x); }
inline long long __double_as_longlong(double x) { return g2o_emulator::reinterpret<long long>(x); }
inline double __longlong_as_double(long long x) { return g2o_emulator::reinterpret<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
    return g2o_emulator::reinterpret<double>(std::uint64_t{static_cast<unsigned>(high)} << 32 |
                                             static_cast<unsigned>(low));
}

// ---- loads and stores with cache hints ---------------------------------------------------------

#define G2O_EMULATOR_LOAD(name)                                                                    \
    template <typename T>                                                                          \
    T name(const T *address) {                                                                     \
        return *address;                                                                           \
    }
G2O_EMULATOR_LOAD(__ldg)
G2O_EMULATOR_LOAD(__ldcg)
G2O_EMULATOR_LOAD(__ldca)
G2O_EMULATOR_LOAD(__ldcs)
G2O_EMULATOR_LOAD(__ldlu)
G2O_EMULATOR_LOAD(__ldcv)
#undef G2O_EMULATOR_LOAD
#define G2O_EMULATOR_STORE(name)                                                                   \
    template <typename T>                                                                          \
    void name(T *address, g2o_emulator::same_t<T> value) {                                         \
        *address = value;                                                                          \
    }
G2O_EMULATOR_STORE(__stwb)
G2O_EMULATOR_STORE(__stcg)
G2O_EMULATOR_STORE(__stcs)
G2O_EMULATOR_STORE(__stwt)
#undef G2O_EMULATOR_STORE

// ---- the rest ----------------------------------------------------------------------------------

inline long long clock64() {
    g2o_emulator::poll();
    std::timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}
[[noreturn]] inline void __trap() {
    std::fprintf(stderr, "g2o emulator: __trap\n");
    std::abort();
}
inline void __brkpt() {}
inline void __prof_trigger(int) {}
