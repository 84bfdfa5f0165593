"""Functions in C whose clauses and inner pragmas matter, as those of `functions.py`."""

from __future__ import annotations

from typing import Final

CLAUSES: Final = {
    "simd_counter": (
        "double f(int n, const double *x, double *y)",
        """int i;
double s = 0.0;
#pragma omp simd reduction(+ : s)
for (i = 0; i < n - 5; ++i)
    s += x[i] * y[i];
return s * x[i];""",
    ),
    "parallel_simd_counter": (
        "double f(int n, const double *x, double *y)",
        """int i = 2;
#pragma omp parallel for simd // the counter is that of all
for (i = 0; i < n - 5; ++i)
    y[i] = y[i] * x[i];
return y[3] * x[i];""",
    ),
    "last_counter": (
        "double f(int n, double a, double *x, double *y)",
        """double t = 0.0;
int q = 0, i;
#pragma omp parallel for /* g2o(reverse) */ lastprivate(t, q, i)
for (i = 0; i < n - 6; ++i) {
    t = a * x[i];
    q = i;
    y[i] = t * t;
}
return t * x[q] * y[i];""",
    ),
    "private_array": (
        "double f(int n, double a, double *x, double *y)",
        """double t[3];
#pragma omp parallel for private(t)
for (int i = 0; i < n; ++i) {
    t[0] = x[i];
    t[1] = x[i] * y[i];
    t[2] = t[0] + t[1];
    y[i] = t[2] * t[1] * a;
}
return y[0];""",
    ),
    "private_sizes": (
        "double f(int n, double a, double *x, double *y)",
        """double t[n / 2 + 3], rows[n][2], first[n + 1];
for (int i = 0; i <= n; ++i)
    first[i] = a * x[i % n];
#pragma omp parallel for private(t, rows) firstprivate(first)
for (int i = 0; i < n; ++i) {
    t[0] = x[i];
    rows[n - 1][1] = t[0] * first[n];
    first[0] = t[0] * first[1];
    t[n / 2] = rows[n - 1][1] + first[0];
    y[i] = t[n / 2] * y[i];
}
return y[0] * y[1];""",
    ),
    "first_and_last": (
        "double f(int n, double a, double *x, double *y)",
        """#pragma omp parallel for firstprivate(a) lastprivate(a)
for (int i = 0; i < n; ++i) {
    a = 0.5 * x[i];
    y[i] = a * a;
}
return a * y[0];""",
    ),
    "inner_simd": (
        "double f(int n, double a, const double *x, double *y)",
        """double s = 0.0;
#pragma omp parallel for schedule(guided) reduction(+ : s)
for (int i = 0; i < n / 6; ++i) {
    double t = 0.0;
#pragma omp simd reduction(+ : t)
    for (int j = 0; j < 6; ++j)
        t += x[6 * i + j] * a;
    y[i] = t * t;
    s += y[i];
}
return s;""",
    ),
    "inner_atomic": (
        "double f(int n, const int *k, double *x, double *y)",
        """double s = 0.0;
#pragma omp parallel for schedule(guided, 2)
for (int i = 0; i < n; ++i) {
    double t = x[i] * x[i];
#pragma omp atomic update
    y[k[i] / 2] += t;
#pragma omp atomic
    s += t;
    x[i] = sin(t);
}
return s;""",
    ),
    "inner_critical": (
        "double f(int n, double *x, double *y)",
        """double m = -5.0;
#pragma omp parallel for
for (int i = 0; i < n; ++i) {
    double t = x[i] * y[i];
#pragma omp critical
    if (t > m)
        m = t;
    x[i] = t;
}
return m;""",
    ),
    "atomic_product": (
        "double f(int n, const double *x, double *y)",
        """double s = 1.0;
#pragma omp parallel for
for (int i = 0; i < n; ++i) {
#pragma omp atomic
    s *= 1.0 + 0.1 * x[i];
#pragma omp atomic
    y[i / 2] -= x[i];
}
return s;""",
    ),
    "atomic_capture": (
        "double f(int n, const double *x, double *y)",
        """int at = 0;
#pragma omp parallel for
for (int i = 0; i < n; ++i) {
    int q;
#pragma omp atomic capture
    q = at++;
    y[q] = x[q] * x[q];
}
return y[3];""",
    ),
    "region_sums": (
        "double f(int n, const double *x, const double *y)",
        """double s = 1.0, p = 2.0;
#pragma omp parallel reduction(+ : s)
{
#pragma omp for
    for (int i = 0; i < n; ++i)
        s += x[i] * y[i];
}
#pragma omp parallel reduction(* : p)
{
#pragma omp for
    for (int i = 0; i < n; ++i)
        p *= 1.0 + 0.1 * x[i];
}
return s * p;""",
    ),
    "extremes": (
        "double f(int n, const double *x, const double *y)",
        """double p = -2.0, q = 10.0;
#pragma omp parallel for reduction(max : p) reduction(min : q)
for (int i = 0; i < n; ++i) {
    p = p > x[i] ? p : x[i];
    q = y[i] * x[i] < q ? y[i] * x[i] : q;
}
return p * q;""",
    ),
    "nested": (
        "double f(int m, const double *x, const double *y)",
        """double s = 0.0;
#pragma omp parallel for
for (int i = 0; i < m; ++i) {
    double t = 0;
#pragma omp parallel for reduction(+ : t)
    for (int j = 0; j < m; ++j)
        t += x[m * i + j] * y[j];
#pragma omp atomic
    s += t * t;
}
return s;""",
    ),
    "loop_of_all_threads": (
        "double f(int n, int steps, double *x, double *y)",
        """double s = 0.0;
#pragma omp parallel
{
    for (int t = 0; t < steps; ++t) {
#pragma omp for
        for (int i = 1; i < n - 1; ++i)
            y[i] = x[i - 1] + x[i] * x[i + 1];
#pragma omp for
        for (int i = 1; i < n - 1; ++i)
            x[i] = sin(y[i]);
#pragma omp master
        s += x[t];
#pragma omp barrier
    }
}
return s;""",
    ),
    "own_sums": (
        "double f(int n, const double *x, double *y)",
        """#pragma omp parallel
{
    int i, j, d;
    double own[3];
    for (d = 0; d < 3; d++)
        own[d] = 0.0;
#pragma omp for
    for (i = 0; i < n / 6; i++)
        for (j = 0; j < 6; j++)
            for (d = 0; d < 3; d++)
                own[d] = own[d] + x[6 * i + j] * y[d + 3];
#pragma omp critical
    for (d = 0; d < 3; d++)
        y[d] += own[d];
#pragma omp barrier
#pragma omp single
    for (d = 0; d < 3; d++)
        y[d] = y[d] / (double)(d + n) * (float)(d + 1);
}
return y[0] * y[1] + y[2];""",
    ),
    "bounds_in_memory": (
        "double f(int n, const int *k, double *x, double *y)",
        """int i, j;
double s = n;
#pragma omp parallel for private(i)
for (j = 0; j < k[0]; j++)
    for (i = 0; i < k[2]; i++) {
        double *z = y + 6 * j;
        z[i % 6] = z[i % 6] * x[k[i]];
    }
for (j = 0; j < k[0]; j++)
    s += y[6 * j] * y[6 * j + 5];
return s;""",
    ),
    "constants_inside": (
        "double f(int n, double *x, double *y)",
        """#pragma omp parallel for
for (int i = 0; i < n; ++i) {
    static const double w[2] = {-0.5, 1.5};
    y[i] = w[i % 2] * x[i] * y[i];
}
return y[0];""",
    ),
}

_HEADS: Final = {
    "steps": "for (int i = 1; i <= n - 2; i += 3)",
    "down_to_1": "for (int i = n - 2; i >= 1; i -= 2)",
    "down": "for (long i = n - 2; i > 0; i = i - 3)",
    "unsigned": "for (unsigned i = (unsigned)n / 3; i < (unsigned)n - 1; i += 2)",
    "no_iteration": "for (unsigned i = 5u * (unsigned)n; i < (unsigned)n; i += 2)",
    "unequal": "for (int i = 1; i != n - 1; i++)",
    "unequal_down": "for (size_t i = n - 2; i != 0; --i)",
    "mirrored": "for (int i = 1; n - 2 >= i; i = 2 + i)",
    "step_of_variable": "for (int i = 1; i < n - 1; i += m)",
    "down_by_variable": "for (int i = n - 2; i > n / 5; i -= m)",
    "constants": "for (unsigned long long i = 30; i > 1; i -= 5)",
}
_OVER_A_HEAD: Final = """int m = n / 12;
double s = m;
#pragma omp parallel for reduction(+ : s)
{0} {{
    y[i] = sin(y[i]) * x[i + 1] + x[i - 1];
    if (x[i] > 0.1)
        y[i] *= y[i];
    s += y[i] * x[i];
}}
#pragma omp parallel for
{0}
    x[i] = x[i] * x[i];
return s * x[1];"""
HEADS: Final = {
    **{
        name: ("double f(int n, double *x, double *y)", _OVER_A_HEAD.format(head))
        for name, head in _HEADS.items()
    },
    "collapsed_heads": (
        "double f(int n, double *x, double *y)",
        """double s = 0.0;
#pragma omp parallel for reduction(+ : s) collapse(3)
for (int i = 4; i >= 0; i -= 2)
    for (unsigned j = 1; j < (unsigned)n / 6; j += 2)
        for (long k = 2; k > 1; k--) {
            y[6 * i + j] = sin(y[6 * i + j]) * x[6 * i + j + k - 1] + x[k];
            s += y[6 * i + j] * x[i];
        }
return s;""",
    ),
}
"""Every loop of these is shared out again in both sweeps."""

QUICK: Final = (
    *("simd_counter", "parallel_simd_counter", "last_counter", "private_array"),
    "private_sizes",
    *("unsigned", "down_to_1", "collapsed_heads", "own_sums", "bounds_in_memory"),
    "constants_inside",
)
"""Those that are looked at each time."""
