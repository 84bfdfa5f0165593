"""Translating, building and running corpus programs; a step that fails fails the test."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import pytest

from g2o.cli.main import run as run_g2o
from g2o.runtime.headers import all_headers
from g2o.verify.build import BuildFailure, Executable, build_emulated
from g2o.verify.compare import Agreement, compare_runs
from g2o.verify.run import Run, RunOptions, TimedOut, run
from tests import emulation
from tests.corpus.programs import CorpusProgram

SEEDS: Final = (0, 1)
THREADS: Final = (1, 2, 4)
_BUILD_SECONDS: Final = 300
_RUN_SECONDS: Final = 60.0
_SHOWN_CHARACTERS: Final = 4000


@final
@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler and its flags. `library_path` is where the loader finds its OpenMP."""

    name: str
    compiler: str
    flags: tuple[str, ...]
    library_path: str = ""


WARNINGS: Final = ("-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror")
_LLVM_LIBRARIES: Final = "/usr/lib/llvm-19/lib"
GCC: Final = Toolchain("g++ -O1", "g++", ("-O1", *WARNINGS))
# libstdc++ 12 uses what it has deprecated itself, and clang++ says so at every std::stable_sort.
_CLANG_FLAGS: Final = ("-O1", *WARNINGS, "-Wno-deprecated-declarations")
OTHER_TOOLCHAINS: Final = (
    Toolchain("g++ -O3", "g++", ("-O3", "-march=native", *WARNINGS)),
    Toolchain("clang++ -O1", "clang++-19", _CLANG_FLAGS, _LLVM_LIBRARIES),
    Toolchain("sanitized", "g++", ("-O1", "-g", "-fsanitize=address,undefined", *WARNINGS)),
)


def translate(program: CorpusProgram, output: Path, *options: str) -> None:
    """`g2o translate` all files of `program` from its own directory into `output`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(program.directory)
        words = [*program.inputs, "--in-root", ".", "--out-root", str(output), *options]
        exit_code = run_g2o(["translate", *words])
    assert exit_code == 0, f"g2o translate refuses {program.name}"


def checked_in(program: CorpusProgram, output: Path) -> None:
    """The translation as the golden files have it, which `test_goldens.py` compares with what g2o
    writes, and the headers of the runtime."""
    output.mkdir(parents=True, exist_ok=True)
    for name in program.outputs:
        shutil.copy(program.directory / "expected" / name, output / name)
    for name, text in all_headers("cpu").items():
        (output / name).write_bytes(text)


def reference_runs(program: CorpusProgram, scratch: Path) -> tuple[Run, ...]:
    """What the emulated CUDA source does, once for each order of threads in `SEEDS`."""
    place = place_of(program)
    known = emulation.kept(place)
    if known is not None:
        return tuple(Run(0, printed, "", 0.0) for printed in known)
    runs = emulated_runs(program, scratch)
    emulation.keep(place, [one.stdout for one in runs])
    return runs


def place_of(program: CorpusProgram) -> Path:
    """The file, or the folder of files, that the program is."""
    return program.sources[0] if len(program.sources) == 1 else program.directory


def emulated_runs(program: CorpusProgram, scratch: Path) -> tuple[Run, ...]:
    """As `reference_runs`, found out now."""
    built = build_emulated(program.sources, scratch / "emulated")
    if isinstance(built, BuildFailure):
        pytest.fail(f"the emulated source does not build:\n{built.output[:_SHOWN_CHARACTERS]}")
    return tuple(_reference(program, built, seed, scratch) for seed in SEEDS)


def _reference(program: CorpusProgram, built: Executable, seed: int, scratch: Path) -> Run:
    options = RunOptions(program.arguments, scratch, _RUN_SECONDS, seed=seed)
    finished = run(built, options)
    assert isinstance(finished, Run), f"the emulated source does not end (seed {seed})"
    assert finished.exit_code == 0, f"the emulated source fails:\n{_text(finished)}"
    return finished


def build(sources: Sequence[Path], target: Path, toolchain: Toolchain) -> Executable:
    """Build the translated `sources`; a warning is an error."""
    command = [toolchain.compiler, *toolchain.flags, *map(str, sources), "-o", str(target)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=_BUILD_SECONDS, check=False
    )
    if done.returncode != 0:
        pytest.fail(f"{toolchain.name} does not build it:\n{done.stderr[:_SHOWN_CHARACTERS]}")
    return Executable(target, toolchain.library_path)


def assert_agrees(
    program: CorpusProgram,
    built: Executable,
    references: Iterable[Run],
    label: str,
    threads: Iterable[int] = THREADS,
) -> None:
    """Run the translation with each number of threads; every run has to do as the references."""
    references = tuple(references)
    for count in threads:
        options = RunOptions(program.arguments, built.path.parent, _RUN_SECONDS, threads=count)
        finished = run(built, options)
        for seed, reference in zip(SEEDS, references, strict=True):
            verdict = compare_runs(reference, finished)
            if not isinstance(verdict, Agreement):
                where = f"{label}, {count} threads, seed {seed}"
                pytest.fail(f"{where}: {verdict.reason}\n{_text(finished)}")
            assert verdict.numbers > 0, "the program prints no number to compare"


def _text(finished: Run | TimedOut) -> str:
    shown = f"{finished.stdout}\n{finished.stderr}".strip()
    return shown[:_SHOWN_CHARACTERS]
