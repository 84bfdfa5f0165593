"""Places in arrays as they were some iterations back, as a person writes them.

at + (k + 1) * w, two iterations back, is at + (k - 1) * w; c + plane, where every iteration adds
`plane` to `c`, is c one iteration back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from g2o.ir.expressions import (
    Binary,
    Expr,
    Form,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    is_primary,
    strip_parens,
)
from g2o.ir.statements import Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT

Term = tuple[int, Expr]


def moved_place(place: Expr, moves: Mapping[Symbol, tuple[int, Expr]]) -> Expr:
    """A signed place in which each of these variables is so many times an amount further on."""

    def replacement(node: Node) -> Node | None:
        match node:
            case VarRef(symbol=symbol) if moves.get(symbol, (0, INT))[0]:
                return _collected([(1, node), *_multiple(*moves[symbol])], node)
            case Paren(inner=inner):
                new = rewrite(inner, replacement)
                if new is inner:
                    return node
                return new if is_primary(new) else replace(node, inner=new, form=Form.BUILT)
            case Binary(op="+" | "-"):
                old = terms_of(node)
                changed = [(sign, rewrite(one, replacement)) for sign, one in old]
                if all(new is one for (_, new), (_, one) in zip(changed, old, strict=True)):
                    return node
                return _collected(_of_multiples(_flat(changed)), node)
            case Binary(op="*", left=left, right=right):
                one, two = rewrite(left, replacement), rewrite(right, replacement)
                if one is left and two is right:
                    return node
                return replace(node, left=_factor(one), right=_factor(two), form=Form.BUILT)
            case _:
                return None

    return rewrite(place, replacement)


def place_beside(place: Expr, further: Sequence[Term]) -> Expr:
    """A place so much further on: `(y + 1) * w + x` for `y * w + x` and `w`."""
    return _collected(_of_multiples(_flat([(1, place), *further])), place)


def terms_of(expr: Expr) -> list[Term]:
    """What a sum adds up, with the sign of each."""
    match expr:
        case Paren(inner=inner):
            return terms_of(inner)
        case Binary(op="+" | "-" as op, left=left, right=right):
            sign = 1 if op == "+" else -1
            return [*terms_of(left), *((sign * own, one) for own, one in terms_of(right))]
        case Unary(op="-", operand=operand):
            return [(-own, one) for own, one in terms_of(operand)]
        case _:
            return [(1, expr)]


def _flat(terms: list[Term]) -> list[Term]:
    return [(sign * own, one) for sign, whole in terms for own, one in terms_of(whole)]


def _multiple(times: int, amount: Expr) -> list[Term]:
    """So many times an amount, as terms."""
    sign, number = (1 if times > 0 else -1), abs(times)
    value = integer_value(amount)
    if value is not None and isinstance(strip_parens(amount), Literal):
        return [(sign, Literal(str(number * value), number * value, INT))]
    if number == 1:
        return [(sign * own, one) for own, one in terms_of(amount)]
    own, base = _scaled(amount)
    if own != 1:
        return _multiple(times * own, base)
    return [(sign, Binary("*", Literal(str(number), number, INT), _factor(amount), amount.type))]


def _of_multiples(terms: list[Term]) -> list[Term]:
    """`k * w + w` as `(k + 1) * w`."""
    result = list(terms)
    for position, (sign, term) in enumerate(result):
        if not isinstance(term, Binary) or term.op != "*":
            continue
        for at, (other, one) in enumerate(result):
            factor, base = _scaled(one)
            if at == position or base != strip_parens(term.right) or one == term:
                continue
            amount = Literal(str(abs(factor)), abs(factor), INT)
            number = [*terms_of(term.left), (sign * other * (1 if factor > 0 else -1), amount)]
            left = _collected(number, term.left)
            made = replace(term, left=_factor(left), form=Form.BUILT)
            rest = [each for n, each in enumerate(result) if n not in (at, position)]
            match strip_parens(left):
                case Literal(value=0):
                    return _of_multiples(rest)
                case Literal(value=1):
                    return _of_multiples([*rest, (sign, term.right)])
                case Unary(op="-", operand=Literal(value=1)):
                    return _of_multiples([*rest, (-sign, term.right)])
                case _:
                    result[position] = (sign, made)
                    return _of_multiples([*result[:at], *result[at + 1 :]])
    return result


def _collected(terms: list[Term], like: Expr) -> Expr:
    """The sum of the terms, without those that cancel, and with one number at its end."""
    number = 0
    groups: dict[Expr, list[Term]] = {}
    for sign, term in terms:
        value = integer_value(term) if isinstance(strip_parens(term), Literal) else None
        if value is not None:
            number += sign * value
        else:
            groups.setdefault(_scaled(term)[1], []).append((sign, term))
    left: list[Term] = []
    for base, group in groups.items():
        factor = sum(sign * _scaled(term)[0] for sign, term in group)
        left += group if len(group) == 1 else _multiple(factor, base) if factor else []
    left.sort(key=lambda one: one[0] < 0)  # a sum begins with what it adds
    result: Expr | None = None
    for sign, term in left:
        if result is None:
            result = term if sign > 0 else Unary("-", term, type=like.type)
        else:
            result = Binary("+" if sign > 0 else "-", result, term, like.type)
    if result is None or number:
        amount = Literal(str(abs(number)), abs(number), INT)
        if result is None:
            return amount if number >= 0 else Unary("-", amount, type=like.type)
        result = Binary("+" if number > 0 else "-", result, amount, like.type)
    return result


def _scaled(term: Expr) -> tuple[int, Expr]:
    """`3 * w` as 3 and `w`."""
    match strip_parens(term):
        case Binary(op="*", left=left, right=right) if isinstance(strip_parens(left), Literal):
            number = integer_value(left)
            return (1, term) if number is None else (number, strip_parens(right))
        case bare:
            return 1, bare


def _factor(expr: Expr) -> Expr:
    return expr if is_primary(expr) else Paren(expr, expr.type)
