"""Arrays of a block that are too many for the fast memory of a device lie in its large memory.

                                                 struct Slice {
                                                     float acc[64][64][2];
                                                 };
                                                 const int teams = g2o::most_teams(grid.x);
                                                 const g2o::grid_array<Slice> slices_memory(teams);
                                                 auto *const slices = slices_memory.data();
    #pragma omp target teams distribute      ->  #pragma omp target teams distribute
                                                     is_device_ptr(slices) num_teams(teams)
    for (int bx = 0; bx < int(grid.x); ++bx) {   for (int bx = 0; bx < int(grid.x); ++bx) {
                                                     Slice &own = g2o::slice(slices, g2o::team());
        float tile[64][64];                          float tile[64][64];
        float acc[64][64][2];                        auto &acc = own.acc;

NVIDIA's linker takes 48 KiB of arrays of a team whose sizes are known when a program is compiled,
others take 64. What is beyond that gets memory that is allocated before the launch, as much as the
teams that work at a time need. What threads keep across barriers goes before the shared memory of
the source, whose author wanted it fast, and large arrays go before small ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.effects import declared_in, is_tape
from g2o.ir.expressions import Cast, Expr, Literal, VarRef
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Node,
    Stmt,
    Text,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage
from g2o.ir.traverse import children, rewrite
from g2o.ir.types import INT, CType, TypeKind, declarator
from g2o.lowering.context import LoweringContext, product
from g2o.lowering.grid_memory import grid_array
from g2o.lowering.offload.dynamic_shared import with_small_tapes

LARGEST: Final = 44 << 10
"""Bytes of arrays of known size; 4 KiB of the 48 are for the compiler's runtime."""

_ONE: Final[Expr] = Literal("1", 1, INT)
_TAPE_BYTES: Final = 24  # of a g2o::ChunkTape: two pointers and a number
_LARGEST_BLOCK: Final = 1024  # threads
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_BRACKETS: Final = re.compile(r"\[([^\[\]]*)\]")
_EXTENTS: Final = {"g2o::warp_size": 32}
_WHY: Final = (
    "// A slice of the device's memory for every team: with these arrays a block would take more",
    f"// than {LARGEST >> 10} KiB of fast memory, which not every device has.",
)


@final
@dataclass(frozen=True, slots=True)
class Slices:
    """`before` declares the memory in front of the construct, whose `clause`, if any, says for how
    many teams; `name` is the pointer to it."""

    body: tuple[Stmt, ...]
    before: tuple[Stmt, ...] = ()
    clause: tuple[str, ...] = ()
    name: str = ""


def in_slices(
    context: LoweringContext, body: Sequence[Stmt], nest: Sequence[CountedLoop] = ()
) -> Slices:
    """What a team does for a block of the loops in `nest`, whose arrays fit into fast memory."""
    moved = _too_many(context, body)
    if not moved:
        return Slices(tuple(body))
    symbols = context.symbols
    kind = symbols.fresh("Slice", INT, Storage.BLOCK).name
    slices = symbols.fresh("slices", INT, Storage.BLOCK)
    own = symbols.fresh("own", INT, Storage.BLOCK).name
    members = "".join(f"\n    {_member(variable)};" for variable in moved)
    before = [Text((f"struct {kind} {{{members}\n}};",), trivia=Trivia(before=_WHY))]
    count, team, clause = _ONE, "0", ()
    if nest:
        blocks = _ONE
        for loop in nest:
            upper = loop.upper.operand if isinstance(loop.upper, Cast) else loop.upper
            blocks = product(blocks, upper)
        count = VarRef(symbols.fresh("teams", INT, Storage.BLOCK))
        team, clause = "g2o::team()", (f"num_teams({count.symbol.name})",)
        before.append(Text((f"const int {count.symbol.name} = g2o::most_teams(", blocks, ");")))
    before.append(grid_array(context, slices, kind, count))
    gone = {variable.symbol for variable in moved}
    start = Text((f"{kind} &{own} = g2o::slice(", VarRef(slices), f", {team});"))

    def replaced(node: Node) -> Node | None:
        match node:
            case Declare(variables=(Variable(symbol=symbol),)) if symbol in gone:
                return Text((f"auto &{symbol.name} = {own}.{symbol.name};",), trivia=node.trivia)
            case _:
                return None

    changed = (start, *(rewrite(statement, replaced) for statement in body))
    return Slices(changed, tuple(before), clause, slices.name)


def _member(variable: Variable) -> str:
    found = with_small_tapes(Declare((variable,)))
    declared = found.variables[0].declared if isinstance(found, Declare) else variable.declared
    zero = " = {}" if variable.initial is not None else ""
    return declarator(declared.strip(), variable.symbol.name) + variable.suffix + zero


def _too_many(context: LoweringContext, body: Sequence[Stmt]) -> list[Variable]:
    """The arrays that have to go, in the order of their declarations."""
    arrays = [variable for statement in body for variable in _of_team(statement)]
    sizes = [_bytes(context, variable) for variable in arrays]
    total = sum(sizes)
    if total <= LARGEST:
        return []
    local = {symbol.name for statement in body for symbol in declared_in(statement)}
    order = sorted(
        (place for place, variable in enumerate(arrays) if _may_move(variable, local)),
        key=lambda place: (arrays[place].symbol.storage is Storage.SHARED, -sizes[place]),
    )
    gone: set[int] = set()
    for place in order:
        if total <= LARGEST:
            break
        gone.add(place)
        total -= sizes[place]
    return [arrays[place] for place in sorted(gone)]


def _of_team(node: Node) -> Iterable[Variable]:
    """The arrays that a team has, not its threads."""
    match node:
        case CountedLoop():
            pass
        case Block(directive=directive) if any(one.is_parallel for one in directive.all):
            pass
        case Declare(variables=variables):
            shared = (Storage.SHARED, Storage.BLOCK)
            yield from (one for one in variables if one.suffix and one.symbol.storage in shared)
        case _:
            for child in children(node):
                yield from _of_team(child)


def _may_move(variable: Variable, local: set[str]) -> bool:
    """Can its type be written in front of the construct? Memory of the device is aligned for
    numbers, not for more."""
    if variable.initial is not None and not _is_zero(variable.initial):
        return False
    text = variable.declared + variable.suffix
    special = "alignas" in text or "volatile" in text
    return not special and not local & set(_WORD.findall(text))


def _is_zero(initial: Expr) -> bool:
    return isinstance(initial, Literal) and initial.text == "{}"


def _bytes(context: LoweringContext, variable: Variable) -> int:
    """What the array takes; 0 where that is not known."""
    own = variable.symbol.type
    extents = [found[1] for found in _BRACKETS.finditer(variable.suffix)]
    threads = extents[: len(extents) - _dimensions(own)]  # one for each axis, of kept values
    count = 1
    for extent in threads:
        count *= context.number(extent) or _EXTENTS.get(extent, _LARGEST_BLOCK)
    each = _TAPE_BYTES if is_tape(variable.symbol) else _size(own)
    return min(count, _LARGEST_BLOCK) * each


def _dimensions(ctype: CType) -> int:
    if ctype.kind is not TypeKind.ARRAY or ctype.element is None:
        return 0
    return 1 + _dimensions(ctype.element)


def _size(ctype: CType) -> int:
    if ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        return (ctype.extent or 0) * _size(ctype.element)
    return ctype.bits // 8
