/*
 * Inviscid gas in two dimensions: finite volumes of second order on a Cartesian grid.
 *
 *   primitive variables  ->  limited slopes  ->  fluxes at faces  ->  rate of change  ->  Runge-Kutta
 *
 * The conserved variables of a cell are density, momentum and energy. Two rows of ghost cells around
 * the grid hold what lies beyond the boundary. Time steps follow from the Courant number, unless they
 * are given. What comes out is how far the pressure at probes is from a record of it, and the
 * entropy of the gas in the end.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GHOST 2
#define NVAR 4

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SQUARE(a) ((a) * (a))

enum { RHO, MX, MY, EN };
typedef enum { PERIODIC, REFLECTING, OPEN, INFLOW } Boundary;
typedef enum { MINMOD, VAN_LEER, SUPERBEE, CENTRAL } Limiter;
typedef enum { RUSANOV, HLL, HLLC } Solver;

typedef struct {
    int nx, ny; /* cells without ghosts */
    double dx, dy;
    Boundary west, east, south, north;
} Grid;

typedef struct {
    double gamma;
    double floor; /* least pressure */
} Gas;

typedef struct {
    Limiter limiter;
    Solver solver;
    double courant;
    double dt; /* 0: from the Courant number */
    int stages;
    int verbose;
} Scheme;

typedef struct {
    double rho, u, v, p;
} State;

typedef struct {
    int count;
    const int *i, *j;
    double weight;
} Probes;

/* ---- thermodynamics ------------------------------------------------------------------------------- */

static inline double pressure(const Gas *gas, const double *q)
{
    const double kinetic = 0.5 * (SQUARE(q[MX]) + SQUARE(q[MY])) / q[RHO];
    const double p = (gas->gamma - 1.0) * (q[EN] - kinetic);
    return MAX(p, gas->floor);
}

static inline State primitive(const Gas *gas, const double *q)
{
    State w;
    w.rho = q[RHO];
    w.u = q[MX] / q[RHO];
    w.v = q[MY] / q[RHO];
    w.p = pressure(gas, q);
    return w;
}

static inline void conserved(const Gas *gas, State w, double *q)
{
    q[RHO] = w.rho;
    q[MX] = w.rho * w.u;
    q[MY] = w.rho * w.v;
    q[EN] = w.p / (gas->gamma - 1.0) + 0.5 * w.rho * (w.u * w.u + w.v * w.v);
}

static inline double speed_of_sound(const Gas *gas, State w)
{
    return sqrt(gas->gamma * w.p / w.rho);
}

/* ---- slopes --------------------------------------------------------------------------------------- */

static double limited(Limiter limiter, double a, double b)
{
    if (limiter == CENTRAL)
        return 0.5 * (a + b);
    if (a * b <= 0.0)
        return 0.0;
    switch (limiter) {
    case VAN_LEER:
        return 2.0 * a * b / (a + b);
    case SUPERBEE: {
        const double s = a > 0.0 ? 1.0 : -1.0;
        const double one = MIN(2.0 * fabs(a), fabs(b));
        const double two = MIN(fabs(a), 2.0 * fabs(b));
        return s * MAX(one, two);
    }
    case MINMOD:
    default:
        return fabs(a) < fabs(b) ? a : b;
    }
}

/* The state half a cell away from the cell `w`, towards the side of `sign`. */
static State edge(Limiter limiter, State before, State w, State behind, double sign)
{
    State e;
    e.rho = w.rho + 0.5 * sign * limited(limiter, w.rho - before.rho, behind.rho - w.rho);
    e.u = w.u + 0.5 * sign * limited(limiter, w.u - before.u, behind.u - w.u);
    e.v = w.v + 0.5 * sign * limited(limiter, w.v - before.v, behind.v - w.v);
    e.p = w.p + 0.5 * sign * limited(limiter, w.p - before.p, behind.p - w.p);
    return e;
}

/* ---- fluxes --------------------------------------------------------------------------------------- */

/* The flux of a state in direction 0 (x) or 1 (y). */
static void physical_flux(const Gas *gas, State w, int direction, double *f)
{
    const double normal = direction == 0 ? w.u : w.v;
    const double energy = w.p / (gas->gamma - 1.0) + 0.5 * w.rho * (w.u * w.u + w.v * w.v);
    f[RHO] = w.rho * normal;
    f[MX] = w.rho * w.u * normal;
    f[MY] = w.rho * w.v * normal;
    f[EN] = (energy + w.p) * normal;
    f[direction == 0 ? MX : MY] += w.p;
}

static void rusanov(const Gas *gas, State l, State r, int direction, double f[NVAR])
{
    double fl[NVAR], fr[NVAR], ql[NVAR], qr[NVAR];
    const double vl = direction == 0 ? l.u : l.v, vr = direction == 0 ? r.u : r.v;
    const double al = fabs(vl) + speed_of_sound(gas, l), ar = fabs(vr) + speed_of_sound(gas, r);
    const double fastest = fmax(al, ar);
    physical_flux(gas, l, direction, fl);
    physical_flux(gas, r, direction, fr);
    conserved(gas, l, ql);
    conserved(gas, r, qr);
    for (int k = 0; k < NVAR; k++)
        f[k] = 0.5 * (fl[k] + fr[k]) - 0.5 * fastest * (qr[k] - ql[k]);
}

static void hll(const Gas *gas, State l, State r, int direction, int contact, double f[NVAR])
{
    const double vl = direction == 0 ? l.u : l.v, vr = direction == 0 ? r.u : r.v;
    const double cl = speed_of_sound(gas, l), cr = speed_of_sound(gas, r);
    const double sl = fmin(vl - cl, vr - cr), sr = fmax(vl + cl, vr + cr);
    double fl[NVAR], fr[NVAR], ql[NVAR], qr[NVAR];

    physical_flux(gas, l, direction, fl);
    if (sl >= 0.0) {
        for (int k = 0; k < NVAR; k++)
            f[k] = fl[k];
        return;
    }
    physical_flux(gas, r, direction, fr);
    if (sr <= 0.0) {
        for (int k = 0; k < NVAR; k++)
            f[k] = fr[k];
        return;
    }
    conserved(gas, l, ql);
    conserved(gas, r, qr);
    if (!contact) {
        for (int k = 0; k < NVAR; k++)
            f[k] = (sr * fl[k] - sl * fr[k] + sl * sr * (qr[k] - ql[k])) / (sr - sl);
        return;
    }
    /* Toro's HLLC: the contact wave in between is kept. */
    const double ml = l.rho * (sl - vl), mr = r.rho * (sr - vr);
    const double middle = (r.p - l.p + ml * vl - mr * vr) / (ml - mr);
    const int is_left = middle >= 0.0;
    const State w = is_left ? l : r;
    const double *q = is_left ? ql : qr, *flux = is_left ? fl : fr;
    const double s = is_left ? sl : sr, v = is_left ? vl : vr, m = is_left ? ml : mr;
    const double factor = m / (s - middle);
    double star[NVAR];
    star[RHO] = factor;
    star[MX] = factor * (direction == 0 ? middle : w.u);
    star[MY] = factor * (direction == 0 ? w.v : middle);
    star[EN] = factor * (q[EN] / w.rho + (middle - v) * (middle + w.p / m));
    for (int k = 0; k < NVAR; k++)
        f[k] = flux[k] + s * (star[k] - q[k]);
}

static void face_flux(const Gas *gas, const Scheme *scheme, State w[4], int direction, double f[NVAR])
{
    const State l = edge(scheme->limiter, w[0], w[1], w[2], 1.0);
    const State r = edge(scheme->limiter, w[1], w[2], w[3], -1.0);
    switch (scheme->solver) {
    case HLL:
        hll(gas, l, r, direction, 0, f);
        break;
    case HLLC:
        hll(gas, l, r, direction, 1, f);
        break;
    default:
        rusanov(gas, l, r, direction, f);
    }
}

/* ---- boundaries ----------------------------------------------------------------------------------- */

static void boundaries(const Grid *grid, const Gas *gas, State inflow, int row,
                       double (*q)[row][NVAR])
{
    const int nx = grid->nx, ny = grid->ny;
#pragma omp parallel
    {
#pragma omp for
        for (int j = GHOST; j < ny + GHOST; j++)
            for (int g = 0; g < GHOST; g++) {
                const int west = GHOST - 1 - g, east = nx + GHOST + g;
                int from = grid->west == PERIODIC ? nx + west : grid->west == OPEN ? GHOST : GHOST + g;
                for (int k = 0; k < NVAR; k++)
                    q[j][west][k] = q[j][from][k];
                if (grid->west == REFLECTING)
                    q[j][west][MX] = -q[j][west][MX];
                else if (grid->west == INFLOW)
                    conserved(gas, inflow, q[j][west]);
                from = grid->east == PERIODIC ? GHOST + g : nx + GHOST - 1 - (grid->east == OPEN ? 0 : g);
                for (int k = 0; k < NVAR; k++)
                    q[j][east][k] = q[j][from][k];
                if (grid->east == REFLECTING)
                    q[j][east][MX] *= -1.0;
            }
#pragma omp for
        for (int i = 0; i < nx + 2 * GHOST; i++)
            for (int g = 0; g < GHOST; g++) {
                const int south = GHOST - 1 - g, north = ny + GHOST + g;
                const int below = grid->south == PERIODIC ? ny + south : GHOST + g;
                const int above = grid->north == PERIODIC ? GHOST + g : ny + GHOST - 1 - g;
                for (int k = 0; k < NVAR; k++) {
                    q[south][i][k] = q[below][i][k];
                    q[north][i][k] = q[above][i][k];
                }
                if (grid->south == REFLECTING)
                    q[south][i][MY] = -q[south][i][MY];
                if (grid->north == REFLECTING)
                    q[north][i][MY] = -q[north][i][MY];
            }
    }
}

/* ---- time steps ----------------------------------------------------------------------------------- */

static double time_step(const Grid *grid, const Gas *gas, const Scheme *scheme, int row,
                        double (*q)[row][NVAR])
{
    double fastest = 1e-12;
    int i, j;
    if (scheme->dt > 0.0)
        return scheme->dt;
#pragma omp parallel for collapse(2) reduction(max : fastest)
    for (j = GHOST; j < grid->ny + GHOST; j++)
        for (i = GHOST; i < grid->nx + GHOST; i++) {
            const State w = primitive(gas, q[j][i]);
            const double c = speed_of_sound(gas, w);
            const double rate = (fabs(w.u) + c) / grid->dx + (fabs(w.v) + c) / grid->dy;
            fastest = fmax(fastest, rate);
        }
    return scheme->courant / fastest;
}

/* dq/dt from the fluxes through the four faces of each cell. */
static void rate_of_change(const Grid *grid, const Gas *gas, const Scheme *scheme, int row,
                           double (*q)[row][NVAR], double (*rate)[row][NVAR])
{
    const int nx = grid->nx, ny = grid->ny;
#pragma omp parallel for schedule(dynamic, 1)
    for (int j = GHOST; j < ny + GHOST; j++) {
        for (int i = GHOST; i < nx + GHOST; i++) {
            double west[NVAR], east[NVAR], south[NVAR], north[NVAR];
            State x[5], y[5];
            for (int s = 0; s < 5; s++) {
                x[s] = primitive(gas, q[j][i + s - 2]);
                y[s] = primitive(gas, q[j + s - 2][i]);
            }
            face_flux(gas, scheme, x, 0, west);
            face_flux(gas, scheme, x + 1, 0, east);
            face_flux(gas, scheme, y, 1, south);
            face_flux(gas, scheme, y + 1, 1, north);
            for (int k = 0; k < NVAR; k++)
                rate[j][i][k] = (west[k] - east[k]) / grid->dx + (south[k] - north[k]) / grid->dy;
        }
    }
}

/* Strong-stability-preserving Runge-Kutta of one, two or three stages (Shu and Osher). */
static void advance(const Grid *grid, const Gas *gas, const Scheme *scheme, State inflow, double dt,
                    int row, double (*q)[row][NVAR], double (*old)[row][NVAR],
                    double (*rate)[row][NVAR])
{
    static const double kept[3][3] = {{0.0}, {0.0, 0.5}, {0.0, 0.75, 1.0 / 3.0}};
    const int nx = grid->nx, ny = grid->ny;
#pragma omp parallel for
    for (int j = 0; j < ny + 2 * GHOST; j++)
        for (int i = 0; i < nx + 2 * GHOST; i++)
            for (int k = 0; k < NVAR; k++)
                old[j][i][k] = q[j][i][k];
    for (int stage = 0; stage < scheme->stages; stage++) {
        const double a = kept[scheme->stages - 1][stage];
        boundaries(grid, gas, inflow, row, q);
        rate_of_change(grid, gas, scheme, row, q, rate);
#pragma omp parallel for
        for (int j = GHOST; j < ny + GHOST; j++)
            for (int i = GHOST; i < nx + GHOST; i++) {
#pragma omp simd
                for (int k = 0; k < NVAR; k++)
                    q[j][i][k] = a * old[j][i][k] + (1.0 - a) * (q[j][i][k] + dt * rate[j][i][k]);
            }
    }
}

/* ---- what comes out ------------------------------------------------------------------------------- */

static int is_physical(const Grid *grid, int row, double (*q)[row][NVAR])
{
    int bad = 0;
#pragma omp parallel for reduction(+ : bad)
    for (int j = GHOST; j < grid->ny + GHOST; j++)
        for (int i = GHOST; i < grid->nx + GHOST; i++)
            if (!(q[j][i][RHO] > 0.0) || !(q[j][i][EN] > 0.0))
                bad++;
    return bad == 0;
}

static double total_entropy(const Grid *grid, const Gas *gas, int row, double (*q)[row][NVAR])
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(guided)
    for (int j = GHOST; j < grid->ny + GHOST; j++)
        for (int i = GHOST; i < grid->nx + GHOST; i++) {
            const State w = primitive(gas, q[j][i]);
            sum += w.rho * log(w.p / pow(w.rho, gas->gamma));
        }
    return sum * grid->dx * grid->dy;
}

static double misfit(const Gas *gas, const Probes *probes, const double *record, int row,
                     double (*q)[row][NVAR])
{
    double sum = 0.0;
    for (int k = 0; k < probes->count; k++) {
        const double p = pressure(gas, q[probes->j[k] + GHOST][probes->i[k] + GHOST]);
        sum += 0.5 * probes->weight * SQUARE(p - record[k]);
    }
    return sum;
}

static void report(int step, double time, double dt, double cost)
{
    printf("step %4d  time %.5f  dt %.3e  misfit %.6e\n", step, time, dt, cost);
}

/* Runs from the given primitive variables, which are those at the end afterwards. Returns -1 if the
 * state is not physical any more. */
#pragma g2o grad (gas_flow, rho, u, v, p)/(rho, u, v, p, gamma, inflow_p, record)
#pragma g2o jvp (gas_flow, rho, u, v, p)/(rho, u, v, p, gamma, inflow_p, record)
double gas_flow(const Grid *grid, Scheme scheme, int steps, double gamma, double inflow_p, double *rho,
                double *u, double *v, double *p, const Probes *probes, const double *record)
{
    const int nx = grid->nx, ny = grid->ny, row = nx + 2 * GHOST;
    const Gas gas = {gamma, 1e-8};
    const State inflow = {1.0, 0.6, 0.0, inflow_p};
    const size_t bytes = sizeof(double[ny + 2 * GHOST][row][NVAR]);
    double (*q)[row][NVAR] = malloc(bytes);
    double (*old)[row][NVAR] = malloc(bytes);
    double (*rate)[row][NVAR] = malloc(bytes);
    double cost = 0.0, time = 0.0;

#pragma omp parallel for collapse(2)
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const int at = j * nx + i;
            const State w = {rho[at], u[at], v[at], p[at]};
            conserved(&gas, w, q[j + GHOST][i + GHOST]);
        }
    boundaries(grid, &gas, inflow, row, q);

    for (int step = 0; step < steps; step++) {
        const double dt = time_step(grid, &gas, &scheme, row, q);
        advance(grid, &gas, &scheme, inflow, dt, row, q, old, rate);
        if (!is_physical(grid, row, q)) {
            fprintf(stderr, "step %d: density or energy is negative\n", step);
            free(q);
            free(old);
            free(rate);
            return -1.0;
        }
        time += dt;
        cost += dt * misfit(&gas, probes, record + step * probes->count, row, q);
        if (scheme.verbose)
            report(step, time, dt, cost);
    }
    cost += 0.01 * total_entropy(grid, &gas, row, q);

#pragma omp parallel for collapse(2)
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const State w = primitive(&gas, q[j + GHOST][i + GHOST]);
            rho[j * nx + i] = w.rho;
            u[j * nx + i] = w.u;
            v[j * nx + i] = w.v;
            p[j * nx + i] = w.p;
        }
    free(q);
    free(old);
    free(rate);
    return cost;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 50;
    const Grid grid = {n, n, 1.0 / n, 1.0 / n, REFLECTING, OPEN, PERIODIC, PERIODIC};
    const Scheme scheme = {VAN_LEER, HLLC, 0.4, 0.0, 3, 1};
    const int i[1] = {n / 2}, j[1] = {n / 2};
    const Probes probes = {1, i, j, 1.0};
    double *w = malloc(4 * sizeof(double) * n * n), *record = calloc(steps, sizeof(double));
    for (int at = 0; at < n * n; at++) {
        const double x = (at % n + 0.5) / n - 0.5, y = (at / n + 0.5) / n - 0.5;
        w[at] = 1.0;
        w[n * n + at] = w[2 * n * n + at] = 0.0;
        w[3 * n * n + at] = x * x + y * y < 0.01 ? 10.0 : 1.0;
    }
    const double cost = gas_flow(&grid, scheme, steps, 1.4, 1.0, w, w + n * n, w + 2 * n * n,
                                 w + 3 * n * n, &probes, record);
    printf("cost %.9e\n", cost);
    free(record);
    free(w);
    return 0;
}
