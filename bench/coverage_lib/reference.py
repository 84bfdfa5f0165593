"""The emulated CUDA program as the reference: what it writes, kept from one run to the next."""

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import cast, final

from g2o.verify.build import BuildFailure, BuildOptions, build_emulated
from g2o.verify.compare import Agreement, Comparison, Disagreement, OracleFailed, compare_runs
from g2o.verify.run import Run, RunOptions, TimedOut, run

from .process import Finished
from .programs import Program
from .results import Outcome, StageResult
from .workspace import Workspace, make_workspace


@final
@dataclass(frozen=True, slots=True)
class Reference:
    """A run of the emulated program; `directory` has the files it wrote that are compared.

    `run` is None where it could not be built; `reason` then says why, in one line.
    """

    run: Run | TimedOut | None
    reason: str
    directory: Path
    seconds: float

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
        return Reference(ended, "", kept, ended.seconds)
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
        }
        record.write_text(json.dumps(fields), encoding="utf-8")
    return made


def agreement(reference: Reference, finished: Finished, workspace: Workspace) -> StageResult:
    """Whether a translation's run says what the reference said; UNKNOWN without a reference."""
    if reference.run is None:
        return StageResult(Outcome.UNKNOWN, reason=f"no reference: {reference.reason}")
    actual = Run(finished.returncode or 0, finished.output, finished.errors, finished.seconds)
    settings = workspace.program.settings
    files = tuple(Path(name) for name in settings.compare)
    verdict = compare_runs(
        reference.run,
        actual,
        Comparison(ignored_lines=settings.ignore, output_files=files),
        reference.directory,
        workspace.folder,
    )
    match verdict:
        case Agreement(lines, numbers):
            return StageResult(Outcome.OK, reason=f"{lines} lines, {numbers} numbers agree")
        case Disagreement(reason):
            first = reason.splitlines()[0]
            return StageResult(Outcome.FAILED, reason=f"not as emulated: {first}", detail=reason)
        case OracleFailed(reason):
            return StageResult(Outcome.UNKNOWN, reason=f"no reference: {reason[:200]}")


def _make(program: Program, scratch: Path, limit: float) -> Reference:
    workspace = make_workspace(program, scratch)
    units = program.units
    dirs = dict.fromkeys(path for unit in units for path in workspace.include_dirs(unit))
    defines = dict.fromkeys(f"-D{define}" for unit in units for define in unit.defines)
    options = BuildOptions(
        flags=(*defines, "-fopenmp"),
        link_flags=tuple(f"-l{name}" for name in program.link_libraries),
        include_directories=tuple(dirs),
    )
    sources = [workspace.mirror(unit.source) for unit in units]
    built = build_emulated(sources, workspace.logs, options)
    if isinstance(built, BuildFailure):
        return Reference(None, built.first_error[:300], workspace.folder, 0.0)
    workspace.set_up(limit)
    arguments = tuple(workspace.argument(word) for word in program.args)
    ended = run(built, RunOptions(arguments, workspace.folder, limit, threads=1))
    return Reference(ended, "", workspace.folder, ended.seconds)


def _key(program: Program) -> str:
    """A name that changes with the program's files and with how it is run."""
    digest = hashlib.sha256(repr((program.args, program.settings)).encode())
    for file in program.files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
