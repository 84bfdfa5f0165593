/*
 * Waves of sound in a heterogeneous body in three dimensions, and how far what receivers record is
 * from observations (full waveform inversion).
 *
 *     d2p/dt2 = v^2 rho div(1/rho grad p) + s          order 4 in space, 2 in time
 *
 * A sponge damps waves near all faces but the free surface on top, where the pressure is odd. Shots
 * are run one after the other. Receivers and sources lie between grid points and are interpolated
 * trilinearly. The model is smoothed by Tikhonov's term.
 */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALO 2
#define C0 (-5.0 / 2.0)
#define C1 (4.0 / 3.0)
#define C2 (-1.0 / 12.0)
#define PI 3.14159265358979323846

#define ID(g, i, j, k) (((size_t)(i) * (g).sy + (j)) * (g).sz + (k))

typedef struct {
    int nx, ny, nz; /* points without halo; z goes downwards */
    int sy, sz;     /* with halo */
    double h;
    double dt;
} Grid3;

typedef struct {
    int width;
    double strength;
} Sponge;

typedef struct {
    float x, y, z; /* in points */
} Position;

typedef struct {
    Position source;
    int receivers;
    const Position *receiver;
    const double *observed; /* receivers for each step */
} Shot;

typedef struct {
    int index[8];
    double weight[8];
} Stencil8;

/* ---- set-up --------------------------------------------------------------------------------------- */

static Grid3 make_grid(int nx, int ny, int nz, double h, double dt)
{
    Grid3 g = {nx, ny, nz, 0, 0, 0.0, 0.0};
    g.sy = ny + 2 * HALO;
    g.sz = nz + 2 * HALO;
    g.h = h;
    g.dt = dt;
    return g;
}

static size_t points_of(const Grid3 *g)
{
    return (size_t)(g->nx + 2 * HALO) * g->sy * g->sz;
}

/* The eight points around a position, and their parts. */
static void locate(const Grid3 *g, Position at, Stencil8 *s)
{
    const int i = (int)at.x, j = (int)at.y, k = (int)at.z;
    const double a = at.x - i, b = at.y - j, c = at.z - k;
    for (int corner = 0; corner < 8; corner++) {
        const int di = corner & 1, dj = corner >> 1 & 1, dk = corner >> 2;
        s->index[corner] = (int)ID(*g, i + di + HALO, j + dj + HALO, k + dk + HALO);
        s->weight[corner] = (di ? a : 1.0 - a) * (dj ? b : 1.0 - b) * (dk ? c : 1.0 - c);
    }
}

static double ricker(double frequency, double time)
{
    const double t = PI * frequency * (time - 1.0 / frequency);
    return (1.0 - 2.0 * t * t) * exp(-t * t);
}

static inline double profile(const Sponge *sponge, int from_edge)
{
    if (from_edge >= sponge->width)
        return 0.0;
    const double depth = (double)(sponge->width - from_edge) / sponge->width;
    return sponge->strength * depth * depth;
}

/* How much of a wave is lost in a step: the largest of what the faces ask for. */
static void damping(const Grid3 *g, const Sponge *sponge, double *restrict loss)
{
#pragma omp parallel for collapse(3) schedule(static)
    for (int i = 0; i < g->nx; i++)
        for (int j = 0; j < g->ny; j++)
            for (int k = 0; k < g->nz; k++) {
                double most = profile(sponge, i);
                most = fmax(most, profile(sponge, g->nx - 1 - i));
                most = fmax(most, profile(sponge, j));
                most = fmax(most, profile(sponge, g->ny - 1 - j));
                most = fmax(most, profile(sponge, g->nz - 1 - k));
                loss[ID(*g, i + HALO, j + HALO, k + HALO)] = most;
            }
}

/* The model with a halo of what lies next to it. */
static void extend(const Grid3 *g, const double *model, double *padded)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < g->nx + 2 * HALO; i++)
        for (int j = 0; j < g->sy; j++)
            for (int k = 0; k < g->sz; k++) {
                int a = i - HALO, b = j - HALO, c = k - HALO;
                a = a < 0 ? 0 : a >= g->nx ? g->nx - 1 : a;
                b = b < 0 ? 0 : b >= g->ny ? g->ny - 1 : b;
                c = c < 0 ? 0 : c >= g->nz ? g->nz - 1 : c;
                padded[ID(*g, i, j, k)] = model[(a * g->ny + b) * g->nz + c];
            }
}

static bool is_stable(const Grid3 *g, const double *v)
{
    double fastest = 0.0;
    const int count = g->nx * g->ny * g->nz;
#pragma omp parallel for reduction(max : fastest)
    for (int at = 0; at < count; at++)
        if (v[at] > fastest)
            fastest = v[at];
    return fastest * g->dt / g->h < 0.5;
}

/* ---- a step --------------------------------------------------------------------------------------- */

/* The pressure above the surface is what is below it, with the other sign. */
static void free_surface(const Grid3 *g, double *p)
{
    int i, j;
#pragma omp parallel for private(i, j) collapse(2)
    for (i = 0; i < g->nx + 2 * HALO; i++)
        for (j = 0; j < g->sy; j++) {
            p[ID(*g, i, j, HALO)] = 0.0;
            for (int k = 1; k <= HALO; k++)
                p[ID(*g, i, j, HALO - k)] = -p[ID(*g, i, j, HALO + k)];
        }
}

static void step(const Grid3 *g, const double *restrict v, const double *restrict density,
                 const double *restrict loss, const double *restrict now, double *restrict old)
{
    const int sx = g->sy * g->sz, sy = g->sz;
    const double factor = g->dt * g->dt / (g->h * g->h);
#pragma omp parallel for collapse(2) schedule(guided)
    for (int i = HALO; i < g->nx + HALO; i++)
        for (int j = HALO; j < g->ny + HALO; j++) {
            const double *p = now + ID(*g, i, j, 0);
            const double *r = density + ID(*g, i, j, 0);
            double *q = old + ID(*g, i, j, 0);
#pragma omp simd
            for (int k = HALO; k < g->nz + HALO; k++) {
                const double laplacian = 3.0 * C0 * p[k] +
                    C1 * (p[k + 1] + p[k - 1] + p[k + sy] + p[k - sy] + p[k + sx] + p[k - sx]) +
                    C2 * (p[k + 2] + p[k - 2] + p[k + 2 * sy] + p[k - 2 * sy] + p[k + 2 * sx] +
                          p[k - 2 * sx]);
                const double slope = 0.25 * ((r[k + 1] - r[k - 1]) * (p[k + 1] - p[k - 1]) +
                                             (r[k + sy] - r[k - sy]) * (p[k + sy] - p[k - sy]) +
                                             (r[k + sx] - r[k - sx]) * (p[k + sx] - p[k - sx]));
                const size_t at = ID(*g, i, j, k);
                const double c = v[at] * v[at] * factor, d = loss[at];
                const double next = (2.0 - d * d) * p[k] - (1.0 - d) * q[k] +
                                    c * (laplacian - slope / r[k]);
                q[k] = next / (1.0 + d);
            }
        }
}

static void inject(const Stencil8 *source, double amplitude, double *p)
{
    for (int c = 0; c < 8; c++)
        p[source->index[c]] += source->weight[c] * amplitude;
}

static double record(int receivers, const Stencil8 *at, const double *observed, const double *p)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int r = 0; r < receivers; r++) {
        double seen = 0.0;
        for (int c = 0; c < 8; c++)
            seen += at[r].weight[c] * p[at[r].index[c]];
        const double off = seen - observed[r];
        sum += 0.5 * off * off;
    }
    return sum;
}

/* ---- misfit --------------------------------------------------------------------------------------- */

static double run_shot(const Grid3 *g, const Shot *shot, int steps, double frequency,
                       const double *wavelet, const double *v, const double *density,
                       const double *loss)
{
    const size_t points = points_of(g);
    double *now = calloc(points, sizeof *now);
    double *old = calloc(points, sizeof *old);
    Stencil8 source, *receivers = malloc(shot->receivers * sizeof(Stencil8));
    double sum = 0.0;

    assert(now != NULL && old != NULL && receivers != NULL);
    locate(g, shot->source, &source);
    for (int r = 0; r < shot->receivers; r++)
        locate(g, shot->receiver[r], &receivers[r]);
    for (int t = 0; t < steps; t++) {
        const double amplitude = wavelet ? wavelet[t] : ricker(frequency, t * g->dt);
        step(g, v, density, loss, now, old);
        inject(&source, amplitude, old);
        free_surface(g, old);
        sum += record(shot->receivers, receivers, shot->observed + t * shot->receivers, old);
        double *swap = now;
        now = old;
        old = swap;
    }
    free(now);
    free(old);
    free(receivers);
    return sum;
}

/* How rough the model is. */
static double roughness(const Grid3 *g, const double *v)
{
    double sum = 0.0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int i = 0; i < g->nx; i++)
        for (int j = 0; j < g->ny; j++)
            for (int k = 0; k < g->nz; k++) {
                const double *at = &v[(i * g->ny + j) * g->nz + k];
                if (i > 0)
                    sum += (at[0] - at[-g->ny * g->nz]) * (at[0] - at[-g->ny * g->nz]);
                if (j > 0)
                    sum += (at[0] - at[-g->nz]) * (at[0] - at[-g->nz]);
                if (k > 0)
                    sum += (at[0] - at[-1]) * (at[0] - at[-1]);
            }
    return sum;
}

/* The misfit of all shots for velocities `v` and densities of the points; -1 where it is not stable. */
#pragma g2o grad (waveform_misfit)/(v, density, wavelet, weight)
#pragma g2o jvp (waveform_misfit)/(v, density, wavelet, weight)
double waveform_misfit(int nx, int ny, int nz, double h, double dt, const double *v,
                       const double *density, int shots, const Shot *shot, int steps, double frequency,
                       const double *wavelet, double weight)
{
    const Grid3 g = make_grid(nx, ny, nz, h, dt);
    const Sponge sponge = {nx / 4, 0.3};
    const size_t bytes = points_of(&g) * sizeof(double);
    double total = 0.0;

    if (!is_stable(&g, v)) {
        fprintf(stderr, "the time step is too long\n");
        return -1.0;
    }
    double *speed = malloc(bytes), *rho = malloc(bytes), *loss = malloc(bytes);
    memset(loss, 0, bytes);
    damping(&g, &sponge, loss);
    extend(&g, v, speed);
    extend(&g, density, rho);
    for (int s = 0; s < shots; s++)
        total += run_shot(&g, &shot[s], steps, frequency, wavelet, speed, rho, loss);
    total += weight * roughness(&g, v);
    free(speed);
    free(rho);
    free(loss);
    return total;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 30, steps = argc > 2 ? atoi(argv[2]) : 60;
    double *v = malloc(sizeof(double) * n * n * n), *density = malloc(sizeof(double) * n * n * n);
    double *observed = calloc(2 * steps, sizeof(double));
    const Position receivers[2] = {{n * 0.3f, n * 0.5f, 1.5f}, {n * 0.7f, n * 0.5f, 1.5f}};
    const Shot shots[2] = {{{n * 0.5f, n * 0.5f, 2.5f}, 2, receivers, observed},
                           {{n * 0.2f, n * 0.4f, 2.5f}, 2, receivers, observed}};
    for (int at = 0; at < n * n * n; at++) {
        v[at] = at % n > n / 2 ? 2.5 : 1.5;
        density[at] = at % n > n / 2 ? 1.2 : 1.0;
    }
    printf("misfit %.9e\n", waveform_misfit(n, n, n, 10.0, 1.5, v, density, 2, shots, steps, 0.02,
                                            NULL, 1e-6));
    free(v);
    free(density);
    free(observed);
    return 0;
}
