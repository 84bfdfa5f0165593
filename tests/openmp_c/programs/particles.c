/* Particles in a periodic box: Lennard-Jones forces within a cutoff, found by lists of neighbours, and
 * velocity Verlet. Each pair is looked at once, so that threads add to forces of each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARTNERS 32
#define DIM 3

typedef struct {
    int count;
    int *partners; /* PARTNERS for each particle */
    int *known;
} Neighbours;

static double wrapped(double d, double box)
{
    if (d > 0.5 * box)
        return d - box;
    if (d < -0.5 * box)
        return d + box;
    return d;
}

static double distance2(const double *x, int i, int j, double box, double d[DIM])
{
    double r2 = 0.0;
    for (int k = 0; k < DIM; ++k) {
        d[k] = wrapped(x[DIM * i + k] - x[DIM * j + k], box);
        r2 += d[k] * d[k];
    }
    return r2;
}

static void find_neighbours(int n, const double *x, double box, double reach, int *partners, int *known)
{
    int i;
#pragma omp parallel for schedule(guided)
    for (i = n - 1; i >= 0; i--) {
        double d[DIM];
        known[i] = 0;
        for (int j = i + 1; j < n; ++j)
            if (distance2(x, i, j, box, d) < reach * reach && known[i] < PARTNERS)
                partners[PARTNERS * i + known[i]++] = j;
    }
}

static double forces(int n, const double *x, double box, double cutoff, double epsilon,
                     const int *partners, const int *known, double *f)
{
    double energy = 0.0;
    int i;
#pragma omp parallel
    {
#pragma omp for
        for (i = 0; i < DIM * n; ++i)
            f[i] = 0.0;
#pragma omp for reduction(+ : energy) schedule(dynamic, 2)
        for (i = 0; i < n; ++i) {
            double own[DIM] = {0.0, 0.0, 0.0};
            for (int p = 0; p < known[i]; ++p) {
                const int j = partners[PARTNERS * i + p];
                double d[DIM];
                const double r2 = distance2(x, i, j, box, d);
                if (r2 >= cutoff * cutoff)
                    continue;
                const double s2 = 1.0 / r2, s6 = s2 * s2 * s2;
                const double shift = 1.0 - r2 / (cutoff * cutoff);
                const double pull = 24.0 * epsilon * s2 * s6 * (2.0 * s6 - 1.0) * shift;
                energy += 4.0 * epsilon * s6 * (s6 - 1.0) * shift;
                for (int k = 0; k < DIM; ++k) {
                    own[k] += pull * d[k];
#pragma omp atomic
                    f[DIM * j + k] -= pull * d[k];
                }
            }
            for (int k = 0; k < DIM; ++k) {
#pragma omp atomic update
                f[DIM * i + k] += own[k];
            }
        }
    }
    return energy;
}

static double kinetic(int n, double mass, const double *v)
{
    double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int i = 0; i < DIM * n; ++i)
        sum = sum + 0.5 * mass * v[i] * v[i];
    return sum;
}

/* The energy after some steps, and the fastest particle. */
#pragma g2o grad (simulate, x, v, f)/(x, v, epsilon, mass)
#pragma g2o jvp (simulate, x, v, f)/(x, v, epsilon, mass)
double simulate(int n, int steps, double box, double cutoff, double dt, double epsilon, double mass,
                double *x, double *v, double *f)
{
    int *partners = malloc(n * PARTNERS * sizeof *partners);
    int *known = calloc(n, sizeof(int));
    double energy, fastest = 0.0;
    find_neighbours(n, x, box, 1.5 * cutoff, partners, known);
    energy = forces(n, x, box, cutoff, epsilon, partners, known, f);
    for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
        for (int i = 0; i < DIM * n; ++i) {
            v[i] += 0.5 * dt * f[i] / mass;
            x[i] += dt * v[i];
        }
        energy = forces(n, x, box, cutoff, epsilon, partners, known, f);
#pragma omp parallel for
        for (int i = 0; i != DIM * n; i++)
            v[i] += 0.5 * dt * f[i] / mass;
    }
#pragma omp parallel for reduction(max : fastest)
    for (int i = 0; i < n; ++i) {
        double speed = 0.0;
        for (int k = 0; k < DIM; ++k)
            speed += v[DIM * i + k] * v[DIM * i + k];
        fastest = speed > fastest ? speed : fastest;
    }
    free(partners);
    free(known);
    return energy + kinetic(n, mass, v) + 0.1 * fastest;
}
