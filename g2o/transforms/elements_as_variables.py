"""What threads keep in elements of their own of a shared array, until they wait for each other.

    part[t] = 0.0f;                      float part_t = 0.0f;
    if (i < n)                           if (i < n)
        part[t] = x[i];            ->        part_t = x[i];
    __syncthreads();                     part[t] = part_t;
                                         __syncthreads();

So it is a value of the thread that others are combined with (`collectives.py`). Legal because no
other thread names the element in front of the barrier: every access there is spelled like the first
one, which stores, with an index that differs between threads and that nothing changes. (Callahan,
Carr and Kennedy, "Improving Register Allocation for Subscripted Variables", PLDI 1990.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.contribution_values import element_type
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.lvalues import root_symbol
from g2o.ir.expressions import Assign, Expr, Index, Unary, VarRef, strip_parens
from g2o.ir.statements import (
    Barrier,
    Declare,
    Exchange,
    ExprStatement,
    Jump,
    Labelled,
    Node,
    Return,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind, unqualified

_SHARED: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED)
_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.FLOATING)


@final
@dataclass(slots=True)
class Elements:
    """Makes variables of elements. `is_own` is asked of an element: is it another one for every
    thread, and does no pointer lead to its array? `kept` are stores that begin what stays."""

    effects: EffectsOf
    is_own: Callable[[Expr], bool]
    symbols: SymbolTable
    kept: set[int] = field(default_factory=set[int])
    stores: dict[int, Stmt] = field(default_factory=dict[int, Stmt])  # by the first ones
    variables: set[Symbol] = field(default_factory=set[Symbol])

    def as_variables(self, statements: Sequence[Stmt]) -> tuple[Stmt, ...]:
        """The statements with variables, and with stores of these in front of what waits."""
        result: list[Stmt] = []
        row: list[Stmt] = []
        self.stores.clear()
        for statement in statements:
            if any(isinstance(node, (Barrier, Exchange)) for node in walk(statement)):
                result += [*self._row(row), statement]
                row = []
            else:
                row.append(statement)
        return (*result, *row)

    def left_in(self, statements: Sequence[Stmt]) -> set[int]:
        """The first stores of elements whose variables others are still given to look at."""
        there = set(map(id, statements))
        return {first for first, store in self.stores.items() if id(store) in there}

    def _row(self, row: list[Stmt]) -> list[Stmt]:
        """Statements between barriers."""
        last: list[Stmt] = []
        for at, statement in enumerate(row):
            place = _stored(statement)
            if place is None or id(statement) in self.kept:
                continue
            root = _base(place)
            assert isinstance(root, VarRef)
            if any(node == root for one in row[:at] for node in walk(one)):
                continue
            made = self._with_variable(row[at:], place, root.symbol)
            if made is None:
                continue
            variable, new = made
            store = ExprStatement(Assign("=", place, VarRef(variable), place.type))
            self.stores[id(statement)] = store
            last.append(store)
            row = [*row[:at], *new]
        return [*row, *last]

    def _with_variable(
        self, statements: list[Stmt], place: Expr, array: Symbol
    ) -> tuple[Symbol, list[Stmt]] | None:
        first, *rest = statements
        ctype = element_type(array)
        if ctype.kind not in _NUMBERS or ctype.is_volatile or not self.is_own(place):
            return None
        if any(isinstance(n, (Return, Jump, Labelled)) for one in rest for n in walk(one)):
            return None
        if any(_is_led_to(n, array) for one in rest for n in walk(one)):
            return None
        done = self.effects.of_all(rest)
        if done.writes & symbols_in(place):
            return None
        named = [
            n for one in rest for n in walk(one) if isinstance(n, VarRef) and n.symbol == array
        ]
        same = [n for one in rest for n in walk(one) if n == place]
        if len(named) != len(same):
            return None
        variable = self.symbols.fresh(array.name, ctype, Storage.LOCAL)
        self.variables.add(variable)
        assert isinstance(first, ExprStatement)
        assert isinstance(first.expr, Assign)
        spelled = f"{unqualified(ctype)} "
        declared = Declare((Variable(variable, spelled, "", first.expr.value, "="),))

        def put(node: Node) -> Node | None:
            return VarRef(variable) if node == place else None

        return variable, [
            replace(declared, trivia=first.trivia),
            *(rewrite(one, put) for one in rest),
        ]


def _stored(statement: Stmt) -> Expr | None:
    """The element of a shared array that a statement gives a value, which is made of no element of
    the array; no plain variable is stored there already."""
    match statement:
        case ExprStatement(expr=Assign(op="=", target=Index() as target, value=value)):
            root = _base(target)
            if not _is_shared(root) or isinstance(strip_parens(value), VarRef):
                return None
            named = sum(node == root for part in (target, value) for node in walk(part))
            return target if named == 1 else None
        case _:
            return None


def _is_led_to(node: Node, array: Symbol) -> bool:
    """Does it keep where an element of the array is?"""
    match node:
        case Unary(op="&", operand=operand):
            return root_symbol(operand) == array
        case Declare(variables=variables):
            kinds = (TypeKind.REFERENCE, TypeKind.POINTER)
            return any(
                one.symbol.type.kind in kinds
                and one.initial is not None
                and any(isinstance(n, VarRef) and n.symbol == array for n in walk(one.initial))
                for one in variables
            )
        case _:
            return False


def _base(place: Expr) -> Expr:
    bare = strip_parens(place)
    while isinstance(bare, Index):
        bare = strip_parens(bare.base)
    return bare


def _is_shared(node: Node) -> bool:
    return isinstance(node, VarRef) and node.symbol.storage in _SHARED
