"""Arrays of a thread that are registers once the loops around their accesses are unrolled.

    float v[9];
    for (int i = 0; i < 9; ++i)
        v[i] = in[x + i];                       // v[0], v[1], ...
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 9; ++j)
            if (v[j] < v[i]) ...                // v[0] and v[1], v[0] and v[2], ...

Every subscript is then a constant, so that compilers take the array apart before they look for
vectors. Arrays that are left in memory must not stand in a vector loop: clang 19.1.7 shares them
between lanes at -O1.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, final

from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Conditional,
    Expr,
    Index,
    Paren,
    Unary,
    VarRef,
    integer_value,
)
from g2o.ir.statements import (
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind


class _Beyond(Enum):
    """No number: what may not be in registers."""

    BEYOND = "beyond"


_BEYOND: Final = _Beyond.BEYOND
_KNOWN: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
}
_MOST_TURNS: Final = 16  # of one loop: more than `#pragma GCC unroll 16` unrolls stay a loop
_MOST_IN_ALL: Final = 128  # of all loops
_MOST_ELEMENTS: Final = 32  # of all arrays: more leave no registers


def is_own_array(variable: Variable) -> bool:
    """Is it an array of numbers that a thread fills itself, of a constant size?"""
    ctype = variable.symbol.type
    extents = 0
    while ctype.kind is TypeKind.ARRAY and ctype.extent is not None and ctype.element is not None:
        ctype = ctype.element
        extents += 1
    plain = variable.initial is None and variable.suffix.count("[") == extents
    return bool(extents) and ctype.is_arithmetic and plain


def arrays_in_registers(body: Node) -> frozenset[Symbol]:
    """The arrays that `body` declares, if all of them are such; none otherwise."""
    declared = [v for node in walk(body) if isinstance(node, Declare) for v in node.variables]
    arrays = [one for one in declared if one.symbol.type.kind is TypeKind.ARRAY]
    if not arrays or not all(map(is_own_array, arrays)):
        return frozenset()
    sizes = {one.symbol: _extents(one.symbol) for one in arrays}
    if sum(map(math.prod, sizes.values())) > _MOST_ELEMENTS:
        return frozenset()
    return frozenset(sizes) if _Unrolling(sizes).follows(body) else frozenset()


@final
@dataclass(slots=True)
class _Unrolling:
    """What is done turn by turn, with the numbers that are known in each."""

    sizes: Mapping[Symbol, tuple[int, ...]]
    known: dict[Symbol, int] = field(default_factory=dict[Symbol, int])
    turns: int = 0

    def follows(self, node: Node) -> bool:
        """Does every loop end after few turns, and is every element named by constants there?"""
        match node:
            case For():
                return self._follows_turns(node)
            case While() | DoWhile() | Jump() | Return() | Switch():
                return False
            case If(condition=condition, then=then, otherwise=otherwise):
                branches = [one for one in (then, otherwise) if one is not None]
                if self.value(condition) is _BEYOND or not all(map(self.follows, branches)):
                    return False
                self._forget(branches)
                return True
            case Declare(variables=variables):
                return all(
                    one.initial is None or self._assigned(VarRef(one.symbol), one.initial)
                    for one in variables
                )
            case ExprStatement(expr=expr):
                return self.value(expr) is not _BEYOND
            case _:
                return all(map(self.follows, children(node)))

    def _follows_turns(self, loop: For) -> bool:
        if loop.initial is None or loop.condition is None or loop.increment is None:
            return False
        if not self.follows(loop.initial):
            return False
        turns = 0
        while (goes_on := self.value(loop.condition)) not in (0, None, _BEYOND):
            turns += 1
            self.turns += 1
            if turns > _MOST_TURNS or self.turns > _MOST_IN_ALL or not self.follows(loop.body):
                return False
            if self.value(loop.increment) is _BEYOND:
                return False
        return goes_on == 0

    def _forget(self, parts: Iterable[Node]) -> None:
        """What is changed there, perhaps, is not known any more."""
        for one in (inner for part in parts for inner in walk(part)):
            changed = one.target if isinstance(one, Assign) else None
            changed = one.operand if isinstance(one, Unary) and one.op != "*" else changed
            if isinstance(changed, VarRef):
                self.known.pop(changed.symbol, None)

    def _assigned(self, place: VarRef, value: Expr) -> bool:
        number = self.value(value)
        self.known.pop(place.symbol, None)
        if isinstance(number, int) and place.type.kind is TypeKind.INTEGER:
            self.known[place.symbol] = number
        return number is not _BEYOND

    def value(self, expr: Expr) -> int | _Beyond | None:
        """The number, if it is known; _BEYOND where an element is none of the array, or an array
        is named as a whole."""
        number = integer_value(expr)
        if number is not None:
            return number
        match expr:
            case VarRef(symbol=symbol):
                return _BEYOND if symbol in self.sizes else self.known.get(symbol)
            case Index():
                return self._element(expr)
            case Assign(op="=", target=VarRef() as target, value=value):
                return self.known.get(target.symbol) if self._assigned(target, value) else _BEYOND
            case Unary(op="++" | "--" as op, operand=VarRef(symbol=symbol)):
                before = self.known.get(symbol)
                if before is None:
                    return None
                self.known[symbol] = before + 1 if op == "++" else before - 1
                return before if expr.postfix else self.known[symbol]
            case Assign(op=op, target=VarRef() as target, value=value):
                made = Binary(op.removesuffix("="), target, value, target.type)
                return self.known.get(target.symbol) if self._assigned(target, made) else _BEYOND
            case _:
                pass
        parts = [self.value(one) for one in children(expr) if isinstance(one, Expr)]
        if _BEYOND in parts:
            return _BEYOND
        if isinstance(expr, Conditional) or (isinstance(expr, Unary) and expr.op == "&"):
            self._forget((expr,))
        if isinstance(expr, Binary) and expr.op in ("&&", "||"):
            self._forget((expr.right,))
        match expr, parts:
            case ((Paren() | Cast()), [int(inner)]) if expr.type.kind is TypeKind.INTEGER:
                return inner
            case Binary(op=op), [int(one), int(other)] if op in _KNOWN:
                return int(_KNOWN[op](one, other))
            case _:
                return None

    def _element(self, place: Expr) -> int | _Beyond | None:
        indices: list[Expr] = []
        base = place
        while isinstance(base, Index):
            indices.insert(0, base.index)
            base = base.base
        found = [self.value(one) for one in indices]
        extents = self.sizes.get(base.symbol) if isinstance(base, VarRef) else None
        if extents is None:
            return _BEYOND if _BEYOND in (*found, self.value(base)) else None
        inside = len(found) == len(extents) and all(
            isinstance(one, int) and 0 <= one < extent
            for one, extent in zip(found, extents, strict=True)
        )
        return None if inside else _BEYOND


def _extents(array: Symbol) -> tuple[int, ...]:
    found: list[int] = []
    ctype = array.type
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        found.append(ctype.extent or 0)
        ctype = ctype.element
    return tuple(found)
