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
items follow each other. A function object that tells what comes before the block's values,

    struct Prefix { int sum; __device__ int operator()(int of_block) { ... } };
    BlockScan(storage).ExclusiveSum(x, y, prefix);

is called by the first warp's threads, each of which has one of its own; what the first thread's
gives counts. Where it changes nothing but itself and is used for nothing else, all threads call
theirs: those are alike then, and stay so.

Source: CUB's documentation of BlockScan, "prefix functors".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.effect_sets import FunctionEffects
from g2o.analysis.functions import FunctionTable
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    InitList,
    Literal,
    Member,
    Paren,
    VarRef,
    Verbatim,
)
from g2o.ir.statements import Block, Declare, If, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT, CType, unqualified
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


@final
@dataclass(frozen=True, slots=True)
class ScanCall:
    """What a call asks for beside the values: a function object that combines them, a first value,
    where the total goes, a function object that tells what comes before them."""

    functor: Expr | None = None
    initial: Expr | None = None
    total: Expr | None = None
    prefix: VarRef | None = None

    @classmethod
    def of(cls, call: Call, own: Collective, functions: FunctionTable) -> ScanCall:
        """Raises Refusal for calls that CUB does not have."""
        assert isinstance(call.callee, Member)
        name, given = call.callee.name, list(call.arguments[2:])
        prefix: VarRef | None = None
        last = given[-1] if given else None
        if isinstance(last, VarRef) and _is_callback(last, name, given, own, functions):
            prefix = last
            given.pop()
        match name, given:
            case "InclusiveSum" | "ExclusiveSum", []:
                return cls(prefix=prefix)
            case "InclusiveSum" | "ExclusiveSum", [total] if prefix is None:
                return cls(total=total)
            case "InclusiveScan" | "ExclusiveScan", [functor]:
                return cls(functor, prefix=prefix)
            case "InclusiveScan", [functor, total] if prefix is None:
                return cls(functor, total=total)
            case "ExclusiveScan", [initial, functor] if prefix is None:
                return cls(functor, initial)
            case "ExclusiveScan", [initial, functor, total] if prefix is None:
                return cls(functor, initial, total)
            case _:
                message = f"cub scan '{name}' with {len(call.arguments)} arguments"
                raise refuse("G2O0205", message, call.span)


def _is_callback(
    last: VarRef, name: str, given: list[Expr], own: Collective, functions: FunctionTable
) -> bool:
    """Is the last argument called with the total, rather than set to it or a scan's operator?"""
    is_operator = name.endswith("Scan") and len(given) == 1
    spelled = unqualified(last.type)
    if is_operator or last.type.is_arithmetic or spelled == own.element:
        return False
    if name == "ExclusiveScan" and len(given) == 2:  # an initial value and an operator?
        first = value_type(given[0])
        if first.is_arithmetic or unqualified(first) == own.element:
            return False
    return bool(callback_keys(last, functions))


def callback_keys(prefix: VarRef, functions: FunctionTable) -> tuple[str, ...]:
    """The keys of what is called where an object is."""
    spelled = prefix.type.spelling
    return () if "<" in spelled else functions.methods(spelled, "operator()")


def prefixes(body: Block, functions: FunctionTable) -> Mapping[Symbol, bool]:
    """The function objects that tell what comes before the values of a block, and whether all of
    them are alike: they start with numbers that are spelled out or the kernel's parameters, are
    given to scans and for nothing else, and change only themselves."""
    alike = {
        one.symbol
        for node in walk(body)
        if isinstance(node, Declare)
        for one in node.variables
        if one.initial is not None and all(map(_is_same_for_all, walk(one.initial)))
    }
    used: Counter[Symbol] = Counter()
    given: Counter[Symbol] = Counter()
    plain: dict[Symbol, bool] = {}
    for node in walk(body):
        if isinstance(node, VarRef):
            used[node.symbol] += 1
        if not isinstance(node, Call) or not isinstance(node.callee, Member) or not node.arguments:
            continue
        last = node.arguments[-1] if node.callee.name in SCAN_NAMES else None
        keys = callback_keys(last, functions) if isinstance(last, VarRef) else ()
        if keys and isinstance(last, VarRef):
            given[last.symbol] += 1
            known = [functions.effects(key) for key in keys]
            plain[last.symbol] = last.symbol in alike and all(
                one is not None and _changes_only_itself(one) for one in known
            )
    return {one: is_plain and used[one] == given[one] for one, is_plain in plain.items()}


def _is_same_for_all(node: Node) -> bool:
    """Is a part of an initial value the same number for all threads?"""
    if isinstance(node, VarRef):
        return node.symbol.storage is Storage.PARAMETER and node.type.is_arithmetic
    return isinstance(node, Literal | Paren | Cast | InitList | Verbatim)


def _changes_only_itself(one: FunctionEffects) -> bool:
    return not (
        one.needs_context or one.has_atomics or one.writes_elsewhere or one.writes_through
        or one.written_parameters
    )  # fmt: skip


def scanned_block(
    call: Call,
    own: Collective,
    symbols: SymbolTable,
    functions: FunctionTable,
    alike: Mapping[Symbol, bool],
) -> Block:
    """What stands for the call; the memory is an array of its own. `alike` is that of
    `prefixes`."""
    assert isinstance(call.callee, Member)
    scan = ScanCall.of(call, own, functions)
    initial = scan.initial
    operator = Operator("add") if scan.functor is None else operator_of(scan.functor, call)
    value, target = call.arguments[:2]
    items = item_count(value)
    if items is None:
        value = as_element(value, own, call)
    inner = value_type(value).element if items is not None else value_type(value)
    assert inner is not None
    is_exclusive = call.callee.name.startswith("Exclusive")
    is_whole = scan.total is None and scan.prefix is None
    starts = scan.functor is None or initial is not None  # with a value of its own
    begins = is_exclusive and starts and (is_whole or (initial is None and scan.prefix is None))
    sizes = (*own.extents, *(() if items is None else (items,)))
    count = product([number(one) for one in sizes])
    rank = rank_in_block(own.extents)
    scanned = shared_array("scanned", element(own.element, inner), sizes, symbols, 1)
    is_first = Binary("==", rank, ZERO, BOOL)
    before: list[Stmt] = []
    first: Expr | None = None
    if scan.prefix is not None:
        first, before = _prefix(
            scan.prefix, scanned.at(count), scanned, rank, symbols, alike[scan.prefix.symbol]
        )
    elif initial is not None:
        first = as_element(without_effect(initial), own, call)

    def result(place: Expr) -> Expr:
        """What the value at a place gets."""
        if not is_exclusive:
            within = scanned.behind(place)
            if scan.prefix is None or first is None:
                return within
            return operator.combined(first, within, scanned.type)
        if begins or first is None:
            return scanned.at(place)
        behind = operator.combined(first, scanned.at(place), scanned.type)
        return Conditional(Binary("==", place, ZERO, BOOL), first, behind, scanned.type)

    def given(target: Expr, place: Expr) -> Stmt:
        if is_exclusive and not starts and first is None:  # the first one gets nothing
            has_one = Binary("!=", place, ZERO, BOOL)
            return If(has_one, Block((assign(target, result(place)),)))
        return assign(target, result(place))

    def put_item(i: Expr) -> list[Stmt]:
        return [assign(scanned.behind(plus(first_place, i)), item(without_effect(value), i))]

    def get_item(i: Expr) -> list[Stmt]:
        return [given(item(without_effect(target), i), plus(first_place, i))]

    first_place = rank if items is None else times(rank, number(items))
    if items is None:
        put: Stmt = assign(scanned.behind(rank), value)
        get: Stmt = given(target, rank)
    else:
        put = counting(number(items), put_item, symbols)
        get = counting(number(items), get_item, symbols)
    start = initial if initial is not None else _zero(scanned.type)
    combine = _combine(operator, start if begins else None, count, scanned, symbols)
    total = () if scan.total is None else (assign(scan.total, scanned.at(count)),)
    return Block(
        (
            scanned.declared,
            put,
            barrier(),
            If(is_first, Block(tuple(combine))),
            barrier(),
            *before,
            get,
            *total,
            barrier(),
        )
    )


def _prefix(
    callback: VarRef,
    total: Expr,
    scanned: Shared,
    rank: Expr,
    symbols: SymbolTable,
    are_alike: bool,
) -> tuple[Expr, list[Stmt]]:
    """What comes before the values of a block, and the statements that ask for it."""
    name = f"{unqualified(callback.type)}::operator()"
    asked = Call(name, callback, (total,), type=scanned.type)
    prefix = symbols.fresh("prefix", scanned.type, Storage.LOCAL)
    declared = Declare((Variable(prefix, f"{scanned.type.spelling} ", "", asked, "="),))
    if are_alike:
        return VarRef(prefix), [declared]
    is_first = Binary("==", rank, ZERO, BOOL)
    told = If(is_first, Block((assign(scanned.at(ZERO), VarRef(prefix)),)))
    in_warp = Binary("<", rank, Literal("32", 32, INT), BOOL)
    return scanned.at(ZERO), [If(in_warp, Block((declared, told))), barrier()]


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
