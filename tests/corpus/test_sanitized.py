"""Nothing that g2o writes touches memory that is not there, or not there any more.

Whole translations, many of them as one program: of the corpus as the goldens have them, of smaller
programs as they come out. Derivatives are those of `tests/ad/test_gradients.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from g2o.cli.main import run as run_g2o
from g2o.verify.run import Run, RunOptions, run
from tests.corpus.programs import CORPUS
from tests.sanitizing import ENVIRONMENT, batch, build_sanitized

_TESTS: Final = Path(__file__).parents[1]
_PASSES: Final = sorted((_TESTS / "transforms" / "programs").glob("*.cu"))
_LOWERING: Final = sorted((_TESTS / "lowering" / "programs").glob("*.cu"))
_KEPT: Final = [one for one in _LOWERING if any(w in one.name for w in ("kept", "captures"))]
_AT_ONCE: Final = 20
_GROUPS: Final = [_LOWERING[at : at + _AT_ONCE] for at in range(0, len(_LOWERING), _AT_ONCE)]


def test_corpus(tmp_path: Path) -> None:
    outputs = sorted(CORPUS.glob("*/expected/*.omp.cpp"))
    texts = [(path.name, path.read_text("latin-1")) for path in outputs]
    # One of several files is no program of its own.
    _run_all([(name, text) for name, text in texts if '.omp.hpp"' not in text], tmp_path)


def test_what_is_kept(tmp_path: Path) -> None:
    """A sample: the others are slow."""
    _run_all(_translated([*_KEPT, *_PASSES][::5], tmp_path, "-O2"), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_all_that_is_kept(level: str, tmp_path: Path) -> None:
    _run_all(_translated([*_KEPT, *_PASSES], tmp_path, level), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2"])
@pytest.mark.parametrize("programs", _GROUPS, ids=lambda group: group[0].stem)
def test_lowering(programs: Sequence[Path], level: str, tmp_path: Path) -> None:
    _run_all(_translated(programs, tmp_path, level), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O0", "-O1"])
def test_corpus_at_lower_levels(level: str, tmp_path: Path) -> None:
    sources = sorted(CORPUS.glob("*/*.cu"))
    texts = _translated(
        [one for one in sources if one.parent.name != "multi_file"], tmp_path, level
    )
    _run_all(texts, tmp_path)


def _translated(sources: Sequence[Path], output: Path, level: str) -> list[tuple[str, str]]:
    """The translations of programs of one file each, by their names."""
    texts: list[tuple[str, str]] = []
    for source in sources:
        words = ["--in-root", str(source.parent), "--out-root", str(output), "--quiet", level]
        assert run_g2o(["translate", str(source), *words]) == 0
        name = f"{source.stem}.omp.cpp"
        texts.append((name, (output / name).read_text("latin-1")))
    return texts


def _run_all(texts: Sequence[tuple[str, str]], scratch: Path) -> None:
    assert texts
    source = scratch / "all.cpp"
    source.write_text(batch(texts), "latin-1")
    built = build_sanitized(source, scratch / "all")
    options = RunOptions(directory=scratch, timeout=300.0, threads=2, environment=ENVIRONMENT)
    finished = run(built, options)
    assert isinstance(finished, Run), "the programs do not end"
    assert finished.exit_code == 0, finished.stderr[-4000:]
