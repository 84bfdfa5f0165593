"""Loops in which only the first and the last threads have other neighbours are split there.

    for (int x = 0; x < n; ++x) {                    const int begin = ..., end = ...;
        int west = max(x - 1, 0);                    for (x at the edges) {
        int east = min(x + 1, n - 1);        ->          the same
        out[x] = in[west] + in[east];                }
    }                                                #pragma omp simd
                                                     for (int x = begin; x < end; ++x) {
                                                         int west = x - 1;
                                                         int east = x + 1;
                                                         out[x] = in[west] + in[east];
                                                     }

Index-set splitting (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 2001, 5.9):
where an index is clamped, or chosen by a comparison with something that is the same for all threads
of the loop, the comparison has one answer in the middle. It pays where the middle can be vectorised
and walks from neighbour to neighbour there, which it did not before.

Legal because threads of one interval run in any order, whatever the middle is: it is the part of
the loop in which all the comparisons have that answer, perhaps an empty one. What they compare with
is not written by the loop. Differences that no `int` holds are taken for the number next to them,
beyond which no thread has an index.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.definitions import constants_of
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.directives import SIMD
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
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import NO_TRIVIA, Block, CountedLoop, Declare, For, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT
from g2o.lowering.context import LoweringContext
from g2o.lowering.index_arithmetic import clamped, expanded, is_int, is_signed, without_index
from g2o.lowering.scattered import scatters
from g2o.lowering.simd import may_vectorise, obstacle
from g2o.lowering.stride_loops import collapsed_loops, is_over_threads

Statements = tuple[Stmt, ...]

_ONE = Literal("1", 1, INT)
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "=="}
_SELECTED = ("+", "-", "<", "<=", ">", ">=", "==", "!=")
_BEHIND, _IN_FRONT = "> of !=", "< of !="
_MOST_STEPS = 4  # to a neighbour
_MOST_NODES = 150
"""The size of a body that is worth to be there twice."""


def split_edges(context: LoweringContext, statements: Statements) -> Statements:
    """Split the innermost loops over threads in which neighbours are clamped."""
    splitting = _Splitting(context.effects, context.symbols, collapsed_loops(statements))
    new = tuple(one for statement in statements for one in splitting.statement(statement))
    same = len(new) == len(statements) and all(
        one is old for one, old in zip(new, statements, strict=True)
    )
    return statements if same else new


@final
@dataclass(slots=True)
class _Middle:
    """The threads of `loop` from all of `floors` to below all `limits`, with `chosen` there in
    place of what compares them. These are numbers less each of some offsets."""

    loop: CountedLoop
    effects: EffectsOf
    values: Mapping[Symbol, Expr]
    varying: set[Symbol]
    floors: dict[Expr, list[Expr]] = field(default_factory=dict[Expr, "list[Expr]"])
    limits: dict[Expr, list[Expr]] = field(default_factory=dict[Expr, "list[Expr]"])

    def chosen(self, node: Node) -> Node | None:
        match node:
            case Call(name="min" | "max", is_cuda=True, arguments=(left, right)):
                for own, other in ((left, right), (right, left)):
                    op = "<=" if node.name == "min" else ">="
                    if self._holds(own, op, other):
                        return rewrite(own, self.chosen)
                return None
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                match strip_parens(condition):
                    case Binary(op="<" | "<=" | ">" | ">=" | "==" as op, left=left, right=right):
                        pass
                    case _:
                        return None
                if self._varies(right):
                    left, right, op = right, left, _MIRRORED[op]
                if op == "==" and self._differs(left, right):
                    return rewrite(if_false, self.chosen)
                if not self._varies(if_true) and self._holds(left, _NOT.get(op, ""), right):
                    return rewrite(if_false, self.chosen)
                if not self._varies(if_false) and self._holds(left, op, right):
                    return rewrite(if_true, self.chosen)
                return None
            case _:
                return None

    def _varies(self, expr: Expr) -> bool:
        return bool(symbols_in(expanded(expr, dict(self.values))) & self.varying)

    def _differs(self, left: Expr, right: Expr) -> bool:
        """The middle is behind a constant, and in front of any other number."""
        return self._holds(left, _BEHIND if integer_value(right) is not None else _IN_FRONT, right)

    def _holds(self, position: Expr, op: str, uniform: Expr) -> bool:
        """Make the middle the threads for which `position op uniform`; False where none is."""
        if symbols_in(uniform) & self.values.keys():  # which the loop declares
            uniform = expanded(uniform, dict(self.values))
        offset = self._offset(position, uniform) if op else None
        if offset is None:
            return False
        known = integer_value(offset)
        if op not in (_BEHIND, _IN_FRONT) and (known is None or not 0 < abs(known) <= _MOST_STEPS):
            return False  # no edge, but a part of any length
        if op in ("<=", ">", _BEHIND):  # the next number
            offset = _one_less(offset)
        bounds = self.limits if op in ("<", "<=", _IN_FRONT) else self.floors
        bounds.setdefault(strip_parens(uniform), []).append(offset)
        return True

    def _offset(self, position: Expr, uniform: Expr) -> Expr | None:
        """What is added to the index, where that is compared with a number that stays."""
        found = self.effects.of(uniform)
        if self._varies(uniform) or not is_signed(uniform) or not found.is_pure:
            return None
        offset = without_index(expanded(position, dict(self.values)), self.loop.index)
        if offset is None or found.memory_reads or not is_signed(offset):
            return None
        known = self.effects.of(offset)
        if not known.is_pure or known.memory_reads or symbols_in(offset) & self.varying:
            return None
        number = integer_value(offset)
        return offset if number is None else _number(number)


_NOT = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@final
@dataclass(slots=True)
class _Splitting:
    effects: EffectsOf
    symbols: SymbolTable
    collapsed: set[int]

    def split(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                new = [self.statement(one) for one in statements]
                same = all(
                    len(some) == 1 and some[0] is old
                    for some, old in zip(new, statements, strict=True)
                )
                inner = tuple(one for some in new for one in some)
                return node if same else replace(node, statements=inner, form=Form.BUILT)
            case CountedLoop():
                found = self._loop(node)
                return None if found is None else Block(found)
            case _:
                return None

    def statement(self, statement: Stmt) -> Statements:
        found = self._loop(statement) if isinstance(statement, CountedLoop) else None
        return (rewrite(statement, self.split),) if found is None else found

    def _loop(self, loop: CountedLoop) -> Statements | None:
        if not is_over_threads(loop, self.collapsed):
            return None
        if loop.step is not None or not is_int(loop.index) or not _is_plain(loop.body):
            return None
        written = self.effects.of(loop.body).writes
        constants = constants_of(loop.body, self.effects)
        values: dict[Symbol, Expr] = {}
        for one in statements_of(loop.body):
            for variable in one.variables if isinstance(one, Declare) else ():
                symbol = variable.symbol
                if symbol in constants and is_int(symbol) and variable.initial is not None:
                    values[symbol] = expanded(variable.initial, values)
        varying = {loop.index, *written, *declared_in(loop.body)} - values.keys()
        middle = _Middle(loop, self.effects, values, varying)
        body = rewrite(loop.body, middle.chosen)
        if not (middle.floors or middle.limits):
            return None
        inner = replace(loop, body=body, directive=SIMD, trivia=NO_TRIVIA)
        vectorises = may_vectorise(rewrite(body, _selected)) and not scatters(inner)
        if not vectorises or not _walks(body, loop.index, values):
            return None
        return self._parts(loop, inner, middle)

    def _parts(self, loop: CountedLoop, inner: CountedLoop, middle: _Middle) -> Statements:
        index, t = loop.index, VarRef(loop.index)
        declared: list[Stmt] = []

        def named(wish: str, value: Expr) -> Expr:
            if isinstance(value, VarRef | Literal):
                return value
            symbol = self.symbols.fresh(wish, INT, Storage.GLOBAL)
            declared.append(Declare((Variable(symbol, "const int", "", value, "="),)))
            return VarRef(symbol)

        low, high = named("low", loop.lower), named("high", loop.upper)
        floors, limits = _differences(middle.floors, True), _differences(middle.limits, False)
        least = _of("std::max", (low, *floors)) if floors else low
        begin = named("begin", _of("std::min", (least, high))) if floors else low
        most = _of("std::min", (high, *limits)) if limits else high
        end = named("end", _of("std::max", (begin, most)))
        start = Conditional(Binary("==", begin, low, BOOL), end, low, INT)
        after = Binary("+", t, _ONE, INT)
        following = Conditional(Binary("==", after, begin, BOOL), end, after, INT)
        edges = For(
            Declare((Variable(index, "int", "", start, "="),)),
            Binary("<", t, high, BOOL),
            Assign("=", t, following, INT),
            loop.body,
        )
        first, *others = (*declared, edges, replace(inner, lower=begin, upper=end))
        return (replace(first, trivia=loop.trivia), *others)


def _is_plain(body: Stmt) -> bool:
    """Is it small, and does nothing in it but choices keep it from being vectorised?"""
    without = rewrite(body, lambda node: _ONE if isinstance(node, Conditional) else None)
    return obstacle(without) is None and sum(1 for _ in walk(body)) <= _MOST_NODES


def _selected(node: Node) -> Node | None:
    """A choice of two numbers that are there anyway is made by vectors, too."""
    if not isinstance(node, Conditional):
        return None
    parts = [
        one for one in walk(node) if not isinstance(one, Conditional | VarRef | Literal | Paren)
    ]
    plain = all(isinstance(one, Binary) and one.op in _SELECTED for one in parts)
    return _ONE if plain else None


def _walks(body: Stmt, index: Symbol, values: Mapping[Symbol, Expr]) -> bool:
    """Does it read elements beside those of the thread itself?"""
    own = _values_of(body, values)
    found = (
        without_index(expanded(node.index, own), index)
        for node in walk(body)
        if isinstance(node, Index)
    )
    offsets = {repr(one) for one in found if one is not None}
    return len(offsets) > 1


def _values_of(body: Stmt, values: Mapping[Symbol, Expr]) -> dict[Symbol, Expr]:
    """What the variables of `values` stand for in a body that declares them otherwise."""
    found: dict[Symbol, Expr] = {}
    for one in statements_of(body):
        for variable in one.variables if isinstance(one, Declare) else ():
            if variable.symbol in values and variable.initial is not None:
                found[variable.symbol] = expanded(variable.initial, found)
    return found


def _one_less(offset: Expr) -> Expr:
    known = integer_value(offset)
    return Binary("-", offset, _ONE, INT) if known is None else _number(known - 1)


def _difference(number: Expr, offset: Expr) -> Expr:
    known = integer_value(number), integer_value(offset)
    if known[0] is None or known[1] is None:
        return clamped(number, offset)
    return _number(known[0] - known[1])


def _differences(numbers: Mapping[Expr, list[Expr]], least: bool) -> tuple[Expr, ...]:
    """The numbers less the offsets; of constant ones only the `least`, or the largest."""
    found: list[Expr] = []
    for number, offsets in numbers.items():
        known = [value for one in offsets if (value := integer_value(one)) is not None]
        rest = [one for one in offsets if integer_value(one) is None]
        constant = [_number(min(known) if least else max(known))] if known else []
        found += [_difference(number, one) for one in (*constant, *rest)]
    return tuple(found)


def _number(value: int) -> Literal:
    return Literal(str(value), value, INT)


def _of(function: str, numbers: tuple[Expr, ...]) -> Expr:
    several = len(numbers) > 2
    parts: list[Expr | str] = [f"{function}<int>({{" if several else f"{function}<int>("]
    for number in numbers:
        parts += [number, ", "]
    parts[-1] = "})" if several else ")"
    return Code(tuple(parts), type=INT)
