"""Shared arrays of which every thread uses one element become variables of the thread. So do shared
scalars that one thread sets to what all of them can compute.

    __shared__ float node[ROWS];
    if (tx == 0)                            float node = input[ROWS * by + ty + 1];
        node[ty] = input[ROWS * by + ty + 1];   ->
    __syncthreads();                        __syncthreads();
    w[ty][tx] *= node[ty];                  w[ty][tx] *= node;

Legal where each element belongs to one thread; or where it is written once, before every read, with
a value that all threads that read it can compute themselves: the value and the index depend on the
same thread indices, and the thread that writes is there whatever these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.accesses import Access, AccessKind, MemoryModel
from g2o.analysis.barrier_flow import ways_from
from g2o.analysis.conflicts import Conflicts
from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.analysis.launch_names import THREAD_NAMES
from g2o.analysis.pure_functions import PURE_FUNCTIONS
from g2o.diagnostics.diagnostic import Diagnostic, Outcome, remark
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
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
    Unary,
    VarRef,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Empty,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.polyhedral.formula import TRUE, Formula, conjunction
from g2o.transforms.hoist_increments import zero_of
from g2o.transforms.result import PassResult

_MODIFIERS: Final = ("__shared__", "static", "volatile")


def scalarise_shared(
    kernel: Kernel, effects: EffectsOf, model: MemoryModel, conflicts: Conflicts
) -> PassResult:
    """The kernel with such arrays replaced. `model` is that of the kernel."""
    remarks: list[Diagnostic] = []
    for symbol, variable in _shared_arrays(kernel):
        accesses = [access for access in model.accesses if access.root == symbol]
        if not accesses or not _only_indexed(kernel, symbol, accesses):
            continue
        changed = _own_elements(kernel, symbol, variable, accesses, model, conflicts)
        if changed is None:
            changed = _broadcast(kernel, symbol, accesses, effects, model, conflicts)
        if changed is not None:
            kernel = changed
            kind = "array" if symbol.type.kind is TypeKind.ARRAY else "variable"
            message = f"shared {kind} '{symbol.name}' becomes a variable of every thread"
            remarks.append(remark(Outcome.PASSED, "G2O0303", message, variable.span))
    return PassResult(kernel, tuple(remarks))


def _shared_arrays(kernel: Kernel) -> list[tuple[Symbol, Variable]]:
    return [
        (variable.symbol, variable)
        for node in walk(kernel.body)
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.symbol.storage is Storage.SHARED
        and variable.symbol.type.innermost.is_arithmetic
        and not variable.symbol.type.innermost.is_volatile
    ]


def _only_indexed(kernel: Kernel, symbol: Symbol, accesses: Sequence[Access]) -> bool:
    """Is the array named in plain elements only, each of them understood, all the same one?

    The address of an element is nothing that a variable of a thread has as well.
    """
    if any(_is_address_of(node, symbol) for node in walk(kernel.body)):
        return False
    places = [node for node in walk(kernel.body) if _element_of(node) == symbol]
    named = sum(isinstance(node, VarRef) and node.symbol == symbol for node in walk(kernel.body))
    index = accesses[0].index
    return (
        len(places) == named
        and index is not None
        and all(
            access.index == index and not access.path and access.kind is not AccessKind.ATOMIC
            for access in accesses
        )
    )


def _is_address_of(node: Node, symbol: Symbol) -> bool:
    return isinstance(node, Unary) and node.op == "&" and _element_of(node.operand) == symbol


def _element_of(node: Node) -> Symbol | None:
    """The array whose innermost element the node is; a scalar is an element of itself."""
    if isinstance(node, VarRef):
        own = node.symbol.storage is Storage.SHARED and node.symbol.type.is_arithmetic
        return node.symbol if own else None
    if not isinstance(node, Index) or node.type.kind is TypeKind.ARRAY:
        return None
    base: Expr = node
    while isinstance(base, (Index, Paren)):
        base = base.base if isinstance(base, Index) else base.inner
    return base.symbol if isinstance(base, VarRef) else None


# -- an element for every thread -----------------------------------------------------------------


def _own_elements(
    kernel: Kernel, symbol: Symbol, variable: Variable, accesses: Sequence[Access],
    model: MemoryModel, conflicts: Conflicts,
) -> Kernel | None:  # fmt: skip
    index = accesses[0].index
    assert index is not None
    infos = [model.space.infos[name] for name in model.space.closure(index.names)]
    lasting = not any(info.loops or info.counts for info in infos)
    if (
        not lasting
        or _lives_in_loop(kernel.body, symbol)
        or not conflicts.tells_apart(index, model.thread_axes)
    ):
        return None
    table = SymbolTable(continued=kernel.function.symbols)
    element = symbol.type.innermost
    scalar = table.declare(symbol.name, element, Storage.LOCAL)
    return _with_body(kernel, table, _replaced(kernel.body, symbol, scalar, _declared(variable)))


def _lives_in_loop(body: Block, symbol: Symbol) -> bool:
    """Is the array declared inside a loop? It keeps its elements from iteration to iteration."""
    return any(
        isinstance(loop, (For, While, DoWhile))
        and any(isinstance(node, Declare) and _declares(node, symbol) for node in walk(loop))
        for loop in walk(body)
    )


def _declares(node: Declare, symbol: Symbol) -> bool:
    return any(variable.symbol == symbol for variable in node.variables)


def _declared(variable: Variable) -> str:
    words = [word for word in variable.declared.split() if word not in _MODIFIERS]
    return " ".join(words)


def _replaced(body: Block, symbol: Symbol, scalar: Symbol, declared: str) -> Block:
    def replacement(node: Node) -> Node | None:
        if _element_of(node) == symbol:
            return VarRef(scalar)
        if isinstance(node, Declare) and _declares(node, symbol):
            started = any(
                one.symbol == symbol and one.initial is not None for one in node.variables
            )
            variable = Variable(scalar, declared)
            if started:  # the memory of derivatives, which starts at 0
                variable = Variable(scalar, declared, "", zero_of(scalar.type), "=")
            return Declare((variable,), trivia=node.trivia, span=node.span)
        return None

    return rewrite(_declared_alone(body, symbol), replacement)


def _declared_alone(body: Block, symbol: Symbol) -> Block:
    """`body` with a declaration of its own for the variable."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        for position, statement in enumerate(node.statements):
            if not isinstance(statement, Declare) or not _declares(statement, symbol):
                continue
            if len(statement.variables) == 1:
                return node
            own = tuple(v for v in statement.variables if v.symbol == symbol)
            kept = tuple(v for v in statement.variables if v.symbol != symbol)
            before, behind = node.statements[:position], node.statements[position + 1 :]
            first = Declare(own, trivia=replace(statement.trivia, after=""))
            rest = Declare(kept, trivia=Trivia((), statement.trivia.after))
            return replace(node, statements=(*before, first, rest, *behind), form=Form.BUILT)
        return None

    return rewrite(body, replacement)


# -- a value that every reader can compute -------------------------------------------------------


def _broadcast(
    kernel: Kernel, symbol: Symbol, accesses: Sequence[Access], effects: EffectsOf,
    model: MemoryModel, conflicts: Conflicts,
) -> Kernel | None:  # fmt: skip
    writes = [access for access in accesses if access.kind is AccessKind.WRITE]
    reads = [access for access in accesses if access.kind is AccessKind.READ]
    index = accesses[0].index
    if len(writes) != 1 or not reads or index is None:
        return None
    (write,) = writes
    store = write.node
    if not isinstance(store, Assign) or store.op != "=":
        return None
    place = _place_of(kernel.body, store)
    if place is None or not _all_behind(kernel.body, place, symbol):
        return None
    chosen = [axis for axis in model.thread_axes if axis in model.space.closure(index.names)]
    others = [axis for axis in model.thread_axes if axis not in chosen]
    value = _Value(kernel, effects, {THREAD_NAMES.index(axis) for axis in chosen})
    if not others or not value.depends_on_chosen(store.value):
        return None
    if chosen and not conflicts.tells_apart(index, chosen):
        return None
    if not _reads_are_settled(write, model, conflicts):
        return None
    guard = conjunction(write.guard[-place.guards :]) if place.guards else TRUE
    if not _guard_is_known(place, write, guard) or not conflicts.holds_for_first(guard, others):
        return None
    return _with_value(kernel, symbol, place, store.value)


def _reads_are_settled(write: Access, model: MemoryModel, conflicts: Conflicts) -> bool:
    """Does nothing in the interval of the write change what the value is computed from?"""
    graph, barriers = model.graph, frozenset(model.graph.barriers)
    segments = {way.segment for way in ways_from(graph, write.segment, barriers, write.loops)}
    nearby = [
        access
        for access in model.accesses
        if access.segment in segments
        or any(
            way.segment == write.segment
            for way in ways_from(graph, access.segment, barriers, access.loops)
        )
    ]
    sources = [
        access
        for access in nearby
        if access.kind is AccessKind.READ and access.statement is write.statement
    ]
    return not any(
        other.kind is not AccessKind.READ and conflicts.may_alias(other, source)
        for other in nearby
        for source in sources
    )


def _guard_is_known(place: _Place, write: Access, guard: Formula) -> bool:
    return place.guards == 0 or (write.exact and guard != TRUE)


@final
@dataclass(frozen=True, slots=True)
class _Place:
    """A statement of a block that holds nothing but the store; `guards` conditions around it."""

    block: Block
    position: int
    guards: int


def _place_of(body: Block, store: Assign) -> _Place | None:
    found: list[_Place] = []
    for node in walk(body):
        if isinstance(node, Block):
            for position, statement in enumerate(node.statements):
                if _is_store(statement, store):
                    found.append(_Place(node, position, 0))
                elif isinstance(statement, If) and statement.otherwise is None:
                    inner = statement.then
                    if isinstance(inner, Block) and len(inner.statements) == 1:
                        inner = inner.statements[0]
                    if _is_store(inner, store):
                        found.append(_Place(node, position, 1))
    guarded = [place for place in found if place.guards]
    chosen = guarded or found
    return chosen[0] if len(chosen) == 1 else None


def _is_store(statement: Stmt, store: Assign) -> bool:
    return isinstance(statement, ExprStatement) and statement.expr is store


def _all_behind(body: Block, place: _Place, symbol: Symbol) -> bool:
    """Is nothing of the array named before the store, not even by a reference to it?"""
    behind = place.block.statements[place.position :]
    inside = {id(node) for statement in behind for node in walk(statement)}
    return all(id(node) in inside for node in walk(body) if _element_of(node) == symbol)


@final
class _Value:
    """Whether an expression depends on the thread only through some axes of its index."""

    def __init__(self, kernel: Kernel, effects: EffectsOf, axes: set[int]) -> None:
        self.axes = axes
        self.effects = effects
        self.changed = written_after_declaration(kernel.body, effects)
        self.initial = {
            variable.symbol: variable.initial
            for node in walk(kernel.body)
            if isinstance(node, Declare)
            for variable in node.variables
        }

    def depends_on_chosen(self, expr: Expr) -> bool:
        match expr:
            case Literal():
                return True
            case LaunchRef(builtin=Builtin.THREAD_INDEX, axis=axis):
                return axis in self.axes
            case LaunchRef():
                return True
            case VarRef(symbol=symbol):
                return self._variable(symbol)
            case Paren(inner=inner) | Cast(operand=inner):
                return self.depends_on_chosen(inner)
            case Unary(op="+" | "-" | "!" | "~" | "*", operand=operand):
                return self.depends_on_chosen(operand)
            case Binary(left=left, right=right):
                return self.depends_on_chosen(left) and self.depends_on_chosen(right)
            case Index(base=base, index=index):
                return self.depends_on_chosen(base) and self.depends_on_chosen(index)
            case Member(base=base):
                return self.depends_on_chosen(base)
            case Conditional(condition=condition, if_true=one, if_false=other):
                return all(self.depends_on_chosen(part) for part in (condition, one, other))
            case Call(name=name, key="", arguments=arguments) if name in PURE_FUNCTIONS:
                return all(self.depends_on_chosen(argument) for argument in arguments)
            case _:
                return False

    def _variable(self, symbol: Symbol) -> bool:
        if symbol.type.innermost.is_volatile or symbol in self.changed:
            return False
        if symbol.storage in (Storage.PARAMETER, Storage.GLOBAL):
            return True
        initial = self.initial.get(symbol)
        return symbol.storage is Storage.LOCAL and initial is not None and (
            self.depends_on_chosen(initial)
        )  # fmt: skip


def _with_value(kernel: Kernel, symbol: Symbol, place: _Place, value: Expr) -> Kernel:
    table = SymbolTable(continued=kernel.function.symbols)
    element = symbol.type.innermost
    scalar = table.declare(symbol.name, element, Storage.LOCAL)
    statement = place.block.statements[place.position]
    declared = Declare(
        (Variable(scalar, _plain(element), initial=value, initial_style="="),),
        trivia=statement.trivia,
    )

    def replacement(node: Node) -> Node | None:
        if node is statement:
            return declared
        if _element_of(node) == symbol:
            return VarRef(scalar)
        if isinstance(node, Declare) and _declares(node, symbol):
            kept = tuple(v for v in node.variables if v.symbol != symbol)
            if kept:
                return replace(node, variables=kept, form=Form.BUILT)
            return Empty(trivia=replace(node.trivia, after=""))
        return None

    return _with_body(kernel, table, rewrite(kernel.body, replacement))


def _plain(element: CType) -> str:
    return element.spelling.removeprefix("const ")


def _with_body(kernel: Kernel, table: SymbolTable, body: Block) -> Kernel:
    return replace(kernel, function=replace(kernel.function, body=body, symbols=table))
