"""Races in global memory are told of, in kernels without shared memory, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

_KERNEL = """
__global__ void k(float *row, const float *x, float *y, int *flag, int n)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    %s
}

void launch(float *row, const float *x, float *y, int *flag, int n)
{
    k<<<n / 128, 128>>>(row, x, y, flag, n);
}
"""

_RACES = {
    "a row that all write and each sums": """
        row[t] = x[t];
        float sum = 0.0f;
        for (int j = 0; j < 128; ++j) sum += row[j];
        y[t] = sum;""",
    "the neighbour's element, which that changes": "if (i < n - 1) row[i] = row[i + 1] * 0.5f;",
    "two threads of one element": "y[t / 2] = x[t];",
    "a sum without atomics": "y[0] += x[t];",
    "a counter without atomics": "flag[0] = flag[0] + 1;",
}

_NONE = {
    "own elements": "y[i] = x[i] + row[i]; row[i] = y[i];",
    "the first thread": "if (t == 0) y[blockIdx.x] = x[blockIdx.x];",
    "all store one value": "if (x[i] > 0.0f) *flag = 1;",
    "atomic sums": "atomicAdd(&y[0], x[t]);",
    "own rows": "for (int j = 0; j < n; ++j) row[i * n + j] = row[i * n + j] * 2.0f;",
    "own columns": "for (int j = 0; j < n; ++j) row[j * 128 + t] += x[j];",
    "places from memory, which nothing is known of": "y[flag[i]] = x[i];",
    "ends that a thread swaps": """
        if (t < 64) {
            float v = y[t];
            y[t] = y[127 - t];
            y[127 - t] = v;
        }""",
    "a barrier between": "row[t] = x[t]; __syncthreads(); y[t] = row[127 - t];",
}


def _races(body: str, path: Path) -> int:
    source = path / "k.cu"
    source.write_text(_KERNEL % body)
    project = Project.alone(source, (), source.with_suffix(".omp.cpp"))
    made = translate_file(source, TranslateOptions(), "k.cu", project)
    assert made.ok, made.diagnostics
    return sum(one.code == "G2O0308" for one in made.diagnostics)


@pytest.mark.parametrize("name", _RACES)
def test_a_race_is_told(name: str, tmp_path: Path) -> None:
    assert _races(_RACES[name], tmp_path) >= 1


@pytest.mark.parametrize("name", _NONE)
def test_nobody_is_accused_without(name: str, tmp_path: Path) -> None:
    assert _races(_NONE[name], tmp_path) == 0


_BLOCKS = """
__global__ void k(int *d, int n, int kb)
{
    if (blockIdx.x == kb) return;
    int i = threadIdx.y, j = threadIdx.x;
    int o = blockIdx.y == 0 ? (kb * 8 + i) * n + blockIdx.x * 8 + j
                            : (blockIdx.x * 8 + i) * n + kb * 8 + j;
    d[o] += 1;
}
void launch(int *d, int n, int kb) { k<<<dim3(n / 8, 2), dim3(8, 8)>>>(d, n, kb); }
"""


def test_products_have_factors(tmp_path: Path) -> None:
    """No `n` makes `n * kb` and `n * i` what a witness would need, though nothing asks for `n`."""
    source = tmp_path / "k.cu"
    source.write_text(_BLOCKS)
    project = Project.alone(source, (), source.with_suffix(".omp.cpp"))
    assert translate_file(source, TranslateOptions(), "k.cu", project).diagnostics == ()
