// Error estimates against what happens: programs are run with variables in float and in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

using Numbers = std::vector<double>;
using Groups = std::vector<std::vector<std::string>>;

inline std::mt19937_64 generator;

inline double uniform(double low, double high)
{
    return low + (high - low) * std::generate_canonical<double, 53>(generator);
}

inline Numbers random_numbers(int count, double low, double high)
{
    Numbers found(static_cast<std::size_t>(count));
    for (double &number : found)
        number = uniform(low, high);
    return found;
}

inline Numbers random_signs(int count)
{
    Numbers found(static_cast<std::size_t>(count));
    for (double &number : found)
        number = uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
    return found;
}

template <class T> std::vector<T> as(const Numbers &numbers)
{
    return std::vector<T>(numbers.begin(), numbers.end());
}

template <class T> double product(const Numbers &seeds, const std::vector<T> &numbers)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < seeds.size(); ++i)
        sum += seeds[i] * double(numbers[i]);
    return sum;
}

// The result with those variables in float that `less` has a bit for: in the order of the types
// that the case's kernel is a template of, each for the variables of one group.
template <class Case, class... T> double result(const Case &one, unsigned less)
{
    if constexpr (sizeof...(T) == Case::types)
        return one.template run<T...>();
    else if (less >> sizeof...(T) & 1)
        return result<Case, T..., float>(one, less);
    else
        return result<Case, T..., double>(one, less);
}

// Prints the error that is measured with all in float, and the one that is estimated, both root
// mean squares over several inputs; how often it was above the bound; and of the proposals how
// many there were, how many types they had in float, and how many were off by too much.
template <class Case> void check(const char *name)
{
    double measured = 0.0, expected = 0.0;
    int above = 0, proposals = 0, types = 0, wrong = 0, unknown = 0;
    constexpr int draws = 12;
    for (int draw = 0; draw < draws; ++draw) {
        generator.seed(draw + 1);
        const Case one;
        const double exact = result(one, 0);
        const g2o::ErrorReport report = one.estimate();
        const Groups names = Case::names();
        const auto in = [](const std::vector<std::string> &list, const std::string &name) {
            return std::find(list.begin(), list.end(), name) != list.end();
        };
        for (const std::string &variable : report.variables())
            unknown += std::none_of(names.begin(), names.end(),
                                    [&](const auto &group) { return in(group, variable); });
        const double error = result(one, (1u << Case::types) - 1) - exact;
        measured += error * error / draws;
        expected += report.expected() * report.expected() / draws;
        above += !(std::fabs(error) <= 1.01 * report.bound());
        for (const double part : {1e-5, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 0.6, 1.1}) {
            const double accuracy = part * report.bound();
            const std::vector<std::string> less = report.less_precise(accuracy);
            unsigned bits = 0;
            for (std::size_t i = 0; i < names.size(); ++i)
                bits |= unsigned(std::all_of(names[i].begin(), names[i].end(),
                                             [&](const auto &name) { return in(less, name); }))
                        << i;
            ++proposals;
            types += __builtin_popcount(bits);
            wrong += !(std::fabs(result(one, bits) - exact) <= 1.01 * accuracy);
        }
    }
    std::printf("%s\t%.3e\t%.3e\t%d\t%d\t%d\t%d\t%d\n", name, std::sqrt(measured),
                std::sqrt(expected), above, proposals, types, wrong, unknown);
}
