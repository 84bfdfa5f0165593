"""CUB's reductions of a block or a warp become operations between threads.

    sum = BlockReduce(storage).Sum(x);         ->    sum = reduce_add(x);

    sum = BlockReduce(storage).Sum(items);     ->    float own = items[0];
                                                     for (int i = 1; i < 4; ++i)
                                                         own += items[i];
                                                     sum = reduce_add(own);

    sum = BlockReduce(storage).Sum(x, n);      ->    sum = reduce_add(threadIdx.x < n ? x : 0);

CUB gives the result to the first thread and leaves open what the others get: here all get it, but
for those of the first threads of a warp, of segments of one, or by other operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Binary, Call, Cast, Conditional, Expr, Literal, Member, VarRef
from g2o.ir.statements import Block, Declare, If, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import BOOL, INT
from g2o.transforms.cub_memory import Collective
from g2o.transforms.cub_operators import Operator, as_element, operator_of
from g2o.transforms.cub_parts import (
    ONE,
    ZERO,
    Shared,
    as_int,
    assign,
    barrier,
    counting,
    element,
    item,
    item_count,
    number,
    rank_in_block,
    shared_array,
    without_effect,
)
from g2o.transforms.cub_warps import lane_in, reduced_lanes, segment_end, width_of

REDUCTIONS: Final = {"BlockReduce": "cub_block_reduce_", "WarpReduce": "cub_warp_reduce_"}
"""What the calls that this makes begin with; behind it stands the operator. Arguments are the
value, the function object for the operator `with`, the lanes of a group if that is no whole one."""

_SEGMENTED: Final = frozenset(
    f"{flags}Segmented{made}" for flags in ("Head", "Tail") for made in ("Sum", "Reduce")
)


def reduction(call: Call, own: Collective, before: list[Stmt], symbols: SymbolTable) -> Expr:
    """What stands for the call; what has to be done first is put `before`."""
    assert isinstance(call.callee, Member)
    name, arguments = call.callee.name, list(call.arguments)
    if own.kind == "WarpReduce" and name in _SEGMENTED and len(arguments) >= 2:
        is_sum = name.endswith("Sum")
        operator = Operator("add") if is_sum else operator_of(arguments.pop(2), call)
        value, flag = as_element(arguments[0], own, call), arguments[1]
        end = segment_end(flag, own, call, before, symbols, by_heads=name.startswith("Head"))
        return reduced_lanes(value, end, own, operator, before, symbols)
    if name not in ("Sum", "Reduce") or len(arguments) not in _counts(name):
        message = f"cub::{own.kind}::{name} with {len(arguments)} arguments"
        raise refuse("G2O0205", message, call.span)
    operator = Operator("add") if name == "Sum" else operator_of(arguments.pop(1), call)
    value, count = arguments[0], arguments[1] if len(arguments) > 1 else None
    if item_count(value) is not None:
        value = _own_items(value, own, operator, before, symbols)
    value = as_element(value, own, call)
    if count is not None:
        if own.kind == "WarpReduce" and not _adds_numbers(value, operator):
            return reduced_lanes(value, count, own, operator, before, symbols)
        if not _adds_numbers(value, operator):
            return _of_first_threads(value, count, own, operator, before, symbols)
        lane = lane_in(own) if own.kind == "WarpReduce" else rank_in_block(own.extents)
        is_counted = Binary("<", Cast(lane, INT), as_int(count), BOOL)
        value = Conditional(is_counted, value, ZERO, value_type(value))
    made = f"{REDUCTIONS[own.kind]}{operator.name}"
    functor = () if operator.functor is None else (operator.functor,)
    width = width_of(own, call) if own.kind == "WarpReduce" else ()
    return Call(
        made,
        Literal(made),
        (value, *functor, *width),
        is_cuda=True,
        type=value_type(value),
        span=call.span,
    )


def _counts(name: str) -> Sequence[int]:
    return (1, 2) if name == "Sum" else (2, 3)


def _adds_numbers(value: Expr, operator: Operator) -> bool:
    return operator.name == "add" and value_type(value).is_arithmetic


def _own_items(
    items: Expr, own: Collective, operator: Operator, before: list[Stmt], symbols: SymbolTable
) -> Expr:
    """What the items of the thread combine to."""
    count = item_count(without_effect(items))
    assert count is not None
    first = item(items, ZERO)
    ctype = element(own.element, first.type)
    symbol = symbols.fresh("own", ctype, Storage.LOCAL)
    combined = VarRef(symbol)
    before.append(Declare((Variable(symbol, f"{own.element} ", "", first, "="),)))

    def add(i: Expr) -> list[Stmt]:
        return [operator.update(combined, item(items, i))]

    before.append(counting(number(count), add, symbols, ONE))
    return combined


def _of_first_threads(
    value: Expr,
    count: Expr,
    own: Collective,
    operator: Operator,
    before: list[Stmt],
    symbols: SymbolTable,
) -> Expr:
    """What the values of as many threads combine to, by the hand of the first one."""
    shared: Shared = shared_array(
        "reduced", element(own.element, value_type(value)), own.extents, symbols
    )
    rank, first = rank_in_block(own.extents), shared.at(ZERO)
    result = symbols.fresh("result", shared.type, Storage.LOCAL)

    def add(i: Expr) -> list[Stmt]:
        return [operator.update(first, shared.at(i))]

    whole = Block((counting(as_int(without_effect(count)), add, symbols, ONE),))
    before += [
        shared.declared,
        assign(shared.at(rank), value),
        barrier(),
        If(Binary("==", rank, ZERO, BOOL), whole),
        barrier(),
        Declare((Variable(result, f"{own.element} ", "", first, "="),)),
        barrier(),
    ]
    return VarRef(result)
