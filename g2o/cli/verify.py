"""`g2o verify`: run translations against the CUDA source emulated thread by thread."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, Unpack, final

import click

from g2o.cli.inputs import shown_path
from g2o.cli.options import (
    CompilerLikeCommand,
    OptionValues,
    Request,
    translation_options,
)
from g2o.cli.outputs import is_c, make_directories, write_all
from g2o.cli.report import CommandFault, DiagnosticsFormat, emit
from g2o.cli.session import FileResult, flags_of_all, run_request, translate_all
from g2o.cli.verdicts import faults_of, is_unsettled, not_settled, order_of_threads, word_of
from g2o.cli.verify_c import verify_c
from g2o.cli.verify_gradients import GradientOptions, verify_gradients
from g2o.diagnostics.diagnostic import Diagnostic, Severity
from g2o.frontend.cuda.lexer import lex
from g2o.verify.build import (
    BuildFailure,
    BuildOptions,
    BuildResult,
    Executable,
    build_emulated,
    build_translation,
)
from g2o.verify.compare import (
    Comparison,
    Disagreement,
    compare_runs,
)
from g2o.verify.gradients import CheckBuild
from g2o.verify.run import Run, RunOptions, TimedOut, run

_HELP = """Run translations against the emulated CUDA source.

The FILEs are one program, or one for each `main`, with all files that have none. It is built twice:
as its translation, and as the CUDA source with every thread of the GPU emulated. Both run with the
same arguments; output, exit code and files have to agree, floating-point numbers within rounding,
for every number of OpenMP threads.

\b
  g2o verify saxpy.cu
  g2o verify main.cu solver.cu --args "64 10" --threads 1,8
  g2o verify image.cu --args in.ppm --output-file out.ppm

With --grad the derivatives of kernels are checked instead: adjoints against tangents (one number
after the other, and as dot products), tangents against finite differences of the kernel, and all
for every number of threads. Every kernel is launched with the dimensions that the program's own
launches agree on, or small ones, with integers of --size and random numbers in [0.5, 1.5].
--launch, or a comment `// g2o-verify: LAUNCH` in the source, says it better:

\b
  g2o verify saxpy.cu --grad
  g2o verify saxpy.cu --grad "saxpy(y)/(x)" --size 100
  g2o verify heat.cu --grad --launch "step<<<(3, 3), (8, 8)>>>(n = 20, u = [n * n], v = [n * n])"
  g2o verify heat.cu --estimate-error "step(v)/(u)" --accuracy 1e-6 --report errors.html
  g2o verify sum.cu --grad --launch "sum<float><<<4, 64, 256>>>(x = [n : -1 .. 1], n = 200)"

The derivatives of C files are checked in the same way: those of functions that pragmas or --grad
ask for, and of loops with `g2o(reverse, shadow)` that are all of a function. They are called:

\b
  g2o verify energy.c
  g2o verify energy.c --grad "energy(energy)/(x)" --launch "energy(n = 30, x = [n : -1 .. 1])"
  g2o verify energy.c --estimate-error "energy(energy)/(x)" --accuracy 1e-6

With --device translations run on a device with memory of its own, and never on the host:

\b
  g2o verify saxpy.cu --target offload --compiler clang++-19 --device x86_64-pc-linux-gnu
"""

_OTHER_ORDERS: Final = (2, 3)  # any numbers but 0 draw one
_CODE_EMULATION: Final = "G2O0602"
_CODE_TRANSLATION: Final = "G2O0603"
_CODE_NO_COMPILER: Final = "G2O0604"
_CODE_IN_STEP: Final = "G2O0309"


class VerifyValues(OptionValues):
    """The options of `g2o verify` beside those of `g2o translate`."""

    arguments: str
    threads: tuple[int, ...]
    timeout: float
    compiler: str
    device: str
    output_files: tuple[Path, ...]
    launch: tuple[str, ...]
    size: int
    seed: int
    tolerance: float
    accuracy: float


@final
@dataclass(frozen=True, slots=True)
class _Plan:
    """How to run a program; `timeout` in seconds for each run. `in_step`: its translation takes the
    lanes of a warp to be in step, which the source does not say."""

    arguments: tuple[str, ...]
    threads: tuple[int, ...]
    timeout: float
    compiler: str
    output_files: tuple[Path, ...]
    device: str = ""
    in_step: bool = False

    def environment(self, threads: int) -> dict[str, str]:
        """What a translation is told of its device; `threads` is for every team."""
        if not self.device:
            return {}
        teams = {"OMP_NUM_TEAMS": "2", "KMP_TEAMS_THREAD_LIMIT": str(2 * threads)}
        return {"OMP_TARGET_OFFLOAD": "MANDATORY", **teams}


@final
@dataclass(frozen=True, slots=True)
class _Row:
    """One run: a line of the result table."""

    program: str
    threads: str
    name: str
    result: str
    seconds: float


def _parse_threads(ctx: click.Context, param: click.Parameter, text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and int(word) > 0 for word in words):
        raise click.BadParameter("expected numbers of threads, as in 1,2,4", ctx, param)
    return tuple(int(word) for word in words)


@click.command(cls=CompilerLikeCommand, help=_HELP)
@translation_options
@click.option("--args", "arguments", default="", metavar="WORDS", help="Arguments of the program.")
@click.option(
    "--threads",
    default="1,2,4",
    show_default=True,
    metavar="N,...",
    callback=_parse_threads,
    help="Values of OMP_NUM_THREADS to run with.",
)
@click.option(
    "--timeout", default=60.0, show_default=True, metavar="SECONDS", help="Limit of each run."
)
@click.option("--compiler", default="g++", show_default=True, help="C++ compiler with OpenMP.")
@click.option(
    "--device",
    default="",
    metavar="TRIPLE",
    help="With --target offload or portable: run on this device, as clang++ names it.",
)
@click.option(
    "--output-file",
    "output_files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A file that the program writes, to be compared as well. Repeatable.",
)
@click.option(
    "--launch",
    multiple=True,
    metavar="LAUNCH",
    help="With --grad: check this launch, `kernel<<<grid, block>>>(name = value, ...)`; a buffer "
    "is [count] or [count : initial]. Repeatable.",
)
@click.option(
    "--size",
    default=20,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="With --grad: integers that no launch gives.",
)
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0, 2**32 - 1),
    help="With --grad: begin the random numbers elsewhere.",
)
@click.option(
    "--tolerance",
    default=0.0,
    metavar="X",
    help="With --grad: relative deviation of adjoint from tangent. Default: 1e-10, 1e-4 for float.",
)
@click.option(
    "--accuracy",
    default=0.0,
    metavar="X",
    help="With --estimate-error: which variables may be float for an error of X, relative to the "
    "sizes of the results.",
)
def command(**values: Unpack[VerifyValues]) -> int:
    if values["device"] and values["target"] == "cpu":
        raise click.UsageError("--device needs --target offload or --target portable")
    if values["estimate_error"] and (values["grad"] or values["jvp"] or values["hvp"]):
        raise click.UsageError("--estimate-error runs alone: verify the derivatives without it")
    plan = _Plan(
        arguments=tuple(shlex.split(values["arguments"])),
        threads=values["threads"],
        timeout=values["timeout"],
        compiler=values["compiler"],
        output_files=values["output_files"],
        device=values["device"],
    )
    gradients = GradientOptions(
        launches=values["launch"],
        size=values["size"],
        seed=values["seed"],
        tolerance=values["tolerance"],
        accuracy=values["accuracy"] if values["estimate_error"] else None,
        threads=values["threads"],
        timeout=values["timeout"],
        environment=plan.environment(max(plan.threads)),
    )
    return run_request(values, partial(_verify, plan=plan, gradients=gradients))


def _verify(request: Request, plan: _Plan, gradients: GradientOptions) -> int:
    if shutil.which(plan.compiler) is None:
        message = f"there is no compiler {plan.compiler!r}"
        raise CommandFault(1, Diagnostic(Severity.ERROR, _CODE_NO_COMPILER, message))
    if is_c(request):
        return verify_c(request, gradients, _check_build(request, plan))
    if any(specs for _, specs in request.options.derivatives):
        return verify_gradients(request, gradients, _check_build(request, plan))
    # A program that is running is killed, and what was built is removed, when g2o is told to end.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="g2o-verify-") as directory:
        scratch = Path(directory)
        request = replace(request, output=None, out_root=scratch / "translation")
        result = translate_all(request)
        rows: list[_Row] = []
        found: tuple[Diagnostic, ...] = ()
        if result.ok:
            plan = replace(plan, in_step=any(one.code == _CODE_IN_STEP for one in result.remarks))
            outputs = result.outputs()
            make_directories(sorted({path.parent for path in outputs}))
            write_all(outputs)
            for number, program in enumerate(_programs(result.compiled)):
                place = scratch / f"program-{number}"
                place.mkdir()
                found += tuple(_run_both(request, plan, scratch, place, program, rows.append))
    diagnostics = (*result.diagnostics, *found)
    if request.diagnostics_format is DiagnosticsFormat.TEXT and rows:
        click.echo(_table(rows), nl=False)
    emit(diagnostics, request.diagnostics_format)
    failed = any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    return 1 if failed or not result.ok else 0


def _programs(compiled: Sequence[FileResult]) -> list[tuple[FileResult, ...]]:
    """Every file with a `main` as a program, with all files that have none."""
    mains = [file for file in compiled if _has_main(file)]
    if len(mains) < 2:
        return [tuple(compiled)]
    others = [file for file in compiled if file not in mains]
    return [(main, *others) for main in mains]


def _has_main(file: FileResult) -> bool:
    """Does the file define `main` under all conditions?"""
    lexed = lex(file.destination.source.read_bytes().decode("latin-1"))
    depths = {"if": 1, "ifdef": 1, "ifndef": 1, "endif": -1}
    code = lexed.code
    return any(
        name.text == "main"
        and after.text == "("
        and before.text in ("int", "auto")
        and not sum(depths.get(d.name, 0) for d in lexed.directives if d.begin < name.begin)
        for before, name, after in zip(code, code[1:], code[2:], strict=False)
    )


def _run_both(
    request: Request,
    plan: _Plan,
    translated_to: Path,
    scratch: Path,
    compiled: Sequence[FileResult],
    add_row: Callable[[_Row], None],
) -> Iterator[Diagnostic]:
    """Build and run both forms of the program; yields what is wrong."""
    is_part = compiled and len(compiled) < len(request.files)
    name = shown_path(compiled[0].destination.source if is_part else request.files[0])
    options = _build_options(request, plan)
    sources = [file.destination.source for file in compiled]
    emulated = build_emulated(sources, scratch / "emulated", options)
    search = (request.out_root or translated_to, *(path.parent for path in request.files))
    options = replace(
        options,
        include_directories=(*search, *options.include_directories),
        optimization="-O2",
        flags=(*options.flags, *_device_flags(plan)),
    )
    translated = [file.destination.code for file in compiled]
    translation = build_translation(translated, scratch / "translated", options)
    failures = (
        *_build_fault(emulated, _CODE_EMULATION, "the emulated source", name),
        *_build_fault(translation, _CODE_TRANSLATION, "the translation", name),
    )
    if isinstance(emulated, BuildFailure) or isinstance(translation, BuildFailure):
        yield from failures
        return
    with _set_aside(plan.output_files, scratch / "before"):
        expected = _execute(emulated, plan, None, scratch / "expected")
        add_row(_Row("emulation", "-", name, _outcome(expected), expected.seconds))
        names = tuple(Path(path.name) for path in plan.output_files)
        comparison = Comparison(output_files=names)
        unsettled: Disagreement | None = None
        for seed in _OTHER_ORDERS if _is_quick(expected, plan) else ():
            other = _execute(emulated, plan, None, scratch / "other", seed)
            verdict = compare_runs(
                expected,
                other,
                replace(comparison, unordered=True),
                scratch / "expected",
                scratch / "other",
            )
            if isinstance(verdict, Disagreement):
                add_row(_Row("emulation", "-", name, "differs in another order", other.seconds))
                unsettled = verdict
                yield order_of_threads(verdict, name)
                break
        for threads in plan.threads:
            actual = _execute(translation, plan, threads, scratch / "actual")
            verdict = compare_runs(
                expected, actual, comparison, scratch / "expected", scratch / "actual"
            )
            if isinstance(verdict, Disagreement) and is_unsettled(verdict, unsettled):
                add_row(_Row("translation", str(threads), name, "not settled", actual.seconds))
                yield not_settled(verdict, threads, name)
                continue
            add_row(_Row("translation", str(threads), name, word_of(verdict), actual.seconds))
            yield from faults_of(verdict, threads, name)


@contextmanager
def _set_aside(files: Sequence[Path], directory: Path) -> Generator[None]:
    """Keep the user's own `files` while programs write others of the same names."""
    directory.mkdir()
    present = [path for path in files if path.exists()]
    for path in present:
        shutil.move(path, directory / path.name)
    try:
        yield
    finally:
        for path in present:
            shutil.move(directory / path.name, path)


def _build_options(request: Request, plan: _Plan) -> BuildOptions:
    """The flags of the command line that a host compiler needs as well."""
    flags: list[str] = []
    link_flags: list[str] = []
    directories: list[Path] = []
    standard = "c++17"
    remaining = iter(flags_of_all(request))
    for flag in remaining:
        if flag.startswith("-I"):
            directories.append(Path(flag.removeprefix("-I")))
        elif flag.startswith("-std="):
            standard = flag.removeprefix("-std=")
        elif flag.startswith(("-D", "-U")):
            flags.append(flag)
        elif flag in ("-include", "-isystem", "-iquote", "-idirafter"):
            flags += [flag, next(remaining, "")]
        elif flag.startswith(("-l", "-L", "-Wl,")):
            link_flags.append(flag)
    return BuildOptions(
        compiler=plan.compiler,
        standard=standard,
        flags=tuple(flags),
        link_flags=tuple(link_flags),
        include_directories=tuple(directories),
        in_step=plan.in_step,
    )


def _device_flags(plan: _Plan) -> tuple[str, ...]:
    """What has kernels built for a device. GCC builds for those that it was configured with unless
    it is told not to, and fails where their tools are older than it."""
    if plan.device:
        return f"-fopenmp-targets={plan.device}", "-DG2O_OFFLOAD"
    is_gcc = re.fullmatch(r"(?:.*-)?g\+\+(?:-\d+)?", Path(plan.compiler).name)
    return ("-foffload=disable",) if is_gcc else ()


def _check_build(request: Request, plan: _Plan) -> CheckBuild:
    options = _build_options(request, plan)
    return CheckBuild(
        compiler=options.compiler,
        standard=options.standard,
        flags=(*options.flags, *_device_flags(plan)),
        include_directories=options.include_directories,
    )


def _is_quick(finished: Run | TimedOut, plan: _Plan) -> bool:
    """Did a program end well, and early enough to be run again?"""
    ended = isinstance(finished, Run) and finished.exit_code == 0
    return ended and finished.seconds < plan.timeout / 8


def _execute(
    program: Executable, plan: _Plan, threads: int | None, kept: Path, seed: int = 0
) -> Run | TimedOut:
    """Run in the current directory; the files that the program writes are kept in `kept`."""
    environment = {} if threads is None else plan.environment(threads)
    options = RunOptions(
        plan.arguments, None, plan.timeout, threads, seed=seed, environment=environment
    )
    finished = run(program, options)
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    for path in plan.output_files:
        if path.is_file():
            shutil.move(path, kept / path.name)
    return finished


def _build_fault(built: BuildResult, code: str, what: str, name: str) -> tuple[Diagnostic, ...]:
    if isinstance(built, Executable):
        return ()
    message = f"{what} does not build: {built.first_error}"
    return (Diagnostic(Severity.ERROR, code, message, path=name),)


def _outcome(finished: Run | TimedOut) -> str:
    if isinstance(finished, TimedOut):
        return "did not end"
    return "ran" if finished.exit_code == 0 else f"exit code {finished.exit_code}"


def _table(rows: Sequence[_Row]) -> str:
    lines = [f"{'':<12} {'threads':>7} {'seconds':>8}  result"]
    several = len({row.name for row in rows}) > 1
    name = ""
    for row in rows:
        if several and row.name != name:
            lines.append(f"{row.name}:")
            name = row.name
        lines.append(f"{row.program:<12} {row.threads:>7} {row.seconds:>8.2f}  {row.result}")
    return "".join(f"{line}\n" for line in lines)
