"""C files on the command line: `x.c` becomes `x.g2o.c`, the same with derivatives."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from g2o.cli.deep_stack import with_deep_stack
from g2o.cli.inputs import inspect, shown_path
from g2o.cli.options import Request
from g2o.cli.outputs import C_SUFFIX, is_stdout, make_directories, plan_outputs, write_all
from g2o.cli.report import CommandFault, DiagnosticsFormat, emit
from g2o.diagnostics.diagnostic import Diagnostic, Refusal, has_errors
from g2o.openmp_c import CTranslation, translate_c
from g2o.runtime.headers import C_RUNTIME_HEADER, c_runtime_header


def is_c(request: Request) -> bool:
    """Are all of the inputs C files?"""
    return all(path.suffix == C_SUFFIX for path in request.files)


def translate_c_files(request: Request) -> int:
    """Write all of the outputs or none; returns the exit code."""
    told: list[Diagnostic] = []
    outputs: dict[Path, bytes] = {}
    described: list[str] = []
    for each in plan_outputs(request):
        told += inspect(each.source)
        if has_errors(told):
            continue
        flags = (*request.search_flags, *request.options_of(each.source).clang_flags)
        made = _translated(each.source, request, flags)
        told += made.diagnostics
        outputs[each.code] = made.code.encode("latin-1")
        if made.needs_runtime and not is_stdout(each.code):
            outputs[each.code.parent / C_RUNTIME_HEADER] = c_runtime_header()
        count = f"{made.derivatives} derivative{'' if made.derivatives == 1 else 's'}"
        if not is_stdout(each.code):
            described.append(f"{shown_path(each.code)} ({count})")
    failed = has_errors(told)
    if not failed:
        try:
            make_directories(sorted({path.parent for path in outputs if not is_stdout(path)}))
            write_all(outputs)
        except CommandFault as fault:
            told += fault.diagnostics
            failed = True
    emit(told, request.diagnostics_format)
    if failed:
        return 1
    if not request.quiet and request.diagnostics_format is DiagnosticsFormat.TEXT:
        for one in described:
            click.echo(f"wrote {one}", err=True)
    return 0


def _translated(path: Path, request: Request, flags: tuple[str, ...]) -> CTranslation:
    options = replace(request.options_of(path), clang_flags=flags)
    shown = shown_path(path)
    try:
        return with_deep_stack(partial(translate_c, path, options, shown))
    except Refusal as refusal:
        return CTranslation("", refusal.diagnostics, 0, ok=False)
