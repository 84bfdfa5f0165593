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
