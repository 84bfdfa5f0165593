"""Values of the primal in the reverse sweep: still there, computed again, or recorded.

    t = x[i] * 2;  y[i] = t * t;         x is never written: t can be computed again
    v = v * v;                           v is overwritten: `const float old_v = v;` comes first
    for (...) v = sinf(v);               ... and in a loop its values go onto a tape

Of an expression whose parts are gone, as little as possible is recorded: of `x + y` with both
overwritten the sum alone (the smallest cut between what is gone and the value).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Final, final

from g2o.ad.made_again import made_again
from g2o.ad.places import Definition, Place, Places
from g2o.ad.recorder import Recorder
from g2o.ad.records import guarded, is_plain, spelled_type, wish
from g2o.ad.scopes import Braces, Point
from g2o.analysis.effects import EffectsOf, root_symbol
from g2o.analysis.functions import FunctionTable
from g2o.analysis.pure_functions import PURE_FUNCTIONS
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Remote,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import Declare, DoWhile, ExprStatement, For, Node, Variable, While
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, walk, with_children
from g2o.ir.types import TypeKind, unqualified

_LVALUES: Final = (VarRef, Index, Member)
_ARITHMETIC: Final = (VarRef, LaunchRef, Literal, Binary, Paren, Cast)
_COMPUTED: Final = (*_ARITHMETIC, Unary)
_INDIRECT: Final = (TypeKind.POINTER, TypeKind.REFERENCE)


@final
@dataclass(slots=True)
class Values:
    """Finds, for a point of the reverse sweep, expressions with the values that the primal had."""

    places: Places
    effects: EffectsOf
    functions: FunctionTable
    symbols: SymbolTable
    braces_of: dict[Symbol, Braces] = field(default_factory=dict[Symbol, Braces])
    recorder: Recorder = field(init=False)
    keeps_names: bool = True  # may a variable that is declared again have its name?
    made_again: set[Symbol] = field(default_factory=set[Symbol])  # of several statements
    hiding: frozenset[Symbol] = frozenset()  # those that hide variables of the same name

    def __post_init__(self) -> None:
        self.recorder = Recorder(self.places, self.symbols)

    def value(self, expr: Expr, point: Point) -> Expr:
        """`expr` as it was at the point. Records what is gone by then."""
        known = point.known(expr)
        if known is not None:
            return known
        found = self._stored(expr, point) or self.attempt(expr, point.place, point.braces)
        if found is not None:
            return found
        if isinstance(expr, Index) and (again := self._loaded_again(expr, point)) is not None:
            return again
        gone = self._gone(expr, point)
        if isinstance(expr, _LVALUES) or _is_dereference(expr) or len(gone) != 1:
            return self.record(expr, point)
        if value_type(expr).kind is TypeKind.BOOL and point.known(gone[0]) is None:
            return self.record(expr, point)  # smaller than the number that it was found from
        parts = _operands(expr)
        whole = not parts or isinstance(expr, (Assign, Verbatim, Remote))
        if whole or not self.effects.of(expr).is_pure:
            return self.record(expr, point)
        if isinstance(expr, Call):
            callee, *arguments = parts
            new = [self.value(one, point) for one in arguments]
            return with_children(expr, (callee, *new))
        new: list[Expr] = []
        for one, guard in zip(parts, _guards_of(expr), strict=False):
            point.guards += [] if guard is None else [guard]
            new.append(self.value(one, point))
            if guard is not None:
                point.guards.pop()
        return with_children(expr, tuple(new))

    def _loaded_again(self, expr: Index, point: Point) -> Expr | None:
        """The element, loaded with an index that has been kept; the shadow needs that, too."""
        root, index = root_symbol(expr), strip_parens(expr.index)
        if root is None or not isinstance(index, VarRef):
            return None
        if not self._still_holds(root, point.place):
            return None
        base = self.lvalue(expr.base, point.place, point.braces)
        return None if base is None else with_children(expr, (base, self.value(index, point)))

    def _still_holds(self, root: Symbol, place: Place) -> bool:
        """Has the array, or what the pointer points to, what it had at `place`?"""
        if root.storage is Storage.LOCAL:
            is_array = root.type.kind is TypeKind.ARRAY
            return is_array and self._variable_root(root, place) is not None
        kept = self.places.keeps_memory
        return root.type.is_indirect and kept(self.places.origins.resolve(root), place)

    def _gone(self, expr: Expr, point: Point) -> list[Expr]:
        """The outermost lvalues in the expression whose values are gone, each once."""
        if self.attempt(expr, point.place, point.braces) is not None:
            return []
        if isinstance(expr, _LVALUES) or _is_dereference(expr):
            return [expr]
        found: list[Expr] = []
        parts = _operands(expr)
        for child in parts[1:] if isinstance(expr, Call) else parts:
            found.extend(one for one in self._gone(child, point) if one not in found)
        return found or [expr]

    # -- what is still there --------------------------------------------------------------------

    def _stored(self, expr: Expr, point: Point) -> Expr | None:
        """Where the statement itself has put the value, if that is still there: `y = a / b` has
        the quotient that the derivative needs. Legal where nothing is stored there behind it, and
        the place keeps all digits."""
        if point.stored is None:
            return None
        value, target = point.stored
        once = point.braces.joint and not point.place.loops
        if not once and not isinstance(target, Index):
            return None
        inner = strip_parens(expr)
        if not isinstance(inner, (Binary, Call)) or inner != strip_parens(value):
            return None
        kept, given = value_type(target), value_type(inner)
        if (kept.kind, kept.bits) != (given.kind, given.bits) or kept.is_volatile:
            return None
        if not self.effects.of(target).is_pure or not self.effects.of(value).is_pure:
            return None
        behind = replace(point.place, number=point.place.number + 1)
        return self.attempt(target, behind, point.braces)

    def attempt(self, expr: Expr, place: Place, braces: Braces) -> Expr | None:
        """`expr` in terms of what the reverse sweep still has, or None."""
        match expr:
            case Literal() | LaunchRef():
                return expr
            case VarRef(symbol=symbol):
                return self._variable(expr, symbol, place, braces)
            case Index() | Member() | Unary(op="*"):
                return self._loaded(expr, place, braces)
            case Unary(op="&"):
                return self._parts(expr, place, braces)
            case Verbatim(key=str() as key, pure=True) if key:
                found = self._parts(expr, place, braces)  # an object made from these values alone
                return None if found is None else _with_same_text(expr, found)
            case Assign() | Verbatim() | Remote() | Unary(op="++" | "--"):
                return None
            case Call():
                effects = self.effects.of(expr)
                if not effects.is_pure or None in effects.memory_reads:
                    return None
                roots = {
                    root
                    for symbol in effects.memory_reads
                    for root in ({None} if symbol is None else self.places.origins.resolve(symbol))
                }
                if not self.places.keeps_memory(roots, place):
                    return None
                return self._parts(expr, place, braces)
            case _:
                return self._parts(expr, place, braces)

    def _parts(self, expr: Expr, place: Place, braces: Braces) -> Expr | None:
        new: list[Expr] = []
        parts = _operands(expr)
        for position, child in enumerate(parts):
            is_callee = isinstance(expr, Call) and position == 0
            found = child if is_callee else self.attempt(child, place, braces)
            if found is None:
                return None
            new.append(found)
        if all(one is old for one, old in zip(new, parts, strict=True)):
            return expr
        return with_children(expr, tuple(new))

    def _loaded(self, expr: Expr, place: Place, braces: Braces) -> Expr | None:
        root = root_symbol(expr)
        if root is None:
            return None
        if root.storage is Storage.LOCAL and root.type.kind not in _INDIRECT:
            there = self._variable_root(root, place) is not None or self._is_element(expr, place)
            if not self._is_last(root, place):
                return None
            if braces.renewed_name(root) is None and not there:
                if not self._renew(root, place, braces):
                    return None
        elif expr.type.kind is TypeKind.ARRAY:
            pass  # where a row lies, whatever it holds
        elif not self._keeps(expr, self.places.origins.resolve(root), place):
            return None
        return self.lvalue(expr, place, braces)

    def _keeps(self, expr: Expr, roots: Collection[Symbol | None], place: Place) -> bool:
        if self.places.keeps_memory(roots, place):
            return True
        if not isinstance(expr, Index):
            return False
        stored = self.places.keeps_stored(expr, roots, place)
        return stored or self.places.keeps_place(expr, roots, place)

    def _is_element(self, expr: Expr, place: Place) -> bool:
        """Is it the element of a turn, which later turns leave alone?"""
        match expr:
            case Index(base=VarRef(symbol=array), index=VarRef(symbol=counter)):
                home = self.braces_of.get(array)
                if home is None or not home.joint:
                    return False
                return self.places.keeps_element(array, counter, place)
            case _:
                return False

    def _variable_root(self, root: Symbol, place: Place) -> Symbol | None:
        home = self.braces_of.get(root)
        if home is None or not home.joint or not self.places.keeps_variable(root, place):
            return None
        return root if self.places.keeps_memory({root}, place) else None

    def lvalue(self, expr: Expr, place: Place, braces: Braces) -> Expr | None:
        """The same place in memory, whatever it holds by now."""
        match expr:
            case VarRef(symbol=symbol):
                if symbol.type.kind in _INDIRECT or symbol.storage is not Storage.LOCAL:
                    return self._variable(expr, symbol, place, braces)
                renewed = braces.renewed_name(symbol)
                return renewed if renewed is not None else expr
            case Index(base=base, index=index):
                found, position = (
                    self.lvalue(base, place, braces),
                    self.attempt(index, place, braces),
                )
                if found is None or position is None:
                    return None
                same = found is base and position is index
                return expr if same else with_children(expr, (found, position))
            case Member(base=base):
                found = self.lvalue(base, place, braces)
                if found is None:
                    return None
                return expr if found is base else with_children(expr, (found,))
            case _:
                return self._parts(expr, place, braces)

    def _variable(self, expr: Expr, symbol: Symbol, place: Place, braces: Braces) -> Expr | None:
        renewed = braces.renewed_name(symbol)
        if renewed is not None and not self._is_last(symbol, place):
            return None
        if renewed is not None:
            return VarRef(renewed.symbol) if isinstance(renewed, VarRef) else renewed
        if symbol.storage is not Storage.LOCAL:
            if symbol.storage in (Storage.SHARED, Storage.GLOBAL) and not symbol.type.is_indirect:
                return expr if self.places.keeps_memory({symbol}, place) else None
            return expr if self.places.keeps_variable(symbol, place) else None
        home = self.braces_of.get(symbol)
        if home is None:
            return None
        if home.joint:
            if self._keeps_itself(symbol, place):
                return expr
            declared = self._as_declared(symbol, place, home)
            return self._kept_around(symbol, place, braces) if declared is None else declared
        if self._renew(symbol, place, braces):
            return braces.renewed_name(symbol)
        return self._kept_around(symbol, place, braces)

    def _kept_around(self, symbol: Symbol, place: Place, braces: Braces) -> Expr | None:
        """A number that changes, but not in a loop around the place: kept once, in front of the
        outermost such loop."""
        definition = self.places.definitions.get(symbol)
        if definition is None or not is_plain(symbol.type) or symbol in self.places.addressed:
            return None
        found: tuple[Braces, Point] | None = None
        for one in braces.around():
            if one.keeps_nothing or one.keeps_last:
                return None
            if one.entered is None:
                continue
            inside = (definition.place, *self.places.writes.get(symbol, ()))
            if one.loop not in place.loops or any(one.loop in each.loops for each in inside):
                break
            found = one, one.entered
        if found is None:
            return None
        loop, point = found
        loop.renewed[symbol] = self.value(VarRef(symbol), point)
        return loop.renewed[symbol]

    def _keeps_itself(self, symbol: Symbol, place: Place) -> bool:
        """Has the variable of a thread the value that it had at `place`? What a pointer leads to
        may change meanwhile; the pointer itself changes by other ways than its name only where
        somebody has its address."""
        if not self.places.keeps_variable(symbol, place):
            return False
        if symbol.type.kind is TypeKind.POINTER and symbol not in self.places.addressed:
            return True
        return self.places.keeps_memory({symbol}, place)

    # -- what is computed again -----------------------------------------------------------------

    def _as_declared(self, symbol: Symbol, place: Place, home: Braces) -> Expr | None:
        """A whole number that is changed behind the place only, from the value that it was
        declared with."""
        definition = self.places.definitions.get(symbol)
        if definition is None or place.loops or symbol.type.kind is not TypeKind.INTEGER:
            return None
        initial = definition.variable.initial
        if initial is None or not self.places.changes_only_behind(symbol, place):
            return None
        if any(not isinstance(node, _ARITHMETIC) for node in walk(initial)):
            return None
        again = self.attempt(initial, definition.place, home)
        if again is None:
            return None
        given = value_type(initial)
        same = (given.kind, given.bits, given.is_signed) == (
            symbol.type.kind,
            symbol.type.bits,
            symbol.type.is_signed,
        )
        plain = replace(symbol.type, spelling=unqualified(symbol.type), is_const=False)
        return Paren(again, plain) if same else Cast(again, plain)

    def _is_last(self, symbol: Symbol, place: Place) -> bool:
        """Has a variable that is made again, if it is, the value that it had at a place?"""
        home = self.braces_of.get(symbol)
        made = home is not None and symbol in home.final
        return not made or self.places.keeps_variable(symbol, place)

    def _stands(self, root: Symbol | None) -> bool:
        """Can the reverse sweep refer to what lies in `root`? Where braces renew a variable, its
        name there is one of its values, which a reference must not be bound to."""
        if root is None or root.storage is not Storage.LOCAL or root.type.kind in _INDIRECT:
            return True
        home = self.braces_of.get(root)
        return home is not None and home.joint

    def _renew(self, symbol: Symbol, place: Place, braces: Braces) -> bool:
        """Declare a variable of a loop or condition again in the reverse sweep."""
        home = self.braces_of.get(symbol)
        definition = self.places.definitions.get(symbol)
        if home is None or home.joint or definition is None:
            return False
        if not self._is_around(home, braces):
            return False
        if not self.places.is_single(symbol):
            return made_again(symbol, place, home, self)
        if symbol.type.kind not in _INDIRECT and not self.places.keeps_memory(
            {symbol}, definition.place
        ):
            return False
        initial = definition.variable.initial
        assert initial is not None
        if symbol.type.kind is TypeKind.REFERENCE and not self._stands(root_symbol(initial)):
            return False
        again = None
        if not self.is_expensive(initial):
            again = self.attempt(initial, definition.place, home)
        if symbol in home.renewed:
            return True
        if again is None and not self.is_expensive(initial):
            again = self._from_one_record(initial, definition, home)
        if again is None:
            return self._tape_definition(symbol, definition, home)
        new = self.renamed(symbol)
        home.renewed[symbol] = VarRef(new)
        variable = replace(definition.variable, symbol=new, initial=again)
        unchanged = again is initial and new.name == symbol.name
        form = definition.statement.form if unchanged else Form.BUILT
        span = definition.statement.span if unchanged else None
        home.again.append(Declare((variable,), span=span, form=form))
        return True

    def _is_around(self, home: Braces, braces: Braces) -> bool:
        current: Braces | None = braces
        while current is not None:
            if current is home:
                return True
            current = current.parent
        return False

    def renamed(self, symbol: Symbol) -> Symbol:
        """The variable as the reverse sweep declares it again."""
        if self.keeps_names and symbol not in self.hiding:
            return self.symbols.declare(symbol.name, symbol.type, symbol.storage)
        return self.symbols.fresh(symbol.name, symbol.type, symbol.storage)

    def is_expensive(self, expr: Node) -> bool:
        """Calls of functions with loops are not worth doing twice."""
        for node in walk(expr):
            if isinstance(node, Call) and node.key:
                function = self.functions.body(node.key)
                if function is None and node.name in PURE_FUNCTIONS:
                    continue
                if function is None:
                    return True
                if any(isinstance(inner, (For, While, DoWhile)) for inner in walk(function.body)):
                    return True
        return False

    # -- what is recorded -----------------------------------------------------------------------

    def record(self, expr: Expr, point: Point) -> Expr:
        """Keep the value that `expr` has in front of the statement of the point."""
        known = point.known(expr)
        if known is not None:
            return known
        if not self.effects.of(expr).is_pure:
            raise refuse(
                "G2O0403", "value with side effects that the reverse sweep needs", expr.span
            )
        return self.once(expr, point)

    def once(self, expr: Expr, point: Point) -> Expr:
        """Keep the value that `expr`, evaluated once in front of the statement, has there."""
        ctype, spelled = spelled_type(expr)
        shown, expr = expr, guarded(expr, point.guards)
        stores = point.stores(expr)
        kept = self.symbols.fresh(f"old_{wish(expr)}", ctype, Storage.LOCAL)
        if point.braces.joint:
            variable = Variable(kept, f"const {spelled}", "", expr, "=")
            stores.append(Declare((variable,)))
            self.recorder.note(kept, ctype, shown, is_tape=False)
        elif (not point.place.loops or point.braces.keeps_last) and is_plain(ctype):
            self.recorder.held(kept, expr, stores, point.braces)
        else:
            pop = self.recorder.taped(expr, spelled, stores, point.braces)
            point.first.append(Declare((Variable(kept, f"const {spelled}", "", pop, "="),)))
        found = VarRef(kept)
        point.recorded[shown, () if expr is shown else tuple(point.guards)] = found
        return found

    def _from_one_record(self, initial: Expr, definition: Definition, home: Braces) -> Expr | None:
        """What a variable is declared with, from the one variable in it whose value is gone: that
        is recorded in its place, for others may ask for it, too."""
        if home.keeps_nothing or not definition.place.loops:
            return None
        if any(not isinstance(node, _COMPUTED) for node in walk(initial)):
            return None
        gone = self._gone(initial, Point(definition.place, home))
        if len(gone) != 1 or not isinstance(gone[0], VarRef):
            return None
        symbol = gone[0].symbol
        own, made = symbol.type, definition.variable.symbol.type
        if symbol.storage is not Storage.LOCAL or own.bits > made.bits or not is_plain(own):
            return None
        spelled = unqualified(own)
        plain = replace(own, spelling=spelled, is_const=False)
        kept = self.symbols.fresh(f"old_{symbol.name}", plain, Storage.LOCAL)
        self.braces_of[kept], home.renewed[kept] = home, VarRef(kept)
        again = self.attempt(rename_symbols(initial, {symbol: kept}), definition.place, home)
        if again is None:
            return None
        behind = home.behind.setdefault(id(definition.statement), [])
        pop = self.recorder.taped(VarRef(symbol), spelled, behind, home)
        home.again.append(Declare((Variable(kept, f"const {spelled}", "", pop, "="),)))
        return again

    def _tape_definition(self, symbol: Symbol, definition: Definition, home: Braces) -> bool:
        if symbol.type.kind in _INDIRECT or symbol.type.kind is TypeKind.ARRAY:
            return False
        if home.keeps_nothing:
            return False
        spelled = unqualified(symbol.type)
        copy = self._copy_of(symbol, home)
        if copy is not None:
            new = self.renamed(symbol)
            home.renewed[symbol] = VarRef(new)
            home.again.append(Declare((Variable(new, f"const {spelled}", "", copy, "="),)))
            return True
        behind = home.behind.setdefault(id(definition.statement), [])
        if not definition.place.loops and is_plain(symbol.type):
            plain = replace(symbol.type, spelling=spelled, is_const=False)
            kept = self.symbols.fresh(f"old_{symbol.name}", plain, Storage.LOCAL)
            self.recorder.held(kept, VarRef(symbol), behind, home)
            home.renewed[symbol] = VarRef(kept)
            return True
        pop = self.recorder.taped(VarRef(symbol), spelled, behind, home)
        new = self.renamed(symbol)
        home.renewed[symbol] = VarRef(new)
        home.again.append(Declare((Variable(new, f"const {spelled}", "", pop, "="),)))
        return True

    def _copy_of(self, symbol: Symbol, home: Braces) -> Expr | None:
        """An element of memory that a variable of one value is stored in, if it is still there."""
        if not self.places.is_single(symbol):
            return None
        for one in home.statements:
            match one:
                case ExprStatement(expr=Assign(op="=", target=Index() as target, value=value)):
                    stored, kept = strip_parens(value), value_type(target)
                case _:
                    continue
            same = (kept.kind, kept.bits) == (symbol.type.kind, symbol.type.bits)
            if stored != VarRef(symbol) or not same or kept.is_volatile:
                continue
            place = self.places.place(one)
            found = self.attempt(target, replace(place, number=place.number + 1), home)
            if found is not None:
                return found
        return None


def _with_same_text(old: Expr, new: Expr) -> Expr | None:
    """`new`, which is `old` with other variables, if they have the names of those before them."""
    before = [one.symbol for one in walk(old) if isinstance(one, VarRef)]
    after = [one.symbol for one in walk(new) if isinstance(one, VarRef)]
    if [one.name for one in before] != [one.name for one in after]:
        return None
    renamed = rename_symbols(old, dict(zip(before, after, strict=True)))
    return renamed if renamed == new else None


def _operands(expr: Expr) -> tuple[Expr, ...]:
    """The children of an expression, which are expressions."""
    return tuple(child for child in children(expr) if isinstance(child, Expr))


def _guards_of(expr: Expr) -> Iterable[Expr | None]:
    """Under which condition each operand is evaluated; None for always."""
    match expr:
        case Conditional(condition=condition):
            return None, condition, Unary("!", Paren(condition), type=condition.type)
        case Binary(op="&&", left=left):
            return None, left
        case Binary(op="||", left=left):
            return None, Unary("!", Paren(left), type=left.type)
        case _:
            return repeat(None)


def _is_dereference(expr: Expr) -> bool:
    return isinstance(expr, Unary) and expr.op == "*"
