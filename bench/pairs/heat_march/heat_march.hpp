// Heat in a box of nx * ny * nz cells, warmed by `power`, over a number of steps.
#pragma once

#include "../support.hpp"

constexpr float ALONG_X = 0.05f, ALONG_Y = 0.06f, ALONG_Z = 0.1f;
constexpr float CENTRE = 1.0f - 2.0f * (ALONG_X + ALONG_Y + ALONG_Z);
constexpr float STEP = 0.1f;

struct Box {
    int nx, ny, nz, steps;
    std::vector<float> temperature, power;
};

inline Box make_box(int argc, char **argv)
{
    Box box;
    box.nx = argument(argc, argv, 1, 37);
    box.ny = argument(argc, argv, 2, 22);
    box.nz = argument(argc, argv, 3, 6);
    box.steps = argument(argc, argv, 4, 4);
    if (box.nz < 2) {
        std::fprintf(stderr, "at least two layers\n");
        std::exit(2);
    }
    Random random(4711u);
    for (int i = 0; i < box.nx * box.ny * box.nz; ++i) {
        box.temperature.push_back(20.0f + 5.0f * random.uniform());
        box.power.push_back(random.uniform());
    }
    return box;
}

inline int finish(const Box &box, const std::vector<float> &found, double milliseconds)
{
    const int nx = box.nx, ny = box.ny, nz = box.nz;
    const auto at = [=](int x, int y, int z) {
        return std::clamp(x, 0, nx - 1) +
               nx * (std::clamp(y, 0, ny - 1) + ny * std::clamp(z, 0, nz - 1));
    };
    std::vector<float> now = box.temperature, next(now.size());
    for (int step = 0; step < box.steps; ++step) {
        for (int z = 0; z < nz; ++z)
            for (int y = 0; y < ny; ++y)
                for (int x = 0; x < nx; ++x)
                    next[at(x, y, z)] =
                        CENTRE * now[at(x, y, z)] +
                        ALONG_X * (now[at(x - 1, y, z)] + now[at(x + 1, y, z)]) +
                        ALONG_Y * (now[at(x, y - 1, z)] + now[at(x, y + 1, z)]) +
                        ALONG_Z * (now[at(x, y, z - 1)] + now[at(x, y, z + 1)]) +
                        STEP * box.power[at(x, y, z)];
        std::swap(now, next);
    }
    return report(worst_error(found, now) < 1e-4, checksum(found), milliseconds);
}
