// Black-Scholes prices of European options, with their delta and vega.
//
// usage: black_scholes [options] [repeat]

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr float RISK_FREE = 0.02f;

struct Greeks {
    float delta, vega;
};

// Density of the normal distribution.
static inline float normal_density(float x)
{
    constexpr float inverse_sqrt_2pi = 0.39894228040143267794f;
    return inverse_sqrt_2pi * expf(-0.5f * x * x);
}

// Cumulative normal distribution, by a polynomial of fifth degree.
static inline float normal_cdf(float x)
{
    constexpr float a1 = 0.31938153f;
    constexpr float a2 = -0.356563782f;
    constexpr float a3 = 1.781477937f;
    constexpr float a4 = -1.821255978f;
    constexpr float a5 = 1.330274429f;

    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    const float tail = normal_density(x) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    return x > 0.0f ? 1.0f - tail : tail;
}

static void black_scholes(const float *__restrict__ spot, const float *__restrict__ strike,
                          const float *__restrict__ years, const float *__restrict__ volatility,
                          float *__restrict__ call, float *__restrict__ put,
                          Greeks *__restrict__ greeks, int n)
{
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i) {
        const float s = spot[i], x = strike[i], t = years[i], v = volatility[i];
        const float sqrt_t = sqrtf(t);
        const float d1 = (logf(s / x) + (RISK_FREE + 0.5f * v * v) * t) / (v * sqrt_t);
        const float d2 = d1 - v * sqrt_t;
        const float cdf_d1 = normal_cdf(d1);
        const float cdf_d2 = normal_cdf(d2);

        // The put follows from the call by parity.
        const float discounted = x * expf(-RISK_FREE * t);
        const float price = s * cdf_d1 - discounted * cdf_d2;
        call[i] = price;
        put[i] = price - s + discounted;
        greeks[i].delta = cdf_d1;
        greeks[i].vega = s * normal_density(d1) * sqrt_t;
    }
}

static unsigned int seed = 5347u;

static float random_between(float low, float high)
{
    seed = seed * 1103515245u + 12345u;
    const float t = static_cast<float>((seed >> 16) & 0x7fffu) / 32767.0f;
    return (1.0f - t) * low + t * high;
}

static double exact_cdf(double x)
{
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 5000;
    const int repeat = argc > 2 ? std::atoi(argv[2]) : 1;
    if (n < 1 || repeat < 1) {
        std::fprintf(stderr, "usage: %s [options] [repeat]\n", argv[0]);
        return 2;
    }

    std::vector<float> spot(n), strike(n), years(n), volatility(n), calls_out(n), puts_out(n);
    std::vector<Greeks> greeks(n);
    for (int i = 0; i < n; ++i) {
        spot[i] = random_between(5.0f, 30.0f);
        strike[i] = random_between(5.0f, 60.0f);
        years[i] = random_between(0.25f, 5.0f);
        volatility[i] = random_between(0.1f, 0.5f);
    }

    const auto begin = std::chrono::steady_clock::now();
    for (int r = 0; r < repeat; ++r)
        black_scholes(spot.data(), strike.data(), years.data(), volatility.data(),
                      calls_out.data(), puts_out.data(), greeks.data(), n);
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - begin;

    double worst = 0.0, calls = 0.0, puts = 0.0, vegas = 0.0;
    for (int i = 0; i < n; ++i) {
        const double s = spot[i], x = strike[i], t = years[i], v = volatility[i];
        const double d1 =
            (std::log(s / x) + (RISK_FREE + 0.5 * v * v) * t) / (v * std::sqrt(t));
        const double d2 = d1 - v * std::sqrt(t);
        const double discounted = x * std::exp(-RISK_FREE * t);
        const double call = s * exact_cdf(d1) - discounted * exact_cdf(d2);
        worst = std::fmax(worst, std::fabs(calls_out[i] - call));
        worst = std::fmax(worst, std::fabs(puts_out[i] - (call - s + discounted)));
        worst = std::fmax(worst, std::fabs(greeks[i].delta - exact_cdf(d1)));
        calls += calls_out[i];
        puts += puts_out[i];
        vegas += greeks[i].vega;
    }

    const bool pass = worst < 1e-3;
    std::printf("call %.4e\n", calls / n);
    std::printf("put  %.4e\n", puts / n);
    std::printf("vega %.4e\n", vegas / n);
    std::printf("%s\n", pass ? "PASS" : "FAIL");
    std::printf("time_ms %.3f\n", time.count());
    return pass ? 0 : 1;
}
