// g2o_math.hpp: arithmetic that CUDA has and the C library has not.
#ifndef G2O_MATH_HPP
#define G2O_MATH_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <math.h>

#include <cassert>
#include <cfenv>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("A")
#undef A
#pragma push_macro("B")
#undef B
#pragma push_macro("F")
#undef F
#pragma push_macro("T")
#undef T
#pragma push_macro("U")
#undef U

namespace g2o {

// ---- minimum and maximum ------------------------------------------------------------------------

// For any mix of arithmetic types, in the type C++ computes with. Of a number and a NaN the number
// is taken, as by fmin and fmax, but without a call.
template <class A, class B> constexpr std::common_type_t<A, B> min(A a, B b)
{
    const std::common_type_t<A, B> x = a, y = b;
    return x != x ? y : (y < x ? y : x); // one instruction where no number is a NaN
}

template <class A, class B> constexpr std::common_type_t<A, B> max(A a, B b)
{
    const std::common_type_t<A, B> x = a, y = b;
    return x != x ? y : (x < y ? y : x);
}

// `a - b`, or the number next to it that an `int` holds.
constexpr int difference(int a, int b)
{
    const long long exact = static_cast<long long>(a) - b;
    return exact < INT_MIN ? INT_MIN : exact > INT_MAX ? INT_MAX : static_cast<int>(exact);
}

// How many of the `count` numbers from `first` on are below `end`, as numbers of type T.
template <class T> constexpr int threads_below(T end, T first, int count)
{
    if (end <= first)
        return 0;
    const auto rest = std::make_unsigned_t<T>(end) - std::make_unsigned_t<T>(first);
    return rest < std::make_unsigned_t<T>(count) ? int(rest) : count;
}

// The same of numbers that are added up without a sign, as places in an array of fewer than 2^32 less
// `count` elements are: that they wrap around is asserted not to be.
constexpr unsigned places_below(unsigned end, unsigned first, unsigned count)
{
    assert(count == 0 || first <= UINT_MAX - (count - 1));
    return end <= first ? 0 : end - first < count ? end - first : count;
}

// Where `x[base + i]` counts from, for i from `first` to below `end`: a number that compilers need
// not think of as wrapping around. `base + i` may do so, as that of `-1u` does: then neighbours count
// from below 0, unless x has 2^32 elements and one of them is the last.
constexpr std::ptrdiff_t start_of(std::uint32_t base, std::uint32_t first, std::uint32_t end)
{
    const std::uint32_t place = base + first;
    const bool wraps = end > first && place > UINT32_MAX - (end - first - 1);
    return std::ptrdiff_t(place) - (wraps ? std::ptrdiff_t(UINT32_MAX) + 1 : 0) -
           std::ptrdiff_t(first);
}

constexpr std::ptrdiff_t start_of(std::uint32_t base, std::uint32_t end)
{
    return start_of(base, 0, end);
}

// Where a run of numbers ends that begins with `from`, which is below `end`: at the next edge, which
// is a run itself.
constexpr int run_to_edge(int from, int end, std::initializer_list<int> edges)
{
    for (const int edge : edges)
        end = edge == from ? from + 1 : edge > from && edge < end ? edge : end;
    return end;
}

// The same where numbers not above, and not below, some other are runs themselves.
constexpr int run_above(int from, int end, int above) { return from > above ? end : from + 1; }
constexpr int run_below(int from, int end, int below)
{
    return from >= below ? from + 1 : end < below ? end : below;
}
constexpr int run_within(int from, int end, int above, int below)
{
    return run_above(from, run_below(from, end, below), above);
}

// The same where `value`, which grows with the numbers, is divided by `divisor`.
constexpr int run_of_quotient(int from, int end, int value, int divisor)
{
    if (divisor <= 0)
        return from + 1;
    const int rest = value % divisor; // negative as the value is
    const long long more = value <= -divisor ? 1LL - rest : static_cast<long long>(divisor) - rest;
    return end - from > more ? from + static_cast<int>(more) : end;
}

// The same where only the bits of `value` count that `mask` has, up to where those run over which it
// has from the lowest on.
constexpr int run_of_mask(int from, int end, int value, int mask)
{
    const unsigned lowest = unsigned(mask) & ~(unsigned(mask) + 1);
    const long long more = static_cast<long long>(lowest - (unsigned(value) & lowest)) + 1;
    return end - from > more ? from + static_cast<int>(more) : end;
}

// The number after `a`, or `a` where it is the largest.
template <class A> constexpr auto after(A a)
{
    using Number = decltype(+a);
    return Number(a) == std::numeric_limits<Number>::max() ? Number(a) : Number(a) + 1;
}

// The first of the indices from 0 to below `end` that is more than `a`, or `end`.
template <class A, class B> constexpr B first_after(A a, B end)
{
    using Compared = std::common_type_t<A, B>;
    if constexpr (std::is_signed_v<Compared>)
        if (a < 0)
            return 0;
    return end <= 0 ? 0 : Compared(a) < Compared(end) ? B(Compared(a) + 1) : end;
}

// The C library's functions of these names, inline: loops with them can be vectorised.
constexpr float fminf(float a, float b) { return g2o::min(a, b); }
constexpr float fmaxf(float a, float b) { return g2o::max(a, b); }

constexpr float fmin(float a, float b) { return g2o::min(a, b); }
constexpr float fmax(float a, float b) { return g2o::max(a, b); }

// Any other arguments are converted to double.
template <class A, class B> constexpr double fmin(A a, B b) { return g2o::min(double(a), double(b)); }
template <class A, class B> constexpr double fmax(A a, B b) { return g2o::max(double(a), double(b)); }

// The forms with a fixed type.
constexpr unsigned umin(unsigned a, unsigned b) { return g2o::min(a, b); }
constexpr unsigned umax(unsigned a, unsigned b) { return g2o::max(a, b); }
constexpr long long llmin(long long a, long long b) { return g2o::min(a, b); }
constexpr long long llmax(long long a, long long b) { return g2o::max(a, b); }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return g2o::min(a, b);
}
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return g2o::max(a, b);
}

// An object whose numbers are all 0, whatever its constructors would make of them: how shadows start.
template <class T> T zero()
{
    union Zeros {
        Zeros() : bytes{} {}
        ~Zeros() {}
        unsigned char bytes[sizeof(T)];
        T object;
    };
    return Zeros().object;
}

// ---- bits ---------------------------------------------------------------------------------------

// Number of ones.
inline int popc(unsigned x) { return __builtin_popcount(x); }
inline int popcll(unsigned long long x) { return __builtin_popcountll(x); }

// Number of zeros above the highest one; the width of the type for 0.
inline int clz(unsigned x) { return x != 0 ? __builtin_clz(x) : 32; }
inline int clzll(unsigned long long x) { return x != 0 ? __builtin_clzll(x) : 64; }

// Position of the lowest one counted from 1; 0 for 0.
inline int ffs(unsigned x) { return __builtin_ffs(int(x)); }
inline int ffsll(unsigned long long x) { return __builtin_ffsll(std::int64_t(x)); }

// The bits in opposite order.
constexpr unsigned brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

constexpr unsigned long long brevll(unsigned long long x)
{
    return std::uint64_t(brev(unsigned(x))) << 32 | brev(unsigned(x >> 32));
}

// Where the offset-th one of the mask is, counted from bit `base` on, downwards for an offset below
// 0; for offset 0 the bit itself. All ones where there is none.
constexpr unsigned fns(unsigned mask, unsigned base, int offset)
{
    const int step = offset < 0 ? -1 : 1;
    int missing = offset == 0 ? 1 : offset * step;
    for (int bit = int(base); bit >= 0 && bit < 32; bit += step) {
        missing -= int(mask >> bit & 1);
        if (missing == 0)
            return unsigned(bit);
        if (offset == 0)
            break;
    }
    return ~0u;
}

// Four of the eight bytes of y:x; digit i (hexadecimal, modulo 8) of the selector names byte i.
constexpr unsigned byte_perm(unsigned x, unsigned y, unsigned selector)
{
    const unsigned long long bytes = std::uint64_t(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i)
        result |= unsigned(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return result;
}

// value << count and value >> count where the count may be the width of the value or more: then
// everything is shifted out, as a GPU does it and C++ does not say.
template <class T> constexpr auto shift_left(T value, unsigned count)
{
    const auto wide = +value;
    return count < 8 * sizeof wide ? decltype(+value)(wide << count) : decltype(+value)(0);
}

template <class T> constexpr auto shift_right(T value, unsigned count)
{
    const auto wide = +value;
    return wide >> (count < 8 * sizeof wide ? count : 8 * sizeof wide - 1) >>
           (count < 8 * sizeof wide ? 0 : 1);
}

// The upper (l) or lower (r) half of hi:lo shifted left or right; the shift counts modulo 32, or up
// to 32 for the c forms.
constexpr unsigned funnelshift_lc(unsigned lo, unsigned hi, unsigned shift)
{
    return unsigned(((std::uint64_t(hi) << 32 | lo) << (shift < 32 ? shift : 32)) >> 32);
}

constexpr unsigned funnelshift_rc(unsigned lo, unsigned hi, unsigned shift)
{
    return unsigned((std::uint64_t(hi) << 32 | lo) >> (shift < 32 ? shift : 32));
}

constexpr unsigned funnelshift_l(unsigned lo, unsigned hi, unsigned shift)
{
    return funnelshift_lc(lo, hi, shift % 32);
}

constexpr unsigned funnelshift_r(unsigned lo, unsigned hi, unsigned shift)
{
    return funnelshift_rc(lo, hi, shift % 32);
}

// The same bits as another type.
namespace detail {

template <class To, class From> To bit_cast(From value)
{
    static_assert(sizeof(To) == sizeof(From), "bit_cast needs types of one size");
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

} // namespace detail

inline int float_as_int(float x) { return detail::bit_cast<int>(x); }
inline unsigned float_as_uint(float x) { return detail::bit_cast<unsigned>(x); }
inline float int_as_float(int x) { return detail::bit_cast<float>(x); }
inline float uint_as_float(unsigned x) { return detail::bit_cast<float>(x); }
inline long long double_as_longlong(double x) { return detail::bit_cast<long long>(x); }
inline double longlong_as_double(long long x) { return detail::bit_cast<double>(x); }

// A double as two integers.
inline int double2hiint(double x) { return int(double_as_longlong(x) >> 32); }
inline int double2loint(double x) { return int(double_as_longlong(x)); }
inline double hiloint2double(int hi, int lo)
{
    return detail::bit_cast<double>(std::uint64_t(unsigned(hi)) << 32 | unsigned(lo));
}

// ---- integers -----------------------------------------------------------------------------------

// Product of the lower 24 bits.
constexpr int mul24(int x, int y)
{
    const auto low = [](int v) { return std::int64_t((v & 0xffffff) ^ 0x800000) - 0x800000; };
    return int(unsigned(std::uint64_t(low(x) * low(y))));
}
constexpr unsigned umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }

// Upper half of the product.
constexpr int mulhi(int x, int y) { return int(std::int64_t(x) * y >> 32); }
constexpr unsigned umulhi(unsigned x, unsigned y)
{
    return unsigned(std::uint64_t(x) * y >> 32);
}
constexpr unsigned long long umul64hi(unsigned long long x, unsigned long long y)
{
    const unsigned long long mask = 0xffffffff;
    const unsigned long long x0 = x & mask, x1 = x >> 32, y0 = y & mask, y1 = y >> 32;
    const unsigned long long middle = (x0 * y0 >> 32) + (x1 * y0 & mask) + x0 * y1;
    return x1 * y1 + (x1 * y0 >> 32) + (middle >> 32);
}
constexpr long long mul64hi(long long x, long long y)
{
    using Unsigned = unsigned long long;
    return static_cast<long long>(umul64hi(Unsigned(x), Unsigned(y)) - (x < 0 ? Unsigned(y) : 0) -
                       (y < 0 ? Unsigned(x) : 0));
}

// Average rounded down and up.
constexpr int hadd(int x, int y) { return int((std::int64_t(x) + y) >> 1); }
constexpr int rhadd(int x, int y) { return int((std::int64_t(x) + y + 1) >> 1); }
constexpr unsigned uhadd(unsigned x, unsigned y)
{
    return unsigned((std::uint64_t(x) + y) >> 1);
}
constexpr unsigned urhadd(unsigned x, unsigned y)
{
    return unsigned((std::uint64_t(x) + y + 1) >> 1);
}

// |x - y| + z.
constexpr unsigned usad(unsigned x, unsigned y, unsigned z) { return (x < y ? y - x : x - y) + z; }
constexpr unsigned sad(int x, int y, unsigned z)
{
    return (x < y ? unsigned(y) - unsigned(x) : unsigned(x) - unsigned(y)) + z;
}

// c plus the scalar product of four bytes.
constexpr int dp4a(int a, int b, int c)
{
    unsigned sum = unsigned(c); // wraps around
    for (int i = 0; i < 32; i += 8)
        sum += unsigned(std::int8_t(a >> i) * std::int8_t(b >> i));
    return int(sum);
}
constexpr unsigned dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 0xff) * (b >> i & 0xff);
    return c;
}
inline int dp4a(char4 a, char4 b, int c)
{
    return dp4a(detail::bit_cast<int>(a), detail::bit_cast<int>(b), c);
}
inline unsigned dp4a(uchar4 a, uchar4 b, unsigned c)
{
    return dp4a(detail::bit_cast<unsigned>(a), detail::bit_cast<unsigned>(b), c);
}

// c plus the scalar product of the halves of a and the two lower or upper bytes of b.
constexpr int dp2a_lo(int a, int b, int c)
{
    return int(unsigned(c) + unsigned(short(a) * std::int8_t(b)) +
               unsigned(short(a >> 16) * std::int8_t(b >> 8)));
}
constexpr unsigned dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
constexpr int dp2a_hi(int a, int b, int c) { return dp2a_lo(a, b >> 16, c); }
constexpr unsigned dp2a_hi(unsigned a, unsigned b, unsigned c) { return dp2a_lo(a, b >> 16, c); }
inline int dp2a_lo(short2 a, char4 b, int c)
{
    return dp2a_lo(detail::bit_cast<int>(a), detail::bit_cast<int>(b), c);
}
inline unsigned dp2a_lo(ushort2 a, uchar4 b, unsigned c)
{
    return dp2a_lo(detail::bit_cast<unsigned>(a), detail::bit_cast<unsigned>(b), c);
}
inline int dp2a_hi(short2 a, char4 b, int c)
{
    return dp2a_hi(detail::bit_cast<int>(a), detail::bit_cast<int>(b), c);
}
inline unsigned dp2a_hi(ushort2 a, uchar4 b, unsigned c)
{
    return dp2a_hi(detail::bit_cast<unsigned>(a), detail::bit_cast<unsigned>(b), c);
}

// ---- loads and stores with cache hints, which a CPU does not take -------------------------------

template <class T> T ldg(const T *address) { return *address; }
template <class T> T ldca(const T *address) { return *address; }
template <class T> T ldcg(const T *address) { return *address; }
template <class T> T ldcs(const T *address) { return *address; }
template <class T> T ldlu(const T *address) { return *address; }
template <class T> T ldcv(const T *address) { return *address; }
template <class T, class U> void stwb(T *address, U value) { *address = T(value); }
template <class T, class U> void stcg(T *address, U value) { *address = T(value); }
template <class T, class U> void stcs(T *address, U value) { *address = T(value); }
template <class T, class U> void stwt(T *address, U value) { *address = T(value); }

// ---- conversions with a rounding mode -----------------------------------------------------------

namespace detail {

// x as an integer; what does not fit becomes the nearest bound, a NaN what the PTX manual says.
template <class To, class From> To saturate(From x)
{
    constexpr From bound = From(std::numeric_limits<To>::max() / 2 + 1) * 2;
    if (x != x) {
        const bool small = sizeof(From) == 4 && sizeof(To) <= 4;
        return small ? To(0) : To(1ull << (CHAR_BIT * sizeof(To) - 1));
    }
    if (x >= bound)
        return std::numeric_limits<To>::max();
    if (x <= From(std::numeric_limits<To>::min()))
        return std::numeric_limits<To>::min();
    return To(x);
}

// Whether the rounded value is above or below the exact one.
template <class F, class T> bool is_above(F rounded, T exact)
{
    if constexpr (std::is_floating_point_v<T>) {
        return T(rounded) > exact;
    } else {
        constexpr double bound = double(std::numeric_limits<T>::max() / 2 + 1) * 2;
        return double(rounded) >= bound || T(rounded) > exact;
    }
}

template <class F, class T> bool is_below(F rounded, T exact)
{
    if constexpr (std::is_floating_point_v<T>) {
        return T(rounded) < exact;
    } else {
        constexpr double bound = double(std::numeric_limits<T>::max() / 2 + 1) * 2;
        if (double(rounded) < double(std::numeric_limits<T>::min()))
            return true;
        return double(rounded) < bound && T(rounded) < exact;
    }
}

// The next number of a format that has its sign in the first of 16 bits.
template <class F> F neighbour(F x, bool away_from_zero)
{
    x.bits = std::uint16_t(away_from_zero ? x.bits + 1 : x.bits - 1);
    return x;
}

inline float neighbour(float x, bool away_from_zero)
{
    return std::nextafter(x, away_from_zero == std::signbit(x) ? -INFINITY : INFINITY);
}

inline double neighbour(double x, bool away_from_zero)
{
    return std::nextafter(x, away_from_zero == std::signbit(x) ? -HUGE_VAL : HUGE_VAL);
}

template <class To, class From> To round_down(From x)
{
    const To nearest = To(x);
    return is_above(nearest, x) ? neighbour(nearest, x < 0) : nearest;
}

template <class To, class From> To round_up(From x)
{
    const To nearest = To(x);
    return is_below(nearest, x) ? neighbour(nearest, x > 0) : nearest;
}

template <class To, class From> To round_to_zero(From x)
{
    if constexpr (std::is_signed_v<From>) {
        if (x < 0)
            return round_up<To>(x);
    }
    return round_down<To>(x);
}

// A float that rounds to a shorter format as x does: where it is not x itself, its last bit is 1.
// (Boldo and Melquiond, "When double rounding is odd", 2005.)
template <class From> float round_to_odd(From x)
{
    const float nearest = float(x);
    if constexpr (!std::is_same_v<From, float> && std::numeric_limits<From>::digits > 24) {
        const unsigned bits = float_as_uint(nearest);
        const bool is_low = is_below(nearest, x);
        if (bits % 2 == 0 && (is_low || is_above(nearest, x)))
            return uint_as_float(is_low == (x > 0) ? bits + 1 : bits - 1);
    }
    return nearest;
}

} // namespace detail

// rn: to nearest, rz: towards zero, ru: up, rd: down.
#define G2O_FLOATING_TO_INTEGER(name, From, To)                                                    \
    inline To name##_rn(From x) { return detail::saturate<To>(std::rint(x)); }                     \
    inline To name##_rz(From x) { return detail::saturate<To>(std::trunc(x)); }                    \
    inline To name##_ru(From x) { return detail::saturate<To>(std::ceil(x)); }                     \
    inline To name##_rd(From x) { return detail::saturate<To>(std::floor(x)); }

#define G2O_TO_FLOATING(name, From, To)                                                            \
    inline To name##_rn(From x) { return To(x); }                                                  \
    inline To name##_rz(From x) { return detail::round_to_zero<To>(x); }                           \
    inline To name##_ru(From x) { return detail::round_up<To>(x); }                                \
    inline To name##_rd(From x) { return detail::round_down<To>(x); }

G2O_FLOATING_TO_INTEGER(float2int, float, int)
G2O_FLOATING_TO_INTEGER(float2uint, float, unsigned)
G2O_FLOATING_TO_INTEGER(float2ll, float, long long)
G2O_FLOATING_TO_INTEGER(float2ull, float, unsigned long long)
G2O_FLOATING_TO_INTEGER(double2int, double, int)
G2O_FLOATING_TO_INTEGER(double2uint, double, unsigned)
G2O_FLOATING_TO_INTEGER(double2ll, double, long long)
G2O_FLOATING_TO_INTEGER(double2ull, double, unsigned long long)
G2O_TO_FLOATING(double2float, double, float)
G2O_TO_FLOATING(int2float, int, float)
G2O_TO_FLOATING(uint2float, unsigned, float)
G2O_TO_FLOATING(ll2float, long long, float)
G2O_TO_FLOATING(ull2float, unsigned long long, float)
G2O_TO_FLOATING(ll2double, long long, double)
G2O_TO_FLOATING(ull2double, unsigned long long, double)
#undef G2O_FLOATING_TO_INTEGER
#undef G2O_TO_FLOATING
inline double int2double_rn(int x) { return x; }
inline double uint2double_rn(unsigned x) { return x; }

// ---- floating point -----------------------------------------------------------------------------

namespace detail {

// The value after rounding: no compiler contracts what goes in with what comes out.
template <class T> T rounded(T x)
{
#if defined(__has_builtin)
#if __has_builtin(__builtin_assoc_barrier)
    return __builtin_assoc_barrier(x);
#elif __has_builtin(__arithmetic_fence) && !defined(G2O_GPU)
    return __arithmetic_fence(x);
#else
    return x;
#endif
#else
    return x;
#endif
}

} // namespace detail

// Operations rounded to nearest, which are never fused with their neighbours.
inline float fadd_rn(float x, float y) { return detail::rounded(x) + detail::rounded(y); }
inline float fsub_rn(float x, float y) { return detail::rounded(x) - detail::rounded(y); }
inline float fmul_rn(float x, float y) { return detail::rounded(x * y); }
inline float fdiv_rn(float x, float y) { return x / y; }
inline float frcp_rn(float x) { return 1.0f / x; }
inline float fsqrt_rn(float x) { return sqrtf(x); }
inline float frsqrt_rn(float x) { return float(1.0 / sqrt(double(x))); }
inline float fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline double dadd_rn(double x, double y) { return detail::rounded(x) + detail::rounded(y); }
inline double dsub_rn(double x, double y) { return detail::rounded(x) - detail::rounded(y); }
inline double dmul_rn(double x, double y) { return detail::rounded(x * y); }
inline double ddiv_rn(double x, double y) { return x / y; }
inline double drcp_rn(double x) { return 1.0 / x; }
inline double dsqrt_rn(double x) { return sqrt(x); }
inline double fma_rn(double x, double y, double z) { return fma(x, y, z); }

// The same rounded towards zero, up and down. Right but slow: the processor's mode is switched.
namespace detail {

// A value that no compiler computes with before the mode is set.
template <class T> T opaque(T x)
{
    volatile T value = x;
    return value;
}

template <class Operation, class... Operands>
auto directed(int mode, Operation operation, Operands... operands)
{
    const int before = std::fegetround();
    std::fesetround(mode);
    const auto result = opaque(operation(opaque(operands)...));
    std::fesetround(before);
    return result;
}

} // namespace detail

// `operands` are the parameters of the operation, which bear other names than the function's.
#define G2O_DIRECTED(name, T, expression, operands, parameters, ...)                               \
    inline T name##_rz parameters                                                                  \
    {                                                                                              \
        return detail::directed(FE_TOWARDZERO, [] operands { return expression; }, __VA_ARGS__);   \
    }                                                                                              \
    inline T name##_ru parameters                                                                  \
    {                                                                                              \
        return detail::directed(FE_UPWARD, [] operands { return expression; }, __VA_ARGS__);       \
    }                                                                                              \
    inline T name##_rd parameters                                                                  \
    {                                                                                              \
        return detail::directed(FE_DOWNWARD, [] operands { return expression; }, __VA_ARGS__);     \
    }

G2O_DIRECTED(fadd, float, x + y, (float x, float y), (float a, float b), a, b)
G2O_DIRECTED(fsub, float, x - y, (float x, float y), (float a, float b), a, b)
G2O_DIRECTED(fmul, float, x * y, (float x, float y), (float a, float b), a, b)
G2O_DIRECTED(fdiv, float, x / y, (float x, float y), (float a, float b), a, b)
G2O_DIRECTED(frcp, float, 1.0f / x, (float x), (float a), a)
G2O_DIRECTED(fsqrt, float, sqrtf(x), (float x), (float a), a)
G2O_DIRECTED(fmaf, float, fmaf(x, y, z), (float x, float y, float z), (float a, float b, float c), a, b, c)
G2O_DIRECTED(dadd, double, x + y, (double x, double y), (double a, double b), a, b)
G2O_DIRECTED(dsub, double, x - y, (double x, double y), (double a, double b), a, b)
G2O_DIRECTED(dmul, double, x * y, (double x, double y), (double a, double b), a, b)
G2O_DIRECTED(ddiv, double, x / y, (double x, double y), (double a, double b), a, b)
G2O_DIRECTED(drcp, double, 1.0 / x, (double x), (double a), a)
G2O_DIRECTED(dsqrt, double, sqrt(x), (double x), (double a), a)
G2O_DIRECTED(fma, double, fma(x, y, z), (double x, double y, double z), (double a, double b, double c), a, b, c)
#undef G2O_DIRECTED

// x / y, and x limited to [0, 1] with 0 for a NaN.
inline float fdividef(float x, float y) { return x / y; }
inline float fdivide(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }
inline float saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

namespace detail {

// Square roots that set no `errno`, where a compiler has those: vectors can be made of them.
#if defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_sqrt)
#define G2O_HAS_ROOT
#endif
#endif
#ifdef G2O_HAS_ROOT
inline float root(float x) { return __builtin_elementwise_sqrt(x); }
inline double root(double x) { return __builtin_elementwise_sqrt(x); }
#undef G2O_HAS_ROOT
#else
inline float root(float x) { return sqrtf(x); }
inline double root(double x) { return sqrt(x); }
#endif

} // namespace detail

// 1 / sqrt(x) and 1 / cbrt(x).
inline float rsqrtf(float x) { return 1.0f / detail::root(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rsqrt(double x) { return 1.0 / detail::root(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline float rcbrt(float x) { return rcbrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }

// 10 to the power of x.
inline float exp10f(float x) { return float(pow(10.0, double(x))); }
inline float exp10(float x) { return exp10f(x); }
inline double exp10(double x) { return pow(10.0, x); }

// Length of a vector and its reciprocal, without overflow on the way.
inline double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
inline double norm4d(double x, double y, double z, double w)
{
    return hypot(hypot(x, y), hypot(z, w));
}
inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
inline double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
inline double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
inline float norm3df(float x, float y, float z) { return float(norm3d(x, y, z)); }
inline float norm4df(float x, float y, float z, float w) { return float(norm4d(x, y, z, w)); }
inline float rhypotf(float x, float y) { return float(rhypot(double(x), double(y))); }
inline float rhypot(float x, float y) { return rhypotf(x, y); }
inline float rnorm3df(float x, float y, float z) { return float(rnorm3d(x, y, z)); }
inline float rnorm4df(float x, float y, float z, float w) { return float(rnorm4d(x, y, z, w)); }

inline double norm(int count, const double *x)
{
    double length = 0.0;
    for (int i = 0; i < count; ++i)
        length = hypot(length, x[i]);
    return length;
}

inline float normf(int count, const float *x)
{
    double length = 0.0;
    for (int i = 0; i < count; ++i)
        length = hypot(length, double(x[i]));
    return float(length);
}

inline double rnorm(int count, const double *x) { return 1.0 / norm(count, x); }
inline float rnormf(int count, const float *x) { return 1.0f / normf(count, x); }

// Sine and cosine at once.
inline void sincos(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}

inline void sincos(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

namespace detail {

constexpr double pi = 3.14159265358979323846;
constexpr double sqrt_pi = 1.77245385090551602730;
constexpr double sqrt_2 = 1.41421356237309504880;

} // namespace detail

// sin(pi x), cos(pi x) and tan(pi x), exact where the result is 0 or +-1. A zero of the sine has
// the sign of x.
inline double sinpi(double x)
{
    const double r = std::remainder(x, 2.0); // in [-1, 1]
    if (r == 1.0 || r == -1.0)
        return copysign(0.0, x);
    const double folded = r > 0.5 ? 1.0 - r : r < -0.5 ? -1.0 - r : r;
    return sin(detail::pi * folded);
}

inline double cospi(double x)
{
    const double r = fabs(std::remainder(x, 2.0)); // in [0, 1]
    return r < 0.25 ? cos(detail::pi * r) : sin(detail::pi * (0.5 - r));
}

inline double tanpi(double x) { return sinpi(x) / cospi(x); }
inline float tanpif(float x) { return float(tanpi(double(x))); }
inline float tanpi(float x) { return tanpif(x); }
inline float sinpif(float x) { return float(sinpi(double(x))); }
inline float cospif(float x) { return float(cospi(double(x))); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }

inline void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}

inline void sincospi(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}

inline void sincospif(float x, float *sine, float *cosine) { sincospi(x, sine, cosine); }

double erfinv(double p);
double erfcx(double x);

// Inverse of erfc on (0, 2): the guess of Abramowitz and Stegun (26.2.22), then Halley steps. Each
// leaves about the cube of the error before. Newton steps on the logarithm where erfc has few bits.
inline double erfcinv(double p)
{
    if (!(p > 0.0 && p < 2.0))
        return p == 0.0 ? HUGE_VAL : p == 2.0 ? -HUGE_VAL : double(NAN);
    if (p >= 0.5 && p <= 1.5)
        return erfinv(1.0 - p);
    if (p > 1.0)
        return -erfcinv(2.0 - p);
    const double t = sqrt(-2.0 * (log(p) - log(2.0)));
    double x = (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481))) / detail::sqrt_2;
    for (int step = 0; p < 1e-280 && step < 3; ++step)
        x += 0.5 * detail::sqrt_pi * erfcx(x) * (log(erfcx(x)) - x * x - log(p));
    if (p < 1e-280)
        return x;
    for (int step = 0; step < 3; ++step) {
        const double error = (erfc(x) - p) * detail::sqrt_pi / (2.0 * exp(-x * x));
        x += error / (1.0 - x * error);
    }
    return x;
}

// Inverse of erf on (-1, 1).
inline double erfinv(double p)
{
    if (fabs(p) > 0.5)
        return p > 0.0 ? erfcinv(1.0 - p) : -erfcinv(1.0 + p);
    double x = p * detail::sqrt_pi / 2.0;
    for (int step = 0; step < 4; ++step) {
        const double error = (erf(x) - p) * detail::sqrt_pi / 2.0 * exp(x * x);
        x -= error / (1.0 + x * error);
    }
    return x;
}

// exp(x * x) * erfc(x), without overflow: the asymptotic series where it has converged.
inline double erfcx(double x)
{
    if (x < 10.0) {
        const double square = x * x, rest = fma(x, x, -square);
        return square > 1000.0 ? HUGE_VAL : exp(square) * erfc(x) * (1.0 + rest);
    }
    double term = 1.0, sum = 1.0;
    for (int k = 1; k < 12; ++k)
        sum += term *= -(2 * k - 1) / (2.0 * x * x);
    return sum / detail::sqrt_pi / x;
}

namespace detail {

// Modified Bessel function of the first kind, n = 0 or 1: the power series, whose terms have one
// sign; where it is long, the mean of exp(x cos t) cos(n t), by the trapezoid rule, which converges
// exponentially for periodic functions.
inline double cyl_bessel_i(int n, double x)
{
    if (!(fabs(x) > 12.0)) { // or a NaN
        double term = n == 0 ? 1.0 : 0.5 * x, sum = term;
        for (int k = 1; k < 40; ++k)
            sum += term *= 0.25 * x * x / (k * (k + n));
        return sum;
    }
    if (fabs(x) > 750.0)
        return n == 0 ? HUGE_VAL : copysign(HUGE_VAL, x);
    const int points = 64 + 16 * int(sqrt(fabs(x)));
    double sum = 0.0;
    for (int i = 0; i < points; ++i) {
        const double t = 2.0 * detail::pi * i / points;
        sum += exp(x * cos(t) - fabs(x)) * cos(n * t);
    }
    return sum / points * exp(0.5 * fabs(x)) * exp(0.5 * fabs(x));
}

} // namespace detail

inline double cyl_bessel_i0(double x) { return detail::cyl_bessel_i(0, x); }
inline double cyl_bessel_i1(double x) { return detail::cyl_bessel_i(1, x); }

// The derivative of lgamma: a few units in the last place for x > 0, near its zero there, too (a
// Taylor series of Hurwitz's zeta function); for negative x by reflection.
// Abramowitz and Stegun, 6.3.5, 6.3.7 and 6.3.18.
inline double digamma(double x)
{
    const double zero = 1.4616321449683622, rest = 9.549995429965697e-17; // its zero is their sum
    const double taylor[] = {
        0.9676722454476212, -0.4427631689835921, 0.258499760955651,
        -0.16394270544240652, 0.10782405069126237, -0.07219956125645471,
        0.04880428816414311, -0.03316112647484736, 0.022597648232218104,
        -0.01542476590494896, 0.010538791616612175, -0.007204534386356869,
        0.004926781395729853, -0.003369801655439328, 0.002305126326734928,
        -0.0015769367714301972, 0.0010788252019162967, -0.0007380709389960052,
        0.000504953265834602, -0.0003454680251063077, 0.00023635601564027053,
        -0.00016170622091974803, 0.0001106337276874741, -7.569179582195066e-05,
        5.178575795222081e-05, -3.5430070947659604e-05, 2.424006611860132e-05,
        -1.6584242271854135e-05, 1.134638458466385e-05, -7.762817668462094e-06,
        5.3110609208898636e-06, -3.6336507898010456e-06, 2.486022733129538e-06,
        -1.7008538854332607e-06, 1.1636675363548843e-06, -7.96142543124197e-07,
        5.446941930669446e-07, -3.7266161283438227e-07,
    };
    if (x <= 0.0) {
        const double part = x - floor(x);
        if (part == 0.0)
            return std::numeric_limits<double>::quiet_NaN(); // a pole
        return digamma(1.0 - x) - detail::pi / tan(detail::pi * part);
    }
    if (x < 3.0) {
        const double shift = x < 0.96 ? 1.0 : x > 1.96 ? -1.0 : 0.0;
        const double h = (x - zero + shift) - rest;
        double sum = 0.0;
        for (int k = 37; k >= 0; --k)
            sum = taylor[k] + h * sum;
        if (shift == 0.0)
            return h * sum;
        return shift > 0.0 ? h * sum - 1.0 / x : h * sum + 1.0 / (x - 1.0);
    }
    double below = 0.0;
    for (; x < 10.0; x += 1.0)
        below += 1.0 / x;
    const double s = 1.0 / (x * x);
    const double series =
        s * (1.0 / 12 -
             s * (1.0 / 120 -
                  s * (1.0 / 252 -
                       s * (1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760 - s / 12))))));
    return log(x) - 0.5 / x - series - below;
}

inline float digammaf(float x) { return float(digamma(double(x))); }
inline float digamma(float x) { return digammaf(x); }

// Cumulative distribution of the standard normal distribution, and its inverse. What is lost where
// -x / sqrt(2) is rounded changes the result, to first order, by the derivative times it.
inline double normcdf(double x)
{
    const double argument = -x / detail::sqrt_2;
    if (!(fabs(x) < 40.0))
        return 0.5 * erfc(argument);
    const double sqrt_2_rest = -9.66729331345291345105e-17; // sqrt(2) is the sum of both
    const double product = fma(argument, detail::sqrt_2, x) + argument * sqrt_2_rest;
    const double rest = -product / detail::sqrt_2;
    return 0.5 * erfc(argument) - exp(-argument * argument) / detail::sqrt_pi * rest;
}
inline double normcdfinv(double p) { return -detail::sqrt_2 * erfcinv(2.0 * p); }

inline float erfcinvf(float p) { return float(erfcinv(double(p))); }
inline float erfinvf(float p) { return float(erfinv(double(p))); }
inline float normcdff(float x) { return float(normcdf(double(x))); }
inline float normcdfinvf(float p) { return float(normcdfinv(double(p))); }
inline float erfcxf(float x) { return float(erfcx(double(x))); }
inline float cyl_bessel_i0f(float x) { return float(cyl_bessel_i0(double(x))); }
inline float cyl_bessel_i1f(float x) { return float(cyl_bessel_i1(double(x))); }
inline float erfcx(float x) { return erfcxf(x); }
inline float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
inline float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }
inline float erfcinv(float p) { return erfcinvf(p); }
inline float erfinv(float p) { return erfinvf(p); }
inline float normcdf(float x) { return normcdff(x); }
inline float normcdfinv(float p) { return normcdfinvf(p); }

// ---- time ---------------------------------------------------------------------------------------

// Ticks of a clock with the rate DeviceProp::clockRate, which makes them nanoseconds.
inline long long clock64()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

inline std::clock_t clock() { return std::clock_t(clock64()); }

// Passes some time.
inline void nanosleep(unsigned nanoseconds)
{
    const long long end = clock64() + nanoseconds;
    while (clock64() < end) {
    }
}

// Ends the program, as a trap ends a kernel.
[[noreturn]] inline void trap() { std::abort(); }

// A breakpoint without a debugger does nothing, nor does a counter without a profiler.
inline void brkpt() {}
inline void prof_trigger(int /*counter*/) {}
constexpr void assume(bool /*holds*/) {}

} // namespace g2o

#pragma pop_macro("A")
#pragma pop_macro("B")
#pragma pop_macro("F")
#pragma pop_macro("T")
#pragma pop_macro("U")

} // extern "C++"

#endif // G2O_MATH_HPP
