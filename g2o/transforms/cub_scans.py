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

One thread adds them up in order, which on a CPU is as fast as any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
)
from g2o.ir.statements import Block, Declare, ExprStatement, For, If, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import BOOL, INT, UNSIGNED, VOID, CType, TypeKind

SCAN_NAMES: Final = frozenset({"InclusiveSum", "ExclusiveSum", "InclusiveScan", "ExclusiveScan"})
_COMPARISONS: Final = {"max": ">", "min": "<"}
_ZERO: Final = Literal("0", 0, INT)
_ONE: Final = Literal("1", 1, INT)


@final
@dataclass(frozen=True, slots=True)
class BlockScan:
    """One call: `value` goes in, its prefix to `target` and what all combine to to `total`.

    `extents` are the threads along each axis, as spelled. `operator` is "add", "max" or "min".
    """

    element: str
    extents: tuple[str, ...]
    operator: str
    value: Expr
    target: Expr
    total: Expr | None
    initial: Expr | None
    is_exclusive: bool


def scan_parts(name: str, arguments: tuple[Expr, ...]) -> tuple[Expr | None, Expr | None, bool]:
    """The function object, the initial value, and whether a total is wanted, by the arguments of a
    call with this many of them."""
    further = arguments[2:]
    match name, len(further):
        case "InclusiveSum" | "ExclusiveSum", 0 | 1:
            return None, None, bool(further)
        case "InclusiveScan", 1 | 2:
            return further[0], None, len(further) == 2
        case "ExclusiveScan", 2:
            return further[1], further[0], False
        case _:
            message = f"cub::BlockScan::{name} with {len(arguments)} arguments"
            raise refuse("G2O0205", message, arguments[0].span if arguments else None)


def scanned_block(scan: BlockScan, symbols: SymbolTable) -> Block:
    """What stands for the call; the memory is an array of its own."""
    known = value_type(scan.value)
    element = CType(scan.element, known.kind, known.bits, known.is_signed)
    threads = _product([_extent(one) for one in scan.extents])
    extent = Binary("+", threads, _ONE, INT)
    array = CType(f"{scan.element}[]", TypeKind.ARRAY, element=element)
    memory = symbols.fresh("scanned", array, Storage.SHARED)
    suffix = f"[{' * '.join(scan.extents)} + 1]"
    rank = _rank(scan.extents)

    def at(index: Expr) -> Index:
        return Index(VarRef(memory), index, element)

    def behind(index: Expr) -> Index:
        return at(Binary("+", index, _ONE, index.type))

    first = If(Binary("==", rank, _ZERO, BOOL), Block(tuple(_combine(scan, threads, at, symbols))))
    statements: list[Stmt] = [
        Declare((Variable(memory, f"{scan.element} ", suffix, extents=(extent,)),)),
        _assign(behind(rank), scan.value),
        _barrier(),
        first,
        _barrier(),
        _assign(scan.target, at(rank) if scan.is_exclusive else behind(rank)),
    ]
    if scan.total is not None:
        statements.append(_assign(scan.total, at(threads)))
    return Block((*statements, _barrier()))


def _combine(
    scan: BlockScan, threads: Expr, at: Callable[[Expr], Index], symbols: SymbolTable
) -> Iterator[Stmt]:
    """What one thread does with the values that stand behind the first place."""
    index = symbols.fresh("i", INT, Storage.LOCAL)
    i = VarRef(index)
    before, place = at(i), at(Binary("+", i, _ONE, INT))
    ctype = place.type
    if scan.is_exclusive:
        zero = _ZERO if ctype.is_arithmetic else Literal(f"{scan.element}()", None, ctype)
        yield _assign(at(_ZERO), scan.initial or zero)
    if scan.operator == "add" and ctype.is_arithmetic:
        step = ExprStatement(Assign("+=", place, before, ctype))
    elif scan.operator == "add":
        step = _assign(place, Binary("+", before, place, ctype))
    else:
        is_next = Binary(_COMPARISONS[scan.operator], place, before, BOOL)
        step = _assign(place, Conditional(is_next, place, before, ctype))
    start = Variable(index, "int ", "", _ZERO if scan.is_exclusive else _ONE, "=")
    condition = Binary("<", i, threads, BOOL)
    yield For(Declare((start,)), condition, Unary("++", i, False, INT), Block((step,)))


def _extent(text: str) -> Expr:
    return Literal(text, int(text) if text.isdecimal() else None, INT)


def _product(factors: Sequence[Expr]) -> Expr:
    product = factors[0]
    for factor in factors[1:]:
        product = Binary("*", product, factor, INT)
    return product


def _rank(extents: Sequence[str]) -> Expr:
    """The position of the thread in its block."""
    rank: Expr | None = None
    for axis in reversed(range(len(extents))):
        own = LaunchRef(Builtin.THREAD_INDEX, axis, UNSIGNED)
        if rank is None:
            rank = own
            continue
        row = rank if isinstance(rank, LaunchRef) else Paren(rank, UNSIGNED)
        rank = Binary("+", Binary("*", row, _extent(extents[axis]), UNSIGNED), own, UNSIGNED)
    assert rank is not None
    return rank


def _assign(target: Expr, value: Expr) -> ExprStatement:
    return ExprStatement(Assign("=", target, value, target.type))


def _barrier() -> ExprStatement:
    name = "__syncthreads"
    return ExprStatement(Call(name, Literal(name), (), is_cuda=True, type=VOID))
