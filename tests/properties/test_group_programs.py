"""Random programs whose groups of threads combine values do, translated, what they do in emulation
(`groups/`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.properties.cxx.oracle import SETTINGS, Failure, Setting, check
from tests.properties.cxx.reduce import reduced_text
from tests.properties.cxx.tree import program_text
from tests.properties.groups import smooth
from tests.properties.groups.kernels import program

_TRIED = 150
"""Programs that a test tries to make what fails smaller."""
_ANY_ORDER = tuple(
    Setting(f"any order {one.name}", (*one.options, "--associative-math"), one.compiler, one.flags)
    for one in SETTINGS
    if one.name in ("O2", "O2 clang++")
)


def _check(seed: int, kernels: int, setting: Setting, directory: Path, *, sanitized: bool) -> None:
    """No kernel is wrong, and none is refused."""
    if shutil.which(setting.compiler) is None:
        pytest.skip(f"{setting.compiler} is not installed")
    whole = program(seed, kernels)
    failures = check(whole, directory, (setting,), sanitized=sanitized)
    if failures:
        small = reduced_text(whole, *failures[0], directory / "reduced", _TRIED)
        every = "\n".join(map(_shown, (one for one, _ in failures)))
        pytest.fail(f"{every}\n\nThe first one, reduced:\n{small}", pytrace=False)


def _shown(failure: Failure) -> str:
    return f"{failure.unit}: {failure.fault.value}: {failure.detail[:1000]}"


def test_programs_are_the_same_for_a_seed() -> None:
    assert program_text(program(5, 10)) == program_text(program(5, 10))


@pytest.mark.parametrize("setting", _ANY_ORDER, ids=lambda one: one.name)
def test_groups_do_as_the_emulation(setting: Setting, tmp_path: Path) -> None:
    _check(_ANY_ORDER.index(setting), 5, setting, tmp_path, sanitized=False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 70))
def test_many_groups_do_as_the_emulation(seed: int, tmp_path: Path) -> None:
    settings = (*_ANY_ORDER, *_ANY_ORDER, *SETTINGS)
    _check(seed, 40, settings[seed % len(settings)], tmp_path, sanitized=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_derivatives_of_groups(seed: int, tmp_path: Path) -> None:
    found = smooth.check(seed, tmp_path)
    assert not found.wrong
    assert len(found.refused) <= 1
