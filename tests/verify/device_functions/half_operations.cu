// Operations on pairs of halves, printed as `name a b result`, and what else their header declares.
#include <cstdio>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define FOR_ALL_VALUES(DO)                                                                         \
    DO(add, a + b) DO(add_rn, __hadd2_rn(a, b)) DO(sub, a - b) DO(mul, __hmul2(a, b))              \
    DO(div, a / b) DO(max, __hmax2(a, b)) DO(min, __hmin2(a, b)) DO(max_nan, __hmax2_nan(a, b))    \
    DO(neg, -a) DO(abs, __habs2(a)) DO(sqrt, h2sqrt(a)) DO(floor, h2floor(a)) DO(ceil, h2ceil(a))  \
    DO(trunc, h2trunc(a)) DO(rint, h2rint(a)) DO(equ, __hequ2(a, b)) DO(lt, __hlt2(a, b))
#define FOR_ALL_COMPARISONS(DO)                                                                    \
    DO(eq, ==) DO(ne, !=) DO(lt, <) DO(le, <=) DO(gt, >) DO(ge, >=)

__global__ void values(const half2 *x, const half2 *y, half2 *out, unsigned *masks, int n)
{
    for (int i = 0; i < n; ++i) {
        const half2 a = x[i], b = y[i];
#define VALUE(name, expression) *out++ = expression;
        FOR_ALL_VALUES(VALUE)
#define MASKS(name, operation)                                                                     \
    *masks++ = __h##name##2_mask(a, b);                                                            \
    *masks++ = __h##name##u2_mask(a, b);                                                           \
    *masks++ = __hb##name##2(a, b) | __hb##name##u2(a, b) << 1 | (a operation b) << 2;
        FOR_ALL_COMPARISONS(MASKS)
    }
}

__global__ void others(half *h, half2 *p, int *ok)
{
    const int t = threadIdx.x;
    // A complex product and sum, (1 + 2i) * (3 + 4i) + (5 + 6i).
    const half2 complex = __hcmadd(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4),
                                   __floats2half2_rn(5, 6));
    ok[t] = complex == __floats2half2_rn(0, 16);
    half2 counted = __floats2half2_rn(t, -t);
    half2 before = counted++;
    --counted;
    ok[t] &= counted == before && __lowhigh2highlow(before) == __floats2half2_rn(-t, t);
    ok[t] &= __highs2half2(before, counted) == __half2half2(__high2half(before));
    // Both differ, or != does not hold.
    ok[t] &= !(__floats2half2_rn(1, 2) != __floats2half2_rn(1, 3));
    ok[t] &= before < __floats2half2_rn(t + 1, 1) && !(before < __floats2half2_rn(t + 1, -t));
    const __half_raw raw = __float2half(1.5f);
    ok[t] &= raw.x == 0x3e00 && half(raw) == half(1.5) && +h[t] == h[t];
    const int whole = h[t]; // towards zero
    ok[t] &= whole == t / 2 && (unsigned char)half(300) == 255 && short(half(-1e9)) == -32768;
    ok[t] &= CUDART_MAX_NORMAL_FP16 < CUDART_INF_FP16 && __hisnan(CUDART_NAN_FP16);
    __stcg(&p[t], __ldg(&p[t]) + __half2half2(CUDART_ONE_FP16));
    __stwt(&h[t], __ldcs(&h[t]));
}

__global__ void totals(half *sums, half2 *pair)
{
    atomicAdd(&sums[threadIdx.x % 3], half(1));
    atomicAdd(pair, __floats2half2_rn(1, -2));
}

unsigned state = 1;

half random_half()
{
    static const unsigned short special[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00,
                                             0x7fff, 1,      0x83ff, 0x400,  0x7bff, 0x3800};
    state = state * 1664525 + 1013904223;
    const unsigned bits = state >> 16;
    return __ushort_as_half((unsigned short)(state >> 12 & 3 ? bits : special[bits % 12]));
}

template <class T> T *managed(size_t count)
{
    T *memory;
    cudaMallocManaged(&memory, count * sizeof(T));
    return memory;
}

int main()
{
    const int n = 1000, threads = 96;
    half2 *x = managed<half2>(n), *y = managed<half2>(n), *out = managed<half2>(17 * n);
    unsigned *masks = managed<unsigned>(18 * n);
    for (int i = 0; i < n; ++i) {
        x[i] = __halves2half2(random_half(), random_half());
        y[i] = __halves2half2(random_half(), random_half());
    }
    values<<<1, 1>>>(x, y, out, masks, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) {
        const int a = __half_as_ushort(x[i].x), b = __half_as_ushort(y[i].x);
        const int a2 = __half_as_ushort(x[i].y), b2 = __half_as_ushort(y[i].y);
#define PRINT(name, expression)                                                                    \
    std::printf(#name " %d %d %d\n", a, b, __half_as_ushort(out->x));                              \
    std::printf(#name " %d %d %d\n", a2, b2, __half_as_ushort(out++->y));
        FOR_ALL_VALUES(PRINT)
#define PRINT_MASKS(name, operation)                                                               \
    std::printf("mask_" #name " %d %d %u %u\n", a, b, masks[0] & 0xffff, masks[1] & 0xffff);       \
    std::printf("mask_" #name " %d %d %u %u\n", a2, b2, masks[0] >> 16, masks[1] >> 16);           \
    std::printf("both_" #name " %u %u %u\n", masks[0], masks[1], masks[2]);                        \
    masks += 3;
        FOR_ALL_COMPARISONS(PRINT_MASKS)
    }

    half *h = managed<half>(threads), *sums = managed<half>(5);
    half2 *p = managed<half2>(threads), *pair = managed<half2>(1);
    int *ok = managed<int>(threads), all_ok = 1;
    for (int t = 0; t < threads; ++t) {
        h[t] = t * 0.5f;
        p[t] = __floats2half2_rn(t, 2 * t);
    }
    for (int i = 0; i < 5; ++i)
        sums[i] = 0;
    *pair = __floats2half2_rn(0, 0);
    others<<<1, threads>>>(h, p, ok);
    totals<<<8, threads>>>(sums, pair);
    cudaDeviceSynchronize();
    for (int t = 0; t < threads; ++t)
        all_ok &= ok[t] && p[t] == __floats2half2_rn(t + 1, 2 * t + 1) && h[t] == half(t * 0.5f);
    for (int i = 0; i < 3; ++i) // and their neighbours in the same word
        all_ok &= sums[i] == half(256) && sums[3] == half(0);
    all_ok &= *pair == __floats2half2_rn(768, -1536);
    std::printf("others %s\n", all_ok ? "right" : "wrong");
}
