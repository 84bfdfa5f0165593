// What half and bfloat16 have in common: each macro declares one form for a scalar type S and its
// pair V. Included by cuda_fp16.h and cuda_bf16.h.
#pragma once

// A 16-bit floating type with every conversion that CUDA gives it. What is assigned is converted:
// of something that is a half and a float, such as PyTorch's, the half is taken.
#define G2O_NARROW_SCALAR(S, Other)                                                                \
    struct Other;                                                                                  \
    struct S##_raw {                                                                               \
        unsigned short x;                                                                          \
    };                                                                                             \
    struct alignas(2) S {                                                                          \
        unsigned short bits;                                                                       \
        S() = default;                                                                             \
        S(const S##_raw &value);                                                                   \
        explicit S(const Other &value);                                                            \
        S(float value);                                                                            \
        S(double value);                                                                           \
        S(int value);                                                                              \
        S(unsigned int value);                                                                     \
        S(short value);                                                                            \
        S(unsigned short value);                                                                   \
        S(long long value);                                                                        \
        S(unsigned long long value);                                                               \
        S(long value);                                                                             \
        S(unsigned long value);                                                                    \
        operator S##_raw() const;                                                                  \
        operator float() const;                                                                    \
        operator bool() const;                                                                     \
        operator signed char() const;                                                              \
        operator unsigned char() const;                                                            \
        operator char() const;                                                                     \
        operator short() const;                                                                    \
        operator unsigned short() const;                                                           \
        operator int() const;                                                                      \
        operator unsigned int() const;                                                             \
        operator long() const;                                                                     \
        operator unsigned long() const;                                                            \
        operator long long() const;                                                                \
        operator unsigned long long() const;                                                       \
    };

// Those of a type or a pair of it.
#define G2O_NARROW_OPERATORS(S)                                                                    \
    S operator+(const S &a, const S &b);                                                           \
    S operator-(const S &a, const S &b);                                                           \
    S operator*(const S &a, const S &b);                                                           \
    S operator/(const S &a, const S &b);                                                           \
    S &operator+=(S &a, const S &b);                                                               \
    S &operator-=(S &a, const S &b);                                                               \
    S &operator*=(S &a, const S &b);                                                               \
    S &operator/=(S &a, const S &b);                                                               \
    S &operator++(S &a);                                                                           \
    S &operator--(S &a);                                                                           \
    S operator++(S &a, int);                                                                       \
    S operator--(S &a, int);                                                                       \
    S operator+(const S &a);                                                                       \
    S operator-(const S &a);                                                                       \
    bool operator==(const S &a, const S &b);                                                       \
    bool operator!=(const S &a, const S &b);                                                       \
    bool operator<(const S &a, const S &b);                                                        \
    bool operator>(const S &a, const S &b);                                                        \
    bool operator<=(const S &a, const S &b);                                                       \
    bool operator>=(const S &a, const S &b);

#define G2O_NARROW_PAIR(S, V)                                                                      \
    struct V##_raw {                                                                               \
        unsigned short x, y;                                                                       \
    };                                                                                             \
    struct alignas(4) V {                                                                          \
        S x, y;                                                                                    \
        V() = default;                                                                             \
        V(const S &x, const S &y);                                                                 \
        V(const V##_raw &value);                                                                   \
        operator V##_raw() const;                                                                  \
    };

// Arithmetic, comparison and elementary functions.
#define G2O_NARROW_BINARY(S, V, name)                                                              \
    S __h##name(S a, S b);                                                                         \
    V __h##name##2(V a, V b);
#define G2O_NARROW_FORM(S, V, name, form)                                                          \
    S __h##name##_##form(S a, S b);                                                                \
    V __h##name##2_##form(V a, V b);
#define G2O_NARROW_UNARY(S, V, name)                                                               \
    S h##name(S a);                                                                                \
    V h2##name(V a);
#define G2O_NARROW_COMPARE_FORM(S, V, name)                                                        \
    bool __h##name(S a, S b);                                                                      \
    V __h##name##2(V a, V b);                                                                      \
    unsigned int __h##name##2_mask(V a, V b);                                                      \
    bool __hb##name##2(V a, V b);
#define G2O_NARROW_COMPARE(S, V, name)                                                             \
    G2O_NARROW_COMPARE_FORM(S, V, name)                                                            \
    G2O_NARROW_COMPARE_FORM(S, V, name##u)
#define G2O_NARROW_FUNCTIONS(S, V)                                                                 \
    G2O_NARROW_BINARY(S, V, add)                                                                   \
    G2O_NARROW_BINARY(S, V, sub)                                                                   \
    G2O_NARROW_BINARY(S, V, mul)                                                                   \
    G2O_NARROW_FORM(S, V, add, rn)                                                                 \
    G2O_NARROW_FORM(S, V, sub, rn)                                                                 \
    G2O_NARROW_FORM(S, V, mul, rn)                                                                 \
    G2O_NARROW_FORM(S, V, add, sat)                                                                \
    G2O_NARROW_FORM(S, V, sub, sat)                                                                \
    G2O_NARROW_FORM(S, V, mul, sat)                                                                \
    G2O_NARROW_BINARY(S, V, max)                                                                   \
    G2O_NARROW_BINARY(S, V, min)                                                                   \
    G2O_NARROW_FORM(S, V, max, nan)                                                                \
    G2O_NARROW_FORM(S, V, min, nan)                                                                \
    S __hdiv(S a, S b);                                                                            \
    V __h2div(V a, V b);                                                                           \
    S __hfma(S a, S b, S c);                                                                       \
    S __hfma_sat(S a, S b, S c);                                                                   \
    S __hfma_relu(S a, S b, S c);                                                                  \
    V __hfma2(V a, V b, V c);                                                                      \
    V __hfma2_sat(V a, V b, V c);                                                                  \
    V __hfma2_relu(V a, V b, V c);                                                                 \
    S __hneg(S a);                                                                                 \
    V __hneg2(V a);                                                                                \
    S __habs(S a);                                                                                 \
    V __habs2(V a);                                                                                \
    bool __hisnan(S a);                                                                            \
    V __hisnan2(V a);                                                                              \
    int __hisinf(S a);                                                                             \
    V __hcmadd(V a, V b, V c);                                                                     \
    G2O_NARROW_COMPARE(S, V, eq)                                                                   \
    G2O_NARROW_COMPARE(S, V, ne)                                                                   \
    G2O_NARROW_COMPARE(S, V, lt)                                                                   \
    G2O_NARROW_COMPARE(S, V, le)                                                                   \
    G2O_NARROW_COMPARE(S, V, gt)                                                                   \
    G2O_NARROW_COMPARE(S, V, ge)                                                                   \
    G2O_NARROW_UNARY(S, V, sqrt)                                                                   \
    G2O_NARROW_UNARY(S, V, rsqrt)                                                                  \
    G2O_NARROW_UNARY(S, V, rcp)                                                                    \
    G2O_NARROW_UNARY(S, V, exp)                                                                    \
    G2O_NARROW_UNARY(S, V, exp2)                                                                   \
    G2O_NARROW_UNARY(S, V, exp10)                                                                  \
    G2O_NARROW_UNARY(S, V, log)                                                                    \
    G2O_NARROW_UNARY(S, V, log2)                                                                   \
    G2O_NARROW_UNARY(S, V, log10)                                                                  \
    G2O_NARROW_UNARY(S, V, sin)                                                                    \
    G2O_NARROW_UNARY(S, V, cos)                                                                    \
    G2O_NARROW_UNARY(S, V, tanh)                                                                   \
    G2O_NARROW_UNARY(S, V, tanh_approx)                                                            \
    G2O_NARROW_UNARY(S, V, floor)                                                                  \
    G2O_NARROW_UNARY(S, V, ceil)                                                                   \
    G2O_NARROW_UNARY(S, V, trunc)                                                                  \
    G2O_NARROW_UNARY(S, V, rint)

// Exchanges between threads, and atomic addition.
#define G2O_NARROW_LANES(S, V)                                                                     \
    S __shfl_sync(unsigned int mask, S value, int lane, int width = 32);                           \
    V __shfl_sync(unsigned int mask, V value, int lane, int width = 32);                           \
    S __shfl_up_sync(unsigned int mask, S value, unsigned int delta, int width = 32);              \
    V __shfl_up_sync(unsigned int mask, V value, unsigned int delta, int width = 32);              \
    S __shfl_down_sync(unsigned int mask, S value, unsigned int delta, int width = 32);            \
    V __shfl_down_sync(unsigned int mask, V value, unsigned int delta, int width = 32);            \
    S __shfl_xor_sync(unsigned int mask, S value, int lane_mask, int width = 32);                  \
    V __shfl_xor_sync(unsigned int mask, V value, int lane_mask, int width = 32);                  \
    S __shfl(S value, int lane, int width = 32);                                                   \
    V __shfl(V value, int lane, int width = 32);                                                   \
    S __shfl_up(S value, unsigned int delta, int width = 32);                                      \
    V __shfl_up(V value, unsigned int delta, int width = 32);                                      \
    S __shfl_down(S value, unsigned int delta, int width = 32);                                    \
    V __shfl_down(V value, unsigned int delta, int width = 32);                                    \
    S __shfl_xor(S value, int lane_mask, int width = 32);                                          \
    V __shfl_xor(V value, int lane_mask, int width = 32);                                          \
    S atomicAdd(S *address, S value);                                                              \
    V atomicAdd(V *address, V value);

// Conversions. CUDA's names say half and half2, or bfloat16 and bfloat162, for `name` and `pair`.
#define G2O_NARROW_ROUNDED(S, name, r)                                                             \
    S __float2##name##_##r(float value);                                                           \
    int __##name##2int_##r(S value);                                                               \
    S __int2##name##_##r(int value);                                                               \
    unsigned int __##name##2uint_##r(S value);                                                     \
    S __uint2##name##_##r(unsigned int value);                                                     \
    short __##name##2short_##r(S value);                                                           \
    S __short2##name##_##r(short value);                                                           \
    unsigned short __##name##2ushort_##r(S value);                                                 \
    S __ushort2##name##_##r(unsigned short value);                                                 \
    long long __##name##2ll_##r(S value);                                                          \
    S __ll2##name##_##r(long long value);                                                          \
    unsigned long long __##name##2ull_##r(S value);                                                \
    S __ull2##name##_##r(unsigned long long value);
#define G2O_NARROW_CONVERSIONS(S, V, name, pair)                                                   \
    S __float2##name(float value);                                                                 \
    S __double2##name(double value);                                                               \
    float __##name##2float(S value);                                                               \
    G2O_NARROW_ROUNDED(S, name, rn)                                                                \
    G2O_NARROW_ROUNDED(S, name, rz)                                                                \
    G2O_NARROW_ROUNDED(S, name, ru)                                                                \
    G2O_NARROW_ROUNDED(S, name, rd)                                                                \
    signed char __##name##2char_rz(S value);                                                       \
    unsigned char __##name##2uchar_rz(S value);                                                    \
    short __##name##_as_short(S value);                                                            \
    unsigned short __##name##_as_ushort(S value);                                                  \
    S __short_as_##name(short value);                                                              \
    S __ushort_as_##name(unsigned short value);                                                    \
    V make_##pair(S x, S y);                                                                       \
    V __##name##2##pair(S value);                                                                  \
    V __float2##pair##_rn(float value);                                                            \
    V __floats2##pair##_rn(float low, float high);                                                 \
    V __float22##pair##_rn(float2 value);                                                          \
    float2 __##pair##2float2(V value);                                                             \
    float __low2float(V value);                                                                    \
    float __high2float(V value);                                                                   \
    S __low2##name(V value);                                                                       \
    S __high2##name(V value);                                                                      \
    V __low2##pair(V value);                                                                       \
    V __high2##pair(V value);                                                                      \
    V __lowhigh2highlow(V value);                                                                  \
    V __halves2##pair(S low, S high);                                                              \
    V __lows2##pair(V a, V b);                                                                     \
    V __highs2##pair(V a, V b);
