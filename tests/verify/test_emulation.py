"""What is kept of emulated programs is what these programs print."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from g2o.verify.compare import Agreement, compare_text
from tests import emulation
from tests.corpus.execution import emulated_runs, place_of
from tests.corpus.programs import PROGRAMS, CorpusProgram
from tests.together import emulated


def test_what_is_kept_is_of_the_programs_as_they_are() -> None:
    names = emulation.names()
    assert len(names) > 150
    stale = [
        name
        for name, key in names.items()
        if not (emulation.ROOT / name).exists() or key != emulation.key(emulation.ROOT / name)
    ]
    assert stale == [], "run `make golden` and look at what it changes"


def test_other_sources_print_other_things(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulation, "ROOT", tmp_path)
    monkeypatch.setattr(emulation, "_KEPT", tmp_path / "emulated.json")
    monkeypatch.setenv(emulation.UPDATE, "1")
    program = tmp_path / "a.cu"
    program.write_text("int main() {}\n")
    emulation.keep(program, ["1\n"])
    monkeypatch.delenv(emulation.UPDATE)
    emulation._all.cache_clear()  # pyright: ignore[reportPrivateUsage]
    assert emulation.kept(program) == ["1\n"]
    (tmp_path / "a.cuh").write_text("\n")
    assert emulation.kept(program) is None
    emulation._all.cache_clear()  # pyright: ignore[reportPrivateUsage]


_AT_ONCE: Final = 24
_FILES: Final = sorted(
    emulation.ROOT / one
    for one in emulation.names()
    if one.startswith("tests/") and not one.startswith("tests/offload/")
)
_GROUPS: Final = [
    files[begin : begin + _AT_ONCE]
    for _, found in itertools.groupby(_FILES, lambda one: one.parent)
    for files in [list(found)]
    for begin in range(0, len(files), _AT_ONCE)
]


@pytest.mark.slow
@pytest.mark.parametrize("sources", _GROUPS, ids=lambda group: group[0].stem)
def test_programs_print_what_is_kept(sources: Sequence[Path], tmp_path: Path) -> None:
    printed = emulated(sources, tmp_path, again=True)
    assert [printed.get(one.stem) for one in sources] == [_kept(one)[0] for one in sources]


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_corpus_prints_what_is_kept(program: CorpusProgram, tmp_path: Path) -> None:
    runs = emulated_runs(program, tmp_path)
    for one, kept in zip(runs, _kept(place_of(program)), strict=True):
        assert isinstance(compare_text(kept, one.stdout), Agreement)  # times differ


def _kept(program: Path) -> Sequence[str]:
    printed = emulation.kept(program)
    assert printed is not None
    return printed
