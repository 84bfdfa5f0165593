/*
 * A nuclear reactor in two groups of neutrons: diffusion in the plane of the core, the eigenvalue by
 * power iteration, and burnup in steps with equilibrium xenon and Doppler feedback.
 *
 *     -div(D1 grad f1) + (a1 + s) f1 = (n1 f1 + n2 f2) / k
 *     -div(D2 grad f2) + a2 f2       = s f1
 *
 * The fluxes of a group are relaxed in the colours of a chessboard (SOR). Cross sections come from
 * tables over burnup for each kind of assembly, and change with temperature of fuel and moderator.
 * Boundaries are vacuum (by an albedo) on two sides, and reflecting (a quarter core) on the others.
 *
 * The objective: how far from critical the core is in each step, the peak of power by a norm, and how
 * far signals of detectors are from those measured.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUPS 2
#define FAST 0
#define THERMAL 1
#define POINTS 4 /* of burnup, in the tables */
#define MAX_SIDE 64

#define IX(c, i, j) ((i) * (c)->n + (j))

/* Cross sections in one place (1/cm), of one state. */
struct sections {
    double diffusion[GROUPS];
    double absorption[GROUPS];
    double nu_fission[GROUPS];
    double scatter; /* from fast to thermal */
};

struct assembly {
    double burnup[POINTS]; /* MWd/kg */
    struct sections at[POINTS];
    double doppler;  /* relative to the root of the temperature */
    double moderator; /* change of scatter with density */
};

struct core {
    int n;      /* nodes on each side */
    double h;   /* cm */
    int kinds;
    const int *kind; /* assembly of each node */
};

struct feedback {
    double inlet, rise;        /* temperature of water, and how it grows with power */
    double fuel_rise;          /* fuel over water */
    double reference;
    double xenon;              /* microscopic absorption times yields over decay */
    double decay;              /* of xenon, relative to its burning */
};

struct numerics {
    int outers, inners;
    double relaxation;
    int feedbacks;
    int steps;
    double days;
    int report;
};

/* The state of the core. */
struct state {
    double *flux[GROUPS];
    double *power;  /* relative */
    double *burnup;
    double k;
};

/* ---- cross sections ------------------------------------------------------------------------------- */

static double mix(double a, double b, double w)
{
    return a + w * (b - a);
}

/* Between the points of the table; the last slope goes on. */
static struct sections look_up(const struct assembly *a, double burnup)
{
    int p = 0;
    while (p < POINTS - 2 && burnup > a->burnup[p + 1])
        p++;
    const double w = (burnup - a->burnup[p]) / (a->burnup[p + 1] - a->burnup[p]);
    const struct sections *low = &a->at[p], *high = low + 1;
    struct sections s;
    for (int g = 0; g < GROUPS; g++) {
        s.diffusion[g] = mix(low->diffusion[g], high->diffusion[g], w);
        s.absorption[g] = mix(low->absorption[g], high->absorption[g], w);
        s.nu_fission[g] = mix(low->nu_fission[g], high->nu_fission[g], w);
    }
    s.scatter = mix(low->scatter, high->scatter, w);
    return s;
}

static void feed_back(struct sections *s, const struct assembly *a, const struct feedback *f,
                      double power, double thermal)
{
    const double water = f->inlet + f->rise * power;
    const double fuel = water + f->fuel_rise * power;
    const double density = 1.0 - 1.5e-3 * (water - f->inlet);
    s->absorption[FAST] *= 1.0 + a->doppler * (sqrt(fuel) - sqrt(f->reference));
    s->scatter *= 1.0 + a->moderator * (density - 1.0);
    s->absorption[THERMAL] += f->xenon * thermal / (f->decay + thermal);
    s->diffusion[FAST] /= density;
    s->diffusion[THERMAL] /= density;
}

static void update_sections(const struct core *core, const struct assembly *assemblies,
                            const struct feedback *f, const struct state *state,
                            struct sections *sections)
{
    const int nodes = core->n * core->n;
#pragma omp parallel for schedule(guided)
    for (int at = 0; at < nodes; at++) {
        const struct assembly *a = &assemblies[core->kind[at]];
        struct sections s = look_up(a, state->burnup[at]);
        feed_back(&s, a, f, state->power[at], state->flux[THERMAL][at]);
        sections[at] = s;
    }
}

/* ---- diffusion ------------------------------------------------------------------------------------ */

/* What couples two nodes: the harmonic mean over the square of the distance. */
static inline double coupling(const struct sections *a, const struct sections *b, int g, double h)
{
    const double d = a->diffusion[g], e = b->diffusion[g];
    return 2.0 * d * e / ((d + e) * h * h);
}

/* The outside: a node loses by d / (h (h / 2 + 2 d)), as there is no return. */
static inline double leakage(const struct sections *a, int g, double h, double albedo)
{
    const double d = a->diffusion[g], back = 0.5 * (1.0 - albedo) / (1.0 + albedo);
    return back * d / (h * (d + 0.5 * h * back));
}

static void relax(const struct core *core, const struct sections *sections, int g, double albedo,
                  double omega, int colour, const double *source, double *flux)
{
    const int n = core->n;
    const double h = core->h;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
        for (int j = (i + colour) & 1; j < n; j += 2) {
            const int at = IX(core, i, j);
            const struct sections *s = sections + at;
            double removal = s->absorption[g], sum = source[at];
            if (g == FAST)
                removal += s->scatter;
            if (i > 0) {
                const double c = coupling(s, s - n, g, h);
                removal += c;
                sum += c * flux[at - n];
            }
            if (j > 0) {
                const double c = coupling(s, s - 1, g, h);
                removal += c;
                sum += c * flux[at - 1];
            }
            if (i < n - 1) {
                const double c = coupling(s, s + n, g, h);
                removal += c;
                sum += c * flux[at + n];
            } else
                removal += leakage(s, g, h, albedo);
            if (j < n - 1) {
                const double c = coupling(s, s + 1, g, h);
                removal += c;
                sum += c * flux[at + 1];
            } else
                removal += leakage(s, g, h, albedo);
            flux[at] += omega * (sum / removal - flux[at]);
        }
}

static double fission(const struct core *core, const struct sections *sections,
                      const struct state *state, double *source)
{
    const int nodes = core->n * core->n;
    double total = 0.0;
#pragma omp parallel for reduction(+ : total)
    for (int at = 0; at < nodes; at++) {
        double s = 0.0;
        for (int g = 0; g < GROUPS; g++)
            s += sections[at].nu_fission[g] * state->flux[g][at];
        source[at] = s;
        total += s;
    }
    return total;
}

/* Outer iterations: fission source, both groups downwards, a new eigenvalue. */
static void power_iteration(const struct core *core, const struct sections *sections, double albedo,
                            const struct numerics *num, struct state *state, double *source,
                            double *produced)
{
    const int nodes = core->n * core->n;
    double before = fission(core, sections, state, produced);
    for (int outer = 0; outer < num->outers; outer++) {
        const double k = state->k;
#pragma omp parallel
        {
#pragma omp for
            for (int at = 0; at < nodes; at++)
                source[at] = produced[at] / k;
            for (int inner = 0; inner < num->inners; inner++) {
                relax(core, sections, FAST, albedo, num->relaxation, 0, source, state->flux[FAST]);
                relax(core, sections, FAST, albedo, num->relaxation, 1, source, state->flux[FAST]);
            }
#pragma omp for
            for (int at = 0; at < nodes; at++)
                source[at] = sections[at].scatter * state->flux[FAST][at];
            for (int inner = 0; inner < num->inners; inner++) {
                relax(core, sections, THERMAL, albedo, num->relaxation, 0, source,
                      state->flux[THERMAL]);
                relax(core, sections, THERMAL, albedo, num->relaxation, 1, source,
                      state->flux[THERMAL]);
            }
        }
        const double now = fission(core, sections, state, produced);
        state->k *= now / before;
        before = now;
    }
}

/* Power relative to its mean, and fluxes that go with it. */
static void normalise(const struct core *core, const struct sections *sections, struct state *state)
{
    const int nodes = core->n * core->n;
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int at = 0; at < nodes; at++) {
        state->power[at] = 0.0;
        for (int g = 0; g < GROUPS; g++)
            state->power[at] += sections[at].nu_fission[g] * state->flux[g][at];
        sum += state->power[at];
    }
    const double factor = nodes / sum;
#pragma omp parallel
    {
#pragma omp for nowait
        for (int at = 0; at < nodes; at++)
            state->power[at] *= factor;
#pragma omp for collapse(2)
        for (int g = 0; g < GROUPS; g++)
            for (int at = 0; at < nodes; at++)
                state->flux[g][at] *= factor;
    }
}

/* ---- what comes out ------------------------------------------------------------------------------- */

static double peak(const struct core *core, const double *power, double exponent)
{
    const int nodes = core->n * core->n;
    double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int at = 0; at < nodes; at++)
        sum += pow(power[at], exponent);
    return pow(sum / nodes, 1.0 / exponent);
}

/* A detector sees the thermal flux of its node and a part of those around it. */
static double signal(const struct core *core, const double *thermal, int at)
{
    const int i = at / core->n, j = at % core->n;
    double sum = 0.0, weights = 0.0;
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++) {
            const int a = i + di, b = j + dj;
            if (a < 0 || b < 0 || a >= core->n || b >= core->n)
                continue;
            const double weight = 1.0 / (1 << (abs(di) + abs(dj)));
            sum += weight * thermal[IX(core, a, b)];
            weights += weight;
        }
    return sum / weights;
}

static double detectors(const struct core *core, const double *thermal, int count,
                        const int *where, const double *measured)
{
    double chi2 = 0.0;
#pragma omp parallel for reduction(+ : chi2)
    for (int d = 0; d < count; d++) {
        const double misses = log(signal(core, thermal, where[d]) / measured[d]);
        chi2 += misses * misses;
    }
    return chi2 / count;
}

static void burn(const struct core *core, double days, double rate, struct state *state)
{
    const int nodes = core->n * core->n;
#pragma omp parallel for
    for (int at = 0; at < nodes; at++)
        state->burnup[at] += 1e-3 * days * rate * state->power[at];
}

/* ---- the cycle ------------------------------------------------------------------------------------ */

#pragma g2o grad (cycle, burnup)/(assemblies, feedback, albedo, rate, burnup, measured)
#pragma g2o jvp (cycle, burnup)/(assemblies, feedback, albedo, rate, burnup, measured)
double cycle(const struct core *core, const struct assembly *assemblies,
             const struct feedback *feedback, double albedo, double rate,
             const struct numerics *num, double *burnup, int count, const int *where,
             const double *measured)
{
    const int nodes = core->n * core->n;
    struct sections *sections = malloc(nodes * sizeof(struct sections));
    double *work = malloc(5 * nodes * sizeof(double));
    double *source = work + 3 * nodes, *produced = work + 4 * nodes;
    struct state state = {{work, work + nodes}, work + 2 * nodes, burnup, 1.0};
    double cost = 0.0;

    assert(sections != NULL && work != NULL);
    for (int at = 0; at < nodes; at++) {
        state.flux[FAST][at] = 3.0;
        state.flux[THERMAL][at] = state.power[at] = 1.0;
    }
    for (int step = 0; step < num->steps; step++) {
        for (int f = 0; f < num->feedbacks; f++) {
            update_sections(core, assemblies, feedback, &state, sections);
            power_iteration(core, sections, albedo, num, &state, source, produced);
            normalise(core, sections, &state);
        }
        const double reactivity = (state.k - 1.0) / state.k;
        const double peaking = peak(core, state.power, 8.0);
        const double chi2 = detectors(core, state.flux[THERMAL], count, where, measured);
        cost += 10.0 * reactivity * reactivity + 0.5 * peaking + chi2;
        if (num->report)
            printf("%4d  k %.6f  peak %.4f  detectors %.3e\n", step, state.k, peaking, chi2);
        burn(core, num->days, rate, &state);
    }
    free(work);
    free(sections);
    return cost;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 16;
    static const struct sections fresh = {{1.4, 0.4}, {0.009, 0.085}, {0.006, 0.125}, 0.017};
    static const struct sections spent = {{1.38, 0.41}, {0.0105, 0.095}, {0.0045, 0.105}, 0.0165};
    static const struct sections water = {{1.9, 0.28}, {0.0005, 0.012}, {0.0, 0.0}, 0.035};
    struct assembly assemblies[2] = {{.doppler = 2e-3, .moderator = 0.8}, {.moderator = 1.0}};
    const struct core core = {n, 10.0, 2, NULL};
    const struct feedback feedback = {560.0, 30.0, 350.0, 900.0, 0.003, 0.8};
    const struct numerics num = {60, 3, 1.3, 3, 6, 60.0, 1};
    int *kind = malloc(n * n * sizeof(int));
    double *burnup = calloc(n * n, sizeof(double));
    const int where[3] = {0, n / 2 * n + n / 2, 2 * n + n / 3};
    const double measured[3] = {8.0, 4.0, 6.0};

    if (n < 4 || n > MAX_SIDE) {
        fprintf(stderr, "a side from 4 to %d\n", MAX_SIDE);
        return 1;
    }
    for (int p = 0; p < POINTS; p++) {
        assemblies[0].burnup[p] = assemblies[1].burnup[p] = 15.0 * p;
        assemblies[0].at[p] = p < 2 ? fresh : spent;
        assemblies[1].at[p] = water;
    }
    for (int at = 0; at < n * n; at++) {
        const int i = at / n, j = at % n;
        kind[at] = i * i + j * j < n * n * 3 / 4 ? 0 : 1;
        burnup[at] = kind[at] ? 0.0 : 2.0 * ((i + j) % 3);
    }
    struct core filled = core;
    filled.kind = kind;
    printf("cost %.9e\n", cycle(&filled, assemblies, &feedback, 0.1, 35.0, &num, burnup, 3, where,
                               measured));
    free(kind);
    free(burnup);
    return 0;
}
