"""C files on the command line: `x.c` becomes `x.g2o.c`, the same with derivatives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import final

import click

from g2o.cli.deep_stack import with_deep_stack
from g2o.cli.depfile import Depfile
from g2o.cli.inputs import inspect, shown_path
from g2o.cli.options import Request
from g2o.cli.outputs import is_stdout, make_directories, plan_outputs, write_all
from g2o.cli.recorded import recorded_options
from g2o.cli.report import CommandFault, DiagnosticsFormat, emit
from g2o.diagnostics.diagnostic import Diagnostic, Refusal, has_errors
from g2o.diagnostics.source import files_read
from g2o.openmp_c import CTranslation, translate_c
from g2o.passes import TranslateOptions
from g2o.runtime.headers import C_HEADERS, c_header


@final
@dataclass(frozen=True, slots=True)
class CFiles:
    """What is `made` of C files, what is told of them, what is written, and what that is in
    words."""

    made: tuple[CTranslation, ...]
    told: tuple[Diagnostic, ...]
    outputs: dict[Path, bytes]
    described: tuple[str, ...]


def translated_c_files(request: Request) -> CFiles:
    """The files with their derivatives. Raises CommandFault for outputs that cannot be."""
    all_made: list[CTranslation] = []
    told: list[Diagnostic] = []
    outputs: dict[Path, bytes] = {}
    described: list[str] = []
    for each in plan_outputs(request):
        found = tuple(inspect(each.source))
        told += found
        if has_errors(found):
            continue
        options = request.options_of(each.source)
        if request.takes_recorded:
            options = recorded_options(each.source, each.code, each.code, options)
        flags = (*request.search_flags, *options.clang_flags)
        made = _translated(each.source, replace(options, clang_flags=flags))
        all_made.append(made)
        told += made.diagnostics
        outputs[each.code] = made.code.encode("latin-1")
        if not is_stdout(each.code):
            outputs |= {each.code.parent / name: c_header(name) for name in made.headers}
        count = f"{made.derivatives} derivative{'' if made.derivatives == 1 else 's'}"
        if not is_stdout(each.code):
            described.append(f"{shown_path(each.code)} ({count})")
    return CFiles(tuple(all_made), tuple(told), outputs, tuple(described))


def translate_c_files(request: Request, depfile: Depfile | None) -> int:
    """Write all of the outputs or none; returns the exit code."""
    made = translated_c_files(request)
    told = made.told
    failed = has_errors(told)
    if not failed:
        outputs = dict(made.outputs)
        if depfile is not None:
            codes = [path for path in outputs if path.name not in C_HEADERS]
            outputs[depfile.path] = depfile.text(codes, files_read())
        try:
            make_directories(sorted({path.parent for path in outputs if not is_stdout(path)}))
            write_all(outputs)
        except CommandFault as fault:
            told = (*told, *fault.diagnostics)
            failed = True
    emit(told, request.diagnostics_format)
    if failed:
        return 1
    if not request.quiet and request.diagnostics_format is DiagnosticsFormat.TEXT:
        for one in made.described:
            click.echo(f"wrote {one}", err=True)
    return 0


def _translated(path: Path, options: TranslateOptions) -> CTranslation:
    shown = shown_path(path)
    try:
        return with_deep_stack(partial(translate_c, path, options, shown))
    except Refusal as refusal:
        return CTranslation("", refusal.diagnostics, 0, ok=False)
