"""Cooperative groups: which variable stands for which threads.

cg::thread_block block = cg::this_thread_block();
auto tile = cg::tiled_partition<32>(block);
tile.thread_rank()   ->   threadIdx.x % 32
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, final

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    AXES,
    Binary,
    Builtin,
    Call,
    Expr,
    LaunchRef,
    Literal,
    Member,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Declare, Node, Scope
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import INT, UNSIGNED

_TILE = re.compile(r"\bthread_block_tile<\s*([\w:]+)")
_OF_A_WARP: Final = {"LaneId": "%", "WarpId": "/"}  # what CUB calls them
_VECTORS: Final = frozenset(
    {"thread_index", "group_index", "block_index", "group_dim", "dim_threads", "dim_blocks"}
)
"""What a group answers with a place for each axis."""
_PARTITION = re.compile(r"\btiled_partition\s*<\s*([\w:]+)")


@final
@dataclass(frozen=True, slots=True)
class Group:
    scope: Scope
    width: Expr | None = None  # lanes of a tile


@final
@dataclass(slots=True)
class Groups:
    """The group variables of a kernel."""

    known: dict[Symbol, Group] = field(default_factory=dict[Symbol, Group])
    only_x: bool = False  # whether the kernel asks for x alone of its indices

    def declares(self, declare: Declare) -> bool:
        return all(variable.symbol in self.known for variable in declare.variables)

    def group_of(self, expr: Expr) -> Group | None:
        expr = strip_parens(expr)
        if isinstance(expr, VarRef):
            return self.known.get(expr.symbol)
        if not isinstance(expr, Call) or not expr.is_cuda:
            return None
        match expr.name:
            case "this_thread_block":
                return Group(Scope.BLOCK)
            case "this_grid":
                return Group(Scope.GRID)
            case "tiled_partition":
                return _tile_of(expr)
            case "coalesced_threads" | "binary_partition" | "labeled_partition" | "this_cluster":
                raise refuse("G2O0212", f"cooperative groups: '{expr.name}'", expr.span)
            case _:
                return None

    def scope_of(self, expr: Expr) -> Scope | None:
        group = self.group_of(expr)
        return None if group is None else group.scope

    def width_of(self, expr: Expr) -> Expr | None:
        group = self.group_of(expr)
        return None if group is None else group.width

    def property(self, expr: Expr, name: str) -> Expr | None:
        """A rank or size of the group that `expr` names."""
        group = self.group_of(expr)
        return None if group is None else _property(group, name, self.only_x)

    def simplify(self, node: Node) -> Node | None:
        """Ranks and sizes of groups in terms of the launch."""
        if isinstance(node, Member) and node.name in AXES:
            whole = self.simplify(node.base)
            if isinstance(whole, LaunchRef) and whole.axis is None:
                return LaunchRef(whole.builtin, AXES.index(node.name), UNSIGNED)
        if not isinstance(node, Call):
            return None
        if isinstance(node.callee, Member):
            group, name = self.group_of(node.callee.base), node.callee.name
        elif node.is_cuda and node.name in _OF_A_WARP:
            op = _OF_A_WARP[node.name]
            return Paren(Binary(op, linear_thread(), Literal("32", 32, INT), UNSIGNED), UNSIGNED)
        elif node.is_cuda and node.name in ("thread_rank", "group_size") and node.arguments:
            group = self.group_of(node.arguments[0])
            name = "size" if node.name == "group_size" else node.name
        else:
            return None
        if group is None:
            return None
        return _property(group, name, self.only_x)


def find_groups(body: Node) -> Groups:
    """Variables declared as cooperative groups anywhere in the kernel."""
    groups = Groups()
    for node in walk(body):
        if not isinstance(node, Declare):
            continue
        for variable in node.variables:
            if variable.initial is None:
                continue
            group = groups.group_of(variable.initial)
            if group is None and isinstance(variable.initial, Call):
                continue
            if group is not None:
                groups.known[variable.symbol] = group
    groups.only_x = not _asks_beyond_x(body, groups)
    return groups


def _asks_beyond_x(node: Node, groups: Groups) -> bool:
    """Does it ask for an index other than x? A kernel that never does is launched along x, which
    its translation asserts."""
    if isinstance(node, Member) and node.name == AXES[0] and isinstance(node.base, Call):
        callee = node.base.callee
        if isinstance(callee, Member) and callee.name in _VECTORS:
            return False
    return _needs_all_axes(node, groups) or any(
        _asks_beyond_x(child, groups) for child in children(node)
    )


def _needs_all_axes(node: Node, groups: Groups) -> bool:
    if isinstance(node, LaunchRef):
        return node.axis != 0
    if not isinstance(node, Call):
        return False
    if isinstance(node.callee, Member):
        group, name = groups.group_of(node.callee.base), node.callee.name
    elif node.is_cuda and node.arguments:
        group, name = groups.group_of(node.arguments[0]), node.name
    else:
        return False
    if group is None or "sync" in name:
        return False
    return group.scope is not Scope.GRID or name in _VECTORS


def _tile_of(call: Call) -> Group:
    spelled = call.template_arguments[0] if call.template_arguments else ""
    if not spelled and call.span is not None:
        match = _PARTITION.search(call.span.text) or _TILE.search(call.type.spelling)
        spelled = match.group(1) if match else ""
    if not spelled and len(call.arguments) == 2:
        number = integer_value(call.arguments[1])
        spelled = "" if number is None else str(number)
    if not spelled:
        raise refuse(
            "G2O0212", "cooperative groups: partition of a size known at run time", call.span
        )
    spelled = spelled.rstrip("Uu") if spelled[:1].isdigit() else spelled
    known = _TILE.search(call.type.spelling)  # what a macro or constant stands for
    number = spelled if spelled.isdigit() or known is None else known.group(1).rstrip("Uu")
    value = int(number) if number.isdigit() else None
    if value is not None and value > 32:
        raise refuse("G2O0212", f"cooperative groups: tile of {value} threads", call.span)
    return Group(Scope.WARP, Literal(spelled, value, INT))


def _thread(axis: int) -> Expr:
    return LaunchRef(Builtin.THREAD_INDEX, axis, UNSIGNED)


def _dim(axis: int) -> Expr:
    return LaunchRef(Builtin.BLOCK_DIM, axis, UNSIGNED)


def linear_thread() -> Expr:
    """The rank of a thread in its block: x runs fastest."""
    row = Binary("+", _thread(1), Binary("*", _dim(1), _thread(2), UNSIGNED), UNSIGNED)
    plane = Binary("*", _dim(0), Paren(row, UNSIGNED), UNSIGNED)
    return Paren(Binary("+", _thread(0), plane, UNSIGNED), UNSIGNED)


def _linear_block() -> Expr:
    """The rank of a block in the grid."""
    index, extent = Builtin.BLOCK_INDEX, Builtin.GRID_DIM
    x, y, z = (LaunchRef(index, axis, UNSIGNED) for axis in range(3))
    plane = Binary("*", LaunchRef(extent, 1, UNSIGNED), z, UNSIGNED)
    row = Paren(Binary("+", y, plane, UNSIGNED), UNSIGNED)
    rows = Binary("*", LaunchRef(extent, 0, UNSIGNED), row, UNSIGNED)
    return Paren(Binary("+", x, rows, UNSIGNED), UNSIGNED)


def _grid_size() -> Expr:
    x, y, z = (LaunchRef(Builtin.GRID_DIM, axis, UNSIGNED) for axis in range(3))
    return Paren(Binary("*", Binary("*", x, y, UNSIGNED), z, UNSIGNED), UNSIGNED)


def _block_size() -> Expr:
    plane = Binary("*", _dim(0), _dim(1), UNSIGNED)
    return Paren(Binary("*", plane, _dim(2), UNSIGNED), UNSIGNED)


def _property(group: Group, name: str, only_x: bool) -> Expr | None:
    rank: Expr = linear_thread()
    match group.scope, name:
        case Scope.BLOCK, "thread_rank":
            return rank
        case Scope.BLOCK, "size" | "num_threads":
            return _block_size()
        case Scope.BLOCK, "thread_index":
            return LaunchRef(Builtin.THREAD_INDEX, None)
        case Scope.BLOCK, "group_index":
            return LaunchRef(Builtin.BLOCK_INDEX, None)
        case Scope.BLOCK, "group_dim" | "dim_threads":
            return LaunchRef(Builtin.BLOCK_DIM, None)
        case Scope.WARP, "thread_rank":
            return Paren(Binary("%", rank, _width(group), UNSIGNED), UNSIGNED)
        case Scope.WARP, "size" | "num_threads":
            return _width(group)
        case Scope.WARP, "meta_group_rank":
            return Paren(Binary("/", rank, _width(group), UNSIGNED), UNSIGNED)
        case Scope.WARP, "meta_group_size":
            return Paren(Binary("/", _block_size(), _width(group), UNSIGNED), UNSIGNED)
        case Scope.GRID, "is_valid":
            return Literal("true", 1)
        case Scope.GRID, "block_index":
            return LaunchRef(Builtin.BLOCK_INDEX, None)
        case Scope.GRID, "dim_blocks" | "group_dim":
            return LaunchRef(Builtin.GRID_DIM, None)
        case Scope.GRID, "block_rank":
            return LaunchRef(Builtin.BLOCK_INDEX, 0, UNSIGNED) if only_x else _linear_block()
        case Scope.GRID, "num_blocks":
            return LaunchRef(Builtin.GRID_DIM, 0, UNSIGNED) if only_x else _grid_size()
        case Scope.GRID, "thread_rank" if not only_x:
            before = Binary("*", _linear_block(), _block_size(), UNSIGNED)
            return Paren(Binary("+", before, rank, UNSIGNED), UNSIGNED)
        case Scope.GRID, "size" | "num_threads" if not only_x:
            return Paren(Binary("*", _grid_size(), _block_size(), UNSIGNED), UNSIGNED)
        case Scope.GRID, "thread_rank":
            block = LaunchRef(Builtin.BLOCK_INDEX, 0, UNSIGNED)
            base = Binary("*", block, _dim(0), UNSIGNED)
            return Paren(Binary("+", base, _thread(0), UNSIGNED), UNSIGNED)
        case Scope.GRID, "size" | "num_threads":
            grid = LaunchRef(Builtin.GRID_DIM, 0, UNSIGNED)
            return Paren(Binary("*", grid, _dim(0), UNSIGNED), UNSIGNED)
        case _:
            return None


def _width(group: Group) -> Expr:
    return group.width if group.width is not None else Literal("32", 32, INT)
