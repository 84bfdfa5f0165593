/* Diffusion and growth on a grid that the whole file knows. */
#include <math.h>

#define CELLS 6
typedef struct {
    double rate;
    int wide;
} Params;

static double u[CELLS][CELLS], change[CELLS][CELLS], dt, norms[2], last;
static double scratch[CELLS];
#pragma omp threadprivate(scratch)
static Params par;
static double *growth;
static int cells = CELLS, ends[2] = {1, CELLS - 1};

static void compute_change(void)
{
    int i, j, k;
    double left, sum;
#pragma omp for
    for (i = ends[0]; i < ends[1]; i++)
        for (j = 1; j < cells - 1; j++) {
            left = u[i - 1][j] + u[i + 1][j] - 2.0 * u[i][j];
            change[i][j] = par.rate * left + growth[i] * u[i][j] * u[i][j];
        }
    k = par.wide;
#pragma omp for nowait
    for (i = 1; i < cells - 1; i++) {
        sum = 0.0;
        for (j = 0; j < cells; j++) {
            scratch[j] = u[i][j] * u[i][(j + k) % cells];
            sum += scratch[j];
        }
        if (i == 2)
            last = sum;
        for (j = 1; j < cells - 1; j++)
            change[i][j] += 0.1 * sum + scratch[j];
    }
}

static void add(void)
{
    int i, j;
    double left;
#pragma omp for
    for (i = 1; i < cells - 1; i++)
        for (j = 1; j < cells - 1; j++) {
            left = dt * change[i][j];
            u[i][j] += left;
        }
}

static void advance(void)
{
#pragma omp parallel
    {
        compute_change();
#pragma omp barrier
        add();
    }
}

#pragma g2o grad (energy)/(a, u, change, dt, norms, par, growth, scratch, last)
#pragma g2o jvp (energy)/(a, u, change, dt, norms, par, growth, scratch, last)
double energy(double a, int steps)
{
    double s = 0.0;
    int t;
    for (t = 0; t < steps; t++) {
        advance();
        dt *= a;
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < cells; i++)
        s += u[i][2] * u[i][i];
    norms[0] = s * par.rate;
    return s;
}
