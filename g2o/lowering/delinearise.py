"""A loop whose iterations find their place by division becomes a loop over rows and one inside.

    for (int e = 0; e < count; ++e) {           for (int row = 0; row < rows; ++row) {
        int row = e / width;                        const int end = min(width, count - row * width);
        int col = e % width;             ->         for (int col = 0; col < end; ++col) {
        out[e] = x[row] * y[col];                       int e = row * width + col;
    }                                                   out[e] = x[row] * y[col];
                                                    }
                                                }

Where nothing asks for the place in a row, rows may be long and few (the planes of some channels, a
batch): threads then share strips of rows.

    for (int e = 0; e < count; ++e)             for (int row = 0; row < rows; ++row)
        y[e] = x[e] * a[e / size % depth];          for (int first = 0; first < size; first += 9) {
                                            ->          const int end = min(...);
                                                        for (int col = first; col < end; ++col)
                                                            ...

No division is left in the inner loop, whose iterations are neighbours in memory and can be vector
lanes, and comparisons with the place become its bounds. It is the inverse of coalescing loops
(Wolfe, "High Performance Compilers for Parallel Computing", 1996, 9.7). Higher digits
(`analysis/mixed_radix.py`) are found from the row, once for all of it.

Legal because the iterations run in the order in which they did. The divisor is the same for all of
them and positive: a loop that runs would divide by zero otherwise, or step backwards, which is
asserted. Where places in a row are asked for, a product of extents is left alone: it is a plane, of
which there may be few, and rows are what CPU threads share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.definitions import constants_of
from g2o.analysis.effects import declared_in, statements_of
from g2o.analysis.mixed_radix import Digit, Digits, Factors, product_of, without
from g2o.ir.directives import NO_DIRECTIVE, SIMD
from g2o.ir.expressions import (
    Binary,
    Call,
    Conditional,
    Expr,
    Form,
    integer_value,
)
from g2o.ir.single_declarations import apart
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Stmt,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.lowering.context import LoweringContext, is_invariant
from g2o.lowering.indices import block_of
from g2o.lowering.row_nest import RowNest, exceeds, whole_rows
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_loops import are_apart, collapsed_loops
from g2o.lowering.strips import few_turns

Statements = tuple[Stmt, ...]

_FEW: Final = 16
"""Neighbours that are too few to be worth a loop of their own."""


def delinearise(context: LoweringContext, statements: Statements) -> Statements:
    """Make nests of the loops over threads that divide their index by the length of a row."""
    constants = constants_of(block_of(statements), context.effects)
    whole = _Delinearisation(context, constants, collapsed_loops(statements))
    return whole.sequence(statements)


@final
@dataclass(slots=True)
class _Delinearisation:
    context: LoweringContext
    constants: dict[Symbol, Expr]
    collapsed: set[int]

    def sequence(self, statements: Statements) -> Statements:
        """The statements themselves where no loop changes."""
        new = [self._statement(one) for one in statements]
        if all(some[0] is old for some, old in zip(new, statements, strict=True)):
            return statements
        return tuple(one for some in new for one in some)

    def _statement(self, statement: Stmt) -> Statements:
        found = self._loop(statement) if isinstance(statement, CountedLoop) else None
        return (rewrite(statement, self._inside),) if found is None else found

    def _inside(self, node: Node) -> Node | None:
        match node:
            case Block(statements=inner):
                new = self.sequence(inner)
                return node if new is inner else replace(node, statements=new, form=Form.BUILT)
            case CountedLoop():
                found = self._loop(node)
                return None if found is None else block_of(found)
            case _:
                return None

    def _loop(self, loop: CountedLoop) -> Statements | None:
        parallel = loop.directive.is_parallel
        if id(loop) in self.collapsed or loop.directive.collapse > 1:
            return None
        if (loop.index.storage is not Storage.INDEX and not loop.threads) or loop.step is not None:
            return None
        if integer_value(loop.lower) != 0 or not (
            parallel or loop.directive in (NO_DIRECTIVE, SIMD)
        ):
            return None
        statements = tuple(one for some in statements_of(loop.body) for one in apart(some))
        digits = Digits(loop.index, self.constants)
        width = _row_length(digits, statements)
        if not parallel and (several := self._distributed(loop, statements, digits)):
            return several
        in_strips = width is None and parallel and may_vectorise(loop.body)
        if in_strips:
            width = _length_of_long_rows(digits, statements)
        if width is None or not self._stays(width, loop) or not _are_lanes(loop, width):
            return None
        # Compilers divide by numbers without a division: only vectors are worth a loop more.
        constant = all(integer_value(factor) is not None for factor in width)
        if (constant or not parallel) and not _pays(statements):
            return None
        if parallel and any(isinstance(node, CountedLoop) for node in walk(loop.body)):
            return None  # blocks divide once, and are what CPU threads share
        if not parallel and whole_rows(loop, digits, width) is None:
            return None
        return RowNest(self.context, loop, statements, digits, width, in_strips).built()

    def _distributed(
        self, loop: CountedLoop, statements: Statements, digits: Digits
    ) -> Statements | None:
        """A loop for each length of the rows that statements find their places in."""
        shared = tuple(one for one in statements if isinstance(one, Declare))
        parts: dict[int | None, list[Stmt]] = {}
        for one in statements:
            if not isinstance(one, Declare):
                width = _row_length(digits, (*shared, one))
                parts.setdefault(_spelled(width), []).append(one)
        if len(parts) < 2 or not self._are_apart(shared, list(parts.values())):
            return None
        made: list[Statements] = []
        for part in parts.values():
            one = replace(loop, body=block_of((*shared, *part)))
            found = self._loop(replace(one, trivia=loop.trivia if not made else NO_TRIVIA))
            if found is None:
                return None
            made.append(found)
        return tuple(one for some in made for one in some)

    def _are_apart(self, shared: Statements, parts: Sequence[Sequence[Stmt]]) -> bool:
        """Does no part see what another does, and do they all leave alone what they share?"""
        effects = self.context.effects
        declared = effects.of_all(shared)
        if declared.memory_reads or declared.memory_writes or declared.side_effects:
            return False
        found = [effects.of_all(part) for part in parts]
        if any(one.side_effects or one.writes for one in found):
            return False
        if not all(isinstance(one, ExprStatement) for part in parts for one in part):
            return False
        return all(
            written is not None and other is not None and are_apart(written, other)
            for one in found
            for two in found
            if one is not two
            for written in one.memory_writes
            for other in (*two.memory_writes, *two.memory_reads)
        )

    def _stays(self, width: Factors, loop: CountedLoop) -> bool:
        effects = self.context.effects
        changing = {loop.index, *declared_in(loop.body), *effects.of(loop.body).writes}
        if not all(is_invariant(factor, effects, changing) for factor in width):
            return False
        ctype = loop.index.type
        alone = len(width) == 1 and exceeds(width[0].type, ctype)
        return alone or all(_fits(factor, ctype) for factor in width)


def _are_lanes(loop: CountedLoop, width: Factors) -> bool:
    """Are the iterations of a row all of different threads?"""
    if loop.index.storage is Storage.INDEX:
        return True
    length, threads = integer_value(product_of(width)), loop.threads
    lanes = None if threads is None else integer_value(threads)
    return length is not None and lanes is not None and length <= lanes


def _pays(statements: Statements) -> bool:
    """Are the iterations what lanes of a vector can do, a few times perhaps?"""
    bodies = [
        statements_of(one.body) if isinstance(one, For) and few_turns(one) is not None else (one,)
        for one in statements
    ]
    return may_vectorise(block_of([one for some in bodies for one in some]))


def _spelled(width: Factors | None) -> int | None:
    return None if width is None else integer_value(product_of(width))


def _row_length(digits: Digits, statements: Statements) -> Factors | None:
    """The shortest row that all iterations find their place in, unless it is too short."""
    found = [digits.of(node) for node in _always_run(statements) if isinstance(node, Binary)]
    known = [one for one in found if one is not None]
    rows = [one.low or one.high or () for one in known if one != Digit()]
    columns = {one.high for one in known if one.low == () and one.high}
    shortest = len(min(rows, key=len, default=()))
    fit = [one for one in rows if len(one) == shortest and one in columns]
    width = fit[0] if fit else min(rows, key=len, default=())
    if not width or not (fit or _adds_up_rows(digits, statements, width)):
        return None
    numbers = [integer_value(factor) for factor in width]
    if numbers.count(None) > 1:
        return None
    if None not in numbers and (integer_value(product_of(width)) or 0) < _FEW:
        return None
    return width


def _length_of_long_rows(digits: Digits, statements: Statements) -> Factors | None:
    """The length of the shortest rows that all iterations ask for the number of, where that is no
    constant: other divisions are cheap."""
    found = [digits.of(node) for node in _always_run(statements) if isinstance(node, Binary)]
    rows = [one.low for one in found if one is not None and one.low]
    width = min(rows, key=len, default=())
    return width if any(integer_value(factor) is None for factor in width) else None


def _adds_up_rows(digits: Digits, statements: Statements, width: Factors) -> bool:
    """Do the iterations of a row add to one place, which one of them could do for all?"""
    for node in (node for one in statements for node in walk(one)):
        if isinstance(node, Call) and node.name.startswith("atomic") and node.arguments:
            found = digits.within(node.arguments[0])
            if found and all(without(one.low, width) is not None for one in found):
                return True
    return False


def _always_run(statements: Statements) -> Iterator[Expr]:
    """What every iteration computes: nothing that it may leave out, or may not come to."""
    for one in statements:
        match one:
            case Declare(variables=variables):
                for variable in variables:
                    if variable.initial is not None:
                        yield from _computed(variable.initial)
            case ExprStatement(expr=expr) | If(condition=expr):
                yield from _computed(expr)
            case _:
                pass
        if any(isinstance(node, Jump | Return) for node in walk(one)):
            return


def _computed(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Binary(op="&&" | "||", left=left):
            yield from _computed(left)
        case Conditional(condition=condition):
            yield from _computed(condition)
        case _:
            yield expr
            for child in children(expr):
                if isinstance(child, Expr):
                    yield from _computed(child)


def _fits(factor: Expr, ctype: CType) -> bool:
    """Can it be compared with an index of the type, whatever its value?"""
    known, own = integer_value(factor), factor.type
    if known is not None:
        return known > 0
    integer = own.kind is TypeKind.INTEGER and 0 < own.bits <= ctype.bits
    return integer and own.is_signed == ctype.is_signed
