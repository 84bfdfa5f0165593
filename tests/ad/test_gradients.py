"""The gradient corpus: adjoint = forward mode = finite differences, for 1, 2 and 4 threads.

See `harness.py` for what a case is, and `g2o/verify/gradients.py` for what is checked.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from g2o.verify.gradients import CheckBuild
from g2o.verify.gradients_driver import Effort
from tests.ad.harness import (
    BATCH_SIZE,
    GARBAGE,
    RACE_DETECTOR,
    RUNTIME,
    Bench,
    case_names,
    check_cases,
    check_cases_once,
    garbage_flags,
    memory_faults,
    refusal_faults,
    refusals_expected,
)
from tests.ad.pending import PENDING

_BUILD: Final = CheckBuild(include_directories=(RUNTIME,))
_USUAL: Final = Bench("gcc", replace(_BUILD, flags=garbage_flags()), environment=GARBAGE)
# A source that leaves braces out is translated without them.
_CLANG: Final = replace(
    _BUILD,
    compiler="clang++-19",
    flags=("-Wno-deprecated-declarations", "-Wno-missing-braces"),
)
# Threads of a launch that is not known may be fewer than others wait for, or more than arrays have
# elements; compilers see that only at some levels.
_FEWER_WARNINGS: Final = (
    "-Wno-maybe-uninitialized",
    "-Wno-array-bounds",
    "-Wno-stringop-overflow",
)
_SANITIZED: Final = (
    *("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"),
    *_FEWER_WARNINGS,
)
_LIFETIMES: Final = {"ASAN_OPTIONS": "detect_stack_use_after_return=1"}
_SHORT: Final = Effort(repeats=2)
_SANITIZER: Final = Bench("sanitized", replace(_BUILD, flags=_SANITIZED), 2, _SHORT, _LIFETIMES)
# g++ 12.2 takes loops apart into calls of memcpy that read what the rest has already changed
# (`begun_by_call` of begun_elsewhere.cu, also without OpenMP).
_AS_WRITTEN: Final = ("-fno-tree-loop-distribute-patterns", *_FEWER_WARNINGS)

OTHERS: Final = (
    Bench("O0", replace(_BUILD, flags=_SANITIZED), optimisation=0, environment=_LIFETIMES),
    Bench("O1", replace(_BUILD, flags=_FEWER_WARNINGS), optimisation=1),
    Bench("O3", replace(_BUILD, optimization="-O3", flags=("-march=native", *_AS_WRITTEN))),
    Bench("clang", _CLANG),
    Bench(
        "races",
        # Loops that the detector watches cannot be vectorised.
        replace(
            _CLANG,
            flags=("-g", "-fsanitize=thread", "-Wno-missing-braces", "-Wno-pass-failed"),
        ),
        effort=_SHORT,
        environment=RACE_DETECTOR,
        detects_races=True,
    ),
)

# Threads store one value to one element, which is right in CUDA and a race in C++.
_ALIKE_STORES: Final = ("stored_by_index",)

NAMES: Final = case_names()
REFUSED: Final = tuple(name for name in NAMES if refusals_expected(name))
ACCEPTED: Final = tuple(name for name in NAMES if name not in REFUSED)
READY: Final = tuple(name for name in ACCEPTED if name not in PENDING)
BATCHES: Final = {name: index // BATCH_SIZE for index, name in enumerate(READY)}


def _cases(names: tuple[str, ...]) -> list[object]:
    """Parameters of a test; those that are pending have to fail. Of seven batches one is not for
    the slow tests: `make test` has to end within twenty minutes."""
    return [pytest.param(name, marks=_marks(name)) for name in names]


def _marks(name: str) -> list[pytest.MarkDecorator]:
    if name in PENDING:
        return [pytest.mark.xfail(reason=PENDING[name], strict=True)]
    return [pytest.mark.slow] if BATCHES.get(name, 0) % 10 else []


def _batch(index: int) -> tuple[str, ...]:
    return tuple(name for name in READY if BATCHES[name] == index)


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run of the tests share."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "gradients"


@pytest.mark.parametrize("name", _cases(ACCEPTED))
def test_gradients(name: str, shared_folder: Path, tmp_path: Path) -> None:
    if name in PENDING:
        outcome = check_cases([name], tmp_path / "case", _USUAL)[name]
    else:
        index = BATCHES[name]
        folder = shared_folder / f"batch{index}"
        outcome = check_cases_once(_batch(index), folder, _USUAL)[name]
    assert not outcome.faults, "\n".join(outcome.faults)
    assert outcome.checks >= 5  # without finite differences


@pytest.mark.parametrize("name", _cases(REFUSED))
def test_refusals(name: str) -> None:
    """What cannot be right is refused, by line and construct."""
    assert refusal_faults(name) == ()


def _elsewhere() -> list[object]:
    """Every batch with sanitizers, and in two of the other ways."""
    half = len(OTHERS) // 2
    pairs = [
        (index, bench)
        for index in sorted(set(BATCHES.values()))
        for bench in (
            _SANITIZER,
            OTHERS[index % len(OTHERS)],
            OTHERS[(index + half) % len(OTHERS)],
        )
    ]
    return [pytest.param(index, bench, id=f"{index}-{bench.name}") for index, bench in pairs]


@pytest.mark.slow
@pytest.mark.parametrize(("index", "bench"), _elsewhere())
def test_gradients_elsewhere(index: int, bench: Bench, tmp_path: Path) -> None:
    """Other levels of optimisation, compilers, sanitizers, and a race detector."""
    left_out = _ALIKE_STORES if bench.detects_races else ()
    names = tuple(name for name in _batch(index) if name not in left_out)
    outcomes = check_cases(names, tmp_path / "batch", bench)
    faults = [f"{name}: {line}" for name, one in outcomes.items() for line in one.faults]
    assert not faults, "\n".join(faults)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.parametrize("index", sorted(set(BATCHES.values())))
def test_gradients_read_what_is_set(index: int, tmp_path: Path) -> None:
    """Neither kernels nor derivatives depend on values that nobody has set."""
    build = replace(_BUILD, flags=("-w", "-g"))
    assert not memory_faults(_batch(index), tmp_path / "memory", build)
