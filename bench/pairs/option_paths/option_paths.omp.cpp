// Monte Carlo: paths side by side in vectors.
//
// usage: option_paths [paths] [steps]

#include "option_paths.hpp"

static double price(const Option &option)
{
    double sum = 0.0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (unsigned path = 0; path < option.paths; ++path) {
        float price = START, total = 0.0f;
        for (int step = 0; step < option.steps; ++step) {
            const unsigned bits = mixed(path * 2654435769u + static_cast<unsigned>(step));
            const float shock = (static_cast<float>(static_cast<int>(bits & 0xffff)) +
                                 static_cast<float>(static_cast<int>(bits >> 16))) /
                                    65536.0f - 1.0f;
            price *= 1.0f + DRIFT + VOLATILITY * shock;
            total += price;
        }
        const float gain = total / static_cast<float>(option.steps) - STRIKE;
        sum += gain > 0.0f ? gain : 0.0f;
    }
    return sum / option.paths;
}

int main(int argc, char **argv)
{
    const Option option = make_option(argc, argv);
    const Stopwatch watch;
    const double found = price(option);
    const double ms = watch.milliseconds();
    return finish(option, found, ms);
}
