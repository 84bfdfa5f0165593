"""Translating the files of a request in memory: what all commands but `explain` begin with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import final

from g2o.cli.compile_commands import CompileCommands
from g2o.cli.deep_stack import with_deep_stack
from g2o.cli.html_report import ReportedFile
from g2o.cli.inputs import inspect, shown_path
from g2o.cli.internal_error import described
from g2o.cli.jobs import Isolation, in_order
from g2o.cli.options import OptionValues, Request
from g2o.cli.outputs import (
    C_SUFFIX,
    Destination,
    included_headers,
    is_cuda_in_c,
    is_special,
    plan_outputs,
)
from g2o.cli.progress import with_progress
from g2o.cli.recorded import recorded_options
from g2o.cli.report import CommandFault, emit
from g2o.diagnostics.diagnostic import Diagnostic, Refusal, Severity, has_errors
from g2o.diagnostics.source import files_read
from g2o.frontend.cuda.include_graph import IncludeGraph, real_path, search_directories
from g2o.frontend.cuda.project import InputFile, Project, is_header
from g2o.frontend.cuda.spelled import cuda_left_in
from g2o.frontend.cuda.torch_headers import includes_torch, torch_flags
from g2o.passes import TranslateOptions
from g2o.pipeline import Translation, translate_file
from g2o.runtime.headers import all_headers, runtime_header
from g2o.self_check import Outcome, Output, self_check


@final
@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of one input; `translation` is None where it could not even be read.

    `is_compiled`: it is a source that no other input includes, so that a compiler is given it.
    """

    destination: Destination
    translation: Translation | None
    diagnostics: tuple[Diagnostic, ...]
    is_compiled: bool

    @property
    def reported(self) -> ReportedFile | None:
        """What `--report` shows; None where the source could not be read."""
        made = self.translation
        if made is None or made.source is None:
            return None
        findings = (*made.diagnostics, *made.remarks)
        return ReportedFile(made.source, made.code, findings, made.kernel_lines)


@final
@dataclass(frozen=True, slots=True)
class SessionResult:
    """What became of all inputs, in the order of the command line."""

    files: tuple[FileResult, ...]
    diagnostics: tuple[Diagnostic, ...]
    target: str = "cpu"
    read: frozenset[str] = frozenset()

    @property
    def ok(self) -> bool:
        translated = all(f.translation is not None and f.translation.ok for f in self.files)
        return translated and not has_errors(self.diagnostics)

    @property
    def compiled(self) -> tuple[FileResult, ...]:
        return tuple(file for file in self.files if file.is_compiled)

    @property
    def remarks(self) -> tuple[Diagnostic, ...]:
        translations = [file.translation for file in self.files if file.translation is not None]
        return tuple(remark for translation in translations for remark in translation.remarks)

    @property
    def dumps(self) -> str:
        """What `--print-after` asks for, of all files."""
        translations = [file.translation for file in self.files if file.translation is not None]
        return "\n".join(dump for translation in translations for dump in translation.dumps)

    def reported(self) -> tuple[ReportedFile, ...]:
        """What `--report` shows, of every file that was translated."""
        return tuple(filter(None, (file.reported for file in self.files)))

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
            contents[destination.runtime_header] = runtime_header(self.target)
            parent = destination.runtime_header.parent
            for text in filter(None, (translation.code, translation.header)):
                contents |= included_headers(text, parent)
        return contents


def run_request(values: OptionValues, action: Callable[[Request], int]) -> int:
    """Run `action` on the request that `values` make; faults of the command become exit codes."""
    request = Request.of(values)
    try:
        return action(request)
    except CommandFault as fault:
        emit(fault.diagnostics, request.diagnostics_format)
        return fault.exit_code


@final
@dataclass(frozen=True, slots=True)
class _Made:
    """What was made of an input, by `options` unless it cannot be read; `is_alone`: it is parsed
    without another file that includes it."""

    path: Path
    told: tuple[Diagnostic, ...]
    options: TranslateOptions | None
    outcome: Outcome
    is_alone: bool


def translate_all(request: Request) -> SessionResult:
    """Translate every file that can be read; writes nothing.

    Raises CommandFault where the command itself is at fault (output paths, `-p`).
    """
    asked = request.files
    if any(path.suffix == C_SUFFIX for path in asked) and not is_cuda_in_c(request):
        message = "C files are given to `g2o translate` without CUDA files beside them"
        raise CommandFault(2, Diagnostic(Severity.ERROR, "G2O0017", message))
    request = _with_included(request)
    destinations = plan_outputs(request)
    if request.takes_recorded:
        request = replace(request, recorded=_recorded(request, destinations))
    flags, diagnostics = _flags_of(request)
    project = _project(destinations, flags)
    by_source = {each.source: each for each in destinations}

    read: set[str] = set()

    def work(path: Path) -> tuple[_Made, frozenset[Path], frozenset[str]]:
        return one(path), frozenset(project.reached), files_read()

    def one(path: Path) -> _Made:
        found = tuple(inspect(path))
        if has_errors(found):
            return _Made(path, found, None, (None, ()), False)
        options = replace(
            request.options_of(path),
            clang_flags=flags[path],
            runtime_header=_include_of(by_source[path]),
        )
        translated = partial(_translate, path, by_source[path], project, options)
        outcome = _in_spite_of_bugs(path, translated) if request.outlives_bugs else translated()
        told = (*found, *diagnostics.get(path, ()))
        is_alone = project.parses.get(real_path(path), False)
        return _Made(path, told, options, outcome, is_alone)

    def lost(path: Path, why: str) -> tuple[_Made, frozenset[Path], frozenset[str]]:
        message = f"internal error: the process that translates this file {why}"
        fault = Diagnostic(Severity.ERROR, "G2O0001", message, path=shown_path(path))
        found = tuple(inspect(path))
        options = replace(request.options_of(path), clang_flags=flags[path])
        made = _Made(path, found, options, (None, (fault,)), False)
        return made, frozenset(), frozenset()

    def made_of(paths: Sequence[Path]) -> Iterator[_Made]:
        isolation = Isolation(request.time_limit) if request.outlives_bugs else None
        done = in_order(work, paths, request.jobs, lost, isolation)
        for made, reached, known in with_progress(paths, done, quiet=request.quiet):
            project.reached.update(reached)
            read.update(known)
            yield made

    made = list(made_of(asked))
    # What only a branch includes that the preprocessor skips is left alone.
    further = [path for path in request.files if path not in asked]
    while (reached := [one for one in further if real_path(one) in project.reached]) != []:
        made += made_of(reached)
        further = [path for path in further if path not in reached]
    places = {path: place for place, path in enumerate(request.files)}
    made.sort(key=lambda one: places[one.path])
    outcomes = _checked(request, made, by_source, project)
    results = [
        FileResult(
            by_source[one.path], translation, (*one.told, *reported), project.is_root(one.path)
        )
        for one, (translation, reported) in zip(made, outcomes, strict=True)
    ]
    found_in_all = _told_once(each for file in results for each in file.diagnostics)
    target = request.options_of(request.files[0]).target
    read |= files_read()
    return SessionResult(tuple(results), found_in_all, target, frozenset(read))


def _recorded(
    request: Request, destinations: Sequence[Destination]
) -> dict[Path, TranslateOptions]:
    given = request.options
    return {
        each.source: recorded_options(each.source, each.code, each.header, given)
        for each in destinations
    }


def _told_once(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What several inputs say of a file that they include, once: by the shorter of its names."""
    told: dict[object, Diagnostic] = {}
    for each in found:
        key: object = id(each)
        if each.span is not None:
            place = (real_path(Path(each.span.file.path)), each.span.begin, each.span.end)
            key = (each.severity, each.code, each.message, place)
        known = told.get(key)
        if known is None or _length_of_name(each) < _length_of_name(known):
            told[key] = each
    return tuple(told.values())


def _length_of_name(diagnostic: Diagnostic) -> int:
    return 0 if diagnostic.span is None else len(diagnostic.span.file.path)


def _project(destinations: Iterable[Destination], flags: Mapping[Path, tuple[str, ...]]) -> Project:
    """The files of the request; what goes to a stream stands beside its source."""
    return Project(
        InputFile(
            each.source,
            flags[each.source],
            each.source if is_special(each.code) else each.code,
        )
        for each in destinations
    )


def _with_included(request: Request) -> Request:
    """The request with the files that its own include and that have to be translated with them.

    What goes to a stream has no place for them: they are reported (G2O0016).
    """
    streamed = request.output is not None and is_special(request.output)
    if streamed or not all(path.is_file() for path in request.files):
        return request
    while True:
        flags, _ = _flags_of(request)
        found = _project(plan_outputs(request), flags).left_out()
        if not found:
            return request
        included = request.included.union(found)
        request = replace(request, files=(*request.files, *found), included=included)


def _translate(
    path: Path, destination: Destination, project: Project, options: TranslateOptions
) -> Outcome:
    shown_as = shown_path(path)
    try:
        translation = with_deep_stack(partial(translate_file, path, options, shown_as, project))
    except Refusal as refusal:
        return None, refusal.diagnostics
    except RecursionError:
        message = "nested too deeply for g2o"
        return None, (Diagnostic(Severity.ERROR, "G2O0103", message, path=shown_as),)
    if not translation.ok:
        return translation, translation.diagnostics
    left = cuda_left_in(translation.code, shown_path(destination.code), translation.own_names)
    return replace(translation, ok=not left), (*translation.diagnostics, *left)


def _in_spite_of_bugs(path: Path, work: Callable[[], Outcome]) -> Outcome:
    """What `work` gives; a bug that ends it is a fault of the file, beside those of others."""
    try:
        return work()
    except Exception as fault:  # noqa: BLE001
        # As in main.py, nothing is hidden: the file does not translate, and its user is told why.
        return None, (
            Diagnostic(Severity.ERROR, "G2O0001", described(fault), path=shown_path(path)),
        )


def _checked(
    request: Request,
    made: Sequence[_Made],
    destinations: Mapping[Path, Destination],
    project: Project,
) -> tuple[Outcome, ...]:
    """What becomes of the translations when a compiler reads them."""
    outputs: list[Output] = []
    runtime: dict[Path, bytes] = {}
    for one in made:
        place = destinations[one.path]
        if not request.options.self_check or one.options is None:
            return tuple(each.outcome for each in made)  # without it, or with nothing to write
        again = partial(_translate, one.path, place, project)
        code = one.path if is_special(place.code) else place.code
        roles = project.is_root(one.path), one.is_alone
        output = Output(one.path, code, place.header, one.options, *roles, one.outcome, again)
        outputs.append(output)
        headers = all_headers(one.options.target)
        for directory in {place.runtime_header.parent, code.parent}:
            runtime |= {directory / name: text for name, text in headers.items()}
    check = partial(with_deep_stack, partial(self_check, outputs, runtime))
    if not request.outlives_bugs:
        return check()

    def lost(_: Path, why: str) -> tuple[Outcome, ...]:
        message = f"internal error: the process that checks what would be written {why}"
        return tuple(_and_told(one.outcome, one.source, message) for one in outputs)

    isolation = Isolation(request.time_limit * len(outputs))
    return next(in_order(lambda _: check(), (Path(),), 1, lost, isolation))


def _and_told(outcome: Outcome, path: Path, message: str) -> Outcome:
    translation, told = outcome
    warning = Diagnostic(Severity.WARNING, "G2O0001", message, path=shown_path(path))
    return translation, (*told, warning)


def read_database(directory: Path | None) -> CompileCommands | None:
    """The database of `-p`, if there is one. Raises CommandFault."""
    if directory is None:
        return None
    try:
        return CompileCommands.read(directory)
    except Refusal as refusal:
        raise CommandFault(2, refusal.diagnostic) from refusal


def _flags_of(
    request: Request,
) -> tuple[dict[Path, tuple[str, ...]], dict[Path, tuple[Diagnostic, ...]]]:
    """The clang flags of every input, those of the database between `-I` and the other flags of the
    command line, and what there is to say about them.

    Headers have no entry in a database: they take the flags of the first input that has one.
    """
    database = read_database(request.database)
    own = request.search_flags
    if database is None:
        given = {path: (*own, *request.options_of(path).clang_flags) for path in request.files}
        return _with_torch(given), {}
    stored = {path: database.flags_of(path) for path in request.files}
    of_headers = next((flags for flags in stored.values() if flags is not None), None)
    diagnostics: dict[Path, tuple[Diagnostic, ...]] = {}
    flags: dict[Path, tuple[str, ...]] = {}
    for path in request.files:
        known = stored[path] or (of_headers if is_header(path) else stored[path])
        if known is None:
            message = "no entry in compile_commands.json; using the command line's flags alone"
            found = Diagnostic(Severity.WARNING, "G2O0013", message, path=shown_path(path))
            diagnostics[path] = (found,)
        flags[path] = (*own, *(known or ()), *request.options_of(path).clang_flags)
    return _with_torch(flags), diagnostics


def _with_torch(flags: Mapping[Path, tuple[str, ...]]) -> dict[Path, tuple[str, ...]]:
    """The flags, with where PyTorch's headers are for files that include them or are included with
    them: a header may leave that to its users."""
    graph = IncludeGraph(place for each in flags.values() for place in search_directories(each))
    real = dict.fromkeys(
        file
        for path in map(real_path, flags)
        if path.is_file()
        for file in (path, *graph.closure(path))
    )
    sources = (graph.source(path) for path in real)
    is_needed = includes_torch(source.text for source in sources if source is not None)
    return {path: torch_flags(each) if is_needed else each for path, each in flags.items()}


def _include_of(destination: Destination) -> str:
    """How the translation includes the runtime header: relative, so that it builds without `-I`."""
    return Path(os.path.relpath(destination.runtime_header, destination.code.parent)).as_posix()


def flags_of_all(request: Request) -> tuple[str, ...]:
    """The clang flags of all files of the request one after the other."""
    flags, _ = _flags_of(request)
    return tuple(flag for each in flags.values() for flag in each)
