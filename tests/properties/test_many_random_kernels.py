"""The properties of `test_random_kernels` for thousands of kernels: always the same ones, a file a
test, so that a run shows how far it is and a failure names its kernel."""

from __future__ import annotations

from pathlib import Path

import pytest
from properties.test_random_kernels import check, check_wide

pytestmark = pytest.mark.slow

_FILES = 240
_DEMANDED = 5_000
"""Kernels with a meaning that a whole run judges at least."""

_judged: list[int] = []


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("random")


@pytest.mark.parametrize("seed", range(1_000, 1_000 + _FILES))
def test_meaning_is_kept_often(directory: Path, seed: int) -> None:
    judged, _ = check(directory, seed)
    _judged.append(judged)
    assert judged


@pytest.mark.parametrize("seed", range(2_000, 2_000 + _FILES))
def test_kernels_of_more_shapes_keep_their_meaning_often(directory: Path, seed: int) -> None:
    judged, _ = check_wide(directory, seed)
    _judged.append(judged)
    assert judged


def test_they_are_many() -> None:
    """Only of a run of the whole module in one process: its parts judge fewer."""
    if len(_judged) < 2 * _FILES:
        pytest.skip(f"only {len(_judged)} of {2 * _FILES} files were judged in this process")
    print(f"{sum(_judged)} kernels judged")
    assert sum(_judged) >= _DEMANDED
