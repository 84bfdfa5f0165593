"""What threads add to a window of elements around their own is gathered by each element.

    for (int y ...)                                 for (int y ...)
        for (int x ...)                                 for (int x ...) {
            for (int j = -R; j <= R; ++j)                   float sum = 0.0f;
                atomic_add(&d_u[(y + j) * w + x],   ->      for (int j = -R; j <= R; ++j)
                           k[j + R] * d_v[y * w + x]);          if (y - j is a row of threads)
                                                                    sum += k[j + R]
                                                                           * d_v[(y - j) * w + x];
                                                            d_u[y * w + x] += sum;
                                                        }

The adjoint of a convolution is the convolution with the transposed window; no addition is atomic,
and neighbours are vectors. Threads along an axis that the elements do not depend on, the channels
of the output, are a sum as well; a loop that goes from element to element, over channels of the
input, is one over elements.

Legal where nothing else in the nest names the array, where what is added depends on numbers of
iterations and on memory that the nest leaves alone but for consuming it, which stands in a loop
behind, and where no row of elements is longer than the stride of the next, so that each element is
one iteration's own: the additions are the same, in another order, which atomics leave open, too.
(Hückelheim et al., "Parallelizable adjoint stencil computations using transposed forward-mode
algorithmic differentiation", 2018.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import (
    EffectsOf,
    declared_in,
    root_symbol,
    statements_of,
    symbols_in,
)
from g2o.analysis.positions import limits_of, polynomial_of
from g2o.analysis.same_memory import SameMemory, same_memory
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    all_of,
    integer_value,
    moved_by,
    negated,
    strip_parens,
)
from g2o.ir.increments import is_increment, place_of
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Empty,
    ExprStatement,
    For,
    If,
    Jump,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Text,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import BOOL, INT, TypeKind, unqualified
from g2o.lowering.context import LoweringContext
from g2o.lowering.indices import block_of
from g2o.polyhedral.polynomial import ZERO, Polynomial

Statements = tuple[Stmt, ...]

_NOTE: Final = "// Every element gathers what the threads around it add to it."
_CONSUMED: Final = "// What was overwritten: its seeds are consumed."


@final
@dataclass(frozen=True, slots=True)
class _Counter:
    """A loop over threads, or one inside, over `[lower, last]`, as numbers and as polynomials."""

    symbol: Symbol
    lower: Expr
    upper: Expr  # behind the last one
    node: CountedLoop | For
    low: Polynomial | None
    high: Polynomial | None  # behind the last one

    @property
    def last(self) -> Expr:
        return moved_by(self.upper, -1, INT)


@final
@dataclass(frozen=True, slots=True)
class _Increment:
    """An addition inside of `loops`, from the outside in, where the `guards` hold. `handed`: what
    a thread has found in front of the loops, and the element through which it hands it on."""

    statement: Stmt
    place: Index
    value: Expr
    loops: tuple[_Counter, ...]
    guards: tuple[Expr, ...]
    handed: tuple[Symbol, Index] | None = None


@final
@dataclass(frozen=True, slots=True)
class _Axis:
    """Elements along `counter`, moved by multiples of the numbers of inner loops, and by `offset`,
    as an expression, all in all by `move`."""

    counter: _Counter
    stride: Polynomial
    moved: tuple[tuple[_Counter, int], ...]
    move: Polynomial = ZERO
    offset: Expr | None = None


def gather_windows(context: LoweringContext, statements: Statements) -> Statements:
    """The statements of a kernel with such nests of loops turned around."""
    return with_windows_gathered(statements, context.effects, context.symbols)


def with_windows_gathered(
    statements: Statements, effects: EffectsOf, symbols: SymbolTable, *, is_c: bool = False
) -> Statements:
    """The same for the statements of a function; `is_c`: what is written is C."""
    if not any(is_increment(node) for one in statements for node in walk(one)):
        return statements
    limits, memory = limits_of(statements), same_memory(statements)
    result: list[Stmt] = []
    for statement in statements:
        gathered: list[Stmt] | None = None
        if isinstance(statement, CountedLoop) and statement.directive.is_parallel:
            nest = _Nest.of(statement, effects, symbols, limits, memory, is_c)
            gathered = None if nest is None else nest.gathered()
        result += gathered or [statement]
    same = len(result) == len(statements)
    return statements if same else tuple(result)


def _name(symbol: Symbol) -> str:
    return f"{symbol.name}.{symbol.id}"


@final
class _Nest:
    """Loops over threads, directly in each other, around `body`."""

    def __init__(
        self,
        loop: CountedLoop,
        threads: tuple[_Counter, ...],
        body: Statements,
        effects: EffectsOf,
        symbols: SymbolTable,
        limits: dict[str, list[Polynomial]],
        memory: SameMemory,
        is_c: bool,
    ) -> None:
        self.effects = effects
        self.symbols = symbols
        self.is_c = is_c
        self.loop = loop
        self.threads = threads
        self.body = body
        self.limits = limits
        self.memory = memory
        self.written = written_after_declaration(block_of(body), effects)
        self.values: dict[Symbol, Expr] = {}
        self.inside = {one.symbol for one in threads}
        self.own = declared_in(block_of(body))

    @staticmethod
    def of(
        loop: CountedLoop,
        effects: EffectsOf,
        symbols: SymbolTable,
        limits: dict[str, list[Polynomial]],
        memory: SameMemory,
        is_c: bool,
    ) -> _Nest | None:
        threads: list[_Counter] = []
        body: Stmt = loop
        while isinstance(body, CountedLoop):
            low, high = _polynomial(body.lower), _polynomial(body.upper)
            named = symbols_in(body.lower) | symbols_in(body.upper)
            if body.step is not None:
                return None
            if named & {one.symbol for one in threads}:
                return None
            threads.append(_Counter(body.index, body.lower, body.upper, body, low, high))
            body = body.body
            while isinstance(body, Block) and len(body.statements) == 1:
                body = body.statements[0]
        ways_out = (Return, Labelled, LocalFunction, Text)
        if any(isinstance(node, ways_out) for node in walk(body)):
            return None
        if any(isinstance(node, Jump) for node in walk(body)):
            return None
        body = block_of(statements_of(body))
        return _Nest(loop, tuple(threads), body.statements, effects, symbols, limits, memory, is_c)

    def gathered(self) -> list[Stmt] | None:
        """The loops that do the same without atomics; None where that is not possible."""
        made: list[tuple[_Increment, Stmt | None]] = []
        for one in self._increments(self.body, (), ()):
            if one is not None:
                handed = self._handed_on(one)
                made.append((handed, self._around_elements(handed)))
        left = {root_symbol(one.place) for one, loops in made if loops is None}
        turned = [
            (one, loops)
            for one, loops in made
            if loops is not None and root_symbol(one.place) not in left
        ]
        parts = self._distributed([one for one, _ in turned]) if turned else None
        if parts is None:
            return None
        middle = [loops for _, loops in turned]
        first, last = parts
        result: list[Stmt] = [self._around(first)] if _acts(first) else []
        result += middle
        if _acts(last):
            result.append(replace(self._around(last), trivia=Trivia((_CONSUMED,))))
        return result

    # -- what there is --------------------------------------------------------------------------

    def _increments(
        self, statements: Statements, loops: tuple[_Counter, ...], guards: tuple[Expr, ...]
    ) -> Iterator[_Increment | None]:
        """The additions; None stands for one that is not understood."""
        for statement in statements:
            match statement:
                case Declare(variables=(variable,)) if variable.initial is not None:
                    if _keeps(variable) and self.effects.is_pure(variable.initial):
                        self.values[variable.symbol] = variable.initial
                case ExprStatement(expr=Call() as call) if is_increment(call):
                    place = strip_parens(place_of(call))
                    if isinstance(place, Index):
                        yield _Increment(statement, place, call.arguments[1], loops, guards)
                    else:
                        yield None
                case _ if not any(map(is_increment, walk(statement))):
                    pass
                case Block(statements=inner):
                    yield from self._increments(inner, loops, guards)
                case If(condition=condition, then=then, otherwise=None):
                    yield from self._increments(
                        statements_of(then), loops, (*guards, *_conjuncts(condition))
                    )
                case For(body=body) if (counter := self._counter(statement)) is not None:
                    self.inside.add(counter.symbol)
                    yield from self._increments(statements_of(body), (*loops, counter), guards)
                case _:
                    yield None

    def _counter(self, loop: For) -> _Counter | None:
        """A loop whose bounds are the same for all threads."""
        match loop:
            case For(
                initial=Declare(variables=(Variable(symbol=symbol, initial=lower),)),
                condition=Binary(op="<" | "<=" as op, left=VarRef(symbol=compared), right=upper),
                increment=Unary(op="++", operand=VarRef(symbol=counted)),
                shared=None,
            ) if symbol == compared == counted and lower is not None:
                pass
            case _:
                return None
        if not symbol.type.is_signed or symbol in self.effects.of(loop.body).writes:
            return None
        upper = upper if op == "<" else moved_by(upper, 1, INT)
        if not self._is_alike(lower) or not self._is_alike(upper):
            return None
        return _Counter(symbol, lower, upper, loop, _polynomial(lower), _polynomial(upper))

    def _is_alike(self, expr: Expr) -> bool:
        """Is it the same wherever the nest asks for it?"""
        found = self.effects.of(expr)
        changing = self.own | self.written | self.inside | self.effects.of_all(self.body).writes
        return found.is_pure and not found.memory_reads and not symbols_in(expr) & changing

    def _inlined(self, expr: Expr) -> Expr:
        """The expression with what the code declares put in."""

        def put(node: Node) -> Node | None:
            if isinstance(node, VarRef) and node.symbol in self.values:
                if node.symbol in self.written:
                    return None
                inner = strip_parens(self._inlined(self.values[node.symbol]))
                return inner if isinstance(inner, VarRef | Literal | Index) else Paren(inner)
            return None

        return rewrite(expr, put)

    def _is_of_iterations(self, expr: Expr) -> bool:
        """Does an inlined expression depend on numbers of iterations and on memory alone?"""
        found = self.effects.of(expr)
        named = symbols_in(expr) - self.inside
        return (
            found.is_pure
            and None not in found.memory_reads
            and not named & (self.written | self.own)
        )

    def _handed_on(self, one: _Increment) -> _Increment:
        """The addition, with what a thread has found in front of its loops read from the seed that
        the thread consumes, where it is put for that long."""
        names = {node.symbol for node in walk(one.value) if isinstance(node, VarRef)}
        local = [
            symbol for symbol in names if not self._is_of_iterations(self._inlined(VarRef(symbol)))
        ]
        match local:
            case [symbol] if symbol.type.kind is TypeKind.FLOATING:
                place = self._consumed(symbol, one)
            case _:
                return one
        if place is None:
            return one

        def with_it(there: Expr) -> Expr:
            return rewrite(
                one.value,
                lambda node: there if isinstance(node, VarRef) and node.symbol == symbol else None,
            )

        rest = (with_it(Literal("0.0", 0, symbol.type)), *one.guards)
        if root_symbol(place) in self.effects.of_all(map(self._inlined, rest)).memory_reads:
            return one
        return replace(one, value=with_it(place), handed=(symbol, place))

    def _stores(self, found: list[_Increment]) -> list[Stmt] | None:
        """What threads hand on; None where they need an element for something else as well."""
        handed = {one.handed for one in found if one.handed is not None}
        arrays = [root_symbol(place) for _, place in handed]
        if len(set(arrays)) < len(arrays):
            return None
        for one in found:
            reads = {
                root
                for each in (one.value, *one.guards)
                for root in self.effects.of(self._inlined(each)).memory_reads
            }
            own = None if one.handed is None else root_symbol(one.handed[1])
            if reads & (set(arrays) - {own}):
                return None
        return [
            ExprStatement(Assign("=", place, VarRef(symbol), place.type))
            for symbol, place in sorted(handed, key=lambda each: each[0].id)
        ]

    def _consumed(self, symbol: Symbol, one: _Increment) -> Index | None:
        """The element of the thread's own that it sets to 0, and that nothing asks for any more
        where the variable has its last value; None where there is no such element."""
        behind = False
        for statement in self.body:
            behind = behind or any(node is one.statement for node in walk(statement))
            if behind and symbol in self.effects.of(statement).writes:
                return None
        if not any(symbol in declared_in(s) for s in self.body if isinstance(s, Declare)):
            return None
        for number, statement in enumerate(self.body):
            match statement:
                case ExprStatement(expr=Assign(target=target)) if _is_zeroing(statement):
                    place, array = strip_parens(target), root_symbol(target)
                case _:
                    continue
            if not isinstance(place, Index) or array is None or array in self.own:
                continue
            index = self._inlined(place.index)
            counters = {thread.symbol for thread in self.threads}
            if symbols_in(index) & (self.inside - counters) or not self._is_of_iterations(index):
                continue
            later = self.effects.of_all(self.body[number + 1 :])
            if array in later.memory_reads | later.memory_writes:
                continue
            if unqualified(place.type) == unqualified(symbol.type):
                return replace(place, index=index, form=Form.BUILT)
        return None

    def _distributed(self, found: list[_Increment]) -> tuple[Statements, Statements] | None:
        """What comes in front of the gathering, and what behind it; None where that is not the
        same."""
        arrays = {root for one in found if (root := root_symbol(one.place)) is not None}
        whole = block_of(self.body)
        for array in arrays:
            named = sum(isinstance(n, VarRef) and n.symbol == array for n in walk(whole))
            if named != sum(root_symbol(one.place) == array for one in found):
                return None
            if array.type.kind is not TypeKind.POINTER or self.memory.names_beside(array, whole):
                return None
        seeds: set[Symbol | None] = set()
        for one in found:
            for each in (self._inlined(one.value), *map(self._inlined, one.guards)):
                if not self._is_of_iterations(each):
                    return None
                seeds |= self.effects.of(each).memory_reads
        if None in seeds or seeds & arrays:
            return None
        taken = {id(one.statement) for one in found}
        first: list[Stmt] = []
        last: list[Stmt] = []
        moved: set[Symbol | None] = set()
        for statement in self.body:
            left = _without(statement, taken)
            if left is None:
                continue
            if isinstance(left, Declare):
                first.append(left)
                last.append(left)
                continue
            effects = self.effects.of(left)
            if effects.memory_writes & seeds or None in effects.memory_writes:
                if not _is_zeroing(left):
                    return None
                moved |= effects.memory_writes
                last.append(left)
            elif effects.memory_reads & moved:
                return None
            else:
                first.append(left)
        for seed in moved:
            if seed is None or self.memory.names_beside(seed, whole):
                return None
        stores = self._stores(found)
        if stores is None:
            return None
        first += stores
        kept = tuple(_without_unused(last))
        again = self.effects.of_all(one for one in kept if isinstance(one, Declare))
        if again.memory_reads & self.effects.of_all(first).memory_writes:
            return None
        if any(symbols_in(one) & self.written for one in kept):
            return None
        return tuple(_without_unused(first)), kept

    # -- turning around -------------------------------------------------------------------------

    def _around_elements(self, one: _Increment) -> Stmt | None:
        """The nest over elements for one addition."""
        index = self._inlined(one.place.index)
        counters = (*self.threads, *one.loops)
        position = self._position(index, {})
        names = [_name(counter.symbol) for counter in counters]
        if position is None or not self._is_of_iterations(index):
            return None
        parts = position.by_monomial_in(names)
        if set(parts) - {(), *((name,) for name in names)}:
            return None
        strides = {c.symbol: parts.get((_name(c.symbol),), ZERO) for c in counters}
        axes = self._axes(one, strides)
        if axes is None:
            return None
        guards = [self._inlined(guard) for guard in one.guards]
        axes = [self._with_offset(axis, guards, names) for axis in axes]
        moves = {
            _name(axis.counter.symbol): Polynomial.name(_name(axis.counter.symbol)) - axis.move
            for axis in axes
        }
        bounds: dict[Symbol, tuple[list[Expr], list[Expr]]] = {
            axis.counter.symbol: ([], []) for axis in axes
        }
        rest: list[Expr] = []
        for guard in guards:
            bound = self._bound(guard, moves, axes)
            if bound is None:
                rest.append(guard)
            else:
                symbol, is_low, value = bound
                bounds[symbol][0 if is_low else 1].append(value)
        if not self._are_told_apart(axes, bounds):
            return None
        return self._nest(one, axes, bounds, rest)

    def _axes(self, one: _Increment, strides: dict[Symbol, Polynomial]) -> list[_Axis] | None:
        """The axes of elements, from the largest stride to the smallest."""
        own = [counter for counter in self.threads if strides[counter.symbol] != ZERO]
        moved: dict[Symbol, list[tuple[_Counter, int]]] = {c.symbol: [] for c in own}
        for counter in one.loops:
            stride = strides[counter.symbol]
            if stride == ZERO:
                continue
            along = [
                (thread, times)
                for thread in own
                if (times := _times(stride, strides[thread.symbol])) is not None
            ]
            if along:
                thread, times = along[0]
                moved.setdefault(thread.symbol, []).append((counter, times))
            else:
                own.append(counter)
                moved[counter.symbol] = []
        if not any(moved.values()) or any(
            other is not thread and _times(strides[other.symbol], strides[thread.symbol])
            for thread in own
            for other in own
        ):
            return None
        own.sort(key=lambda counter: _size(strides[counter.symbol]), reverse=True)
        return [
            _Axis(c, strides[c.symbol], tuple(moved[c.symbol]), _sum_of(moved[c.symbol]))
            for c in own
        ]

    def _with_offset(self, axis: _Axis, guards: list[Expr], names: list[str]) -> _Axis:
        """The axis along which elements have the numbers that guards ask for: `x + i - pad`."""
        if not axis.moved:
            return axis
        number = Polynomial.name(_name(axis.counter.symbol)) + axis.move
        for guard in guards:
            match strip_parens(guard):
                case Binary(op="<" | "<=" | ">" | ">=", left=left, right=right):
                    sides = (left, right)
                case _:
                    continue
            for side in sides:
                position = self._position(side, {})
                rest = None if position is None else position - number
                if rest is None or rest == ZERO or rest.names & set(names):
                    continue
                offset = _expression(rest, {_name(one): one for one in symbols_in(side)})
                if self._is_alike(offset):
                    return replace(axis, move=axis.move + rest, offset=offset)
        return axis

    def _position(self, expr: Expr, moves: dict[str, Polynomial]) -> Polynomial | None:
        """An inlined integer as a polynomial in the variables, told apart by their numbers."""
        known = {
            symbol: Polynomial.name(_name(symbol))
            for symbol in symbols_in(expr)
            if symbol.type.kind is TypeKind.INTEGER and symbol.type.is_signed
        }
        found = polynomial_of(expr, known)
        return None if found is None else found.substituted(moves)

    def _bound(
        self, guard: Expr, moves: dict[str, Polynomial], axes: list[_Axis]
    ) -> tuple[Symbol, bool, Expr] | None:
        """What a condition asks of the element along one axis: the axis, whether it is the lowest
        one, and that, or the one behind the last."""
        match strip_parens(guard):
            case Binary(op="<" | "<=" as op, left=left, right=right):
                lower, upper = left, right
            case Binary(op=">" | ">=" as op, left=left, right=right):
                lower, upper, op = right, left, "<" if op == ">" else "<="
            case _:
                return None
        for axis in axes:
            symbol = axis.counter.symbol
            if self._position(upper, moves) == Polynomial.name(_name(symbol)):
                if self._is_alike(lower):
                    return symbol, True, lower if op == "<=" else moved_by(lower, 1, INT)
            if self._position(lower, moves) == Polynomial.name(_name(symbol)):
                if self._is_alike(upper):
                    return symbol, False, upper if op == "<" else moved_by(upper, 1, INT)
        return None

    def _are_told_apart(
        self, axes: list[_Axis], bounds: dict[Symbol, tuple[list[Expr], list[Expr]]]
    ) -> bool:
        """Are elements with different numbers different ones?"""
        for outer, inner in zip(axes, axes[1:], strict=False):
            lows, highs = bounds[inner.counter.symbol]
            low = [self._position(one, {}) for one in lows]
            high = [self._position(one, {}) for one in highs]
            ends = inner.counter.low, inner.counter.high
            if not inner.moved and ends[0] is not None and ends[1] is not None:
                low.append(self._named(ends[0]))
                high += map(self._named, self._at_most(ends[1]))
            widths = [b - a for a in low for b in high if a is not None and b is not None]
            spare = ((outer.stride - inner.stride * width).value for width in widths)
            if not any(value is not None and value >= 0 for value in spare):
                return False
        return True

    def _named(self, value: Polynomial) -> Polynomial | None:
        """A polynomial in names as one in the variables that have them; None where two do."""
        found: dict[str, set[Symbol]] = {}
        for node in walk(block_of((self.loop,))):
            if isinstance(node, VarRef) and node.symbol.name in value.names:
                found.setdefault(node.symbol.name, set()).add(node.symbol)
        if any(len(found.get(name, ())) != 1 for name in value.names):
            return None
        return value.renamed({name: _name(next(iter(found[name]))) for name in value.names})

    def _at_most(self, value: Polynomial) -> list[Polynomial]:
        """What a bound is at most, with names replaced by their limits."""
        results = [value]
        for name in sorted(value.names):
            for limit in self.limits.get(name, ()):
                factor = value.by_monomial_in((name,)).get((name,), ZERO).value
                if factor is not None and factor > 0:
                    results.append(value.substituted({name: limit}))
        return results

    def _nest(
        self,
        one: _Increment,
        axes: list[_Axis],
        bounds: dict[Symbol, tuple[list[Expr], list[Expr]]],
        guards: list[Expr],
    ) -> Stmt:
        symbols = self.symbols
        own = {axis.counter.symbol for axis in axes}
        inner = [c for c in (*self.threads, *one.loops) if c.symbol not in own]
        renamed: dict[Symbol, Symbol] = {}
        for counter in (*self.threads, *one.loops):
            storage = Storage.INDEX if counter.symbol in own else Storage.LOCAL
            if isinstance(counter.node, For) or storage is Storage.LOCAL:
                name = counter.symbol.wish or counter.symbol.name
                renamed[counter.symbol] = symbols.fresh(name, counter.symbol.type, storage)
        sources: dict[Symbol, Symbol] = {}
        starts: list[Stmt] = []
        tests: list[Expr] = []
        for axis in axes:
            if not axis.moved:
                continue
            counter = axis.counter
            source = symbols.fresh(f"{counter.symbol.name}_from", INT, Storage.LOCAL)
            sources[counter.symbol] = source
            place = _moved_back(axis)
            starts.append(Declare((Variable(source, "const int", "", place, "="),)))
            element = VarRef(counter.symbol)
            tests += [
                Binary("<=", _moved_on(axis, counter.lower), element, BOOL),
                Binary("<", element, _moved_on(axis, counter.upper), BOOL),
            ]

        def from_there(node: Node) -> Node | None:
            if isinstance(node, VarRef) and node.symbol in sources:
                return VarRef(sources[node.symbol])
            return None

        value = rewrite(self._inlined(one.value), from_there)
        tests += [rewrite(self._inlined(each), from_there) for each in guards]
        ctype = unqualified(one.place.type)
        total = symbols.fresh(
            "sum", replace(one.place.type, spelling=ctype, is_const=False), Storage.LOCAL
        )
        add = ExprStatement(Assign("+=", VarRef(total), strip_parens(value), total.type))
        body: Stmt = add if not tests else If(all_of(tests), block_of((add,)))
        body = block_of((*starts, body))
        for counter in reversed(inner):
            body = _over(counter, body)
        body = rename_symbols(body, renamed)
        place = replace(
            one.place,
            index=self._element(one.place.index, axes, renamed),
            form=Form.BUILT,
        )
        zero = Literal("0.0f" if ctype == "float" else "0.0", 0, total.type)
        begun = Declare((Variable(total, ctype, "", zero, "="),))
        store = ExprStatement(Assign("+=", place, VarRef(total), total.type))
        body = block_of((begun, *statements_of(body), store))
        for depth in range(len(axes) - 1, -1, -1):
            axis = axes[depth]
            lower, upper = self._ends(axis, *bounds[axis.counter.symbol])
            directive = NO_DIRECTIVE
            if depth == 0:
                directive = self.loop.directive.without("simd")
                if directive.collapse > len(axes):
                    directive = PARALLEL_FOR
            index = renamed.get(axis.counter.symbol, axis.counter.symbol)
            body = CountedLoop(index, lower, upper, block_of(statements_of(body)), directive)
        assert isinstance(body, CountedLoop)
        return replace(body, trivia=Trivia((_NOTE,)))

    def _ends(self, axis: _Axis, lows: list[Expr], highs: list[Expr]) -> tuple[Expr, Expr]:
        """The first element along an axis, and the one behind the last."""
        lower, upper = axis.counter.lower, axis.counter.upper
        for counter, times in axis.moved:
            least, most = counter.lower, counter.last
            if times < 0:
                least, most = most, least
            lower = _plus(lower, least, times)
            upper = _plus(upper, most, times)
        if axis.offset is not None:
            lower, upper = _added(lower, axis.offset), _added(upper, axis.offset)
        return self._chosen("max", lower, lows), self._chosen("min", upper, highs)

    def _chosen(self, which: str, value: Expr, others: list[Expr]) -> Expr:
        """The largest, or the least, of several numbers."""
        for other in others:
            one, two = self._position(value, {}), self._position(other, {})
            more = None if one is None or two is None else (one - two).value
            if more is not None:
                value = value if (more > 0) == (which == "max") else other
            elif self.is_c:
                better = Binary(">" if which == "max" else "<", value, other, BOOL)
                value = Paren(Conditional(better, value, other, INT), INT)
            else:
                value = Code((f"std::{which}<int>(", value, ", ", other, ")"), type=INT)
        return value

    def _element(self, index: Expr, axes: list[_Axis], renamed: dict[Symbol, Symbol]) -> Expr:
        """The subscript of the element whose numbers are those of the axes."""
        moving = {c.symbol for axis in axes for c, _ in axis.moved}

        def still(node: Node) -> Node | None:
            if not isinstance(node, VarRef | Paren | Binary):
                return None
            inner = strip_parens(node)
            position = self._position(self._inlined(inner), {})
            for axis in axes:
                symbol = axis.counter.symbol
                own = Polynomial.name(_name(symbol))
                if position is not None and position == own + axis.move:
                    return VarRef(renamed.get(symbol, symbol))
            if isinstance(node, VarRef) and node.symbol in moving:
                return Literal("0", 0, INT)
            if isinstance(node, VarRef) and node.symbol in self.values:
                return rewrite(Paren(self.values[node.symbol]), still)
            return None

        return rewrite(index, still)

    def _around(self, statements: Statements) -> CountedLoop:
        """The nest around other statements."""
        body: Stmt = block_of(statements)
        for counter in reversed(self.threads):
            node = counter.node
            assert isinstance(node, CountedLoop)
            body = replace(node, body=block_of(statements_of(body)))
        assert isinstance(body, CountedLoop)
        return body


def _polynomial(expr: Expr) -> Polynomial | None:
    value = integer_value(expr)
    return polynomial_of(expr, {}) if value is None else Polynomial.constant(value)


def _conjuncts(condition: Expr) -> tuple[Expr, ...]:
    match strip_parens(condition):
        case Binary(op="&&", left=left, right=right):
            return (*_conjuncts(left), *_conjuncts(right))
        case Unary(op="!", operand=operand) if _is_or(operand):
            return _conjuncts(negated(operand))
        case other:
            return (other,)


def _is_or(condition: Expr) -> bool:
    bare = strip_parens(condition)
    return isinstance(bare, Binary) and bare.op == "||"


def _keeps(variable: Variable) -> bool:
    """Does the variable stand for what it begins with, and for nothing less?"""
    initial, own = variable.initial, variable.symbol.type
    if initial is None or own.is_indirect or own.kind is not initial.type.kind or variable.suffix:
        return False
    if own.kind is TypeKind.INTEGER:
        return own.is_signed == initial.type.is_signed and own.bits >= initial.type.bits
    return own.kind is TypeKind.FLOATING and own.bits >= initial.type.bits


def _without(statement: Stmt, taken: Collection[int]) -> Stmt | None:
    """The statement without these; None where nothing is left that does anything."""
    if not any(id(node) in taken for node in walk(statement)):
        return statement
    match statement:
        case Block(statements=inner):
            left = [new for one in inner if (new := _without(one, taken)) is not None]
            left = list(_without_unused(left))
            return block_of(left) if _acts(left) else None
        case If(then=then):
            body = _without(then, taken)
            return None if body is None else replace(statement, then=body, form=Form.BUILT)
        case For(body=inner):
            body = _without(inner, taken)
            return None if body is None else replace(statement, body=body, form=Form.BUILT)
        case _:
            return None


def _without_unused(statements: Collection[Stmt]) -> list[Stmt]:
    """Declarations that nothing names go."""
    kept: list[Stmt] = []
    wanted: set[Symbol] = set()
    for statement in reversed(list(statements)):
        match statement:
            case Declare(variables=(variable,)) if variable.symbol not in wanted:
                continue
            case _:
                wanted |= symbols_in(statement)
                kept.insert(0, statement)
    return kept


def _acts(statements: Collection[Stmt]) -> bool:
    return any(not isinstance(one, Declare | Empty) for one in statements)


def _is_zeroing(statement: Stmt) -> bool:
    match statement:
        case ExprStatement(expr=Assign(op="=", value=Literal(text="0.0" | "0.0f" | "0"))):
            return True
        case _:
            return False


def _times(stride: Polynomial, other: Polynomial) -> int | None:
    """How many times the other one the first is, a number other than 0."""
    if len(stride.terms) != len(other.terms) or not other.terms:
        return None
    (product, factor), (like, by) = stride.terms[0], other.terms[0]
    if product != like or factor % by or factor == 0:
        return None
    times = factor // by
    return times if other.scaled(times) == stride else None


def _size(stride: Polynomial) -> tuple[int, int]:
    """Strides of more lengths are larger."""
    most = max((len(product) for product, _ in stride.terms), default=0)
    return most, max((abs(factor) for p, factor in stride.terms if len(p) == most), default=0)


def _sum_of(moved: Collection[tuple[_Counter, int]]) -> Polynomial:
    """By how much inner loops move an element."""
    total = ZERO
    for counter, times in moved:
        total = total + Polynomial.name(_name(counter.symbol)).scaled(times)
    return total


def _expression(value: Polynomial, symbols: Mapping[str, Symbol]) -> Expr:
    """A polynomial in such variables as a person writes it."""
    result: Expr | None = None
    for product, factor in sorted(value.terms, key=lambda term: (-len(term[0]), term[0])):
        term: Expr | None = None
        if abs(factor) != 1 or not product:
            term = Literal(str(abs(factor)), abs(factor), INT)
        for name in product:
            ref = VarRef(symbols[name])
            term = ref if term is None else Binary("*", term, ref, INT)
        assert term is not None
        if result is None:
            result = term if factor > 0 else Unary("-", term, type=INT)
        else:
            result = Binary("+" if factor > 0 else "-", result, term, INT)
    return result if result is not None else Literal("0", 0, INT)


def _moved_back(axis: _Axis) -> Expr:
    """The number of the thread that adds to an element in an iteration."""
    place: Expr = VarRef(axis.counter.symbol)
    for counter, times in axis.moved:
        place = Binary("-" if times > 0 else "+", place, _scaled(counter, times), INT)
    return place if axis.offset is None else _minus(place, axis.offset)


def _moved_on(axis: _Axis, number: Expr) -> Expr:
    """The number of the element that a thread adds to in an iteration."""
    found: Expr | None = None if integer_value(number) == 0 else number
    for counter, times in axis.moved:
        amount = _scaled(counter, times)
        if found is None:
            found = amount if times > 0 else Unary("-", amount, type=INT)
        else:
            found = Binary("+" if times > 0 else "-", found, amount, INT)
    found = number if found is None else found
    return found if axis.offset is None else _added(found, axis.offset)


def _minus(value: Expr, offset: Expr) -> Expr:
    match offset:
        case Literal(value=int(number)):
            return moved_by(value, -number, INT)
        case Unary(op="-", operand=Literal(value=int(number))):
            return moved_by(value, number, INT)
        case Unary(op="-", operand=inner):
            return Binary("+", value, inner, INT)
        case Binary(op="+" | "-"):
            return Binary("-", value, Paren(offset, INT), INT)
        case _:
            return Binary("-", value, offset, INT)


def _added(value: Expr, offset: Expr) -> Expr:
    if integer_value(value) == 0:
        return offset
    match offset:
        case Literal(value=int(number)):
            return moved_by(value, number, INT)
        case Unary(op="-", operand=Literal(value=int(number))):
            return moved_by(value, -number, INT)
        case Unary(op="-", operand=inner):
            return Binary("-", value, inner, INT)
        case _:
            return Binary("+", value, offset, INT)


def _scaled(counter: _Counter, times: int) -> Expr:
    amount = VarRef(counter.symbol)
    if abs(times) == 1:
        return amount
    return Binary("*", Literal(str(abs(times)), abs(times), INT), amount, INT)


def _plus(value: Expr, amount: Expr, times: int) -> Expr:
    number = integer_value(amount)
    if number is not None and isinstance(strip_parens(amount), Literal | Unary):
        return moved_by(value, number * times, INT)
    scaled = amount
    if abs(times) != 1:
        scaled = Binary("*", Literal(str(abs(times)), abs(times), INT), Paren(amount), INT)
    return Binary("+" if times > 0 else "-", value, Paren(scaled, INT), INT)


def _over(counter: _Counter, body: Stmt) -> Stmt:
    """A loop over all numbers of a counter, inside of those over elements."""
    node = counter.node
    if isinstance(node, For):
        return replace(node, body=body, form=Form.BUILT)
    symbol = counter.symbol
    named = Declare((Variable(symbol, "int", "", counter.lower, "="),))
    condition = Binary("<", VarRef(symbol), counter.upper, BOOL)
    return For(named, condition, Unary("++", VarRef(symbol), type=INT), body)
