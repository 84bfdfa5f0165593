"""Which variables carry derivatives that matter.

A variable is active if it depends on an active parameter (varied) and an active parameter depends
on it (useful). Found per variable, whatever the order of statements: an array is active as a whole.
(Hascoët, Naumann and Pascual, "To be recorded analysis in reverse-mode automatic differentiation",
2005, section 2.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ad.bits import (
    FROM_BITS,
    TO_BITS,
    bit_sources,
    bits_of,
    is_bits,
    is_integer,
    is_view,
)
from g2o.ad.components import behind, is_of_a_value
from g2o.ad.origins import Origins, find_origins
from g2o.ad.reals import carries, hides_reals
from g2o.analysis.allocations import is_allocation
from g2o.analysis.effects import goes_through_pointer, is_tape_call, root_symbol, symbols_in
from g2o.analysis.pure_functions import ROUNDED
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, Refusal, error
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Exchange, Node
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import CType, TypeKind

_HAND_OVER: Final = (
    Note("hand it over as a parameter of its own, `float *` or `double *`"),
    Note("or name what matters, --grad 'kernel(y, ...)/(x, ...)': all else is constant"),
)
_STORING: Final = frozenset(f"operator{op}" for op in ("=", "+=", "-=", "*=", "/=", "++", "--"))
_SHARED: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED)


@final
@dataclass(frozen=True, slots=True)
class Flow:
    """Numbers in `sources` go into `target`; `call` is the function that takes them there. `reals`
    are the sources that are read as real numbers."""

    target: frozenset[Symbol | None]
    sources: frozenset[Symbol | None]
    span: SourceSpan | None
    call: str = ""
    reals: frozenset[Symbol | None] = frozenset()


@final
@dataclass(frozen=True, slots=True)
class Activity:
    """`active` are variables, pointers and references included."""

    active: frozenset[Symbol]
    origins: Origins

    def is_active(self, expr: Expr) -> bool:
        """May the lvalue `expr` carry a derivative?"""
        return any(root in self.active for root in self.origins.roots(expr) if root is not None)


def find_activity(
    body: Block, parameters: Collection[Symbol], named: Collection[Symbol], origins: Origins
) -> Activity:
    """What is active in a kernel with these parameters, of which those `named` have shadows.

    Raises Refusal where derivatives flow through memory that is not named.
    """
    flows = _flows_in(body, origins)
    start: set[Symbol | None] = {*named, None}  # who knows where an unknown pointer leads
    varied = _reached(flows, start, forwards=True)
    useful = _reached(flows, start, forwards=False)
    active = {symbol for symbol in varied & useful if symbol is not None}
    active |= _named_with(active, origins)
    _refuse_bits(active, flows)
    _refuse_volatile(active, flows)
    outside = {symbol for symbol in active if _is_outside(symbol)} - set(named)
    for symbol in sorted(outside, key=lambda one: one.id):
        if symbol in parameters and not symbol.type.is_indirect:
            continue  # a copy of a constant; the kernel's own copy is a local
        raise _through_unnamed(symbol, flows)
    for flow in flows:
        own = sorted(active & origins.own & flow.target, key=lambda one: one.id)
        if own:
            message = f"derivatives flow through memory of '{own[0].name}', whose size is not known"
            raise Refusal(error("G2O0403", f"{message} in front of the loops around", flow.span))
        read = None in flow.sources and None in varied and bool(flow.target & useful)
        written = None in flow.target and None in useful and bool(flow.sources & varied)
        if read or written:
            message = "derivatives flow through a pointer of unknown origin"
            raise Refusal(error("G2O0403", message, flow.span, *_functions_with_memory(body)))
    return Activity(frozenset(active), origins)


def varied_by(body: Block, named: Collection[Symbol], origins: Origins) -> frozenset[Symbol | None]:
    """What may hold numbers that depend on those `named`, or on memory of unknown origin: None."""
    return frozenset(_reached(_flows_in(body, origins), {*named, None}, forwards=True))


def _functions_with_memory(body: Block) -> list[Note]:
    """What gives the program memory of which nothing is known."""
    found = [
        node
        for node in walk(body)
        if isinstance(node, Call)
        if node.type.kind is TypeKind.POINTER and not is_allocation(node)
        if node.name and node.span is not None
    ]
    for one in found[:1]:
        more = ": ask for all of it at once" if one.name == "realloc" else ""
        return [Note(f"nothing is known of the memory that '{one.name}' gives{more}", one.span)]
    return []


def reached_arrays(
    body: Block, named: Collection[Symbol], arrays: Collection[Symbol]
) -> set[Symbol]:
    """Those of a function's own arrays through which derivatives flow between what is `named`."""
    origins = find_origins(body)
    flows = _flows_in(body, origins)
    start: set[Symbol | None] = {*named, None}  # who knows where an unknown pointer leads
    both = _reached(flows, start, forwards=True) & _reached(flows, start, forwards=False)
    active = {symbol for symbol in both if symbol is not None}
    return (active | _named_with(active | {*named}, origins)) & {*arrays}


def _named_with(active: set[Symbol], origins: Origins) -> set[Symbol]:
    """Variables that a pointer or reference may lead to instead of active ones: shadows of pointers
    need shadows to lead to."""
    found: set[Symbol] = set()
    groups = [origins.resolve(pointer) for pointer in origins.of_pointer]
    while more := {
        symbol
        for group in groups
        if not group.isdisjoint(active | found)
        for symbol in group
        if symbol is not None and carries(symbol.type)
    } - (active | found):
        found |= more
    return found


def _flows_in(body: Block, origins: Origins) -> list[Flow]:
    flows: list[Flow] = []
    seen: SourceSpan | None = None  # where what a pass has made comes from
    for node in walk(body):
        seen = node.span or seen
        found = _flows(node, origins)
        if any(one.span is None for one in found):
            inside = next((one.span for one in walk(node) if one.span is not None), seen)
            found = [replace(one, span=one.span or inside) for one in found]
        flows.extend(found)
    return flows


def _refuse_bits(active: set[Symbol], flows: list[Flow]) -> None:
    """Refuse numbers whose bits go back into numbers: nothing is known of such a derivative."""
    lost = [
        flow
        for flow in flows
        if all(one in active for one in flow.target)
        and any(one in active for one in flow.sources)
        and any(is_bits(one) and one in active for one in flow.sources | flow.target)
    ]
    if not lost:
        return
    flow = min(lost, key=lambda one: (not one.call.startswith("atomic"), not one.call))
    what = f"'{flow.call}'" if flow.call else "an integer"
    message = f"the bits of values that carry derivatives go through {what}"
    raise Refusal(error("G2O0403", message, flow.span))


def _refuse_volatile(active: set[Symbol], flows: list[Flow]) -> None:
    """Threads that wait for each other through volatile memory have an order of their own."""
    for flow in flows:
        for symbol in sorted(flow.target & active, key=lambda one: one.id if one else 0):
            element = symbol.type.element if symbol is not None else None
            shared = symbol is not None and symbol.storage in _SHARED
            if symbol is not None and not shared and element is not None and element.is_volatile:
                message = f"values that carry derivatives go through volatile '{symbol.name}'"
                raise Refusal(error("G2O0403", message, flow.span))


def refuse_unseen_memory(
    body: Block, named: Collection[Symbol], unseen: Mapping[Symbol, str], *, whole: bool
) -> None:
    """Refuse results in memory without a shadow, for which what they depend on would get zeros, and
    results that depend on real numbers there, which nobody has said to be constant.

    `unseen` are parameters by what they are called; where the request is for the `whole` kernel,
    results in variables of the file are lost as well, and those of one of which nothing is named.
    """
    flows = _flows_in(body, find_origins(body))
    start: set[Symbol | None] = set(named if named or not whole else unseen)
    varied = _reached(flows, start, forwards=True)
    useful = _reached(flows, start, forwards=False)
    for flow in flows:
        lost = flow.target if flow.sources & varied else frozenset[Symbol | None]()
        missed = flow.reals if flow.target & useful else frozenset[Symbol | None]()
        for symbol in sorted(filter(None, lost | missed), key=lambda one: one.id):
            is_global = whole and symbol in lost and symbol.storage is Storage.GLOBAL
            if symbol in unseen or is_global:
                name = unseen.get(symbol, symbol.name)
                where = f"'{name}'" if is_global else f"memory behind '{name}'"
                verb = "go into" if symbol in lost else "depend on"
                message = f"results {verb} {where}, which has no shadow"
                raise Refusal(error("G2O0404", message, flow.span, *_HAND_OVER))


def _is_outside(symbol: Symbol) -> bool:
    return symbol.storage in (Storage.PARAMETER, Storage.GLOBAL)


def _through_unnamed(symbol: Symbol, flows: list[Flow]) -> Refusal:
    written = next((flow.span for flow in flows if symbol in flow.target), None)
    read = next((flow.span for flow in flows if symbol in flow.sources), None)
    message = f"derivatives flow through '{symbol.name}', which the request does not name"
    notes = [Note("read here", read)] if written is not None else []
    if symbol.storage is Storage.GLOBAL:
        notes.append(Note("variables of the device have no shadows: hand it over as a parameter"))
    return Refusal(error("G2O0404", message, written or read, *notes))


def _reached(flows: list[Flow], start: set[Symbol | None], *, forwards: bool) -> set[Symbol | None]:
    reached: set[Symbol | None] = set(start)
    changed = True
    while changed:
        changed = False
        for flow in flows:
            origin, goal = flow.sources, flow.target
            if not forwards:
                origin, goal = goal, origin
            if origin & reached and not goal <= reached:
                reached |= goal
                changed = True
    return reached


def _flows(node: Node, origins: Origins) -> list[Flow]:
    match node:
        case Assign(op=op, target=target) if op != "=" and _is_pointer(target):
            return []  # a step through memory moves no numbers
        case Assign(op=op, target=target, value=value):
            return _flow(target, [value, target] if op != "=" else [value], node.span, origins)
        case Declare(variables=variables):
            return [
                flow
                for variable in variables
                if variable.initial is not None
                and variable.symbol.type.kind not in (TypeKind.POINTER, TypeKind.REFERENCE)
                for flow in _flow(VarRef(variable.symbol), [variable.initial], node.span, origins)
            ]
        case Exchange(result=result, operands=operands):
            return _flow(VarRef(result), list(operands), node.span, origins)
        case Call(name=name, arguments=arguments) if arguments:
            if name in ("sincos", "sincosf", "__sincosf", "sincospi", "sincospif"):
                values = [arguments[0]]
                return [
                    flow
                    for result in arguments[1:]
                    for flow in _flow(behind(result), values, node.span, origins)
                ]
            if name.startswith("atomic"):
                values = list(arguments[1:])
                return _flow(behind(arguments[0]), values, node.span, origins, name)
            if name == ROUNDED:
                return _flow(arguments[0], list(arguments[1:]), node.span, origins)
            if is_tape_call(node):
                return _onto_tape(node, origins)
            return _through_call(node, origins)
        case Verbatim(pure=False) | Code(pure=False):
            return _through_unknown(node, origins)
        case _:
            return []


def _is_pointer(target: Expr) -> bool:
    return value_type(target).kind is TypeKind.POINTER


def _onto_tape(call: Call, origins: Origins) -> list[Flow]:
    """Numbers that an adjoint keeps; what it takes off the tape again names the tape."""
    tape = root_symbol(call.callee)
    element = None if tape is None else tape.type.element
    if tape is None or element is None or not carries(element):
        return []
    return _flow(VarRef(tape), list(call.arguments), call.span, origins)


def _through_unknown(node: Node, origins: Origins) -> list[Flow]:
    """What is not understood may carry any number inside to any other one, and out of objects of
    which nothing is known."""
    inside: set[Symbol | None] = set()
    for symbol in symbols_in(node):
        if _may_carry(symbol.type) and not symbol.name.startswith("__"):
            inside |= origins.roots(VarRef(symbol))
    return [Flow(frozenset(inside), frozenset(inside), node.span)] if len(inside) > 1 else []


def _may_carry(ctype: CType) -> bool:
    while ctype.is_indirect and ctype.element is not None:
        ctype = ctype.element
    opaque = ctype.kind is TypeKind.OTHER or (ctype.kind is TypeKind.RECORD and not ctype.fields)
    return opaque or carries(ctype)


def _through_call(call: Call, origins: Origins) -> list[Flow]:
    """A call may carry numbers from what it is given to whatever it can write."""
    found: list[Flow] = []
    if call.name in _STORING and value_type(call.arguments[0]).kind is TypeKind.RECORD:
        found.extend(_flow(call.arguments[0], list(call.arguments), call.span, origins))
    for argument in call.arguments:
        inner = strip_parens(argument)
        ctype = inner.type
        written = ctype.is_indirect and not (ctype.element is not None and ctype.element.is_const)
        if written and carries(ctype) and call.key:
            found.extend(_flow(behind(argument), list(call.arguments), call.span, origins))
    return found


def _flow(
    target: Expr, values: list[Expr], span: SourceSpan | None, origins: Origins, call: str = ""
) -> list[Flow]:
    goal = frozenset(origins.roots(target))
    sources: set[Symbol | None] = set()
    reals: set[Symbol | None] = set()
    what, seen = call, set[Symbol]()
    if is_integer(value_type(target)):
        if not is_view(target, origins):
            goal = frozenset(bits_of(root) for root in goal if root is not None)
        for value in values:
            for leaf in bit_sources(value, origins):
                sources |= _sources_of_bits(leaf, origins)
            what = what or _function_of_bits(value)
    else:
        for value in values:
            for leaf in numbers_in(value):
                roots = origins.roots(leaf)
                # What no pointer leads to and no variable holds is a value on its way.
                sources |= roots if goes_through_pointer(leaf) else roots - {None}
                reals |= roots if _holds_reals(leaf) else set()
                sources |= set(_integers_looked_at(leaf, roots))
            for leaf in _integers_in(value):
                found = _sources_of_bits(leaf, origins) - {None}
                seen |= {one for one in found if one is not None and not is_bits(one)}
                sources |= {one if one is None or is_bits(one) else bits_of(one) for one in found}
            for node in walk(value):
                if isinstance(node, Call) and node.name in FROM_BITS:
                    for argument in node.arguments:
                        for leaf in bit_sources(argument, origins):
                            sources |= _sources_of_bits(leaf, origins)
    if not sources:
        return []
    flow = Flow(goal, frozenset(sources), span, what, frozenset(reals))
    return [flow, *(Flow(frozenset({bits_of(one)}), frozenset({one}), span) for one in seen)]


def _integers_looked_at(leaf: Expr, roots: Collection[Symbol | None]) -> Iterator[Symbol]:
    """The integers of which the bits are a number: `*(double *)&bits`. An array of them is memory
    for whatever it is seen as."""
    for root in (*roots, root_symbol(leaf)):
        if root is not None and is_integer(root.type) and carries(value_type(leaf)):
            yield bits_of(root)


def _holds_reals(leaf: Expr) -> bool:
    """Is the lvalue, or the object whose member function it is, made of real numbers?"""
    if isinstance(leaf, Member) and leaf.type.kind is TypeKind.OTHER:
        ctype = value_type(leaf.base)
        return carries(ctype) or hides_reals(ctype)
    return carries(value_type(leaf))


def _sources_of_bits(leaf: Expr, origins: Origins) -> set[Symbol | None]:
    roots = origins.roots(leaf)
    if not is_integer(value_type(leaf)) or is_view(leaf, origins):
        return roots
    return {bits_of(root) for root in roots if root is not None}


def _function_of_bits(value: Expr) -> str:
    names = (n.name for n in walk(value) if isinstance(n, Call) and n.name in TO_BITS | FROM_BITS)
    return next(names, "")


def _integers_in(expr: Expr) -> list[Expr]:
    """The lvalues whose integers become real numbers in the value: no indices, no conditions."""
    match expr:
        case VarRef() | Index() | Member() | Unary(op="*"):
            return [expr] if is_integer(value_type(expr)) else []
        case Conditional(if_true=if_true, if_false=if_false):
            return _integers_in(if_true) + _integers_in(if_false)
        case Unary(op="&") | Binary(op="<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||"):
            return []
        case _:
            parts = [child for child in children(expr) if isinstance(child, Expr)]
            return [leaf for part in parts for leaf in _integers_in(part)]


def numbers_in(expr: Expr) -> list[Expr]:
    """The lvalues whose numbers may go into the value: no indices, no conditions."""
    match expr:
        case Member(base=base) | Index(base=base) if is_of_a_value(expr):
            return [] if is_integer(value_type(expr)) else numbers_in(base)
        case VarRef() | Index() | Member() | Unary(op="*"):
            return [] if is_integer(value_type(expr)) else [expr]
        case Literal() | LaunchRef():
            return []
        case Conditional(if_true=if_true, if_false=if_false):
            return numbers_in(if_true) + numbers_in(if_false)
        case Cast(operand=operand, type=ctype):
            return [] if is_integer(ctype) else numbers_in(operand)
        case Paren(inner=inner):
            return numbers_in(inner)
        case Unary(op="&", operand=operand):
            return [operand]
        case _:
            parts = [child for child in children(expr) if isinstance(child, Expr)]
            return [leaf for part in parts for leaf in numbers_in(part)]
