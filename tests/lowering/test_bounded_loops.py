"""Guards inside loops over threads that become bounds, and those that must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file


def translated(tmp_path: Path, body: str, parameters: str = "float *x, int n") -> str:
    path = tmp_path / "x.cu"
    head = f"__global__ void k({parameters})\n{{\n    __shared__ float s[64];\n"
    head += "    int t = threadIdx.x, i = blockIdx.x * 64 + t;\n"
    arguments = "x, x + 256, n" if "*y" in parameters else "x, n"
    launch = f"}}\nvoid run(float *x, int n) {{ k<<<4, 64>>>({arguments}); }}\n"
    path.write_text(head + body + launch)
    output = tmp_path / "x.omp.cpp"
    result = translate_file(path, TranslateOptions(), "x.cu", Project.alone(path, (), output))
    assert result.ok, result.diagnostics
    return result.code


def test_a_guard_of_the_position(tmp_path: Path) -> None:
    code = translated(tmp_path, "s[t] = t; __syncthreads(); if (i < n) x[i] = s[63 - t];")
    assert "t < std::min(64, n - bx * 64)" in code
    assert "if (" not in code


def test_a_guard_without_signs(tmp_path: Path) -> None:
    guard = "if ((unsigned)i < (unsigned)n) x[i] = s[63 - t];"
    code = translated(tmp_path, f"s[t] = t; __syncthreads(); {guard}")
    assert "t < g2o::threads_below<unsigned>(n, bx * 64, 64)" in code
    assert "if (" not in code


def test_a_choice_between_a_load_and_something_else(tmp_path: Path) -> None:
    code = translated(tmp_path, "s[t] = i < n ? x[i] : 1.0f; __syncthreads(); x[i] = s[63 - t];")
    assert "const int inside = std::clamp<int>(n - bx * 64, 0, 64);" in code
    assert "for (int t = 0; t < inside; ++t)" in code
    assert "for (int t = inside; t < 64; ++t)" in code


@pytest.mark.parametrize(
    "guard",
    [
        "i < s[t]",  # read from memory
        "n - i < 4",  # falls with the thread
        "i % 2 < n",
        "i < n || t < 4",
        "(unsigned)(i - 5) < (unsigned)n",  # wraps around
    ],
)
def test_other_guards_stay(tmp_path: Path, guard: str) -> None:
    code = translated(tmp_path, f"s[t] = t; __syncthreads(); if ({guard}) x[i] = s[63 - t];")
    assert "if (" in code
    assert code.count("t < 64") == 2


def test_one_thread_of_a_warp(tmp_path: Path) -> None:
    body = """
    float v = x[i];
    v += __shfl_xor_sync(~0u, v, 16);
    if (t % 32 == 0) s[t / 32] = v;
    __syncthreads();
    x[i] = s[t / 32];"""
    code = translated(tmp_path, body)
    assert "if (" not in code


def test_a_guard_that_leaves_the_turn(tmp_path: Path) -> None:
    code = translated(tmp_path, "s[t] = t; __syncthreads(); if (i >= n) return; x[i] = s[63 - t];")
    assert "t < std::min(64, n - bx * 64)" in code
    assert "continue" not in code


def test_guarded_rows(tmp_path: Path) -> None:
    text = """
__global__ void k(float *x, const float *y, int w, int h)
{
    __shared__ float s[16][16];
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    for (int j = 0; j < 14; j += 4)
        if (c < w && r + j < h)
            s[threadIdx.y + j][threadIdx.x] = j * y[(r + j) * w + c];
    __syncthreads();
    x[r * w + c] = s[threadIdx.x][threadIdx.y];
}
void run(float *x, int n) { k<<<dim3(n, n), dim3(16, 4)>>>(x, x, n, n); }
"""
    path = tmp_path / "x.cu"
    path.write_text(text)
    project = Project.alone(path, (), tmp_path / "x.omp.cpp")
    result = translate_file(path, TranslateOptions(), "x.cu", project)
    assert result.ok, result.diagnostics
    before, _, loop = result.code.partition("for (int j = 0; j < 14; j += 4)")
    assert "int r = by * 16 + ty;" in before
    row = "#pragma omp simd for (int tx = 0; tx < std::min(16, w - bx * 16); ++tx)"
    assert f"if (r + j < h) {row}" in " ".join(loop.split())


def test_a_value_for_all_threads(tmp_path: Path) -> None:
    body = (
        "float p = y[blockIdx.x]; if (i < n) x[i] += p; if (i + 64 < n) x[i + 64] -= p; s[t] = p;"
    )
    code = translated(tmp_path, body, "float *x, const float *y, int n")
    assert "float p = y[bx];\n#pragma omp simd\n        for (int t = 0; t < std::min(64" in code
    assert "n - (bx * 64 + 64)" in code


_FIRST = """
    s[t] = t;
    __syncthreads();
    HEAD {
        if (t < h) { s[t] += s[t + h]; if (t == 0) x[blockIdx.x] = s[0]; }
        __syncthreads();
    }"""


def test_the_first_of_perhaps_no_threads(tmp_path: Path) -> None:
    head = "for (int h = n; h > -n; h /= 2)"
    text = translated(tmp_path, _FIRST.replace("HEAD", head), "float *x, int n")
    assert "if (h > 0)\n                x[bx] = s[0];" in text
    assert "t == 0" not in text


@pytest.mark.parametrize("head", ["for (int h = 32; h > 0; h /= 2)", "int h = n; if (h > 0)"])
def test_threads_of_which_there_are_some(head: str, tmp_path: Path) -> None:
    """What is asked for around them is known."""
    text = translated(tmp_path, _FIRST.replace("HEAD", head), "float *x, int n")
    assert "if (h > 0)\n                x[bx] = s[0];" not in text
    assert "t == 0" not in text


def test_threads_of_which_there_may_be_none_by_then(tmp_path: Path) -> None:
    """What is asked for in front of a change need not hold behind it."""
    body = _FIRST.replace("HEAD {", "int h = n; while (h > 0) { h -= 2; __syncthreads();")
    text = translated(tmp_path, body, "float *x, int n")
    assert "if (h > 0)\n                x[bx] = s[0];" in text
    assert "t == 0" not in text
