"""Which threads an interval lets work together: the lanes of a warp, or those of a tile.

    v += __shfl_down_sync(full, v, 4, 8);      ->   for (int tile = 0; tile < tiles; ++tile) {
    v += __shfl_down_sync(full, v, 2, 8);               for (int lane = 0; lane < 8; ++lane)
                                                            ...

Where all operations of an interval name the same width, lanes of different tiles learn nothing of
each other: a shuffle reads within the tile, and orders no memory (CUDA C++ Programming Guide, "Warp
Shuffle Functions"). A barrier of the warp orders it, so that an interval with one keeps its warps;
`tile.sync()` does so for its tile. By `__shfl_xor_sync` a lane reads earlier tiles, too, where the
mask is no lane's number: such an interval keeps its warps. A width is a power of two up to 32;
other ones have no defined result.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.analysis.lane_masks import stays_inside
from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Barrier, Block, Declare, Exchange, Node, Scope, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind, unqualified
from g2o.lowering.context import DIM3
from g2o.lowering.thread_group import ZERO

WARP_SIZE = 32
_WIDTHS = (2, 4, 8, 16)


@final
@dataclass(frozen=True, slots=True)
class Lanes:
    """Threads that work together: `count` of them, a power of two up to 32 that is known as `value`
    unless it is a parameter of a template."""

    count: Expr
    value: int | None
    name: str

    @property
    def is_warp(self) -> bool:
        return self.value == WARP_SIZE

    @property
    def width(self) -> Expr | None:
        """What operations name as their width."""
        return None if self.is_warp else self.count

    def divides(self, number: int | None) -> bool:
        """Does a multiple of so many threads consist of whole groups?"""
        return number is not None and number % (self.value or WARP_SIZE) == 0

    def is_count(self, expr: Expr) -> bool:
        """Is it the number of lanes?"""
        expr = strip_parens(expr)
        known = _constant(expr)
        return expr == self.count or (known is not None and known == self.value)

    def is_mask(self, expr: Expr) -> bool:
        """Is it one less than the number of lanes?"""
        expr = strip_parens(expr)
        known = integer_value(expr)
        if known is not None:
            return self.value is not None and known == self.value - 1
        match expr:
            case Binary(op="-", left=left, right=right):
                return self.is_count(left) and integer_value(right) == 1
            case _:
                return False

    def extent(self) -> str:
        """The number of lanes, as arrays of their values spell it."""
        return _spelled(self.count)

    def groups_of(self, threads: Expr) -> Expr:
        """How many groups so many threads are, if the last one may lack some."""
        return Binary("/", Code(("(", threads, f" + {self.extent()} - 1)")), self.count, INT)


WARP = Lanes(Code(("g2o::warp_size",), type=INT), WARP_SIZE, "warp")


def rounded_up(expr: Expr) -> Expr | None:
    """The number of threads of which `expr` counts the groups, the last of them perhaps a part."""
    match expr:
        case Binary(
            op="/", left=Code(parts=("(", threads, text)), right=Literal() | Code() as count
        ):
            same = text == f" + {_spelled(count)} - 1)"
            return threads if same and not isinstance(threads, str) else None
        case _:
            return None


def lanes_of(statements: tuple[Stmt, ...], kernel: Block, effects: EffectsOf) -> Lanes:
    """The largest groups whose lanes learn of each other in an interval of `kernel`."""
    meetings = [
        node
        for statement in statements
        for node in walk(statement)
        if isinstance(node, (Exchange, Barrier)) and node.scope is Scope.WARP
    ]
    match meetings[0].width:
        case Literal(value=value, type=ctype) as width if ctype.kind is TypeKind.INTEGER:
            pass
        case _:
            return WARP
    if value not in (None, *_WIDTHS) or any(node.width != width for node in meetings):
        return WARP
    for node in meetings:
        if isinstance(node, Exchange) and node.operation == "shfl_xor":
            if not stays_inside(node.operands[1], width, kernel, effects):
                return WARP
    return Lanes(width, value, "tile")


def as_own(statements: tuple[Stmt, ...], lanes: Lanes) -> tuple[Stmt, ...]:
    """Operations of a tile that concern all of its lanes, as the group's own."""

    def own(node: Node) -> Node | None:
        if not isinstance(node, Exchange) or node.operation.startswith("shfl"):
            return None
        return replace(node, width=None)

    return statements if lanes.is_warp else tuple(rewrite(one, own) for one in statements)


def with_positions(
    statements: tuple[Stmt, ...],
    thread: Symbol,
    group: Symbol,
    lane: Symbol,
    lanes: Lanes,
    effects: EffectsOf,
) -> tuple[Stmt, ...]:
    """`t % 32` is the lane and `t / 32` the warp, also of a variable that is `block * 128 + t`."""
    ranks = _ranks(statements, thread, effects)

    def position(node: Node) -> Node | None:
        if not isinstance(node, Binary):
            return None
        left = _number(node.left)
        named = isinstance(left, VarRef) and left.symbol in ranks
        if isinstance(left, VarRef):
            left = ranks.get(left.symbol, left)
        whole = _whole_groups_before(left, thread, lanes)
        if whole is None and left != VarRef(thread):
            return None
        found = _position(node, group, lane, lanes)
        if whole is not None and found == VarRef(group):
            count = node.right if node.op == "/" else lanes.count
            found = Paren(Binary("+", _groups(whole, count, lanes), VarRef(group), INT), INT)
        elif whole is not None and found != VarRef(lane):
            return None
        is_wide = node.type.bits > INT.bits or (named and not node.type.is_signed)
        if found is None or not is_wide or node.type.kind is not TypeKind.INTEGER:
            return found
        return Cast(strip_parens(found), replace(node.type, spelling=unqualified(node.type)))

    def plain(node: Node) -> Node | None:
        """Without a conversion of what is converted anyway, or is compared with a constant."""
        match node:
            case Declare(variables=(Variable(symbol=symbol, initial=initial) as one,)) if (
                initial is not None and _is_number(symbol.type)
            ):
                value = position(initial)
                if isinstance(value, Cast):
                    told = (replace(one, initial=value.operand),)
                    return replace(node, variables=told, form=Form.BUILT)
            case Binary(op="==" | "!=" | "<" | "<=" | ">" | ">=", left=left, right=Literal()):
                value = position(strip_parens(left))
                if isinstance(value, Cast) and _is_natural(node.right):
                    return replace(node, left=value.operand, form=Form.BUILT)
            case Index(index=index):
                value = position(strip_parens(index))
                if isinstance(value, Cast):
                    base = rewrite(node.base, plain)
                    return replace(node, base=base, index=value.operand, form=Form.BUILT)
            case _:
                pass
        return position(node)

    return tuple(rewrite(statement, plain) for statement in statements)


def _ranks(statements: tuple[Stmt, ...], thread: Symbol, effects: EffectsOf) -> dict[Symbol, Expr]:
    """The variables that are a sum of the rank of a thread, and of what never changes."""
    found: dict[Symbol, Expr] = {}
    written: set[Symbol] = set()
    for statement in statements:
        written |= written_after_declaration(statement, effects)
    for statement in statements:
        for node in walk(statement):
            match node:
                case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if (
                    initial is not None and symbol not in written and _is_number(symbol.type)
                ):
                    value = _number(initial)
                    if isinstance(value, VarRef):
                        value = found.get(value.symbol, value)
                    if _is_rank(value, thread):
                        found[symbol] = value
                case _:
                    pass
    return found


def _is_natural(number: Expr) -> bool:
    value = integer_value(number)
    return value is not None and value >= 0


def _is_number(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits >= INT.bits


def _number(expr: Expr) -> Expr:
    """The number without conversions to types that hold it."""
    match expr:
        case Paren(inner=inner):
            return _number(inner)
        case Cast(operand=operand, type=ctype) if _is_number(ctype) and _is_number(operand.type):
            return _number(operand)
        case _:
            return expr


def _is_rank(value: Expr, thread: Symbol) -> bool:
    nodes = list(walk(value))
    fixed = (Storage.INDEX, Storage.PARAMETER)
    named = [one.symbol for one in nodes if isinstance(one, VarRef)]
    plain = all(
        isinstance(one, (VarRef, Literal, LaunchRef, Paren, Cast, Member))
        or (isinstance(one, Binary) and one.op in ("+", "*"))
        for one in nodes
    )
    return plain and thread in named and all(one.storage in fixed for one in named)


def _position(node: Binary, group: Symbol, lane: Symbol, lanes: Lanes) -> Expr | None:
    """What an operation on the rank of a thread says of its group and lane."""
    value = integer_value(node.right)
    match node.op:
        case "%" if lanes.is_count(node.right):
            return VarRef(lane)
        case "&" if lanes.is_mask(node.right):
            return VarRef(lane)
        case "/" if lanes.is_count(node.right):
            return VarRef(group)
        case ">>" if value is not None and lanes.value == 1 << value:
            return VarRef(group)
        case "<" if lanes.is_count(node.right):
            return Binary("==", VarRef(group), ZERO, node.type)
        case "<" if value is not None and value > 0 and lanes.value and lanes.divides(value):
            limit = value // lanes.value
            return Binary("<", VarRef(group), Literal(str(limit), limit, INT), node.type)
        case _:
            return None


def _whole_groups_before(expr: Expr, thread: Symbol, lanes: Lanes) -> Expr | None:
    """In `block * 128 + t`: what stands in front of `t`, if it is a multiple of the lanes."""
    if not isinstance(expr, Binary) or expr.op != "+":
        return None
    for first, second in ((expr.left, expr.right), (expr.right, expr.left)):
        if _number(second) != VarRef(thread) or not _is_of_launch(first):
            continue
        factors: list[Expr] = [strip_parens(first)]
        while factors:
            factor = factors.pop()
            if lanes.divides(_constant(factor)):
                return first
            if isinstance(factor, Binary) and factor.op == "*":
                factors.extend((strip_parens(factor.left), strip_parens(factor.right)))
    return None


def _is_of_launch(number: Expr) -> bool:
    """Is it a sum of products of what a launch has, which is never negative? What is below zero is
    divided towards zero, and so not by whole groups."""
    match _number(number):
        case Binary(op="+" | "*", left=left, right=right):
            return _is_of_launch(left) and _is_of_launch(right)
        case VarRef(symbol=symbol):
            return symbol.storage is Storage.INDEX
        case Member(base=VarRef(symbol=symbol)):
            return symbol.type == DIM3
        case LaunchRef() | Code(parts=("g2o::warp_size",)):
            return True
        case bare:
            return _is_natural(bare)


def _groups(threads: Expr, count: Expr, lanes: Lanes) -> Expr:
    """How many groups so many threads are: `8 * block` of `256 * block`."""
    match threads:
        case Binary(op="*", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                groups = _whole_groups(one, lanes)
                if groups is not None:
                    parts = (groups, other) if one is left else (other, groups)
                    return Binary("*", *parts, INT)
        case _:
            pass
    return Binary("/", threads, count, INT)


def _whole_groups(number: Expr, lanes: Lanes) -> Expr | None:
    """More than one, of a number that is spelled by its digits."""
    match number:
        case Literal(text=text, value=int() as value) if text.isdigit() and lanes.divides(value):
            groups = value // (lanes.value or value)
            return Literal(str(groups), groups, INT) if groups > 1 else None
        case _:
            return None


def _spelled(count: Expr) -> str:
    match count:
        case Literal(text=text) | Code(parts=(str() as text,)):
            return text
        case _:
            raise AssertionError("the number of lanes is a constant")


def _constant(expr: Expr) -> int | None:
    value = integer_value(expr)
    if value is not None:
        return value
    if isinstance(expr, Code) and expr.parts == ("g2o::warp_size",):
        return WARP_SIZE
    return None
