"""Functions in C that random ones, made smaller, have led to, in the form of `functions.py`."""

from __future__ import annotations

from typing import Final

FOUND: Final[dict[str, tuple[str, str]]] = {
    "elements_that_are_not_there": (
        "double f(int n, double a, const double *x, double *y)",
        """for (int i = 0; i < n; ++i) {
    const int far = i % 3 ? i : 1 << 28;
    y[i] *= far < n ? y[far] : 2.0;
    if (far < n && y[far] > 0.4)
        y[i] *= a;
    y[i] *= far >= n || x[i] * y[far] > 0.0 ? a + 1.0 : 1.5;
}
return y[3];""",
    ),
    "counters_of_enumerations": (
        "void f(int n, const double *x, double *y)",
        """typedef enum { FIRST, SECOND, THIRD, ALL } Which;
#pragma omp parallel for
for (int i = 0; i < n; ++i)
    for (Which k = FIRST; k < ALL; k++)
        y[i] *= x[(i * ALL + k) % n];""",
    ),
    "halves_of_halves": (
        "double f(int n, double a, const double *x, double *y)",
        """double s[36];
for (int i = 0; i < n; ++i)
    s[i] = a * x[i] * y[i];
for (int half = n / 2; half > 0; half /= 2)
#pragma omp parallel for
    for (int i = 0; i < half; ++i)
        s[i] += 0.5 * s[i + half] * s[i];
return s[0];""",
    ),
    "results_of_one_declaration": (
        "void f(int n, const double *x, double *y)",
        """for (int i = 0; i < n; ++i) {
    double whole, rest = modf(3.3 * x[i], &whole), both = rest * y[i];
    y[i] = both * (whole + rest);
}""",
    ),
    "rows_without_others": (
        "void f(int n, double (*restrict a)[M], double *y)",
        """for (int k = 0; k < n / M; ++k)
    a[k][0] *= a[k][1] * y[k];""",
    ),
    "wide_counters_of_narrow_numbers": (
        "double f(int n, double a, const double *x, double *y)",
        """unsigned none = n - n, some = n / 4;
double s = a;
for (long long i = none; i-- > 0;)
    s += x[i] * s;
for (long long i = some; i-- > 0;)
    s += x[i] * s * y[i];
return s;""",
    ),
    "members_by_their_names": (
        "double f(int n, double a, const double *x, double *y)",
        """typedef struct { double u, v; int k; double w[2]; } Cell;
typedef struct { int n; double *p; } Row;
Row row = {.p = y, .n = n};
double e = 0.0;
for (int i = 0; i < row.n; ++i) {
    const Cell c = {.u = x[i], .v = a * y[i], .k = i, .w = {x[n - 1 - i], a}};
    Cell d = {.v = c.u * c.v, .k = 1};
    d.u += c.w[0] * c.w[1] * d.v;
    row.p[i] = d.u + d.w[0] + c.k * c.u;
    e += ((Cell){.v = d.u * d.u, .u = 2.0}).v;
}
return e;""",
    ),
    "rows_of_one_piece": (
        "double f(int n, double a, const double *x, double *y)",
        """const int m = n / 6;
double **u = malloc(6 * sizeof(double *)), **v = malloc(6 * sizeof *v), **w;
double *data = calloc((size_t)6 * m, sizeof *data);
u[0] = malloc(6 * m * sizeof(double));
for (int i = 1; i < 6; ++i)
    u[i] = u[i - 1] + m;
for (int i = 0; i < 6; i++) {
    v[i] = &data[i * (size_t)m];
}
w = v;
#pragma omp parallel for
for (int i = 0; i < 6; ++i)
    for (int j = 0; j < m; ++j)
        u[i][j] = a * x[i * m + j] + sin(x[i * m + j] * y[i]);
#pragma omp parallel for
for (int i = 1; i < 5; ++i) {
    double *own = w[i];
    const double *above = u[i - 1];
    for (int j = 0; j < m; ++j)
        own[j] = u[i][j] * above[j] + u[i + 1][m - 1 - j];
}
double e = 0.0;
for (int i = 0; i < 6; ++i)
    for (int j = 0; j < m; ++j)
        e += v[i][j] * w[5 - i][j] + u[i][j];
free(u[0]);
free(u);
free(w[0]);
free(v);
return e;""",
    ),
    "ranges_without_elements": (
        "double f(int n, double a, const double *x, double *y)",
        """const int first = n + 100000, last = n - 3, top = n + 99999, low = n / 2;
for (int t = 0; t < 2; ++t) {
#pragma omp parallel for
    for (int i = first; i < last; ++i)
        for (int j = top; j < low; ++j)
            y[i] *= y[i] * sin(x[j]);
    y[t] *= a * x[t] * y[t];
}
return y[1];""",
    ),
    "elements_that_decay": (
        "double f(int n, const double *x, double *y)",
        """for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
        y[(j + 3) % n] += 0.3 * x[n - 1 - (6 * i + j)] - 0.4 * y[(j + 3) % n];
return y[5];""",
    ),
    "iterations_that_go_on": (
        "double f(int n, double a, const double *x, double *y)",
        """double s = 0.0;
#pragma omp parallel for
for (int i = 0; i < n; ++i) {
    if (x[i] > 0.3137)
        continue;
    y[i] = sin(a * y[i]);
#pragma omp atomic
    s += 0.1 * x[i] * y[i];
}
return s * y[2];""",
    ),
    "address_of_an_element": (
        "double f(int n, double a, double *x)",
        """double w[M][M];
for (int i = 0; i < n; ++i)
    w[i / M][i % M] = 0.5;
#pragma omp parallel for schedule(static, 3)
for (size_t i = 2; i < (size_t)(n - 2); i += 1) {
    double *g = &w[i / M][i % M];
    *g = x[i];
    x[i] = 0.5 * x[i] + *g * *g;
    w[i / M][i % M] = 0.5;
}
return a * w[4][1] * x[3] * x[20];""",
    ),
    "seeds_that_nobody_takes": (
        "double f(int n, double a, const int *k, double *y)",
        """double s = 0.2;
#pragma omp parallel for
for (size_t i = 0; i < (size_t)n; i += 1) {
    double *g = &y[k[i]];
    *g = *g;
    *g = 1.1;
}
#pragma omp parallel for reduction(+ : s)
for (int i = 0; i < n; ++i) {
}
return y[3] * s * a;""",
    ),
    "exchanged_with_an_array": (
        "double f(int n, int steps, double *x)",
        """double w[N] = {0};
double *now = w, *then = x;
for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        then[i] = 0.5 * now[i] + 0.3 * now[i + 1] * then[i] + 0.1 * i;
    double *held = now;
    now = then;
    then = held;
}
return x[2] * w[3];""",
    ),
    "copied_rows": (
        "double f(int n, const double *x, double (*y)[M])",
        """double w[M][M];
memcpy(w, y, sizeof(w));
memcpy(y, x, n * sizeof(double));
memset(w + 1, 0, M * sizeof(double));
double s = 0.0;
for (int i = 0; i < n; ++i)
    s += w[i / M][i % M] * y[i / M][i % M];
return s;""",
    ),
    "zeros_in_a_branch": (
        "double f(int n, int steps, const double *x)",
        """double s = 0.0;
if (steps > 2) {
    double *w = calloc(n, sizeof *w);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        w[i / 2] += 0.03 * x[i];
    }
    for (int i = 0; i < n; i++)
        s += w[i] * w[i];
    free(w);
}
return s;""",
    ),
    "loops_in_shared_loops": (
        "double f(int n, const double *x, double *y)",
        """#pragma omp parallel for schedule(static, 2) num_threads(2)
for (int i = 0; i < n / 6; ++i) {
#pragma omp parallel for schedule(dynamic) num_threads(3)
    for (int j = 0; j < 6; ++j)
        y[6 * i + j] *= x[6 * i + j] * x[j];
}
return y[7] * y[8];""",
    ),
    "stencil": (
        "double f(int n, int steps, double a, double *x, double *y)",
        """const int m = n / 6;
double *now = x, *then = y, s = 0.0;
for (int t = 0; t < steps; ++t) {
#pragma omp parallel for schedule(dynamic) num_threads(3) if(n > 4)
    for (int i = 1; i < m - 1; ++i)
        for (int j = 1; j <= 4; ++j) {
            int c = i * m + j;
            then[c] = now[c] + a * (now[c - m] + now[c + m] + now[c - 1] - 3.0 * now[c]);
        }
    double *held = now;
    now = then;
    then = held;
}
#pragma omp parallel for collapse(2) reduction(+ : s)
for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 6; ++j)
        s += x[6 * i + j] * x[6 * i + j] * y[6 * i + j + 6];
return s;""",
    ),
    "flat_stencil": (
        "double f(int n, double a, const double *x, double *y)",
        """double w[n], s = 0.0;
#pragma omp parallel for schedule(guided)
for (int i = 1; i < 5; ++i)
    for (int j = 1; j < 5; ++j)
        y[6 * i + j] = a * x[6 * i + j - 1] + x[6 * i + j + 6] - 0.5 * x[6 * i + j];
#pragma omp parallel for schedule(guided)
for (int i = 2; i < n - 2; ++i) {
    double left = x[i - 2] + x[i - 1];
    w[i] = a * left * 2.0 - x[i + 2];
}
for (int i = 2; i < n - 2; ++i)
    s += w[i] * w[i] * y[i];
return s;""",
    ),
    "elements_in_a_row_that_are_read_again": (
        "double f(int n, double a, const double *x, double *y)",
        """#pragma omp parallel for
for (int i = 0; i < 6; ++i)
    for (int j = 1; j < 6; ++j) {
        y[6 * i + j] = a * y[6 * i + j - 1] + x[6 * i + j - 1] - x[(6 * i + j + 5) % n];
    }
return y[3] * y[10] + y[29] * y[35];""",
    ),
    "all_pairs": (
        "double f(int n, double a, const double *x, double *y)",
        """double s = 0.0;
#pragma omp parallel for schedule(dynamic, 2) num_threads(2) reduction(+ : s)
for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < n; ++j) {
        double d = x[j] - a * x[i];
        sum += d / (1.0 + d * d) * x[j];
    }
    y[i] = sum * y[i];
    s += y[i] * x[i];
}
#pragma omp parallel for
for (int i = 3; i < n; ++i)
    for (int j = 3; j < i; ++j)
        y[i] += 0.1 * x[j - 1] * x[i] * x[j - 3];
return s * y[4] * y[12];""",
    ),
}
