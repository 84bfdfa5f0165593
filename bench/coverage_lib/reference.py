"""The emulated CUDA program as the reference: what it writes, kept from one run to the next."""

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import cast, final

from g2o.verify.build import BuildFailure, BuildOptions, Executable, build_emulated
from g2o.verify.compare import Agreement, Comparison, Disagreement, OracleFailed, compare_runs
from g2o.verify.run import Run, RunOptions, TimedOut, run

from .process import Finished
from .programs import Program
from .results import Outcome, StageResult
from .workspace import Workspace, make_workspace

_OTHER_POISON = 0x3A


@final
@dataclass(frozen=True, slots=True)
class Reference:
    """A run of the emulated program; `directory` has the files it wrote that are compared.

    `run` is None where it could not be built; `reason` then says why, in one line. `stable` is
    false where another order of the threads, or other contents of fresh memory, gives other
    results: nothing can be compared then.
    """

    run: Run | TimedOut | None
    reason: str
    directory: Path
    seconds: float
    stable: bool = True

    def result(self) -> StageResult:
        """Whether the program can be emulated at all, as a row of the results."""
        match self.run:
            case None:
                return StageResult(Outcome.FAILED, reason=f"build: {self.reason}")
            case TimedOut():
                return StageResult(Outcome.TIMED_OUT, self.seconds, "time limit")
            case Run(exit_code, _, errors) if exit_code != 0:
                reason = f"exit code {exit_code}: {errors.strip()[-200:]}"
                return StageResult(Outcome.FAILED, self.seconds, reason)
            case Run():
                return StageResult(Outcome.OK, self.seconds)


def reference_of(program: Program, scratch: Path, store: Path, limit: float) -> Reference:
    """The stored reference run, or one made now in the empty folder `scratch`.

    Only runs that ended are stored: what failed may succeed with the next emulator.
    """
    kept = store.resolve() / program.name / _key(program)
    record = kept / "run.json"
    if record.is_file():
        fields = cast("dict[str, object]", json.loads(record.read_text(encoding="utf-8")))
        ended = Run(
            exit_code=cast("int", fields["exit_code"]),
            stdout=str(fields["stdout"]),
            stderr=str(fields["stderr"]),
            seconds=cast("float", fields["seconds"]),
        )
        return Reference(ended, "", kept, ended.seconds, bool(fields["stable"]))
    made = _make(program, scratch, limit)
    if isinstance(made.run, Run) and made.run.fault is None and made.run.exit_code >= 0:
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        for name in program.settings.compare:
            if (made.directory / name).is_file():
                (kept / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(made.directory / name, kept / name)
        fields = {
            "exit_code": made.run.exit_code,
            "stdout": made.run.stdout,
            "stderr": made.run.stderr[-2000:],
            "seconds": made.run.seconds,
            "stable": made.stable,
        }
        record.write_text(json.dumps(fields), encoding="utf-8")
    return made


def agreement(reference: Reference, finished: Finished, workspace: Workspace) -> StageResult:
    """Whether a translation's run says what the reference said; UNKNOWN without a reference."""
    if reference.run is None:
        return StageResult(Outcome.UNKNOWN, reason=f"no reference: {reference.reason}")
    if not reference.stable:
        reason = "no reference: the emulated source races or reads what nobody wrote"
        return StageResult(Outcome.UNKNOWN, reason=reason)
    actual = Run(finished.returncode or 0, finished.output, finished.errors, finished.seconds)
    comparison = _comparison(workspace.program)
    verdict = compare_runs(reference.run, actual, comparison, reference.directory, workspace.folder)
    match verdict:
        case Agreement(lines=0) if actual.exit_code != 0:
            return StageResult(Outcome.UNKNOWN, reason="both end at once, without a word")
        case Agreement(lines=0) if not _writes_files(reference, comparison):
            return StageResult(Outcome.UNKNOWN, reason="nothing to compare")
        case Agreement(lines, numbers):
            return StageResult(Outcome.OK, reason=f"{lines} lines, {numbers} numbers agree")
        case Disagreement(reason):
            first = reason.splitlines()[0]
            return StageResult(Outcome.FAILED, reason=f"not as emulated: {first}", detail=reason)
        case OracleFailed(reason):
            return StageResult(Outcome.UNKNOWN, reason=f"no reference: {reason[:200]}")


def _writes_files(reference: Reference, comparison: Comparison) -> bool:
    """Is there a file to compare, of which binary ones have no lines?"""
    files = [reference.directory / name for name in comparison.output_files]
    return any(file.is_file() and file.stat().st_size > 0 for file in files)


def _make(program: Program, scratch: Path, limit: float) -> Reference:
    workspace = make_workspace(program, scratch)
    units = program.units
    dirs = dict.fromkeys(path for unit in units for path in workspace.include_dirs(unit))
    defines = dict.fromkeys(f"-D{define}" for unit in units for define in unit.defines)
    forced = dict.fromkeys(name for unit in units for name in unit.forced_includes)
    options = BuildOptions(
        flags=(
            *defines,
            *(word for name in forced for word in ("-include", name)),
            *("-fopenmp", "-U_OPENMP"),  # the branches that nvcc and g2o take
        ),
        link_flags=tuple(f"-l{name}" for name in program.link_libraries),
        include_directories=tuple(dirs),
    )
    sources = [workspace.mirror(unit.source) for unit in units]
    built = build_emulated(sources, workspace.logs, options)
    if isinstance(built, BuildFailure):
        return Reference(None, built.first_error[:300], workspace.folder, 0.0)
    first = _run(built, workspace, limit, 0)
    if not isinstance(first, Run) or first.exit_code < 0 or first.fault is not None:
        return Reference(first, "", workspace.folder, first.seconds)
    other = make_workspace(program, scratch / "other_order")
    second = _run(built, other, limit, 1, _OTHER_POISON)
    verdict = compare_runs(first, second, _comparison(program), workspace.folder, other.folder)
    stable = not isinstance(verdict, Disagreement) or isinstance(second, TimedOut)
    return Reference(first, "", workspace.folder, first.seconds, stable)


def _run(
    built: Executable, workspace: Workspace, limit: float, seed: int, poison: int | None = None
) -> Run | TimedOut:
    workspace.set_up(limit)
    arguments = tuple(workspace.argument(word) for word in workspace.program.args)
    folder = workspace.folder
    return run(built, RunOptions(arguments, folder, limit, threads=1, seed=seed, poison=poison))


def _comparison(program: Program) -> Comparison:
    files = tuple(Path(name) for name in program.settings.compare)
    return Comparison(ignored_lines=program.settings.ignore, output_files=files)


def _key(program: Program) -> str:
    """A name that changes with the program's files and with how it is run."""
    digest = hashlib.sha256(repr((program.args, program.settings)).encode())
    for file in program.files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
