"""Adjoints and tangents on the x86-64 device, checked like those on the CPU, with several shapes of
teams; and those of sources for both."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from g2o.interop.translate import translate
from g2o.verify.gradients import CheckBuild
from g2o.verify.gradients_driver import Effort
from tests.ad.harness import (
    BATCH_SIZE,
    CASES,
    RUNTIME,
    Bench,
    case_names,
    check_cases,
    check_cases_once,
    refusals_expected,
)
from tests.ad.pending import PENDING
from tests.offload.device import SHAPES, X86_DEVICE, needs_clang

_FLAGS: Final = ("-DG2O_OFFLOAD", "-fopenmp-targets=x86_64-pc-linux-gnu")
_BUILD: Final = CheckBuild(
    X86_DEVICE.compiler,
    # A source that leaves braces out is translated without them.
    flags=(*_FLAGS, "-Wno-deprecated-declarations", "-Wno-missing-braces"),
    include_directories=(RUNTIME,),
)
_ENVIRONMENTS: Final = tuple(
    {
        **shape.environment,
        "OMP_NUM_THREADS": str(shape.threads),
        "LD_LIBRARY_PATH": X86_DEVICE.library_path,
    }
    for shape in SHAPES
)
DEVICE: Final = Bench(
    "x86-64 device",
    _BUILD,
    environment=_ENVIRONMENTS[0],
    environments=_ENVIRONMENTS[1:],
    target="offload",
    effort=Effort(repeats=3),
)
PORTABLE: Final = (
    replace(DEVICE, name="portable on the x86-64 device", target="portable"),
    Bench("portable on the CPU", CheckBuild(include_directories=(RUNTIME,)), target="portable"),
)
# A barrier in a loop, tapes of threads and of blocks, increments of neighbours, lanes in step, and
# dynamic shared memory of rows.
FEW: Final = (
    *("block_sum", "many_turns", "product_loop", "stencil_1d"),
    *("shared_of_the_file", "warp_sum_syncwarp"),
)
_ON_CPUS: Final = ("scans_of_cub",)  # CUB is for CPUs only
ACCEPTED: Final = [
    name
    for name in case_names()
    if name not in (*PENDING, *_ON_CPUS) and not refusals_expected(name)
]


def test_tapes_of_many_threads_take_little_fast_memory() -> None:
    """96 bytes for each of a thousand tapes are more than a block of a device may have."""
    done = translate(CASES / "shuffle_lanes.cu", grad="", target="offload")
    assert "g2o::ChunkTape<double> kept_v[g2o::warp_size];" in done.code
    assert re.search(r"g2o::Tape<double> \w+\[", done.code) is None


@needs_clang
@pytest.mark.parametrize("names", [FEW[:2], pytest.param(FEW[2:], marks=pytest.mark.slow)])
def test_few_cases(names: tuple[str, ...], tmp_path: Path) -> None:
    outcomes = check_cases(names, tmp_path / "few", DEVICE)
    assert {name: one.faults for name, one in outcomes.items()} == dict.fromkeys(names, ())


@needs_clang
@pytest.mark.slow
@pytest.mark.parametrize(
    ("bench", "names"), zip(PORTABLE, (FEW[:2], FEW[2:]), strict=True), ids=("device", "CPU")
)
def test_few_cases_for_both(bench: Bench, names: tuple[str, ...], tmp_path: Path) -> None:
    outcomes = check_cases(names, tmp_path / "few", bench)
    assert {name: one.faults for name, one in outcomes.items()} == dict.fromkeys(names, ())


REFUSED: Final = ("atomic_extremes", "atomic_extremes_read", "atomic_ties")
"""Cases that only CPUs can do: the first thread of the grid wins, in whatever order teams come."""


@needs_clang
@pytest.mark.slow
@pytest.mark.parametrize("name", ACCEPTED)
def test_every_case(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    begin = ACCEPTED.index(name) // BATCH_SIZE * BATCH_SIZE
    batch = ACCEPTED[begin : begin + BATCH_SIZE]
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # that of all processes of this run
    scratch = folder / "gradients_on_device" / batch[0]
    faults = check_cases_once(batch, scratch, DEVICE)[name].faults
    assert [fault for fault in faults if "[G2O0403]" not in fault] == []
    assert bool(faults) == (name in REFUSED)
