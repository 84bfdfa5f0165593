// cuRAND's device API: generators and distributions.
#pragma once
#include "curand.h"

#pragma clang force_cuda_host_device begin

typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateMtgp32 curandStateMtgp32_t;
struct curandStateXORWOW {
    unsigned int state[12];
};
struct curandStatePhilox4_32_10 {
    unsigned int state[16];
};
struct curandStateMRG32k3a {
    unsigned int state[12];
};
struct curandStateSobol32 {
    unsigned int state[36];
};
struct curandStateScrambledSobol32 {
    unsigned int state[36];
};
struct curandStateMtgp32 {
    unsigned int state[1028];
};

void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                 curandStateXORWOW_t *state);
void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                 curandStatePhilox4_32_10_t *state);
void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                 curandStateMRG32k3a_t *state);
void curand_init(curandDirectionVectors32_t direction, unsigned int offset,
                 curandStateSobol32_t *state);
template <typename State> void skipahead(unsigned long long count, State *state);
template <typename State> void skipahead_sequence(unsigned long long count, State *state);
template <typename State> unsigned int curand(State *state);
template <typename State> float curand_uniform(State *state);
template <typename State> double curand_uniform_double(State *state);
template <typename State> float curand_normal(State *state);
template <typename State> double curand_normal_double(State *state);
template <typename State> float curand_log_normal(State *state, float mean, float deviation);
template <typename State>
double curand_log_normal_double(State *state, double mean, double deviation);
template <typename State> unsigned int curand_poisson(State *state, double lambda);
template <typename State>
unsigned int curand_discrete(State *state, curandDiscreteDistribution_t distribution);
template <typename State> float2 curand_normal2(State *state);
template <typename State> double2 curand_normal2_double(State *state);
template <typename State> float2 curand_log_normal2(State *state, float mean, float deviation);
template <typename State>
double2 curand_log_normal2_double(State *state, double mean, double deviation);
uint4 curand4(curandStatePhilox4_32_10_t *state);
float4 curand_uniform4(curandStatePhilox4_32_10_t *state);
double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state);
double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state);
float4 curand_normal4(curandStatePhilox4_32_10_t *state);
double4 curand_normal4_double(curandStatePhilox4_32_10_t *state);
float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float deviation);
uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda);

#pragma clang force_cuda_host_device end
