// Integers and their bits: what PTX has instructions for and C++ has not.
#pragma once

#include "device_math.hpp"
#include "vector_types.hpp"

#include <cstdint>
#include <cstring>

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
inline int __clzll(long long x) {
    return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
    unsigned result = 0;
    for (int i = 0; i < 32; ++i, x >>= 1)
        result = result << 1 | (x & 1);
    return result;
}
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
    int step = offset < 0 ? -1 : 1, found = 0, wanted = offset < 0 ? -offset : offset;
    if (offset == 0)
        return base < 32 && (mask >> base & 1) ? base : 0xffffffffu;
    for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step)
        if ((mask >> i & 1) && ++found == wanted)
            return static_cast<unsigned>(i);
    return 0xffffffffu;
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    std::uint64_t bytes = std::uint64_t{b} << 32 | a;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i)
        result |= static_cast<unsigned>(bytes >> ((selector >> (4 * i) & 7) * 8) & 0xff) << (8 * i);
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
inline int __mul24(int a, int b) {
    auto low = [](int x) { return static_cast<int>(static_cast<unsigned>(x) << 8) >> 8; };
    return static_cast<int>(static_cast<unsigned>(low(a)) * static_cast<unsigned>(low(b)));
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
inline int mul24(int a, int b) { return __mul24(a, b); }
inline unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(std::uint64_t{a} * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
    return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline unsigned __sad(int a, int b, unsigned c) {
    return c + (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                      : static_cast<unsigned>(b) - static_cast<unsigned>(a));
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
inline int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
inline int __rhadd(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
inline unsigned __uhadd(unsigned a, unsigned b) {
    return static_cast<unsigned>((std::uint64_t{a} + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) {
    return static_cast<unsigned>((std::uint64_t{a} + b + 1) >> 1);
}
inline int __dp4a(int a, int b, int c) {
    long long sum = c;
    for (int i = 0; i < 4; ++i)
        sum += static_cast<signed char>(a >> (8 * i)) * static_cast<signed char>(b >> (8 * i));
    return static_cast<int>(sum);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 4; ++i)
        c += (a >> (8 * i) & 0xff) * (b >> (8 * i) & 0xff);
    return c;
}

#define G2O_EMULATOR_DP2A(name, byte)                                                              \
    inline int name(short2 a, char4 b, int c) {                                                    \
        signed char bytes[4];                                                                      \
        std::memcpy(bytes, &b, sizeof b);                                                          \
        return static_cast<int>(c + (long long){a.x} * bytes[byte] + a.y * bytes[byte + 1]);       \
    }                                                                                              \
    inline unsigned name(ushort2 a, uchar4 b, unsigned c) {                                        \
        unsigned char bytes[4];                                                                    \
        std::memcpy(bytes, &b, sizeof b);                                                          \
        return c + unsigned{a.x} * bytes[byte] + unsigned{a.y} * bytes[byte + 1];                  \
    }                                                                                              \
    inline int name(int a, int b, int c) {                                                         \
        return name(g2o_emulator::reinterpret<short2>(a), g2o_emulator::reinterpret<char4>(b), c); \
    }                                                                                              \
    inline unsigned name(unsigned a, unsigned b, unsigned c) {                                     \
        return name(                                                                               \
            g2o_emulator::reinterpret<ushort2>(a), g2o_emulator::reinterpret<uchar4>(b), c);       \
    }
G2O_EMULATOR_DP2A(__dp2a_lo, 0)
G2O_EMULATOR_DP2A(__dp2a_hi, 2)
#undef G2O_EMULATOR_DP2A
inline int __dp4a(char4 a, char4 b, int c) {
    long long sum = c;
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    return static_cast<int>(sum);
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return c + static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
