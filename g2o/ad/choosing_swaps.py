"""Minima and maxima in compare-and-swap loops.

    atomicCAS(bits, assumed, __float_as_int(fmaxf(v, __int_as_float(assumed))))
    while (v > __int_as_float(old)) { ... atomicCAS(bits, assumed, __float_as_int(v)) ... }

What is looked at is canonical: the number that was expected is `<number>(e)`, its bits are e.
"""

from __future__ import annotations

from typing import Final

from g2o.ir.expressions import Binary, Call, Conditional, Expr, Literal

FOUND: Final = Literal("<found>")  # the bits that the swap found in memory
NUMBER: Final = "<number>"  # the number with these bits
BITS: Final = "<bits>"  # the bits of this number

_FUNCTIONS: Final = {
    "fmax": "Max", "fmaxf": "Max", "max": "Max", "fmin": "Min", "fminf": "Min", "min": "Min",
}  # fmt: skip
_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE: Final = {"Min": "Max", "Max": "Min"}


def chosen(new: Expr, number: Expr) -> tuple[Expr, str] | None:
    """The number v of which `new` is the minimum or maximum with `number`, and which of these."""
    match new:
        case Call(name=name, arguments=(one, other)) if name in _FUNCTIONS:
            if number in (one, other):
                return (other if one == number else one), _FUNCTIONS[name]
            return None
        case Conditional(condition=condition, if_true=one, if_false=other) if number in (
            one,
            other,
        ):
            value = other if one == number else one
            kind = _where_it_wins(condition, value, number)
            if not kind:
                return None
            return value, kind if one == value else _OPPOSITE[kind]
        case _:
            return None


def kind_of_loop(condition: Expr, number: Expr, new: Expr) -> str:
    """Of a loop that goes on while its number is the better one: which one that is; empty where
    the condition says anything else."""
    if not isinstance(new, Call) or new.name != BITS:
        return ""
    return _where_it_wins(condition, new.arguments[0], number)


def kind_unless(condition: Expr, number: Expr, new: Expr) -> str:
    """Of a loop that is left under a condition before it stores its number: which one this is."""
    return _OPPOSITE.get(kind_of_loop(condition, number, new), "")


def leaves_when_hopeless(condition: Expr, number: Expr, value: Expr, kind: str) -> bool:
    """Is the loop left where `value` would not take the place of `number`?"""
    found = _where_it_wins(condition, value, number)
    return bool(found) and found == _OPPOSITE.get(kind)


def _where_it_wins(condition: Expr, value: Expr, number: Expr) -> str:
    """Max where the condition says that the value is larger than the number, Min for smaller."""
    match condition:
        case Binary(op=op, left=left, right=right) if op in _TURNED:
            if (left, right) == (number, value):
                op = _TURNED[op]
            elif (left, right) != (value, number):
                return ""
            return "Max" if op in (">", ">=") else "Min"
        case _:
            return ""
