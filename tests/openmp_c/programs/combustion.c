/*
 * A flame in one or two dimensions: diffusion, advection and stiff chemistry, with Strang's splitting.
 *
 *     half a step of transport, a step of chemistry in each cell, half a step of transport
 *
 * Chemistry is a list of reversible reactions with Arrhenius' rates (and third bodies), integrated by
 * Rosenbrock's method of order 2 (ROS2) with a Jacobian by hand, LU with pivoting and a step size
 * that follows the error estimate; cells differ in how many steps they take. Transport is explicit,
 * upwind for advection, with mixture-averaged diffusivities.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPECIES 4
#define UNKNOWNS (SPECIES + 1) /* and the temperature */
#define MAX_REACTIONS 6
#define GAMMA 1.7071067811865476

enum { FUEL, OXYGEN, RADICAL, PRODUCT, TEMPERATURE };

typedef struct {
    int reactant[2], product[2]; /* -1: none */
    double factor, exponent, activation; /* k = A T^b exp(-E / T) */
    double heat;
    int third_body;
} Reaction;

typedef struct {
    int count;
    Reaction reaction[MAX_REACTIONS];
} Mechanism;

typedef struct {
    int nx, ny;
    double dx, dy, dt;
    double inlet[UNKNOWNS]; /* what flows in on the left */
} Domain;

typedef struct {
    double relative, absolute;
    int most; /* steps in a cell */
} Accuracy;

typedef double Matrix[UNKNOWNS][UNKNOWNS];

/* ---- chemistry ------------------------------------------------------------------------------------ */

static inline double rate_constant(const Reaction *r, double factor, double activation, double t)
{
    double k = factor * exp(-activation / t);
    if (r->exponent != 0.0)
        k *= pow(t, r->exponent);
    return k;
}

/* dy/dt; also the Jacobian where there is room for it. */
static void chemistry(const Mechanism *m, const double *factor, const double *activation,
                      const double y[UNKNOWNS], double dydt[UNKNOWNS], double (*jacobian)[UNKNOWNS])
{
    const double t = y[TEMPERATURE];
    for (int a = 0; a < UNKNOWNS; a++)
        dydt[a] = 0.0;
    if (jacobian)
        memset(jacobian, 0, sizeof(Matrix));
    for (int k = 0; k < m->count; k++) {
        const Reaction *r = &m->reaction[k];
        const double constant = rate_constant(r, factor[k], activation[k], t);
        const int a = r->reactant[0], b = r->reactant[1];
        const double ya = y[a], yb = b >= 0 ? y[b] : 1.0;
        double body = 1.0;
        if (r->third_body) {
            body = 0.0;
            for (int s = 0; s < SPECIES; s++)
                body += y[s];
        }
        const double rate = constant * ya * yb * body;
        dydt[a] -= rate;
        if (b >= 0)
            dydt[b] -= rate;
        for (int p = 0; p < 2; p++)
            if (r->product[p] >= 0)
                dydt[r->product[p]] += rate;
        dydt[TEMPERATURE] += r->heat * rate;
        if (!jacobian)
            continue;
        double slope[UNKNOWNS] = {0.0};
        slope[a] += constant * yb * body;
        if (b >= 0)
            slope[b] += constant * ya * body;
        if (r->third_body)
            for (int s = 0; s < SPECIES; s++)
                slope[s] += constant * ya * yb;
        slope[TEMPERATURE] = rate * (activation[k] / (t * t) + r->exponent / t);
        for (int c = 0; c < UNKNOWNS; c++) {
            jacobian[a][c] -= slope[c];
            if (b >= 0)
                jacobian[b][c] -= slope[c];
            for (int p = 0; p < 2; p++)
                if (r->product[p] >= 0)
                    jacobian[r->product[p]][c] += slope[c];
            jacobian[TEMPERATURE][c] += r->heat * slope[c];
        }
    }
}

/* LU with pivoting in place; false if it is singular. */
static bool factorise(Matrix a, int pivot[UNKNOWNS])
{
    for (int k = 0; k < UNKNOWNS; k++) {
        int largest = k;
        for (int i = k + 1; i < UNKNOWNS; i++)
            if (fabs(a[i][k]) > fabs(a[largest][k]))
                largest = i;
        pivot[k] = largest;
        if (a[largest][k] == 0.0)
            return false;
        if (largest != k)
            for (int j = 0; j < UNKNOWNS; j++) {
                const double swap = a[k][j];
                a[k][j] = a[largest][j];
                a[largest][j] = swap;
            }
        for (int i = k + 1; i < UNKNOWNS; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < UNKNOWNS; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
    return true;
}

static void substitute(Matrix lu, const int pivot[UNKNOWNS], double x[UNKNOWNS])
{
    for (int k = 0; k < UNKNOWNS; k++) {
        const double swap = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = swap;
    }
    for (int i = 1; i < UNKNOWNS; i++)
        for (int j = 0; j < i; j++)
            x[i] -= lu[i][j] * x[j];
    for (int i = UNKNOWNS - 1; i >= 0; i--) {
        for (int j = i + 1; j < UNKNOWNS; j++)
            x[i] -= lu[i][j] * x[j];
        x[i] /= lu[i][i];
    }
}

static double error_norm(const Accuracy *accuracy, const double *y, const double *error)
{
    double sum = 0.0;
    for (int a = 0; a < UNKNOWNS; a++) {
        const double scale = accuracy->absolute + accuracy->relative * fabs(y[a]);
        sum += (error[a] / scale) * (error[a] / scale);
    }
    return sqrt(sum / UNKNOWNS);
}

/* ROS2 in a cell over `span`; returns how many steps it took, or -1. */
static int react(const Mechanism *m, const double *factor, const double *activation, double span,
                 const Accuracy *accuracy, double *y)
{
    double time = 0.0, h = 0.1 * span;
    int steps = 0;
    while (time < span) {
        Matrix lu;
        double f[UNKNOWNS], k1[UNKNOWNS], k2[UNKNOWNS], middle[UNKNOWNS], error[UNKNOWNS];
        int pivot[UNKNOWNS];
        if (++steps > accuracy->most)
            return -1;
        if (time + h > span)
            h = span - time;
        chemistry(m, factor, activation, y, f, lu);
        for (int i = 0; i < UNKNOWNS; i++)
            for (int j = 0; j < UNKNOWNS; j++)
                lu[i][j] = (i == j) - GAMMA * h * lu[i][j];
        if (!factorise(lu, pivot))
            return -1;
        for (int i = 0; i < UNKNOWNS; i++)
            k1[i] = f[i];
        substitute(lu, pivot, k1);
        for (int i = 0; i < UNKNOWNS; i++)
            middle[i] = y[i] + h * k1[i];
        chemistry(m, factor, activation, middle, f, NULL);
        for (int i = 0; i < UNKNOWNS; i++)
            k2[i] = f[i] - 2.0 * k1[i];
        substitute(lu, pivot, k2);
        for (int i = 0; i < UNKNOWNS; i++)
            error[i] = 0.5 * h * (k1[i] + k2[i]);
        const double norm = error_norm(accuracy, y, error);
        if (norm > 1.0) {
            h *= fmax(0.2, 0.8 / sqrt(norm));
            continue;
        }
        for (int i = 0; i < UNKNOWNS; i++)
            y[i] += h * (1.5 * k1[i] + 0.5 * k2[i]);
        time += h;
        if (norm < 0.2)
            h *= 2.0;
    }
    return steps;
}

static int react_everywhere(const Domain *d, const Mechanism *m, const double *factor,
                            const double *activation, const Accuracy *accuracy, double *y)
{
    int failed = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(max : failed)
    for (int cell = 0; cell < d->nx * d->ny; cell++) {
        double own[UNKNOWNS];
        memcpy(own, y + cell * UNKNOWNS, sizeof own);
        if (react(m, factor, activation, d->dt, accuracy, own) < 0)
            failed = 1;
        memcpy(y + cell * UNKNOWNS, own, sizeof own);
    }
    return failed;
}

/* ---- transport ------------------------------------------------------------------------------------ */

static inline double diffusivity(double base, double lewis, double t)
{
    return base / lewis * pow(t, 0.7);
}

static inline double upwind(double speed, double before, double here, double behind, double width)
{
    return speed > 0.0 ? speed * (here - before) / width : speed * (behind - here) / width;
}

/* What one component is at a place, with the boundaries: inlet, outlet, periodic. */
static inline double value_at(const Domain *d, const double *y, int i, int j, int a)
{
    if (i < 0)
        return d->inlet[a];
    if (i >= d->nx)
        i = d->nx - 1;
    j = (j + d->ny) % d->ny;
    return y[(j * d->nx + i) * UNKNOWNS + a];
}

static void transport(const Domain *d, double dt, const double *u, const double *v, double base,
                      const double lewis[UNKNOWNS], const double *restrict y, double *restrict new)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (int j = 0; j < d->ny; j++)
        for (int i = 0; i < d->nx; i++) {
            const int cell = j * d->nx + i;
            for (int a = 0; a < UNKNOWNS; a++) {
                const double here = value_at(d, y, i, j, a);
                const double west = value_at(d, y, i - 1, j, a), east = value_at(d, y, i + 1, j, a);
                const double south = value_at(d, y, i, j - 1, a), north = value_at(d, y, i, j + 1, a);
                const double t = value_at(d, y, i, j, TEMPERATURE);
                const double de = diffusivity(base, lewis[a], 0.5 * (t + value_at(d, y, i + 1, j, TEMPERATURE)));
                const double dw = diffusivity(base, lewis[a], 0.5 * (t + value_at(d, y, i - 1, j, TEMPERATURE)));
                const double dn = diffusivity(base, lewis[a], 0.5 * (t + value_at(d, y, i, j + 1, TEMPERATURE)));
                const double ds = diffusivity(base, lewis[a], 0.5 * (t + value_at(d, y, i, j - 1, TEMPERATURE)));
                double rate = (de * (east - here) - dw * (here - west)) / (d->dx * d->dx);
                rate += (dn * (north - here) - ds * (here - south)) / (d->dy * d->dy);
                rate -= upwind(u[cell], west, here, east, d->dx);
                rate -= upwind(v[cell], south, here, north, d->dy);
                new[cell * UNKNOWNS + a] = here + dt * rate;
            }
        }
}

/* ---- quantities of interest ----------------------------------------------------------------------- */

static double heat_release(const Domain *d, const Mechanism *m, const double *factor,
                           const double *activation, const double *y)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(guided)
    for (int cell = 0; cell < d->nx * d->ny; cell++) {
        double rate[UNKNOWNS];
        chemistry(m, factor, activation, y + cell * UNKNOWNS, rate, NULL);
        sum += rate[TEMPERATURE];
    }
    return sum * d->dx * d->dy;
}

static double leaves(const Domain *d, const double *u, const double *y, int species)
{
    double sum = 0.0;
    for (int j = 0; j < d->ny; j++) {
        const int cell = j * d->nx + d->nx - 1;
        sum += fmax(u[cell], 0.0) * y[cell * UNKNOWNS + species] * d->dy;
    }
    return sum;
}

/* How much fuel leaves unburnt, and what heat is set free. */
#pragma g2o grad (burn, y)/(y, u, v, factor, activation, base, lewis, domain)
#pragma g2o jvp (burn, y)/(y, u, v, factor, activation, base, lewis, domain)
double burn(const Domain *domain, const Mechanism *mechanism, int steps, Accuracy accuracy, double *y,
            const double *u, const double *v, const double *factor, const double *activation,
            double base, const double *lewis)
{
    const int cells = domain->nx * domain->ny;
    double *half = malloc(cells * UNKNOWNS * sizeof(double));
    double unburnt = 0.0, heat = 0.0;
    if (half == NULL)
        return NAN;
    for (int step = 0; step < steps; step++) {
        transport(domain, 0.5 * domain->dt, u, v, base, lewis, y, half);
        if (react_everywhere(domain, mechanism, factor, activation, &accuracy, half)) {
            fprintf(stderr, "chemistry failed in step %d\n", step);
            free(half);
            return NAN;
        }
        transport(domain, 0.5 * domain->dt, u, v, base, lewis, half, y);
        unburnt += domain->dt * leaves(domain, u, y, FUEL);
        heat += domain->dt * heat_release(domain, mechanism, factor, activation, y);
    }
    free(half);
    return unburnt + 0.1 * heat;
}

int main(int argc, char **argv)
{
    const int nx = argc > 1 ? atoi(argv[1]) : 40, ny = argc > 2 ? atoi(argv[2]) : 10;
    const Domain domain = {nx, ny, 1.0 / nx, 1.0 / nx, 1e-3, {1.0, 2.0, 0.01, 0.0, 1.0}};
    const Mechanism mechanism = {3, {{{FUEL, OXYGEN}, {RADICAL, RADICAL}, 2e3, 0.0, 8.0, 0.2, 0},
                                     {{RADICAL, FUEL}, {PRODUCT, RADICAL}, 5e2, 0.5, 3.0, 1.0, 0},
                                     {{RADICAL, RADICAL}, {PRODUCT, -1}, 2e2, 0.0, 0.0, 2.0, 1}}};
    const double factor[3] = {2e3, 5e2, 2e2}, activation[3] = {8.0, 3.0, 0.0};
    const double lewis[UNKNOWNS] = {1.0, 1.1, 0.4, 1.2, 1.0};
    double *y = malloc(nx * ny * UNKNOWNS * sizeof(double));
    double *u = malloc(nx * ny * sizeof(double)), *v = calloc(nx * ny, sizeof(double));
    for (int cell = 0; cell < nx * ny; cell++) {
        const double x = (double)(cell % nx) / nx;
        u[cell] = 1.0;
        for (int a = 0; a < UNKNOWNS; a++)
            y[cell * UNKNOWNS + a] = domain.inlet[a];
        y[cell * UNKNOWNS + TEMPERATURE] = x > 0.5 ? 2.5 : 1.0;
    }
    printf("%.9e\n", burn(&domain, &mechanism, 20, (Accuracy){1e-3, 1e-6, 1000}, y, u, v, factor,
                          activation, 1e-3, lewis));
    free(y);
    free(u);
    free(v);
    return 0;
}
