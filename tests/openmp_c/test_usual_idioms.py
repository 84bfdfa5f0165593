"""Functions as programs in C have them, as `g2o verify` runs them, and builds without warnings."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

import pytest

from g2o.cli.main import run as run_g2o

_MEMORY: Final = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { double re, im; } cplx;
typedef struct { int n_in, n_out; double *in, *out; double **w; } net;
typedef struct { int n; double **u, **v; } grid;
static double **alloc2(int nx, int ny)
{
    double **a = malloc(nx * sizeof *a);
    a[0] = calloc((size_t)nx * ny, sizeof **a);
    for (int i = 1; i < nx; i++)
        a[i] = a[0] + (size_t)i * ny;
    return a;
}
static void layer(double *l1, double *l2, double **conn, int n1, int n2)
{
    int j, k;
    for (j = 1; j <= n2; j++) {
        double sum = 0.0;
        for (k = 0; k <= n1; k++)
            sum += conn[k][j] * l1[k];
        l2[j] = 1.0 / (1.0 + sum * sum);
    }
}
// g2o-verify: of_rows(t.n_in = 3, t.n_out = 2, t.in = [4], t.out = [4], t.w = [4])
#pragma g2o grad (of_rows)/(t)
double of_rows(net *t)
{
    layer(t->in, t->out, t->w, t->n_in, t->n_out);
    return t->out[1] * t->out[2] * t->w[0][1];
}
// g2o-verify: of_grids(n = 5, x = [25])
#pragma g2o grad (of_grids)/(x)
double of_grids(int n, const double *x)
{
    grid g;
    double s = 0;
    g.n = n;
    g.u = alloc2(n, n);
    g.v = alloc2(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            g.u[i][j] = x[i * n + j] * x[i * n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            g.v[i][j] = g.u[i][j] * g.u[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += g.v[i][j] * x[j];
    free(g.u[0]);
    free(g.u);
    free(g.v[0]);
    free(g.v);
    return s;
}
// g2o-verify: of_bytes(n = 5, x = [25])
#pragma g2o grad (of_bytes)/(x)
double of_bytes(unsigned n, double *x)
{
    double s = 0;
    unsigned int num_bytes = 0;
    double *t;
    t = (double *)calloc(n * n, sizeof(double));
    num_bytes = n * n * sizeof(double);
    memcpy((void *)t, (void *)x, num_bytes);
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            s += t[i * n + j] * x[j];
    free(t);
    return s;
}
// g2o-verify: of_walked_rows(n = 5, x = [25])
#pragma g2o grad (of_walked_rows)/(x)
double of_walked_rows(int n, const double *x)
{
    long i, j;
    double **u, **v = malloc(n * sizeof(double *)), *p, s = 0;
    u = (double **)calloc(n, sizeof(double *));
    p = (double *)calloc(n * n, sizeof(double));
    for (i = 0; i < n; i++) {
        u[i] = p;
        p += n;
    }
    s = i * x[0];
    for (i = 0; i < n; i++)
        v[i] = malloc(n * sizeof(double));
    s += i * x[1];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            u[i][j] = v[j][i] = x[i * n + j] * x[i * n + j];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            s += u[i][j] * v[i][j] * x[j];
    for (i = 0; i < n - 1; i++)
        free(v[i]);
    s *= i;
    free(v[i]);
    free(v);
    free(*u);
    free(u);
    return s;
}
// g2o-verify: of_threads(n = 7, m = 4, x = [28], y = [7])
#pragma g2o grad (y)/(x)
void of_threads(int n, int m, const double *x, double *y)
{
    double *w;
    int i, j;
#pragma omp parallel private(w, i, j)
    {
        cplx *z = malloc(m * sizeof(cplx));
        w = (double *)malloc(m * sizeof(double));
#pragma omp for
        for (i = 0; i < n; i++) {
            w[0] = x[i * m];
            z[0] = (cplx){x[i * m], 0.5};
            for (j = 1; j < m; j++) {
                w[j] = w[j - 1] * x[i * m + j];
                z[j].re = z[j - 1].re * x[i * m + j] - z[j - 1].im;
                z[j].im = z[j - 1].im * x[i * m + j] + z[j - 1].re;
            }
            y[i] = w[m - 1] * w[m - 1] + z[m - 1].im;
        }
        free(w);
        free(z);
    }
}
"""

_THREADS: Final = """#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define THREADS 3
typedef double mat2[2][2];
typedef struct { mat2 F; } model;
typedef struct { int n; const double (*xy)[2]; } mesh;
static double trace(const mat2 A, const double (*B)[2]) { return A[0][0] * A[0][0] + B[1][1]; }
// g2o-verify: constants(n = 2, m = [2], g.n = 3, g.xy = [6])
#pragma g2o grad (constants)/(m, g)
double constants(int n, const model *m, const mesh *g)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += trace(m[i].F, m[i].F) * trace(m[i].F, m[i].F);
    for (int i = 0; i < g->n; i++)
        s += g->xy[i][0] * g->xy[i][1];
    return s;
}
// g2o-verify: checked(n = 5, x = [5])
#pragma g2o grad (checked)/(x)
double checked(int n, double *x)
{
    double r = 1.0;
    for (int i = 0; i < n; i++) {
        r = sqrt(r + x[i]);
        if (isnan(r))
            return -1.0;
        if (isinf(r) || !isfinite(r) || signbit(r))
            return -2.0;
    }
    return r;
}
// g2o-verify: by_threads(n = 9, x = [9], y = [9])
#pragma g2o grad (by_threads, y)/(x, y)
double by_threads(int n, const double *x, double *y)
{
    double s = 0, all = 0;
    printf("%d threads\\n", omp_get_num_threads());
    double *part = calloc(omp_get_max_threads(), sizeof(double));
#pragma omp parallel
    {
        int tid = omp_get_thread_num(), nt = omp_get_num_threads();
        int lo = tid * n / nt, hi = (tid + 1) * n / nt;
        for (int i = lo; i < hi; i++) {
            y[i] = x[i] * x[i];
            part[tid] += y[i] * x[i];
        }
    }
#pragma omp parallel num_threads(THREADS) reduction(+ : all)
    {
        double *mine = malloc(n * sizeof(double));
        for (int i = omp_get_thread_num(); i < n; i += THREADS) {
            mine[i] = y[i] * y[i];
            all += mine[i] * x[i];
        }
        free(mine);
    }
    for (int t = 0; t < omp_get_max_threads(); t++)
        s += part[t];
    free(part);
    return s + all;
}
// g2o-verify: own_sums(n = 9, x = [9])
#pragma g2o grad (own_sums)/(x)
double own_sums(int n, const double *x)
{
    double s = 3.0, t = 1.0;
    int k = 4;
#pragma omp parallel reduction(+ : s) reduction(+ : t) firstprivate(k)
    {
        int tid = omp_get_thread_num(), nt = omp_get_num_threads();
        s = 0.0;
        for (int i = tid; i < n; i += nt)
            s = s + x[i] * x[i];
        k += tid;
        s *= 2.0;
        t += s * (k - tid);
    }
    return s * t;
}
// g2o-verify: tids(n = 6, steps = 2, u = [6], v = [6])
#pragma g2o grad
double tids(int n, int steps, double *u, double *v)
{
    double s = 0;
    int nthreads = 1, i, tid;
#pragma omp parallel private(tid, i)
    {
        tid = omp_get_thread_num();
        if (tid == 0) {
            nthreads = omp_get_num_threads();
            printf("%d threads\\n", nthreads);
        }
#pragma omp barrier
        for (int t = 0; t < steps; ++t) {
#pragma omp for
            for (i = 1; i < n - 1; ++i)
                v[i] = u[i] * u[i + 1] + u[i - 1];
#pragma omp for
            for (i = 1; i < n - 1; ++i)
                u[i] = v[i];
            if (!tid)
                u[0] *= 1.5;
#pragma omp barrier
        }
#pragma omp for reduction(+ : s)
        for (i = 0; i < n; ++i)
            s += u[i];
    }
    return s;
}
// g2o-verify: masters(n = 6, u = [6], v = [6])
#pragma g2o grad
double masters(int n, double *u, double *v)
{
    double s = 0;
    int nthreads = 1;
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        nthreads = omp_get_num_threads();
#pragma omp for
        for (int i = 1; i < n - 1; ++i)
            v[i] = u[i] * u[i + 1] + u[i - 1];
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; ++i)
            s += v[i];
    }
    return s + 0.0 * nthreads;
}
"""


@pytest.mark.parametrize("text", [_MEMORY, _THREADS], ids=["memory", "threads"])
def test_derivatives_are_right(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.c"
    path.write_text(text)
    assert run_g2o(["translate", "-q", str(path)]) == 0, capsys.readouterr()
    options = ["-std=gnu11", "-fopenmp", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["gcc", *options, "-c", "a.g2o.c"], check=True, cwd=tmp_path)
    assert run_g2o(["verify", str(path)]) == 0, capsys.readouterr()
    assert "random directions        agrees" in capsys.readouterr().out


_HEAD: Final = "#include <omp.h>\nvoid use(double);\nvoid f(int n, double *x)\n{\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "#pragma omp parallel\nworker(omp_get_thread_num(), x);",
            "`omp_get_thread_num` in a region whose threads wait for each other",
        ),
        (
            "#pragma omp parallel\n{ own += omp_get_thread_num(); x[0] = own; }",
            "`omp_get_thread_num` in a region whose threads wait for each other",
        ),
        (
            "double s = 1;\n#pragma omp parallel reduction(max : s)\n"
            "{ s = omp_get_thread_num(); }\nx[0] *= s;",
            "`reduction(max : s)` in a region that asks which thread runs it",
        ),
        (
            "#pragma omp parallel\n{ int t = omp_get_thread_num(); x[t] *= 2;\n"
            "#pragma omp barrier\nx[t + 1] *= x[t]; }",
            "`omp_get_thread_num` in a region whose threads wait for each other",
        ),
        (
            "#pragma omp parallel\n{ int t = omp_get_thread_num();\n"
            "#pragma omp for\nfor (int i = 0; i < n; ++i) x[i] *= t; }",
            "`omp_get_thread_num` in a region whose threads wait for each other",
        ),
        (
            "#pragma omp parallel\nfor (int t = 0; t < n; ++t) {\n"
            "if (omp_get_thread_num() == 0) break;\n"
            "#pragma omp for\nfor (int i = 0; i < n; ++i) x[i] *= 2; }",
            "`omp_get_thread_num` in a region whose threads wait for each other",
        ),
        (
            "#pragma omp parallel for\nfor (int i = 0; i < n; ++i)\nx[i] *= omp_get_thread_num();",
            "`omp_get_thread_num` in a loop with a derivative",
        ),
        (
            "#pragma omp parallel for\nfor (int i = 0; i < n; ++i)\nx[i] *= many();",
            "`omp_get_num_threads` in a function that threads of a region call",
        ),
    ],
    ids=[
        "called barrier",
        "own",
        "largest",
        "barrier",
        "shared loop",
        "leaves",
        "iteration",
        "called",
    ],
)
def test_threads_that_are_no_loop(
    body: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = "static int many(void) { return omp_get_num_threads(); }\n"
    many += "static double own;\n#pragma omp threadprivate(own)\n"
    many += "static void worker(int t, double *x)\n{\n    x[t] *= 2;\n#pragma omp barrier\n"
    many += "    x[t + 1] *= x[t];\n}\n"
    text = _HEAD.replace("void f", f"{many}void f") + body + "\n}\n"
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", "-q", "--grad", "f", str(tmp_path / "a.c")]) == 1
    assert message in capsys.readouterr().err
