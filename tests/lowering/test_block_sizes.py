"""Block sizes that launches spell by template arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

KERNEL = """
template <typename T, int N> __global__ void k(T *x)
{
    __shared__ T s[N];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[N - 1 - threadIdx.x];
}
"""


def translated(tmp_path: Path, text: str) -> str:
    path = tmp_path / "x.cu"
    path.write_text(text)
    output = tmp_path / "x.omp.cpp"
    result = translate_file(path, TranslateOptions(), "x.cu", Project.alone(path, (), output))
    assert result.ok, result.diagnostics
    return result.code


@pytest.mark.parametrize(
    "launch",
    [
        "template <int B> void f(int *x) { k<int, B><<<1, B>>>(x); }",
        "template <int B> void f(int *x) { dim3 b(B, 1); k<int, B><<<1, b>>>(x); }",
        "void f(int *x) { k<int, 8><<<1, 8>>>(x); k<int, 16><<<1, 16>>>(x); }",
    ],
)
def test_the_kernels_own_parameter(tmp_path: Path, launch: str) -> None:
    code = translated(tmp_path, KERNEL + launch)
    assert "block.x == N" in code
    assert code.count("for (int t = 0; t < N; ++t)") == 2


@pytest.mark.parametrize(
    "launch",
    [
        "template <int B> void f(int *x) { k<int, 2 * B><<<1, B>>>(x); }",
        "template <int B> void f(int *x) { k<int, B><<<1, B>>>(x); k<int, 16><<<1, 8>>>(x); }",
        "void f(int *x) { k<int, 8><<<1, 8>>>(x); k<int, 16><<<1, 8 * 2>>>(x); }",
    ],
)
def test_other_sizes(tmp_path: Path, launch: str) -> None:
    assert "block.x == N" not in translated(tmp_path, KERNEL + launch)


def test_definitions_that_name_their_parameters_differently(tmp_path: Path) -> None:
    special = "template <> __global__ void k<int, 8>(int *x) { x[threadIdx.x] = 1; }\n"
    launch = "void f(int *x) { k<int, 8><<<1, 8>>>(x); k<int, 16><<<1, 16>>>(x); }"
    code = translated(tmp_path, KERNEL + special + launch)
    assert "block.x == N" not in code


def test_a_parameter_hides_a_constant(tmp_path: Path) -> None:
    launch = "void f(int *x) { k<int, 16><<<1, N>>>(x); }"
    assert "block.x == N" not in translated(tmp_path, "const int N = 8;" + KERNEL + launch)
