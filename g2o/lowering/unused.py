"""Variables that nothing reads go, with what only they needed.

    const int thread = t;                     for (int t = 0; t < n; ++t)
    const int i = bx * n + thread;     ->         s[t] = x[bx * n + t];
    s[t] = x[bx * n + t];

The source may use them for what lowering has made useless: the number of a thread in a guard that
is a loop bound now. Only values without effects go, and only types without destructors.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.comments import change_statements, comments_of, with_comments
from g2o.ir.expressions import (
    Assign,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Remote,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    LocalFunction,
    Node,
    Scope,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite_statements, walk
from g2o.ir.types import TypeKind

_IDENTIFIER = re.compile(r"(?<!\bg2o::)(?<!\.)(?<!->)\b[A-Za-z_]\w*")  # not `block.x`
_VOTES = ("ballot", "any", "all", "activemask")
_OWN = (Storage.LOCAL, Storage.BLOCK, Storage.SHARED)


def drop_unused(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """`statements` without variables that are never read, and without conditions on nothing."""
    body = Block(statements)
    body = rewrite_statements(body, lambda one: _without_idle_end(one, effects))
    while True:
        body = change_statements(body, lambda one: _unless_idle(one, effects))
        unused = _Unused(body, effects)
        if not unused.symbols:
            body = unused.declared_where_read(body)
            return change_statements(body, lambda one: _unless_idle(one, effects)).statements
        body = change_statements(body, unused.without)


@final
class _Unused:
    """The variables of `body` that can go."""

    def __init__(self, body: Block, effects: EffectsOf) -> None:
        self.effects = effects
        self.stores: dict[int, Symbol] = {}  # statements that only store, by id
        self.read: set[Symbol] = set()
        self.texts: set[str] = set()
        self.declared: dict[Symbol, Variable] = {}
        self.places: Counter[Symbol] = Counter()  # declarations of each
        self.said: dict[Symbol, tuple[str, ...]] = {}  # comments of declarations that have gone
        in_heads = {id(n.initial) for n in walk(body) if isinstance(n, For) and n.initial}
        named: Counter[Symbol] = Counter()  # one reference may stand in two places
        stored: Counter[Symbol] = Counter()
        for node in walk(body):
            if isinstance(node, ExprStatement):
                target = self._stored(node)
                if target is not None:
                    self.stores[id(node)] = target.symbol
                    stored[target.symbol] += 1
            elif isinstance(node, VarRef):
                named[node.symbol] += 1
            elif isinstance(node, Exchange):
                self._exchange(node)
                named[node.result] += 1
                stored[node.result] += 1
            elif isinstance(node, Remote):
                self.read.add(node.symbol)
            elif isinstance(node, Declare):
                self._declare(node, id(node) in in_heads)
            self.texts.update(_identifiers(node))
        self.read |= {symbol for symbol, count in named.items() if count > stored[symbol]}
        self.symbols = {
            symbol
            for symbol, variable in self.declared.items()
            if symbol not in self.read and symbol.name not in self.texts
            if self._has_no_effect(variable)
        }

    def _stored(self, statement: ExprStatement) -> VarRef | None:
        """The variable that a statement only stores to; a reference stands for something else."""
        match statement.expr:
            case Assign(target=VarRef() as target, value=value) if self.effects.is_pure(value):
                pass
            case Assign(target=Index() as place, value=value) if self.effects.is_pure(value):
                element = self._element(place)
                if element is None:
                    return None
                target = element
            case Unary(op="++" | "--", operand=VarRef() as target):
                pass
            case _:
                return None
        return None if target.symbol.type.kind is TypeKind.REFERENCE else target

    def _element(self, place: Index) -> VarRef | None:
        """The array of which `place` is an element: no pointer, which leads elsewhere."""
        base: Expr = place
        while isinstance(base, Index):
            if not self.effects.is_pure(base.index):
                return None
            base = base.base
        if not isinstance(base, VarRef) or base.symbol.type.kind is not TypeKind.ARRAY:
            return None
        return base if base.symbol.type.innermost.is_arithmetic else None

    def _exchange(self, node: Exchange) -> None:
        is_vote = node.operation in _VOTES and node.scope is Scope.WARP
        if is_vote and all(self.effects.is_pure(operand) for operand in node.operands):
            self.stores[id(node)] = node.result
        else:
            self.read.add(node.result)

    def _declare(self, node: Declare, in_head: bool) -> None:
        for variable in node.variables:
            self.texts.update(_IDENTIFIER.findall(variable.suffix + " " + variable.declared))
            if not in_head and variable.symbol.storage in _OWN:
                self.declared[variable.symbol] = variable
                self.places[variable.symbol] += 1

    def _has_no_effect(self, variable: Variable) -> bool:
        ctype = variable.symbol.type
        if "(lambda at" in ctype.spelling or "cooperative_groups::" in ctype.spelling:
            return True  # to make one runs nothing of it
        inner = ctype.innermost
        simple = inner.is_arithmetic or inner.kind in (TypeKind.POINTER, TypeKind.REFERENCE)
        if inner.kind is TypeKind.DEPENDENT and variable.symbol.storage is Storage.BLOCK:
            return variable.initial is None  # elements that threads would have got
        if inner.kind is TypeKind.RECORD and not inner.fields and not inner.constructs:
            return variable.initial is None or self.effects.is_pure(variable.initial)  # a tag
        if inner.kind is TypeKind.RECORD and variable.initial is None:
            return not inner.constructs  # plain old data: nothing runs where it is declared
        if not simple or inner.is_volatile:
            return False
        if variable.initial is None:
            return True
        return self.effects.is_pure(variable.initial)

    def _goes_altogether(self, statement: Stmt) -> bool:
        """Does nothing stay of the statement? Of loops that would do nothing any more, neither."""
        match statement:
            case ExprStatement():
                return self.stores.get(id(statement)) in self.symbols
            case Declare(variables=variables):
                return all(variable.symbol in self.symbols for variable in variables)
            case For(initial=Declare(variables=(counter,)), condition=condition, increment=step):
                body = statements_of(statement.body)
                if not body or not all(map(self._goes_altogether, body)):
                    return False
                head = self.effects.of_all(one for one in (condition, step) if one is not None)
                changed = head.writes | head.memory_writes
                plain = counter.symbol.type.is_arithmetic and not counter.symbol.type.is_volatile
                pure = counter.initial is None or self.effects.is_pure(counter.initial)
                return plain and pure and changed <= {counter.symbol} and not head.side_effects
            case _:
                return False

    def without(self, statement: Stmt) -> Stmt | None:
        if isinstance(statement, For) and self._goes_altogether(statement):
            return None
        if self.stores.get(id(statement)) in self.symbols:
            if isinstance(statement, Exchange):  # the lanes met here, and still do
                return Barrier(statement.scope, trivia=statement.trivia, span=statement.span)
            return None
        if not isinstance(statement, Declare):
            return statement
        kept = tuple(v for v in statement.variables if v.symbol not in self.symbols)
        if len(kept) == len(statement.variables):
            return statement
        return replace(statement, variables=kept, form=statement.form.BUILT) if kept else None

    def declared_where_read(self, body: Block) -> Block:
        """`body` without declarations that are only of use elsewhere, where intervals that read the
        variable have declarations of their own. What comments say of the variable stands at the
        first of these."""
        body = rewrite_statements(body, self._without_repeated)

        def say(statement: Stmt) -> Stmt:
            if not isinstance(statement, Declare) or not self.said:
                return statement
            said = (self.said.pop(variable.symbol, ()) for variable in statement.variables)
            return with_comments(statement, tuple(chain.from_iterable(said)))

        return change_statements(body, say)

    def _goes(self, statement: Declare) -> None:
        for variable in statement.variables:
            self.places[variable.symbol] -= 1
        if comments_of(statement):
            self.said[statement.variables[0].symbol] = comments_of(statement)

    def _is_declared_again(self, statement: Declare) -> bool:
        """May what comments say of the one variable be said where it is declared once more?"""
        symbols = [variable.symbol for variable in statement.variables]
        again = len(symbols) == 1 and self.places[symbols[0]] > 1 and symbols[0] not in self.said
        return again and symbols[0] in self.read

    def _without_repeated(self, node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        kept: list[Stmt] = []
        named: set[Symbol] = set()
        for statement in reversed(node.statements):
            if (
                isinstance(statement, Declare)
                and (not comments_of(statement) or self._is_declared_again(statement))
                and all(
                    variable.symbol in self.declared
                    and variable.symbol not in named
                    and variable.symbol.name not in self.texts
                    and self._has_no_effect(variable)
                    for variable in statement.variables
                )
            ):
                self._goes(statement)
                continue
            kept.append(statement)
            named |= symbols_in(statement)
        inner = tuple(
            rewrite_statements(statement, self._without_repeated) for statement in reversed(kept)
        )
        same = len(inner) == len(node.statements) and all(
            one is old for one, old in zip(inner, node.statements, strict=True)
        )
        return node if same else replace(node, statements=inner, form=Form.BUILT)


def _unless_idle(statement: Stmt, effects: EffectsOf) -> Stmt | None:
    match statement:
        case ExprStatement(expr=VarRef() | Member() as place) if effects.is_pure(place):
            return None  # the constructor of a member that does nothing
        case _:
            pass
    is_around = isinstance(statement, If | CountedLoop)
    return None if is_around and _is_idle(statement, effects) else statement


def _without_idle_end(node: Node, effects: EffectsOf) -> Node | None:
    """A loop over threads without `if (i >= n) continue;` where that is the last it does."""
    if not isinstance(node, CountedLoop):
        return None
    body = rewrite_statements(node.body, lambda one: _without_idle_end(one, effects))
    statements = statements_of(body)
    while statements and _is_idle(statements[-1], effects, at_end=True):
        statements = statements[:-1]
    if len(statements) < len(statements_of(body)):
        body = Block(statements)
    return node if body is node.body else replace(node, body=body)


def _is_idle(statement: Stmt, effects: EffectsOf, *, at_end: bool = False) -> bool:
    """Is it a condition with nothing to do, as one around barriers that have become cuts is, or a
    loop that threads only declared something in? `at_end`: of an iteration, which may go on to the
    next one there."""
    match statement:
        case Jump(kind=JumpKind.CONTINUE) if at_end:
            return not comments_of(statement)
        case CountedLoop(lower=lower, upper=upper, body=body, directive=directive):
            idle = all(_is_idle(one, effects) for one in statements_of(body))
            pure = effects.is_pure(lower) and effects.is_pure(upper)
            return idle and pure and not directive.is_parallel and not comments_of(statement)
        case If(condition=condition, then=then, otherwise=otherwise, is_constexpr=False):
            branches = (*statements_of(then), *statements_of(otherwise or Block(())))
            idle = all(_is_idle(one, effects, at_end=at_end) for one in branches)
            return idle and effects.is_pure(condition)
        case Empty() | Block(statements=()):
            return not comments_of(statement)
        case _:
            return False


def _identifiers(node: Node) -> list[str]:
    """Names that stand in text, where no reference tells of them."""
    match node:
        case Text(parts=parts) | Code(parts=parts):
            return [n for part in parts if isinstance(part, str) for n in _IDENTIFIER.findall(part)]
        case DeclareTypes(text=text, span=span):
            return _IDENTIFIER.findall(text or (span.text if span is not None else ""))
        case Verbatim(span=span):
            return _IDENTIFIER.findall(span.text) if span is not None else []
        case CountedLoop(directive=directive):
            return _IDENTIFIER.findall(directive.text)
        case For(shared=how) if how is not None:
            return _IDENTIFIER.findall(how.directive.text)
        case Literal(text=text) if "<" in text:  # a function with its template arguments
            return _IDENTIFIER.findall(text)
        case LocalFunction(name=name):
            return [name]
        case _:
            return []
