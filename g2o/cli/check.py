"""`g2o check`: are the checked-in translations what `g2o translate` would write now?"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from g2o.cli.inputs import shown_path
from g2o.cli.options import (
    CompilerLikeCommand,
    OptionValues,
    Request,
    translation_options,
)
from g2o.cli.outputs import is_c
from g2o.cli.recorded import RECORDED
from g2o.cli.report import DiagnosticsFormat, emit, write_bytes
from g2o.cli.session import run_request, translate_all
from g2o.diagnostics.diagnostic import Diagnostic, Severity, has_errors
from g2o.diagnostics.source import lines_of, name_as_text
from g2o.lazy import loaded_on_use

if TYPE_CHECKING:
    from g2o.cli import c_files
else:  # takes derivatives along, which most commands do without
    c_files = loaded_on_use("g2o.cli.c_files")

_HELP = """Tell whether checked-in translations are current.

Translates in memory with the options of `g2o translate`, compares with the files on disk, prints a
unified diff of those that differ to stdout and exits with 1. Writes nothing. Without options that
say what is written, those count that each translation has in its first line (paths of -I, -include
and -p are not among them). For continuous
integration: a source that was changed without its translation fails the build.

\b
  g2o check src
  g2o check src/*.cu --out-root omp
"""


@click.command(cls=CompilerLikeCommand, help=_HELP)
@translation_options
def command(**values: Unpack[OptionValues]) -> int:
    return run_request(values, _check)


def _check(request: Request) -> int:
    if request.given.isdisjoint(RECORDED):
        request = replace(request, takes_recorded=True)
    if is_c(request):
        made = c_files.translated_c_files(request)
        return _compared(request, not has_errors(made.told), made.outputs, made.told)
    result = translate_all(request)
    remarks = result.remarks if request.remarks else ()
    told = (*result.diagnostics, *remarks)
    if not result.ok and not request.options.keep_going:
        return _compared(request, False, dict[Path, bytes](), told)
    return _compared(request, result.ok, result.outputs(), told)


def _compared(
    request: Request, ok: bool, outputs: Mapping[Path, bytes], told: tuple[Diagnostic, ...]
) -> int:
    faults: list[Diagnostic] = []
    differences: list[bytes] = []
    if ok or request.options.keep_going:
        for path, expected in outputs.items():
            fault = _compare(path, expected)
            if fault is not None:
                faults.append(fault)
                differences.append(_difference(path, expected))
    if request.diagnostics_format is DiagnosticsFormat.TEXT:
        write_bytes(b"".join(differences))
    emit((*told, *faults), request.diagnostics_format)
    return 0 if ok and not faults else 1


def _compare(path: Path, expected: bytes) -> Diagnostic | None:
    shown_as = shown_path(path)
    if not path.is_file():
        return Diagnostic(Severity.ERROR, "G2O0015", "translation is missing", path=shown_as)
    if path.read_bytes() != expected:
        return Diagnostic(Severity.ERROR, "G2O0014", "translation is stale", path=shown_as)
    return None


def _difference(path: Path, expected: bytes) -> bytes:
    """Unified diff from the file on disk to `expected`, byte for byte."""
    name = name_as_text(shown_path(path))
    exists = path.is_file()
    present = path.read_bytes() if exists else b""
    lines = difflib.unified_diff(
        lines_of(present.decode("latin-1"), keepends=True),
        lines_of(expected.decode("latin-1"), keepends=True),
        fromfile=name if exists else "/dev/null",
        tofile=name,
    )
    return "".join(map(_ended, lines)).encode("latin-1")


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
