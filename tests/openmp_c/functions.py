"""Functions in C whose derivatives are looked at: parameters and body by name.

`n` is N, `steps` 3, `k` holds the numbers below N in another order; arrays have N doubles, matrices
M rows and columns of N = M * M.
"""

from __future__ import annotations

from typing import Final

HELPERS: Final = """
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define N 36
#define M 6
#define SQUARE(z) ((z) * (z))
static double bump(double z, double width)
{
    if (z > 2.0)
        return 0.0;
    double s = z / width;
    return exp(-s * s);
}
static void smooth(int n, double a, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        y[i] = x[i] + a * (x[i - 1] - 2.0 * x[i] + x[i + 1]);
}
typedef struct {
    int n;
    const double *from;
    double *to;
    double factor;
} View;
static void scale(const View *v)
{
#pragma omp parallel for
    for (int i = 0; i < v->n; ++i)
        v->to[i] = v->factor * v->from[i] * v->to[i];
}
static double **rows(int n, int m)
{
    double **made;
    made = (double **)malloc(n * sizeof *made);
    if (!made)
        exit(1);
    for (int i = 0; i < n; ++i)
        made[i] = calloc(m, sizeof **made);
    return made;
}
static double *squares(int n, const double *x)
{
    double *made = malloc(n * sizeof(double));
    for (int i = 0; i < n; ++i)
        made[i] = x[i] * x[i];
    return made;
}
static double dot(int n, const double *x, const double *y)
{
    double s = 0.0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += x[i] * y[i];
    return s;
}
"""

FUNCTIONS: Final = {
    "serial": (
        "double f(int n, double a, const double *x)",
        """double s = 0.0;
for (int i = 0; i < n; ++i)
    s += sin(a * x[i]);
return s * a;""",
    ),
    "sum": (
        "double f(int n, const double *x)",
        """double s = 0.0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic)
for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
return sqrt(1.0 + s);""",
    ),
    "no_result": (
        "void f(int n, double a, const double *x, double *y)",
        """#pragma omp parallel for
for (int i = 1; i < n - 1; ++i)
    y[i] = a * x[i - 1] * x[i + 1] + y[i];""",
    ),
    "two_loops": (
        "double f(int n, double a, const double *x, double *y)",
        """double e = 0.0;
#pragma omp parallel for schedule(static, 2)
for (int i = 0; i < n; i++)
    y[i] = exp(a * x[i]);
#pragma omp parallel for reduction(+ : e)
for (int i = 1; i < n; i++)
    e += y[i] * y[i - 1];
return e;""",
    ),
    "time_loop": (
        "double f(int n, int steps, double a, double *x, double *v)",
        """double e = 0.0;
for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        v[i] += a * (x[i - 1] - 2.0 * x[i] + x[i + 1]);
#pragma omp parallel for reduction(+ : e) schedule(guided)
    for (int i = 1; i < n - 1; ++i) {
        x[i] = sin(x[i]) + v[i] * x[i];
        e += x[i] * v[i];
    }
}
return e;""",
    ),
    "early": (
        "double f(int n, double a, const double *x)",
        """if (n < 3)
    return a;
double s = 0.0;
#pragma omp parallel for reduction(+ : s)
for (int i = 0; i < n; ++i)
    s += x[i] * a;
if (s > 0.0)
    return s * s;
return exp(s);""",
    ),
    "switch": (
        "double f(int n, const double *x, double *y)",
        """double s = 0.0;
#pragma omp parallel for reduction(+ : s)
for (int i = 0; i < n; ++i) {
    switch (i % 3) {
    case 0:
        y[i] = x[i] * x[i];
        break;
    case 1:
        y[i] = sin(x[i]);
        break;
    default:
        y[i] = x[i];
    }
    s += y[i] * x[i];
}
return s;""",
    ),
    "calls": (
        "double f(int n, double a, double *x, double *y)",
        """smooth(n, a, x, y);
smooth(n, 0.5 * a, y, x);
return dot(n, x, y) + bump(a, 2.0);""",
    ),
    "old_style": (
        "double f(int n, double a, const double *x, double *y)",
        """int i, j;
double t, s = 0.0;
#pragma omp parallel for private(j, t) reduction(+ : s)
for (i = 0; i < n / 4; i++) {
    t = 0.0;
    for (j = 0; j < 4; j++)
        t += x[4 * i + j] * a;
    y[i] = t * t;
    s += y[i];
}
return s;""",
    ),
    "region": (
        "double f(int n, double a, const double *x, double *y)",
        """double s = 0.0;
#pragma omp parallel num_threads(3)
{
    double scale = 2.0 * a;
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
        y[i] = scale * sin(x[i]);
#pragma omp barrier
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n - 1; ++i)
        s += y[i] * y[i + 1];
}
return s;""",
    ),
    "partial_sums": (
        "double f(int n, const double *x)",
        """double s = 0.0;
#pragma omp parallel
{
    double own = 0.0;
#pragma omp for
    for (int i = 0; i < n; ++i)
        own += x[i] * x[i] * x[i];
#pragma omp critical
    s += own;
}
return s;""",
    ),
    "partial_atomic": (
        "double f(int n, const double *x, const double *y)",
        """double s = 0.0;
#pragma omp parallel default(none) shared(n, x, y, s)
{
    double own = 0.0;
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < n; ++i)
        own += x[i] / (2.0 + y[i]);
#pragma omp atomic
    s += own;
}
return s * s;""",
    ),
    "single": (
        "double f(int n, const double *x, double *y)",
        """double m = 0.0;
#pragma omp parallel
{
#pragma omp single
    {
        m = x[0] * x[1];
        y[0] = m;
    }
#pragma omp for
    for (int i = 1; i < n; ++i)
        y[i] = m * x[i];
#pragma omp master
    y[2] = y[2] * y[1];
}
return m;""",
    ),
    "sections": (
        "double f(int n, const double *x, double *y)",
        """double p = 0.0, q = 1.0;
#pragma omp parallel sections
{
#pragma omp section
    for (int i = 0; i < n; ++i)
        p += x[i];
#pragma omp section
    {
        for (int i = 0; i < 4; ++i)
            q *= 1.0 + 0.1 * y[i];
    }
}
y[0] = p * q;
return p + q;""",
    ),
    "histogram": (
        "void f(int n, const int *k, const double *x, double *y)",
        """#pragma omp parallel for
for (int i = 0; i < n; ++i) {
#pragma omp atomic
    y[k[i] / 3] += x[i] * x[i];
}""",
    ),
    "critical": (
        "double f(int n, const double *x, double *y)",
        """double s = 1.0;
#pragma omp parallel for
for (int i = 0; i < n; ++i) {
    double t = x[i] * x[i];
#pragma omp critical(one)
    {
        s *= 1.0 + 0.01 * t;
        y[0] += t;
    }
}
return s;""",
    ),
    "product": (
        "double f(int n, const double *x)",
        """double p = 1.0;
#pragma omp parallel for reduction(* : p)
for (int i = 0; i < n; ++i)
    p *= 1.0 + 0.1 * x[i];
return p;""",
    ),
    "maximum": (
        "double f(int n, const double *x, double *y)",
        """double m = x[0];
#pragma omp parallel for reduction(max : m)
for (int i = 0; i < n; ++i)
    m = fmax(m, x[i]);
#pragma omp parallel for
for (int i = 0; i < n; ++i)
    y[i] = exp(x[i] - m);
return m;""",
    ),
    "minimum": (
        "double f(int n, const double *x)",
        """double m = 100.0;
#pragma omp parallel for reduction(min : m)
for (int i = 0; i < n; ++i)
    if (x[i] < m)
        m = x[i];
return m * m;""",
    ),
    "last": (
        "double f(int n, double a, const double *x, double *y)",
        """double t = 0.0;
#pragma omp parallel for lastprivate(t)
for (int i = 0; i < n; ++i) {
    t = a * x[i];
    y[i] = t * t;
}
return t;""",
    ),
    "array_sum": (
        "double f(int n, const double *x, double *y)",
        """#pragma omp parallel for reduction(+ : y[0 : 3])
for (int i = 0; i < n; ++i)
    y[i % 3] += x[i] * x[i];
return y[0] * y[1] * y[2];""",
    ),
    "array_product": (
        "double f(int n, const double *x, double *y)",
        """#pragma omp parallel for reduction(* : y[0 : 2])
for (int i = 0; i < n; ++i)
    y[i % 2] *= 1.0 + 0.1 * x[i];
return y[0] * y[1];""",
    ),
    "simd": (
        "double f(int n, const double *x, double *y)",
        """double s = 0.0;
#pragma omp simd reduction(+ : s)
for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
#pragma omp parallel for simd simdlen(4)
for (int i = 0; i < n; ++i)
    y[i] = s * x[i];
return s;""",
    ),
    "collapsed": (
        "double f(int n, double a, const double *x, double *y)",
        """double s = 0.0;
const int m = n / 6;
#pragma omp parallel for collapse(2) reduction(+ : s)
for (int i = 1; i < 5; ++i)
    for (int j = 1; j < m - 1; ++j) {
        y[m * i + j] = a * x[m * i + j - 1] * x[m * (i + 1) + j];
        s += y[m * i + j] * x[m * i + j];
    }
return s;""",
    ),
    "collapsed_in_place": (
        "double f(int n, int steps, double *x)",
        """double s = 0.0;
for (int t = 0; t < steps; ++t)
#pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < n / 6; ++i)
        for (int j = 0; j < 6; ++j) {
            x[6 * i + j] = sin(x[6 * i + j]) + 1.0 / (2.0 + x[6 * i + j]);
            s += x[6 * i + j];
        }
return s;""",
    ),
    "inner_loop": (
        "double f(int n, int steps, double *x, const double *y)",
        """double s = 0.0;
for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        double z = x[i];
        for (int j = 0; j < i % 5; ++j)
            z = sin(z + y[j]);
        x[i] = z;
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += x[i] * x[i];
}
return s;""",
    ),
    "while": (
        "double f(int n, double a, double *x)",
        """int rounds = 0;
double change = 1.0;
while (change > 0.4 && rounds < 6) {
    change = 0.0;
#pragma omp parallel for reduction(+ : change)
    for (int i = 0; i < n; ++i) {
        double old = x[i];
        x[i] = 0.5 * (old + a);
        change += (x[i] - old) * (x[i] - old) / n;
    }
    ++rounds;
}
return x[3] * x[4];""",
    ),
    "conditional": (
        "double f(int n, double a, const double *x, double *y)",
        """if (a > 0.0) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        y[i] = y[i] * y[i] * x[i];
} else {
#pragma omp parallel for if(n > 4)
    for (int i = 0; i < n; ++i)
        y[i] = y[i] * a;
}
return y[5];""",
    ),
    "local_array": (
        "double f(int n, const double *x)",
        """double s = 0.0;
double w[N];
#pragma omp parallel for
for (int i = 0; i < n; ++i)
    w[i] = x[i] * x[i];
#pragma omp parallel for reduction(+ : s)
for (int i = 1; i < n; ++i)
    s += w[i] * w[i - 1];
return s;""",
    ),
    "vla": (
        "double f(int n, int steps, double *x)",
        """double w[n];
for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        w[i] = x[i] * x[(i + 1) % n];
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        x[i] = sin(w[i]);
}
return x[1] * w[2];""",
    ),
    "heap": (
        "double f(int n, int steps, double *x)",
        """double *w = malloc(n * sizeof *w);
double *z = (double *)calloc(n, sizeof(double));
double s = 0.0;
for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        w[i] = x[i] * x[(i + 1) % n];
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i) {
        z[i] += w[i];
        x[i] = sin(w[i]);
        s += z[i] * z[i];
    }
}
free(w);
free(z);
return s;""",
    ),
    "matrix": (
        "double f(int n, double (*x)[M], double y[M][M])",
        """double s = 0.0;
#pragma omp parallel for reduction(+ : s)
for (int i = 1; i < n / M - 1; ++i)
    for (int j = 1; j < M - 1; ++j) {
        y[i][j] = x[i][j - 1] * x[i][j + 1] + x[i - 1][j] - x[i + 1][j];
        s += y[i][j] * x[i][j];
    }
return s;""",
    ),
    "vla_parameter": (
        "double f(int m, double x[m][m], double (*y)[m])",
        """double s = 0.0;
#pragma omp parallel for collapse(2) reduction(+ : s)
for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
        y[i][j] += x[j][i] * x[i][j];
        s += y[i][j];
    }
return s;""",
    ),
    "size_t": (
        "double f(size_t n, const double *x, double *y)",
        """double s = 0.0;
#pragma omp parallel for reduction(+ : s)
for (size_t i = 0; i < n; ++i) {
    y[i] = y[i] * y[i] + x[i];
    s += y[i];
}
return s;""",
    ),
    "down": (
        "double f(int n, const double *x, double *y)",
        """#pragma omp parallel for
for (int i = n - 1; i >= 0; --i)
    y[i] = y[i] * x[i];
#pragma omp parallel for
for (int i = 0; i < n; i += 2)
    y[i] = y[i] * x[i + 1];
return y[0];""",
    ),
    "firstprivate": (
        "double f(int n, double a, const double *x, double *y)",
        """#pragma omp parallel for firstprivate(a)
for (int i = 0; i < n; ++i) {
    a = 0.5 * x[i];
    y[i] = a * a;
}
return a * y[0];""",
    ),
    "scratch": (
        "double f(int n, const double *x, double *y)",
        """#pragma omp parallel
{
    double p[3], q;
#pragma omp for
    for (int i = 0; i < n; ++i) {
        p[0] = x[i];
        p[1] = p[0] * x[(i + 1) % n];
        q = p[0] + p[1];
        p[2] = q * q;
        y[i] = p[2] * p[1];
    }
}
return y[1];""",
    ),
    "copied": (
        "double f(int n, const double *x, double *y)",
        """memcpy(y, x, n * sizeof(double));
y[0] *= x[1];
double w[N];
memset(w, 0, n * sizeof(double));
w[1] += y[2] * x[3];
return w[1] * y[0];""",
    ),
    "nested_array": (
        "double f(int n, int steps, double *x)",
        """double s = 0.0;
for (int t = 0; t < steps; ++t) {
    double w[n];
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        w[i] = x[i] * x[(i + t) % n];
#pragma omp parallel for reduction(+ : s)
    for (int i = 1; i < n; ++i) {
        x[i] = sin(w[i - 1]);
        s += x[i];
    }
}
return s;""",
    ),
    "comma": (
        "double f(int n, const double *x)",
        """double s = 0.0, t;
int i;
for (i = 0, t = 2.0; i < n; i++, t *= 0.9)
    s += x[i] * t * t;
return s;""",
    ),
    "do_while": (
        "double f(int n, double *x)",
        """int i = 0;
do {
    x[i] *= x[i + 1];
    i++;
    if (x[i] > 0.7)
        continue;
    if (i > n - 4)
        break;
} while (i < n - 1);
return x[0] * x[1];""",
    ),
    "structure": (
        "double f(int n, double a, const double *x, double *y)",
        """View view = {n, x, y, a};
scale(&view);
view.factor = 2.0 * a;
scale(&view);
return view.to[3];""",
    ),
    "gather": (
        "double f(int n, const int *k, double *x, double *y)",
        """double s = 0.0;
#pragma omp parallel for
for (int i = 0; i < n; ++i)
    y[k[i]] = x[i] * y[k[i]];
#pragma omp parallel for reduction(+ : s)
for (int i = 0; i < n; ++i)
    s += y[k[i]] * x[k[i]];
return s;""",
    ),
    "pointers": (
        "double f(int n, double *x)",
        """double s = 0.0;
double *low = x, *high = x + n / 2;
#pragma omp parallel for reduction(+ : s)
for (int i = 0; i < n / 2; ++i) {
    low[i] = low[i] * high[i];
    s += low[i] * high[(i + 1) % (n / 2)];
}
return s;""",
    ),
    "swap": (
        "double f(int n, int steps, double *x, double *y)",
        """double *from = x, *to = y;
for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        to[i] = from[i - 1] * from[i + 1] + 0.5 * from[i];
    double *other = from;
    from = to;
    to = other;
}
return from[4];""",
    ),
    "walking": (
        "double f(int n, double *x, double *y)",
        """double s = 0.0;
const double *p = x;
double *q = y;
int left = n - 1;
while (left-- > 0) {
    if (*p > 1.0 && left > 0) {
        p++;
        left--;
    }
    *q++ = *p * *p;
    s += *p++ * q[-1];
}
return s;""",
    ),
    "named_whole": (
        "double f(int n, double *x, double *y)",
        """typedef enum { OFF, ON } boolean;
boolean up = ON;
double s = 0.0;
for (int i = 0; i < n; ++i) {
    double v = x[i];
    while (v > 0.5) {
        v *= 0.5 * v;
        up = up == ON ? OFF : ON;
        if (up)
            v *= 0.9;
    }
    s += v * v;
    y[i] = s;
}
return s;""",
    ),
    "aligned": (
        "double f(int n, double *x)",
        """double s = 0.0;
#pragma omp parallel for schedule(auto) reduction(+ : s)
for (int i = 0; i < n; ++i) {
    double t[4] __attribute__((aligned(64))) = {0.0};
    for (int j = 0; j < 4; ++j)
        t[j] += x[i] * j;
    for (int j = 0; j < 4; ++j)
        s += t[j] * t[3 - j] * x[i];
}
return s;""",
    ),
}

FUNCTIONS["rows_of_its_own"] = (
    "double f(int n, double a, double *x)",
    """double **u = rows(n, 6), **v = rows(n, 6), *flat = squares(n, x);
double s = 0.0;
for (int i = 0; i < n; ++i)
    for (int j = 0; j < 6; ++j)
        u[i][j] = x[(i + j) % n] * flat[i];
#pragma omp parallel for
for (int i = 1; i < n - 1; ++i) {
    const double *up = u[i - 1];
    for (int j = 1; j < 6; ++j)
        v[i][j] = a * u[i][j] * u[i + 1][j] + up[j - 1];
}
#pragma omp parallel for reduction(+ : s)
for (int i = 0; i < n; ++i)
    for (int j = 0; j < 6; ++j)
        s += v[i][j] * v[i][j] + flat[i];
for (int i = 0; i < n; ++i)
    free(u[i]);
for (int i = 0; i < n; ++i) {
    free(v[i]);
}
free(u);
free(v);
free(flat);
return s;""",
)

FUNCTIONS["window"] = (
    "void f(int n, double a, const double *x, double *y)",
    """int w = n / M;
#pragma omp parallel for collapse(2)
for (int row = 0; row < M; ++row)
    for (int column = 0; column < w; ++column) {
        double sum = a;
        for (int j = -1; j <= 1; ++j)
            for (int i = -2; i <= 2; ++i) {
                int r = row + j, c = column + i;
                if (r >= 0 && r < M && c >= 0 && c < w)
                    sum += x[r * w + c] * (1.0 + 0.1 * (j + i));
            }
        y[row * w + column] = tanh(a * sum);
    }""",
)

QUICK: Final = (
    "rows_of_its_own",
    "window",
    "calls",
    "partial_sums",
    "collapsed_in_place",
    "local_array",
    "walking",
)
"""Those that are looked at each time."""
