/*
 * Molecular dynamics of chains of beads in a periodic box.
 *
 * Beads that are not bonded interact within a cutoff (Lennard-Jones, Morse or a soft repulsion), and
 * partners are found by linked lists of cells. Bonds are springs, and angles between bonds are held
 * by a cosine potential. Velocity Verlet, with a thermostat of Berendsen, of velocity scaling, or
 * none. The cost tells how far temperature and pressure are from wanted ones on average, and how
 * far beads are from where they were observed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DIM 3
#define CELL(c, x, y, z) ((((x) + (c)->n) % (c)->n * (c)->n + ((y) + (c)->n) % (c)->n) * (c)->n + ((z) + (c)->n) % (c)->n)

typedef enum { LENNARD_JONES, MORSE, SOFT } Pair;
typedef enum { NONE, BERENDSEN, RESCALE } Thermostat;

typedef struct {
    double x, y, z;
} Vector;

typedef struct {
    int beads;
    double box;
    double mass;
    Vector *at;
    Vector *velocity;
    Vector *force;
} System;

typedef struct {
    int n; /* cells in each direction */
    int *head, *next;
} Cells;

typedef struct {
    Pair kind;
    double epsilon, sigma;
    double steep; /* of Morse's potential */
    double cutoff;
    double bond, length; /* springs */
    double bend;         /* angles */
} Potential;

typedef struct {
    Thermostat thermostat;
    double temperature, relaxation;
    double dt;
    int steps, every; /* cells are filled anew every so many steps */
    int verbose;
} Run;

typedef struct {
    double energy, virial;
} Work;

/* ---- vectors -------------------------------------------------------------------------------------- */

static inline Vector minus(Vector a, Vector b)
{
    Vector c = {a.x - b.x, a.y - b.y, a.z - b.z};
    return c;
}

static inline Vector times(double s, Vector a)
{
    return (Vector){s * a.x, s * a.y, s * a.z};
}

static inline double inner(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline void add(Vector *a, Vector b)
{
    a->x += b.x;
    a->y += b.y;
    a->z += b.z;
}

static inline double nearest(double d, double box)
{
    return d - box * floor(d / box + 0.5);
}

static inline Vector between(Vector a, Vector b, double box)
{
    const Vector d = minus(a, b);
    return (Vector){nearest(d.x, box), nearest(d.y, box), nearest(d.z, box)};
}

/* ---- cells ---------------------------------------------------------------------------------------- */

static int cell_of(const Cells *cells, double box, Vector at)
{
    const int x = (int)floor(at.x / box * cells->n), y = (int)floor(at.y / box * cells->n);
    const int z = (int)floor(at.z / box * cells->n);
    return CELL(cells, x, y, z);
}

/* Beads leave the list at the front in the order in which they have come into it. */
static void fill(Cells *cells, const System *s)
{
    const int count = cells->n * cells->n * cells->n;
    for (int c = 0; c < count; c++)
        cells->head[c] = -1;
    for (int i = s->beads - 1; i >= 0; i--) {
        const int c = cell_of(cells, s->box, s->at[i]);
        cells->next[i] = cells->head[c];
        cells->head[c] = i;
    }
}

/* ---- forces --------------------------------------------------------------------------------------- */

/* Energy of a pair, and what its force is times the distance vector. */
static double pair(const Potential *p, double r2, double *strength)
{
    switch (p->kind) {
    case LENNARD_JONES: {
        const double s2 = p->sigma * p->sigma / r2, s6 = s2 * s2 * s2;
        const double c2 = p->sigma * p->sigma / (p->cutoff * p->cutoff), c6 = c2 * c2 * c2;
        *strength = 24.0 * p->epsilon * s6 * (2.0 * s6 - 1.0) / r2;
        return 4.0 * p->epsilon * (s6 * (s6 - 1.0) - c6 * (c6 - 1.0));
    }
    case MORSE: {
        const double r = sqrt(r2), e = exp(-p->steep * (r - p->sigma));
        *strength = 2.0 * p->epsilon * p->steep * (e * e - e) / r;
        return p->epsilon * (e * e - 2.0 * e);
    }
    case SOFT:
    default: {
        const double r = sqrt(r2), w = 1.0 - r / p->cutoff;
        *strength = p->epsilon * w / (r + 1e-12);
        return 0.5 * p->epsilon * p->cutoff * w * w;
    }
    }
}

static Work pair_forces(const System *s, const Cells *cells, const Potential *p)
{
    const double cut2 = p->cutoff * p->cutoff;
    double energy = 0.0, virial = 0.0;
    Work work;
    int i;
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : energy, virial)
    for (i = 0; i < s->beads; i++) {
        const Vector own = s->at[i];
        const int x = (int)floor(own.x / s->box * cells->n), y = (int)floor(own.y / s->box * cells->n);
        const int z = (int)floor(own.z / s->box * cells->n);
        Vector force = {0.0, 0.0, 0.0};
        for (int dx = -1; dx <= 1; dx++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dz = -1; dz <= 1; dz++) {
                    const int c = CELL(cells, x + dx, y + dy, z + dz);
                    for (int j = cells->head[c]; j >= 0; j = cells->next[j]) {
                        double strength;
                        if (j == i || j == i + 1 || j == i - 1)
                            continue;
                        const Vector d = between(own, s->at[j], s->box);
                        const double r2 = inner(d, d);
                        if (r2 > cut2)
                            continue;
                        energy += 0.5 * pair(p, r2, &strength);
                        virial += 0.5 * strength * r2;
                        add(&force, times(strength, d));
                    }
                }
        s->force[i] = force;
    }
    work.energy = energy;
    work.virial = virial;
    return work;
}

/* Springs along chains of `length` beads: two threads may add to a bead. */
static Work bond_forces(const System *s, int length, const Potential *p)
{
    Work work = {0.0, 0.0};
    double energy = 0.0, virial = 0.0;
#pragma omp parallel for reduction(+ : energy) reduction(+ : virial)
    for (int i = 0; i < s->beads - 1; i++) {
        if (i % length == length - 1)
            continue;
        const Vector d = between(s->at[i + 1], s->at[i], s->box);
        const double r = sqrt(inner(d, d)), off = r - p->length;
        const Vector f = times(p->bond * off / r, d);
        energy += 0.5 * p->bond * off * off;
        virial -= p->bond * off * r;
        for (int k = 0; k < 2; k++) {
            const double sign = k == 0 ? 1.0 : -1.0;
            Vector *to = &s->force[i + k];
#pragma omp atomic
            to->x += sign * f.x;
#pragma omp atomic
            to->y += sign * f.y;
#pragma omp atomic
            to->z += sign * f.z;
        }
    }
    work.energy = energy;
    work.virial = virial;
    return work;
}

static double bend_forces(const System *s, int length, const Potential *p)
{
    double energy = 0.0;
    for (int chain = 0; chain < s->beads / length; chain++)
        for (int k = 1; k < length - 1; k++) {
            const int i = chain * length + k;
            const Vector a = between(s->at[i - 1], s->at[i], s->box);
            const Vector b = between(s->at[i + 1], s->at[i], s->box);
            const double la = sqrt(inner(a, a)), lb = sqrt(inner(b, b));
            const double cosine = inner(a, b) / (la * lb);
            Vector fa = times(-p->bend / (la * lb), b), fb = times(-p->bend / (la * lb), a);
            add(&fa, times(p->bend * cosine / (la * la), a));
            add(&fb, times(p->bend * cosine / (lb * lb), b));
            add(&s->force[i - 1], fa);
            add(&s->force[i + 1], fb);
            add(&s->force[i], times(-1.0, fa));
            add(&s->force[i], times(-1.0, fb));
            energy += p->bend * (1.0 + cosine);
        }
    return energy;
}

static Work forces(const System *s, const Cells *cells, int length, const Potential *p)
{
    Work all = pair_forces(s, cells, p);
    if (p->bond != 0.0) {
        const Work bonds = bond_forces(s, length, p);
        all.energy += bonds.energy;
        all.virial += bonds.virial;
    }
    if (length > 2)
        all.energy += bend_forces(s, length, p);
    return all;
}

/* ---- time ----------------------------------------------------------------------------------------- */

static double kinetic(const System *s)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < s->beads; i++)
        sum += 0.5 * s->mass * inner(s->velocity[i], s->velocity[i]);
    return sum;
}

static void kick(System *s, double dt)
{
    const double factor = dt / s->mass;
#pragma omp parallel for
    for (int i = 0; i < s->beads; i++)
        add(&s->velocity[i], times(factor, s->force[i]));
}

static void drift(System *s, double dt)
{
#pragma omp parallel for
    for (int i = 0; i < s->beads; i++) {
        Vector at = s->at[i];
        add(&at, times(dt, s->velocity[i]));
        at.x -= s->box * floor(at.x / s->box);
        at.y -= s->box * floor(at.y / s->box);
        at.z -= s->box * floor(at.z / s->box);
        s->at[i] = at;
    }
}

static void thermostat(System *s, const Run *run)
{
    const double now = 2.0 * kinetic(s) / (DIM * s->beads);
    double scale = 1.0;
    switch (run->thermostat) {
    case BERENDSEN:
        scale = sqrt(1.0 + run->dt / run->relaxation * (run->temperature / now - 1.0));
        break;
    case RESCALE:
        scale = sqrt(run->temperature / now);
        break;
    case NONE:
        return;
    }
#pragma omp parallel for
    for (int i = 0; i < s->beads; i++)
        s->velocity[i] = times(scale, s->velocity[i]);
}

/* ---- the program ---------------------------------------------------------------------------------- */

static void print_state(int step, double potential, double motion, double pressure)
{
    printf("%5d  potential %.6f  kinetic %.6f  pressure %.6f\n", step, potential, motion, pressure);
}

/* Positions, velocities and what a potential is made of: epsilon, sigma, steepness, bond, length, bend. */
#pragma g2o grad (simulate, x, v)/(x, v, parameters, mass, wanted, observed)
#pragma g2o jvp (simulate, x, v)/(x, v, parameters, mass, wanted, observed)
double simulate(int beads, int length, double box, Pair kind, double cutoff, const double *parameters,
                double mass, Run run, double *x, double *v, const double *wanted, const double *observed)
{
    System s = {beads, box, mass, NULL, NULL, NULL};
    const Potential p = {kind, parameters[0], parameters[1], parameters[2], cutoff,
                         parameters[3], parameters[4], parameters[5]};
    Cells cells;
    double cost = 0.0, heat = 0.0, push = 0.0;

    cells.n = (int)(box / cutoff);
    if (cells.n < 3) {
        fprintf(stderr, "the box is too small for the cutoff\n");
        return -1.0;
    }
    cells.head = malloc(cells.n * cells.n * cells.n * sizeof(int));
    cells.next = malloc(beads * sizeof(int));
    s.at = malloc(beads * sizeof(Vector));
    s.velocity = malloc(beads * sizeof(Vector));
    s.force = malloc(beads * sizeof(Vector));

    for (int i = 0; i < beads; i++) {
        s.at[i] = (Vector){x[DIM * i], x[DIM * i + 1], x[DIM * i + 2]};
        s.velocity[i] = (Vector){v[DIM * i], v[DIM * i + 1], v[DIM * i + 2]};
    }
    fill(&cells, &s);
    Work work = forces(&s, &cells, length, &p);
    for (int step = 1; step <= run.steps; step++) {
        kick(&s, 0.5 * run.dt);
        drift(&s, run.dt);
        if (step % run.every == 0)
            fill(&cells, &s);
        work = forces(&s, &cells, length, &p);
        kick(&s, 0.5 * run.dt);
        thermostat(&s, &run);
        const double motion = kinetic(&s), volume = box * box * box;
        const double pressure = (2.0 * motion + work.virial) / (3.0 * volume);
        heat += 2.0 * motion / (DIM * beads) / run.steps;
        push += pressure / run.steps;
        if (run.verbose)
            print_state(step, work.energy, motion, pressure);
    }
    cost = 0.5 * (heat - wanted[0]) * (heat - wanted[0]) + 0.5 * (push - wanted[1]) * (push - wanted[1]);
    cost += 1e-3 * work.energy;
#pragma omp parallel for reduction(+ : cost)
    for (int i = 0; i < beads; i++) {
        const Vector seen = {observed[DIM * i], observed[DIM * i + 1], observed[DIM * i + 2]};
        const Vector d = between(s.at[i], seen, box);
        cost += 0.05 * inner(d, d) / beads;
    }
    for (int i = 0; i < beads; i++) {
        x[DIM * i] = s.at[i].x, x[DIM * i + 1] = s.at[i].y, x[DIM * i + 2] = s.at[i].z;
        v[DIM * i] = s.velocity[i].x, v[DIM * i + 1] = s.velocity[i].y, v[DIM * i + 2] = s.velocity[i].z;
    }
    free(s.at);
    free(s.velocity);
    free(s.force);
    free(cells.head);
    free(cells.next);
    return cost;
}

int main(void)
{
    enum { SIDE = 5, BEADS = SIDE * SIDE * SIDE, LENGTH = 5 };
    static double x[DIM * BEADS], v[DIM * BEADS], seen[DIM * BEADS];
    const double parameters[6] = {1.0, 1.0, 2.0, 50.0, 1.1, 1.0}, wanted[2] = {1.0, 0.5};
    const Run run = {BERENDSEN, 1.0, 0.1, 0.002, 50, 5, 1};
    for (int i = 0; i < BEADS; i++) {
        x[DIM * i] = 1.2 * (i % SIDE) + 0.3;
        x[DIM * i + 1] = 1.2 * (i / SIDE % SIDE) + 0.3;
        x[DIM * i + 2] = 1.2 * (i / SIDE / SIDE) + 0.3;
        for (int k = 0; k < DIM; k++) {
            seen[DIM * i + k] = x[DIM * i + k];
            v[DIM * i + k] = sin(i + 10.0 * k);
        }
    }
    printf("cost %.9e\n", simulate(BEADS, LENGTH, 7.5, LENNARD_JONES, 2.5, parameters, 1.0, run, x, v,
                                   wanted, seen));
    return 0;
}
