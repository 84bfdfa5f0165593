// What half and bfloat16 have in common: each macro declares one form for a scalar type S and its
// pair V. Included by cuda_fp16.h and cuda_bf16.h.
#pragma once

// A 16-bit floating type with every conversion and operator that CUDA gives it.
#define G2O_NARROW_SCALAR(S)                                                                       \
    struct alignas(2) S {                                                                          \
        unsigned short bits;                                                                       \
        S() = default;                                                                             \
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
        operator float() const;                                                                    \
        explicit operator bool() const;                                                            \
        S &operator=(float value);                                                                 \
        S &operator=(double value);                                                                \
        S &operator=(int value);                                                                   \
    };                                                                                             \
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
    struct alignas(4) V {                                                                          \
        S x, y;                                                                                    \
        V() = default;                                                                             \
        V(const S &x, const S &y);                                                                 \
    };                                                                                             \
    V operator+(const V &a, const V &b);                                                           \
    V operator-(const V &a, const V &b);                                                           \
    V operator*(const V &a, const V &b);                                                           \
    V operator/(const V &a, const V &b);                                                           \
    V &operator+=(V &a, const V &b);                                                               \
    V &operator-=(V &a, const V &b);                                                               \
    V &operator*=(V &a, const V &b);                                                               \
    V &operator/=(V &a, const V &b);                                                               \
    V operator-(const V &a);                                                                       \
    bool operator==(const V &a, const V &b);                                                       \
    bool operator!=(const V &a, const V &b);

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
#define G2O_NARROW_COMPARE(S, V, name)                                                             \
    bool __h##name(S a, S b);                                                                      \
    bool __h##name##u(S a, S b);                                                                   \
    V __h##name##2(V a, V b);                                                                      \
    bool __hb##name##2(V a, V b);
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
    G2O_NARROW_UNARY(S, V, floor)                                                                  \
    G2O_NARROW_UNARY(S, V, ceil)                                                                   \
    G2O_NARROW_UNARY(S, V, trunc)                                                                  \
    G2O_NARROW_UNARY(S, V, rint)

// The lanes of a pair, exchanges between threads, and atomic addition.
#define G2O_NARROW_LANES(S, V)                                                                     \
    V __halves2##V(S low, S high);                                                                 \
    V __lows2##V(V a, V b);                                                                        \
    V __highs2##V(V a, V b);                                                                       \
    S __shfl_sync(unsigned int mask, S value, int lane, int width = 32);                           \
    V __shfl_sync(unsigned int mask, V value, int lane, int width = 32);                           \
    S __shfl_up_sync(unsigned int mask, S value, unsigned int delta, int width = 32);              \
    V __shfl_up_sync(unsigned int mask, V value, unsigned int delta, int width = 32);              \
    S __shfl_down_sync(unsigned int mask, S value, unsigned int delta, int width = 32);            \
    V __shfl_down_sync(unsigned int mask, V value, unsigned int delta, int width = 32);            \
    S __shfl_xor_sync(unsigned int mask, S value, int lane_mask, int width = 32);                  \
    V __shfl_xor_sync(unsigned int mask, V value, int lane_mask, int width = 32);                  \
    S atomicAdd(S *address, S value);                                                              \
    V atomicAdd(V *address, V value);
