"""Races of iterations: planted ones are all found, at their lines; other loops are not accused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from g2o.cli.main import run as run_g2o
from tests.openmp_c.functions import FUNCTIONS, QUICK
from tests.openmp_c.test_functions import program

PLANTED: Final = """
void before(int n, double *x)
{
#pragma omp parallel for
    for (int i = 1; i < n; ++i)
        x[i] = x[i - 1]; // x: i = 2 meets i = 1
}
void shared_variable(int n, const double *x, double *y)
{
    double t;
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        t = x[i]; // t: i = 1 meets i = 0
        y[i] = t * t;
    }
}
void shared_counter(int n, const double *x, double *y)
{
    int j;
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        for (j = 0; j < 8; ++j) // j: i = 1 meets i = 0
            y[i * 8 + j] = x[i];
}
double sum(int n, const double *x)
{
    double s = 0;
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < n; ++i)
        s += x[i]; // s: i = 1 meets i = 0
    return s;
}
void far(double *y)
{
#pragma omp parallel for
    for (int i = 0; i < 1000; ++i)
        y[i] = y[i + 100]; // y: i = 0 meets i = 100
}
void neighbouring_rows(int n, int m, double (*a)[6])
{
#pragma omp parallel for
    for (int j = 1; j < n; ++j) {
        double *row = a[j], *before = a[j - 1];
        for (int i = 0; i < m; ++i)
            row[i] += before[i]; // a: j = 2 meets j = 1
    }
}
static double found;
void of_the_file(int n, const double *x)
{
#pragma omp parallel for
    for (int i = 2; i <= n; ++i)
        found = x[i]; // found: i = 3 meets i = 2
}
void both(int m, double (*u)[64])
{
#pragma omp parallel for collapse(2)
    for (int i = m; i < 50; ++i)
        for (int j = 1; j < 60; ++j)
            u[i][j] = u[i][j - 1]; // u: j = 2, iteration 1 of i meets j = 1, iteration 1 of i
}
void device(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
    for (int i = 0; i < n; ++i)
        x[i] = x[i + 1] + 1; // x: i = 0 meets i = 1
#pragma omp target teams map(tofrom : x[0 : n])
    {
#pragma omp distribute
        for (int i = 1; i < n; ++i)
            x[i] += x[i - 1]; // x: i = 2 meets i = 1
    }
}
void strides(int n, double *x, double *y)
{
#pragma omp parallel for
    for (unsigned i = 0; i < 96; i += 2)
        x[i] = x[i + 2]; // x: i = 0 meets i = 2
#pragma omp parallel for
    for (int i = 9; i != 0; i--)
        y[i] = y[i - 1]; // y: i = 9 meets i = 8
}
"""
FREE: Final = """
static double total, own;
#pragma omp threadprivate(own)
void locked(int n, double *x, omp_lock_t *lock)
{
#pragma omp parallel for copyin(own)
    for (int i = 0; i < n; ++i) {
        own = x[i];
        x[i] = own * own;
    }
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        omp_set_lock(lock);
        total += x[i];
        omp_unset_lock(lock);
    }
#pragma omp target teams num_teams(1) map(tofrom : x[0 : n])
#pragma omp distribute
    for (int i = 0; i < n; ++i)
        x[0] += x[i];
#pragma omp parallel for ordered
    for (int i = 1; i < n; ++i)
#pragma omp ordered
        x[i] += x[i - 1];
}
static double of_threads[2];
#pragma omp threadprivate(of_threads)
static double squared(double x)
{
    of_threads[0] = x;
    return of_threads[0] * x;
}
static double power(int k, double x)
{
    of_threads[1] = x;
    return k > 1 ? of_threads[1] * power(k - 1, x) : x;
}
void rows_by_pointers(int n, int m, double (*a)[6], double (*b)[4][6], double *y)
{
#pragma omp parallel for
    for (int j = 0; j < n; ++j) {
        double *row = a[j];
        for (int i = 1; i < m; ++i)
            row[i] *= row[i - 1];
    }
#pragma omp parallel for
    for (int j = 0; j < n; ++j) {
        double(*plane)[6] = b[j];
        for (int i = 1; i < m; ++i)
            for (int k = 0; k < 6; ++k)
                *(plane[i] + k) += plane[i - 1][k];
    }
#pragma omp parallel for
    for (int j = 0; j < n; ++j)
        y[j] = squared(y[j]) + power(3, y[j]);
}
double free_of_races(int n, const double *x, double *y, const int *k, int *seen)
{
    double t, s = 0, q[2] = {0, 0};
    int j, last = 0;
#pragma omp parallel for private(t, j) reduction(+ : s) lastprivate(last) reduction(+ : q[0 : 2])
    for (int i = 0; i < n; ++i) {
        t = x[i];
        for (j = 0; j < 3; ++j)
            t += j;
        y[i] = t * t;
        s += t;
        q[i % 2] += t;
        last = i;
    }
#pragma omp parallel private(t)
    {
        double z[3], w;
        int own = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < n; ++i) {
            z[0] = t = x[i];
            z[1] = own;
            w = z[0] * z[1];
            y[i] = w + t;
            *seen = 1;
        }
#pragma omp for collapse(2)
        for (int i = 0; i < n / 8; ++i)
            for (int j = 0; j < 7; ++j)
                y[7 * i + j] = j;
#pragma omp for
        for (int i = 0; i < n; ++i)
#pragma omp atomic
            total += x[i];
    }
    return s + last + q[0];
}
void may(int n, double *y, const int *k)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        y[k[i]] += 1; // remark
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        y[i] = y[i + 100]; // remark
#pragma omp parallel for
    for (unsigned i = 0; i < n; i += 2)
        y[i] = y[i + 1];
#pragma omp parallel for
    for (long i = n - 2; i >= 0; i -= 2)
        y[i] = y[i + 1];
#pragma omp parallel for
    for (int i = 0; i < n; i += 2) // remark
#pragma omp critical
        y[0] = y[i + 1];
}
"""


def _planted() -> list[tuple[int, str, str]]:
    marks = [one.partition("// ")[2] for one in PLANTED.splitlines()]
    found = enumerate(marks, start=1)
    return [
        (line, mark.partition(": ")[0], mark.partition(": ")[2]) for line, mark in found if mark
    ]


def test_planted_races(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text(PLANTED)
    assert run_g2o(["translate", "--diagnostics-format", "json", str(tmp_path / "a.c")]) == 0
    told = json.loads(capsys.readouterr().out)["diagnostics"]
    found = [
        (
            one["line"],
            one["message"].split("'")[1],
            one["notes"][0]["message"].partition(" is here: ")[2],
        )
        for one in told
        if one["code"] == "G2O0308"
    ]
    assert sorted(found) == _planted()


def test_loops_without_certain_races(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    functions = program({one: FUNCTIONS[one] for one in QUICK}).replace("#pragma g2o", "//")
    text = "#include <omp.h>\n" + functions + FREE
    Path("a.c").write_text(text)
    assert run_g2o(["analyze", "a.c", "--report", "a.html"]) == 0
    out, err = capsys.readouterr()
    assert "warning" not in err
    expected = [
        number for number, line in enumerate(text.splitlines(), start=1) if "// remark" in line
    ]
    remarks = [int(one.split(":")[1]) for one in out.splitlines() if "remark:" in one]
    assert sorted(one for one in remarks if one >= expected[0]) == expected
    assert "may race in" in Path("a.html").read_text()
