/* Shallow water on a periodic grid: Lax-Friedrichs, with a bed and friction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81
#define IDX(i, j) ((i) * nx + (j))

typedef struct {
    int nx, ny;
    double dx, dt;
    double friction;
} Grid;

static inline int wrap(int i, int n)
{
    if (i < 0)
        return i + n;
    if (i >= n)
        return i - n;
    return i;
}

static inline double flux_x(double h, double hu)
{
    return hu * hu / h + 0.5 * G * h * h;
}

static void step(const Grid *g, const double *h, const double *hu, const double *hv,
                 const double *bed, double *h2, double *hu2, double *hv2)
{
    const int nx = g->nx, ny = g->ny;
    const double c = g->dt / (2.0 * g->dx);
#pragma omp parallel for collapse(2) schedule(static)
    for (int i = 0; i < ny; ++i) {
        for (int j = 0; j < nx; ++j) {
            const int n = IDX(wrap(i - 1, ny), j), s = IDX(wrap(i + 1, ny), j);
            const int w = IDX(i, wrap(j - 1, nx)), e = IDX(i, wrap(j + 1, nx));
            const int o = IDX(i, j);
            double hm = 0.25 * (h[n] + h[s] + h[w] + h[e]);
            double um = 0.25 * (hu[n] + hu[s] + hu[w] + hu[e]);
            double vm = 0.25 * (hv[n] + hv[s] + hv[w] + hv[e]);
            h2[o] = hm - c * (hu[e] - hu[w]) - c * (hv[s] - hv[n]);
            double dudx = flux_x(h[e], hu[e]) - flux_x(h[w], hu[w]);
            double dudy = hu[s] * hv[s] / h[s] - hu[n] * hv[n] / h[n];
            double dvdy = flux_x(h[s], hv[s]) - flux_x(h[n], hv[n]);
            double dvdx = hu[e] * hv[e] / h[e] - hu[w] * hv[w] / h[w];
            double speed = sqrt(um * um + vm * vm + 1e-12) / hm;
            double drag = 1.0 / (1.0 + g->dt * g->friction * speed);
            hu2[o] = drag * (um - c * (dudx + dudy) - c * G * hm * (bed[e] - bed[w]));
            hv2[o] = drag * (vm - c * (dvdx + dvdy) - c * G * hm * (bed[s] - bed[n]));
        }
    }
}

/* Misfit of the surface from what was observed. */
#pragma g2o grad (misfit)/(h, hu, hv, bed)
#pragma g2o jvp (misfit)/(h, hu, hv, bed)
double misfit(Grid grid, int steps, double *h, double *hu, double *hv, const double *bed,
              const double *observed)
{
    const int cells = grid.nx * grid.ny;
    double *h2 = malloc(cells * sizeof(double));
    double *hu2 = malloc(cells * sizeof(double));
    double *hv2 = malloc(cells * sizeof(double));
    for (int t = 0; t < steps; ++t) {
        step(&grid, h, hu, hv, bed, h2, hu2, hv2);
#pragma omp parallel for
        for (int o = 0; o < cells; ++o) {
            h[o] = h2[o];
            hu[o] = hu2[o];
            hv[o] = hv2[o];
        }
    }
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int o = 0; o < cells; ++o) {
        double d = h[o] + bed[o] - observed[o];
        sum += d * d;
    }
    free(h2);
    free(hu2);
    free(hv2);
    return 0.5 * sum;
}
