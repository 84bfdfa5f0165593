"""Structures that are looked at as others, whose members lie elsewhere."""

import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_FILE = """typedef struct { double a, b; } One;
typedef struct { double b, a; } Other;
typedef struct { int n; One *at; } Holder;
#pragma g2o grad (inside)/(x, h)
double inside(int n, const double *x, Holder *h)
{
    double sum = 0.0;
    Other *o = (Other *)h->at;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i)
        sum += o->a * x[i];
    return sum;
}
#pragma g2o grad (given)/(x, h)
double given(int n, const double *x, One *h)
{
    double sum = 0.0;
    const Other *o = (const Other *)h;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i)
        sum += o->a * x[i];
    return sum;
}
"""
_DRIVER = """#include "a.g2o.c"
int main(void)
{
    One one = {2.0, 3.0}, d = {0.0, 0.0};
    Holder h = {1, &one}, d_h = {1, &d};
    const double x[2] = {5.0, 7.0};
    double d_x[2] = {0.0, 0.0};
    int faults = inside_grad(2, x, &h, d_x, &d_h, 1.0) != 36.0;
    faults += d.a != 0.0 || d.b != 12.0 || d_x[0] != 3.0 || d_x[1] != 3.0;
    faults += given_grad(2, x, &one, d_x, &d, 1.0) != 36.0;
    faults += d.a != 0.0 || d.b != 24.0 || d_x[0] != 6.0 || d_x[1] != 6.0;
    return faults;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_members_are_those_of_the_other_structure(compiler: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(_FILE)
    (tmp_path / "driver.c").write_text(_DRIVER)
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    command = [compiler, "-std=gnu11", "-fopenmp", "-fno-strict-aliasing", "driver.c", "-o", "a"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert subprocess.run([str(tmp_path / "a")], check=False).returncode == 0
