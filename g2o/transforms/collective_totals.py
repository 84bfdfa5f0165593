"""Values of a group of threads, combined in memory of the block as they come up.

A total is a variable of the block, or an element for each of its warps. The first thread of the
group gives it its first value, all add to it by atomics, and read it behind a barrier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.contributions import Combined
from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Barrier,
    Block,
    Declare,
    Exchange,
    ExprStatement,
    For,
    If,
    Node,
    Scope,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind, unqualified
from g2o.transforms.collective_fragments import Fragment, declared_symbols, read_places, targets_of
from g2o.transforms.collective_updates import Updates, atomic

_SAID: Final = {"add": "sum", "max": "max", "min": "min"}


@final
@dataclass(frozen=True, slots=True)
class Group:
    """The threads that combine values: `count` groups are in a block. `first` holds for one of each
    group, `number` is the group's."""

    scope: Scope
    count: int
    first: Expr
    number: Expr

    def barrier(self) -> Barrier:
        return Barrier(self.scope)

    def variable(self, name: str, ctype: CType, symbols: SymbolTable, *, own: bool) -> Symbol:
        """A variable for each group; `own`: under exactly that name."""
        plain = replace(ctype, spelling=unqualified(ctype), is_const=False)
        if self.scope is not Scope.BLOCK:
            spelled = f"{plain.spelling}[{self.count}]"
            plain = CType(spelled, TypeKind.ARRAY, element=plain, extent=self.count)
        make = symbols.declare if own else symbols.fresh
        return make(name, plain, Storage.SHARED)

    def declared(self, symbol: Symbol) -> Declare:
        element = symbol.type.element
        if element is None:
            return Declare((Variable(symbol, f"{symbol.type.spelling} "),))
        extent = Literal(str(self.count), self.count, INT)
        suffix = f"[{self.count}]"
        return Declare((Variable(symbol, f"{element.spelling} ", suffix, extents=(extent,)),))

    def place(self, symbol: Symbol) -> Expr:
        element = symbol.type.element
        if element is None:
            return VarRef(symbol)
        return Index(VarRef(symbol), self.number, element)


@final
@dataclass(slots=True)
class Totals:
    """Puts totals in place of fragments. `is_uniform` is asked of variables, for all threads of a
    group; where it will be `differentiated`, an extreme is the element that it is found at."""

    group: Group
    effects: EffectsOf
    is_uniform: Callable[[Expr], bool]
    symbols: SymbolTable
    differentiated: bool
    made: set[Symbol] = field(default_factory=set[Symbol])
    front: list[Stmt] = field(default_factory=list[Stmt])  # what gives totals their first values

    def all_replaced(
        self, statements: tuple[Stmt, ...], found: Sequence[Fragment], nested: bool
    ) -> tuple[Stmt, ...]:
        """The statements with totals in place of all fragments, from the last one on. Totals add
        statements in front of a fragment: its own are found again by what they are."""
        ends = [(statements[one.first], statements[one.last]) for one in found]
        staying: list[tuple[Stmt, Fragment]] = []
        for fragment, (first, last) in zip(reversed(found), reversed(ends), strict=True):
            if not fragment.may_go:
                staying.append((first, fragment))
                continue
            begin, end = _position(statements, first), _position(statements, last)
            until = {
                array: _position(statements, other)
                for array in fragment.arrays
                for other, later in staying
                if array in later.arrays
            }
            statements = self._replaced(statements, fragment, begin, end, until, nested)
        statements = (*self.front, *statements)
        self.front.clear()
        return statements

    def _replaced(
        self,
        statements: tuple[Stmt, ...],
        fragment: Fragment,
        begin: int,
        end: int,
        until: Mapping[Symbol, int],
        nested: bool,
    ) -> tuple[Stmt, ...]:
        """The statements with totals in place of those from `begin` to `end`; `until` is where a
        fragment that stays begins to fill an array anew."""
        before, after = statements[:begin], statements[end + 1 :]
        inside = statements[begin : end + 1]
        totals: dict[Symbol, Symbol] = {}
        result = before
        for whole in (*fragment.results.values(), *fragment.elements.values()):
            if whole.base not in totals:
                totals[whole.base], result = self._with_total(
                    result, after, fragment, whole, nested
                )
        made: list[Stmt] = [*result, self.group.barrier()]
        rest = Block(after)
        for (array, place), whole in fragment.elements.items():
            own = until.get(array, len(statements)) - end - 1
            read = self._read_elements(
                Block(rest.statements[:own]), array, place, totals[whole.base]
            )
            rest = Block((*read.statements, *rest.statements[own:]))
        named = symbols_in(Block((*before, *rest.statements))) - set(fragment.results)
        made += _declarations_of(named, inside)
        for symbol, whole in fragment.results.items():
            total = self.group.place(totals[whole.base])
            declares = symbol in fragment.declared or not any(
                symbol in declared_symbols(one) for one in made
            )
            only = [one for one in made if _declares_only(one, symbol)]
            if only and not any(symbol in symbols_in(one) for one in made if one is not only[0]):
                made.remove(only[0])
                declares = True
            if declares and not _is_written(rest, symbol) and not nested:
                rest = rewrite(rest, lambda n, s=symbol, t=total: _read_from(n, s, t))
            elif declares:
                spelled = unqualified(symbol.type) + " "
                made.append(Declare((Variable(symbol, spelled, "", total, "="),)))
            else:
                made.append(ExprStatement(Assign("=", VarRef(symbol), total, total.type)))
        if nested:
            made.append(self.group.barrier())
        return (*made, *rest.statements)

    def _with_total(
        self,
        before: tuple[Stmt, ...],
        after: tuple[Stmt, ...],
        fragment: Fragment,
        whole: Combined,
        nested: bool,
    ) -> tuple[Symbol, tuple[Stmt, ...]]:
        """The total, and the statements in front with the values of all threads combined in it:
        where they come up, or at the end."""
        base, kind = whole.base, whole.operator
        total = self.group.variable(base.name, base.type, self.symbols, own=True)
        found = self._gathered(before, after, fragment, whole, total, nested)
        if found is None:
            wish = f"{base.name}_{_SAID[kind]}"
            total = self.group.variable(wish, base.type, self.symbols, own=False)
            started = self._started(total, _neutral(kind, self.group.place(total)), nested, ())
            own = ExprStatement(atomic(kind, self.group.place(total), VarRef(base)))
            self.front.extend(started)
            found = (*before, own)
        self.made.add(total)
        return total, found

    def _read_elements(
        self, rest: Block, array: Symbol, place: tuple[int, ...], total: Symbol
    ) -> Block:
        """What is behind, with the total in place of an element that has it."""

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, (Index, VarRef)) or read_places(node, array) != [place]:
                return None
            return self.group.place(total)

        return rewrite(rest, replacement)

    def _gathered(
        self,
        before: tuple[Stmt, ...],
        after: tuple[Stmt, ...],
        fragment: Fragment,
        whole: Combined,
        total: Symbol,
        nested: bool,
    ) -> tuple[Stmt, ...] | None:
        """The statements in front, with the values combined in the total where they come up; None
        where that is not all that the base is for."""
        base, kind = whole.base, whole.operator
        if base in symbols_in(Block(after)) and base not in fragment.results:
            return None
        begin = next((i for i in reversed(range(len(before))) if _starts(before[i], base)), None)
        if begin is None:
            return None
        others = (one for one in before[:begin] if not _declares_only(one, base))
        if any(base in symbols_in(one) for one in others):
            return None
        first = before[begin]
        initial = _initial(first, base)
        if initial is None or not _is_start(initial, kind):
            return None
        selects = self.differentiated and kind != "add" and not nested
        met = total
        if selects and base.type.kind is TypeKind.FLOATING:
            met = self.group.variable("extreme", base.type, self.symbols, own=False)
        update = Updates(base, self.group.place(met), kind)
        added = tuple(rewrite(one, update) for one in before[begin + 1 :])
        if any(base in symbols_in(one) for one in added):
            return None
        if met is not total:
            found = self._selected(added, met, total, initial)
            if found is None:
                added = tuple(rename_symbols(one, {met: total}) for one in added)
                met = total
            else:
                added = found
        return (*before[:begin], *self._started(met, initial, nested, (first,)), *added)

    def _selected(
        self, added: tuple[Stmt, ...], extreme: Symbol, total: Symbol, initial: Expr
    ) -> tuple[Stmt, ...] | None:
        """The total as the element that is the extreme: its derivative is that of the first such
        element, and the extreme itself has none. None where it is not one loop that looks for it,
        or where elements are worked out by arithmetic, which may round otherwise a second time.

            for (c ...)                        for (c ...)
                atomicMax(&m, x[c]);    ->         atomicMax(&extreme, x[c]);
                                               for (c ...)
                                                   if (x[c] == extreme) atomicMin(&at, c);
                                               m = x[at];
        """
        naming = [one for one in added if extreme in symbols_in(one)]
        if len(naming) != 1 or naming[0] is not added[-1]:
            return None
        match naming[0]:
            case For(initial=Declare(variables=(Variable(symbol=index),)), body=body) as loop:
                *declared, last = statements_of(body)
            case _:
                return None
        if not isinstance(last, ExprStatement) or not isinstance(last.expr, Call):
            return None
        if index.type.kind is not TypeKind.INTEGER or index in self.effects.of(body).writes:
            return None
        before = [one for one in declared if isinstance(one, Declare)]
        if len(before) < len(declared) or not all(map(self.effects.is_pure, before)):
            return None
        value = last.expr.arguments[1]
        given = [variable.initial for one in before for variable in one.variables]
        if not all(one is None or _is_exact(one) for one in (value, *given)):
            return None
        own = {symbol for one in declared for symbol in declared_symbols(one)}
        if not self._is_of_turn(Block((*declared, ExprStatement(value))), own | {index}):
            return None
        at = self.group.variable(f"{total.name}_at", index.type, self.symbols, own=False)
        turn = self._like(index)
        nowhere, known = _outside(loop, index, turn)
        found = Binary("==", value, self.group.place(extreme), BOOL)
        noted = If(found, ExprStatement(atomic("min", self.group.place(at), VarRef(index))))
        again = replace(loop, body=Block((*declared, noted)), form=Form.BUILT, trivia=NO_TRIVIA)
        target = self.group.place(total)
        chosen = (*declared, ExprStatement(Assign("=", target, value, target.type)))
        there = rename_symbols(Block(chosen), {index: turn, **self._renewed(declared)})
        none = ExprStatement(Assign("=", target, initial, target.type))
        spelled = f"{index.type.spelling} "
        place = Declare((Variable(turn, spelled, "", self.group.place(at), "="),))
        return (
            *added,
            *self._started(at, nowhere, True, ()),
            rename_symbols(again, {index: self._like(index), **self._renewed(declared)}),
            self.group.barrier(),
            self.group.declared(total),
            If(self.group.first, Block((place, If(known, there, none)))),
        )

    def _is_of_turn(self, code: Block, own: set[Symbol]) -> bool:
        """Does it say the same for all threads of the group that come to one turn of the loop?"""
        if any(_is_position(node) for node in walk(code)):
            return False
        return all(self.is_uniform(VarRef(one)) for one in symbols_in(code) - own)

    def _renewed(self, declared: Sequence[Stmt]) -> dict[Symbol, Symbol]:
        return {one: self._like(one) for each in declared for one in declared_symbols(each)}

    def _like(self, symbol: Symbol) -> Symbol:
        return self.symbols.declare(symbol.name, symbol.type, symbol.storage)

    def _started(
        self, total: Symbol, value: Expr, nested: bool, instead: tuple[Stmt, ...]
    ) -> tuple[Stmt, ...]:
        """The total with its first value, in place of another statement."""
        trivia = instead[0].trivia if instead and isinstance(instead[0], Declare) else NO_TRIVIA
        place = self.group.place(total)
        store = ExprStatement(Assign("=", place, value, place.type), trivia=trivia)
        begun = (self.group.declared(total), If(self.group.first, store), self.group.barrier())
        return (self.group.barrier(), *begun) if nested else begun

    # -- what follows from totals ---------------------------------------------------------------

    def worked_out_once(self, statements: tuple[Stmt, ...]) -> Iterator[Stmt]:
        """The statements, with real numbers that are worked out from the totals alone, and what
        else all threads have in common, as variables of the group."""
        places: dict[Symbol, Expr] = {}
        for statement in statements:
            statement = rewrite(statement, lambda n: _placed(n, places))
            match statement:
                case Declare(variables=(Variable(symbol=old, initial=value, suffix=""),)) if (
                    value is not None and self._is_common(old, value, statements)
                ):
                    new = self.group.variable(old.name, old.type, self.symbols, own=True)
                    places[old] = self.group.place(new)
                    self.made.add(new)
                    yield from self._started(new, value, False, (statement,))
                case _:
                    yield statement

    def _is_common(self, symbol: Symbol, value: Expr, statements: tuple[Stmt, ...]) -> bool:
        if symbol.type.kind is not TypeKind.FLOATING or symbol.storage is not Storage.LOCAL:
            return False
        if any(_is_written(one, symbol) for one in statements):
            return False
        named = symbols_in(value)
        plain = all(one in self.made or self.is_uniform(VarRef(one)) for one in named)
        bare = rewrite(value, lambda n: _without_place(n, self.made))
        loads = any(isinstance(node, Index) or _is_position(node) for node in walk(bare))
        return bool(named & self.made) and plain and not loads and self.effects.is_pure(value)


def _position(statements: Sequence[Stmt], wanted: Stmt) -> int:
    return next(i for i, one in enumerate(statements) if one is wanted)


def _declarations_of(named: set[Symbol], statements: Sequence[Stmt]) -> list[Declare]:
    """The declarations of variables that are named elsewhere, and of what these are made of."""
    found: list[Declare] = []
    for one in reversed(statements):
        if isinstance(one, Declare) and named & set(declared_symbols(one)):
            found.insert(0, one)
            initials = (variable.initial for variable in one.variables)
            named = named.union(*(symbols_in(each) for each in initials if each is not None))
    return found


def _is_exact(value: Expr) -> bool:
    """Is it the same number each time that it is worked out, whatever instructions do that?"""
    match strip_parens(value):
        case VarRef() | Index() | Literal():
            return True
        case Unary(op="-" | "+" | "*", operand=operand) | Cast(operand=operand):
            return _is_exact(operand)
        case Call(name="fabs" | "fabsf", key="", arguments=(operand,)):
            return _is_exact(operand)
        case bare:
            return bare.type.kind is TypeKind.INTEGER


def _is_position(node: Node) -> bool:
    return isinstance(node, LaunchRef) and node.builtin is Builtin.THREAD_INDEX


def _placed(node: Node, places: dict[Symbol, Expr]) -> Node | None:
    return places.get(node.symbol) if isinstance(node, VarRef) else None


def _without_place(node: Node, made: set[Symbol]) -> Node | None:
    match node:
        case Index(base=VarRef(symbol=symbol)) if symbol in made:
            return VarRef(symbol)
        case _:
            return None


def _declares_only(statement: Stmt, symbol: Symbol) -> bool:
    """Does it declare the variable, without a value, and nothing else?"""
    match statement:
        case Declare(variables=(Variable(symbol=declared, initial=None),)):
            return declared is symbol
        case _:
            return False


def _is_written(node: Node, symbol: Symbol) -> bool:
    for inner in walk(node):
        if isinstance(inner, Exchange) and inner.result is symbol:
            return True
        for target in targets_of(inner):
            bare = strip_parens(target)
            if isinstance(bare, VarRef) and bare.symbol is symbol:
                return True
        if isinstance(inner, Call) and any(
            isinstance(strip_parens(one), VarRef) and symbol in symbols_in(one)
            for one in inner.arguments
        ):
            return not inner.is_cuda
    return False


def _read_from(node: Node, symbol: Symbol, total: Expr) -> Node | None:
    return total if isinstance(node, VarRef) and node.symbol is symbol else None


def _starts(statement: Stmt, base: Symbol) -> bool:
    return _initial(statement, base) is not None


def _initial(statement: Stmt, base: Symbol) -> Expr | None:
    """What a statement gives the base at first."""
    match statement:
        case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if symbol is base:
            return initial
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
            return value if symbol is base and base not in symbols_in(value) else None
        case _:
            return None


def _outside(loop: For, index: Symbol, turn: Symbol) -> tuple[Expr, Expr]:
    """A number that no iteration has, and the condition that a number is that of one."""
    condition = None if loop.condition is None else strip_parens(loop.condition)
    match condition:
        case Binary(op="<", left=VarRef(symbol=symbol), right=bound) if symbol is index:
            is_natural = Binary(">=", VarRef(turn), Literal("0", 0, INT), BOOL)
            is_less = Binary("<", VarRef(turn), bound, BOOL)
            return bound, Binary("&&", is_natural, is_less, BOOL)
        case _:
            largest = f"std::numeric_limits<{index.type.spelling}>::max()"
            nowhere = Literal(largest, None, index.type)
            return nowhere, Binary("!=", VarRef(turn), nowhere, BOOL)


def _is_start(initial: Expr, kind: str) -> bool:
    """May every thread start so, and the block as well?"""
    if kind == "add":
        bare = strip_parens(initial)
        while isinstance(bare, Cast):
            bare = strip_parens(bare.operand)
        return isinstance(bare, Literal) and _is_zero(bare)
    plain = (Literal, Unary, Paren, Cast, Binary)
    return all(isinstance(node, plain) for node in walk(initial))


def _is_zero(literal: Literal) -> bool:
    if literal.value is not None:
        return literal.value == 0
    try:
        return float(literal.text.rstrip("fFlL")) == 0
    except ValueError:
        return False


def _neutral(kind: str, place: Expr) -> Expr:
    if kind == "add":
        return Literal("0", 0, INT)
    limit = "lowest" if kind == "max" else "max"
    return Literal(f"std::numeric_limits<{place.type.spelling}>::{limit}()", None, place.type)
