"""The programs of `corpus/`: one folder each, described by its `meta.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, final

import pytest

CORPUS: Final = Path(__file__).resolve().parents[2] / "corpus"
_CUDA_SUFFIXES: Final = (".cu", ".cuh")


@final
@dataclass(frozen=True, slots=True)
class CorpusProgram:
    """One CUDA program. `inputs` are its CUDA files by name, `arguments` those of a quick run."""

    name: str
    directory: Path
    inputs: tuple[str, ...]
    arguments: tuple[str, ...]

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files that a compiler is given: headers are not among them."""
        return tuple(self.directory / name for name in self.inputs if name.endswith(".cu"))

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the translated files, in the order of `inputs`."""
        return tuple(
            f"{Path(name).stem}.omp{'.cpp' if name.endswith('.cu') else '.hpp'}"
            for name in self.inputs
        )


def corpus_programs() -> tuple[CorpusProgram, ...]:
    """Every program of the corpus, by name."""
    return tuple(_program(path.parent) for path in sorted(CORPUS.glob("*/meta.toml")))


def _program(directory: Path) -> CorpusProgram:
    meta = tomllib.loads((directory / "meta.toml").read_text())
    inputs = sorted(path.name for path in directory.iterdir() if path.suffix in _CUDA_SUFFIXES)
    arguments = tuple(cast("list[str]", meta["args"]))
    return CorpusProgram(directory.name, directory, tuple(inputs), arguments)


# All programs as parameters of a test.
PROGRAMS: Final = [pytest.param(program, id=program.name) for program in corpus_programs()]
