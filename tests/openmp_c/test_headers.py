"""Functions that headers of the program define are differentiated as those of the file."""

import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_HEADER = """#ifndef PARTS_H
#define PARTS_H
#define CUBE(x) ((x) * (x) * (x))
#define SCALE 0.5
#define CLEAR(a, n) for (int k = 0; k < (n); ++k) (a)[k] = 0.0
extern double seen[2];
static double seen_here;
#pragma omp threadprivate(seen_here)
static inline double energy_of(double x) { return SCALE * CUBE(x); }
static inline void spread(int n, double *y, const double *x)
{
    CLEAR(y, n);
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        y[i] = x[i - 1] * x[i + 1];
}
#undef SCALE
#endif
"""
_FILE = """#include <math.h>
#define WIDTH 3.0
#include "parts.h"
#define SCALE 2.0

#pragma g2o grad (total, y)/(x, y)
#pragma g2o jvp (total, y)/(x, y)
double total(int n, const double *x, double *y)
{
    double sum = 0.0;
    spread(n, y, x);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i)
        sum += energy_of(y[i]) * WIDTH;
    return sum;
}
// g2o-verify: total(n = 9)
"""


def test_functions_of_headers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With loops of their own, and macros that mean something else behind them."""
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "parts.h").write_text(_HEADER)
    source = tmp_path / "a.c"
    source.write_text(_FILE)
    folder = ["-I", str(tmp_path / "include")]
    assert run_g2o(["translate", "-q", str(source), *folder]) == 0, capsys.readouterr().err
    for compiler in ("gcc", "clang-19"):
        command = [compiler, "-std=gnu11", "-fopenmp", "-Wall", "-Wextra", "-Werror", *folder]
        command += ["-Wno-unused-variable", "-c", "a.g2o.c", "-o", "a.o"]
        assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0, compiler
    assert run_g2o(["verify", "-q", str(source), *folder]) == 0, capsys.readouterr().err


def test_macros_with_several_meanings_in_headers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.h").write_text("static double one(double x) { return SCALE * x; }\n")
    text = '#define SCALE 2.0\n#include "one.h"\n#undef SCALE\n#define SCALE 3.0\n'
    text += "double f(double x) { return one(x) * SCALE; }\n"
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", "-q", "--grad", "f", str(tmp_path / "a.c")]) == 1
    assert "macro 'SCALE' with several meanings" in capsys.readouterr().err


def test_variables_of_threads_in_headers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A loop that uses one runs in one thread in the derivative."""
    header = "static double last;\n#pragma omp threadprivate(last)\n"
    (tmp_path / "last.h").write_text(header)
    text = """#include "last.h"
void f(int n, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        last = (double)i;
        y[i] = x[i] * last;
    }
}
"""
    (tmp_path / "a.c").write_text(text)
    asked = ["translate", "-q", "--grad", "f(y)/(x)", str(tmp_path / "a.c")]
    assert run_g2o(asked) == 0, capsys.readouterr().err
    _, _, written = (tmp_path / "a.g2o.c").read_text().partition("f_grad")
    assert "omp parallel for" not in written
