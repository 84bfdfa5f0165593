"""Rows of a grid's warps as one loop.

    #pragma omp parallel for                        rows = std::min(n, int(grid.x) * 8);
    for (int bx = 0; bx < int(grid.x); ++bx)        #pragma omp parallel for
        for (int warp = 0;                          for (int row = 0; row < rows; ++row) {
             warp < std::min(8, n - bx * 8);   ->       ...
             ++warp) {                              }
            int row = bx * 8 + warp;
            ...

Each warp of each block is a turn, as before: warps do not see each other where a block keeps
nothing for them. And rows that warps share out, each as many apart as there are warps:

    #pragma omp parallel for                        #pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx)        for (int row = 0; row < n; ++row)
        for (int warp = 0; warp < 8; ++warp)            ...
            for (int row = bx * 8 + warp;      ->
                 row < n; row += grid.x * 8)
                ...

What `grid_stride` does for threads. Both forms run each of [0, n) once; rows of different warps do
not depend on each other in a program without races, those of one warp might, so that their
independence has to be proved.
"""

from __future__ import annotations

import operator
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.grid_stride_form import bare_index, leaves_loop, step_of, upper_limit
from g2o.analysis.independence import dependence_between_iterations
from g2o.ir.directives import PARALLEL_FOR
from g2o.ir.expressions import (
    Binary,
    Code,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import Block, CountedLoop, Declare, For, If, Node, Stmt, Trivia, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import INT, CType, TypeKind
from g2o.transforms.new_names import NewNames

_LEAST: Final = ("std::min(", "std::min<int>(")
_ZERO: Final = Literal("0", 0, INT)


def merge_row_strides(kernel: LoweredKernel, functions: FunctionTable) -> LoweredKernel:
    """The kernel with loops over rows in the place of such nests; the same object where there are
    none."""
    effects, names = functions.for_node(Block(kernel.body)), NewNames(kernel)
    body: list[Stmt] = []
    for statement in kernel.body:
        merged: tuple[Stmt, ...] = ()
        if isinstance(statement, CountedLoop) and statement.directive == PARALLEL_FOR:
            if integer_value(statement.lower) == 0 and statement.step is None:
                merged = _Nest(kernel, effects, names, statement).merged()
        body.extend(merged or (statement,))
    same = len(body) == len(kernel.body) and all(map(operator.is_, body, kernel.body))
    return kernel if same else replace(kernel, body=tuple(body))


@final
@dataclass(slots=True)
class _Nest:
    """`values` is what variables are declared as that never change, `comments` stood in front of
    what goes."""

    kernel: LoweredKernel
    effects: EffectsOf
    names: NewNames
    blocks: CountedLoop
    values: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    comments: list[str] = field(default_factory=list[str])

    def merged(self) -> tuple[Stmt, ...]:
        """The loop over all rows; nothing where there are none, or where their order matters."""
        warps = self._behind_values(self.blocks)
        if not isinstance(warps, CountedLoop) or warps.directive or warps.step is not None:
            return ()
        if integer_value(warps.lower) != 0:
            return ()
        self.comments += warps.trivia.before
        around, told = dict(self.values), list(self.comments)
        shared = self._shared_out(warps)
        if shared is not None:
            return (shared,)
        self.values, self.comments = around, told
        return self._one_each(warps)

    def _one_each(self, warps: CountedLoop) -> tuple[Stmt, ...]:
        """The loop where every warp has one row."""
        count, limit = _constant(warps.upper), None
        match warps.upper:
            case Code(
                parts=(str() as name, (Literal() | Binary()) as most, ", ", Binary() as left, ")")
            ) if name in _LEAST and left.op == "-":
                count, limit = _constant(most), left.left
                if self._times(left.right, self.blocks.index, None) != count:
                    return ()
            case _:
                pass
        if count is None or count < 2 or not _is_int(self.blocks.upper.type):
            return ()
        body, index = self._of_row(warps, count)
        if limit is None and index is not None:
            body, limit = _guarded(body, index)
        made = {self.blocks.index, warps.index, *self.values}
        named = set[Symbol]() if limit is None else symbols_in(limit)
        if index is None or leaves_loop(body) or (symbols_in(body) | named) & made:
            return ()
        if limit is not None and not _is_int(limit.type):
            return ()
        size: Expr = Literal(str(count), count, INT)
        if isinstance(warps.upper, Binary):
            size = Paren(warps.upper, INT)
        rows: Expr = Binary("*", self.blocks.upper, size, INT)
        if limit is not None:
            rows = Code(("std::min(", limit, ", ", rows, ")"), type=INT)
        end = self.names.named("rows", INT)
        declared = Declare((Variable(end, "const int", "", rows, "="),))
        row = _as_index(index)
        loop = CountedLoop(row, _ZERO, VarRef(end), body, PARALLEL_FOR, trivia=self._trivia())
        return declared, loop

    def _of_row(self, warps: CountedLoop, count: int) -> tuple[Block, Symbol | None]:
        """What a warp does with its row, and the variable that is its number."""
        row: Symbol | None = None
        rest: list[Stmt] = []
        same: dict[Symbol, Symbol] = {}
        written = self.effects.of(warps.body).writes - declared_in(warps.body)
        written |= written_after_declaration(warps.body, self.effects)
        for statement in statements_of(warps.body):
            match statement:
                case Declare(variables=(Variable(symbol=symbol, initial=initial, suffix=""),)) if (
                    initial is not None
                    and _is_int(symbol.type)
                    and symbol not in written
                    and self._times(initial, self.blocks.index, warps.index) == count
                ):
                    if row is None:
                        row = symbol
                        self._tell(statement.trivia)
                    self.values[symbol] = initial
                    same[symbol] = row
                case _:
                    rest.append(statement)
        body = Block(tuple(rename_symbols(one, same) for one in rest))
        self.values = {one: value for one, value in self.values.items() if one != row}
        return body, row

    def _tell(self, trivia: Trivia) -> None:
        self.comments += (*trivia.before, *((trivia.after,) if trivia.after else ()))

    def _trivia(self) -> Trivia:
        own = self.blocks.trivia
        return replace(own, before=(*own.before, *self.comments))

    def _shared_out(self, warps: CountedLoop) -> CountedLoop | None:
        """The loop where warps share out the rows."""
        count = _constant(warps.upper)
        rows = self._behind_values(warps)
        if count is None or count < 2:
            return None
        match rows:
            case For(initial=Declare(variables=(first,))) if first.initial is not None:
                index = first.symbol
            case _:
                return None
        upper = upper_limit(rows.condition, index)
        step = None if rows.increment is None else step_of(rows.increment, index)
        if upper is None or step is None or not (_is_int(index.type) and _is_int(upper.type)):
            return None
        if leaves_loop(rows.body):
            return None
        block, warp = self.blocks.index, warps.index
        if self._times(first.initial, block, warp) != count:
            return None
        if self._times(step, self.kernel.grid, None) != count:
            return None
        made = {block, warp, *self.values}
        if symbols_in(rows.body) & made or symbols_in(upper) & (made | {index}):
            return None
        if not self._is_independent(rows, index, upper, made):
            return None
        row = _as_index(index)
        self._tell(rows.trivia)
        return CountedLoop(row, _ZERO, upper, rows.body, PARALLEL_FOR, trivia=self._trivia())

    def _behind_values(self, loop: CountedLoop) -> Stmt | None:
        """What the loop does, if that is one statement behind declarations of numbers."""
        *before, last = statements_of(loop.body) or (loop,)
        for one in before:
            match one:
                case Declare(variables=(variable,)) if (
                    variable.initial is not None
                    and _is_int(variable.symbol.type)
                    and not variable.suffix
                ):
                    self.values[variable.symbol] = variable.initial
                case _:
                    return None
        changed = self.effects.of(last).writes
        return None if changed & set(self.values) or last is loop else last

    def _times(self, number: Expr, counted: Symbol, added: Symbol | None) -> int | None:
        """k in `k * counted + added`, where `counted` is an index, or the grid for its extent."""
        bare = bare_index(number)
        match bare:
            case VarRef(symbol=symbol) if symbol in self.values:
                return self._times(self.values[symbol], counted, added)
            case VarRef(symbol=symbol):
                return 1 if symbol == counted and added is None else None
            case Member(base=VarRef(symbol=symbol), name="x"):
                return 1 if symbol == counted and added is None else None
            case Binary(op="+", left=left, right=right) if added is not None:
                for one, other in ((left, right), (right, left)):
                    if bare_index(other) == VarRef(added):
                        return self._times(one, counted, None)
                return None
            case Binary(op="*", left=left, right=right) if added is None:
                for one, other in ((left, right), (right, left)):
                    factor = _constant(other)
                    rest = None if factor is None else self._times(one, counted, None)
                    if factor is not None and rest is not None:
                        return factor * rest
                return None
            case Binary(op="/" | ">>" as op, left=left, right=right) if added is None:
                whole, divisor = self._times(left, counted, None), _constant(right)
                if op == ">>" and divisor is not None:
                    divisor = 1 << min(divisor, INT.bits)
                exact = whole is not None and divisor and whole % divisor == 0
                return whole // divisor if exact and whole and divisor else None
            case _:
                return None

    def _is_independent(self, rows: For, index: Symbol, upper: Expr, made: set[Symbol]) -> bool:
        effects = self.effects
        body, asked = effects.of(rows.body), effects.of(upper)
        if not asked.is_pure or asked.memory_reads or asked.reads & (body.writes | {index}):
            return False
        if body.writes - declared_in(rows.body):
            return False
        private = {one: replace(one, storage=Storage.LOCAL) for one in declared_in(rows.body)}
        turn = rewrite(rename_symbols(rows.body, private), lambda one: _own(one, private.values()))
        return dependence_between_iterations(turn, index, effects, made) is None


def _guarded(body: Block, row: Symbol) -> tuple[Block, Expr | None]:
    """The body of rows below a limit, if it is all under that condition, and the limit."""
    *declared, last = body.statements or (body,)
    match last:
        case If(
            condition=Binary(op="<", left=VarRef(symbol=symbol), right=limit),
            then=then,
            otherwise=None,
            is_constexpr=False,
        ) if symbol == row and all(_is_bare(one) for one in declared):
            pass
        case _:
            return body, None
    own = declared_in(body) | {row}
    plain = all(isinstance(one, (VarRef, Literal, Binary, Paren)) for one in walk(limit))
    fixed = all(one.storage is Storage.PARAMETER for one in symbols_in(limit))
    if not plain or not fixed or symbols_in(limit) & own:
        return body, None
    first, *rest = statements_of(then) or (then,)
    first = replace(first, trivia=_joined(last.trivia, first.trivia))
    return Block((*declared, first, *rest)), limit


def _joined(outer: Trivia, inner: Trivia) -> Trivia:
    return replace(inner, before=(*outer.before, *inner.before), after=inner.after or outer.after)


def _is_bare(statement: Stmt) -> bool:
    """Is it a variable without a value?"""
    return isinstance(statement, Declare) and all(v.initial is None for v in statement.variables)


def _as_index(variable: Symbol) -> Symbol:
    plain = variable.type.spelling.replace("const", "").strip()
    ctype = replace(variable.type, spelling=plain, is_const=False)
    return replace(variable, type=ctype, storage=Storage.INDEX)


def _constant(number: Expr) -> int | None:
    """The value of a number that is made of constants alone."""
    match bare_index(number):
        case Binary(op="*" | "/" as op, left=left, right=right):
            one, other = _constant(left), _constant(right)
            if one is None or not other or one < 0 or other < 0:
                return None
            return one * other if op == "*" else one // other
        case bare:
            return integer_value(bare)


def _own(node: Node, private: Collection[Symbol]) -> Node | None:
    """An array that an iteration has for itself, for one of its elements."""
    if not isinstance(node, Index):
        return None
    base, indices = strip_parens(node.base), [node.index]
    while isinstance(base, Index):
        indices.append(base.index)
        base = strip_parens(base.base)
    if not isinstance(base, VarRef) or base.symbol not in private:
        return None
    pointer = base.symbol.type.kind is TypeKind.POINTER
    reads = any(isinstance(one, Index) for index in indices for one in walk(index))
    return None if pointer or reads else base


def _is_int(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.is_signed and ctype.bits == INT.bits
