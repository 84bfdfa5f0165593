/* Conjugate gradients on a sparse matrix in CSR form. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows;
    const int *start;
    const int *column;
    double *value;
} Matrix;

static void multiply(const Matrix *A, const double *restrict x, double *restrict y)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < A->rows; ++i) {
        double sum = 0.0;
        for (int k = A->start[i]; k < A->start[i + 1]; ++k)
            sum += A->value[k] * x[A->column[k]];
        y[i] = sum;
    }
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

static void axpy(int n, double a, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        y[i] += a * x[i];
}

/* Energy of the solution after some iterations. */
#pragma g2o grad (solve)/(value, b)
#pragma g2o jvp (solve)/(value, b)
double solve(int n, const int *start, const int *column, double *value, const double *b, int most)
{
    double *x = malloc(n * sizeof *x);
    double *r = malloc(n * sizeof *r);
    double *p = malloc(n * sizeof *p);
    double *q = malloc(n * sizeof *q);
    Matrix A = {n, start, column, value};
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        x[i] = 0.0;
        r[i] = b[i];
        p[i] = b[i];
    }
    double rho = dot(n, r, r);
    for (int it = 0; it < most; ++it) {
        if (rho < 1e-24)
            break;
        multiply(&A, p, q);
        double alpha = rho / dot(n, p, q);
        axpy(n, alpha, p, x);
        axpy(n, -alpha, q, r);
        double next = dot(n, r, r);
        double beta = next / rho;
#pragma omp parallel for
        for (int i = 0; i < n; ++i)
            p[i] = r[i] + beta * p[i];
        rho = next;
    }
    double energy = dot(n, x, b);
    free(q);
    free(p);
    free(r);
    free(x);
    return energy;
}
