"""OpenMP C with derivatives where pragmas ask for them: all else stays as it is, byte for byte.

    #pragma omp parallel for g2o(reverse, shadow(x : d_x, y : d_y))
    for (int i = 0; i < n; ++i)
        y[i] = x[i] * x[i];
->
    #pragma omp parallel for
    for (int i = 0; i < n; ++i)
        y[i] = x[i] * x[i];
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        d_x[i] += 2.0 * x[i] * d_y[i];
        d_y[i] = 0.0;
    }

The loop is a kernel with a thread for each iteration (`transforms/loop_kernels.py`), and goes the
way of kernels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, final

from g2o.ad.activity import refuse_unseen_memory
from g2o.ad.differentiate import adjoint_of, tangent_of
from g2o.ad.member_pointers import unseen_parameters
from g2o.ad.pointers_apart import with_pointers_apart
from g2o.ad.request import (
    Request,
    pragma_of,
    pragmas_in,
    request_for,
    requests_at_odds,
    unknown_kernels,
)
from g2o.analysis.functions import FunctionTable
from g2o.c_errors import CErrors
from g2o.c_functions import CFunctions
from g2o.c_loops import loop_text
from g2o.c_races import CRaces
from g2o.c_shadows import OwnShadows, is_loop_alone
from g2o.diagnostics.diagnostic import (
    Diagnostic,
    Refusal,
    Refusals,
    Severity,
    error,
    placed,
    refuse,
    warning,
)
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.emit.c_language import beyond_c, in_c
from g2o.emit.format import format_ranges
from g2o.emit.preamble import preamble
from g2o.emit.printer import Printer
from g2o.frontend.edits import EditedText, TextEdit
from g2o.frontend.openmp_c.directives import (
    Directive,
    directives_that_ask,
    pragma_inside,
    requests_for_functions,
)
from g2o.frontend.openmp_c.macros import with_macros_again
from g2o.frontend.openmp_c.source import CSource, read_c, reads_as_c
from g2o.ir.expressions import Call
from g2o.ir.kernel import Function, Kernel, LoweredKernel
from g2o.ir.naming import with_names
from g2o.ir.statements import CountedLoop, Declare, Node, Text
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk, with_open_places
from g2o.ir.watch import PassWatch
from g2o.lowering.context import UnboundedThreads
from g2o.passes import TranslateOptions, kernel_passes, lowered_kernel, without_needless
from g2o.polyhedral.solver import Solver
from g2o.runtime.headers import C_ERRORS_HEADER, C_MATH_HEADER, C_RUNTIME_HEADER, RUNTIME
from g2o.transforms.first_zeros import with_first_zeros
from g2o.transforms.loop_kernels import LoopKernel, is_parallel_loop, loop_behind, loop_kernel
from g2o.transforms.plain_increments import make_increments_plain, without_stale_reasons
from g2o.transforms.plain_spelling import spelled_plainly
from g2o.transforms.shadow_races import refuse_new_races

_CONDITION_OR_INCLUDE: Final = re.compile(
    r"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif|include)\b[^\n]*\n", re.MULTILINE
)
_OVERWRITTEN: Final = "G2O0413"
_OF_FORM: Final = ("G2O0411", "G2O0412", _OVERWRITTEN)  # what a kernel cannot stand for
_HEADERS: Final = {
    C_ERRORS_HEADER: ("g2o_rounding",),
    C_MATH_HEADER: ("g2o_digamma",),
    C_RUNTIME_HEADER: (
        *("g2o_tape_", "g2o_stack", "g2o_zeros", "g2o_clear", "ptrdiff_t", "PTRDIFF_MAX"),
    ),
}
# What they write is C++.
_WITHOUT: Final = (
    *("gather", "strip-mine", "private_sums"),
    *("split-index-sets", "signed-places", "turns"),
)


@final
@dataclass(frozen=True, slots=True)
class CTranslation:
    """The outcome for one C file: Latin-1 text, what is to be told, how many derivatives it has.
    `headers` are those of g2o that it includes. `apart` are the functions of loops whose
    derivatives are functions of their own. `errors` are those that functions with estimates add
    up, by their names. `remarks` are what passes say, `loops` how many loops
    races were looked for in."""

    code: str
    diagnostics: tuple[Diagnostic, ...]
    derivatives: int
    ok: bool
    headers: tuple[str, ...] = ()
    apart: tuple[LoopApart, ...] = ()
    errors: Mapping[str, CErrors] = field(default_factory=dict[str, CErrors])
    source: SourceFile | None = None
    remarks: tuple[Diagnostic, ...] = ()
    loops: int = 0


@final
@dataclass(frozen=True, slots=True)
class LoopApart:
    """A function that is a loop with a derivative. `f_grad` and `f_jvp` have a pointer to a shadow
    behind the parameters for each of `shadows`."""

    function: Function
    shadows: tuple[Symbol, ...]


def translate_c(
    path: Path, options: TranslateOptions, shown_as: str, *, apart: bool = False
) -> CTranslation:
    """The C file with the derivatives that its pragmas ask for. Raises OSError where it cannot be
    read.

    With `apart` a function that is nothing but a loop with shadows of its own stays as it is, and
    the forms of it with the adjoint and with the tangent of the loop stand behind it.
    """
    source = read_c(path, options.clang_flags, shown_as)
    if source.faults:
        return CTranslation("", source.faults, 0, ok=False)
    races = CRaces(source, options)
    found = list(races.of([key for key, _, _ in source.definitions()]))
    functions = CFunctions(source, options)
    made = _derivatives(path, functions, shown_as, apart=apart)
    warned = tuple(one for one in found if one.severity is Severity.WARNING)
    remarks = tuple(one for one in found if one not in warned)
    return replace(
        made,
        diagnostics=(*source.in_source(warned), *made.diagnostics),
        errors=functions.errors,
        source=source.original,
        remarks=source.in_source((*remarks, *functions.told)),
        loops=races.loops,
    )


def _derivatives(
    path: Path, of_functions: CFunctions, shown_as: str, *, apart: bool
) -> CTranslation:
    source, options = of_functions.source, of_functions.options
    refusals = Refusals()
    edits: list[TextEdit] = []
    count = 0
    own = OwnShadows(source)
    functions: list[LoopApart] = []
    told: list[Diagnostic] = []
    with refusals.noted():
        for edit in _functions(of_functions, refusals):
            edits.append(edit)
            count += bool(edit.replacement)
        for one in directives_that_ask(source.file, lambda: source.unit.skipped(source.file)):
            with refusals.noted():
                count += 1
                if apart and (found := _apart(source, options, one)) is not None:
                    functions.append(found[0])
                    edits += found[1]
                    continue
                if apart:
                    message = "the derivative of this loop is not checked: it is not all of a "
                    message += "function, with `shadow` without names"
                    told.append(warning("G2O0607", message, one.span))
                edits += _Loop(source, options, own.named(one)).edits()
        edits += own.edits()
    if found := refusals.found():
        return CTranslation("", source.in_source(found), 0, ok=False)
    text = source.original.text
    edits = [TextEdit(*source.original_range(one.begin, one.end), one.replacement) for one in edits]
    headers = _headers(edits)
    if headers:
        edits.append(_include(text, headers, min(one.begin for one in edits)))
    body, ranges = EditedText(text, edits).apply({one for one in edits if one.begin == one.end})
    head = preamble(text, shown_as, options.words, options.clang_flags)
    code = head + format_ranges(body, ranges, text)
    flags = (*options.clang_flags, f"-I{RUNTIME}")
    if faults := reads_as_c(path, code, flags):
        if own := reads_as_c(path, text, flags):
            message = f"with OpenMP this is no C: {own[0]}"
            return CTranslation("", (error("G2O0101", message),), count, ok=False)
        message = f"what was written is no C: {faults[0]}"
        return CTranslation(code, (error("G2O0414", message),), count, ok=False)
    diagnostics = source.in_source(told)
    return CTranslation(code, diagnostics, count, True, headers, tuple(functions))


def _apart(
    source: CSource, options: TranslateOptions, directive: Directive
) -> tuple[LoopApart, list[TextEdit]] | None:
    """The function of a loop, and its derivatives behind it; None for a loop whose shadows are
    declared, or whose function does more."""
    wanted = directive.wanted
    function = source.function_around(directive.span)
    if wanted.shadows or not is_loop_alone(function, directive.span):
        return None
    forms: list[str] = []
    for mode, suffix in (("reverse", "grad"), ("forward", "jvp")):
        own = OwnShadows(source)
        named = own.named(replace(directive, wanted=replace(wanted, mode=mode)))
        name = function.name_span
        edits = (
            *_Loop(source, options, named).edits(),
            *own.edits(),
            TextEdit(name.begin, name.end, f"{function.name}_{suffix}"),
        )
        text = EditedText(source.file.text, edits)
        forms.append(text.slice(function.span.begin, function.span.end))
    shadows = tuple(one for one in function.parameters if one in own.of(function))
    end = function.span.end
    behind = TextEdit(end, end, "".join(f"\n\n{one}" for one in forms))
    return LoopApart(function, shadows), [TextEdit(wanted.span.begin, wanted.span.end, ""), behind]


def _headers(edits: Iterable[TextEdit]) -> tuple[str, ...]:
    """The headers whose names the new text uses."""
    made = "".join(one.replacement for one in edits)
    return tuple(header for header, names in _HEADERS.items() if any(one in made for one in names))


def _include(text: str, headers: Iterable[str], before: int) -> TextEdit:
    """Includes behind the last one in front of an offset that is always reached, or at the
    beginning."""
    depth = place = 0
    for found in _CONDITION_OR_INCLUDE.finditer(text, 0, before):
        word = found[1]
        depth += word.startswith("if")
        depth -= word == "endif"
        if word == "include" and depth == 0:
            place = found.end()
    included = "".join(f'#include "{header}"\n' for header in headers)
    return TextEdit(place, place, included)


def _functions(functions: CFunctions, refusals: Refusals) -> Iterator[TextEdit]:
    """The derivatives of whole functions behind these, and no requests any more."""
    source, options = functions.source, functions.options
    text = source.file.text
    asked = {one.begin for one in requests_for_functions(source.file, lambda: _idle(source))}
    specs = [one for _, several in options.derivatives for one in several]
    names = [name for _, name, _ in source.definitions()]
    for fault in (*unknown_kernels(specs, names), *requests_at_odds(options.grads)):
        raise Refusal(fault)
    for key, name, begin in source.definitions():
        wanted = _wanted_of(name, options, text, begin)
        for suffix, request in wanted:
            with refusals.noted():
                function = source.function(key)
                assert function is not None
                with placed(function.name_span):
                    made = functions.derivative(key, suffix, request)
                    made = with_macros_again(
                        made, function.span.end, _called(function, source), source.unit
                    )
                yield TextEdit(function.span.end, function.span.end, f"\n\n{made}")
    for begin, end in pragmas_in(text):
        if begin in asked:
            yield TextEdit(begin, end, "")


def _called(function: Function, source: CSource) -> list[SourceSpan]:
    """Where a function of the file stands, and those that it calls."""
    found = {function.key: function.span}
    open_ = [function]
    while open_:
        for node in walk(open_.pop().body):
            known = source.function(node.key) if isinstance(node, Call) else None
            if known is not None and known.key not in found:
                found[known.key] = known.span
                open_.append(known)
    return [*found.values()]


def _wanted_of(
    name: str, options: TranslateOptions, text: str, begin: int
) -> list[tuple[str, Request]]:
    found: list[tuple[str, Request]] = []
    for suffix, specs in options.derivatives:
        pragma = pragma_of(text, begin, suffix)
        found += [(suffix, one) for one in request_for(name, specs, pragma) if name != "main"]
    return found


def _idle(source: CSource) -> Iterable[tuple[int, int]]:
    return source.unit.skipped(source.file)


@final
@dataclass(slots=True)
class _Loop:
    """The derivative of one loop."""

    source: CSource
    options: TranslateOptions
    directive: Directive

    def edits(self) -> list[TextEdit]:
        function = self.source.function_around(self.directive.span)
        functions = FunctionTable(self.source.function, is_c=True)
        try:
            return self._edits_of_kernel(function, functions)
        except Refusal as refusal:
            if refusal.diagnostic.code not in _OF_FORM or not is_parallel_loop(self.directive):
                raise
        loop = loop_behind(function, self.directive.span)
        assert loop.span is not None
        of_functions = CFunctions(self.source, self.options)
        effects = functions.for_node(function.body)
        with placed(loop.span):
            text = loop_text(of_functions, function, loop, self.directive, effects)
        return self._in_place(loop.span, text)

    def _edits_of_kernel(self, function: Function, functions: FunctionTable) -> list[TextEdit]:
        found = loop_kernel(function, self.directive, functions.for_node(function.body))
        assert found.loop.span is not None
        self._refuse_inner_pragmas(found.loop.span, found.loop, functions, set())
        with placed(found.loop.span):
            text, is_behind = self._text(found, functions)
        wanted = self.directive.wanted.span
        begin = len(self.source.file.text[: wanted.begin].rstrip(" \t"))
        place = found.loop.span
        clause = TextEdit(begin, wanted.end, "")
        if is_behind:
            return [clause, TextEdit(place.end, place.end, f"\n{text}")]
        return self._in_place(place, text)

    def _in_place(self, place: SourceSpan, text: str) -> list[TextEdit]:
        """What replaces the pragma and the loop."""
        pragma = self.directive.span
        return [
            TextEdit(pragma.begin, place.end, ""),
            TextEdit(place.end, place.end, text),
        ]

    def _refuse_inner_pragmas(
        self, span: SourceSpan, code: Node, functions: FunctionTable, seen: set[str]
    ) -> None:
        """Refuse OpenMP's pragmas in the code, and in the functions that it calls."""
        inner = pragma_inside(span, self.source.texts)
        if inner is not None:
            message = f"`{inner}` inside of a loop with a derivative, or of what it calls"
            raise refuse("G2O0412", message, self.directive.span)
        for node in walk(code):
            body = functions.body(node.key) if isinstance(node, Call) else None
            if isinstance(node, Call) and body is not None and node.key not in seen:
                seen.add(node.key)
                self._refuse_inner_pragmas(body.span, body.body, functions, seen)

    def _text(self, found: LoopKernel, functions: FunctionTable) -> tuple[str, bool]:
        """The derivative as loops, and whether it stands behind the loop, or in place of it."""
        options, watch = self.options, PassWatch(without=_WITHOUT)
        is_behind = self.directive.wanted.mode == "reverse"
        try:
            kernel, shadows = self._derivative(found, functions, watch, is_behind=is_behind)
        except Refusal as refusal:
            if not is_behind or refusal.diagnostic.code != _OVERWRITTEN:
                raise
            is_behind = False  # each iteration is turned around as soon as it has run
            kernel, shadows = self._derivative(found, functions, watch, is_behind=False)
        try:
            lowered = lowered_kernel(kernel, functions, False, options, watch)
        except UnboundedThreads:
            message = "a derivative that has something in front of its loop"
            raise refuse("G2O0412", message, found.loop.span) from None
        lowered = _without_launch(spelled_plainly(without_stale_reasons(lowered)))
        names = dict(zip(shadows, found.named.values(), strict=True))
        scalars = {
            shadow
            for shadow, symbol in zip(shadows, found.named, strict=True)
            if symbol in found.scalars
        }
        lowered = replace(lowered, body=in_c(lowered.body, scalars | found.scalars))
        lowered = _called_as(lowered, names)
        lowered = with_names(lowered, _names_of(names))
        body = tuple(
            rewrite(one, lambda node: _with_clauses(node, found.clauses)) for one in lowered.body
        )
        printer = Printer(lambda file, begin, end: file.text[begin:end], is_c=True)
        text = printer.sequence(body)
        if (more := beyond_c(text)) is not None:
            message = f"a derivative that takes more than C has: `{more}`"
            raise refuse(_OVERWRITTEN, message, found.loop.span)
        alone = len(body) == 1 or not any(isinstance(one, Declare) for one in body)
        return text.rstrip() if alone else f"{{\n{text}}}", is_behind

    def _derivative(
        self, found: LoopKernel, functions: FunctionTable, watch: PassWatch, *, is_behind: bool
    ) -> tuple[Kernel, tuple[Symbol, ...]]:
        """The derivative of the loop's kernel, and its shadows in the order of the clause."""
        options, solver = self.options, Solver()
        noalias = options.assume_noalias
        kernel = found.kernel
        told: list[Diagnostic] = []
        for one in kernel_passes(functions, told, reals=frozenset()):
            kernel = watch.run(one, kernel, options.optimisation)
        opened = with_open_places(kernel.body)
        kernel = replace(kernel, function=replace(kernel.function, body=opened))
        kernel = with_pointers_apart(kernel, functions)
        kernel, _ = without_needless(kernel, functions, options, solver, watch)
        named = tuple(one for one in kernel.function.parameters if one in found.named)
        unseen = unseen_parameters(kernel.function.parameters, named, ())
        refuse_unseen_memory(kernel.body, named, unseen, whole=True)
        last_of_source = kernel.function.symbols.last_id
        if self.directive.wanted.mode == "forward":
            made = tangent_of(kernel, named, functions)
            result = made.kernel
        else:
            made = adjoint_of(kernel, named, functions, noalias, behind=is_behind)
            plain = make_increments_plain(made.kernel, made.all_shadows, functions, noalias, solver)
            result = made.with_joined_increments(plain.kernel, functions)
        result, _ = without_needless(result, functions, options, solver, watch)
        result = with_first_zeros(result, last_of_source)
        if self.directive.wanted.mode != "forward":
            refuse_new_races(result, kernel, made.all_shadows, functions, noalias, solver)
        by_parameter = dict(zip(named, made.shadows, strict=True))
        return result, tuple(by_parameter[one] for one in found.named)


def _without_launch(lowered: LoweredKernel) -> LoweredKernel:
    """Without what checks the dimensions of a launch, which there is none of."""
    kept = tuple(
        one
        for one in lowered.body
        if not (isinstance(one, Text) and str(one.parts[0]).startswith("assert("))
    )
    return replace(lowered, body=kept)


def _called_as(lowered: LoweredKernel, names: Mapping[Symbol, str]) -> LoweredKernel:
    new = {symbol: replace(symbol, name=name, wish="") for symbol, name in names.items()}
    return replace(lowered, body=tuple(rename_symbols(one, new) for one in lowered.body))


def _names_of(names: Mapping[Symbol, str]) -> tuple[Symbol, ...]:
    return tuple(replace(symbol, name=name, wish="") for symbol, name in names.items())


def _with_clauses(node: Node, clauses: tuple[str, ...]) -> Node | None:
    if not isinstance(node, CountedLoop) or not node.directive.is_parallel:
        return None
    return replace(node, directive=replace(node.directive, clauses=clauses))
