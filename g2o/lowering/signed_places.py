"""Places that neighbours count without a sign, as sums that do not wrap around.

                                            const std::ptrdiff_t start = g2o::start_of(j * w, n);
    for (unsigned i = 0; i < n; ++i)        for (unsigned i = 0; i < n; ++i)
        y[j * w + i] = 2 * x[j * w + i];        y[start + i] = 2 * x[start + i];

Numbers without a sign wrap around, which C++ defines, so that neighbours need not lie beside each
other: g++ makes no vectors of such loops. Where a sum wraps in the middle of a loop is asked once,
in front of it. Legal where what is added to the index is the same in all turns; only an array of as
many elements as there are such numbers, of which one loop reaches the last and goes on at the
first, is another one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.ir.expressions import (
    Binary,
    Call,
    Code,
    Expr,
    Index,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, ExprStatement, For, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.lowering.context import LoweringContext, substitute
from g2o.lowering.in_place import with_loops_replaced
from g2o.lowering.index_arithmetic import (
    is_int,
    is_signed,
    is_unsigned,
    is_without_sign,
    trapping,
    without_index,
)
from g2o.lowering.simd import may_be_vectors

_PLACE: Final = CType("std::ptrdiff_t", TypeKind.INTEGER, 64)


def with_signed_places(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements with such places in the innermost vector loops over threads."""
    return with_loops_replaced(statements, lambda loop: _counted_from(context, loop))


def _plainly_added(node: Node) -> Node | None:
    """What is added to a variable of the block: atomics of that will be plain sums."""
    match node:
        case ExprStatement(
            expr=Call(name="atomicAdd", arguments=(Unary(op="&", operand=VarRef()), value))
        ):
            return ExprStatement(value)
        case _:
            return None


def _counted_from(context: LoweringContext, loop: CountedLoop) -> tuple[Stmt, ...]:
    """The loop, behind the declarations of where its places count from."""
    if loop.step is not None or loop.index.storage is not Storage.INDEX:
        return (loop,)
    added = rewrite(loop.body, _plainly_added)
    if not loop.directive.is_simd and not may_be_vectors(added, context.effects.functions):
        return (loop,)
    counts = is_unsigned(loop.index) or (is_int(loop.index) and _is_natural(loop.lower))
    if not counts or any(isinstance(node, CountedLoop | For) for node in walk(loop.body)):
        return (loop,)
    values = _values(context, loop)
    changing = declared_in(loop.body) | context.effects.of(loop.body).writes | {loop.index}
    starts: dict[Expr, Symbol] = {}

    def moved(node: Node) -> Node | None:
        if not isinstance(node, Index) or node.base.type.kind not in (
            TypeKind.POINTER,
            TypeKind.ARRAY,
        ):
            return None
        added = _added(node.index, values, loop)
        if added is None or symbols_in(added) & changing or trapping(added):
            return None
        known = context.effects.of(added)
        if not known.is_pure or known.memory_reads:
            return None
        if added not in starts:
            starts[added] = context.symbols.fresh("start", _PLACE, Storage.BLOCK)
        place = Binary("+", VarRef(starts[added]), VarRef(loop.index), _PLACE)
        return Index(rewrite(node.base, moved), place, node.type)

    body = rewrite(loop.body, moved)
    if not starts:
        return (loop,)
    before: list[Stmt] = []
    upper = loop.upper
    if not isinstance(strip_parens(upper), VarRef) and integer_value(upper) is None:
        count = context.symbols.fresh("count", loop.index.type, Storage.BLOCK)
        spelled = f"const {loop.index.type.spelling}"
        before.append(Declare((Variable(count, spelled, "", upper, "="),)))
        upper = VarRef(count)
    first = () if integer_value(loop.lower) == 0 else (", ", loop.lower)
    for added, symbol in starts.items():
        start = Code(("g2o::start_of(", added, *first, ", ", upper, ")"), type=_PLACE)
        before.append(Declare((Variable(symbol, "const std::ptrdiff_t", "", start, "="),)))
    before[0] = replace(before[0], trivia=loop.trivia)
    plain = replace(loop, upper=upper, body=body, trivia=replace(loop.trivia, before=()))
    return (*before, plain)


def _is_natural(first: Expr) -> bool:
    value = integer_value(first)
    return value is not None and value >= 0


def _values(context: LoweringContext, loop: CountedLoop) -> dict[Symbol, Expr]:
    """What the loop's own numbers without a sign stand for, where they only have that value."""
    written = written_after_declaration(loop.body, context.effects)
    values: dict[Symbol, Expr] = {}
    for statement in statements_of(loop.body):
        for variable in statement.variables if isinstance(statement, Declare) else ():
            symbol, initial = variable.symbol, variable.initial
            if initial is None or symbol in written or not is_unsigned(symbol):
                continue
            if is_without_sign(initial.type):
                values[symbol] = substitute(initial, values)
    return values


def _added(index: Expr, values: dict[Symbol, Expr], loop: CountedLoop) -> Expr | None:
    """What is added to the loop's index; None where that is nothing, or no sum without a sign."""
    if not is_without_sign(index.type):
        return None
    whole = substitute(index, values)
    if is_signed(whole):
        return None
    added = without_index(whole, loop.index)
    if added is None or integer_value(added) == 0:
        return None
    match added:
        case Binary(op="-", left=left, right=right) if integer_value(left) == 0:
            return None if right == loop.lower else added  # a strip's own array
        case _:
            return added
