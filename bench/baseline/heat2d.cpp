// Explicit time stepping of the heat equation on a square plate whose rim is held at a fixed
// temperature: rows in parallel, the cells of a row with vector instructions.
//
// usage: heat2d [cells per side [steps]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <omp.h>

static void heat_step(const double *__restrict__ u, double *__restrict__ v, int n, double k)
{
#pragma omp parallel for
    for (int row = 1; row < n - 1; ++row) {
#pragma omp simd
        for (int col = 1; col < n - 1; ++col) {
            const int c = row * n + col;
            v[c] = u[c] + k * (u[c - n] + u[c + n] + u[c - 1] + u[c + 1] - 4.0 * u[c]);
        }
    }
}

// Temperatures in [0, 100) from a linear congruential generator.
static void fill(std::vector<double> &field)
{
    unsigned int state = 7u;
    for (double &value : field) {
        state = 1664525u * state + 1013904223u;
        value = 100.0 * (state >> 8) / 16777216.0;
    }
}

static void reference(std::vector<double> &u, int n, int steps, double k)
{
    std::vector<double> v = u;
    for (int step = 0; step < steps; ++step) {
        for (int i = 1; i < n - 1; ++i)
            for (int j = 1; j < n - 1; ++j) {
                const int c = i * n + j;
                v[c] = u[c] + k * (u[c - n] + u[c + n] + u[c - 1] + u[c + 1] - 4.0 * u[c]);
            }
        std::swap(u, v);
    }
}

int main(int argc, char *argv[])
{
    int n = 100;
    int steps = 8;
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2)
        steps = atoi(argv[2]);
    const double k = 0.2;

    std::vector<double> host(size_t(n) * n);
    fill(host);
    std::vector<double> current = host, next = host;

    const double start = omp_get_wtime();
    for (int step = 0; step < steps; ++step) {
        heat_step(current.data(), next.data(), n, k);
        std::swap(current, next);
    }
    const double ms = 1e3 * (omp_get_wtime() - start);

    reference(host, n, steps, k);
    double worst = 0.0, total = 0.0, energy = 0.0;
    for (size_t c = 0; c < current.size(); ++c) {
        worst = std::fmax(worst, std::fabs(current[c] - host[c]));
        total += current[c];
        energy += current[c] * current[c];
    }
    const bool ok = worst < 1e-10;

    printf("time_ms %.3f\n", ms);
    printf("total %.6e\n", total);
    printf("energy %.6e\n", energy);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
