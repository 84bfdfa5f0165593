"""Kernels from kernels: the adjoint and the tangent of one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import final

from g2o.ad.activity import Activity, find_activity
from g2o.ad.adjoint import Adjoint
from g2o.ad.apart import has_sweeps_of_its_own, reverse_alone
from g2o.ad.block_signals import refuse_flow_between_blocks
from g2o.ad.braces import without_bare_braces
from g2o.ad.changed_bits import refuse_changed_bits
from g2o.ad.changes_apart import with_changes_apart
from g2o.ad.chosen_places import with_chosen_places
from g2o.ad.complete import refuse_lost_derivatives
from g2o.ad.complex_numbers import with_complex_numbers
from g2o.ad.conditions import with_named_conditions
from g2o.ad.copied_memory import with_memory_copied
from g2o.ad.countdowns import with_plain_countdowns
from g2o.ad.dead_zeros import without_dead_zeros
from g2o.ad.decided_choices import with_decided_choices
from g2o.ad.exchanged_pointers import with_numbered_arrays
from g2o.ad.given_classes import with_given_classes
from g2o.ad.heads import skips_to_working_head, with_plain_heads
from g2o.ad.hidden import refuse_hidden_changes
from g2o.ad.induction_variables import with_closed_forms
from g2o.ad.joined_increments import with_joined_increments
from g2o.ad.kept import Kept, left_of, remarks_on_kept
from g2o.ad.lane_winners import with_lane_winners
from g2o.ad.lanes import Part, find_meetings
from g2o.ad.library_arrays import with_plain_arrays
from g2o.ad.locks import refuse_changes_under_locks
from g2o.ad.macros import without_places_in_macros
from g2o.ad.members import with_members_apart
from g2o.ad.members_at import with_members_named
from g2o.ad.needless import without_needless_values
from g2o.ad.objects import with_values_of_objects
from g2o.ad.open_types import refuse_open_types, with_deduced_types
from g2o.ad.origins import find_origins
from g2o.ad.places import Places, find_places, hiding_symbols
from g2o.ad.plain_accesses import with_plain_accesses
from g2o.ad.pointers import own_pointers, settled_pointers
from g2o.ad.prepare import (
    name_values,
    own_parameters,
    simplified,
    written_after_declaration,
)
from g2o.ad.reals import carries, is_real
from g2o.ad.references import (
    refuse_reference_members,
    with_referents_named,
    without_references,
)
from g2o.ad.reinterpreted import with_elements
from g2o.ad.roundings import LeftOut, Rounding, left_out, with_roundings, without_markers
from g2o.ad.rules import is_root
from g2o.ad.running_extremes import with_running_extremes
from g2o.ad.shadows import Shadows, shadow_type
from g2o.ad.shared_memory import with_shared_memory_declared
from g2o.ad.shared_records import with_shared_records
from g2o.ad.shared_winners import with_shared_winners
from g2o.ad.structure import structured
from g2o.ad.tangent import Tangent
from g2o.ad.tidy import tidied
from g2o.ad.two_results import with_results_apart
from g2o.ad.uniform_calls import UniformCall, called, name_of_call, split_result
from g2o.ad.updates import with_updates_apart
from g2o.ad.values import Values
from g2o.ad.vector_views import with_elements_of_views
from g2o.ad.versions import with_versions
from g2o.ad.walking_pointers import with_indices, with_starts_kept
from g2o.ad.winners import with_winners
from g2o.ad.zero_shadows import without_zero_shadows
from g2o.ad.zeroed_objects import with_zeroed_objects
from g2o.analysis.effects import declared_in, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.uniformity import solve_uniformity
from g2o.diagnostics.diagnostic import Diagnostic, Refusal, error
from g2o.ir.distinct import with_distinct_nodes
from g2o.ir.expressions import (
    Assign,
    Builtin,
    Expr,
    Form,
    Index,
    LaunchRef,
    Member,
    Unary,
    VarRef,
)
from g2o.ir.kernel import Function, Kernel
from g2o.ir.statements import Barrier, Block, Exchange, ExprStatement, Node, Scope, Stmt
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind

_SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)
_MOST_TRIED = 8  # variables whose values need not be apart
_MOST_NODES = 30_000  # of an adjoint of which several are made to find a shorter one


@final
@dataclass(frozen=True, slots=True)
class Derivative:
    """A kernel with derivatives. `shadows` are the parameters that it has besides the primal's."""

    kernel: Kernel
    shadows: tuple[Symbol, ...]
    remarks: tuple[Diagnostic, ...] = ()
    uniform: tuple[UniformCall, ...] = ()  # calls whose adjoints follow when all threads are done
    behind_primal: bool = False  # has the primal to be called first?
    winners: Symbol | None = None  # the object that knows who has won minima and maxima
    made: frozenset[Symbol] = frozenset()  # what differentiation has declared
    roundings: tuple[Rounding, ...] = ()  # whose errors it adds up, where it estimates them
    sums: tuple[Symbol, ...] = ()  # parameters for these: a sum for each, and one of squares
    left_out: tuple[LeftOut, ...] = ()  # what the estimates know nothing of

    @property
    def all_shadows(self) -> tuple[Symbol, ...]:
        """The shadow parameters and the shadows of shared memory."""
        shared = (one for one in self.made if one.storage in _SHARED and carries(one.type))
        return (*self.shadows, *sorted(shared, key=lambda one: one.id))

    def with_joined_increments(self, kernel: Kernel, functions: FunctionTable) -> Kernel:
        """What has become of `kernel`, with its additions to neighbouring places joined: some of
        them were atomic before."""
        body, own = kernel.body, {*self.shadows, *self.made}
        statements = with_joined_increments(body.statements, own, functions.for_node(body))
        same = len(statements) == len(body.statements)
        if same and all(a is b for a, b in zip(statements, body.statements, strict=True)):
            return kernel
        body = replace(body, statements=statements, form=Form.BUILT)
        return replace(kernel, function=replace(kernel.function, body=body))


def adjoint_of(
    kernel: Kernel,
    named: tuple[Symbol, ...],
    functions: FunctionTable,
    assume_noalias: bool,
    uniform: Collection[str] = (),
    callable_primal: bool = False,
    *,
    behind: bool = False,
    errors_of: Mapping[Symbol, str] | None = None,
) -> Derivative:
    """The kernel followed by its reverse sweep. `named` are the parameters with shadows, `uniform`
    the keys of functions whose calls give all threads the same. Where the primal can be called, it
    may be the reverse sweep alone that follows; it is, where it has to come `behind` the primal.
    With `errors_of` it adds up what rounding does to the results, in further parameters: a sum and
    one of squares for each of the `roundings`. It says what variables are called that the source
    has no name for.

    Raises Refusal where the kernel cannot be turned around.
    """
    given = (
        *(kernel, named, functions, assume_noalias, uniform, callable_primal, behind),
        errors_of,
    )
    made = first = _adjoint(*given, frozenset())
    apart: frozenset[Symbol] = frozenset()
    while more := made.divisible() - apart:
        apart |= more
        made = _adjoint(*given, apart)
    if made.cost >= first.cost:
        return first.derivative
    tried = sorted(apart, key=lambda one: one.id) if 1 < len(apart) <= _MOST_TRIED else ()
    if tried and sum(1 for _ in walk(made.derivative.kernel.body)) > _MOST_NODES:
        return made.derivative
    for one in tried:
        without = _adjoint(*given, apart - {one})
        if without.cost <= made.cost:
            made, apart = without, apart - {one}
    return made.derivative


@final
@dataclass(frozen=True, slots=True)
class _Adjoint:
    """An adjoint, and what it keeps. `statements` are what has been turned around."""

    derivative: Derivative
    left: tuple[Kept, ...]
    places: Places
    statements: tuple[Stmt, ...]
    functions: FunctionTable

    @property
    def cost(self) -> tuple[int, int]:
        """Tapes, and variables that hold values for the reverse sweep."""
        tapes = sum(one.is_tape for one in self.left)
        return tapes, len(self.left) - tapes

    def divisible(self) -> frozenset[Symbol]:
        """Variables that would leave less to be kept were their values apart."""
        found = {symbol for one in self.left for symbol in one.changed}
        waiting = list(found)
        while waiting:
            definition = self.places.definitions.get(waiting.pop())
            initial = None if definition is None else definition.variable.initial
            if initial is not None:
                more = symbols_in(initial) - found
                found |= more
                waiting.extend(more)
        if not found:
            return frozenset()
        symbols = SymbolTable(continued=self.derivative.kernel.function.symbols)
        effects = self.functions.for_node(Block(self.statements))
        return with_versions(self.statements, found, symbols, effects).apart


def _adjoint(
    kernel: Kernel,
    named: tuple[Symbol, ...],
    functions: FunctionTable,
    assume_noalias: bool,
    uniform: Collection[str],
    callable_primal: bool,
    behind: bool,
    errors_of: Mapping[Symbol, str] | None,
    apart: frozenset[Symbol],
) -> _Adjoint:
    """The adjoint, made from a kernel in which the values of the variables `apart` have variables
    of their own."""
    kernel = _with_own_texts(kernel, functions)
    function = kernel.function
    symbols = SymbolTable(continued=function.symbols)
    given, parameters = shadow_parameters(named, symbols, by_pointer=True)
    effects = functions.for_node(kernel.body)
    body = own_parameters(kernel.body, function.parameters, symbols, effects)
    body = without_references(with_referents_named(body, symbols))
    body = settled_pointers(body, function.parameters, symbols)
    body = with_updates_apart(with_indices(body, function.parameters, symbols))
    body = with_changes_apart(body, symbols, functions.for_node(body))
    roundings: tuple[Rounding, ...] = ()
    sums: tuple[Symbol, ...] = ()
    if errors_of is not None:
        body, roundings = with_roundings(body, symbols, errors_of)
        inputs = tuple(one for rounding in roundings for one in rounding.inputs)
        errors, sums = shadow_parameters(inputs, symbols, by_pointer=True, prefix="error_")
        given, named = given | errors, (*named, *inputs)
    activity = _activity(kernel, body, named)
    body = with_named_conditions(with_plain_countdowns(body, symbols), symbols)
    statements = structured(body, symbols, lambda statement: _mentions(statement, activity))
    statements = simplified(with_plain_heads(statements), symbols)
    statements = with_closed_forms(statements, functions.for_node(Block(statements)))
    whole = Block(statements)
    statements = with_running_extremes(
        statements, _activity(kernel, whole, named), functions.for_node(whole)
    )
    statements, winners, activity = _with_winners(kernel, statements, named, symbols, functions)
    whole_values = statements
    if apart:
        effects = functions.for_node(Block(statements))
        statements = with_versions(statements, apart, symbols, effects).statements
        activity = _activity(kernel, Block(statements), named)
    refuse_open_types(Block(statements), activity)
    refuse_hidden_changes(Block(statements), activity, functions.for_node(Block(statements)))
    refuse_changed_bits(Block(statements), activity)
    refuse_changes_under_locks(Block(statements), activity)
    refuse_flow_between_blocks(Block(statements), activity, functions)
    shared = _uniform_calls(Block(statements), uniform, symbols)
    given.update({one.value: VarRef(one.seeds) for one in shared})
    active = activity.active | {one.value for one in shared}
    activity = replace(activity, active=frozenset(active))
    statements, names, roots, activity = _with_names(
        statements, symbols, activity, functions, {one.call for one in shared}
    )
    whole = Block(statements)
    effects = functions.for_node(whole)
    places = find_places(statements, effects, activity.origins, activity.active, assume_noalias)
    values = Values(places, effects, functions, symbols)
    values.keeps_names = not any(isinstance(node, (Barrier, Exchange)) for node in walk(whole))
    values.hiding = hiding_symbols(statements, {one.name for one in function.parameters})
    shadows = Shadows(symbols, given, activity.origins)
    axes = {
        node.axis
        for node in walk(whole)
        if isinstance(node, LaunchRef) and node.builtin is Builtin.THREAD_INDEX
    }
    known = tuple(sorted(axis for axis in axes if axis is not None))
    uniformity = solve_uniformity(whole, Scope.BLOCK, effects, set())
    meetings = find_meetings(statements, uniformity, kernel.shape)
    if any(one.part is Part.WHOLE for one in meetings.values()):
        kernel = replace(kernel, relied=kernel.relied | {(Builtin.BLOCK_DIM, 0)})
    adjoint = Adjoint(activity, places, values, shadows, symbols, names, known, meetings)
    adjoint.linear.results.update({one.call: one.value for one in shared})
    adjoint.linear.roots.update(roots)
    both = with_decided_choices(without_markers(adjoint.whole(statements)))
    refuse_lost_derivatives(both, given, activity, whole, effects, function.span, apart=bool(apart))
    split = with_members_apart(both, _new(both, statements), symbols)
    both = without_dead_zeros(split, _new_reals(split, both), effects)
    both = without_needless_values(both, _new(both, statements), effects)
    both = with_shared_records(both, _new(both, statements), effects)
    handed = {one.symbol for one in given.values() if isinstance(one, VarRef)}
    alone = None
    known = functions.for_node(Block(both))
    if behind or (callable_primal and has_sweeps_of_its_own(statements, known)):
        alone = reverse_alone(both, statements, handed, known, places, of_iterations=behind)
    if behind and alone is None:
        message = "an adjoint that needs values which its loop overwrites"
        raise Refusal(error("G2O0413", message, function.span))
    sweeps = both if alone is None else alone
    reals = _new_reals(both, statements) - values.made_again
    objects = _new(both, statements) - values.made_again
    made = tidied(without_zero_shadows(tidied(sweeps, reals), reals, objects), reals)
    made = without_needless_values(made, _new(made, statements), effects)
    own = _new(both, statements) - values.made_again
    made = with_joined_increments(made, handed | own, effects)
    left = left_of(values.recorder.kept, made)
    told = remarks_on_kept(left, function.name, function.span)
    derivative = _derivative(kernel, "grad", made, (*parameters, *sums), symbols, told)
    derivative = replace(
        derivative,
        shadows=parameters,
        sums=sums,
        left_out=tuple(left_out(whole_values, activity.is_active)) if errors_of is not None else (),
        uniform=shared,
        behind_primal=alone is not None,
        winners=winners,
        made=frozenset(_new(made, statements) - values.made_again),
        roundings=roundings,
    )
    return _Adjoint(derivative, left, places, whole_values, functions)


def _with_winners(
    kernel: Kernel,
    statements: tuple[Stmt, ...],
    named: tuple[Symbol, ...],
    symbols: SymbolTable,
    functions: FunctionTable,
    *,
    backwards: bool = True,
) -> tuple[tuple[Stmt, ...], Symbol | None, Activity]:
    """Statements that say who has won atomic minima and maxima, the object that knows it of those
    of all blocks, and what is active."""
    activity = _activity(kernel, Block(statements), named)
    statements = with_lane_winners(statements, activity, symbols)
    chosen = with_shared_winners(statements, activity, symbols, functions)
    if chosen is not statements:
        chosen = simplified(chosen, symbols)
    chosen, winners = with_winners(chosen, activity, symbols, functions, backwards=backwards)
    if chosen is not statements:
        activity = _activity(kernel, Block(chosen), named)
    return chosen, winners, activity


def _new(new: Iterable[Stmt], old: Iterable[Stmt]) -> set[Symbol]:
    """Variables that differentiation has added."""
    known = {symbol for statement in old for symbol in declared_in(statement)}
    return {symbol for statement in new for symbol in declared_in(statement)} - known


def _new_reals(new: Iterable[Stmt], old: Iterable[Stmt]) -> set[Symbol]:
    """Variables for real numbers that differentiation has added, those that every thread has for
    itself."""
    return {
        symbol
        for symbol in _new(new, old)
        if is_real(symbol.type) and symbol.storage is not Storage.SHARED
    }


def _uniform_calls(
    body: Block, keys: Collection[str], symbols: SymbolTable
) -> tuple[UniformCall, ...]:
    found: list[UniformCall] = []
    for call in called(body, keys):
        ctype = shadow_type(call.type)
        spelled = f"{ctype.spelling} *"
        pointer = CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=ctype)
        value = symbols.fresh(name_of_call(call), ctype, Storage.PARAMETER)
        seeds = symbols.fresh(f"d_{value.name}", pointer, Storage.PARAMETER)
        found.append(UniformCall(call, value, seeds))
    return tuple(found)


def function_adjoint(
    function: Function, functions: FunctionTable
) -> tuple[tuple[Stmt, ...], tuple[Symbol, ...]]:
    """The body of the adjoint of a device function for one caller, and its further parameters: a
    shadow for each pointer to real numbers, and the seed of the result.

    Raises Refusal where it cannot be turned around.
    """
    front, value = split_result(function)
    symbols = SymbolTable(continued=function.symbols)
    ctype = shadow_type(function.result)
    spelled = f"{ctype.spelling} *"
    pointer = CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=ctype)
    result = symbols.fresh("result", pointer, Storage.PARAMETER)
    place = Unary("*", VarRef(result), type=ctype)
    stored = ExprStatement(Assign("=", place, value, ctype))
    parameters = (*function.parameters, result)
    body = Block((*front, stored), span=function.body.span)
    kernel = Kernel(replace(function, body=body, parameters=parameters, symbols=symbols))
    named = tuple(one for one in parameters if carries(one.type))
    made = adjoint_of(kernel, named, functions, False)
    *shadows, seeds = made.shadows
    seed = Symbol(seeds.id, seeds.name, ctype, Storage.PARAMETER)
    statements = tuple(
        rewrite(statement, lambda node: _seed_of(node, seeds, seed))
        for statement in made.kernel.body.statements
        if not _stores_to(statement, {result, seeds})
    )
    return tidied(statements, _new_reals(statements, front)), (*shadows, seed)


def _stores_to(statement: Stmt, symbols: Collection[Symbol]) -> bool:
    match statement:
        case ExprStatement(expr=Assign(target=Unary(op="*", operand=VarRef(symbol=symbol)))):
            return symbol in symbols
        case _:
            return False


def _seed_of(node: Node, seeds: Symbol, seed: Symbol) -> Node | None:
    """The seed itself in place of what the pointer to it shows."""
    match node:
        case Unary(op="*", operand=VarRef(symbol=symbol)) if symbol == seeds:
            return VarRef(seed)
        case _:
            return None


def tangent_of(
    kernel: Kernel,
    named: tuple[Symbol, ...],
    functions: FunctionTable,
    of_shadows: Collection[Symbol] = (),
) -> Derivative:
    """The kernel with tangents. `named` are the parameters with shadows. Where the kernel is an
    adjoint, `of_shadows` are the variables that it has beside the primal's: it has tangents then,
    all by their addresses, and no shadows more.

    Raises Refusal where a statement has no tangent.
    """
    kernel = _with_own_texts(kernel, functions)
    symbols = SymbolTable(continued=kernel.function.symbols)
    twice = bool(of_shadows)
    prefix = "t_" if twice else "d_"
    given, parameters = shadow_parameters(named, symbols, by_pointer=twice, prefix=prefix)
    given = {one: _shadow_of_value(one, shadow) for one, shadow in given.items()}
    parameters_of_kernel = kernel.function.parameters
    constant = tuple(one for one in parameters_of_kernel if one not in named)
    body = own_parameters(kernel.body, constant, symbols, functions.for_node(kernel.body))
    body = without_references(with_referents_named(body, symbols))
    body = settled_pointers(body, parameters_of_kernel, symbols)
    body = with_updates_apart(with_indices(body, parameters_of_kernel, symbols))
    body = with_changes_apart(body, symbols, functions.for_node(body))
    statements = own_pointers(body, parameters_of_kernel, symbols).statements
    if skips_to_working_head(statements):
        statements = structured(Block(statements), symbols, lambda _: True)
    statements = simplified(with_plain_heads(statements), symbols)
    statements, winners, activity = _with_winners(
        kernel, statements, named, symbols, functions, backwards=False
    )
    refuse_open_types(Block(statements), activity)
    refuse_hidden_changes(Block(statements), activity, functions.for_node(Block(statements)))
    refuse_changed_bits(Block(statements), activity)
    statements, names, roots, activity = _with_names(statements, symbols, activity, functions)
    effects = functions.for_node(Block(statements))
    shadows = Shadows(symbols, given, activity.origins, prefix, frozenset(of_shadows))
    tangent = Tangent(activity, shadows, symbols, functions, effects, names)
    tangent.linear.roots.update(roots)
    tangent.hiding = hiding_symbols(statements, {one.name for one in parameters_of_kernel})
    made = tangent.sequence(statements)
    made = with_members_apart(made, _new(made, statements), symbols)
    made = without_bare_braces(tidied(made, _new_reals(made, statements)))
    derivative = _derivative(kernel, "jvp", made, parameters, symbols, ())
    return replace(derivative, winners=winners, made=frozenset(_new(made, statements)))


def _shadow_of_value(parameter: Symbol, shadow: Expr) -> Expr:
    """What lies behind the shadow of a number that is handed over by its address."""
    element = shadow.type.element
    if parameter.type.is_indirect or not shadow.type.is_indirect or element is None:
        return shadow
    return Unary("*", shadow, type=element)


def _with_own_texts(kernel: Kernel, functions: FunctionTable) -> Kernel:
    kernel = with_memory_copied(with_numbered_arrays(with_starts_kept(with_plain_arrays(kernel))))
    kernel = with_results_apart(kernel)
    body = with_deduced_types(with_given_classes(kernel.body))
    body = with_plain_accesses(without_places_in_macros(body))
    body = with_chosen_places(body)
    body = with_complex_numbers(with_values_of_objects(body, functions), functions)
    refuse_reference_members(body)
    own = replace(kernel, function=replace(kernel.function, body=with_members_named(body)))
    return with_shared_memory_declared(with_elements_of_views(with_elements(own)))


def _derivative(
    kernel: Kernel,
    suffix: str,
    statements: tuple[Stmt, ...],
    shadows: tuple[Symbol, ...],
    symbols: SymbolTable,
    remarks: tuple[Diagnostic, ...],
) -> Derivative:
    function = kernel.function
    statements = with_zeroed_objects(statements, symbols)
    body = Block(with_distinct_nodes(statements), span=function.body.span)
    new = replace(
        function,
        name=f"{function.name}_{suffix}",
        parameters=(*function.parameters, *shadows),
        body=body,
        symbols=symbols,
        defaults=(),
    )
    return Derivative(replace(kernel, function=new), shadows, remarks)


def shadow_parameters(
    named: tuple[Symbol, ...], symbols: SymbolTable, *, by_pointer: bool, prefix: str = "d_"
) -> tuple[dict[Symbol, Expr], tuple[Symbol, ...]]:
    """The shadows that a derivative is handed for the parameters `named`: what they are called, by
    parameter, and the parameters that they are."""
    given: dict[Symbol, Expr] = {}
    parameters: list[Symbol] = []
    for parameter in named:
        ctype = shadow_type(parameter.type)
        if by_pointer and not parameter.type.is_indirect:
            spelled = f"{ctype.spelling} *"
            ctype = CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=ctype)
        shadow = symbols.fresh(f"{prefix}{parameter.name}", ctype, Storage.PARAMETER)
        given[parameter] = VarRef(shadow)
        parameters.append(shadow)
    return given, tuple(parameters)


def parameters_behind(
    suffix: str, named: tuple[Symbol, ...], symbols: SymbolTable
) -> tuple[Symbol, ...]:
    """What a derivative has behind the parameters of its kernel."""
    _, shadows = shadow_parameters(named, symbols, by_pointer=suffix != "jvp")
    if suffix != "hvp":
        return shadows
    both = (*named, *shadows)
    return (*shadows, *shadow_parameters(both, symbols, by_pointer=True, prefix="t_")[1])


def _activity(kernel: Kernel, body: Block, named: tuple[Symbol, ...]) -> Activity:
    origins = find_origins(body)
    return find_activity(body, kernel.function.parameters, named, origins)


def _with_names(
    statements: tuple[Stmt, ...],
    symbols: SymbolTable,
    activity: Activity,
    functions: FunctionTable,
    always: Collection[Expr] = (),
) -> tuple[tuple[Stmt, ...], dict[int, Expr], dict[Symbol, Expr], Activity]:
    written = written_after_declaration(statements, functions.for_node(Block(statements)))
    statements, names, added = name_values(
        statements, symbols, functions, lambda expr: _depends(expr, activity), written, always
    )
    active = activity.active | added.keys()
    roots = {one: call.arguments[0] for one, call in added.items() if is_root(call, functions)}
    return statements, names, roots, replace(activity, active=frozenset(active))


def _depends(expr: Expr, activity: Activity) -> bool:
    return any(
        isinstance(node, (VarRef, Index, Member, Unary)) and activity.is_active(node)
        for node in walk(expr)
    )


def _mentions(statement: Stmt, activity: Activity) -> bool:
    return any(symbol in activity.active for symbol in symbols_in(statement))
