"""What came of each program: one record, its JSON form, and the files they are kept in."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import cast, final

MORE_PLAINLY = "G2O0701"
"""The warning for a kernel whose optimised translation clang refused: saved by g2o's own check."""


class Outcome(StrEnum):
    """How a stage ended."""

    OK = "ok"
    FAILED = "failed"
    TIMED_OUT = "timed-out"
    NOT_RUN = "not-run"
    UNKNOWN = "unknown"
    """The check stage only: the program says nothing of its results."""


class Category(StrEnum):
    """Which total a program counts in."""

    PLAIN = "plain"
    LIBRARY = "library"
    """Needs a library other than CUDA's runtime and the C++ standard library."""
    SKIPPED = "skipped"


class Stage(StrEnum):
    """The stages, in order; each needs the one before it."""

    TRANSLATE = "translate"
    BUILD = "build"
    RUN = "run"
    CHECK = "check"


@final
@dataclass(frozen=True, slots=True)
class StageResult:
    """`seconds` of wall time; `reason` is one line, empty when the outcome is OK."""

    outcome: Outcome = Outcome.NOT_RUN
    seconds: float = 0.0
    reason: str = ""
    codes: tuple[str, ...] = ()
    """Diagnostic codes of errors, in order of first appearance (translate)."""
    detail: str = ""
    """The last of what the stage printed where it failed."""
    warnings: tuple[str, ...] = ()
    """Diagnostic codes of warnings, in order of first appearance (translate)."""


@final
@dataclass(frozen=True, slots=True)
class ProgramResult:
    """One row of the table. `translator` names the version of g2o that was run."""

    name: str
    category: Category
    kernels: int
    libraries: tuple[str, ...]
    translator: str
    translate: StageResult = StageResult()
    build: StageResult = StageResult()
    run: StageResult = StageResult()
    check: StageResult = StageResult()
    reference: StageResult = StageResult()
    """Whether the CUDA source itself could be emulated; NOT_RUN where that was not asked for."""
    note: str = ""

    def stage(self, stage: Stage) -> StageResult:
        """The result of one stage."""
        match stage:
            case Stage.TRANSLATE:
                return self.translate
            case Stage.BUILD:
                return self.build
            case Stage.RUN:
                return self.run
            case Stage.CHECK:
                return self.check

    def more_plainly(self) -> bool:
        """Was any kernel translated with less optimisation, for what clang said of it?"""
        return MORE_PLAINLY in self.translate.warnings

    def reason(self) -> str:
        """Why it did not get further: the first stage that is not OK says."""
        if self.note:
            return self.note
        for stage in Stage:
            result = self.stage(stage)
            if result.outcome not in (Outcome.OK, Outcome.NOT_RUN):
                return f"{stage}: {result.reason}"
        return ""


def load_results(path: Path) -> dict[str, ProgramResult]:
    """Results by name; empty where there is no such file."""
    if not path.is_file():
        return {}
    rows = cast("list[dict[str, object]]", json.loads(path.read_text(encoding="utf-8"))["programs"])
    results = [_from_json(row) for row in rows]
    return {result.name: result for result in results}


def save_results(path: Path, results: dict[str, ProgramResult]) -> None:
    """Write all results at once, so that an interrupted run leaves a whole file."""
    rows = [asdict(results[name]) for name in sorted(results)]
    partial = path.with_name(path.name + ".part")
    partial.write_text(json.dumps({"programs": rows}, indent=1) + "\n", encoding="utf-8")
    partial.replace(path)


def _from_json(row: dict[str, object]) -> ProgramResult:
    def stage(name: str) -> StageResult:
        if name not in row:
            return StageResult()
        entry = cast("dict[str, object]", row[name])
        return StageResult(
            outcome=Outcome(str(entry["outcome"])),
            seconds=cast("float", entry["seconds"]),
            reason=str(entry["reason"]),
            codes=tuple(cast("list[str]", entry["codes"])),
            detail=str(entry["detail"]),
            warnings=tuple(cast("list[str]", entry.get("warnings", []))),
        )

    return ProgramResult(
        name=str(row["name"]),
        category=Category(str(row["category"])),
        kernels=cast("int", row["kernels"]),
        libraries=tuple(cast("list[str]", row["libraries"])),
        translator=str(row["translator"]),
        translate=stage(Stage.TRANSLATE),
        build=stage(Stage.BUILD),
        run=stage(Stage.RUN),
        check=stage(Stage.CHECK),
        reference=stage("reference"),
        note=str(row["note"]),
    )
