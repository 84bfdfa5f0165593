"""What is known of the device functions that kernels call, found on demand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, final

from g2o.analysis.callers import Callers
from g2o.analysis.effect_sets import Effects, FunctionEffects
from g2o.analysis.effects import EffectsOf, root_symbol, symbols_in
from g2o.analysis.pure_functions import is_pure
from g2o.analysis.straight_line import is_arithmetic_function
from g2o.ir.expressions import (
    LAUNCH,
    Assign,
    Binary,
    Builtin,
    Call,
    Code,
    Index,
    InitList,
    LaunchRef,
    Member,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, Node
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind, unqualified

if TYPE_CHECKING:
    from g2o.frontend.cuda.program import Program

_BLOCK_OPERATIONS = frozenset(
    {"__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"}
)
_GROUP = re.compile(r"\b(thread_block(_tile)?|(thread|grid|coalesced)_group)\b")
_GROUP_METHODS = frozenset(
    {"sync", "thread_rank", "shfl", "shfl_down", "shfl_up", "shfl_xor", "ballot", "any", "all"}
    | {"meta_group_rank", "thread_index", "group_index", "num_threads", "match_any"}
)
_GROUP_FUNCTIONS = frozenset(
    {"sync", "thread_rank", "group_size", "reduce", "inclusive_scan", "exclusive_scan"}
    | {"wait", "wait_prior", "tiled_partition", "labeled_partition"}
)
_ASYNC_METHODS = frozenset(
    {"arrive", "wait", "arrive_and_wait", "arrive_and_drop", "producer_acquire", "producer_commit"}
    | {"consumer_wait", "consumer_release"}
)
_ASYNC_FUNCTIONS = frozenset({"memcpy_async", "init", "make_pipeline"})
_ASYNC_PREFIXES = ("__pipeline_", "pipeline_")
"""Of CUDA's asynchronous copies, and what waits for them: it only means something in a kernel."""
_VALUES = frozenset(
    {TypeKind.VOID, TypeKind.BOOL, TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.POINTER}
    | {TypeKind.RECORD}
)
_STEPS = 3  # of a reduction, from which on a function is taken to do it
_LANE_FUNCTIONS = frozenset(
    {"__activemask", "LaneId", "WarpId"}
    | {"this_thread_block", "this_grid", "tiled_partition", "coalesced_threads"}
)
"""What they give is known to nobody but the threads that call them."""


def functions_of(program: Program) -> FunctionTable:
    """The device functions of a program."""
    known = program.function, program.constant_functors, program.methods, program.own_classes
    return FunctionTable(*known)


@final
class FunctionTable:
    """Bodies and effects of device functions, by key. `body_of` builds a body, or gives None;
    `methods_of` gives the keys of the methods of a type, by the spelling of the type and a name.
    `own_classes` gives the names of the program's classes whose methods devices call. With `is_c`
    nothing is handed by reference."""

    def __init__(
        self,
        body_of: Callable[[str], Function | None],
        constant_functors: bool = False,
        methods_of: Callable[[str, str], tuple[str, ...]] | None = None,
        own_classes: Callable[[], frozenset[str]] = frozenset,
        *,
        is_c: bool = False,
    ) -> None:
        self._body_of = body_of
        self.own_classes = own_classes
        self.is_c = is_c
        self._methods_of = methods_of
        self._constant_functors = constant_functors
        self.callers = Callers()
        self._effects: dict[str, FunctionEffects] = {}
        self._in_progress: set[str] = set()
        self._last: tuple[Node, EffectsOf] | None = None
        self._cut: set[str] = set()  # recursive calls that were met while they were in progress

    def body(self, key: str) -> Function | None:
        return self._body_of(key) if key and "|" not in key else None

    def methods(self, record: str, name: str) -> tuple[str, ...]:
        """The keys of what a call of a method may mean; none where the type is not known. Without
        `record`, of what the call of a function by its name may mean."""
        return self._methods_of(record, name) if self._methods_of is not None else ()

    def effects(self, key: str) -> FunctionEffects | None:
        """Effects of calling the function, or None where its body is not known."""
        if key == LAUNCH:
            return FunctionEffects(gives_reference=False)  # anything, with copies of its arguments
        known = self._effects.get(key)
        if known is not None:
            return known
        if key in self._in_progress:
            self._cut.add(key)
            return None  # recursion: not known yet
        function = self.body(key)
        if function is None:
            return None
        self._in_progress.add(key)
        try:
            found = self._summarise(function)
        finally:
            self._in_progress.discard(key)
        self._cut.discard(key)
        if not self._cut:
            self._effects[key] = found
        return found

    def for_node(self, node: Node) -> EffectsOf:
        """Effects of code, with all that it calls looked up; passes ask for the same code again."""
        if self._last is not None and self._last[0] is node and not self._in_progress:
            return self._last[1]
        found = EffectsOf(self._called_in(node), self._constant_functors, node, is_c=self.is_c)
        if not self._in_progress:
            self._last = node, found
        return found

    def for_more(self, around: EffectsOf, known: Block, more: Block) -> EffectsOf:
        """Effects of the code `known`, of which they are `around`, and of more together."""
        table = around.functions | self._called_in(more)
        body = Block((known, more))
        return EffectsOf(table, self._constant_functors, body, (around, more), is_c=self.is_c)

    def _called_in(self, node: Node) -> dict[str, FunctionEffects]:
        table: dict[str, FunctionEffects] = {}
        for inner in walk(node):
            if isinstance(inner, Call) and inner.key:
                for key in inner.key.split("|"):
                    found = self.effects(key)
                    if found is not None:
                        table[key] = found
        return table

    def _summarise(self, function: Function) -> FunctionEffects:
        effects_of = self.for_node(function.body)
        effects = effects_of.of(function.body)
        reads_thread = reads_block = barrier = exchange = atomics = shared = dims = False
        fence = False
        if any(_GROUP.search(one.type.spelling) for one in function.parameters):
            reads_thread = True  # in a template nobody knows what the group is asked
        if any(_asks_a_group(node, function) for node in walk(function.body)):
            reads_thread = exchange = True
        given = [one for one in function.defaults if one is not None]  # as where it is called
        for node in (inner for part in (function.body, *given) for inner in walk(part)):
            match node:
                case LaunchRef(builtin=builtin):
                    reads_thread = reads_thread or builtin is Builtin.THREAD_INDEX
                    reads_block = reads_block or builtin is Builtin.BLOCK_INDEX
                    dims = dims or builtin in (Builtin.BLOCK_DIM, Builtin.GRID_DIM)
                case VarRef(symbol=symbol):
                    shared = shared or symbol.storage is Storage.DYNAMIC_SHARED
                case Declare(variables=variables):
                    kinds = (Storage.SHARED, Storage.DYNAMIC_SHARED)
                    shared = shared or any(v.symbol.storage in kinds for v in variables)
                case Call():
                    reads_thread = reads_thread or node.name in _LANE_FUNCTIONS
                    barrier = barrier or node.name in _BLOCK_OPERATIONS
                    exchange = exchange or is_exchange(node) or _is_asynchronous(node)
                    fence = fence or (node.is_cuda and node.name == "__threadfence_block")
                    for key in node.key.split("|"):
                        callee = effects_of.functions.get(key)
                        if callee is not None:
                            reads_thread = reads_thread or callee.reads_thread
                            reads_block = reads_block or callee.reads_block
                            barrier = barrier or callee.has_barrier
                            exchange = exchange or callee.has_exchange
                            shared = shared or callee.has_shared
                            dims = dims or callee.reads_dimensions
                            atomics = atomics or callee.has_atomics
                case _:
                    pass
        reads = _Through(function, effects.memory_reads)
        writes = _Through(function, effects.memory_writes)
        changed = effects.writes | effects.memory_writes
        led_into = _led_into(function.body, effects_of.functions)
        this = function.receiver
        writes_receiver = this is not None and (this in changed or writes.elsewhere)
        lockstep = (
            any(
                parameter.type.element is not None and parameter.type.element.is_volatile
                for parameter in function.parameters
            )
            or (fence and bool(reads.parameters & writes.parameters))
            or _works_in_step(function)
        )
        return FunctionEffects(
            reads_thread=reads_thread,
            reads_block=reads_block,
            has_barrier=barrier,
            has_exchange=exchange,
            has_shared=shared or lockstep,
            reads_dimensions=dims,
            reads_elsewhere=reads.elsewhere,
            writes_elsewhere=writes.elsewhere,
            has_atomics=atomics or effects.side_effects,
            references=frozenset(
                position
                for position, parameter in enumerate(function.parameters)
                if parameter.type.kind in (TypeKind.REFERENCE, TypeKind.OTHER)
            ),
            gives_reference=function.result.kind not in _VALUES,
            written_parameters=frozenset(
                position
                for position, parameter in enumerate(function.parameters)
                if self._is_changed(function, parameter, effects, writes, led_into)
            ),
            reads_through=reads.parameters,
            writes_through=writes.parameters,
            is_method=function.receiver is not None,
            writes_receiver=writes_receiver,
            hands_out_object=this is None or _hands_out(this, function, effects_of.functions),
            changes_object=writes_receiver and self._changes_object(function),
            is_arithmetic=not (effects.side_effects or reads.elsewhere or writes.elsewhere)
            and is_arithmetic_function(function, effects_of.functions),
        )

    def _is_changed(
        self,
        function: Function,
        parameter: Symbol,
        effects: Effects,
        writes: _Through,
        led_into: set[Symbol],
    ) -> bool:
        """May what a parameter refers to be written, and not only memory that it leads to?
        `led_into` are variables of which calls give parts."""
        if parameter.type.kind is not TypeKind.REFERENCE:
            return False
        if writes.elsewhere and parameter in led_into:
            return True
        position = function.parameters.index(parameter)
        changed = effects.writes | effects.memory_writes
        if parameter not in changed and position not in writes.parameters:
            return False
        record = parameter.type.element
        if record is None or record.kind is not TypeKind.RECORD:
            return True
        whole = VarRef(Symbol(parameter.id, parameter.name, record, Storage.LOCAL))
        body = rewrite(
            function.body,
            lambda node: whole if isinstance(node, VarRef) and node.symbol == parameter else None,
        )
        return parameter in self.for_node(body).of(body).writes

    def _changes_object(self, function: Function) -> bool:
        """Does a method change the object itself, and not only memory that it leads to?

        void lock() { while (atomicCAS(mutex, 0, 1) != 0); }    // the pointer stays
        """
        this = function.receiver
        record = None if this is None else this.type.element
        if this is None or record is None:
            return True
        whole = VarRef(Symbol(this.id, this.name, record, Storage.LOCAL))

        def as_variable(node: Node) -> Node | None:
            match node:
                case Member(base=VarRef(symbol=symbol)) if symbol == this:
                    return Member(whole, node.name, False, node.type)
                case Unary(op="*", operand=VarRef(symbol=symbol)) if symbol == this:
                    return whole
                case VarRef(symbol=symbol) if symbol == this:
                    return Unary("&", whole, type=this.type)
                case _:
                    return None

        body = rewrite(function.body, as_variable)
        return this in self.for_node(body).of(body).writes


@final
class _Through:
    """Through which parameters of a function memory is reached.

    A local pointer that is only ever initialised, or moved along, stays in the memory that its
    initialiser points to.
    """

    def __init__(self, function: Function, roots: set[Symbol | None]) -> None:
        self.elsewhere = False
        found: set[int] = set()
        origins = _local_origins(function)
        positions = {parameter: index for index, parameter in enumerate(function.parameters)}
        for symbol in roots:
            root = symbol
            while root is not None and root in origins:
                root = origins[root]
            if root is None:
                self.elsewhere = True
            elif root in positions:
                found.add(positions[root])
            elif root != function.receiver and not _is_own(root):
                self.elsewhere = True
        self.parameters = frozenset(found)


def _led_into(body: Node, functions: Mapping[str, FunctionEffects]) -> set[Symbol]:
    """Variables of which calls may give a part, to be written there: `s[i] = x`, `s.data()[i] = x`
    of a class with such methods."""
    found: set[Symbol] = set()
    for node in walk(body):
        if isinstance(node, Call) and not node.is_cuda:
            known = [functions.get(key) for key in node.key.split("|")]
            if node.type.is_indirect or any(one is None or one.gives_reference for one in known):
                found |= symbols_in(node)
    return found


def _works_in_step(function: Function) -> bool:
    """Does it look like the last steps of a reduction by one warp?

    s[t] += s[t + 16]; s[t] += s[t + 8]; ... with the array and the thread as parameters.
    """
    steps = 0
    for node in walk(function.body):
        target = node.target if isinstance(node, Assign) else None
        if not isinstance(target, Index) or not isinstance(target.base, VarRef):
            continue
        own = strip_parens(target.index)
        if target.base.symbol not in function.parameters or not isinstance(own, VarRef):
            continue
        if own.symbol not in function.parameters or own.symbol.type.kind is not TypeKind.INTEGER:
            continue
        steps += any(
            isinstance(inner, Index)
            and inner.base == target.base
            and isinstance(shifted := strip_parens(inner.index), Binary)
            and strip_parens(shifted.left) == own
            for inner in walk(node)
        )
    return steps >= _STEPS


def _is_own(symbol: Symbol) -> bool:
    """Is it memory that is gone when the function returns?"""
    return symbol.storage is Storage.LOCAL and (
        symbol.type.kind is TypeKind.ARRAY or symbol.type.is_arithmetic
    )


def _local_origins(function: Function) -> dict[Symbol, Symbol | None]:
    """Local pointers and references -> the variable through which their target was reached."""
    origins: dict[Symbol, Symbol | None] = {}
    for node in walk(function.body):
        if isinstance(node, Declare):
            for variable in node.variables:
                kind = variable.symbol.type.kind
                if kind in (TypeKind.POINTER, TypeKind.REFERENCE) and variable.initial is not None:
                    origins[variable.symbol] = root_symbol(variable.initial)
    for node in walk(function.body):
        target = node.target if isinstance(node, Assign) and node.op == "=" else None
        target = node.operand if isinstance(node, Unary) and node.op == "&" else target
        if isinstance(target, VarRef) and target.symbol in origins:
            origins[target.symbol] = None
    return origins


def _asks_a_group(node: Node, function: Function) -> bool:
    """Is it a question to, or an operation of, a parameter that stands for a group of threads?

    template <typename G> __device__ int sum(G group, int v) { ... group.sync(); ... }

    The type is known where the template is used; the names of the methods say what is meant.
    """
    if not isinstance(node, Call):
        return False
    if isinstance(node.callee, Member):
        group, known = node.callee.base, node.callee.name in _GROUP_METHODS
    else:
        group = node.arguments[0] if node.arguments else None
        known = node.is_cuda and node.name in _GROUP_FUNCTIONS
    if not known or not isinstance(group, VarRef) or group.symbol not in function.parameters:
        return False
    ctype = group.symbol.type
    if ctype.kind is TypeKind.REFERENCE and ctype.element is not None:
        ctype = ctype.element
    return ctype.kind is TypeKind.DEPENDENT


def _is_asynchronous(call: Call) -> bool:
    """Does it copy asynchronously, or wait for such copies?"""
    if not call.is_cuda:
        return False
    if isinstance(call.callee, Member):
        return call.name in _ASYNC_METHODS
    return call.name in _ASYNC_FUNCTIONS or call.name.startswith(_ASYNC_PREFIXES)


def is_exchange(call: Call) -> bool:
    """Is this an operation between the threads of a warp?"""
    name = call.name
    if not call.is_cuda:
        return False
    return name.startswith(("__shfl", "__ballot", "__any", "__all", "__reduce_", "__match_")) or (
        name in ("__syncwarp", "__activemask") or name in _GROUP_METHODS
    )


def _hands_out(this: Symbol, function: Function, functions: Mapping[str, FunctionEffects]) -> bool:
    """May a pointer or reference to the object, or into it, be kept? Its members are no more than
    read and set where nothing takes their addresses. `typename Traits<T>::reference` may be one."""
    body, members = function.body, set[int]()
    parameters = set(function.template_parameters)

    def is_value(ctype: CType) -> bool:
        return ctype.kind in _VALUES or unqualified(ctype) in parameters

    if not is_value(function.result):
        return True
    for node in walk(body):
        match node:
            case Member(base=VarRef(symbol=symbol) as base, arrow=True) if symbol == this:
                if node.type.kind in (TypeKind.ARRAY, TypeKind.REFERENCE):
                    return True
                members.add(id(base))
            case Unary(op="&") | Verbatim(pure=False) | Code(pure=False):
                return True
            case Verbatim() if this in symbols_in(node):
                return True
            case InitList(elements=elements) if any(root_symbol(one) == this for one in elements):
                return True  # what holds references may be made of its members
            case Declare(variables=variables):
                if not all(is_value(one.symbol.type) for one in variables):
                    return True
            case Call():
                known = [functions.get(key) for key in node.key.split("|")]
                plain = all(one is not None and not one.references for one in known)
                if not (plain or is_pure(node)) or this in symbols_in(node.callee):
                    return True
            case _:
                pass
    return any(
        isinstance(node, VarRef) and node.symbol == this and id(node) not in members
        for node in walk(body)
    )
