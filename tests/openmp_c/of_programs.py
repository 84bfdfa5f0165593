"""Functions in C as they are parts of larger programs, in the form of `functions.py`."""

from __future__ import annotations

from typing import Final

OF_PROGRAMS_HELPERS: Final = """
typedef struct {
    int kind;
    double bond, length;
    double table[3];
} Potential;
static int box_of(const View *v, double z)
{
    return (int)fabs(z) % v->n;
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
}
