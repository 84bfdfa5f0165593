"""The most that an array from the heap takes at any time, in front of the loops that allocate it.

    for (int l = 0; l < levels; ++l) {         size_t most = 0;
        const int size = sizes[l];             for (int l = 0; l < levels; ++l)
        double *r = malloc(size * 8);    ->        if (sizes[l] * 8 > most)
        ...                                            most = sizes[l] * 8;

Legal where the heads of the loops, and the size, are made of what stays as it is in front of them
all: of counters, of variables that nothing changes, and of whole numbers in memory to which nothing
is stored there. What memory holds is only looked at in iterations that there are, of loops that
nothing leaves early, and behind the conditions around.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.allocations import ALLOCATING
from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind

_SIZE: Final = CType("size_t", TypeKind.INTEGER, 64, is_signed=False)
_FROM_HEAP: Final = (*ALLOCATING, "free")
_Known = Callable[[Expr, frozenset[Symbol]], Expr | None]
"""An expression in terms of what stays as it is and of these counters; None where it is none."""


@final
@dataclass(frozen=True, slots=True)
class Branch:
    """What is only run where a condition holds, or where it does not."""

    condition: Expr
    holds: bool


@final
@dataclass(frozen=True, slots=True)
class Around:
    """The loops and branches around a statement, from the outermost on; `alone`: there is nothing
    else, and no loop is left early."""

    steps: tuple[For | Branch, ...] = ()
    alone: bool = True


def loops_around(statement: Stmt) -> dict[int, Around]:
    """The loops of a statement around the declarations in it, by their identity."""
    return dict(_around(statement, Around()))


def _around(node: Node, around: Around) -> Iterator[tuple[int, Around]]:
    if isinstance(node, Declare):
        yield id(node), around
    inner = around
    match node:
        case For(body=body) if node.shared is None:
            leaves = any(isinstance(one, Jump | Return) for one in walk(body))
            yield from _around(body, Around((*around.steps, node), around.alone and not leaves))
            return
        case If(condition=condition, then=then, otherwise=otherwise):
            for part, holds in ((then, True), (otherwise, False)):
                if part is not None:
                    steps = (*around.steps, Branch(condition, holds))
                    yield from _around(part, replace(around, steps=steps))
            return
        case Block():
            pass
        case _:
            inner = replace(around, alone=False)
    for one in children(node):
        yield from _around(one, inner)


def most_bytes(
    size: Expr, around: Around, known: _Known, symbols: SymbolTable
) -> tuple[list[Stmt], Symbol] | None:
    """Statements that set a new variable to the most that `size` is in the loops around it; None
    where that is not known in front of these."""
    counters: list[Symbol] = []
    heads: list[For | If] = []
    alone = around.alone
    for step in around.steps:
        if isinstance(step, Branch):
            held = known(step.condition, frozenset(counters))
            alone = alone and held is not None
            if held is not None:
                heads.append(If(held if step.holds else _not(held), Block(()), None))
            continue
        head = _head(step, known, counters)
        if head is None:
            return None
        heads.append(head)
    whole = known(size, frozenset(counters))
    if whole is None or not (alone or not any(map(_reads_memory, (whole, *heads)))):
        return None
    most = symbols.fresh("most", _SIZE, Storage.LOCAL)
    made = _in_all(heads, ExprStatement(Assign("=", VarRef(most), whole, _SIZE)))
    if any(isinstance(node, For) for node in walk(made)):
        made = _in_all(heads, _greater(whole, most, symbols))
    new = {one: symbols.fresh(one.name, one.type, Storage.LOCAL) for one in counters}
    start = Declare((Variable(most, "size_t", "", Literal("0", 0, INT), "="),))
    return [start, rename_symbols(made, new)], most


def _greater(size: Expr, most: Symbol, symbols: SymbolTable) -> Stmt:
    """What keeps the greater one of both, as far as memory can have that size."""
    own = symbols.fresh("bytes", _SIZE, Storage.LOCAL)
    declared = Declare((Variable(own, "const size_t", "", size, "="),))
    more = Binary(">", VarRef(own), VarRef(most), BOOL)
    sane = Binary("<=", VarRef(own), Code(("PTRDIFF_MAX",), type=_SIZE), BOOL)
    stored = ExprStatement(Assign("=", VarRef(most), VarRef(own), _SIZE))
    return Block((declared, If(Binary("&&", more, sane, BOOL), stored, None)))


def _head(loop: For, known: _Known, counters: list[Symbol]) -> For | None:
    """The loop with nothing in it, in terms of what is known; its counter is one of `counters`
    then. None where it is not known."""
    variable = _counter(loop)
    if variable is None or loop.condition is None or loop.increment is None:
        return None
    first = None if variable.initial is None else known(variable.initial, frozenset(counters))
    counters.append(variable.symbol)
    seen = frozenset(counters)
    condition, step = known(loop.condition, seen), _step(loop.increment, known, seen)
    if first is None or condition is None or step is None:
        return None
    return For(Declare((replace(variable, initial=first),)), condition, step, Block(()))


def _in_all(heads: list[For | If], made: Stmt) -> Stmt:
    for head in reversed(heads):
        made = _inside(head, made)
    return made


def _inside(head: For | If, made: Stmt) -> Stmt:
    """What is done in a loop or a branch: once, where it is the same in all iterations."""
    if isinstance(head, If):
        return replace(head, then=made)
    assert isinstance(head.initial, Declare)
    assert head.condition is not None
    (variable,) = head.initial.variables
    if variable.symbol in symbols_in(made) or variable.initial is None:
        return replace(head, body=made)
    first = variable.initial
    first = first if isinstance(first, Literal) else Paren(first, first.type)
    begins = rewrite(head.condition, lambda n: first if n == VarRef(variable.symbol) else None)
    return If(begins, made, None)


def _not(condition: Expr) -> Expr:
    return Unary("!", Paren(condition, condition.type), type=BOOL)


def _counter(loop: For) -> Variable | None:
    """What counts the iterations, and nothing in them changes."""
    match loop.initial:
        case Declare(variables=(variable,)) if variable.symbol.type.kind is TypeKind.INTEGER:
            changed = {one for node in walk(loop.body) for one in _changed(node)}
            return None if variable.symbol in changed else variable
        case _:
            return None


def _step(expr: Expr, known: _Known, counters: frozenset[Symbol]) -> Expr | None:
    match strip_parens(expr):
        case Unary(op="++" | "--", operand=VarRef()) as step:
            return step
        case Assign(target=VarRef(), value=value) as step:
            made = known(value, counters)
            return None if made is None else replace(step, value=made)
        case _:
            return None


def _reads_memory(node: Node) -> bool:
    return any(
        isinstance(one, Index)
        or (isinstance(one, Unary) and one.op == "*")
        or (isinstance(one, Member) and one.arrow)
        for one in walk(node)
    )


def _changed(node: Node) -> Iterator[Symbol]:
    match node:
        case Assign(target=place) | Unary(op="++" | "--" | "&", operand=place):
            inner = strip_parens(place)
            if isinstance(inner, VarRef):
                yield inner.symbol
        case _:
            return


def keeps_whole_numbers(statement: Stmt) -> bool:
    """Does it store no whole number, and nothing with one in it, to memory that others see?"""
    for node in walk(statement):
        match node:
            case Assign(target=place) | Unary(op="++" | "--", operand=place):
                inner = strip_parens(place)
                if not isinstance(inner, VarRef) and inner.type.kind is not TypeKind.FLOATING:
                    return False
            case Call(name=name, arguments=arguments) if name not in _FROM_HEAP:
                if any(map(_may_hand_over, arguments)):
                    return False
            case _:
                pass
    return True


def _may_hand_over(argument: Expr) -> bool:
    """May who is handed it store whole numbers where it leads to?"""
    while isinstance(argument, Paren | Cast):
        argument = argument.inner if isinstance(argument, Paren) else argument.operand
    element = argument.type.element
    if element is None or argument.type.kind not in (TypeKind.POINTER, TypeKind.ARRAY):
        return argument.type.kind not in (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)
    return not element.is_const and element.innermost.kind is not TypeKind.FLOATING
