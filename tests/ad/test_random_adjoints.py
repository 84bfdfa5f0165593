"""Adjoints of random kernels are the transposes of their tangents, for 1, 2 and 4 threads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from g2o.diagnostics.diagnostic import Severity
from g2o.interop.translate import translate
from g2o.verify.build import BuildFailure
from g2o.verify.gradients import CheckBuild, build_driver, run_checks
from g2o.verify.gradients_driver import CheckedLaunch, CheckedTranslation, Effort
from g2o.verify.gradients_launch import Tolerances, read_requests
from g2o.verify.gradients_signature import read_kernels
from tests.ad.random_choices import random_choices
from tests.ad.random_kernels import random_program
from tests.ad.random_shapes import random_shapes

KERNELS = 20
"""Kernels of one program: starting the compiler takes longer than most of them."""

RUNTIME = Path(__file__).parents[2] / "g2o" / "runtime"
BUILD = CheckBuild(optimization="-O0", flags=("-w",), include_directories=(RUNTIME,))
EFFORT = Effort(threads=(1, 2, 4), repeats=1)
NO_DIFFERENCES = Tolerances(0.0, -1.0)


def faults(
    seed: int,
    scratch: Path,
    tolerances: Tolerances,
    program: Callable[[int, int], str] = random_program,
    kernels_made: int = KERNELS,
) -> tuple[str, ...]:
    """What is wrong with the derivatives of the kernels that `program` makes of the seed."""
    source = scratch / f"random_{seed}.cu"
    source.write_text(program(seed, kernels_made))
    made = translate(source, grad="", jvp="")
    errors = [one.message for one in made.diagnostics if one.severity is Severity.ERROR]
    if errors:
        return tuple(errors)
    code = scratch / f"random_{seed}.omp.cpp"
    code.write_text(made.code)
    found = read_kernels(source)
    kernels = {kernel.name: kernel for kernel in found.kernels}
    launches = read_requests(source.read_text()).launches
    checked = tuple(CheckedLaunch(one, kernels[one.name]) for one in launches)
    translation = CheckedTranslation(code, found.records, checked, tolerances=tolerances)
    driver = build_driver([translation], scratch / "driver", BUILD, EFFORT)
    if isinstance(driver, BuildFailure):
        return (driver.first_error,)
    outcome = run_checks(driver, 0)
    kernels_checked = {one.kernel for one in outcome.findings}
    if not outcome.failures() and len(kernels_checked) < kernels_made:
        return (f"only {len(kernels_checked)} kernels were checked",)
    return outcome.failures()


@pytest.mark.parametrize("seed", range(1))
def test_adjoints_are_transposed_tangents(seed: int, tmp_path: Path) -> None:
    assert not faults(seed, tmp_path, NO_DIFFERENCES, kernels_made=8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 160))
def test_more_adjoints_are_transposed_tangents(seed: int, tmp_path: Path) -> None:
    assert not faults(seed, tmp_path, NO_DIFFERENCES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [10])
def test_adjoints_of_other_shapes(seed: int, tmp_path: Path) -> None:
    assert not faults(seed, tmp_path, NO_DIFFERENCES, random_shapes, kernels_made=3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(11, 110))
def test_adjoints_of_more_shapes(seed: int, tmp_path: Path) -> None:
    assert not faults(seed, tmp_path, NO_DIFFERENCES, random_shapes)


@pytest.mark.parametrize("seed", [4])
def test_adjoints_of_choices(seed: int, tmp_path: Path) -> None:
    assert not faults(seed, tmp_path, NO_DIFFERENCES, random_choices, kernels_made=3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5, 45))
def test_adjoints_of_more_choices(seed: int, tmp_path: Path) -> None:
    assert not faults(seed, tmp_path, NO_DIFFERENCES, random_choices, kernels_made=8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1005))
def test_tangents_are_differences(seed: int, tmp_path: Path) -> None:
    assert not faults(seed, tmp_path, Tolerances())
