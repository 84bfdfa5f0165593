"""The whole translator, top to bottom: the only place that composes stages."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from g2o.ad.differentiate import Derivative, adjoint_of, function_adjoint, tangent_of
from g2o.ad.reals import carries
from g2o.ad.request import Request, pragma_of, pragmas_in, request_for, unknown_kernels
from g2o.ad.uniform_calls import uniform_functions
from g2o.analysis.effects import root_symbol
from g2o.analysis.figures import KernelFigures
from g2o.analysis.functions import FunctionTable
from g2o.analysis.races import find_races
from g2o.diagnostics.diagnostic import (
    Diagnostic,
    Outcome,
    Refusal,
    Severity,
    has_errors,
    remark,
)
from g2o.diagnostics.place import BYTE_ORDER_MARK
from g2o.diagnostics.source import SourceFile
from g2o.emit.derivative import derivative_text, function_adjoint_text
from g2o.emit.format import format_ranges, overlong_places
from g2o.emit.header import header_text
from g2o.emit.kernel import Replacement, kernel_text
from g2o.emit.preamble import preamble
from g2o.emit.printer import Printer
from g2o.frontend.cuda.dead_constants import without_dead_constants
from g2o.frontend.cuda.dead_macros import without_dead_macros
from g2o.frontend.cuda.exports import exports
from g2o.frontend.cuda.hidden_calls import HiddenCalls
from g2o.frontend.cuda.program import KernelSource, Program, read_program
from g2o.frontend.cuda.project import Project, is_header
from g2o.frontend.edits import EditedText, TextEdit
from g2o.ir.expressions import Call, VarRef
from g2o.ir.kernel import Function, Kernel, LaunchShape, LoweredKernel
from g2o.ir.statements import Block
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.watch import PassWatch
from g2o.lowering.kernel import lower_kernel
from g2o.lowering.nests import collapse_only_nests
from g2o.lowering.shared_pointers import point_to_shared
from g2o.lowering.simd import may_vectorise
from g2o.lowering.unused import drop_unused
from g2o.polyhedral.solver import Solver
from g2o.transforms.block_local_atomics import make_block_atomics_plain
from g2o.transforms.coalesce_copies import coalesce_copies
from g2o.transforms.eliminate_barriers import eliminate_barriers
from g2o.transforms.eliminate_memory import eliminate_memory
from g2o.transforms.follow_up import FollowUp, follow_up
from g2o.transforms.gather import gather_increments
from g2o.transforms.hoist_increments import hoist_increments
from g2o.transforms.hoist_uniform import hoist_uniform_calls
from g2o.transforms.inline import inline_context_functions
from g2o.transforms.lockstep import make_lockstep_explicit
from g2o.transforms.plain_increments import all_plain, make_increments_plain
from g2o.transforms.private_sums import sum_privately
from g2o.transforms.propagate_copies import propagate_index_copies
from g2o.transforms.recognise import recognise
from g2o.transforms.reduce_increments import reduce_increments
from g2o.transforms.reductions import use_reductions
from g2o.transforms.switches import replace_switches_with_barriers
from g2o.transforms.vectorise_sums import vectorise_sums
from g2o.transforms.warp_phases import order_lanes_that_meet
from g2o.transforms.wide_shifts import define_wide_shifts, wide_shifts

PASSES: Final = (
    *("read", "inline", "recognise", "shifts", "switches", "lockstep", "warp_phases", "coalesce"),
    *("copies", "registers", "barriers", "lower", "hoist", "gather", "reductions"),
    *("private_sums", "atomics", "nests", "pointers", "jvp", "grad"),
)
"""The names that `print_after` takes, in order."""

KernelPass = tuple[str, Callable[[Kernel], Kernel]]
LoweredPass = tuple[str, Callable[[LoweredKernel], LoweredKernel]]

_LONE_NEWLINE = re.compile(r"(?<!\r)\n")


@final
@dataclass(frozen=True, slots=True)
class TranslateOptions:
    """What a translation depends on besides the file.

    `grads` and `jvps` hold SPECs; an empty string asks for every kernel. `races` asks for races
    that are only possible, too, and in all kernels.
    """

    target: str = "cpu"
    grads: tuple[str, ...] = ()
    jvps: tuple[str, ...] = ()
    optimisation: int = 2
    header: bool = False
    keep_going: bool = False
    assume_noalias: bool = False
    races: bool = False
    print_after: tuple[str, ...] = ()
    verify_each: bool = False
    clang_flags: tuple[str, ...] = ()
    runtime_header: str = "g2o_runtime.hpp"


@final
@dataclass(frozen=True, slots=True)
class Translation:
    """The outcome for one file. `code` is Latin-1 text: encode it as that.

    `dumps` is the IR that `print_after` asks for, `kernel_lines` the first and the last line of
    every kernel in `source`, `figures` what the analysis of each came to.
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


def translate_file(
    path: Path, options: TranslateOptions, shown_as: str, project: Project
) -> Translation:
    """Translate one CUDA file. `project` has all inputs of the command, this one among them.

    Raises OSError where the file cannot be read.
    """
    flags, runtime = options.clang_flags, options.runtime_header
    device = options.target == "offload"
    program = read_program(path, flags, shown_as, project, runtime, device)
    diagnostics = [*program.diagnostics, *program.host.diagnostics]
    if program.diagnostics:
        return Translation("", None, tuple(diagnostics), (), (), False)
    functions = FunctionTable(program.function, program.constant_functors)
    replacements: list[Replacement] = []
    remarks: list[Diagnostic] = []
    watch = PassWatch(options.print_after, verify=options.verify_each)
    translated: list[KernelSource] = []
    figures: list[KernelFigures] = []
    for source in program.kernels:
        try:
            replacement, noted = _translate_kernel(
                program, source, functions, options, watch, figures
            )
            replacements.append(replacement)
            diagnostics.extend(one for one in noted if one.severity is not Severity.REMARK)
            remarks.extend(one for one in noted if one.severity is Severity.REMARK)
            translated.append(source)
        except Refusal as refusal:
            diagnostics.extend(refusal.diagnostics)
            if options.keep_going:
                replacements.append(_refused(program, source, refusal.diagnostic))
    kernels = [source.name for source in program.kernels]
    diagnostics.extend(unknown_kernels((*options.grads, *options.jvps), kernels))
    replacements.extend(_without_pragmas(program))
    replacements.extend(_without_inlined(program, functions, diagnostics))
    code = _splice(program, replacements, options, shown_as)
    names = tuple(dict.fromkeys(source.name for source in program.kernels))
    output = project.output_of(path)
    header = None
    if options.header and output is not None and not is_header(path):
        header = _header(program, translated, output.stem, options, shown_as)
    return Translation(
        code,
        header,
        tuple(map(program.device.in_source, diagnostics)),
        tuple(map(program.device.in_source, remarks)),
        names,
        not has_errors(diagnostics),
        tuple(watch.dumps),
        program.source,
        tuple(_lines(program, source) for source in program.kernels),
        tuple(figures),
    )


def _lines(program: Program, kernel: KernelSource) -> tuple[int, int]:
    begin, end = program.device.original_range(kernel.span.begin, kernel.span.end)
    locate = program.source.line_and_column
    return locate(begin)[0], locate(end)[0]


def handles_reals(functions: FunctionTable, others: Collection[str]) -> Callable[[str], bool]:
    """Whether a device function may have something to differentiate, and is none of the others."""

    def handles(key: str) -> bool:
        function = functions.body(key)
        if function is None or key in others:
            return False
        return carries(function.result) or any(carries(one.type) for one in function.parameters)

    return handles


def _kernel_passes(
    functions: FunctionTable,
    optimisation: int,
    remarks: list[Diagnostic],
    *,
    reals: Collection[str] | None = None,
) -> tuple[KernelPass, ...]:
    """What is done to a kernel before it is lowered, in order. For differentiation functions on
    real numbers are inlined, too, but for those with a key in `reals`."""
    wanted = handles_reals(functions, reals) if reals is not None else None
    always: tuple[KernelPass, ...] = (
        ("inline", lambda kernel: inline_context_functions(kernel, functions, wanted)),
        ("recognise", lambda kernel: recognise(kernel, functions)),
        ("shifts", define_wide_shifts),
        ("switches", replace_switches_with_barriers),
        ("lockstep", make_lockstep_explicit),
        ("warp_phases", lambda kernel: order_lanes_that_meet(kernel, functions, remarks)),
    )
    if optimisation == 0:
        return always
    return (
        *always,
        ("coalesce", coalesce_copies),
        ("copies", lambda kernel: propagate_index_copies(kernel, functions)),
    )


def _lowered_passes(functions: FunctionTable, optimisation: int) -> tuple[LoweredPass, ...]:
    """What is done to a kernel that has become loops, in order."""
    passes: tuple[LoweredPass, ...] = ()
    if optimisation >= 2:
        hoist: LoweredPass = (
            "hoist",
            lambda lowered: hoist_uniform_calls(lowered, functions, may_vectorise),
        )
        passes += (hoist,)
    if optimisation >= 2:
        gather: LoweredPass = (
            "gather",
            lambda lowered: gather_increments(lowered, functions, may_vectorise),
        )
        passes += (gather,)
    if optimisation >= 1:
        sums: LoweredPass = (
            "reductions",
            lambda lowered: reduce_increments(lowered, may_vectorise),
        )
        passes += (sums,)
    if optimisation >= 2:
        passes += (("private_sums", sum_privately),)
    # Plain updates look like loops without a dependence: nothing decides about simd after this.
    if optimisation >= 1:
        plain: LoweredPass = (
            "atomics",
            lambda lowered: make_block_atomics_plain(lowered, functions),
        )
        passes += (plain,)
    if optimisation >= 2:
        reductions: LoweredPass = (
            "reductions",
            lambda lowered: use_reductions(lowered, functions),
        )
        passes += (reductions,)
    return (*passes, ("nests", collapse_only_nests), ("pointers", point_to_shared))


def _device_passes() -> tuple[LoweredPass, ...]:
    """The same for loops on a device, whose threads run at the same time in a block, too."""
    return (("pointers", point_to_shared),)


def _translate_kernel(
    program: Program,
    source: KernelSource,
    functions: FunctionTable,
    options: TranslateOptions,
    watch: PassWatch,
    figures: list[KernelFigures],
) -> tuple[Replacement, tuple[Diagnostic, ...]]:
    """One kernel from IR to text. Raises Refusal where it cannot be translated rightly."""
    if source.refusal is not None:
        raise source.refusal
    assert source.function is not None
    shape = program.shapes.get(source.name, LaunchShape())
    kernel = Kernel(source.function, shape.hiding(source.function.template_parameters))
    remarks = _remarks_on_inlining(kernel, functions)
    watch.see("read", kernel)
    noted: list[Diagnostic] = []
    for name, transform in _kernel_passes(functions, options.optimisation, noted):
        kernel = transform(kernel)
        watch.see(name, kernel)
    solver = Solver()
    analysed, started = kernel, time.process_time()
    raced = find_races(kernel, functions, options.assume_noalias, solver, options.races)
    kernel, eliminated = _eliminated(kernel, functions, options, solver, watch)
    figures.append(KernelFigures.of(analysed, eliminated, time.process_time() - started))
    shared = program.facts.kernels[source.name].takes_shared_bytes
    lowered = _lowered(kernel, functions, shared, options, watch)
    remarks = (*remarks, *noted, *raced, *eliminated, *lowered.remarks)
    printer = Printer(lambda file, begin, end: program.edited(file).slice(begin, end))
    text = program.edited(program.unit.main)
    made = kernel_text(lowered, printer, text, program.macro_functions)
    begin, end = program.device.original_range(made.begin, made.end)
    derivatives: list[str] = []
    for suffix, request in _requests(program, source, options):
        derived, told = _derivative(program, source, suffix, request, functions, options, watch)
        derivatives.append(f"\n\n{derived}")
        remarks = (*remarks, *told)
    return Replacement(begin, end, made.text + "".join(derivatives)), remarks


def _eliminated(
    kernel: Kernel,
    functions: FunctionTable,
    options: TranslateOptions,
    solver: Solver,
    watch: PassWatch,
) -> tuple[Kernel, tuple[Diagnostic, ...]]:
    """The kernel without barriers, loads and stores that it does not need."""
    if options.optimisation == 0:
        return kernel, ()
    memory = eliminate_memory(kernel, functions, options.assume_noalias, solver)
    watch.see("registers", memory.kernel)
    barriers = eliminate_barriers(memory.kernel, functions, options.assume_noalias, solver)
    watch.see("barriers", barriers.kernel)
    return barriers.kernel, (*memory.remarks, *barriers.remarks)


def _lowered(
    kernel: Kernel,
    functions: FunctionTable,
    takes_shared_bytes: bool,
    options: TranslateOptions,
    watch: PassWatch,
) -> LoweredKernel:
    """The kernel as loops."""
    device = options.target == "offload"
    level = options.optimisation
    lowered = lower_kernel(kernel, functions, takes_shared_bytes, level, device)
    watch.see("lower", lowered)
    for name, improve in _device_passes() if device else _lowered_passes(functions, level):
        lowered = improve(lowered)
        watch.see(name, lowered)
    return lowered


def _requests(
    program: Program, source: KernelSource, options: TranslateOptions
) -> list[tuple[str, Request]]:
    """The derivatives of a kernel that options or a pragma in front of it ask for."""
    found: list[tuple[str, Request]] = []
    for suffix, specs in (("jvp", options.jvps), ("grad", options.grads)):
        pragma = pragma_of(program.unit.main.text, source.span.begin, suffix)
        found.extend((suffix, one) for one in request_for(source.name, specs, pragma))
    return found


def _derivative(
    program: Program,
    source: KernelSource,
    suffix: str,
    request: Request,
    functions: FunctionTable,
    options: TranslateOptions,
    watch: PassWatch,
) -> tuple[str, tuple[Diagnostic, ...]]:
    """The text of a kernel's adjoint or tangent. Raises Refusal where there is none."""
    assert source.function is not None
    shape = program.shapes.get(source.name, LaunchShape())
    kernel = Kernel(source.function, shape.hiding(source.function.template_parameters))
    named = request.parameters(kernel.function.parameters)
    noted: list[Diagnostic] = []
    noalias = options.assume_noalias
    apart: dict[str, str] = {}
    if suffix == "grad" and options.optimisation >= 2 and options.target == "cpu":
        keys = uniform_functions(kernel, named, functions, noalias)
        apart = _function_adjoints(program, functions, keys)
    passes = _kernel_passes(functions, options.optimisation, noted, reals=frozenset(apart))
    for _, transform in passes:
        kernel = transform(kernel)
    solver = Solver()
    kernel, _ = _eliminated(kernel, functions, options, solver, watch)
    if suffix == "grad":
        derivative = adjoint_of(kernel, named, functions, noalias, frozenset(apart))
    else:
        derivative = tangent_of(kernel, named, functions)
    watch.see(suffix, derivative.kernel)
    told: tuple[Diagnostic, ...] = ()
    kernel = derivative.kernel
    if suffix == "grad":
        summed = hoist_increments(kernel, functions) if options.optimisation else kernel
        plain = make_increments_plain(
            summed, derivative.shadows, functions, options.assume_noalias, solver
        )
        kernel, told = plain.kernel, plain.remarks
    kernel, _ = _eliminated(kernel, functions, options, solver, watch)
    shared = program.facts.kernels[source.name].takes_shared_bytes
    lowered = _lowered(kernel, functions, shared, options, watch)
    if suffix == "grad" and options.optimisation >= 2 and options.target == "cpu":
        lowered = vectorise_sums(lowered, source.function.symbols.last_id, may_vectorise)
    lowered = follow_up(lowered, _follow_ups(derivative, source.function.parameters))
    printer = Printer(lambda file, begin, end: program.edited(file).slice(begin, end))
    text = derivative_text(
        source.function,
        suffix,
        lowered,
        derivative.shadows,
        printer,
        program.edited(program.unit.main),
        program.macro_functions,
    )
    return "\n\n".join((*apart.values(), text)), (*derivative.remarks, *told)


def _function_adjoints(
    program: Program, functions: FunctionTable, keys: Collection[str]
) -> dict[str, str]:
    """The adjoints of device functions as text, by key: of those of them that have one."""
    printer = Printer(lambda file, begin, end: program.edited(file).slice(begin, end))
    text = program.edited(program.unit.main)
    found: dict[str, str] = {}
    for key in sorted(keys):
        function = functions.body(key)
        if function is None or function.span.file is not program.unit.main:
            continue
        try:
            statements, further = function_adjoint(function, functions)
        except Refusal:
            continue  # inlined, it will say why
        effects = functions.for_node(Block(statements))
        statements = drop_unused(all_plain(statements), effects)
        found[key] = function_adjoint_text(function, statements, further, printer, text)
    return found


def _follow_ups(derivative: Derivative, parameters: tuple[Symbol, ...]) -> list[FollowUp]:
    """The calls of adjoints of functions when all threads are done."""
    shadows = {one.name: one for one in derivative.shadows}
    found: list[FollowUp] = []
    for one in derivative.uniform:
        roots = [root_symbol(argument) for argument in one.call.arguments]
        behind = [
            VarRef(shadows[f"d_{root.name}"])
            for root in roots
            if root in parameters and carries(root.type)
        ]
        name = f"{one.call.name}_grad"
        found.append(FollowUp(name, (*one.call.arguments, *behind), one.seeds))
    return found


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
    program: Program, functions: FunctionTable, diagnostics: list[Diagnostic]
) -> list[Replacement]:
    """Device functions that only exist inside kernels leave the file: they have been inlined. The
    shifts of others are replaced."""
    gone: list[Replacement] = []

    def needs_launch(key: str) -> bool:
        effects = functions.effects(key)
        return effects is not None and effects.needs_context

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
            fault = hidden.fault(definition.cursor)
            called = f"call of '{definition.cursor.spelling}'"
            if fault is not None and not any(called in one.message for one in diagnostics):
                diagnostics.append(fault)
        else:
            gone.extend(_defined_shifts(program, functions.body(definition.key)))
    return gone


def _without_pragmas(program: Program) -> list[Replacement]:
    """`#pragma g2o ...` is for g2o, not for the compilers of the output."""
    return [Replacement(begin, end, "") for begin, end in pragmas_in(program.source.text)]


def _defined_shifts(program: Program, function: Function | None) -> Iterator[Replacement]:
    """The shifts of a function that stays one, where they have to have CUDA's meaning."""
    printer = Printer(lambda file, begin, end: program.edited(file).slice(begin, end))
    for old, new in wide_shifts(function.body) if function is not None else ():
        span = old.span
        if span is None or span.file is not program.unit.main:
            continue
        begin, end = program.device.original_range(span.begin, span.end)
        yield Replacement(begin, end, printer.expression(new))


def _refused(program: Program, source: KernelSource, diagnostic: Diagnostic) -> Replacement:
    message = diagnostic.message.replace("\n", " ").replace('"', "'")
    text = f'#error "{source.name}: {message} [{diagnostic.code}]"\n'
    return Replacement(*program.device.original_range(source.span.begin, source.span.end), text)


def _splice(
    program: Program, replacements: list[Replacement], options: TranslateOptions, shown_as: str
) -> str:
    """The edited text with kernels in place of kernels, formatted where it was rewritten."""
    source = program.source
    taken = [(one.begin, one.end) for one in replacements]
    host = [
        edit
        for edit in program.host.edits
        if not any(begin <= edit.begin and edit.end <= end for begin, end in taken)
    ]
    new = [TextEdit(one.begin, one.end, one.text) for one in replacements]
    edited = EditedText(source.text, [*host, *new])
    body, ranges = edited.apply(set(new))
    _, places = edited.apply(set(host))
    lengths = [len(source.line_text(source.line_and_column(e.begin)[0])) for e in host]
    ranges += overlong_places(body, places, lengths)
    formatted = without_dead_macros(format_ranges(body, ranges, source.text))
    if not program.facts.is_header:
        formatted = without_dead_constants(formatted, source.text)
    return _in_manner_of(source.text, _preamble(source, options, shown_as) + formatted)


def _header(
    program: Program,
    kernels: list[KernelSource],
    stem: str,
    options: TranslateOptions,
    shown_as: str,
) -> str:
    """The text of `stem.h`, which declares the kernels."""
    text = program.edited(program.unit.main)
    exported = exports(program.unit, [kernel.cursor for kernel in kernels], text)
    head = _preamble(program.source, options, shown_as)
    made = header_text(exported, f"{stem}.h", head, options.runtime_header)
    return _in_manner_of(program.source.text, made)


def _in_manner_of(source: str, code: str) -> str:
    """`code` with the byte order mark in front and the line ends of the source."""
    if source.startswith(BYTE_ORDER_MARK):
        code = BYTE_ORDER_MARK + code.replace(BYTE_ORDER_MARK, "", 1)
    is_crlf = "\r\n" in source and _LONE_NEWLINE.search(source) is None
    return _LONE_NEWLINE.sub("\r\n", code) if is_crlf else code


def _preamble(source: SourceFile, options: TranslateOptions, shown_as: str) -> str:
    chosen = () if options.target == "cpu" else (f"--target {options.target}",)
    chosen += () if options.optimisation == 2 else (f"-O{options.optimisation}",)
    return preamble(source.text, shown_as, chosen, options.clang_flags)
