"""Walks a kernel and collects its accesses, and the graph of its barriers.

    s[t] = x[i];                 segment 0: write s at t, read x at i
    __syncthreads();             barrier
    if (t > 0) y[i] = s[t - 1];  segment 1, under t > 0: read s at t - 1, write y at i

Control flow that contains a barrier becomes part of the graph: all threads of the block take it
together. What contains none stays inside its segment; loops there count with a name of their own.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, final

from g2o.analysis.access_values import AccessValues
from g2o.analysis.accesses import (
    Access,
    AccessKind,
    BarrierSite,
    Edge,
    FlowGraph,
    MemoryModel,
)
from g2o.analysis.addresses import Address
from g2o.analysis.assertions import asserted
from g2o.analysis.effects import EffectsOf
from g2o.analysis.evaluation import UNKNOWN_CONDITION, Condition, Machine, Value, with_guard
from g2o.analysis.induction import inductions
from g2o.analysis.integer_types import is_integer
from g2o.analysis.jumps import (
    always_leaves,
    has_barrier,
    labels_at,
    labels_of,
    leaves_beyond,
    may_leave,
)
from g2o.analysis.launch_names import THREAD_NAMES, LaunchNames
from g2o.analysis.loop_values import LoopValues
from g2o.analysis.noted_counters import noted_counters, values_of_noted
from g2o.analysis.pointer_roots import hidden_variables, written_roots
from g2o.analysis.uniformity import Uniformity, gives_all_the_same, solve_uniformity
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Assign, Expr, VarRef
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Barrier,
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Scope,
    Stmt,
    Switch,
    Text,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import variable_extents
from g2o.polyhedral.formula import FALSE, TRUE, Formula
from g2o.polyhedral.polynomial import ZERO, Polynomial
from g2o.polyhedral.space import NameInfo, Space

_WARP: Final = 32
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


class NotAnalysable(Exception):
    """The kernel has something that the model does not describe."""


def memory_model(kernel: Kernel, effects: EffectsOf, assume_noalias: bool = False) -> MemoryModel:
    """The accesses of a kernel whose barriers are recognised. Raises NotAnalysable."""
    made = _LATEST.model(kernel, effects)
    return replace(made, assume_noalias=assume_noalias)


@final
class _Latest(threading.local):
    """The model of the kernel that a thread has looked at last: passes that change nothing follow
    each other, and each of them looks at it."""

    def __init__(self) -> None:
        self._of: tuple[Kernel, EffectsOf] | None = None
        self._made: MemoryModel | NotAnalysable | None = None

    def model(self, kernel: Kernel, effects: EffectsOf) -> MemoryModel:
        """What is known of the kernel, or made. Raises NotAnalysable."""
        known = self._of
        if known is None or known[0] is not kernel or known[1] is not effects:
            self._of = None
            try:
                self._made = _made(kernel, effects)
            except NotAnalysable as fault:
                self._made = fault
            self._of = kernel, effects
        if isinstance(self._made, NotAnalysable):
            raise NotAnalysable(*self._made.args)
        assert self._made is not None
        return self._made


_LATEST: Final = _Latest()


def _made(kernel: Kernel, effects: EffectsOf) -> MemoryModel:
    uniformity = solve_uniformity(kernel.body, Scope.BLOCK, effects, set())
    collector = _Collector(kernel, effects, uniformity)
    collector.statement(kernel.body)
    return MemoryModel(
        collector.space,
        collector.graph,
        tuple(collector.accesses),
        TRUE,
        tuple(name for name in THREAD_NAMES if name in collector.space.infos),
        collector.extents,
        collector.assumed,
        choices=tuple(collector.values.choices),
    )


class _Inside(Enum):
    """Statements that jumps leave and that are no loops of the graph."""

    LOOP = "loop"  # that every thread runs through on its own
    SWITCH = "switch"


def _is_of_block(root: Symbol | None) -> bool:
    return root is not None and root.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)


@final
@dataclass(slots=True)
class _Loop:
    """A loop of the graph that the walk stands in: where `continue` and `break` go."""

    id: int
    head: int
    after: int
    increments: list[int] = field(default_factory=list[int])  # segments that `continue` ends
    runs: bool = False  # once at least, and the condition reads no memory


@final
class _Collector:
    def __init__(self, kernel: Kernel, effects: EffectsOf, uniformity: Uniformity) -> None:
        self.kernel = kernel
        self.space = Space()
        self.graph = FlowGraph()
        self.accesses: list[Access] = []
        self.machine = Machine(segment=self.graph.add())
        self.effects = effects
        self.uniformity = uniformity
        launch = LaunchNames.of(kernel, self.space, effects)
        self.extents, self.assumed = launch.extents, launch.assumed
        self.values = AccessValues(
            self.space,
            self.machine,
            effects,
            uniformity,
            launch.values,
            dict(kernel.shape.values),
            kernel.shape.tables,
            written_roots(kernel.body, effects),
            hidden_variables(kernel.body),
            self._record,
        )
        self.values.extents |= self._extents_of_parameters()
        self.loops: list[_Loop | _Inside] = []
        self.loop_count = 0
        self.position = 0
        self.divergent = 0  # conditions around that threads may not agree on
        self.current: Stmt | None = None
        self.last_span: SourceSpan | None = None

    def _extents_of_parameters(self) -> dict[Symbol, tuple[Polynomial, ...]]:
        """Those of the rows that C's parameters lead to, `double (*x)[m]`: values of others."""
        parameters = self.kernel.function.parameters
        written = self.effects.of(self.kernel.body).writes
        fixed = {one.name: one for one in parameters if one not in written and is_integer(one.type)}
        found: dict[Symbol, tuple[Polynomial, ...]] = {}
        for one in parameters:
            spelled = variable_extents(one.type)
            words = {word for text in spelled for word in _WORD.findall(text)}
            if spelled and words.isdisjoint(self.kernel.changing):
                found[one] = tuple(self._extent(text, fixed.get(text)) for text in spelled)
        return found

    def _extent(self, text: str, parameter: Symbol | None) -> Polynomial:
        if text.isdigit():
            return Polynomial.constant(int(text))
        if parameter is not None:
            return self.values.value(VarRef(parameter))
        info = NameInfo(varying=False, not_negative=True)
        return Polynomial.name(self.space.name("extent", info, ("extent", text)))

    def _record(
        self, kind: AccessKind, place: Address, node: Expr, value: Polynomial | None
    ) -> None:
        inside, self.values.inside = tuple(self.values.inside), []
        if place.private:
            return
        alike = (
            isinstance(node, Assign) and node.op == "=" and self.uniformity.is_uniform(node.value)
        )
        varying = value is None or any(self.space.infos[name].varying for name in value.names)
        self.accesses.append(
            Access(
                len(self.accesses),
                kind,
                place.root,
                place.offset,
                place.path,
                place.element,
                self.machine.guards,
                self.machine.exact,
                self.machine.segment,
                self.machine.loops,
                varying,
                inside,
                value,
                node,
                self.current,
                self._seen(node),
                self.machine.counters if alike else None,
                self._integers() if kind is AccessKind.READ and _is_of_block(place.root) else (),
            )
        )

    def _integers(self) -> tuple[tuple[Symbol, Polynomial], ...]:
        """What the integers of the thread hold."""
        return tuple(
            (symbol, value)
            for symbol, value in self.machine.env.items()
            if isinstance(value, Polynomial) and is_integer(symbol.type)
        )

    def _seen(self, node: Expr) -> SourceSpan | None:
        """The place of the access; where a pass made it, that of what stands before it."""
        span = node.span or (self.current.span if self.current is not None else None)
        self.last_span = span or self.last_span
        return self.last_span

    # -- statements -----------------------------------------------------------------------------

    def statement(self, node: Stmt) -> None:
        match node:
            case Block(statements=statements):
                for statement in statements:
                    self.statement(statement)
            case Declare(variables=variables):
                self.current = node
                for variable in variables:
                    symbol = variable.symbol
                    if variable.extents:
                        sizes = tuple(self.values.value(extent) for extent in variable.extents)
                        self.values.extents[symbol] = sizes
                    if variable.initial is not None and symbol.storage is Storage.LOCAL:
                        self.values.declared(symbol, variable.initial)
            case ExprStatement(expr=expr):
                self.current = node
                claim = asserted(expr)
                if claim is None:
                    self.values.visit(expr)
                else:
                    self._pass(claim)
            case If():
                self._if(node)
            case For() | While() | DoWhile():
                self._loop(node)
            case Switch():
                self._switch(node)
            case Labelled(label=label, value=value, body=body):
                if value is None and label != "default":
                    raise NotAnalysable("a label that `goto` may reach")
                self.statement(body)
            case Jump(kind=kind):
                self._jump(kind)
            case Return(value=value):
                if value is not None:
                    self.values.visit(value)
            case Barrier(scope=scope):
                self._barrier(node, scope)
            case Exchange():
                self._exchange(node)
            case Empty() | DeclareTypes():
                pass
            case CountedLoop() | LocalFunction() | Text():
                raise NotAnalysable("code that lowering has made")

    def _barrier(self, node: Stmt, scope: Scope) -> None:
        if scope in (Scope.BLOCK, Scope.GRID):
            position = None
            if scope is Scope.BLOCK:
                position = None if self.divergent else self.position
                self.position += 1
            self._add_barrier(BarrierSite(position, len(self.machine.loops), node.span))

    def _add_barrier(self, site: BarrierSite) -> None:
        barrier, after = self.graph.add(), self.graph.add()
        self.graph.barriers[barrier] = site
        self.graph.connect(self.machine.segment, Edge(barrier))
        self.graph.connect(barrier, Edge(after))
        self.machine.segment = after

    def _exchange(self, node: Exchange) -> None:
        self.current = node
        for operand in node.operands:
            self.values.visit(operand)
        if node.scope in (Scope.BLOCK, Scope.GRID):
            self._add_barrier(BarrierSite(None, len(self.machine.loops), node.span))
        value = self.values.anything(node.result in self.uniformity.varying)
        self.machine.env[node.result] = value
        if node.scope is Scope.WARP and gives_all_the_same(node):
            warp = self.values.arithmetic.quotient(self._rank(), _WARP)
            self.space.in_block |= dict.fromkeys(value.names, (warp,))

    def _rank(self) -> Polynomial:
        """The number of the thread in its block."""
        rank = ZERO
        for axis in reversed(range(3)):
            name = THREAD_NAMES[axis]
            index = Polynomial.name(name) if name in self.space.infos else ZERO
            rank = rank * self.extents[axis] + index
        return rank

    def _jump(self, kind: JumpKind) -> None:
        if kind is JumpKind.GOTO:
            raise NotAnalysable("goto")
        around = (one for one in reversed(self.loops) if one is not _Inside.SWITCH)
        loop = self.loops[-1] if kind is JumpKind.BREAK else next(around)
        if isinstance(loop, _Inside):
            return
        if kind is JumpKind.BREAK:
            self.graph.connect(self.machine.segment, Edge(loop.after, left=(loop.id,)))
        else:
            loop.increments.append(self.machine.segment)

    def _pass(self, condition: Expr) -> None:
        """Evaluate a condition that holds for every thread that goes on."""
        held = self.values.condition(condition)
        self.machine.guards = with_guard(self.machine.guards, held.if_true)
        self.machine.exact = self.machine.exact and held.exact

    def _if(self, node: If) -> None:
        self.current = node
        held = self.values.condition(node.condition)
        in_graph = bool(self.loops) and isinstance(self.loops[-1], _Loop)
        together = has_barrier(node) or (in_graph and may_leave(node))
        start = self.machine.segment
        before = self._saved()
        varying = together and not self.uniformity.is_uniform(node.condition)
        self.divergent += varying
        first = self._branch(node.then, held.if_true, held.exact, together)
        self._restore(before)
        self.machine.segment = start
        second = self._branch(node.otherwise, held.if_false, held.exact, together)
        self.divergent -= varying
        if together:
            join = self.graph.add()
            for arm, body in ((first, node.then), (second, node.otherwise)):
                if body is None or not always_leaves(body):
                    self.graph.connect(arm.segment, Edge(join))
            self.machine.segment = join
        self._merge(before, held, first, second, node)

    def _branch(self, body: Stmt | None, guard: Formula, exact: bool, together: bool) -> Machine:
        """The state at the end of one arm."""
        self.machine.guards = with_guard(self.machine.guards, guard)
        self.machine.exact = self.machine.exact and exact
        if together:
            segment = self.graph.add()
            self.graph.connect(self.machine.segment, Edge(segment))
            self.graph.arms[segment] = guard if exact else None
            self.machine.segment = segment
        if body is not None:
            self.statement(body)
        return self._saved()

    def _merge(
        self, before: Machine, held: Condition, first: Machine, second: Machine, node: If
    ) -> None:
        machine = self.machine
        machine.guards, machine.exact = before.guards, before.exact
        arms = (node.then, second, held.if_false), (node.otherwise, first, held.if_true)
        for left, other, guard in arms:
            if left is not None and always_leaves(left):
                machine.env = dict(other.env)
                machine.guards = with_guard(other.guards, guard)
                machine.exact = other.exact and held.exact
                return
        if may_leave(node):
            machine.exact = False
        merged: dict[Symbol, Value] = {}
        for symbol in first.env.keys() & second.env.keys():
            merged[symbol] = self._either(symbol, held, first.env[symbol], second.env[symbol])
        for symbol in first.env.keys() ^ second.env.keys():
            merged[symbol] = self._unknown(symbol)
        machine.env = merged

    def _either(self, symbol: Symbol, held: Condition, one: Value, other: Value) -> Value:
        if one == other:
            return one
        if isinstance(one, Polynomial) and isinstance(other, Polynomial):
            if held != UNKNOWN_CONDITION:
                return self.values.selected(held, one, other, symbol in self.uniformity.varying)
        return self._unknown(symbol)

    def _unknown(self, symbol: Symbol) -> Polynomial:
        return self.values.anything(symbol in self.uniformity.varying)

    def _switch(self, node: Switch) -> None:
        if has_barrier(node):
            raise NotAnalysable("a barrier inside a switch")
        self.current = node
        self.values.visit(node.condition)
        before = self._saved()
        self.loops.append(_Inside.SWITCH)
        self.machine.exact = False
        body = node.body.statements if isinstance(node.body, Block) else (node.body,)
        if labels_of(node.body) != sum(labels_at(statement) for statement in body):
            raise NotAnalysable("a label inside a block of a switch")
        for statement in body:
            if isinstance(statement, Labelled):
                self.machine.guards = before.guards
                self._forget(node.body)
            self.statement(statement)
        self.loops.pop()
        self._restore(before)
        self._forget(node.body)
        if leaves_beyond(node.body, {JumpKind.BREAK}):
            self.machine.exact = False

    # -- loops ----------------------------------------------------------------------------------

    def _loop(self, node: For | While | DoWhile) -> None:
        if isinstance(node, For) and node.initial is not None:
            self.statement(node.initial)
        if has_barrier(node):
            self._loop_of_block(node)
        else:
            self._loop_of_thread(node)

    def _loop_of_thread(self, node: For | While | DoWhile) -> None:
        """Every thread runs through it on its own."""
        before = self._saved()
        self._enter(node, None)
        self.loops.append(_Inside.LOOP)
        self._body(node)
        self.loops.pop()
        self._restore(before)
        noted = values_of_noted(noted_counters(node, self.effects), self.values)
        self._forget(node)
        self.machine.env.update(noted)
        self._after_loop(node)

    def _after_loop(self, node: Node) -> None:
        """Threads that have returned do not get here."""
        if any(isinstance(inner, Return) for inner in walk(node)):
            self.machine.exact = False

    def _loop_of_block(self, node: For | While | DoWhile) -> None:
        """All threads run through it together: a loop of the graph."""
        before = self._saved()
        self.loop_count += 1
        head, after = self.graph.add(), self.graph.add()
        loop = _Loop(self.loop_count, head, after)
        self.graph.connect(self.machine.segment, Edge(head))
        self.machine.segment = head
        loop.runs = self._runs_once(node)
        self.machine.loops = (*self.machine.loops, loop.id)
        self._enter(node, loop.id)
        self.loops.append(loop)
        self._body(node, loop)
        self.loops.pop()
        self._restore(before)
        self.machine.segment = after
        self._forget(node)
        self._after_loop(node)

    def _runs_once(self, node: For | While | DoWhile) -> bool:
        """Is the condition true when it is evaluated for the first time?"""
        condition = node.condition
        if condition is None or isinstance(node, DoWhile):
            return False
        needed = self.effects.of(condition)
        if needed.memory_reads or not needed.is_pure:
            return False
        return self.values.condition(condition).if_false == FALSE

    def _body(self, node: For | While | DoWhile, loop: _Loop | None = None) -> None:
        """Condition, body and increment, in the order of the first iteration."""
        endless = isinstance(node, For) and node.condition is None
        if isinstance(node, DoWhile):
            guards, exact = self.machine.guards, self.machine.exact
            self.statement(node.body)
            self._join_continues(node, loop)
            self.machine.guards, self.machine.exact = guards, exact
            self.current = node
            self.values.condition(node.condition)
            self._leave(loop)
            self._again(loop)
            return
        if node.condition is not None:
            self.current = node
            self._pass(node.condition)
        if not endless:
            self._leave(loop)
        guards, exact = self.machine.guards, self.machine.exact
        self.statement(node.body)
        if isinstance(node, For) and node.increment is not None:
            self._join_continues(node, loop)
            self.machine.guards, self.machine.exact = guards, exact
            self.current = node
            self.values.visit(node.increment)
        else:
            self._join_continues(node, loop)
        self._again(loop)

    def _leave(self, loop: _Loop | None) -> None:
        """Here the loop may end. What follows in the iteration does not come before that."""
        if loop is None or loop.runs:
            return
        self.graph.connect(self.machine.segment, Edge(loop.after, left=(loop.id,)))
        self.graph.arms[loop.after] = None
        segment = self.graph.add()
        self.graph.connect(self.machine.segment, Edge(segment))
        self.machine.segment = segment

    def _again(self, loop: _Loop | None) -> None:
        if loop is not None:
            self.graph.connect(self.machine.segment, Edge(loop.head, back=loop.id))
            if loop.runs:
                self.graph.connect(self.machine.segment, Edge(loop.after, left=(loop.id,)))

    def _join_continues(self, node: For | While | DoWhile, loop: _Loop | None) -> None:
        """The end of the body, where threads arrive that have left out some of it."""
        if leaves_beyond(node.body, {JumpKind.BREAK}):
            self._forget(node.body)
        if loop is None or not loop.increments:
            return
        join = self.graph.add()
        for segment in (*loop.increments, self.machine.segment):
            self.graph.connect(segment, Edge(join))
        self.machine.segment = join

    def _enter(self, node: For | While | DoWhile, loop: int | None) -> None:
        """Give the variables that the loop changes their values in any of its iterations."""
        changed = self._changed(node)
        found = inductions(node, self.effects)
        loop_values = LoopValues(self.values, loop)
        if loop is None:
            self.machine.counters = (*self.machine.counters, *loop_values.counter.names)
        for symbol in sorted(changed, key=lambda one: one.id):
            start, step = self.machine.env.get(symbol), found.get(symbol)
            value = None
            if step is not None and isinstance(start, Polynomial):
                value = loop_values.advanced(step, start, symbol)
            self.machine.env[symbol] = self._unknown(symbol) if value is None else value
        if leaves_beyond(node.body, {JumpKind.CONTINUE}):
            self.machine.exact = False  # an iteration before may have been the last

    # -- state ----------------------------------------------------------------------------------

    def _saved(self) -> Machine:
        return replace(self.machine, env=dict(self.machine.env))

    def _restore(self, saved: Machine) -> None:
        machine = self.machine
        machine.env, machine.guards = dict(saved.env), saved.guards
        machine.exact, machine.loops = saved.exact, saved.loops
        machine.counters = saved.counters

    def _changed(self, node: Node) -> set[Symbol]:
        writes = self.effects.of(node).writes
        return {symbol for symbol in writes if symbol.storage in (Storage.LOCAL, Storage.PARAMETER)}

    def _forget(self, node: Node) -> None:
        for symbol in sorted(self._changed(node), key=lambda one: one.id):
            self.machine.env[symbol] = self._unknown(symbol)
