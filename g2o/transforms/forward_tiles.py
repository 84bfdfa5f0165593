"""Loads of shared tiles go to the array that the tile was copied from, and the tile goes.

    tile[row][column] = now[y * width + x];             sum = now[y * width + x - 1] + ...
    if (threadIdx.x == 0)                           ->        (x > 0 ? now[...] : 0.0f)
        tile[row][0] = x > 0 ? now[y * width + x - 1] : 0.0f;
    __syncthreads();
    sum = tile[row][column - 1] + ...

A tile saves a device loads from far away. A CPU has caches for that, and without the tile a kernel
has no barrier left and becomes one loop over rows.

Legal where every load of the tile finds what the block has copied from an array that the kernel
does not write (`tile_values.py`); done where neighbours still load neighbours, and not where each
thread goes over a tile that the block fills again and again, which is worth its copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from g2o.analysis.accesses import Access, AccessKind, MemoryModel
from g2o.analysis.conflicts import Conflicts
from g2o.analysis.effects import EffectsOf
from g2o.analysis.launch_names import THREAD_NAMES
from g2o.analysis.tile_values import Copied, TileValues
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Outcome, remark
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Conditional,
    Expr,
    Index,
    Literal,
    Paren,
    VarRef,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    Empty,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind, unqualified
from g2o.polyhedral.polynomial import ZERO
from g2o.transforms.empty_statements import without_empty_statements
from g2o.transforms.index_expressions import IndexExpressions, named_numbers
from g2o.transforms.result import PassResult

_SHARED: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED)
_NEIGHBOURS: Final = (0, 1)  # how far apart the loads of neighbours may be


def forward_tiles(
    kernel: Kernel, effects: EffectsOf, model: MemoryModel, conflicts: Conflicts
) -> PassResult:
    """The kernel without one tile, where there is such a one. Call again until nothing changes."""
    for variable in _tiles(kernel.body):
        tile = variable.symbol
        writes = [one for one in model.accesses if one.root == tile and _is_store(one)]
        values = TileValues.of(tile, model, conflicts)
        if values is None or not _are_whole_statements(kernel.body, writes, effects):
            continue
        loads = _forwarded(kernel, tile, model, values, writes, effects)
        if loads is None:
            continue
        body = rewrite(kernel.body, lambda node, to=loads: to.get(id(node)))
        body = _without(body, tile, effects)
        relied = kernel.relied | {(Builtin.BLOCK_DIM, axis) for axis in model.assumed}
        made = replace(kernel, function=replace(kernel.function, body=body), relied=relied)
        message = f"shared array '{tile.name}' goes: what it was copied from is read"
        return PassResult(made, (remark(Outcome.PASSED, "G2O0303", message, variable.span),))
    return PassResult(kernel)


# -- which arrays ---------------------------------------------------------------------------------


def _tiles(body: Block) -> Iterator[Variable]:
    """Shared arrays of numbers that are named in plain elements only."""
    nodes = list(walk(body))
    named: dict[Symbol, int] = {}
    elements: dict[Symbol, int] = {}
    for node in nodes:
        if isinstance(node, VarRef) and node.symbol.storage in _SHARED:
            named[node.symbol] = named.get(node.symbol, 0) + 1
        elif isinstance(node, Index) and (root := _tile_of(node)) is not None:
            elements[root] = elements.get(root, 0) + 1
    for node in nodes:
        if not isinstance(node, Declare) or len(node.variables) != 1:
            continue
        variable = node.variables[0]
        symbol, element = variable.symbol, variable.symbol.type.innermost
        if symbol.storage not in _SHARED or variable.initial is not None:
            continue
        is_plain = element.kind in (TypeKind.FLOATING, TypeKind.INTEGER, TypeKind.BOOL)
        is_plain = is_plain and not element.is_volatile and not element.is_half
        if is_plain and named.get(symbol, 0) == elements.get(symbol, 0) > 0:
            yield variable


def _tile_of(element: Index) -> Symbol | None:
    """The array whose innermost element the node is."""
    base: Expr = element
    if element.type.kind is TypeKind.ARRAY:
        return None
    while isinstance(base, (Index, Paren)):
        base = base.base if isinstance(base, Index) else base.inner
    return base.symbol if isinstance(base, VarRef) and base.symbol.storage in _SHARED else None


def _is_store(access: Access) -> bool:
    return access.kind is not AccessKind.READ


def _is_plain_element(target: Expr, effects: EffectsOf) -> bool:
    """Does naming an element do nothing else, as `tile[n++]` does?"""
    return isinstance(target, Index) and effects.of(target).is_pure


def _are_whole_statements(body: Block, writes: list[Access], effects: EffectsOf) -> bool:
    """Is each store a statement of its own, in which nothing else is done?"""
    whole = {
        id(node.expr)
        for node in walk(body)
        if isinstance(node, ExprStatement)
        and isinstance(node.expr, Assign)
        and node.expr.op == "="
        and effects.of(node.expr.value).is_pure
        and _is_plain_element(node.expr.target, effects)
    }
    return all(id(one.node) in whole for one in writes)


# -- the loads ------------------------------------------------------------------------------------


def _forwarded(
    kernel: Kernel,
    tile: Symbol,
    model: MemoryModel,
    values: TileValues,
    writes: list[Access],
    effects: EffectsOf,
) -> dict[int, Expr] | None:
    """What takes the place of each load, by its node; None where one has to stay."""
    made: dict[int, Expr] = {}
    visible = _visible(kernel.body, tile)
    wide = _is_wide(kernel.body, writes)
    numbers = named_numbers(kernel.body)
    places = _places(kernel.body)
    for read in model.accesses:
        if read.root != tile or _is_store(read):
            continue
        node = read.node
        if not isinstance(node, Index) or id(node) not in visible or id(node) in made:
            return None
        if not _is_plain_element(node, effects):
            return None
        found = values.value(read)
        expr = (
            None
            if found is None
            else _expression(
                *(read, found, model, visible[id(node)], numbers, wide, len(writes[0].loops)),
                places=places,
            )
        )
        if expr is None or not _same_number(expr.type, node.type):
            return None
        made[id(node)] = expr
    return made


def _places(body: Block) -> tuple[Expr, ...]:
    """The places of elements outside of the block that the code names."""
    found = {
        node.index: None
        for node in walk(body)
        if isinstance(node, Index) and node.type.kind is not TypeKind.ARRAY
        if isinstance(node.base, VarRef) and node.base.symbol.type.kind is TypeKind.POINTER
    }
    return tuple(found)


def _expression(
    read: Access,
    found: Copied,
    model: MemoryModel,
    visible: set[Symbol],
    numbers: Mapping[int, Literal],
    wide: bool,
    depth: int,
    *,
    places: Sequence[Expr],
) -> Expr | None:
    """What a load finds, as an expression; `depth` loops are around the stores, and the code names
    these `places`."""
    element = found.root.type.element
    nearest = found.index.by_monomial_in(THREAD_NAMES).get((THREAD_NAMES[0],), ZERO)
    if element is None or element.is_volatile or nearest.value not in _NEIGHBOURS:
        return None
    infos = [model.space.infos[name] for name in found.index.names]
    repeats = any(info.counts or len(info.loops) > depth for info in infos)
    if repeats and (read.loops or found.chosen):
        return None  # loaded again and again, from rows that lie apart or with a decision
    named = {one: value for one, value in read.known if one in visible}
    spelled = IndexExpressions(model.space, model.extents, dict(named), numbers, places)
    index = spelled.expression(found.index)
    if index is None or (wide and value_type(index).bits <= INT.bits):
        return None
    loaded: Expr = Index(VarRef(found.root), index, element)
    if not found.chosen:
        return loaded
    parts = [spelled.condition(one) for one in found.chosen]
    condition: Expr | None = None
    for part in parts:
        if part is None:
            return None
        condition = part if condition is None else _both(condition, part)
    assert condition is not None
    other = _constant(found.otherwise, element)
    return Paren(Conditional(condition, loaded, other, element), type=element)


def _both(one: Expr, other: Expr) -> Expr:
    return Binary("&&", one, other, BOOL)


def _constant(text: str, element: CType) -> Expr:
    if text.lstrip("-").isdigit():
        return Literal(text, int(text), INT)
    return Literal(text, None, element)


def _same_number(one: CType, other: CType) -> bool:
    return unqualified(one) == unqualified(other)


def _visible(body: Block, tile: Symbol) -> dict[int, set[Symbol]]:
    """The variables that can be named where each element of the tile is."""
    found: dict[int, set[Symbol]] = {}

    def look(node: Node, known: set[Symbol]) -> None:
        if isinstance(node, Index) and _tile_of(node) == tile:
            found[id(node)] = set(known)
        inside = set(known) if isinstance(node, (Block, For, If)) else known
        for child in children(node):
            look(child, inside)
            if isinstance(child, Declare):
                inside |= {one.symbol for one in child.variables}
        if isinstance(node, Declare):
            known |= {one.symbol for one in node.variables}

    look(body, set())
    return found


def _is_wide(body: Block, writes: list[Access]) -> bool:
    """Is a place in the copied array computed with numbers of more than 32 bits?"""
    started = {
        variable.symbol: variable.initial
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.initial is not None
    }
    waiting: list[Node] = [one.node.value for one in writes if isinstance(one.node, Assign)]
    seen: set[Symbol] = set()
    while waiting:
        for node in walk(waiting.pop()):
            kind = node.type if isinstance(node, Expr) else None
            if kind is not None and kind.kind is TypeKind.INTEGER and kind.bits > INT.bits:
                return True
            if isinstance(node, VarRef) and node.symbol not in seen:
                seen.add(node.symbol)
                if (initial := started.get(node.symbol)) is not None:
                    waiting.append(initial)
    return False


# -- the stores -----------------------------------------------------------------------------------


def _without(body: Block, tile: Symbol, effects: EffectsOf) -> Block:
    """`body` without the declaration of the tile and the stores into it."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Declare(variables=(variable,)) if variable.symbol == tile:
                return Empty()
            case ExprStatement(expr=Assign(target=Index() as target)) if _tile_of(target) == tile:
                return Empty()
            case _:
                return None

    return _without_empty(rewrite(body, replacement), effects)


def _without_empty(body: Block, effects: EffectsOf) -> Block:
    """Branches and loops in which nothing is left go, where their conditions do nothing."""

    def replacement(node: Node) -> Node | None:
        if isinstance(node, (If, For)) and _does_nothing(node, effects):
            return Empty()
        return None

    return without_empty_statements(rewrite(body, replacement))


def _does_nothing(node: Stmt | None, effects: EffectsOf) -> bool:
    match node:
        case None | Empty():
            return True
        case Block(statements=statements):
            return all(_does_nothing(one, effects) for one in statements)
        case If(condition=condition, then=then, otherwise=otherwise):
            branches = _does_nothing(then, effects) and _does_nothing(otherwise, effects)
            return branches and effects.of(condition).is_pure
        case For(body=body):
            done = effects.of(node)
            own = {
                variable.symbol
                for inner in walk(node)
                if isinstance(inner, Declare)
                for variable in inner.variables
            }
            quiet = not done.side_effects and not done.memory_writes and done.writes <= own
            return quiet and _does_nothing(body, effects)
        case _:
            return False
