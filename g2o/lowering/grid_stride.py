"""Grid-stride loops become loops over all that the threads share out.

    for (int i = blockIdx.x * blockDim.x + threadIdx.x;      #pragma omp parallel for
         i < n; i += blockDim.x * gridDim.x)            ->   for (int i = 0; i < n; ++i)
        y[i] = a * x[i];                                         y[i] = a * x[i];

Thread t takes the iterations that are t modulo the number of threads, so that both forms run each
of [0, n) once. Iterations of different threads do not depend on each other in a program without
races; those of one thread might, so that their independence has to be proved. Arrays that nobody
says are apart may only begin at one place, or not overlap, which the emitted code asserts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.analysis.grid_stride_form import (
    bare_index,
    is_index,
    leaves_loop,
    step_of,
    upper_limit,
)
from g2o.analysis.independence import dependence_between_iterations
from g2o.ir.directives import PARALLEL_FOR, PARALLEL_FOR_SIMD
from g2o.ir.expressions import (
    Binary,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    VarRef,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Empty,
    ExprStatement,
    For,
    Jump,
    JumpKind,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import Apart, LoweringContext, limit_for
from g2o.lowering.simd import may_vectorise

_ZERO = Literal("0", 0, INT)


@final
@dataclass(frozen=True, slots=True)
class StrideLoop:
    """`for (variable = thread; variable < upper; variable += stride) body`."""

    variable: Symbol
    upper: Expr
    stride: Expr
    body: Stmt


@final
@dataclass(frozen=True, slots=True)
class GridStride:
    """What is known around the loop: `thread` is the index over all threads of axis `axis`,
    `constants` are variables in front of the loop, `written` those that change somewhere."""

    context: LoweringContext
    thread: Symbol
    axis: int
    constants: dict[Symbol, Expr]
    written: set[Symbol]

    def merged(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...] | None:
        """The loop over all iterations, where `statements` are nothing but a grid-stride loop."""
        found = self._find(statements)
        if found is None or not self._is_total(found.stride):
            return None
        variable, body = found.variable, found.body
        if self.thread in symbols_in(body) | symbols_in(found.upper) or leaves_loop(body):
            return None
        if not self._stays(found.upper, variable, body):
            return None
        outside = (self.written | {self.thread}) - {variable}
        effects = self.context.effects
        whole = self._with_leads(body)
        expected: set[tuple[Symbol, Symbol, int]] = set()
        if dependence_between_iterations(whole, variable, effects, outside, (), expected):
            return None
        if expected and not self._is_known_in_front(found.upper):
            return None
        self.context.apart |= {Apart(*one, found.upper) for one in expected}
        unqualified = variable.type.spelling.replace("const", "").strip()
        index = replace(
            variable, type=replace(variable.type, spelling=unqualified), storage=Storage.INDEX
        )
        directive = PARALLEL_FOR_SIMD if may_vectorise(body) else PARALLEL_FOR
        upper = limit_for(found.upper, index)
        loop = CountedLoop(index, _ZERO, upper, body, directive)
        return (replace(loop, trivia=statements[0].trivia),)

    def _with_leads(self, body: Stmt) -> Stmt:
        """The body with the pointers that it starts from, as if each iteration declared them."""
        named = symbols_in(body)
        leads = [
            Declare((Variable(symbol, symbol.type.spelling, "", initial, "="),))
            for symbol, initial in self.constants.items()
            if symbol.type.kind is TypeKind.POINTER and symbol in named - self.written
        ]
        return Block((*leads, *statements_of(body))) if leads else body

    def _is_known_in_front(self, upper: Expr) -> bool:
        """Is it computed from what the kernel is given?"""
        given = set(self.context.kernel.function.parameters) - self.written
        plain = all(isinstance(one, VarRef | Literal | Binary | Paren) for one in walk(upper))
        return plain and symbols_in(upper) <= given

    # -- the form of the loop ---------------------------------------------------------------------

    def _find(self, statements: tuple[Stmt, ...]) -> StrideLoop | None:
        rest = [s for s in statements if not isinstance(s, (Empty, Return))]
        match rest:
            case [For(initial=Declare(variables=(variable,))) as loop]:
                symbol, start = variable.symbol, variable.initial
            case [Declare(variables=(variable,)), For(initial=None) as loop]:
                symbol, start = variable.symbol, variable.initial
            case [Declare(variables=(variable,)), While() as repeated]:
                return self._from_while(variable.symbol, variable.initial, repeated)
            case _:
                return None
        if start is None or not self._is_thread(start) or not _is_index(symbol, loop.body):
            return None
        upper = upper_limit(loop.condition, symbol)
        stride = None if loop.increment is None else step_of(loop.increment, symbol)
        if upper is None or stride is None:
            return None
        return StrideLoop(symbol, upper, stride, loop.body)

    def _from_while(self, symbol: Symbol, start: Expr | None, loop: While) -> StrideLoop | None:
        if start is None or not self._is_thread(start) or not _is_index(symbol, loop.body):
            return None
        *body, last = statements_of(loop.body) or (Empty(),)
        if not isinstance(last, ExprStatement) or last.trivia.before:
            return None
        stride, upper = step_of(last.expr, symbol), upper_limit(loop.condition, symbol)
        continues = any(
            isinstance(node, Jump) and node.kind is JumpKind.CONTINUE
            for statement in body
            for node in walk(statement)
        )
        if stride is None or upper is None or continues:
            return None
        return StrideLoop(symbol, upper, stride, Block(tuple(body)))

    def _is_thread(self, expr: Expr) -> bool:
        bare = bare_index(expr)
        return isinstance(bare, VarRef) and bare.symbol == self.thread

    # -- legality ---------------------------------------------------------------------------------

    def _is_total(self, stride: Expr) -> bool:
        """Is it the number of threads: `blockDim.x * gridDim.x`?"""
        bare = bare_index(stride)
        if isinstance(bare, VarRef):
            value = self.constants.get(bare.symbol)
            return value is not None and bare.symbol not in self.written and self._is_total(value)
        if not isinstance(bare, Binary) or bare.op != "*":
            return False
        factors = (bare_index(bare.left), bare_index(bare.right))
        grid, block = self.context.grid, self.context.block
        return any(
            self._is_extent(one, grid) and self._is_extent(other, block)
            for one, other in (factors, factors[::-1])
        )

    def _is_extent(self, expr: Expr, launch: Symbol) -> bool:
        match expr:
            case Member(base=VarRef(symbol=symbol), name=name):
                return symbol == launch and name == "xyz"[self.axis]
            case VarRef(symbol=symbol) if symbol not in self.written:
                value = self.constants.get(symbol)
                return value is not None and self._is_extent(bare_index(value), launch)
            case _:
                return False

    def _stays(self, upper: Expr, variable: Symbol, body: Stmt) -> bool:
        """Is the limit the same throughout?"""
        found = self.context.effects.of(upper)
        if not found.is_pure or found.memory_reads:
            return False
        changed = self.context.effects.of(body).writes | {variable, self.thread}
        return not found.reads & (changed | self.written)


def _is_index(symbol: Symbol, body: Stmt) -> bool:
    """Is it wide enough for the index of any thread? What a template leaves open, and is a
    subscript, is an integer."""
    return is_index(symbol) or (
        symbol.type.kind is TypeKind.DEPENDENT
        and any(
            isinstance(node, Index)
            and node.base.type.kind in (TypeKind.POINTER, TypeKind.ARRAY)
            and node.index == VarRef(symbol)
            for node in walk(body)
        )
    )
