// Device random numbers. The published algorithms; the seeding is g2o's own specification, so that
// a translation and its emulated source draw equal numbers:
//
// XORWOW (Marsaglia 2003, section 3.1). With mix() the finaliser of SplitMix64 and
// G = 0x9e3779b97f4a7c15:  m = mix(seed + G);  m = mix(m + sequence * G);
// m = mix(m + (offset / 65536) * G);  the five words and the counter are the high halves of six
// times mix(m += G);  then offset % 65536 numbers are skipped.
// Philox4x32-10 (Salmon et al. 2011). Key: seed. Counter: offset / 4 in the low, sequence in the
// high 64 bits; offset % 4 numbers of the first block are skipped. Only the low half counts up.
#pragma once

#include "vector_types.hpp"

#include <cmath>
#include <cstdint>

enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_TYPE_ERROR = 103,
};
using curandStatus_t = curandStatus;

namespace g2o_emulator {

constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15ULL;

inline std::uint64_t mix(std::uint64_t z) {
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9ULL;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// Box and Muller make two normal numbers at a time; the second waits for the next call.
template <typename Real>
struct SpareNormal {
    bool there;
    Real value;
};

struct PhiloxBlock {
    std::uint32_t word[4];
};

inline PhiloxBlock philox(PhiloxBlock counter, std::uint32_t key0, std::uint32_t key1) {
    for (int round = 0; round < 10; ++round) {
        std::uint64_t p0 = std::uint64_t{0xD2511F53u} * counter.word[0];
        std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * counter.word[2];
        auto high = [](std::uint64_t p) { return static_cast<std::uint32_t>(p >> 32); };
        auto low = [](std::uint64_t p) { return static_cast<std::uint32_t>(p); };
        counter = {{high(p1) ^ counter.word[1] ^ key0, low(p1), high(p0) ^ counter.word[3] ^ key1,
                    low(p0)}};
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return counter;
}

} // namespace g2o_emulator

struct curandStateXORWOW {
    std::uint32_t d, v[5];
    g2o_emulator::SpareNormal<float> spare;
    g2o_emulator::SpareNormal<double> spare_double;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;

struct curandStatePhilox4_32_10 {
    g2o_emulator::PhiloxBlock counter, output;
    std::uint32_t key[2];
    unsigned position;
    g2o_emulator::SpareNormal<float> spare;
    g2o_emulator::SpareNormal<double> spare_double;
};
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

inline unsigned curand(curandStateXORWOW *s) {
    std::uint32_t t = s->v[0] ^ (s->v[0] >> 2);
    for (int i = 0; i < 4; ++i)
        s->v[i] = s->v[i + 1];
    s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
    s->d += 362437;
    return s->d + s->v[4];
}

inline unsigned curand(curandStatePhilox4_32_10 *s) {
    if (s->position == 4) {
        if (++s->counter.word[0] == 0)
            ++s->counter.word[1];
        s->output = g2o_emulator::philox(s->counter, s->key[0], s->key[1]);
        s->position = 0;
    }
    return s->output.word[s->position++];
}

template <typename State>
void skipahead(unsigned long long count, State *s) {
    while (count-- > 0)
        curand(s);
}

inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStateXORWOW *s) {
    using namespace g2o_emulator;
    std::uint64_t m = mix(seed + golden_ratio);
    m = mix(m + sequence * golden_ratio);
    m = mix(m + (offset >> 16) * golden_ratio);
    auto next = [&m] {
        m += golden_ratio;
        return static_cast<std::uint32_t>(mix(m) >> 32);
    };
    *s = {};
    for (std::uint32_t &word : s->v)
        word = next();
    s->d = next();
    skipahead(offset & 0xffff, s);
}

inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStatePhilox4_32_10 *s) {
    auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    *s = {};
    s->key[0] = low(seed);
    s->key[1] = high(seed);
    s->counter = {{low(offset >> 2), high(offset >> 2), low(sequence), high(sequence)}};
    s->output = g2o_emulator::philox(s->counter, s->key[0], s->key[1]);
    s->position = static_cast<unsigned>(offset & 3);
}

// (0, 1]: a multiple of 2^-32 plus half of it, in single precision.
template <typename State>
float curand_uniform(State *s) {
    return static_cast<float>(curand(s)) * 0x1p-32f + 0x1p-33f;
}

// 27 and 26 bits of two draws make 53; one is added so that 0 is left out.
template <typename State>
double curand_uniform_double(State *s) {
    std::uint64_t high = curand(s) >> 5;
    std::uint64_t low = curand(s) >> 6;
    return static_cast<double>(((high << 26) | low) + 1) * 0x1p-53;
}

template <typename State>
float2 curand_normal2(State *s) {
    float r = sqrtf(-2.0f * logf(curand_uniform(s)));
    float angle = static_cast<float>(2 * M_PI) * curand_uniform(s);
    return {r * sinf(angle), r * cosf(angle)};
}

template <typename State>
double2 curand_normal2_double(State *s) {
    double r = sqrt(-2.0 * log(curand_uniform_double(s)));
    double angle = 2 * M_PI * curand_uniform_double(s);
    return {r * sin(angle), r * cos(angle)};
}

template <typename State>
float curand_normal(State *s) {
    if (s->spare.there) {
        s->spare.there = false;
        return s->spare.value;
    }
    float2 both = curand_normal2(s);
    s->spare = {true, both.y};
    return both.x;
}

template <typename State>
double curand_normal_double(State *s) {
    if (s->spare_double.there) {
        s->spare_double.there = false;
        return s->spare_double.value;
    }
    double2 both = curand_normal2_double(s);
    s->spare_double = {true, both.y};
    return both.x;
}

template <typename State>
float curand_log_normal(State *s, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(s));
}
template <typename State>
double curand_log_normal_double(State *s, double mean, double deviation) {
    return exp(mean + deviation * curand_normal_double(s));
}

template <typename State>
uint4 curand4(State *s) {
    uint4 r{};
    r.x = curand(s);
    r.y = curand(s);
    r.z = curand(s);
    r.w = curand(s);
    return r;
}
template <typename State>
float4 curand_uniform4(State *s) {
    float4 r{};
    r.x = curand_uniform(s);
    r.y = curand_uniform(s);
    r.z = curand_uniform(s);
    r.w = curand_uniform(s);
    return r;
}
template <typename State>
double2 curand_uniform2_double(State *s) {
    double2 r{};
    r.x = curand_uniform_double(s);
    r.y = curand_uniform_double(s);
    return r;
}
template <typename State>
float4 curand_normal4(State *s) {
    float2 first = curand_normal2(s);
    float2 second = curand_normal2(s);
    return {first.x, first.y, second.x, second.y};
}

template <typename State>
double4 curand_uniform4_double(State *s) {
    double2 first = curand_uniform2_double(s);
    double2 second = curand_uniform2_double(s);
    return {first.x, first.y, second.x, second.y};
}
template <typename State>
double4 curand_normal4_double(State *s) {
    double2 first = curand_normal2_double(s);
    double2 second = curand_normal2_double(s);
    return {first.x, first.y, second.x, second.y};
}
template <typename State>
float2 curand_log_normal2(State *s, float mean, float deviation) {
    float2 n = curand_normal2(s);
    return {expf(mean + deviation * n.x), expf(mean + deviation * n.y)};
}
template <typename State>
float4 curand_log_normal4(State *s, float mean, float deviation) {
    float2 first = curand_log_normal2(s, mean, deviation);
    float2 second = curand_log_normal2(s, mean, deviation);
    return {first.x, first.y, second.x, second.y};
}

namespace g2o_emulator {

// Knuth's product of uniforms.
template <typename State>
unsigned poisson_by_product(State *s, double rate) {
    double limit = exp(-rate), product = curand_uniform_double(s);
    unsigned events = 0;
    while (product > limit) {
        product *= curand_uniform_double(s);
        ++events;
    }
    return events;
}

// PTRS: W. Hoermann, "The transformed rejection method for generating Poisson random variables",
// Insurance: Mathematics and Economics 12 (1993).
template <typename State>
unsigned poisson_by_rejection(State *s, double mu) {
    const double b = 0.931 + 2.53 * sqrt(mu);
    const double a = -0.059 + 0.02483 * b;
    const double scale = 1.1239 + 1.1328 / (b - 3.4);
    const double v_r = 0.9277 - 3.6224 / (b - 2.0);
    while (true) {
        double u = curand_uniform_double(s) - 0.5;
        double v = curand_uniform_double(s);
        double distance = 0.5 - fabs(u);
        double k = floor((2.0 * a / distance + b) * u + mu + 0.43);
        bool quick = distance >= 0.07 && v <= v_r;
        if (quick)
            return static_cast<unsigned>(k);
        bool outside = k < 0.0 || (distance < 0.013 && v > distance);
        if (!outside &&
            log(v * scale / (a / (distance * distance) + b)) <= -mu + k * log(mu) - lgamma(k + 1.0))
            return static_cast<unsigned>(k);
    }
}

} // namespace g2o_emulator

template <typename State>
unsigned curand_poisson(State *s, double rate) {
    return rate < 10.0 ? g2o_emulator::poisson_by_product(s, rate)
                       : g2o_emulator::poisson_by_rejection(s, rate);
}
