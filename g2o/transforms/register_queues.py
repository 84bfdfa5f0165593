"""Arrays of a thread through which elements are handed on are variables, their loops unrolled.

    float ahead[4];                                   float ahead_0, ahead_1, ahead_2, ahead_3;
    ...                                               ...
    for (int i = 0; i < 3; ++i)                       ahead_0 = ahead_1;
        ahead[i] = ahead[i + 1];              ->      ahead_1 = ahead_2;
    ahead[3] = x[c];                                  ahead_2 = ahead_3;
                                                      ahead_3 = x[c];

Which is done to see what they hold (`carried_loads.py`), and only kept where nothing is left of
them. Legal where all elements are named by numbers once the loops are unrolled, and where the
loops, of few turns that the text says, are not left early and declare nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar, final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, For, Jump, Node, Return, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, TypeKind

N = TypeVar("N", bound=Node)
_MOST: Final = 16
_NUMBERS: Final = (TypeKind.FLOATING, TypeKind.INTEGER)


@final
@dataclass(frozen=True, slots=True)
class Unqueued:
    """A body without queues, and the variables that stand for their elements."""

    body: Block
    registers: frozenset[Symbol]


def without_queues(body: Block, symbols: SymbolTable) -> Unqueued | None:
    """The body with variables for the elements of such arrays; None where it has none."""
    queues = _queues(body)
    if not queues:
        return None
    unrolled = _Unrolling({*queues}).of(body)
    elements: dict[tuple[Symbol, int], Symbol] = {}
    for array, variable in queues.items():
        named = [n for n in walk(unrolled) if isinstance(n, VarRef) and n.symbol == array]
        places = [n for n in walk(unrolled) if isinstance(n, Index) and _is_of(n, array)]
        numbers = [integer_value(one.index) for one in places]
        extent = variable.symbol.type.extent or 0
        if len(named) != len(places) or not all(
            number is not None and 0 <= number < extent for number in numbers
        ):
            return None
        element = variable.symbol.type.element
        assert element is not None
        for number in range(extent):
            wish = f"{array.name}_{number}"
            elements[array, number] = symbols.fresh(wish, element, Storage.LOCAL)

    def replacement(node: Node) -> Node | None:
        match node:
            case Index(base=VarRef(symbol=array)) if array in queues:
                number = integer_value(node.index)
                return None if number is None else VarRef(elements[array, number])
            case Declare(variables=variables) if any(one.symbol in queues for one in variables):
                told: list[Variable] = []
                for one in variables:
                    own = [each for (array, _), each in elements.items() if array == one.symbol]
                    told += [Variable(each, one.declared) for each in own] or [one]
                return Declare(tuple(told))
            case _:
                return None

    return Unqueued(rewrite(unrolled, replacement), frozenset(elements.values()))


def _queues(body: Block) -> dict[Symbol, Variable]:
    """The small arrays of numbers through which elements are handed on."""
    shifted: set[Symbol] = set()
    declared: dict[Symbol, Variable] = {}
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                declared |= {one.symbol: one for one in variables if _is_small(one)}
            case Assign(op="=", target=Index(base=VarRef(symbol=one)), value=value):
                bare = strip_parens(value)
                if isinstance(bare, Index) and _is_of(bare, one):
                    shifted.add(one)
            case _:
                pass
    return {one: variable for one, variable in declared.items() if one in shifted}


def _is_small(variable: Variable) -> bool:
    """Is it an array of a few numbers of the thread's own, that begins with none?"""
    own = variable.symbol
    element, extent = own.type.element, own.type.extent
    plain = own.storage is Storage.LOCAL and own.type.kind is TypeKind.ARRAY
    few = extent is not None and 1 < extent <= _MOST
    numbers = element is not None and element.kind in _NUMBERS
    return plain and few and numbers and variable.initial is None


def _is_of(element: Index, array: Symbol) -> bool:
    return isinstance(element.base, VarRef) and element.base.symbol == array


@final
@dataclass(frozen=True, slots=True)
class _Unrolling:
    """Unrolls loops whose counters say which elements of these arrays are meant."""

    arrays: set[Symbol]
    numbers: Mapping[Symbol, int] = field(default_factory=dict[Symbol, int])

    def of(self, body: Block) -> Block:
        made = self._replacement(body)
        assert isinstance(made, Block)
        return made

    def _replacement(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                made: list[Stmt] = []
                for one in statements:
                    made += self._turns(one) if isinstance(one, For) else [self._rewritten(one)]
                return replace(node, statements=tuple(made), form=Form.BUILT)
            case VarRef(symbol=symbol) if symbol in self.numbers:
                return _literal(self.numbers[symbol], node)
            case Binary(op="+" | "-" | "*") if symbols_in(node) & self.numbers.keys():
                left, right = self._rewritten(node.left), self._rewritten(node.right)
                return _folded(replace(node, left=left, right=right, form=Form.BUILT))
            case Paren(inner=inner) if symbols_in(inner) & self.numbers.keys():
                new = self._rewritten(inner)
                bare = isinstance(new, VarRef | Literal)
                return new if bare else replace(node, inner=new, form=Form.BUILT)
            case _:
                return None

    def _rewritten(self, node: N) -> N:
        return rewrite(node, self._replacement)

    def _turns(self, loop: For) -> list[Stmt]:
        """The turns of a loop one behind the other, or the loop."""
        turns = constant_turns(loop)
        inside = [*walk(loop.body)]
        asked = turns is not None and any(
            isinstance(one, Index)
            and isinstance(one.base, VarRef)
            and one.base.symbol in self.arrays
            and turns.counter in symbols_in(one.index)
            for one in inside
        )
        if turns is None or not asked or turns.counter.type != INT:
            return [self._rewritten(loop)]
        if not 0 < len(turns.values) <= _MOST:
            return [self._rewritten(loop)]
        if any(isinstance(one, Jump | Return | Declare) for one in inside):
            return [self._rewritten(loop)]
        result: list[Stmt] = []
        for value in turns.values:
            turn = _Unrolling(self.arrays, {**self.numbers, turns.counter: value})
            body = loop.body if isinstance(loop.body, Block) else Block((loop.body,))
            result += turn.of(body).statements
        return result


def _literal(value: int, like: Expr) -> Literal:
    return Literal(str(value), value, like.type)


def _folded(node: Binary) -> Expr:
    """A sum of numbers as a number, `t + 0` as `t`."""
    one, other = integer_value(node.left), integer_value(node.right)
    plain = isinstance(strip_parens(node.left), Literal)
    if one is not None and other is not None and plain and node.type == INT:
        value = {"+": one + other, "-": one - other, "*": one * other}[node.op]
        return _literal(value, node)
    if other == 0 and node.op in "+-":
        return node.left
    return node
