"""Arrays that change places in time loops, in the form of `functions.py`."""

from __future__ import annotations

from typing import Final

_HEAD: Final = "double f(int n, double a, const double *x, double *y)"
_START: Final = """double *now = malloc(n * sizeof(double)), *next = malloc(n * sizeof(double));
for (int i = 0; i < n; ++i) {
    now[i] = x[i];
    next[i] = 0.5 * y[i];
}
"""
_STEP: Final = """#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        next[i] = now[i] + 0.1 * a * now[i] * (now[i - 1] - 2 * now[i] + now[i + 1]);
"""
_SWAP: Final = """    double *other = now;
    now = next;
    next = other;
"""
_END: Final = """double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < n; ++i) {
    e += now[i] * now[i] + a * next[i];
    y[i] = now[i];
}
free(now);
free(next);
return e;"""


def _function(loop: str) -> tuple[str, str]:
    return _HEAD, f"{_START}{loop}{_END}"


EXCHANGED: Final = {
    "exchanged_in_a_time_loop": _function(f"for (int t = 0; t < 5; ++t) {{\n{_STEP}{_SWAP}}}\n"),
    "exchanged_as_often_as_asked": _function(
        f"for (int t = n % 4; t > 0; --t) {{\n{_STEP}{_SWAP}}}\n"
    ),
    "exchanged_never": _function(f"for (int t = 0; t < n - 99; ++t) {{\n{_STEP}{_SWAP}}}\n"),
    "exchanged_until_nothing_changes": _function(
        f"""double change = 1;
int k = 0;
while (change > 0.01 && k < 4) {{
    change = 0;
{_STEP}    for (int i = 1; i < n - 1; ++i)
        change += fabs(next[i] - now[i]);
{_SWAP}    ++k;
}}
"""
    ),
    "exchanged_under_a_condition": _function(
        f"""for (int t = 0; t < 6; ++t) {{
{_STEP}    if (t % 3 != 1) {{
    {_SWAP}    }}
    now[0] = 0.3 * now[1];
}}
"""
    ),
    "exchanged_twice_a_step": _function(
        f"""for (int t = 0; t < 3; ++t) {{
    {{ double *one = now; now = next; next = one; }}
#pragma omp parallel for
    for (int i = 1; i < n; ++i)
        now[i] = sin(next[i] * next[i - 1]) + a;
    {{ double *one = now; now = next; next = one; }}
{_STEP}}}
for (int t = 2; t <= 7; t += 2) {{
{_STEP}{_SWAP}}}
"""
    ),
    "exchanged_and_left": _function(
        f"""for (int t = 0; t < 6; ++t) {{
{_STEP}    do {{ double *one = now; now = next; next = one; }} while (0);
    if (now[1] > 0.3 && t > 2)
        break;
}}
"""
    ),
    "exchanged_in_inner_loops": _function(
        f"""for (int s = 0; s < 3; ++s) {{
for (int t = 0; t < s; ++t) {{
{_STEP}{_SWAP}}}
    now[s] *= a;
}}
"""
    ),
    "three_that_change_places": (
        _HEAD,
        """double *before = malloc(n * sizeof(double)), *now = malloc(n * sizeof(double));
double *then = malloc(n * sizeof(double)), *hold;
for (int i = 0; i < n; ++i) {
    before[i] = x[i];
    now[i] = y[i];
    then[i] = 0;
}
for (int t = 0; t < 4; ++t) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        then[i] = 2 * now[i] - before[i] + a * now[i] * (now[i - 1] - 2 * now[i] + now[i + 1]);
    hold = before;
    before = now;
    now = then;
    then = hold;
}
double e = 0.0;
for (int i = 0; i < n; ++i)
    e += now[i] * before[i];
free(before);
free(now);
free(then);
return e;""",
    ),
    "parameters_that_change_places": (
        "double f(int n, double a, double *x, double *y)",
        """for (int t = 0; t < 3; ++t) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        y[i] = a * x[i] * x[i] + 0.25 * (x[i - 1] + x[i + 1]);
    double *other = x;
    x = y;
    y = other;
}
return x[1] * y[2];""",
    ),
    "rows_of_variable_length": (
        "double f(int n, double a, const double *x, double *y)",
        """int m = n / 4;
double (*now)[m] = malloc(sizeof(double[4][m])), (*next)[m] = malloc(sizeof(double[4][m]));
for (int i = 0; i < 4; ++i)
    for (int j = 0; j < m; ++j)
        now[i][j] = next[i][j] = x[i * m + j] * y[j];
for (int t = 0; t < 3; ++t) {
#pragma omp parallel for collapse(2)
    for (int i = 1; i < 3; ++i)
        for (int j = 1; j < m - 1; ++j)
            next[i][j] = now[i][j] + a * now[i][j] * (now[i - 1][j] + now[i + 1][j]
                         + now[i][j - 1] - 3 * now[i][j + 1]);
    double (*other)[m] = now;
    now = next;
    next = other;
}
double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < 4; ++i)
    for (int j = 0; j < m; ++j)
        e += now[i][j] * now[i][j] * (1 + j);
free(now);
free(next);
return e;""",
    ),
    "rows_in_turn": (
        "double f(int n, double a, const double *x, double *y)",
        """int m = n / 4;
double *w = calloc(n, sizeof(double));
for (int t = 0; t < 2; ++t) {
#pragma omp parallel for
    for (int i = 1; i < 3; ++i)
        for (int j = 1; j < m - 1; ++j) {
            int c = i * m + j;
            double sum = y[c - 1] + y[c + 1] + y[c - m] + y[c + m] - 4 * x[c];
            w[c] = sum * exp(-a * y[c]);
        }
#pragma omp parallel for
    for (int i = 3; i >= 0; --i)
        for (int j = m - 1; j >= 0; --j)
            y[i * m + j] += w[i * m + j] * sin(y[i * m + j]);
}
double e = 0.0;
for (int i = 0; i < n; ++i)
    e += y[i] * w[n - 1 - i];
free(w);
return e;""",
    ),
    "rows_that_get_longer": (
        "double f(int n, double a, const double *x, double *y)",
        """double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 1; i < n; ++i) {
    double v = y[i];
    for (int j = 0; j < i; ++j)
        v = sin(v) * x[j] + a;
    for (int j = n - 1; j >= n - 3; --j)
        v *= cos(v * x[j]);
    for (int j = 3; j < n; ++j) {
        double w = exp(-v * v);
        for (int k = 0; k < 2; ++k)
            v += 0.1 * w * x[k] * v;
    }
    e += v;
}
return e;""",
    ),
    "rows_of_a_length_that_changes": (
        "double f(int n, double a, const double *x, double *y)",
        """int m = n / 2;
double (*w)[m] = malloc(sizeof(double[2][m]));
m /= 2;
#pragma omp parallel for
for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2 * m; ++j)
        w[i][j] = x[i * 2 * m + j] * y[j] * a;
double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2 * m; ++j)
        e += w[i][j] * w[i][2 * m - 1 - j];
free(w);
return e;""",
    ),
    "exchanged_in_a_region": _function(
        f"""#pragma omp parallel
for (int t = 0; t < 5; ++t) {{
{_STEP.replace("parallel for", "for")}#pragma omp single
    {{
    {_SWAP}    }}
}}
"""
    ),
    "exchanged_by_an_index": (
        _HEAD,
        """double *w[2] = {malloc(n * sizeof(double)), calloc(n, sizeof(double))};
for (int i = 0; i < n; ++i)
    w[0][i] = x[i];
for (int t = 0; t < 5; ++t) {
    const double *now = w[t % 2];
    double *next = w[(t + 1) % 2];
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        next[i] = now[i] * (now[i - 1] + a * now[i + 1]);
}
double e = 0.0;
for (int i = 0; i < n; ++i)
    e += w[1][i] * (1 + i % 3) + w[0][i] * y[i];
free(w[0]);
free(w[1]);
return e;""",
    ),
    "exchanged_late": (
        _HEAD,
        """double *now, *next, *other;
now = malloc(n * sizeof(double));
for (int i = 0; i < n; ++i)
    now[i] = x[i] * y[i];
next = calloc(n, sizeof(double));
for (int t = 0; t < 5; ++t) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        next[i] = now[i] * (now[i - 1] + a * now[i + 1]);
    other = now, now = next, next = other;
}
double e = 0.0;
for (int i = 0; i < n; ++i)
    e += now[i] * (1 + i % 3);
free(now);
free(next);
return e;""",
    ),
    "place_of_one_array_or_another": (
        _HEAD,
        """double *first = malloc(n * sizeof(double)), *later = calloc(4 * n, sizeof(double));
const double *before;
for (int i = 0; i < n; ++i)
    first[i] = x[i];
for (int t = 0; t < 4; ++t) {
    before = t == 0 ? first : later + (t - 1) * n;
    double *now = later + t * n;
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        now[i] = before[i] * a + y[i] * before[(i + 1) % n];
}
before = later + 3 * n;
double e = 0.0;
for (int i = 0; i < n; ++i)
    e += before[i] * before[i];
free(first);
free(later);
return e;""",
    ),
}
