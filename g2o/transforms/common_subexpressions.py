"""What a thread computes twice, and costs something, is computed once.

    if (sqrtf(d2) < radius)                 const float sqrt_d2 = sqrtf(d2);
        out[i] = w / sqrtf(d2);      ->     if (sqrt_d2 < radius)
                                                out[i] = w / sqrt_d2;

Costly are the calls that `hoist_uniform` moves: functions that run a loop or compute an exponential
or its like. Compilers make those twice, as they may set `errno`; arithmetic, divisions and loads
they merge themselves, so the author's text stays. A variable of the source that has just got the
value stands for it; else there is a new one in front of the statement that computes it first.
Legal when

- the call has no effect but its value, and the first one is made whenever its statement runs, so
  that nothing is computed which the source does not compute;
- up to the last one nothing writes a variable that the call names, or that a pointer leads it to,
  or memory that it reads; where it reads memory, nothing with an effect on others stands in between
  either: no fence, no atomic;
- nobody jumps over the new variable: lists of statements with labels stay as they are.

The same call with the same values gives the same bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effect_sets import Effects
from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.pointer_roots import hidden_variables
from g2o.ir.expressions import Assign, Call, VarRef, strip_parens
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
    JumpKind,
    Labelled,
    LocalFunction,
    Node,
    Stmt,
    Text,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.transforms.always_made import always_made
from g2o.transforms.costly import Costly, is_number
from g2o.transforms.invariants import may_be_same
from g2o.transforms.new_names import NewNames, declaration_of

_OPAQUE: Final = (Text, LocalFunction)


def eliminate_common_subexpressions(
    lowered: LoweredKernel, functions: FunctionTable
) -> LoweredKernel:
    """Unchanged kernels stay as they are."""
    costly = Costly(functions)
    nodes = [node for statement in lowered.body for node in walk(statement)]
    calls = Counter(node for node in nodes if isinstance(node, Call) and costly.is_costly(node))
    repeated = {call for call, count in calls.items() if count > 1}
    if not repeated or any(isinstance(n, Jump) and n.kind is JumpKind.GOTO for n in nodes):
        return lowered
    whole = Block(lowered.body)
    hidden = hidden_variables(whole) | _referred_to(nodes)
    names = NewNames(lowered)
    merger = _Merger(functions.for_node(whole), costly, repeated, hidden, names)
    body = merger.merged(lowered.body)
    return lowered if body is lowered.body else replace(lowered, body=body)


def _referred_to(nodes: Iterable[Node]) -> set[Symbol]:
    """Variables that references stand for."""
    return {
        symbol
        for node in nodes
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.symbol.type.kind is TypeKind.REFERENCE and variable.initial is not None
        for symbol in symbols_in(variable.initial)
    }


@final
@dataclass(frozen=True, slots=True)
class _Found:
    """A call that the statements from `first` to `last` make more than once. `holder` has the value
    behind the first one, where there is such a variable."""

    call: Call
    first: int
    last: int
    holder: Symbol | None


@final
@dataclass(frozen=True, slots=True)
class _Facts:
    """What is asked of a node for each of many calls: which variables it declares, whether it is
    text, what it does, and how often it makes the calls that are repeated."""

    node: Node
    declared: set[Symbol]
    is_opaque: bool
    effects: Effects
    calls: Counter[Call]


@final
@dataclass(slots=True)
class _Merger:
    effects: EffectsOf
    costly: Costly
    repeated: set[Call]
    hidden: set[Symbol]
    names: NewNames
    known: dict[int, _Facts] = field(default_factory=dict[int, _Facts])

    def facts(self, node: Node) -> _Facts:
        """Found once: nodes do not change, and what is known keeps its node."""
        known = self.known.get(id(node))
        if known is None:
            nodes = list(walk(node))
            calls = Counter(n for n in nodes if isinstance(n, Call) and n in self.repeated)
            is_opaque = any(isinstance(one, _OPAQUE) for one in nodes)
            known = _Facts(node, declared_in(node), is_opaque, self.effects.of(node), calls)
            self.known[id(node)] = known
        return known

    def merged(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The list with every such call made once; the same object where there is none."""
        changed, start = statements, 0
        while (found := self._find(changed, start)) is not None:
            changed, start = self._merge(changed, found), found.first
        inner = tuple(rewrite(statement, self._inside) for statement in changed)
        same = all(new is old for new, old in zip(inner, changed, strict=True))
        return changed if same else inner

    def _inside(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements) if not node.directive:
                merged = self.merged(statements)
                new = Block(merged, trivia=node.trivia, span=node.span)
                return node if merged is statements else new
            case For(body=body) | While(body=body) | DoWhile(body=body) | CountedLoop(body=body):
                return self._with_bodies(node, (body,))
            case If(then=then, otherwise=otherwise):
                bodies = (then,) if otherwise is None else (then, otherwise)
                return self._with_bodies(node, bodies)
            case _:
                return None

    def _with_bodies(self, node: Node, bodies: tuple[Stmt, ...]) -> Node | None:
        """With braces around bodies that get another statement; None where none does."""
        new: dict[int, Stmt] = {}
        for body in bodies:
            if not isinstance(body, (Block, If)):
                merged = self.merged((body,))
                new[id(body)] = merged[0] if len(merged) == 1 else Block(merged)
        if all(new.get(id(body), body) is body for body in bodies):
            return None
        return rewrite(
            node,
            lambda one: None if one is node else new.get(id(one)) or rewrite(one, self._inside),
        )

    # -- what to merge --------------------------------------------------------------------------

    def _find(self, statements: tuple[Stmt, ...], start: int) -> _Found | None:
        """The first from `start` on: to merge calls leaves no others in front of them."""
        if any(isinstance(statement, (Labelled, *_OPAQUE)) for statement in statements):
            return None
        for first in range(start, len(statements)):
            for call in always_made(statements[first]):
                if call in self.repeated and self._is_plain(call):
                    found = self._repeated(call, statements, first)
                    if found is not None:
                        return found
        return None

    def _is_plain(self, call: Call) -> bool:
        named = symbols_in(call)
        watched = any(symbol.type.innermost.is_volatile for symbol in named)
        hidden = not named.isdisjoint(self.hidden)
        return is_number(call) and not watched and not hidden and self.effects.is_pure(call)

    def _repeated(self, call: Call, statements: tuple[Stmt, ...], first: int) -> _Found | None:
        last = self._last(call, statements, first)
        holder = self._holder(statements[first], call) if last > first else None
        uses = (self.facts(statements[place]).calls[call] for place in range(first, last + 1))
        if sum(uses) < 2:
            return None
        if holder is not None and self._keeps(holder, statements[first + 1 : last + 1], call):
            return _Found(call, first, last, holder)
        return _Found(call, first, last, None)

    def _last(self, call: Call, statements: tuple[Stmt, ...], first: int) -> int:
        """The last statement that starts with the value of the call unchanged, and does not change
        it before its end."""
        named = symbols_in(call) | self.facts(call).effects.reads
        for position in range(first, len(statements)):
            statement = statements[position]
            if not named.isdisjoint(self.facts(statement).declared):
                return position - 1
            if self._changes(statement, call, named):
                single = isinstance(statement, ExprStatement)
                ends = single and self._stores_last(statement, call, named)
                return position if ends else position - 1
        return len(statements) - 1

    def _changes(self, node: Node, call: Call, named: set[Symbol]) -> bool:
        facts = self.facts(node)
        if facts.is_opaque:
            return True
        found, reads = facts.effects, self.facts(call).effects.memory_reads
        if not found.writes.isdisjoint(named) or (reads and found.side_effects):
            return True
        return any(may_be_same(read, write) for read in reads for write in found.memory_writes)

    def _stores_last(self, statement: ExprStatement, call: Call, named: set[Symbol]) -> bool:
        """Is it a single assignment, which is done when everything in it has been computed?"""
        match statement.expr:
            case Assign(target=target, value=value):
                parts = (target, value)
                return not any(self._changes(part, call, named) for part in parts)
            case _:
                return False

    # -- variables that have the value ------------------------------------------------------------

    def _holder(self, statement: Stmt, call: Call) -> Symbol | None:
        """The variable that the statement gives the value to, and does nothing else."""
        match statement:
            case Declare(variables=(variable,)) if variable.initial is not None:
                symbol, value = variable.symbol, variable.initial
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
                pass
            case _:
                return None
        own = symbol.storage is Storage.LOCAL and symbol not in symbols_in(call) | self.hidden
        if not own or strip_parens(value) != call or not self.names.is_only(symbol):
            return None
        return symbol if _same_number(symbol.type, call.type) else None

    def _keeps(self, holder: Symbol, statements: tuple[Stmt, ...], call: Call) -> bool:
        """Is the variable not written before the last statement that makes the call ends?"""
        facts = [self.facts(one) for one in statements]
        uses = [place for place, one in enumerate(facts) if call in one.calls]
        upto = facts[: max(uses, default=-1) + 1]
        return all(holder not in one.effects.writes for one in upto)

    # -- the new text -----------------------------------------------------------------------------

    def _merge(self, statements: tuple[Stmt, ...], found: _Found) -> tuple[Stmt, ...]:
        symbol, begin = found.holder, found.first + 1
        new: list[Stmt] = []
        if symbol is None:
            is_mathematics = (
                not found.call.key or self.effects.functions.get(found.call.key) is None
            )
            symbol, begin = self.names.fresh(found.call, is_mathematics), found.first
            symbol = replace(symbol, storage=Storage.LOCAL)
            new.append(declaration_of(symbol, found.call))

        def use(node: Node) -> Node | None:
            return VarRef(symbol) if isinstance(node, Call) and node == found.call else None

        for position in range(begin, found.last + 1):
            statement = statements[position]
            makes = found.call in self.facts(statement).calls
            new.append(rewrite(statement, use) if makes else statement)
        return (*statements[:begin], *new, *statements[found.last + 1 :])


def _same_number(one: CType, other: CType) -> bool:
    kinds = one.kind is other.kind and one.is_arithmetic and not one.is_volatile
    return kinds and (one.bits, one.is_signed) == (other.bits, other.is_signed)
