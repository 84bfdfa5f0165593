"""Options that the commands share, and the request that a command line amounts to."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, ParamSpec, TypedDict, TypeVar, final

import click
from click.core import ParameterSource

from g2o.cli.arguments import is_well_formed_spec, normalise
from g2o.cli.configuration import apply_configuration
from g2o.cli.inputs import with_directories_read
from g2o.cli.report import DiagnosticsFormat
from g2o.passes import IMPROVEMENTS, PASSES, TranslateOptions

P = ParamSpec("P")
R = TypeVar("R")

_PATH: Final = click.Path(path_type=Path)


@final
class CompilerLikeCommand(click.Command):
    """A command that takes `--grad [SPEC]` and `-- CLANG_FLAGS`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, normalise(args))
        apply_configuration(ctx, ctx.params.get("files") or ())
        return rest

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return ["FILE...", "[OPTIONS]", "[-- CLANG_FLAGS...]"]


class OptionValues(TypedDict):
    """What click passes to the callback of a command with `translation_options`."""

    files: tuple[Path, ...]
    target: str
    grad: tuple[str, ...]
    jvp: tuple[str, ...]
    hvp: tuple[str, ...]
    estimate_error: tuple[str, ...]
    output: Path | None
    out_root: Path | None
    in_root: Path | None
    header: bool
    database: Path | None
    include_directories: tuple[str, ...]
    definitions: tuple[str, ...]
    standard: str | None
    includes: tuple[str, ...]
    optimisation: str
    assume_noalias: bool
    associative_math: bool
    remarks: bool
    report: Path | None
    diagnostics_format: str
    keep_going: bool
    no_self_check: bool
    print_after: tuple[str, ...]
    verify_each: bool
    without: tuple[str, ...]
    quiet: bool
    jobs: int
    no_cache: bool
    clang_flag: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Request:
    """One command line, checked as far as that goes without looking at files.

    `search_flags` are the `-I` of the command line, which come before those of `database`;
    `options.clang_flags` are all other flags of the command line, which come after. `included` are
    those of `files` that the command line does not name, but that others of them include. `given`
    are the options that somebody has given, and `recorded` those of single files in place of
    `options`. With `outlives_bugs` a bug of g2o that a file meets, or that it takes more than
    `time_limit` seconds, is a fault of that file alone.
    """

    files: tuple[Path, ...]
    options: TranslateOptions
    search_flags: tuple[str, ...]
    output: Path | None
    out_root: Path | None
    in_root: Path | None
    database: Path | None
    remarks: bool
    report: Path | None
    diagnostics_format: DiagnosticsFormat
    quiet: bool
    jobs: int = 1
    given: frozenset[str] = frozenset()
    takes_recorded: bool = False
    may_be_remembered: bool = True
    recorded: Mapping[Path, TranslateOptions] = field(default_factory=dict[Path, TranslateOptions])
    included: frozenset[Path] = frozenset()
    outlives_bugs: bool = False
    time_limit: float = 600

    @staticmethod
    def of(values: OptionValues) -> Request:
        """The request; raises click.UsageError for options that do not go together."""
        files = with_directories_read(values["files"])
        if values["output"] is not None and len(files) > 1:
            raise click.UsageError("-o takes one input FILE; use --out-root for several.")
        if values["output"] is not None and values["out_root"] is not None:
            raise click.UsageError("-o and --out-root exclude each other.")
        if values["in_root"] is not None and values["out_root"] is None:
            raise click.UsageError("--in-root needs --out-root.")
        options = TranslateOptions(
            target=values["target"],
            grads=values["grad"],
            jvps=values["jvp"],
            hvps=values["hvp"],
            errors=values["estimate_error"],
            optimisation=int(values["optimisation"]),
            header=values["header"],
            keep_going=values["keep_going"],
            assume_noalias=values["assume_noalias"],
            associative_math=values["associative_math"],
            print_after=values["print_after"],
            verify_each=values["verify_each"],
            without=values["without"],
            self_check=not values["no_self_check"],
            clang_flags=_clang_flags(values),
        )
        return Request(
            files=files,
            options=options,
            search_flags=tuple(f"-I{path}" for path in values["include_directories"]),
            output=values["output"],
            out_root=values["out_root"],
            in_root=values["in_root"],
            database=values["database"],
            remarks=values["remarks"],
            report=values["report"],
            diagnostics_format=DiagnosticsFormat(values["diagnostics_format"]),
            quiet=values["quiet"],
            jobs=values["jobs"] or _cores(),
            given=_given(values),
            may_be_remembered=not any(path.is_dir() for path in values["files"]),
        )

    def options_of(self, path: Path) -> TranslateOptions:
        return self.recorded.get(path, self.options)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _given(values: OptionValues) -> frozenset[str]:
    ctx = click.get_current_context(silent=True)
    if ctx is None:
        return frozenset()
    return frozenset(
        name for name in values if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
    )


def _clang_flags(values: OptionValues) -> tuple[str, ...]:
    flags = [f"-D{definition}" for definition in values["definitions"]]
    if values["standard"] is not None:
        flags.append(f"-std={values['standard']}")
    for path in values["includes"]:
        flags += ["-include", path]
    return (*flags, *values["clang_flag"])


def _check_spec(
    ctx: click.Context, param: click.Parameter, specs: tuple[str, ...]
) -> tuple[str, ...]:
    for spec in specs:
        if not is_well_formed_spec(spec):
            expected = "expected `kernel`, `kernel<float>` or `kernel(y, ...)/(x, ...)`"
            raise click.BadParameter(f"{spec!r}: {expected} [G2O0010]", ctx, param)
    return specs


_OPTIONS: Final = (
    click.option(
        "--target",
        type=click.Choice(["cpu", "offload", "portable"]),
        default="cpu",
        show_default=True,
        help="cpu: `parallel for` over blocks, `simd` over threads. "
        "offload: `target teams distribute` over blocks, `parallel for` over threads. "
        "portable: one source for both, -DG2O_OFFLOAD builds it for devices.",
    ),
    click.option(
        "--grad",
        metavar="[SPEC]",
        multiple=True,
        callback=_check_spec,
        help="Also emit adjoints. SPEC is `kernel`, or `kernel(y, ...)/(x, ...)`: dependents over "
        "independents. Without SPEC: every kernel. Repeatable.",
    ),
    click.option(
        "--jvp",
        metavar="[SPEC]",
        multiple=True,
        callback=_check_spec,
        help="Also emit tangents; SPEC as for --grad.",
    ),
    click.option(
        "--hvp",
        metavar="[SPEC]",
        multiple=True,
        callback=_check_spec,
        help="Also emit tangents of adjoints, Hessians times vectors; SPEC as for --grad.",
    ),
    click.option(
        "--estimate-error",
        metavar="[SPEC]",
        multiple=True,
        callback=_check_spec,
        help="Also emit adjoints that add up, for every variable, what its rounding does to the "
        "results; SPEC as for --grad.",
    ),
    click.option("-o", "output", type=_PATH, metavar="FILE", help="Output of the one input."),
    click.option(
        "--out-root",
        type=_PATH,
        metavar="DIR",
        help="Write below DIR, in the tree that the inputs form; g2o_runtime.hpp goes to DIR.",
    ),
    click.option(
        "--in-root",
        type=_PATH,
        metavar="DIR",
        help="The directory that --out-root mirrors. Default: the inputs' common directory.",
    ),
    click.option(
        "--header", is_flag=True, help="Also write x.omp.h, which declares what x.omp.cpp defines."
    ),
    click.option(
        "-p",
        "database",
        type=_PATH,
        metavar="DIR",
        help="Take compiler flags from DIR/compile_commands.json.",
    ),
    click.option(
        "-I", "include_directories", multiple=True, metavar="DIR", help="Look for includes in DIR."
    ),
    click.option(
        "-D", "definitions", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."
    ),
    click.option("-std", "standard", metavar="STD", help="Language standard, e.g. -std=c++17."),
    click.option(
        "-include",
        "includes",
        multiple=True,
        metavar="FILE",
        help="Include FILE before the source.",
    ),
    click.option(
        "-O",
        "optimisation",
        type=click.Choice(["0", "1", "2"]),
        default="2",
        show_default=True,
        help="0: literal translation; 1: eliminate barriers, loads and stores; 2: everything.",
    ),
    click.option(
        "--assume-noalias",
        is_flag=True,
        help="Promise that pointer parameters of a kernel do not overlap.",
    ),
    click.option(
        "--associative-math",
        is_flag=True,
        help="Allow sums of real numbers in loops to be added up in any order: vectors, threads.",
    ),
    click.option("--remarks", is_flag=True, help="Print what each pass did or declined to do."),
    click.option("--report", type=_PATH, metavar="FILE.html", help="The same as a web page."),
    click.option(
        "--diagnostics-format",
        type=click.Choice([form.value for form in DiagnosticsFormat]),
        default=DiagnosticsFormat.TEXT.value,
        show_default=True,
        help="text goes to stderr; json and sarif are one document on stdout.",
    ),
    click.option(
        "--keep-going",
        is_flag=True,
        help="Write what could be translated; a kernel that could not becomes `#error`.",
    ),
    click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Translate N files at a time. Default: as many as there are cores. What is written "
        "and said does not depend on it.",
    ),
    click.option(
        "--no-self-check",
        is_flag=True,
        help="Do not parse what is written, as C++17 with OpenMP, before it is written.",
    ),
    click.option(
        "--no-cache",
        is_flag=True,
        help="Translate even where nothing changed since this command did it last.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Print diagnostics only."),
    click.option(
        "--print-after",
        multiple=True,
        type=click.Choice(PASSES),
        metavar="PASS",
        help=f"Print the kernel IR after PASS, one of {', '.join(PASSES)} (for people who work on "
        "g2o).",
    ),
    click.option(
        "--verify-each",
        is_flag=True,
        help="Check the kernel IR after every pass (for people who work on g2o).",
    ),
    click.option(
        "--without",
        multiple=True,
        type=click.Choice(IMPROVEMENTS),
        metavar="PASS",
        help="Leave out PASS, one of those that only improve what comes out (for people who work "
        "on g2o).",
    ),
    click.option("--clang-flag", multiple=True, hidden=True),
)


def translation_options(callback: Callable[P, R]) -> Callable[P, R]:
    """Add all options of `g2o translate` to a command."""
    return _with_options(callback, needs_files=True)


def options_for_trees(callback: Callable[P, R]) -> Callable[P, R]:
    """The same, for a command that finds the files itself where none are named."""
    return _with_options(callback, needs_files=False)


def _with_options(callback: Callable[P, R], *, needs_files: bool) -> Callable[P, R]:
    for option in reversed(_OPTIONS):
        callback = option(callback)
    files = click.argument("files", metavar="FILE...", nargs=-1, required=needs_files, type=_PATH)
    return files(callback)
