"""What a block, or a warp, combines from values of all its threads is combined where they come up.

    float sum = 0.0f;                                  __shared__ float sum;
    for (int i = threadIdx.x; i < n; i += 256)         if (threadIdx.x == 0)
        sum += x[i];                                       sum = 0.0f;
    for (int d = 16; d > 0; d /= 2)                    __syncthreads();
        sum += __shfl_xor_sync(m, sum, d);      ->     for (int i = threadIdx.x; i < n; i += 256)
    if (lane == 0)                                         atomicAdd(&sum, x[i]);
        part[warp] = sum;                              __syncthreads();
    __syncthreads();                                   y[0] = sum;
    sum = 0.0f;
    for (int w = 0; w < 8; ++w)
        sum += part[w];
    y[0] = sum;

On a CPU one thread runs the block: the atomics become plain, and all threads one loop. How the
block combines the values does not matter, only that the result is made of the value of every thread
(`analysis/contributions.py` runs the code to see that), that nothing else of the code is used
afterwards, and that values may be combined in any order: that is so for integers, minima and
maxima, and for sums of real numbers where `--associative-math` says so. The extents of the block
are relied on. All threads come there: kernels that threads leave early stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, final

from g2o.analysis.contribution_places import Arguments
from g2o.analysis.contribution_values import Item
from g2o.analysis.contributions import WARP, Contributions
from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.analysis.functions import FunctionTable
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.ir.constant_text import number_of
from g2o.ir.expressions import Binary, Builtin, Cast, Expr, Form, LaunchRef, Literal, VarRef
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    Exchange,
    For,
    If,
    Jump,
    Labelled,
    Node,
    Return,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, UNSIGNED, TypeKind
from g2o.transforms.collective_fragments import Around, Rows
from g2o.transforms.collective_groups import Group
from g2o.transforms.collective_totals import Totals
from g2o.transforms.distributed_conditions import Distribution, without_braces
from g2o.transforms.elements_as_variables import Elements
from g2o.transforms.relative_sums import take_sums_apart
from g2o.transforms.whole_groups import WholeGroups

_MOST_THREADS: Final = 1024
_OPEN: Final = (_MOST_THREADS, 1, 1)  # of a block that may have any number of threads
_OUTSIDE: Final = Around(False, ())
_IN_LOOP: Final = Around(True, None)


def combine_by_group(
    kernel: Kernel, functions: FunctionTable, associative: bool, differentiated: bool
) -> Kernel:
    """The kernel with such code in place of its own; the kernel itself where there is none. Where
    it will be `differentiated`, what all threads work out alike from what is combined is worked out
    by one of them, for the derivatives of all go there.

    Launches may give a template other numbers, such as the extents of a block: then what becomes of
    the kernel has to be the same for each of them.
    """
    made: Kernel | None = None
    asked: set[str] = set()
    choices = kernel.shape.argument_choices
    for given in choices:
        arguments = Arguments(given)
        one = _combined(kernel, functions, associative, differentiated, arguments)
        if one is kernel or (made is not None and one.body != made.body):
            return kernel
        made = made or one
        asked |= arguments.asked
    if made is None or not all(asked <= given.keys() for given in choices):
        return kernel
    relied = (tuple((name, given[name]) for name in sorted(asked)) for given in choices)
    return replace(made, relied_arguments=tuple(dict.fromkeys(relied)) if asked else ())


def _combined(
    kernel: Kernel,
    functions: FunctionTable,
    associative: bool,
    differentiated: bool,
    arguments: Arguments,
) -> Kernel:
    """The kernel as launches with these `arguments` of the template have it."""
    extents = _extents(kernel, arguments)
    if associative:
        kernel = _with_sums_apart(kernel, functions, extents, arguments)
    is_open = extents is None and _may_be_open(kernel)
    extents = _OPEN if is_open else extents
    meets = _is_exchange if is_open else _is_shared_step
    if extents is None or not any(map(meets, walk(kernel.body))):
        return kernel
    if any(isinstance(node, Labelled) for node in walk(kernel.body)):
        return kernel
    for scope in (Scope.WARP,) if is_open else _scopes(extents):
        symbols = SymbolTable(continued=kernel.function.symbols)
        positions = _Positions.of(kernel, extents, functions, scope, arguments, is_open=is_open)
        if not positions.all_come(kernel.body):
            continue
        totals = Totals(
            positions.group(), positions.effects, positions.is_uniform, symbols, differentiated
        )
        combiner = _Combiner(kernel.body, positions, totals, associative)
        body = combiner.inside(kernel.body, _OUTSIDE)
        if body is kernel.body:
            continue
        assert isinstance(body, Block)
        extended = () if is_open else range(3)
        relied = kernel.relied | {(Builtin.BLOCK_DIM, axis) for axis in extended}
        function = replace(kernel.function, body=body, symbols=symbols)
        kernel = replace(kernel, function=function, relied=relied)
    return kernel


def _with_sums_apart(
    kernel: Kernel,
    functions: FunctionTable,
    extents: tuple[int, int, int] | None,
    arguments: Arguments,
) -> Kernel:
    """The kernel with sums that are relative to a maximum behind that."""
    asked: list[_Positions] = []
    if extents is not None and any(isinstance(node, Exchange) for node in walk(kernel.body)):
        made = (
            _Positions.of(kernel, extents, functions, scope, arguments)
            for scope in _scopes(extents)
        )
        asked = [one for one in made if one.all_come(kernel.body)]

    def is_combined(
        stmts: Sequence[Stmt], symbol: Symbol, base: Symbol, kind: str, wide: bool
    ) -> bool:
        for positions in asked:
            if wide and positions.scope is not Scope.BLOCK:
                continue
            machine = positions.machine()
            if not all(map(machine.follows, stmts)):
                continue
            whole = machine.whole(machine.values.get(symbol, [None]))
            if whole is not None and whole.base == base and whole.operator == kind:
                return True
        return False

    return take_sums_apart(kernel, functions, is_combined)


def _may_be_open(kernel: Kernel) -> bool:
    """Do the launches show that a block is a row of threads, however long?"""
    _, *others = kernel.shape.block
    return all(one == "1" for one in others)


def _scopes(extents: tuple[int, int, int]) -> tuple[Scope, ...]:
    """The groups of threads that combine values in a block of these extents."""
    count = extents[0] * extents[1] * extents[2]
    if count <= WARP or count % WARP:
        return (Scope.BLOCK,)
    return Scope.BLOCK, Scope.WARP


def _extents(kernel: Kernel, arguments: Arguments) -> tuple[int, int, int] | None:
    """The extents of a block, where every launch agrees on them."""

    def known(name: str) -> int | None:
        value = kernel.shape.values.get(name)
        return arguments.value(name) if value is None else value

    found: list[int] = []
    for text in kernel.shape.block:
        value = None if text is None else number_of(text, known)
        if value is None:
            return None
        found.append(value)
    x, y, z = found
    return (x, y, z) if 1 < x * y * z <= _MOST_THREADS and min(found) > 0 else None


def _spelled(kernel: Kernel, extents: tuple[int, int, int]) -> str:
    """How many threads a block has, by a name where there is one for it."""
    count, given = extents[0] * extents[1] * extents[2], kernel.shape.block[0]
    return given if given is not None and count == extents[0] else str(count)


def _is_exchange(node: Node) -> bool:
    return isinstance(node, Exchange)


def _is_shared_step(node: Node) -> bool:
    return _is_exchange(node) or (isinstance(node, Barrier) and node.scope is Scope.BLOCK)


@final
@dataclass(slots=True)
class _Positions:
    """What threads know from their positions, and what those of a group have in common."""

    scope: Scope
    extents: tuple[int, int, int]
    spelled: str
    known: list[Variable]
    arguments: Arguments
    effects: EffectsOf
    functions: FunctionTable
    is_open: bool  # may a block have any number of the threads?
    uniform: Uniformity | None = field(default=None)
    numbers: dict[Symbol, list[Item]] | None = field(default=None)  # that are `known`

    @staticmethod
    def of(
        kernel: Kernel,
        extents: tuple[int, int, int],
        functions: FunctionTable,
        scope: Scope,
        arguments: Arguments,
        *,
        is_open: bool = False,
    ) -> _Positions:
        effects = functions.for_node(kernel.body)
        changed = written_after_declaration(kernel.body, effects)
        declared = [node for node in walk(kernel.body) if isinstance(node, Declare)]
        variables = [one for each in declared for one in each.variables]
        known = [one for one in variables if one.symbol not in changed]
        spelled = _spelled(kernel, extents)
        made = _Positions(scope, extents, spelled, known, arguments, effects, functions, is_open)
        body = rewrite(kernel.body, made._common) if scope is Scope.WARP else kernel.body
        inner = functions.for_node(body)
        made.uniform = solve_uniformity(body, Scope.BLOCK, inner, set())
        return made

    @property
    def size(self) -> int:
        """How many threads a group has."""
        count = self.extents[0] * self.extents[1] * self.extents[2]
        return count if self.scope is Scope.BLOCK else WARP

    def machine(self) -> Contributions:
        elsewhere = self.effects.memory.led_to()
        made = partial(
            Contributions,
            self.extents,
            self.size,
            elsewhere,
            self.arguments,
            self.functions.body,
            is_open=self.is_open,
        )
        if self.numbers is None:
            known = made()
            for variable in self.known:
                known.knows(variable)
            self.numbers = known.values
        machine = made()
        machine.values.update((one, list(items)) for one, items in self.numbers.items())
        return machine

    def is_uniform(self, expr: Expr) -> bool:
        """Is it the same for all threads of a group?"""
        assert self.uniform is not None
        asked = rewrite(expr, self._common) if self.scope is Scope.WARP else expr
        return self.uniform.is_uniform(asked) or self._holds_in_groups(expr)

    def _holds_in_groups(self, condition: Expr) -> bool:
        """Is it known that a condition holds in all threads of a group, or in none?"""
        if condition.type.kind is not TypeKind.BOOL or self.scope is Scope.BLOCK:
            return False
        holds = self.machine().threads_where(condition)
        if holds is None:
            return False
        groups = (holds[at : at + WARP] for at in range(0, len(holds), WARP))
        return all(len(set(group)) == 1 for group in groups)

    def are_known(self, condition: Expr) -> bool:
        """Is it known in which threads the condition holds, and are these some of a group only?"""
        holds = self.machine().threads_where(condition)
        return holds is not None and any(holds) and not self.is_uniform(condition)

    def have_own(self, place: Expr) -> bool:
        """Has every thread of a block another element of a shared array there?"""
        return self.machine().have_own(place)

    def _common(self, node: Node) -> Node | None:
        """Another number that all threads of a warp have in common, for one that they work out from
        their positions; of what is asked, only that matters."""
        match node:
            case Binary(op="/" | ">>") | VarRef():
                if node.type.kind is not TypeKind.INTEGER:
                    return None
            case LaunchRef(builtin=Builtin.THREAD_INDEX):
                pass
            case _:
                return None
        items = self.machine().numbers(node)
        if items is None and isinstance(node, Binary):
            groups = WholeGroups(self.extents, self.arguments, self.known)
            own = groups.left_in(node)
            items = None if own is None else self.machine().numbers(own)
        if items is None:
            return None
        groups = (items[at : at + WARP] for at in range(0, len(items), WARP))
        if any(len(set(group)) > 1 for group in groups):
            return None
        return LaunchRef(Builtin.BLOCK_INDEX, 0, UNSIGNED)

    def all_come(self, body: Block) -> bool:
        """Do threads leave the kernel with all others of their group only?"""
        leaving = sum(isinstance(node, Return) for node in walk(body))
        return leaving == self._leaving_together(body)

    def _leaving_together(self, statement: Stmt | None) -> int:
        match statement:
            case Return():
                return 1
            case Block(statements=inner):
                return sum(map(self._leaving_together, inner))
            case If(condition=condition, then=then, otherwise=otherwise):
                if not self.is_uniform(condition):
                    return 0
                return self._leaving_together(then) + self._leaving_together(otherwise)
            case _:
                return 0

    def group(self) -> Group:
        """The threads that combine values."""
        zero = Literal("0", 0, INT)
        if self.scope is Scope.BLOCK:
            first = self._first_thread()
            return Group(self.scope, 1, self.size, first, zero, self._rank(), self.spelled)
        count = self.extents[0] * self.extents[1] * self.extents[2]
        if self.extents[0] == WARP:
            lane = LaunchRef(Builtin.THREAD_INDEX, 0, UNSIGNED)
            first = Binary("==", lane, zero, BOOL)
            number = Cast(self._row(), INT)
            return Group(self.scope, count // WARP, WARP, first, number, self._rank(), self.spelled)
        rank, width = self._rank(), Literal(str(WARP), WARP, INT)
        first = Binary("==", Binary("%", rank, width, INT), zero, BOOL)
        number = Binary("/", rank, width, INT)
        return Group(self.scope, count // WARP, WARP, first, number, rank, self.spelled)

    def _rank(self) -> Expr:
        """The number of the thread in its block."""
        wide, high, deep = self.extents
        rank: Expr = LaunchRef(Builtin.THREAD_INDEX, 0, UNSIGNED)
        if high != 1 or deep != 1:
            before = Binary("*", self._row(), Literal(str(wide), wide, INT), UNSIGNED)
            rank = Binary("+", rank, before, UNSIGNED)
        return Cast(rank, INT)

    def _row(self) -> Expr:
        """The number of the thread's row along x in its block."""
        _, high, deep = self.extents
        row: Expr = LaunchRef(Builtin.THREAD_INDEX, 1, UNSIGNED)
        if deep != 1:
            z = LaunchRef(Builtin.THREAD_INDEX, 2, UNSIGNED)
            before = Binary("*", z, Literal(str(high), high, INT), UNSIGNED)
            row = Binary("+", row, before, UNSIGNED)
        return row

    def _first_thread(self) -> Expr:
        condition: Expr | None = None
        for axis in range(3):
            if axis and self.extents[axis] == 1:
                continue
            position = LaunchRef(Builtin.THREAD_INDEX, axis, UNSIGNED)
            own = Binary("==", position, Literal("0", 0, INT), BOOL)
            condition = own if condition is None else Binary("&&", condition, own, BOOL)
        assert condition is not None
        return condition


@final
@dataclass(slots=True)
class _Combiner:
    body: Block
    positions: _Positions
    totals: Totals
    associative: bool

    def inside(self, statement: Stmt, around: Around) -> Stmt:
        """The statement, which all threads of a group come to, with what is in it."""
        match statement:
            case Block(statements=inner):
                combined = self._sequence(tuple(without_braces(statement)), around)
                kept = inner if combined is None else combined
                return self._with_inner(statement, kept, around)
            case If(condition=condition) if self.positions.is_uniform(condition):
                then = self.inside(statement.then, replace(around, nested=True))
                if then is statement.then:
                    return statement
                return replace(statement, then=then, form=Form.BUILT)
            case For(condition=condition, body=body) | While(condition=condition, body=body):
                if condition is None or not self.positions.is_uniform(condition) or _jumps(body):
                    return statement
                new_body = self.inside(body, _IN_LOOP)
                if new_body is body:
                    return statement
                return replace(statement, body=new_body, form=Form.BUILT)
            case _:
                return statement

    def _with_inner(self, block: Block, kept: tuple[Stmt, ...], around: Around) -> Block:
        """The block with these statements, and with what is in them. What stands in braces alone
        has been a part of the row: behind them others may look at the same arrays."""
        new = tuple(
            self._with_inner(one, one.statements, around.before(kept[at + 1 :]))
            if isinstance(one, Block) and not one.directive
            else self.inside(one, around.before(kept[at + 1 :]))
            for at, one in enumerate(kept)
        )
        old = block.statements
        same = len(new) == len(old) and all(map(_is, new, old))
        return block if same else replace(block, statements=new, form=Form.BUILT)

    def _sequence(self, statements: tuple[Stmt, ...], around: Around) -> tuple[Stmt, ...] | None:
        """The statements with totals in place of fragments; None where there are no fragments."""
        symbols = self.totals.symbols
        elements = Elements(self.positions.effects, self.positions.have_own, symbols)
        while True:
            row = elements.as_variables(statements)
            self.totals.own.update(elements.variables)
            made = self._with_totals(row, around)
            if not elements.stores:
                return made
            left = set(elements.stores) if made is None else elements.left_in(made)
            if not left:
                return made
            elements.kept |= left

    def _with_totals(self, statements: tuple[Stmt, ...], around: Around) -> tuple[Stmt, ...] | None:
        effects, differentiated = self.positions.effects, self.totals.differentiated
        conditions = Distribution(effects, self.positions.are_known, self.totals.symbols)
        statements = conditions.distributed(statements)
        rows = Rows(statements, self.body, around, self.associative, effects, differentiated)
        found = rows.fragments(self.positions.machine)
        if not any(one.changes for one in found):
            return None
        statements = self.totals.all_replaced(statements, found, around.nested)
        if self.totals.differentiated and not around.nested:
            statements = tuple(self.totals.worked_out_once(statements))
        return conditions.restored(statements)


def _is(new: Stmt, old: Stmt) -> bool:
    return new is old


def _jumps(body: Stmt) -> bool:
    return any(isinstance(node, Jump) for node in walk(body))
