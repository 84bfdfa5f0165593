"""Registers that hand elements on from iteration to iteration are the elements that they hold.

    float below = x[c], here = x[c + w];            for (int k = 1; k < n; ++k) {
    for (int k = 1; k < n; ++k) {                       float below = x[c + (k - 1) * w];
        float above = x[c + (k + 1) * w];               float here = x[c + k * w];
        y[c + k * w] = f(below, here, above);    ->     float above = x[c + (k + 1) * w];
        below = here;                                   y[c + k * w] = f(below, here, above);
        here = above;                               }
    }

A device loads from far away; a CPU has caches. No iteration needs another one then: neighbours may
go through the loop together, tiles that are filled from the registers are copies of `x`
(`forward_tiles.py`), and a reverse sweep reads again what would go onto a tape.

Legal where nothing ever stores to the array; where a register is set once an iteration to what the
load, or another such register, gives; and where it begins with what the load of the iteration in
front of the first would give, unless it is set before it is read. A place may walk with the loop in
variables that every iteration steps by the same: signed ones, which do not wrap. What is read again
was read before. A register that is named behind the loop is set there, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.induction import advanced, inductions
from g2o.analysis.positions import name_of, polynomial_of
from g2o.ir.bodies import with_bodies
from g2o.ir.expressions import (
    Assign,
    Cast,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    VarRef,
    integer_value,
    is_primary,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import CType, TypeKind, unqualified
from g2o.polyhedral.polynomial import Polynomial
from g2o.transforms.moved_places import moved_place
from g2o.transforms.sunk_values import SunkValue

Statements = tuple[Stmt, ...]
Loop = For | While | DoWhile
Known = Mapping[Symbol, Polynomial]
_REGISTERS: Final = (TypeKind.FLOATING, TypeKind.INTEGER)


def with_carried_loads(kernel: Kernel, functions: FunctionTable, assume_noalias: bool) -> Kernel:
    """The kernel without registers that carry elements of arrays that nothing stores to."""
    effects = functions.for_node(kernel.body)
    whole = effects.of(kernel.body)

    def is_apart(array: Symbol, other: Symbol | None) -> bool:
        if other is None or other == array:
            return False
        if other.type.kind is TypeKind.ARRAY:
            return array not in kernel.function.parameters or other.storage is not Storage.GLOBAL
        if other not in kernel.function.parameters:
            return False
        return array.type.is_restrict or other.type.is_restrict or assume_noalias

    def is_constant(array: Symbol) -> bool:
        if array not in kernel.function.parameters or array in whole.writes or whole.side_effects:
            return False
        return all(is_apart(array, one) for one in whole.memory_writes)

    symbols = SymbolTable(continued=kernel.function.symbols)
    body = CarriedLoads(effects, symbols, is_constant).within(kernel.body.statements)
    if body is kernel.body.statements:
        return kernel
    made = replace(kernel.body, statements=body, form=Form.BUILT)
    return replace(kernel, function=replace(kernel.function, body=made, symbols=symbols))


@final
@dataclass(frozen=True, slots=True)
class CarriedLoads:
    """`is_constant` is asked of an array: does nothing store to it?"""

    effects: EffectsOf
    symbols: SymbolTable
    is_constant: Callable[[Symbol], bool]

    def within(
        self, statements: tuple[Stmt, ...], around: _State | None = None
    ) -> tuple[Stmt, ...]:
        """The statements without such registers, the same ones where there are none."""
        state = _State(self.effects) if around is None else around
        result: list[Stmt] = []
        inside: set[Symbol] = set()
        for position, statement in enumerate(statements):
            made: list[Stmt] = [statement]
            if isinstance(statement, Block | If | Loop):
                loop = isinstance(statement, Loop)
                begun = state.copy(self.effects.of(statement).writes if loop else ())
                made[0] = with_bodies(
                    statement, lambda one, own=begun: self.within(one, own.copy())
                )
            if isinstance(loop := made[0], Loop):
                march = _March.of(loop, state, self)
                beside = (*statements[:position], *statements[position + 1 :])
                made = [loop] if march is None else march.changed(beside)
                inside |= set() if march is None else march.inside
            result += made
            state.pass_by(statement)
        same = len(result) == len(statements)
        if same and all(one is old for one, old in zip(result, statements, strict=True)):
            return statements
        return tuple(_without(inside, result))


@final
@dataclass(slots=True)
class _State:
    """What is known in front of a statement: integers as polynomials, and what registers hold, with
    what was known where they were set."""

    effects: EffectsOf
    known: dict[Symbol, Polynomial] = field(default_factory=dict[Symbol, Polynomial])
    held: dict[Symbol, tuple[Expr, dict[Symbol, Polynomial]]] = field(
        default_factory=dict[Symbol, tuple[Expr, dict[Symbol, Polynomial]]]
    )
    declared: dict[Symbol, Variable] = field(default_factory=dict[Symbol, Variable])
    changes: int = 0

    def copy(self, without: Iterable[Symbol] = ()) -> _State:
        """The same in front of a statement that is inside of another, `without` what is known of
        these variables. What is declared around is not to be declared inside."""
        made = _State(self.effects, dict(self.known), dict(self.held), changes=self.changes)
        made.forget(without)
        return made

    def polynomial(self, expr: Expr) -> Polynomial | None:
        return _polynomial(expr, self.known)

    def forget(self, changed: Iterable[Symbol]) -> None:
        changed = set(changed)
        for symbol in changed:
            self.changes += 1
            self.known[symbol] = Polynomial.name(f"{name_of(symbol)}'{self.changes}")
            self.held.pop(symbol, None)
        for register, (value, _) in list(self.held.items()):
            named = symbols_in(value.condition) if isinstance(value, Conditional) else set[Symbol]()
            if any(one in named or not _counts(one) for one in symbols_in(value) & changed):
                del self.held[register]

    def pass_by(self, statement: Stmt) -> None:
        """Go on behind a statement."""
        match statement:
            case Declare(variables=variables):
                for one in variables:
                    self.declared[one.symbol] = one
                    if one.initial is not None and not one.suffix:
                        self._set(one.symbol, one.initial)
                return
            case ExprStatement(expr=Assign(op="=")):
                targets, value = _chain(statement.expr)
                if self.effects.is_pure(value) and all(targets):
                    for symbol in reversed(targets):
                        if symbol is not None:
                            self._set(symbol, value)
                    return
            case ExprStatement(expr=expr):
                step = advanced(expr)
                amount = None if step is None else self.polynomial(step[1].amount)
                if step is not None and amount is not None and _counts(step[0]):
                    before = self.known.get(step[0], Polynomial.name(name_of(step[0])))
                    behind = {"+": before + amount, "-": before - amount}.get(step[1].op)
                    self.forget((step[0],))
                    if behind is not None:
                        self.known[step[0]] = behind
                    return
            case _:
                pass
        self.forget(self.effects.of(statement).writes)

    def _set(self, symbol: Symbol, value: Expr) -> None:
        bare = strip_parens(value)
        found = self.polynomial(value) if _counts(symbol) else None
        held = self.held.get(bare.symbol) if isinstance(bare, VarRef) else None
        if held is None and isinstance(bare, Index | Conditional):
            held = bare, dict(self.known)
        self.forget((symbol,))
        if found is not None:
            self.known[symbol] = found
        if held is not None and _same_type(held[0].type, symbol.type):
            self.held[symbol] = held


@final
@dataclass(frozen=True, slots=True)
class _Held:
    """What a register holds: `value`, as it is at a position in the body, some iterations back."""

    value: Expr
    position: int
    back: int = 0


@final
@dataclass(frozen=True, slots=True)
class _Change:
    """What stands where a register was set, None for the same as before, and `behind` the loop; and
    the values that it, or another one in its place, has in an iteration at `first`, and from where
    it was set on."""

    there: tuple[Stmt, ...] | None = ()
    behind: tuple[Stmt, ...] = ()
    first: SunkValue | None = None
    then: SunkValue | None = None
    inside: bool = False

    @property
    def values(self) -> tuple[SunkValue, ...]:
        return tuple(one for one in (self.first, self.then) if one is not None)


@final
@dataclass(slots=True)
class _March:
    """A loop that sets registers: `steps` of variables that walk with it, each where it stands and
    how much it adds, and `sets` where, and to what, each register is set. `inside` are those that
    are declared in the loop now."""

    loop: Loop
    body: tuple[Stmt, ...]
    state: _State
    carried: CarriedLoads
    steps: dict[Symbol, tuple[int, int, Expr]]
    sets: dict[Symbol, tuple[int, Expr]]
    waiting: set[Symbol] = field(default_factory=set[Symbol])
    inside: set[Symbol] = field(default_factory=set[Symbol])

    @staticmethod
    def of(loop: Loop, state: _State, carried: CarriedLoads) -> _March | None:
        """None where no register is carried, or iterations may end early."""
        if any(isinstance(node, Jump | Return) for node in walk(loop.body)):
            return None
        if isinstance(loop, For) and loop.shared is not None:
            return None
        body, effects = statements_of(loop.body), carried.effects
        own = declared_in(loop)
        sets: dict[Symbol, tuple[int, Expr]] = {}
        for position, statement in enumerate(body):
            match statement:
                case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
                    plain = symbol.storage is Storage.LOCAL and symbol.type.kind in _REGISTERS
                    if plain and symbol not in own and effects.is_pure(value):
                        sets[symbol] = position, strip_parens(value)
                case _:
                    pass
        rest = [one for n, one in enumerate(body) if all(n != at for at, _ in sets.values())]
        heads = [] if loop.condition is None else [effects.of(loop.condition)]
        if isinstance(loop, For) and loop.increment is not None:
            heads.append(effects.of(loop.increment))
        for written in (*map(effects.of, rest), *heads):
            for symbol in written.writes & sets.keys():
                del sets[symbol]
        if not sets:
            return None
        begun = state.copy()
        if isinstance(loop, For) and loop.initial is not None:
            begun.pass_by(loop.initial)
        steps: dict[Symbol, tuple[int, int, Expr]] = {}
        for symbol, step in inductions(loop, effects).items():
            if step.op not in "+-" or not _counts(symbol):
                continue
            at = [n for n, one in enumerate(body) if symbol in effects.of(one).writes]
            steps[symbol] = at[0] if at else len(body), 1 if step.op == "+" else -1, step.amount
        begun.declared = state.declared
        return _March(loop, body, begun, carried, steps, sets)

    # -- what registers hold -----------------------------------------------------------------------

    def _at(self, symbol: Symbol, position: int) -> _Held | None:
        """What a variable holds at a position of an iteration."""
        if symbol in self.sets:
            at, value = self.sets[symbol]
            return self._of(value, at, symbol) if at < position else self._begins(symbol)
        for at, one in enumerate(self.body[:position]):
            match one:
                case Declare(variables=(variable,)) if variable.symbol == symbol:
                    behind = self.body[at + 1 :]
                    if any(symbol in self.carried.effects.of(each).writes for each in behind):
                        return None
                    initial = variable.initial
                    if initial is None or variable.suffix:
                        return None
                    return self._of(strip_parens(initial), at, symbol)
                case _:
                    pass
        return None

    def _of(self, value: Expr | None, position: int, register: Symbol) -> _Held | None:
        """What a register is set to at a position."""
        if value is None or not _same_type(value.type, register.type):
            return None
        match value:
            case VarRef(symbol=symbol):
                return self._at(symbol, position)
            case Index() | Conditional():
                told = self._told(value, position)
                return _Held(told, position) if self._stays(told) else None
            case _:
                return None

    def _begins(self, register: Symbol) -> _Held | None:
        """What a register holds when an iteration begins, which is what the one in front has set it
        to; that has to be so for the first one, too."""
        if register in self.waiting:
            return None
        self.waiting.add(register)
        position, value = self.sets[register]
        held = self._of(value, position, register)
        self.waiting.discard(register)
        if held is None or register not in self.state.held:
            return None
        held = replace(held, back=held.back + 1)
        first, known = self.state.held[register]
        there = {**self.state.known}
        for symbol in symbols_in(held.value) & self.steps.keys():
            amount = _polynomial(self.steps[symbol][2], self.state.known)
            before = there.get(symbol, Polynomial.name(name_of(symbol)))
            if amount is None:
                return None
            there[symbol] = before + amount.scaled(self._times(held, symbol, -1))
        return held if _are_same(held.value, there, strip_parens(first), known) else None

    def _times(self, held: _Held, symbol: Symbol, position: int) -> int:
        """How many steps further on a variable was where a register was set to what it holds, than
        it is at a position."""
        at, sign, _ = self.steps[symbol]
        return sign * (int(held.position > at) - int(position > at) - held.back)

    def _told(self, value: Expr, position: int) -> Expr:
        """A value with what the iteration declares, once, put in."""
        declared: dict[Symbol, tuple[int, Expr]] = {}
        for at, one in enumerate(self.body[:position]):
            for variable in one.variables if isinstance(one, Declare) else ():
                changed = any(variable.symbol in self._writes(each) for each in self.body[at + 1 :])
                if variable.initial is not None and _counts(variable.symbol) and not changed:
                    declared[variable.symbol] = at, variable.initial

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, VarRef) or node.symbol not in declared:
                return None
            at, initial = declared[node.symbol]
            walking = [self.steps[one][0] for one in symbols_in(initial) & self.steps.keys()]
            if any((at > step) != (position > step) for step in walking):
                return None  # a step lies between
            new = rewrite(initial, replacement)
            return new if is_primary(new) else Paren(new, new.type)

        return rewrite(value, replacement)

    def _writes(self, statement: Stmt) -> set[Symbol]:
        return self.carried.effects.of(statement).writes

    def _stays(self, value: Expr) -> bool:
        """Is it an element of an array that nothing stores to, or a number, whichever is chosen,
        and is its place found from what walks and what does not change?"""
        match value:
            case Index(base=VarRef(symbol=array), index=index):
                effects = self.carried.effects.of(index)
                plain = effects.is_pure and not effects.memory_reads
                fixed = symbols_in(value) - self.steps.keys()
                return (
                    plain
                    and array.type.kind in (TypeKind.POINTER, TypeKind.ARRAY)
                    and not value.type.is_volatile
                    and not fixed & self._changing()
                    and _polynomial(index, {}) is not None
                    and self.carried.is_constant(array)
                )
            case Conditional(condition=condition, if_true=then, if_false=otherwise):
                effects = self.carried.effects.of(condition)
                plain = effects.is_pure and not effects.memory_reads
                parts = [strip_parens(then), strip_parens(otherwise)]
                loaded = [one for one in parts if isinstance(one, Index)]
                return (
                    plain
                    and not symbols_in(condition) & self._changing()
                    and all(isinstance(one, Index | Literal) for one in parts)
                    and len(loaded) == 1
                    and self._stays(loaded[0])
                )
            case _:
                return False

    def _changing(self) -> set[Symbol]:
        return self.carried.effects.of(self.loop).writes | declared_in(self.loop)

    # -- the loop without them ---------------------------------------------------------------------

    def changed(self, beside: Sequence[Stmt]) -> list[Stmt]:
        """The loop with the registers set to elements, and what is behind it for those that the
        statements `beside` it, or others, name."""
        known = {one: held for one in self.sets if (held := self._told_end(one)) is not None}
        while True:
            made = {one: self._made(one, end, known, beside) for one, end in known.items()}
            if all(one is not None for one in made.values()):
                break
            known = {one: end for one, end in known.items() if made[one] is not None}
        found = {one: change for one, change in made.items() if change is not None}
        if all(change.there is None for change in found.values()):
            return [self.loop]
        handed = self._handed(known)
        body: list[Stmt] = []
        for position, statement in enumerate(self.body):
            there: tuple[Stmt, ...] = () if position in handed else (statement,)
            for register, change in found.items():
                at = self.sets[register][0]
                if position == at and change.there is not None:
                    there = change.there
                value = change.first if position < at else change.then
                own = register if value is None else value.variable.symbol
                if own != register:
                    there = tuple(rename_symbols(one, {register: own}) for one in there)
            body += there
        values = [value for change in found.values() for value in change.values]
        for value in (*handed.values(), *values):
            body = body if value is None else value.put_into(body)
        self.inside |= {one for one, change in found.items() if change.inside}
        behind = [statement for change in found.values() for statement in change.behind]
        return [with_bodies(self.loop, lambda _: tuple(body)), *behind]

    def _handed(self, known: Collection[Symbol]) -> dict[int, SunkValue | None]:
        """The variables of an iteration that are set once, to what a register holds, where all that
        are `known` are set to elements: where each is set, and None where it is declared before."""
        found: dict[int, SunkValue | None] = {}
        for start, one in enumerate(self.body):
            match one:
                case Declare(variables=(Variable(symbol=own, suffix="") as variable,)):
                    pass
                case _:
                    continue
            sets = [
                n for n, each in enumerate(self.body) if own in self._writes(each) or n == start
            ]
            at, value = sets[-1], variable.initial
            if len(sets) > 1 and value is None:
                match self.body[at]:
                    case ExprStatement(expr=Assign(op="=", target=VarRef(), value=value)):
                        pass
                    case _:
                        continue
            bare = None if value is None else strip_parens(value)
            if len(sets) > 2 or not isinstance(bare, VarRef) or bare.symbol not in known:
                continue
            held = self._of(bare, at, own)
            named = [
                n for n, each in enumerate(self.body) if n not in sets and own in symbols_in(each)
            ]
            said = None if held is None or not named else self._said(held, named[0])
            if said is not None and named[0] > at:
                found |= {start: None, at: SunkValue(variable, said)}
        return found

    def _made(
        self, register: Symbol, end: _Held, known: Mapping[Symbol, _Held], beside: Sequence[Stmt]
    ) -> _Change | None:
        """What is done about a register that holds `end` when an iteration ends, where all that are
        `known` are set to elements; None where it has to stay."""
        at, value = self.sets[register]
        taken = {self.sets[one][0] for one in known} | self._handed(known).keys()
        named = [
            n for n, one in enumerate(self.body) if n not in taken and register in symbols_in(one)
        ]
        kept = self._is_named(register, beside)
        if self._is_in_head(register):
            return None
        begins = self._begins(register)
        behind = None if begins is None or not kept else self._said(begins, 0)
        if behind is not None and symbols_in(behind) & declared_in(self.loop):
            behind = None
        early, late = [n for n in named if n < at], [n for n in named if n > at]
        if register in self.state.declared and (behind is not None or not kept):
            own = not kept
            first = self._value(register, begins, early, is_own=own and not late)
            then = self._value(register, end, late, is_own=own)
            if (early and first is None) or (late and then is None):
                return None
            left = () if behind is None else (_set(register, behind),)
            return _Change((), left, first, then, own)
        if early:
            return None
        if isinstance(value, Index | Conditional):
            return _Change(there=None)
        said = self._said(end, at)
        return None if said is None else _Change(there=(_set(register, said),))

    def _value(
        self, register: Symbol, held: _Held | None, named: Sequence[int], *, is_own: bool
    ) -> SunkValue | None:
        """What the statements at these positions find in a register, as a variable of an iteration:
        the register itself where it `is_own`, or another one."""
        said = None if held is None or not named else self._said(held, named[0])
        if said is None:
            return None
        variable = self.state.declared[register]
        if not is_own:
            wish = register.wish or register.name
            other = self.carried.symbols.fresh(wish, register.type, Storage.LOCAL)
            variable = replace(variable, symbol=other)
        return SunkValue(variable, said)

    def _told_end(self, register: Symbol) -> _Held | None:
        """What an iteration sets a register to, where it hands it on or is handed it."""
        position, value = self.sets[register]
        return self._of(value, position, register)

    def _said(self, held: _Held, position: int) -> Expr | None:
        """What a register holds, in the variables as they are at a position."""
        moves = {
            one: (self._times(held, one, position), self.steps[one][2])
            for one in symbols_in(held.value) & self.steps.keys()
        }
        there: dict[Symbol, Polynomial] = {}
        for symbol, (times, amount) in moves.items():
            step = _polynomial(amount, {})
            if step is None:
                return None
            there[symbol] = Polynomial.name(name_of(symbol)) + step.scaled(times)

        def replacement(node: Node) -> Node | None:
            if isinstance(node, Index):
                return replace(node, index=moved_place(node.index, moves), form=Form.BUILT)
            return None

        made = rewrite(held.value, replacement)
        return made if _are_same(made, {}, held.value, there) else None

    def _is_in_head(self, register: Symbol) -> bool:
        heads: list[Node | None] = [self.loop.condition]
        if isinstance(self.loop, For):
            heads += [self.loop.initial, self.loop.increment]
        return any(register in symbols_in(one) for one in heads if one is not None)

    def _is_named(self, register: Symbol, beside: Sequence[Stmt]) -> bool:
        """Does anything but the loop name the register, other than to set it? Where it is declared
        elsewhere, something may."""
        if register not in self.state.declared:
            return True
        return any(
            register in symbols_in(one)
            and not (isinstance(one, Declare) and not _is_read(register, one))
            and not _is_set(register, one, self.carried.effects)
            for one in beside
        )


def _set(register: Symbol, value: Expr) -> Stmt:
    return ExprStatement(Assign("=", VarRef(register), value, register.type))


def _is_read(register: Symbol, declaration: Declare) -> bool:
    initials = [one.initial for one in declaration.variables if one.initial is not None]
    return any(register in symbols_in(one) for one in initials)


def _is_set(register: Symbol, statement: Stmt, effects: EffectsOf) -> bool:
    """Does a statement set the register, and nothing else?"""
    match statement:
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
            return symbol == register and effects.is_pure(value) and symbol not in symbols_in(value)
        case _:
            return False


def _without(registers: set[Symbol], statements: Sequence[Stmt]) -> list[Stmt]:
    """The statements without what declares and sets these registers."""
    result: list[Stmt] = []
    for one in statements:
        match one:
            case Declare(variables=variables) if any(v.symbol in registers for v in variables):
                left = tuple(v for v in variables if v.symbol not in registers)
                result += [replace(one, variables=left, form=Form.BUILT)] if left else []
            case ExprStatement(expr=Assign(target=VarRef(symbol=symbol))) if symbol in registers:
                pass
            case _:
                result.append(one)
    return result


def _chain(expr: Expr) -> tuple[list[Symbol | None], Expr]:
    """The variables that `a = b = value` sets, None for other targets, and the value."""
    targets: list[Symbol | None] = []
    while isinstance(expr, Assign) and expr.op == "=":
        target = strip_parens(expr.target)
        targets.append(target.symbol if isinstance(target, VarRef) else None)
        expr = strip_parens(expr.value)
    return targets, expr


def _counts(symbol: Symbol) -> bool:
    """Does it hold integers that do not wrap around?"""
    own = symbol.type
    return own.kind is TypeKind.INTEGER and own.is_signed and own.bits >= 32 and not own.is_volatile


def _same_type(one: CType, other: CType) -> bool:
    return unqualified(one) == unqualified(other)


def _polynomial(expr: Expr, known: Known) -> Polynomial | None:
    """A number of signed integers; None for others."""
    values = {
        symbol: known.get(symbol, Polynomial.name(name_of(symbol)))
        for symbol in symbols_in(expr)
        if _counts(symbol)
    }
    if len(values) != len(symbols_in(expr)) or any(map(_narrows, walk(expr))):
        return None
    found = integer_value(expr)
    return polynomial_of(expr, values) if found is None else Polynomial.constant(found)


def _narrows(node: Node) -> bool:
    return isinstance(node, Cast) and node.operand.type.bits > node.type.bits


def _are_same(one: Expr, known: Known, other: Expr, of_other: Known) -> bool:
    """Are the two the same element, chosen in the same way, the one where the first is known of
    variables, the other where the second is?"""
    match one, other:
        case Index(), Index():
            place, second = _polynomial(one.index, known), _polynomial(other.index, of_other)
            same = strip_parens(one.base) == strip_parens(other.base)
            return same and place is not None and place == second
        case Conditional(), Conditional():
            return (
                strip_parens(one.condition) == strip_parens(other.condition)
                and _are_same(
                    strip_parens(one.if_true), known, strip_parens(other.if_true), of_other
                )
                and _are_same(
                    strip_parens(one.if_false), known, strip_parens(other.if_false), of_other
                )
            )
        case Literal(), Literal():
            return one == other
        case _:
            return False
