"""`g2o verify --grad`: what it checks, what it says, and how launches are given."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from g2o import pipeline
from g2o.cli import session
from g2o.frontend.cuda.project import Project
from tests.cli.conftest import G2o

SAXPY: Final = """
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
int main() { saxpy<<<4, 64>>>(0, 1.0f, nullptr, nullptr); }
"""
SCALE: Final = """
template <typename T> __global__ void scale(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}
"""
CHECKS: Final = [
    "results of the adjoint",
    "results of the tangent",
    "adjoint = tangent",
    "tangent = differences",
    "dot products",
    "random directions",
    "threads",
]


def test_a_right_gradient(g2o: G2o) -> None:
    Path("a.cu").write_text(SAXPY)
    done = g2o("verify", "a.cu", "--grad", "saxpy(y)/(x, a)")
    assert (done.exit_code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "a.cu: saxpy<<<4, 64>>>"
    assert lines[1:] == [f"  {check:<24} agrees" for check in CHECKS]
    assert [path.name for path in Path().iterdir()] == ["a.cu"]


def test_a_wrong_gradient(g2o: G2o, monkeypatch: pytest.MonkeyPatch) -> None:
    def translate(
        path: Path, options: pipeline.TranslateOptions, shown_as: str, project: Project
    ) -> pipeline.Translation:
        made = pipeline.translate_file(path, options, shown_as, project)
        head, name, adjoint = made.code.partition("void saxpy_grad")
        return replace(made, code=head + name + adjoint.replace("d_x[i] +=", "d_x[i] -=", 1))

    Path("a.cu").write_text(SAXPY)
    monkeypatch.setattr(session, "translate_file", translate)
    done = g2o("verify", "a.cu", "--grad")
    assert done.exit_code == 1
    assert "  adjoint = tangent        differs" in done.out
    assert "a.cu: error: saxpy<<<4, 64>>>: adjoint = tangent: d_" in done.err
    assert "[G2O0606]" in done.err


def test_launches_of_the_command_line_come_before_those_of_the_source(g2o: G2o) -> None:
    Path("a.cu").write_text(f"// g2o-verify: scale<float><<<2, 8>>>(n = 12)\n{SCALE}")
    done = g2o("verify", "a.cu", "--grad", "--threads", "1")
    assert done.out.startswith("a.cu: scale<float><<<2, 8>>>\n")
    given = "scale<double><<<(2), (4, 1)>>>(n = 7, x = [n : i], y = [n : -1 .. 1])"
    done = g2o("verify", "a.cu", "--grad", "--launch", given, "--threads", "1")
    assert done.out.startswith("a.cu: scale<double><<<(2), dim3(4, 1)>>>\n")
    assert (done.exit_code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        ("scale<float>(n = 1)", "expected `kernel<<<grid, block>>>(name = value, ...)`"),
        ("scale<float><<<1>>>(n = 1)", "expected grid and block between <<< and >>>"),
        ("scale<float><<<1, 2>>>(7)", "'7': expected `name = value`"),
        ("scale<float><<<1, 2>>>(x = [])", "how many elements?"),
        ("scale<float><<<1, 2>>>(m = 7)", "'scale' has no parameter 'm'"),
        ("other<<<1, 2>>>()", "'scale' is a template: say --launch 'scale<...><<<2, 32>>>()'"),
    ],
)
def test_launches_that_cannot_be_read(g2o: G2o, launch: str, message: str) -> None:
    Path("a.cu").write_text(SCALE)
    done = g2o("verify", "a.cu", "--grad", "--launch", launch)
    assert (done.exit_code, done.out) == (1, "")
    assert f"{message} [G2O0608]\n" in done.err


@pytest.mark.slow
def test_faults_of_the_launch(g2o: G2o) -> None:
    Path("a.cu").write_text(SCALE)
    words = ("verify", "a.cu", "--grad", "--diagnostics-format", "json", "--launch")
    done = g2o(*words, "scale<double><<<2, 32>>>(n = nothing)")
    (found,) = json.loads(done.out)["diagnostics"]
    assert found["code"] == "G2O0607"
    assert "does not build" in found["message"]
    done = g2o(*words, "scale<double><<<2, 32>>>(n = 64, x = nullptr)")
    (found,) = json.loads(done.out)["diagnostics"]
    assert found["code"] == "G2O0607"
    assert "are the buffers large enough?" in found["message"]


def test_what_has_no_gradient_is_shown_as_translate_shows_it(g2o: G2o) -> None:
    Path("a.cu").write_text('__global__ void k(float *x) { asm("nop;"); }\n')
    done = g2o("verify", "a.cu", "--grad")
    assert (done.exit_code, done.out) == (1, "")
    assert "a.cu:1:31: error: " in done.err


def test_derivatives_in_headers_are_said_to_be_unchecked(g2o: G2o) -> None:
    Path("k.cuh").write_text("#pragma once\n" + SAXPY[: SAXPY.index("int main")])
    Path("a.cu").write_text('#include "k.cuh"\nvoid f() { saxpy<<<4, 64>>>(0, 1.0f, 0, 0); }\n')
    done = g2o("verify", "a.cu", "--grad")
    assert done.exit_code == 1
    assert "k.cuh: error: derivatives in a header are not checked: 'saxpy' [G2O0607]" in done.err


@pytest.mark.slow
def test_error_estimates(g2o: G2o) -> None:
    Path("a.cu").write_text(SAXPY)
    asked = ("verify", "a.cu", "--estimate-error", "saxpy(y)/(x, a, y)", "--accuracy", "1e-6")
    done = g2o(*asked, "--report", "e.html")
    assert (done.exit_code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "rounding errors of the results of saxpy, to first order"
    places = [tuple(line.split()[:3]) for line in lines[2:7]]
    assert places == [
        ("a", "parameter", "given"),
        ("x", "parameter", "given"),
        ("y", "parameter", "given"),
        ("y", "a.cu:6", "inside"),
        ("y", "a.cu:6", "computed"),
    ]
    assert lines[9].endswith(
        "these may be float: a x y (at most " + lines[7].split()[5].rstrip(",") + ")"
    )
    assert "<td>a.cu:6<td>computed" in Path("e.html").read_text()
    done = g2o(*asked, "--diagnostics-format", "json")
    (report,) = json.loads(done.out)
    assert report["may_be_float"] == ["a", "x", "y"]
    assert g2o("verify", "a.cu", "--grad", "--estimate-error").exit_code == 2


@pytest.mark.slow
def test_host_code_that_calls_other_files(g2o: G2o) -> None:
    """No check gets there."""
    Path("a.cu").write_text(
        f"void read(float *x, int n);\n{SAXPY}void f(float *x) {{ read(x, 2); }}"
    )
    done = g2o("verify", "a.cu", "--grad", "saxpy(y)/(x, a)")
    assert (done.exit_code, done.err, done.out.count("agrees")) == (0, "", len(CHECKS))
