"""Makes the two executables of a program, with the same compiler and the same flags."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from bench.timing_lib.programs import ROOT, BenchProgram

FLAGS: Final = ("-std=c++17", "-O3", "-march=native", "-fopenmp")
TRANSLATE: Final = (sys.executable, "-m", "g2o.cli.main", "translate", "--quiet")
_SECONDS: Final = 300
_CLANG_LIBRARIES: Final = "/usr/lib/llvm-19/lib"


class StepFailed(Exception):
    """Translating, compiling or running did not work; says which and why, in one line."""


@final
@dataclass(frozen=True, slots=True)
class Pair:
    """The executables of one program."""

    emitted: Path
    written: Path


def build_pair(program: BenchProgram, compiler: str, directory: Path) -> Pair:
    """Translate and build `program` in `directory`; raises StepFailed."""
    output = directory / "translation"
    roots = ["--in-root", str(program.folder), "--out-root", str(output)]
    words = [*map(str, program.inputs), *roots, *program.options]
    run_step("translate", [*TRANSLATE, *words])
    emitted, written = directory / "emitted", directory / "written"
    sources = sorted(output.glob("*.cpp"))
    run_step("build the translation", [compiler, *FLAGS, *map(str, sources), "-o", str(emitted)])
    run_step("build the baseline", [compiler, *FLAGS, str(program.baseline), "-o", str(written)])
    return Pair(emitted, written)


def library_path(compiler: str) -> str:
    """Where the loader finds the compiler's OpenMP; empty for the system's own."""
    return _CLANG_LIBRARIES if "clang" in compiler else ""


def run_step(
    step: str, command: Sequence[str], environment: Mapping[str, str] | None = None
) -> str:
    """What `command`, run from the root of the repository, prints; raises StepFailed with its first
    error."""
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError as fault:
        raise StepFailed(f"{step}: there is no '{command[0]}'") from fault
    except subprocess.TimeoutExpired as fault:
        raise StepFailed(f"{step}: no end within {_SECONDS} s") from fault
    if done.returncode != 0:
        raise StepFailed(f"{step}: {_first_error(done.stderr or done.stdout)}")
    return done.stdout


def _first_error(text: str) -> str:
    lines = text.strip().splitlines()
    return next((line for line in lines if "error" in line), lines[0] if lines else "failed")
