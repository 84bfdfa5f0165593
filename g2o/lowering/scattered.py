"""Loops over threads that store here and there are no vector loops.

    #pragma omp simd                                 for (int t = 0; t < d; ++t) {
    for (int t = 0; t < d; ++t) {                        int right = step * (2 * t + 2) - 1;
        int right = step * (2 * t + 2) - 1;     ->       tree[right] += tree[right - step];
        tree[right] += tree[right - step];           }
    }

Few CPUs store a vector to places that are not a constant distance apart; collecting what goes there
costs more than the arithmetic saves. Plain loops are legal where vector loops are.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import symbols_in
from g2o.ir.directives import NO_DIRECTIVE, SIMD
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expr,
    Index,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.lowering.index_arithmetic import expanded


def without_scattered_vectors(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The same loops, without the pragma where a store has no constant stride."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop) or node.directive != SIMD or not scatters(node):
            return None
        return replace(node, directive=NO_DIRECTIVE)

    return tuple(rewrite(statement, replacement) for statement in statements)


def scatters(loop: CountedLoop) -> bool:
    """Does a store of the loop have no constant stride?"""
    values: dict[Symbol, Expr] = {}
    for node in walk(loop.body):
        if isinstance(node, Declare):
            for variable in node.variables:
                if variable.initial is not None:
                    values[variable.symbol] = expanded(variable.initial, values)
    for node in walk(loop.body):
        if isinstance(node, Assign) and isinstance(node.target, Index):
            if not _is_linear(expanded(node.target.index, values), loop.index):
                return True
    return False


def _is_linear(expr: Expr, index: Symbol) -> bool:
    """Does the value grow by a constant with the index?"""
    if index not in symbols_in(expr):
        return True
    match expr:
        case VarRef():
            return True
        case Binary(op="+" | "-", left=left, right=right):
            return _is_linear(left, index) and _is_linear(right, index)
        case Binary(op="*", left=left, right=right):
            factor, other = (left, right) if index not in symbols_in(left) else (right, left)
            return integer_value(factor) is not None and _is_linear(other, index)
        case Binary(op="<<", left=left, right=right):
            return integer_value(right) is not None and _is_linear(left, index)
        case Cast(operand=operand):
            return _is_linear(operand, index)
        case _:
            inner = _in_parentheses(expr)
            return inner is not None and _is_linear(inner, index)


def _in_parentheses(expr: Expr) -> Expr | None:
    bare = strip_parens(expr)
    return None if bare is expr else bare
