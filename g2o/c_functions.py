"""Derivatives of whole C functions.

    #pragma g2o grad (energy)/(x)
    double energy(int n, const double *x);
->
    double energy_grad(int n, const double *x, double *d_x, double d_energy);

A function is a kernel with a single thread, and goes the way of kernels: its loops that OpenMP
shares out keep marks that say so, and are shared out again in both sweeps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, final

from g2o.ad.activity import reached_arrays, refuse_unseen_memory
from g2o.ad.copied_memory import with_rows_copied, with_typed_copies
from g2o.ad.differentiate import Derivative, adjoint_of, tangent_of
from g2o.ad.file_variables import with_file_variables
from g2o.ad.member_pointers import (
    MemberParameter,
    leads_to_reals,
    unseen_parameters,
    with_member_parameters,
    with_structures,
)
from g2o.ad.pointer_tables import with_pointer_tables
from g2o.ad.pointers_apart import with_pointers_apart
from g2o.ad.reals import carries, is_real
from g2o.ad.request import Request
from g2o.ad.second_derivatives import with_tangents
from g2o.analysis.copied_elements import with_sizes_of_members
from g2o.analysis.functions import FunctionTable
from g2o.c_errors import CErrors, with_own_sums
from g2o.diagnostics.diagnostic import Diagnostic, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.emit.c_language import beyond_c, in_c
from g2o.emit.derivative import c_function_text
from g2o.emit.errors import c_errors_text
from g2o.emit.printer import Printer
from g2o.error_estimates import remarks_on_left_out
from g2o.frontend.openmp_c.source import CSource
from g2o.ir.comments import change_statements
from g2o.ir.distinct import with_distinct_nodes
from g2o.ir.expressions import Assign, Form, InitList, Literal, Unary, VarRef
from g2o.ir.kernel import Function, Kernel, LoweredKernel
from g2o.ir.naming import with_names
from g2o.ir.statements import (
    Block,
    Declare,
    DeclareTypes,
    Empty,
    ExprStatement,
    Node,
    Return,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk, with_open_places
from g2o.ir.types import INT, VOID, CType, TypeKind
from g2o.ir.watch import PassWatch
from g2o.lowering.gathered_windows import with_windows_gathered
from g2o.lowering.simd import may_vectorise_with_records
from g2o.lowering.unused import drop_unused
from g2o.passes import TranslateOptions, kernel_passes
from g2o.transforms.allocations_apart import with_allocations_apart
from g2o.transforms.begun_structures import with_structures_begun
from g2o.transforms.commas_apart import with_commas_apart
from g2o.transforms.common_changes import OfThreads
from g2o.transforms.declared_with_values import with_declarations_at_values
from g2o.transforms.device_maps import (
    refuse_foreign_maps,
    with_mapped_shadows,
    with_memory_on_device,
)
from g2o.transforms.exchanged_views import with_views_of_exchanged
from g2o.transforms.first_zeros import with_first_zeros
from g2o.transforms.given_arrays import with_declared_arrays, with_given_arrays
from g2o.transforms.heap_arrays import (
    allocates,
    with_heap_arrays_in_front,
)
from g2o.transforms.heap_objects import with_heap_objects_declared
from g2o.transforms.heap_tables import with_tables_in_one
from g2o.transforms.joined_sweeps import with_sweeps_joined
from g2o.transforms.known_pointers import with_known_pointers
from g2o.transforms.lost_memory import without_lost_memory
from g2o.transforms.member_tables import with_member_tables_apart
from g2o.transforms.own_results import with_own_results
from g2o.transforms.plain_allocations import with_plain_allocations
from g2o.transforms.plain_increments import without_stale_reasons
from g2o.transforms.plain_spelling import spelled_plainly
from g2o.transforms.pointed_structures import (
    with_pointers_again,
    with_structures_given,
    with_structures_themselves,
    without_second_names,
)
from g2o.transforms.row_tables import with_row_tables_as_pointers
from g2o.transforms.share_out import share_out, with_reductions
from g2o.transforms.shared_increments import with_fewer_atomics
from g2o.transforms.shared_loops import with_shared_loops, without_shared_loops
from g2o.transforms.short_loops import with_short_loops_unrolled
from g2o.transforms.structure_arrays import with_structure_arrays_apart
from g2o.transforms.terms_apart import with_terms_apart
from g2o.transforms.vectorise_sums import vectorise_sums
from g2o.transforms.worksharing import with_worksharing

_CODE: Final = "G2O0414"
_PREFIXES: Final = ("d_", "t_", "t_d_")


@final
@dataclass(slots=True)
class CFunctions:
    """Writes the derivatives of the functions of one file. `told` is what there is to say of them,
    `errors` what those with error estimates add up, by the names of the functions."""

    source: CSource
    options: TranslateOptions
    told: list[Diagnostic] = field(default_factory=list[Diagnostic])
    errors: dict[str, CErrors] = field(default_factory=dict[str, CErrors])
    _read: dict[str, Function] = field(default_factory=dict[str, Function])
    _handed: dict[str, Function] = field(default_factory=dict[str, Function])
    _in_reading: set[str] = field(default_factory=set[str])

    def derivative(self, key: str, suffix: str, request: Request) -> str:
        """The function `name_grad`, `_jvp`, `_hvp` or `_error`. Raises Refusal where there is
        none."""
        function = self._body(key)
        assert function is not None
        named, of_result, of_file = asked_of(function, request)
        whole = request.names is None
        statements, shadows = self.statements(
            function, named, of_result, suffix, whole=whole, of_file=of_file
        )
        statements = _without_unused_types(statements)
        used = {n.symbol for one in statements for n in walk(one) if isinstance(n, VarRef)}
        text = c_function_text(function, suffix, shadows, used, text_of(statements))
        if suffix != "error":
            return text
        errors = self.errors[function.name]
        return f"{c_errors_text(function, errors.fields, errors.left_out)}\n\n{text}"

    def statements(
        self,
        function: Function,
        named: tuple[Symbol, ...],
        of_result: bool,
        suffix: str,
        *,
        whole: bool,
        of_file: Collection[str] = (),
        places: Collection[Symbol] = (),
        called: Mapping[Symbol, str] | None = None,
    ) -> tuple[tuple[Stmt, ...], tuple[Symbol, ...]]:
        """The body of a derivative, and what it has beside the parameters. `named` are those with
        shadows, `whole`: all that derivatives can flow through have; `of_file` are variables of the
        file that have shadows, too. `places` are pointers to what
        is a variable in what is written, and `called` says what shadows are called. Raises Refusal.
        """
        functions = FunctionTable(self._called, is_c=True)
        kernel, result = _with_result(function)
        told: list[Diagnostic] = []
        watch = PassWatch()
        for one in kernel_passes(functions, told, reals=frozenset(), of_file=of_file):
            kernel = watch.run(one, kernel, self.options.optimisation)
        body = with_open_places(with_shared_loops(with_own_results(kernel.body)))
        refuse_foreign_maps(replace(kernel.function, body=body))
        body = with_known_pointers(body, functions.for_node(body))
        body = replace(body, statements=with_distinct_nodes(body.statements))
        kernel = _with_body(kernel, _with_constants_in_front(body))
        symbols = SymbolTable(continued=kernel.function.symbols)
        body = with_structure_arrays_apart(kernel.body, functions.for_node(kernel.body), symbols)
        own = replace(kernel.function, body=body, symbols=symbols)
        body = with_structures_themselves(own.body, functions.for_node(own.body))
        own = replace(own, body=with_member_tables_apart(body, symbols))
        kernel = with_rows_copied(replace(kernel, function=own))
        own = with_row_tables_as_pointers(kernel.function, functions.for_node(kernel.body))
        own = with_tables_in_one(own, functions.for_node(own.body))
        kernel = replace(kernel, function=with_pointer_tables(own))
        private, effects = self.source.thread_private(), functions.for_node(kernel.body)
        file = with_file_variables(kernel.function, of_file, private, effects)
        kernel = replace(kernel, function=file.function)
        named = (*named, *(one for one in file.variables if one.name in of_file))
        symbols = SymbolTable(continued=kernel.function.symbols)
        body = with_heap_objects_declared(kernel.body, functions.for_node(kernel.body), symbols)
        kernel = replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))
        body = with_structures_themselves(kernel.body, functions.for_node(kernel.body))
        body = with_structures_begun(body)
        holders = [one for one in named if one.type.element and leads_to_reals(one.type.element)]
        symbols = SymbolTable(continued=kernel.function.symbols)
        body = with_short_loops_unrolled(body, symbols)
        kernel = replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))
        if allocates(kernel.body):
            kernel = with_pointers_apart(kernel, functions)
        effects = functions.for_node(kernel.body)
        own = with_heap_arrays_in_front(kernel.function, effects)
        own = with_views_of_exchanged(own, functions.for_node(own.body))
        own, pointers = with_structures_given(own, holders)
        asked = tuple(one for one in own.parameters if one in named)
        given = with_given_arrays(own)
        kernel = replace(kernel, function=given.function)
        kernel = with_pointers_apart(kernel, functions)
        effects = functions.for_node(kernel.body)
        kernel = _with_body(kernel, without_second_names(kernel.body, effects))
        effects = functions.for_node(kernel.body)
        kernel, named, parts = with_member_parameters(kernel, asked, effects, pointers)
        arrays = {one for one in given.variables if carries(one.type)}
        seeded = {result} if of_result and result is not None else set[Symbol]()
        reached = reached_arrays(kernel.body, {*named, *seeded}, arrays)
        known = {*named, *seeded, *(arrays if suffix == "error" else reached)}  # all are rounded
        wanted = tuple(one for one in kernel.function.parameters if one in known)
        holders = [
            one
            for one in (function.parameters if whole else named)
            if one.type.is_indirect or leads_to_reals(one.type)
        ]
        unseen = unseen_parameters(holders, wanted, parts)
        refuse_unseen_memory(kernel.body, wanted, unseen, whole=whole)
        given_back = {} if result is None else {result: function.name}
        made = self._shared(kernel, wanted, functions, suffix, (given_back, asked))
        if suffix == "hvp" and (parts or pointers):
            raise refuse(_CODE, "structures in a second derivative", function.name_span)
        count = len(wanted)
        groups = [made.shadows[at : at + count] for at in range(0, len(made.shadows), count or 1)]
        of_parameter = {one: each for one, *each in zip(wanted, *groups, strict=True)}
        body = with_declared_arrays(
            made.kernel.body, given.variables, of_parameter, ends_late=suffix != "jvp"
        )
        values = {shadow: one for one, each in of_parameter.items() for shadow in each}
        made = replace(made, kernel=_with_body(made.kernel, with_mapped_shadows(body, values)))
        seeds = tuple(of_parameter.get(result, ())) if result is not None else ()
        members = _Members(asked, named, parts, tuple(pointers))
        shadows = {one: each[0] for one, each in of_parameter.items()}
        handed = tuple(tuple(of_parameter[one][at] for one in named) for at in range(len(groups)))
        names = {shadows[one]: name for one, name in (called or {}).items()}
        given_values = [
            shadows[one] for one in called or () if one in places or not one.type.is_indirect
        ]
        at_address = frozenset((*places, *given_values, *file.places))
        back = file.variables
        last = kernel.function.symbols.last_id
        about = _Result(result, seeds, handed or ((),), members, at_address, names, back, last)
        written = self._written(function, made, about, functions, suffix)
        apart = {*wanted, *made.all_shadows}
        effects = functions.for_node(made.kernel.body)
        own = with_sweeps_joined(made.kernel.function, effects, apart) if suffix == "grad" else None
        if own is None or own is made.kernel.function:
            return written
        joined = replace(made, kernel=replace(made.kernel, function=own))
        other = self._written(function, joined, about, functions, suffix)
        return min(other, written, key=lambda one: text_of(one[0]).count("#pragma omp atomic"))

    def of_threads(self) -> OfThreads:
        """What the file says of threads."""
        private = self.source.thread_private()
        return OfThreads(self._without_regions, private, self._constructs)

    def _constructs(self, key: str) -> frozenset[str]:
        function = self.source.function(key)
        pragmas = () if function is None else self.source.pragmas_of(function)
        return frozenset(one.construct for one in pragmas)

    def _without_regions(self, key: str) -> Function | None:
        function = self.source.function(key)
        pragmas = () if function is None else self.source.pragmas_of(function)
        is_in_reading = key in self._in_reading  # it calls itself
        if is_in_reading or any("parallel" in one.construct.split() for one in pragmas):
            return None
        return self._body(key)

    def _called(self, key: str) -> Function | None:
        """A function of the file as the derivative of another one calls it."""
        function = self._body(key)
        if function is None:
            return None
        if key not in self._handed:
            self._handed[key] = without_lost_memory(function)
        return self._handed[key]

    def _body(self, key: str) -> Function | None:
        """A function of the file as one thread runs it."""
        function = self.source.function(key)
        if function is None:
            return None
        if key not in self._read:
            effects = FunctionTable(self.source.function, is_c=True).for_node(function.body)
            pragmas = self.source.pragmas_of(function)
            self._in_reading.add(key)
            try:
                made = with_worksharing(function, pragmas, effects, self.of_threads())
                self._read[key] = replace(made, body=_with_plain_statements(made.body))
            finally:
                self._in_reading.remove(key)
        return self._read[key]

    def _shared(
        self,
        kernel: Kernel,
        wanted: tuple[Symbol, ...],
        functions: FunctionTable,
        suffix: str,
        estimates: tuple[Mapping[Symbol, str], Sequence[Symbol]],
    ) -> Derivative:
        """The derivative, with loops that are shared out again as far as that can be. `estimates`:
        what variables are called in error estimates, and the parameters with shadows."""
        noalias = self.options.assume_noalias
        while True:
            if suffix == "jvp":
                made = tangent_of(kernel, wanted, functions)
            else:
                errors_of = estimates[0] if suffix == "error" else None
                made = adjoint_of(kernel, wanted, functions, noalias, errors_of=errors_of)
            if suffix == "hvp":
                made = with_tangents(made, wanted, functions)
            if suffix == "error":
                made, errors = with_own_sums(made, kernel.function, estimates[1])
                self.errors[kernel.function.name] = errors
            function = made.kernel.function
            shared = share_out(function, made.all_shadows, made.made, functions, noalias)
            if not shared.ordered:
                return replace(made, kernel=_with_body(made.kernel, shared.body))
            kernel = _with_body(kernel, without_shared_loops(kernel.body, shared.ordered))

    def _written(
        self,
        function: Function,
        made: Derivative,
        given: _Result,
        functions: FunctionTable,
        suffix: str,
    ) -> tuple[tuple[Stmt, ...], tuple[Symbol, ...]]:
        kernel = made.kernel
        if suffix != "hvp":
            kernel = made.with_joined_increments(kernel, functions)
        kernel = with_first_zeros(kernel, given.last_of_source)
        effects = functions.for_node(kernel.body)
        statements = drop_unused(kernel.body.statements, effects)
        lowered = _lowered(kernel.function, function.parameters, statements)
        lowered, groups = given.with_structures(lowered, suffix, function.name_span)
        statements = tuple(rename_symbols(one, dict(given.of_file)) for one in lowered.body)
        scalars = set(given.places)
        if given.called:
            new = {one: replace(one, name=name, wish="") for one, name in given.called.items()}
            statements = tuple(rename_symbols(one, new) for one in statements)
            groups = (tuple(new.values()),)
            scalars = {new.get(one, one) for one in scalars}
        shadows: tuple[Symbol, ...] = ()
        for at, group in enumerate(groups):
            shadows = (*shadows, *group)
            if not given.seeds:
                continue
            old = given.seeds[at]
            is_value = suffix != "jvp" and at != 1  # tangents of results are given back
            ctype = old.type.element if is_value else old.type
            name = f"{_PREFIXES[at]}{function.name}"
            seed = replace(old, name=name, type=ctype or old.type, wish="")
            statements = tuple(rename_symbols(one, {old: seed}) for one in statements)
            shadows = (*shadows, seed)
            if is_value:
                scalars.add(seed)
        if suffix == "error":
            self.told += remarks_on_left_out(function.name, made.left_out)
            shadows = (*shadows, self.errors[function.name].parameter)
        further = shadows
        if given.result is not None:
            scalars.add(given.result)
            further = (*further, given.result)
        lowered = replace(lowered, body=statements)
        lowered = with_names(spelled_plainly(without_stale_reasons(lowered)), further)
        body = with_reductions(Block(lowered.body))
        if suffix == "grad":
            given_body = replace(lowered, body=body.statements)
            windows = partial(with_windows_gathered, is_c=True)
            body = with_fewer_atomics(given_body, further, functions, windows)
            lowered = replace(lowered, body=body.statements)
            last_of_source = function.symbols.last_id
            lowered = with_terms_apart(lowered, last_of_source, may_vectorise_with_records)
            lowered = vectorise_sums(lowered, last_of_source, may_vectorise_with_records)
            body = Block(lowered.body)
        body = with_memory_on_device(body, (*function.parameters, *shadows))
        statements = in_c(body.statements, scalars)
        if given.result is not None:
            statements = _with_value(statements, given.result, function.result)
        if (more := beyond_c(text_of(statements))) is not None:
            message = f"a derivative that takes more than C has: `{more}`"
            raise refuse(_CODE, message, function.name_span)
        return statements, shadows


def _without_unused_types(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements without local types that nothing names any more."""
    declared = [n for one in statements for n in walk(one) if isinstance(n, DeclareTypes)]
    if not declared:
        return statements
    words = Counter(re.findall(r"\w+", text_of(statements)))
    unused = {id(one) for one in declared if one.names and all(words[n] < 2 for n in one.names)}
    kept = change_statements(Block(statements), lambda one: None if id(one) in unused else one)
    return kept.statements


def text_of(statements: tuple[Stmt, ...]) -> str:
    """Statements as they are written."""
    return Printer(lambda file, begin, end: file.text[begin:end], is_c=True).sequence(statements)


@final
@dataclass(frozen=True, slots=True)
class _Result:
    """What a derivative stores the result in, its seed, the shadows of its parameters (of second
    derivatives, tangents of both behind these), what else is a pointer to a variable, the names
    that shadows have to have, and the variables of the file that parameters stand for. What has an
    id behind `last_of_source` is made by differentiation."""

    result: Symbol | None
    seeds: tuple[Symbol, ...]
    shadows: tuple[tuple[Symbol, ...], ...]
    members: _Members
    places: frozenset[Symbol] = frozenset()
    called: Mapping[Symbol, str] = field(default_factory=dict[Symbol, str])
    of_file: Mapping[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])
    last_of_source: int = 0

    def with_structures(
        self, lowered: LoweredKernel, suffix: str, span: SourceSpan
    ) -> tuple[LoweredKernel, tuple[tuple[Symbol, ...], ...]]:
        """The derivative with structures as parameters again, and the shadows that it has."""
        one = self.members
        if suffix == "hvp":
            return lowered, self.shadows
        holders = {part.holder for part in one.parts}
        if suffix == "jvp" and one.pointers and not holders <= set(one.pointers):
            raise refuse(_CODE, "structures by value and by address in one tangent", span)
        by_pointer = suffix != "jvp" or bool(one.pointers)
        lowered, shadows = with_structures(
            lowered, one.asked, one.named, self.shadows[0], one.parts, by_pointer=by_pointer
        )
        by_value = [each for each in shadows if by_pointer and each.type.kind is TypeKind.RECORD]
        handed = {each: replace(each, type=_pointer_to(each.type)) for each in by_value}
        body = rename_symbols(Block(lowered.body), handed)
        body = with_pointers_again(body, (*one.pointers, *handed.values()))
        shadows = tuple(handed.get(each, each) for each in shadows)
        return replace(lowered, body=body.statements), (shadows,)


@final
@dataclass(frozen=True, slots=True)
class _Members:
    """The parameters with shadows, what is `named` in their place to differentiation, the members
    that stand there for structures, and which of these are handed over by their address."""

    asked: tuple[Symbol, ...]
    named: tuple[Symbol, ...]
    parts: tuple[MemberParameter, ...]
    pointers: tuple[Symbol, ...]


def asked_of(
    function: Function, request: Request
) -> tuple[tuple[Symbol, ...], bool, tuple[str, ...]]:
    """The parameters that have shadows, whether the result has a seed, and what else is named,
    which are variables of the file. Raises Refusal."""
    of_result = is_real(function.result)
    names = request.names
    of_file: tuple[str, ...] = ()
    if names is not None:
        of_result = of_result and function.name in names
        known = {one.name for one in function.parameters}
        of_file = tuple(one for one in names if one not in {*known, function.name})
        names = tuple(one for one in names if one in known)
        if not names and (of_result or of_file):
            return (), of_result, of_file
    asked = replace(request, names=names).asked(function.parameters, by_address=True)
    return asked.parameters, of_result, of_file


def _with_plain_statements(body: Block) -> Block:
    """The body with one thing to a statement."""
    body = with_sizes_of_members(with_typed_copies(with_commas_apart(body)))
    body = with_declarations_at_values(body, lambda one: one.type.kind is TypeKind.INTEGER)
    return with_allocations_apart(with_plain_allocations(body))


def _with_body(kernel: Kernel, body: Block) -> Kernel:
    return replace(kernel, function=replace(kernel.function, body=body))


def _with_constants_in_front(body: Block) -> Block:
    """The body with the `static const` variables of inner braces in front: both sweeps see them."""
    found: list[Stmt] = []

    def replacement(node: Node) -> Node | None:
        match node:
            case Declare(variables=variables) if all(map(_is_constant, variables)):
                found.append(node)
                return Empty(trivia=node.trivia)
            case _:
                return None

    moved = rewrite(body, replacement)
    if not found:
        return body
    return replace(moved, statements=(*found, *moved.statements), form=Form.BUILT)


def _is_constant(variable: Variable) -> bool:
    is_static = variable.symbol.storage is Storage.GLOBAL
    return is_static and "const" in variable.symbol.type.innermost.spelling.split()


def _pointer_to(ctype: CType) -> CType:
    spelled = f"{ctype.spelling} *"
    return CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=ctype)


def _with_result(function: Function) -> tuple[Kernel, Symbol | None]:
    """The function as a kernel with a single thread, which stores the result."""
    if function.result.kind is TypeKind.VOID:
        return Kernel(function), None
    ctype = function.result
    symbols = SymbolTable(continued=function.symbols)
    result = symbols.fresh("result", _pointer_to(ctype), Storage.PARAMETER)
    place = Unary("*", VarRef(result), type=ctype)

    def replacement(node: Node) -> Node | None:
        match node:
            case Return(value=value) if value is not None:
                stored = ExprStatement(Assign("=", place, value, ctype), trivia=node.trivia)
                return Block((stored, Return()))
            case _:
                return None

    body = rewrite(function.body, replacement)
    made = replace(
        function,
        body=body,
        symbols=symbols,
        parameters=(*function.parameters, result),
        result=VOID,
    )
    return Kernel(made), result


def _lowered(
    function: Function, parameters: tuple[Symbol, ...], statements: tuple[Stmt, ...]
) -> LoweredKernel:
    """The statements as a function that nobody launches."""
    launch = [function.symbols.fresh(name, INT, Storage.PARAMETER) for name in ("grid", "block")]
    own = replace(function, parameters=parameters)
    return LoweredKernel(own, statements, launch[0], launch[1], None)


def _with_value(statements: tuple[Stmt, ...], result: Symbol, ctype: CType) -> tuple[Stmt, ...]:
    """The statements with the result as a variable, which is returned."""
    is_number = ctype.is_arithmetic or ctype.kind is TypeKind.POINTER
    zero = Literal("0", 0, INT) if is_number else InitList(())
    declared = Declare((Variable(result, ctype.spelling, "", zero, "="),))

    def replacement(node: Node) -> Node | None:
        return replace(node, value=VarRef(result)) if isinstance(node, Return) else None

    returned = tuple(rewrite(one, replacement) for one in statements)
    if returned and isinstance(returned[-1], Return):
        return (declared, *returned)
    return (declared, *returned, Return(VarRef(result)))
