"""Atomic additions of a parallel loop to elements that nothing else in the kernel names.

Who reads such an element through another pointer is a thread that races with those that add, or
reads it before it adds itself: reads in the same thread after an addition are looked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeGuard, final

from g2o.analysis.effects import EffectsOf, root_symbol, symbols_in
from g2o.ir.expressions import (
    Binary,
    Call,
    Expr,
    Index,
    Literal,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import INT, CType, TypeKind

_Arm = tuple[int, bool]  # the `If`, and whether it is its first branch
_ZERO = Literal("0", 0, INT)
_SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)
_LEADING = (TypeKind.POINTER, TypeKind.REFERENCE)
_CONSTANT = (Storage.PARAMETER, Storage.GLOBAL)


def additions_of(loop: CountedLoop, lowered: LoweredKernel, effects: EffectsOf) -> list[Additions]:
    """The additions whose order does not matter, array by array."""
    pointers = frozenset(p for p in lowered.function.parameters if _holds_numbers(p))
    search = _Search(effects, pointers)
    search.visit(loop, (), (), ())
    found: list[Additions] = []
    for array in sorted({one.array for one in search.additions}, key=lambda symbol: symbol.id):
        own = tuple(one for one in search.additions if one.array == array)
        if len(own) == _mentions(lowered.body, array) and not _reads_later(search, own):
            is_switched = any(_is_switched(one, search) for one in own)
            found.append(Additions(array, own, is_switched, _meets_others(array, search)))
    return found


@final
@dataclass(frozen=True, slots=True)
class Additions:
    """All additions to an array. `is_switched`: the launch, and not what threads find, decides
    whether one of them happens; `meets_others`: other atomic operations may change the elements."""

    array: Symbol
    each: tuple[Addition, ...]
    is_switched: bool
    meets_others: bool


@final
@dataclass(frozen=True, slots=True)
class Addition:
    """`atomicAdd(&array[index], value)` inside of `loops`, the outermost first, and of `choices`,
    conditions of statements around it."""

    statement: ExprStatement
    array: Symbol
    index: Expr
    value: Expr
    loops: tuple[CountedLoop | For | While | DoWhile, ...]
    choices: tuple[Expr, ...]
    walks_shared: bool = False  # the element of the same number in shared memory is added


@final
@dataclass(slots=True)
class _Search:
    """What a parallel loop does, in the order of its text."""

    effects: EffectsOf
    arrays: frozenset[Symbol]
    additions: list[Addition] = field(default_factory=list["Addition"])
    places: dict[int, int] = field(default_factory=dict[int, int])  # of nodes, by id
    arms: dict[int, tuple[_Arm, ...]] = field(default_factory=dict[int, tuple["_Arm", ...]])
    changed: list[Symbol | None] = field(default_factory=list["Symbol | None"])  # atomically
    origins: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])  # of pointers
    leaving: list[Expr] = field(default_factory=list["Expr"])  # conditions of jumps

    def visit(
        self,
        node: Node,
        loops: tuple[CountedLoop | For | While | DoWhile, ...],
        choices: tuple[Expr, ...],
        arms: tuple[_Arm, ...],
    ) -> None:
        self.places[id(node)] = len(self.places)
        self.arms[id(node)] = arms
        if isinstance(node, Call) and node.is_cuda and node.name.startswith("atomic"):
            self.changed.append(self.origin(root_symbol(node.arguments[0])))
        match node:
            case ExprStatement(
                expr=Call(is_cuda=True, name="atomicAdd" | "atomicAdd_block", arguments=(to, value))
            ):
                found = _element(to)
                if found is not None and found[0] in self.arrays:
                    walks = self._walks_shared(value, found[1])
                    self.additions.append(Addition(node, *found, value, loops, choices, walks))
            case Declare(variables=variables):
                for variable in variables:
                    root = None if variable.initial is None else root_symbol(variable.initial)
                    if root is not None and variable.symbol.type.kind in _LEADING:
                        self.origins[variable.symbol] = self.origins.get(root, root)
            case Jump() | Return():
                self.leaving += choices
            case If(condition=condition) | Switch(condition=condition):
                choices = (*choices, condition)
            case CountedLoop() | For() | While() | DoWhile():
                loops = (*loops, node)
            case _:
                pass
        for child in children(node):
            inner = arms
            if isinstance(node, If) and child is not node.condition:
                inner = (*arms, (id(node), child is node.then))
            self.visit(child, loops, choices, inner)

    def origin(self, root: Symbol | None) -> Symbol | None:
        """The pointer that `root` was made from."""
        return None if root is None else self.origins.get(root, root)

    def is_either(self, one: Node, other: Node) -> bool:
        """Does a thread come to one of the two at most?"""
        chosen = dict(self.arms[id(one)])
        return any(chosen.get(at, arm) != arm for at, arm in self.arms[id(other)])

    def _walks_shared(self, value: Expr, index: Expr) -> bool:
        for node in walk(value):
            if isinstance(node, Index) and strip_parens(node.index) == strip_parens(index):
                root = root_symbol(node)
                origin = self.origin(root)
                if origin is not None and origin.storage in _SHARED:
                    return True
        return False


def _holds_numbers(parameter: Symbol) -> bool:
    element = parameter.type.element
    if parameter.type.kind is not TypeKind.POINTER or element is None:
        return False
    return element.is_arithmetic and not element.is_volatile and not element.is_const


def _element(address: Expr) -> tuple[Symbol, Expr] | None:
    """The array and the index of what an address points to."""
    match strip_parens(address):
        case VarRef(symbol=symbol):
            return symbol, _ZERO
        case Unary(op="&", operand=Index(base=base, index=index)):
            pass
        case Binary(op="+", left=base, right=index):
            pass
        case _:
            return None
    array = strip_parens(base)
    return (array.symbol, index) if isinstance(array, VarRef) else None


def _mentions(body: tuple[Stmt, ...], array: Symbol) -> int:
    """How often the array is named; text that no pass looks into counts twice."""
    count = 0
    word = re.compile(rf"\b{re.escape(array.name)}\b")
    for statement in body:
        for node in walk(statement):
            if isinstance(node, VarRef) and node.symbol == array:
                count += 1
            elif isinstance(node, Text) and any(
                isinstance(part, str) and word.search(part) for part in node.parts
            ):
                count += 2
    return count


def _is_switched(one: Addition, search: _Search) -> bool:
    """Is it the launch, and not what threads find, that decides whether the addition happens?"""
    numbers = {loop.index for loop in one.loops if isinstance(loop, CountedLoop)}
    numbers = numbers & symbols_in(one.index)
    conditions = (*one.choices, *search.leaving)
    for condition in (part for whole in conditions for part in _parts(whole)):
        named = {symbol for symbol in symbols_in(condition) if symbol.storage not in _CONSTANT}
        if not named - numbers:
            return True
    return False


def _parts(condition: Expr) -> tuple[Expr, ...]:
    match strip_parens(condition):
        case Binary(op="&&" | "||", left=left, right=right):
            return (*_parts(left), *_parts(right))
        case part:
            return (part,)


# -- who reads -----------------------------------------------------------------------------------


def _reads_later(search: _Search, own: tuple[Addition, ...]) -> bool:
    """May the thread of an addition read the element through another pointer afterwards?"""
    array = own[0].array
    repeated = [_repeated(one) for one in own]
    adding = {id(node) for one in own for node in walk(one.statement)}
    adding |= {id(node.operand) for node in walk(own[0].loops[0]) if _is_address(node)}
    for node in walk(own[0].loops[0]):
        if id(node) in adding or not any(
            search.places[id(node)] >= search.places[id(one)] and not search.is_either(one, node)
            for one in repeated
        ):
            continue
        if any(_may_reach(root, array) for root in _read_through(node, search)):
            return True
    return False


def _is_address(node: Node) -> TypeGuard[Unary]:
    return isinstance(node, Unary) and node.op == "&"


def _meets_others(array: Symbol, search: _Search) -> bool:
    """May an atomic operation on other memory be one on this array?"""
    others = [root for root in search.changed if root != array]
    return any(_may_reach(root, array) for root in others)


def _repeated(one: Addition) -> Node:
    """The outermost loop of a thread around the addition, or the addition."""
    for around in one.loops[1:]:
        if isinstance(around, (For, While, DoWhile)):
            return around
    return one.statement


def _read_through(node: Node, search: _Search) -> set[Symbol | None]:
    """What a node itself reads memory through."""
    match node:
        case Index() | Unary(op="*") | VarRef(symbol=Symbol(type=CType(kind=TypeKind.REFERENCE))):
            root = root_symbol(node)
            return {search.origin(root)}
        case Call(is_cuda=True, name="atomicAdd" | "atomicAdd_block"):
            return set()  # adds as well: the order does not matter
        case Call():
            return search.effects.of(node).memory_reads
        case _:
            return set()


def _may_reach(root: Symbol | None, array: Symbol) -> bool:
    """May what is read through `root` be an element of the array?"""
    if root is None:
        return True
    if root.type.kind is not TypeKind.POINTER or root.storage is not Storage.PARAMETER:
        return root.type.kind is TypeKind.POINTER and root.storage is Storage.LOCAL
    if root.type.is_restrict and array.type.is_restrict:
        return False
    element, own = root.type.element, array.type.element
    if element is None or own is None or element.kind is not own.kind:
        return element is None or element.bits == 8
    return element.bits == own.bits
