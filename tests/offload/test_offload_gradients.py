"""Adjoints and tangents on the x86-64 device, checked like those on the CPU.

The driver hands its own memory to the device, which Clang's x86-64 plugin can look at.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from g2o.verify.gradients import CheckBuild
from tests.ad.harness import (
    BATCH_SIZE,
    RUNTIME,
    Bench,
    case_names,
    check_cases,
    check_cases_once,
    refusals_expected,
)
from tests.ad.pending import PENDING
from tests.offload.device import X86_DEVICE, Shape, needs_clang

_FLAGS: Final = ("-DG2O_OFFLOAD", "-fopenmp-targets=x86_64-pc-linux-gnu")
_ENVIRONMENT: Final = {
    **Shape(2, 2).environment,
    "OMP_NUM_THREADS": "2",
    "LD_LIBRARY_PATH": X86_DEVICE.library_path,
}
DEVICE: Final = Bench(
    "x86-64 device",
    CheckBuild(
        X86_DEVICE.compiler,
        flags=(*_FLAGS, "-Wno-deprecated-declarations"),
        include_directories=(RUNTIME,),
    ),
    environment=_ENVIRONMENT,
    target="offload",
)
# A barrier in a loop, a tape, and increments of neighbours.
FEW: Final = ("block_sum", "product_loop", "stencil_1d")
ACCEPTED: Final = [n for n in case_names() if n not in PENDING and not refusals_expected(n)]


@needs_clang
def test_few_cases(tmp_path: Path) -> None:
    outcomes = check_cases(FEW, tmp_path / "few", DEVICE)
    assert {name: one.faults for name, one in outcomes.items()} == dict.fromkeys(FEW, ())


@needs_clang
@pytest.mark.slow
@pytest.mark.parametrize("name", ACCEPTED)
def test_every_case(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    begin = ACCEPTED.index(name) // BATCH_SIZE * BATCH_SIZE
    batch = ACCEPTED[begin : begin + BATCH_SIZE]
    scratch = tmp_path_factory.getbasetemp().parent / "gradients_on_device" / batch[0]
    assert check_cases_once(batch, scratch, DEVICE)[name].faults == ()
