"""`g2o translate`: write the OpenMP form of CUDA files."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from g2o.cli.depfile import Depfile
from g2o.cli.html_report import html_report
from g2o.cli.inputs import shown_path
from g2o.cli.options import (
    CompilerLikeCommand,
    OptionValues,
    Request,
    translation_options,
)
from g2o.cli.outputs import (
    RUNTIME_HEADER,
    is_c,
    is_special,
    is_stdout,
    make_directories,
    write_all,
)
from g2o.cli.report import CommandFault, DiagnosticsFormat, emit, encode, wants_colour
from g2o.cli.session import (
    FileResult,
    SessionResult,
    flags_of_all,
    run_request,
    translate_all,
)
from g2o.cli.unchanged import Command, remember
from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.place import decode
from g2o.diagnostics.render import render_text
from g2o.lazy import loaded_on_use
from g2o.runtime.headers import companion_headers

if TYPE_CHECKING:
    from g2o.cli import c_files
else:  # takes derivatives along, which most commands do without
    c_files = loaded_on_use("g2o.cli.c_files")

_HELP = """Translate CUDA files to OpenMP C++.

x.cu becomes x.omp.cpp and x.cuh becomes x.omp.hpp, beside the input. g2o_runtime.hpp, the
header that translations need, is written beside them, and with it the parts that they use
(g2o_atomics.hpp, g2o_warps.hpp, ...). Headers with CUDA in them that the files
include are translated with them, if they lie below the same directory. Either all outputs are
written or none.

\b
  g2o translate saxpy.cu
  g2o translate saxpy.cu -o cpu/saxpy.cpp
  g2o translate src/*.cu src/*.cuh --out-root omp -I include -DN=1024
  g2o translate src --out-root omp -p build
  g2o translate --grad "saxpy(y)/(x)" saxpy.cu
  g2o translate saxpy.cu -- -fgnu-keywords

x.c, OpenMP C, becomes x.g2o.c: the same with derivatives of the loops whose pragmas have a clause
g2o(reverse, shadow(x : d_x, y : d_y)) or g2o(forward, ...).

A directory stands for all .cu and .cuh files below it. Options that the command line leaves out are
taken from [tool.g2o] of the nearest pyproject.toml above the inputs (keys as the long options, and
define, include, std, include-directories, compile-commands, optimization, clang-flags).

What follows -- is passed to clang, which reads the source, as it is.
"""


class TranslateValues(OptionValues):
    """The options of `g2o translate` that no other command has."""

    depfile: Path | None
    depfile_target: str | None


@click.command(cls=CompilerLikeCommand, help=_HELP)
@translation_options
@click.option(
    "--depfile",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write what the translations depend on, as make, ninja and CMake read it.",
)
@click.option(
    "--depfile-target",
    metavar="NAME",
    help="What the depfile is of, instead of the translations, such as a stamp. Translations whose "
    "text stays, and that of headers with them, are then left alone: builds compile what changed.",
)
def command(**values: Unpack[TranslateValues]) -> int:
    path, target = values["depfile"], values["depfile_target"]
    if path is None and target is not None:
        raise click.UsageError("--depfile-target needs --depfile.")
    depfile = None if path is None else Depfile(path, target)
    return run_request(values, lambda request: _translate(request, depfile))


def _translate(request: Request, depfile: Depfile | None) -> int:
    if is_c(request):
        return c_files.translate_c_files(request, depfile)
    result = translate_all(request)
    faults: tuple[Diagnostic, ...] = ()
    written: tuple[FileResult, ...] = ()
    if result.ok or request.options.keep_going:
        try:
            written = _write(request, result, depfile)
        except CommandFault as fault:
            faults = fault.diagnostics
    if result.dumps:
        click.echo(decode(result.dumps), err=True, nl=False)
    remarks = result.remarks if request.remarks else ()
    told = (*result.diagnostics, *remarks, *faults)
    emit(told, request.diagnostics_format)
    described: list[str] = []
    if not request.quiet and request.diagnostics_format is DiagnosticsFormat.TEXT:
        described = [_describe(file) for file in written]
    for each in described:
        click.echo(f"wrote {each}", err=True)
    if not result.ok or faults:
        return 1
    _remember(request, result, depfile, told, described)
    return 0


def _remember(
    request: Request,
    result: SessionResult,
    depfile: Depfile | None,
    told: Iterable[Diagnostic],
    described: Iterable[str],
) -> None:
    """Let the same command find out that it has nothing to do."""
    ctx = click.get_current_context(silent=True)
    command = None if ctx is None else ctx.find_object(Command)
    further = (request.report, None if depfile is None else depfile.path)
    outputs = [*result.outputs(), *(path for path in further if path is not None)]
    is_text = request.diagnostics_format is DiagnosticsFormat.TEXT
    if (
        command is None
        or not request.may_be_remembered
        or not is_text
        or result.dumps
        or any(map(is_special, outputs))
        or sys.stderr.encoding.lower() != "utf-8"
    ):
        return
    text = render_text(told, colour=wants_colour(sys.stderr))
    text += "".join(f"unchanged: {each}\n" for each in described)
    said = {"out": b"", "err": encode(text)}
    remember(command, result.read, map(str, outputs), flags_of_all(request), said)


def _write(
    request: Request, result: SessionResult, depfile: Depfile | None
) -> tuple[FileResult, ...]:
    """Write all outputs; returns the inputs whose translation is now a file."""
    outputs = dict(result.outputs())
    if any(is_special(file.destination.code) for file in result.files):
        # `-o -`: there is no place beside it for the runtime header.
        outputs = {path: data for path, data in outputs.items() if is_special(path)}
    if request.report is not None:
        outputs[request.report] = encode(html_report(result.reported()))
    if request.out_root is not None:
        make_directories(sorted({path.parent for path in outputs}))
    else:
        beside = [each.destination for each in result.files if each.destination.is_included]
        make_directories(sorted({each.code.parent for each in beside}))
    codes = [file for file in result.files if file.destination.code in outputs]
    if depfile is None or depfile.target is None:
        outputs = {path: data for path, data in outputs.items() if not _is_kept(path, data)}
    else:
        outputs = _changed(outputs, [file.destination.code for file in codes if file.is_compiled])
    if depfile is not None:
        made = (path for file in codes for path in (file.destination.code, file.destination.header))
        written = [path for path in made if path in result.outputs()]
        outputs[depfile.path] = depfile.text(written, result.read)
    write_all(outputs)
    return tuple(file for file in codes if not is_stdout(file.destination.code))


def _is_kept(path: Path, data: bytes) -> bool:
    """Is it a runtime header that is there already? Builds depend on its time stamp."""
    return path.name in (RUNTIME_HEADER, *companion_headers()) and _is_there(path, data)


def _changed(outputs: Mapping[Path, bytes], compiled: Iterable[Path]) -> dict[Path, bytes]:
    """Those that are not there already. Where others than what is `compiled` change, all of that is
    written: a build that has not read them yet does not know who includes them."""
    changed = {path: data for path, data in outputs.items() if not _is_there(path, data)}
    if changed.keys() - set(compiled):
        changed |= {path: outputs[path] for path in compiled}
    return changed


def _is_there(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def _describe(file: FileResult) -> str:
    assert file.translation is not None
    refused = file.translation.refused
    count = len(file.translation.kernels) - refused
    kernels = f"{count} kernel{'' if count == 1 else 's'}"
    errors = f", {refused} as #error" if refused else ""
    return f"{shown_path(file.destination.code)} ({kernels}{errors})"
