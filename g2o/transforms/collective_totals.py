"""Values of a group of threads, combined in memory of the block as they come up.

A total is a variable of the block, or an element for each of its warps. The first thread of the
group gives it its first value, all add to it by atomics, and read it behind a barrier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.contribution_values import Combined, is_infinity
from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.lvalues import root_symbol
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
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Node,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import INT, UNSIGNED, CType, TypeKind, unqualified
from g2o.transforms.collective_extremes import Elements, is_position
from g2o.transforms.collective_fragments import Fragment, declared_symbols, read_places
from g2o.transforms.collective_groups import Group
from g2o.transforms.collective_updates import Updates, combined, is_zero

_SAID: Final = {"add": "sum", "max": "max", "min": "min"}


@final
@dataclass(frozen=True, slots=True)
class _Gathered:
    """Statements that combine values in a total; `is_element`: it is an extreme, by its place."""

    statements: tuple[Stmt, ...]
    is_element: bool


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
    own: set[Symbol] = field(default_factory=set[Symbol])  # variables that g2o has made
    bases: set[Symbol] = field(default_factory=set[Symbol])  # that become totals
    front: list[Stmt] = field(default_factory=list[Stmt])  # what gives totals their first values

    def all_replaced(
        self, statements: tuple[Stmt, ...], found: Sequence[Fragment], nested: bool
    ) -> tuple[Stmt, ...]:
        """The statements with totals in place of all fragments, from the last one on. Totals add
        statements in front of a fragment: its own are found again by what they are."""
        wholes = (w for one in found for w in (*one.results.values(), *one.elements.values()))
        self.bases = {one.base for one in wholes}
        ends = [(statements[one.first], statements[one.last]) for one in found]
        staying: list[tuple[Stmt, Fragment]] = []
        for fragment, (first, last) in zip(reversed(found), reversed(ends), strict=True):
            if not fragment.changes:
                staying.append((first, fragment))
                continue
            begin, end = _position(statements, first), _position(statements, last)
            if fragment.by_halves:
                statements = self._exchanged(statements, fragment, begin, end, nested)
                continue
            if fragment.scan is not None:
                statements = self._scanned(statements, fragment, begin, end, nested)
                continue
            if not self._may_be_taken_back(statements, fragment, begin, end, nested):
                staying.append((first, fragment))
                continue
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

    def _may_be_taken_back(
        self,
        statements: tuple[Stmt, ...],
        fragment: Fragment,
        begin: int,
        end: int,
        nested: bool,
    ) -> bool:
        """Are extremes that have derivatives elements that are looked for? The winners of others
        are only found where the whole block waits, outside of loops."""
        if not self.differentiated or (self.group.scope is Scope.BLOCK and not nested):
            return True
        before, after = statements[:begin], statements[end + 1 :]
        for whole in (*fragment.results.values(), *fragment.elements.values()):
            if whole.operator == "add" or whole.base.type.kind is not TypeKind.FLOATING:
                continue
            total = self._named(whole.base, whole.operator)
            found = self._gathered(before, after, fragment, whole, total, nested)
            if found is None or not found.is_element:
                return False
        return True

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
                Block(rest.statements[:own]), array, place, self._total(whole.base, totals)
            )
            rest = Block((*read.statements, *rest.statements[own:]))
        values = {
            symbol: self._total(whole.base, totals) for symbol, whole in fragment.results.items()
        }
        return self._with_values(statements, fragment, (begin, end), (made, rest), values, nested)

    def _exchanged(
        self, statements: tuple[Stmt, ...], fragment: Fragment, begin: int, end: int, nested: bool
    ) -> tuple[Stmt, ...]:
        """The statements with a sum of all lanes, in the same order, in place of those from `begin`
        to `end`."""
        made: list[Stmt] = list(statements[:begin])
        sums: dict[Symbol, Symbol] = {}
        for symbol, whole in fragment.results.items():
            base = whole.base
            if base in sums:
                continue
            named = symbol if base in self.own or base.name == "value" else base
            wish = named.wish or named.name
            plain = replace(base.type, spelling=unqualified(base.type), is_const=False)
            said = _SAID[whole.operator]
            wish = wish if wish.endswith(said) else f"{wish}_{said}"
            total = self.symbols.fresh(wish, plain, Storage.LOCAL)
            sums[base] = total
            made.append(Declare((Variable(total, f"{plain.spelling} "),)))
            reduction = f"reduce_{whole.operator}"
            made.append(Exchange(reduction, total, (VarRef(base),), Scope.WARP))
        values: dict[Symbol, Expr] = {
            symbol: VarRef(sums[whole.base]) for symbol, whole in fragment.results.items()
        }
        parts = made, Block(statements[end + 1 :])
        return self._with_values(statements, fragment, (begin, end), parts, values, nested)

    def _scanned(
        self, statements: tuple[Stmt, ...], fragment: Fragment, begin: int, end: int, nested: bool
    ) -> tuple[Stmt, ...]:
        """The statements with one loop over the values in place of those from `begin` to `end`."""
        assert fragment.scan is not None
        base = fragment.scan.prefix.base
        value: Expr = VarRef(base)
        left, rest = statements[:begin], statements[end + 1 :]
        initial = _initial(left[-1], base) if left and isinstance(left[-1], Declare) else None
        others = Block((*left[:-1], *rest))
        if (
            initial is not None
            and not nested
            and (base in fragment.scan.variables or base not in symbols_in(others))
            and base not in written_after_declaration(others, self.effects)
        ):
            value, left = initial, left[:-1]
        scanned = fragment.scan.statements(value, self.group, self.symbols)
        row, inside = fragment.scan.row, statements[begin : end + 1]
        array = [] if row is None else _declarations_of({row.array}, inside)
        parts = [*left, *array, *scanned.statements], Block(rest)
        return self._with_values(statements, fragment, (begin, end), parts, scanned.values, nested)

    def _with_values(
        self,
        statements: tuple[Stmt, ...],
        fragment: Fragment,
        place: tuple[int, int],
        parts: tuple[list[Stmt], Block],
        values: Mapping[Symbol, Expr],
        nested: bool,
    ) -> tuple[Stmt, ...]:
        """What is in front and what is behind, with variables of the fragment between that get
        their values from memory of the block; those of its numbers stay what they are."""
        (begin, end), (made, rest) = place, parts
        before, inside = statements[:begin], statements[begin : end + 1]
        numbers = {
            symbol: Literal(str(number), number, INT) for symbol, number in fragment.numbers.items()
        }
        named = symbols_in(Block((*before, *rest.statements))) - set(values) - set(numbers)
        named -= {symbol for symbol in named if _is_declared(symbol, made)}
        made += _declarations_of(named, inside)
        for symbol, value in (*values.items(), *numbers.items()):
            declares = symbol in fragment.declared or (
                _is_declared(symbol, before) and not _is_declared(symbol, made)
            )
            only = [one for one in made if _declares_only(one, symbol)]
            if only and not any(symbol in symbols_in(one) for one in made if one is not only[0]):
                made.remove(only[0])
                declares = True
            written = written_after_declaration(rest, self.effects)
            until = _first_write(rest.statements, symbol, self.effects)
            own = not nested or symbol in fragment.kept_inside
            if own and not symbols_in(value) & written and not _reads(rest, symbol, until):
                read = rewrite(
                    Block(rest.statements[:until]),
                    lambda n, s=symbol, v=value: _read_from(n, s, v),
                )
                rest = Block((*read.statements, *rest.statements[until:]))
                if declares and symbol in symbols_in(rest):
                    spelled = unqualified(symbol.type) + " "
                    made.append(Declare((Variable(symbol, spelled),)))
            elif declares:
                spelled = unqualified(symbol.type) + " "
                made.append(Declare((Variable(symbol, spelled, "", value, "="),)))
            else:
                made.append(ExprStatement(Assign("=", VarRef(symbol), value, value.type)))
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
        total = self._named(base, kind)
        gathered = self._gathered(before, after, fragment, whole, total, nested)
        if gathered is not None:
            found = gathered.statements
        else:
            wish, said = base.wish or base.name, _SAID[kind]
            wish = wish if wish.endswith(said) else f"{wish}_{said}"
            total = self.group.variable(wish, _wrapping(base, kind), self.symbols, own=False)
            started = self.group.started(
                total, whole.start or _neutral(kind, self.group.place(total)), nested, ()
            )
            self.front.extend(started)
            before, value = self._last_value(before, after, fragment, base)
            found = (*before, combined(kind, self.group.place(total), value))
        self.made.add(total)
        return total, found

    def _named(self, base: Symbol, kind: str) -> Symbol:
        """A total that is called as the values are."""
        name, own = base.wish or base.name, not base.wish
        return self.group.variable(name, _wrapping(base, kind), self.symbols, own=own)

    def _total(self, base: Symbol, totals: Mapping[Symbol, Symbol]) -> Expr:
        """The total as a value of the type that the values have."""
        place = self.group.place(totals[base])
        if place.type.is_signed == base.type.is_signed:
            return place
        return Cast(place, replace(base.type, spelling=unqualified(base.type), is_const=False))

    def _last_value(
        self, before: tuple[Stmt, ...], after: tuple[Stmt, ...], fragment: Fragment, base: Symbol
    ) -> tuple[tuple[Stmt, ...], Expr]:
        """What the base has in the end, and what is left in front of that: where g2o has given a
        value a name for this alone, the value."""
        if base not in self.own or base in symbols_in(Block(after)) or base in fragment.results:
            return before, VarRef(base)
        for at, one in reversed(tuple(enumerate(before))):
            initial = _initial(one, base)
            if initial is not None:
                return (*before[:at], *before[at + 1 :]), initial
            if base in symbols_in(one) or not (self._declares(one) or self._combines(one)):
                break  # what it changes may be what the value is made of
        return before, VarRef(base)

    def _declares(self, statement: Stmt) -> bool:
        found = self.effects.of(statement)
        plain = not found.memory_writes and not found.side_effects
        return isinstance(statement, Declare) and plain

    def _combines(self, statement: Stmt) -> bool:
        """Does it combine a value with a total, and nothing else?"""
        match statement:
            case If(condition=condition, then=then, otherwise=None):
                return self.effects.is_pure(condition) and all(
                    map(self._combines, statements_of(then))
                )
            case ExprStatement(
                expr=Call(name=name, arguments=(Unary(op="&", operand=place), value))
            ) if name.startswith("atomic"):
                return root_symbol(place) in self.made and self.effects.is_pure(value)
            case _:
                return False

    def _read_elements(
        self, rest: Block, array: Symbol, place: tuple[int, ...], total: Expr
    ) -> Block:
        """What is behind, with the total in place of an element that has it."""

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, (Index, VarRef)) or read_places(node, array) != [place]:
                return None
            return total

        return rewrite(rest, replacement)

    def _gathered(
        self,
        before: tuple[Stmt, ...],
        after: tuple[Stmt, ...],
        fragment: Fragment,
        whole: Combined,
        total: Symbol,
        nested: bool,
    ) -> _Gathered | None:
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
        if whole.start is not None and not _is_number(whole.start, initial):
            return None
        selects = self.differentiated and kind != "add" and not nested
        met = total
        if selects and base.type.kind is TypeKind.FLOATING:
            met = self.group.variable("extreme", base.type, self.symbols, own=False)
        update = Updates(base, self.group.place(met), kind)
        rest = before[begin + 1 :]
        if kind == "add":
            rest = _with_one_addition(rest, base)
        added = tuple(rewrite(one, update) for one in rest)
        if any(base in symbols_in(one) for one in added):
            return None
        if met is not total:
            elements = Elements(self.group, self.effects, self.is_uniform, self.symbols)
            found = elements.selected(added, met, total, initial)
            if found is None:
                added = tuple(rename_symbols(one, {met: total}) for one in added)
                met = total
            else:
                added = found
        started = self.group.started(met, initial, nested, (first,))
        front = begin if nested else self._front(before, begin)
        row = (*before[:front], *started, *before[front:begin], *added)
        return _Gathered(row, met is not total)

    def _front(self, before: tuple[Stmt, ...], begin: int) -> int:
        """Where the group starts with its total: in front of what threads keep for themselves."""
        written = written_after_declaration(Block(before[begin:]), self.effects)
        front = begin
        while front and isinstance(before[front - 1], Declare):
            front -= 1
        kept = {symbol for one in before[front:begin] for symbol in declared_symbols(one)}
        return front if kept & written - self.bases else begin

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
                    yield from self.group.started(new, value, False, (statement,))
                case _:
                    yield statement

    def _is_common(self, symbol: Symbol, value: Expr, statements: tuple[Stmt, ...]) -> bool:
        if symbol.type.kind is not TypeKind.FLOATING or symbol.storage is not Storage.LOCAL:
            return False
        if symbol in written_after_declaration(Block(statements), self.effects):
            return False
        named = symbols_in(value)
        plain = all(one in self.made or self.is_uniform(VarRef(one)) for one in named)
        bare = rewrite(value, lambda n: _without_place(n, self.made))
        loads = any(isinstance(node, Index) or is_position(node) for node in walk(bare))
        return bool(named & self.made) and plain and not loads and self.effects.is_pure(value)


def _wrapping(base: Symbol, kind: str) -> CType:
    """The type to add values up in. Whole numbers have no sign there: in another order they may
    pass what their type holds on the way, which must wrap around."""
    ctype = base.type
    if kind != "add" or ctype.kind is not TypeKind.INTEGER or ctype.bits < UNSIGNED.bits:
        return ctype
    if not ctype.is_signed:
        return ctype
    if ctype.bits == UNSIGNED.bits:
        return UNSIGNED
    spelling = "unsigned long" if unqualified(ctype) == "long" else "unsigned long long"
    return CType(spelling, TypeKind.INTEGER, ctype.bits, is_signed=False)


def _position(statements: Sequence[Stmt], wanted: Stmt) -> int:
    return next(i for i, one in enumerate(statements) if one is wanted)


def _is_declared(symbol: Symbol, statements: Sequence[Stmt]) -> bool:
    return any(symbol in declared_symbols(one) for one in statements)


def _declarations_of(named: set[Symbol], statements: Sequence[Stmt]) -> list[Declare]:
    """The declarations of variables that are named elsewhere, and of what these are made of."""
    found: list[Declare] = []
    for one in reversed(statements):
        if isinstance(one, Declare) and named & set(declared_symbols(one)):
            found.insert(0, one)
            initials = (variable.initial for variable in one.variables)
            named = named.union(*(symbols_in(each) for each in initials if each is not None))
    return found


def _placed(node: Node, places: dict[Symbol, Expr]) -> Node | None:
    return places.get(node.symbol) if isinstance(node, VarRef) else None


def _without_place(node: Node, made: set[Symbol]) -> Node | None:
    match node:
        case Index(base=VarRef(symbol=symbol)) if symbol in made:
            return VarRef(symbol)
        case _:
            return None


def _first_write(statements: Sequence[Stmt], symbol: Symbol, effects: EffectsOf) -> int:
    """Where the first of the statements is that gives the variable another value."""
    writes = (i for i, one in enumerate(statements) if symbol in effects.of(one).writes)
    return next(writes, len(statements))


def _reads(block: Block, symbol: Symbol, begin: int) -> bool:
    """May the statements from `begin` on read the variable before they give it another value?"""
    return bool(_reads_first(block.statements[begin:], symbol))


def _reads_first(statements: Sequence[Stmt], symbol: Symbol) -> bool | None:
    """Is the variable read by the statements before they give it another value? False where it is
    not, None where it may keep the value that it has."""
    for statement in statements:
        if symbol not in symbols_in(statement):
            continue
        match statement:
            case Block(statements=inner):
                found = _reads_first(inner, symbol)
            case If(condition=condition) if symbol not in symbols_in(condition):
                found = None
                if _reads_first(statements_of(statement.then), symbol):
                    return True
                if statement.otherwise is not None and _reads_first(
                    statements_of(statement.otherwise), symbol
                ):
                    return True
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=value)) if (
                target is symbol and symbol not in symbols_in(value)
            ):
                found = False
            case _:
                return True
        if found is not None:
            return found
    return None


def _declares_only(statement: Stmt, symbol: Symbol) -> bool:
    """Does it declare the variable, without a value, and nothing else?"""
    match statement:
        case Declare(variables=(Variable(symbol=declared, initial=None),)):
            return declared is symbol
        case _:
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


def _is_start(initial: Expr, kind: str) -> bool:
    """May every thread start so, and the block as well?"""
    if kind == "add":
        return is_zero(initial)
    plain = (Literal, Unary, Paren, Cast, Binary)
    return all(
        isinstance(node, plain) or (isinstance(node, Call) and is_infinity(node))
        for node in walk(initial)
    )


def _with_one_addition(statements: tuple[Stmt, ...], base: Symbol) -> tuple[Stmt, ...]:
    """The statements, behind a zero, with `base += x` for the one `base = x` that there is."""
    named = [n for one in statements for n in walk(one) if isinstance(n, VarRef)]
    if sum(one.symbol is base for one in named) != 1:
        return statements

    def added(node: Node) -> Node | None:
        match node:
            case For() | While() | DoWhile():
                return node
            case Assign(op="=", target=VarRef(symbol=symbol)) if symbol is base:
                return replace(node, op="+=", form=Form.BUILT)
            case _:
                return None

    return tuple(rewrite(one, added) for one in statements)


def _is_number(start: Expr, initial: Expr) -> bool:
    """Is the first value of a variable that number?"""
    known = integer_value(initial)
    if known is not None:
        return integer_value(start) == known
    return _spelled(start) == _spelled(initial)


def _spelled(expr: Expr) -> str | None:
    match strip_parens(expr):
        case Literal(text=text):
            return text
        case Unary(op="-", operand=operand):
            inner = _spelled(operand)
            return None if inner is None else f"-{inner}"
        case _:
            return None


def _neutral(kind: str, place: Expr) -> Expr:
    if kind == "add":
        return Literal("0", 0, INT)
    limits = f"std::numeric_limits<{place.type.spelling}>"
    if place.type.kind is TypeKind.FLOATING:
        infinity = Literal(f"{limits}::infinity()", None, place.type)
        return infinity if kind == "min" else Unary("-", infinity, type=place.type)
    limit = "lowest" if kind == "max" else "max"
    return Literal(f"{limits}::{limit}()", None, place.type)
