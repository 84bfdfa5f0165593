"""What all threads read at the same place, before they store anything, is read once.

    for (int col = 0; col < cols; ++col) {      int through = d[row * n + k];
        int through = d[row * n + k];           for (int col = 0; col < cols; ++col) {
        int other = through + d[k * n + col];       int other = through + d[k * n + col];
        if (other < d[row * n + col])       ->      if (other < d[row * n + col])
            d[row * n + col] = other;                   d[row * n + col] = other;
    }                                           }

Where stores stand under conditions, compilers do not tell in front of a loop what these may change,
and read such a number again in every turn, one by one.

Legal because the loop is one over threads, none of which waits for another in it: that all of them
read before the first one stores is an order in which they may run. What is read stands behind no
store, condition or jump, and some thread runs: the ends of the loops around tell, or a guard does.
Where something is stored at a place that is the same for all, the threads may be telling each other
that they are done: those are left alone.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, root_symbol, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.jumps import leaves_beyond
from g2o.analysis.lvalues import goes_through_pointer
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    LaunchRef,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    If,
    Node,
    Stmt,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import UNKNOWN, TypeKind, may_share_memory
from g2o.transforms.invariants import made_in, may_be_same
from g2o.transforms.new_names import NewNames, declaration_of
from g2o.transforms.thread_nests import Bounds, leave_without_threads, nest_of

_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)


def load_uniform_once(lowered: LoweredKernel, functions: FunctionTable) -> LoweredKernel:
    """Unchanged kernels stay as they are."""
    whole = Block(lowered.body)
    if not any(isinstance(one, If) for one in walk(whole)):
        return lowered
    effects = functions.for_node(whole)
    changing = written_after_declaration(whole, effects)
    loader = _Loader(effects, NewNames(lowered), changing)
    body = loader.top(lowered.body, Bounds.of(lowered, changing))
    return lowered if body is lowered.body else replace(lowered, body=body)


@final
@dataclass(frozen=True, slots=True)
class _Loader:
    """`changing` are the variables of the kernel that something other than their declaration
    writes."""

    effects: EffectsOf
    names: NewNames
    changing: set[Symbol]

    def top(self, body: tuple[Stmt, ...], bounds: Bounds) -> tuple[Stmt, ...]:
        """The body of the emitted function."""
        made: list[Stmt] = []
        for place, statement in enumerate(body):
            if not isinstance(statement, CountedLoop) or not statement.directive.is_parallel:
                made.append(statement)
                continue
            new = self._loop(statement, bounds)
            if new == (statement,) and place == len(body) - 1:
                inner = nest_of(statement)[-1]
                new = self._loop(statement, bounds.inside(inner, self.changing))
                if new != (statement,):
                    made.extend(leave_without_threads((inner,)))
            made.extend(new)
        same = len(made) == len(body) and all(map(operator.is_, made, body))
        return body if same else tuple(made)

    def _loop(self, loop: CountedLoop, bounds: Bounds) -> tuple[Stmt, ...]:
        """The loop, behind what is read in front of it."""
        if any(isinstance(node, CountedLoop) for node in walk(loop.body)):
            if loop.directive.collapse > 1:
                return (loop,)
            inside = bounds.inside(loop, self.changing)
            body = self._in(Block(statements_of(loop.body)), inside)
            same = body.statements == statements_of(loop.body)
            return (loop if same else replace(loop, body=body, form=Form.BUILT),)
        if loop.index.storage is not Storage.INDEX or not bounds.has_turn(loop):
            return (loop,)
        return _Turn(self.effects, self.names, loop).solve()

    def _in(self, block: Block, bounds: Bounds) -> Block:
        def replacement(node: Node) -> Node | None:
            match node:
                case CountedLoop():
                    made = self._loop(node, bounds)
                    return node if made == (node,) else Block(made)
                case Block(statements=statements):
                    made = tuple(one for old in statements for one in new(old))
                    same = len(made) == len(statements) and all(map(operator.is_, made, statements))
                    return node if same else replace(node, statements=made, form=Form.BUILT)
                case _:
                    return None

        def new(statement: Stmt) -> tuple[Stmt, ...]:
            if isinstance(statement, CountedLoop):
                return self._loop(statement, bounds)
            return (rewrite(statement, replacement),)

        return rewrite(block, replacement)


@final
class _Turn:
    """What one turn of a loop over threads reads and stores."""

    def __init__(self, effects: EffectsOf, names: NewNames, loop: CountedLoop) -> None:
        self.effects = effects
        self.names = names
        self.loop = loop
        self.statements = statements_of(loop.body)
        self.own = made_in(loop.body) | {loop.index}
        self.varying = self.own | effects.of(loop.body).writes
        self.written = written_after_declaration(loop.body, effects)
        self.stores: list[tuple[Expr, bool]] = []
        self.is_known = self._note(loop.body, False)
        self.told = [place for place, _ in self.stores if not symbols_in(place) & self.varying]
        self.declared: dict[Symbol, int] = {}

    def solve(self) -> tuple[Stmt, ...]:
        """The loop, behind what all its turns read."""
        if not self.is_known or not any(conditional for _, conditional in self.stores):
            return (self.loop,)
        moved: set[int] = set()
        results: dict[Expr, Symbol] = {}
        before: list[Stmt] = []
        for place, statement in enumerate(self.statements):
            values = self._values(statement)
            if values is None:
                break
            wanted = [one for value in values for one in self._loads(value) if self._pays(one)]
            declared = self._declared_alone(statement)
            if declared is not None and all(map(self._is_fixed, values)):
                self.declared[declared] = place
                if wanted:
                    self._move(place, moved, before)
                    wanted = []
            for load in wanted:
                if load not in results:
                    for symbol in symbols_in(load) & set(self.declared):
                        self._move(self.declared[symbol], moved, before)
                    results[load] = self.names.value_of(load)
                    before.append(declaration_of(results[load], load))
            if self._ends(statement):
                break
        if not before:
            return (self.loop,)
        renamed: dict[Symbol, Symbol] = {}
        for place in moved:
            for variable in self._variables(self.statements[place]):
                outside = self.names.outside(variable)
                if outside is not variable:
                    renamed[variable] = outside
        kept = tuple(one for i, one in enumerate(self.statements) if i not in moved)
        kept = tuple(rewrite(one, lambda node: _result(node, results)) for one in kept)
        body = rename_symbols(Block(kept), renamed)
        loop = replace(self.loop, body=body, form=Form.BUILT)
        return (*(rename_symbols(one, renamed) for one in before), loop)

    def _move(self, place: int, moved: set[int], before: list[Stmt]) -> None:
        """Put the declaration in front of the loop, behind those that it needs."""
        if place in moved:
            return
        moved.add(place)
        statement = self.statements[place]
        for symbol in sorted(symbols_in(statement) & set(self.declared), key=lambda one: one.id):
            self._move(self.declared[symbol], moved, before)
        before.append(statement)

    def _note(self, node: Node, conditional: bool) -> bool:
        """Note what is stored; is all of that known?"""
        match node:
            case If(condition=condition, then=then, otherwise=otherwise):
                parts = (then,) if otherwise is None else (then, otherwise)
                known = self._note(condition, conditional)
                return known and all(self._note(one, True) for one in parts)
            case Verbatim():
                return False
            case Assign(target=target) | Unary(op="++" | "--", operand=target):
                self._store(target, conditional)
            case Call():
                found = self.effects.of(node)
                if found.memory_writes or found.side_effects:
                    if not node.name.startswith("atomic") or not node.arguments:
                        return False
                    pointer = node.arguments[0]
                    self._store(Unary("*", pointer, type=pointer.type.element or UNKNOWN), True)
            case _:
                pass
        return all(self._note(child, conditional) for child in children(node))

    def _store(self, target: Expr, conditional: bool) -> None:
        root = root_symbol(target)
        is_own = root in self.own and not goes_through_pointer(target)
        if not is_own and not isinstance(strip_parens(target), VarRef):
            self.stores.append((target, conditional))

    def _values(self, statement: Stmt) -> tuple[Expr, ...] | None:
        """What the statement computes in any case, in front of what it stores."""
        match statement:
            case Declare(variables=variables):
                values = tuple(one.initial for one in variables if one.initial is not None)
                plain = all(
                    one.symbol.type.kind in (*_NUMBERS, TypeKind.POINTER, TypeKind.DEPENDENT)
                    for one in variables
                )
                if not plain:
                    return None
            case ExprStatement(expr=Assign(target=target, value=value)):
                values = (value, *(one for one in children(target) if isinstance(one, Expr)))
            case If(condition=condition):
                values = (condition,)
            case _:
                return None
        return values if all(map(self.effects.is_pure, values)) else None

    def _ends(self, statement: Stmt) -> bool:
        """May what follows find something that was stored, or not be come to?"""
        found = self.effects.of(statement)
        stores = bool(found.memory_writes) or found.side_effects
        return stores or leaves_beyond(statement, frozenset())

    def _declared_alone(self, statement: Stmt) -> Symbol | None:
        match statement:
            case Declare(variables=(variable,)):
                symbol = variable.symbol
                plain = not variable.suffix and variable.declared not in ("", "auto")
                plain = plain and symbol.type.kind in _NUMBERS and variable.initial is not None
                return symbol if plain and symbol not in self.written else None
            case _:
                return None

    def _variables(self, statement: Stmt) -> tuple[Symbol, ...]:
        declared = self._declared_alone(statement)
        return () if declared is None else (declared,)

    def _loads(self, node: Node) -> Iterator[Expr]:
        """What evaluating it reads in any case at a place that is the same for all threads."""
        match node:
            case Binary(op="&&" | "||", left=left):
                yield from self._loads(left)
            case Conditional(condition=condition):
                yield from self._loads(condition)
            case Unary(op="&") | Verbatim():
                return
            case Index() | Unary(op="*") if node.type.kind in _NUMBERS and self._is_fixed(node):
                yield node
            case Index(base=base, index=index):  # a row of an array is no number
                yield from self._loads(index)
                row = strip_parens(base)
                for child in children(row) if isinstance(row, Index) else (row,):
                    yield from self._loads(child)
            case _:
                for child in children(node):
                    yield from self._loads(child)

    def _is_fixed(self, expr: Expr) -> bool:
        """Is it the same for all threads, if they read before they store?"""
        for node in walk(expr):
            match node:
                case VarRef(symbol=symbol):
                    own = symbol in self.varying and symbol not in self.declared
                    if own or symbol.type.is_volatile:
                        return False
                case Index() | Unary(op="*"):
                    if node.type.is_volatile or any(self._may_be(node, to) for to in self.told):
                        return False
                case Call() | Verbatim() | LaunchRef() | Code() | Assign():
                    return False
                case _:
                    pass
        return True

    def _pays(self, load: Expr) -> bool:
        """Might a compiler think that something which is stored under a condition changes it?"""
        return any(conditional and self._may_be(load, to) for to, conditional in self.stores)

    def _may_be(self, load: Expr, store: Expr) -> bool:
        same = may_be_same(root_symbol(load), root_symbol(store))
        return same and may_share_memory(load.type, store.type)


def _result(node: Node, results: dict[Expr, Symbol]) -> Node | None:
    return VarRef(results[node]) if isinstance(node, Index | Unary) and node in results else None
