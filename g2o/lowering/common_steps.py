"""Numbers that all threads step by the same amounts are a start of each thread, and one offset.

    int c = i + j * n;                          int c = i + j * n;
    int west = i > 0 ? c - 1 : c;               int west = i > 0 ? c - 1 : c;
    for (int k = 1; k < m; ++k) {        ->     std::ptrdiff_t offset = 0;
        c += layer;                             for (int k = 1; k < m; ++k) {
        west += layer;                              offset += layer;
        y[c] = x[west];                             y[c + offset] = x[west + offset];
    }                                           }

What a thread has of its own stays as it was, so that neighbours which go through the loop together
need no memory for it, and read what lies beside each other.

Legal where nothing but these steps changes the number, and all threads take them or none does. The
offset is wider than signed numbers, so that it holds whatever lies between two of them; those
without signs wrap around in both forms.
"""

from __future__ import annotations

from collections.abc import Iterator

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.uniformity import Uniformity
from g2o.ir.expressions import Assign, Binary, Cast, Expr, Index, Literal, Unary, VarRef, Verbatim
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Empty,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.indices import block_of

_WIDE = CType("std::ptrdiff_t", TypeKind.INTEGER, 64)
_ONE = Literal("1", 1, INT)

Step = tuple[str, Expr]
"""`+=` or `-=`, and how much."""
_Place = tuple[int, int]


def with_common_steps(
    body: tuple[Stmt, ...], uniformity: Uniformity, effects: EffectsOf, symbols: SymbolTable
) -> tuple[Stmt, ...] | None:
    """The body of a loop over threads with such numbers taken apart; None where there are none."""
    if any(isinstance(node, Jump | Return) for node in walk(block_of(body))):
        return None  # some threads may leave a step out
    starts = {
        variable.symbol
        for statement in body
        if isinstance(statement, Declare)
        for variable in statement.variables
        if variable.initial is not None and _is_wide_number(variable.symbol)
    }
    whole = block_of(body)
    everywhere = [found for node in walk(whole) if (found := _step_in(node)) is not None]
    stepped = {symbol for symbol, _ in everywhere}
    taken: dict[Symbol, list[tuple[_Place, Step]]] = {}
    for place, symbol, step in _steps(whole, uniformity):
        steady = effects.is_pure(step[1]) and not symbols_in(step[1]) & stepped
        if symbol in starts and steady and not uniformity.is_uniform(VarRef(symbol)):
            taken.setdefault(symbol, []).append((place, step))
    written = written_after_declaration(rewrite(whole, _without_steps), effects)
    held = set[Symbol]().union(*map(_held_by, walk(whole)))
    groups: dict[tuple[object, ...], list[Symbol]] = {}
    for symbol, steps in taken.items():
        all_steps = sum(other == symbol for other, _ in everywhere)
        if symbol not in written | held and all_steps == len(steps):
            groups.setdefault((symbol.type.is_signed, symbol.type.bits, *steps), []).append(symbol)
    if not groups:
        return None
    for group in groups.values():
        body = _apart(body, group, symbols)
    return body


def _held_by(node: Node) -> set[Symbol]:
    """The variables that something else is a name of, or has inside."""
    match node:
        case Declare(variables=variables):
            initials = (one.initial for one in variables if not one.symbol.type.is_arithmetic)
            return {symbol for one in initials if one is not None for symbol in symbols_in(one)}
        case Unary(op="&") | Verbatim():
            return symbols_in(node)
        case _:
            return set()


def _is_wide_number(symbol: Symbol) -> bool:
    return symbol.type.kind is TypeKind.INTEGER and symbol.type.bits >= 32


def _step_in(statement: Node) -> tuple[Symbol, Step] | None:
    match statement:
        case ExprStatement(
            expr=Assign(op="+=" | "-=" as op, target=VarRef(symbol=symbol), value=value)
        ):
            return symbol, (op, value)
        case ExprStatement(expr=Unary(op="++" | "--" as op, operand=VarRef(symbol=symbol))):
            return symbol, (op[0] + "=", _ONE)
        case _:
            return None


def _steps(
    node: Node, uniformity: Uniformity, alike: bool = True
) -> Iterator[tuple[_Place, Symbol, Step]]:
    """Steps that all threads take or none does, each with the run of steps that it belongs to."""
    run = 0
    for place, child in enumerate(children(node)):
        found = _step_in(child)
        if found is None:
            inside = alike
            if isinstance(child, If | For | While | DoWhile):
                condition = child.condition
                inside = alike and condition is not None and uniformity.is_uniform(condition)
            yield from _steps(child, uniformity, inside)
            run = place + 1
        elif alike and isinstance(node, Block) and uniformity.is_uniform(found[1][1]):
            yield (id(node), run), *found


def _without_steps(node: Node) -> Node | None:
    return Empty() if _step_in(node) is not None else None


def _apart(body: tuple[Stmt, ...], group: list[Symbol], symbols: SymbolTable) -> tuple[Stmt, ...]:
    """`body` with an offset for the `group`, from where the first step is taken."""
    first = group[0]
    ctype = _WIDE if first.type.is_signed else first.type
    offset = VarRef(symbols.fresh("offset", ctype, Storage.LOCAL))

    def moved(node: Node) -> Node | None:
        match node:
            case ExprStatement():
                step = _step_in(node)
                if step is None or step[0] not in group:
                    return None
                if step[0] != first:
                    return Empty(trivia=node.trivia)
                op, amount = step[1]
                return ExprStatement(Assign(op, offset, amount, ctype), trivia=node.trivia)
            case Index(base=base, index=index, type=element):
                return Index(rewrite(base, moved), summed(index), element)
            case VarRef(symbol=symbol) if symbol in group:
                return Cast(Binary("+", node, offset, ctype), symbol.type)
            case _:
                return None

    def summed(index: Expr) -> Expr:
        """In an index the sum may be as wide as it is."""
        match index:
            case VarRef(symbol=symbol) if symbol in group:
                return Binary("+", index, offset, ctype)
            case Binary(op="+" | "-", left=left, right=right):
                return Binary(index.op, summed(left), rewrite(right, moved), index.type)
            case _:
                return rewrite(index, moved)

    start = Variable(offset.symbol, ctype.spelling, "", Literal("0", 0, INT), "=")
    stepping = (
        place
        for place, statement in enumerate(body)
        if any((step := _step_in(node)) and step[0] in group for node in walk(statement))
    )
    begin = next(stepping)
    rest = (rewrite(statement, moved) for statement in body[begin:])
    return (*body[:begin], Declare((start,)), *rest)
