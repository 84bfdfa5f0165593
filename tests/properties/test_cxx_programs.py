"""Random programs in CUDA C++ do, translated, what they do in emulation (`cxx/`).

A program that fails is made small by `python -m tests.properties.cxx.reduce`.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.properties.cxx.kernels import LARGE, SHORT, WIDE, Size, program
from tests.properties.cxx.oracle import SETTINGS, Failure, Fault, Setting, check
from tests.properties.cxx.reduce import reduced, reduced_text, smaller_lists
from tests.properties.cxx.tree import Program, Unit, has_race, lines_of, program_text

KERNELS = 10
_NOT_JUDGED = (Fault.REFUSED, Fault.CRASHED)
"""g++ 12 does not survive lambdas without captures in target constructs, nor loops that store one
unsigned value to two neighbours, with or without directives."""
_TRIED = 150
"""Programs that a test tries to make what fails smaller."""


def settings_of(seed: int, number: int) -> tuple[Setting, ...]:
    """`number` settings, in turn."""
    usable = [setting for setting in SETTINGS if shutil.which(setting.compiler)]
    return tuple(usable[(seed + one) % len(usable)] for one in range(number))


def refused_kernels(whole: Program, seed: int, directory: Path, *, sanitized: bool) -> list[str]:
    """What is said of kernels that are refused, or that no compiler survives; none is wrong or does
    not compile."""
    failures = check(whole, directory, settings_of(seed, 1), sanitized=sanitized)
    refused = {one.unit: shown(one) for one, _ in failures if one.fault in _NOT_JUDGED}
    wrong = [found for found in failures if found[0].fault not in _NOT_JUDGED]
    if wrong:
        small = reduced_text(whole, *wrong[0], directory / "reduced", _TRIED)
        every = "\n".join(f"[{setting.name}] {shown(one)}" for one, setting in wrong)
        pytest.fail(f"{every}\n\nThe first one, reduced:\n{small}", pytrace=False)
    return list(refused.values())


def judge_files(
    size: Size, seeds: Sequence[int], kernels: int, directory: Path, *, sanitized: bool = True
) -> None:
    """Of the kernels of all the files, none is wrong and at most one in fifty is refused."""
    refused: list[str] = []
    for seed in seeds:
        whole = program(seed, kernels, size)
        refused += refused_kernels(whole, seed, directory / str(seed), sanitized=sanitized)
    assert len(refused) <= len(seeds) * kernels // 50, "\n".join(refused)


def shown(failure: Failure) -> str:
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


def test_switches_are_made_smaller() -> None:
    """Cases go, and what is in them, until one is left with what the program fails by."""
    whole = next(
        one
        for one in (program(seed, 1, SHORT) for seed in range(100))
        if program_text(one).count("case ") > 2
    )
    small = program_text(reduced(whole, lambda one: "case 1u:" in program_text(one)))
    assert small.count("case ") == 1


@pytest.mark.parametrize("seed", range(6))
def test_short_translations_do_as_the_emulation(seed: int, tmp_path: Path) -> None:
    judge_files(SHORT, range(seed, seed + 1), 50, tmp_path, sanitized=False)


def test_what_few_programs_have_does_as_the_emulation(tmp_path: Path) -> None:
    judge_files(WIDE, (1,), 15, tmp_path, sanitized=False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_much_of_what_few_programs_have_does_as_the_emulation(seed: int, tmp_path: Path) -> None:
    judge_files(WIDE, range(seed, seed + 1), 50, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(65))
def test_many_short_translations_do_as_the_emulation(block: int, tmp_path: Path) -> None:
    judge_files(SHORT, range(4 * block, 4 * block + 4), 50, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(6))
def test_large_translations_do_as_the_emulation(block: int, tmp_path: Path) -> None:
    judge_files(LARGE, range(5 * block, 5 * block + 5), KERNELS, tmp_path)
