"""Reductions over a warp of which only the first lane is used.

    for (int offset = 16; offset > 0; offset /= 2) {       for (int offset = 16; offset > 0;
        for lane                                                offset /= 2)
            other[lane] = sum[lane + offset or lane];   ->      for (lane < offset)
        for lane                                                    sum[lane] += sum[lane + offset];
            sum[lane] += other[lane];
    }
    y[row] = sum[0];                                       y[row] = sum[0];

So are the five steps of a loop that the source has unrolled. Legal because the offsets halve from
at most half a warp, or half of the lanes that share values: the lanes below one offset read only
lanes below twice that, which the turn before has computed, and no lane reads what another one
writes in the same turn. What the other lanes compute is seen by nobody: behind the loop stands only
the element of lane 0.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Code,
    Expr,
    Index,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    LocalFunction,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, rewrite, walk, with_children
from g2o.ir.types import INT, TypeKind
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise

HALF_WARP = 16  # lanes


def shorten_trees(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Leave out what only other lanes than the first would see."""
    return _sequence(statements, frozenset(), ())


def _sequence(
    statements: tuple[Stmt, ...], known: frozenset[Symbol], behind: tuple[Stmt, ...]
) -> tuple[Stmt, ...]:
    """`known` is declared around the statements and `behind` runs after them, both in the loop
    around them that is the nearest."""
    result: list[Stmt] = []
    declared = known | _declared_here(statements)
    position = 0
    while position < len(statements):
        statement, rest = statements[position], (*statements[position + 1 :], *behind)
        tree = _tree(statement, declared, rest) if isinstance(statement, For) else None
        chain = _chain(statements[position:], declared, behind)
        if chain is not None:
            result += chain
            position += 2 * len(chain)
            continue
        result.append(tree if tree is not None else _inside(statement, declared, rest))
        position += 1
    if len(result) != len(statements):
        return tuple(result)
    same = all(new is old for new, old in zip(result, statements, strict=True))
    return statements if same else tuple(result)


def _inside(statement: Stmt, known: frozenset[Symbol], behind: tuple[Stmt, ...]) -> Stmt:
    match statement:
        case Block():
            inner = _sequence(statement.statements, known, behind)
            same = inner is statement.statements
            return statement if same else replace(statement, statements=inner)
        case For() | While() | DoWhile() | CountedLoop() | LocalFunction():
            known, behind = frozenset(), ()  # only what is declared inside is looked at
        case If():
            pass
        case _:
            return statement
    old = children(statement)
    new = tuple(
        _inside(child, known, behind) if isinstance(child, Stmt) else child for child in old
    )
    same = all(after is before for after, before in zip(new, old, strict=True))
    return statement if same else with_children(statement, new)


def _declared_here(statements: tuple[Stmt, ...]) -> set[Symbol]:
    found: set[Symbol] = set()
    for statement in statements:
        if isinstance(statement, Declare):
            found |= declared_in(statement)
    return found


def only_first_used(array: Symbol, statements: tuple[Stmt, ...]) -> bool:
    """Do the statements name no element of `array` but the first?"""
    firsts: set[int] = set()
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, Index) and node.base == VarRef(array):
                if integer_value(node.index) != 0:
                    return False
                firsts.add(id(node.base))
            if isinstance(node, VarRef) and node.symbol == array and id(node) not in firsts:
                return False
    return True


@final
@dataclass(frozen=True, slots=True)
class _Step:
    """`combine` takes the element of the lane and `other`, what it got from `distance` lanes on;
    `width` lanes share values, None for a whole warp."""

    array: Symbol
    other: Symbol
    distance: Expr
    width: Expr | None
    lanes: CountedLoop
    combine: Assign

    def is_unseen(self, rest: tuple[Stmt, ...]) -> bool:
        """Does nobody ask for what the lanes got?"""
        return not any(self.other in symbols_in(statement) for statement in rest)

    def shortened(self) -> CountedLoop:
        far = Binary("+", VarRef(self.lanes.index), self.distance, INT)

        def replacement(node: Node) -> Node | None:
            if isinstance(node, Index) and node.base == VarRef(self.other):
                return Index(VarRef(self.array), far, node.type)
            return None

        body = block_of((ExprStatement(rewrite(self.combine, replacement)),))
        pragma = "omp simd" if may_vectorise(body) else ""
        return replace(self.lanes, upper=lanes_below(self.distance), body=body, pragma=pragma)


def lanes_below(distance: Expr) -> Expr:
    """How many lanes there are below one at that distance from the first."""
    if distance.type.is_signed:
        return distance
    return Code(("int(", distance, ")"), type=INT)


def _tree(loop: For, known: Set[Symbol], rest: tuple[Stmt, ...]) -> Stmt | None:
    """`loop` with the lanes that matter, if it is such a reduction."""
    halves = halving(loop)
    match turn_of(loop):
        case (_, (fetch, lanes)) if halves is not None:
            step = _step(fetch, lanes)
        case _:
            return None
    if step is None or strip_parens(step.distance) != VarRef(halves.offset):
        return None
    if not halves.is_at_most_half(step.width):
        return None
    if step.array not in known or not step.is_unseen(rest):
        return None
    if not only_first_used(step.array, rest):
        return None
    return replace(loop, body=block_of((step.shortened(),)), form=loop.form.BUILT)


def turn_of(loop: For) -> tuple[frozenset[Symbol], tuple[Stmt, ...]]:
    """The variables that each turn declares first, without values, and what it does."""
    statements = statements_of(loop.body)
    own: set[Symbol] = set()
    for statement in statements:
        match statement:
            case Declare(variables=(Variable(symbol=symbol, initial=None),)):
                own.add(symbol)
            case _:
                break
    return frozenset(own), statements[len(own) :]


def _chain(
    statements: tuple[Stmt, ...], known: Set[Symbol], behind: tuple[Stmt, ...]
) -> list[Stmt] | None:
    """The same for the steps one after the other that `statements` begin with."""
    steps: list[_Step] = []
    distance = 0
    for fetch, lanes in zip(statements[::2], statements[1::2], strict=False):
        step = _step(fetch, lanes)
        value = None if step is None else integer_value(step.distance)
        if step is None or value is None or (steps and step.array != steps[0].array):
            return None
        if steps and (value != distance // 2 or step.width != steps[0].width):
            return None
        if not steps and not is_at_most_half(step.distance, step.width):
            return None
        steps.append(step)
        distance = value
        if value == 1:
            break
    rest = (*statements[2 * len(steps) :], *behind)
    if distance != 1 or steps[0].array not in known or not only_first_used(steps[0].array, rest):
        return None
    if not all(step.is_unseen(rest) for step in steps):
        return None
    return [step.shortened() for step in steps]


def _step(fetch: Stmt, lanes: Stmt) -> _Step | None:
    if not isinstance(fetch, CountedLoop) or not isinstance(lanes, CountedLoop):
        return None
    first, second = _assignment(fetch), _assignment(lanes)
    if first is None or second is None or first.op != "=":
        return None
    other, array = _element(first.target, fetch.index), _element(second.target, lanes.index)
    match strip_parens(first.value):
        case Index(base=VarRef(symbol=source), index=Code() as index):
            asked = lane_asked(index, "g2o::shfl_down_lane(", fetch.index)
        case _:
            return None
    if source != array or asked is None:
        return None
    if other is None or array is None or other == array or integer_value(lanes.lower) != 0:
        return None
    for node in walk(second):
        if isinstance(node, Index) and symbols_in(node.base) & {array, other}:
            if strip_parens(node.index) != VarRef(lanes.index):
                return None
    if lanes.index in symbols_in(second.value) - {array, other} and not _only_elements(
        second.value, lanes.index, {array, other}
    ):
        return None
    return _Step(array, other, *asked, lanes, second)


def _only_elements(value: Expr, lane: Symbol, arrays: set[Symbol]) -> bool:
    """Does the lane appear only as the index of the arrays?"""
    uses = sum(isinstance(node, VarRef) and node.symbol == lane for node in walk(value))
    elements = sum(
        isinstance(node, Index) and bool(symbols_in(node.base) & arrays) for node in walk(value)
    )
    return uses == elements


def _assignment(loop: CountedLoop) -> Assign | None:
    match statements_of(loop.body):
        case (ExprStatement(expr=Assign() as assign),):
            return assign
        case _:
            return None


def _element(target: Expr, lane: Symbol) -> Symbol | None:
    match strip_parens(target):
        case Index(base=VarRef(symbol=symbol), index=VarRef(symbol=index)) if index == lane:
            return symbol
        case _:
            return None


def lane_asked(index: Expr, operation: str, lane: Symbol) -> tuple[Expr, Expr | None] | None:
    """Which lane `lane` asks by `operation`: the operand, and how many lanes share values."""
    match index:
        case Code(parts=(name, VarRef(symbol=own), ", ", operand, *rest)) if not isinstance(
            operand, str
        ):
            pass
        case _:
            return None
    if name != operation or own != lane:
        return None
    match rest:
        case [")"]:
            return operand, None
        case [", ", width, ")"] if not isinstance(width, str):
            return operand, width
        case _:
            return None


@final
@dataclass(frozen=True, slots=True)
class Halving:
    """`offset` halves from `start` down to 1."""

    offset: Symbol
    start: Expr

    def is_at_most_half(self, width: Expr | None) -> bool:
        return is_at_most_half(self.start, width)

    def is_half(self, width: Expr | None) -> bool:
        """Does it begin with half of `width` lanes, or of a warp?"""
        start, lanes = _lanes(self.start), 2 * HALF_WARP if width is None else _lanes(width)
        if start is None or lanes is None:
            return width is not None and _is_half_of(self.start, width)
        return 2 * start == lanes


def is_at_most_half(start: Expr, width: Expr | None) -> bool:
    """Is it 1 to half of `width` lanes, or of a warp? A width is a power of two."""
    value, lanes = _lanes(start), 2 * HALF_WARP if width is None else _lanes(width)
    if value is None or lanes is None:
        return width is not None and _is_half_of(start, width)
    return 1 <= value <= lanes // 2


def _is_half_of(start: Expr, width: Expr) -> bool:
    match strip_parens(start):
        case Binary(op="/" | ">>" as op, left=left, right=right):
            return strip_parens(left) == width and integer_value(right) == (2 if op == "/" else 1)
        case _:
            return False


def halving(loop: For) -> Halving | None:
    """The variable that halves until nothing is left, and where it begins."""
    match loop:
        case For(
            initial=Declare(variables=(variable,)),
            condition=condition,
            increment=Assign(op="/=" | ">>=" as op, target=target, value=value),
        ) if variable.initial is not None:
            pass
        case _:
            return None
    named = VarRef(variable.symbol)
    if integer_value(value) != (2 if op == "/=" else 1):
        return None
    if condition is None or not _is_left(condition, named) or strip_parens(target) != named:
        return None
    ctype = variable.symbol.type
    is_plain = ctype.kind is TypeKind.INTEGER and ctype.bits == INT.bits
    return Halving(variable.symbol, variable.initial) if is_plain else None


def _lanes(expr: Expr) -> int | None:
    """A constant, which may be told in warps."""
    match strip_parens(expr):
        case Code(parts=("g2o::warp_size",)):
            return 2 * HALF_WARP
        case Binary(op="/", left=left, right=right):
            whole, part = _lanes(left), _lanes(right)
            return whole // part if whole is not None and part else integer_value(expr)
        case _:
            return integer_value(expr)


def _is_left(condition: Expr, named: VarRef) -> bool:
    """Is it `offset > 0` for a number that is not negative, in one of the ways to write that?"""
    match strip_parens(condition):
        case Binary(op=">" | "!=", left=left, right=right) if integer_value(right) == 0:
            return strip_parens(left) == named
        case Binary(op=">=", left=left, right=right) if integer_value(right) == 1:
            return strip_parens(left) == named
        case bare:
            return bare == named
