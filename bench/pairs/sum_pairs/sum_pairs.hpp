// The sum of many values.
#pragma once

#include "../support.hpp"

inline std::vector<float> values_to_add(int n)
{
    Random random(2718u);
    std::vector<float> values(n);
    for (float &value : values)
        value = random.uniform();
    return values;
}

inline bool is_right(float sum, const std::vector<float> &values)
{
    const double expected = checksum(values);
    return std::fabs(sum - expected) < 1e-4 * expected;
}
