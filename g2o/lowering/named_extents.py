"""Sizes of blocks that kernels call by a name of their own.

    int i = blockIdx.x * BLOCK + threadIdx.x;
->  int i = blockIdx.x * blockDim.x + threadIdx.x;

Legal where all launches have blocks of that size, which is then asserted.
"""

from __future__ import annotations

from g2o.ir.expressions import (
    Binary,
    Builtin,
    Expr,
    LaunchRef,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import UNSIGNED
from g2o.lowering.context import LoweringContext


def with_block_sizes(context: LoweringContext, body: Block) -> tuple[Block, set[int]]:
    """The body with `blockDim` in products of the index, or number, of blocks and the size of a
    block; and the axes of the sizes that it has been put in place of."""
    axes: set[int] = set()

    def replacement(node: Node) -> Node | None:
        match node:
            case Binary(op="*", left=left, right=right):
                first, second = _axis_of_blocks(left), _axis_of_blocks(right)
                if first is not None and _is_size(context, right, first):
                    axes.add(first)
                    return Binary("*", left, _size(first), UNSIGNED)
                if second is not None and _is_size(context, left, second):
                    axes.add(second)
                    return Binary("*", _size(second), right, UNSIGNED)
            case _:
                pass
        return None

    result = rewrite(body, replacement)
    assert isinstance(result, Block)
    return result, axes


def _size(axis: int) -> Expr:
    return LaunchRef(Builtin.BLOCK_DIM, axis, UNSIGNED)


def _axis_of_blocks(expr: Expr) -> int | None:
    match strip_parens(expr):
        case LaunchRef(builtin=Builtin.BLOCK_INDEX | Builtin.GRID_DIM, axis=axis):
            return axis
        case _:
            return None


def _is_size(context: LoweringContext, expr: Expr, axis: int) -> bool:
    """Is it the size that all blocks have along the axis?"""
    spelled = context.constant_extent(Builtin.BLOCK_DIM, axis)
    bare = strip_parens(expr)
    if spelled is None or bare.type.bits > UNSIGNED.bits:
        return False
    match bare:
        case Literal(text=spelling) | VarRef(symbol=Symbol(name=spelling)):
            known = integer_value(bare)
            value = context.number(spelling) if known is None else known
            size = context.constant_value(Builtin.BLOCK_DIM, axis)
            return spelling == spelled or (value is not None and value == size)
        case _:
            return False
