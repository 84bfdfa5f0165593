// Barriers, fences, warp operations, atomics, loads and integer intrinsics of device code.
#pragma once

// Barriers and fences. __syncthreads is in g2o_cuda.h.
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);
void __syncwarp(unsigned int mask = 0xffffffffu);
void __threadfence();
void __threadfence_block();
void __threadfence_system();

// Warp shuffles, votes, matches and reductions.
#define G2O_SHUFFLES(type)                                                                         \
    type __shfl_sync(unsigned int mask, type value, int lane, int width = 32);                     \
    type __shfl_up_sync(unsigned int mask, type value, unsigned int delta, int width = 32);        \
    type __shfl_down_sync(unsigned int mask, type value, unsigned int delta, int width = 32);      \
    type __shfl_xor_sync(unsigned int mask, type value, int lane_mask, int width = 32);            \
    type __shfl(type value, int lane, int width = 32);                                             \
    type __shfl_up(type value, unsigned int delta, int width = 32);                                \
    type __shfl_down(type value, unsigned int delta, int width = 32);                              \
    type __shfl_xor(type value, int lane_mask, int width = 32);
G2O_SHUFFLES(int)
G2O_SHUFFLES(unsigned int)
G2O_SHUFFLES(long)
G2O_SHUFFLES(unsigned long)
G2O_SHUFFLES(long long)
G2O_SHUFFLES(unsigned long long)
G2O_SHUFFLES(float)
G2O_SHUFFLES(double)
#undef G2O_SHUFFLES

unsigned int __activemask();
int __all_sync(unsigned int mask, int predicate);
int __any_sync(unsigned int mask, int predicate);
int __uni_sync(unsigned int mask, int predicate);
unsigned int __ballot_sync(unsigned int mask, int predicate);
int __all(int predicate);
int __any(int predicate);
unsigned int __ballot(int predicate);
template <typename T> unsigned int __match_any_sync(unsigned int mask, T value);
template <typename T> unsigned int __match_all_sync(unsigned int mask, T value, int *predicate);
unsigned int __reduce_add_sync(unsigned int mask, unsigned int value);
int __reduce_add_sync(unsigned int mask, int value);
unsigned int __reduce_min_sync(unsigned int mask, unsigned int value);
int __reduce_min_sync(unsigned int mask, int value);
unsigned int __reduce_max_sync(unsigned int mask, unsigned int value);
int __reduce_max_sync(unsigned int mask, int value);
unsigned int __reduce_and_sync(unsigned int mask, unsigned int value);
unsigned int __reduce_or_sync(unsigned int mask, unsigned int value);
unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value);

// Atomics: exactly CUDA's overloads, so that a program's own overloads stay its own.
#define G2O_ATOMIC(name, type)                                                                     \
    type name(type *address, type value);                                                          \
    type name##_block(type *address, type value);                                                  \
    type name##_system(type *address, type value);
#define G2O_ATOMIC_32(name)                                                                        \
    G2O_ATOMIC(name, int)                                                                          \
    G2O_ATOMIC(name, unsigned int)
#define G2O_ATOMIC_64(name)                                                                        \
    G2O_ATOMIC(name, long long)                                                                    \
    G2O_ATOMIC(name, unsigned long long)
#define G2O_ATOMIC_CAS(type)                                                                       \
    type atomicCAS(type *address, type compare, type value);                                       \
    type atomicCAS_block(type *address, type compare, type value);                                 \
    type atomicCAS_system(type *address, type compare, type value);

G2O_ATOMIC_32(atomicAdd)
G2O_ATOMIC(atomicAdd, unsigned long long)
G2O_ATOMIC(atomicAdd, float)
// A template, because programs that still support old devices define it themselves.
template <typename = void> double atomicAdd(double *address, double value);
template <typename = void> double atomicAdd_block(double *address, double value);
template <typename = void> double atomicAdd_system(double *address, double value);
G2O_ATOMIC(atomicAdd, float2)
G2O_ATOMIC(atomicAdd, float4)
G2O_ATOMIC_32(atomicSub)
G2O_ATOMIC_32(atomicExch)
G2O_ATOMIC(atomicExch, unsigned long long)
G2O_ATOMIC(atomicExch, float)
G2O_ATOMIC_32(atomicMin)
G2O_ATOMIC_64(atomicMin)
G2O_ATOMIC_32(atomicMax)
G2O_ATOMIC_64(atomicMax)
G2O_ATOMIC_32(atomicAnd)
G2O_ATOMIC_64(atomicAnd)
G2O_ATOMIC_32(atomicOr)
G2O_ATOMIC_64(atomicOr)
G2O_ATOMIC_32(atomicXor)
G2O_ATOMIC_64(atomicXor)
G2O_ATOMIC(atomicInc, unsigned int)
G2O_ATOMIC(atomicDec, unsigned int)
G2O_ATOMIC_CAS(int)
G2O_ATOMIC_CAS(unsigned int)
G2O_ATOMIC_CAS(unsigned long long)
G2O_ATOMIC_CAS(unsigned short)
#undef G2O_ATOMIC
#undef G2O_ATOMIC_32
#undef G2O_ATOMIC_64
#undef G2O_ATOMIC_CAS

// Loads and stores with cache hints.
template <typename T> T __ldg(const T *address);
template <typename T> T __ldca(const T *address);
template <typename T> T __ldcg(const T *address);
template <typename T> T __ldcs(const T *address);
template <typename T> T __ldcv(const T *address);
template <typename T> T __ldlu(const T *address);
template <typename T, typename V> void __stwb(T *address, V value);
template <typename T, typename V> void __stcg(T *address, V value);
template <typename T, typename V> void __stcs(T *address, V value);
template <typename T, typename V> void __stwt(T *address, V value);

// Integer intrinsics.
int __popc(unsigned int value);
int __popcll(unsigned long long value);
int __clz(int value);
int __clzll(long long value);
int __ffs(int value);
int __ffsll(long long value);
unsigned int __brev(unsigned int value);
unsigned long long __brevll(unsigned long long value);
unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int selector);
unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift);
unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift);
unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift);
unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift);
unsigned int __fns(unsigned int mask, unsigned int base, int offset);
int __mul24(int a, int b);
unsigned int __umul24(unsigned int a, unsigned int b);
int mul24(int a, int b);
unsigned int umul24(unsigned int a, unsigned int b);
int __mulhi(int a, int b);
unsigned int __umulhi(unsigned int a, unsigned int b);
int mulhi(int a, int b);
unsigned int umulhi(unsigned int a, unsigned int b);
long long __mul64hi(long long a, long long b);
unsigned long long __umul64hi(unsigned long long a, unsigned long long b);
int __hadd(int a, int b);
int __rhadd(int a, int b);
unsigned int __uhadd(unsigned int a, unsigned int b);
unsigned int __urhadd(unsigned int a, unsigned int b);
unsigned int __sad(int a, int b, unsigned int c);
unsigned int __usad(unsigned int a, unsigned int b, unsigned int c);
#define G2O_DOT_PRODUCT(name, Vector)                                                              \
    int name(int a, int b, int c);                                                                 \
    unsigned int name(unsigned int a, unsigned int b, unsigned int c);                             \
    int name(Vector a, char4 b, int c);                                                            \
    unsigned int name(u##Vector a, uchar4 b, unsigned int c);
G2O_DOT_PRODUCT(__dp4a, char4)
G2O_DOT_PRODUCT(__dp2a_lo, short2)
G2O_DOT_PRODUCT(__dp2a_hi, short2)
#undef G2O_DOT_PRODUCT

// Video instructions: four bytes or two half-words in one word.
#define G2O_SIMD(name)                                                                             \
    unsigned int __v##name##2(unsigned int a, unsigned int b);                                     \
    unsigned int __v##name##4(unsigned int a, unsigned int b);
G2O_SIMD(add)
G2O_SIMD(addss)
G2O_SIMD(addus)
G2O_SIMD(sub)
G2O_SIMD(subss)
G2O_SIMD(subus)
G2O_SIMD(absdiffs)
G2O_SIMD(absdiffu)
G2O_SIMD(avgs)
G2O_SIMD(avgu)
G2O_SIMD(haddu)
G2O_SIMD(mins)
G2O_SIMD(minu)
G2O_SIMD(maxs)
G2O_SIMD(maxu)
G2O_SIMD(cmpeq)
G2O_SIMD(cmpne)
G2O_SIMD(cmpges)
G2O_SIMD(cmpgeu)
G2O_SIMD(cmpgts)
G2O_SIMD(cmpgtu)
G2O_SIMD(cmples)
G2O_SIMD(cmpleu)
G2O_SIMD(cmplts)
G2O_SIMD(cmpltu)
G2O_SIMD(seteq)
G2O_SIMD(setne)
G2O_SIMD(setges)
G2O_SIMD(setgeu)
G2O_SIMD(setgts)
G2O_SIMD(setgtu)
G2O_SIMD(setles)
G2O_SIMD(setleu)
G2O_SIMD(setlts)
G2O_SIMD(setltu)
G2O_SIMD(sads)
G2O_SIMD(sadu)
#undef G2O_SIMD
unsigned int __vabs2(unsigned int a);
unsigned int __vabs4(unsigned int a);
unsigned int __vabsss2(unsigned int a);
unsigned int __vabsss4(unsigned int a);
unsigned int __vneg2(unsigned int a);
unsigned int __vneg4(unsigned int a);
unsigned int __vnegss2(unsigned int a);
unsigned int __vnegss4(unsigned int a);

// Minima and maxima of three values, or of a sum and a value (Hopper's DPX).
#define G2O_DPX(name, type)                                                                        \
    type __viaddmax_##name(type a, type b, type c);                                                \
    type __viaddmin_##name(type a, type b, type c);                                                \
    type __vimax3_##name(type a, type b, type c);                                                  \
    type __vimin3_##name(type a, type b, type c);
#define G2O_DPX_PREDICATE(name, type, ...)                                                         \
    type __vibmax_##name(type a, type b, __VA_ARGS__);                                             \
    type __vibmin_##name(type a, type b, __VA_ARGS__);
G2O_DPX(s32, int)
G2O_DPX(s32_relu, int)
G2O_DPX(u32, unsigned int)
G2O_DPX(s16x2, unsigned int)
G2O_DPX(s16x2_relu, unsigned int)
G2O_DPX(u16x2, unsigned int)
G2O_DPX_PREDICATE(s32, int, bool *first)
G2O_DPX_PREDICATE(u32, unsigned int, bool *first)
G2O_DPX_PREDICATE(s16x2, unsigned int, bool *high, bool *low)
G2O_DPX_PREDICATE(u16x2, unsigned int, bool *high, bool *low)
int __vimax_s32_relu(int a, int b);
int __vimin_s32_relu(int a, int b);
unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b);
unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b);
#undef G2O_DPX
#undef G2O_DPX_PREDICATE

// Clocks, traps, address spaces and clusters of blocks.
long long clock64();
void __trap();
void __brkpt();
void __nanosleep(unsigned int nanoseconds);
void __prof_trigger(int counter);
unsigned int __pm0();
unsigned int __pm1();
unsigned int __pm2();
unsigned int __pm3();
unsigned int __isGlobal(const void *address);
unsigned int __isShared(const void *address);
unsigned int __isConstant(const void *address);
unsigned int __isLocal(const void *address);
unsigned int __isGridConstant(const void *address);
unsigned int __isCtaShared(const void *address);
unsigned int __isClusterShared(const void *address);
size_t __cvta_generic_to_global(const void *address);
size_t __cvta_generic_to_shared(const void *address);
size_t __cvta_generic_to_local(const void *address);
size_t __cvta_generic_to_constant(const void *address);
size_t __cvta_generic_to_grid_constant(const void *address);
void *__cvta_global_to_generic(size_t address);
void *__cvta_shared_to_generic(size_t address);
void *__cvta_local_to_generic(size_t address);
void *__cvta_constant_to_generic(size_t address);
void *__cvta_grid_constant_to_generic(size_t address);
unsigned int __clusterDimIsSpecified();
dim3 __clusterDim();
dim3 __clusterIdx();
dim3 __clusterGridDimInClusters();
dim3 __clusterRelativeBlockIdx();
unsigned int __clusterRelativeBlockRank();
unsigned int __clusterSizeInBlocks();
void __cluster_barrier_arrive();
void __cluster_barrier_arrive_relaxed();
void __cluster_barrier_wait();
void __threadfence_cluster();
void *__cluster_map_shared_rank(const void *address, unsigned int rank);
unsigned int __cluster_query_shared_rank(const void *address);
