"""What a value is made of: of which threads of a block the variable is part of it, or of a shared
array, which elements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.pure_functions import is_pure
from g2o.analysis.thread_values import wrapped
from g2o.ir.expressions import (
    Binary,
    Call,
    Expr,
    Literal,
    Unary,
    integer_value,
    strip_parens,
)
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, CType, TypeKind

_HIGHEST: Final = frozenset({"FLT_MAX", "DBL_MAX"})
_INFINITE: Final = frozenset({"INFINITY", "HUGE_VALF", "HUGE_VAL"})
_EXTREMES_OF_REALS: Final = {"fmaxf": "max", "fmax": "max", "fminf": "min", "fmin": "min"}
_EXTREMES: Final = {**_EXTREMES_OF_REALS, "max": "max", "min": "min"}
_FLOAT, _DOUBLE = 32, 64
_INFINITE_CALLS: Final = frozenset(
    {"__builtin_inff", "__builtin_inf", "__builtin_huge_valf", "__builtin_huge_val"}
)
_OPPOSITE: Final = {"min": "max", "max": "min"}
_INTEGERS: Final = (TypeKind.INTEGER, TypeKind.BOOL)


Order = int | frozenset["Order"]
"""A thread, or two orders that were joined; which of them came first makes no difference."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Combined:
    """What `base` holds in those threads of the block whose bits `parts` has, once each, joined by
    `operator`; that is "" where it is one of them alone. The bits of a shared array stand for its
    elements. An extreme is that of the number `start`, too, if any. `order` is that in which they
    were joined, two and two; None where it is not known."""

    base: Symbol
    operator: str
    parts: int
    start: Expr | None = None
    order: Order | None = None

    @property
    def means(self) -> tuple[Symbol, str, Expr | None]:
        """All but whose values are part of it."""
        return self.base, self.operator, self.start

    def same_as(self, other: Combined) -> bool:
        return self.means == other.means and self.parts == other.parts


@final
@dataclass(frozen=True, slots=True)
class Start:
    """A real number that other values begin with: zero for sums (`add`), and for extremes (`max`
    or `min`) the least, or greatest, of all; any other extreme is that of its `value`, too."""

    of: str
    value: Expr | None = None


Item = int | Combined | Start | None
"""What one thread has; None for what is not known."""


def extreme_of(call: Call) -> str | None:
    """`max` or `min`, where a call gives the greater or the lesser of two numbers as they are."""
    kind = _EXTREMES.get(call.name) if is_pure(call) else None
    if kind is None or len(call.arguments) != 2:
        return None
    first, second = call.arguments
    if call.name in _EXTREMES_OF_REALS:
        most = _FLOAT if call.name.endswith("f") else _DOUBLE
        kept = all(
            one.type.kind is TypeKind.FLOATING and one.type.bits <= most for one in (first, second)
        )
    else:
        kept = _compare_as_numbers(first, second)
    return kind if kept else None


def _compare_as_numbers(left: Expr, right: Expr) -> bool:
    """Does a comparison keep the values of both? That of a negative number with an unsigned one
    does not."""
    if any(one.type.kind not in (*_INTEGERS, TypeKind.FLOATING) for one in (left, right)):
        return False
    if TypeKind.FLOATING in (left.type.kind, right.type.kind):
        return True
    signed, unsigned = (left, right) if left.type.is_signed else (right, left)
    if signed.type.is_signed == unsigned.type.is_signed:
        return True
    if unsigned.type.bits < max(signed.type.bits, INT.bits):
        return True
    known = integer_value(signed)
    return known is not None and known >= 0


def may_be_combined(kind: str, value: Expr, base: CType) -> bool:
    """Is a value, converted to the type before it is combined with others, what it was? A sum of
    integers may lose what all of them lose; extremes of real numbers are rounded before or after.
    """
    ctype = value.type
    if base.kind is TypeKind.FLOATING:
        return ctype.kind in (*_INTEGERS, TypeKind.FLOATING)
    if ctype.kind not in _INTEGERS:
        return False
    known = integer_value(value)
    if kind == "add" or (known is not None and 0 <= known < 1 << (base.bits - base.is_signed)):
        return True
    if base.is_signed:
        return ctype.bits < base.bits or (ctype.is_signed and ctype.bits == base.bits)
    return not ctype.is_signed and ctype.bits <= base.bits


def combination(kind: str, left: Item, right: Item) -> Item:
    """Two values by an operator; None where that says more than how often a value is part of it."""
    if isinstance(left, int) and isinstance(right, int):
        return {"add": left + right, "max": max(left, right), "min": min(left, right)}[kind]
    if isinstance(left, Start) and left == right and (left.of in ("add", kind) or kind != "add"):
        return left
    if not isinstance(left, Combined):
        left, right = right, left
    if not isinstance(left, Combined):
        return None
    if left.operator not in ("", kind):
        return None
    if not isinstance(right, Combined):
        return _from_start(kind, left, right)
    if left.base != right.base or right.operator not in ("", kind):
        return None
    starts = [one for one in (left.start, right.start) if one is not None]
    if len(starts) == 2 and starts[0] != starts[1]:
        return None
    start = starts[0] if starts else None
    if kind == "add" and left.parts & right.parts:
        return None  # twice
    order: Order | None = None
    if left.order is not None and right.order is not None:
        order = frozenset((left.order, right.order))
    return Combined(left.base, kind, left.parts | right.parts, start, order)


def by_halves(first: int, count: int) -> Order:
    """The order in which shuffles by half of the threads, by a quarter, ... and by one join what
    they have; `count` is a power of two."""
    orders: list[Order] = list(range(first, first + count))
    while len(orders) > 1:
        half = len(orders) // 2
        orders = [frozenset(pair) for pair in zip(orders[:half], orders[half:], strict=True)]
    return orders[0]


def _from_start(kind: str, value: Combined, start: Item) -> Item:
    """A value and a number that it begins with."""
    if kind == "add":
        return value if start == 0 or (isinstance(start, Start) and start.of == "add") else None
    match start:
        case Start(of=of, value=first) if first is not None or of == kind:
            pass
        case int():
            first = Literal(_spelled(start), start)
        case _:
            return None
    if first is None or first == value.start:
        return value
    return replace(value, operator=kind, start=first) if value.start is None else None


def _spelled(number: int) -> str:
    """C++ takes the sign of the least number for an operator, and what is behind it for too large;
    so it does with what only an unsigned type holds."""
    if number == -(1 << 63):
        return f"({number + 1} - 1)"
    return f"{number}u" if number >= 1 << 63 else str(number)


def is_infinity(call: Call) -> bool:
    """Is it what `INFINITY` and its like stand for?"""
    return call.name in _INFINITE_CALLS and not call.arguments


def of_literal(literal: Literal) -> Item:
    if literal.value is not None:
        return literal.value
    text = literal.text
    if text in _INFINITE:
        return Start("min")
    if text in _HIGHEST:
        return Start("min", literal)
    try:
        number = float(text.rstrip("fFlL"))
    except ValueError:
        return None
    return Start("add" if number == 0 else "", literal)


def negated(op: str, item: Item) -> Item:
    if isinstance(item, int):
        return {"-": -item, "+": item, "!": int(not item), "~": ~item}[op]
    if op == "-" and isinstance(item, Start):
        value = None if item.value is None else Unary("-", item.value)
        return Start(_OPPOSITE.get(item.of, item.of), value)
    return item if op == "+" else None


def converted(item: Item, spelled: str) -> Item:
    """What is left of a value by a conversion: all of it where the type stays the same."""
    if isinstance(item, Combined):
        return item if _bare(element_type(item.base).spelling) == _bare(spelled) else None
    return item if isinstance(item, Start) else None


def _bare(spelled: str) -> str:
    return " ".join(word for word in spelled.split() if word not in ("const", "volatile"))


def element_type(array: Symbol) -> CType:
    ctype = array.type
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        ctype = ctype.element
    return ctype


def of_comparison(condition: Expr, if_true: Expr, if_false: Expr) -> str | None:
    """`max` for `a > b ? a : b`, `min` for `a < b ? a : b`."""
    compared = strip_parens(condition)
    if not isinstance(compared, Binary) or compared.op not in ("<", "<=", ">", ">="):
        return None
    sides = strip_parens(compared.left), strip_parens(compared.right)
    if not _compare_as_numbers(*sides):
        return None
    given = strip_parens(if_true), strip_parens(if_false)
    is_greater = compared.op.startswith(">")
    if sides == given:
        return "max" if is_greater else "min"
    return ("min" if is_greater else "max") if sides == given[::-1] else None


def fitted(item: Item, ctype: CType) -> Item:
    """What a variable of the type holds of a value that it is given."""
    if isinstance(item, int):
        return integer(wrapped(item, ctype)) if ctype.kind in _INTEGERS else _zero_or_unknown(item)
    return converted(item, ctype.spelling)


def _zero_or_unknown(item: int) -> Item:
    return Start("add") if item == 0 else None


def integer(value: object) -> int | None:
    return value if isinstance(value, int) else None


def is_same(left: Item, right: Item) -> bool:
    if isinstance(left, Combined) and isinstance(right, Combined):
        return left.same_as(right)
    return left is not None and left == right
