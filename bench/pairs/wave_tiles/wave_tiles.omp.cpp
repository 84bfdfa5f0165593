// Waves row by row: the border alone, the rest as vectors.
//
// usage: wave_tiles [width] [height] [steps]

#include "wave_tiles.hpp"

static float at(const float *now, int x, int y, int width, int height)
{
    const bool inside = x >= 0 && x < width && y >= 0 && y < height;
    return inside ? now[y * width + x] : 0.0f;
}

static float moved(const float *now, float before, int x, int y, int width, int height)
{
    const float here = now[y * width + x];
    const float around = at(now, x - 1, y, width, height) + at(now, x + 1, y, width, height) +
                         at(now, x, y - 1, width, height) + at(now, x, y + 1, width, height);
    return 2.0f * here - before + SPEED * (around - 4.0f * here);
}

static void step(const float *now, float *next, int width, int height)
{
#pragma omp parallel for
    for (int y = 0; y < height; ++y) {
        float *row = next + y * width;
        if (y == 0 || y == height - 1) {
            for (int x = 0; x < width; ++x)
                row[x] = moved(now, row[x], x, y, width, height);
            continue;
        }
        const float *here = now + y * width;
        row[0] = moved(now, row[0], 0, y, width, height);
#pragma omp simd
        for (int x = 1; x < width - 1; ++x)
            row[x] = 2.0f * here[x] - row[x] +
                     SPEED * (here[x - 1] + here[x + 1] + here[x - width] + here[x + width] -
                              4.0f * here[x]);
        row[width - 1] = moved(now, row[width - 1], width - 1, y, width, height);
    }
}

int main(int argc, char **argv)
{
    const int width = argument(argc, argv, 1, 70), height = argument(argc, argv, 2, 50);
    const int steps = argument(argc, argv, 3, 3);
    std::vector<float> now = first_wave(width, height), next(now);

    const Stopwatch watch;
    for (int s = 0; s < steps; ++s) {
        step(now.data(), next.data(), width, height);
        now.swap(next);
    }
    const double ms = watch.milliseconds();
    const double sum = profile(now);
    return report(std::isfinite(sum), sum, ms);
}
