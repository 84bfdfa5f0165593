"""The four stages: translate, build, run, check."""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

from .process import Finished, run_process
from .programs import Program, Unit
from .reference import agreement, reference_of
from .results import Category, Outcome, ProgramResult, Stage, StageResult
from .settings import SettingsError
from .verdict import judge
from .workspace import Workspace, make_workspace

_DIAGNOSTIC = re.compile(
    r"^(?P<where>\S+?:\d+):\d+: (?:fatal )?error: (?P<message>.*?)(?: \[(?P<code>G2O\d+)\])?$", re.M
)
_WHOLE_DIAGNOSTIC = re.compile(r"error: (?P<message>.*) \[(?P<code>G2O\d+)\]$", re.M)
_WARNING = re.compile(r"^\S+?:\d+:\d+: warning: .* \[(?P<code>G2O\d+)\]$", re.M)
_LINK_ERROR = re.compile(r"undefined reference to .*|multiple definition of .*|cannot find .*")
_FRAME = re.compile(r'File "[^"]*?([^"/]+/[^"/]+)", line (\d+)')
_EXCEPTION = re.compile(r"[\w.]+(?:Error|Exception|Refusal)\b")
_DETAIL_CHARACTERS = 1500


@final
@dataclass(frozen=True, slots=True)
class Compilers:
    """How to compile and link, and what programs built so want in their environment."""

    c: str
    cxx: str
    flags: tuple[str, ...]
    environment: dict[str, str]
    old_c: tuple[str, ...] = ()  # flags that let sources in C be as old as GCC allows


ON_CPU = Compilers("gcc", "g++", ("-fopenmp",), {})
ON_X86_DEVICE = Compilers(
    "clang-19",
    "clang++-19",
    ("-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", "-Wno-reserved-user-defined-literal"),
    {"LD_LIBRARY_PATH": "/usr/lib/llvm-19/lib", "OMP_TARGET_OFFLOAD": "MANDATORY"},
    ("-Wno-implicit-int", "-Wno-implicit-function-declaration", "-Wno-int-conversion"),
)


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for each stage, the last stage wanted, the folder of reference runs if any, what is
    built for (with "offload" it is clang's x86-64 device), and another C++ compiler that has to
    accept every unit, too."""

    translate: float = 60.0
    build: float = 180.0
    run: float = 20.0
    emulate: float = 60.0
    last: Stage = Stage.CHECK
    references: Path | None = None
    target: str = "cpu"
    second: str | None = None


def measure(program: Program, directory: Path, limits: Limits, translator: str) -> ProgramResult:
    """Take a program as far as it goes, in the empty folder `directory`.

    A program that passes its own check is not emulated. For others the emulated source decides:
    one that finds fault with itself there too, in the same words, is translated rightly.
    """
    result = ProgramResult(
        name=program.name,
        category=Category.LIBRARY if program.libraries else Category.PLAIN,
        kernels=program.kernels,
        libraries=program.libraries,
        translator=translator,
    )
    if program.settings.skip is not None:
        return replace(result, category=Category.SKIPPED, note=program.settings.skip)
    try:
        workspace = make_workspace(program, directory / "translation")
    except SettingsError as error:
        return replace(result, category=Category.SKIPPED, note=str(error))
    options = () if limits.target == "cpu" else ("--target", limits.target)
    result = replace(result, translate=translate(workspace, limits.translate, options))
    if result.translate.outcome is not Outcome.OK or limits.last is Stage.TRANSLATE:
        return result
    compilers = ON_CPU if limits.target == "cpu" else ON_X86_DEVICE
    level = "-O0" if limits.last is Stage.BUILD else "-O2"  # what is not run may be slow
    built = build(workspace, limits.build, compilers, level)
    if built.outcome is Outcome.OK and limits.second is not None:
        built = accept(workspace, limits.build, limits.second, built.seconds)
    result = replace(result, build=built)
    if result.build.outcome is not Outcome.OK or limits.last is Stage.BUILD:
        return result
    finished = run(workspace, program.settings.timeout or limits.run, compilers)
    result = replace(result, run=_ran(finished))
    if finished.returncode is None or finished.returncode < 0 or limits.last is Stage.RUN:
        return result
    verdict = judge(finished.output, program.settings.pass_pattern)
    check = StageResult(verdict.outcome, reason=verdict.line)
    ended_well = result.run.outcome is Outcome.OK
    if limits.references is None or (ended_well and check.outcome is Outcome.OK):
        return replace(result, check=check) if ended_well else result
    reference = reference_of(program, directory / "reference", limits.references, limits.emulate)
    result = replace(result, reference=reference.result())
    compared = agreement(reference, finished, workspace)
    match compared.outcome:
        case Outcome.OK:
            return replace(result, run=replace(result.run, outcome=Outcome.OK), check=compared)
        case Outcome.UNKNOWN:
            return replace(result, check=check) if ended_well else result
        case _:
            return replace(result, check=compared)


def translate(workspace: Workspace, limit: float, options: tuple[str, ...] = ()) -> StageResult:
    """`g2o translate` over all sources with CUDA, once for each set of flags among the units.

    Each call has the units of one set; g2o finds what they include.
    """
    program = workspace.program
    groups: dict[Unit, list[Path]] = {}
    for unit in program.units:
        if unit.source in program.cuda_files:
            groups.setdefault(replace(unit, source=Path()), []).append(unit.source)
    seconds = 0.0
    warnings: list[str] = []
    for number, (flags, files) in enumerate(groups.items()):
        command = [
            *(sys.executable, "-m", "g2o.cli.main", "translate"),
            *(str(workspace.mirror(source)) for source in files),
            *("--in-root", str(workspace.base), "--out-root", str(workspace.base)),
            *_flags(flags, workspace.include_dirs(flags)),
            *options,
        ]
        log = workspace.logs / f"translate{number}"
        finished = run_process(command, workspace.folder, limit, log, {"G2O_TRACEBACK": "1"})
        seconds += finished.seconds
        if finished.returncode != 0:
            return _translation_failure(finished, seconds)
        warnings += _WARNING.findall(finished.errors)
    return StageResult(Outcome.OK, seconds, warnings=tuple(dict.fromkeys(warnings)))


def build(
    workspace: Workspace, limit: float, compilers: Compilers = ON_CPU, level: str = "-O2"
) -> StageResult:
    """Compile every unit and link; `limit` is for each compiler call."""
    program = workspace.program
    seconds = 0.0
    objects: list[str] = []
    for number in range(len(program.units)):
        target = workspace.logs / f"unit{number}.o"
        finished = _compiled(workspace, number, limit, compilers, (level, "-c", "-o", str(target)))
        seconds += finished.seconds
        if finished.returncode != 0:
            return _build_failure(finished, seconds)
        objects.append(str(target))
    libraries = (f"-l{name}" for name in program.link_libraries)
    linked = [*objects, "-o", str(_executable(workspace)), *libraries, "-lm"]
    command = [compilers.cxx, *compilers.flags, *linked]
    finished = run_process(command, workspace.folder, limit, workspace.logs / "link")
    seconds += finished.seconds
    if finished.returncode != 0:
        return _build_failure(finished, seconds)
    return StageResult(Outcome.OK, seconds)


def accept(workspace: Workspace, limit: float, compiler: str, seconds: float) -> StageResult:
    """Have another compiler look at the C++ units; `seconds` is what building took before."""
    others = Compilers("true", compiler, ("-fopenmp", "-Wno-reserved-user-defined-literal"), {})
    for number in range(len(workspace.program.units)):
        finished = _compiled(workspace, number, limit, others, ("-fsyntax-only",))
        seconds += finished.seconds
        if finished.returncode != 0:
            failure = _build_failure(finished, seconds)
            return replace(failure, reason=f"{compiler}: {failure.reason}")
    return StageResult(Outcome.OK, seconds)


def _compiled(
    workspace: Workspace, number: int, limit: float, compilers: Compilers, what: Sequence[str]
) -> Finished:
    """What a compiler says of one unit."""
    unit = workspace.program.units[number]
    source = workspace.compiled_source(unit)
    cxx = [compilers.cxx, f"-std={_standard(unit)}"]
    compiler = [compilers.c, *compilers.old_c] if source.suffix == ".c" else cxx
    include_dirs = (*workspace.include_dirs(unit), workspace.base)
    command = [
        *(*compiler, *compilers.flags, "-w", str(source), *what),
        *_flags(replace(unit, standard=None), include_dirs),
    ]
    log = workspace.logs / f"build{number}"
    return run_process(command, workspace.folder, limit, log)


def run(workspace: Workspace, limit: float, compilers: Compilers = ON_CPU) -> Finished:
    """Run the program in its working copy, on two threads."""
    workspace.set_up(limit)
    command = [
        str(_executable(workspace)),
        *(workspace.argument(word) for word in workspace.program.args),
    ]
    variables = {"OMP_NUM_THREADS": "2", **compilers.environment}
    return run_process(command, workspace.folder, limit, workspace.logs / "run", variables)


def _executable(workspace: Workspace) -> Path:
    return workspace.logs / "program"


def _flags(unit: Unit, include_dirs: Sequence[Path]) -> list[str]:
    return [
        *(f"-D{define}" for define in unit.defines),
        *(f"-I{path}" for path in include_dirs),
        *(word for name in unit.forced_includes for word in ("-include", name)),
        *([f"-std={unit.standard}"] if unit.standard else []),
    ]


def _standard(unit: Unit) -> str:
    """C++17 at least: the runtime header needs it."""
    newer = unit.standard is not None and unit.standard[-2:] in ("20", "2a", "23", "2b")
    return unit.standard if newer and unit.standard is not None else "c++17"


def _translation_failure(finished: Finished, seconds: float) -> StageResult:
    text = finished.errors + finished.output
    if finished.returncode is None:
        return StageResult(Outcome.TIMED_OUT, seconds, finished.ending())
    if "Traceback (most recent call last)" in text:
        lines = text.strip().splitlines()
        frames = _FRAME.findall(text)
        place = "{}:{}".format(*frames[-1]) if frames else ""
        fault = next((line for line in reversed(lines) if _EXCEPTION.match(line)), lines[-1])
        return _failure(seconds, f"traceback: {fault} ({place})", lines[-1], ("traceback",))
    errors = list(_DIAGNOSTIC.finditer(text))
    codes = tuple(dict.fromkeys(error["code"] or "clang" for error in errors))
    if not errors:
        whole = _WHOLE_DIAGNOSTIC.search(text)
        if whole is None:
            return _failure(seconds, finished.ending(), text)
        reason = f"{whole['code']}: {whole['message']}"
        return _failure(seconds, reason, text, (whole["code"],))
    first = errors[0]
    reason = f"{first['code'] or 'clang'}: {first['message']} ({first['where']})"
    return _failure(seconds, reason, text, codes)


def _build_failure(finished: Finished, seconds: float) -> StageResult:
    if finished.returncode is None:
        return StageResult(Outcome.TIMED_OUT, seconds, finished.ending())
    error = _DIAGNOSTIC.search(finished.errors)
    if error is not None:
        reason = f"{error['message']} ({Path(error['where']).name})"
    else:
        linking = _LINK_ERROR.search(finished.errors)
        reason = linking[0] if linking else finished.ending()
    return _failure(seconds, reason, finished.errors)


def _ran(finished: Finished) -> StageResult:
    if finished.returncode is None:
        return StageResult(Outcome.TIMED_OUT, finished.seconds, finished.ending())
    if finished.returncode != 0:
        return _failure(
            finished.seconds, finished.ending(), finished.output[-700:] + finished.errors[-700:]
        )
    return StageResult(Outcome.OK, finished.seconds)


def _failure(seconds: float, reason: str, text: str, codes: tuple[str, ...] = ()) -> StageResult:
    detail = text[:_DETAIL_CHARACTERS]
    return StageResult(Outcome.FAILED, seconds, reason[:300], codes, detail)
