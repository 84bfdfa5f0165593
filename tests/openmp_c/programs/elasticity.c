/* Plane elasticity with bilinear elements: assembly of the stiffness matrix in bands, and a few
 * steps of a damped Jacobi iteration for the displacements. */
#include <math.h>

#define COLUMNS 4 /* nodes in a row of the mesh */
#define ROWS 3
#define NODES (COLUMNS * ROWS)
#define UNKNOWNS (2 * NODES)
#define BAND (2 * COLUMNS + 4) /* to either side of the diagonal */
#define WIDTH (2 * BAND + 1)

typedef double Element[8][8];

static void element_stiffness(double young, double poisson, double width, double height, Element k)
{
    static const double points[2] = {-0.577350269189626, 0.577350269189626};
    const double factor = young / (1.0 - poisson * poisson);
    for (int a = 0; a < 64; ++a)
        k[a / 8][a % 8] = 0.0;
    for (int p = 0; p < 4; ++p) {
        const double s = points[p % 2], t = points[p / 2];
        const double along[4] = {-(1 - t), 1 - t, 1 + t, -(1 + t)};
        const double across[4] = {-(1 - s), -(1 + s), 1 + s, 1 - s};
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < 4; ++b) {
                const double xx = along[a] * along[b] * height / (16.0 * width) * 4.0;
                const double yy = across[a] * across[b] * width / (16.0 * height) * 4.0;
                const double xy = along[a] * across[b] / 4.0, yx = across[a] * along[b] / 4.0;
                const double shear = 0.5 * (1.0 - poisson);
                k[2 * a][2 * b] += 0.25 * factor * (xx + shear * yy);
                k[2 * a + 1][2 * b + 1] += 0.25 * factor * (yy + shear * xx);
                k[2 * a][2 * b + 1] += 0.25 * factor * (poisson * xy + shear * yx);
                k[2 * a + 1][2 * b] += 0.25 * factor * (poisson * yx + shear * xy);
            }
    }
}

static void assemble(const double *young, double poisson, double height, double band[UNKNOWNS][WIDTH])
{
#pragma omp parallel for
    for (int i = 0; i < UNKNOWNS; ++i)
        for (int j = 0; j < WIDTH; ++j)
            band[i][j] = 0.0;
#pragma omp parallel for collapse(2) schedule(static, 1)
    for (int r = 0; r < ROWS - 1; ++r)
        for (int c = 0; c < COLUMNS - 1; ++c) {
            const int first = r * COLUMNS + c;
            const int nodes[4] = {first, first + 1, first + COLUMNS + 1, first + COLUMNS};
            Element k;
            element_stiffness(young[r * (COLUMNS - 1) + c], poisson, 1.0, height, k);
            for (int a = 0; a < 8; ++a)
                for (int b = 0; b < 8; ++b) {
                    const int row = 2 * nodes[a / 2] + a % 2, column = 2 * nodes[b / 2] + b % 2;
#pragma omp atomic
                    band[row][column - row + BAND] += k[a][b];
                }
        }
    for (int i = 0; i < 2 * COLUMNS; ++i)
        band[i][BAND] += 100.0 * height; /* springs hold the first row */
}

static double residual(double band[UNKNOWNS][WIDTH], const double *load, const double *u, double *r)
{
    double norm = 0.0;
#pragma omp parallel
    {
        double own = 0.0;
#pragma omp for nowait
        for (unsigned i = 0; i < UNKNOWNS; i++) {
            double sum = load[i];
#pragma omp simd reduction(- : sum)
            for (int j = 0; j < WIDTH; ++j) {
                const int column = (int)i + j - BAND;
                sum -= column < 0 || column >= UNKNOWNS ? 0.0 : band[i][j] * u[column];
            }
            r[i] = sum;
            own += sum * sum;
        }
#pragma omp critical(norm)
        norm += own;
    }
    return norm;
}

/* The work of the load after some steps, and what is left of the residual. */
#pragma g2o grad (compliance, u)/(young, poisson, height, load, u)
#pragma g2o jvp (compliance, u)/(young, poisson, height, load, u)
double compliance(int steps, const double *young, double poisson, double height, const double *load,
                  double *u)
{
    double band[UNKNOWNS][WIDTH];
    double r[UNKNOWNS];
    double work = 0.0, left = 0.0;
    assemble(young, poisson, height, band);
    for (int t = 0; t < steps; ++t) {
        left = residual(band, load, u, r);
        if (left < 1e-20)
            break;
#pragma omp parallel for
        for (int i = UNKNOWNS - 1; i >= 0; --i)
            u[i] += 0.6 * r[i] / band[i][BAND];
    }
#pragma omp parallel for reduction(+ : work)
    for (int i = 0; i < UNKNOWNS; ++i)
        work += load[i] * u[i];
    return work + sqrt(1.0 + left);
}
