"""May the iterations of a loop run in any order? The adjoint of a loop that may is a loop with the
same head, which later passes read as they read the loop of the kernel.

    for (int j = t; j < n; j += m)             for (int j = t; j < n; j += m) {
        y[j] = a * x[j];                ->         d_x[j] += a * d_y[j];
                                                   d_y[j] = 0.0;
                                               }
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import final

from g2o.analysis.effects import is_tape_call, root_symbol, symbols_in
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import Barrier, Declare, Exchange, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import CType, TypeKind


def commutes(
    body: list[Stmt],
    declared: Collection[Symbol],
    memory_of: Callable[[Symbol], Iterable[Symbol | None]],
    index: Symbol | None = None,
) -> bool:
    """May the iterations of a loop with this body run in any order?

    They may if all that they do to variables from outside is add to them, and none of those is
    read; what else they change are elements that no other iteration names. `memory_of` gives the
    variables that a pointer may lead to, None for any, `index` is a number that is another one in
    every iteration. Sums of floating numbers may round otherwise.
    """
    own = _own_elements(body, declared, index) if index is not None else set[Symbol]()
    known = own | set(declared)
    added: set[Symbol] = set()
    read: set[Symbol] = set()
    for statement in body:
        for node in walk(statement):
            match node:
                case Call() if is_tape_call(node):
                    return False
                case Declare(variables=variables):
                    kinds = (TypeKind.POINTER, TypeKind.REFERENCE)
                    if any(variable.symbol.type.kind in kinds for variable in variables):
                        return False
                case Assign(op=op, target=target):
                    root = root_symbol(target)
                    if root is None:
                        return False
                    if root not in known:
                        if op not in ("+=", "-="):
                            return False
                        added.add(root)
                    if root not in declared:
                        read |= _indices(target)
                case Call(is_cuda=True, name="atomicAdd", arguments=arguments):
                    root = root_symbol(arguments[0])
                    if root is None:
                        return False
                    if root not in known:
                        added.add(root)
                    if root not in declared:
                        read |= _indices(arguments[0])
                case _:
                    pass
    for statement in body:
        read |= _read(statement)
    met = {place for symbol in added for place in memory_of(symbol)}
    seen = {place for symbol in read - own for place in memory_of(symbol)}
    if None in met or met & seen:
        return False
    return _lie_apart(own, met | seen, memory_of)


# -- elements of their own ----------------------------------------------------------------------


def _lie_apart(
    own: set[Symbol],
    others: set[Symbol | None],
    memory_of: Callable[[Symbol], Iterable[Symbol | None]],
) -> bool:
    """Is the memory of these arrays that of no other one?"""
    for symbol in sorted(own, key=lambda one: one.id):
        memory = set(memory_of(symbol))
        if None in memory or None in others or memory & others:
            return False
        others = others | memory
    return True


def _own_elements(body: list[Stmt], declared: Collection[Symbol], index: Symbol) -> set[Symbol]:
    """Arrays of which every iteration changes one element, which no other iteration names.

    All that the body says of the array is `a[e]`, or `a[d][e]`, with one and the same e, in which
    the index is added to what does not change. Legal without barriers only: between them the
    iterations of other threads take turns with these.
    """
    nodes = [node for statement in body for node in walk(statement)]
    if any(isinstance(node, (Barrier, Exchange)) for node in nodes):
        return set()
    changed = {
        root
        for node in nodes
        if isinstance(node, Assign)
        if (root := root_symbol(node.target)) is not None and root not in declared
    }
    opaque = {one for node in nodes if isinstance(node, Verbatim) for one in symbols_in(node)}
    named = [node.symbol for node in nodes if isinstance(node, VarRef)]
    turn = Turn.of(nodes, declared, index)
    inner = {id(node.base) for node in nodes if isinstance(node, Index)}
    indices: dict[Symbol, list[list[Expr]]] = {}
    for node in nodes:
        if isinstance(node, Index) and id(node) not in inner:
            array, place = _element(node)
            if array is not None:
                indices.setdefault(array, []).append(place)
    found: set[Symbol] = set()
    for symbol in changed - opaque:
        places = indices.get(symbol, [])
        same = all(one == places[0] for one in places)
        if same and len(places) == named.count(symbol) and any(map(turn.is_other, places[0])):
            found.add(symbol)
    return found


def _element(place: Index) -> tuple[Symbol | None, list[Expr]]:
    """The array `a` and the indices of `a[i][j]`."""
    indices: list[Expr] = []
    base: Expr = place
    while isinstance(base, Index):
        indices.append(base.index)
        base = base.base
    return base.symbol if isinstance(base, VarRef) else None, indices


@final
@dataclass(frozen=True, slots=True)
class Turn:
    """An iteration of a loop, and what numbers have to do with its index: `values` are those that
    the body gives names, `changing` the variables that need not be the same in all iterations, be
    it only in what they lead to; `moved` those that may lead elsewhere."""

    index: Symbol
    values: Mapping[Symbol, Expr]
    changing: frozenset[Symbol]
    moved: frozenset[Symbol]

    @staticmethod
    def of(nodes: list[Node], declared: Collection[Symbol], index: Symbol) -> Turn:
        written: set[Symbol] = set()
        moved: set[Symbol] = set(declared)
        values: dict[Symbol, Expr] = {}
        for node in nodes:
            match node:
                case Assign(target=target) | Unary(op="++" | "--" | "&", operand=target):
                    root = root_symbol(target)
                    written |= set[Symbol]() if root is None else {root}
                    itself = strip_parens(target)
                    moved |= {itself.symbol} if isinstance(itself, VarRef) else set[Symbol]()
                case Declare(variables=variables):
                    for one in variables:
                        if one.initial is not None and one.initial_style == "=":
                            values[one.symbol] = one.initial
                case _:
                    pass
        known = {one: value for one, value in values.items() if one not in written}
        changing = frozenset(written | (set(declared) - known.keys()))
        return Turn(index, known, changing, frozenset(moved))

    def is_other(self, expr: Expr) -> bool:
        """Is the number another one in every iteration?"""
        factor = self._factor(expr)
        return factor is not None and factor != 0

    def is_own(self, element: Index) -> bool:
        """Is it another element of one array in every iteration?"""
        base = strip_parens(element.base)
        named = isinstance(base, VarRef) and base.symbol not in self.moved
        return named and self.is_other(element.index)

    def _factor(self, expr: Expr) -> int | None:
        """How often the index is added to what stays the same; None where that is not all."""
        match expr:
            case Literal() | LaunchRef():
                return 0
            case VarRef(symbol=symbol):
                if symbol == self.index:
                    return None if symbol in self.changing else 1
                value = self.values.get(symbol)
                if value is not None:
                    return self._factor(value) if self._is_wide(symbol.type) else None
                return None if symbol in self.changing else 0
            case Paren(inner=inner):
                return self._factor(inner)
            case Cast(operand=operand):
                return self._factor(operand) if self._is_wide(value_type(expr)) else None
            case Binary(op="+" | "-" | "*" as op, left=left, right=right):
                one, other = self._factor(left), self._factor(right)
                if one is None or other is None:
                    return None
                if one == other == 0:
                    return 0
                both = one != 0 and other != 0
                if op == "*" or both or not self._is_wide(value_type(expr)):
                    return None
                return one + other if op == "+" else one - other
            case Index(base=base, index=index) if self._factor(index) == 0:
                return self._factor(base)
            case Member(base=base):
                return self._factor(base)
            case _:
                return None

    def _is_wide(self, ctype: CType) -> bool:
        """Has the type all digits of the index? Sums that wrap around are different for
        different indices all the same."""
        return ctype.kind is TypeKind.INTEGER and ctype.bits >= self.index.type.bits >= 32


# -- what is named ------------------------------------------------------------------------------


def _indices(target: Expr) -> set[Symbol]:
    root = root_symbol(target)
    symbols = symbols_in(target)
    times = sum(isinstance(n, VarRef) and n.symbol == root for n in walk(target))
    return symbols if times > 1 or root is None else symbols - {root}


def _read(node: Node) -> set[Symbol]:
    """Variables whose values the code takes, targets of increments apart. It may have one and the
    same node in several places."""
    match node:
        case VarRef(symbol=symbol):
            return {symbol}
        case Assign(op="+=" | "-=", target=target, value=value):
            return _indices(target) | _read(value)
        case Call(is_cuda=True, name="atomicAdd", arguments=(target, *values)):
            return _indices(target).union(*map(_read, values))
        case _:
            return set[Symbol]().union(*map(_read, children(node)))
