"""Shifts whose count may be the width of what is shifted get CUDA's meaning.

    dst[i] |= word << (32 - bit);    ->    dst[i] |= g2o::shift_left(word, 32 - bit);

On a GPU a count of the width or more shifts everything out (PTX ISA, `shl` and `shr`: "shift
amounts greater than the register width N are clamped to N"), and programs that pack bits count on
it where `bit` is 0. In C++ it has no meaning, and CPUs take the count modulo the width. Counts that
could be anything are left alone: they are hardly ever meant to reach the width. A rotation is the
same either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final, TypeAlias, TypeVar

from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Conditional,
    Expr,
    Literal,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import CType

N = TypeVar("N", bound=Node)
_Widths: TypeAlias = dict[Symbol, set[int]]
_Place: TypeAlias = tuple[int, int]

_FUNCTIONS: Final = {"<<": "g2o::shift_left", ">>": "g2o::shift_right"}
_WIDTHS: Final = frozenset({32, 64})
_SMALLEST_NAMES: Final = frozenset({"min", "umin"})


def define_wide_shifts(kernel: Kernel) -> Kernel:
    """The kernel with CUDA's meaning for shifts by what may be the width."""
    body = _with_wide_shifts(kernel.body, _reaching_the_width(kernel.body), [])
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body))


def wide_shifts(
    body: Block, place: Callable[[SourceSpan], _Place | None]
) -> tuple[tuple[tuple[Node, ...], tuple[Node, ...]], ...]:
    """What has such shifts in a function that is only text, and what to put there.

    All that a macro expands to has the place of its call: the shift does not go there alone.
    `place` says where in the text a part of the function stands, without the semicolon behind it;
    None where that is elsewhere.
    """
    found: list[Expr] = []
    reaching = _reaching_the_width(body)
    _with_wide_shifts(body, reaching, found)

    def placed(node: Node) -> _Place | None:
        return None if node.span is None else place(node.span)

    shifted = set(map(placed, found)) - {None}
    replaced: list[tuple[tuple[Node, ...], tuple[Node, ...]]] = []

    def visit(nodes: tuple[Node, ...]) -> None:
        for where, alike in groupby(nodes, key=placed):
            group = tuple(alike)
            if where is not None and where in shifted:
                new = (_with_wide_shifts(one, reaching, []) for one in group)
                replaced.append((group, tuple(new)))
                continue
            for one in group:
                visit(children(one))

    visit((body,) if shifted else ())
    return tuple(replaced)


def _with_wide_shifts(node: N, reaching: _Widths, found: list[Expr]) -> N:
    """`node` with functions for shifts; `found` gets the shifts."""
    if not any(isinstance(n, (Binary, Assign)) and _operator(n) for n in walk(node)):
        return node

    def replacement(inner: Node) -> Node | None:
        if not isinstance(inner, (Binary, Assign)):
            return None
        if isinstance(inner, Binary) and _is_rotation(inner):
            return inner
        operator = _operator(inner)
        value = inner.left if isinstance(inner, Binary) else inner.target
        count = inner.right if isinstance(inner, Binary) else inner.value
        if operator is None or not _may_be_width(value.type, count, reaching):
            return None
        name = _FUNCTIONS[operator]
        operands = (rewrite(value, replacement), rewrite(count, replacement))
        arguments = (strip_parens(operands[0]), strip_parens(operands[1]))
        shifted = Call(name, Code((name,)), arguments, is_cuda=True, type=inner.type)
        new: Expr = shifted
        if isinstance(inner, Assign):
            new = Assign("=", operands[0], shifted, inner.type)
        found.append(inner)
        return new

    return rewrite(node, replacement)


def _operator(node: Binary | Assign) -> str | None:
    """`<<` or `>>`, where the node shifts."""
    operator = node.op.removesuffix("=") if isinstance(node, Assign) else node.op
    return operator if operator in _FUNCTIONS else None


def _may_be_width(ctype: CType, count: Expr, reaching: _Widths) -> bool:
    widths = {max(ctype.bits, 32)} if ctype.is_arithmetic and ctype.bits else set(_WIDTHS)
    count = strip_parens(count)
    if isinstance(count, VarRef):
        return not widths.isdisjoint(reaching.get(count.symbol, set()))
    if not widths.isdisjoint(_bounds(count)):
        return True
    subtracted = False
    while isinstance(count, Binary) and count.op == "-":
        subtracted = subtracted or any(isinstance(node, VarRef) for node in walk(count.right))
        count = strip_parens(count.left)
    return subtracted and isinstance(count, Literal) and count.value in widths


def _is_rotation(both: Binary) -> bool:
    """`x << n | x >> (32 - n)`: the same value twice where n is 0, or the value and nothing."""
    left, right = strip_parens(both.left), strip_parens(both.right)
    if both.op != "|" or not isinstance(left, Binary) or not isinstance(right, Binary):
        return False
    if {left.op, right.op} != set(_FUNCTIONS):
        return False
    if strip_parens(left.left) != strip_parens(right.left):
        return False
    counts = strip_parens(left.right), strip_parens(right.right)
    return any(
        isinstance(one, Binary) and one.op == "-" and strip_parens(one.right) == other
        for one, other in (counts, counts[::-1])
    )


def _reaching_the_width(node: Node) -> _Widths:
    """Widths that values of variables are limited to, as `n > 32 ? 32 : n` limits them."""
    found: _Widths = {}
    for inner in walk(node):
        for symbol, value in _assigned(inner):
            bounds = _bounds(value)
            if bounds:
                found.setdefault(symbol, set()).update(bounds)
    return found


def _assigned(node: Node) -> Iterator[tuple[Symbol, Expr]]:
    match node:
        case Declare(variables=variables):
            for variable in variables:
                if variable.initial is not None:
                    yield variable.symbol, variable.initial
        case Assign(op="=", target=VarRef(symbol=symbol), value=value):
            yield symbol, value
        case _:
            return


def _bounds(value: Expr) -> set[int]:
    """The widths that a value is limited to."""
    value = strip_parens(value)
    match value:
        case Conditional(if_true=one, if_false=other):
            limits: tuple[Expr, ...] = (one, other)
        case Call(name=name, arguments=limits) if name in _SMALLEST_NAMES:
            pass
        case _:
            return set()
    values = {limit.value for limit in map(strip_parens, limits) if isinstance(limit, Literal)}
    return {width for width in _WIDTHS if width in values and len(values) < len(limits)}
