/*
 * Cooling of a casting: heat conduction in two dimensions with latent heat, implicit by alternating
 * directions (Peaceman and Rachford), each line with a tridiagonal solve.
 *
 * Conductivity and capacity depend on temperature and material; the enthalpy of melting is spread over
 * a range of temperatures (apparent capacity). The outside is cooled by convection and radiation,
 * which is linearised; a mould around the metal has properties of its own, and there is a gap of air
 * between them once the metal has shrunk. Nonlinearities are iterated a few times (Picard).
 *
 * Quantities of interest: when and how far the metal is solid, gradients of temperature at the front
 * of solidification (Niyama's criterion), and how far thermocouples are from what they have recorded.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGMA 5.670374419e-8 /* Stefan and Boltzmann's constant */
#define MATERIALS 2
#define T(i, j) t[(i) * f->ny + (j)]

enum { METAL, MOULD };
enum { ALONG_X, ALONG_Y };

typedef struct {
    double k0, k1;     /* conductivity at 0 degrees, and how it changes */
    double density;
    double c0, c1;     /* capacity */
    double latent;     /* enthalpy of melting */
    double solidus, liquidus;
} Material;

typedef struct {
    double ambient;
    double transfer;   /* coefficient of convection */
    double emissivity;
    double gap;        /* coefficient between metal and mould */
} Surroundings;

typedef struct {
    int nx, ny;
    double h;
    const unsigned char *kind; /* material of each cell */
} Field;

typedef struct {
    double dt;
    int steps, iterations;
    int print;
} Times;

/* ---- materials ------------------------------------------------------------------------------------ */

static double conductivity(const Material *m, double t)
{
    const double k = m->k0 + m->k1 * t;
    return k < 0.1 * m->k0 ? 0.1 * m->k0 : k;
}

/* The part that is solid: a cubic that has no kinks at the ends of the range. */
static double solid_part(const Material *m, double t)
{
    if (t >= m->liquidus)
        return 0.0;
    if (t <= m->solidus)
        return 1.0;
    const double s = (m->liquidus - t) / (m->liquidus - m->solidus);
    return s * s * (3.0 - 2.0 * s);
}

static double solid_slope(const Material *m, double t)
{
    const double range = m->liquidus - m->solidus, s = (m->liquidus - t) / range;
    return s <= 0.0 || s >= 1.0 ? 0.0 : 6.0 * s * (1.0 - s) / range;
}

static double capacity(const Material *m, double t)
{
    double c = m->c0 + m->c1 * t;
    if (m->latent > 0.0)
        c += m->latent * solid_slope(m, t);
    return m->density * c;
}

/* What two cells conduct to each other, with the gap between different materials. */
static double conductance(const Field *f, const Surroundings *around, double ka, double kb, int a, int b)
{
    double resistance = 0.5 * f->h / ka + 0.5 * f->h / kb;
    if (f->kind[a] != f->kind[b])
        resistance += 1.0 / around->gap;
    return 1.0 / (resistance * f->h);
}

/* The surface's coefficient: convection, and radiation at the last temperature. */
static double surface(const Surroundings *around, double t)
{
    const double kelvin = t + 273.15, ambient = around->ambient + 273.15;
    const double radiation = around->emissivity * SIGMA * (kelvin + ambient) *
                             (kelvin * kelvin + ambient * ambient);
    return around->transfer + radiation;
}

static void properties(const Field *f, const Material *materials, const double *restrict t,
                       double *restrict k, double *restrict c)
{
    const int cells = f->nx * f->ny;
#pragma omp parallel for schedule(static)
    for (int at = 0; at < cells; at++) {
        const Material *m = &materials[f->kind[at]];
        k[at] = conductivity(m, t[at]);
        c[at] = capacity(m, t[at]);
    }
}

/* ---- tridiagonal systems -------------------------------------------------------------------------- */

/* Thomas: lower a, diagonal b, upper c, right-hand side d, which is the solution afterwards. */
static void thomas(int n, const double *a, double *b, const double *c, double *d)
{
    for (int i = 1; i < n; i++) {
        const double w = a[i] / b[i - 1];
        b[i] -= w * c[i - 1];
        d[i] -= w * d[i - 1];
    }
    d[n - 1] /= b[n - 1];
    for (int i = n - 2; i >= 0; i--)
        d[i] = (d[i] - c[i] * d[i + 1]) / b[i];
}

/* What flows into a cell across the faces of one direction, with the temperatures `t`. */
static double explicit_part(const Field *f, const Surroundings *around, const double *t, const double *k,
                            int i, int j, int direction)
{
    const int at = i * f->ny + j, stride = direction == ALONG_X ? f->ny : 1;
    const int place = direction == ALONG_X ? i : j, last = (direction == ALONG_X ? f->nx : f->ny) - 1;
    double sum = 0.0;
    if (place > 0)
        sum += conductance(f, around, k[at - stride], k[at], at - stride, at) * (t[at - stride] - t[at]);
    else
        sum += surface(around, t[at]) / f->h * (around->ambient - t[at]);
    if (place < last)
        sum += conductance(f, around, k[at], k[at + stride], at, at + stride) * (t[at + stride] - t[at]);
    else
        sum += surface(around, t[at]) / f->h * (around->ambient - t[at]);
    return sum;
}

/* Half a step: implicit in one direction, explicit in the other. */
static void half_step(const Field *f, const Surroundings *around, double dt, int implicit,
                      const double *old, const double *guess, const double *k, const double *c,
                      const double *source, double *new)
{
    const int lines = implicit == ALONG_X ? f->ny : f->nx;
    const int n = implicit == ALONG_X ? f->nx : f->ny;
    const int stride = implicit == ALONG_X ? f->ny : 1;
    const int other = implicit == ALONG_X ? ALONG_Y : ALONG_X;

#pragma omp parallel
    {
        double *work = malloc(4 * n * sizeof(double));
        double *lower = work, *middle = work + n, *upper = work + 2 * n, *right = work + 3 * n;
#pragma omp for schedule(dynamic, 2)
        for (int line = 0; line < lines; line++) {
            const int first = implicit == ALONG_X ? line : line * f->ny;
            for (int p = 0; p < n; p++) {
                const int at = first + p * stride;
                const int i = at / f->ny, j = at % f->ny;
                const double heat = 2.0 * c[at] / dt;
                lower[p] = upper[p] = 0.0;
                middle[p] = heat;
                right[p] = heat * old[at] + explicit_part(f, around, old, k, i, j, other) + source[at];
                if (p > 0) {
                    lower[p] = -conductance(f, around, k[at - stride], k[at], at - stride, at);
                    middle[p] -= lower[p];
                } else {
                    const double s = surface(around, guess[at]) / f->h;
                    middle[p] += s;
                    right[p] += s * around->ambient;
                }
                if (p < n - 1) {
                    upper[p] = -conductance(f, around, k[at], k[at + stride], at, at + stride);
                    middle[p] -= upper[p];
                } else {
                    const double s = surface(around, guess[at]) / f->h;
                    middle[p] += s;
                    right[p] += s * around->ambient;
                }
            }
            thomas(n, lower, middle, upper, right);
            for (int p = 0; p < n; p++)
                new[first + p * stride] = right[p];
        }
        free(work);
    }
}

/* ---- what comes out ------------------------------------------------------------------------------- */

static double difference(int cells, const double *a, const double *b)
{
    double most = 0.0;
#pragma omp parallel for reduction(max : most)
    for (int at = 0; at < cells; at++) {
        const double d = fabs(a[at] - b[at]);
        most = d > most ? d : most;
    }
    return most;
}

static double solid(const Field *f, const Material *materials, const double *t)
{
    double part = 0.0;
    int metal = 0;
#pragma omp parallel for reduction(+ : part, metal)
    for (int at = 0; at < f->nx * f->ny; at++) {
        if (f->kind[at] != METAL)
            continue;
        part += solid_part(&materials[METAL], t[at]);
        metal++;
    }
    return metal ? part / metal : 0.0;
}

/* Niyama's criterion where the metal becomes solid: the gradient over the root of the cooling rate. */
static double porosity(const Field *f, const Material *m, double dt, const double *t, const double *old)
{
    double risk = 0.0;
#pragma omp parallel for collapse(2) reduction(+ : risk)
    for (int i = 1; i < f->nx - 1; i++)
        for (int j = 1; j < f->ny - 1; j++) {
            if (f->kind[i * f->ny + j] == METAL && T(i, j) < m->liquidus && T(i, j) > m->solidus) {
                const double rate = (old[i * f->ny + j] - T(i, j)) / dt;
                const double gx = (T(i + 1, j) - T(i - 1, j)) / (2.0 * f->h);
                const double gy = (T(i, j + 1) - T(i, j - 1)) / (2.0 * f->h);
                if (rate > 0.0)
                    risk += exp(-1e-2 * sqrt((gx * gx + gy * gy) / (rate + 1e-3)));
            }
        }
    return risk;
}

static double thermocouples(int count, const int *place, const double *recorded, const double *t)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        sum += 0.5 * (t[place[k]] - recorded[k]) * (t[place[k]] - recorded[k]);
    return sum;
}

static void show(int step, double seconds, double part, double change)
{
    printf("%5d %8.2f s   %5.1f %% solid   last change %.2e\n", step, seconds, 100.0 * part, change);
}

/* ---- the program ---------------------------------------------------------------------------------- */

#pragma g2o grad (cast, t)/(materials, t, source, ambient, transfer, emissivity, gap, recorded)
#pragma g2o jvp (cast, t)/(materials, t, source, ambient, transfer, emissivity, gap, recorded)
double cast(const Field *f, const Material *materials, Times times, double ambient, double transfer,
            double emissivity, double gap, double *t, const double *source, int count, const int *place,
            const double *recorded)
{
    const int cells = f->nx * f->ny;
    const Surroundings around = {ambient, transfer, emissivity, gap};
    double *old = malloc(cells * sizeof *old), *half = malloc(cells * sizeof *half);
    double *k = malloc(cells * sizeof *k), *c = malloc(cells * sizeof *c);
    double *guess = malloc(cells * sizeof *guess);
    double misfit = 0.0, risk = 0.0, part = 0.0;

    for (int step = 0; step < times.steps; step++) {
        double change = 0.0;
        memcpy(old, t, cells * sizeof *old);
        for (int iteration = 0; iteration < times.iterations; iteration++) {
            memcpy(guess, t, cells * sizeof *guess);
            properties(f, materials, guess, k, c);
            half_step(f, &around, times.dt, ALONG_X, old, guess, k, c, source, half);
            half_step(f, &around, times.dt, ALONG_Y, half, guess, k, c, source, t);
            change = difference(cells, t, guess);
            if (change < 1e-9)
                break;
        }
        risk += porosity(f, &materials[METAL], times.dt, t, old);
        misfit += thermocouples(count, place, recorded + step * count, t);
        part = solid(f, materials, t);
        if (times.print)
            show(step, (step + 1) * times.dt, part, change);
    }
    free(guess);
    free(c);
    free(k);
    free(half);
    free(old);
    return 1e-3 * misfit + 0.1 * risk + 10.0 * part;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 30;
    unsigned char *kind = malloc(n * n);
    double *t = malloc(n * n * sizeof(double)), *source = calloc(n * n, sizeof(double));
    double *recorded = malloc(steps * sizeof(double));
    const int place[1] = {n / 4 * n + n / 2};
    const Material materials[MATERIALS] = {{30.0, 0.01, 7200.0, 600.0, 0.1, 2.7e5, 1400.0, 1480.0},
                                           {1.0, 0.0005, 1600.0, 900.0, 0.2, 0.0, 0.0, 1.0}};
    for (int at = 0; at < n * n; at++) {
        const int i = at / n, j = at % n;
        const int is_metal = i > n / 4 && i < 3 * n / 4 && j > n / 4 && j < 3 * n / 4;
        kind[at] = is_metal ? METAL : MOULD;
        t[at] = is_metal ? 1520.0 : 30.0;
    }
    for (int s = 0; s < steps; s++)
        recorded[s] = 100.0 + 10.0 * s;
    const Field field = {n, n, 0.2 / n, kind};
    const Times times = {5.0, steps, 3, 1};
    printf("cost %.9e\n", cast(&field, materials, times, 25.0, 20.0, 0.8, 500.0, t, source, 1, place,
                               recorded));
    free(kind);
    free(t);
    free(source);
    free(recorded);
    return 0;
}
