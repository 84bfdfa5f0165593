"""Functions as older C programs are written, in the form of `functions.py`: variables in front,
memory that they get later, macros of their own, loops that other functions' regions share out."""

from __future__ import annotations

from typing import Final

OLDER_HELPERS: Final = """
typedef double real_type;
typedef struct { real_type re, im; int at; } Pair;
static void older_step(int n, real_type *x, real_type a)
{
    real_type *old, *slope;
    int i, cells;
    cells = n + 1;
    old = (real_type *)malloc(n * sizeof(real_type));
    slope = calloc(n + 2, sizeof(*slope));
    for (i = 0; i < n; i++)
        old[i] = x[i];
#pragma omp parallel for
    for (i = 1; i < n - 1; i++)
        slope[i] += 0.5 * (old[i + 1] - old[i - 1]);
#pragma omp parallel for
    for (i = 1; i < n - 1; i++)
        x[i] = old[i] + a * slope[i] * old[i] + 0.01 * (cells - n);
    free(old);
    free(slope);
}
static void orphan_fill(int n, const real_type *x, real_type *y, real_type *own)
{
    real_type row[3];
    int i, j;
#pragma omp for
    for (i = 1; i < n - 1; i++) {
        for (j = 0; j < 3; j++)
            row[j] = x[i - 1 + j] * x[i];
        y[i] = row[0] - 2.0 * row[1] + row[2];
    }
    own[0] = 0.5;
    own[1] = own[0] * 2.0;
}
static void orphan_norm(int n, const real_type *y, real_type *norm)
{
    int i;
    real_type part = 0.0;
#pragma omp single
    *norm = 0.0;
#pragma omp for nowait
    for (i = 0; i < n; i++)
        part += y[i] * y[i];
#pragma omp critical
    *norm += part;
#pragma omp barrier
#pragma omp single
    *norm = sqrt(*norm + 1.0);
}
"""

OLDER: Final[dict[str, tuple[str, str]]] = {
    "late_heap": (
        "double f(int n, double *x)",
        """double *w = NULL, *v, s;
int i, half;
half = n / 2;
w = (double *)malloc(sizeof(double) * half);
s = 0.0;
v = malloc(n * sizeof *v);
#pragma omp parallel for
for (i = 0; i < half; i++)
    w[i] = x[i] * x[n - 1 - i];
#pragma omp parallel for
for (i = 0; i < n; i++)
    v[i] = sin(x[i]) * w[i / 2];
#pragma omp parallel for reduction(+ : s)
for (i = 0; i < n; i++)
    s += v[i] * w[i % half];
free(w);
free(v);
return s;""",
    ),
    "heap_in_loops": (
        "double f(int n, int steps, double a, double *x)",
        """double s = 0.0;
int t;
for (t = 0; t < steps; t++) {
    older_step(n, x, a);
    if (t == 1)
        older_step(n - 3, x + 1, 2.0 * a);
    s += x[t] * x[t + 1];
}
return s;""",
    ),
    "records": (
        "double f(int n, double *x, double *y)",
        """Pair z = {1.0, 0.0, 0}, *all;
int i;
all = malloc(n * sizeof(Pair));
for (i = 0; i < n; i++) {
    Pair w = z;
    z.re = w.re * 0.3 * x[i] - w.im * y[i];
    z.im = w.re * 0.2 * y[i] + w.im * x[i];
    z.at = i;
    all[i] = z;
}
double s = 0.0;
#pragma omp parallel for reduction(+ : s)
for (i = 0; i < n; i++) {
    Pair p = all[i];
    s += p.re * p.re + 0.5 * p.im * (1 + p.at % 2);
}
free(all);
return s;""",
    ),
    "lines_between": (
        "void f(int n, double *x, double *y)",
        """int i;
#ifdef _OPENMP
#pragma omp parallel for
#else
x[0] = 0.0;
#endif
for (i = 0; i < n; i++)
    y[i] = x[i] * y[i];
#if 1
#pragma omp parallel
{
#endif
#pragma omp for
#ifndef _OPENMP
    x[1] = 0.0;
#endif
    for (i = 0; i < n; i++)
        x[i] = y[i] * cos(x[i]);
}""",
    ),
    "largest": (
        "double f(int n, double *x, double *y)",
        """double most = 0.0, own, least = 1.0;
int i, where = 0, own_where;
#pragma omp parallel private(i, own, own_where)
{
    own = 0.0;
    own_where = 0;
#pragma omp for
    for (i = 0; i < n; i++) {
        y[i] = y[i] * x[i] + 0.1 * i;
        if (own < fabs(y[i])) {
            own = fabs(y[i]);
            own_where = i;
        }
    }
#pragma omp critical
    {
        if (most < own) {
            most = own;
            where = own_where;
        }
        least = fmin(least, -own);
    }
}
return most * x[where] + least;""",
    ),
    "first_arrays": (
        "double f(int n, double a, double *x)",
        """const double w[3] = {0.25, 0.5, 0.25};
double v[2][2] = {{1.0, 2.0}, {3.0, 4.0}}, s = 0.0;
v[1][0] = a;
#pragma omp parallel firstprivate(w, v) reduction(+ : s)
{
#pragma omp for
    for (int i = 1; i < n - 1; i++)
        s += w[0] * x[i - 1] * v[i % 2][0] + w[1] * x[i] * x[i] + w[2] * v[1][i % 2] * x[i + 1];
}
#pragma omp parallel for firstprivate(v)
for (int i = 0; i < n; i++) {
    v[0][1] = x[i] * v[1][0];
    x[i] = v[0][1] * v[0][0] + v[1][1];
}
return s + v[0][1];""",
    ),
    "orphans": (
        "double f(int n, double *x, double *y)",
        """double norm = 0.0;
#pragma omp parallel
{
    double mine[2];
    orphan_fill(n, x, y, mine);
#pragma omp for
    for (int i = 0; i < n; i++)
        x[i] = y[i] * x[i];
    orphan_norm(n, y, &norm);
}
orphan_fill(n, y, x, y);
return norm;""",
    ),
    "macros": (
        "double f(int n, double *x)",
        """#define WIDTH 0.25 /* of the bump */
#define WEIGHT(z) ((z) * WIDTH)
double s = 0.0;
#pragma omp parallel for reduction(+ : s)
for (int i = 0; i < n; i++)
    s += WEIGHT(x[i]) * bump(x[i], WIDTH);
#undef WEIGHT
#undef WIDTH
return s;""",
    ),
    "by_macros": (
        "double f(int m, double (*a)[m], double *x)",
        """#define EACH(i, n) for (int i = 0; i < (n); ++i)
#define ADD(to, what) to += (what)
#define HELD(t, what) double t = what
double s = 0.0;
#pragma omp parallel for collapse(2) reduction(+ : s)
EACH(i, m) EACH(j, m) {
    HELD(t, a[i][j] * x[i]);
    EACH(k, 2) ADD(t, SQUARE(t) * k);
    ADD(s, t);
    a[i][j] = t * x[i + j];
}
return s;""",
    ),
    "planes": (
        "double f(int n, int steps, double *x)",
        """struct { int size; double rate, *now[2], *old; } g = {n, 0.3, {0, 0}, 0};
double s = 0.0;
int cur = 0;
for (int k = 0; k < 2; ++k) {
    g.now[k] = malloc(n * sizeof(double));
}
g.old = (double *)malloc(g.size * sizeof(double));
for (int i = 0; i < n; i++) {
    g.now[0][i] = x[i];
    g.now[1][i] = 0.0;
    g.old[i] = SQUARE(x[i]);
}
for (int t = 0; t < steps; ++t, cur ^= 1) {
    const double *from = g.now[cur];
    double *to = g.now[1 - cur];
#pragma omp parallel for
    for (int i = 1; i < g.size - 1; i++)
        to[i] = from[i - 1] * g.rate + from[i] * from[i + 1] + g.old[i];
}
for (int i = 0; i < n; i++)
    s += g.now[cur][i] * g.old[i];
for (int k = 0; k < 2; ++k)
    free(g.now[k]);
free(g.old);
return s;""",
    ),
    "exchanged": (
        "double f(int n, int steps, double *x)",
        """#define WRAP(i) (((i) + n) % n)
#define OF(p, i) p[(i) * 1]
double *now = malloc(n * sizeof(double)), *then = malloc(n * sizeof *then), *swap, s = 0.0;
int i, t;
if (!now || !then)
    exit(1);
memcpy(now, x, n * sizeof(double));
for (t = 0; t < steps; t++) {
#pragma omp parallel for
    for (i = 0; i < n; i++)
        OF(then, i) = 0.5 * OF(now, WRAP(i - 1)) + 0.3 * OF(now, WRAP(i + 1)) * OF(now, i);
    swap = now;
    now = then;
    then = swap;
}
#pragma omp parallel for reduction(+ : s)
for (i = 0; i < n; i++)
    s += OF(now, i) * OF(x, WRAP(i + 2)) + SQUARE(OF(then, WRAP(i)));
free(now);
free(then);
return s;""",
    ),
    "early": (
        "double f(int n, int steps, double *x)",
        """double *a, *b, *swap, s = 0.0;
int i, t;
a = malloc(n * sizeof *a);
if (a == NULL)
    return -1.0;
if (x[0] > 2.0) {
    free(a);
    return x[0] * x[0];
}
b = malloc(n * sizeof(double));
if (b == NULL) {
    free(a);
    return -1.0;
}
for (i = 0; i < n; i++)
    a[i] = x[i] * x[i];
for (t = 0; t < steps; t++) {
    for (i = 0; i < n; i++)
        b[i] = a[(i + 1) % n] * x[i];
    swap = a, a = b, b = swap;
    if (t > 0 && a[3] > b[2]) {
        s = a[0] * b[1];
        free(a);
        free(b);
        return s;
    }
}
for (i = 0; i < n; i++)
    s += a[i] * b[(i + 2) % n];
free(b);
free(a);
return s;""",
    ),
}
