// The product of the transpose of `a`, `depth` rows of `rows` numbers, and `b`, of `columns` each.
#pragma once

#include "../support.hpp"

inline std::vector<float> matrix(int rows, int columns, unsigned seed)
{
    Random random(seed);
    std::vector<float> values(static_cast<std::size_t>(rows) * columns);
    for (float &value : values)
        value = random.uniform();
    return values;
}

inline int rounded_up(int number, int step) { return (number + step - 1) / step * step; }
