// The sums of absolute values and of squares, and the largest absolute value, of a vector.
#pragma once

#include "../support.hpp"

struct Norms {
    double absolute = 0.0;
    double squares = 0.0;
    float largest = 0.0f;
};

inline std::vector<float> random_vector(int n)
{
    Random random(577u);
    std::vector<float> values(n);
    for (float &value : values)
        value = 2.0f * random.uniform() - 1.0f;
    return values;
}

inline bool is_right(const Norms &found, const std::vector<float> &values)
{
    Norms expected;
    for (const float value : values) {
        const double magnitude = std::fabs(value);
        expected.absolute += magnitude;
        expected.squares += magnitude * magnitude;
        expected.largest = std::max(expected.largest, std::fabs(value));
    }
    return std::fabs(found.absolute - expected.absolute) < 1e-5 * expected.absolute &&
           std::fabs(found.squares - expected.squares) < 1e-5 * expected.squares &&
           found.largest == expected.largest;
}
