"""A translation against the emulated CUDA program, over schedules and numbers of threads.

First the reference is compared with itself: when its output depends on the order of blocks, warps
and lanes, or on what fresh memory holds, the CUDA source has a race or reads what nobody wrote, and
no translation can be blamed. Only then is the translation compared with it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import final

from g2o.verify.build import (
    BuildFailure,
    BuildOptions,
    Executable,
    build_emulated,
    build_translation,
)
from g2o.verify.compare import Agreement, Comparison, OracleFailed, Verdict, compare_runs
from g2o.verify.run import Run, RunOptions, TimedOut, run

_OTHER_POISON = 0x3A


@final
@dataclass(frozen=True, slots=True)
class Program:
    """Sources that make one executable, and how to build it."""

    sources: tuple[Path, ...]
    build: BuildOptions = field(default_factory=BuildOptions)


@final
@dataclass(frozen=True, slots=True)
class Differential:
    """What to run. `seeds`: schedules of the reference; `threads`: of the translation.

    `inputs` are files copied into the directory of every run.
    """

    seeds: tuple[int, ...] = (0, 1)
    threads: tuple[int, ...] = (1, 2, 4)
    vary_poison: bool = True
    run: RunOptions = field(default_factory=RunOptions)
    comparison: Comparison = field(default_factory=Comparison)
    inputs: tuple[Path, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """One comparison; `what` says of which runs ("reference, seed 1", "translation, 4 threads")."""

    what: str
    verdict: Verdict


@final
@dataclass(frozen=True, slots=True)
class Built:
    """Both executables of a program."""

    reference: Executable
    translation: Executable


def build_both(reference: Program, translation: Program, directory: Path) -> Built | BuildFailure:
    """Build the emulated reference and the translation below `directory`."""
    emulated = build_emulated(reference.sources, directory / "reference", reference.build)
    if isinstance(emulated, BuildFailure):
        return emulated
    translated = build_translation(
        translation.sources, directory / "translation", translation.build
    )
    if isinstance(translated, BuildFailure):
        return translated
    return Built(emulated, translated)


def compare_programs(built: Built, plan: Differential) -> tuple[Finding, ...]:
    """All findings; comparison with the translation is left out when the reference fails."""
    with tempfile.TemporaryDirectory(prefix="g2o-verify-") as scratch:
        place = Path(scratch)
        reference_place = _directory(place / "reference", plan)
        options = replace(plan.run, directory=reference_place, seed=plan.seeds[0])
        reference = run(built.reference, options)
        findings = list(_check_reference(built, plan, reference, reference_place, place))
        if any(not isinstance(finding.verdict, Agreement) for finding in findings):
            return tuple(findings)
        for count in plan.threads:
            here = _directory(place / f"threads{count}", plan)
            actual = run(built.translation, replace(plan.run, directory=here, threads=count))
            verdict = compare_runs(reference, actual, plan.comparison, reference_place, here)
            findings.append(Finding(f"translation, {count} threads", verdict))
        return tuple(findings)


def _check_reference(
    built: Built, plan: Differential, first: Run | TimedOut, first_place: Path, place: Path
) -> Iterator[Finding]:
    variations: list[tuple[str, RunOptions]] = [
        (f"reference, seed {seed}", replace(plan.run, seed=seed)) for seed in plan.seeds[1:]
    ]
    if plan.vary_poison:
        other = replace(plan.run, seed=plan.seeds[0], poison=_OTHER_POISON)
        variations.append(("reference, other contents of fresh memory", other))
    yield Finding(
        f"reference, seed {plan.seeds[0]}",
        compare_runs(first, first, plan.comparison, first_place, first_place),
    )
    for what, options in variations:
        here = _directory(place / what.replace(" ", "_"), plan)
        second = run(built.reference, replace(options, directory=here))
        verdict = compare_runs(first, second, plan.comparison, first_place, here)
        if not isinstance(verdict, Agreement):
            verdict = OracleFailed(f"the CUDA program is not deterministic: {verdict.reason}")
        yield Finding(what, verdict)


def _directory(path: Path, plan: Differential) -> Path:
    path.mkdir(parents=True)
    for source in plan.inputs:
        (path / source.name).write_bytes(source.read_bytes())
    return path


def agreed(findings: Sequence[Finding]) -> bool:
    """Whether every comparison found agreement."""
    return all(isinstance(finding.verdict, Agreement) for finding in findings)
