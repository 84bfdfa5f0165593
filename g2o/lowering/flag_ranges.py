"""Flags of the threads of a block that hold for a range of them become that range.

    bool computed[N];                                 int computed_begin = 0, computed_end = 0;
    for (step ...) {                                  for (step ...) {
        for (t < N)                                       computed_end = 0;
            computed[t] = false;                          computed_begin = low;
        for (t from low to below high) {                  computed_end = high;
            computed[t] = true;                ->         for (t from computed_begin to below
            next[t] = ...;                                     computed_end)
        }                                                     next[t] = ...;
        for (t < N)                                       for (t from computed_begin to below
            if (computed[t])                                   computed_end)
                now[t] = next[t];                             now[t] = next[t];
    }                                                 }

Arrays with two subscripts become rectangles. Legal where every flag is cleared before a range of
them is set, by loops through all and through the range that do nothing else to flags and leave by
no other way; the bounds of the range are the same for all threads and stay so while it is set.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    VarRef,
    all_of,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    If,
    Jump,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT
from g2o.lowering.context import LoweringContext
from g2o.lowering.index_arithmetic import is_int
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_loops import perfect_nest

Statements = tuple[Stmt, ...]

_ZERO = Literal("0", 0, INT)
_AXES = {1: ("",), 2: ("_y", "_x")}


def contract_flags(context: LoweringContext, statements: Statements) -> Statements:
    """Replace arrays of flags, inside of the loops over blocks, by the ranges that are set."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        new = rewrite_children(node)
        for declare in new.statements:
            extents = _extents(declare)
            if extents is not None and isinstance(declare, Declare):
                found = _Range(context, declare.variables[0], extents).contracted(new, declare)
                new = new if found is None else found
        return new

    def rewrite_children(block: Block) -> Block:
        inner = tuple(rewrite(one, replacement) for one in block.statements)
        same = all(new is old for new, old in zip(inner, block.statements, strict=True))
        return block if same else replace(block, statements=inner, form=Form.BUILT)

    new = tuple(rewrite(statement, replacement) for statement in statements)
    same = all(one is other for one, other in zip(new, statements, strict=True))
    return statements if same else new


def _extents(declare: Stmt) -> tuple[str, ...] | None:
    """What stands in the brackets of an array of private truth values, which has no value yet."""
    match declare:
        case Declare(variables=(Variable(symbol=symbol, initial=None, suffix=suffix) as variable,)):
            pass
        case _:
            return None
    kept = symbol.storage is Storage.BLOCK and variable.declared == "bool"
    if not kept or not suffix.startswith("[") or not suffix.endswith("]"):
        return None
    extents = tuple(suffix[1:-1].split("]["))
    return extents if len(extents) in _AXES else None


class _Other(Exception):
    """A use of the flags that no range can stand for."""


@final
@dataclass(slots=True)
class _Range:
    """`begin` and `end` of the flags of `variable` that are set, for each subscript."""

    context: LoweringContext
    variable: Variable
    extents: tuple[str, ...]
    begin: list[Expr] = field(default_factory=list[Expr])
    end: list[Expr] = field(default_factory=list[Expr])
    effects: EffectsOf = field(init=False)

    def __post_init__(self) -> None:
        self.effects = self.context.effects

    def contracted(self, block: Block, declare: Declare) -> Block | None:
        """The block that declares the flags, with their range; None where they stay."""
        array = self.variable.symbol
        if not any(self._sets(one) for one in walk(block) if isinstance(one, CountedLoop)):
            return None
        bounds: list[Variable] = []
        for wish, places in (("begin", self.begin), ("end", self.end)):
            for axis in _AXES[len(self.extents)]:
                name = f"{array.name}{axis}_{wish}"
                symbol = self.context.symbols.fresh(name, INT, Storage.LOCAL)
                bounds.append(Variable(symbol, "int", "", _ZERO, "="))
                places.append(VarRef(symbol))
        rest = tuple(one for one in block.statements if one is not declare)
        try:
            new = self._sequence(rest)
        except _Other:
            return None
        declared = tuple(Declare((one,)) for one in bounds)
        first = replace(declared[0], trivia=declare.trivia)
        return replace(block, statements=(first, *declared[1:], *new), form=Form.BUILT)

    # -- statements -----------------------------------------------------------------------------

    def _sequence(self, statements: Statements) -> Statements:
        result: list[Stmt] = []
        empty = False
        for one in statements:
            if not self._names(one):
                result.append(one)
                continue
            if isinstance(one, CountedLoop) and self._clears(one):
                nest = self._nest(one)
                new = (_assign(self.end[0], _ZERO), *self._rest(nest, nest, 0))
                result += (replace(new[0], trivia=one.trivia), *new[1:])
                empty = True
                continue
            if isinstance(one, CountedLoop) and self._sets(one):
                if not empty:
                    raise _Other
                if not result[-1].trivia.before and result[-1] == _assign(self.end[0], _ZERO):
                    result.pop()
                first, *others = self._set(one)
                result += (replace(first, trivia=one.trivia), *others)
            else:
                result.append(self._asked(one))
            empty = False
        return tuple(result)

    def _asked(self, statement: Stmt) -> Stmt:
        """A statement that looks at flags, or holds some that change them."""
        match statement:
            case CountedLoop() if (new := self._bounded(statement)) is not None:
                return new
            case Block(statements=inner):
                return replace(statement, statements=self._sequence(inner), form=Form.BUILT)
            case _:
                return self._parts(statement)

    def _parts(self, statement: Stmt) -> Stmt:
        def replacement(node: Node) -> Node | None:
            match node:
                case _ if node is statement:
                    return None
                case Block() | CountedLoop():
                    return self._asked(node) if self._names(node) else node
                case LocalFunction() | Text() if self._names(node):
                    raise _Other
                case Assign(target=target) if self._names(target):
                    raise _Other
                case Index() if (found := self._subscripts(node)) is not None:
                    return self._inside(found)
                case VarRef(symbol=symbol) if symbol == self.variable.symbol:
                    raise _Other
                case _:
                    return None

        return rewrite(statement, replacement)

    def _bounded(self, loop: CountedLoop) -> Stmt | None:
        """A nest whose threads only do something where their flag is set."""
        nest = perfect_nest(loop)[: len(self.extents)]
        *front, last = statements_of(nest[-1].body)
        match last:
            case If(condition=condition, then=then, otherwise=None):
                found = self._subscripts(strip_parens(condition))
            case _:
                return None
        if found != self._indices(nest) or not self._is_through_threads(nest):
            return None
        known = self.effects.of_all(front)
        if known.side_effects or known.memory_writes or any(map(self._names, (*front, then))):
            return None
        if not all(isinstance(one, Declare) for one in front):
            return None
        whole = [self._is_whole(one, size) for one, size in zip(nest, self.extents, strict=True)]
        body = block_of((*front, *statements_of(then)))
        new: Stmt = body
        for depth in range(len(nest) - 1, -1, -1):
            one, begin, end = nest[depth], self.begin[depth], self.end[depth]
            if not whole[depth]:
                begin, end = _of("std::max", one.lower, begin), _of("std::min", one.upper, end)
            pragma = "omp simd" if depth == len(nest) - 1 and may_vectorise(body) else ""
            new = replace(one, lower=begin, upper=end, body=new, pragma=pragma)
        return new

    def _clears(self, loop: CountedLoop) -> bool:
        """Does it clear all flags, by a statement of its own?"""
        nest = self._nest(loop)
        return self._gives(nest, 0) and all(map(self._is_whole, nest, self.extents))

    def _sets(self, loop: CountedLoop) -> bool:
        """Does it set the flags of all its threads, by a statement of its own?"""
        nest = self._nest(loop)
        if not self._gives(nest, 1):
            return False
        changed = self.effects.of(nest[-1].body).writes | {one.index for one in nest}
        bounds = [bound for one in nest for bound in (one.lower, one.upper)]
        known = self.effects.of_all(bounds)
        names = {symbol for bound in bounds for symbol in symbols_in(bound)}
        return known.is_pure and not known.memory_reads and not names & changed

    def _gives(self, nest: list[CountedLoop], value: int) -> bool:
        """Do all threads of the nest have this flag behind it, which nothing else in it names?"""
        if not nest:
            return False
        body = nest[-1].body
        own = [one for one in statements_of(body) if self._is_given(one, nest, value)]
        named = sum(node == VarRef(self.variable.symbol) for node in walk(nest[0]))
        leaves = any(isinstance(node, Jump | Return | Text | LocalFunction) for node in walk(body))
        return len(own) == named == 1 and not leaves

    def _is_given(self, statement: Stmt, nest: list[CountedLoop], wanted: int) -> bool:
        match statement:
            case ExprStatement(expr=Assign(op="=", target=target, value=value)):
                own = self._subscripts(strip_parens(target)) == self._indices(nest)
                return own and integer_value(value) == wanted
            case _:
                return False

    def _set(self, loop: CountedLoop) -> Statements:
        nest = self._nest(loop)
        bounds: list[Stmt] = []
        for one, begin, end in zip(nest, self.begin, self.end, strict=True):
            bounds += [_assign(begin, one.lower), _assign(end, one.upper)]
        ranges = zip(nest, self.begin, self.end, strict=True)
        rest = [replace(one, lower=begin, upper=end) for one, begin, end in ranges]
        return (*bounds, *self._rest(nest, rest, 1))

    def _rest(self, old: list[CountedLoop], nest: list[CountedLoop], value: int) -> Statements:
        """What else a nest does that gives flags a value."""
        body = statements_of(old[-1].body)
        kept = tuple(one for one in body if not self._is_given(one, old, value))
        if not kept:
            return ()
        new: Stmt = block_of(kept)
        for one in reversed(nest):
            new = replace(one, body=new, trivia=NO_TRIVIA)
        return (new,)

    # -- parts ----------------------------------------------------------------------------------

    def _nest(self, loop: CountedLoop) -> list[CountedLoop]:
        """As many loops through threads, in each other, as there are subscripts; [] for others."""
        nest = perfect_nest(loop)
        same = len(nest) == len(self.extents) and self._is_through_threads(nest)
        return nest if same else []

    def _is_through_threads(self, nest: list[CountedLoop]) -> bool:
        return len(nest) == len(self.extents) and all(
            one.step is None
            and one.pragma in ("", "omp simd")
            and one.index.storage is Storage.INDEX
            and is_int(one.index)
            for one in nest
        )

    def _indices(self, nest: list[CountedLoop]) -> list[Expr]:
        return [VarRef(one.index) for one in nest]

    def _is_whole(self, loop: CountedLoop, extent: str) -> bool:
        match loop.upper:
            case Literal(text=text):
                return text == extent and integer_value(loop.lower) == 0
            case _:
                return False

    def _subscripts(self, expr: Expr) -> list[Expr] | None:
        """Those of a flag."""
        found: list[Expr] = []
        while isinstance(expr, Index):
            found.insert(0, strip_parens(expr.index))
            expr = strip_parens(expr.base)
        is_flag = expr == VarRef(self.variable.symbol) and len(found) == len(self.extents)
        return found if is_flag else None

    def _inside(self, subscripts: list[Expr]) -> Expr:
        known = self.effects.of_all(subscripts)
        if not known.is_pure or any(map(self._names, subscripts)):
            raise _Other
        tests: list[Expr] = []
        for one, begin, end in zip(subscripts, self.begin, self.end, strict=True):
            tests += [Binary(">=", one, begin, BOOL), Binary("<", one, end, BOOL)]
        return Paren(all_of(tests), BOOL)

    def _names(self, node: Node) -> bool:
        return self.variable.symbol in symbols_in(node)


def _assign(place: Expr, value: Expr) -> Stmt:
    assert isinstance(place, VarRef)
    return ExprStatement(Assign("=", place, value, INT))


def _of(function: str, one: Expr, other: Expr) -> Expr:
    return Code((f"{function}<int>(", one, ", ", other, ")"), type=INT)
