"""Names for where pointers begin that walk through a row, or through what a member leads to.

    const double *p = a[i];    ->    const double *p_row = a[i];
    while (n--)                      const double *p = p_row;
        s += *p++;                   ...

What they walk through is a variable then (`walking_pointers.py`).
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ad.pointer_values import is_flat, moving_pointers, pointer_root, pointer_values
from g2o.ir.expressions import (
    Binary,
    Expr,
    Form,
    Index,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite


def with_row_starts(body: Block, parameters: tuple[Symbol, ...], symbols: SymbolTable) -> Block:
    """`body` with a name for each of them. `symbols` are those of the function."""
    assigned = pointer_values(body, parameters)
    moving = moving_pointers(body)
    begun = {
        one
        for one in moving & assigned.keys()
        if one.storage is Storage.LOCAL and sum(pointer_root(v) is None for v in assigned[one]) == 1
    }
    if not begun:
        return body

    def starts(statement: Stmt) -> list[Stmt]:
        if not isinstance(statement, Declare):
            return [statement]
        made: list[Stmt] = []
        variables: list[Variable] = []
        for one in statement.variables:
            row = _row_of(one.initial) if one.symbol in begun and one.initial is not None else None
            if row is not None:
                start = symbols.fresh(f"{one.symbol.name}_row", one.symbol.type, Storage.LOCAL)
                made.append(Declare((replace(one, symbol=start, initial=row[0]),)))
                at, ctype = row[1], one.symbol.type
                first = VarRef(start) if at is None else Binary("+", VarRef(start), at, ctype)
                one = replace(one, initial=first)
            variables.append(one)
        if not made:
            return [statement]
        own = Declare(tuple(variables), span=statement.span)
        return [replace(made[0], trivia=statement.trivia), *made[1:], own]

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                made = [part for one in statements for part in starts(one)]
                if len(made) == len(statements):
                    return None
                new = tuple(rewrite(one, replacement) for one in made)
                return replace(node, statements=new, form=Form.BUILT)
            case _:
                return None

    return rewrite(body, replacement)


def _row_of(pointer: Expr) -> tuple[Expr, Expr | None] | None:
    """The row, or the member, that a pointer begins in, and the element; None for others."""
    match strip_parens(pointer):
        case Index() | Member() as row:
            return row, None
        case Unary(op="&", operand=Index(base=base, index=index)) if is_flat(base):
            row = _row_of(base)
            return None if row is None or row[1] is not None else (row[0], index)
        case Binary(op="+", left=left, right=right) if not right.type.is_indirect:
            row = _row_of(left)
            return None if row is None or row[1] is not None else (row[0], Paren(right, right.type))
        case _:
            return None
