// The Thomas algorithm for strips of systems, row by row.
//
// usage: batched_tridiagonal [systems] [rows] [repeats]

#include "batched_tridiagonal.hpp"

constexpr int STRIP = 1024;

static void thomas(const Systems &systems, double *x)
{
    const int count = systems.count, size = systems.size;
    const double *lower = systems.lower.data(), *diagonal = systems.diagonal.data();
    const double *upper = systems.upper.data(), *right = systems.right.data();
#pragma omp parallel
    {
        std::vector<double> work(static_cast<std::size_t>(size) * STRIP);
#pragma omp for schedule(static)
        for (int first = 0; first < count; first += STRIP) {
            const int width = std::min(STRIP, count - first);
            double c[STRIP] = {}, d[STRIP] = {};
            for (int row = 0; row < size; ++row) {
                const int base = row * count + first;
                double *saved = work.data() + row * STRIP;
#pragma omp simd
                for (int s = 0; s < width; ++s) {
                    const double off = row > 0 ? lower[base + s] : 0.0;
                    const double scale = 1.0 / (diagonal[base + s] - off * c[s]);
                    c[s] = upper[base + s] * scale;
                    d[s] = (right[base + s] - off * d[s]) * scale;
                    saved[s] = c[s];
                    x[base + s] = d[s];
                }
            }
            for (int row = size - 2; row >= 0; --row) {
                const int base = row * count + first;
                const double *saved = work.data() + row * STRIP;
#pragma omp simd
                for (int s = 0; s < width; ++s) {
                    d[s] = x[base + s] - saved[s] * d[s];
                    x[base + s] = d[s];
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    const Systems systems = make_systems(argc, argv);
    std::vector<double> x(systems.right.size());
    const Stopwatch watch;
    for (int r = 0; r < systems.repeats; ++r)
        thomas(systems, x.data());
    const double ms = watch.milliseconds();
    return finish(systems, x, ms);
}
