/*
 * Lattice Boltzmann flow in a channel, D2Q9.
 *
 *      6  2  5        A cell has nine populations f[q]: one at rest, four along the axes and four
 *       \ | /         along the diagonals. A time step is
 *      3- 0 -1
 *       / | \           collide   relax towards equilibrium (BGK with Smagorinsky's eddy viscosity)
 *      7  4  8          force     Guo's forcing of a body force that varies in space
 *                       stream    pull from the neighbours, periodic along the channel
 *                       walls     half-way bounce-back: bottom at rest, moving lid, obstacles
 *                       inlet     Zou-He velocity profile on the left where the channel is open
 *                       outlet    zero gradient on the right
 *
 * What comes out are density and velocity, the force on the obstacles (momentum exchange), kinetic
 * energy, enstrophy and a cost: how far velocities at sensors are from what has been observed, and
 * the drag.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define Q 9
#define CS2 (1.0 / 3.0) /* square of the speed of sound */
#define AT(x, y) ((y) * lattice->nx + (x))
#define POP(f, q, cell) f[(q) * cells + (cell)]

enum { FLUID = 0, SOLID = 1 };

typedef struct {
    int nx, ny;
    int open;        /* inlet and outlet, else periodic */
    int report;      /* print every so many steps, 0: never */
    double tau;      /* relaxation time of the molecular viscosity */
    double smagorinsky;
    double lid;      /* velocity of the upper wall */
} Lattice;

typedef struct {
    double drag, lift;
} Load;

static const int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double weight[Q] = {4.0 / 9.0,  1.0 / 9.0,  1.0 / 9.0,  1.0 / 9.0, 1.0 / 9.0,
                                 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0};

/* ---- local operations -------------------------------------------------------------------------- */

static inline double equilibrium(int q, double rho, double ux, double uy)
{
    const double eu = ex[q] * ux + ey[q] * uy;
    const double uu = ux * ux + uy * uy;
    return weight[q] * rho * (1.0 + eu / CS2 + 0.5 * eu * eu / (CS2 * CS2) - 0.5 * uu / CS2);
}

/* Density and velocity of a cell, with half of the force. */
static void moments(const double *f, int cells, int cell, double fx, double fy, double *rho,
                    double *ux, double *uy)
{
    double sum = 0.0, jx = 0.0, jy = 0.0;
    int q;
    for (q = 0; q < Q; q++) {
        const double population = POP(f, q, cell);
        sum += population;
        jx += ex[q] * population;
        jy += ey[q] * population;
    }
    *rho = sum;
    *ux = (jx + 0.5 * fx) / sum;
    *uy = (jy + 0.5 * fy) / sum;
}

/* The relaxation time with what small eddies add: from the stress of what is not in equilibrium. */
static double eddy_tau(const double *f, int cells, int cell, double rho, double ux, double uy,
                       double tau, double smagorinsky)
{
    double xx = 0.0, xy = 0.0, yy = 0.0, stress;
    int q;
    for (q = 0; q < Q; q++) {
        const double off = POP(f, q, cell) - equilibrium(q, rho, ux, uy);
        xx += ex[q] * ex[q] * off;
        xy += ex[q] * ey[q] * off;
        yy += ey[q] * ey[q] * off;
    }
    stress = sqrt(xx * xx + 2.0 * xy * xy + yy * yy + 1e-14);
    return 0.5 * (tau + sqrt(tau * tau + 18.0 * sqrt(2.0) * smagorinsky * smagorinsky * stress / rho));
}

/* Guo's term of a force. */
static inline double forcing(int q, double ux, double uy, double fx, double fy, double omega)
{
    const double eu = ex[q] * ux + ey[q] * uy;
    const double x = (ex[q] - ux) / CS2 + eu * ex[q] / (CS2 * CS2);
    const double y = (ey[q] - uy) / CS2 + eu * ey[q] / (CS2 * CS2);
    return (1.0 - 0.5 * omega) * weight[q] * (x * fx + y * fy);
}

/* ---- parts of a time step ---------------------------------------------------------------------- */

static void initialise(const Lattice *lattice, const double *rho, const double *ux,
                       const double *uy, double *f)
{
    const int cells = lattice->nx * lattice->ny;
    int cell, q;
#pragma omp parallel for private(q)
    for (cell = 0; cell < cells; cell++)
        for (q = 0; q < Q; q++)
            POP(f, q, cell) = equilibrium(q, rho[cell], ux[cell], uy[cell]);
}

static void collide(const Lattice *lattice, const unsigned char *solid, const double *force, double *f)
{
    const int cells = lattice->nx * lattice->ny;
#pragma omp parallel for schedule(static)
    for (int cell = 0; cell < cells; cell++) {
        double rho, ux, uy;
        if (solid[cell])
            continue;
        const double fx = force[2 * cell], fy = force[2 * cell + 1];
        moments(f, cells, cell, fx, fy, &rho, &ux, &uy);
        const double tau =
            eddy_tau(f, cells, cell, rho, ux, uy, lattice->tau, lattice->smagorinsky);
        const double omega = 1.0 / tau;
        for (int q = 0; q < Q; q++) {
            double *population = &POP(f, q, cell);
            *population += omega * (equilibrium(q, rho, ux, uy) - *population);
            *population += forcing(q, ux, uy, fx, fy, omega);
        }
    }
}

/* Pull, with half-way bounce-back where there is a wall in the way. */
static void stream(const Lattice *lattice, const unsigned char *solid, const double *from, double *to)
{
    const int nx = lattice->nx, ny = lattice->ny, cells = nx * ny;
#pragma omp parallel for collapse(2)
    for (int y = 0; y < ny; y++) {
        for (int x = 0; x < nx; x++) {
            const int cell = AT(x, y);
            if (solid[cell]) {
                for (int q = 0; q < Q; q++)
                    POP(to, q, cell) = POP(from, q, cell);
                continue;
            }
            for (int q = 0; q < Q; q++) {
                const int sx = (x - ex[q] + nx) % nx;
                const int sy = y - ey[q];
                if (sy < 0) {
                    POP(to, q, cell) = POP(from, opposite[q], cell);
                } else if (sy >= ny) {
                    double rho = 0.0;
                    for (int k = 0; k < Q; k++)
                        rho += POP(from, k, cell);
                    POP(to, q, cell) = POP(from, opposite[q], cell) +
                                       2.0 * weight[q] * rho * ex[q] * lattice->lid / CS2;
                } else if (solid[AT(sx, sy)]) {
                    POP(to, q, cell) = POP(from, opposite[q], cell);
                } else {
                    POP(to, q, cell) = POP(from, q, AT(sx, sy));
                }
            }
        }
    }
}

/* Zou and He: the velocity on the left is given. */
static void inlet(const Lattice *lattice, const unsigned char *solid, const double *profile, double *f)
{
    const int cells = lattice->nx * lattice->ny;
#pragma omp for
    for (int y = 1; y < lattice->ny - 1; y++) {
        const int cell = AT(0, y);
        const double u = profile[y];
        if (solid[cell])
            continue;
        const double along = POP(f, 0, cell) + POP(f, 2, cell) + POP(f, 4, cell);
        const double out = POP(f, 3, cell) + POP(f, 6, cell) + POP(f, 7, cell);
        const double rho = (along + 2.0 * out) / (1.0 - u);
        const double across = 0.5 * (POP(f, 2, cell) - POP(f, 4, cell));
        POP(f, 1, cell) = POP(f, 3, cell) + 2.0 / 3.0 * rho * u;
        POP(f, 5, cell) = POP(f, 7, cell) - across + rho * u / 6.0;
        POP(f, 8, cell) = POP(f, 6, cell) + across + rho * u / 6.0;
    }
}

/* What leaves on the right is what the cells in front have. */
static void outlet(const Lattice *lattice, double *f)
{
    static const int leaving[3] = {3, 6, 7};
    const int cells = lattice->nx * lattice->ny;
    int y, k;
#pragma omp for
    for (y = 0; y < lattice->ny; y++)
        for (k = 0; k < 3; k++)
            POP(f, leaving[k], AT(lattice->nx - 1, y)) = POP(f, leaving[k], AT(lattice->nx - 2, y));
}

static void boundaries(const Lattice *lattice, const unsigned char *solid, const double *profile,
                       double *f)
{
    if (!lattice->open)
        return;
#pragma omp parallel
    {
        inlet(lattice, solid, profile, f);
        outlet(lattice, f);
    }
}

/* ---- what comes out ----------------------------------------------------------------------------- */

/* The momentum that fluid hands to obstacles while it streams. */
static Load load_on(const Lattice *lattice, const unsigned char *solid, const double *f)
{
    const int nx = lattice->nx, ny = lattice->ny, cells = nx * ny;
    double drag = 0.0, lift = 0.0;
    Load load;
#pragma omp parallel for reduction(+ : drag, lift)
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            if (solid[AT(x, y)])
                continue;
            for (int q = 1; q < Q; q++) {
                const int tx = (x + ex[q] + nx) % nx, ty = y + ey[q];
                if (ty < 0 || ty >= ny || !solid[AT(tx, ty)])
                    continue;
                drag += 2.0 * ex[q] * POP(f, q, AT(x, y));
                lift += 2.0 * ey[q] * POP(f, q, AT(x, y));
            }
        }
    load.drag = drag;
    load.lift = lift;
    return load;
}

static void macroscopic(const Lattice *lattice, const unsigned char *solid, const double *force,
                        const double *f, double *rho, double *ux, double *uy)
{
    const int cells = lattice->nx * lattice->ny;
#pragma omp parallel for
    for (int cell = 0; cell < cells; cell++) {
        if (solid[cell]) {
            rho[cell] = 1.0;
            ux[cell] = uy[cell] = 0.0;
        } else {
            moments(f, cells, cell, force[2 * cell], force[2 * cell + 1], &rho[cell], &ux[cell],
                    &uy[cell]);
        }
    }
}

static double kinetic_energy(int cells, const double *rho, const double *ux, const double *uy)
{
    double energy = 0.0;
#pragma omp parallel for simd reduction(+ : energy)
    for (int cell = 0; cell < cells; cell++)
        energy += 0.5 * rho[cell] * (ux[cell] * ux[cell] + uy[cell] * uy[cell]);
    return energy / cells;
}

static double enstrophy(const Lattice *lattice, const double *ux, const double *uy)
{
    const int nx = lattice->nx, ny = lattice->ny;
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
    for (int y = 1; y < ny - 1; y++)
        for (int x = 0; x < nx; x++) {
            const double dvdx = 0.5 * (uy[AT((x + 1) % nx, y)] - uy[AT((x + nx - 1) % nx, y)]);
            const double dudy = 0.5 * (ux[AT(x, y + 1)] - ux[AT(x, y - 1)]);
            sum += (dvdx - dudy) * (dvdx - dudy);
        }
    return sum / (nx * ny);
}

/* How far velocities at sensors are from what has been observed there. */
static double misfit(int sensors, const int *sensor, const double *observed, const double *ux,
                     const double *uy)
{
    double sum = 0.0;
    for (int k = 0; k < sensors; k++) {
        const double du = ux[sensor[k]] - observed[2 * k];
        const double dv = uy[sensor[k]] - observed[2 * k + 1];
        sum += du * du + dv * dv;
    }
    return 0.5 * sum;
}

static void report(const Lattice *lattice, int step, double energy, Load load)
{
    if (lattice->report && step % lattice->report == 0)
        printf("%6d energy %.6e drag %.6e lift %.6e\n", step, energy, load.drag, load.lift);
}

/* ---- the program -------------------------------------------------------------------------------- */

/* Runs `steps` steps from a density and velocities, which are those at the end afterwards, and gives
 * the cost. */
#pragma g2o grad (cost, rho, ux, uy)/(rho, ux, uy, force, profile, tau, lid)
#pragma g2o jvp (cost, rho, ux, uy)/(rho, ux, uy, force, profile, tau, lid)
double cost(Lattice lattice_of, int steps, double tau, double lid, const unsigned char *solid,
            double *rho, double *ux, double *uy, const double *force, const double *profile,
            int sensors, const int *sensor, const double *observed)
{
    const int cells = lattice_of.nx * lattice_of.ny;
    double *f, *next, *swap;
    double total = 0.0, energy;
    Lattice lattice = lattice_of;
    Load load;
    int step;

    lattice.tau = tau;
    lattice.lid = lid;
    f = (double *)malloc(Q * cells * sizeof(double));
    next = (double *)malloc(Q * cells * sizeof(double));
    initialise(&lattice, rho, ux, uy, f);

    for (step = 0; step < steps; step++) {
        collide(&lattice, solid, force, f);
        load = load_on(&lattice, solid, f);
        stream(&lattice, solid, f, next);
        boundaries(&lattice, solid, profile, next);
        swap = f;
        f = next;
        next = swap;
        macroscopic(&lattice, solid, force, f, rho, ux, uy);
        energy = kinetic_energy(cells, rho, ux, uy);
        report(&lattice, step, energy, load);
        total += 0.1 * load.drag + 0.01 * load.lift * load.lift + energy;
        total += misfit(sensors, sensor, observed, ux, uy);
    }
    total += enstrophy(&lattice, ux, uy);
    free(f);
    free(next);
    return total;
}
