"""Short rows that are copied between memory and an array of the block.

    #pragma omp simd                                      std::copy_n(&in[y * width + bx * TILE],
    for (tx < std::min(TILE, width - bx * TILE)) {  ->        std::min(TILE, width - bx * TILE),
        int x = bx * TILE + tx;                               s[ty]);
        s[ty][tx] = in[y * width + x];
    }

Compilers see that the loop copies. As they also see that it is short, but not how short, some do
it by string instructions, several times as slowly as the library's copy.

Legal where elements next to each other go to elements next to each other, of one type, between an
array that the block has for itself and memory of a parameter. No row goes on at element 0 behind
the last one that 32 bits can count. A length below zero copies nothing.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import root_symbol, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Code,
    Expr,
    Index,
    Literal,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, ExprStatement, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import Node, rewrite
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.context import LoweringContext, substitute
from g2o.lowering.few_turns import most_turns

_ZERO = Literal("0", 0, INT)
_MOST = 64  # elements of a short row
_WORD = 32
_KEPT = frozenset((Storage.SHARED, Storage.LOCAL))


def copy_rows(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements with `std::copy_n` in place of such loops."""

    def replacement(node: Node) -> Node | None:
        return _copy(context, node) if isinstance(node, CountedLoop) else None

    return tuple(rewrite(statement, replacement) for statement in statements)


def _copy(context: LoweringContext, loop: CountedLoop) -> Stmt | None:
    if integer_value(loop.lower) != 0 or loop.step is not None or not _is_short(context, loop):
        return None
    *declares, last = statements_of(loop.body) or (loop.body,)
    values = _values(context, declares, loop.index)
    match last:
        case ExprStatement(expr=Assign(op="=", target=Index() as target, value=value)):
            source = strip_parens(value)
        case _:
            return None
    if values is None or not isinstance(source, Index) or not _are_apart(target, source):
        return None
    ends = [_first(each, loop.index, values) for each in (source, target)]
    if any(end is None for end in ends):
        return None
    begin, to = ends
    assert begin is not None
    assert to is not None
    inner = [one.trivia for one in (*declares, last)]
    before = (line for one in (loop.trivia, *inner) for line in one.before)
    after = next((one.after for one in reversed(inner) if one.after), loop.trivia.after)
    trivia = replace(loop.trivia, before=tuple(before), after=after)
    copied = Code(("std::copy_n(", begin, ", ", loop.upper, ", ", to, ")"), pure=False)
    return ExprStatement(copied, trivia=trivia)


def _is_short(context: LoweringContext, loop: CountedLoop) -> bool:
    """Is the length the least of a small constant and of something else?"""
    match loop.upper:
        case Code(parts=(str() as name, left, ", ", right, ")")) if name.startswith("std::min"):
            known = [most_turns(context, one) for one in (left, right) if not isinstance(one, str)]
            return any(most is not None and most <= _MOST for most in known)
        case _:
            return False


def _values(
    context: LoweringContext, declares: list[Stmt], index: Symbol
) -> dict[Symbol, Expr] | None:
    """What the variables of a turn stand for; None where that is not said so simply, or where a
    variable keeps another number than it is given: fewer bits of it, or more."""
    values: dict[Symbol, Expr] = {}
    for declare in declares:
        match declare:
            case Declare(variables=(variable,)) if variable.initial is not None:
                found = context.effects.of(variable.initial)
                initial = substitute(variable.initial, values)
                if not found.is_pure or found.memory_reads or index not in symbols_in(initial):
                    return None
                if not all(_is_word(one) for one in (variable.symbol.type, variable.initial.type)):
                    return None
                values[variable.symbol] = initial
            case _:
                return None
    return values


def _is_word(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits == _WORD


def _are_apart(target: Index, source: Index) -> bool:
    """Is one of them an element of an array of the block, and the other of a parameter's memory?"""
    if not target.type.is_arithmetic or target.type.is_volatile or source.type.is_volatile:
        return False
    if target.type.spelling != source.type.spelling.removeprefix("const "):
        return False
    roots = [root_symbol(target), root_symbol(source)]
    own = [
        root
        for root in roots
        if root is not None and root.storage in _KEPT and root.type.kind is TypeKind.ARRAY
    ]
    given = [
        root
        for root in roots
        if root is not None
        and root.storage is Storage.PARAMETER
        and root.type.kind is TypeKind.POINTER
    ]
    return len(own) == len(given) == 1


def _first(element: Index, index: Symbol, values: dict[Symbol, Expr]) -> Expr | None:
    """The address of the element of the first turn, where turns take elements in a row."""
    subscript = substitute(element.index, values)
    base = substitute(element.base, values)
    if index in symbols_in(base) or _share(subscript, index) != 1:
        return None
    start = _without_places(substitute(subscript, {index: _ZERO}))
    if integer_value(start) == 0:
        return base
    return Unary("&", Index(base, start, element.type), False, base.type)


def _without_places(expr: Expr) -> Expr:
    """A sum made anew, without zeros: what stands in for a variable takes parentheses only where it
    needs them."""
    match expr:
        case Code(parts=(only,)) if not isinstance(only, str):
            return _without_places(only)
        case Binary(op="+" | "-", left=left, right=right):
            left, right = _without_places(left), _without_places(right)
            if integer_value(right) == 0:
                return left
            if expr.op == "+" and integer_value(left) == 0:
                return right
            return Binary(expr.op, left, right, expr.type)
        case _:
            return expr


def _share(subscript: Expr, index: Symbol) -> int | None:
    """How often the loop's index is in a sum; None where it is somewhere else."""
    subscript = strip_parens(subscript)
    if index not in symbols_in(subscript):
        return 0
    match subscript:
        case VarRef():
            return 1
        case Cast(operand=operand, type=ctype) if ctype.bits >= _WORD:
            return _share(operand, index)
        case Code(parts=(only,)) if not isinstance(only, str):
            return _share(only, index)
        case Binary(op="+", left=left, right=right):
            one, other = _share(left, index), _share(right, index)
            return None if one is None or other is None else one + other
        case Binary(op="-", left=left, right=right):
            return _share(left, index) if _share(right, index) == 0 else None
        case _:
            return None
