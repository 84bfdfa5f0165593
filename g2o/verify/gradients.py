"""Checks adjoints and tangents of a translation by running them.

With F the map from all active memory on entry of a kernel k to all active memory on exit, `k_jvp`
has to give F'(x) v and `k_grad` F'(x)^T s for all directions v and seeds s. So

    <s, F'(x) v> = <F'(x)^T s, v>          adjoint against tangent, also for every single number
    F'(x) v = (F(x + h v) - F(x - h v)) / 2h + O(h^2)          tangent against finite differences

hold (Griewank and Walther, "Evaluating Derivatives", section 3.2), both leave the results that k
leaves, and nothing depends on the number of threads. Adjoint and tangent could be wrong alike; then
they differ from the finite differences of k itself.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from g2o.verify.build import C_SUFFIX, BuildFailure, Executable, compiler_for
from g2o.verify.gradients_driver import RUNTIME, CheckedTranslation, Effort, driver_text
from g2o.verify.run import RunOptions, TimedOut, run

FIRST_CHECKS: Final = ("kernel", "results of the adjoint")
"""The findings of every launch begin with one of these."""

_SANITIZER: Final = "SUMMARY: AddressSanitizer:"
_UNDEFINED: Final = ("-no-pie", "-Wl,--unresolved-symbols=ignore-all")
_WARNINGS: Final = ("-Wall", "-Wextra")


@final
@dataclass(frozen=True, slots=True)
class CheckBuild:
    """How to build a driver; `flags` come last. `others`: further sources of the program, whose
    `main` is not called. `c_flags` are those of the C sources among them, in place of `flags`."""

    compiler: str = "g++"
    standard: str = "c++17"
    optimization: str = "-O1"
    flags: tuple[str, ...] = ()
    include_directories: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()
    c_flags: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()
    timeout: float = 300.0


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """One check of one launch. `worst`: the largest deviation in units of what is allowed."""

    kernel: str
    check: str
    ok: bool
    worst: float
    where: str


@final
@dataclass(frozen=True, slots=True)
class Driver:
    """A driver that was built; `warnings` are what the compiler said about the translations.

    `lacks` is what the linker said of a function that nobody defines, as host code of one file of a
    program calls those of others: no check needs it, unless a kernel calls it.
    """

    executable: Executable
    warnings: str
    lacks: str = ""


@final
@dataclass(frozen=True, slots=True)
class ErrorReport:
    """The rounding errors of one launch, in the `form` text, json or html."""

    kernel: str
    form: str
    text: str


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """What a driver found in one translation. `fault` tells why it did not end, "" if it did."""

    findings: tuple[Finding, ...] = field(default=())
    fault: str = ""
    reports: tuple[ErrorReport, ...] = field(default=())

    @property
    def ok(self) -> bool:
        return not self.fault and bool(self.findings) and all(one.ok for one in self.findings)

    def failures(self) -> tuple[str, ...]:
        """A line for everything that is wrong; empty where `ok`."""
        lines = [f"{one.kernel}: {one.check}: {one.where}" for one in self.findings if not one.ok]
        if self.fault:
            lines.append(self.fault)
        return tuple(lines) if lines or self.findings else ("nothing was checked",)


def build_driver(
    translations: Sequence[CheckedTranslation],
    directory: Path,
    build: CheckBuild | None = None,
    effort: Effort | None = None,
) -> Driver | BuildFailure:
    """Build one program that checks all `translations`, in `directory`."""
    build = build or CheckBuild()
    directory.mkdir(parents=True, exist_ok=True)
    source, target = directory / "driver.cpp", directory / "driver"
    source.write_text(driver_text(translations, effort or Effort()), encoding="latin-1")
    objects: list[Path] = []
    for index, other in enumerate(build.others):
        objects.append(directory / f"other{index}.o")
        words = ("-w", f"-Dmain=g2o_other_main_{index}", "-c", str(other), "-o", str(objects[-1]))
        flags = build.c_flags if other.suffix == C_SUFFIX else build.flags
        done = _compile((*_compiler(build, other), *words, *flags), build.timeout)
        if isinstance(done, BuildFailure):
            return done
    words = ("-isystem", str(RUNTIME), "-c", str(source), "-o", f"{target}.o")
    done = _compile((*_compiler(build), *_WARNINGS, *words, *build.flags), build.timeout)
    if isinstance(done, BuildFailure):
        return done
    words = (f"{target}.o", *map(str, objects), "-o", str(target), *build.link_flags)
    linked = _compile((*_compiler(build), *words, *build.flags), build.timeout)
    lacks = ""
    if isinstance(linked, BuildFailure):
        lacks = linked.first_error
        again = _compile((*_compiler(build), *words, *build.flags, *_UNDEFINED), build.timeout)
        if isinstance(again, BuildFailure):
            return linked
    library = "/usr/lib/llvm-19/lib" if "clang++-19" in build.compiler else ""
    return Driver(Executable(target, library), _about(translations, done), lacks)


def _compiler(build: CheckBuild, source: Path | None = None) -> tuple[str, ...]:
    return (
        *compiler_for(build.compiler, build.standard, source),
        *(build.optimization, "-fopenmp"),
        *(flag for place in build.include_directories for flag in ("-I", str(place))),
    )


def _compile(command: tuple[str, ...], timeout: float) -> str | BuildFailure:
    """What the compiler said where it succeeded."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return BuildFailure(command, f"error: no result after {timeout:g} s")
    except FileNotFoundError:
        return BuildFailure(command, f"error: there is no compiler '{command[0]}'")
    return done.stderr if done.returncode == 0 else BuildFailure(command, done.stderr)


def _about(translations: Sequence[CheckedTranslation], said: str) -> str:
    """The warnings that are about the translations and not about the driver."""
    names = tuple(str(translation.code) for translation in translations)
    return "".join(
        f"{line}\n" for line in said.splitlines() if line.startswith(names) and "warning:" in line
    )


def run_checks(driver: Driver, index: int, options: RunOptions | None = None) -> Checked:
    """Run the checks of the `index`-th translation of `driver`."""
    options = options or RunOptions()
    environment = {"OMP_WAIT_POLICY": "passive", **options.environment}
    finished = run(
        driver.executable,
        RunOptions((str(index),), options.directory, options.timeout, environment=environment),
    )
    findings = tuple(_findings(finished.stdout))
    if isinstance(finished, TimedOut):
        return Checked(findings, f"no end within {finished.seconds:g} s")
    if finished.exit_code != 0:
        fault = _ended(finished.exit_code, finished.stderr.splitlines())
        return Checked(findings, f"{fault} {driver.lacks}".rstrip())
    return Checked(findings, reports=tuple(_reports(finished.stdout)))


def _findings(output: str) -> list[Finding]:
    rows = [line.split("\t") for line in output.splitlines()]
    return [
        Finding(row[0], row[1], row[2] == "ok", float(row[3]), row[4])
        for row in rows
        if len(row) == 5
    ]


def _reports(output: str) -> list[ErrorReport]:
    rows = [line.split("\t") for line in output.split("\n")]
    return [
        ErrorReport(row[0], row[1], row[2].replace("\v", "\n")) for row in rows if len(row) == 3
    ]


def _ended(exit_code: int, said: Sequence[str]) -> str:
    outside = next((line for line in said if line.startswith(_SANITIZER)), "")
    if outside:
        kind, _, where = outside.removeprefix(_SANITIZER).strip().partition(" ")
        return f"{kind} at {where.rpartition('/')[2]}: are the buffers large enough?"
    words = next((line for line in said if line.strip()), "")
    if exit_code < 0:
        how = f"was ended by signal {-exit_code}: are the buffers large enough?"
    else:
        how = f"ended with exit code {exit_code}"
    return f"the program {how}{': ' if words else ''}{words}"
