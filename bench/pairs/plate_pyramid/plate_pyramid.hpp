// The temperature of a plate that is heated by `power` and cools to the air.
#pragma once

#include "../support.hpp"

constexpr float STEP = 0.2f;
constexpr float ACROSS = 0.9f, ALONG = 0.8f, TO_AIR = 0.05f; // conductances
constexpr float AIR = 25.0f;

struct Plate {
    int rows, cols, steps;
    std::vector<float> temperature, power;
};

inline Plate make_plate(int argc, char **argv)
{
    Plate plate;
    plate.rows = argument(argc, argv, 1, 61);
    plate.cols = argument(argc, argv, 2, 45);
    plate.steps = argument(argc, argv, 3, 7);
    Random random(99u);
    for (int i = 0; i < plate.rows * plate.cols; ++i) {
        plate.temperature.push_back(40.0f + 20.0f * random.uniform());
        plate.power.push_back(random.uniform());
    }
    return plate;
}

inline int finish(const Plate &plate, const std::vector<float> &found, double milliseconds)
{
    const int rows = plate.rows, cols = plate.cols;
    std::vector<float> now = plate.temperature, next(now.size());
    for (int step = 0; step < plate.steps; ++step) {
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < cols; ++c) {
                const int i = r * cols + c;
                const float north = now[std::max(r - 1, 0) * cols + c];
                const float south = now[std::min(r + 1, rows - 1) * cols + c];
                const float west = now[r * cols + std::max(c - 1, 0)];
                const float east = now[r * cols + std::min(c + 1, cols - 1)];
                next[i] = now[i] + STEP * (plate.power[i] +
                                           (south + north - 2.0f * now[i]) * ALONG * 0.5f +
                                           (east + west - 2.0f * now[i]) * ACROSS * 0.5f +
                                           (AIR - now[i]) * TO_AIR);
            }
        std::swap(now, next);
    }
    return report(worst_error(found, now) < 1e-4, checksum(found), milliseconds);
}
