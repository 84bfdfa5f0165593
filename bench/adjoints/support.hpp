// What the programs of this folder share: numbers, shadows, and time and agreement of two adjoints.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <utility>
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

    unsigned below(unsigned limit)
    {
        state = state * 1664525u + 1013904223u;
        return (state >> 8) % limit;
    }

    float between(float low, float high)
    {
        return low + (high - low) * static_cast<float>(below(1u << 24)) / 16777216.0f;
    }

    std::vector<float> numbers(std::size_t count, float low, float high)
    {
        std::vector<float> all(count);
        for (float &number : all)
            number = between(low, high);
        return all;
    }

  private:
    unsigned state;
};

// Shadows of the active inputs, by number, and of the result.
class Shadows {
  public:
    Shadows(const std::vector<std::size_t> &sizes, std::vector<float> seed) : of_result(std::move(seed))
    {
        for (const std::size_t size : sizes)
            of_inputs.emplace_back(size);
    }

    float *operator[](std::size_t input) { return of_inputs[input].data(); }
    float *result() { return of_result.data(); }

    std::vector<std::vector<float>> of_inputs;
    std::vector<float> of_result;
};

// Two ways to the adjoint of one function: the one that was generated and the one that a person wrote.
class Adjoint {
  public:
    Adjoint(std::initializer_list<std::size_t> sizes, std::vector<float> seed)
        : start(std::vector<std::size_t>(sizes), std::move(seed))
    {
    }

    // Runs both in turns; each begins with shadows of zero and the same shadow of the result.
    template <typename Generated, typename Written>
    void compare(int rounds, Generated generated, Written written)
    {
        for (int round = 0; round < rounds; ++round) {
            Shadows one = start, other = start;
            const double first = milliseconds(generated, one);
            const double second = milliseconds(written, other);
            if (round == 0 || first < of_generated)
                of_generated = first;
            if (round == 0 || second < of_written)
                of_written = second;
            if (round == 0)
                difference(one, other);
        }
    }

    int report() const
    {
        std::printf("generated: %.4f ms, written: %.4f ms\n", of_generated, of_written);
        std::printf("largest shadow: %g, difference: %g\n", largest, worst);
        const bool agree = largest > 0.0 && worst <= 2e-3 * largest;
        std::printf("%s\n", agree ? "PASS" : "FAIL");
        return agree ? 0 : 1;
    }

  private:
    template <typename Function> static double milliseconds(Function function, Shadows &shadows)
    {
        const auto begin = std::chrono::steady_clock::now();
        function(shadows);
        const auto end = std::chrono::steady_clock::now();
        return std::chrono::duration<double, std::milli>(end - begin).count();
    }

    void difference(const Shadows &one, const Shadows &other)
    {
        for (std::size_t k = 0; k < one.of_inputs.size(); ++k)
            for (std::size_t i = 0; i < one.of_inputs[k].size(); ++i) {
                const double expected = other.of_inputs[k][i];
                const double error = std::fabs(one.of_inputs[k][i] - expected);
                largest = std::max(largest, std::fabs(expected));
                if (!(error <= worst))
                    worst = error;
            }
    }

    Shadows start;
    double of_generated = 0.0, of_written = 0.0, largest = 0.0, worst = 0.0;
};
