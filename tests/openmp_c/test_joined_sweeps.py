"""The last loop of a function and its adjoint are one where both work out the same."""

import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_HEAD = "#include <math.h>\n#pragma g2o grad\n#pragma g2o jvp\n"
_PAIRS = (
    _HEAD
    + """double f(int n, const double *x, const double *mass, double *force)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int j = 0; j < n; ++j) {
            double d = x[j] - x[i], r = sqrt(1.0 + d * d);
            sum -= mass[j] / (r * r * r) * d;
        }
        force[i] = sum;
        e += sum * sum;
    }
    return 0.5 * e;
}
// g2o-verify: f(n = 300)
"""
)
_OWN = (
    _HEAD
    + """double f(int n, double a, double *x, double *y, double *z)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 1; i < n - 1; ++i) {
        const double w = exp(a * x[i]);
        y[i] = w * x[i + 1] / (2.0 + y[i]);
        e += w * y[i] * z[2 * i];
    }
    return sin(e);
}
// g2o-verify: f(n = 9)
"""
)
_LEFT = (
    _HEAD
    + """double f(int n, double *x, double *y)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < n; ++i) {
        const double w = exp(x[i]);
        if (w < 2.5)
            continue;
        e += w * w * y[i];
    }
    return e;
}
// g2o-verify: f(n = 9)
"""
)
_KEPT = (
    _HEAD
    + """double f(int n, double *x, double *y)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < n; ++i) {
        const double w = tanh(x[i] * y[i]);
        y[i] = y[i] * y[i] * x[i];
        e += w * y[i];
        x[i] *= 2.0 * y[i];
    }
    return e;
}
// g2o-verify: f(n = 9)
"""
)
_APART = {
    "overwrites elements at times": """double f(int n, double *x, double *y)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < n; ++i) {
        const double w = exp(x[i]);
        if (x[i] > 1.0)
            y[i] = w;
        e += w * y[i];
    }
    return e;
}
""",
    "the result is used in front": """double f(int n, double *x, double *y)
{
    double e = 0.0;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < n; ++i)
        e += exp(x[i]);
    return e * e;
}
""",
}


def _translated(text: str, folder: Path) -> str:
    (folder / "a.c").write_text(text)
    assert run_g2o(["translate", "-q", str(folder / "a.c")]) == 0
    return (folder / "a.g2o.c").read_text().partition("f_grad")[2].partition("f_jvp")[0]


def _right(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for compiler in ("gcc", "clang-19"):
        command = [compiler, "-std=gnu11", "-fopenmp", "-Wall", "-Wextra", "-Werror"]
        command += ["-Wno-unused-parameter", "-c", "a.g2o.c", "-o", "a.o"]
        assert subprocess.run(command, cwd=folder, check=False).returncode == 0, compiler
    assert run_g2o(["verify", "-q", str(folder / "a.c")]) == 0, capsys.readouterr().err


def test_pairs_are_worked_out_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And sums in an order stay in it, beside vectors that know none."""
    written = _translated(_PAIRS.replace("e += sum * sum;", "e += x[i] * x[i];"), tmp_path)
    assert written.count("sqrt(") == 1
    assert "#pragma omp simd reduction" in written
    assert "sum -= terms_sum[j - first];" in written
    _right(tmp_path, capsys)


def test_seeds_that_loops_make_keep_them_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is behind the inner loop decides on the seed of what that adds up."""
    written = _translated(_PAIRS, tmp_path)
    assert written.count("sqrt(") == 2
    _right(tmp_path, capsys)


@pytest.mark.parametrize("text", [_OWN, _LEFT], ids=["own elements", "left early"])
def test_other_loops(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _translated(text, tmp_path)
    _right(tmp_path, capsys)


def test_what_is_kept_is_a_variable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = _translated(_KEPT, tmp_path)
    assert "g2o_keep" not in written
    assert "g2o_stack" not in written
    assert written.count("for (") == 1
    _right(tmp_path, capsys)


@pytest.mark.parametrize("what", _APART)
def test_what_stays_apart(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = _HEAD + _APART[what] + "// g2o-verify: f(n = 9)\n"
    written = _translated(text, tmp_path)
    assert written.count("exp(") == 2
    _right(tmp_path, capsys)
