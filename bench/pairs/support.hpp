// What the two programs of every pair share: arguments, random numbers, time, comparison, report.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline int argument(int argc, char **argv, int index, int otherwise)
{
    const int value = argc > index ? std::atoi(argv[index]) : otherwise;
    if (value < 1) {
        std::fprintf(stderr, "%s: argument %d has to be at least 1\n", argv[0], index);
        std::exit(2);
    }
    return value;
}

class Random {
  public:
    explicit Random(unsigned seed) : state(seed) {}

    unsigned next()
    {
        state = state * 1664525u + 1013904223u;
        return state >> 8;
    }

    unsigned below(unsigned limit) { return next() % limit; }

    float uniform() { return static_cast<float>(next()) / 16777216.0f; }

  private:
    unsigned state;
};

class Stopwatch {
  public:
    double milliseconds() const
    {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count();
    }

  private:
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

// The largest difference of two vectors, relative to values above 1.
template <typename T>
double worst_error(const std::vector<T> &found, const std::vector<T> &expected)
{
    double worst = found.size() == expected.size() ? 0.0 : INFINITY;
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
        const double e = expected[i];
        const double error = std::fabs(found[i] - e) / std::max(1.0, std::fabs(e));
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

template <typename T> double checksum(const std::vector<T> &values)
{
    double sum = 0.0;
    for (const T value : values)
        sum += value;
    return sum;
}

inline int report(bool pass, double sum, double milliseconds)
{
    std::printf("checksum %.4e\n", sum);
    std::printf("%s\n", pass ? "PASS" : "FAIL");
    std::printf("time_ms %.3f\n", milliseconds);
    return pass ? 0 : 1;
}
