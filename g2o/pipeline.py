"""The whole translator, top to bottom: the only place that composes stages."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, final

from g2o.ad.request import pragmas_in, requests_at_odds, unknown_kernels
from g2o.analysis.figures import KernelFigures
from g2o.analysis.functions import FunctionTable, functions_of
from g2o.analysis.races import find_races
from g2o.analysis.too_hard import too_hard
from g2o.diagnostics.diagnostic import (
    Diagnostic,
    Outcome,
    Refusal,
    Refusals,
    Severity,
    has_errors,
    remark,
)
from g2o.diagnostics.place import BYTE_ORDER_MARK
from g2o.diagnostics.source import SourceFile, SourceSpan, name_as_text
from g2o.emit.format import format_ranges, overlong_places
from g2o.emit.header import header_text
from g2o.emit.kernel import Replacement, kernel_text, template_declaration
from g2o.emit.open_conditions import with_open_conditions
from g2o.emit.preamble import preamble
from g2o.emit.printer import Printer
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.dead_constants import without_dead_constants
from g2o.frontend.cuda.dead_macros import without_dead_macros
from g2o.frontend.cuda.exports import exports
from g2o.frontend.cuda.function_values import uses_as_values
from g2o.frontend.cuda.hidden_calls import HiddenCalls
from g2o.frontend.cuda.host_lambdas import lambdas_that_need_the_launch
from g2o.frontend.cuda.names_around import scopes_around
from g2o.frontend.cuda.opened_classes import opening_edits
from g2o.frontend.cuda.pasted_names import names_pasted_in
from g2o.frontend.cuda.program import KernelSource, Program, read_program
from g2o.frontend.cuda.project import Project, is_header
from g2o.frontend.edits import EditedText, TextEdit
from g2o.ir.expressions import Call, Expr
from g2o.ir.kernel import Function, Kernel
from g2o.ir.naming import with_names
from g2o.ir.traverse import walk
from g2o.ir.watch import PassWatch
from g2o.lazy import loaded_on_use
from g2o.lowering.local_types import element_types
from g2o.lowering.simd import may_vectorise
from g2o.passes import (
    TranslateOptions,
    combining_pass,
    handles_reals,
    kernel_passes,
    lowered_kernel,
    without_needless,
)
from g2o.polyhedral.solver import RACE_LIMIT, Solver
from g2o.runtime.headers import with_parts
from g2o.specialised import Instances, Specialised
from g2o.transforms.asserted_sizes import with_asserted_sizes
from g2o.transforms.associative import sum_pragmas
from g2o.transforms.narrow_initialisers import narrowed
from g2o.transforms.plain_spelling import spelled_plainly
from g2o.transforms.wide_shifts import wide_shifts

if TYPE_CHECKING:
    from g2o import derivatives
else:  # most files are translated without their derivatives
    derivatives = loaded_on_use("g2o.derivatives")

_ON_DEVICE = frozenset({"CUDACONSTANT_ATTR", "CUDADEVICE_ATTR"})
_LONE_NEWLINE = re.compile(r"(?<!\r)\n")


@final
@dataclass(frozen=True, slots=True)
class KernelSignature:
    """What a kernel takes behind grid and block: the size of dynamic shared memory if it
    `takes_shared_bytes`, then its `parameters`, by name. `shadows` are the parameters that its
    derivatives have shadows for, by suffix. `qualified` is the name with its namespaces."""

    name: str
    qualified: str
    is_template: bool
    parameters: tuple[str, ...]
    takes_shared_bytes: bool
    shadows: Mapping[str, tuple[str, ...]]


@final
@dataclass(frozen=True, slots=True)
class Translation:
    """The outcome for one file. `code` is Latin-1 text: encode it as that.

    `dumps` is the IR that `print_after` asks for, `kernel_lines` the first and the last line of
    every kernel in `source`, `figures` what the analysis of each came to, `refused` how many of
    `kernels` are an `#error`, `instances` those of derivatives that are templates, `changes` which
    kernels were changed by which passes, where that was to be noted, `variables` those of the
    device at global scope, `missing` how many derivatives were asked for and are not there,
    `own_names` those functions and types of the program, wherever it declares them, that CUDA has.
    """

    code: str
    header: str | None
    diagnostics: tuple[Diagnostic, ...]
    remarks: tuple[Diagnostic, ...]
    kernels: tuple[str, ...]
    ok: bool
    dumps: tuple[str, ...] = ()
    source: SourceFile | None = None
    kernel_lines: tuple[tuple[int, int], ...] = ()
    figures: tuple[KernelFigures, ...] = ()
    refused: int = 0
    instances: tuple[str, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    signatures: tuple[KernelSignature, ...] = ()
    variables: tuple[str, ...] = ()
    missing: int = 0
    own_names: frozenset[str] = frozenset()


def translate_file(
    path: Path, options: TranslateOptions, shown_as: str, project: Project
) -> Translation:
    """Translate one CUDA file. `project` has all inputs of the command, this one among them.

    Raises OSError where the file cannot be read.
    """
    flags, runtime = options.clang_flags, options.runtime_header
    target = options.has_device, options.is_portable
    program = read_program(path, flags, shown_as, project, runtime, *target)
    diagnostics = [*program.diagnostics, *program.host.diagnostics]
    if program.diagnostics:
        return Translation("", None, tuple(diagnostics), (), (), False)
    functions = functions_of(program)
    replacements: list[Replacement] = []
    told: list[Diagnostic] = []
    watch = PassWatch(
        options.print_after,
        verify=options.verify_each,
        without=options.without,
        notes_changes=options.notes_changes,
    )
    translated: list[KernelSource] = []
    figures: list[KernelFigures] = []
    specs = tuple(spec for _, asked in options.derivatives for spec in asked)
    in_arrays: set[str] = set()
    derived: derivatives.Derivatives | None = None
    if specs or pragmas_in(program.unit.main.text):
        derived = derivatives.Derivatives(program, functions, options, watch)
    specialised = Specialised.of(program, functions)
    for source in program.kernels:
        refusals = Refusals()
        made: list[Replacement] = []
        behind = ""
        with refusals.noted():
            replacement, noted, kept = _translate(specialised, source, options, watch, figures)
            made.append(replacement)
            told.extend(noted)
            in_arrays |= kept
        if derived is not None and source.refusal is None:
            with refusals.noted():
                behind, noted = derived.of(source)
                told.extend(noted if made else ())
        found = refusals.found()
        left = _left_in(program, source)
        if left is None and not found:
            replacements.extend(replace(one, text=one.text + behind) for one in made)
            translated.append(source)
        elif found and options.keep_going:
            replacements.append(_refused(program, source, found[0]))
        elif left is not None and not found:
            replacements.append(_refused(program, source, left))
        told.extend(found)
    refusals = Refusals()
    with refusals.noted():
        for one, noted in _of_headers(specialised, options, watch, figures):
            replacements.append(one)
            told.extend(noted)
    told.extend(refusals.found())
    diagnostics.extend(one for one in told if one.severity is not Severity.REMARK)
    remarks = [one for one in told if one.severity is Severity.REMARK]
    kernels = [source.name for source in program.kernels]
    elsewhere = project.kernels_elsewhere(path) if any(specs) else ()
    diagnostics.extend(unknown_kernels(specs, kernels, elsewhere))
    for _, asked in options.derivatives:
        diagnostics.extend(requests_at_odds(asked))
    replacements.extend(_without_pragmas(program))
    replacements.extend(
        _without_inlined(
            program,
            functions,
            diagnostics,
            in_arrays,
            specialised.resolved(),
            handles_reals(functions, ()) if derived is not None and derived.declared else None,
        )
    )
    if options.associative_math and not options.has_device:
        replacements.extend(_sums_in_any_order(program, functions))
    code = _splice(program, replacements, options, shown_as)
    names = tuple(dict.fromkeys(source.name for source in program.kernels))
    output = project.output_of(path)
    header = None
    if options.header and output is not None and not is_header(path):
        declared = derived.declared if derived is not None else {}
        header = _header(program, translated, declared, output.stem, options, shown_as)
    missing = 0 if derived is None else derived.missing
    return Translation(
        code,
        header,
        tuple(map(program.device.in_source, diagnostics)),
        tuple(map(program.device.in_source, remarks)),
        names,
        not has_errors(diagnostics) and missing == 0,
        tuple(watch.dumps),
        program.source,
        tuple(_lines(program, source) for source in program.kernels),
        tuple(figures),
        len(names) - len({source.name for source in translated}),
        () if derived is None else tuple(derived.templates),
        tuple(watch.changes),
        tuple(_signature(program, one, derived) for one in translated),
        tuple(_variables(program)),
        missing,
        program.own_names(),
    )


def _variables(program: Program) -> Iterator[str]:
    """The variables of the device, with the namespaces that they are declared in."""
    for cursor in program.unit.declared():
        if cursor.kind == "VAR_DECL" and any(one.kind in _ON_DEVICE for one in cursor.children):
            scopes = (one.spelling for one in reversed(scopes_around(cursor)))
            yield "::".join((*filter(str.isidentifier, scopes), cursor.spelling))


def _signature(
    program: Program, source: KernelSource, derived: derivatives.Derivatives | None
) -> KernelSignature:
    assert source.function is not None
    return KernelSignature(
        source.name,
        source.qualified,
        bool(source.function.template_parameters),
        tuple(one.name for one in source.function.parameters),
        program.facts.kernels[source.name].takes_shared_bytes,
        {} if derived is None else derived.shadows.get(source.name, {}),
    )


def _lines(program: Program, kernel: KernelSource) -> tuple[int, int]:
    begin, end = program.device.original_range(kernel.span.begin, kernel.span.end)
    locate = program.source.line_and_column
    return locate(begin)[0], locate(end)[0]


def _translate(
    specialised: Specialised,
    source: KernelSource,
    options: TranslateOptions,
    watch: PassWatch,
    figures: list[KernelFigures],
) -> tuple[Replacement, tuple[Diagnostic, ...], frozenset[str]]:
    """A kernel as `_translate_kernel` gives it; where it has no translation as it is, one by the
    instances of templates that it is, or calls."""
    program, functions = specialised.program, specialised.functions
    instances = specialised.instances(source, options.by_instances(source.name))
    if instances is not None:
        return _translate_instances(program, source, instances, options, watch, figures)
    try:
        return _translate_kernel(program, source, functions, options, watch, figures)
    except Refusal:
        instances = specialised.instances(source, always=True)
        if instances is None:
            raise
        with suppress(Refusal):
            return _translate_instances(program, source, instances, options, watch, figures)
        raise


def _translate_kernel(
    program: Program,
    source: KernelSource,
    functions: FunctionTable,
    options: TranslateOptions,
    watch: PassWatch,
    figures: list[KernelFigures],
) -> tuple[Replacement, tuple[Diagnostic, ...], frozenset[str]]:
    """One kernel from IR to text, what is to be told, and the types of arrays that it makes. Raises
    Refusal where it cannot be translated rightly."""
    if source.refusal is not None:
        raise source.refusal
    assert source.function is not None
    options, told = options.for_kernel(source.function)
    kernel = with_asserted_sizes(Kernel(source.function, program.shape_of(source)), functions)
    remarks = _remarks_on_inlining(kernel, functions)
    watch.see("read", kernel)
    noted = list(told)
    device = options.has_device
    for one in kernel_passes(functions, noted, device=device):
        kernel = watch.run(one, kernel, options.optimisation)
    solver, asked = Solver(), Solver(RACE_LIMIT)
    analysed, started = kernel, time.process_time()
    raced = find_races(kernel, functions, options.assume_noalias, asked, options.races)
    if not device:
        combining = combining_pass(functions, options.associative_math, False)
        kernel = watch.run(combining, kernel, options.optimisation)
    kernel, eliminated = without_needless(
        kernel, functions, options, solver, watch, tiles=not device
    )
    eliminated = (*eliminated, *too_hard(source.name, source.function.name_span, solver, asked))
    figures.append(KernelFigures.of(analysed, eliminated, time.process_time() - started))
    shared = program.facts.kernels[source.name].takes_shared_bytes
    lowered = lowered_kernel(kernel, functions, shared, options, watch)
    remarks = (*remarks, *noted, *raced, *eliminated, *lowered.remarks)
    lowered = with_names(spelled_plainly(lowered))
    printer = Printer(lambda file, begin, end: program.edited(file).slice(begin, end))
    text = program.edited(program.unit.main)
    made = kernel_text(lowered, printer, text, program.macro_functions)
    begin, end = program.device.original_range(made.begin, made.end)
    return Replacement(begin, end, made.text), remarks, element_types(lowered.body)


def _translate_instances(
    program: Program,
    source: KernelSource,
    instances: Instances,
    options: TranslateOptions,
    watch: PassWatch,
    figures: list[KernelFigures],
) -> tuple[Replacement, tuple[Diagnostic, ...], frozenset[str]]:
    """A kernel as `_translate_kernel` gives it, by its instances."""
    assert source.function is not None
    begin, end = program.device.original_range(source.span.begin, source.span.end)
    texts: list[str] = []
    if instances.is_template:
        shared = program.facts.kernels[source.name].takes_shared_bytes
        text = program.edited(program.unit.main)
        texts.append(template_declaration(source.function, shared, text))
    told: tuple[Diagnostic, ...] = ()
    in_arrays = frozenset[str]()
    for one in instances.sources:
        made, noted, kept = _translate_kernel(
            instances.program, one, instances.functions, options, watch, figures
        )
        texts.append(made.text)
        told = (*told, *map(instances.program.device.in_source, noted))
        in_arrays |= kept
    return Replacement(begin, end, "\n\n".join(texts)), told, in_arrays


def _of_headers(
    specialised: Specialised,
    options: TranslateOptions,
    watch: PassWatch,
    figures: list[KernelFigures],
) -> Iterator[tuple[Replacement, tuple[Diagnostic, ...]]]:
    """The specialisations of headers' kernels for the classes of the file, each behind those, and
    what is to be told."""
    found = specialised.included()
    if found is None:
        return
    instances, places = found
    for one, place in zip(instances.sources, places, strict=True):
        made, noted, _ = _translate_kernel(
            instances.program, one, instances.functions, options, watch, figures
        )
        told = tuple(map(instances.program.device.in_source, noted))
        yield Replacement(place, place, f"\n\n{made.text}"), told


def _remarks_on_inlining(kernel: Kernel, functions: FunctionTable) -> tuple[Diagnostic, ...]:
    """The calls in the kernel that cannot stay calls."""
    found: list[Diagnostic] = []
    for node in walk(kernel.body):
        effects = functions.effects(node.key) if isinstance(node, Call) and node.key else None
        if effects is not None and effects.needs_context and isinstance(node, Call):
            message = f"'{node.name}' is inlined: it needs to know the thread or waits for others"
            found.append(remark(Outcome.PASSED, "G2O0315", message, node.span))
    return tuple(found)


def _without_inlined(
    program: Program,
    functions: FunctionTable,
    diagnostics: list[Diagnostic],
    in_arrays: Iterable[str],
    resolved: frozenset[str],
    derives: Callable[[str], bool] | None,
) -> list[Replacement]:
    """Device functions that only exist inside kernels leave the file: they have been inlined. The
    shifts of others are replaced. Classes get what arrays of them need. `resolved` are members
    whose calls instances of templates have resolved, `derives` says what derivatives inline."""
    gone: list[Replacement] = []
    inlined: list[Cursor] = []
    derived: list[Cursor] = []

    def needs_launch(key: str) -> bool:
        effects = functions.effects(key)
        return effects is not None and effects.needs_context

    def is_inlined(key: str) -> bool:
        try:
            return needs_launch(key)
        except Refusal:
            return False  # told where it is defined, or used

    hidden = HiddenCalls(program.unit, needs_launch)
    for definition in program.device_definitions():
        try:
            needs_context = needs_launch(definition.key) or hidden.sets_from_launch(
                definition.cursor
            )
        except Refusal as refusal:
            diagnostics.extend(refusal.diagnostics)
            continue
        if needs_context:
            gone.append(Replacement(definition.begin, definition.end, ""))
            inlined.append(definition.cursor)
            fault = hidden.fault(definition.cursor)
            called = f"call of '{definition.cursor.spelling}'"
            told = any(called in one.message for one in diagnostics)
            if fault is not None and not told and not _is_among(resolved, definition.cursor):
                diagnostics.append(fault)
        else:
            function = functions.body(definition.key)
            if derives is not None and definition.cursor.kind != "CONSTRUCTOR":
                derived.extend([definition.cursor] if derives(definition.key) else ())
            gone.extend(_defined_shifts(program, function))
            gone.extend(_explicit_narrowing(program, function))
    gone.extend(
        Replacement(one.begin, one.end, "")
        for one in program.device_prototypes()
        if is_inlined(one.key)
    )
    diagnostics.extend(uses_as_values(program.unit, program.all_device_functions, is_inlined))
    diagnostics.extend(lambdas_that_need_the_launch(program.unit))
    constructors = [c for c in program.device_functions if c.kind == "CONSTRUCTOR"]
    members = (*inlined, *derived)
    for edit in opening_edits(program.unit, members, constructors, frozenset(in_arrays)):
        begin, end = program.device.original_range(edit.begin, edit.end)
        gone.append(Replacement(begin, end, edit.replacement))
    return gone


def _is_among(names: frozenset[str], member: Cursor) -> bool:
    return member.kind != "CONSTRUCTOR" and member.spelling.split("<")[0] in names


def _without_pragmas(program: Program) -> list[Replacement]:
    """`#pragma g2o ...` is for g2o, not for the compilers of the output."""
    return [Replacement(begin, end, "") for begin, end in pragmas_in(program.source.text)]


def _defined_shifts(program: Program, function: Function | None) -> Iterator[Replacement]:
    """The shifts of a function that stays one, where they have to have CUDA's meaning."""
    printer = Printer(lambda file, begin, end: program.edited(file).slice(begin, end))

    source = program.source.text

    def place(span: SourceSpan) -> tuple[int, int] | None:
        if span.file is not program.unit.main:
            return None
        begin, end = program.device.original_range(span.begin, span.end)
        return begin, end - source[begin:end].endswith(";")

    for old, new in wide_shifts(function.body, place) if function is not None else ():
        spans = [one.span for one in old if one.span is not None]
        begin, end = program.device.original_range(spans[0].begin, spans[-1].end)
        text = "\n".join(
            printer.expression(one) if isinstance(one, Expr) else printer.statement(one)
            for one in new
        )
        if ";" in (source[end - 1], source[end]):
            text = text.removesuffix(";")
        yield Replacement(begin, end, f"{text};" if source[end - 1] == ";" else text)


def _explicit_narrowing(program: Program, function: Function | None) -> Iterator[Replacement]:
    """Casts in the braces of a function that stays one, where they narrow."""
    for value, ctype in narrowed(function.body) if function is not None else ():
        span = value.span
        if span is not None and span.file is program.unit.main:
            begin, end = program.device.original_range(span.begin, span.end)
            yield Replacement(begin, begin, f"static_cast<{ctype.spelling}>(")
            yield Replacement(end, end, ")")


def _sums_in_any_order(program: Program, functions: FunctionTable) -> Iterator[Replacement]:
    """Directives in front of the loops of device functions that stay functions."""
    keys = [definition.key for definition in program.device_definitions()]
    bodies = {key: body for key in keys if (body := functions.body(key)) is not None}
    functions.callers.note_functions(bodies.values())
    for key, function in bodies.items():
        effects = functions.effects(key)
        if effects is None or effects.needs_context:
            continue
        shared = not program.facts.is_header and functions.callers.has_cpu_for_itself(key)
        for loop, directive in sum_pragmas(function, shared, may_vectorise):
            span = loop.span
            if span is None or span.file is not program.unit.main:
                continue
            begin, _ = program.device.original_range(span.begin, span.end)
            line = program.source.text.rfind("\n", 0, begin) + 1
            starts = not program.source.text[line:begin].strip()
            pragma = f"#pragma {directive.text}\n"
            yield Replacement(begin, begin, pragma if starts else f"\n{pragma}")


def _left_in(program: Program, source: KernelSource) -> Diagnostic | None:
    """The first name in a kernel that has no translation."""
    begin, end = program.device.original_range(source.span.begin, source.span.end)
    for told in program.host.diagnostics:
        span = program.device.in_source(told).span
        if span is not None and told.severity is Severity.ERROR and begin <= span.begin < end:
            return told
    return None


def _refused(program: Program, source: KernelSource, diagnostic: Diagnostic) -> Replacement:
    message = diagnostic.message.replace("\n", " ").replace('"', "'")
    text = f'#error "{source.name}: {message} [{diagnostic.code}]"\n'
    return Replacement(*program.device.original_range(source.span.begin, source.span.end), text)


def _splice(
    program: Program, replacements: list[Replacement], options: TranslateOptions, shown_as: str
) -> str:
    """The edited text with kernels in place of kernels, formatted where it was rewritten."""
    source = program.source
    host = [
        edit for edit in program.host.edits if not any(_covers(one, edit) for one in replacements)
    ]
    laid = EditedText(source.text, program.host.edits)
    new = [
        TextEdit(one.begin, one.end, with_open_conditions(one.text, laid.slice(one.begin, one.end)))
        for one in replacements
    ]
    edited = EditedText(source.text, [*host, *new])
    body, ranges = edited.apply(set(new))
    _, places = edited.apply(set(host))
    lengths = [len(source.line_text(source.line_and_column(e.begin)[0])) for e in host]
    ranges += overlong_places(body, places, lengths)
    formatted = without_dead_macros(format_ranges(body, ranges, source.text))
    if not program.facts.is_header:
        formatted = without_dead_constants(formatted, source.text)
    head = _preamble(source, options, shown_as)
    pasted = names_pasted_in(formatted, program.facts.pasting)
    unit = program.unit
    code = with_parts(head + formatted, unit.names_through_macros(), pasted, unit.libraries())
    return _in_manner_of(source, code)


def _covers(one: Replacement, edit: TextEdit) -> bool:
    """Does an edit go with the text that is replaced? An `#include` in front of what goes, or is an
    `#error`, stays."""
    stays = not one.text or one.text.startswith("#error")
    if edit.begin == edit.end == one.begin and stays and "#include" in edit.replacement:
        return False
    return one.begin <= edit.begin and edit.end <= one.end


def _header(
    program: Program,
    kernels: list[KernelSource],
    declared: Mapping[str, list[str]],
    stem: str,
    options: TranslateOptions,
    shown_as: str,
) -> str:
    """The text of `stem.h`, which declares the kernels."""
    text = program.edited(program.unit.main)
    exported = exports(program.unit, [kernel.cursor for kernel in kernels], text, declared)
    head = _preamble(program.source, options, shown_as)
    made = header_text(exported, f"{name_as_text(stem)}.h", head, options.runtime_header)
    return _in_manner_of(program.source, with_parts(made))


def _in_manner_of(source: SourceFile, code: str) -> str:
    """`code` with the byte order mark in front and the line ends of the source."""
    text = source.text
    if source.has_mark or text.startswith(BYTE_ORDER_MARK):
        code = BYTE_ORDER_MARK + code.replace(BYTE_ORDER_MARK, "", 1)
    is_crlf = "\r\n" in text and _LONE_NEWLINE.search(text) is None
    return _LONE_NEWLINE.sub("\r\n", code) if is_crlf else code


def _preamble(source: SourceFile, options: TranslateOptions, shown_as: str) -> str:
    return preamble(source.text, shown_as, options.words, options.clang_flags)
