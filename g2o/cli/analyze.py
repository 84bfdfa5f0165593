"""`g2o analyze`: what the passes found out about kernels."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Unpack

import click

from g2o.cli.html_report import html_report
from g2o.cli.options import (
    CompilerLikeCommand,
    OptionValues,
    Request,
    translation_options,
)
from g2o.cli.outputs import write_all
from g2o.cli.report import DiagnosticsFormat, emit, encode, wants_colour
from g2o.cli.session import SessionResult, run_request, translate_all
from g2o.diagnostics.render import render_text

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


def _analyze(request: Request) -> int:
    options = replace(request.options, races=True, self_check=False)
    result = translate_all(replace(request, options=options))
    if request.report is not None:
        write_all({request.report: encode(html_report(result.reported()))})
    if request.diagnostics_format is not DiagnosticsFormat.TEXT:
        emit((*result.diagnostics, *result.remarks), request.diagnostics_format)
        return 0 if result.ok else 1
    click.echo(render_text(result.remarks, colour=wants_colour(sys.stdout)), nl=False)
    emit(result.diagnostics, request.diagnostics_format)
    if not request.quiet:
        click.echo(_summary(result), err=True)
    return 0 if result.ok else 1


def _summary(result: SessionResult) -> str:
    kernels = sum(len(f.translation.kernels) for f in result.files if f.translation is not None)
    remarks = len(result.remarks)
    return f"{kernels} kernel{_s(kernels)}, {remarks} remark{_s(remarks)}."


def _s(count: int) -> str:
    return "" if count == 1 else "s"
