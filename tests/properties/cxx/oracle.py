"""Whether the translation of a random program does what its emulated source does.

The emulation runs under UBSan and in two orders of threads; where it faults or its results differ,
the generator is wrong (`Fault.MEANINGLESS`). The text of each unit's results begins with its name.
"""

from __future__ import annotations

import contextlib
import io
import re
import signal
import subprocess
from collections.abc import Generator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import FrameType
from typing import Final, final

from g2o.cli.main import run as run_g2o
from g2o.verify.build import BuildOptions, Executable, build_emulated
from g2o.verify.run import Run, RunOptions, run
from tests.properties.cxx.tree import Program, program_text, unit_of_line

_UBSAN: Final = ("-fsanitize=undefined", "-fno-sanitize-recover=undefined")
_WARNINGS: Final = (
    *("-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror"),
    *("-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Wno-unused-parameter"),
    *(
        "-Wno-tautological-compare",
        "-Wno-parentheses-equality",
        "-Wno-self-assign",
        "-Wno-maybe-uninitialized",
        "-Wno-sequence-point",
        "-Wno-xor-used-as-pow",
        "-Wno-type-limits",
        "-Wno-unused-value",
        "-Wno-unknown-warning-option",
    ),
)
"""What random programs deserve themselves is left out; so is what g++ thinks of shared memory that
one thread writes, under a condition which it does not see to hold for one."""
_LLVM: Final = "/usr/lib/llvm-19/lib"
_TRANSLATE_SECONDS: Final = 300
_RUN_SECONDS: Final = 60.0


class Fault(Enum):
    """What can go wrong with a unit."""

    MEANINGLESS = "the program has no meaning"
    INTERNAL = "internal error"
    REFUSED = "refused"
    COMPILE = "does not compile"
    CRASHED = "the compiler crashes"
    WRONG = "wrong"


@final
@dataclass(frozen=True, slots=True)
class Failure:
    """`unit` is "" where no single one is known to be the cause."""

    fault: Fault
    unit: str
    detail: str


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """How to translate, build and run."""

    name: str
    options: tuple[str, ...]
    compiler: str = "g++"
    flags: tuple[str, ...] = ("-O1", *_WARNINGS)
    threads: tuple[int, ...] = (1, 2, 4)
    device: bool = False


_CLANG: Final = ("-O1", *_WARNINGS)
SETTINGS: Final = (
    Setting("O2", ("-O2",)),
    Setting(
        "offload",
        ("--target", "offload"),
        "clang++-19",
        (*_CLANG, "-fopenmp-targets=x86_64-pc-linux-gnu"),
        device=True,
    ),
    Setting("O1", ("-O1",)),
    Setting("O0 clang++", ("-O0",), "clang++-19", _CLANG),
    Setting("O2 clang++", ("-O2",), "clang++-19", _CLANG),
    Setting("O0", ("-O0",)),
    Setting("O1 clang++", ("-O1",), "clang++-19", _CLANG),
    Setting("offload g++", ("--target", "offload"), flags=("-O1", *_WARNINGS, "-foffload=disable")),
    Setting("sanitized", ("-O2",), flags=("-O1", "-g", "-fsanitize=address,undefined", *_WARNINGS)),
)
"""The first ones are as different as can be: fast tests have only those."""


@final
@dataclass(frozen=True, slots=True)
class Reference:
    """What the units print; units that fail have no text."""

    texts: dict[str, str]
    failures: tuple[Failure, ...]


def write(program: Program, directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    source = directory / "random.cu"
    source.write_text(program_text(program))
    return source


def reference(program: Program, directory: Path, *, sanitized: bool = True) -> Reference:
    """What the emulated program prints; `sanitized`: under UBSan, which takes twice the time."""
    texts: dict[str, str] = {}
    failures: list[Failure] = []
    while program.units:
        built = _build_emulated(program, directory, sanitized)
        if isinstance(built, Failure):
            failures.append(built)
            rest = [unit.name for unit in program.units if unit.name != built.unit]
            program = program.only(rest if built.unit else ())
            continue
        runs = [_emulated(built, directory, seed) for seed in (0, 1)]
        for number, unit in enumerate(program.units):
            first, second = (_text_of(unit.name, one.stdout) for one in runs)
            ended = [
                one for one, text in zip(runs, (first, second), strict=True) if not _ended(text)
            ]
            if ended:
                failures.append(Failure(Fault.MEANINGLESS, unit.name, ended[0].stderr[-3000:]))
                program = program.only(one.name for one in program.units[number + 1 :])
                break
            if first == second:
                texts[unit.name] = first
            else:
                detail = _difference(first, second)
                failures.append(Failure(Fault.MEANINGLESS, unit.name, detail))
        else:
            break
    return Reference(texts, tuple(failures))


def _build_emulated(program: Program, directory: Path, sanitized: bool) -> Executable | Failure:
    source = write(program, directory)
    options = BuildOptions(optimization="-O0", flags=_UBSAN if sanitized else ())
    built = build_emulated([source], directory / "emulated", options)
    if isinstance(built, Executable):
        return built
    line = re.search(r"random[^:]*:(\d+):\d+: error", built.output)
    name = unit_of_line(program, int(line[1])) if line else None
    return Failure(Fault.MEANINGLESS, name or "", built.output[:3000])


def _ended(text: str) -> bool:
    return text.count("\n") == 4


def _emulated(built: Executable, directory: Path, seed: int) -> Run:
    finished = run(built, RunOptions((), directory, _RUN_SECONDS, seed=seed))
    if isinstance(finished, Run):
        return finished
    return Run(1, finished.stdout, "no end", finished.seconds)


def _text_of(name: str, output: str) -> str:
    return "".join(line + "\n" for line in output.splitlines() if line.startswith(name + " "))


def _difference(wanted: str, found: str) -> str:
    for one, other in zip(wanted.splitlines(), found.splitlines(), strict=False):
        if one == other:
            continue
        words = zip(one.split(), other.split(), strict=False)
        where = next((place for place, (a, b) in enumerate(words) if a != b), 0)
        head = " ".join(one.split()[:2])
        shown, meant = (" ".join(text.split()[where : where + 3]) for text in (other, one))
        return f"{head} element {where - 2}: {shown} instead of {meant}"
    return f"{found.count(chr(10))} lines instead of {wanted.count(chr(10))}"


class _Late(BaseException):
    """The translator did not end in time; it reports any other exception as its own fault."""


@contextlib.contextmanager
def _limit(seconds: int) -> Generator[None]:
    def late(_signal: int, _frame: FrameType | None) -> None:
        raise _Late

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of computing: others may use the machine, too
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def translate(
    program: Program, directory: Path, setting: Setting
) -> tuple[Path, tuple[Failure, ...]]:
    """The translation, and what is refused."""
    source = write(program, directory)
    target = directory / "random.omp.cpp"
    target.unlink(missing_ok=True)
    shown = io.StringIO()
    words = ["translate", str(source), "-q", "--no-self-check", "-o", str(target), *setting.options]
    with contextlib.redirect_stderr(shown), contextlib.redirect_stdout(shown):
        try:
            with _limit(_TRANSLATE_SECONDS):
                code = run_g2o(words)
        except _Late:
            return target, (Failure(Fault.INTERNAL, "", "the translation does not end"),)
    text = shown.getvalue()
    if code == 0:
        return target, ()
    failures: list[Failure] = []
    for found in re.finditer(r"random\.cu:(\d+):\d+: error: (.*)", text):
        fault = Fault.INTERNAL if "G2O02" in found[2] and "internal" in found[2] else Fault.REFUSED
        failures.append(Failure(fault, unit_of_line(program, int(found[1])) or "", found[2]))
    if not failures or "Traceback" in text or "internal" in text:
        failures.append(Failure(Fault.INTERNAL, failures[0].unit if failures else "", text[-3000:]))
    return target, tuple(failures)


def build(target: Path, setting: Setting) -> Executable | str:
    """The program, or what the compiler says."""
    program = target.with_suffix(".out")
    command = (setting.compiler, *setting.flags, str(target), "-o", str(program))
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        return done.stderr
    return Executable(program, _LLVM if "clang" in setting.compiler else "")


def judge(program: Program, wanted: Reference, directory: Path, setting: Setting) -> list[Failure]:
    """What `setting` makes of `program`, whose units all have a meaning."""
    failures: list[Failure] = []
    target, refused = translate(program, directory, setting)
    if refused:
        failures += refused
        names = {one.unit for one in refused}
        rest = [unit.name for unit in program.units if unit.name not in names]
        if "" in names or not rest:
            return failures
        return failures + judge(program.only(rest), wanted, directory, setting)
    built = build(target, setting)
    if isinstance(built, str):
        guilty = _guilty(target, built) if len(program.units) > 1 else names_of(program)[0]
        fault = Fault.CRASHED if "internal compiler error" in built else Fault.COMPILE
        failures.append(Failure(fault, guilty, _first_error(built)))
        rest = [unit.name for unit in program.units if unit.name != guilty]
        if not guilty or not rest:
            return failures
        return failures + judge(program.only(rest), wanted, directory, setting)
    return failures + _judge_runs(program, wanted, built, directory, setting)


def _judge_runs(
    program: Program, wanted: Reference, built: Executable, directory: Path, setting: Setting
) -> list[Failure]:
    found: dict[str, Failure] = {}
    for threads in setting.threads:
        environment = {"OMP_TARGET_OFFLOAD": "MANDATORY"} if setting.device else {}
        if setting.device:
            environment["KMP_TEAMS_THREAD_LIMIT"] = str(threads)
            environment["OMP_NUM_TEAMS"] = "1" if threads > 1 else "2"
        options = RunOptions((), directory, _RUN_SECONDS, threads=threads, environment=environment)
        done = run(built, options)
        for unit in program.units:
            text = _text_of(unit.name, done.stdout)
            if text == wanted.texts[unit.name] or unit.name in found:
                continue
            detail = f"{threads} threads: {_difference(wanted.texts[unit.name], text)}"
            if not _ended(text):
                detail = f"{threads} threads: {done.stderr[-1500:] or 'no end'}"
            found[unit.name] = Failure(Fault.WRONG, unit.name, detail)
            if not _ended(text):
                break  # the others have not run
    return list(found.values())


def names_of(program: Program) -> list[str]:
    return [unit.name for unit in program.units]


def _first_error(output: str) -> str:
    errors = [line for line in output.splitlines() if "error" in line]
    return "\n".join(errors[:3]) or output[:500]


def _guilty(target: Path, output: str) -> str:
    """The unit that a line with an error belongs to: its names say so."""
    lines = target.read_text().splitlines()
    for found in re.finditer(r"omp\.cpp:(\d+):", output):
        for line in reversed(lines[: int(found[1])]):
            name = re.search(r"\b(?:\w+_)?(k\d+)\(", line)
            if name and not line.startswith(" "):
                return name[1]
    return ""


def check(
    program: Program, directory: Path, settings: tuple[Setting, ...], *, sanitized: bool = True
) -> list[tuple[Failure, Setting]]:
    """All that goes wrong with `program`, which is given only once to the emulator."""
    wanted = reference(program, directory, sanitized=sanitized)
    failures = [(one, settings[0]) for one in wanted.failures]
    program = program.only(wanted.texts)
    if program.units:
        for setting in settings:
            failures += [(one, setting) for one in judge(program, wanted, directory, setting)]
    return failures
