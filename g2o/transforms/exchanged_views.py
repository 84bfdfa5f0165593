"""Pointers that change places, as views of arrays that stay.

    for (int t = 0; t < steps; ++t) {              for (int t = 0; t < steps; ++t) {
        for (...)                                      double *now = t % 2 == 0 ? u : v;
            next[i] = now[i] + now[i - 1];    ->       double *next = t % 2 == 0 ? v : u;
        double *other = now;                           for (...)
        now = next;                                        next[i] = now[i] + now[i - 1];
        next = other;                              }
    }

A view leads to one array as long as it lives, and has a shadow like that; what is exchanged would
be another array at every access. Legal where nothing else sets the pointers behind their
declarations, and nobody has their addresses. How often they have changed places is counted: by the
loop, where it does so once an iteration and always to its end, or by a variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.value_types import value_type
from g2o.ir.comments import without_declarations
from g2o.ir.expressions import (
    Assign,
    Binary,
    Conditional,
    Expr,
    Form,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    is_variable,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, walk
from g2o.ir.types import BOOL, INT, TypeKind
from g2o.transforms.loop_heads import find_head

_MOST: Final = 4


def with_views_of_exchanged(function: Function, effects: EffectsOf) -> Function:
    """The function with views of arrays in place of each group of pointers that change places."""
    symbols = SymbolTable(continued=function.symbols)
    started = _with_starts(function.body)
    for group in _groups(started):
        body = _Views(group, symbols, effects).function(started)
        if body is not None:
            function = replace(function, body=body, symbols=symbols)
            return with_views_of_exchanged(function, effects)
    return function


@final
@dataclass(frozen=True, slots=True)
class _Group:
    """Pointers, in an order, of which each becomes what the next one was, and how often they do so
    by the first statement of those `moving` them."""

    pointers: tuple[Symbol, ...]
    times: Mapping[int, int]
    moving: frozenset[int]


def _with_starts(body: Block) -> Block:
    """The outermost braces with pointers declared where they get their first value."""
    bare = {one.symbol: one for one in _declared(body) if _is_bare(one)}
    named: set[Symbol] = set()
    starts: dict[int, Variable] = {}
    for statement in body.statements:
        match statement:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
                if symbol in bare and symbol not in named | symbols_in(value):
                    starts[id(statement)] = replace(bare[symbol], initial=value, initial_style="=")
            case _:
                pass
        named |= set(_mentions(statement))
    if not starts:
        return body
    started = {one.symbol for one in starts.values()}
    statements: list[Stmt] = []
    for statement in body.statements:
        if id(statement) in starts:
            statements.append(Declare((starts[id(statement)],), trivia=statement.trivia))
        elif (left := without_declarations(statement, started)) is not None:
            statements.append(left)
    return replace(body, statements=tuple(statements), form=Form.BUILT)


def _is_bare(variable: Variable) -> bool:
    pointer = variable.symbol.type.kind is TypeKind.POINTER
    return pointer and variable.initial is None and not variable.suffix


# -- which pointers -----------------------------------------------------------------------------


def _groups(body: Block) -> Iterator[_Group]:
    """Groups that may become views."""
    blocks = list(_blocks(body))
    copies = [one for block in blocks for one in block.statements if _is_copies(one)]
    mentions = _mentions(body)
    copied = sum((_mentions(one) for one in copies), Counter[Symbol]())
    others = frozenset(one for one in copied if copied[one] == mentions[one])
    runs = [run for block in blocks for run in _runs(block.statements, others)]
    led = [_exchanged(run, others) for run in runs]
    for first in led:
        pointers = _cycle(first)
        if not pointers or not _stay(pointers, body, runs):
            continue
        times: dict[int, int] = {}
        for run, places in zip(runs, led, strict=True):
            if not places.keys().isdisjoint(pointers):
                times[id(run[0])] = _times(places, pointers)
        if all(times.values()):
            moving = (id(one) for run in runs if id(run[0]) in times for one in run)
            yield _Group(pointers, times, frozenset(moving))


def _blocks(node: Node) -> Iterator[Block]:
    """Braces, but for those in a sequence that hold nothing but copies of pointers."""
    is_block = isinstance(node, Block)
    if is_block:
        yield node
    for child in children(node):
        if not (is_block and isinstance(child, Stmt) and _is_copies(child)):
            yield from _blocks(child)


def _mentions(node: Node) -> Counter[Symbol]:
    return Counter(one.symbol for one in walk(node) if isinstance(one, VarRef))


def _is_copies(statement: Stmt) -> bool:
    flat = _flat(statement)
    return bool(flat) and all(map(_is_copy, flat))


def _runs(statements: Sequence[Stmt], others: frozenset[Symbol]) -> Iterator[tuple[Stmt, ...]]:
    """Statements in a row that do nothing but copy pointers, to `others` where they declare any."""
    run: list[Stmt] = []
    for one in (*statements, None):
        if one is not None and _is_copies(one) and declared_in(one) <= others:
            run.append(one)
            continue
        if run:
            yield tuple(run)
        run = []


def _flat(statement: Stmt) -> tuple[Stmt, ...]:
    """What stands in braces, or in the loop around a macro's statements."""
    match statement:
        case Block(statements=statements):
            return tuple(one for inner in statements for one in _flat(inner))
        case DoWhile(body=body, condition=condition) if integer_value(condition) == 0:
            return _flat(body)
        case ExprStatement(expr=Binary(op=",", left=left, right=right)):
            return (*_flat(ExprStatement(left)), *_flat(ExprStatement(right)))
        case _:
            return (statement,)


def _is_copy(statement: Stmt) -> bool:
    match statement:
        case Declare(variables=(Variable(symbol=symbol, initial=value, suffix=""),)):
            return symbol.type.kind is TypeKind.POINTER and (value is None or _is_pointer(value))
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
            return symbol.type.kind is TypeKind.POINTER and _is_pointer(value)
        case _:
            return False


def _is_pointer(value: Expr) -> bool:
    inner = strip_parens(value)
    return isinstance(inner, VarRef) and inner.symbol.type.kind is TypeKind.POINTER


def _exchanged(run: Sequence[Stmt], others: frozenset[Symbol]) -> dict[Symbol, Symbol]:
    """What pointers become that had been others, where these only change places."""
    led: dict[Symbol, Symbol] = {}
    for statement in (one for each in run for one in _flat(each)):
        match statement:
            case Declare(variables=(Variable(symbol=symbol, initial=value),)):
                pass
            case ExprStatement(expr=Assign(target=VarRef(symbol=symbol), value=value)):
                pass
            case _:
                continue
        inner = None if value is None else strip_parens(value)
        if isinstance(inner, VarRef):
            led[symbol] = led.get(inner.symbol, inner.symbol)
    places = {one: now for one, now in led.items() if one not in others and one != now}
    return places if set(places) == set(places.values()) else {}


def _cycle(places: Mapping[Symbol, Symbol]) -> tuple[Symbol, ...]:
    """The pointers in the order in which each becomes the next one; none where that is no cycle."""
    if not places:
        return ()
    found = [min(places, key=lambda one: one.id)]
    while places[found[-1]] != found[0]:
        found.append(places[found[-1]])
    return tuple(found) if len(found) == len(places) <= _MOST else ()


def _times(places: Mapping[Symbol, Symbol], pointers: tuple[Symbol, ...]) -> int:
    """How often all have to move on by one, for these to be the places; 0 where that is never."""
    for times in range(1, len(pointers)):
        moved = {one: pointers[(at + times) % len(pointers)] for at, one in enumerate(pointers)}
        if {one: now for one, now in moved.items() if one != now} == dict(places):
            return times
    return 0


def _stay(pointers: tuple[Symbol, ...], body: Block, runs: Sequence[Sequence[Stmt]]) -> bool:
    """Are the pointers declared with what they lead to, in the outermost braces or as parameters,
    and set by nothing else? Has nobody their addresses?"""
    flat = [one for run in runs for each in run for one in _flat(each)]
    allowed = {id(one.expr) for one in flat if isinstance(one, ExprStatement)}
    in_front = {one.symbol: one for one in _declared(body) if one.initial is not None}
    if any(one.storage is not Storage.PARAMETER and one not in in_front for one in pointers):
        return False
    if len({one.type.spelling for one in pointers}) > 1 or pointers[0].type.is_const:
        return False
    for node in walk(body):
        match node:
            case Assign(target=place):
                if id(node) not in allowed and any(is_variable(place, one) for one in pointers):
                    return False
            case Unary(op="&" | "++" | "--", operand=place):
                if any(is_variable(place, one) for one in pointers):
                    return False
            case Labelled() | Jump(kind=JumpKind.GOTO):
                return False
            case _:
                pass
    return True


def _declared(body: Block) -> Iterator[Variable]:
    """The variables that a sequence of statements declares itself."""
    for one in body.statements:
        if isinstance(one, Declare):
            yield from one.variables


# -- views --------------------------------------------------------------------------------------


class _NoViews(Exception):
    """Something names the pointers where no view can be."""


@final
@dataclass(slots=True)
class _Views:
    """Puts views in place of the pointers of a group. `turn` counts how often they have moved on,
    where no loop does; `counts` are how often loops do."""

    group: _Group
    symbols: SymbolTable
    effects: EffectsOf
    turn: Symbol | None = None
    counts: set[Symbol] = field(default_factory=set[Symbol])

    def function(self, body: Block) -> Block | None:
        """The body of the function; None where there can be no views."""
        if not all(map(self._is_counted, body.statements)):
            self.turn = self.symbols.fresh("turn", INT, Storage.LOCAL)
        try:
            statements, _ = self._sequence(body.statements, _Number(len(self.group.pointers)))
        except _NoViews:
            return None
        if self.turn is not None:
            statements = [_declare(self.turn, "int", _literal(0)), *statements]
        named = {n.symbol for one in statements for n in walk(one) if isinstance(n, VarRef)}
        idle = self.counts - named
        kept = [one for one in statements if idle.isdisjoint(declared_in(one)) or not _is_one(one)]
        return replace(body, statements=tuple(kept), form=Form.BUILT)

    def _moves(self, node: Stmt) -> bool:
        return any(id(one) in self.group.moving for one in walk(node))

    def _names(self, node: Node) -> bool:
        return not symbols_in(node).isdisjoint(self.group.pointers)

    # -- how often they have moved on -----------------------------------------------------------

    def _is_counted(self, statement: Stmt) -> bool:
        """Do the pointers stay, move on once, or by a loop that does so to its end?"""
        if not self._moves(statement) or id(statement) in self.group.moving:
            return True
        head = find_head(statement) if isinstance(statement, For) else None
        if head is None:
            return False
        inside = statements_of(head.loop.body)
        leaves = (Jump, Return)
        if any(self._moves(one) and id(one) not in self.group.moving for one in inside):
            return False
        if any(isinstance(node, leaves) for one in inside for node in walk(one)):
            return False
        head_parts = (head.first, head.limit, head.step)
        written = self.effects.of(head.loop.body).writes
        steady = written.isdisjoint(
            {head.index.symbol, *(s for p in head_parts for s in symbols_in(p))}
        )
        return steady and not self.effects.of_all(head_parts).memory_reads

    def _sequence(self, statements: Sequence[Stmt], number: _Number) -> tuple[list[Stmt], _Number]:
        """The statements, in front of which the pointers have moved on that often, and how often
        they have behind them."""
        made: list[Stmt] = []
        waiting: list[Stmt] = []
        for one in statements:
            if not self._moves(one):
                waiting.append(one)
                continue
            made += self._with_views(waiting, number)
            waiting = []
            if id(one) not in self.group.moving:
                new, number = self._around(one, number)
                made += new
            elif id(one) in self.group.times:
                times = self.group.times[id(one)]
                if self.turn is None:
                    number = number.plus(times)
                else:
                    made.append(self._turned(self.turn, times))
        return [*made, *self._with_views(waiting, number)], number

    def _turned(self, turn: Symbol, times: int) -> Stmt:
        count = len(self.group.pointers)
        if count == 2:
            new: Expr = Binary("-", _literal(1), VarRef(turn), INT)
        else:
            moved = Paren(Binary("+", VarRef(turn), _literal(times), INT), INT)
            new = Binary("%", moved, _literal(count), INT)
        return ExprStatement(Assign("=", VarRef(turn), new, INT))

    def _around(self, statement: Stmt, number: _Number) -> tuple[list[Stmt], _Number]:
        """A statement with others inside that move the pointers on."""
        if isinstance(statement, Block):
            new, number = self._sequence(statement.statements, number)
            return [replace(statement, statements=tuple(new), form=Form.BUILT)], number
        if self.turn is None:
            assert isinstance(statement, For)
            return self._counted(statement, number)
        match statement:
            case If(condition=condition) if not self._names(condition):
                then = self._inside(statement.then)
                other = None if statement.otherwise is None else self._inside(statement.otherwise)
                return [replace(statement, then=then, otherwise=other, form=Form.BUILT)], number
            case For() | While() | DoWhile():
                heads = (one for one in children(statement) if one is not statement.body)
                if any(map(self._names, heads)):
                    raise _NoViews
                inside = self._inside(statement.body)
                return [replace(statement, body=inside, form=Form.BUILT)], number
            case _:
                raise _NoViews

    def _inside(self, body: Stmt) -> Stmt:
        new, _ = self._sequence(statements_of(body), _Number(len(self.group.pointers)))
        return Block(tuple(new))

    def _counted(self, loop: For, number: _Number) -> tuple[list[Stmt], _Number]:
        """A loop that moves the pointers on in each of its iterations."""
        head = find_head(loop)
        assert head is not None
        if any(map(self._names, (head.first, head.limit, head.step))):
            raise _NoViews
        inside = statements_of(loop.body)
        times = sum(self.group.times.get(id(one), 0) for one in inside)
        ctype = head.index.symbol.type
        turns = self.symbols.fresh("turns", ctype, Storage.LOCAL)
        before = number.with_term(head.number_of(VarRef(head.index.symbol)), times)
        new, _ = self._sequence(inside, before)
        made = replace(loop, body=Block(tuple(new)), form=Form.BUILT)
        count = head.iterations()
        known = integer_value(count)
        if known is not None:
            return [made], number.plus(times * max(known, 0))
        self.counts.add(turns)
        some = Binary(">", count, _literal(0), BOOL)
        counted = Conditional(some, count, _literal(0), ctype)
        declared = _declare(turns, f"const {ctype.spelling}", counted)
        return [made, declared], number.with_term(VarRef(turns), times)

    # -- what the pointers lead to --------------------------------------------------------------

    def _with_views(self, statements: Sequence[Stmt], number: _Number) -> list[Stmt]:
        """Statements that none of the pointers moves in, with views that it needs in front."""
        if not any(map(self._names, statements)) or (self.turn is None and number.is_start):
            return list(statements)
        named = set[Symbol]().union(*map(symbols_in, statements))
        pointers = self.group.pointers
        views: dict[Symbol, Symbol] = {}
        declared: list[Stmt] = []
        for place, one in enumerate(pointers):
            if one in named:
                if any(one in declared_in(each) for each in statements):
                    if self.turn is not None:
                        continue
                    raise _NoViews
                led = [pointers[(place + moved) % len(pointers)] for moved in range(len(pointers))]
                views[one] = view = self.symbols.fresh(one.name, one.type, Storage.LOCAL)
                declared.append(_declare(view, one.type.spelling, self._chosen(led, number)))
        return [*declared, *(rename_symbols(each, views) for each in statements)]

    def _chosen(self, led: Sequence[Symbol], number: _Number) -> Expr:
        asked = number.remainder() if self.turn is None else VarRef(self.turn)
        known = integer_value(asked)
        if known is not None:
            return VarRef(led[known])
        *front, last = led
        chosen: Expr = VarRef(last)
        for place, one in reversed(list(enumerate(front))):
            same = Binary("==", asked, _literal(place), BOOL)
            chosen = Conditional(same, VarRef(one), chosen, one.type)
        return chosen


@final
@dataclass(frozen=True, slots=True)
class _Number:
    """How often pointers have moved on, of which `count` change places."""

    count: int
    known: int = 0
    terms: tuple[Expr, ...] = ()

    @property
    def is_start(self) -> bool:
        return not self.terms and self.known == 0

    def plus(self, times: int) -> _Number:
        return replace(self, known=(self.known + times) % self.count)

    def with_term(self, term: Expr, times: int) -> _Number:
        if times % self.count == 0:
            return self
        far = term if times == 1 else Binary("*", Paren(term), _literal(times), term.type)
        return replace(self, terms=(*self.terms, far))

    def remainder(self) -> Expr:
        """Which of their first arrays they lead to."""
        if not self.terms:
            return _literal(self.known)
        total, *others = self.terms
        if self.known:
            others.append(_literal(self.known))
        for one in others:
            total = Binary("+", total, one, total.type)
        whole = total if isinstance(total, VarRef) else Paren(total)
        return Binary("%", whole, _literal(self.count), value_type(total))


def _literal(value: int) -> Literal:
    return Literal(str(value), value, INT)


def _declare(symbol: Symbol, declared: str, value: Expr) -> Declare:
    return Declare((Variable(symbol, declared, "", value, "="),))


def _is_one(statement: Stmt) -> bool:
    return isinstance(statement, Declare) and len(statement.variables) == 1
