/* Smoothing and restriction between two grids whose rows and planes pointers lead to. */
#include <math.h>
#define WIDE 6

static void smooth(double ***r, double ***u, int n, const double c[2])
{
    int i, j, k;
    double near[WIDE];
#pragma omp parallel for private(i, j, k, near)
    for (k = 1; k < n - 1; k++)
        for (j = 1; j < n - 1; j++) {
            for (i = 0; i < n; i++)
                near[i] = r[k][j - 1][i] + r[k][j + 1][i] + r[k - 1][j][i] * (*r)[j][i];
            for (i = 1; i < n - 1; i++)
                u[k][j][i] += c[0] * r[k][j][i] + c[1] * (r[k][j][i - 1] + near[i]) * u[k][j][i];
        }
}

static double norm(double **plane, int n)
{
    double s = 0.0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        const double *row = plane[i];
        for (int j = 0; j < n; j++)
            s += row[j] * plane[i][(j + 1) % n];
    }
    return sqrt(1.0 + s * s);
}

static void restrict_to(double **coarse, double **fine, int n)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < n / 2; j++) {
            double *row = coarse[i];
            row[j] = 0.25 * (fine[2 * i][2 * j] + fine[2 * i + 1][2 * j] + fine[2 * i][2 * j + 1] +
                             fine[2 * i + 1][2 * j + 1] * row[j]);
        }
}

#pragma g2o grad (total)/(r, u, coarse, c)
#pragma g2o jvp (total)/(r, u, coarse, c)
double total(double ***r, double ***u, double **coarse, int n, int steps, const double *c)
{
    double s = 0.0;
    int t, k;
    for (t = 0; t < steps; t++) {
        double **plane = u[t + 1];
        smooth(r, u, n, c);
        restrict_to(coarse, plane, n);
        r[0][1][t] *= coarse[t][0];
    }
    for (k = 0; k < n; k++)
        s += norm(u[k], n);
    return s + norm(coarse, n / 2);
}
