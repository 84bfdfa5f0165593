"""Shuffles, turned around: what a lane handed out comes back from the lanes that took it.

other = shfl_xor(v, m)     the partner took v:                d_v += shfl_xor(d_other, m)
other = shfl_down(v, k)    lane - k took v, and the last k    d_v += shfl_up(d_other, k) where
                           lanes kept their own                      there is a lane - k, and
                                                              d_v += d_other where lane + k is
                                                              outside
other = shfl(v, l)         the lanes that asked for l:        d_v += sum over lanes
sum = reduce_add(v)        all lanes:                         d_v += reduce_add(d_sum)
s = inclusive_scan_add(v)  the lanes from here on:            d_v += inclusive_scan_back_add(d_s)

Where a warp is not complete, or lanes go different ways, those that do not take part have handed
out nothing: `activemask` says which lanes do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ad.increments import zero
from g2o.ad.lanes import Meeting, Part
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Cast,
    Conditional,
    Expr,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
    all_of,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    Exchange,
    ExprStatement,
    For,
    If,
    Scope,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.types import BOOL, INT, UNSIGNED, CType

_SCANS: Final = ("inclusive_scan_add", "exclusive_scan_add")
SHUFFLES: Final = ("shfl", "shfl_up", "shfl_down", "shfl_xor", "reduce_add", *_SCANS)
LINEAR: Final = (*SHUFFLES, *(one.replace("scan", "scan_back") for one in _SCANS))
"""Those of primals and of adjoints: what comes of tangents is the tangent of what comes."""

_WARP: Final = 32


@final
@dataclass(frozen=True, slots=True)
class Shuffle:
    """An exchange with operands that the reverse sweep has. `axes` are those along which the
    kernel tells threads apart, `seed` is the shadow of the result."""

    operation: str
    operands: tuple[Expr, ...]
    scope: Scope
    width: Expr | None
    seed: Expr
    ctype: CType
    axes: tuple[int, ...]
    meeting: Meeting

    @property
    def lanes(self) -> int | None:
        """How many lanes make a group, unless a template says it."""
        return _WARP if self.width is None else integer_value(self.width)

    @property
    def count(self) -> Expr:
        """The same as the source spells it."""
        return _number(_WARP) if self.width is None else self.width

    def number(self, lane: Expr) -> Expr:
        """A lane, to be compared with others: as a signed number where a template's argument is."""
        return Paren(lane, UNSIGNED) if self.lanes is not None else Cast(lane, INT)

    @property
    def last(self) -> Expr:
        """The last lane of a group, a power of two less one."""
        if self.lanes is not None:
            return _number(self.lanes - 1)
        return Paren(Binary("-", self.count, _number(1), INT), INT)


def returned(shuffle: Shuffle, symbols: SymbolTable) -> tuple[list[Stmt], Expr]:
    """Statements after which the expression is what comes back to the lane."""
    match shuffle.operation:
        case "shfl_xor" if shuffle.meeting.is_uniform:
            return _swapped(shuffle, symbols)
        case "shfl_up" | "shfl_down" if shuffle.meeting.is_uniform:
            return _shifted(shuffle, symbols)
        case "shfl_xor" | "shfl_up" | "shfl_down":
            return _gathered(_by_number(shuffle), symbols)
        case "reduce_add" | "inclusive_scan_add" | "exclusive_scan_add" as operation:
            turned = operation.replace("scan", "scan_back")
            back, statements = _exchanged(shuffle, turned, (), shuffle.width, symbols)
            return statements, back
        case _:
            return _gathered(shuffle, symbols)


def _by_number(shuffle: Shuffle) -> Shuffle:
    """The shuffle of a distance as one that names the lane that is read."""
    lane, place, last = _own_lane(shuffle), _lane(shuffle), shuffle.last
    distance: Expr = Paren(shuffle.operands[0], UNSIGNED)
    match shuffle.operation:
        case "shfl_up":
            source = Binary("-", lane, distance, UNSIGNED)
            inside = Binary(">=", place, distance, BOOL)
        case "shfl_down":
            source = Binary("+", lane, distance, UNSIGNED)
            inside = Binary("<=", Binary("+", place, distance, UNSIGNED), last, BOOL)
        case _:
            source = Binary("^", lane, distance, UNSIGNED)
            latest = Paren(Binary("|", lane, last, UNSIGNED), UNSIGNED)
            inside = Binary("<=", Paren(source, UNSIGNED), latest, BOOL)
    chosen = Conditional(inside, source, lane, UNSIGNED)
    return replace(shuffle, operation="shfl", operands=(chosen,), width=None)


def _swapped(shuffle: Shuffle, symbols: SymbolTable) -> tuple[list[Stmt], Expr]:
    mask, width = shuffle.operands[0], shuffle.width
    inside = shuffle.lanes == _WARP or shuffle.meeting.is_inside
    if not inside:
        width = Literal(str(_WARP), _WARP, INT)
    back, statements = _exchanged(shuffle, "shfl_xor", (mask,), width, symbols)
    lane = _own_lane(shuffle)
    partner = Binary("^", lane, Paren(mask, mask.type), UNSIGNED)
    there = _Presence(symbols, shuffle.scope)
    conditions = [] if shuffle.meeting.part is Part.WHOLE else [there.of(partner)]
    kept: Expr | None = None
    if not inside:
        # A lane reads from earlier groups, but not from later ones.
        first = Binary("|", Paren(partner, UNSIGNED), shuffle.last, UNSIGNED)
        second = Binary("|", lane, shuffle.last, UNSIGNED)
        conditions.append(Binary(">=", shuffle.number(first), shuffle.number(lane), BOOL))
        own = Binary(">", shuffle.number(partner), shuffle.number(second), BOOL)
        kept = Paren(Conditional(own, shuffle.seed, zero(shuffle.ctype), shuffle.ctype))
    taken: Expr = _where(conditions, back, shuffle.ctype)
    if kept is not None:
        taken = Binary("+", Paren(taken, shuffle.ctype), kept, shuffle.ctype)
    return [*there.declared, *statements], taken


def _exchanged(
    shuffle: Shuffle,
    operation: str,
    operands: tuple[Expr, ...],
    width: Expr | None,
    symbols: SymbolTable,
) -> tuple[Expr, list[Stmt]]:
    """The seeds of other lanes."""
    spelled = _spelled(shuffle.ctype)
    handed = symbols.fresh("handed", shuffle.ctype, Storage.LOCAL)
    result = symbols.fresh("returned", shuffle.ctype, Storage.LOCAL)
    return VarRef(result), [
        Declare((Variable(handed, spelled, "", shuffle.seed, "="),)),
        Declare((Variable(result, spelled),)),
        Exchange(operation, result, (VarRef(handed), *operands), shuffle.scope, width),
    ]


def _shifted(shuffle: Shuffle, symbols: SymbolTable) -> tuple[list[Stmt], Expr]:
    down = shuffle.operation == "shfl_down"
    delta = shuffle.operands[0]
    operation = "shfl_up" if down else "shfl_down"
    back, statements = _exchanged(shuffle, operation, (delta,), shuffle.width, symbols)
    lane = _lane(shuffle)
    before = Binary(">=", lane, delta, BOOL)
    behind = Binary("<", Binary("+", lane, delta, UNSIGNED), shuffle.count, BOOL)
    taken, own = (before, behind) if down else (behind, before)
    there = _Presence(symbols, shuffle.scope)
    conditions: list[Expr] = [taken]
    if shuffle.meeting.part is Part.SOME or (shuffle.meeting.part is Part.FIRST and not down):
        taker = Binary("-" if down else "+", _own_lane(shuffle), delta, UNSIGNED)
        conditions.append(there.of(taker))
    nothing = zero(shuffle.ctype)
    from_other = Paren(_where(conditions, back, shuffle.ctype), shuffle.ctype)
    kept = Paren(Conditional(own, nothing, shuffle.seed, shuffle.ctype), shuffle.ctype)
    return [*there.declared, *statements], Binary("+", from_other, kept, shuffle.ctype)


def _gathered(shuffle: Shuffle, symbols: SymbolTable) -> tuple[list[Stmt], Expr]:
    """Asks every lane of the group whom it read from."""
    operand, value = shuffle.operands[0], integer_value(shuffle.operands[0])
    wrapped: Expr = Paren(Binary("&", Paren(operand, operand.type), shuffle.last, INT), INT)
    if value == 0:
        wrapped = _number(0)
    elif value is not None and shuffle.lanes is not None:
        wrapped = _number(value & (shuffle.lanes - 1))
    own = Cast(_lane(shuffle), INT)
    if shuffle.meeting.is_uniform:
        back, statements = _exchanged(shuffle, "reduce_add", (), shuffle.width, symbols)
        taken = Binary("==", own, wrapped, BOOL)
        return statements, Conditional(taken, back, zero(shuffle.ctype), shuffle.ctype)
    spelled = _spelled(shuffle.ctype)
    total = symbols.fresh("returned", shuffle.ctype, Storage.LOCAL)
    handed = symbols.fresh("handed", shuffle.ctype, Storage.LOCAL)
    asked = symbols.fresh("asked", INT, Storage.LOCAL)
    lane = symbols.fresh("lane", INT, Storage.LOCAL)
    source = symbols.fresh("source", INT, Storage.LOCAL)
    other = symbols.fresh("other", shuffle.ctype, Storage.LOCAL)
    there = _Presence(symbols, shuffle.scope)
    conditions: list[Expr] = []
    if shuffle.meeting.part is not Part.WHOLE:
        number: Expr = VarRef(lane)
        if shuffle.lanes != _WARP:
            place = Paren(_lane(shuffle), UNSIGNED)
            group = Binary("-", _own_lane(shuffle), place, UNSIGNED)
            number = Binary("+", group, number, UNSIGNED)
        conditions.append(there.of(number))
    conditions.append(Binary("==", VarRef(source), own, BOOL))
    loop = For(
        Declare((Variable(lane, "int", "", _number(0), "="),)),
        Binary("<", VarRef(lane), shuffle.count, BOOL),
        Unary("++", VarRef(lane), type=INT),
        Block(
            (
                Declare((Variable(source, "int"),)),
                _asked("shfl", source, asked, lane, shuffle),
                Declare((Variable(other, spelled),)),
                _asked("shfl", other, handed, lane, shuffle),
                If(
                    all_of(conditions),
                    ExprStatement(Assign("+=", VarRef(total), VarRef(other), shuffle.ctype)),
                ),
            )
        ),
    )
    return [
        *there.declared,
        Declare((Variable(handed, spelled, "", shuffle.seed, "="),)),
        Declare((Variable(asked, "int", "", wrapped, "="),)),
        Declare((Variable(total, spelled, "", zero(shuffle.ctype), "="),)),
        loop,
    ], VarRef(total)


def _asked(operation: str, result: Symbol, value: Symbol, lane: Symbol, shuffle: Shuffle) -> Stmt:
    operands = (VarRef(value), VarRef(lane))
    return Exchange(operation, result, operands, shuffle.scope, shuffle.width)


@final
class _Presence:
    """Asks whether lanes take part. `declared` has to come first."""

    def __init__(self, symbols: SymbolTable, scope: Scope) -> None:
        self.symbols = symbols
        self.scope = scope
        self.declared: list[Stmt] = []
        self.lanes: Symbol | None = None

    def of(self, lane: Expr) -> Expr:
        if self.lanes is None:
            self.lanes = self.symbols.fresh("there", UNSIGNED, Storage.LOCAL)
            self.declared = [
                Declare((Variable(self.lanes, "unsigned"),)),
                Exchange("activemask", self.lanes, (), self.scope),
            ]
        number = lane if isinstance(lane, VarRef) else Paren(lane, lane.type)
        shifted = Paren(Binary(">>", VarRef(self.lanes), number, UNSIGNED), UNSIGNED)
        bit = Binary("&", shifted, Literal("1u", 1, UNSIGNED), UNSIGNED)
        return Binary("!=", Paren(bit, UNSIGNED), _number(0), BOOL)


def _where(conditions: list[Expr], value: Expr, ctype: CType) -> Expr:
    if not conditions:
        return value
    return Conditional(all_of(conditions), value, zero(ctype), ctype)


def _number(value: int) -> Expr:
    return Literal(str(value), value, INT)


def _lane(shuffle: Shuffle) -> Expr:
    """The lane's place in its group."""
    return Binary("%", _rank(shuffle), shuffle.count, UNSIGNED)


def _own_lane(shuffle: Shuffle) -> Expr:
    """The lane's place in its warp."""
    return Paren(Binary("%", _rank(shuffle), _number(_WARP), UNSIGNED), UNSIGNED)


def _rank(shuffle: Shuffle) -> Expr:
    """The thread's place in its block."""
    rank: Expr = LaunchRef(Builtin.THREAD_INDEX, 0, UNSIGNED)
    if 2 in shuffle.axes:
        above = Binary(
            "*",
            LaunchRef(Builtin.BLOCK_DIM, 1, UNSIGNED),
            LaunchRef(Builtin.THREAD_INDEX, 2, UNSIGNED),
            UNSIGNED,
        )
        row = Binary("+", LaunchRef(Builtin.THREAD_INDEX, 1, UNSIGNED), above, UNSIGNED)
        return _beside(rank, Paren(row, UNSIGNED))
    if 1 in shuffle.axes:
        return _beside(rank, LaunchRef(Builtin.THREAD_INDEX, 1, UNSIGNED))
    return rank


def _beside(column: Expr, row: Expr) -> Expr:
    start = Binary("*", LaunchRef(Builtin.BLOCK_DIM, 0, UNSIGNED), row, UNSIGNED)
    return Binary("+", column, start, UNSIGNED)


def _spelled(ctype: CType) -> str:
    return ctype.spelling.removeprefix("const ")


def is_certain(width: Expr | None) -> bool:
    """Is the number of lanes in a group a constant, be it an argument of a template?"""
    return width is None or isinstance(strip_parens(width), Literal)
