"""Arrays of lanes' values stand in the loop whose turns they carry nothing between.

    float sum[32];                                for (row = warp; row < n; row += warps) {
    for (row = warp; row < n; row += warps) {         float sum[32];
        for lane                            ->        for lane
            sum[lane] = 0.0f;                             sum[lane] = 0.0f;
        ...                                           ...
    }                                             }

Legal because each turn writes all elements before it looks at one, and nothing outside of the loop
names the array.
"""

from __future__ import annotations

from dataclasses import replace
from operator import is_

from g2o.analysis.effects import statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Code,
    Expr,
    Form,
    Index,
    Literal,
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
    Jump,
    Node,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage
from g2o.ir.traverse import children, rewrite_statements, walk
from g2o.lowering.indices import block_of

_Loop = For | While | DoWhile | CountedLoop


def declare_in_turns(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Move arrays of private values into the loops that alone use them."""
    return tuple(rewrite_statements(statement, _in_block) for statement in _sequence(statements))


def _in_block(node: Node) -> Node | None:
    if not isinstance(node, Block):
        return None
    moved = _sequence(node.statements)
    inner = tuple(rewrite_statements(statement, _in_block) for statement in moved)
    same = len(inner) == len(node.statements) and all(map(is_, inner, node.statements))
    return node if same else block_of(inner)


def _sequence(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    result = list(statements)
    for declaration in reversed(statements):
        match declaration:
            case Declare(variables=(Variable(initial=None) as variable,)):
                pass
            case _:
                continue
        users = [s for s in result if s is not declaration and variable.symbol in symbols_in(s)]
        match users:
            case [For() | While() | DoWhile() | CountedLoop() as loop] if _is_own(loop, variable):
                body = block_of((declaration, *statements_of(loop.body)))
                result[result.index(loop)] = replace(loop, body=body, form=Form.BUILT)
                result = [s for s in result if s is not declaration]
            case _:
                pass
    return tuple(result)


def _is_own(loop: _Loop, variable: Variable) -> bool:
    """Does each turn write the array before it looks at it?"""
    array = variable.symbol
    if array.storage is not Storage.BLOCK or not variable.suffix.startswith("["):
        return False
    if any(array in symbols_in(part) for part in children(loop) if part is not loop.body):
        return False
    match [s for s in statements_of(loop.body) if array in symbols_in(s)]:
        case [For() | While() | DoWhile() as inner] if _is_own(inner, variable):
            return True
        case [first, *_]:
            return _writes_all(first, variable)
        case _:
            return False


def _writes_all(statement: Stmt, variable: Variable) -> bool:
    match statement:
        case CountedLoop(lower=lower, upper=upper, step=None) if integer_value(lower) == 0:
            pass
        case _:
            return False
    if variable.suffix != f"[{_spelled(upper)}]":
        return False
    if any(isinstance(node, (Jump, Return)) for node in walk(statement)):
        return False
    array = variable.symbol
    first, *others = [s for s in statements_of(statement.body) if array in symbols_in(s)]
    element = (VarRef(array), VarRef(statement.index))
    match first:
        case ExprStatement(expr=Assign(op="=", target=target, value=value)):
            target = strip_parens(target)
        case _:
            return False
    if not isinstance(target, Index) or (target.base, strip_parens(target.index)) != element:
        return False
    return array not in symbols_in(value) and all(_names_only(s, *element) for s in others)


def _names_only(statement: Stmt, array: VarRef, index: VarRef) -> bool:
    """Does it name no element of the array but the one at `index`?"""
    found = [node for node in walk(statement) if node == array]
    own = [
        node
        for node in walk(statement)
        if isinstance(node, Index) and (node.base, strip_parens(node.index)) == (array, index)
    ]
    return len(found) == len(own)


def _spelled(upper: Expr) -> str | None:
    match upper:
        case Literal(text=text) | Code(parts=(str() as text,)):
            return text
        case _:
            return None
