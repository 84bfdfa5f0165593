"""Variables that are the number of a lane, whatever happens: 0 to 31.

    for (int offset = 16; offset > 0; offset /= 2)
    for (int mask = 1; mask < 32; mask *= 2)

Shuffles take the low five bits of what they combine the number of a lane with. Of these variables
that is all, so that `lane ^ mask` is a lane. The same with fewer lanes, which a parameter of a
template may count, for the lanes of a tile.
"""

from __future__ import annotations

from g2o.analysis.effects import EffectsOf
from g2o.analysis.natural_values import stores_of, written_otherwise
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Cast,
    Code,
    Expr,
    LaunchRef,
    Literal,
    Paren,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, For
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk

_LANES = 32


def is_lane_mask(expr: Expr, width: Expr | None = None) -> bool:
    """Is it from 0 to one less than `width` lanes, of which None is a warp?"""
    value, lanes = _value(expr), _LANES if width is None else _value(width)
    if value is not None and lanes is not None:
        return 0 <= value < lanes
    match strip_parens(expr):
        case Binary(op="/" | ">>" as op, left=left, right=right):
            parts = _value(right)
            return strip_parens(left) == width and parts is not None and parts > (op == "/")
        case Binary(op="&", left=left, right=right):
            return any(
                _value(side) is not None and is_lane_mask(side, width) for side in (left, right)
            )
        case _:
            return value == 0


def stays_inside(mask: Expr, width: Expr | None, body: Block, effects: EffectsOf) -> bool:
    """Does `lane ^ mask`, somewhere in `body`, stay in the group of `width` lanes?"""
    bare = strip_parens(mask)
    if isinstance(bare, VarRef):
        return bare.symbol in lane_masks(body, effects, width)
    return is_lane_mask(mask, width)


def lane_masks(body: Block, effects: EffectsOf, width: Expr | None = None) -> frozenset[Symbol]:
    """The variables of `body` that are never anything else, wherever they are looked at."""
    stores: dict[Symbol, list[Expr]] = {}
    changed: set[Symbol] = set()
    counters: set[Symbol] = set()
    for node in walk(body):
        known = list(stores_of(node))
        for symbol, value in known:
            stores.setdefault(symbol, []).append(value)
        changed |= written_otherwise(node, effects) - {symbol for symbol, _ in known}
        if isinstance(node, For):
            counters |= _limited(node, effects, width)
    return frozenset(
        symbol
        for symbol, values in stores.items()
        if symbol.storage is Storage.LOCAL
        and symbol not in changed
        and all(
            is_lane_mask(value, width) or _shrinks(symbol, value) or symbol in counters
            for value in values
        )
    )


def _limited(loop: For, effects: EffectsOf, width: Expr | None) -> set[Symbol]:
    """The counter that a loop declares with a lane's number, which grows in its increment alone,
    and whose limit is at most the number of lanes: in the body it is a lane's number."""
    declared, condition, increment = loop.initial, loop.condition, loop.increment
    if not isinstance(declared, Declare) or increment is None:
        return set()
    match condition and strip_parens(condition):
        case Binary(op="<" | "<=" as op, left=VarRef(symbol=symbol), right=right):
            pass
        case _:
            return set()
    starts = [one.initial for one in declared.variables if one.symbol == symbol]
    below = is_lane_mask(right, width) or (op == "<" and _is_count(right, width))
    if not below or symbol in effects.of(loop.body).writes:
        return set()
    if len(starts) != 1 or starts[0] is None or not is_lane_mask(starts[0]):
        return set()
    steps = [value for node in walk(increment) for one, value in stores_of(node) if one == symbol]
    return {symbol} if all(_grows(symbol, step) for step in steps) else set()


def _is_count(expr: Expr, width: Expr | None) -> bool:
    """Is it the number of lanes?"""
    value = _value(expr)
    lanes = _LANES if width is None else _value(width)
    return strip_parens(expr) == width or (value is not None and value == lanes)


def _shrinks(symbol: Symbol, value: Expr) -> bool:
    """Is it the variable divided by something positive?"""
    match strip_parens(value):
        case Binary(op="/" | ">>" as op, left=left, right=right):
            divisor = _value(right)
            whole = strip_parens(left)
            same = isinstance(whole, VarRef) and whole.symbol == symbol
            return same and divisor is not None and divisor >= (op == "/")
        case _:
            return False


def _grows(symbol: Symbol, value: Expr) -> bool:
    """Is it the variable with something added that is not negative, or times something positive?"""
    match strip_parens(value):
        case Binary(op="+" | "*" | "<<" as op, left=left, right=right):
            number = _value(right)
            whole = strip_parens(left)
            same = isinstance(whole, VarRef) and whole.symbol == symbol
            return same and number is not None and (op == "*") <= number < _LANES
        case _:
            return False


def _value(expr: Expr) -> int | None:
    """The value of a constant, `warpSize / 2` among them."""
    match expr:
        case Literal(value=int(value)):
            return value
        case Paren(inner=inner) | Cast(operand=inner):
            return _value(inner)
        case LaunchRef(builtin=Builtin.WARP_SIZE) | Code(parts=("g2o::warp_size",)):
            return _LANES
        case Binary(op="/" | ">>" | "-" as op, left=left, right=right):
            first, second = _value(left), _value(right)
            if first is None or second is None or (op == "/" and second == 0) or second < 0:
                return None
            return {"/": first // (second or 1), ">>": first >> second, "-": first - second}[op]
        case _:
            return None
