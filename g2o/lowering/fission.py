"""Fission of a kernel at its barriers: blocks in parallel, a loop over threads per interval.

    buf[t] = x[i];            for (int t = 0; t < int(block.x); ++t)
    __syncthreads();              buf[t] = x[i];
    y[i] = buf[n - t];   ->   for (int t = 0; t < int(block.x); ++t)
                                  y[i] = buf[n - t];

Legal because threads of one interval see nothing of each other, so they may run in any order, and
because every thread finishes an interval before any enters the next. (Stratton et al., "MCUDA",
LCPC 2008; Moses et al., "High-Performance GPU-to-CPU Transpilation and Optimization via
High-Level Parallel Constructs", PPoPP 2023.)
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.analysis.uniformity import solve_uniformity
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    AXES,
    Assign,
    Binary,
    Builtin,
    Call,
    Code,
    Expr,
    Index,
    InitList,
    Literal,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
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
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.lowering.context import LoweringContext, bound_for, product, substitute
from g2o.lowering.flat import ZERO, block_loops, dimensions, thread_loops, without_returns
from g2o.lowering.guards import Limit, returning_guard, split_guard
from g2o.lowering.indices import (
    IndexNames,
    block_of,
    find_aliases,
    name_indices,
    remove_aliases,
    substitute_indices,
    written_after_declaration,
)
from g2o.lowering.intervals import (
    Interval,
    IntervalBuilder,
    Item,
    Once,
    Structured,
    intervals_in,
    structured_in,
)
from g2o.lowering.privates import PrivateAnalysis, Privates
from g2o.lowering.shared import hoist_shared
from g2o.lowering.simd import may_vectorise
from g2o.lowering.single_declarations import split_declarations

_CONTINUE_BLOCK = Jump(JumpKind.CONTINUE)


def lower_blocks(context: LoweringContext, body: Block) -> Block:
    """Lower a kernel whose threads share memory or wait for each other."""
    body = split_declarations(body)
    shared, body = hoist_shared(context, body)
    return BlockFission(context, body, shared).lower()


@final
class BlockFission:
    def __init__(self, context: LoweringContext, body: Block, shared: list[Stmt]) -> None:
        self.context = context
        self.shared = shared
        aliases = find_aliases(body.statements, context.effects, body)
        self.names: IndexNames = name_indices(
            context.axes, aliases if context.optimisation else {}, context.symbols
        )
        statements = remove_aliases(body.statements, self.names)
        self.body = block_of(statements)
        self.threads = {
            axis: self.names.symbols[Builtin.THREAD_INDEX, axis]
            for axis in self.names.axes(Builtin.THREAD_INDEX)
        }
        self.returns_from_block = False
        self.done: Symbol | None = None

    def lower(self) -> Block:
        context = self.context
        rewritten = self._with_indices(self.body)
        varying = set(self.threads.values())
        uniformity = solve_uniformity(rewritten, Scope.BLOCK, context.effects, varying)
        described = {s: f"threadIdx.{AXES[axis]}" for axis, s in self.threads.items()}
        builder = IntervalBuilder(uniformity, context.effects, Scope.BLOCK, described)
        items = builder.build(rewritten.statements)
        written = written_after_declaration(rewritten, context.effects)
        self.written = written
        self.once = builder.once_symbols
        never_written = self._constant_memory()
        analysis = PrivateAnalysis(items, context.effects, self.once, written, never_written)
        self.privates: Privates = analysis.solve()
        self.arrays = {symbol: self._array(symbol) for symbol in self.privates.kept}
        self.items = items
        self.last = max((i.number for i in intervals_in(items)), default=0)
        self._plan_guards()
        allocations = [self._allocation(symbol) for symbol in self.privates.kept]
        emitted = self._items(items, in_loop=False)
        whole = (*self.shared, *allocations, *self._done_flags(), *emitted)
        if self.returns_from_block:
            name = context.symbols.fresh("run_block", INT, Storage.BLOCK)
            indices = [
                self.names.symbols[Builtin.BLOCK_INDEX, axis]
                for axis in self.names.axes(Builtin.BLOCK_INDEX)
            ]
            arguments = ", ".join(symbol.name for symbol in indices)
            function = LocalFunction(name.name, tuple(indices), block_of(whole))
            call = Text((f"{name.name}({arguments});",))
            return block_of((function, *block_loops(context, self.names, (call,)).statements))
        return block_loops(context, self.names, whole)

    def _with_indices(self, body: Block) -> Block:
        values: dict[tuple[Builtin, int], Expr] = {
            key: VarRef(symbol) for key, symbol in self.names.symbols.items()
        }
        result = substitute_indices(body, values, dimensions(self.context))
        assert isinstance(result, Block)
        return result

    def _constant_memory(self) -> set[Symbol]:
        """Parameters through which nobody writes while the kernel runs."""
        found: set[Symbol] = set()
        for parameter in self.context.kernel.function.parameters:
            ctype = parameter.type
            pointee = ctype.element
            if ctype.kind is TypeKind.POINTER and ctype.is_restrict and pointee is not None:
                if pointee.is_const and parameter not in self.written:
                    found.add(parameter)
        return found

    # -- threads that have left -----------------------------------------------------------------

    def _plan_guards(self) -> None:
        """What keeps threads that have returned out of later intervals."""
        self.guards: dict[int, list[Stmt]] = {}
        loops = [
            (s.first_interval, max((i.number for p in s.parts for i in intervals_in(p)), default=0))
            for s in structured_in(self.items)
            if isinstance(s.statement, (For, While, DoWhile))
        ]
        guards: list[tuple[int, Stmt]] = []
        for interval in intervals_in(self.items):
            for statement in interval.statements:
                if not any(isinstance(node, Return) for node in walk(statement)):
                    continue
                looping = any(first <= interval.number <= last for first, last in loops)
                if interval.number == self.last and not looping:
                    continue
                condition = returning_guard(statement)
                if condition is not None and not looping and self._is_repeatable(condition):
                    guards.append((interval.number, If(condition, _CONTINUE_BLOCK)))
                else:
                    self._use_done()
        for interval in intervals_in(self.items):
            found = [guard for number, guard in guards if number < interval.number]
            if self.done is not None:
                found.append(If(self._at_thread(self.done), _CONTINUE_BLOCK))
            self.guards[interval.number] = found

    def _use_done(self) -> None:
        if self.done is None:
            self.done = self.context.symbols.fresh("done", BOOL, Storage.LOCAL)

    def _done_flags(self) -> list[Stmt]:
        if self.done is None:
            return []
        parts: tuple[str | Expr, ...] = (
            "g2o::thread_array<bool> ", VarRef(self.done), "(", self._thread_count(), ");",
        )  # fmt: skip
        clear = ExprStatement(Assign("=", self._at_thread(self.done), Literal("false")))
        return [Text(parts), self._loops((clear,))]

    def _is_repeatable(self, condition: Expr) -> bool:
        found = self.context.effects.of(condition)
        if not found.is_pure or found.memory_reads or found.reads & self.written:
            return False
        kept = set(self.privates.kept)
        return all(
            s not in kept or s not in self.written for s in symbols_in(condition)
        ) and not any(isinstance(node, Call) for node in walk(condition))

    # -- private arrays -------------------------------------------------------------------------

    def _thread_axes(self) -> list[int]:
        return sorted(self.threads)

    def _thread_count(self) -> Expr:
        count: Expr = Literal("1", 1, INT)
        for axis in self._thread_axes():
            count = product(count, self.context.extent(Builtin.BLOCK_DIM, axis))
        return count

    def _constant_shape(self) -> list[str] | None:
        """Extents of a block from the outermost axis in, where all are constants."""
        shape = [
            self.context.constant_extent(Builtin.BLOCK_DIM, axis) for axis in self._thread_axes()
        ]
        known = [extent for extent in shape if extent is not None]
        return known[::-1] if len(known) == len(shape) and known else None

    def _at_thread(self, symbol: Symbol, first: bool = False) -> Expr:
        """The element of a private array that belongs to the current (or the first) thread."""
        axes = self._thread_axes()
        values: list[Expr] = [ZERO if first else VarRef(self.threads[axis]) for axis in axes]
        shape = self._constant_shape()
        if not axes:
            return Index(VarRef(symbol), ZERO, symbol.type)
        if shape is not None and symbol is not self.done:
            result: Expr = VarRef(symbol)
            for value in reversed(values):
                result = Index(result, value, symbol.type)
            return result
        if first:
            return Index(VarRef(symbol), ZERO, symbol.type)
        linear = values[-1]
        for position in range(len(axes) - 2, -1, -1):
            extent = self.context.extent(Builtin.BLOCK_DIM, axes[position])
            linear = Binary("+", Binary("*", linear, extent, INT), values[position], INT)
        return Index(VarRef(symbol), linear, symbol.type)

    def _array(self, symbol: Symbol) -> Symbol:
        return replace(symbol, storage=Storage.BLOCK)

    def _allocation(self, symbol: Symbol) -> Stmt:
        variable = self.privates.declarations[symbol]
        element = element_type(variable)
        shape = self._constant_shape()
        if shape is not None:
            extents = "".join(f"[{extent}]" for extent in shape)
            suffix = extents + variable.suffix
            base = element if not variable.suffix else element
            array = Variable(self.arrays[symbol], base, suffix, extents=variable.extents)
            return Declare((array,))
        spelled = element + variable.suffix
        return Text((f"g2o::thread_array<{spelled}> {symbol.name}(", self._thread_count(), ");"))

    def _privatise(self, node: Node, first: bool = False) -> Node:
        """Replace kept variables by their elements."""
        if not self.arrays:
            return node
        values: dict[Symbol, Expr] = {
            symbol: self._at_thread(array, first) for symbol, array in self.arrays.items()
        }

        def replacement(inner: Node) -> Node | None:
            match inner:
                case VarRef(symbol=symbol) if symbol in values:
                    return values[symbol]
                case Declare(variables=(variable,)) if variable.symbol in values:
                    return self._initialise(inner, variable, values[variable.symbol], values)
                case _:
                    return None

        return rewrite(node, replacement)

    def _initialise(
        self, declare: Declare, variable: Variable, place: Expr, values: dict[Symbol, Expr]
    ) -> Stmt:
        """The declaration of a kept variable becomes an assignment."""
        if variable.initial is None:
            return Empty(trivia=declare.trivia)
        initial = substitute(variable.initial, values)
        match initial:
            case InitList(elements=elements) if variable.symbol.type.kind is TypeKind.ARRAY:
                return self._fill(declare, variable, place, elements)
            case InitList() if not variable.symbol.type.is_arithmetic:
                value: Expr = Code((element_type(variable), initial))
            case InitList(elements=(only,)):
                value = only
            case InitList(elements=()):
                value = Code((element_type(variable) + "{}",))
            case _:
                assert not isinstance(initial, Stmt)
                value = initial
                if variable.initial_style == "(" and variable.symbol.type.kind is TypeKind.RECORD:
                    value = Code((element_type(variable) + "(", initial, ")"))
        return ExprStatement(Assign("=", place, value), trivia=declare.trivia)

    def _fill(
        self, declare: Declare, variable: Variable, place: Expr, elements: tuple[Expr, ...]
    ) -> Stmt:
        zero = not elements or (len(elements) == 1 and integer_value(elements[0]) == 0)
        zero = zero or (
            len(elements) == 1
            and isinstance(elements[0], Literal)
            and elements[0].text.strip("0.fFlL") == ""
        )
        if not zero or variable.symbol.type.extent is None:
            raise refuse(
                "G2O0201", f"initialiser of '{variable.symbol.name}', which lives across a barrier",
                variable.span,
            )  # fmt: skip
        innermost = variable.symbol.type.innermost.spelling
        parts: tuple[str | Expr, ...] = (
            "std::memset(", place, ", 0, sizeof(", place, "));",
        ) if variable.symbol.type.innermost.is_arithmetic else (
            "std::fill_n(", place, f", {variable.symbol.type.extent}, {innermost}());",
        )  # fmt: skip
        return Text(parts, trivia=declare.trivia)

    # -- emission -------------------------------------------------------------------------------

    def _items(self, items: list[Item], in_loop: bool) -> list[Stmt]:
        result: list[Stmt] = []
        for item in items:
            match item:
                case Interval():
                    result.extend(self._interval(item))
                case Once(statement=statement):
                    result.append(self._first(statement))
                case Structured():
                    result.append(self._structured(item, in_loop))
        return result

    def _first(self, node: Stmt) -> Stmt:
        done = self._privatise(node, first=True)
        assert isinstance(done, Stmt)
        return done

    def _control(self, node: Expr) -> Expr:
        done = self._privatise(node, first=True)
        assert not isinstance(done, Stmt)
        return done

    def _structured(self, item: Structured, in_loop: bool) -> Stmt:
        statement = item.statement
        trivia = statement.trivia
        match statement:
            case Return():
                if in_loop:
                    self.returns_from_block = True
                    return Return(trivia=trivia)
                return Jump(JumpKind.CONTINUE, trivia=trivia)
            case Jump():
                return statement
            case Block():
                return Block(tuple(self._items(item.parts[0], in_loop)), trivia=trivia)
            case If(condition=condition, then=then):
                if returning_guard(statement) is not None:
                    leave: Stmt = Jump(JumpKind.CONTINUE)
                    if in_loop:
                        self.returns_from_block = True
                        leave = Return()
                    return If(self._control(condition), leave, trivia=trivia)
                bodies = [self._body(part, in_loop) for part in item.parts]
                del then
                otherwise = bodies[1] if len(bodies) > 1 else None
                return If(self._control(condition), bodies[0], otherwise, trivia=trivia)
            case For(initial=initial, condition=condition, increment=increment):
                return For(
                    None if initial is None else self._first(initial),
                    None if condition is None else self._control(condition),
                    None if increment is None else self._control(increment),
                    self._body(item.parts[0], True),
                    trivia=trivia,
                )
            case While(condition=condition):
                body = self._body(item.parts[0], True)
                return While(self._control(condition), body, trivia=trivia)
            case DoWhile(condition=condition):
                body = self._body(item.parts[0], True)
                return DoWhile(body, self._control(condition), trivia=trivia)
            case Switch(condition=condition):
                body = self._body(item.parts[0], True)
                return Switch(self._control(condition), body, trivia=trivia)
            case Labelled(label=label, value=value):
                inner = self._items(item.parts[0], in_loop)
                body = inner[0] if len(inner) == 1 else block_of(inner)
                return Labelled(label, value, body, trivia=trivia)
            case Exchange():
                raise refuse("G2O0205", "operation between the threads of a block", statement.span)
            case _:
                raise refuse("G2O0203", "control flow with a barrier", statement.span)

    def _body(self, part: list[Item], in_loop: bool) -> Stmt:
        return block_of(self._items(part, in_loop))

    def _interval(self, interval: Interval) -> list[Stmt]:
        statements = [self._privatised(s) for s in interval.statements]
        statements = [s for s in statements if not isinstance(s, Empty) or s.trivia.before]
        again = self.privates.again.get(interval.number, [])
        guards = self.guards.get(interval.number, [])
        if all(isinstance(statement, Empty) for statement in statements):
            return statements
        repeated = [self._privatised(declare) for declare in again]
        if self.done is not None:
            statements = [self._record_done(s, interval) for s in statements]
        if not guards and len(statements) == 1:
            special = self._guarded(statements[0], repeated)
            if special is not None:
                return special
        guard_statements = [self._privatised(guard) for guard in guards]
        needed = self._needed_first(repeated, guard_statements)
        body = (*needed, *guard_statements, *(r for r in repeated if r not in needed), *statements)
        body, functions = without_returns(self.context, tuple(body), list(self.threads.values()))
        return [*functions, self._loops(body)]

    def _needed_first(self, repeated: list[Stmt], guards: list[Stmt]) -> list[Stmt]:
        named: set[Symbol] = set()
        for guard in guards:
            named |= symbols_in(guard)
        result: list[Stmt] = []
        for statement in reversed(repeated):
            if isinstance(statement, Declare) and statement.variables[0].symbol in named:
                result.append(statement)
                named |= symbols_in(statement)
        result.reverse()
        return result

    def _record_done(self, statement: Stmt, interval: Interval) -> Stmt:
        assert self.done is not None
        flag = ExprStatement(Assign("=", self._at_thread(self.done), Literal("true")))

        def replacement(node: Node) -> Node | None:
            return block_of((flag, Return())) if isinstance(node, Return) else None

        return rewrite(statement, replacement)

    def _privatised(self, statement: Stmt) -> Stmt:
        result = self._privatise(statement)
        assert isinstance(result, Stmt)
        return result

    def _loops(self, body: tuple[Stmt, ...] | list[Stmt]) -> Stmt:
        body = tuple(body)
        simd = bool(self.threads) and may_vectorise(block_of(body))
        return thread_loops(self.context, self.names, body, simd)

    # -- one condition around everything ----------------------------------------------------------

    def _guarded(self, statement: Stmt, repeated: list[Stmt]) -> list[Stmt] | None:
        """`if (t == 0) s` needs no loop; `if (t < limit) s` is a shorter one."""
        if self.context.optimisation < 2 or not isinstance(statement, If):
            return None
        if statement.otherwise is not None or any(
            isinstance(node, (Return, Jump)) for node in walk(statement.then)
        ):
            return None
        fixed = self._fixed_threads(statement.condition)
        body = (*repeated, *statements_of(statement.then))
        if fixed is not None and fixed.keys() == set(self.threads.values()):
            done = substitute(block_of(body), dict(fixed))
            assert isinstance(done, Block)
            first, *rest = done.statements or (Empty(),)
            merged = replace(
                first,
                trivia=replace(
                    first.trivia, before=(*statement.trivia.before, *first.trivia.before)
                ),
            )
            declares = any(isinstance(s, Declare) for s in done.statements)
            flat = (merged, *rest)
            return [block_of(flat)] if declares else list(flat)
        limits, others = split_guard(
            statement.condition, set(self.threads.values()), self._invariant, negate=False
        )
        if not limits or others:
            return None
        return [self._limited(self._by_axis(limits), body, statement)]

    def _fixed_threads(self, condition: Expr) -> dict[Symbol, Expr] | None:
        """`t == 0` (and `ty == 0`, ...): the thread that the condition picks."""
        found: dict[Symbol, Expr] = {}
        pending = [condition]
        while pending:
            match strip_parens(pending.pop()):
                case Binary(op="&&", left=left, right=right):
                    pending.extend((left, right))
                case Binary(op="==", left=left, right=right):
                    index, value = strip_parens(left), strip_parens(right)
                    if not isinstance(index, VarRef):
                        index, value = value, index
                    if not isinstance(index, VarRef) or index.symbol not in self.threads.values():
                        return None
                    if integer_value(value) != 0:
                        return None
                    found[index.symbol] = ZERO
                case Unary(op="!", operand=operand):
                    index = strip_parens(operand)
                    if not isinstance(index, VarRef) or index.symbol not in self.threads.values():
                        return None
                    found[index.symbol] = ZERO
                case _:
                    return None
        return found

    def _invariant(self, expr: Expr) -> bool:
        found = self.context.effects.of(expr)
        if not found.is_pure or found.memory_reads:
            return False
        return not any(
            symbol.storage is Storage.LOCAL
            and symbol not in self.once
            or symbol in self.threads.values()
            for symbol in symbols_in(expr)
        )

    def _by_axis(self, limits: list[Limit]) -> dict[int, tuple[Expr, list[Expr]]]:
        """Lower bound and upper limits for each axis that has some."""
        result: dict[int, tuple[Expr, list[Expr]]] = {}
        for axis, index in self.threads.items():
            lower: Expr = ZERO
            upper: list[Expr] = []
            for limit in limits:
                if limit.index != index:
                    continue
                if limit.op == "<":
                    upper.append(limit.limit)
                elif lower is ZERO:
                    lower = non_negative(limit.limit, index)
                else:
                    lower = Code(("std::max(", lower, ", ", limit.limit, ")"), type=index.type)
            if upper or lower is not ZERO:
                result[axis] = (lower, upper)
        return result

    def _limited(
        self, limits: dict[int, tuple[Expr, list[Expr]]], body: tuple[Stmt, ...], statement: If
    ) -> Stmt:
        nest: Stmt = block_of(body)
        simd = may_vectorise(nest)
        for position, axis in enumerate(self._thread_axes()):
            index = self.threads[axis]
            extent = self.context.extent(Builtin.BLOCK_DIM, axis)
            lower, upper = limits.get(axis, (ZERO, []))
            bound = bound_for(index.type, extent)
            for number, limit in enumerate(upper):
                bound = self._at_most(limit, extent if number == 0 else bound, index.type)
            pragma = "omp simd" if simd and position == 0 else ""
            nest = CountedLoop(index, lower, bound, nest, pragma)
        return replace(nest, trivia=statement.trivia)

    def _at_most(self, limit: Expr, extent: Expr, ctype: CType) -> Expr:
        if self._within_block(limit, extent):
            return limit
        same = limit.type.spelling.replace("const ", "") == "int" and ctype.is_signed
        if same:
            return Code(("std::min(", limit, ", ", bound_for(ctype, extent), ")"), type=INT)
        wide = (
            "std::size_t"
            if limit.type.bits > 32 and not limit.type.is_signed
            else ("long long" if limit.type.bits > 32 else ctype.spelling)
        )
        least = Code((f"std::min<{wide}>(", limit, ", ", extent, ")"), type=ctype)
        return bound_for(ctype, replace(least, type=replace(ctype, is_signed=wide != "unsigned")))

    def _within_block(self, limit: Expr, extent: Expr) -> bool:
        """Is the limit known never to exceed the number of threads?"""
        value, count = integer_value(limit), integer_value(extent)
        if value is not None and count is not None:
            return value <= count
        bare = strip_parens(limit)
        if isinstance(bare, Literal) and isinstance(extent, Literal):
            return bare.text == extent.text
        if not isinstance(bare, VarRef):
            return False
        return any(
            halving_from(structured.statement, bare.symbol, extent)
            for structured in structured_in(self.items)
        )


def non_negative(limit: Expr, index: Symbol) -> Expr:
    """A lower limit as the start of a loop from zero upwards."""
    if isinstance(limit, Literal) or not limit.type.is_signed:
        return limit
    return Code((f"std::max<{index.type.spelling}>(", limit, ", 0)"), type=index.type)


def halving_from(statement: Stmt, symbol: Symbol, extent: Expr) -> bool:
    """Does the loop only take `symbol` from (a part of) `extent` downwards?

    for (int s = blockDim.x / 2; s > 0; s >>= 1)
    """
    match statement:
        case For(initial=Declare(variables=(variable,)), increment=increment):
            initial = variable.initial
        case For(
            initial=ExprStatement(expr=Assign(op="=", target=VarRef(), value=initial) as set_)
        ):
            if not isinstance(set_.target, VarRef) or set_.target.symbol != symbol:
                return False
            variable, increment = None, statement.increment
        case _:
            return False
    if variable is not None and variable.symbol != symbol:
        return False
    if initial is None or increment is None or not _is_part_of(initial, extent):
        return False
    match strip_parens(increment):
        case Assign(op=">>=" | "/=" | "-=", target=VarRef(symbol=changed)):
            falls = changed == symbol
        case Assign(op="=", target=VarRef(symbol=changed), value=value):
            falls = changed == symbol and _is_part_of(value, VarRef(symbol))
        case Unary(op="--", operand=VarRef(symbol=changed)):
            falls = changed == symbol
        case _:
            falls = False
    return falls and not _assigned_in(statement, symbol)


def _is_part_of(expr: Expr, whole: Expr) -> bool:
    """Is `expr` the whole, or the whole divided by a constant or less a constant?"""
    bare = strip_parens(expr)
    if bare == whole or strip_parens(whole) == bare:
        return True
    if isinstance(bare, Literal) and isinstance(whole, Literal):
        return bare.text == whole.text
    match bare:
        case Binary(op="/" | ">>", left=left, right=right):
            value = integer_value(right)
            return value is not None and value >= 0 and _is_part_of(left, whole)
        case Binary(op="-", left=left, right=right):
            value = integer_value(right)
            return value is not None and value >= 0 and _is_part_of(left, whole)
        case _:
            return False


def _assigned_in(loop: Stmt, symbol: Symbol) -> bool:
    body = loop.body if isinstance(loop, For) else loop
    return any(
        isinstance(node, (Assign, Unary))
        and isinstance(target := node.target if isinstance(node, Assign) else node.operand, VarRef)
        and target.symbol == symbol
        and (isinstance(node, Assign) or node.op in ("++", "--", "&"))
        for node in walk(body)
    )


def element_type(variable: Variable) -> str:
    """The type of a kept variable's elements, without `const`."""
    declared = variable.declared
    if "auto" in declared.split():
        declared = variable.symbol.type.innermost.spelling
    words = [word for word in declared.split() if word not in ("const", "constexpr", "register")]
    text = " ".join(words)
    if variable.symbol.type.kind is TypeKind.POINTER and "const" in declared.split():
        return variable.symbol.type.spelling.removesuffix("const").strip()
    return text
