// Arithmetic on the halves and bytes of a word, each written as CUDA's documentation defines it.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

namespace g2o_emulator {

// The word as an array of `Part`, `apply` on each pair of elements.
template <typename Part, typename Function>
unsigned for_each_part(unsigned a, unsigned b, Function apply) {
    constexpr int count = sizeof(unsigned) / sizeof(Part);
    Part left[count], right[count];
    std::memcpy(left, &a, sizeof a);
    std::memcpy(right, &b, sizeof b);
    for (int i = 0; i < count; ++i)
        left[i] = static_cast<Part>(apply(left[i], right[i]));
    std::memcpy(&a, left, sizeof a);
    return a;
}

template <typename Part>
int into_range(int value) {
    constexpr int lowest = std::numeric_limits<Part>::min(),
                  highest = std::numeric_limits<Part>::max();
    return value < lowest ? lowest : value > highest ? highest : value;
}

template <typename Part>
unsigned sum_of_differences(unsigned a, unsigned b) {
    unsigned sum = 0;
    for_each_part<Part>(a, b, [&sum](int x, int y) {
        sum += static_cast<unsigned>(x > y ? x - y : y - x);
        return 0;
    });
    return sum;
}

} // namespace g2o_emulator

#define G2O_EMULATOR_PACKED(name, Half, Byte, expression)                                          \
    inline unsigned __v##name##2(unsigned a, unsigned b) {                                         \
        using Part = Half;                                                                         \
        return g2o_emulator::for_each_part<Part>(a, b, [](int x, int y) { return expression; });   \
    }                                                                                              \
    inline unsigned __v##name##4(unsigned a, unsigned b) {                                         \
        using Part = Byte;                                                                         \
        return g2o_emulator::for_each_part<Part>(a, b, [](int x, int y) { return expression; });   \
    }
#define G2O_EMULATOR_SIGNED(name, expression)                                                      \
    G2O_EMULATOR_PACKED(name, std::int16_t, std::int8_t, expression)
#define G2O_EMULATOR_UNSIGNED(name, expression)                                                    \
    G2O_EMULATOR_PACKED(name, std::uint16_t, std::uint8_t, expression)
#define G2O_EMULATOR_UNARY(name, operation)                                                        \
    inline unsigned __v##name##2(unsigned a) { return __v##operation##2(0, a); }                   \
    inline unsigned __v##name##4(unsigned a) { return __v##operation##4(0, a); }
#define G2O_EMULATOR_COMPARISON(name, form, operation)                                             \
    G2O_EMULATOR_##form(cmp##name, x operation y ? ~0 : 0)                                         \
    G2O_EMULATOR_##form(set##name, x operation y)
G2O_EMULATOR_UNSIGNED(add, x + y)
G2O_EMULATOR_UNSIGNED(sub, x - y)
G2O_EMULATOR_SIGNED(addss, g2o_emulator::into_range<Part>(x + y))
G2O_EMULATOR_UNSIGNED(addus, g2o_emulator::into_range<Part>(x + y))
G2O_EMULATOR_SIGNED(subss, g2o_emulator::into_range<Part>(x - y))
G2O_EMULATOR_UNSIGNED(subus, g2o_emulator::into_range<Part>(x - y))
G2O_EMULATOR_SIGNED(absdiffs, x > y ? x - y : y - x)
G2O_EMULATOR_UNSIGNED(absdiffu, x > y ? x - y : y - x)
G2O_EMULATOR_SIGNED(absdiffss, g2o_emulator::into_range<Part>(x > y ? x - y : y - x))
G2O_EMULATOR_SIGNED(avgs, x + y < 0 ? (x + y) >> 1 : (x + y + 1) >> 1)
G2O_EMULATOR_UNSIGNED(avgu, (x + y + 1) / 2)
G2O_EMULATOR_UNSIGNED(haddu, (x + y) / 2)
G2O_EMULATOR_SIGNED(mins, x < y ? x : y)
G2O_EMULATOR_UNSIGNED(minu, x < y ? x : y)
G2O_EMULATOR_SIGNED(maxs, x > y ? x : y)
G2O_EMULATOR_UNSIGNED(maxu, x > y ? x : y)
G2O_EMULATOR_COMPARISON(eq, UNSIGNED, ==)
G2O_EMULATOR_COMPARISON(ne, UNSIGNED, !=)
G2O_EMULATOR_COMPARISON(ges, SIGNED, >=)
G2O_EMULATOR_COMPARISON(geu, UNSIGNED, >=)
G2O_EMULATOR_COMPARISON(gts, SIGNED, >)
G2O_EMULATOR_COMPARISON(gtu, UNSIGNED, >)
G2O_EMULATOR_COMPARISON(les, SIGNED, <=)
G2O_EMULATOR_COMPARISON(leu, UNSIGNED, <=)
G2O_EMULATOR_COMPARISON(lts, SIGNED, <)
G2O_EMULATOR_COMPARISON(ltu, UNSIGNED, <)
G2O_EMULATOR_UNARY(neg, sub)
G2O_EMULATOR_UNARY(negss, subss)
G2O_EMULATOR_UNARY(abs, absdiffs)
G2O_EMULATOR_UNARY(absss, absdiffss)
#undef G2O_EMULATOR_PACKED
#undef G2O_EMULATOR_SIGNED
#undef G2O_EMULATOR_UNSIGNED
#undef G2O_EMULATOR_UNARY
#undef G2O_EMULATOR_COMPARISON
inline unsigned __vsads2(unsigned a, unsigned b) {
    return g2o_emulator::sum_of_differences<std::int16_t>(a, b);
}
inline unsigned __vsads4(unsigned a, unsigned b) {
    return g2o_emulator::sum_of_differences<std::int8_t>(a, b);
}
inline unsigned __vsadu2(unsigned a, unsigned b) {
    return g2o_emulator::sum_of_differences<std::uint16_t>(a, b);
}
inline unsigned __vsadu4(unsigned a, unsigned b) {
    return g2o_emulator::sum_of_differences<std::uint8_t>(a, b);
}

// Minima and maxima of several values: the value for each part, at least `floor`.
namespace g2o_emulator {

template <typename Part, typename Choose>
unsigned chosen(unsigned a, unsigned b, unsigned c, bool relu, Choose choose) {
    unsigned two = for_each_part<Part>(a, b, choose), three = for_each_part<Part>(two, c, choose);
    auto not_negative = [](long long x, long long) { return x < 0 ? 0 : x; };
    return relu ? for_each_part<Part>(three, 0, not_negative) : three;
}

inline long long larger(long long x, long long y) { return x > y ? x : y; }
inline long long smaller(long long x, long long y) { return x < y ? x : y; }

template <typename Part>
unsigned sum_of_parts(unsigned a, unsigned b) {
    return for_each_part<Part>(a, b, [](long long x, long long y) { return x + y; });
}

template <typename Part, typename Relation>
unsigned relation(unsigned a, unsigned b, bool *high, bool *low, Relation is_first) {
    bool first[4] = {};
    int part = 0;
    unsigned result = for_each_part<Part>(a, b, [&](long long x, long long y) {
        first[part] = is_first(x, y);
        return first[part++] ? x : y;
    });
    *low = first[0];
    if (high != nullptr)
        *high = first[1];
    return result;
}

} // namespace g2o_emulator

#define G2O_EMULATOR_EXTREMUM(T, Part, form, relu, name, choose)                                   \
    inline T __viadd##name##_##form(T a, T b, T c) {                                               \
        unsigned sum = g2o_emulator::sum_of_parts<Part>(a, b);                                     \
        return static_cast<T>(                                                                     \
            g2o_emulator::chosen<Part>(sum, c, c, relu, g2o_emulator::choose));                    \
    }                                                                                              \
    inline T __vi##name##3_##form(T a, T b, T c) {                                                 \
        return static_cast<T>(g2o_emulator::chosen<Part>(a, b, c, relu, g2o_emulator::choose));    \
    }
#define G2O_EMULATOR_EXTREMA(T, Part, form, relu)                                                  \
    G2O_EMULATOR_EXTREMUM(T, Part, form, relu, max, larger)                                        \
    G2O_EMULATOR_EXTREMUM(T, Part, form, relu, min, smaller)
G2O_EMULATOR_EXTREMA(int, std::int32_t, s32, false)
G2O_EMULATOR_EXTREMA(int, std::int32_t, s32_relu, true)
G2O_EMULATOR_EXTREMA(unsigned, std::uint32_t, u32, false)
G2O_EMULATOR_EXTREMA(unsigned, std::int16_t, s16x2, false)
G2O_EMULATOR_EXTREMA(unsigned, std::int16_t, s16x2_relu, true)
G2O_EMULATOR_EXTREMA(unsigned, std::uint16_t, u16x2, false)
inline int __vimax_s32_relu(int a, int b) { return __vimax3_s32_relu(a, b, b); }
inline int __vimin_s32_relu(int a, int b) { return __vimin3_s32_relu(a, b, b); }
inline unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vimax3_s16x2_relu(a, b, b); }
inline unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vimin3_s16x2_relu(a, b, b); }
#define G2O_EMULATOR_FIRST(name, operation)                                                        \
    inline int __vib##name##_s32(int a, int b, bool *first) {                                      \
        return static_cast<int>(g2o_emulator::relation<std::int32_t>(                              \
            a, b, nullptr, first, [](long long x, long long y) { return x operation y; }));        \
    }                                                                                              \
    inline unsigned __vib##name##_u32(unsigned a, unsigned b, bool *first) {                       \
        return g2o_emulator::relation<std::uint32_t>(                                              \
            a, b, nullptr, first, [](long long x, long long y) { return x operation y; });         \
    }                                                                                              \
    inline unsigned __vib##name##_s16x2(unsigned a, unsigned b, bool *high, bool *low) {           \
        return g2o_emulator::relation<std::int16_t>(                                               \
            a, b, high, low, [](long long x, long long y) { return x operation y; });              \
    }                                                                                              \
    inline unsigned __vib##name##_u16x2(unsigned a, unsigned b, bool *high, bool *low) {           \
        return g2o_emulator::relation<std::uint16_t>(                                              \
            a, b, high, low, [](long long x, long long y) { return x operation y; });              \
    }
G2O_EMULATOR_FIRST(max, >=)
G2O_EMULATOR_FIRST(min, <=)
#undef G2O_EMULATOR_EXTREMUM
#undef G2O_EMULATOR_EXTREMA
#undef G2O_EMULATOR_FIRST
