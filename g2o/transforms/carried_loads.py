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

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.held_elements import FrontState, are_same, polynomial
from g2o.analysis.marching_loops import Held, Loop, March
from g2o.analysis.pointer_roots import hidden_variables
from g2o.analysis.positions import name_of
from g2o.ir.bodies import with_bodies
from g2o.ir.expressions import (
    Assign,
    Conditional,
    Expr,
    Form,
    Index,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    ExprStatement,
    For,
    If,
    LocalFunction,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind
from g2o.polyhedral.polynomial import Polynomial
from g2o.transforms.moved_places import moved_place
from g2o.transforms.register_queues import without_queues
from g2o.transforms.sunk_values import SunkValue


def with_carried_loads(kernel: Kernel, functions: FunctionTable, assume_noalias: bool) -> Kernel:
    """The kernel without registers that carry elements of arrays that nothing stores to. Arrays of
    registers are told by their elements where nothing is left of them then."""
    symbols = SymbolTable(continued=kernel.function.symbols)
    unqueued = without_queues(kernel.body, symbols)
    if unqueued is not None:
        function = replace(kernel.function, body=unqueued.body, symbols=symbols)
        made = _made(replace(kernel, function=function), functions, assume_noalias)
        if not symbols_in(made.body) & unqueued.registers:
            return made
    return _made(kernel, functions, assume_noalias)


def _made(kernel: Kernel, functions: FunctionTable, assume_noalias: bool) -> Kernel:
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
    carried = CarriedLoads(effects, symbols, _hidden(kernel.body), is_constant)
    body = carried.within(kernel.body.statements)
    if body is kernel.body.statements:
        return kernel
    made = replace(kernel.body, statements=body, form=Form.BUILT)
    return replace(kernel, function=replace(kernel.function, body=made, symbols=symbols))


def _hidden(body: Block) -> set[Symbol]:
    """The variables that may change behind other names: those that references are bound to, too,
    and that local functions name."""
    found = hidden_variables(body)
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol.type.kind is TypeKind.REFERENCE and one.initial is not None:
                        found |= symbols_in(one.initial)
            case LocalFunction():
                found |= symbols_in(node)
            case _:
                pass
    return found


@final
@dataclass(frozen=True, slots=True)
class CarriedLoads:
    """`hidden` variables may change behind other names; `is_constant` is asked of an array: does
    nothing store to it?"""

    effects: EffectsOf
    symbols: SymbolTable
    hidden: Set[Symbol]
    is_constant: Callable[[Symbol], bool]

    def within(
        self, statements: tuple[Stmt, ...], around: FrontState | None = None
    ) -> tuple[Stmt, ...]:
        """The statements without such registers, the same ones where there are none."""
        state = FrontState(self.effects, self.hidden) if around is None else around
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
                march = March.of(loop, state, self.is_constant)
                if march is not None:
                    changes = _Changes(march, self.symbols)
                    made = changes.made((*statements[:position], *statements[position + 1 :]))
                    inside |= changes.inside
            result += made
            state.pass_by(statement)
        same = len(result) == len(statements)
        if same and all(one is old for one, old in zip(result, statements, strict=True)):
            return statements
        return tuple(_without(inside, result))


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
class _Changes:
    """What becomes of a loop. `inside` are the registers that are declared in it now."""

    march: March
    symbols: SymbolTable
    inside: set[Symbol] = field(default_factory=set[Symbol])

    def made(self, beside: Sequence[Stmt]) -> list[Stmt]:
        """The loop with the registers set to elements, and what is behind it for those that the
        statements `beside` it, or others, name."""
        known = {one: held for one in self.march.sets if (held := self._told_end(one)) is not None}
        while True:
            made = {one: self._made(one, end, known, beside) for one, end in known.items()}
            if all(one is not None for one in made.values()):
                break
            known = {one: end for one, end in known.items() if made[one] is not None}
        found = {one: change for one, change in made.items() if change is not None}
        if all(change.there is None for change in found.values()):
            return [self.march.loop]
        handed = self._handed(known)
        body: list[Stmt] = []
        for position, statement in enumerate(self.march.body):
            there: tuple[Stmt, ...] = () if position in handed else (statement,)
            for register, change in found.items():
                at = self.march.sets[register][0]
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
        return [with_bodies(self.march.loop, lambda _: tuple(body)), *behind]

    def _handed(self, known: Collection[Symbol]) -> dict[int, SunkValue | None]:
        """The variables of an iteration that are set once, to what a register holds, where all that
        are `known` are set to elements: where each is set, and None where it is declared before."""
        found: dict[int, SunkValue | None] = {}
        for start, one in enumerate(self.march.body):
            match one:
                case Declare(variables=(Variable(symbol=own, suffix="") as variable,)):
                    pass
                case _:
                    continue
            sets = [
                n
                for n, each in enumerate(self.march.body)
                if own in self.march.writes(each) or n == start
            ]
            at, value = sets[-1], variable.initial
            if len(sets) > 1 and value is None:
                match self.march.body[at]:
                    case ExprStatement(expr=Assign(op="=", target=VarRef(), value=value)):
                        pass
                    case _:
                        continue
            bare = None if value is None else strip_parens(value)
            if len(sets) > 2 or not isinstance(bare, VarRef) or bare.symbol not in known:
                continue
            held = self.march.held_of(bare, at, own)
            named = [
                n
                for n, each in enumerate(self.march.body)
                if n not in sets and own in symbols_in(each)
            ]
            said = None if held is None or not named else self._said(held, named[0])
            if said is not None and named[0] > at:
                found |= {start: None, at: SunkValue(variable, said)}
        return found

    def _made(
        self, register: Symbol, end: Held, known: Mapping[Symbol, Held], beside: Sequence[Stmt]
    ) -> _Change | None:
        """What is done about a register that holds `end` when an iteration ends, where all that are
        `known` are set to elements; None where it has to stay."""
        at, value = self.march.sets[register]
        taken = {self.march.sets[one][0] for one in known} | self._handed(known).keys()
        named = [
            n
            for n, one in enumerate(self.march.body)
            if n not in taken and register in symbols_in(one)
        ]
        kept = self._is_named(register, beside)
        if self._is_in_head(register):
            return None
        begins = self.march.begins(register)
        behind = None if begins is None or not kept else self._said(begins, 0)
        if behind is not None and symbols_in(behind) & declared_in(self.march.loop):
            behind = None
        early, late = [n for n in named if n < at], [n for n in named if n > at]
        if register in self.march.state.declared and (behind is not None or not kept):
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
        self, register: Symbol, held: Held | None, named: Sequence[int], *, is_own: bool
    ) -> SunkValue | None:
        """What the statements at these positions find in a register, as a variable of an iteration:
        the register itself where it `is_own`, or another one."""
        said = None if held is None or not named else self._said(held, named[0])
        if said is None:
            return None
        variable = self.march.state.declared[register]
        if not is_own:
            wish = register.wish or register.name
            other = self.symbols.fresh(wish, register.type, Storage.LOCAL)
            variable = replace(variable, symbol=other)
        return SunkValue(variable, said)

    def _told_end(self, register: Symbol) -> Held | None:
        """What an iteration sets a register to, where it hands it on or is handed it."""
        position, value = self.march.sets[register]
        return self.march.held_of(value, position, register)

    def _said(self, held: Held, position: int) -> Expr | None:
        """What a register holds, in the variables as they are at a position."""
        moves = {
            one: (self.march.times(held, one, position), self.march.steps[one][2])
            for one in symbols_in(held.value) & self.march.steps.keys()
        }
        there: dict[Symbol, Polynomial] = {}
        for symbol, (times, amount) in moves.items():
            step = polynomial(amount, {})
            if step is None:
                return None
            there[symbol] = Polynomial.name(name_of(symbol)) + step.scaled(times)

        def replacement(node: Node) -> Node | None:
            if isinstance(node, Index):
                return replace(node, index=moved_place(node.index, moves), form=Form.BUILT)
            return None

        made = rewrite(held.value, replacement)
        return made if are_same(made, {}, held.value, there) else None

    def _is_in_head(self, register: Symbol) -> bool:
        heads: list[Node | None] = [self.march.loop.condition]
        if isinstance(self.march.loop, For):
            heads += [self.march.loop.initial, self.march.loop.increment]
        return any(register in symbols_in(one) for one in heads if one is not None)

    def _is_named(self, register: Symbol, beside: Sequence[Stmt]) -> bool:
        """Does anything but the loop name the register, other than to set it? Where it is declared
        elsewhere, something may."""
        if register not in self.march.state.declared:
            return True
        return any(
            register in symbols_in(one)
            and not (isinstance(one, Declare) and not _is_read(register, one))
            and not _is_set(register, one, self.march.effects)
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
