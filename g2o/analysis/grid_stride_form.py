"""The parts of loops that share out their iterations among the threads of a grid.

for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
"""

from __future__ import annotations

from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Code,
    Expr,
    LaunchRef,
    Paren,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    CountedLoop,
    DoWhile,
    For,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children
from g2o.ir.types import TypeKind


def linear_axis(node: Node) -> int | None:
    """The axis a of an expression `blockIdx.a * blockDim.a + threadIdx.a`, in any order."""
    if not isinstance(node, Binary) or node.op != "+":
        return None
    for first, second in ((node.left, node.right), (node.right, node.left)):
        thread = _launch(second, Builtin.THREAD_INDEX)
        if thread is None:
            continue
        factors = _factors(first)
        for one, other in (factors, factors[::-1]) if factors else ():
            block = _launch(one, Builtin.BLOCK_INDEX)
            if block == thread and _launch(other, Builtin.BLOCK_DIM) == thread:
                return thread
    return None


def _factors(expr: Expr) -> tuple[Expr, Expr] | None:
    expr = strip_parens(expr)
    match expr:
        case Binary(op="*", left=left, right=right):
            return left, right
        case Call(name="__mul24" | "__umul24", arguments=(left, right)):
            return left, right
        case Cast(operand=operand) if expr.type.bits >= 32:
            return _factors(operand)
        case _:
            return None


def _launch(expr: Expr, builtin: Builtin) -> int | None:
    expr = strip_parens(expr)
    if isinstance(expr, Cast) and expr.type.bits >= 32:
        expr = strip_parens(expr.operand)
    if isinstance(expr, LaunchRef) and expr.builtin is builtin:
        return expr.axis
    return None


def is_index(symbol: Symbol) -> bool:
    """Is the variable wide enough for the index of any thread?"""
    return symbol.type.kind is TypeKind.INTEGER and symbol.type.bits >= 32


def upper_limit(condition: Expr | None, symbol: Symbol) -> Expr | None:
    """What the loop's condition has the variable less than."""
    if not isinstance(condition, Binary):
        return None
    left, right = bare_index(condition.left), bare_index(condition.right)
    if condition.op == "<" and isinstance(left, VarRef) and left.symbol == symbol:
        return condition.right
    if condition.op == ">" and isinstance(right, VarRef) and right.symbol == symbol:
        return condition.left
    return None


def step_of(increment: Expr, symbol: Symbol) -> Expr | None:
    """What is added to the variable at the end of an iteration."""
    if not isinstance(increment, Assign) or not isinstance(increment.target, VarRef):
        return None
    if increment.target.symbol != symbol:
        return None
    if increment.op == "+=":
        return increment.value
    value = bare_index(increment.value)
    if increment.op != "=" or not isinstance(value, Binary) or value.op != "+":
        return None
    for one, other in ((value.left, value.right), (value.right, value.left)):
        if isinstance(one, VarRef) and one.symbol == symbol:
            return other
    return None


def bare_index(expr: Expr) -> Expr:
    """`expr` without parentheses and conversions between integers that hold any index."""
    while True:
        match expr:
            case Paren(inner=inner):
                expr = inner
            case Cast(operand=operand, type=ctype) if (
                ctype.kind is TypeKind.INTEGER and ctype.bits >= 32
            ):
                expr = operand
            case Code(parts=(inner,)) if not isinstance(inner, str):
                expr = inner
            case _:
                return expr


def leaves_loop(body: Stmt) -> bool:
    """Does a jump lead out of the loop with this body?"""

    def visit(node: Node, in_loop: bool, in_switch: bool) -> bool:
        match node:
            case Return() | Jump(kind=JumpKind.GOTO):
                return True
            case Labelled(value=None, label=label) if label != "default":
                return True
            case Jump(kind=JumpKind.BREAK):
                return not in_loop and not in_switch
            case For() | While() | DoWhile() | CountedLoop():
                return any(visit(child, True, in_switch) for child in children(node))
            case Switch():
                return any(visit(child, in_loop, True) for child in children(node))
            case _:
                return any(visit(child, in_loop, in_switch) for child in children(node))

    return visit(body, False, False)
