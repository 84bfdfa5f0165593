"""CUB's prefix sums of a block become those of an array in shared memory.

    using BlockScan = cub::BlockScan<int, 128>;          __shared__ int scanned[128 + 1];
    __shared__ BlockScan::TempStorage storage;           scanned[threadIdx.x + 1] = x;
    BlockScan(storage).ExclusiveSum(x, y, total);   ->   __syncthreads();
                                                         if (threadIdx.x == 0) {
                                                             scanned[0] = 0;
                                                             for (int i = 0; i < 128; ++i)
                                                                 scanned[i + 1] += scanned[i];
                                                         }
                                                         __syncthreads();
                                                         y = scanned[threadIdx.x];
                                                         total = scanned[128];
                                                         __syncthreads();

One thread adds them up in order, which on a CPU is as fast as any. Where threads have arrays, their
items follow each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Binary, Call, Conditional, Expr, Literal, Member
from g2o.ir.statements import Block, If, Stmt
from g2o.ir.symbols import SymbolTable
from g2o.ir.types import BOOL, CType
from g2o.transforms.cub_memory import Collective
from g2o.transforms.cub_operators import Operator, as_element, operator_of
from g2o.transforms.cub_parts import (
    ONE,
    ZERO,
    Shared,
    assign,
    barrier,
    counting,
    element,
    item,
    item_count,
    number,
    plus,
    product,
    rank_in_block,
    shared_array,
    times,
    without_effect,
)

SCAN_NAMES: Final = frozenset({"InclusiveSum", "ExclusiveSum", "InclusiveScan", "ExclusiveScan"})


def scan_parts(name: str, arguments: tuple[Expr, ...]) -> tuple[Expr | None, Expr | None, bool]:
    """The function object, the initial value, and whether a total is wanted, by the arguments of a
    call with this many of them."""
    further = arguments[2:]
    match name, len(further):
        case "InclusiveSum" | "ExclusiveSum", 0 | 1:
            return None, None, bool(further)
        case "InclusiveScan", 1 | 2:
            return further[0], None, len(further) == 2
        case "ExclusiveScan", 2 | 3:
            return further[1], further[0], len(further) == 3
        case _:
            message = f"cub scan '{name}' with {len(arguments)} arguments"
            raise refuse("G2O0205", message, arguments[0].span if arguments else None)


def scanned_block(call: Call, own: Collective, symbols: SymbolTable) -> Block:
    """What stands for the call; the memory is an array of its own."""
    assert isinstance(call.callee, Member)
    name = call.callee.name
    functor, initial, has_total = scan_parts(name, call.arguments)
    operator = Operator("add") if functor is None else operator_of(functor, call)
    value, target = call.arguments[:2]
    items = item_count(value)
    if items is None:
        value = as_element(value, own, call)
    inner = value_type(value).element if items is not None else value_type(value)
    assert inner is not None
    is_exclusive = name.startswith("Exclusive")
    begins = is_exclusive and (initial is None or not has_total)
    sizes = (*own.extents, *(() if items is None else (items,)))
    count = product([number(one) for one in sizes])
    rank = rank_in_block(own.extents)
    scanned = shared_array("scanned", element(own.element, inner), sizes, symbols, 1)

    def result(place: Expr) -> Expr:
        """What the value at a place gets."""
        if not is_exclusive:
            return scanned.behind(place)
        if begins or initial is None:
            return scanned.at(place)
        first = as_element(without_effect(initial), own, call)
        before = operator.combined(first, scanned.at(place), scanned.type)
        return Conditional(Binary("==", place, ZERO, BOOL), first, before, scanned.type)

    def put_item(i: Expr) -> list[Stmt]:
        return [assign(scanned.behind(plus(first_place, i)), item(without_effect(value), i))]

    def get_item(i: Expr) -> list[Stmt]:
        return [assign(item(without_effect(target), i), result(plus(first_place, i)))]

    first_place = rank if items is None else times(rank, number(items))
    if items is None:
        put: Stmt = assign(scanned.behind(rank), value)
        get: Stmt = assign(target, result(rank))
    else:
        put = counting(number(items), put_item, symbols)
        get = counting(number(items), get_item, symbols)
    start = initial if initial is not None else _zero(scanned.type)
    combine = _combine(operator, start if begins else None, count, scanned, symbols)
    total = () if not has_total else (assign(call.arguments[-1], scanned.at(count)),)
    is_first = Binary("==", rank, ZERO, BOOL)
    return Block(
        (
            scanned.declared,
            put,
            barrier(),
            If(is_first, Block(tuple(combine))),
            barrier(),
            get,
            *total,
            barrier(),
        )
    )


def _zero(ctype: CType) -> Expr:
    return ZERO if ctype.is_arithmetic else Literal(f"{ctype.spelling}()", None, ctype)


def _combine(
    operator: Operator, start: Expr | None, count: Expr, scanned: Shared, symbols: SymbolTable
) -> Iterator[Stmt]:
    """What one thread does with the values that stand behind the first place, where the scan may
    start with another."""
    ctype = scanned.type
    if start is not None:
        yield assign(scanned.at(ZERO), start)

    def step(i: Expr) -> list[Stmt]:
        before, place = scanned.at(i), scanned.behind(i)
        if operator.name == "add" and ctype.is_arithmetic:
            return [assign(place, before, "+=")]
        return [assign(place, operator.combined(before, place, ctype))]

    yield counting(count, step, symbols, ONE if start is None else ZERO)
