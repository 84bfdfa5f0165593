"""Loops in which a thread waits for what other threads write.

    while (((volatile int *)flag)[b] == 0);              waits
    while (atomicAdd(&count, 0) < gridDim.x);            waits
    while (atomicCAS(lock, 0, 1) != 0);                  waits, to take a lock
    do old = atomicCAS(x, seen = old, f(seen)); while (old != seen);      goes on by itself

Such a loop ends when memory says so, and nothing that an iteration does for certain brings the end
nearer: it counts nothing, moves no pointer and changes none of the memory that it looks at. What it
does only once memory has said so does not count, as in `if (status[p] != 0) --p`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, final

from g2o.analysis.effects import (
    EffectsOf,
    goes_through_pointer,
    is_memory,
    root_symbol,
    symbols_in,
)
from g2o.analysis.iteration_paths import IterationPaths, Loop
from g2o.analysis.jumps import always_leaves
from g2o.analysis.liveness import Liveness, Targets
from g2o.analysis.pure_functions import READING_FUNCTIONS
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Index,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Scope,
    Stmt,
    Switch,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind

_NEUTRAL: Final = {
    **dict.fromkeys(("atomicAdd", "atomicSub", "atomicOr", "atomicXor", "atomicMax"), (0,)),
    "atomicAnd": (-1, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF),
}
"""The operands with which an atomic operation only reads."""
_FETCHING_AGAIN: Final = ("__ldcv", "ThreadLoad")


@final
@dataclass(frozen=True, slots=True)
class Look:
    """Memory that a loop looks at. `watched`: volatile, or by an atomic operation; `takes`: one
    that leaves a value of its own there, as a lock is taken."""

    place: Expr
    root: Symbol | None
    watched: bool
    takes: Call | None = None


@final
@dataclass(frozen=True, slots=True)
class Spin:
    loop: Loop
    looks: tuple[Look, ...]


def spins_in(
    body: Node, effects: EffectsOf, origin: Callable[[Symbol], Symbol | None]
) -> Iterator[Spin]:
    """The loops of `body` that wait, in the order of the source. `origin` gives the array, or the
    pointer from outside, that a pointer comes from."""
    for node in walk(body):
        if isinstance(node, (For, While, DoWhile)):
            looks = _Iteration(node, effects, origin).waited_for()
            if looks:
                yield Spin(node, looks)


def is_atomic(node: Node) -> bool:
    return isinstance(node, Call) and node.is_cuda and node.name.startswith("atomic")


def is_volatile(place: Expr) -> bool:
    """Is it volatile memory, or reached through a pointer to such?"""
    while True:
        ctype = place.type
        if ctype.is_volatile or (ctype.element is not None and ctype.innermost.is_volatile):
            return True
        if ctype.is_indirect and ctype.element is not None and ctype.element.is_volatile:
            return True
        match place:
            case Index(base=inner) | Member(base=inner) | Paren(inner=inner):
                place = inner
            case Cast(operand=inner) | Unary(op="*" | "&", operand=inner) | Binary(left=inner):
                place = inner
            case _:
                return False


def only_reads(call: Call) -> bool:
    """Does the atomic operation leave what it finds?"""
    stem = call.name.partition("_")[0]
    given = call.arguments[1:]
    if stem == "atomicCAS" and len(given) > 1:
        return strip_parens(given[0]) == strip_parens(given[1])
    return bool(given) and integer_value(given[0]) in _NEUTRAL.get(stem, ())


_Controls = tuple[Expr, ...]


@final
@dataclass(frozen=True, slots=True)
class _Definition:
    sources: tuple[Expr, ...]
    controls: _Controls
    by: Node


@final
@dataclass(frozen=True, slots=True)
class _Write:
    root: Symbol | None
    controls: _Controls
    by: Expr


@final
@dataclass(slots=True)
class _Iteration:
    """What one iteration of a loop may do, and under which conditions."""

    loop: Loop
    effects: EffectsOf
    origin: Callable[[Symbol], Symbol | None]
    definitions: dict[Symbol, list[_Definition]] = field(
        default_factory=dict[Symbol, "list[_Definition]"]
    )
    writes: list[_Write] = field(default_factory=list["_Write"])
    exits: list[_Controls] = field(default_factory=list[_Controls])
    behind: _Controls = ()  # what decides whether the rest of the iteration is skipped
    opaque: bool = False

    def waited_for(self) -> tuple[Look, ...]:
        """The memory that tells a loop that waits to go on; nothing for other loops."""
        loop = self.loop
        if always_leaves(loop.body) or (
            isinstance(loop, DoWhile) and integer_value(loop.condition) == 0
        ):
            return ()
        asked = () if loop.condition is None else (loop.condition,)
        for expr in _heads(loop):
            self._expression(expr, ())
        self._statement(loop.body, (), outermost=True)
        if self.opaque or () in self.exits:
            return ()
        deciding = [*asked, *(one for controls in self.exits for one in controls)]
        while True:
            symbols, looks = self._closure(deciding)
            steps = self._steps(symbols, looks)
            further = [one for step in steps for one in step.controls if one not in deciding]
            if not further:
                break
            deciding += further
        if any(not any(map(self._is_told, step.controls)) for step in steps):
            return ()
        paths = IterationPaths(loop, frozenset(id(step.by) for step in steps), self._is_told)
        watched = self._for_others(looks)
        if not watched:
            return () if self.writes or steps else tuple(looks)
        together = any(isinstance(node, Barrier) for node in walk(loop.body))
        if together and steps and all(_is_shared(look.root) for look in watched):
            return ()
        return watched if paths.may_stay() else ()

    # -- what brings the end nearer ---------------------------------------------------------------

    def _steps(self, symbols: set[Symbol], looks: list[Look]) -> list[_Definition | _Write]:
        """Everything that changes what the end depends on from one iteration to the next."""
        kept = self._kept()
        found: list[_Definition | _Write] = [
            one
            for symbol in sorted(symbols & kept, key=lambda one: one.id)
            for one in self.definitions.get(symbol, ())
            if symbol in self._closure(one.sources)[0]
        ]
        roots = {look.root for look in looks}
        for one in self.writes:
            takes = isinstance(one.by, Call) and is_atomic(one.by) and self._takes(one.by)
            if (one.root is None or one.root in roots) and not takes:
                found.append(one)
        return found

    def _kept(self) -> set[Symbol]:
        """Variables whose values an iteration finds and may have been left by the one before."""
        kept = set(Liveness().before(self.loop.body, frozenset(), Targets()))
        for head in _heads(self.loop):
            for node in walk(head):
                if isinstance(node, Assign) or (isinstance(node, Unary) and node.is_update):
                    kept |= symbols_in(node)
        return kept

    def _is_told(self, condition: Expr) -> bool:
        """Does memory decide it that others may write?"""
        return any(look.watched for look in self._closure([condition])[1])

    def _for_others(self, looks: list[Look]) -> tuple[Look, ...]:
        """The looks at what others change. Where the loop itself changes what it has seen there,
        and it fails, another thread has gone on."""
        changed = {
            one.root
            for one in self.writes
            if isinstance(one.by, Call) and is_atomic(one.by) and not self._takes(one.by)
        }
        return tuple(look for look in looks if look.watched and look.root not in changed)

    def _root(self, place: Expr) -> Symbol | None:
        root = root_symbol(place)
        return None if root is None else self.origin(root)

    # -- what values depend on ---------------------------------------------------------------------

    def _closure(self, exprs: Iterable[Expr]) -> tuple[set[Symbol], list[Look]]:
        """The variables and the memory that the values depend on within an iteration."""
        symbols: set[Symbol] = set()
        looks: list[Look] = []
        pending = list(exprs)
        seen: set[int] = set()
        while pending:
            expr = pending.pop(0)
            if id(expr) in seen:
                continue
            seen.add(id(expr))
            named: set[Symbol] = set()
            self._parts(expr, named, looks)
            for symbol in sorted(named - symbols, key=lambda one: one.id):
                symbols.add(symbol)
                for one in self.definitions.get(symbol, ()):
                    pending += [*one.sources, *one.controls]
        return symbols, looks

    def _parts(self, expr: Expr, symbols: set[Symbol], looks: list[Look]) -> None:
        match expr:
            case VarRef(symbol=symbol):
                if self._is_variable(symbol):
                    symbols.add(symbol)
                else:
                    looks.append(Look(expr, symbol, is_volatile(expr)))
            case Assign(op=op, target=target, value=value):
                if op != "=":
                    self._parts(target, symbols, looks)
                self._parts(value, symbols, looks)
            case Unary(op="&", operand=operand):
                self._address(operand, symbols, looks)
            case Index() | Member() | Unary(op="*"):
                root = root_symbol(expr)
                if root is None or goes_through_pointer(expr) or is_memory(root):
                    looks.append(Look(expr, self._root(expr), is_volatile(expr)))
                self._address(expr, symbols, looks)
            case Call():
                self._call(expr, symbols, looks)
            case _:
                for child in children(expr):
                    if not isinstance(child, Stmt):
                        self._parts(child, symbols, looks)

    def _address(self, place: Expr, symbols: set[Symbol], looks: list[Look]) -> None:
        """What it depends on which place is meant."""
        match place:
            case Index(base=base, index=index):
                self._parts(index, symbols, looks)
                self._address(base, symbols, looks)
            case Member(base=inner) | Paren(inner=inner) | Cast(operand=inner):
                self._address(inner, symbols, looks)
            case Unary(op="*" | "&", operand=operand):
                self._address(operand, symbols, looks)
            case VarRef(symbol=symbol):
                symbols.add(symbol)
            case _:
                self._parts(place, symbols, looks)

    def _call(self, call: Call, symbols: set[Symbol], looks: list[Look]) -> None:
        arguments = call.arguments
        if arguments and (is_atomic(call) or call.name in READING_FUNCTIONS):
            takes = call if is_atomic(call) and self._takes(call) else None
            watched = is_atomic(call) or call.name in _FETCHING_AGAIN
            looks.append(Look(arguments[0], self._root(arguments[0]), watched, takes))
            self._address(arguments[0], symbols, looks)
            arguments = arguments[1:]
        elif self.effects.of_called(call).memory_reads:
            looks.append(Look(call, None, False))
        for part in (call.callee, *arguments):
            self._parts(part, symbols, looks)

    def _is_variable(self, symbol: Symbol) -> bool:
        """Does what is assigned say what its value is? A shared variable that the loop sets is
        how the threads of a block tell each other."""
        if symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED):
            return symbol in self.definitions and symbol.type.kind is not TypeKind.ARRAY
        return not is_memory(symbol)

    def _takes(self, call: Call) -> bool:
        """Does it leave a value there that does not depend on what was found? Where one expects
        what it has read before, another thread has gone on if it fails."""
        stem = call.name.partition("_")[0]
        if stem not in ("atomicCAS", "atomicExch") or only_reads(call):
            return False
        symbols: set[Symbol] = set()
        looks: list[Look] = []
        self._parts(call.arguments[1], symbols, looks)
        return not looks and not symbols & self.definitions.keys()

    # -- what happens in an iteration --------------------------------------------------------------

    def _statement(self, node: Stmt, controls: _Controls, outermost: bool = False) -> None:
        match node:
            case Block(statements=statements):
                for statement in statements:
                    self._statement(statement, controls, outermost)
            case If(condition=condition, then=then, otherwise=otherwise):
                self._expression(condition, controls)
                for branch in (then, otherwise):
                    if branch is not None:
                        self._statement(branch, (*controls, condition), outermost)
            case For() | While() | DoWhile():
                self._inner_loop(node, controls)
            case Switch(condition=condition, body=body):
                self._expression(condition, controls)
                self._statement(body, (*controls, condition))
            case Labelled(body=body):
                self._statement(body, controls, outermost)
            case Return() | Jump(kind=JumpKind.GOTO):
                self.exits.append((*controls, *self.behind))
            case Jump(kind=JumpKind.BREAK) if outermost:
                self.exits.append((*controls, *self.behind))
            case Jump():
                self.behind = tuple(dict.fromkeys((*self.behind, *controls)))
            case Declare(variables=variables):
                for one in variables:
                    if one.initial is not None:
                        self._expression(one.initial, controls)
                        self._define(one.symbol, (one.initial,), controls, node)
            case Exchange(result=result, operands=operands):
                self._define(result, operands, controls, node)
            case Barrier(scope=scope):
                self.opaque = self.opaque or scope is Scope.GRID
            case ExprStatement(expr=expr):
                self._expression(expr, controls)
            case _:
                for child in children(node):
                    if isinstance(child, Stmt):
                        self._statement(child, controls)
                    else:
                        self._expression(child, controls)

    def _inner_loop(self, loop: Loop, controls: _Controls) -> None:
        if isinstance(loop, For) and loop.initial is not None:
            self._statement(loop.initial, controls)
        asked = () if loop.condition is None else (loop.condition,)
        inner = (*controls, *asked)
        for expr in _heads(loop):
            self._expression(expr, inner)
        self._statement(loop.body, inner)

    def _expression(self, expr: Expr, controls: _Controls) -> None:
        for node in walk(expr):
            match node:
                case Assign(op=op, target=target, value=value):
                    sources = (value,) if op == "=" else (value, target)
                    self._stored(target, sources, controls, node)
                case Unary(op="++" | "--", operand=operand):
                    self._stored(operand, (operand,), controls, node)
                case Call() if is_atomic(node) and node.arguments:
                    if not only_reads(node):
                        self._wrote(root_symbol(node.arguments[0]), controls, node)
                case Call():
                    found = self.effects.of_called(node)
                    for root in found.memory_writes:
                        self._wrote(root, controls, node)
                    for symbol in found.writes:
                        self._define(symbol, (VarRef(symbol), *node.arguments), controls, node)
                case Verbatim(pure=False):
                    self.opaque = True
                case _:
                    pass

    def _stored(
        self, target: Expr, sources: tuple[Expr, ...], controls: _Controls, by: Expr
    ) -> None:
        place = strip_parens(target)
        root = root_symbol(place)
        shared = isinstance(place, VarRef) and place.symbol.storage is Storage.SHARED
        if root is None or goes_through_pointer(place) or (is_memory(root) and not shared):
            self._wrote(root, controls, by)
        else:
            whole = isinstance(place, VarRef) or _is_of_union(place)
            kept = sources if whole else (VarRef(root), *sources)
            self._define(root, kept, controls, by)

    def _define(
        self, symbol: Symbol, sources: tuple[Expr, ...], controls: _Controls, by: Node
    ) -> None:
        under = (*controls, *self.behind)
        self.definitions.setdefault(symbol, []).append(_Definition(sources, under, by))

    def _wrote(self, root: Symbol | None, controls: _Controls, by: Expr) -> None:
        root = None if root is None else self.origin(root)
        self.writes.append(_Write(root, (*controls, *self.behind), by))


def _heads(loop: Loop) -> tuple[Expr, ...]:
    """The condition of the loop, and its increment."""
    heads = (loop.condition, loop.increment if isinstance(loop, For) else None)
    return tuple(head for head in heads if head is not None)


def _is_of_union(place: Expr) -> bool:
    """A member of a union, through which all others are written."""
    base = place.base.type if isinstance(place, Member) else None
    return base is not None and base.kind is TypeKind.RECORD and not base.fields


def _is_shared(root: Symbol | None) -> bool:
    return root is not None and root.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
