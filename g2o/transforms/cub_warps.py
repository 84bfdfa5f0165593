"""CUB's prefix sums of a warp, and its reductions of the first lanes of one.

    WarpScan(storage).ExclusiveSum(x, y);       ->  y = exclusive_scan_add(x);

    WarpScan(storage).InclusiveScan(x, y, Most())
->  T scanned = x;
    for (int d = 1; d < 32; d *= 2) {
        T other = __shfl_up_sync(0xffffffff, scanned, d, 32);
        if (lane >= d)
            scanned = Most()(other, scanned);
    }
    y = scanned;
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from g2o.analysis.functions import FunctionTable
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Literal,
    Member,
    VarRef,
)
from g2o.ir.statements import Block, Declare, For, If, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.types import BOOL, INT, UNSIGNED
from g2o.transforms.cub_memory import Collective
from g2o.transforms.cub_operators import Operator, as_element, operator_of
from g2o.transforms.cub_parts import ONE, ZERO, as_int, assign, element, without_effect
from g2o.transforms.cub_scans import ScanCall
from g2o.transforms.groups import linear_thread

WARP_SCANS: Final = "cub_warp_"
"""What the calls that this makes begin with; behind it stands `inclusive_scan_add` and its like."""
_WARP: Final = 32
_ALL: Final = Literal("0xffffffff", 0xFFFFFFFF, UNSIGNED)


def width_of(own: Collective, call: Call) -> tuple[Expr, ...]:
    """The lanes of a group, where that is not the whole warp."""
    if own.lanes == str(_WARP):
        return ()
    if not own.lanes.isdigit() or _WARP % int(own.lanes):
        message = f"cub::{own.kind} of {own.lanes} lanes"
        raise refuse("G2O0205", message, call.span)
    return (Literal(own.lanes, int(own.lanes), INT),)


def lane_in(own: Collective) -> Expr:
    """The position of the thread in its group."""
    return Binary("%", linear_thread(), Literal(own.lanes, int(own.lanes), UNSIGNED), UNSIGNED)


def scanned_warp(
    call: Call, own: Collective, symbols: SymbolTable, functions: FunctionTable
) -> Block:
    """What stands for a prefix sum."""
    assert isinstance(call.callee, Member)
    name = call.callee.name
    scan = ScanCall.of(call, own, functions)
    functor, initial, has_total = scan.functor, scan.initial, scan.total is not None
    if scan.prefix is not None:
        message = "cub::WarpScan with what comes before its values"
        raise refuse("G2O0205", message, call.span)
    operator = Operator("add") if functor is None else operator_of(functor, call)
    width = width_of(own, call)
    value, target = as_element(call.arguments[0], own, call), call.arguments[1]
    is_exclusive = name.startswith("Exclusive")
    ctype = element(own.element, value_type(value))
    if operator.name == "add" and initial is None and not has_total:
        kind = "exclusive" if is_exclusive else "inclusive"
        made = f"{WARP_SCANS}{kind}_scan_add"
        scan = Call(made, Literal(made), (value, *width), is_cuda=True, type=ctype, span=call.span)
        return Block((assign(target, scan),))
    scanned = symbols.fresh("scanned", ctype, Storage.LOCAL)
    own_value = VarRef(scanned)

    def add(other: Expr, distance: Expr) -> Stmt:
        is_behind = Binary(">=", Cast(lane_in(own), INT), distance, BOOL)
        return If(
            is_behind, Block((assign(own_value, operator.combined(other, own_value, ctype)),))
        )

    statements: list[Stmt] = [
        _declared(scanned, own, value),
        _halving("__shfl_up_sync", scanned, own, add, symbols),
    ]
    result: Expr = own_value
    if is_exclusive:
        before = symbols.fresh("before", ctype, Storage.LOCAL)
        statements.append(_declared(before, own, _shuffle("__shfl_up_sync", scanned, ONE, own)))
        first: Expr = Literal(f"{own.element}()", None, ctype)
        result = VarRef(before)
        if initial is not None:
            first = as_element(without_effect(initial), own, call)
            result = operator.combined(first, result, ctype)
        is_first = Binary("==", lane_in(own), ZERO, BOOL)
        result = Conditional(is_first, first, result, ctype)
    statements.append(assign(target, result))
    if has_total:
        last = Literal(str(int(own.lanes) - 1), int(own.lanes) - 1, INT)
        statements.append(assign(call.arguments[-1], _shuffle("__shfl_sync", scanned, last, own)))
    return Block(tuple(statements))


def reduced_lanes(
    value: Expr,
    count: Expr,
    own: Collective,
    operator: Operator,
    before: list[Stmt],
    symbols: SymbolTable,
) -> Expr:
    """What the values of the first lanes combine to; only the first one gets it."""
    ctype = element(own.element, value_type(value))
    reduced = symbols.fresh("reduced", ctype, Storage.LOCAL)

    def add(other: Expr, distance: Expr) -> Stmt:
        partner = Binary("+", Cast(lane_in(own), INT), distance, INT)
        is_counted = Binary("<", partner, as_int(without_effect(count)), BOOL)
        return If(is_counted, Block((operator.update(VarRef(reduced), other),)))

    before.append(_declared(reduced, own, value))
    before.append(_halving("__shfl_down_sync", reduced, own, add, symbols))
    return VarRef(reduced)


def segment_end(
    flag: Expr,
    own: Collective,
    call: Call,
    before: list[Stmt],
    symbols: SymbolTable,
    *,
    by_heads: bool,
) -> Expr:
    """The lane behind the last one of the segment that a lane is in, of those which begin at lanes
    with the flag, or end there:

        unsigned heads = __ballot_sync(0xffffffff, flag), later = heads >> lane >> 1;
        int end = later ? lane + __ffs(later) : 32;
    """
    if own.lanes != str(_WARP):
        message = f"segments of cub::{own.kind} of {own.lanes} lanes"
        raise refuse("G2O0205", message, call.span)
    flags = symbols.fresh("heads" if by_heads else "tails", UNSIGNED, Storage.LOCAL)
    later = symbols.fresh("later", UNSIGNED, Storage.LOCAL)
    end = symbols.fresh("end", INT, Storage.LOCAL)
    name, lane = "__ballot_sync", lane_in(own)
    vote = Call(name, Literal(name), (_ALL, flag), is_cuda=True, type=UNSIGNED)
    shifted: Expr = Binary(">>", VarRef(flags), lane, UNSIGNED)
    shifted = Binary(">>", shifted, ONE, UNSIGNED) if by_heads else shifted
    first = Call("__ffs", Literal("g2o::ffs"), (VarRef(later),), is_cuda=True, type=INT)
    found = Binary("+", Cast(lane, INT), first, INT)
    none = Binary("==", VarRef(later), ZERO, BOOL)
    whole = Literal(str(_WARP), _WARP, INT)
    before += [
        Declare((Variable(flags, "unsigned ", "", vote, "="),)),
        Declare((Variable(later, "unsigned ", "", shifted, "="),)),
        Declare((Variable(end, "int ", "", Conditional(none, whole, found, INT), "="),)),
    ]
    return VarRef(end)


def _halving(
    name: str,
    value: Symbol,
    own: Collective,
    add: Callable[[Expr, Expr], Stmt],
    symbols: SymbolTable,
) -> For:
    """Adds what the lane at distances of 1, 2, 4 ... has."""
    index = symbols.fresh("distance", INT, Storage.LOCAL)
    distance = VarRef(index)
    other = symbols.fresh("other", value.type, Storage.LOCAL)
    body = Block(
        (
            _declared(other, own, _shuffle(name, value, distance, own)),
            add(VarRef(other), distance),
        )
    )
    start = Declare((Variable(index, "int ", "", ONE, "="),))
    condition = Binary("<", distance, Literal(own.lanes, int(own.lanes), INT), BOOL)
    return For(start, condition, Assign("*=", distance, Literal("2", 2, INT), INT), body)


def _shuffle(name: str, value: Symbol, lane: Expr, own: Collective) -> Call:
    width = Literal(own.lanes, int(own.lanes), INT)
    arguments = (_ALL, VarRef(value), lane, width)
    return Call(name, Literal(name), arguments, is_cuda=True, type=value.type)


def _declared(symbol: Symbol, own: Collective, initial: Expr) -> Declare:
    return Declare((Variable(symbol, f"{own.element} ", "", initial, "="),))
