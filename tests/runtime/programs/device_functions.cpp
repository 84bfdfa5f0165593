// Intrinsics. Integer ones are checked here; numbers are printed, as `function argument... result`
// in hexadecimal, for a reference to check them.
#include "check.hpp"
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"

#include <string>

template <class R, class... A> static void show(const char *name, R result, A... arguments)
{
    std::printf("%s", name);
    (std::printf(" %a", double(arguments)), ...);
    std::printf(" %a\n", double(result));
}
#define SHOW(function, ...) show(#function, g2o::function(__VA_ARGS__), __VA_ARGS__)

// Integers do not fit into a double: they are printed in decimal.
template <class R, class A> static void show_rounded(const char *name, R result, A argument)
{
    const std::string text = std::to_string(argument);
    std::printf("%s %s %a\n", name, text.c_str(), double(result));
}
#define SHOW_ALL_ROUNDINGS(function, x)                                                            \
    show_rounded(#function "_rn", g2o::function##_rn(x), x);                                       \
    show_rounded(#function "_rz", g2o::function##_rz(x), x);                                       \
    show_rounded(#function "_ru", g2o::function##_ru(x), x);                                       \
    show_rounded(#function "_rd", g2o::function##_rd(x), x);

static void integers()
{
    CHECK(g2o::popc(0xff) == 8 && g2o::popcll(~0ull) == 64);
    CHECK(g2o::clz(0) == 32 && g2o::clz(1) == 31 && g2o::clz(-1) == 0 && g2o::clzll(1) == 63);
    CHECK(g2o::clzll(0) == 64 && g2o::ffs(0) == 0 && g2o::ffs(8) == 4 &&
          g2o::ffsll(1ll << 40) == 41);
    CHECK(g2o::brev(1) == 0x80000000u && g2o::brev(0x12345678) == 0x1e6a2c48u);
    CHECK(g2o::brevll(2) == 1ull << 62);
    CHECK(g2o::byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311u);
    CHECK(g2o::funnelshift_l(0x80000000, 1, 1) == 3 && g2o::funnelshift_l(5, 7, 32) == 7);
    CHECK(g2o::funnelshift_r(1, 3, 33) == 0x80000000u && g2o::funnelshift_rc(5, 7, 99) == 7);
    CHECK(g2o::funnelshift_lc(5, 7, 40) == 5);
    CHECK(g2o::shift_left(5u, 32) == 0 && g2o::shift_left(5u, 31) == 0x80000000u);
    CHECK(g2o::shift_left((unsigned char)(3), 8) == 768 && g2o::shift_left(1ull, 63) >> 63 == 1);
    CHECK(g2o::shift_right(-5, 32) == -1 && g2o::shift_right(-5, 31) == -1);
    CHECK(g2o::shift_right(5, 40) == 0 && g2o::shift_right(~0ull, 64) == 0);
    CHECK(g2o::shift_right(-8, 1) == -4 && g2o::shift_right(~0u, 4) == 0x0fffffffu);
    CHECK(g2o::mul24(-3, 5) == -15 && g2o::mul24(0x1000002, 3) == 6 &&
          g2o::umul24(1 << 24, 3) == 0);
    CHECK(g2o::mulhi(-1, 5) == -1 && g2o::umulhi(1u << 31, 4) == 2);
    CHECK(g2o::umul64hi(~0ull, ~0ull) == ~0ull - 1 && g2o::mul64hi(-5, 7) == -1);
    CHECK(g2o::mul64hi(LLONG_MIN, LLONG_MIN) == 1ll << 62);
    CHECK(g2o::hadd(-3, 2) == -1 && g2o::rhadd(-3, 2) == 0 &&
          g2o::hadd(INT_MAX, INT_MAX) == INT_MAX);
    CHECK(g2o::uhadd(~0u, 1) == 1u << 31 && g2o::urhadd(1, 2) == 2);
    CHECK(g2o::sad(-5, 7, 1) == 13 && g2o::usad(5, 7, 1) == 3);
    CHECK(g2o::sad(INT_MIN, INT_MAX, 0) == ~0u);
    CHECK(g2o::dp4a(0x01ff0304, 0x02020202, 10) == 10 + 2 - 2 + 6 + 8);
    CHECK(g2o::dp4a(0x01ff0304u, 0x02020202u, 0u) == 2u + 510 + 6 + 8);
}

static void bit_patterns()
{
    CHECK(g2o::float_as_int(1.0f) == 0x3f800000 && g2o::uint_as_float(0xc0000000u) == -2.0f);
    CHECK(g2o::longlong_as_double(g2o::double_as_longlong(-0.1)) == -0.1);
    CHECK(g2o::hiloint2double(g2o::double2hiint(-0.1), g2o::double2loint(-0.1)) == -0.1);
    const int x = 3;
    int y = 0;
    g2o::stcs(&y, g2o::ldg(&x));
    CHECK(y == 3);
}

static void min_max()
{
    const float nan = NAN;
    CHECK(g2o::min(nan, 1.0f) == 1 && g2o::min(1.0f, nan) == 1 && g2o::max(nan, 1.0f) == 1);
    CHECK(g2o::max(1.0f, nan) == 1 && g2o::max(nan, nan) != g2o::max(nan, nan));
    CHECK(g2o::min(2, 1.5) == 1.5 && g2o::max(-1, 2u) == ~0u && g2o::max(3ll, 5) == 5);
    CHECK(g2o::fmaxf(nan, 1.0f) == 1 && g2o::fminf(1.0f, nan) == 1 && g2o::fmax(nan, 2.0) == 2);
    static_assert(std::is_same_v<decltype(g2o::fmin(1.0f, 2.0f)), float>);
    static_assert(std::is_same_v<decltype(g2o::fmin(1.0f, 2)), double>);
    static_assert(g2o::min(7, 3) == 3 && g2o::max(7u, 3u) == 7);
    static_assert(std::is_same_v<decltype(g2o::min(1, 2u)), unsigned>);
    static_assert(std::is_same_v<decltype(g2o::min(1.0f, 2)), float>);
    static_assert(std::is_same_v<decltype(g2o::max(1.0f, 2.0)), double>);
}

static void to_integers()
{
    CHECK(g2o::float2int_rn(2.5f) == 2 && g2o::float2int_rn(-3.5f) == -4);
    CHECK(g2o::float2int_rz(-1.7f) == -1 && g2o::float2int_rd(-1.2f) == -2);
    CHECK(g2o::double2int_ru(1.2) == 2 && g2o::double2uint_rn(3e9) == 3000000000u);
    CHECK(g2o::float2int_rz(1e20f) == INT_MAX && g2o::float2int_rz(-1e20f) == INT_MIN);
    CHECK(g2o::float2uint_rz(-1.0f) == 0 && g2o::float2int_rz(NAN) == 0);
    CHECK(g2o::float2ll_rn(NAN) == LLONG_MIN && g2o::double2ll_rz(9.3e18) == LLONG_MAX);
    CHECK(g2o::double2ull_rz(1e19) == 10000000000000000000ull);
}

static void c_library_overloads()
{
    static_assert(std::is_same_v<decltype(exp(1.0f)), float>);
    static_assert(std::is_same_v<decltype(abs(-1.5f)), float>);
    static_assert(std::is_same_v<decltype(pow(2.0f, 2.0f)), float>);
    static_assert(std::is_same_v<decltype(fma(1.0f, 1.0f, 1.0f)), float>);
    CHECK(abs(-1.5f) == 1.5f && abs(-2) == 2 && sqrtf(4.0f) == 2 && fmaf(2, 3, 1) == 7);
    float sine, cosine;
    g2o::sincos(0.0f, &sine, &cosine);
    CHECK(sine == 0 && cosine == 1);
}

static void numbers()
{
    for (double x : {0.25, 1.0, 2.0, 10.0, 300.0}) {
        SHOW(rsqrt, x);
        SHOW(rcbrt, x);
        SHOW(rsqrtf, float(x));
        SHOW(exp10, x / 2);
        SHOW(rhypot, x, 3.0);
        SHOW(norm3d, x, 2.0, 3.0);
        SHOW(norm4d, x, 2.0, 3.0, 4.0);
        SHOW(rnorm3d, x, 2.0, 3.0);
        SHOW(erfcx, x);
        SHOW(cyl_bessel_i0, x);
        SHOW(cyl_bessel_i1, -x);
        SHOW(saturatef, float(x));
    }
    for (double x : {-7.75, -1.0, -0.5, 0.0, 0.125, 0.5, 1.0, 1.5, 1e6 + 0.25}) {
        SHOW(sinpi, x);
        SHOW(cospi, x);
        SHOW(tanpif, float(x + 0.0625));
        SHOW(saturatef, float(x));
        SHOW(normcdf, x);
    }
    for (double p : {1e-300, 1e-20, 1e-3, 0.1, 0.5, 0.75, 0.999, 0.9999999}) {
        SHOW(erfinv, p);
        SHOW(erfinv, -p);
        SHOW(erfcinv, p);
        SHOW(erfcinv, 1.0 + p);
        SHOW(normcdfinv, p);
        SHOW(erfinvf, float(p));
    }
    const double x[] = {1e200, 2e200, 2e200};
    CHECK(fabs(g2o::norm(3, x) / 3e200 - 1) < 1e-14);
    CHECK(g2o::erfinv(1.0) == HUGE_VAL && g2o::erfcinv(2.0) == -HUGE_VAL);
    CHECK(g2o::normcdfinv(0.5) == 0 && g2o::sinpi(1e10) == 0 && g2o::cospi(0.5) == 0);
}

static void roundings()
{
    for (int x : {0, 5, 16777217, -16777217, INT_MAX, INT_MIN}) {
        SHOW_ALL_ROUNDINGS(int2float, x);
    }
    for (unsigned x : {33554435u, ~0u}) {
        SHOW_ALL_ROUNDINGS(uint2float, x);
    }
    for (long long x : {9007199254740993ll, -9007199254740993ll, LLONG_MAX, LLONG_MIN}) {
        SHOW_ALL_ROUNDINGS(ll2float, x);
        SHOW_ALL_ROUNDINGS(ll2double, x);
    }
    for (unsigned long long x : {18014398509481987ull, ~0ull}) {
        SHOW_ALL_ROUNDINGS(ull2float, x);
        SHOW_ALL_ROUNDINGS(ull2double, x);
    }
    // Exact in decimal, but not in float.
    for (double x : {1.0625, 16777217.0, -16777217.0, 33554435.0}) {
        SHOW_ALL_ROUNDINGS(double2float, x);
    }
    for (double x : {0.1, -1.7, 3.0}) {
        for (double y : {0.3, -1e-17, 7.0}) {
#define SHOW_ROUNDINGS_2(f, T)                                                                     \
    SHOW(f##_rn, T(x), T(y));                                                                      \
    SHOW(f##_rz, T(x), T(y));                                                                      \
    SHOW(f##_ru, T(x), T(y));                                                                      \
    SHOW(f##_rd, T(x), T(y));
            SHOW_ROUNDINGS_2(dadd, double)
            SHOW_ROUNDINGS_2(dsub, double)
            SHOW_ROUNDINGS_2(dmul, double)
            SHOW_ROUNDINGS_2(ddiv, double)
            SHOW_ROUNDINGS_2(fadd, float)
            SHOW_ROUNDINGS_2(fsub, float)
            SHOW_ROUNDINGS_2(fmul, float)
            SHOW_ROUNDINGS_2(fdiv, float)
            SHOW(fma_rz, x, y, 1.0);
            SHOW(fma_ru, x, y, 1.0);
            SHOW(fma_rd, x, y, 1.0);
        }
    }
    CHECK(g2o::fsqrt_rd(2) < g2o::fsqrt_ru(2) && g2o::drcp_rd(3) < g2o::drcp_ru(3));
    CHECK(std::fegetround() == FE_TONEAREST);
}

int main()
{
    integers();
    bit_patterns();
    min_max();
    to_integers();
    c_library_overloads();
    numbers();
    roundings();
    return finish();
}
