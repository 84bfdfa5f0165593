"""Positions along axes on which every launch has one thread, or one block.

    threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)    ->    threadIdx.x

where all blocks are rows. An operand goes where its value is known and the other one has the type
of the whole: a sum loses zeros, a product ones, and what a zero is multiplied with. So does
`threadIdx.y == 0` of a condition.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, final

from g2o.ir.expressions import (
    Binary,
    Builtin,
    Cast,
    Expr,
    Form,
    LaunchRef,
    Literal,
    Paren,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import If, Node
from g2o.ir.traverse import rewrite, walk, with_children
from g2o.ir.types import UNSIGNED, CType, TypeKind

_EXTENT: Final = {
    Builtin.THREAD_INDEX: Builtin.BLOCK_DIM,
    Builtin.BLOCK_INDEX: Builtin.GRID_DIM,
}


def without_single_axes(kernel: Kernel) -> Kernel:
    """Drop what positions along axes with one thread add nothing to. The translation relies on
    the extents that this uses."""
    folder = _Folder(kernel)
    body = rewrite(kernel.body, folder.replacement)
    if body is kernel.body:
        return kernel
    function = replace(kernel.function, body=body)
    return replace(kernel, function=function, relied=kernel.relied | folder.used)


@final
class _Folder:
    def __init__(self, kernel: Kernel) -> None:
        self.shape = kernel.shape
        self.used: set[tuple[Builtin, int]] = set()

    def replacement(self, node: Node) -> Node | None:
        if isinstance(node, Paren):
            inner = rewrite(node.inner, self.replacement)
            shorter = inner is not node.inner or node.form is Form.BUILT
            if shorter and isinstance(inner, (LaunchRef, Paren)):
                return inner
            return node if inner is node.inner else with_children(node, (inner,))
        if isinstance(node, If) and node.otherwise is None and self._holds(node.condition):
            self._kept(node.condition, node.condition)
            return rewrite(node.then, self.replacement)
        if not isinstance(node, Binary):
            return None
        left, right = (rewrite(child, self.replacement) for child in (node.left, node.right))
        match node.op:
            case "+" if self._is_zero(right) and _has_type(left, node.type):
                return self._kept(left, right)
            case "+" if self._is_zero(left) and _has_type(right, node.type):
                return self._kept(right, left)
            case "*" if self._is_one(right) and _has_type(left, node.type):
                return self._kept(left, right)
            case "*" if self._is_one(left) and _has_type(right, node.type):
                return self._kept(right, left)
            case "*" if self._is_zero(left) and _has_type(left, node.type) and _is_plain(right):
                return self._kept(left, left)
            case "*" if self._is_zero(right) and _has_type(right, node.type) and _is_plain(left):
                return self._kept(right, right)
            case "&&" if self._holds(left):
                return self._kept(right, left)
            case "&&" if self._holds(right):
                return self._kept(left, right)
            case _:
                if left is node.left and right is node.right:
                    return node
                return with_children(node, (left, right))

    def _kept(self, kept: Expr, gone: Expr) -> Expr:
        for node in walk(gone):
            if isinstance(node, LaunchRef) and node.axis is not None:
                extent = _EXTENT.get(node.builtin, node.builtin)
                if self._is_single(extent, node.axis):
                    self.used.add((extent, node.axis))
        return strip_parens(kept) if isinstance(strip_parens(kept), LaunchRef) else kept

    def _is_single(self, extent: Builtin, axis: int | None) -> bool:
        if axis is None:
            return False
        spelled = self.shape.block if extent is Builtin.BLOCK_DIM else self.shape.grid
        return spelled[axis] == "1"

    def _is_zero(self, expr: Expr) -> bool:
        """Is it a position along such an axis, or a multiple of one?"""
        match expr:
            case Paren(inner=inner) | Cast(operand=inner, type=CType(kind=TypeKind.INTEGER)):
                return self._is_zero(inner)
            case LaunchRef(builtin=builtin, axis=axis):
                return builtin in _EXTENT and self._is_single(_EXTENT[builtin], axis)
            case Binary(op="+", left=left, right=right):
                return self._is_zero(left) and self._is_zero(right)
            case Binary(op="*", left=left, right=right):
                one = self._is_zero(left) and _is_plain(right)
                return one or (self._is_zero(right) and _is_plain(left))
            case _:
                return False

    def _holds(self, condition: Expr) -> bool:
        """Is it `threadIdx.y == 0` along such an axis?"""
        match strip_parens(condition):
            case Binary(op="==", left=left, right=Literal(value=0)):
                return self._is_zero(left)
            case _:
                return False

    def _is_one(self, expr: Expr) -> bool:
        bare = strip_parens(expr)
        if not isinstance(bare, LaunchRef) or bare.builtin in _EXTENT:
            return False
        return self._is_single(bare.builtin, bare.axis)


def _is_plain(expr: Expr) -> bool:
    """Is it a number that can be left out, nothing being done to get it?"""
    plain = (Binary, Paren, Cast, LaunchRef, VarRef, Literal)
    return all(isinstance(node, plain) for node in walk(expr))


def _has_type(expr: Expr, whole: CType) -> bool:
    own = UNSIGNED if isinstance(strip_parens(expr), LaunchRef) else expr.type
    return (own.kind, own.bits, own.is_signed) == (whole.kind, whole.bits, whole.is_signed)
