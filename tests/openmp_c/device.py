"""Functions in C whose loops run on a device, as those of `functions.py`."""

from __future__ import annotations

from typing import Final

DEVICE_HELPERS: Final = """
#pragma omp declare target
static double softened(double x) { return x / (1.0 + x * x); }
#pragma omp end declare target
static void relaxed(int count, double rate, double *u, const double *b)
{
#pragma omp target teams distribute parallel for map(tofrom : u[0 : count]) map(to : b[0 : count])
    for (int i = 0; i < count; ++i)
        u[i] += rate * (b[i] - u[i] * u[i]);
}
"""
DEVICE: Final = {
    "target_loop": (
        "double f(int n, double a, const double *x, double *y)",
        """double s = 0.0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(tofrom : s) \\
    map(to : x[0 : n]) map(tofrom : y[0 : n])
for (int i = 0; i < n; ++i) {
    y[i] = a * softened(x[i]) + y[i] * x[(i + 1) % n];
    s += y[i] * x[i];
}
return s;""",
    ),
    "target_data": (
        "double f(int n, int steps, double a, double *x, double *y)",
        """double e = 0.0;
#pragma omp target data map(tofrom : x[0 : n]) map(always, tofrom : y[0 : n])
{
    for (int t = 0; t < steps; ++t) {
#pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; ++i)
            y[i] = x[i] + a * (x[i - 1] - 2.0 * x[i] + x[i + 1]);
#pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; ++i)
            x[i] = sin(y[i]);
    }
#pragma omp target teams distribute parallel for reduction(+ : e) map(tofrom : e)
    for (int i = 0; i < n; ++i)
        e += x[i] * x[i];
}
return e;""",
    ),
    "target_apart": (
        "void f(int n, double a, const double *x, double *y)",
        """#pragma omp target map(to : x[:n]) map(tofrom : y[:n])
#pragma omp teams distribute parallel for num_teams(2) thread_limit(4) firstprivate(a)
for (int i = 0; i < n; ++i)
    y[i] *= a * x[i];""",
    ),
    "target_of_loops": (
        "void f(int n, const double *x, double *y)",
        """double t[n];
#pragma omp target map(to : x[0 : n]) map(tofrom : y[0 : n], t)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        t[i] = x[i] * y[i];
#pragma omp parallel for schedule(static, 2)
    for (int i = 1; i < n; ++i)
        y[i] = t[i] * t[i - 1];
}""",
    ),
    "target_teams": (
        "void f(int n, const double *x, double *y)",
        """#pragma omp target teams map(to : x[0 : n]) map(tofrom : y[0 : n])
{
#pragma omp distribute
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int j = 0; j <= i; ++j)
            sum += x[j] * x[i];
        y[i] += sum;
    }
}""",
    ),
    "target_parallel": (
        "double f(int n, double a, double *x, double *y)",
        """#pragma omp target parallel map(tofrom : x[0 : n], y[0 : n])
{
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
        x[i] = exp(a * x[i]);
#pragma omp for
    for (int i = 0; i < n; ++i)
        y[i] = y[i] * y[i];
}
return x[3] * y[4];""",
    ),
    "target_collapsed": (
        "void f(int n, double a, double (*x)[M], double (*y)[M])",
        """#pragma omp target teams distribute parallel for collapse(2) \\
    map(to : x[0 : n / M][0 : M]) map(tofrom : y[0 : n / M][0 : M])
for (int i = 0; i < n / M; ++i)
    for (int j = 0; j < M; ++j)
        y[i][j] = a * x[i][j] * y[i][j];""",
    ),
    "target_gather": (
        "void f(int n, const int *k, double *x, double *y)",
        """#pragma omp target teams distribute parallel for map(to : k[:n], x[:n]) map(y[:n])
for (int i = 0; i < n; ++i) {
    if (k[i] % 3 == 0)
        y[k[i]] = x[i] * x[k[i]];
    else
        y[k[i]] += x[(i + 2) % n];
}""",
    ),
    "target_called": (
        "double f(int n, int steps, double a, double *x, double *y)",
        """#pragma omp target data map(tofrom : x[0 : n], y[0 : n])
for (int t = 0; t < steps; ++t)
    relaxed(n, a, x, y);
return x[0] * x[n - 1];""",
    ),
    "target_part": (
        "void f(int n, int m, double *x, double *y)",
        """const int begin = n / m;
#pragma omp target teams distribute parallel for \\
    map(to : x[begin : n - begin]) map(tofrom : y[begin : n - begin])
for (int i = begin; i < n; ++i)
    y[i] = y[i] / (2.0 + x[i] * x[i]);
y[0] *= x[1];""",
    ),
    "target_work_array": (
        "double f(int n, double a, double *x, double *y)",
        """double *work = malloc(n * sizeof(double));
double s = 0.0;
#pragma omp target data map(to : x[0 : n]) map(alloc : work[0 : n]) map(tofrom : y[0 : n])
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        work[i] = a * x[i] * x[i];
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i) {
        y[i] = work[i] * work[n - 1 - i];
        s += y[i];
    }
}
free(work);
return s;""",
    ),
    "target_loop_construct": (
        "void f(int n, double a, const double *x, double *y)",
        """#pragma omp target teams loop map(to : x[0 : n]) map(tofrom : y[0 : n])
for (int i = 0; i < n; ++i)
    y[i] = cos(a * x[i]) * y[i];""",
    ),
    "target_array": (
        "double f(int n, double a, double *x)",
        """double u[36], s = 0.0;
for (int i = 0; i < n; ++i)
    u[i] = a * x[i];
#pragma omp target teams distribute parallel for map(tofrom : u)
for (int i = 0; i < n; ++i)
    u[i] = u[i] * u[i] * u[i];
for (int i = 0; i < n; ++i)
    s += u[i];
return s;""",
    ),
    "target_sections": (
        "double f(int n, double *x, double *y)",
        """double s = 0.0;
const int half = n / 2;
#pragma omp target data map(tofrom : x[0 : half])
{
#pragma omp target teams distribute parallel for map(to : y[0 : half])
    for (int i = 0; i < half; ++i)
        x[i] *= y[i];
}
#pragma omp target data map(tofrom : x[0 : n])
{
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += x[i] * x[i];
}
return s;""",
    ),
    "target_hidden_name": (
        "double f(int n, double *x)",
        """double u[36], s = 0.0;
#pragma omp target teams distribute parallel for map(to : x[0 : n])
for (int i = 0; i < n; ++i)
    u[i] = x[i] * x[0];
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : x[0 : n])
for (int i = 0; i < n; ++i) {
    const double first = x[1];
    {
        double x[3];
        x[1] = u[i];
        s += u[i] * x[1] * first;
    }
}
return s;""",
    ),
    "target_beside_host": (
        "double f(int n, double a, double *x, double *y)",
        """for (int i = 0; i < n; ++i)
    x[i] *= a;
#pragma omp target teams distribute parallel for map(to : x[0 : n]) map(from : y[0 : n])
for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
#pragma omp parallel for
for (int i = 0; i < n; ++i)
    x[i] += y[i] * y[n - 1 - i];
return x[0] + y[1];""",
    ),
}
