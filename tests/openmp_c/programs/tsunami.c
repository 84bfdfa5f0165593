/*
 * Long waves over a sea bed, with land that is flooded and falls dry again.
 *
 * Shallow-water equations with finite volumes: hydrostatic reconstruction at the faces (Audusse et al.,
 * SIAM J. Sci. Comput. 25, 2004), a flux with wave speeds of dry beds, MUSCL with limited slopes of
 * the surface, Manning's friction taken implicitly, Coriolis' force and Heun's method. A source moves
 * the bed in the beginning. Gauges record the surface; what comes out is how far they are from
 * observations, the highest run-up, and the mass that is left.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81
#define DRY 1e-3
#define CALM 1e-12 /* water at rest has a speed, too: the root of 0 has no derivative */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* With one ring of ghost cells. */
#define AT(i, j) ((size_t)((i) + 1) * (sea->ny + 2) + (j) + 1)

enum edge { WALL, OPEN, TIDE };
enum limiter { NO_SLOPE, LIMIT_MINMOD, LIMIT_ALBADA };

struct sea {
    int nx, ny;
    double dx, dy;
    double coriolis;
    enum edge left, right; /* the others are walls */
    enum limiter limiter;
};

struct state {
    double *h, *hu, *hv; /* depth and discharge */
};

struct fault {
    double x, y, length, width;
    double angle;
    double rise, slip;   /* time and height */
};

struct gauges {
    int count;
    const int *place; /* i, j of each */
    int records;
    double every;
    const double *surface; /* `count` for each record */
};

typedef struct {
    double h, hu, hv;
} Flux;

/* ---- source --------------------------------------------------------------------------------------- */

/* How far the bed has been lifted at a place after some time. */
static double uplift(const struct fault *fault, double x, double y, double time)
{
    const double c = cos(fault->angle), s = sin(fault->angle);
    const double along = (c * (x - fault->x) + s * (y - fault->y)) / fault->length;
    const double across = (c * (y - fault->y) - s * (x - fault->x)) / fault->width;
    const double ramp = time >= fault->rise ? 1.0 : time / fault->rise;
    return fault->slip * ramp * exp(-along * along - across * across);
}

static void move_bed(const struct sea *sea, const struct fault *fault, double time, const double *bed,
                     double *now)
{
    int i, j;
#pragma omp parallel for private(j)
    for (i = -1; i <= sea->nx; i++)
        for (j = -1; j <= sea->ny; j++) {
            const double x = (i + 0.5) * sea->dx, y = (j + 0.5) * sea->dy;
            now[AT(i, j)] = bed[AT(i, j)] + uplift(fault, x, y, time);
        }
}

/* ---- boundaries ----------------------------------------------------------------------------------- */

static void copy_cell(const struct state *s, size_t to, size_t from, double sign_u, double sign_v)
{
    s->h[to] = s->h[from];
    s->hu[to] = sign_u * s->hu[from];
    s->hv[to] = sign_v * s->hv[from];
}

static void ghosts(const struct sea *sea, const struct state *s, const double *bed, double tide)
{
    const int nx = sea->nx, ny = sea->ny;
#pragma omp parallel sections
    {
#pragma omp section
        for (int j = 0; j < ny; j++) {
            copy_cell(s, AT(-1, j), AT(0, j), sea->left == WALL ? -1.0 : 1.0, 1.0);
            if (sea->left == TIDE)
                s->h[AT(-1, j)] = fmax(tide - bed[AT(-1, j)], 0.0);
        }
#pragma omp section
        for (int j = 0; j < ny; j++)
            copy_cell(s, AT(nx, j), AT(nx - 1, j), sea->right == WALL ? -1.0 : 1.0, 1.0);
#pragma omp section
        for (int i = 0; i < nx; i++) {
            copy_cell(s, AT(i, -1), AT(i, 0), 1.0, -1.0);
            copy_cell(s, AT(i, ny), AT(i, ny - 1), 1.0, -1.0);
        }
    }
}

/* ---- fluxes --------------------------------------------------------------------------------------- */

static inline double velocity(double h, double discharge)
{
    return h > DRY ? discharge / h : 0.0;
}

/* The speed of waves; none where it is dry. */
static inline double celerity(double h)
{
    return h > DRY ? sqrt(GRAVITY * h) : 0.0;
}

static double slope(enum limiter limiter, double a, double b)
{
    if (limiter == NO_SLOPE || a * b <= 0.0)
        return 0.0;
    if (limiter == LIMIT_MINMOD)
        return fabs(a) < fabs(b) ? a : b;
    return a * b * (a + b) / (a * a + b * b + 1e-12);
}

/* The flux of HLL for depths and velocities (normal, tangential) to the left and right. */
static Flux hll(double hl, double ul, double vl, double hr, double ur, double vr)
{
    Flux f = {0.0, 0.0, 0.0};
    double sl, sr;
    if (hl <= DRY && hr <= DRY)
        return f;
    const double cl = celerity(hl), cr = celerity(hr);
    if (hl <= DRY) {
        sl = ur - 2.0 * cr;
        sr = ur + cr;
    } else if (hr <= DRY) {
        sl = ul - cl;
        sr = ul + 2.0 * cl;
    } else {
        sl = MIN(ul - cl, ur - cr);
        sr = MAX(ul + cl, ur + cr);
    }
    const Flux l = {hl * ul, hl * ul * ul + 0.5 * GRAVITY * hl * hl, hl * ul * vl};
    const Flux r = {hr * ur, hr * ur * ur + 0.5 * GRAVITY * hr * hr, hr * ur * vr};
    if (sl >= 0.0)
        return l;
    if (sr <= 0.0)
        return r;
    const double w = 1.0 / (sr - sl);
    f.h = w * (sr * l.h - sl * r.h + sl * sr * (hr - hl));
    f.hu = w * (sr * l.hu - sl * r.hu + sl * sr * (hr * ur - hl * ul));
    f.hv = f.h >= 0.0 ? f.h * vl : f.h * vr;
    return f;
}

/* What a face does to the cells on both sides: the flux, and the pressure of the step in the bed. */
static void face(const struct sea *sea, const struct state *s, const double *bed, size_t l, size_t r,
                 ptrdiff_t stride, int inner, int along_y, Flux *to_left, Flux *to_right)
{
    const double *normal = along_y ? s->hv : s->hu, *tangent = along_y ? s->hu : s->hv;
    double surface_l = s->h[l] + bed[l], surface_r = s->h[r] + bed[r];
    if (inner && s->h[l] > DRY && s->h[r] > DRY && s->h[l - stride] > DRY && s->h[r + stride] > DRY) {
        const double before = surface_l - s->h[l - stride] - bed[l - stride];
        const double behind = s->h[r + stride] + bed[r + stride] - surface_r;
        const double step = surface_r - surface_l;
        surface_l += 0.5 * slope(sea->limiter, before, step);
        surface_r -= 0.5 * slope(sea->limiter, step, behind);
    }
    const double top = MAX(bed[l], bed[r]);
    const double hl = MAX(surface_l - top, 0.0), hr = MAX(surface_r - top, 0.0);
    const Flux f = hll(hl, velocity(s->h[l], normal[l]), velocity(s->h[l], tangent[l]), hr,
                       velocity(s->h[r], normal[r]), velocity(s->h[r], tangent[r]));
    *to_left = f;
    *to_right = f;
    to_left->hu += 0.5 * GRAVITY * (s->h[l] * s->h[l] - hl * hl);
    to_right->hu += 0.5 * GRAVITY * (s->h[r] * s->h[r] - hr * hr);
}

static void rates(const struct sea *sea, const struct state *s, const double *bed, const struct state *rate)
{
    const int nx = sea->nx, ny = sea->ny;
    const ptrdiff_t row = ny + 2;
#pragma omp parallel for collapse(2) schedule(dynamic, 8)
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++) {
            const size_t at = AT(i, j);
            Flux west, east, south, north, unused;
            face(sea, s, bed, at - row, at, row, i > 0, 0, &unused, &west);
            face(sea, s, bed, at, at + row, row, i > 0 && i < nx - 1, 0, &east, &unused);
            face(sea, s, bed, at - 1, at, 1, j > 0, 1, &unused, &south);
            face(sea, s, bed, at, at + 1, 1, j > 0 && j < ny - 1, 1, &north, &unused);
            rate->h[at] = (west.h - east.h) / sea->dx + (south.h - north.h) / sea->dy;
            rate->hu[at] = (west.hu - east.hu) / sea->dx + (south.hv - north.hv) / sea->dy;
            rate->hv[at] = (west.hv - east.hv) / sea->dx + (south.hu - north.hu) / sea->dy;
            rate->hu[at] += sea->coriolis * s->hv[at];
            rate->hv[at] -= sea->coriolis * s->hu[at];
        }
}

/* ---- a step --------------------------------------------------------------------------------------- */

/* s = a s + b (from + dt rate), with friction; depths stay positive. */
static void update(const struct sea *sea, double a, const struct state *s, double b,
                   const struct state *from, double dt, const struct state *rate, const double *manning)
{
#pragma omp parallel for
    for (int i = 0; i < sea->nx; i++)
        for (int j = 0; j < sea->ny; j++) {
            const size_t at = AT(i, j);
            double h = a * s->h[at] + b * (from->h[at] + dt * rate->h[at]);
            double hu = a * s->hu[at] + b * (from->hu[at] + dt * rate->hu[at]);
            double hv = a * s->hv[at] + b * (from->hv[at] + dt * rate->hv[at]);
            if (h <= DRY) {
                h = h < 0.0 ? 0.0 : h;
                hu = hv = 0.0;
            } else {
                const double speed = sqrt(hu * hu + hv * hv + CALM) / h;
                const double n = manning[i * sea->ny + j];
                const double drag = 1.0 + b * dt * GRAVITY * n * n * speed / pow(h, 4.0 / 3.0);
                hu /= drag;
                hv /= drag;
            }
            s->h[at] = h;
            s->hu[at] = hu;
            s->hv[at] = hv;
        }
}

static double fastest_wave(const struct sea *sea, const struct state *s)
{
    double most = 0.0;
#pragma omp parallel for reduction(max : most) collapse(2)
    for (int i = 0; i < sea->nx; i++)
        for (int j = 0; j < sea->ny; j++) {
            const size_t at = AT(i, j);
            const double u = velocity(s->h[at], s->hu[at]), v = velocity(s->h[at], s->hv[at]);
            const double speed = sqrt(u * u + v * v + CALM) + celerity(s->h[at]);
            if (most < speed)
                most = speed;
        }
    return most;
}

static struct state make_state(const struct sea *sea)
{
    const size_t cells = (size_t)(sea->nx + 2) * (sea->ny + 2);
    struct state s;
    s.h = calloc(cells, sizeof(double));
    s.hu = calloc(cells, sizeof(double));
    s.hv = calloc(cells, sizeof(double));
    return s;
}

static void free_state(struct state *s)
{
    free(s->h);
    free(s->hu);
    free(s->hv);
    s->h = s->hu = s->hv = NULL;
}

/* ---- what comes out ------------------------------------------------------------------------------- */

static double at_gauges(const struct sea *sea, const struct gauges *gauges, int record,
                        const struct state *s, const double *bed)
{
    double sum = 0.0;
    for (int g = 0; g < gauges->count; g++) {
        const size_t at = AT(gauges->place[2 * g], gauges->place[2 * g + 1]);
        const double seen = s->h[at] + bed[at];
        const double off = seen - gauges->surface[record * gauges->count + g];
        sum += 0.5 * off * off;
    }
    return sum;
}

/* A smooth maximum of the surface on what was land. */
static double run_up(const struct sea *sea, const struct state *s, const double *bed)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < sea->nx; i++)
        for (int j = 0; j < sea->ny; j++) {
            const size_t at = AT(i, j);
            if (bed[at] <= 0.0 || s->h[at] <= DRY)
                continue;
            sum += exp(4.0 * (bed[at] + s->h[at]));
        }
    return log1p(sum) / 4.0;
}

static double water(const struct sea *sea, const struct state *s)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 1)
    for (int i = 0; i < sea->nx; i++)
        for (int j = 0; j < sea->ny; j++)
            sum += s->h[AT(i, j)];
    return sum * sea->dx * sea->dy;
}

/* `bed` has a ring of ghost cells, `surface` and `manning` have none. Steps are adapted if `dt` is 0. */
#pragma g2o grad (flood)/(bed, surface, manning, fault, tide)
#pragma g2o jvp (flood)/(bed, surface, manning, fault, tide)
double flood(const struct sea *sea, int steps, double dt, const double *bed, const double *surface,
             const double *manning, const struct fault *fault, const double *tide,
             const struct gauges *gauges)
{
    struct state s = make_state(sea), next = make_state(sea), rate = make_state(sea);
    double *now = malloc((size_t)(sea->nx + 2) * (sea->ny + 2) * sizeof(double));
    double misfit = 0.0, time = 0.0;
    int records = 0;

#pragma omp parallel for
    for (int i = 0; i < sea->nx; i++)
        for (int j = 0; j < sea->ny; j++)
            s.h[AT(i, j)] = fmax(surface[i * sea->ny + j] - bed[AT(i, j)], 0.0);
    for (int step = 0; step < steps; step++) {
        double h = dt;
        if (h == 0.0) {
            const double fastest = fastest_wave(sea, &s);
            if (fastest == 0.0)
                break;
            h = 0.4 * fmin(sea->dx, sea->dy) / fastest;
        }
        move_bed(sea, fault, time, bed, now);
        ghosts(sea, &s, now, tide[step]);
        rates(sea, &s, now, &rate);
        update(sea, 0.0, &next, 1.0, &s, h, &rate, manning);
        move_bed(sea, fault, time + h, bed, now);
        ghosts(sea, &next, now, tide[step + 1]);
        rates(sea, &next, now, &rate);
        update(sea, 0.5, &s, 0.5, &next, h, &rate, manning);
        time += h;
        if (records < gauges->records && time >= (records + 1) * gauges->every) {
            misfit += at_gauges(sea, gauges, records, &s, now);
            records++;
        }
    }
    const double value = misfit + 0.1 * run_up(sea, &s, now) + 1e-6 * water(sea, &s);
    free_state(&s);
    free_state(&next);
    free_state(&rate);
    free(now);
    return value;
}

int main(void)
{
    enum { NX = 60, NY = 20, STEPS = 200 };
    static double bed[(NX + 2) * (NY + 2)], surface[NX * NY], manning[NX * NY], tide[STEPS + 1];
    static double seen[100];
    const struct sea here = {NX, NY, 500.0, 500.0, 1e-4, OPEN, WALL, LIMIT_MINMOD}, *sea = &here;
    const struct fault fault = {8000.0, 5000.0, 4000.0, 2000.0, 0.3, 10.0, 2.0};
    const int place[4] = {30, 10, 45, 8};
    const struct gauges gauges = {2, place, 50, 20.0, seen};
    for (int i = -1; i <= NX; i++)
        for (int j = -1; j <= NY; j++)
            bed[AT(i, j)] = -50.0 + 55.0 * (i + 1) / NX;
    for (int at = 0; at < NX * NY; at++)
        manning[at] = 0.03;
    printf("%.9e\n", flood(sea, STEPS, 0.0, bed, surface, manning, &fault, tide, &gauges));
    return 0;
}
