"""Shadows of structures: taken apart where that is right, and loops that add to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.interop.translate import checked, translate

_HEAD = """
struct Pair {
    double a, b;
};
__device__ double norm(const Pair *p) { return p->a * p->a + p->b * p->b; }
"""
_SUM = """
__global__ void k(const Pair *p, const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = m - 1; j >= 0; --j) {
        Pair one = p[INDEX];
        sum += one.a * x[i] * x[i] + one.b;
    }
    y[i] = sum * sum;
}
"""
_SCALED = """
__global__ void k(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair one = {x[i] * x[i], 2.0 * x[i]};
    y[i] = VALUE;
}
"""


def _adjoint(tmp_path: Path, text: str) -> str:
    source = tmp_path / "x.cu"
    source.write_text(_HEAD + text)
    return checked(translate(source, grad="k")).code.partition("void k_grad(")[2]


def test_members_stand_apart(tmp_path: Path) -> None:
    adjoint = _adjoint(tmp_path, _SCALED.replace("VALUE", "one.a * one.b"))
    assert "Pair d_one" not in adjoint
    assert "d_one.a" not in adjoint


def test_what_is_handed_on_whole_stays_whole(tmp_path: Path) -> None:
    adjoint = _adjoint(
        tmp_path,
        _SCALED.replace("VALUE", "one.a")
        .replace("y[i] =", "P other[2];\n other[i % 2] = one; y[i] = other[i % 2].b *")
        .replace("P other", "Pair other"),
    )
    assert "d_other[i % 2]" in adjoint


def test_sums_of_members_are_vectorised_upwards(tmp_path: Path) -> None:
    adjoint = _adjoint(tmp_path, _SUM.replace("INDEX", "j"))
    assert "#pragma omp simd" in adjoint
    assert "for (int j = 0; j < m; ++j)" in adjoint.partition("#pragma omp simd")[2]


@pytest.mark.parametrize("index", ["j / 2", "(j * j) % m"])
def test_sums_that_may_meet_are_not(tmp_path: Path, index: str) -> None:
    assert "omp simd reduction" not in _adjoint(tmp_path, _SUM.replace("INDEX", index))
