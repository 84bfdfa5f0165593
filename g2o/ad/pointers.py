"""Pointers that move, as pointers that do not.

    x += i * n;              const float *my_x = x + i * n;
    y[i] = x[0];      ->     y[i] = my_x[0];

Shadows of pointers are made where the pointers are: one that stands still has one shadow.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.expressions import Assign, Binary, Expr, Literal, Unary, VarRef, strip_parens
from g2o.ir.statements import Block, Declare, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import INT, CType, TypeKind


def settled_pointers(body: Block, parameters: tuple[Symbol, ...], symbols: SymbolTable) -> Block:
    """`body` with a new pointer for every move that is a statement of its own outside of loops and
    conditions, of pointers that are not moved elsewhere."""
    moved = _moved_at_top(body, parameters)
    if not moved:
        return body
    now: dict[Symbol, Symbol] = {}
    result: list[Stmt] = []
    for statement in body.statements:
        renamed = rename_symbols(statement, now) if now else statement
        move = _move_of(statement)
        if move is None or move[0] not in moved:
            result.append(renamed)
            continue
        old = move[0]
        current = _move_of(renamed)
        assert current is not None
        wish = f"my_{old.name}" if old in parameters else old.name
        ctype = _plain(old.type)
        new = symbols.fresh(wish, ctype, Storage.LOCAL)
        variable = Variable(new, ctype.spelling, "", current[1], "=")
        result.append(Declare((variable,), trivia=statement.trivia))
        now = {**now, old: new}
    return Block(tuple(result), span=body.span)


def own_pointers(body: Block, parameters: tuple[Symbol, ...], symbols: SymbolTable) -> Block:
    """`body` with variables in place of the pointers among its parameters that it moves."""
    moved = {one for node in walk(body) for one in _written(node) if one in parameters}
    copies: list[Stmt] = []
    renames: dict[Symbol, Symbol] = {}
    for old in (one for one in parameters if one in moved and one.type.kind is TypeKind.POINTER):
        ctype = _plain(old.type)
        new = symbols.fresh(f"my_{old.name}", ctype, Storage.LOCAL)
        copies.append(Declare((Variable(new, ctype.spelling, "", VarRef(old), "="),)))
        renames[old] = new
    if not renames:
        return body
    return Block((*copies, *rename_symbols(body, renames).statements), span=body.span)


def _written(node: Node) -> set[Symbol]:
    match node:
        case Assign(target=VarRef(symbol=symbol)):
            return {symbol}
        case Unary(op="++" | "--" | "&", operand=VarRef(symbol=symbol)):
            return {symbol}
        case _:
            return set()


def _moved_at_top(body: Block, parameters: tuple[Symbol, ...]) -> set[Symbol]:
    """Pointers that only statements of the outermost sequence move."""
    known = {one for one in parameters if one.type.kind is TypeKind.POINTER}
    times: dict[Symbol, int] = {}
    for statement in body.statements:
        if isinstance(statement, Declare):
            known |= {
                one.symbol
                for one in statement.variables
                if one.symbol.type.kind is TypeKind.POINTER and one.initial is not None
            }
        move = _move_of(statement)
        if move is not None:
            times[move[0]] = times.get(move[0], 0) + 1
    every: dict[Symbol, int] = {}
    for node in walk(body):
        for symbol in _written(node):
            every[symbol] = every.get(symbol, 0) + 1
    return {one for one, count in times.items() if one in known and every.get(one, 0) == count}


def _move_of(statement: Stmt) -> tuple[Symbol, Expr] | None:
    """The pointer that the statement moves, and where to."""
    if not isinstance(statement, ExprStatement):
        return None
    match strip_parens(statement.expr):
        case Assign(op="=", target=VarRef(symbol=symbol), value=value):
            found = symbol, value
        case Assign(op="+=" | "-=" as op, target=VarRef(symbol=symbol) as target, value=value):
            found = symbol, Binary(op[0], target, value, symbol.type)
        case Unary(op="++" | "--" as op, operand=VarRef(symbol=symbol) as target):
            one = Literal("1", 1, INT)
            found = symbol, Binary(op[0], target, one, symbol.type)
        case _:
            return None
    return found if found[0].type.kind is TypeKind.POINTER else None


def _plain(ctype: CType) -> CType:
    spelled = ctype.spelling.replace("__restrict__", "").replace("__restrict", "").rstrip()
    spelled = spelled.removesuffix("const").rstrip()
    spelled = spelled if spelled.endswith("*") else f"{spelled} "
    return replace(ctype, spelling=spelled, is_restrict=False, is_const=False)
