"""`g2o verify` of C: what it checks, what it says, and how functions are called."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from g2o import openmp_c
from g2o.cli import verify_c
from g2o.cli.main import run as run_g2o
from g2o.passes import TranslateOptions

CHECKS: Final = [
    "results of the adjoint",
    "results of the tangent",
    "adjoint = tangent",
    "tangent = differences",
    "dot products",
    "random directions",
    "threads",
]
PROGRAM: Final = """
#include <math.h>
#include <stdlib.h>
typedef struct { int n; const double *from; double *to; double factor; } View;
typedef struct { double x[2], mass; int kind; } Body;
// g2o-verify: scale(v.n = 30, v.from = [v.n], v.to = [v.n : -1 .. 1])
#pragma g2o jvp
void scale(const View *v)
{
#pragma omp parallel for
    for (int i = 0; i < v->n; ++i)
        v->to[i] = v->factor * v->from[i] * v->to[i];
}
#pragma g2o grad (potential)/(bodies)
static float potential(size_t n, const Body *bodies, float least)
{
    float e = 0;
#pragma omp parallel for reduction(+ : e) schedule(dynamic)
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < i; ++j) {
            const double *p = bodies[i].x, *q = bodies[j].x;
            double far = (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]);
            e -= bodies[i].mass * bodies[j].mass / sqrt(far + least);
        }
    return e;
}
#pragma g2o grad (u)/(u)
void relax(int n, int m, double u[n + 2][m + 2], const double f[restrict n][m])
{
#pragma omp parallel for
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= m; ++j)
            u[i][j] = 0.5 * (u[i][j - 1] * u[i][j + 1] - f[i - 1][j - 1]);
}
double loop(int n, double a, const double *restrict x, double *v)
{
    double e = 0, w[40];
#pragma omp parallel for reduction(+ : e) g2o(reverse, shadow)
    for (int i = 1; i < n; ++i) {
        w[i] = a * x[i];
        v[i] = w[i] * sin(x[i - 1]);
        e += v[i] * v[i];
    }
    return e;
}
int main(void) { return 0; }
"""
SQUARES: Final = """#include <math.h>
double squares(int n, const double *x)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += x[i] * x[i];
    return s;
}
"""


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_right_gradients(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.c").write_text(PROGRAM)
    code = run_g2o(["verify", "a.c", "--size", "10", "--seed", "7"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, ""), out
    lines = out.splitlines()
    assert [one for one in lines if "agrees" not in one] == [
        f"a.c: {name}" for name in ("scale", "potential", "relax", "loop")
    ]
    assert lines[1:8] == [f"  {check:<24} agrees" for check in CHECKS]
    assert [path.name for path in Path().iterdir()] == ["a.c"]


def test_a_wrong_gradient(
    in_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def translate(
        path: Path, options: TranslateOptions, shown_as: str, *, apart: bool = False
    ) -> openmp_c.CTranslation:
        made = openmp_c.translate_c(path, options, shown_as, apart=apart)
        head, name, adjoint = made.code.partition("squares_grad")
        assert "2.0 *" in adjoint
        return replace(made, code=head + name + adjoint.replace("2.0 *", "2.5 *", 1))

    monkeypatch.setattr(verify_c, "translate_c", translate)
    Path("a.c").write_text(SQUARES)
    assert run_g2o(["verify", "a.c", "--grad", "squares"]) == 1
    out, err = capsys.readouterr()
    assert "  adjoint = tangent        differs\n" in out
    assert "  tangent = differences    agrees\n" in out
    assert "a.c: error: squares: adjoint = tangent: d_x[" in err
    assert "[G2O0606]" in err


def test_memory_behind_an_array(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.c").write_text(SQUARES)
    assert run_g2o(["verify", "a.c", "--grad", "--launch", "squares(n = 30, x = [n - 1])"]) == 1
    err = capsys.readouterr().err
    assert "heap-buffer-overflow at code.c" in err
    assert "are the buffers large enough? [G2O0607]" in err


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (SQUARES, [], "nothing asks for a derivative"),
        (SQUARES, ["--grad", "cubes"], "there is no kernel 'cubes'"),
        (SQUARES, ["--grad", "--launch", "squares(m = 3)"], "'squares' has no parameter 'm'"),
        (SQUARES, ["--grad", "--launch", "squares"], "expected `kernel<<<grid, block>>>"),
        (SQUARES.replace("*x)", "*x, int (*k)(int))"), ["--grad"], "make up a value of 'k'"),
        (
            SQUARES.replace(
                "reduction(+ : s)", "reduction(+ : s) g2o(reverse, shadow(x : d_x, s : d_s))"
            )
            .replace("*x)", "*x, double *d_x)")
            .replace("s = 0", "s = 0, d_s = 1"),
            [],
            "this loop is not checked",
        ),
        ("double f(double x) { return y; }\n", ["--grad"], "undeclared identifier 'y'"),
    ],
)
def test_what_cannot_be_checked(
    text: str,
    options: list[str],
    message: str,
    in_folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.c").write_text(text)
    assert run_g2o(["verify", "a.c", *options]) == 1
    assert message in capsys.readouterr().err


def test_second_derivatives(
    in_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Symmetric, and differences of the adjoint; what is wrong is found."""
    text = SQUARES.replace("x[i] * x[i]", "x[i] * x[i] * x[n - 1 - i] * a").replace(
        "*x)", "*x, double a)"
    )
    Path("a.c").write_text(f"{text}\n#pragma g2o hvp (u)/(u)\n{PROGRAM.partition('(u)/(u)')[2]}")
    asked = ["verify", "a.c", "--size", "6"]
    assert run_g2o(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    twice = [one for one in lines if one.startswith("  hvp")]
    assert lines[0] == "a.c: relax"
    assert [one.split(" agrees")[0].strip() for one in twice] == [
        "hvp: results",
        "hvp: adjoint, tangent",
        "hvp: symmetric",
        "hvp = differences",
        "hvp: threads",
    ]

    def translate(
        path: Path, options: TranslateOptions, shown_as: str, *, apart: bool = False
    ) -> openmp_c.CTranslation:
        made = openmp_c.translate_c(path, options, shown_as, apart=apart)
        head, name, second = made.code.partition("squares_hvp")
        assert "* t_seed" in second
        return replace(made, code=head + name + second.replace("* t_seed", "* 1.1 * t_seed", 1))

    assert run_g2o([*asked, "--hvp", "squares"]) == 0
    assert capsys.readouterr().out.startswith("a.c: squares\n")
    monkeypatch.setattr(verify_c, "translate_c", translate)
    assert run_g2o([*asked, "--hvp", "squares"]) == 1
    out, err = capsys.readouterr()
    assert "hvp = differences        differs" in out
    assert "[G2O0606]" in err


def test_error_estimates(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.c").write_text(SQUARES)
    asked = ["verify", "a.c", "--estimate-error", "squares(squares)/(x)", "--accuracy", "1e-6"]
    assert run_g2o([*asked, "--report", "e.html"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "rounding errors of the results of squares, to first order"
    assert [tuple(one.split()[:3]) for one in lines[2:6]] == [
        ("x", "parameter", "given"),
        ("s", "a.c:7", "inside"),
        ("s", "a.c:7", "computed"),
        ("squares", "a.c:8", "copied"),
    ]
    assert "<td>a.c:7<td>computed" in Path("e.html").read_text()
    assert run_g2o([*asked, "--diagnostics-format", "json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["may_be_float"] == ["x", "s", "squares"]


HELD: Final = """
typedef struct { int n; double h, e; } Plain;
typedef struct { int n; const double *w; double h, e; } Deep;
typedef struct { int n; double *x, *y, mass; } Body;
typedef struct node { double v; struct node *next; } Node;
static void add(Plain *p, double z) { p->e += z * p->h; }
#pragma g2o grad (p, x)/(p, x)
void changes_one(Plain *p, const double *x)
{
    for (int i = 0; i < p->n; ++i)
        add(p, x[i] * p->e);
}
#pragma g2o grad (p)/(p, x)
void changes_deep(Deep *p, const double *x)
{
    for (int i = 0; i < p->n; ++i)
        p->e += 0.1 * p->w[i] * x[i] * p->e;
}
// g2o-verify: many(count = 3, bodies = [3], bodies.n = 5, bodies.x = [5], x = [5])
#pragma g2o jvp (many)/(x)
double many(int count, const Body *bodies, const double *x)
{
    double s = 0.0;
    for (int k = 0; k < count; ++k)
        for (int i = 0; i < bodies[k].n; ++i)
            s += bodies[k].x[i] * bodies[k].y[i] * bodies[k].mass * x[i];
    return s;
}
#pragma g2o grad (rows)/(a, x)
double rows(int n, double **a, const double *x)
{
    double s = 0.0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            s += a[i][j] * x[j] * x[i];
    return s;
}
#pragma g2o jvp (chained)/(a)
double chained(double a, const Node *list)
{
    double s = 0.0;
    for (const Node *one = list; one; one = one->next)
        s += a * a * one->v;
    return s;
}
"""
OF_FILE: Final = """
typedef struct { int n; double *u, t; } Grid;
static double dt = 0.1, table[2][3] = {{1, 2, 3}, {4, 5, 6}}, plain[40], seen;
static int cells = 6, calls, counts[4];
static double *growth;
static const double fixed[3] = {0.5, 1.5, 2.5};
static Grid grid;
static double grown(int i) { return growth[i] * grid.u[i]; }
#pragma g2o grad (file, seen)/(x, dt, growth, table, seen)
double file(const double *x)
{
    double s = 0.0;
    calls++;
    for (int i = 0; i < cells; ++i)
        s += x[i] * dt * grown(i) * table[i / 3][i % 3] * fixed[i % 3];
    seen = s * s * grid.n;
    counts[2] += cells;
    return s;
}
"""


def test_structures_with_pointers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are made, and arrays of them, and so is what changes in them."""
    (tmp_path / "a.c").write_text(HELD)
    assert run_g2o(["verify", str(tmp_path / "a.c")]) == 0, capsys.readouterr().err
    assert capsys.readouterr().out.count("random directions        agrees") == 5


def _check_changed(
    text: str, right: str, wrong: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> int:
    """The exit code where `right` stands as `wrong` in derivatives."""
    function = text.rpartition("#pragma")[2]

    def translate(
        path: Path, options: TranslateOptions, shown_as: str, *, apart: bool = False
    ) -> openmp_c.CTranslation:
        made = openmp_c.translate_c(path, options, shown_as, apart=apart)
        head, name, tail = made.code.partition("// Adjoint of")
        assert right in tail, tail
        return replace(made, code=head + name + tail.replace(right, wrong))

    monkeypatch.setattr(verify_c, "translate_c", translate)
    (folder / "a.c").write_text(text)
    assert function
    return run_g2o(["verify", str(folder / "a.c")])


def test_variables_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text(OF_FILE)
    assert run_g2o(["verify", str(tmp_path / "a.c")]) == 0, capsys.readouterr().err
    assert capsys.readouterr().out.count(" agrees") == len(CHECKS)


@pytest.mark.parametrize(
    ("right", "wrong", "check"),
    [
        ("calls++", "calls", "results of the adjoint"),
        ("counts[2] += cells", "counts[1] += cells", "results of the tangent"),
        ("* *d_dt", "* 0.5 * *d_dt", "tangent = differences"),
        ("d_growth[i] +=", "d_growth[i] -=", "adjoint = tangent"),
    ],
)
def test_wrong_variables_of_the_file(
    right: str,
    wrong: str,
    check: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert _check_changed(OF_FILE, right, wrong, tmp_path, monkeypatch) == 1
    assert f"file: {check}: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("double f(double a, void *p) { return p ? a : a * a; }", "'p' of 'f': a pointer to void"),
        (
            "typedef struct { double a; void (*call)(int); } S;\n"
            "double f(const S *s) { return s->a; }",
            "'s' of 'f': 'call' of 'S': a value of type",
        ),
        (
            "double f(double a) { static int count; count++; return a; }",
            "'count', which 'f' keeps between calls, is not checked",
        ),
        (
            "#include <stdio.h>\nstatic FILE *file;\n"
            'double f(double a) { if (a > 9) fprintf(file, "x"); return a; }',
            "make up a value of 'file' of 'f'",
        ),
        (
            "static double u[4], *p = u;\ndouble f(double a) { return a * p[1]; }",
            "'p' of the file leads to other memory of it: that is not checked",
        ),
        (
            "#include <stdlib.h>\ntypedef struct { int n; int *p; } S;\n"
            "double f(double a, S *s) { s->p = malloc(4); *s->p = s->n; return a * a; }",
            "a pointer leads to memory of the function's own afterwards: that is not checked",
        ),
        ("double *f(double *x) { x[0] *= 2; return x; }", "'f' returns is not checked"),
    ],
)
def test_what_nobody_can_make_up(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.c").write_text(f"{text}\ndouble right(double a) {{ return a * a; }}\n")
    assert run_g2o(["verify", "--grad", "f", "--grad", "right", str(tmp_path / "a.c")]) == 1
    out, err = capsys.readouterr()
    assert reason in err
    assert "right" in out
