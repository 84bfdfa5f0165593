"""A CUDA program, right and wrong translations of it, and CUDA programs that cannot be trusted."""

from __future__ import annotations

import pytest

from g2o.verify.build import BuildOptions, Executable, build_emulated, build_translation
from g2o.verify.compare import Agreement, Disagreement, OracleFailed
from g2o.verify.differential import Built, Differential, agreed, compare_programs
from g2o.verify.run import RunOptions

CUDA = """
#include <cstdio>
#include <cstdlib>
__global__ void k(float *x, int *shared_cell, int mode) {
    if (mode == 1) *shared_cell = threadIdx.x;
    x[threadIdx.x] += mode == 2 ? 0.0f : 0.5f * threadIdx.x;
}
int main(int argc, char **argv) {
    int mode = argc > 1 ? atoi(argv[1]) : 0, *cell;
    float *x;
    cudaMalloc(&x, 8 * sizeof *x);
    cudaMalloc(&cell, sizeof *cell);
    if (mode != 2) cudaMemset(x, 0, 8 * sizeof *x);
    if (mode != 1) cudaMemset(cell, 0, sizeof *cell);
    k<<<1, 8>>>(x, cell, mode);
    for (int i = 0; i < 8; ++i)
        printf("x[%d] = %.3f\\n", i, x[i]);
    printf("cell %d\\nkernel time %f ms\\n", *cell, 1.0);
}
"""
RIGHT = """
#include <cstdio>
int main() {
    float x[8];
#pragma omp parallel for
    for (int i = 0; i < 8; ++i) x[i] = 0.5f * i;
    for (int i = 0; i < 8; ++i) printf("x[%d] = %.3f\\n", i, x[i]);
    printf("cell %d\\nkernel time %f ms\\n", 0, 2.5);
}
"""


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Executable:
    place = tmp_path_factory.mktemp("reference")
    (place / "k.cu").write_text(CUDA)
    built = build_emulated([place / "k.cu"], place, BuildOptions(optimization="-O0"))
    assert isinstance(built, Executable), built
    return built


@pytest.fixture(scope="module")
def translations(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Executable]:
    place = tmp_path_factory.mktemp("translations")
    result: dict[str, Executable] = {}
    for name, text in (("right", RIGHT), ("wrong", RIGHT.replace("0.5f", "0.6f"))):
        (place / f"{name}.cpp").write_text(text)
        built = build_translation([place / f"{name}.cpp"], place / name)
        assert isinstance(built, Executable), built
        result[name] = built
    return result


def test_agreement(reference: Executable, translations: dict[str, Executable]) -> None:
    findings = compare_programs(Built(reference, translations["right"]), Differential())
    assert agreed(findings), findings
    assert [finding.what for finding in findings] == [
        "reference, seed 0",
        "reference, seed 1",
        "reference, other contents of fresh memory",
        "translation, 1 threads",
        "translation, 2 threads",
        "translation, 4 threads",
    ]


def test_wrong_translation(reference: Executable, translations: dict[str, Executable]) -> None:
    findings = compare_programs(Built(reference, translations["wrong"]), Differential(threads=(1,)))
    last = findings[-1].verdict
    assert isinstance(last, Disagreement)
    assert last.line == 2
    assert "0.600 instead of 0.500" in last.reason


@pytest.mark.parametrize(("mode", "what"), [("1", "seed"), ("2", "contents of fresh memory")])
def test_reference_that_cannot_be_trusted(
    reference: Executable, translations: dict[str, Executable], mode: str, what: str
) -> None:
    plan = Differential(seeds=(0, 1, 2, 3), run=RunOptions(arguments=(mode,)))
    findings = compare_programs(Built(reference, translations["right"]), plan)
    failed = [finding for finding in findings if isinstance(finding.verdict, OracleFailed)]
    assert failed
    assert what in failed[0].what
    assert not any(finding.what.startswith("translation") for finding in findings)
    assert any(isinstance(finding.verdict, Agreement) for finding in findings)
