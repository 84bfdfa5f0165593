"""What a loop adds to one place is summed up first.

    for (int j = 0; j < n; ++j)                        double sum_x = 0.0;
        g2o::atomic_add(&d_body[i].x, f(j));    ->     for (int j = 0; j < n; ++j)
                                                           sum_x += f(j);
                                                       g2o::atomic_add(&d_body[i].x, sum_x);

Legal where the loop only adds to that array and never looks at it, and where the place is the same
in all iterations. A loop that may have no iteration leaves the place alone: it may not exist then,
unless it is a variable. Where threads wait in the loop the addition passes barriers: then no other
thread may read or overwrite the place in the interval that it comes to, which is asked of the
kernel with the addition there.

A loop that the threads of a block share, `for (int j = threadIdx.x; j < n; j += blockDim.x)`, adds
to shared memory as it is where one thread of the CPU runs all of a block (`by_block`): nobody else
adds there, and the loop of the block needs one sum where its threads would need one each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.access_collector import NotAnalysable, memory_model
from g2o.analysis.accesses import AccessKind
from g2o.analysis.barriers import meetings_within
from g2o.analysis.conflicts import Conflicts
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, statements_of
from g2o.analysis.functions import FunctionTable
from g2o.analysis.same_memory import SameMemory, same_memory
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Member,
    Unary,
    VarRef,
    integer_value,
    is_variable,
    strip_parens,
)
from g2o.ir.increments import is_increment
from g2o.ir.kernel import Kernel
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
    Node,
    Return,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, CType, TypeKind, computed_as
from g2o.polyhedral.solver import Solver

_LOOPS = (For, While, DoWhile)
_SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)


def hoist_increments(
    kernel: Kernel,
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
    *,
    by_block: bool = False,
) -> Kernel:
    """Sum up what loops add to one place. Unchanged kernels are returned as they are."""
    if not any(is_increment(node) for node in walk(kernel.body)):
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    effects = functions.for_node(kernel.body)
    changing = frozenset(written_again(kernel.body, effects))
    counting = _counting(kernel.body, changing)
    memory = same_memory((kernel.body,))
    places = _positions(kernel.body, changing) if by_block else None
    stays: frozenset[_Addition] = frozenset()
    while True:
        hoister = _Hoister(symbols, effects, counting, changing, memory, places, stays)
        body = hoister.block(kernel.body, ())
        if body is kernel.body:
            return kernel
        new = replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))
        met = _met(new, hoister.passing, functions, assume_noalias, solver)
        if not met:
            return new
        stays |= met
        symbols = SymbolTable(continued=kernel.function.symbols)


def _met(
    kernel: Kernel,
    passing: Mapping[int, _Addition],
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
) -> frozenset[_Addition]:
    """Those of the additions that have passed barriers, by the identity of what they are now, whose
    place another thread may read or overwrite where they have come to."""
    if not passing:
        return frozenset()
    try:
        model = memory_model(kernel, functions.for_node(kernel.body), assume_noalias)
    except NotAnalysable:
        return frozenset(passing.values())
    conflicts = Conflicts(model, solver)
    return frozenset(
        passing[id(access.node)]
        for access in model.accesses
        if id(access.node) in passing
        if any(
            not pair.first.kind is pair.second.kind is AccessKind.ATOMIC
            for pair in meetings_within(model, conflicts, access)
        )
    )


@final
@dataclass(frozen=True, slots=True)
class _Addition:
    """What a loop, by its identity, adds to a place."""

    loop: int
    place: Expr


@final
@dataclass(frozen=True, slots=True)
class _Hoister:
    symbols: SymbolTable
    effects: EffectsOf
    counting: frozenset[Symbol]  # variables that are never negative
    changing: frozenset[Symbol]  # variables that get another value somewhere
    memory: SameMemory
    positions: frozenset[Symbol] | None  # where one thread runs a block
    stays: frozenset[_Addition]
    passing: dict[int, _Addition] = field(default_factory=dict[int, "_Addition"])

    def block(self, block: Block, guards: tuple[Expr, ...]) -> Block:
        new = self._sequence(block.statements, guards)
        same = len(new) == len(block.statements) and all(
            one is old for one, old in zip(new, block.statements, strict=True)
        )
        return block if same else replace(block, statements=tuple(new), form=Form.BUILT)

    def _sequence(self, statements: tuple[Stmt, ...], guards: tuple[Expr, ...]) -> list[Stmt]:
        result: list[Stmt] = []
        for statement in statements:
            result.extend(self._statement(statement, guards))
            if isinstance(statement, If) and _returns(statement.then):
                guards = (*guards, Unary("!", statement.condition, type=BOOL))
        return result

    def _statement(self, statement: Stmt, guards: tuple[Expr, ...]) -> list[Stmt]:
        match statement:
            case Block():
                return [self.block(statement, guards)]
            case If(condition=condition, then=then, otherwise=otherwise):
                first = self._body(then, (*guards, condition))
                second = None if otherwise is None else self._body(otherwise, guards)
                if first is then and second is otherwise:
                    return [statement]
                return [replace(statement, then=first, otherwise=second, form=Form.BUILT)]
            case For() | While() | DoWhile():
                body = self._body(statement.body, guards)
                source = id(statement)
                if body is not statement.body:
                    statement = replace(statement, body=body, form=Form.BUILT)
                return self._loop(statement, source, guards)
            case _:
                return [statement]

    def _body(self, body: Stmt, guards: tuple[Expr, ...]) -> Stmt:
        if isinstance(body, Block):
            return self.block(body, guards)
        new = self._sequence((body,), guards)
        return body if len(new) == 1 and new[0] is body else Block(tuple(new))

    def _loop(
        self, loop: For | While | DoWhile, source: int, guards: tuple[Expr, ...]
    ) -> list[Stmt]:
        places = [one for one in self._places(loop) if _Addition(source, one[0]) not in self.stays]
        if not places:
            return [loop]
        sums = {
            position: self.symbols.fresh(_wish(place), computed_as(_plain(ctype)), Storage.LOCAL)
            for position, (place, ctype) in enumerate(places)
        }

        def replacement(node: Node) -> Node | None:
            match node:
                case ExprStatement(expr=Call() as call) if is_increment(call):
                    for position, (place, _) in enumerate(places):
                        if increment_place(call) == place:
                            own = sums[position]
                            return ExprStatement(
                                Assign("+=", VarRef(own), call.arguments[1], own.type),
                                trivia=node.trivia,
                            )
                    return None
                case _:
                    return None

        body = rewrite(loop.body, replacement)
        declared = [
            Declare((Variable(own, own.type.spelling, "", zero_of(own.type), "="),))
            for own in sums.values()
        ]
        always = _always_added(loop.body)
        waits = any(isinstance(node, (Barrier, Exchange)) for node in walk(loop))
        added: list[Stmt] = []
        for position, (place, _) in enumerate(places):
            own = sums[position]
            call = increment_of(place, VarRef(own))
            if waits:
                self.passing[id(call)] = _Addition(source, place)
            add = ExprStatement(call)
            if any(one == place for one in always):
                added.append(add)
            else:
                asked = Binary("!=", VarRef(own), zero_of(own.type), BOOL)
                added.append(If(asked, Block((add,))))
        runs = _runs(loop, self._lasting(guards), self.counting)
        if runs is not None and not all(_always_exists(place) for place, _ in places):
            added = [If(runs, Block(tuple(added)))]
        return [*declared, replace(loop, body=body, form=Form.BUILT), *added]

    def _lasting(self, guards: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """The guards that still hold where they were asked before."""
        return tuple(
            guard
            for guard in guards
            if not self.effects.of(guard).reads & self.changing
            and not self.effects.of(guard).memory_reads
        )

    def _places(self, loop: For | While | DoWhile) -> list[tuple[Expr, CType]]:
        """The places that the loop adds to in every iteration that adds."""
        if any(_leaves(node) for node in walk(loop)):
            return []  # it may leave without what follows it
        runs = _runs(loop, (), self.counting)
        if isinstance(runs, Literal):
            return []  # not known
        calls = [n for n in walk(loop) if isinstance(n, Call) and is_increment(n)]
        if not calls:
            return []
        effects = self.effects.of(loop)
        changed = effects.writes | declared_in(loop)
        if runs is not None:
            asked = self.effects.of(runs)
            if asked.reads & changed or asked.memory_reads & effects.memory_writes:
                return []
        found: list[tuple[Expr, CType]] = []
        grid = any(isinstance(n, Barrier) and n.scope is Scope.GRID for n in walk(loop))
        for call in calls:
            place = increment_place(call)
            root = root_symbol(place)
            if grid and root is not None and root.storage not in _SHARED:
                continue  # threads of other blocks wait there as well
            if root is None or any(one == place for one, _ in found):
                continue
            if call.type.kind not in (TypeKind.FLOATING, TypeKind.DEPENDENT):
                continue
            if root.storage in _SHARED and self.positions is not None:
                if _is_shared_by_threads(loop, self.positions):
                    continue
            named = {n.symbol for n in walk(place) if isinstance(n, VarRef)}
            mentions = sum(isinstance(n, VarRef) and n.symbol == root for n in walk(loop))
            own = [one for one in calls if root_symbol(increment_place(one)) == root]
            reads = self.effects.of(place).memory_reads - {root}
            stable = not reads & effects.memory_writes and None not in effects.memory_writes
            if named & changed or mentions != len(own) or not (stable or not reads):
                continue
            if self.memory.names_beside(root, loop):
                continue
            found.append((place, call.type))
        return found


def _always_exists(place: Expr) -> bool:
    """Is the place a variable, which is there whether or not anybody looks at it?"""
    inner = strip_parens(place)
    return isinstance(inner, VarRef) and inner.symbol.type.kind is not TypeKind.REFERENCE


def _positions(body: Block, changing: frozenset[Symbol]) -> frozenset[Symbol]:
    """The variables that only ever have what is worked out from the position in a block."""
    found: set[Symbol] = set()
    for node in walk(body):
        for one in node.variables if isinstance(node, Declare) else ():
            if one.initial is not None and one.symbol not in changing:
                if _names_position(one.initial, frozenset(found)):
                    found.add(one.symbol)
    return frozenset(found)


def _names_position(expr: Expr, positions: frozenset[Symbol]) -> bool:
    return any(
        (isinstance(node, LaunchRef) and node.builtin is Builtin.THREAD_INDEX)
        or (isinstance(node, VarRef) and node.symbol in positions)
        for node in walk(expr)
    ) and not any(isinstance(node, (Index, Call)) for node in walk(expr))


def _is_shared_by_threads(loop: For | While | DoWhile, positions: frozenset[Symbol]) -> bool:
    """Do the threads of a block take turns with the iterations of one loop?"""
    match loop:
        case For(initial=Declare(variables=(Variable(initial=first),)), increment=Assign() as step):
            if first is None:
                return False
            strides = any(
                isinstance(one, LaunchRef) and one.builtin is Builtin.BLOCK_DIM
                for one in walk(step.value)
            )
            number = integer_value(step.value)
            return _names_position(first, positions) and (strides or (number or 0) > 1)
        case _:
            return False


def _leaves(node: Node) -> bool:
    return isinstance(node, Return) or (isinstance(node, Jump) and node.kind is JumpKind.GOTO)


def _always_added(body: Stmt) -> list[Expr]:
    """The places that every iteration adds to."""
    found: list[Expr] = []
    for statement in statements_of(body):
        match statement:
            case ExprStatement(expr=Call() as call) if is_increment(call):
                found.append(increment_place(call))
            case Block():
                found.extend(_always_added(statement))
            case _:
                pass
        if any(isinstance(node, Jump) for node in walk(statement)):
            break
    return found


def _counting(body: Block, written: frozenset[Symbol]) -> frozenset[Symbol]:
    """Variables that only ever have the sum or product of launch indices and counts."""
    found: set[Symbol] = set()

    def counts(expr: Expr) -> bool:
        match strip_parens(expr):
            case LaunchRef():
                return True
            case Literal(value=value):
                return value is not None and value >= 0
            case VarRef(symbol=symbol):
                return symbol in found
            case Binary(op="+" | "*", left=left, right=right):
                return counts(left) and counts(right)
            case _:
                return False

    for node in walk(body):
        if isinstance(node, Declare):
            for variable in node.variables:
                initial = variable.initial
                if initial is not None and variable.symbol not in written and counts(initial):
                    found.add(variable.symbol)
    return frozenset(found)


def written_again(body: Block, effects: EffectsOf) -> set[Symbol]:
    """Variables that get values elsewhere than where they are declared."""
    found: set[Symbol] = set()
    for node in walk(body):
        if isinstance(node, (Assign, Unary, Call)):
            found |= effects.of(node).writes
    return found


def increment_place(call: Call) -> Expr:
    """The lvalue that an atomic addition adds to."""
    inner = strip_parens(call.arguments[0])
    if isinstance(inner, Unary) and inner.op == "&":
        return inner.operand
    return Unary("*", inner, type=call.type)


def increment_of(place: Expr, value: Expr) -> Call:
    """`atomicAdd(&place, value)`."""
    ctype = place.type
    if isinstance(place, Unary) and place.op == "*":
        address = place.operand
    else:
        pointer = CType(f"{ctype.spelling} *", TypeKind.POINTER, 64, element=ctype)
        address = Unary("&", place, type=pointer)
    callee = Literal("g2o::atomic_add")
    return Call("atomicAdd", callee, (address, value), is_cuda=True, type=ctype)


def _wish(place: Expr) -> str:
    if isinstance(place, Member):
        return f"sum_{place.name}"
    root = root_symbol(place)
    return f"sum_{root.name.removeprefix('d_')}" if root is not None else "sum"


def _plain(ctype: CType) -> CType:
    spelled = ctype.spelling.removeprefix("const ").strip()
    return replace(ctype, spelling=spelled, is_const=False)


def zero_of(ctype: CType) -> Expr:
    """0 of this type."""
    if ctype.kind is not TypeKind.FLOATING:
        return Literal("0", 0)
    return Literal("0.0f" if ctype.bits == 32 else "0.0", None, ctype)


def _returns(statement: Stmt) -> bool:
    inner = statements_of(statement)
    return len(inner) == 1 and isinstance(inner[0], Return)


def _runs(
    loop: For | While | DoWhile, guards: tuple[Expr, ...], counting: frozenset[Symbol]
) -> Expr | None:
    """A condition under which the loop has an iteration; None where it surely has one, `false`
    where that is not known. `counting` are variables that are not negative."""
    match loop:
        case DoWhile():
            return None
        case For(
            initial=Declare(variables=(Variable(symbol=index, initial=first),)),
            condition=Binary(op="<" | "<=" | ">" | ">=" as op, left=left, right=bound),
        ) if first is not None and is_variable(left, index):
            low, high = integer_value(first), integer_value(bound)
            if low is not None and high is not None:
                return None if _holds(low, op, high) else Literal("false", 0, BOOL)
            if low == 0 and op == "<" and any(_bounds(guard, bound, counting) for guard in guards):
                return None
            return Binary(op, first, bound, BOOL)
        case _:
            return Literal("false", 0, BOOL)


def _holds(low: int, op: str, high: int) -> bool:
    return {"<": low < high, "<=": low <= high, ">": low > high, ">=": low >= high}[op]


def _bounds(guard: Expr, bound: Expr, counting: frozenset[Symbol]) -> bool:
    """Does the guard say that a thread's index lies below the bound, which then is positive?"""
    inner = strip_parens(guard)
    match inner:
        case Binary(op="<", left=VarRef(symbol=symbol), right=right):
            return symbol in counting and strip_parens(right) == strip_parens(bound)
        case Unary(op="!", operand=operand):
            below = strip_parens(operand)
            match below:
                case Binary(op=">=", left=VarRef(symbol=symbol), right=right):
                    return symbol in counting and strip_parens(right) == strip_parens(bound)
                case _:
                    return False
        case Binary(op="&&", left=left, right=right):
            return _bounds(left, bound, counting) or _bounds(right, bound, counting)
        case _:
            return False
