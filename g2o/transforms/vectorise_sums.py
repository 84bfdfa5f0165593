"""Loops that only add up, or look for an extreme, are vectorised.

    for (int j = 0; j < n; ++j) {                #pragma omp simd reduction(+ : sum_x)
        sum_x += f(j);                   ->      for (int j = 0; j < n; ++j) {
        sums_m[j] += g(j);                           ...

Legal where the iterations meet in nothing but sums that differentiation made: their order is free.
That of the source's own sums is where the user says so (`--associative-math`). Elements that are
added to have to be others in every iteration. A loop that counts down counts up then: compilers
make more of that.

Extremes are the same in any order, but for what is no number: `std::max(most, x)` leaves that
alone, as long as `most` starts with a number. It must not be infinite: OpenMP starts each lane with
the least number, which clang takes for the least one that is finite.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, final

from g2o.analysis.contribution_values import extreme_of
from g2o.analysis.effects import declared_in, root_symbol, statements_of
from g2o.analysis.positions import polynomial_of
from g2o.analysis.pure_functions import is_pure
from g2o.analysis.same_memory import SameMemory, same_memory
from g2o.ir.directives import SIMD, Directive, Reduction, sum_of
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    is_variable,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Exchange,
    ExprStatement,
    For,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.polyhedral.polynomial import ZERO, Polynomial

_LARGEST: Final = ("FLT_MAX", "__FLT_MAX__", "DBL_MAX", "__DBL_MAX__")
_LARGEST_FLOAT: Final = 3.4028234e38
_FLOAT: Final = 32  # bits
FEW_TURNS: Final = 16
"""Fewer than these compilers unroll."""
_MADE = ("sum_", "d_", "t_")
_VARIABLES = (Storage.LOCAL, Storage.SHARED)


def vectorise_sums(
    lowered: LoweredKernel, first_made: int, may_vectorise: Callable[[Node], bool]
) -> LoweredKernel:
    """Put `omp simd` on loops of an adjoint. Symbols from the id `first_made` on are not the
    primal's. Unchanged kernels are returned as they are."""
    vectoriser = _Vectoriser(first_made, may_vectorise, same_memory(lowered.body))
    body = vectoriser.sequence(lowered.body)
    same = len(body) == len(lowered.body) and all(
        one is old for one, old in zip(body, lowered.body, strict=True)
    )
    return lowered if same else replace(lowered, body=body)


def vectorise_reductions(
    lowered: LoweredKernel, may_vectorise: Callable[[Node], bool], *, associative: bool
) -> LoweredKernel:
    """Put `omp simd` on loops that look for extremes, and that add up numbers of the source where
    these may be added up in any order (`associative`)."""
    numbers = _started_with_numbers(lowered.body)
    memory = same_memory(lowered.body)
    windows = _windows(lowered.body)
    vectoriser = _Vectoriser(None, may_vectorise, memory, numbers, windows, associative)
    return replace(lowered, body=vectoriser.sequence(lowered.body))


def free_sums(
    body: Sequence[Stmt], first_made: int, may_vectorise: Callable[[Node], bool]
) -> Callable[[For], Directive | None]:
    """The directive with which a loop can be vectorised that does nothing but to add to sums that
    differentiation made; None for others."""
    vectoriser = _Vectoriser(first_made, may_vectorise, same_memory(body))

    def directive(loop: For) -> Directive | None:
        found = vectoriser.reduced(loop, _index(loop))
        return None if found is None else found.directive()

    return directive


def loops_that_add_up(
    body: Block, may_vectorise: Callable[[Node], bool]
) -> Iterator[tuple[For, tuple[Symbol, ...]]]:
    """The loops of a function that do nothing else, and their sums."""
    vectoriser = _Vectoriser(None, may_vectorise, same_memory((body,)))
    for node in walk(body):
        found = vectoriser.reduced(node, _index(node)) if isinstance(node, For) else None
        if found is not None and found.sums and isinstance(node, For):
            yield node, tuple(found.sums)


@final
@dataclass(slots=True)
class _Reduced:
    """What a loop makes of its iterations: sums, and extremes, `max` or `min`."""

    sums: list[Symbol] = field(default_factory=list[Symbol])
    extremes: dict[Symbol, str] = field(default_factory=dict[Symbol, str])

    def directive(self) -> Directive:
        found = SIMD.reducing(sum_of(self.sums))
        for kind in ("max", "min"):
            own = tuple(symbol for symbol, one in self.extremes.items() if one == kind)
            if own:
                found = found.reducing((Reduction(kind, own, ("",) * len(own)),))
        return found


@final
@dataclass(frozen=True, slots=True)
class _Vectoriser:
    first_made: int | None  # None: the order of all sums is free
    may_vectorise: Callable[[Node], bool]
    memory: SameMemory
    numbers: frozenset[Symbol] = frozenset()  # variables that extremes may be looked for in
    windows: frozenset[Symbol] = frozenset()  # extremes that are not worth it
    associative: bool = True

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        result: list[Stmt] = []
        for statement in statements:
            match statement:
                case For() | CountedLoop() if (depth := _collapsed(statement)) > 1:
                    result.append(self._below(statement, depth))
                    continue
                case For():
                    found = self.reduced(statement, _index(statement))
                    if found is not None:
                        own = found.directive()
                        loop = replace(_counting_up(statement), directive=own, form=Form.BUILT)
                        result.append(loop)
                        continue
                case CountedLoop(index=index) if not statement.directive:
                    found = self.reduced(statement, index)
                    if found is not None:
                        result.append(replace(statement, directive=found.directive()))
                        continue
                case _:
                    pass
            result.append(rewrite(statement, self._inside))
        return tuple(result)

    def _inside(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                new = self.sequence(statements)
                same = len(new) == len(statements) and all(
                    one is old for one, old in zip(new, statements, strict=True)
                )
                return node if same else replace(node, statements=new, form=Form.BUILT)
            case CountedLoop(directive=directive) if directive.is_simd:
                return node
            case For() | CountedLoop() if (depth := _collapsed(node)) > 1:
                return self._below(node, depth)
            case _:
                return None

    def _below(self, loop: For | CountedLoop, depth: int) -> For | CountedLoop:
        """Loops that are shared out together, with what stands inside of all of them."""
        match statements_of(loop.body):
            case ((For() | CountedLoop()) as inner,) if depth > 1:
                body: Stmt = Block((self._below(inner, depth - 1),))
                same = body.statements[0] is inner
            case _:
                body = rewrite(loop.body, self._inside)
                same = body is loop.body
        return loop if same else replace(loop, body=body)

    def reduced(self, loop: For | CountedLoop, index: Symbol | None) -> _Reduced | None:
        """What the loop adds up or looks for; None where it is not fit."""
        if index is None or not self.may_vectorise(loop.body) or _collects(loop.body):
            return None
        inside = declared_in(loop.body)
        result = _Reduced()
        arrays: set[Symbol] = set()
        targets: list[Expr] = []
        steps = list(_steps(loop.body))
        extremes = _extremes(loop.body)
        own_places = self._own_places(loop, index)
        for node in walk(loop.body):
            match node:
                case Assign(op="=", target=target) if id(node) in extremes:
                    symbol, kind = extremes[id(node)]
                    is_step = any(node is step for step in steps)
                    if symbol not in self.numbers or symbol in inside or not is_step:
                        return None
                    if result.extremes.setdefault(symbol, kind) != kind:
                        return None
                    targets.append(target)
                case Assign(op=op, target=target):
                    root = root_symbol(target)
                    if any(target is place for place in own_places):
                        continue
                    if root is None or op not in ("+=", "-="):
                        return None
                    if root in inside:
                        continue
                    if not any(node is step for step in steps):
                        return None  # what is summed up so far counts
                    targets.append(target)
                    if isinstance(strip_parens(target), VarRef):
                        if not self._is_made(root):
                            return None
                        if root not in result.sums:
                            result.sums.append(root)
                    elif self._is_new(root) and _is_own_element(target, index, inside):
                        arrays.add(root)
                    else:
                        return None
                case Call(name=name) if name.startswith("atomic"):
                    return None
                case _:
                    pass
        if not targets or (result.extremes and _is_short(loop)):
            return None
        if not self.windows.isdisjoint(result.extremes) and _turns(loop) is None:
            return None
        for symbol in (*result.sums, *result.extremes, *arrays):
            mentions = sum(isinstance(n, VarRef) and n.symbol == symbol for n in walk(loop))
            own = sum(root_symbol(target) == symbol for target in targets)
            own += own if symbol in result.extremes else 0  # read, and given
            if mentions != own or self.memory.names_beside(symbol, loop):
                return None
        for symbol in arrays:
            own_targets = [target for target in targets if root_symbol(target) == symbol]
            if len({_element(target) for target in own_targets}) > 1:
                return None  # one iteration's may be another's
        return result

    def _own_places(self, loop: For | CountedLoop, index: Symbol) -> list[Expr]:
        """What threads of one interval store to, each in elements of its own: they see nothing of
        each other, but in what they add up."""
        if self.first_made is not None or index.storage is not Storage.INDEX:
            return []
        inside, known = declared_in(loop.body), _declared_numbers(loop.body)
        targets = [node.target for node in walk(loop.body) if isinstance(node, Assign)]
        places = [one for one in targets if _is_own_element(one, index, inside, known)]
        named = [one for one in walk(loop.body) if isinstance(one, Index)]
        return [one for one in places if _is_alone(one, named)]

    def _is_made(self, symbol: Symbol) -> bool:
        if symbol.storage not in _VARIABLES or symbol.type.kind is not TypeKind.FLOATING:
            return False
        if self.first_made is None:
            return self.associative and not symbol.type.is_volatile
        return self._is_new(symbol) and symbol.name.startswith(_MADE)

    def _is_new(self, symbol: Symbol) -> bool:
        return self.first_made is not None and symbol.id > self.first_made


def _collapsed(loop: For | CountedLoop) -> int:
    """How many loops are shared out together, this one and those right inside of it."""
    shared = loop.shared if isinstance(loop, For) else None
    return (loop.directive if shared is None else shared.directive).collapse


def _is_alone(place: Expr, named: Sequence[Index]) -> bool:
    """Is no other element of its array named?"""
    inner = strip_parens(place)
    inner = strip_parens(inner.base) if isinstance(inner, Member) else inner
    root = root_symbol(inner)
    return all(one == inner for one in named if root_symbol(one) == root)


def _is_own_element(
    target: Expr,
    index: Symbol,
    inside: set[Symbol],
    known: Mapping[Symbol, Polynomial] = MappingProxyType({}),
) -> bool:
    """Is it another element in every iteration? `known` are numbers that are declared in it."""
    inner = strip_parens(target)
    if isinstance(inner, Member) and not inner.arrow:
        inner = strip_parens(inner.base)
    if not isinstance(inner, Index) or not isinstance(inner.base, VarRef):
        return False
    position = polynomial_of(inner.index, dict(known))
    if position is None or inner.base.symbol in inside:
        return False
    parts = position.by_monomial_in((index.name,))
    if position.names & {symbol.name for symbol in inside} or set(parts) - {(), (index.name,)}:
        return False
    return parts.get((index.name,), ZERO).value not in (None, 0)


def _collects(body: Stmt) -> bool:
    """Are elements read whose numbers are read themselves? Vectors of these are collected one by
    one, which is not worth it in rows of a few."""
    return any(
        isinstance(node, Index) and any(isinstance(inner, Index) for inner in walk(node.index))
        for node in walk(body)
    )


def _declared_numbers(body: Stmt) -> dict[Symbol, Polynomial]:
    """The numbers of an iteration that are sums of others."""
    known: dict[Symbol, Polynomial] = {}
    changed = {
        root_symbol(node.target if isinstance(node, Assign) else node.operand)
        for node in walk(body)
        if isinstance(node, Assign) or (isinstance(node, Unary) and node.op in ("++", "--", "&"))
    }
    for one in statements_of(body):
        for variable in one.variables if isinstance(one, Declare) else ():
            symbol, initial = variable.symbol, variable.initial
            if initial is None or symbol in changed or symbol.type.kind is not TypeKind.INTEGER:
                continue
            value = polynomial_of(initial, known) if symbol.type.is_signed else None
            if value is not None:
                known[symbol] = value
    return known


def _extremes(body: Node) -> dict[int, tuple[Symbol, str]]:
    """The assignments, by identity, that leave a variable the greater or lesser of itself and of
    something else: not where a comparison is in another type."""
    found: dict[int, tuple[Symbol, str]] = {}
    for node in walk(body):
        match node:
            case Assign(
                op="=",
                target=VarRef(symbol=symbol),
                value=Code(parts=("std::max(" | "std::min(" as name, VarRef(symbol=first), *_)),
            ) if symbol is first:
                found[id(node)] = symbol, name[5:8]
            case Assign(
                op="=", target=VarRef(symbol=symbol), value=Call(arguments=(left, right)) as call
            ) if is_variable(left, symbol) or is_variable(right, symbol):
                kind = extreme_of(call)
                if kind is not None:
                    found[id(node)] = symbol, kind
            case _:
                pass
    return found


def _started_with_numbers(body: Sequence[Stmt]) -> frozenset[Symbol]:
    """The variables of numbers that are never given anything but constants and extremes: what they
    hold is a number, whatever they meet."""
    started: set[Symbol] = set()
    changed: set[Symbol] = set()
    whole = Block(tuple(body))
    extremes = _extremes(whole)
    for node in walk(whole):
        match node:
            case Declare(variables=variables):
                started |= {one.symbol for one in variables if _is_started(one)}
            case Assign(target=target, value=value):
                symbol = root_symbol(target)
                is_given = node.op == "=" and _is_constant(value, target.type)
                is_kept = id(node) in extremes or is_given
                if symbol is not None and not is_kept:
                    changed.add(symbol)
            case Unary(op="++" | "--" | "&", operand=operand):
                symbol = root_symbol(operand)
                if symbol is not None:
                    changed.add(symbol)
            case Call(arguments=arguments) if not is_pure(node):
                changed |= {one.symbol for one in arguments if isinstance(one, VarRef)}
            case Exchange(result=symbol):
                changed.add(symbol)
            case _:
                pass
    return frozenset(started - changed)


def _is_started(variable: Variable) -> bool:
    symbol, initial = variable.symbol, variable.initial
    plain = symbol.storage in _VARIABLES and not symbol.type.is_volatile and not variable.suffix
    is_number = symbol.type.kind in (TypeKind.INTEGER, TypeKind.FLOATING)
    return plain and is_number and initial is not None and _is_constant(initial, symbol.type)


def _is_constant(value: Expr, ctype: CType) -> bool:
    """Is it written with a number alone, which is not infinite in that type?"""
    return all(
        isinstance(node, (Paren, Cast))
        or (isinstance(node, Literal) and _is_finite(node, ctype))
        or (isinstance(node, Unary) and node.op in ("-", "+"))
        for node in walk(value)
    )


def _is_finite(literal: Literal, ctype: CType) -> bool:
    is_wide = ctype.kind is TypeKind.INTEGER or ctype.bits > _FLOAT
    if literal.value is not None or literal.text in _LARGEST[: 2 * (1 + is_wide)]:
        return True
    try:
        number = abs(float(literal.text.rstrip("fFlL")))
    except ValueError:
        return False
    is_wide = is_wide and literal.text[-1] not in "fF"
    return number <= (sys.float_info.max if is_wide else _LARGEST_FLOAT)


def _is_short(loop: For | CountedLoop) -> bool:
    """Does it have few iterations in any case, which compilers unroll?"""
    known = _turns(loop)
    return known is not None and known < FEW_TURNS


def _turns(loop: For | CountedLoop) -> int | None:
    return integer_value(loop.upper) if isinstance(loop, CountedLoop) else turns_of(loop)


def _windows(body: Sequence[Stmt]) -> frozenset[Symbol]:
    """The extremes that two loops of a thread's own look for, the one inside of the other: among
    few numbers, mostly, such as those around an element."""
    return frozenset(
        symbol
        for statement in body
        for outer in walk(statement)
        if isinstance(outer, For)
        for inner in walk(outer.body)
        if isinstance(inner, For)
        for symbol, _ in _extremes(inner.body).values()
        if symbol not in declared_in(outer.body)
    )


def turns_of(loop: For) -> int | None:
    """How many turns a loop from one constant to another has."""
    match loop:
        case For(initial=Declare(variables=(variable,)), condition=Binary(right=end)):
            first = None if variable.initial is None else integer_value(variable.initial)
            last = integer_value(end)
            return None if first is None or last is None else abs(last - first)
        case _:
            return None


def _steps(body: Stmt) -> Iterator[Expr]:
    """The expressions whose values nobody asks for."""
    waiting = [node.expr for node in walk(body) if isinstance(node, ExprStatement)]
    while waiting:
        expr = strip_parens(waiting.pop())
        if isinstance(expr, Binary) and expr.op == ",":
            waiting += (expr.left, expr.right)
        else:
            yield expr


def _element(target: Expr) -> Expr:
    """The element that a target is, or is a member of."""
    inner = strip_parens(target)
    return strip_parens(inner.base) if isinstance(inner, Member) else inner


def _counting_up(loop: For) -> For:
    """`for (int k = n - 1; k >= 0; --k)` as `for (int k = 0; k < n; ++k)`. The body changes
    neither bound: it only adds to sums. The bounds are compared as the numbers they are."""
    match loop:
        case For(
            initial=Declare(variables=(Variable(initial=last) as variable,)) as declared,
            condition=Binary(op=">=", left=left, right=first) as condition,
            increment=Unary(op="--") as step,
        ) if last is not None:
            inner = strip_parens(last)
            match inner:
                case Binary(op="-", left=end, right=Literal(text="1")):
                    op = "<"
                case _:
                    op, end = "<=", inner
            if not all(_is_held(bound.type, variable.symbol.type) for bound in (end, first)):
                return loop
            begun = replace(variable, initial=first, span=None)
            start = replace(declared, variables=(begun,), form=Form.BUILT, span=None)
            return replace(
                loop,
                initial=start,
                condition=Binary(op, left, end, condition.type),
                increment=replace(step, op="++", span=None, form=Form.BUILT),
                form=Form.BUILT,
            )
        case _:
            return loop


def _is_held(bound: CType, index: CType) -> bool:
    """Does the type of the index hold all numbers of the bound's, below zero as well?"""
    numbers = all(one.kind is TypeKind.INTEGER and one.is_signed for one in (bound, index))
    return numbers and bound.bits <= index.bits


def _index(loop: For) -> Symbol | None:
    """The index of a loop that OpenMP can count."""
    match loop:
        case For(
            initial=Declare(variables=(Variable(symbol=index),)),
            condition=Binary(op="<" | "<=" | ">" | ">=", left=left),
            increment=Unary(op="++" | "--", operand=operand),
        ) if is_variable(left, index) and is_variable(operand, index):
            return index if index.type.kind is TypeKind.INTEGER else None
        case _:
            return None
