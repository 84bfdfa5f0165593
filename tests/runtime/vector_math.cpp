// Compares the functions of g2o_vector_math.hpp with those of the C library in a wider type: it
// says nothing where all is as the header says. With an argument only the floats are looked at.
#include "g2o_vector_math.hpp"

#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

static int faults = 0;

template <typename T> static bool is_same(T a, T b)
{
    return a != a ? b != b : a == b && std::signbit(a) == std::signbit(b);
}

// How many units of the last place lie between a number and the exact one.
template <typename T, typename Wide> static Wide distance(T made, Wide exact)
{
    const T next = std::nextafter(std::fabs(T(exact)), std::numeric_limits<T>::infinity());
    return std::fabs(Wide(made) - exact) / (Wide(next) - std::fabs(Wide(T(exact))));
}

template <typename T, typename Wide, typename Made, typename Exact>
static void compare(const char *name, Made made, Exact exact, Wide most, double others,
                    const std::vector<T> &numbers)
{
    std::vector<T> found(numbers.size());
#pragma omp simd
    for (std::size_t i = 0; i < numbers.size(); ++i)
        found[i] = made(numbers[i]);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Wide wide = exact(Wide(numbers[i]));
        const T nearest = T(wide);
        differ += !is_same(nearest, found[i]);
        const bool is_plain = std::isfinite(nearest) && nearest != 0 && std::isfinite(found[i]);
        if (is_plain ? distance(found[i], wide) > most : !is_same(nearest, found[i]))
            if (++faults < 20)
                std::printf("%s(%a) is %a, not %a\n", name, double(numbers[i]), double(found[i]),
                            double(nearest));
    }
    if (differ > others * double(numbers.size()))
        std::printf("%s: %zu of %zu are not nearest\n", name, differ, numbers.size()), ++faults;
}

template <typename T, typename Bits> static std::vector<T> numbers_of(T low, T high)
{
    std::mt19937_64 random(29);
    const T infinity = std::numeric_limits<T>::infinity(), least = std::numeric_limits<T>::min();
    std::vector<T> found = {0,  T(-0.), 1,         -1,        infinity, -infinity, least, -least,
                            10, 1000,   least / 4, -least / 4, low,      high,      T(NAN)};
    for (int i = 0; i < 200000; ++i) {
        const Bits bits = Bits(random());
        T number;
        std::memcpy(&number, &bits, sizeof number);
        found.push_back(number != number ? T(NAN) : number);
        found.push_back(low + (high - low) * T(random() >> 11) * T(0x1p-53));
    }
    return found;
}

int main(int argc, char **)
{
    const auto floats = numbers_of<float, std::uint32_t>(-110, 100);
    const auto near_one = numbers_of<float, std::uint32_t>(0.5f, 2);
    const auto doubles = numbers_of<double, std::uint64_t>(-750, 720);
    const auto logs = numbers_of<double, std::uint64_t>(0.5, 2);
#define OF_FLOATS(name, numbers)                                                                   \
    compare<float>(                                                                                \
        #name "f", [](float x) { return g2o::simd_##name##f(x); },                                 \
        [](double x) { return std::name(x); }, 0.51, 1e-3, numbers)
    OF_FLOATS(exp, floats);
    OF_FLOATS(exp2, floats);
    OF_FLOATS(tanh, floats);
    OF_FLOATS(tanh, near_one);
    OF_FLOATS(erf, floats);
    OF_FLOATS(erf, near_one);
    OF_FLOATS(log, near_one);
    OF_FLOATS(log2, near_one);
    OF_FLOATS(log10, near_one);
    for (const float power : {0.f, -0.f, 1.f, -1.f, 2.f, 3.f, -3.f, 0.5f, 2.7f, 1e10f, 16777217.f,
                              INFINITY, -INFINITY, -0.3f}) {
        compare<float>(
            "powf", [=](float x) { return g2o::simd_powf(x, power); },
            [=](double x) { return std::pow(x, double(power)); }, 0.51, 2e-3, near_one);
        compare<float>(
            "powf", [=](float x) { return g2o::simd_powf(power, x); },
            [=](double x) { return std::pow(double(power), x); }, 0.51, 2e-3, floats);
    }
    if (argc > 1)
        return faults != 0;
    compare<double>(
        "exp", [](double x) { return g2o::simd_exp(x); },
        [](long double x) { return std::exp(x); }, 1.0L, 0.2, doubles);
    compare<double>(
        "log", [](double x) { return g2o::simd_log(x); },
        [](long double x) { return std::log(x); }, 1.0L, 0.2, logs);
    return faults != 0;
}
