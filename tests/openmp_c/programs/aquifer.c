/*
 * Groundwater in an unconfined aquifer, in a plan view: Boussinesq's equation with finite volumes.
 *
 *     specific yield * dh/dt = div(K * (h - bottom) * grad h) + recharge - wells - river - evaporation
 *
 * Time steps are implicit. What depends on the head (thickness, river, evaporation, what a well can
 * still draw) is iterated after Picard, and each linear system is solved by conjugate gradients with
 * Jacobi's preconditioner. Conductivities are given by their logarithms, cell by cell.
 *
 * The objective: how far heads in boreholes are from what was observed at the times of the steps, how
 * much the river lost, and how rough the conductivities are (Tikhonov).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 0.05 /* metres of water that a cell keeps to be wet */

enum kind { ACTIVE, FIXED, OUTSIDE };

typedef struct {
    int nx, ny;
    double dx, dy;
    const unsigned char *kind;
} grid_t;

typedef struct {
    const double *log_k;
    const double *bottom, *ground;
    double yield;      /* specific */
    double anisotropy; /* of y to x */
} aquifer_t;

typedef struct {
    int cell;
    int from, until; /* steps in which it pumps */
    double rate;     /* cubic metres a day, drawn */
    double screen;   /* thickness below which it draws less */
} well_t;

typedef struct {
    int reaches;
    const int *cell;
    const double *stage, *bed;
    double leakance; /* square metres a day */
} river_t;

typedef struct {
    double most;  /* metres a day at the surface */
    double depth; /* below the surface, where it ends */
} evaporation_t;

typedef struct {
    double x, y;
} borehole_t;

typedef struct {
    double dt;
    int steps, picard, iterations;
    double tolerance;
    int verbose;
} control_t;

/* Coefficients: to the east and to the north, the diagonal, the right-hand side. */
typedef struct {
    double *east, *north, *diagonal, *right;
} system_t;

/* ---- small things --------------------------------------------------------------------------------- */

static double *vector(int n)
{
    double *v = calloc(n, sizeof *v);
    if (!v) {
        fprintf(stderr, "no memory for %d numbers\n", n);
        exit(EXIT_FAILURE);
    }
    return v;
}

static inline double harmonic(double a, double b)
{
    return a + b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
}

/* Goes from 0 to 1 in [0, 1] without kinks. */
static double ramp(double s)
{
    if (s <= 0.0)
        return 0.0;
    if (s >= 1.0)
        return 1.0;
    return s * s * (3.0 - 2.0 * s);
}

static double thickness(const aquifer_t *a, double h, int c)
{
    const double wet = h - a->bottom[c];
    const double most = a->ground[c] - a->bottom[c];
    return fmin(fmax(wet, LEAST), most);
}

/* ---- the linear system of a step ------------------------------------------------------------------ */

static void transmissivities(const grid_t *g, const aquifer_t *a, const double *h, double *t)
{
    const int cells = g->nx * g->ny;
    int c;
#pragma omp parallel for default(none) shared(g, a, h, t, cells) private(c) schedule(static)
    for (c = 0; c < cells; c++)
        t[c] = g->kind[c] == OUTSIDE ? 0.0 : exp(a->log_k[c]) * thickness(a, h[c], c);
}

static void conductances(const grid_t *g, const aquifer_t *a, const double *t, system_t *s)
{
    const int nx = g->nx, ny = g->ny;
    const double ratio_x = g->dy / g->dx, ratio_y = a->anisotropy * g->dx / g->dy;
#pragma omp parallel for collapse(2)
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const int c = j * nx + i;
            s->east[c] = i + 1 < nx ? ratio_x * harmonic(t[c], t[c + 1]) : 0.0;
            s->north[c] = j + 1 < ny ? ratio_y * harmonic(t[c], t[c + nx]) : 0.0;
        }
}

/* Storage, recharge and evaporation, and the conductances on the diagonal. */
static void assemble(const grid_t *g, const aquifer_t *a, const evaporation_t *e, double dt,
                     double recharge, const double *old, const double *guess, system_t *s)
{
    const int nx = g->nx, cells = nx * g->ny;
    const double area = g->dx * g->dy;
#pragma omp parallel for firstprivate(area)
    for (int c = 0; c < cells; c++) {
        const int i = c % nx, j = c / nx;
        const double storage = a->yield * area / dt;
        double sum = storage;
        if (g->kind[c] != ACTIVE) {
            s->diagonal[c] = 1.0;
            s->right[c] = old[c];
            continue;
        }
        sum += s->east[c] + s->north[c];
        if (i > 0)
            sum += s->east[c - 1];
        if (j > 0)
            sum += s->north[c - nx];
        s->right[c] = storage * old[c] + recharge * area;

        /* evaporation falls linearly with depth; the part that depends on the head is implicit */
        const double above = guess[c] - (a->ground[c] - e->depth);
        if (above >= e->depth) {
            s->right[c] -= e->most * area;
        } else if (above > 0.0) {
            const double slope = e->most * area / e->depth;
            sum += slope;
            s->right[c] += slope * (a->ground[c] - e->depth);
        }
        s->diagonal[c] = sum;
    }
}

static void draw_wells(const aquifer_t *a, int wells, const well_t *well, int step,
                       const double *guess, system_t *s)
{
#pragma omp parallel for
    for (int w = 0; w < wells; w++) {
        const well_t *p = well + w;
        if (step < p->from || step >= p->until)
            continue;
        const double part = ramp((guess[p->cell] - a->bottom[p->cell]) / p->screen);
#pragma omp atomic
        s->right[p->cell] -= p->rate * part;
    }
}

/* The river gives by its stage to an aquifer that hangs below its bed, by the head otherwise. */
static void add_river(const river_t *r, const double *guess, system_t *s)
{
    for (int k = 0; k < r->reaches; k++) {
        const int c = r->cell[k];
        if (guess[c] > r->bed[k]) {
            s->diagonal[c] += r->leakance;
            s->right[c] += r->leakance * r->stage[k];
        } else {
            s->right[c] += r->leakance * (r->stage[k] - r->bed[k]);
        }
    }
}

/* y = A x, for cells whose heads are unknown. */
static double apply(const grid_t *g, const system_t *s, const double *x, int c)
{
    const int nx = g->nx, i = c % nx, j = c / nx;
    if (g->kind[c] != ACTIVE)
        return 0.0;
    double y = s->diagonal[c] * x[c];
    if (i > 0)
        y -= s->east[c - 1] * x[c - 1];
    if (i < nx - 1)
        y -= s->east[c] * x[c + 1];
    if (j > 0)
        y -= s->north[c - nx] * x[c - nx];
    if (j < g->ny - 1)
        y -= s->north[c] * x[c + nx];
    return y;
}

/* Conjugate gradients; all threads stay in one region. Gives back how many iterations it took. */
static int solve(int cells, const grid_t *g, const system_t *s, const control_t *control, double *h)
{
    double *work = vector(4 * cells);
    double *r = work, *z = work + cells, *p = work + 2 * cells, *q = work + 3 * cells;
    double rz = 0.0, pq = 0.0, next = 0.0, first = 0.0;
    int taken = 0;

#pragma omp parallel
    {
#pragma omp for reduction(+ : rz)
        for (int c = 0; c < cells; c++) {
            r[c] = g->kind[c] == ACTIVE ? s->right[c] - apply(g, s, h, c) : 0.0;
            z[c] = r[c] / s->diagonal[c];
            p[c] = z[c];
            rz += r[c] * z[c];
        }
#pragma omp single
        first = rz;
        for (int k = 0; k < control->iterations; k++) {
            if (rz <= control->tolerance * first || rz == 0.0)
                break;
#pragma omp for reduction(+ : pq)
            for (int c = 0; c < cells; c++) {
                q[c] = apply(g, s, p, c);
                pq += p[c] * q[c];
            }
#pragma omp for reduction(+ : next)
            for (int c = 0; c < cells; c++) {
                const double alpha = rz / pq;
                h[c] += alpha * p[c];
                r[c] -= alpha * q[c];
                z[c] = r[c] / s->diagonal[c];
                next += r[c] * z[c];
            }
#pragma omp for
            for (int c = 0; c < cells; c++)
                p[c] = z[c] + next / rz * p[c];
#pragma omp single
            {
                rz = next;
                next = pq = 0.0;
                taken++;
            }
        }
    }
    free(work);
    return taken;
}

/* ---- what is observed ----------------------------------------------------------------------------- */

/* The head at a place, bilinear between the centres of cells. */
static double head_at(const grid_t *g, const double *h, const borehole_t *b)
{
    const double x = b->x / g->dx - 0.5, y = b->y / g->dy - 0.5;
    int i = (int)floor(x), j = (int)floor(y);
    i = i < 0 ? 0 : i > g->nx - 2 ? g->nx - 2 : i;
    j = j < 0 ? 0 : j > g->ny - 2 ? g->ny - 2 : j;
    const double u = x - i, v = y - j;
    const double *row = h + j * g->nx + i, *above = row + g->nx;
    return (1.0 - v) * ((1.0 - u) * row[0] + u * row[1]) + v * ((1.0 - u) * above[0] + u * above[1]);
}

static double misfit(const grid_t *g, const double *h, int boreholes, const borehole_t *at,
                     const double *observed, const double *weight)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) if (boreholes > 100)
    for (int b = 0; b < boreholes; b++) {
        const double d = head_at(g, h, &at[b]) - observed[b];
        sum += weight[b] * (fabs(d) < 1.0 ? 0.5 * d * d : fabs(d) - 0.5); /* after Huber */
    }
    return sum;
}

static double river_loss(const river_t *r, const double *h)
{
    double loss = 0.0;
#pragma omp parallel for reduction(+ : loss)
    for (int k = 0; k < r->reaches; k++)
        loss += r->leakance * (r->stage[k] - fmax(h[r->cell[k]], r->bed[k]));
    return loss;
}

static double roughness(const grid_t *g, const double *log_k)
{
    double sum_x = 0.0, sum_y = 0.0;
#pragma omp parallel sections
    {
#pragma omp section
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i + 1 < g->nx; i++) {
                const double d = (log_k[j * g->nx + i + 1] - log_k[j * g->nx + i]) / g->dx;
                sum_x += d * d;
            }
#pragma omp section
        for (int j = 0; j + 1 < g->ny; j++)
            for (int i = 0; i < g->nx; i++) {
                const double d = (log_k[(j + 1) * g->nx + i] - log_k[j * g->nx + i]) / g->dy;
                sum_y += d * d;
            }
    }
    return 0.5 * g->dx * g->dy * (sum_x + sum_y);
}

/* ---- the program ---------------------------------------------------------------------------------- */

#pragma g2o grad (pump, h)/(aquifer, well, river, evaporation, recharge, h, at, observed, weight)
#pragma g2o jvp (pump, h)/(aquifer, well, river, evaporation, recharge, h, at, observed, weight)
double pump(const grid_t *grid, const aquifer_t *aquifer, int wells, const well_t *well,
            const river_t *river, evaporation_t evaporation, const double *recharge,
            control_t control, double *h, int boreholes, const borehole_t *at,
            const double *observed, const double *weight)
{
    const int cells = grid->nx * grid->ny;
    double *old = vector(cells), *t = vector(cells);
    system_t s = {vector(cells), vector(cells), vector(cells), vector(cells)};
    double apart = 0.0, lost = 0.0;

    for (int step = 0; step < control.steps; step++) {
        int taken = 0;
        memcpy(old, h, cells * sizeof *h);
        for (int k = 0; k < control.picard; k++) {
            transmissivities(grid, aquifer, h, t);
            conductances(grid, aquifer, t, &s);
            assemble(grid, aquifer, &evaporation, control.dt, recharge[step], old, h, &s);
            draw_wells(aquifer, wells, well, step, h, &s);
            add_river(river, h, &s);
            taken += solve(cells, grid, &s, &control, h);
        }
        const double now = misfit(grid, h, boreholes, at, observed + step * boreholes, weight);
        apart += now;
        lost += control.dt * river_loss(river, h);
        if (control.verbose)
            printf("day %7.1f  misfit %.4e  river %12.3f m3  %d iterations\n",
                   (step + 1) * control.dt, now, lost, taken);
    }
    free(old);
    free(t);
    free(s.east);
    free(s.north);
    free(s.diagonal);
    free(s.right);
    return apart + 1e-4 * lost + 0.01 * roughness(grid, aquifer->log_k);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 50, cells = n * n;
    enum { STEPS = 20, WELLS = 2, BOREHOLES = 4 };
    unsigned char *kind = calloc(cells, 1);
    int *bank = malloc(n * sizeof *bank);
    double *h = vector(cells), *log_k = vector(cells), *bottom = vector(cells), *ground = vector(cells);
    double *stage = vector(n), *bed = vector(n);
    double recharge[STEPS], observed[STEPS * BOREHOLES], weight[BOREHOLES];
    const well_t well[WELLS] = {{n / 3 * n + n / 3, 0, 10, 900.0, 4.0},
                                {2 * n / 3 * n + n / 2, 5, STEPS, 600.0, 4.0}};
    const borehole_t at[BOREHOLES] = {{300, 310}, {520, 480}, {700, 220}, {410, 800}};

    for (int c = 0; c < cells; c++) {
        const int i = c % n, j = c / n;
        kind[c] = i == 0 || i == n - 1 ? FIXED : j == 0 && i < n / 5 ? OUTSIDE : ACTIVE;
        bottom[c] = 0.5 * sin(0.1 * i) * cos(0.13 * j);
        ground[c] = 14.0 + 2.0 * j / n;
        log_k[c] = 2.5 + 0.4 * sin(0.2 * i + 0.05 * j);
        h[c] = 10.0 + 2.0 * i / n;
    }
    for (int i = 0; i < n; i++) {
        bank[i] = n / 2 * n + i;
        stage[i] = 11.5;
        bed[i] = 10.5;
    }
    for (int s = 0; s < STEPS; s++)
        recharge[s] = 1e-3 * (1.0 + sin(0.3 * s));
    for (int k = 0; k < STEPS * BOREHOLES; k++)
        observed[k] = 10.5;
    for (int b = 0; b < BOREHOLES; b++)
        weight[b] = 1.0;

    const grid_t grid = {n, n, 1000.0 / n, 1000.0 / n, kind};
    const aquifer_t aquifer = {log_k, bottom, ground, 0.15, 0.8};
    const river_t river = {n - 2, bank + 1, stage + 1, bed + 1, 5.0};
    const evaporation_t evaporation = {2e-3, 3.0};
    const control_t control = {10.0, STEPS, 3, 200, 1e-12, 1};
    printf("objective %.9e\n", pump(&grid, &aquifer, WELLS, well, &river, evaporation, recharge,
                                    control, h, BOREHOLES, at, observed, weight));
    free(kind);
    free(bank);
    free(h);
    free(log_k);
    free(bottom);
    free(ground);
    free(stage);
    free(bed);
    return 0;
}
