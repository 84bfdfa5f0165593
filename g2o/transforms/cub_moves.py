"""CUB's loads and stores of arrays of a thread, its exchanges and sorts in a block.

    cub::BlockLoad<float, 128, 4>(storage).Load(x, items);
->  for (int i = 0; i < 4; ++i)
        items[i] = x[threadIdx.x * 4 + i];

    cub::BlockExchange<int, 128, 4>(storage).BlockedToStriped(items);
->  __shared__ int exchanged[128 * 4];
    for (int i = 0; i < 4; ++i)
        exchanged[threadIdx.x * 4 + i] = items[i];
    __syncthreads();
    for (int i = 0; i < 4; ++i)
        items[i] = exchanged[i * 128 + threadIdx.x];
    __syncthreads();

Items are blocked where each thread has some that follow each other, striped where the threads of
the block take turns. For a sort, one thread sorts what stands in shared memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    VarRef,
    is_primary,
)
from g2o.ir.statements import Block, Declare, ExprStatement, If, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import BOOL, INT, VOID, CType
from g2o.transforms.cub_memory import Collective
from g2o.transforms.cub_operators import operator_of
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
    plus,
    product,
    rank_in_block,
    shared_array,
    threads_of_block,
    times,
    without_effect,
)

MOVES: Final = frozenset(
    {"BlockLoad", "BlockStore", "BlockExchange", "BlockRadixSort", "BlockAdjacentDifference"}
)
_DIFFERENCES: Final = {
    "SubtractLeft": (True, False),
    "SubtractRight": (False, False),
    "SubtractLeftPartialTile": (True, True),
    "SubtractRightPartialTile": (False, True),
}  # whether it is to the item in front, and of some items only
_SORTS: Final = {
    "Sort": ("sort_keys", False),
    "SortDescending": ("sort_keys_descending", False),
    "SortBlockedToStriped": ("sort_keys", True),
    "SortDescendingBlockedToStriped": ("sort_keys_descending", True),
}
_PAIRS: Final = {"sort_keys": "sort_pairs", "sort_keys_descending": "sort_pairs_descending"}
_ALGORITHMS: Final = ("DIRECT", "STRIPED", "VECTORIZE", "TRANSPOSE", "TRANSPOSE_TIMESLICED")
_EXCHANGES: Final = {
    "StripedToBlocked": (True, False),
    "BlockedToStriped": (False, True),
    "ScatterToBlocked": (None, False),
    "ScatterToStriped": (None, True),
}  # whether the items are striped before (None: by rank) and afterwards


DIRECT: Final = {
    "LoadDirectBlocked": (True, False),
    "LoadDirectStriped": (True, True),
    "StoreDirectBlocked": (False, False),
    "StoreDirectStriped": (False, True),
}
"""Functions that move the items of a thread, by whether they load, and whether those are
striped."""


def moved_directly(call: Call, symbols: SymbolTable) -> Block:
    """What stands for a call of one of the functions `DIRECT`, which is told the thread's rank and,
    where threads take turns, how many there are."""
    loads, is_striped = DIRECT[call.name]
    rank, memory, items, *others = (without_effect(one) for one in call.arguments)
    size = item_count(items)
    if size is None or (is_striped and not call.template_arguments):
        message = f"cub::{call.name} of what is no array, or without a number of threads"
        raise refuse("G2O0205", message, call.span)
    rank = rank if is_primary(rank) else Paren(rank, rank.type)

    def move(i: Expr) -> list[Stmt]:
        if is_striped:
            place = plus(times(i, number(call.template_arguments[0])), rank)
        else:
            place = plus(times(rank, number(size)), i)
        own = item(items, i)
        there = _element(memory, place, own.type)
        moved = assign(own, there) if loads else assign(there, own)
        default = assign(own, others[1]) if len(others) > 1 else None
        return [_guarded(place, others[0], moved, default) if others else moved]

    return Block((counting(number(size), move, symbols),))


def moved_items(call: Call, own: Collective, symbols: SymbolTable) -> Block:
    """What stands for a call of a method of one of the `MOVES`. Raises Refusal for methods that are
    not known."""
    assert isinstance(call.callee, Member)
    name, arguments = call.callee.name, tuple(without_effect(one) for one in call.arguments)
    moves = _Moves(own, symbols)
    match own.kind, name, len(arguments):
        case "BlockLoad", "Load", 2 | 3 | 4:
            statements = moves.load(*arguments)
        case "BlockStore", "Store", 2 | 3:
            statements = moves.store(*arguments)
        case "BlockExchange", _, _ if name in _EXCHANGES:
            statements = moves.exchange(call, *_EXCHANGES[name])
        case "BlockRadixSort", _, _ if name in _SORTS:
            statements = moves.sort(call, *_SORTS[name])
        case "BlockAdjacentDifference", _, 3 | 4 | 5 if name in _DIFFERENCES:
            statements = moves.differences(call, *_DIFFERENCES[name])
        case _:
            message = f"cub::{own.kind}::{name} with {len(arguments)} arguments"
            raise refuse("G2O0205", message, call.span)
    return Block(tuple(statements))


@final
@dataclass(frozen=True, slots=True)
class _Moves:
    own: Collective
    symbols: SymbolTable

    @property
    def _count(self) -> Expr:
        return number(self.own.arguments[2])

    def _place(self, i: Expr, is_striped: bool) -> Expr:
        """Where the item i of the thread stands among those of the block."""
        rank = rank_in_block(self.own.extents)
        if not is_striped:
            return plus(times(rank, self._count), i)
        return plus(times(i, threads_of_block(self.own.extents)), rank)

    def _for_items(self, body: Callable[[Expr], list[Stmt]]) -> Stmt:
        return counting(self._count, body, self.symbols)

    def load(
        self, source: Expr, items: Expr, count: Expr | None = None, other: Expr | None = None
    ) -> list[Stmt]:
        def load_item(i: Expr) -> list[Stmt]:
            target, (before, place) = item(items, i), self._chosen_place(i)
            loaded = assign(target, _element(source, place, target.type))
            default = None if other is None else assign(target, other)
            return [*before, loaded if count is None else _guarded(place, count, loaded, default)]

        return [self._for_items(load_item)]

    def store(self, target: Expr, items: Expr, count: Expr | None = None) -> list[Stmt]:
        def store_item(i: Expr) -> list[Stmt]:
            value, (before, place) = item(items, i), self._chosen_place(i)
            stored = assign(_element(target, place, value.type), value)
            return [*before, stored if count is None else _guarded(place, count, stored, None)]

        return [self._for_items(store_item)]

    def _chosen_place(self, i: Expr) -> tuple[list[Stmt], Expr]:
        """Where the algorithm has the item i, and what comes before that. One that is a parameter
        of the kernel's is asked there."""
        spelled = self.own.arguments[3] if len(self.own.arguments) > 3 else "DIRECT"
        if spelled.endswith(_ALGORITHMS):
            return [], self._place(i, spelled.endswith("STRIPED"))
        striped = f"cub::BLOCK_{self.own.kind.removeprefix('Block').upper()}_STRIPED"
        asked = Binary("==", number(spelled), Literal(striped, None, INT), BOOL)
        chosen = Conditional(asked, self._place(i, True), self._place(i, False), INT)
        place = self.symbols.fresh("place", INT, Storage.LOCAL)
        declared = Variable(place, "const int ", "", chosen, "=")
        return [Declare((declared,))], VarRef(place)

    def exchange(self, call: Call, was_striped: bool | None, is_striped: bool) -> list[Stmt]:
        by_rank = was_striped is None
        arguments = call.arguments
        if len(arguments) not in ((2, 3) if by_rank else (1, 2)):
            message = f"cub exchange with {len(arguments)} arguments"
            raise refuse("G2O0205", message, call.span)
        ranks = arguments[-1] if by_rank else None
        items, *others = arguments[:-1] if by_rank else arguments
        target = others[0] if others else items

        def place(i: Expr) -> Expr:
            return item(ranks, i) if ranks is not None else self._place(i, bool(was_striped))

        shared = self._shared("exchanged", self.own.element, items)
        return [
            shared.declared,
            self._for_items(lambda i: [assign(shared.at(place(i)), item(items, i))]),
            barrier(),
            self._for_items(
                lambda i: [assign(item(target, i), shared.at(self._place(i, is_striped)))]
            ),
            barrier(),
        ]

    def sort(self, call: Call, function: str, is_striped: bool) -> list[Stmt]:
        types = [self.own.element]
        if len(self.own.arguments) > 3 and not self.own.arguments[3].endswith("NullType"):
            types.append(self.own.arguments[3])
            function = _PAIRS[function]
        arrays, bits = call.arguments[: len(types)], call.arguments[len(types) :]
        if len(arrays) < len(types) or len(bits) > 2:
            message = f"cub sort with {len(call.arguments)} arguments"
            raise refuse("G2O0205", message, call.span)
        memory = [
            self._shared(wish, ctype, items)
            for wish, ctype, items in zip(("sorted", "values"), types, arrays, strict=False)
        ]

        def copies(is_striped: bool, back: bool) -> Stmt:
            def copy(i: Expr) -> list[Stmt]:
                pairs = [
                    (one.at(self._place(i, is_striped)), item(items, i))
                    for one, items in zip(memory, arrays, strict=True)
                ]
                return [assign(own, at) if back else assign(at, own) for at, own in pairs]

            return self._for_items(copy)

        count = times(product([number(one) for one in self.own.extents]), self._count)
        whole = tuple(VarRef(one.symbol) for one in memory)
        name = f"g2o::{function}"
        sort = Call(
            name, Literal(name), (*whole, count, *bits), is_cuda=True, type=VOID, span=call.span
        )
        first = Binary("==", rank_in_block(self.own.extents), ZERO, BOOL)
        return [
            *(one.declared for one in memory),
            copies(is_striped=False, back=False),
            barrier(),
            If(first, Block((ExprStatement(sort),))),
            barrier(),
            copies(is_striped=is_striped, back=True),
            barrier(),
        ]

    def differences(self, call: Call, is_left: bool, is_partial: bool) -> list[Stmt]:
        """Of each item and the one in front of it, or behind it; an item that has none stays."""
        items, target, functor, *others = call.arguments
        operator, size = operator_of(functor, call), item_count(items)
        count = without_effect(others.pop(0)) if is_partial and others else None
        if size is None or len(others) > 1 or (is_partial and count is None):
            message = f"cub::{self.own.kind} of what is no array"
            raise refuse("G2O0205", message, call.span)
        shared = self._shared("neighbours", self.own.element, items, size)
        edge = without_effect(others[0]) if others else None

        def place(i: Expr) -> Expr:
            return Cast(Paren(plus(times(rank_in_block(self.own.extents), number(size)), i)), INT)

        def differ(i: Expr) -> list[Stmt]:
            at, own = place(i), item(target, i)
            step = Binary("-" if is_left else "+", at, ONE, INT)
            all_items = times(Cast(threads_of_block(self.own.extents), INT), number(size))
            end = all_items if count is None else as_int(count)
            inside = Binary("<", at if is_left else step, end, BOOL)
            value = shared.at(at)
            made = assign(own, operator.combined(value, shared.at(step), own.type))
            other = assign(own, value if edge is None else operator.combined(value, edge, own.type))
            if not is_left:
                return [If(inside, Block((made,)), Block((other,)))]
            first = If(Binary(">", at, ZERO, BOOL), Block((made,)), Block((other,)))
            return (
                [first]
                if count is None
                else [If(inside, Block((first,)), Block((assign(own, value),)))]
            )

        return [
            shared.declared,
            self._items(size, lambda i: [assign(shared.at(place(i)), item(items, i))]),
            barrier(),
            self._items(size, differ),
            barrier(),
        ]

    def _items(self, size: str, body: Callable[[Expr], list[Stmt]]) -> Stmt:
        return counting(number(size), body, self.symbols)

    def _shared(self, wish: str, spelling: str, items: Expr, count: str | None = None) -> Shared:
        inner = value_type(items).element
        if inner is None:
            message = f"cub::{self.own.kind} of what is no array"
            raise refuse("G2O0205", message, items.span)
        sizes = (*self.own.extents, count or self.own.arguments[2])
        return shared_array(wish, element(spelling, inner), sizes, self.symbols)


def _element(pointer: Expr, place: Expr, ctype: CType) -> Expr:
    base = pointer if is_primary(pointer) else Paren(pointer, pointer.type)
    return Index(base, place, ctype)


def _guarded(place: Expr, count: Expr, then: Stmt, otherwise: Stmt | None) -> Stmt:
    condition = Binary("<", Cast(place, INT), as_int(count), BOOL)
    return If(condition, Block((then,)), None if otherwise is None else Block((otherwise,)))
