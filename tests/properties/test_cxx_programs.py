"""Random programs in CUDA C++ do, translated, what they do in emulation (`cxx/`).

A program that fails is made small by `python -m tests.properties.cxx.reduce`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.properties.cxx.kernels import program
from tests.properties.cxx.oracle import SETTINGS, Failure, Fault, Setting, check
from tests.properties.cxx.reduce import reduced, smaller_lists
from tests.properties.cxx.tree import Unit, has_race, lines_of, program_text

KERNELS = 10
_FILES = 30
_USABLE = tuple(setting for setting in SETTINGS if shutil.which(setting.compiler))
_REFUSED = 2
"""Kernels of a file that may be refused."""


def settings_of(seed: int, number: int) -> tuple[Setting, ...]:
    """`number` settings, in turn."""
    return tuple(_USABLE[(seed + one) % len(_USABLE)] for one in range(number))


def judge_file(seed: int, directory: Path, number: int) -> None:
    """No kernel of the file is wrong or does not compile; few are refused."""
    whole = program(seed, KERNELS)
    failures = check(whole, directory, settings_of(seed, number))
    refused = {one.unit for one in failures if one.fault is Fault.REFUSED}
    wrong = [one for one in failures if one.fault is not Fault.REFUSED]
    assert not wrong, "\n".join(map(_shown, wrong))
    assert len(refused) <= _REFUSED, "\n".join(map(_shown, failures))


def _shown(failure: Failure) -> str:
    return f"{failure.unit}: {failure.fault.value}: {failure.detail[:1000]}"


def test_programs_are_the_same_for_a_seed_and_without_races() -> None:
    for seed in range(30):
        whole = program(seed, KERNELS)
        assert program_text(whole) == program_text(program(seed, KERNELS))
        assert not any(map(has_race, whole.units))


def test_a_race_is_found_where_a_barrier_goes() -> None:
    unit = program(0, 1).units[0]
    without = [one for one in smaller_lists(unit.items) if has_race(Unit(unit.name, one, ""))]
    assert without, "no barrier of the kernel is needed"


def test_reduction_keeps_what_fails() -> None:
    """A program stays as long as it calls `__syncthreads`; nothing else is left of it."""
    whole = program(3, 2)
    small = reduced(whole, lambda one: "__syncthreads();" in program_text(one))
    assert len(small.units) == 1
    assert len(list(lines_of(small.units[0].items))) < 16


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(_FILES))
def test_translations_do_as_the_emulation(seed: int, tmp_path: Path) -> None:
    judge_file(seed, tmp_path, 1)
