// A stencil in time, row by row; the first and last column apart, so that the others are a vector
// loop.
//
// usage: plate_pyramid [rows] [columns] [steps]

#include "plate_pyramid.hpp"

static float advanced(float centre, float heat, float north, float south, float west, float east)
{
    return centre + STEP * (heat + (south + north - 2.0f * centre) * ALONG * 0.5f +
                            (east + west - 2.0f * centre) * ACROSS * 0.5f +
                            (AIR - centre) * TO_AIR);
}

static void advance(const float *power, const float *before, float *after, int rows, int cols)
{
#pragma omp parallel for schedule(static)
    for (int r = 0; r < rows; ++r) {
        const float *heat = power + r * cols, *now = before + r * cols;
        const float *north = before + std::max(r - 1, 0) * cols;
        const float *south = before + std::min(r + 1, rows - 1) * cols;
        float *next = after + r * cols;
        const int last = cols - 1;
        next[0] = advanced(now[0], heat[0], north[0], south[0], now[0], now[std::min(1, last)]);
#pragma omp simd
        for (int c = 1; c < last; ++c)
            next[c] = advanced(now[c], heat[c], north[c], south[c], now[c - 1], now[c + 1]);
        if (last > 0)
            next[last] = advanced(now[last], heat[last], north[last], south[last], now[last - 1],
                                  now[last]);
    }
}

int main(int argc, char **argv)
{
    const Plate plate = make_plate(argc, argv);
    std::vector<float> now = plate.temperature, next(now.size());
    const Stopwatch watch;
    for (int step = 0; step < plate.steps; ++step) {
        advance(plate.power.data(), now.data(), next.data(), plate.rows, plate.cols);
        std::swap(now, next);
    }
    const double ms = watch.milliseconds();
    return finish(plate, now, ms);
}
