/*
 * Vertical mixing in the upper ocean: a model of columns, as ocean models have them.
 *
 *   equation of state -> stratification, shear -> turbulent energy, mixing coefficients
 *     -> implicit diffusion of temperature, salinity and momentum -> convective adjustment
 *
 * The mixing scheme is that of Pacanowski and Philander (by the Richardson number), a profile (KPP's
 * shape with a boundary layer from the bulk Richardson number), or an equation for the turbulent
 * energy (Gaspar et al.). Short waves warm what lies below the surface (Paulson and Simpson). Columns
 * are shared out among threads. The cost compares with profiles, weighted by their errors.
 *
 * Fields are [column][level], level 0 is at the surface; interface k is above level k.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 16 /* most */
#define GRAVITY 9.81
#define RHO0 1025.0
#define HEAT 3990.0
#define KARMAN 0.4

typedef enum { RICHARDSON, PROFILE, ENERGY } Scheme;

typedef struct {
    int columns, levels;
    double dz[LEVELS];
    double latitude;
} Ocean;

typedef struct {
    double background, most;     /* diffusivities */
    double critical;             /* Richardson number */
    double steepness;
    double dissipation, prandtl; /* of the turbulent energy */
    double clear, turbid, part;  /* depths of penetration of light */
} Closure;

typedef struct {
    const double *stress_x, *stress_y; /* wind, for each column */
    const double *heat, *light, *salt;
} Forcing;

typedef struct {
    double (*t)[LEVELS], (*s)[LEVELS];
    double (*u)[LEVELS], (*v)[LEVELS];
    double (*energy)[LEVELS];
} Fields;

/* ---- sea water ------------------------------------------------------------------------------------ */

static double density(double t, double s, double depth)
{
    const double surface = 999.842594 + 6.793952e-2 * t - 9.09529e-3 * t * t + 1.001685e-4 * t * t * t +
                           (0.824493 - 4.0899e-3 * t + 7.6438e-5 * t * t) * s -
                           5.72466e-3 * s * sqrt(fabs(s)) + 4.8314e-4 * s * s;
    return surface * (1.0 + 4.4e-6 * depth);
}

static double coriolis(double latitude)
{
    return 2.0 * 7.292115e-5 * sin(latitude * 3.14159265358979 / 180.0);
}

/* The part of the light that is left at a depth. */
static inline double light_at(const Closure *c, double depth)
{
    return c->part * exp(-depth / c->clear) + (1.0 - c->part) * exp(-depth / c->turbid);
}

/* ---- one column ----------------------------------------------------------------------------------- */

static void stratify(int n, const double *dz, const double *t, const double *s, const double *u,
                     const double *v, double *n2, double *shear2)
{
    double depth = 0.0;
    n2[0] = shear2[0] = 0.0;
    for (int k = 1; k < n; k++) {
        const double apart = 0.5 * (dz[k - 1] + dz[k]);
        depth += dz[k - 1];
        const double above = density(t[k - 1], s[k - 1], depth), below = density(t[k], s[k], depth);
        n2[k] = GRAVITY / RHO0 * (below - above) / apart;
        const double du = (u[k - 1] - u[k]) / apart, dv = (v[k - 1] - v[k]) / apart;
        shear2[k] = du * du + dv * dv;
    }
}

static void by_richardson(int n, const Closure *c, const double *n2, const double *shear2, double *km,
                          double *kt)
{
    for (int k = 1; k < n; k++) {
        const double ri = n2[k] / (shear2[k] + 1e-10);
        const double x = 1.0 + c->steepness * (ri > 0.0 ? ri : 0.0);
        km[k] = c->background + c->most / (x * x);
        kt[k] = c->background + km[k] / x;
        if (n2[k] < 0.0)
            kt[k] = c->most * 10.0;
    }
}

/* Depth at which the bulk Richardson number becomes critical, interpolated. */
static double boundary_layer(int n, const double *dz, const Closure *c, const double *t, const double *s,
                             const double *u, const double *v, double friction)
{
    double depth = 0.5 * dz[0], last = 0.0;
    const double top = density(t[0], s[0], 0.0);
    for (int k = 1; k < n; k++) {
        const double apart = 0.5 * (dz[k - 1] + dz[k]), below = depth + apart;
        const double du = u[0] - u[k], dv = v[0] - v[k];
        const double buoyancy = GRAVITY / RHO0 * (density(t[k], s[k], 0.0) - top);
        const double ri = buoyancy * below / (du * du + dv * dv + friction * friction + 1e-8);
        if (ri >= c->critical)
            return depth + apart * (c->critical - last) / (ri - last);
        last = ri;
        depth = below;
    }
    return depth;
}

static void by_profile(int n, const double *dz, const Closure *c, double layer, double friction,
                       double *km, double *kt)
{
    double depth = 0.0;
    for (int k = 1; k < n; k++) {
        depth += dz[k - 1];
        const double sigma = depth / layer;
        double shape = 0.0;
        if (sigma < 1.0)
            shape = sigma * (1.0 - sigma) * (1.0 - sigma);
        km[k] = c->background + KARMAN * friction * layer * shape;
        kt[k] = c->background + KARMAN * friction * layer * shape / 0.8;
    }
}

/* Mixing length after Gaspar, from above and from below. */
static void mixing_length(int n, const double *dz, const double *energy, const double *n2, double *length)
{
    double up[LEVELS], down[LEVELS];
    for (int k = 1; k < n; k++) {
        const double most = sqrt(2.0 * energy[k] / fmax(n2[k], 1e-8));
        up[k] = down[k] = most;
    }
    up[0] = 0.4;
    for (int k = 1; k < n; k++)
        up[k] = fmin(up[k], up[k - 1] + dz[k - 1]);
    for (int k = n - 2; k >= 1; k--)
        down[k] = fmin(down[k], down[k + 1] + dz[k]);
    for (int k = 1; k < n; k++)
        length[k] = sqrt(up[k] * down[k]);
}

/* A tridiagonal system; what comes in with `below` and `above` is changed. */
static void tridiagonal(int n, const double *lower, double *middle, const double *upper, double *x)
{
    for (int k = 1; k < n; k++) {
        const double w = lower[k] / middle[k - 1];
        middle[k] -= w * upper[k - 1];
        x[k] -= w * x[k - 1];
    }
    x[n - 1] /= middle[n - 1];
    for (int k = n - 1; k-- > 0;)
        x[k] = (x[k] - upper[k] * x[k + 1]) / middle[k];
}

/* x after a step of implicit diffusion, with a flux at the surface. */
static void diffuse(int n, const double *dz, double dt, const double *kappa, double flux, double *x)
{
    double lower[LEVELS], middle[LEVELS], upper[LEVELS];
    for (int k = 0; k < n; k++) {
        lower[k] = k > 0 ? -dt * kappa[k] / (dz[k] * 0.5 * (dz[k - 1] + dz[k])) : 0.0;
        upper[k] = k < n - 1 ? -dt * kappa[k + 1] / (dz[k] * 0.5 * (dz[k] + dz[k + 1])) : 0.0;
        middle[k] = 1.0 - lower[k] - upper[k];
    }
    x[0] += dt * flux / dz[0];
    tridiagonal(n, lower, middle, upper, x);
}

static void by_energy(int n, const double *dz, double dt, const Closure *c, double friction,
                      const double *n2, const double *shear2, double *energy, double *km, double *kt)
{
    double length[LEVELS], mixed[LEVELS];
    mixing_length(n, dz, energy, n2, length);
    for (int k = 1; k < n; k++) {
        km[k] = c->background + 0.1 * length[k] * sqrt(energy[k]);
        kt[k] = c->background + (km[k] - c->background) / c->prandtl;
        const double source = km[k] * shear2[k] - kt[k] * n2[k];
        const double sink = c->dissipation * sqrt(energy[k]) / length[k];
        const double gained = energy[k] + dt * (source > 0.0 ? source : 0.0);
        energy[k] = gained / (1.0 + dt * (sink + (source < 0.0 ? -source / energy[k] : 0.0)));
    }
    energy[0] = 3.75 * friction * friction + 1e-6;
    mixed[0] = 0.0;
    for (int k = 1; k < n; k++)
        mixed[k] = 0.5 * (km[k] + km[k - 1 > 0 ? k - 1 : 1]);
    diffuse(n, dz, dt, mixed, 0.0, energy);
    for (int k = 0; k < n; k++)
        if (energy[k] < 1e-6)
            energy[k] = 1e-6;
}

/* Mixes levels that are heavier than those below, until there are none. */
static int adjust(int n, const double *dz, double *t, double *s)
{
    int mixed = 0;
    for (int pass = 0; pass < n; pass++) {
        int any = 0;
        for (int k = 0; k + 1 < n; k++) {
            if (density(t[k], s[k], 0.0) <= density(t[k + 1], s[k + 1], 0.0) + 1e-7)
                continue;
            const double whole = dz[k] + dz[k + 1];
            t[k] = t[k + 1] = (t[k] * dz[k] + t[k + 1] * dz[k + 1]) / whole;
            s[k] = s[k + 1] = (s[k] * dz[k] + s[k + 1] * dz[k + 1]) / whole;
            any = 1;
        }
        if (!any)
            break;
        mixed++;
    }
    return mixed;
}

static void column_step(const Ocean *o, Scheme scheme, const Closure *c, double dt, double stress_x,
                        double stress_y, double heat, double light, double salt, double *t, double *s,
                        double *u, double *v, double *energy)
{
    const int n = o->levels;
    const double f = coriolis(o->latitude);
    const double friction = sqrt(sqrt(stress_x * stress_x + stress_y * stress_y + 1e-12) / RHO0);
    double n2[LEVELS], shear2[LEVELS], km[LEVELS] = {0.0}, kt[LEVELS] = {0.0};

    stratify(n, o->dz, t, s, u, v, n2, shear2);
    switch (scheme) {
    case RICHARDSON:
        by_richardson(n, c, n2, shear2, km, kt);
        break;
    case PROFILE: {
        const double layer = boundary_layer(n, o->dz, c, t, s, u, v, friction);
        by_profile(n, o->dz, c, layer, friction, km, kt);
        break;
    }
    case ENERGY:
        by_energy(n, o->dz, dt, c, friction, n2, shear2, energy, km, kt);
        break;
    }
    double depth = 0.0;
    for (int k = 0; k < n; k++) {
        const double above = light_at(c, depth), below = light_at(c, depth + o->dz[k]);
        t[k] += dt * light * (above - below) / (RHO0 * HEAT * o->dz[k]);
        depth += o->dz[k];
    }
    diffuse(n, o->dz, dt, kt, heat / (RHO0 * HEAT), t);
    diffuse(n, o->dz, dt, kt, salt, s);
    for (int k = 0; k < n; k++) {
        const double turned = u[k];
        u[k] = cos(f * dt) * turned + sin(f * dt) * v[k];
        v[k] = cos(f * dt) * v[k] - sin(f * dt) * turned;
    }
    diffuse(n, o->dz, dt, km, stress_x / RHO0, u);
    diffuse(n, o->dz, dt, km, stress_y / RHO0, v);
    adjust(n, o->dz, t, s);
}

/* ---- all columns ---------------------------------------------------------------------------------- */

static void step_columns(const Ocean *o, Scheme scheme, const Closure *c, double dt,
                         const Forcing *forcing, Fields *x)
{
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < o->columns; i++)
        column_step(o, scheme, c, dt, forcing->stress_x[i], forcing->stress_y[i], forcing->heat[i],
                    forcing->light[i], forcing->salt[i], x->t[i], x->s[i], x->u[i], x->v[i],
                    x->energy[i]);
}

/* The depth down to which the temperature is about that of the surface. */
static double mixed_layer(const Ocean *o, double (*t)[LEVELS])
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < o->columns; i++) {
        double depth = 0.0;
        int k = 1;
        while (k < o->levels && t[i][0] - t[i][k] < 0.2)
            depth += o->dz[k++ - 1];
        if (k < o->levels) {
            const double step = t[i][k - 1] - t[i][k], over = t[i][0] - 0.2 - t[i][k - 1];
            depth += o->dz[k - 1] * -over / (step + 1e-3);
        }
        sum += depth;
    }
    return sum / o->columns;
}

static double distance(const Ocean *o, double (*a)[LEVELS], const double (*b)[LEVELS],
                       const double *error)
{
    double sum = 0.0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int i = 0; i < o->columns; i++)
        for (int k = 0; k < o->levels; k++) {
            const double off = (a[i][k] - b[i][k]) / error[k];
            sum += 0.5 * off * off;
        }
    return sum / (o->columns * o->levels);
}

/* The cost of a forecast; fields are those at the end afterwards. */
#pragma g2o grad (forecast, t, s, u, v)/(t, s, u, v, closure, stress_x, stress_y, heat, light, salt, seen)
#pragma g2o jvp (forecast, t, s, u, v)/(t, s, u, v, closure, stress_x, stress_y, heat, light, salt, seen)
double forecast(const Ocean *ocean, Scheme scheme, const Closure *closure, int steps, double dt,
                double (*t)[LEVELS], double (*s)[LEVELS], double (*u)[LEVELS], double (*v)[LEVELS],
                const double *stress_x, const double *stress_y, const double *heat, const double *light,
                const double *salt, const double (*seen)[LEVELS], const double *error)
{
    const Forcing forcing = {stress_x, stress_y, heat, light, salt};
    Fields x = {t, s, u, v, NULL};
    double cost = 0.0;
    x.energy = malloc(sizeof(double[ocean->columns][LEVELS]));
#pragma omp parallel for
    for (int i = 0; i < ocean->columns; i++)
        for (int k = 0; k < LEVELS; k++)
            x.energy[i][k] = 1e-4;
    for (int step = 0; step < steps; step++) {
        step_columns(ocean, scheme, closure, dt, &forcing, &x);
        if (step % 2 == 1)
            cost += distance(ocean, x.t, seen, error);
    }
    cost += 1e-3 * mixed_layer(ocean, x.t);
    free(x.energy);
    return cost;
}

int main(void)
{
    enum { COLUMNS = 8, STEPS = 48 };
    static double t[COLUMNS][LEVELS], s[COLUMNS][LEVELS], u[COLUMNS][LEVELS], v[COLUMNS][LEVELS];
    static double seen[COLUMNS][LEVELS], error[LEVELS];
    double x[COLUMNS], y[COLUMNS], heat[COLUMNS], light[COLUMNS], salt[COLUMNS];
    Ocean ocean = {COLUMNS, LEVELS, {0.0}, 45.0};
    const Closure closure = {1e-5, 1e-2, 0.3, 5.0, 0.7, 1.0, 0.35, 23.0, 0.58};
    for (int k = 0; k < LEVELS; k++) {
        ocean.dz[k] = 2.0 + 0.5 * k;
        error[k] = 0.5;
    }
    for (int i = 0; i < COLUMNS; i++) {
        x[i] = 0.1 + 0.02 * i, y[i] = 0.05;
        heat[i] = -150.0, light[i] = 200.0, salt[i] = 1e-7;
        for (int k = 0; k < LEVELS; k++) {
            seen[i][k] = t[i][k] = 18.0 - 0.3 * k;
            s[i][k] = 35.0;
        }
    }
    for (Scheme scheme = RICHARDSON; scheme <= ENERGY; scheme++)
        printf("scheme %d: cost %.9e\n", scheme,
               forecast(&ocean, scheme, &closure, STEPS, 3600.0, t, s, u, v, x, y, heat, light, salt,
                        (const double (*)[LEVELS])seen, error));
    return 0;
}
