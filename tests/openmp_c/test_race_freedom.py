"""That a loop has no races tells its adjoint which additions two iterations cannot share."""

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_ROWS = """void f(int nx, int ny, int pad, double *u)
{
#pragma omp parallel for
    for (int i = pad; i < ny - pad; ++i)
        for (int j = pad; j < nx - pad; ++j)
            u[i * nx + j] *= u[i * nx + j];
}
"""
_SHARED = """void f(int nx, int ny, int pad, double *u, double *v)
{
#pragma omp parallel for
    for (int i = pad; i < ny - pad; ++i)
        for (int j = pad; j < nx - pad; ++j)
            v[i * nx + j] = u[i * nx + j] * u[i * nx + j - 1];
}
"""


_ONE_VALUE = """void f(int n, const int *k, const double *w, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        y[k[i]] = w[k[i]];
}
"""


def _adjoint(text: str, folder: Path) -> str:
    (folder / "a.c").write_text(text)
    assert run_g2o(["translate", "-q", "--grad", "f", str(folder / "a.c")]) == 0
    return (folder / "a.g2o.c").read_text().partition("f_grad")[2]


def test_what_only_one_iteration_writes_only_one_adds_to(tmp_path: Path) -> None:
    written = _adjoint(_ROWS, tmp_path)
    assert "omp parallel for" in written
    assert "omp atomic" not in written


@pytest.mark.parametrize("pad", ["pad", "0"])
def test_what_several_read_several_may_add_to(pad: str, tmp_path: Path) -> None:
    written = _adjoint(_SHARED.replace("pad;", f"{pad};"), tmp_path)
    assert written.count("omp atomic") == 2


def test_one_value_may_be_stored_twice(tmp_path: Path) -> None:
    """Iterations that do take a seed once, and add to what others add to."""
    written = _adjoint(_ONE_VALUE, tmp_path)
    assert "omp atomic capture" in written
    assert written.count("omp atomic\n") == 1
