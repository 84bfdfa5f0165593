"""Atomic additions to a few elements, which nobody reads meanwhile, become a reduction.

    #pragma omp parallel for                  #pragma omp parallel for reduction(+ : sums[ : 64])
    for (int bx = 0; ...)                     for (int bx = 0; ...)
        for (int k = 0; k < 64; ++k)     ->       for (int k = 0; k < 64; ++k)
            g2o::atomic_add(&sums[k], s[k]);          sums[k] += s[k];

Legal because CUDA leaves open in which order atomic additions happen, and because nothing in the
kernel names the elements otherwise. Who reads them through another pointer is a thread that races
with those that add, or reads them before it adds itself: reads in the same thread after an addition
are looked for. How many elements there are is known from the loops around the additions: a constant
and small, because each thread of OpenMP has copies of all of them on its stack. In the end copies
are added to all elements, so that all have to exist: additions that parameters alone switch on and
off stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import EffectsOf, root_symbol, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Form,
    Index,
    Literal,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
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
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.transforms.block_local_atomics import converted
from g2o.transforms.merge_copies import Reduced, merge_copies

_ZERO = Literal("0", 0, INT)
_MOST_ELEMENTS = 4096
_CONSTANT = (Storage.PARAMETER, Storage.GLOBAL)


def use_reductions(lowered: LoweredKernel, functions: FunctionTable) -> LoweredKernel:
    """The same object where no atomic addition becomes part of a reduction."""
    effects = functions.for_node(Block(lowered.body))
    body = tuple(_reduced(statement, lowered, effects) for statement in lowered.body)
    same = all(new is old for new, old in zip(body, lowered.body, strict=True))
    return lowered if same else replace(lowered, body=body)


@final
@dataclass(frozen=True, slots=True)
class _Addition:
    """`atomicAdd(&array[index], value)` inside of `loops`, the outermost first, and of `choices`,
    conditions of statements around it."""

    statement: ExprStatement
    array: Symbol
    index: Expr
    value: Expr
    loops: tuple[CountedLoop | For | While | DoWhile, ...]
    choices: tuple[Expr, ...]


@final
@dataclass(slots=True)
class _Search:
    """What a parallel loop does, in the order of its text."""

    effects: EffectsOf
    arrays: frozenset[Symbol]
    additions: list[_Addition] = field(default_factory=list["_Addition"])
    places: dict[int, int] = field(default_factory=dict[int, int])  # of nodes, by id
    origins: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])  # of pointers
    leaving: list[Expr] = field(default_factory=list["Expr"])  # conditions of jumps

    def visit(
        self,
        node: Node,
        loops: tuple[CountedLoop | For | While | DoWhile, ...],
        choices: tuple[Expr, ...],
    ) -> None:
        self.places[id(node)] = len(self.places)
        match node:
            case ExprStatement(expr=Call(is_cuda=True, name="atomicAdd", arguments=(to, value))):
                found = _element(to)
                if found is not None and found[0] in self.arrays:
                    self.additions.append(_Addition(node, *found, value, loops, choices))
            case Declare(variables=variables):
                for variable in variables:
                    root = None if variable.initial is None else root_symbol(variable.initial)
                    if root is not None and variable.symbol.type.kind is TypeKind.POINTER:
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
            self.visit(child, loops, choices)


def _reduced(loop: Stmt, lowered: LoweredKernel, effects: EffectsOf) -> Stmt:
    if not isinstance(loop, CountedLoop) or not loop.pragma.startswith("omp parallel for"):
        return loop
    if "simd" in loop.pragma or "reduction" in loop.pragma:
        return loop
    pointers = frozenset(p for p in lowered.function.parameters if _holds_numbers(p))
    search = _Search(effects, pointers)
    search.visit(loop, (), ())
    arrays = sorted({one.array for one in search.additions}, key=lambda symbol: symbol.id)
    reduced: list[Reduced] = []
    for array in arrays:
        own = [one for one in search.additions if one.array == array]
        if len(own) != _mentions(lowered.body, array) or _reads_later(search, own):
            continue
        if any(_is_switched(one, search) for one in own):
            continue
        count = _common_count([_count(one, effects) for one in own])
        if count is not None:
            reduced.append(Reduced(array, count))
    if not reduced:
        return loop
    gone = {one.array for one in reduced}
    updates = {id(one.statement): one for one in search.additions if one.array in gone}

    def replacement(node: Node) -> Node | None:
        one = updates.get(id(node))
        return None if one is None else _plain(one)

    body = rewrite(loop.body, replacement)
    sections = ", ".join(f"{one.array.name}[ : {one.count.text}]" for one in reduced)
    pragma = f"{loop.pragma} reduction(+ : {sections})"
    return merge_copies(replace(loop, body=body, pragma=pragma), reduced, lowered, effects)


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
    for statement in body:
        for node in walk(statement):
            if isinstance(node, VarRef) and node.symbol == array:
                count += 1
            elif isinstance(node, Text) and any(
                isinstance(part, str) and array.name in part for part in node.parts
            ):
                count += 2
    return count


def _is_switched(one: _Addition, search: _Search) -> bool:
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


# -- how many elements ---------------------------------------------------------------------------


def _count(one: _Addition, effects: EffectsOf) -> Literal | None:
    """The number of elements that an addition may reach."""
    index = strip_parens(one.index)
    known = integer_value(index)
    if known is not None:
        count = known + 1
        return Literal(str(count), count, INT) if 0 < count <= _MOST_ELEMENTS else None
    if not isinstance(index, VarRef):
        return None
    for around in one.loops:
        if isinstance(around, CountedLoop) and around.index == index.symbol:
            break
    else:
        return None
    if integer_value(around.lower) != 0 or around.step is not None:
        return None
    if index.symbol in effects.of(around.body).writes:
        return None
    if not isinstance(around.upper, Literal):
        return None
    most = around.upper.value
    return around.upper if most is not None and 0 < most <= _MOST_ELEMENTS else None


def _common_count(counts: list[Literal | None]) -> Literal | None:
    """The one number of elements, or the largest of constants."""
    known = [count for count in counts if count is not None]
    if len(known) < len(counts) or not known:
        return None
    if all(count == known[0] for count in known):
        return known[0]
    return max(known, key=lambda count: count.value or 0)


# -- who reads -----------------------------------------------------------------------------------


def _reads_later(search: _Search, own: list[_Addition]) -> bool:
    """May the thread of an addition read the element through another pointer afterwards?"""
    array = own[0].array
    first = min(search.places[id(_repeated(one))] for one in own)
    adding = {id(node) for one in own for node in walk(one.statement)}
    for node in walk(own[0].loops[0]):
        if search.places[id(node)] >= first and id(node) not in adding:
            roots = _read_through(node, search)
            if any(_may_reach(root, array) for root in roots):
                return True
    return False


def _repeated(one: _Addition) -> Node:
    """The outermost loop of a thread around the addition, or the addition."""
    for around in one.loops[1:]:
        if isinstance(around, (For, While, DoWhile)):
            return around
    return one.statement


def _read_through(node: Node, search: _Search) -> set[Symbol | None]:
    """What a node itself reads memory through."""
    match node:
        case Index() | Unary(op="*"):
            root = root_symbol(node)
            return {root if root is None else search.origins.get(root, root)}
        case Call(is_cuda=True, name="atomicAdd"):
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


def _plain(one: _Addition) -> Stmt:
    element = one.array.type.element
    assert element is not None
    value = converted(one.value, element)
    target = Index(VarRef(one.array), one.index, element)
    return replace(one.statement, expr=Assign("+=", target, value, element), form=Form.BUILT)
