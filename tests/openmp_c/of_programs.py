"""Functions in C as they are parts of larger programs, in the form of `functions.py`."""

from __future__ import annotations

from typing import Final

OF_PROGRAMS_HELPERS: Final = """
#include <assert.h>
#include <stdio.h>
typedef struct {
    int kind;
    double bond, length;
    double table[3];
} Potential;
static int box_of(const View *v, double z)
{
    return (int)fabs(z) % v->n;
}
typedef struct {
    double *low, *high;
} Bounds;
typedef struct {
    int n;
    double *u, h;
} Level;
static void restricted(const Level *fine, Level *coarse)
{
#pragma omp parallel for
    for (int i = 0; i < coarse->n; ++i)
        coarse->u[i] = fine->h * (fine->u[2 * i] + sin(fine->u[2 * i + 1]));
}
static Bounds pair_of(int n)
{
    Bounds pair;
    pair.low = calloc(n, sizeof(double));
    pair.high = malloc(n * sizeof(double));
    return pair;
}
static void without(Bounds *pair)
{
    free(pair->low);
    free(pair->high);
    pair->low = pair->high = NULL;
}
static double slopes(double z, double (*matrix)[3])
{
    if (matrix)
        memset(matrix, 0, 9 * sizeof(double));
    if (matrix != NULL)
        for (int k = 0; k < 3; ++k)
            matrix[k][2 - k] += z * z;
    return sin(z);
}
static void smoothed(int n, const double *x, double *y)
{
    if (n < 3) {
        y[0] = x[0] * y[0];
        return;
    }
    double *r = calloc(n / 2, sizeof *r);
#pragma omp parallel for
    for (int i = 0; i < n / 2; ++i)
        r[i] += x[2 * i] * y[2 * i + 1];
#pragma omp parallel for
    for (int i = 0; i < n / 2; ++i)
        y[i] += 0.1 * r[i];
    free(r);
}
static double correlated(const View *v)
{
    double *q = malloc(v->n * sizeof *q), e = 0.0;
#pragma omp parallel for
    for (int i = 0; i < v->n; ++i)
        q[i] = sin(v->from[i]);
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < v->n; ++i)
        e += q[i] * q[v->n - 1 - i];
    free(q);
    return e;
}
static double decayed(int n, int turns, double a, const double *x)
{
    const size_t bytes = (size_t)n * sizeof(double);
    double *now = calloc(n, sizeof(double)), *then = malloc(bytes), sum = 0.0;
    assert(now != NULL && then != NULL);
    memset(then, 0, bytes);
    for (int t = 0; t < turns; ++t) {
#pragma omp parallel for
        for (int i = 0; i < n; ++i)
            then[i] = a * now[i] * now[(i + 1) % n] + x[i];
        double *swap = now;
        now = then;
        then = swap;
    }
    for (int i = 0; i < n; ++i)
        sum += now[i] * now[i];
    free(now);
    free(then);
    return sum;
}
"""

OF_PROGRAMS: Final = {
    "members_in_loops": (
        "double f(int n, const double *p, double *x, double *y)",
        """const Potential potential = {2, p[0], p[1], {p[2], p[3], p[4]}};
double e = 0.0;
#pragma omp parallel for reduction(+ : e) schedule(dynamic)
for (int i = 0; i < n; ++i) {
    e += potential.bond * x[i] * x[i] + potential.table[i % 3] * x[i];
    y[i] = potential.length * potential.table[1] * x[i] + p[5];
}
return e * potential.length;""",
    ),
    "skipped_iterations": (
        "double f(int n, const int *k, const double *x, double *y)",
        """double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < n - 1; ++i) {
    if (k[i] % 5 == 2)
        continue;
    const double off = x[i + 1] - x[i];
    e += off * off;
    for (int j = 0; j < 2; ++j) {
        if (j == 1 && k[i] % 3 == 0)
            continue;
#pragma omp atomic
        y[i + j] += (1 - 2 * j) * sin(off);
    }
}
return e;""",
    ),
    "structure_by_address": (
        "double f(int n, double a, double *x, double *y)",
        """View view = {n, x, y, a};
double e = 0.0;
for (int i = 0; i < n; ++i)
    e += view.from[box_of(&view, x[i])] * view.to[box_of(&view, y[i])] * view.factor;
return e;""",
    ),
    "memory_of_threads": (
        "double f(int n, int m, const double *x, double *y)",
        """double e = 0.0;
#pragma omp parallel reduction(+ : e)
{
    double *work = malloc(2 * m * sizeof *work);
    double *one = work, *other = work + m;
    if (work == NULL)
        exit(1);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n / m; ++i) {
        for (int k = 0; k < m; ++k) {
            one[k] = sin(x[i * m + k]);
            other[k] = k > 0 ? other[k - 1] * one[k] + one[k - 1] : one[k];
        }
        for (int k = m - 2; k >= 0; --k)
            other[k] -= other[k + 1] * one[k];
        for (int k = 0; k < m; ++k)
            y[i * m + k] = other[k];
        e += other[0] * other[m - 1];
    }
    free(work);
}
return e;""",
    ),
    "structures_given_back": (
        "double f(int n, const double *x)",
        """Bounds pair = pair_of(n);
double e = 0.0;
#pragma omp parallel for
for (int i = 0; i < n; ++i) {
    pair.low[i] += x[i] * x[i];
    pair.high[i] = 2.0 * pair.low[i];
}
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < n; ++i)
    e += pair.low[i] * pair.high[n - 1 - i];
without(&pair);
return e;""",
    ),
    "known_pointers": (
        "double f(int n, const double *x, double *y)",
        """double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < n; ++i) {
    double matrix[3][3];
    y[i] = slopes(x[i], matrix) * slopes(2.0 * x[i], NULL);
    e += matrix[i % 3][2 - i % 3] * matrix[0][2] + matrix[0][0];
}
return e;""",
    ),
    "memory_in_a_loop": (
        "double f(int n, int steps, double a, const double *x)",
        """double e = 0.0;
for (int t = 0; t < 3; ++t) {
    if (a > 1e9) {
        fprintf(stderr, "a is too large");
        continue;
    }
    e += decayed(n - 3, steps, 0.3 * a, x + t);
}
return e;""",
    ),
    "places_of_an_array": (
        "double f(int n, int m, const double *x)",
        """double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < n / m; ++i) {
    double work[3 * M];
    double *given = work, *state = given + m;
    for (int k = 0; k < m; ++k)
        given[k] = x[i * m + k];
    const double *from = given;
    for (int layer = 0; layer < 2; ++layer) {
        double *to = state + layer * m;
        for (int k = 0; k < m; ++k)
            to[k] = sin(from[k]) * from[(k + 1) % m];
        from = to;
    }
    e += from[0] * from[m - 1];
}
return e;""",
    ),
    "rows_of_any_size": (
        "double f(int n, int m, const double *x, double *y)",
        """double w[m][m], u[m / 2][2][m];
double e = 0.0;
memset(w, 0, sizeof w);
memcpy(u, x, 2 * (m / 2) * m * sizeof(double));
#pragma omp parallel for
for (int i = 0; i < m / 2; ++i)
    for (int j = 0; j < m; ++j)
        w[i][j] += u[i][1][j] * u[i][0][m - 1 - j] * x[n - 1 - j];
memcpy(y, w, m * m * sizeof *y);
memcpy(w, u, (m / 2) * sizeof(double));
for (int i = 0; i < m; ++i)
    e += w[0][i] * w[m / 2 - 1][i] * y[i];
return e;""",
    ),
    "copied_rows": (
        "double f(int n, int m, const double *x, double *y)",
        """double e = 0.0;
#pragma omp parallel for
for (int i = 0; i < n / m; ++i) {
    memcpy(&y[i * m], &x[i * m], m * sizeof(*x));
    for (int k = 0; k < m; ++k)
        y[i * m + k] *= x[i];
}
for (int i = 0; i < n; ++i)
    e += y[i] * y[i];
return e;""",
    ),
    "whole_extremes": (
        "double f(int n, int m, const int *k, const double *x, double *y)",
        """double e = 0.0;
int most = 0, seen = 0, all = 1;
#pragma omp parallel for reduction(+ : e) reduction(max : most) reduction(| : seen) \\
    reduction(&& : all)
for (int i = 0; i < n; ++i) {
    y[i] = y[i] * exp(x[i]);
    e += y[i] * x[i];
    if (k[i] > most) {
        most = k[i];
    }
    seen |= 1 << (i % m);
    all = all && x[i] < 50.0;
}
return (most + seen + all) * e;""",
    ),
    "gamma_functions": (
        "double f(int n, const double *x)",
        """double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < n; ++i)
    e += lgamma(2.5 + x[i]) * tgamma(1.5 + x[i]) + lgammaf(4.0f);
return e;""",
    ),
    "memory_of_levels": (
        "double f(int n, int m, const int *k, const double *x, double *y)",
        """double e = 0.0;
for (int l = m - 1; l >= 0; --l) {
    const int size = k[l] / 2 + 1;
    double *q = malloc(size * sizeof *q);
#pragma omp parallel for
    for (int i = 0; i < size; ++i)
        q[i] = sin(x[i] * (l + 1)) + x[n - 1 - i];
#pragma omp parallel for
    for (int i = 0; i < size; ++i)
        y[i] += q[i] * q[size - 1 - i] * y[i];
    free(q);
    smoothed(k[l], x, y);
}
for (int i = 0; i < n; ++i)
    e += y[i] * y[i];
return e;""",
    ),
    "memory_behind_pointers": (
        "double f(int n, int steps, const double *x)",
        """const View view = {n, x, NULL, 1.0};
double e = 0.0;
for (int t = 0; t < steps; ++t)
    e += t * correlated(&view);
return e;""",
    ),
    "numbers_that_are_told": (
        "double f(int n, double *x)",
        """*x *= x[1];
if (n > 1000)
    fprintf(stderr, "%g %g", *x, -x[1]);
return *x * x[1];""",
    ),
    "rows_of_threads": (
        "double f(int n, int m, const double *x)",
        """double e = 0.0;
#pragma omp parallel reduction(+ : e)
{
    double (*w)[4] = malloc(m * sizeof *w);
#pragma omp for
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j)
            for (int k = 0; k < 4; ++k)
                w[j][k] = sin(x[i] * (j + k));
        for (int j = 0; j < m; ++j)
            e += w[j][0] * w[m - 1 - j][3] * w[j][1];
    }
    free(w);
}
return e;""",
    ),
    "levels_of_a_grid": (
        "double f(int n, double a, const double *x, double *y)",
        """Level levels[3];
double e = 0.0;
for (int l = 0; l < 3; ++l) {
    levels[l].n = n >> l;
    levels[l].u = malloc(levels[l].n * sizeof(double));
    levels[l].h = a * (l + 1);
}
for (int i = 0; i < n; ++i)
    levels[0].u[i] = x[i] * y[i];
for (int l = 1; l < 3; ++l)
    restricted(&levels[l - 1], &levels[l]);
for (int l = 0; l < 3; ++l) {
    const Level *at = &levels[l];
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < at->n; ++i)
        e += at->h * at->u[i] * at->u[at->n - 1 - i];
}
for (int l = 0; l < 3; ++l)
    free(levels[l].u);
return e;""",
    ),
}
