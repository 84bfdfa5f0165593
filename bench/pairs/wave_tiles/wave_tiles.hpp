// Waves on a plate with walls of height 0 around it.
#pragma once

#include "../support.hpp"

constexpr float SPEED = 0.2f;

inline std::vector<float> first_wave(int width, int height)
{
    Random random(31u);
    std::vector<float> plate(static_cast<std::size_t>(width) * height);
    for (float &value : plate)
        value = random.uniform() - 0.5f;
    return plate;
}

// The sum of all heights, each times a number that tells neighbours apart.
inline double profile(const std::vector<float> &plate)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < plate.size(); ++i)
        sum += plate[i] * static_cast<double>(i % 7 + 1);
    return sum;
}
