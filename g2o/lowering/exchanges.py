"""Operations between lanes keep to variables of the interval.

An operand or result that lives across a barrier of the block is an element of an array there; the
operation works on a copy that only the warp sees.

    x = shfl_down(sum, 1);   ->   value = sum[t]; other = shfl_down(value, 1); x[t] = other;
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Expr, Form, VarRef, strip_parens
from g2o.ir.statements import Block, Declare, Exchange, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.lowering.exchange_values import asks_all_lanes


def detach_exchanges(statements: list[Stmt], kept: set[Symbol], symbols: SymbolTable) -> list[Stmt]:
    """Give exchanges that name variables in `kept` variables of their own."""

    def concerns(node: Node) -> bool:
        return any(
            isinstance(inner, Exchange)
            and (inner.result in kept or not _is_own_variable(inner, kept))
            for inner in walk(node)
        )

    def sequence(inner: tuple[Stmt, ...] | list[Stmt]) -> list[Stmt]:
        result: list[Stmt] = []
        for statement in inner:
            if isinstance(statement, Exchange):
                result.extend(_detached(statement, kept, symbols))
            else:
                result.append(rewrite(statement, replacement))
        return result

    def replacement(node: Node) -> Node | None:
        if isinstance(node, Block) and concerns(node):
            return replace(node, statements=tuple(sequence(node.statements)), form=Form.BUILT)
        if isinstance(node, Exchange) and concerns(node):
            return Block(tuple(_detached(node, kept, symbols)))
        return None

    return sequence(statements)


def asked_from_outside(statements: Sequence[Stmt]) -> set[Symbol]:
    """Variables that `statements` do not declare, the same for all threads therefore, which an
    operation asks for as if every thread had its own."""
    body = Block(tuple(statements))
    asked = {
        symbol
        for node in walk(body)
        if isinstance(node, Exchange) and asks_all_lanes(node)
        for symbol in symbols_in(node.operands[0])
    }
    return asked - {symbol for node in walk(body) for symbol in _declared(node)}


def _declared(node: Node) -> list[Symbol]:
    return [one.symbol for one in node.variables] if isinstance(node, Declare) else []


def _is_own_variable(exchange: Exchange, kept: set[Symbol]) -> bool:
    if not exchange.operands:
        return True
    bare = strip_parens(exchange.operands[0])
    return isinstance(bare, VarRef) and bare.symbol not in kept


def _detached(exchange: Exchange, kept: set[Symbol], symbols: SymbolTable) -> list[Stmt]:
    before: list[Stmt] = []
    after: list[Stmt] = []
    operands = exchange.operands
    if operands:
        if not _is_own_variable(exchange, kept):
            copy = symbols.fresh("value", operands[0].type, Storage.LOCAL)
            spelled = operands[0].type.spelling.replace("const ", "")
            before.append(Declare((Variable(copy, spelled, "", operands[0], "="),)))
            new: Expr = VarRef(copy)
            operands = (new, *operands[1:])
    result = exchange.result
    if result in kept:
        local = symbols.fresh("other", result.type, Storage.LOCAL)
        spelled = result.type.spelling.replace("const ", "")
        before.append(Declare((Variable(local, spelled),)))
        after.append(ExprStatement(Assign("=", VarRef(result), VarRef(local), result.type)))
        result = local
    if not before and not after:
        return [exchange]
    return [*before, replace(exchange, result=result, operands=operands), *after]
