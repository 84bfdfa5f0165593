"""`g2o analyze`: what the passes found out about kernels."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack, final

import click

from g2o.cli.html_report import ReportedFile, html_report
from g2o.cli.options import (
    CompilerLikeCommand,
    OptionValues,
    Request,
    translation_options,
)
from g2o.cli.outputs import is_c, write_all
from g2o.cli.report import DiagnosticsFormat, emit, encode, wants_colour
from g2o.cli.session import run_request, translate_all
from g2o.diagnostics.diagnostic import Diagnostic, has_errors
from g2o.diagnostics.render import render_text
from g2o.lazy import loaded_on_use

if TYPE_CHECKING:
    from g2o.cli import c_files
else:  # takes derivatives along, which most commands do without
    c_files = loaded_on_use("g2o.cli.c_files")

_HELP = """Say what each pass did or declined to do, and why.

For every barrier, load and store: kept or removed, and the accesses that are the reason; data races
of the CUDA source with the threads that meet. The findings go to stdout; the only file that is
written is that of --report.

\b
  g2o analyze reduce.cu
  g2o analyze reduce.cu --report reduce.html
  g2o analyze src/*.cu --diagnostics-format sarif > g2o.sarif
"""


@click.command(cls=CompilerLikeCommand, help=_HELP)
@translation_options
def command(**values: Unpack[OptionValues]) -> int:
    return run_request(values, _analyze)


@final
@dataclass(frozen=True, slots=True)
class _Analysis:
    """What is told of files; `looked_at` says in words what was looked at."""

    diagnostics: tuple[Diagnostic, ...]
    remarks: tuple[Diagnostic, ...]
    reported: tuple[ReportedFile, ...]
    ok: bool
    looked_at: str


def _analyze(request: Request) -> int:
    options = replace(request.options, races=True, self_check=False)
    request = replace(request, options=options)
    found = _of_c(request) if is_c(request) else _of_cuda(request)
    if request.report is not None:
        write_all({request.report: encode(html_report(found.reported))})
    if request.diagnostics_format is not DiagnosticsFormat.TEXT:
        emit((*found.diagnostics, *found.remarks), request.diagnostics_format)
        return 0 if found.ok else 1
    click.echo(render_text(found.remarks, colour=wants_colour(sys.stdout)), nl=False)
    emit(found.diagnostics, request.diagnostics_format)
    if not request.quiet:
        click.echo(f"{found.looked_at}, {_count(len(found.remarks), 'remark')}.", err=True)
    return 0 if found.ok else 1


def _of_cuda(request: Request) -> _Analysis:
    result = translate_all(request)
    kernels = sum(len(f.translation.kernels) for f in result.files if f.translation is not None)
    return _Analysis(
        result.diagnostics,
        result.remarks,
        result.reported(),
        result.ok,
        _count(kernels, "kernel"),
    )


def _of_c(request: Request) -> _Analysis:
    files = c_files.translated_c_files(request)
    remarks = tuple(told for one in files.made for told in one.remarks)
    reported = tuple(
        ReportedFile(one.source, one.code, (*one.diagnostics, *one.remarks), ())
        for one in files.made
        if one.source is not None
    )
    loops = sum(one.loops for one in files.made)
    return _Analysis(
        files.told, remarks, reported, not has_errors(files.told), _count(loops, "loop")
    )


def _count(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
