"""What a thread sums up for a place that all threads add to is added there at once.

    double sum_a = 0.0;                             for (int k = n; k > 0; --k) {
    for (int k = n; k > 0; --k) {                       atomic_add(&d_x[i + k * w - 1], d_y[...]);
        atomic_add(&d_x[i + k * w - 1], d_y[...]);      atomic_add(d_a, x[...] * d_y[...]);
        sum_a += x[...] * d_y[...];             ->  }
    }
    atomic_add(d_a, sum_a);

The loop stands alone then: it is one over places, from which neighbours' additions are gathered
(`lowering/sweeps_apart.py`, `gather.py`), and the sum is a reduction over all of them
(`reduce_increments.py`). Legal because additions to shadows have no order, where nothing but
additions names the sum, and where threads do not wait for each other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, root_symbol, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import (
    Assign,
    Call,
    Expr,
    Form,
    Literal,
    Paren,
    Unary,
    VarRef,
    is_primary,
    strip_parens,
)
from g2o.ir.increments import is_increment, place_of
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind


def with_sums_in_place(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel without such sums of marching threads."""
    if any(isinstance(node, Barrier | Exchange) for node in walk(kernel.body)):
        return kernel
    effects = functions.for_node(kernel.body)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        statements = tuple(rewrite(one, replacement) for one in node.statements)
        changed = _within(statements, effects)
        same = len(changed) == len(node.statements)
        if same and all(one is old for one, old in zip(changed, node.statements, strict=True)):
            return node
        return replace(node, statements=changed, form=Form.BUILT)

    body = replacement(kernel.body)
    if body is kernel.body or not isinstance(body, Block):
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body))


@final
@dataclass(frozen=True, slots=True)
class _Sum:
    """A sum that is declared and, at its end, added by two statements of a block."""

    symbol: Symbol
    declared: Stmt
    last: Stmt
    added: Call


def _within(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    for one in statements:
        found = _sum_of(one, statements, effects)
        if found is not None:
            left = tuple(each for each in statements if each not in (found.declared, found.last))
            return _within(tuple(_added(each, found) for each in left), effects)
    return statements


def _sum_of(first: Stmt, statements: tuple[Stmt, ...], effects: EffectsOf) -> _Sum | None:
    match first:
        case Declare(variables=(Variable(symbol=own, initial=initial, suffix=""),)):
            pass
        case _:
            return None
    zero = isinstance(initial, Literal) and initial.text in ("0.0", "0.0f", "0")
    if own.storage is not Storage.LOCAL or own.type.kind is not TypeKind.FLOATING or not zero:
        return None
    last = [one for one in statements if _added_at_once(one, own) is not None]
    behind = statements[statements.index(first) + 1 :]
    inside = [one for one in behind if one not in last]
    named = sum(isinstance(n, VarRef) and n.symbol == own for one in inside for n in walk(one))
    adding = [n for one in inside for n in walk(one) if _adds_to(n, own)]
    if len(last) != 1 or not adding or len(adding) != named:
        return None
    added = _added_at_once(last[0], own)
    marching = any(
        isinstance(n, For | While | DoWhile)
        and any(_adds_to(each, own) for each in walk(n))
        and any(isinstance(each, Call) and is_increment(each) for each in walk(n))
        for one in inside
        for n in walk(one)
    )
    if added is None or not marching:
        return None
    place = place_of(added)
    root, needed = root_symbol(place), effects.of(place)
    uniform = root is not None and symbols_in(place) == {root}
    if not uniform or root is None or root.storage is not Storage.PARAMETER or needed.writes:
        return None
    return _Sum(own, first, last[0], added)


def _added_at_once(statement: Stmt, own: Symbol) -> Call | None:
    """The addition of all of a sum."""
    match statement:
        case ExprStatement(expr=Call(arguments=(_, value)) as call) if is_increment(call):
            bare = strip_parens(value)
            return call if isinstance(bare, VarRef) and bare.symbol == own else None
        case _:
            return None


def _adds_to(node: Node, own: Symbol) -> bool:
    match node:
        case ExprStatement(expr=Assign(op="+=" | "-=", target=VarRef(symbol=symbol), value=value)):
            return symbol == own and own not in symbols_in(value)
        case _:
            return False


def _added(statement: Stmt, found: _Sum) -> Stmt:
    def replacement(node: Node) -> Node | None:
        if not isinstance(node, ExprStatement) or not _adds_to(node, found.symbol):
            return None
        assert isinstance(node.expr, Assign)
        value: Expr = node.expr.value
        if node.expr.op == "-=":
            inner = value if is_primary(value) else Paren(value, value.type)
            value = Unary("-", inner, type=value.type)
        place = found.added.arguments[0]
        return replace(node, expr=replace(found.added, arguments=(place, value)), form=Form.BUILT)

    return rewrite(statement, replacement)
