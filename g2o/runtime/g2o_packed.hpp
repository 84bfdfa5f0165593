// g2o_packed.hpp: arithmetic on the parts of a word.
#ifndef G2O_PACKED_HPP
#define G2O_PACKED_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <limits>

#include "g2o_math.hpp"
#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("T")
#undef T

namespace g2o {

namespace detail {

// The word of operation(part of a, part of b) for its parts of type Part.
template <class Part, class Operation>
constexpr unsigned by_parts(unsigned a, unsigned b, Operation operation)
{
    constexpr int bits = 8 * int(sizeof(Part));
    unsigned result = 0;
    for (int shift = 0; shift < 32; shift += bits) {
        const int part = operation(Part(a >> shift), Part(b >> shift));
        result |= (unsigned(part) & ((1u << bits) - 1)) << shift;
    }
    return result;
}

// The same, the results brought into the range of Part.
template <class Part, class Operation>
constexpr unsigned by_parts_saturated(unsigned a, unsigned b, Operation operation)
{
    return by_parts<Part>(a, b, [operation](int x, int y) {
        return std::clamp<int>(operation(x, y), std::numeric_limits<Part>::min(),
                               std::numeric_limits<Part>::max());
    });
}

// The sum of operation(part of a, part of b).
template <class Part, class Operation>
constexpr unsigned sum_of_parts(unsigned a, unsigned b, Operation operation)
{
    int sum = 0;
    for (int shift = 0; shift < 32; shift += 8 * int(sizeof(Part)))
        sum += operation(Part(a >> shift), Part(b >> shift));
    return unsigned(sum);
}

} // namespace detail

// clang-format off
// Of each function two: on the two halves and on the four bytes of a word, signed or unsigned.
#define G2O_PACKED(name, each, Sign, expression)                                                   \
    constexpr unsigned name##2(unsigned a, unsigned b)                                             \
    {                                                                                              \
        return detail::each<Sign short>(a, b, [](int x, int y) { return expression; });            \
    }                                                                                              \
    constexpr unsigned name##4(unsigned a, unsigned b)                                             \
    {                                                                                              \
        return detail::each<Sign char>(a, b, [](int x, int y) { return expression; });             \
    }
#define G2O_PACKED_UNARY(name, each, expression)                                                   \
    constexpr unsigned name##2(unsigned a)                                                         \
    {                                                                                              \
        return detail::each<short>(a, 0, [](int x, int) { return expression; });                   \
    }                                                                                              \
    constexpr unsigned name##4(unsigned a)                                                         \
    {                                                                                              \
        return detail::each<signed char>(a, 0, [](int x, int) { return expression; });             \
    }
// A comparison as a mask and as 1 or 0.
#define G2O_PACKED_COMPARISON(name, Sign, operation)                                               \
    G2O_PACKED(vcmp##name, by_parts, Sign, x operation y ? -1 : 0)                                 \
    G2O_PACKED(vset##name, by_parts, Sign, x operation y ? 1 : 0)
// clang-format on

G2O_PACKED_UNARY(vabs, by_parts, x < 0 ? -x : x)
G2O_PACKED_UNARY(vabsss, by_parts_saturated, x < 0 ? -x : x)
G2O_PACKED_UNARY(vneg, by_parts, -x)
G2O_PACKED_UNARY(vnegss, by_parts_saturated, -x)
G2O_PACKED(vadd, by_parts, signed, x + y)
G2O_PACKED(vaddss, by_parts_saturated, signed, x + y)
G2O_PACKED(vaddus, by_parts_saturated, unsigned, x + y)
G2O_PACKED(vsub, by_parts, signed, x - y)
G2O_PACKED(vsubss, by_parts_saturated, signed, x - y)
G2O_PACKED(vsubus, by_parts_saturated, unsigned, x - y)
G2O_PACKED(vabsdiffs, by_parts, signed, x < y ? y - x : x - y)
G2O_PACKED(vabsdiffu, by_parts, unsigned, x < y ? y - x : x - y)
G2O_PACKED(vavgs, by_parts, signed, (x + y + (x + y >= 0)) >> 1)
G2O_PACKED(vavgu, by_parts, unsigned, (x + y + 1) >> 1)
G2O_PACKED(vhaddu, by_parts, unsigned, (x + y) >> 1)
G2O_PACKED(vmins, by_parts, signed, x < y ? x : y)
G2O_PACKED(vminu, by_parts, unsigned, x < y ? x : y)
G2O_PACKED(vmaxs, by_parts, signed, x < y ? y : x)
G2O_PACKED(vmaxu, by_parts, unsigned, x < y ? y : x)
G2O_PACKED(vsads, sum_of_parts, signed, x < y ? y - x : x - y)
G2O_PACKED(vsadu, sum_of_parts, unsigned, x < y ? y - x : x - y)
G2O_PACKED_COMPARISON(eq, unsigned, ==)
G2O_PACKED_COMPARISON(ne, unsigned, !=)
G2O_PACKED_COMPARISON(ges, signed, >=)
G2O_PACKED_COMPARISON(geu, unsigned, >=)
G2O_PACKED_COMPARISON(gts, signed, >)
G2O_PACKED_COMPARISON(gtu, unsigned, >)
G2O_PACKED_COMPARISON(les, signed, <=)
G2O_PACKED_COMPARISON(leu, unsigned, <=)
G2O_PACKED_COMPARISON(lts, signed, <)
G2O_PACKED_COMPARISON(ltu, unsigned, <)
#undef G2O_PACKED
#undef G2O_PACKED_UNARY
#undef G2O_PACKED_COMPARISON

// clang-format off
// The larger or smaller of a sum and a value, of three values, and of two and whether it is the first;
// of words and of their halves. Sums wrap around. The relu forms are never less than 0.
#define G2O_EXTREMA(T, parts, name, of, sum)                                                        \
    constexpr T viadd##name##_##parts(T a, T b, T c) { return of(sum, c); }                        \
    constexpr T vi##name##3_##parts(T a, T b, T c) { return of(of(a, b), c); }
#define G2O_EXTREMA_RELU(T, parts, name, floor)                                                    \
    constexpr T vi##name##_##parts##_relu(T a, T b)                                                \
    {                                                                                              \
        return floor(vi##name##3_##parts(a, b, b), 0);                                             \
    }                                                                                              \
    constexpr T vi##name##3_##parts##_relu(T a, T b, T c)                                          \
    {                                                                                              \
        return floor(vi##name##3_##parts(a, b, c), 0);                                             \
    }                                                                                              \
    constexpr T viadd##name##_##parts##_relu(T a, T b, T c)                                        \
    {                                                                                              \
        return floor(viadd##name##_##parts(a, b, c), 0);                                           \
    }
G2O_EXTREMA(int, s32, max, g2o::max, int(unsigned(a) + unsigned(b)))
G2O_EXTREMA(unsigned, u32, max, g2o::max, a + b)
G2O_EXTREMA(unsigned, s16x2, max, vmaxs2, vadd2(a, b))
G2O_EXTREMA(unsigned, u16x2, max, vmaxu2, vadd2(a, b))
G2O_EXTREMA_RELU(int, s32, max, g2o::max)
G2O_EXTREMA_RELU(unsigned, s16x2, max, vmaxs2)
G2O_EXTREMA(int, s32, min, g2o::min, int(unsigned(a) + unsigned(b)))
G2O_EXTREMA(unsigned, u32, min, g2o::min, a + b)
G2O_EXTREMA(unsigned, s16x2, min, vmins2, vadd2(a, b))
G2O_EXTREMA(unsigned, u16x2, min, vminu2, vadd2(a, b))
G2O_EXTREMA_RELU(int, s32, min, g2o::max)
G2O_EXTREMA_RELU(unsigned, s16x2, min, vmaxs2)
#undef G2O_EXTREMA
#undef G2O_EXTREMA_RELU

#define G2O_EXTREMUM_AND_FIRST(name, operation, relation)                                          \
    constexpr int vib##name##_s32(int a, int b, bool *first)                                       \
    {                                                                                              \
        *first = a operation b;                                                                    \
        return g2o::name(a, b);                                                                    \
    }                                                                                              \
    constexpr unsigned vib##name##_u32(unsigned a, unsigned b, bool *first)                        \
    {                                                                                              \
        *first = a operation b;                                                                    \
        return g2o::name(a, b);                                                                    \
    }                                                                                              \
    constexpr unsigned vib##name##_s16x2(unsigned a, unsigned b, bool *high, bool *low)            \
    {                                                                                              \
        const unsigned first = vset##relation##s2(a, b);                                           \
        *high = first >> 16 != 0;                                                                  \
        *low = (first & 1) != 0;                                                                   \
        return v##name##s2(a, b);                                                                  \
    }                                                                                              \
    constexpr unsigned vib##name##_u16x2(unsigned a, unsigned b, bool *high, bool *low)            \
    {                                                                                              \
        const unsigned first = vset##relation##u2(a, b);                                           \
        *high = first >> 16 != 0;                                                                  \
        *low = (first & 1) != 0;                                                                   \
        return v##name##u2(a, b);                                                                  \
    }
G2O_EXTREMUM_AND_FIRST(max, >=, ge)
G2O_EXTREMUM_AND_FIRST(min, <=, le)
#undef G2O_EXTREMUM_AND_FIRST
// clang-format on

} // namespace g2o

#pragma pop_macro("T")

} // extern "C++"

#endif // G2O_PACKED_HPP
