"""The gradient check finds what is wrong: right adjoints pass, planted faults do not.

The adjoints here are written by hand, so that nothing of g2o but the check itself is asked.
"""

from __future__ import annotations

from typing import Final

import pytest

from g2o.verify.gradients import CheckBuild, Checked, Driver, build_driver, run_checks
from g2o.verify.gradients_driver import CheckedLaunch, CheckedTranslation
from g2o.verify.gradients_launch import read_requests
from g2o.verify.gradients_signature import read_kernels
from tests.ad.harness import RUNTIME

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

_LEFT: Final = "d_cells[i - 1].value += a * cells[i + 1].value * d_flow;"
# On a machine with few cores threads that are fast do not meet.
_SLOW_LEFT: Final = """double seen = d_cells[i - 1].value;
        for (volatile int wait = 0; wait < 3000; wait = wait + 1)
            ;
        d_cells[i - 1].value = seen + a * cells[i + 1].value * d_flow;"""

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
    "race": (
        (
            (f"#pragma omp atomic\n        {_LEFT}", _SLOW_LEFT),
            ("for reduction", "for schedule(static, 1) reduction"),
        ),
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


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Checked]:
    place = tmp_path_factory.mktemp("planted")
    (place / "step.cu").write_text(CUDA)
    source = read_kernels(place / "step.cu")
    launches = read_requests(CUDA).launches
    checked = tuple(CheckedLaunch(launch, source.kernels[0]) for launch in launches)
    texts = {"right": RIGHT, **{name: _mutated(name) for name in FAULTS}}
    translations: list[CheckedTranslation] = []
    for name, text in texts.items():
        code = place / f"{name}.cpp"
        code.write_text(text)
        translations.append(CheckedTranslation(code, source.records, checked, f"case_{name}"))
    driver = build_driver(translations, place, CheckBuild(include_directories=(RUNTIME,)))
    assert isinstance(driver, Driver), driver.output
    assert driver.warnings == ""
    return {name: run_checks(driver, index) for index, name in enumerate(texts)}


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
    assert "step: adjoint = tangent: d_cells[" in lines
    assert "forward mode gives" in lines
