"""The gradient check finds what is wrong: right adjoints pass, planted faults do not.

The adjoints here are written by hand, so that nothing of g2o but the check itself is asked.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from g2o.verify.gradients import CheckBuild, Checked, Driver, build_driver, run_checks
from g2o.verify.gradients_driver import CheckedLaunch, CheckedTranslation
from g2o.verify.gradients_launch import read_requests
from g2o.verify.gradients_signature import read_kernels
from g2o.verify.run import RunOptions
from tests.ad.harness import RACE_DETECTOR, RUNTIME, with_visible_atomics

CUDA: Final = """
// g2o-verify: step<<<2, 64>>>(n = 100, a = 1.5, cells = [n : {uniform(0.5, 2.0), 7}],
//     v = [n])
struct Cell {
    double value;
    int count;
};
__global__ void step(int n, double a, const Cell *cells, double *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        double flow = a * cells[i - 1].value * cells[i + 1].value;
        v[i] = v[i] < 1.0 ? flow * v[i] : flow;
    }
}
"""

RIGHT: Final = """#include "g2o_runtime.hpp"
struct Cell {
    double value;
    int count;
};
void step(dim3 grid, dim3 block, int n, double a, const Cell *cells, double *v)
{
    const int count = std::min(n - 1, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 1; i < count; ++i) {
        double flow = a * cells[i - 1].value * cells[i + 1].value;
        v[i] = v[i] < 1.0 ? flow * v[i] : flow;
    }
}
void step_grad(dim3 grid, dim3 block, int n, double a, const Cell *cells, double *v, double *d_a,
               Cell *d_cells, double *d_v)
{
    const int count = std::min(n - 1, int(grid.x * block.x));
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 1; i < count; ++i) {
        double product = cells[i - 1].value * cells[i + 1].value;
        double old = v[i];
        double d_flow = old < 1.0 ? old * d_v[i] : d_v[i];
        v[i] = old < 1.0 ? a * product * old : a * product;
        d_v[i] = old < 1.0 ? a * product * d_v[i] : 0.0;
        sum += product * d_flow;
#pragma omp atomic
        d_cells[i - 1].value += a * cells[i + 1].value * d_flow;
#pragma omp atomic
        d_cells[i + 1].value += a * cells[i - 1].value * d_flow;
    }
    *d_a += sum;
}
void step_jvp(dim3 grid, dim3 block, int n, double a, const Cell *cells, double *v, double d_a,
              Cell *d_cells, double *d_v)
{
    const int count = std::min(n - 1, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 1; i < count; ++i) {
        double flow = a * cells[i - 1].value * cells[i + 1].value;
        double d_flow = d_a * cells[i - 1].value * cells[i + 1].value +
                        a * d_cells[i - 1].value * cells[i + 1].value +
                        a * cells[i - 1].value * d_cells[i + 1].value;
        d_v[i] = v[i] < 1.0 ? d_flow * v[i] + flow * d_v[i] : d_flow;
        v[i] = v[i] < 1.0 ? flow * v[i] : flow;
    }
}
"""

BUILD: Final = CheckBuild(include_directories=(RUNTIME,))

# What is replaced in the derivatives, by what, and the checks that have to fail.
FAULTS: Final[dict[str, tuple[tuple[tuple[str, str], ...], frozenset[str]]]] = {
    "missing_term": (
        (("d_cells[i + 1].value += a", "d_cells[i + 1].value += 0 * a"),),
        frozenset({"adjoint = tangent", "dot products"}),
    ),
    "seed_not_consumed": (
        (("a * product * d_v[i] : 0.0", "a * product * d_v[i] : d_v[i]"),),
        frozenset({"adjoint = tangent", "dot products"}),
    ),
    "shadow_overwritten": (
        (("*d_a += sum", "*d_a = sum"),),
        frozenset({"adjoint = tangent", "dot products"}),
    ),
    "depends_on_threads": (
        (("reduction(+ : sum)", "firstprivate(sum) lastprivate(sum)"),),
        frozenset({"threads"}),
    ),
    "both_wrong_alike": (
        (("sum += product", "sum += 0.5 * product"), ("d_a * cells", "0.5 * d_a * cells")),
        frozenset({"tangent = differences", "random directions"}),
    ),
    "primal_of_adjoint": (
        (("? a * product * old : a * product;", "? a * product * old : product;"),),
        frozenset({"results of the adjoint"}),
    ),
    "primal_of_tangent": (
        (("d_flow;\n        v[i] = v[i] < 1.0 ? flow * v[i] : flow;", "d_flow;"),),
        frozenset({"results of the tangent"}),
    ),
    "not_a_number": (
        (("*d_a += sum", "*d_a += 0.0 / (sum - sum)"),),
        frozenset({"adjoint = tangent", "dot products", "threads"}),
    ),
}


def _mutated(name: str) -> str:
    head, kernel, derivatives = RIGHT.partition("void step_grad")
    for old, new in FAULTS[name][0]:
        assert old in derivatives
        derivatives = derivatives.replace(old, new)
    return head + kernel + derivatives


def _checked(
    texts: dict[str, str], place: Path, build: CheckBuild, environment: dict[str, str]
) -> dict[str, Checked]:
    (place / "step.cu").write_text(CUDA)
    source = read_kernels(place / "step.cu")
    launches = read_requests(CUDA).launches
    checked = tuple(CheckedLaunch(launch, source.kernels[0]) for launch in launches)
    translations: list[CheckedTranslation] = []
    for name, text in texts.items():
        code = place / f"{name}.cpp"
        code.write_text(text)
        translations.append(CheckedTranslation(code, source.records, checked, f"case_{name}"))
    driver = build_driver(translations, place, build)
    assert isinstance(driver, Driver), driver.output
    assert driver.warnings == ""
    options = RunOptions(environment=environment)
    return {name: run_checks(driver, index, options) for index, name in enumerate(texts)}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Checked]:
    texts = {"right": RIGHT, **{name: _mutated(name) for name in FAULTS}}
    return _checked(texts, tmp_path_factory.mktemp("planted"), BUILD, {})


def test_right_adjoint_passes(results: dict[str, Checked]) -> None:
    assert results["right"].failures() == ()
    assert [finding.check for finding in results["right"].findings] == [
        "results of the adjoint",
        "results of the tangent",
        "adjoint = tangent",
        "tangent = differences",
        "dot products",
        "random directions",
        "threads",
    ]


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_found(results: dict[str, Checked], name: str) -> None:
    _, expected = FAULTS[name]
    checked = results[name]
    assert not checked.ok
    assert {finding.check for finding in checked.findings if not finding.ok} == expected


def test_messages_name_the_place(results: dict[str, Checked]) -> None:
    lines = "\n".join(results["missing_term"].failures())
    assert "step<<<2, 64>>>: adjoint = tangent: d_cells[" in lines
    assert "forward mode gives" in lines


@pytest.mark.slow
def test_the_race_detector_finds_a_race(tmp_path: Path) -> None:
    """Also where both threads are seldom in the same place: so rarely that results agree."""
    build = replace(BUILD, compiler="clang++-19", flags=("-g", "-fsanitize=thread"))
    racy = RIGHT.replace("#pragma omp atomic\n", "", 1)
    texts = {"right": with_visible_atomics(RIGHT), "race": with_visible_atomics(racy)}
    found = _checked(texts, tmp_path, build, RACE_DETECTOR)
    assert found["right"].failures() == ()
    assert found["race"].fault.startswith("the program ended with exit code 66: ")
