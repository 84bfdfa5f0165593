"""Arrays that keep all their steps, and others that are overwritten where they look alike, in the
form of `functions.py`. What is still there need not be kept: `STILL_THERE` has no tape."""

from __future__ import annotations

from typing import Final

_HEAD: Final = "double f(int n, double a, const double *x, double *y)"
_START: Final = """enum { STEPS = 5 };
double *u = malloc((STEPS + 2) * n * sizeof(double));
for (int i = 0; i < (STEPS + 2) * n; ++i)
    u[i] = x[i % n] + 0.01 * i;
"""
_END: Final = """double e = 0.0;
for (int i = 0; i < (STEPS + 2) * n; ++i)
    e += u[i] * sin(0.1 * i);
for (int i = 0; i < n; ++i)
    y[i] += e * a;
free(u);
return e;"""
_ROWS: Final = """double u[7][36];
for (int d = 0; d < 7; ++d)
    for (int i = 0; i < n; ++i)
        u[d][i] = x[i] + 0.1 * d;
"""
_ROWS_END: Final = """double e = 0.0;
for (int d = 0; d < 7; ++d)
    for (int i = 0; i < n; ++i)
        e += u[d][i] * sin(0.3 * d + 0.1 * i);
for (int i = 0; i < n; ++i)
    y[i] += e * a;
return e;"""
_SQUARE: Final = """double m[36];
for (int i = 0; i < 36; ++i)
    m[i] = 0.1 * sin(x[i]) + (i % 7 == 0 ? 3.0 + 0.1 * y[i] : 0.0);
"""
_SQUARE_END: Final = """double e = 0.0;
for (int i = 0; i < 36; ++i)
    e += a * m[i] * m[i];
for (int i = 0; i < n; ++i)
    y[i] = m[i];
return e;"""


def _flat(loop: str) -> tuple[str, str]:
    return _HEAD, f"{_START}{loop}{_END}"


def _rows(loop: str) -> tuple[str, str]:
    return _HEAD, f"{_ROWS}{loop}{_ROWS_END}"


def _square(loop: str) -> tuple[str, str]:
    return _HEAD, f"{_SQUARE}{loop}{_SQUARE_END}"


STILL_THERE: Final = {
    "history_of_rows": _rows(
        """for (int d = 0; d < 6; ++d) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        u[d + 1][i] = a * u[d][i] * u[d][(i + 1) % n];
}
"""
    ),
    "history_from_the_end": _rows(
        """for (int d = 5; d >= 0; --d)
    for (int i = 0; i < n; ++i)
        u[d][i] += 0.1 * u[d + 1][i] * u[d + 1][n - 1 - i];
"""
    ),
    "history_in_one_array": _flat(
        """for (int d = 0; d < STEPS; ++d) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        double s = 0.0;
        for (int j = 0; j < n; ++j)
            s += u[d * n + j] * u[d * n + j] * (i == j ? 0.5 : 0.01);
        u[(d + 1) * n + i] = tanh(s);
    }
}
"""
    ),
    "history_of_three_points": _flat(
        """for (int d = 0; d < STEPS; ++d) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        u[(d + 1) * n + i] = sin(u[d * n + i]) + a * (u[d * n + i - 1] - u[d * n + i + 1]);
}
"""
    ),
    "history_of_three_points_in_rows": _rows(
        """for (int d = 0; d < 6; ++d) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        u[d + 1][i] = sin(u[d][i]) + a * u[d][i - 1] - u[d][i + 1];
}
"""
    ),
    "history_by_pointers_to_rows": _flat(
        """for (int d = 0; d < STEPS; ++d) {
    const double *now = u + d * n;
    double *next = u + (d + 1) * n;
    for (int i = 1; i < n; ++i)
        next[i] = now[i] * now[i - 1] * a;
}
"""
    ),
    "triangular_solve_in_order": _square(
        """double z[6];
for (int i = 0; i < 6; ++i) {
    double s = m[i * 7];
    for (int j = 0; j < i; ++j)
        s -= m[i * 6 + j] * z[j];
    z[i] = s / m[i * 7];
}
for (int i = 0; i < 6; ++i)
    y[i] = z[i];
"""
    ),
    "every_second_element": _flat(
        """for (int r = 0; r < 3; ++r)
    for (int i = 0; i < n; ++i)
        u[2 * i + 1] = 0.5 * u[2 * i] * u[2 * i] * u[2 * ((i + r) % n)];
"""
    ),
    "factors_in_place": _square(
        """for (int k = 0; k < 6; ++k)
    for (int i = k + 1; i < 6; ++i) {
        m[i * 6 + k] /= m[k * 6 + k];
        for (int j = k + 1; j < 6; ++j)
            m[i * 6 + j] -= m[i * 6 + k] * m[k * 6 + j];
    }
"""
    ),
    "cholesky_in_place": _square(
        """for (int j = 0; j < 6; ++j) {
    for (int k = 0; k < j; ++k)
        m[j * 7] -= m[j * 6 + k] * m[j * 6 + k];
    m[j * 7] = sqrt(m[j * 7]);
    for (int i = j + 1; i < 6; ++i) {
        for (int k = 0; k < j; ++k)
            m[i * 6 + j] -= m[i * 6 + k] * m[j * 6 + k];
        m[i * 6 + j] /= m[j * 7];
    }
}
"""
    ),
}

OVERWRITTEN: Final = {
    "all_rows_in_one_go": (
        "void f(int n, double a, double (*u)[M], double *y)",
        """for (int d = 1; d < 6; ++d)
    for (int i = 0; i < M; ++i)
        y[i] += a * u[d][i] * u[d][i];
double *all = u[0];
for (int k = 0; k < n; ++k)
    all[k] *= 0.5;
for (int d = 1; d < 6; ++d)
    for (int i = 0; i < M; ++i)
        y[i] += a * u[d][i] * u[d][M - 1 - i];
for (int k = 0; k < n; ++k)
    u[0][k] *= 0.25;""",
    ),
    "two_rows_in_turns": _rows(
        """for (int d = 0; d < 6; ++d) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        u[(d + 1) % 2][i] = a * u[d % 2][i] * u[d % 2][n - 1 - i];
}
"""
    ),
    "history_again": _rows(
        """for (int r = 0; r < 2; ++r)
    for (int d = 0; d < 6; ++d)
        for (int i = 0; i < n; ++i)
            u[d + 1][i] = a * u[d][i] * u[d][(i + 1) % n];
"""
    ),
    "history_the_wrong_way": _rows(
        """for (int d = 0; d < 6; ++d)
    for (int i = 0; i < n; ++i)
        u[d][i] = a * u[d + 1][i] * u[d + 1][n - 1 - i] + 0.1 * u[d][i];
"""
    ),
    "history_and_a_change_behind": _rows(
        """for (int d = 0; d < 6; ++d) {
    for (int i = 0; i < n; ++i)
        u[d + 1][i] = a * u[d][i] * u[d][(i + 1) % n];
    u[d][d] *= 2.0;
}
"""
    ),
    "history_that_reaches_into_the_next": _flat(
        """for (int d = 0; d < STEPS; ++d)
    for (int i = 0; i < n; ++i)
        u[(d + 1) * n + i] = a * u[d * n + i] * u[d * n + i + 1];
"""
    ),
    "history_of_overlapping_rows": _flat(
        """for (int d = 0; d < STEPS; ++d)
    for (int i = 0; i < n; ++i)
        u[(d + 1) * (n - 1) + i] = a * u[d * (n - 1) + i] * u[d * (n - 1) + i];
"""
    ),
    "counters_that_are_used_behind": _flat(
        """int d = 0, i = 0;
for (d = 0; d < STEPS; ++d) {
    for (i = 0; i < n; ++i)
        u[(d + 1) * n + i] = a * u[d * n + i] * u[d * n + i];
    u[d * n + i - 1] = u[d * n + i] * u[d * n + i - 1];
}
for (i = 1; i < n; ++i)
    u[i - 1] = u[i] * u[i];
"""
    ),
    "a_number_that_changes_its_meaning": _flat(
        """int at = 0;
for (int d = 0; d < STEPS; ++d) {
    const int from = at;
    at = (at + n) % (2 * n);
    for (int i = 0; i < n; ++i)
        u[at + i] = a * u[from + i] * u[from + i];
}
"""
    ),
    "sums_of_all_before": _flat(
        """for (int i = 1; i < (STEPS + 2) * n; ++i)
    u[i] = 0.5 * u[i] * u[i - 1];
for (int i = 0; i < n; ++i)
    u[i] = u[i] * u[i + 1];
for (int i = n; i > 0; --i)
    u[i] = u[i] * u[i - 1];
"""
    ),
    "steps_that_are_not_counted": _rows(
        """int d = 0;
while (d < 6) {
    for (int i = 0; i < n; ++i)
        u[d + 1][i] = a * u[d][i] * u[d][(i + 1) % n];
    d += 1 + d % 2;
}
"""
    ),
    "a_number_for_all_iterations": _flat(
        """int at = 0;
double scale = a;
for (int d = 0; d < STEPS; ++d) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        u[at + n + i] += scale * u[at + i] * u[at + (i + 1) % n];
    at += d % 2 == 0 ? n : 0;
    if (d % 3 == 1) {
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < 3; ++j)
                u[i] += 0.1 * scale * scale * u[at + i];
    }
    scale *= 0.9 * u[d];
}
"""
    ),
}
