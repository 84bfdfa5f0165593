"""What operations between threads give, in terms of the values that the other threads have."""

from __future__ import annotations

from typing import Final

from g2o.analysis.effects import symbols_in
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Binary, Code, Expr, Literal, Paren, Remote, VarRef, strip_parens
from g2o.ir.statements import Block, Exchange
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, UNSIGNED
from g2o.lowering.thread_group import ThreadGroup

AMONG: Final = "among_"
"""In front of operations of the lanes of a mask, their second operand."""

_CLOSED: Final = tuple(f"reduce_{one}" for one in ("add", "min", "max", "and", "or", "xor"))
_MATCHES: Final = ("match_any", "match_all")


def votes_in(body: Block) -> dict[Symbol, str]:
    """The variables that threads vote with -> the name of the operation."""
    found: dict[Symbol, str] = {}
    for node in walk(body):
        if isinstance(node, Exchange) and node.operation in ("any", "all", "ballot", "count"):
            found.update((symbol, node.operation) for symbol in symbols_in(node.operands[0]))
    return found


def gives_one_result(exchange: Exchange) -> bool:
    """Do all threads of the group get the same from it?"""
    return exchange.width is None and (
        exchange.operation in ("ballot", "any", "all", "count", "activemask")
        or exchange.operation.startswith("reduce_")
    )


def asks_all_lanes(exchange: Exchange) -> bool:
    """Does it need the values of all threads in memory even where all have the same? All other
    operations have a value that `take_own_values` knows."""
    operation = exchange.operation
    if operation == "activemask" or operation.startswith("shfl"):
        return False
    if exchange.width is not None or operation.startswith(AMONG):
        return True
    reduces = operation in _CLOSED and len(exchange.operands) == 1
    return not reduces and operation not in ("any", "all", "ballot", "count", *_MATCHES)


def exchange_value(exchange: Exchange, group: ThreadGroup) -> Expr:
    """What an operation between threads gives, in terms of the values of the other threads."""
    operation, width, size = exchange.operation, exchange.width, group.size()
    if operation == "activemask":
        return Code(("0xffffffffu >> (32 - ", size, ")"), atomic=False, type=UNSIGNED)
    operand = strip_parens(exchange.operands[0])
    assert isinstance(operand, VarRef)
    if operation.startswith("shfl"):
        source = group.source_thread(operation, exchange.operands[1], width)
        if operand == group.current():
            return Paren(source, operand.type)  # threads are numbered by what they exchange
        return Remote(operand.symbol, source, operand.type)
    whole = Remote(operand.symbol, None, operand.type)
    lane = group.current()
    if operation == "match_any":
        start, lane, size = _in_tile(whole, lane, size, width)
        return Code(("g2o::match_any(", start, ", ", lane, ", ", size, ")"), type=UNSIGNED)
    if operation == "match_all" and width is None:
        return Code(("g2o::match_all(", whole, ", ", size, ")"), type=UNSIGNED)
    if operation == "count":
        return Code(("g2o::count(", whole, ", ", size, ")"), type=INT)
    if operation.startswith(AMONG):
        start, lane, _ = _in_tile(whole, lane, size, width)
        return _among(operation.removeprefix(AMONG), start, lane, exchange)
    if operation.startswith(("inclusive_scan_", "exclusive_scan_")):
        return _scan(operation, whole, lane, size, exchange)
    if operation not in ("ballot", "any", "all") and not operation.startswith("reduce_"):
        raise refuse("G2O0205", f"warp operation '{operation}'", exchange.span)
    function = f"g2o::{operation}"
    combine = tuple(part for functor in exchange.operands[1:] for part in (", ", functor))
    start, _, count = _in_tile(whole, lane, size, width)
    return Code((f"{function}(", start, ", ", count, *combine, ")"), type=exchange.result.type)


def _among(operation: str, whole: Expr, lane: Expr, exchange: Exchange) -> Code:
    """What the lanes of a mask, or those up to this one, combine to."""
    _, mask, *functor = exchange.operands
    members = Code(("g2o::values_of(", whole, ", ", mask, ").data()"), type=whole.type)
    if operation.startswith("reduce_"):
        last: tuple[str | Expr, ...] = ("g2o::popc(", mask, ")")
    else:
        last = ("g2o::rank_in(", mask, ", ", lane, ")")
    combine = tuple(part for one in functor for part in (", ", one))
    parts = (f"g2o::{operation}(", members, ", ", *last, *combine, ")")
    return Code(parts, type=exchange.result.type)


def _in_tile(whole: Expr, lane: Expr, size: Expr, width: Expr | None) -> tuple[Expr, Expr, Expr]:
    """The first value of the tile that the lane is in, its place there, and the values there: the
    last tile of a block may lack lanes."""
    if width is None:
        return whole, lane, size
    tile = Binary("*", Paren(Binary("/", lane, width, INT)), width, INT)
    count = width
    if not isinstance(size, Literal):
        count = Code(("std::min<int>(", width, ", ", Binary("-", size, tile, INT), ")"))
    return Binary("+", whole, tile, whole.type), Binary("%", lane, width, INT), count


def _scan(operation: str, whole: Expr, lane: Expr, size: Expr, exchange: Exchange) -> Code:
    """What the lanes in front of one combine to; for a scan back, those behind it."""
    start, place, count = _in_tile(whole, lane, size, exchange.width)
    behind = (", ", count) if "_back_" in operation else ()
    combine = tuple(part for functor in exchange.operands[1:] for part in (", ", functor))
    parts = (f"g2o::{operation}(", start, ", ", place, *behind, *combine, ")")
    return Code(parts, type=exchange.result.type)
