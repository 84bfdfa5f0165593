// The price of an Asian option: the mean over paths of a random walk in N steps.
#pragma once

#include "../support.hpp"

constexpr float START = 100.0f, STRIKE = 101.0f, DRIFT = 0.0004f, VOLATILITY = 0.02f;

struct Option {
    unsigned paths;
    int steps;
};

inline Option make_option(int argc, char **argv)
{
    return {static_cast<unsigned>(argument(argc, argv, 1, 5000)), argument(argc, argv, 2, 16)};
}

// Mixes the bits of a counter (Wellons' lowbias32).
inline unsigned mixed(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

inline int finish(const Option &option, double found, double milliseconds)
{
    double sum = 0.0;
    for (unsigned path = 0; path < option.paths; ++path) {
        float price = START, total = 0.0f;
        for (int step = 0; step < option.steps; ++step) {
            const unsigned bits = mixed(path * 2654435769u + static_cast<unsigned>(step));
            const float shock = (static_cast<float>(bits & 0xffff) +
                                 static_cast<float>(bits >> 16)) / 65536.0f - 1.0f;
            price *= 1.0f + DRIFT + VOLATILITY * shock;
            total += price;
        }
        sum += std::max(total / static_cast<float>(option.steps) - STRIKE, 0.0f);
    }
    sum /= option.paths;
    return report(std::fabs(found - sum) < 1e-5 * (1.0 + sum), found, milliseconds);
}
