// g2o_random.hpp: random numbers, in kernels and in arrays.
#ifndef G2O_RANDOM_HPP
#define G2O_RANDOM_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <math.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "g2o_math.hpp"
#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("F")
#undef F
#pragma push_macro("T")
#undef T

namespace g2o {

// The generators are those of the papers. Seeds and sequences are spread in a way of their own, so
// the numbers are as good as cuRAND's but not the same.

namespace types {

// The second of a pair of normal numbers, kept for the next call.
struct NormalCache {
    bool full = false, full_double = false;
    float value = 0.0f;
    double value_double = 0.0;
};

// Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, section 3.1: a xorshift
// generator of 160 bits plus a counter.
struct curandStateXORWOW {
    unsigned x, y, z, w, v, counter;
    NormalCache normal;
};

// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011:
// Philox4x32-10.
struct curandStatePhilox4_32_10 {
    unsigned count[4]; // block number (64 bits), sequence (64 bits)
    unsigned key[2];
    unsigned block[4]; // the numbers of the current block
    unsigned used;     // how many of them were handed out
    NormalCache normal;
};

using curandStateXORWOW_t = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

} // namespace types

// 32 random bits.
inline unsigned curand(curandStateXORWOW *state)
{
    const unsigned t = state->x ^ state->x >> 2;
    state->x = state->y;
    state->y = state->z;
    state->z = state->w;
    state->w = state->v;
    state->v = (state->v ^ state->v << 4) ^ (t ^ t << 1);
    state->counter += 362437;
    return state->v + state->counter;
}

namespace detail {

// A bijection that leaves no pattern of its argument (the finaliser of SplitMix64: Steele, Lea,
// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
constexpr unsigned long long scramble(unsigned long long z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// The four numbers that belong to a counter and a key.
inline void philox_block(const unsigned counter[4], const unsigned key[2], unsigned result[4])
{
    unsigned c[4] = {counter[0], counter[1], counter[2], counter[3]};
    unsigned k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; ++round) {
        const unsigned long long a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
        const unsigned next[4] = {unsigned(b >> 32) ^ c[1] ^ k[0], unsigned(b),
                                  unsigned(a >> 32) ^ c[3] ^ k[1], unsigned(a)};
        std::copy(next, next + 4, c);
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    std::copy(c, c + 4, result);
}

} // namespace detail

inline unsigned curand(curandStatePhilox4_32_10 *state)
{
    if (state->used == 4) {
        if (++state->count[0] == 0)
            ++state->count[1];
        detail::philox_block(state->count, state->key, state->block);
        state->used = 0;
    }
    return state->block[state->used++];
}

// Starts the stream `sequence` of a seed at its number `offset`. (XORWOW: far offsets start a
// stream of their own, for there is no cheap way to the middle of a stream.)
inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStateXORWOW *state)
{
    constexpr unsigned long long near = 1 << 16, golden = 0x9e3779b97f4a7c15;
    unsigned long long mixed = detail::scramble(seed + golden);
    mixed = detail::scramble(mixed + sequence * golden);
    mixed = detail::scramble(mixed + offset / near * golden);
    const auto word = [mixed](unsigned k) {
        return unsigned(detail::scramble(mixed + k * golden) >> 32);
    };
    *state = {word(1), word(2), word(3), word(4), word(5), word(6), {}};
    for (unsigned long long i = 0; i < offset % near; ++i)
        curand(state);
}

inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStatePhilox4_32_10 *state)
{
    const unsigned long long block = offset / 4;
    *state = {
        {unsigned(block), unsigned(block >> 32), unsigned(sequence), unsigned(sequence >> 32)},
        {unsigned(seed), unsigned(seed >> 32)},
        {},
        unsigned(offset % 4),
        {}};
    detail::philox_block(state->count, state->key, state->block);
}

// Leaves out `count` numbers.
inline void skipahead(unsigned long long count, curandStateXORWOW *state)
{
    while (count-- > 0)
        curand(state);
}

inline void skipahead(unsigned long long count, curandStatePhilox4_32_10 *state)
{
    const unsigned long long block = std::uint64_t(state->count[1]) << 32 | state->count[0];
    const unsigned long long position = block * 4 + state->used + count;
    state->count[0] = unsigned(position / 4);
    state->count[1] = unsigned(position / 4 >> 32);
    state->used = unsigned(position % 4);
    detail::philox_block(state->count, state->key, state->block);
}

// Uniform on (0, 1].
template <class State> float curand_uniform(State *state)
{
    constexpr float unit = 1.0f / 4294967296.0f;
    return float(curand(state)) * unit + unit / 2;
}

template <class State> double curand_uniform_double(State *state)
{
    const unsigned long long high = curand(state) >> 5, low = curand(state) >> 6;
    return double((high << 26 | low) + 1) / 9007199254740992.0; // 53 bits
}

// Two independent numbers of the standard normal distribution (Box and Muller 1958).
template <class State> float2 curand_normal2(State *state)
{
    const float radius = sqrtf(-2.0f * logf(curand_uniform(state)));
    const float angle = float(2.0 * detail::pi) * curand_uniform(state);
    return {radius * sinf(angle), radius * cosf(angle)};
}

template <class State> double2 curand_normal2_double(State *state)
{
    const double radius = sqrt(-2.0 * log(curand_uniform_double(state)));
    const double angle = 2.0 * detail::pi * curand_uniform_double(state);
    return {radius * sin(angle), radius * cos(angle)};
}

template <class State> float curand_normal(State *state)
{
    NormalCache &cache = state->normal;
    cache.full = !cache.full;
    if (!cache.full)
        return cache.value;
    const float2 pair = curand_normal2(state);
    cache.value = pair.y;
    return pair.x;
}

template <class State> double curand_normal_double(State *state)
{
    NormalCache &cache = state->normal;
    cache.full_double = !cache.full_double;
    if (!cache.full_double)
        return cache.value_double;
    const double2 pair = curand_normal2_double(state);
    cache.value_double = pair.y;
    return pair.x;
}

template <class State> float curand_log_normal(State *state, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(state));
}

template <class State> double curand_log_normal_double(State *state, double mean, double deviation)
{
    return exp(mean + deviation * curand_normal_double(state));
}

// Four numbers at once.
template <class State> uint4 curand4(State *state)
{
    const unsigned a = curand(state), b = curand(state), c = curand(state);
    return {a, b, c, curand(state)};
}

template <class State> float4 curand_uniform4(State *state)
{
    const float a = curand_uniform(state), b = curand_uniform(state), c = curand_uniform(state);
    return {a, b, c, curand_uniform(state)};
}

template <class State> float4 curand_normal4(State *state)
{
    const float2 a = curand_normal2(state), b = curand_normal2(state);
    return {a.x, a.y, b.x, b.y};
}

template <class State> double2 curand_uniform2_double(State *state)
{
    const double a = curand_uniform_double(state);
    return {a, curand_uniform_double(state)};
}

template <class State> double4 curand_uniform4_double(State *state)
{
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return {a.x, a.y, b.x, b.y};
}

template <class State> double4 curand_normal4_double(State *state)
{
    const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    return {a.x, a.y, b.x, b.y};
}

template <class State> float2 curand_log_normal2(State *state, float mean, float deviation)
{
    const float2 a = curand_normal2(state);
    return {expf(mean + deviation * a.x), expf(mean + deviation * a.y)};
}

template <class State> float4 curand_log_normal4(State *state, float mean, float deviation)
{
    const float2 a = curand_log_normal2(state, mean, deviation);
    const float2 b = curand_log_normal2(state, mean, deviation);
    return {a.x, a.y, b.x, b.y};
}

// Poisson distribution. Small rates count exponential waiting times; large ones take the
// transformed rejection PTRS of Hörmann, Insurance: Mathematics and Economics 12, 1993.
template <class State> unsigned curand_poisson(State *state, double rate)
{
    if (rate < 10.0) {
        const double limit = exp(-rate);
        unsigned count = 0;
        for (double product = curand_uniform_double(state); product > limit; ++count)
            product *= curand_uniform_double(state);
        return count;
    }
    const double b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), squeeze = 0.9277 - 3.6224 / (b - 2.0);
    for (;;) {
        const double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
        const double us = 0.5 - fabs(u);
        const double k = floor((2.0 * a / us + b) * u + rate + 0.43);
        if (us >= 0.07 && v <= squeeze)
            return unsigned(k);
        if (k < 0.0 || (us < 0.013 && v > us))
            continue;
        const double accepted = log(v * inverse_alpha / (a / (us * us) + b));
        if (accepted <= -rate + k * log(rate) - lgamma(k + 1.0))
            return unsigned(k);
    }
}

// ---- arrays of random numbers -------------------------------------------------------------------

enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
};

// All of them are Philox4x32-10 here, each with a key of its own.
enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
};

enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102
};

struct curandGeneratorState {
    unsigned long long seed;
    unsigned long long position; // of the next number in the sequence
    MemcpyKind kind;             // of a copy to the arrays that it fills
};

using curandStatus_t = curandStatus;
using curandRngType_t = curandRngType;
using curandOrdering_t = curandOrdering;
using curandGenerator_t = curandGeneratorState *;

namespace detail {

// Fills an array with numbers, each of which `draw` takes from a stream of its own.
template <class T, class F>
curandStatus_t fill_at_random(curandGenerator_t generator, T *array, std::size_t count, F draw)
{
    if (generator == nullptr)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (array == nullptr && count > 0)
        return CURAND_STATUS_OUT_OF_RANGE;
    constexpr std::size_t most = std::size_t(1) << 20;
    std::vector<T> numbers(std::min(count, most));
    for (std::size_t begin = 0; begin < count; begin += numbers.size()) {
        const std::size_t part = std::min(count - begin, most);
#pragma omp parallel for
        for (std::size_t i = 0; i < part; ++i) {
            curandStatePhilox4_32_10 state;
            curand_init(generator->seed, generator->position + begin + i, 0, &state);
            numbers[i] = draw(&state);
        }
        copy_bytes(array + begin, numbers.data(), part * sizeof(T), generator->kind);
    }
    generator->position += count;
    return CURAND_STATUS_SUCCESS;
}

} // namespace detail

inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    *generator = new curandGeneratorState{std::uint64_t(type) << 32, 0, MemcpyHostToDevice};
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    *generator = new curandGeneratorState{std::uint64_t(type) << 32, 0, MemcpyHostToHost};
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (generator == nullptr)
        return CURAND_STATUS_NOT_INITIALIZED;
    delete generator;
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed)
{
    if (generator == nullptr)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->seed = seed;
    generator->position = 0;
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                               unsigned long long offset)
{
    if (generator == nullptr)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->position = offset;
    return CURAND_STATUS_SUCCESS;
}

// Numbers come in one order, and at once.
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                                 curandOrdering_t /*order*/)
{
    return generator != nullptr ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, Stream /*stream*/)
{
    return generator != nullptr ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    return generator != nullptr ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

inline curandStatus_t curandGetVersion(int *version)
{
    *version = 10300;
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *array,
                                     std::size_t count)
{
    return detail::fill_at_random(generator, array, count,
                                  [](auto *state) { return curand(state); });
}

inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *array,
                                            std::size_t count)
{
    return detail::fill_at_random(generator, array, count,
                                  [](auto *state) { return curand_uniform(state); });
}

inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *array,
                                                  std::size_t count)
{
    return detail::fill_at_random(generator, array, count,
                                  [](auto *state) { return curand_uniform_double(state); });
}

inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *array,
                                           std::size_t count, float mean, float deviation)
{
    return detail::fill_at_random(generator, array, count, [=](auto *state) {
        return mean + deviation * curand_normal(state);
    });
}

inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *array,
                                                 std::size_t count, double mean, double deviation)
{
    return detail::fill_at_random(generator, array, count, [=](auto *state) {
        return mean + deviation * curand_normal_double(state);
    });
}

inline curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *array,
                                              std::size_t count, float mean, float deviation)
{
    return detail::fill_at_random(generator, array, count, [=](auto *state) {
        return curand_log_normal(state, mean, deviation);
    });
}

inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *array,
                                                    std::size_t count, double mean,
                                                    double deviation)
{
    return detail::fill_at_random(generator, array, count, [=](auto *state) {
        return curand_log_normal_double(state, mean, deviation);
    });
}

inline curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *array,
                                            std::size_t count, double rate)
{
    return detail::fill_at_random(generator, array, count,
                                  [=](auto *state) { return curand_poisson(state, rate); });
}

} // namespace g2o

#pragma pop_macro("F")
#pragma pop_macro("T")

} // extern "C++"

#endif // G2O_RANDOM_HPP
