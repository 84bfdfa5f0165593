"""The last loop that a function shares out, and its adjoint behind it, as one.

    for (int i = 0; i < n; ++i) {              for (int i = 0; i < n; ++i) {
        const double w = exp(x[i]);                const double w = exp(x[i]);
        e += w * w;                                e += w * w;
    }                                              d_x[i] += w * (2.0 * w * d_e);
    const double d_e = d_f;            ->      }
    for (int i = 0; i < n; ++i) {
        const double w = exp(x[i]);
        d_x[i] += w * (2.0 * w * d_e);
    }

What both work out, and costs something, is worked out once, and what the one keeps for the other is
a variable: else they stay apart. Loops that an iteration runs in both are one as well.

Legal where neither loop reads or writes what the other one writes, but variables of its
iterations, and elements of arrays that are one iteration's alone: then any order of both gives the
same numbers. What stands between them goes in front of both or behind. Arrays with shadows, and
shadows, overlap with nothing else, as the contract says.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.effect_sets import Effects
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.increments import is_increment
from g2o.ir.kernel import Function
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import TypeKind
from g2o.transforms.costly import is_costly_number
from g2o.transforms.joined_tapes import without_tapes

_FLOWS: Final = (For, While, DoWhile, If, Switch, Jump, Return)


def with_sweeps_joined(
    function: Function, effects: EffectsOf, apart: Collection[Symbol]
) -> Function:
    """The body of an adjoint. `apart` are the pointers that lead to memory that no other one leads
    to."""
    symbols = SymbolTable(continued=function.symbols)
    statements = function.body.statements
    places = [at for at, one in enumerate(statements) if _is_shared(one)]
    for first, second in zip(places, places[1:], strict=False):
        one, other = statements[first], statements[second]
        assert isinstance(one, For)
        assert isinstance(other, For)
        if one.shared is None or other.shared is None or one.shared.number != other.shared.number:
            continue
        untaped = without_tapes(statements, first, second, symbols)
        if untaped is not None:
            statements, first, second = untaped.statements, untaped.first, untaped.second
            one, other = statements[first], statements[second]
            assert isinstance(one, For)
            assert isinstance(other, For)
        joiner = _Joiner(effects, frozenset(apart), symbols, int(untaped is not None))
        between = statements[first + 1 : second]
        made = joiner.sweeps(one, other, between)
        if made is None:
            return function
        new = (*statements[:first], *made, *statements[second + 1 :])
        body = replace(function.body, statements=new, form=Form.BUILT)
        return replace(function, body=body, symbols=symbols)
    return function


def _is_shared(statement: Stmt) -> bool:
    if not isinstance(statement, For) or statement.shared is None:
        return False
    how = statement.shared
    return how.depth == 1 and how.level == 0 and not how.directive.is_on_device


@final
@dataclass(slots=True)
class _Joiner:
    """`shared`: how much that costs something both loops work out, or keep."""

    effects: EffectsOf
    apart: frozenset[Symbol]
    symbols: SymbolTable
    shared: int = 0

    def sweeps(self, one: For, other: For, between: Sequence[Stmt]) -> list[Stmt] | None:
        """Both loops as one, with what stands between them around it."""
        nodes = [node for loop in (one, other) for node in walk(loop.body)]
        if any(isinstance(node, (Jump, Return, Labelled)) for node in nodes):
            return None
        if self._does_more(one) or self._does_more(other) or not self._are_apart(one, other):
            return None
        early: list[Stmt] = []
        late: list[Stmt] = []
        for statement in between:
            if any(isinstance(node, _FLOWS) for node in walk(statement)):
                return None
            if not self.meet([statement], [one, *late]):
                early.append(statement)
            elif not self.meet([statement], [other]):
                late.append(statement)
            else:
                return None
        made = self.loops(one, other)
        if made is None or not self.shared:
            return None
        return [*early, made, *late]

    def _are_apart(self, one: For, other: For) -> bool:
        """Do different iterations of both loops not meet? What the one loop overwrites in any case
        no other iteration of it names: that would be a race."""
        own = self._own_elements(one)
        counters = _counter(one), _counter(other)
        if counters[0] is None or counters[1] is None:
            return False
        same = rename_symbols(other, {counters[1]: counters[0]})
        roots = {
            root
            for root in {base.symbol for base in map(_base, own) if base is not None}
            if all(element in own for element in walk(same) if _is_element_of(element, root))
            and _mentions(root, same) == sum(_is_element_of(n, root) for n in walk(same))
        }
        return not self.meet([one], [other], roots)

    def _own_elements(self, loop: For) -> list[Expr]:
        """The elements that an iteration overwrites in any case, and whose place nothing in the
        loop changes."""
        inside = {s for node in walk(loop.body) for s in _changed(node)} | declared_in(loop.body)
        found: list[Expr] = []
        for one in statements_of(loop.body):
            match one:
                case ExprStatement(expr=Assign(target=Index(base=VarRef(), index=index) as place)):
                    if symbols_in(index).isdisjoint(inside) and all(map(_counts, walk(index))):
                        found.append(place)
                case _:
                    pass
        return found

    def _does_more(self, loop: For) -> bool:
        """Does it do more to the world than to store and to add numbers?"""
        return any(
            isinstance(node, Call)
            and not is_increment(node)
            and not self.effects.of_called(node).is_pure
            for node in walk(loop)
        )

    def loops(self, one: For, other: For) -> For | None:
        """Two loops with one head as one."""
        counters = _counter(one), _counter(other)
        if counters[0] is None or counters[1] is None:
            return None
        if counters[0] != counters[1]:
            other = rename_symbols(other, {counters[1]: counters[0]})
        if not _have_one_head(one, other):
            return None
        body = self.bodies(statements_of(one.body), statements_of(other.body))
        return replace(one, body=Block(tuple(body)), form=Form.BUILT)

    def bodies(self, one: Sequence[Stmt], other: Sequence[Stmt]) -> list[Stmt]:
        """What an iteration of the one loop and then of the other one does."""
        inner = self._inner(one, other)
        known = one if inner is None else one[: inner[0]]
        left: list[Stmt] = []
        renamed: dict[Symbol, Symbol] = {}
        flat = [statement for statement in one if not isinstance(statement, For)]
        taken = {symbol for statement in flat for symbol in declared_in(statement)}
        fixed = self._fixed([*one, *other])
        written = self.effects.of_all([*one, *other]).memory_writes
        end = len(other) if inner is None else inner[1]
        for at, statement in enumerate(other):
            new = rename_symbols(statement, renamed)
            copied = _copied(new, fixed)
            if copied is not None:
                renamed |= copied
                continue
            same = self._same(new, known, fixed, written) if at <= end else None
            if same is not None:
                assert isinstance(new, Declare)
                renamed[new.variables[0].symbol] = same
                continue
            again = sorted(declared_in(new) & taken, key=lambda one: one.id)
            fresh = {s: self.symbols.fresh(s.name, s.type, s.storage) for s in again}
            renamed |= fresh
            left.append(rename_symbols(new, fresh) if fresh else new)
        if inner is None:
            return [*one, *left]
        first, _ = inner
        at = next(at for at, statement in enumerate(left) if isinstance(statement, For))
        loop, adjoint = one[first], left[at]
        assert isinstance(loop, For)
        assert isinstance(adjoint, For)
        fused = self.loops(loop, adjoint)
        assert fused is not None
        return [*one[:first], *left[:at], fused, *one[first + 1 :], *left[at + 1 :]]

    def _inner(self, one: Sequence[Stmt], other: Sequence[Stmt]) -> tuple[int, int] | None:
        """The places of loops in both that can be one as well."""
        places = [
            [at for at, statement in enumerate(each) if isinstance(statement, For)]
            for each in (one, other)
        ]
        if not all(len(each) == 1 for each in places):
            return None
        first, second = places[0][0], places[1][0]
        loop, adjoint = one[first], other[second]
        assert isinstance(loop, For)
        assert isinstance(adjoint, For)
        bodies = loop.body, adjoint.body
        if any(isinstance(node, _FLOWS) for body in bodies for node in walk(body)):
            return None
        front, behind = other[:second], one[first + 1 :]
        if self.meet(front, [loop, *behind]) or self.meet([adjoint], [loop, *behind]):
            return None
        counters = _counter(loop), _counter(adjoint)
        if counters[0] is None or counters[1] is None:
            return None
        same = rename_symbols(adjoint, {counters[1]: counters[0]})
        return (first, second) if _have_one_head(loop, same) else None

    def _fixed(self, statements: Sequence[Stmt]) -> frozenset[Symbol]:
        """The variables that are declared there with a value that they keep."""
        nodes = [node for statement in statements for node in walk(statement)]
        changed = {symbol for node in nodes for symbol in _changed(node)}
        declared = {
            one.symbol
            for node in nodes
            if isinstance(node, Declare)
            for one in node.variables
            if one.initial is not None
        }
        return frozenset(declared - changed)

    def _same(
        self,
        statement: Stmt,
        known: Sequence[Stmt],
        fixed: frozenset[Symbol],
        written: Collection[Symbol | None],
    ) -> Symbol | None:
        """A variable that has the value already that the statement declares one with. Memory that
        is `written` may hold another one now."""
        match statement:
            case Declare(variables=(variable,)) if variable.initial is not None:
                value, symbol = variable.initial, variable.symbol
            case _:
                return None
        reads = self.effects.of(value)
        if symbol not in fixed or not reads.is_pure or symbol.type.kind is not TypeKind.FLOATING:
            return None
        if any(self._may_be_one(r, w) for r in reads.memory_reads for w in written):
            return None
        for one in known:
            for other in one.variables if isinstance(one, Declare) else ():
                old = other.symbol
                is_same = other.initial == value and old.type.bits == symbol.type.bits
                if is_same and old in fixed and old.type.kind is symbol.type.kind:
                    self.shared += any(map(is_costly_number, walk(value)))
                    return old
        return None

    # -- what meets ------------------------------------------------------------------------------

    def meet(
        self, some: Sequence[Stmt], others: Sequence[Stmt], apart: Collection[Symbol] = ()
    ) -> bool:
        """May some statements read or write what the others write, or the other way round? `apart`
        are arrays in which they do not."""
        one, other = self._effects(some), self._effects(others)
        for memory in (other.memory_reads, other.memory_writes):
            memory -= {each for each in apart if each in self.apart}
        return self._writes_into(one, other) or self._writes_into(other, one)

    def _effects(self, statements: Sequence[Stmt]) -> Effects:
        found = self.effects.of_all(statements)
        own = {s for one in statements if isinstance(one, For) for s in declared_in(one)}
        found.reads -= own
        found.writes -= own
        for memory in (found.memory_reads, found.memory_writes):
            memory -= {one for one in own if one.type.kind is TypeKind.ARRAY}
        return found

    def _writes_into(self, one: Effects, other: Effects) -> bool:
        if one.writes & (other.reads | other.writes):
            return True
        return any(
            self._may_be_one(written, used)
            for written in one.memory_writes
            for used in other.memory_reads | other.memory_writes
        )

    def _may_be_one(self, one: Symbol | None, other: Symbol | None) -> bool:
        if one is None or other is None or one == other:
            return True
        if any(each.storage is not Storage.PARAMETER for each in (one, other)):
            return True
        return one not in self.apart and other not in self.apart


def _copied(statement: Stmt, fixed: frozenset[Symbol]) -> dict[Symbol, Symbol] | None:
    """What a variable is a second name of, where neither changes."""
    match statement:
        case Declare(variables=(Variable(symbol=symbol, initial=VarRef(symbol=old)),)):
            same = symbol.type.kind is old.type.kind and symbol.type.bits == old.type.bits
            return {symbol: old} if same and {symbol, old} <= fixed else None
        case _:
            return None


def _counts(node: Node) -> bool:
    """Is it a part of a sum or a product of variables? Iterations that quotients, or numbers in
    memory, lead to one element may well store one value there."""
    match node:
        case Binary(op=op):
            return op in ("+", "-", "*")
        case _:
            return isinstance(node, VarRef | Literal | Paren | Cast)


def _base(element: Expr) -> VarRef | None:
    return element.base if isinstance(element, Index) and isinstance(element.base, VarRef) else None


def _is_element_of(node: Node, root: Symbol) -> bool:
    return isinstance(node, Index) and node.base == VarRef(root)


def _mentions(root: Symbol, node: Node) -> int:
    return sum(isinstance(one, VarRef) and one.symbol == root for one in walk(node))


def _counter(loop: For) -> Symbol | None:
    match loop.initial:
        case Declare(variables=(variable,)):
            return variable.symbol
        case _:
            return None


def _have_one_head(one: For, other: For) -> bool:
    """Do both count the same, and nothing changes how far?"""
    if not isinstance(one.initial, Declare) or not isinstance(other.initial, Declare):
        return False
    first, second = one.initial.variables[0], other.initial.variables[0]
    heads = (one.condition, one.increment), (other.condition, other.increment)
    if first.initial != second.initial or heads[0] != heads[1] or one.condition is None:
        return False
    changed = {s for loop in (one, other) for node in walk(loop.body) for s in _changed(node)}
    return symbols_in(one.condition).isdisjoint(changed)


def _changed(node: Node) -> set[Symbol]:
    match node:
        case Assign(target=place) | Unary(op="++" | "--" | "&", operand=place):
            inner = strip_parens(place)
            return {inner.symbol} if isinstance(inner, VarRef) else set()
        case _:
            return set()
