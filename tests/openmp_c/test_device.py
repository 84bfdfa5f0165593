"""Derivatives of loops that a device runs do so, too, with memory of its own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest

from g2o.cli.main import run as run_g2o
from tests.offload.device import X86_DEVICE, needs_clang
from tests.openmp_c.device import DEVICE, DEVICE_HELPERS
from tests.openmp_c.test_functions import driver, program

_FLAGS: Final = ("-std=gnu11", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror")
_TOOLCHAINS: Final = [
    pytest.param(("gcc", "-foffload=disable"), id="host"),
    pytest.param(
        ("clang-19", "-fopenmp-targets=x86_64-pc-linux-gnu"), id="device", marks=needs_clang
    ),
]
_LOOP: Final = """#include <math.h>
#define N 30
#pragma omp declare target
static double half(double z) { return 0.5 * z; }
#pragma omp end declare target
void adjoint(int n, double a, const double *x, double *v, double *d_x, double *d_v)
{
#pragma omp target teams distribute parallel for num_teams(3) map(to : x[0 : n]) \\
    map(tofrom : v[0 : n]) g2o(reverse, shadow(x : d_x, v : d_v))
    for (int i = 1; i < n - 1; ++i)
        v[i] = a * half(x[i]) * sin(x[i + 1]);
}
void tangent(int n, double a, const double *x, double *v, double *d_x, double *d_v)
{
#pragma omp target teams distribute parallel for map(to : x[0 : n]) map(tofrom : v[0 : n]) \\
    g2o(forward, shadow(x : d_x, v : d_v))
    for (int i = 1; i < n - 1; ++i)
        v[i] = a * half(x[i]) * sin(x[i + 1]);
}
"""
_MAIN: Final = """#include "loop.g2o.c"
int main(void)
{
    double x[N], v[N], t[N], d_v[N], d_x[N] = {0}, seed[N], left = 0.0, right = 0.0;
    for (int i = 0; i < N; ++i) {
        x[i] = 0.1 * i, t[i] = 1.0 / (1 + i), v[i] = d_v[i] = 0.0;
        seed[i] = i > 0 && i < N - 1 ? 2.0 - 0.1 * i : 0.0;
    }
    double moved[N];
    for (int i = 0; i < N; ++i)
        moved[i] = t[i];
    tangent(N, 1.5, x, v, moved, d_v);
    for (int i = 0; i < N; ++i)
        left += seed[i] * d_v[i];
    adjoint(N, 1.5, x, v, d_x, seed);
    for (int i = 0; i < N; ++i)
        right += d_x[i] * t[i];
    return !(fabs(left) > 0.1 && fabs(left - right) < 1e-12);
}
"""


def _built_and_run(folder: Path, toolchain: tuple[str, ...]) -> str:
    compiler, *flags = toolchain
    target = folder / "driver"
    command = [compiler, *_FLAGS, *flags, "-Wno-unused-function", str(folder / "driver.c")]
    command += ["-o", str(target), "-lm"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    if compiler != "gcc":
        environment |= {"OMP_TARGET_OFFLOAD": "MANDATORY", "LIBOMPTARGET_INFO": "0"}
        environment["LD_LIBRARY_PATH"] = X86_DEVICE.library_path
    done = subprocess.run(
        [str(target)], capture_output=True, text=True, env=environment, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("toolchain", _TOOLCHAINS)
def test_derivatives_of_functions(toolchain: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "functions.c").write_text(program(DEVICE, DEVICE_HELPERS))
    assert run_g2o(["translate", "-q", str(tmp_path / "functions.c")]) == 0
    written = (tmp_path / "functions.g2o.c").read_text()
    parts = written.split("// Adjoint of ")[1:]
    assert len(parts) == len(DEVICE)
    assert all(part.count("#pragma omp target") >= 2 for part in parts)
    (tmp_path / "driver.c").write_text(driver(DEVICE, "functions.g2o.c"))
    assert _built_and_run(tmp_path, toolchain).count(" ok ") == len(DEVICE)


@pytest.mark.parametrize("toolchain", _TOOLCHAINS)
def test_derivatives_of_loops(toolchain: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "loop.c").write_text(_LOOP)
    assert run_g2o(["translate", "-q", str(tmp_path / "loop.c")]) == 0
    assert (tmp_path / "loop.g2o.c").read_text().count("#pragma omp target") == 3
    (tmp_path / "driver.c").write_text(_MAIN)
    _built_and_run(tmp_path, toolchain)


def test_memory_stays_on_the_device(tmp_path: Path) -> None:
    """One region with values and shadows around both sweeps, no maps in the loops inside."""
    (tmp_path / "a.c").write_text(program({"data": DEVICE["target_data"]}, ""))
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    _, _, adjoint = (tmp_path / "a.g2o.c").read_text().partition("// Adjoint of ")
    adjoint = adjoint[: adjoint.index("\n}\n")]
    region = "target data map(tofrom: x[0 : n], y[0 : n], d_x[0 : n], d_y[0 : n])"
    assert region in adjoint
    assert "x[0 : n]" not in adjoint.replace(region, "")


def test_maps_follow_what_loops_do(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(program({"one": DEVICE["target_beside_host"]}, ""))
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    written = (tmp_path / "a.g2o.c").read_text()
    _, _, adjoint = written.partition("// Adjoint of ")
    assert "target data" not in adjoint
    text = " ".join(adjoint.replace("\\\n", " ").split())
    assert "map(to: x[0 : n]) map(tofrom: y[0 : n]) map(from: kept_x2[0 : count]) for" in text
    assert "map(tofrom: d_x[0 : n], d_y[0 : n]) map(to: kept_x2_3[0 : count2]) for" in text


_HEAD: Final = "#pragma omp target teams distribute parallel for"
_FOR: Final = "for (int i = 0; i < n; ++i)"
REFUSED: Final = {
    "update": ("#pragma omp target update to(x[0 : n])\nx[0] *= 2.0;", "`omp target update`"),
    "enter": (
        "#pragma omp target enter data map(to : x[0 : n])\nx[0] *= 2.0;",
        "`omp target enter data`",
    ),
    "simd": (
        f"#pragma omp target simd map(tofrom : x[0 : n])\n{_FOR} x[i] *= 2.0;",
        "`omp target simd`",
    ),
    "serial": ("#pragma omp target map(tofrom : x[0 : n])\nx[0] = sin(x[1]);", "more than loops"),
    "beside": (
        f"#pragma omp target map(tofrom : x[0 : n])\n{{\nx[0] = 2.0;\n#pragma omp parallel for\n"
        f"{_FOR} x[i] *= x[i];\n}}",
        "more than loops",
    ),
    "last": (
        f"double t = 0.0;\n{_HEAD} lastprivate(t) map(tofrom : x[0 : n])\n"
        f"{_FOR} {{ t = x[i]; x[i] = t * t; }}\nx[0] *= t;",
        "one iteration after the other",
    ),
    "product": (
        f"double t = 1.0;\n{_HEAD} reduction(* : t) map(to : x[0 : n]) map(tofrom : t)\n"
        f"{_FOR} t *= x[i];\nx[0] = t;",
        "one iteration after the other",
    ),
    "tape": (
        f"{_HEAD} map(tofrom : x[0 : n])\n{_FOR} while (x[i] > 1.0) x[i] = sin(x[i]);",
        "keeps a number of values",
    ),
    "member": (
        f"struct {{ double *p; }} s = {{x}};\n{_HEAD} map(tofrom : s.p[0 : n])\n"
        f"{_FOR} s.p[i] *= s.p[i];",
        "'s.p[0 : n]' in `map`",
    ),
    "section": (
        f"int m = n;\nm /= 2;\n{_HEAD} map(tofrom : x[0 : m])\n"
        "for (int i = 0; i < n / 2; ++i) x[i] *= x[i];",
        "'m' in `map(tofrom : x[0 : m])`",
    ),
    "pointers": (
        f"double y[n], *now = x, *then = y;\nfor (int t = 0; t < 3; ++t) {{\n{_HEAD} "
        f"map(to : now[0 : n]) map(tofrom : then[0 : n])\n{_FOR} then[i] = now[i] * now[0];\n"
        "double *old = now;\nnow = then;\nthen = old;\n}",
        "which maps another name of it",
    ),
    "depend": (
        f"{_HEAD} depend(inout : x) map(tofrom : x[0 : n])\n{_FOR} x[i] *= x[i];",
        "clause `depend`",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body, message = REFUSED[name]
    text = f"#include <math.h>\nvoid f(int n, double *x)\n{{\n{body}\n}}\n"
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", "-q", "--grad", "f", str(tmp_path / "a.c")]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "a.g2o.c").exists()


def test_example_of_the_page(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "openmp.md").read_text("utf-8")
    _, _, section = page.partition("## Devices")
    example, _, _ = section.partition("```c\n")[2].partition("```")
    (tmp_path / "a.c").write_text(example)
    assert run_g2o(["translate", "-q", "--grad", "energy", str(tmp_path / "a.c")]) == 0
    _, _, adjoint = (tmp_path / "a.g2o.c").read_text().partition("// Adjoint of ")
    assert adjoint.count("#pragma omp target data") == 1
    assert adjoint.count("#pragma omp target teams distribute parallel for") == 4
