"""Sums in any order: which loops may have them, and that they stay right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

PROGRAM = Path(__file__).parent / "associative.cu"
COMBINED = Path(__file__).parent / "combined_rows.cu"
WARPS = Path(__file__).parent / "warps_of_rows.cu"
BY_ONE_WARP = Path(__file__).parent / "totals_of_one_warp.cu"

_SUM = """
__device__ float total(const float *x, int n)
{
    float sum = 0.0f;
    for (int j = 0; j < n; ++j)
        sum += x[j];
    return sum;
}
"""
_LAUNCH = "void run(float *x, float *y, int n) { k<<<n / 64, 64>>>(x, y, n); }\n"
_KERNEL = """
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    BODY
}
"""


def translated(tmp_path: Path, functions: str, body: str, associative: bool = True) -> str:
    path = tmp_path / "x.cu"
    path.write_text(functions + _KERNEL.replace("BODY", body) + _LAUNCH)
    project = Project.alone(path, (), tmp_path / "x.omp.cpp")
    options = TranslateOptions(associative_math=associative)
    result = translate_file(path, options, "x.cu", project)
    assert result.ok, result.diagnostics
    return result.code


def test_threads_share_a_sum_that_is_computed_alone(tmp_path: Path) -> None:
    code = translated(tmp_path, _SUM, "if (i < n) y[i] = x[i] / total(x, n);")
    assert "#pragma omp parallel for simd reduction(+ : sum)\n    for (int j = 0" in code
    assert "--associative-math" in code.splitlines()[0]


def test_nothing_changes_unless_asked(tmp_path: Path) -> None:
    code = translated(tmp_path, _SUM, "if (i < n) y[i] = x[i] / total(x, n);", associative=False)
    assert "reduction" not in code


def test_what_compilers_may_evaluate_has_no_directives(tmp_path: Path) -> None:
    function = _SUM.replace("__device__", "__host__ __device__ constexpr")
    assert "reduction" not in translated(tmp_path, function, "y[i] = x[i] / total(x, n);")


@pytest.mark.parametrize(
    "body",
    [
        "if (i < n) y[i] = total(x + i, n - i);",
        "if (i < n) y[i] = total(x, n) + total(x, i);",
    ],
)
def test_what_threads_compute_has_vectors_only(tmp_path: Path, body: str) -> None:
    code = translated(tmp_path, _SUM, body)
    assert "#pragma omp simd reduction(+ : sum)\n    for (int j = 0" in code
    assert "parallel for simd reduction" not in code


def test_a_function_that_another_one_calls(tmp_path: Path) -> None:
    functions = _SUM + "__device__ float half(const float *x, int n) { return total(x, n) / 2; }\n"
    code = translated(tmp_path, functions, "if (i < n) y[i] = total(x, n) * half(x, i);")
    assert "parallel for simd reduction" not in code


@pytest.mark.parametrize("target", ["offload", "portable"])
def test_devices_have_no_vectors(tmp_path: Path, target: str) -> None:
    path = tmp_path / "x.cu"
    body = "if (i < n) y[i] = x[i] / total(x, n);"
    path.write_text(_SUM + _KERNEL.replace("BODY", body) + _LAUNCH)
    project = Project.alone(path, (), tmp_path / "x.omp.cpp")
    options = TranslateOptions(target=target, associative_math=True)
    result = translate_file(path, options, "x.cu", project)
    assert result.ok, result.diagnostics
    assert "reduction" not in result.code


def test_a_loop_of_a_kernel(tmp_path: Path) -> None:
    body = """
    if (i >= n)
        return;
    float dot = 0.0f;
    for (int j = 0; j < n; ++j)
        dot += x[i * n + j] * x[j];
    y[i] = dot;"""
    assert "#pragma omp simd reduction(+ : dot)" in translated(tmp_path, "", body)


@pytest.mark.parametrize(
    "loop",
    [
        "for (int j = 0; j < n; ++j) { sum += x[j]; if (sum > 9) break; }",
        "for (int j = 0; j < n; ++j) { sum += x[j]; y[j] = 1; }",
        "for (int j = 0; j < n; ++j) { sum += x[j]; last = x[j]; }",
        "for (int j = 0; j < n; ++j) sum += x[j] * sum;",
        "for (int j = 0; j < n; ++j) sum += (last += x[j]);",
        "for (int j = 0; j < n; j += 2) { sum += x[j]; ++j; }",
        "for (int j = 0; j < 4; ++j) count += j;",
    ],
)
def test_loops_that_do_more_than_add_up(tmp_path: Path, loop: str) -> None:
    functions = (
        "__device__ float f(const float *x, float *y, int n)\n"
        "{\n    float sum = 0, last = 0;\n    int count = 0;\n"
        f"    {loop}\n    return sum + last + count;\n}}\n"
    )
    assert "reduction" not in translated(tmp_path, functions, "if (i < n) y[i] = f(x, y + i, n);")


def test_sums_stay_right(capsys: pytest.CaptureFixture[str]) -> None:
    code = run_g2o(["verify", "--associative-math", str(PROGRAM)])
    shown = capsys.readouterr()
    assert code == 0, shown.out + shown.err
    assert shown.out.count("agrees: ") == 3


def test_what_groups_of_threads_combine(
    tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    """Of shuffles and shared parts nothing is left, of adjoints neither tapes nor atomics."""
    for source in (COMBINED, BY_ONE_WARP, WARPS):
        project = Project.alone(source, (), tmp_path / "x.omp.cpp")
        options = TranslateOptions(associative_math=True)
        result = translate_file(source, options, source.name, project)
        assert result.ok, result.diagnostics
        golden(source.with_suffix(".omp.cpp"), result.code.split("\n", 2)[2])


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["--associative-math", str(COMBINED)], id="rows", marks=pytest.mark.slow),
        pytest.param(["--associative-math", str(BY_ONE_WARP)], id="one warp"),
        pytest.param([str(COMBINED.with_name("extremes_of_groups.cu"))], id="extremes"),
        pytest.param(["--associative-math", str(WARPS)], id="warps"),
    ],
)
def test_derivatives_of_what_groups_combine(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = run_g2o(["verify", "--grad", *words])
    shown = capsys.readouterr()
    assert code == 0, shown.out + shown.err


RELATIVE = Path(__file__).parent / "relative_sums.cu"


def test_sums_that_are_relative_to_a_running_maximum(
    tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    """Loops over a row, one for the maximum and one for the sum, whoever combined them."""
    project = Project.alone(RELATIVE, (), tmp_path / "x.omp.cpp")
    options = TranslateOptions(associative_math=True)
    result = translate_file(RELATIVE, options, RELATIVE.name, project)
    assert result.ok, result.diagnostics
    golden(RELATIVE.with_suffix(".omp.cpp"), result.code.split("\n", 2)[2])


@pytest.mark.parametrize("name", ["relative_sums", "relative_traps"])
def test_relative_sums_stay_right(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run_g2o(["verify", "--associative-math", str(RELATIVE.with_name(f"{name}.cu"))])
    shown = capsys.readouterr()
    assert code == 0, shown.out + shown.err
    assert shown.out.count("agrees: ") == 3


@pytest.mark.parametrize(
    "launch",
    [
        "once<<<3, 128>>>(x = [3 * n], y = [3 * n], n = 150)",
        *(
            pytest.param(launch, marks=pytest.mark.slow)
            for launch in (
                "chunks<<<2, 32>>>(x = [64 * n], w = [n], y = [64], n = 12)",
                "block_rows<<<3, 256>>>(x = [3 * n], y = [3 * n], n = 300)",
                "down<<<3, 32>>>(x = [3 * n], y = [3 * n], n = 70)",
                "twice<<<2, 32>>>(x = [64 * n], z = [64], y = [64], n = 9)",
                "grid_rows<<<2, 128>>>(x = [rows * n], y = [rows * n], rows = 5, n = 150)",
                "tempered<<<2, 256>>>(y = [rows * n], cold = 0.7, x = [rows * n], rows = 9, n = 9)",
            )
        ),
    ],
)
def test_derivatives_of_relative_sums(launch: str, capsys: pytest.CaptureFixture[str]) -> None:
    kernel = launch.partition("<<<")[0]
    words = ["verify", "--associative-math", "--grad", kernel, "--launch", launch]
    code = run_g2o([*words, str(RELATIVE)])
    shown = capsys.readouterr()
    assert code == 0, shown.out + shown.err
