"""Translating the files of a request in memory: what all commands but `explain` begin with."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import final

from g2o.cli.compile_commands import CompileCommands
from g2o.cli.deep_stack import with_deep_stack
from g2o.cli.inputs import inspect, real_path, shown_path
from g2o.cli.options import OptionValues, Request
from g2o.cli.outputs import Destination, plan_outputs, runtime_header
from g2o.cli.progress import with_progress
from g2o.cli.remains import cuda_left_in
from g2o.cli.report import CommandFault, emit, has_errors
from g2o.diagnostics.diagnostic import Diagnostic, Refusal, Severity
from g2o.pipeline import TranslateOptions, Translation, translate_file


@final
@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of one input; `translation` is None where it could not even be read."""

    destination: Destination
    translation: Translation | None


@final
@dataclass(frozen=True, slots=True)
class SessionResult:
    """What became of all inputs, in the order of the command line."""

    files: tuple[FileResult, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        translated = all(f.translation is not None and f.translation.ok for f in self.files)
        return translated and not has_errors(self.diagnostics)

    @property
    def remarks(self) -> tuple[Diagnostic, ...]:
        translations = [file.translation for file in self.files if file.translation is not None]
        return tuple(remark for translation in translations for remark in translation.remarks)

    def outputs(self) -> Mapping[Path, bytes]:
        """Path and contents of every file to write. Text is Latin-1: one character is one byte."""
        contents: dict[Path, bytes] = {}
        for file in self.files:
            translation, destination = file.translation, file.destination
            if translation is None or not (translation.ok or translation.code):
                continue
            contents[destination.code] = translation.code.encode("latin-1")
            if translation.header is not None:
                contents[destination.header] = translation.header.encode("latin-1")
            contents[destination.runtime_header] = runtime_header()
        return contents


def run_request(values: OptionValues, action: Callable[[Request], int]) -> int:
    """Run `action` on the request that `values` make; faults of the command become exit codes."""
    request = Request.of(values)
    try:
        return action(request)
    except CommandFault as fault:
        emit(fault.diagnostics, request.diagnostics_format)
        return fault.exit_code


def translate_all(request: Request) -> SessionResult:
    """Translate every file that can be read; writes nothing.

    Raises CommandFault where the command itself is at fault (output paths, `-p`).
    """
    destinations = {destination.source: destination for destination in plan_outputs(request)}
    database = _read_database(request.database)
    inputs = frozenset(real_path(path) for path in request.files)
    results: list[FileResult] = []
    diagnostics: list[Diagnostic] = []
    for path in with_progress(request.files, quiet=request.quiet):
        found = list(inspect(path))
        translation = None
        if not has_errors(found):
            options, further = _options_for(path, request, database)
            options = replace(options, runtime_header=_include_of(destinations[path]))
            translation, reported = _translate(path, options, inputs)
            if translation is not None and translation.ok:
                left = cuda_left_in(translation.code, shown_path(destinations[path].code))
                translation, reported = replace(translation, ok=not left), (*reported, *left)
            found += [*further, *reported]
        diagnostics += found
        results.append(FileResult(destinations[path], translation))
    return SessionResult(tuple(results), tuple(diagnostics))


def _translate(
    path: Path, options: TranslateOptions, inputs: frozenset[Path]
) -> tuple[Translation | None, tuple[Diagnostic, ...]]:
    shown_as = shown_path(path)
    try:
        translation = with_deep_stack(partial(translate_file, path, options, shown_as, inputs))
    except Refusal as refusal:
        return None, (refusal.diagnostic,)
    except RecursionError:
        message = "nested too deeply for g2o"
        return None, (Diagnostic(Severity.ERROR, "G2O0103", message, path=shown_as),)
    return translation, translation.diagnostics


def _read_database(directory: Path | None) -> CompileCommands | None:
    if directory is None:
        return None
    try:
        return CompileCommands.read(directory)
    except Refusal as refusal:
        raise CommandFault(2, refusal.diagnostic) from refusal


def _options_for(
    path: Path, request: Request, database: CompileCommands | None
) -> tuple[TranslateOptions, tuple[Diagnostic, ...]]:
    """The options for `path`, with its flags of the database between `-I` and the other flags."""
    diagnostics: tuple[Diagnostic, ...] = ()
    stored: tuple[str, ...] = ()
    if database is not None:
        flags = database.flags_of(path)
        if flags is None:
            message = "no entry in compile_commands.json; using the command line's flags alone"
            found = Diagnostic(Severity.WARNING, "G2O0013", message, path=shown_path(path))
            diagnostics = (found,)
        stored = flags or ()
    flags = (*request.search_flags, *stored, *request.options.clang_flags)
    return replace(request.options, clang_flags=flags), diagnostics


def _include_of(destination: Destination) -> str:
    """How the translation includes the runtime header: relative, so that it builds without `-I`."""
    return Path(os.path.relpath(destination.runtime_header, destination.code.parent)).as_posix()


def flags_of_all(request: Request) -> tuple[str, ...]:
    """The clang flags of all files of the request one after the other."""
    database = _read_database(request.database)
    options = [_options_for(path, request, database)[0] for path in request.files]
    return tuple(flag for each in options for flag in each.clang_flags)
