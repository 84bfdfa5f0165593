"""The programs of `bench/adjoints`: a kernel whose adjoint g2o writes, and forward and backward
loops of a person in one executable that times both and compares what they find."""

import re
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from bench.timing_lib.building import FLAGS, TRANSLATE, StepFailed, run_step
from bench.timing_lib.programs import ROOT

FOLDER: Final = ROOT / "bench" / "adjoints"
_STRICT: Final = ("-fno-math-errno", "-Wall", "-Wextra", "-Werror")
_TIMES: Final = re.compile(r"^generated: (\S+) ms, written: (\S+) ms$", re.MULTILINE)


@final
@dataclass(frozen=True, slots=True)
class AdjointProgram:
    """`options` are for the translation, `large` is what its run is given where it is timed."""

    name: str
    options: tuple[str, ...]
    large: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class AdjointTimes:
    """Milliseconds, the best of the rounds of one run."""

    generated: float
    written: float

    @property
    def ratio(self) -> float:
        """Generated over hand-written: below 1, what was generated is faster."""
        return self.generated / self.written


def adjoint_programs() -> list[AdjointProgram]:
    """All of them, in the order of `programs.toml`."""
    known = tomllib.loads((FOLDER / "programs.toml").read_text())
    return [
        AdjointProgram(name, tuple(one["options"]), tuple(one["large"]))
        for name, one in known.items()
    ]


def build_adjoint(program: AdjointProgram, compiler: str, directory: Path) -> Path:
    """Translate and build a program in `directory`; raises StepFailed."""
    for name in (f"{program.name}.cu", f"{program.name}.bench.cpp", "support.hpp"):
        shutil.copy(FOLDER / name, directory)
    grad = () if "--grad" in program.options else ("--grad",)
    source, executable = directory / f"{program.name}.cu", directory / program.name
    run_step("translate", [*TRANSLATE, str(source), *program.options, *grad])
    driver = directory / f"{program.name}.bench.cpp"
    run_step("build", [compiler, *FLAGS, *_STRICT, str(driver), "-o", str(executable)])
    return executable


def run_adjoint(
    executable: Path, arguments: Sequence[str], variables: Mapping[str, str]
) -> AdjointTimes:
    """Run it; raises StepFailed where the two adjoints do not agree."""
    output = run_step("run", [str(executable), *arguments], variables)
    found = _TIMES.search(output)
    if found is None:
        raise StepFailed(f"{executable.name} printed no times")
    return AdjointTimes(float(found[1]), float(found[2]))
