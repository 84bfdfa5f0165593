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
Elements that nobody adds to lie between others, or are left alone.
(Hückelheim et al., "Parallelizable adjoint stencil computations using transposed forward-mode
algorithmic differentiation", 2018.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, final

from g2o.analysis.effects import (
    EffectsOf,
    root_symbol,
    statements_of,
    symbols_in,
)
from g2o.analysis.positions import limits_of
from g2o.analysis.same_memory import same_memory
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR
from g2o.ir.expressions import (
    Assign,
    Binary,
    Code,
    Conditional,
    Expr,
    Form,
    Literal,
    Paren,
    VarRef,
    all_of,
    moved_by,
    strip_parens,
)
from g2o.ir.increments import is_increment
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    Text,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import BOOL, INT, unqualified
from g2o.lowering.context import LoweringContext
from g2o.lowering.indices import block_of
from g2o.lowering.thread_increments import Counter, Increment, Statements, ThreadNest, acts, name_of
from g2o.lowering.window_axes import (
    Axis,
    expression_of,
    hull_of,
    loop_over,
    moved_back,
    moved_on,
    quotient_of,
    size_of,
)
from g2o.lowering.window_sums import sum_over_row
from g2o.polyhedral.polynomial import ZERO, Polynomial

_NOTE: Final = "// Every element gathers what the threads around it add to it."
_CONSUMED: Final = "// What was overwritten: its seeds are consumed."


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
            nest = ThreadNest.of(statement, effects, symbols, limits, memory, is_c)
            gathered = None if nest is None else _Windows(nest).gathered()
        result += gathered or [statement]
    same = len(result) == len(statements)
    return statements if same else tuple(result)


@final
@dataclass(frozen=True, slots=True)
class _Windows:
    """The nest, turned around. `relied` are conditions that this is right under."""

    nest: ThreadNest
    relied: list[Expr] = field(default_factory=list[Expr])

    def gathered(self) -> list[Stmt] | None:
        """The loops that do the same without atomics; None where that is not possible."""
        made: list[tuple[Increment, Stmt | None]] = []
        for one in self.nest.increments(self.nest.body, (), ()):
            if one is not None:
                handed = self.nest.handed_on(one)
                loops = self._around_elements(handed) or sum_over_row(
                    self.nest, handed, lambda axes: self._are_told_apart(axes, {})
                )
                made.append((handed, loops))
        left = {root_symbol(one.place) for one, loops in made if loops is None}
        turned = [
            (one, loops)
            for one, loops in made
            if loops is not None and root_symbol(one.place) not in left
        ]
        parts = self.nest.distributed([one for one, _ in turned]) if turned else None
        if parts is None:
            return None
        middle = [loops for _, loops in turned]
        first, last = parts
        conditions = list(dict.fromkeys(self.relied))
        result: list[Stmt] = [self.nest.around(first)] if acts(first) else []
        if conditions:
            result.append(Text(("assert(", all_of(conditions), ");")))
        result += middle
        if acts(last):
            result.append(replace(self.nest.around(last), trivia=Trivia((_CONSUMED,))))
        return result

    # -- what there is --------------------------------------------------------------------------

    def _around_elements(self, one: Increment) -> Stmt | None:
        """The nest over elements for one addition."""
        index = self.nest.inlined(one.place.index)
        counters = (*self.nest.threads, *one.loops)
        position = self.nest.position(index, {})
        names = [name_of(counter.symbol) for counter in counters]
        if position is None or not self.nest.is_of_iterations(index):
            return None
        parts = position.by_monomial_in(names)
        if set(parts) - {(), *((name,) for name in names)}:
            return None
        guards = [self.nest.inlined(guard) for guard in one.guards]
        axes = self._axes(one, position, guards)
        if axes is None or not any(axis.moved for axis in axes):
            return None
        bounds: dict[Symbol, tuple[list[Expr], list[Expr]]] = {
            axis.counter.symbol: ([], []) for axis in axes
        }
        rest: list[Expr] = []
        for guard in guards:
            bound = self._bound(guard, axes)
            if bound is None:
                rest.append(guard)
            else:
                symbol, is_low, value = bound
                bounds[symbol][0 if is_low else 1].append(value)
        if not self._are_told_apart(axes, bounds):
            return None
        element = self._element(one.place.index, axes)
        if element is None:
            return None
        zero = Literal("0", 0, INT)
        for axis in axes:
            if axis.scale.value is None:
                self.relied.append(Binary(">", axis.spelled(axis.scale), zero, BOOL))
            for _, times in axis.moved:
                if times.value is None:
                    self.relied.append(Binary(">=", axis.spelled(times), zero, BOOL))
        return self._nest(one, element, axes, bounds, rest)

    def _axes(self, one: Increment, position: Polynomial, guards: list[Expr]) -> list[Axis] | None:
        """The axes of elements, from the largest stride to the smallest: those that guards ask for
        the bounds of, `x * stride + i - pad`, those along which inner loops move the elements of a
        thread, and those along which nothing else does."""
        counters = (*self.nest.threads, *one.loops)
        names = [name_of(counter.symbol) for counter in counters]
        axes: list[Axis] = []
        for axis in self._asked_for(one, position, guards, names):
            if all(axis.counter != other.counter for other in axes):
                axes.append(axis)
        left = position
        for axis in axes:
            left = left - axis.stride * axis.coordinate
        parts = left.by_monomial_in(names)
        used = {axis.counter.symbol for axis in axes}
        used |= {counter.symbol for axis in axes for counter, _ in axis.moved}
        strides = {c.symbol: parts.get((name_of(c.symbol),), ZERO) for c in counters}
        own = [c for c in self.nest.threads if strides[c.symbol] != ZERO]
        moved: dict[Symbol, list[tuple[Counter, Polynomial]]] = {c.symbol: [] for c in own}
        if any(strides[symbol] != ZERO for symbol in used):
            return None
        for counter in one.loops:
            stride = strides[counter.symbol]
            if stride == ZERO:
                continue
            along = [
                (thread, times)
                for thread in own
                if (times := quotient_of(stride, strides[thread.symbol])) is not None
                if times.value
            ]
            if along:
                thread, times = along[0]
                moved.setdefault(thread.symbol, []).append((counter, times))
            else:
                own.append(counter)
                moved[counter.symbol] = []
        for counter in own:
            move = ZERO
            for loop, times in moved[counter.symbol]:
                move = move + Polynomial.name(name_of(loop.symbol)) * times
            axes.append(Axis(counter, strides[counter.symbol], tuple(moved[counter.symbol]), move))
        return sorted(axes, key=lambda axis: size_of(axis.stride), reverse=True)

    def _asked_for(
        self, one: Increment, position: Polynomial, guards: list[Expr], names: list[str]
    ) -> Iterator[Axis]:
        """The axes whose bounds guards ask for."""
        parts = position.by_monomial_in(names)
        for guard in guards:
            match strip_parens(guard):
                case Binary(op="<" | "<=" | ">" | ">=", left=left, right=right):
                    sides = (left, right)
                case _:
                    continue
            for side in sides:
                number = self.nest.position(side, {})
                found = None if number is None else number.by_monomial_in(names)
                if found is None or set(found) - {(), *((name,) for name in names)}:
                    continue
                threads = [t for t in self.nest.threads if (name_of(t.symbol),) in found]
                moved = tuple(
                    (loop, found[name_of(loop.symbol),])
                    for loop in one.loops
                    if (name_of(loop.symbol),) in found
                )
                if len(threads) != 1 or not moved:
                    continue
                (thread,) = threads
                scale = found[name_of(thread.symbol),]
                stride = quotient_of(parts.get((name_of(thread.symbol),), ZERO), scale)
                known = {name_of(symbol): symbol for symbol in symbols_in(side)}
                rest = found.get((), ZERO)
                offset = None if rest == ZERO else expression_of(rest, known)
                spelled = [expression_of(one, known) for one in (scale, *(t for _, t in moved))]
                alike = all(map(self.nest.is_alike, (*spelled, *([offset] if offset else []))))
                move = ZERO if number is None else number
                move = move - Polynomial.name(name_of(thread.symbol)) * scale
                if stride is None or not alike or (scale.value is not None and scale.value < 1):
                    continue
                axis = Axis(thread, stride, moved, move, offset, scale, known)
                if axis.is_known or not self.nest.is_c:
                    yield axis

    def _bound(self, guard: Expr, axes: list[Axis]) -> tuple[Symbol, bool, Expr] | None:
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
            if self.nest.position(upper, {}) == axis.coordinate:
                if self.nest.is_alike(lower):
                    return symbol, True, lower if op == "<=" else moved_by(lower, 1, INT)
            if self.nest.position(lower, {}) == axis.coordinate:
                if self.nest.is_alike(upper):
                    return symbol, False, upper if op == "<" else moved_by(upper, 1, INT)
        return None

    def _are_told_apart(
        self, axes: list[Axis], bounds: dict[Symbol, tuple[list[Expr], list[Expr]]]
    ) -> bool:
        """Are elements with different numbers different ones? The least stride is not zero, as one
        that broadcasts is; neighbours may lie in either direction."""
        step = axes[-1].stride.value or 0
        length = Polynomial.constant(abs(step))
        for inner, outer in pairwise(reversed(axes)):
            lows, highs = bounds.get(inner.counter.symbol, ([], []))
            low = [self.nest.position(one, {}) for one in lows]
            high = [self.nest.position(one, {}) for one in highs]
            ends = inner.counter.low, inner.counter.high
            if not inner.moved and ends[0] is not None and ends[1] is not None:
                low.append(self._named(ends[0]))
                high += map(self._named, self._at_most(ends[1]))
            rows = [length * (b - a) for a in low for b in high if a is not None and b is not None]
            found = [
                stride
                for stride in (outer.stride, -outer.stride)
                if any((spare := (stride - row).value) is not None and spare >= 0 for row in rows)
            ]
            if not found:
                return False
            length = found[0]
        return step != 0

    def _named(self, value: Polynomial) -> Polynomial | None:
        """A polynomial in names as one in the variables that have them; None where two do."""
        found: dict[str, set[Symbol]] = {}
        for node in walk(block_of((self.nest.loop,))):
            if isinstance(node, VarRef) and node.symbol.name in value.names:
                found.setdefault(node.symbol.name, set()).add(node.symbol)
        if any(len(found.get(name, ())) != 1 for name in value.names):
            return None
        return value.renamed({name: name_of(next(iter(found[name]))) for name in value.names})

    def _at_most(self, value: Polynomial) -> list[Polynomial]:
        """What a bound is at most, with names replaced by their limits."""
        results = [value]
        for name in sorted(value.names):
            for limit in self.nest.limits.get(name, ()):
                factor = value.by_monomial_in((name,)).get((name,), ZERO).value
                if factor is not None and factor > 0:
                    results.append(value.substituted({name: limit}))
        return results

    def _nest(
        self,
        one: Increment,
        element_index: Expr,
        axes: list[Axis],
        bounds: dict[Symbol, tuple[list[Expr], list[Expr]]],
        guards: list[Expr],
    ) -> Stmt:
        symbols = self.nest.symbols
        own = {axis.counter.symbol for axis in axes}
        inner = [c for c in (*self.nest.threads, *one.loops) if c.symbol not in own]
        renamed: dict[Symbol, Symbol] = {}
        for counter in (*self.nest.threads, *one.loops):
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
            place = moved_back(axis)
            if axis.is_scaled:
                scaled = symbols.fresh(f"{counter.symbol.name}_scaled", INT, Storage.LOCAL)
                starts.append(Declare((Variable(scaled, "const int", "", place, "="),)))
                scale = axis.spelled(axis.scale)
                scale = scale if isinstance(scale, VarRef | Literal) else Paren(scale, INT)
                place = Binary("/", VarRef(scaled), scale, INT)
                rest = Binary("%", VarRef(scaled), scale, INT)
                zero = Literal("0", 0, INT)
                tests += [
                    Binary("==", rest, zero, BOOL),
                    Binary("<=", counter.lower, VarRef(source), BOOL),
                    Binary("<", VarRef(source), counter.upper, BOOL),
                ]
            starts.append(Declare((Variable(source, "const int", "", place, "="),)))
            if axis.is_scaled:
                continue
            element = VarRef(counter.symbol)
            tests += [
                Binary("<=", moved_on(axis, counter.lower), element, BOOL),
                Binary("<", element, moved_on(axis, counter.upper), BOOL),
            ]

        def from_there(node: Node) -> Node | None:
            if isinstance(node, VarRef) and node.symbol in sources:
                return VarRef(sources[node.symbol])
            return None

        value = rewrite(self.nest.inlined(one.value), from_there)
        tests += [rewrite(self.nest.inlined(each), from_there) for each in guards]
        ctype = unqualified(one.place.type)
        total = symbols.fresh(
            "sum", replace(one.place.type, spelling=ctype, is_const=False), Storage.LOCAL
        )
        add = ExprStatement(Assign("+=", VarRef(total), strip_parens(value), total.type))
        body: Stmt = add if not tests else If(all_of(tests), block_of((add,)))
        body = block_of((*starts, body))
        for counter in reversed(inner):
            body = loop_over(counter, body)
        body = rename_symbols(body, renamed)
        index = rename_symbols(element_index, renamed)
        place = replace(one.place, index=index, form=Form.BUILT)
        zero = Literal("0.0f" if ctype == "float" else "0.0", 0, total.type)
        begun = Declare((Variable(total, ctype, "", zero, "="),))
        store: Stmt = ExprStatement(Assign("+=", place, VarRef(total), total.type))
        if guards:  # which may be what keeps threads from elements that are not there
            store = If(Binary("!=", VarRef(total), zero, BOOL), store)
        body = block_of((begun, *statements_of(body), store))
        for depth in range(len(axes) - 1, -1, -1):
            axis = axes[depth]
            lower, upper = self._ends(axis, *bounds[axis.counter.symbol])
            directive = NO_DIRECTIVE
            if depth == 0:
                directive = self.nest.loop.directive.without("simd")
                if directive.collapse > len(axes):
                    directive = PARALLEL_FOR
            index = renamed.get(axis.counter.symbol, axis.counter.symbol)
            body = CountedLoop(index, lower, upper, block_of(statements_of(body)), directive)
        assert isinstance(body, CountedLoop)
        return replace(body, trivia=Trivia((_NOTE,)))

    def _ends(self, axis: Axis, lows: list[Expr], highs: list[Expr]) -> tuple[Expr, Expr]:
        """The first element along an axis, and the one behind the last."""
        lower, upper = hull_of(axis)
        return self._chosen("max", lower, lows), self._chosen("min", upper, highs)

    def _chosen(self, which: str, value: Expr, others: list[Expr]) -> Expr:
        """The largest, or the least, of several numbers."""
        for other in others:
            one, two = self.nest.position(value, {}), self.nest.position(other, {})
            more = None if one is None or two is None else (one - two).value
            if more is not None:
                value = value if (more > 0) == (which == "max") else other
            elif self.nest.is_c:
                better = Binary(">" if which == "max" else "<", value, other, BOOL)
                value = Paren(Conditional(better, value, other, INT), INT)
            else:
                value = Code((f"std::{which}<int>(", value, ", ", other, ")"), type=INT)
        return value

    def _element(self, index: Expr, axes: list[Axis]) -> Expr | None:
        """The subscript of the element whose numbers are those of the axes, said as the source says
        it where that is the same; None where it is not one element."""
        whole = self.nest.inlined(index)
        wanted = self.nest.position(whole, {})
        for axis in axes:
            moved = axis.stride * (axis.coordinate - axis.element)
            wanted = None if wanted is None else wanted - moved
        moving = {c.symbol for axis in axes for c, _ in axis.moved}
        if wanted is None or wanted.names & {name_of(symbol) for symbol in moving}:
            return None

        def still(node: Node) -> Node | None:
            if not isinstance(node, VarRef | Paren | Binary):
                return None
            position = self.nest.position(self.nest.inlined(strip_parens(node)), {})
            for axis in axes:
                if position is not None and position == axis.coordinate:
                    return VarRef(axis.counter.symbol)
            if isinstance(node, VarRef) and node.symbol in moving:
                return Literal("0", 0, INT)
            if isinstance(node, VarRef) and node.symbol in self.nest.values:
                return rewrite(Paren(self.nest.values[node.symbol]), still)
            return None

        found = rewrite(index, still)
        if self.nest.position(found, {}) == wanted:
            return found
        return expression_of(wanted, {name_of(one): one for one in symbols_in(whole)})
