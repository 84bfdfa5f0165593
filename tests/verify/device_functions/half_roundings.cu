// Conversions of numbers of 16 bits and their fused multiply-add, against a search among all such
// numbers. The test makes the program for bfloat16 from this one.
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

const int MANTISSA = 10;
const int BIAS = 15;
const unsigned INFINITE = 0x8000 - (1u << MANTISSA);
const int MODES[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

// ---- what is tested ----------------------------------------------------------------------------

#define FOR_ALL_INTEGERS(DO)                                                                       \
    DO(int, __int2half, __half2int)                                                                \
    DO(unsigned, __uint2half, __half2uint)                                                         \
    DO(short, __short2half, __half2short)                                                          \
    DO(unsigned short, __ushort2half, __half2ushort)                                               \
    DO(long long, __ll2half, __half2ll)                                                            \
    DO(unsigned long long, __ull2half, __half2ull)

__global__ void from_floating(const double *x, unsigned short *out, int n)
{
    for (int i = 0; i < n; ++i, out += 5) {
        out[0] = __half_as_ushort(__float2half_rn(float(x[i])));
        out[1] = __half_as_ushort(__float2half_rz(float(x[i])));
        out[2] = __half_as_ushort(__float2half_ru(float(x[i])));
        out[3] = __half_as_ushort(__float2half_rd(float(x[i])));
        out[4] = __half_as_ushort(__double2half(x[i]));
    }
}

__global__ void from_integers(const long long *x, unsigned short *out, int n)
{
    for (int i = 0; i < n; ++i) {
#define FROM(T, from, to)                                                                          \
    out[0] = __half_as_ushort(from##_rn((T)x[i]));                                                 \
    out[1] = __half_as_ushort(from##_rz((T)x[i]));                                                 \
    out[2] = __half_as_ushort(from##_ru((T)x[i]));                                                 \
    out[3] = __half_as_ushort(from##_rd((T)x[i]));                                                 \
    out[4] = __half_as_ushort(__half((T)x[i]));                                                    \
    out += 5;
        FOR_ALL_INTEGERS(FROM)
    }
}

__global__ void to_integers(const unsigned short *x, long long *out, int n)
{
    for (int i = 0; i < n; ++i) {
        const __half value = __ushort_as_half(x[i]);
#define TO(T, from, to)                                                                            \
    out[0] = (long long)to##_rn(value);                                                            \
    out[1] = (long long)to##_rz(value);                                                            \
    out[2] = (long long)to##_ru(value);                                                            \
    out[3] = (long long)to##_rd(value);                                                            \
    out[4] = (long long)(T)value;                                                                  \
    out += 5;
        FOR_ALL_INTEGERS(TO)
        out[0] = __half2char_rz(value);
        out[1] = __half2uchar_rz(value);
        out += 2;
    }
}

__global__ void fused(const unsigned short *x, unsigned short *out, int n)
{
    for (int i = 0; i < n; i += 3)
        out[i / 3] = __half_as_ushort(__hfma(
            __ushort_as_half(x[i]), __ushort_as_half(x[i + 1]), __ushort_as_half(x[i + 2])));
}

// ---- what must come out ------------------------------------------------------------------------

int checked = 0, wrong = 0;

void expect(const char *what, double argument, long long found, long long expected)
{
    ++checked;
    if (found != expected && ++wrong < 20)
        std::printf("%s of %.17g: %lld, not %lld\n", what, argument, found, expected);
}

// Infinity counts as the power of two that follows the largest number.
long double magnitude(unsigned bits)
{
    const int exponent = bits >> MANTISSA, mantissa = bits & ((1 << MANTISSA) - 1);
    if (exponent == 0)
        return std::ldexp((long double)mantissa, 1 - BIAS - MANTISSA);
    return std::ldexp((long double)(mantissa + (1 << MANTISSA)), exponent - BIAS - MANTISSA);
}

unsigned rounded(long double x, int mode)
{
    if (std::isnan(x))
        return 0x7fff;
    const unsigned sign = std::signbit(x) ? 0x8000 : 0;
    const long double size = std::fabs(x);
    const bool outwards = mode == (sign ? FE_DOWNWARD : FE_UPWARD);
    unsigned low = 0, high = INFINITE;
    if (size >= magnitude(high))
        return sign | (outwards || mode == FE_TONEAREST || std::isinf(x) ? high : high - 1);
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (magnitude(middle) <= size ? low : high) = middle;
    }
    const long double above = size - magnitude(low), below = magnitude(high) - size;
    if (mode != FE_TONEAREST)
        return sign | (outwards && above > 0 ? high : low);
    return sign | (above < below || (above == below && low % 2 == 0) ? low : high);
}

template <class T> long long whole(float x, int mode)
{
    if (std::isnan(x))
        return sizeof(T) == 8 ? std::numeric_limits<long long>::min() : 0;
    std::fesetround(mode);
    const volatile long double near = std::nearbyint((long double)x);
    std::fesetround(FE_TONEAREST);
    if (near < (long double)std::numeric_limits<T>::min())
        return (long long)std::numeric_limits<T>::min();
    if (near > (long double)std::numeric_limits<T>::max())
        return (long long)std::numeric_limits<T>::max();
    return (long long)T(near);
}

// a * b + c in units of 2^-60. A last bit tells long double of what it cannot hold.
unsigned sum(const unsigned short *x)
{
    const auto units = [](unsigned short bits, int unit) {
        const __int128 size = (__int128)std::ldexp(magnitude(bits & 0x7fff), unit);
        return bits & 0x8000 ? -size : size;
    };
    const __int128 exact = units(x[0], 30) * units(x[1], 30) + units(x[2], 60);
    if (exact == 0)
        return 0;
    const unsigned __int128 size = exact < 0 ? -exact : exact;
    int shift = 0;
    while (size >> shift >> 62 != 0)
        ++shift;
    const unsigned long long top = (unsigned long long)(size >> shift);
    const bool rest = (unsigned __int128)top << shift != size;
    const long double near = std::ldexp((long double)(2 * top + rest), shift - 61);
    return rounded(exact < 0 ? -near : near, FE_TONEAREST);
}

// ---- arguments ---------------------------------------------------------------------------------

unsigned state = 1;
unsigned random_bits() { return (state = state * 1664525 + 1013904223) >> 8; }

// All numbers, what lies in the middle between two, and the doubles and floats beside that.
std::vector<double> floating()
{
    std::vector<double> all = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-300, -1e-300};
    for (unsigned bits = 0; bits < INFINITE; ++bits) {
        const double x = magnitude(bits), middle = (x + double(magnitude(bits + 1))) / 2;
        const float single = float(middle);
        for (double y : {x, middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e300),
                         double(std::nextafter(single, 0.0f)),
                         double(std::nextafter(single, INFINITY))})
            all.push_back(bits % 2 == 0 ? y : -y);
    }
    return all;
}

// Around the powers of two, and around what has few bits more than the numbers.
std::vector<long long> integers()
{
    std::vector<long long> all = {0};
    for (int shift = 0; shift < 64; ++shift)
        for (unsigned long long mantissa : {1, 257, 259, 2049, 2051, 4095})
            for (int more = -2; more <= 2; ++more) {
                all.push_back((long long)((mantissa << shift) + more));
                all.push_back((long long)(0 - (mantissa << shift) + more));
            }
    return all;
}

// Triples: the product often lies in the middle between two numbers, the summand may be tiny.
std::vector<unsigned short> factors()
{
    std::vector<unsigned short> all;
    for (int i = 0; i < 3 * 60000; ++i) {
        const int exponent = BIAS - 14 + random_bits() % (i % 3 == 2 ? 25 : 14);
        const unsigned mantissa = random_bits() & random_bits() & ((1u << MANTISSA) - 1);
        all.push_back((unsigned short)((random_bits() & 0x8000) | exponent << MANTISSA | mantissa));
    }
    return all;
}

template <class Out, class In>
std::vector<Out> results(void (*kernel)(const In *, Out *, int), const std::vector<In> &in,
                         int each)
{
    In *device_in;
    Out *device_out;
    std::vector<Out> out(in.size() * each);
    cudaMalloc(&device_in, in.size() * sizeof(In));
    cudaMalloc(&device_out, out.size() * sizeof(Out));
    cudaMemcpy(device_in, in.data(), in.size() * sizeof(In), cudaMemcpyHostToDevice);
    kernel<<<1, 1>>>(device_in, device_out, int(in.size()));
    cudaMemcpy(out.data(), device_out, out.size() * sizeof(Out), cudaMemcpyDeviceToHost);
    cudaFree(device_in);
    cudaFree(device_out);
    return out;
}

int main()
{
    const std::vector<double> numbers = floating();
    const std::vector<unsigned short> narrow = results(from_floating, numbers, 5);
    const unsigned short *bits = narrow.data();
    for (double x : numbers) {
        for (int mode : MODES)
            expect("float2half", x, *bits++, rounded(float(x), mode));
        expect("double2half", x, *bits++, rounded(x, FE_TONEAREST));
    }

    const std::vector<long long> all_whole = integers();
    const std::vector<unsigned short> from = results(from_integers, all_whole, 30);
    bits = from.data();
    for (long long x : all_whole) {
#define CHECK_FROM(T, from, to)                                                                    \
    for (int mode : {0, 1, 2, 3, 0})                                                               \
        expect(#from, double(x), *bits++, rounded((T)x, MODES[mode]));
        FOR_ALL_INTEGERS(CHECK_FROM)
    }

    std::vector<unsigned short> all_bits;
    for (unsigned i = 0; i < 0x10000; ++i)
        all_bits.push_back((unsigned short)i);
    const std::vector<long long> to = results(to_integers, all_bits, 32);
    const long long *value = to.data();
    for (unsigned short i : all_bits) {
        const float x = __half2float(__ushort_as_half(i));
        const float size = float(magnitude(i & 0x7fff));
        if ((i & 0x7fff) < INFINITE)
            expect("half2float", i, x == (i & 0x8000 ? -size : size), 1);
#define CHECK_TO(T, from, to)                                                                      \
    for (int mode : {0, 1, 2, 3, 1})                                                               \
        expect(#to, x, *value++, whole<T>(x, MODES[mode]));
        FOR_ALL_INTEGERS(CHECK_TO)
        expect("half2char", x, *value++, whole<signed char>(x, FE_TOWARDZERO));
        expect("half2uchar", x, *value++, whole<unsigned char>(x, FE_TOWARDZERO));
    }

    const std::vector<unsigned short> terms = factors();
    const std::vector<unsigned short> sums = results(fused, terms, 1);
    for (size_t i = 0; i < terms.size(); i += 3)
        expect("fma", double(i), sums[i / 3], sum(&terms[i]));

    std::printf("%s: %d wrong\n", checked > 2000000 ? "all" : "too few", wrong);
    return wrong != 0;
}
