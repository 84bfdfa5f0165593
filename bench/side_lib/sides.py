"""Builds the two programs of a row, runs them in turns, and compares what they come to."""

import os
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

from bench.coverage_lib.process import Finished, run_process
from bench.side_lib.settings import Check, Side, SideBySide
from bench.timing_lib.building import TRANSLATE, StepFailed
from bench.timing_lib.measuring import PairedTimes
from bench.timing_lib.programs import ROOT
from g2o.verify.compare import Agreement, Comparison, Disagreement, Tolerance, compare_runs
from g2o.verify.run import Run

_BUILD_SECONDS: Final = 600.0


@final
@dataclass(frozen=True, slots=True)
class Tools:
    """The compiler and its flags, the same for both sides."""

    compiler: str
    flags: str

    def fill(self, line: str) -> str:
        """A shell line with the tools in the places that it has for them."""
        return (
            line.replace("{g2o}", shlex.join(TRANSLATE))
            .replace("{cxx}", self.compiler)
            .replace("{flags}", self.flags)
        )


@final
@dataclass(frozen=True, slots=True)
class Built:
    """A side that is ready to run in its copy of the folder."""

    side: Side
    folder: Path


def build_side(side: Side, folder: Path, tools: Tools) -> Built:
    """Copy the side's folder to `folder` and build there; raises StepFailed."""
    name = folder.name
    try:
        shutil.copytree(side.folder, folder)
    except OSError as error:
        raise StepFailed(f"{name}: {error}") from error
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    for line in side.build:
        command = ["sh", "-c", tools.fill(line)]
        log = folder.with_name(f"{name}-build")
        done = run_process(command, folder, _BUILD_SECONDS, log, {"PYTHONPATH": paths})
        if done.returncode != 0:
            raise StepFailed(f"{name}: `{line}`: {_reason(done)}")
    return Built(side, folder)


def measure_sides(
    program: SideBySide, emitted: Built, written: Built, rounds: int, variables: Mapping[str, str]
) -> PairedTimes:
    """Run both `rounds` times, the first one alternating; what they print is compared in every
    round. Raises StepFailed."""
    times: tuple[list[float], list[float]] = ([], [])
    turns = list(zip((emitted, written), times, strict=True))
    for number in range(rounds):
        ended: dict[Path, Finished] = {}
        for built, found in turns if number % 2 == 0 else reversed(turns):
            finished = _run(built, program.timeout, variables)
            ended[built.folder] = finished
            found.append(region_time(built, finished.output))
        _compare(program.check, written, ended[written.folder], emitted, ended[emitted.folder])
    return PairedTimes(tuple(times[0]), tuple(times[1]))


def region_time(built: Built, output: str) -> float:
    """Milliseconds of the region: all that was printed of it. Raises StepFailed."""
    name, side = f"run {built.folder.name}", built.side
    try:
        found = [float(text) for text in side.time.findall(output)]
    except ValueError as fault:
        raise StepFailed(f"{name}: `{side.time.pattern}` finds no number: {fault}") from fault
    if not found:
        raise StepFailed(f"{name}: it prints no line `{side.time.pattern}`")
    if sum(found) <= 0.0:
        raise StepFailed(f"{name}: the time that it prints is 0")
    return sum(found) * side.scale


def _run(built: Built, timeout: float, variables: Mapping[str, str]) -> Finished:
    line = built.side.run.replace("{threads}", variables["OMP_NUM_THREADS"])
    log = built.folder.with_name(f"{built.folder.name}-run")
    finished = run_process(["sh", "-c", line], built.folder, timeout, log, variables)
    if finished.returncode != 0:
        raise StepFailed(f"run {built.folder.name}: {_reason(finished)}")
    return finished


def _compare(
    check: Check, written: Built, expected: Finished, emitted: Built, actual: Finished
) -> None:
    """Raises StepFailed where the two do not agree, or printed nothing of what is compared."""
    for built, finished in ((written, expected), (emitted, actual)):
        if check.passed is not None and not check.passed.search(finished.output):
            raise StepFailed(f"{built.folder.name}: no `{check.passed.pattern}` in the output")
    kept = [replace(each, output=_kept(check, each.output)) for each in (expected, actual)]
    if check.lines and not kept[0].output:
        raise StepFailed(f"{written.folder.name}: none of the lines to compare")
    runs = [Run(0, each.output, each.errors, each.seconds) for each in kept]
    tolerance = Tolerance(relative=check.tolerance)
    comparison = Comparison(tolerance, measurements=(), machines=(), output_files=check.files)
    match compare_runs(runs[0], runs[1], comparison, written.folder, emitted.folder):
        case Agreement():
            return
        case Disagreement(reason):
            raise StepFailed(f"they disagree: {' '.join(reason.split())[:200]}")
        case other:
            raise StepFailed(f"they cannot be compared: {other.reason}")


def _kept(check: Check, output: str) -> str:
    lines = output.splitlines()
    kept = [line for line in lines if any(pattern.search(line) for pattern in check.lines)]
    return "\n".join(kept)


def _reason(finished: Finished) -> str:
    lines = finished.errors.strip().splitlines() or finished.output.strip().splitlines()
    worst = next((line for line in lines if "error" in line), lines[-1] if lines else "")
    return f"{finished.ending()} {worst}".strip()[:300]
