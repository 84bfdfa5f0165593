"""Registers that hand elements on from iteration to iteration, as the elements that they hold.

    double below = x[c], here = x[c + w];           for (int k = 1; k < n; ++k)
    for (int k = 1; k < n; ++k) {                       y[c + k * w] = f(x[c + (k - 1) * w],
        double above = x[c + (k + 1) * w];                               x[c + k * w],
        y[c + k * w] = f(below, here, above);    ->                      x[c + (k + 1) * w]);
        below = here;
        here = above;
    }

The reverse sweep reads elements again that nothing has overwritten; what a register held in each
iteration would go onto a tape. Legal where a register is set once an iteration to what the load, or
another such register, gives; where it begins with what the load of the iteration in front of the
first would give, unless it is set before it is read; and where the loop stores to none of these
elements: parameters of a derivative do not overlap. What is read again was read before.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import final

from g2o.ad.loops import Counted, counted
from g2o.ad.prepare import with_bodies
from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.positions import polynomial_of
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
    moved_by,
    strip_parens,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Stmt,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, TypeKind, unqualified
from g2o.polyhedral.polynomial import Polynomial

_HOLDERS = (Block, If, For, While, DoWhile)
_REGISTERS = (TypeKind.FLOATING, TypeKind.INTEGER)


def with_carried_loads(
    statements: tuple[Stmt, ...], given: Collection[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...]:
    """`statements` without such registers; `given` are parameters, which do not overlap."""
    result = list(statements)
    for position, statement in enumerate(statements):
        if isinstance(statement, _HOLDERS):
            inner = with_bodies(statement, lambda each: with_carried_loads(each, given, effects))
            result[position] = inner
    for position, statement in enumerate(result):
        if isinstance(statement, For):
            own = _registers(result, position, given, effects)
            made = _Loop.of(statement, own, given, effects) if own else None
            result[position] = statement if made is None else made.changed()
    same = all(one is two for one, two in zip(result, statements, strict=True))
    return statements if same else tuple(result)


def _registers(
    statements: list[Stmt], position: int, given: Collection[Symbol], effects: EffectsOf
) -> dict[Symbol, Expr | None]:
    """Variables that a loop alone sets after their declaration and that nothing names behind it,
    with what they begin with, if that is the same when the loop begins."""
    found: dict[Symbol, Expr | None] = {}
    for number, statement in enumerate(statements):
        if number < position:
            changed = effects.of(statement)
            unknown = (
                any(isinstance(node, Barrier | Exchange) for node in walk(statement))
                or changed.side_effects
                or not all(_is_alone(one, given) for one in changed.memory_writes)
            )
            for symbol in set(found) & changed.writes:
                del found[symbol]
            for symbol, initial in found.items():
                named: set[Symbol] = set() if initial is None else symbols_in(initial)
                if unknown or named & (changed.writes | changed.memory_writes):
                    found[symbol] = None
            for one in statement.variables if isinstance(statement, Declare) else ():
                plain = one.symbol.storage is Storage.LOCAL and not one.suffix
                if plain and one.symbol.type.kind in _REGISTERS:
                    found[one.symbol] = one.initial
        elif number > position:
            for symbol in set(found) & symbols_in(statement):
                del found[symbol]
    return found


@final
@dataclass(slots=True)
class _Loop:
    """A loop that sets `registers`: with `begun` what they begin with, and `sets` where, and to
    what, each is set."""

    loop: For
    head: Counted
    body: tuple[Stmt, ...]
    begun: dict[Symbol, Expr | None]
    sets: dict[Symbol, tuple[int, Expr]]
    effects: EffectsOf
    given: Collection[Symbol]
    waiting: set[Symbol] = field(default_factory=set[Symbol])

    @staticmethod
    def of(
        loop: For, own: dict[Symbol, Expr | None], given: Collection[Symbol], effects: EffectsOf
    ) -> _Loop | None:
        """None where the iterations are not known by their numbers."""
        head = counted(loop, effects)
        if head is None or head.falls or head.relation != "<" or integer_value(head.step) != 1:
            return None
        if loop.shared is not None or any(isinstance(n, (Jump, Return)) for n in walk(loop.body)):
            return None
        begin = effects.of(head.first)
        if not begin.is_pure or begin.memory_reads or begin.reads & effects.of(loop).writes:
            return None
        body = statements_of(loop.body)
        sets: dict[Symbol, tuple[int, Expr]] = {}
        for symbol in own:
            writing = [n for n, one in enumerate(body) if symbol in effects.of(one).writes]
            match [body[n] for n in writing]:
                case [ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=v))]:
                    if target == symbol and effects.is_pure(v):
                        sets[symbol] = (writing[0], strip_parens(v))
                case _:
                    pass
        return _Loop(loop, head, body, own, sets, effects, given) if sets else None

    def changed(self) -> For:
        """The loop with the elements in place of the registers that hold them."""
        loads: dict[Symbol, tuple[int, Index | None, Index]] = {}
        for symbol, (position, _) in self.sets.items():
            new = self._set_to(symbol)
            old = None if new is None else self._begins(symbol, new)
            early = any(symbol in symbols_in(one) for one in self.body[:position])
            if new is not None and (old is not None or not early):
                loads[symbol] = (position, old, new)
        if not loads:
            return self.loop
        body: list[Stmt] = []
        for number, statement in enumerate(self.body):
            if any(number == position for position, _, _ in loads.values()):
                continue

            def replacement(node: Node, number: int = number) -> Node | None:
                if not isinstance(node, VarRef) or node.symbol not in loads:
                    return None
                position, old, new = loads[node.symbol]
                return new if number > position else old

            body.append(rewrite(statement, replacement))
        return replace(self.loop, body=Block(tuple(body)), form=Form.BUILT)

    def _set_to(self, register: Symbol) -> Index | None:
        """The element that a register is set to in an iteration."""
        if register in self.waiting:
            return None
        self.waiting.add(register)
        position, value = self.sets[register]
        found: Index | None = None
        match value:
            case Index():
                found = value
            case VarRef(symbol=symbol) if symbol in self.sets:
                new = self._set_to(symbol)
                if new is not None and self.sets[symbol][0] > position:
                    new = self._begins(symbol, new)
                found = new
            case VarRef(symbol=symbol):
                found = self._declared(symbol, position)
            case _:
                pass
        self.waiting.discard(register)
        if found is None or not self._stays(found):
            return None
        return found if unqualified(found.type) == unqualified(register.type) else None

    def _declared(self, symbol: Symbol, position: int) -> Index | None:
        """The element that a variable of an iteration has been declared to be, and still is."""
        for number, one in enumerate(self.body[:position]):
            match one:
                case Declare(variables=(variable,)) if variable.symbol == symbol:
                    rest = self.body[number + 1 :]
                    initial = None if variable.initial is None else strip_parens(variable.initial)
                    same = not any(symbol in self.effects.of(each).writes for each in rest)
                    plain = unqualified(variable.symbol.type) == unqualified(
                        initial.type if initial is not None else INT
                    )
                    return initial if same and plain and isinstance(initial, Index) else None
                case _:
                    pass
        return None

    def _stays(self, element: Index) -> bool:
        """Is it an element of a parameter that the loop stores nothing to, found from the number of
        the iteration?"""
        base = strip_parens(element.base)
        if not isinstance(base, VarRef) or base.symbol not in self.given:
            return False
        inside, whole = self.effects.of(element.index), self.effects.of(self.loop)
        if not inside.is_pure or inside.memory_reads:
            return False
        if (symbols_in(element) - {self.head.index}) & whole.writes or whole.side_effects:
            return False
        return all(
            root != base.symbol and _is_alone(root, self.given) for root in whole.memory_writes
        )

    def _begins(self, register: Symbol, new: Index) -> Index | None:
        """The element that a register holds at the beginning of an iteration, where that is the one
        that the iteration before has set it to, and the first one finds the same."""
        index, begun = self.head.index, self.begun.get(register)
        begun = None if begun is None else strip_parens(begun)
        if not isinstance(begun, Index) or strip_parens(begun.base) != strip_parens(new.base):
            return None
        old = _at(new, index, moved_by(VarRef(index), -1, index.type))
        before = moved_by(self.head.first, -1, index.type)
        first = integer_value(self.head.first)
        if first is not None:
            before = Literal(str(first - 1), first - 1, INT)
        wanted = _at(new, index, before).index
        known = {
            symbol: Polynomial.name(f"{symbol.name}#{symbol.id}")
            for symbol in symbols_in(wanted) | symbols_in(begun.index)
            if symbol.type.kind is TypeKind.INTEGER and symbol.type.is_signed
        }
        one, two = polynomial_of(wanted, known), polynomial_of(begun.index, known)
        return old if one is not None and two is not None and one == two else None


def _at(element: Index, index: Symbol, number: Expr) -> Index:
    """The element of another iteration."""

    def replacement(node: Node) -> Node | None:
        match node:
            case VarRef(symbol=symbol) if symbol == index:
                return number if isinstance(number, Literal) else Paren(number, number.type)
            case _:
                return None

    made = rewrite(element, replacement)
    return replace(made, index=_gathered(made.index, index))


def _gathered(expr: Expr, index: Symbol) -> Expr:
    """A place `at + (k - 1) * w + w`, counted by `index`, as a person writes it: `at + k * w`."""
    terms = _terms(expr)
    if terms is None:
        return expr
    found = [one for one in terms if index in symbols_in(one)]
    if len(found) != 1 or (counted := _multiple(found[0])) is None:
        return expr
    number, factor = counted
    rest: list[Expr] = []
    for one in terms:
        value = integer_value(one) if factor is None else None
        if one is found[0]:
            rest.append(one)
        elif value is not None or (factor is not None and one == factor):
            number = moved_by(number, 1 if value is None else value, number.type)
        else:
            rest.append(one)
    multiple = number
    if factor is not None:
        times = number if isinstance(number, VarRef | Literal) else Paren(number, number.type)
        multiple = Binary("*", times, factor, found[0].type)
    total: Expr | None = None
    for one in rest:
        one = multiple if one is found[0] else one
        total = one if total is None else Binary("+", total, one, expr.type)
    return expr if total is None else total


def _terms(expr: Expr) -> list[Expr] | None:
    """What a sum of signed numbers adds up, numbers that it takes away as negative ones."""
    match strip_parens(expr):
        case Binary(op="+", left=left, right=right, type=ctype) if ctype.is_signed:
            one, two = _terms(left), _terms(right)
            return None if one is None or two is None else [*one, *two]
        case Binary(op="-", left=left, right=Literal(value=int(number))) as whole:
            one = _terms(left) if whole.type.is_signed else None
            return None if one is None else [*one, Literal(str(-number), -number, INT)]
        case Binary(op="*", left=left, right=right, type=ctype) as product:
            number = strip_parens(left)
            if isinstance(number, Binary) and number.op in "+-" and ctype.is_signed:
                return [replace(product, left=number, right=right)]
            return [product]
        case other:
            return [other]


def _multiple(term: Expr) -> tuple[Expr, Expr | None] | None:
    """`k * w`, the number of the iteration or one that is so much larger, and the factor."""
    match term:
        case VarRef():
            return term, None
        case Binary(op="*", left=left, right=right):
            return _flat(left), right
        case Binary(op="+" | "-"):
            return term, None
        case _:
            return None


def _flat(number: Expr) -> Expr:
    """`(k - 1) + 1` as `k`."""
    match strip_parens(number):
        case Binary(op="+" | "-" as op, left=left, right=Literal(value=int(value))) as whole:
            return moved_by(_flat(left), value if op == "+" else -value, whole.type)
        case other:
            return other


def _is_alone(root: Symbol | None, given: Collection[Symbol]) -> bool:
    """Does no other name lead to what this one leads to, as a local pointer may lead anywhere?"""
    if root is None or root in given:
        return root is not None
    return root.type.kind is TypeKind.ARRAY and root.storage in (Storage.LOCAL, Storage.SHARED)
