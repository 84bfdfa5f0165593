// The x86 vector types and their common intrinsics, for host code that uses them. GCC's headers are
// written with builtins that clang has not, and the libclang wheel brings none of clang's.
#pragma once
#include <stddef.h>

typedef float __m128 __attribute__((__vector_size__(16), __aligned__(16)));
typedef double __m128d __attribute__((__vector_size__(16), __aligned__(16)));
typedef long long __m128i __attribute__((__vector_size__(16), __aligned__(16)));
typedef float __m256 __attribute__((__vector_size__(32), __aligned__(32)));
typedef double __m256d __attribute__((__vector_size__(32), __aligned__(32)));
typedef long long __m256i __attribute__((__vector_size__(32), __aligned__(32)));
typedef float __m512 __attribute__((__vector_size__(64), __aligned__(64)));
typedef double __m512d __attribute__((__vector_size__(64), __aligned__(64)));
typedef long long __m512i __attribute__((__vector_size__(64), __aligned__(64)));

#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _MM_SHUFFLE(z, y, x, w) (((z) << 6) | ((y) << 4) | ((x) << 2) | (w))
#define _MM_FLUSH_ZERO_ON 0x8000
#define _MM_DENORMALS_ZERO_ON 0x0040
#define _MM_SET_FLUSH_ZERO_MODE(mode) _mm_setcsr((_mm_getcsr() & ~0x8000u) | (mode))
#define _MM_SET_DENORMALS_ZERO_MODE(mode) _mm_setcsr((_mm_getcsr() & ~0x0040u) | (mode))

// Arithmetic, comparison and memory, for a vector of floating components.
#define G2O_FLOATING(prefix, suffix, vector, component)                                            \
    vector prefix##_add_##suffix(vector a, vector b);                                              \
    vector prefix##_sub_##suffix(vector a, vector b);                                              \
    vector prefix##_mul_##suffix(vector a, vector b);                                              \
    vector prefix##_div_##suffix(vector a, vector b);                                              \
    vector prefix##_min_##suffix(vector a, vector b);                                              \
    vector prefix##_max_##suffix(vector a, vector b);                                              \
    vector prefix##_and_##suffix(vector a, vector b);                                              \
    vector prefix##_or_##suffix(vector a, vector b);                                               \
    vector prefix##_xor_##suffix(vector a, vector b);                                              \
    vector prefix##_andnot_##suffix(vector a, vector b);                                           \
    vector prefix##_hadd_##suffix(vector a, vector b);                                             \
    vector prefix##_unpacklo_##suffix(vector a, vector b);                                         \
    vector prefix##_unpackhi_##suffix(vector a, vector b);                                         \
    vector prefix##_sqrt_##suffix(vector a);                                                       \
    vector prefix##_rcp_##suffix(vector a);                                                        \
    vector prefix##_rsqrt_##suffix(vector a);                                                      \
    vector prefix##_floor_##suffix(vector a);                                                      \
    vector prefix##_ceil_##suffix(vector a);                                                       \
    vector prefix##_fmadd_##suffix(vector a, vector b, vector c);                                  \
    vector prefix##_fmsub_##suffix(vector a, vector b, vector c);                                  \
    vector prefix##_fnmadd_##suffix(vector a, vector b, vector c);                                 \
    vector prefix##_blendv_##suffix(vector a, vector b, vector mask);                              \
    vector prefix##_shuffle_##suffix(vector a, vector b, int control);                             \
    vector prefix##_set1_##suffix(component value);                                                \
    vector prefix##_setzero_##suffix();                                                            \
    template <typename... T> vector prefix##_set_##suffix(T... values);                            \
    template <typename... T> vector prefix##_setr_##suffix(T... values);                           \
    vector prefix##_load_##suffix(const component *from);                                          \
    vector prefix##_loadu_##suffix(const component *from);                                         \
    void prefix##_store_##suffix(component *to, vector value);                                     \
    void prefix##_storeu_##suffix(component *to, vector value);                                    \
    void prefix##_stream_##suffix(component *to, vector value);                                    \
    int prefix##_movemask_##suffix(vector value);
G2O_FLOATING(_mm, ps, __m128, float)
G2O_FLOATING(_mm, pd, __m128d, double)
G2O_FLOATING(_mm256, ps, __m256, float)
G2O_FLOATING(_mm256, pd, __m256d, double)
G2O_FLOATING(_mm512, ps, __m512, float)
G2O_FLOATING(_mm512, pd, __m512d, double)
#undef G2O_FLOATING

// The same for vectors of integers.
#define G2O_INTEGER_LANES(prefix, suffix, vector, component)                                       \
    vector prefix##_add_##suffix(vector a, vector b);                                              \
    vector prefix##_sub_##suffix(vector a, vector b);                                              \
    vector prefix##_min_##suffix(vector a, vector b);                                              \
    vector prefix##_max_##suffix(vector a, vector b);                                              \
    vector prefix##_cmpeq_##suffix(vector a, vector b);                                            \
    vector prefix##_cmpgt_##suffix(vector a, vector b);                                            \
    vector prefix##_mullo_##suffix(vector a, vector b);                                            \
    vector prefix##_slli_##suffix(vector a, int count);                                            \
    vector prefix##_srli_##suffix(vector a, int count);                                            \
    vector prefix##_srai_##suffix(vector a, int count);                                            \
    vector prefix##_set1_##suffix(component value);                                                \
    template <typename... T> vector prefix##_set_##suffix(T... values);                            \
    template <typename... T> vector prefix##_setr_##suffix(T... values);
#define G2O_INTEGER(prefix, bits, vector)                                                          \
    G2O_INTEGER_LANES(prefix, epi8, vector, char)                                                  \
    G2O_INTEGER_LANES(prefix, epi16, vector, short)                                                \
    G2O_INTEGER_LANES(prefix, epi32, vector, int)                                                  \
    G2O_INTEGER_LANES(prefix, epi64, vector, long long)                                            \
    vector prefix##_and_si##bits(vector a, vector b);                                              \
    vector prefix##_or_si##bits(vector a, vector b);                                               \
    vector prefix##_xor_si##bits(vector a, vector b);                                              \
    vector prefix##_andnot_si##bits(vector a, vector b);                                           \
    vector prefix##_setzero_si##bits();                                                            \
    vector prefix##_load_si##bits(const vector *from);                                             \
    vector prefix##_loadu_si##bits(const vector *from);                                            \
    void prefix##_store_si##bits(vector *to, vector value);                                        \
    void prefix##_storeu_si##bits(vector *to, vector value);                                       \
    int prefix##_movemask_epi8(vector value);                                                      \
    vector prefix##_shuffle_epi8(vector a, vector b);                                              \
    vector prefix##_shuffle_epi32(vector a, int control);
G2O_INTEGER(_mm, 128, __m128i)
G2O_INTEGER(_mm256, 256, __m256i)
G2O_INTEGER(_mm512, 512, __m512i)
#undef G2O_INTEGER
#undef G2O_INTEGER_LANES

void *_mm_malloc(size_t bytes, size_t alignment);
void _mm_free(void *pointer);
__m128 _mm_set_ss(float value);
__m128d _mm_set_sd(double value);
float _mm_cvtss_f32(__m128 value);
double _mm_cvtsd_f64(__m128d value);
float _mm256_cvtss_f32(__m256 value);
double _mm256_cvtsd_f64(__m256d value);
__m128 _mm256_castps256_ps128(__m256 value);
__m128d _mm256_castpd256_pd128(__m256d value);
__m128 _mm256_extractf128_ps(__m256 value, int half);
__m128d _mm256_extractf128_pd(__m256d value, int half);
__m128 _mm_movehl_ps(__m128 a, __m128 b);
__m128 _mm_movehdup_ps(__m128 a);
__m128 _mm_add_ss(__m128 a, __m128 b);
__m128d _mm_add_sd(__m128d a, __m128d b);
float _mm512_reduce_add_ps(__m512 value);
double _mm512_reduce_add_pd(__m512d value);
__m256 _mm256_cvtepi32_ps(__m256i value);
__m256i _mm256_cvtps_epi32(__m256 value);
__m256i _mm256_cvttps_epi32(__m256 value);
__m128 _mm_cvtepi32_ps(__m128i value);
__m128i _mm_cvtps_epi32(__m128 value);
__m128i _mm_cvttps_epi32(__m128 value);
__m256 _mm256_castsi256_ps(__m256i value);
__m256i _mm256_castps_si256(__m256 value);
__m128 _mm_castsi128_ps(__m128i value);
__m128i _mm_castps_si128(__m128 value);
__m256 _mm256_broadcast_ss(const float *from);
__m256d _mm256_broadcast_sd(const double *from);
__m256 _mm256_cmp_ps(__m256 a, __m256 b, int predicate);
__m256d _mm256_cmp_pd(__m256d a, __m256d b, int predicate);

unsigned int _mm_getcsr();
void _mm_setcsr(unsigned int value);
void _mm_pause();
void _mm_sfence();
void _mm_lfence();
void _mm_mfence();
void _mm_clflush(const void *address);
void _mm_prefetch(const void *address, int hint);
int _mm_popcnt_u32(unsigned int value);
long long _mm_popcnt_u64(unsigned long long value);
unsigned int _mm_crc32_u32(unsigned int crc, unsigned int value);
unsigned int _lzcnt_u32(unsigned int value);
unsigned int _tzcnt_u32(unsigned int value);
unsigned long long _lzcnt_u64(unsigned long long value);
unsigned long long _tzcnt_u64(unsigned long long value);
unsigned int _pdep_u32(unsigned int value, unsigned int mask);
unsigned int _pext_u32(unsigned int value, unsigned int mask);
unsigned long long _pdep_u64(unsigned long long value, unsigned long long mask);
unsigned long long _pext_u64(unsigned long long value, unsigned long long mask);
