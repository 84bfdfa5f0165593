"""Sums that are kept relative to a running maximum: first the maximum, then the sums.

    float m = -INFINITY, s = 0.0f;                    float m = -INFINITY, s = 0.0f;
    for (int c = lane; c < n; c += 32) {              for (int c = lane; c < n; c += 32)
        const float old = m;                              m = fmaxf(m, x[c]);
        m = fmaxf(m, x[c]);                           for (int d = 16; d > 0; d /= 2)
        s = s * expf(old - m) + expf(x[c] - m);           m = fmaxf(m, shfl_xor(m, d));
    }                                            ->   for (int c = lane; c < n; c += 32)
    for (int d = 16; d > 0; d /= 2) {                     s += expf(x[c] - m);
        float other_m = shfl_xor(m, d);               for (int d = 16; d > 0; d /= 2)
        float other_s = shfl_xor(s, d);                   s += shfl_xor(s, d);
        float both = fmaxf(m, other_m);
        s = s * expf(m - both) + other_s * expf(other_m - both);
        m = both;
    }

("Online softmax": one walk over memory, for two exponentials a number, a product of all that came
before, and pairs where the rest of g2o knows maxima and sums.) In real numbers that is the same
(`relative_values.py` says why); rounding differs, so it is done where sums may be made in any
order. Nothing overflows that did not: the maximum only grows, so no term is taken relative to less
than before. With what other threads have, the maximum has to be that of the whole group, the same
for all of them. What both loops read does not change meanwhile, and is cheap to read twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import (
    Assign,
    Call,
    Form,
    Index,
    VarRef,
    is_variable,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Labelled,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite_statements, walk
from g2o.ir.types import unqualified
from g2o.transforms.costly import Costly
from g2o.transforms.parts_left import assigned_at_once, begun_late, needed
from g2o.transforms.relative_parts import Walk, assigned_in, may_be_relative
from g2o.transforms.relative_values import (
    Factor,
    Reference,
    Sum,
    Unfit,
    Value,
    Values,
    Versions,
    is_zero,
    of_difference,
)

IsCombined = Callable[[Sequence[Stmt], Symbol, Symbol, str, bool], bool]


def take_sums_apart(kernel: Kernel, functions: FunctionTable, is_combined: IsCombined) -> Kernel:
    """The kernel with such code in two parts. `is_combined` says of statements that they leave in a
    variable of every thread the greatest number (`max`), or the sum (`add`), of what those of the
    group had in another one. That is a warp, or the whole block where threads of it meet in its
    memory: the last argument."""
    if not any(isinstance(node, Call) and "exp" in node.name for node in walk(kernel.body)):
        return kernel
    if any(isinstance(node, Index) and node.type.is_volatile for node in walk(kernel.body)):
        return kernel  # what is loaded twice may have changed
    if any(isinstance(node, Labelled) for node in walk(kernel.body)):
        return kernel  # what a variable has been set to in front of a label may not be so behind it
    symbols = SymbolTable(continued=kernel.function.symbols)
    effects = functions.for_node(kernel.body)
    apart = _Apart(kernel.body, functions, effects, symbols, is_combined)
    body = apart.inside(kernel.body, repeated=False)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


@final
@dataclass(frozen=True, slots=True)
class _Apart:
    body: Block
    functions: FunctionTable
    effects: EffectsOf
    symbols: SymbolTable
    is_combined: IsCombined

    def inside(self, block: Block, *, repeated: bool) -> Block:
        """The block, which is `repeated` in a loop, with such code in two parts."""
        made: list[Stmt] = []
        rest = list(block.statements)
        while rest:
            found = self._apart(made, rest, repeated) if isinstance(rest[0], For) else None
            if found is None:
                made.append(self._nested(rest.pop(0), repeated))
                continue
            statements, count = found
            made += statements
            del rest[:count]
        if len(made) == len(block.statements):
            if all(a is b for a, b in zip(made, block.statements, strict=True)):
                return block
        return replace(block, statements=tuple(made), form=Form.BUILT)

    def _nested(self, statement: Stmt, repeated: bool) -> Stmt:
        loops = repeated or isinstance(statement, (For, While, DoWhile))

        def replacement(node: Node) -> Node | None:
            if isinstance(node, (For, While, DoWhile)) and not loops:
                return self._nested(node, True)
            return self.inside(node, repeated=loops) if isinstance(node, Block) else None

        return rewrite_statements(statement, replacement)

    def _apart(
        self, before: Sequence[Stmt], rest: Sequence[Stmt], repeated: bool
    ) -> tuple[list[Stmt], int] | None:
        """What becomes of the first statements, and how many these are."""
        own = declared_in(rest[0])
        outer = [one for one in assigned_in(rest[0]) if one not in own and may_be_relative(one)]
        for target in outer if len(outer) > 1 else ():
            sums = [one for one in outer if one != target]
            begin = _Begin(before, rest, target, sums, repeated)
            parts = self._parts(begin)
            if parts is not None:
                return self._joined(begin, parts), parts.count
        return None

    def _parts(self, begin: _Begin) -> _Parts | None:
        """The longest row of statements that can be taken apart."""
        try:
            walked = begin.walk(begin.target, self.effects)
        except Unfit:
            return None
        ends: list[tuple[int, Symbol]] = []
        first, second = list[Stmt](), list[Stmt]()
        alone, tree = True, 0  # does no thread see what another one has?
        for at, statement in enumerate(begin.rest):
            if alone and _meets(statement, walked.values.arrays):
                alone, tree = False, _with_declarations(first)
            try:
                own, relative = walked.statement(statement, nested=False)
            except Unfit:
                break
            first += own
            second += relative
            walked.follow()
            if not walked.is_relative() or not _goes_on(statement, walked):
                continue
            if alone and not walked.grows:
                break
            wide = bool(walked.values.stored)
            found = walked.target, begin.target, "max", wide
            if alone or self.is_combined(first[tree:], *found):
                ends += [(at + 1, walked.target)] if self._is_all(begin, walked, at + 1) else ()
        made = (self._of(begin, count, target) for count, target in reversed(ends))
        return next((one for one in made if one is not None), None)

    def _of(self, begin: _Begin, count: int, target: Symbol) -> _Parts | None:
        """That many statements in two parts."""
        walked = begin.walk(target, self.effects)
        first, second = list[Stmt](), list[Stmt]()
        for statement in begin.rest[:count]:
            own, relative = walked.statement(statement, nested=False)
            first += own
            second += relative
            walked.follow()
        if _meetings(second) < _meetings(first) or not self._is_cheap(begin.rest[:count], walked):
            return None
        after = frozenset(s for one in begin.rest[count:] for s in symbols_in(one))
        kept = frozenset({begin.target, target, *after}).union(*map(symbols_in, second))
        first = assigned_at_once(needed(first, kept), kept)
        second = needed(second, after | walked.sums)
        first, second = begun_late(first, second)
        if begin.repeated and walked.values.stored and not self._is_of_now(begin, walked, second):
            return None
        return _Parts(first, second, count, target, walked.values.exponentials[0])

    def _is_of_now(self, begin: _Begin, walked: Walk, second: Sequence[Stmt]) -> bool:
        """Is nothing part of the sums that arrays have had from an earlier turn of a loop around,
        where it was relative to another maximum?"""
        met = (at for at, one in enumerate(second) if _meets(one, walked.values.arrays))
        tree = second[_with_declarations(second[: next(met, len(second))]) :]
        return all(
            any(self.is_combined(tree, one, base, "add", True) for base in begin.sums)
            for one in walked.sums
        )

    def _is_all(self, begin: _Begin, walked: Walk, count: int) -> bool:
        """Does nothing behind these statements ask for factors, or for sums that were relative to
        something else?"""
        gone = {
            symbol
            for symbol, value in walked.values.known.items()
            if isinstance(value, Factor) or (isinstance(value, Sum) and not walked.fits(value))
        }
        stored = {a for (a, _), value in walked.values.stored.items() if isinstance(value, Sum)}
        gone |= stored | (set(begin.sums) - walked.sums)
        here = Block((*begin.before, *begin.rest[:count]))
        return all(_occurrences(here, one) == _occurrences(self.body, one) for one in gone)

    def _is_cheap(self, statements: Sequence[Stmt], walked: Walk) -> bool:
        """Is what is done for both parts cheap enough to be done twice?"""
        taken = walked.values.exponentials
        costly = Costly(self.functions)
        return bool(taken) and not any(
            costly.is_costly(node) and not any(node is one for one in taken)
            for statement in statements
            for node in walk(statement)
        )

    def _joined(self, begin: _Begin, parts: _Parts) -> list[Stmt]:
        """Both parts, with sums that do not begin with nothing made relative to the maximum."""
        begun = [one for one in begin.sums if not _is_zero_in(begin.before, one)]
        first, second = parts.first, [self._renamed(one) for one in parts.second]
        if not begun:
            return [*first, *second]
        ctype = begin.target.type
        old = self.symbols.fresh(f"{begin.target.name}_before", ctype, Storage.LOCAL)
        noted = Declare((Variable(old, f"{unqualified(ctype)} ", "", VarRef(begin.target), "="),))
        factor = of_difference(parts.exponential, VarRef(old), VarRef(parts.target))
        scaled = [ExprStatement(Assign("*=", VarRef(one), factor, one.type)) for one in begun]
        return [noted, *first, *scaled, *second]

    def _renamed(self, statement: Stmt) -> Stmt:
        """The statement with variables of its own loops, which others have had before."""
        if not isinstance(statement, (For, If, Block)):
            return statement
        names = {
            one: self.symbols.fresh(one.wish or one.name, one.type, one.storage)
            for one in sorted(declared_in(statement), key=lambda one: one.id)
        }
        return rename_symbols(statement, names)


@final
@dataclass(frozen=True, slots=True)
class _Begin:
    """Where a row of statements may begin that can be taken apart: with a loop that changes the
    reference and the sums."""

    before: Sequence[Stmt]
    rest: Sequence[Stmt]
    target: Symbol
    sums: Sequence[Symbol]
    repeated: bool

    def walk(self, final: Symbol, effects: EffectsOf) -> Walk:
        """What goes through them, and makes sums relative to the `final` reference."""
        arrays = frozenset(
            root
            for one in self.rest
            for node in walk(one)
            if isinstance(node, Assign) and isinstance(strip_parens(node.target), Index)
            if (root := root_symbol(node.target)) is not None and root.storage is Storage.SHARED
        )
        if effects.memory.led_to() & {*arrays, self.target, *self.sums}:
            raise Unfit  # they have other names
        versions = Versions()
        start = versions.fresh()
        known: dict[Symbol, Value] = {self.target: Reference(start)}
        known.update((one, Sum(start)) for one in self.sums)
        changing = frozenset(
            symbol for one in self.rest for symbol in (*assigned_in(one), *declared_in(one))
        )
        values = Values(final, arrays, versions, known, changing)
        return Walk(values, self.target, frozenset(self.sums), effects)


@final
@dataclass(frozen=True, slots=True)
class _Parts:
    first: Sequence[Stmt]
    second: Sequence[Stmt]
    count: int
    target: Symbol
    exponential: Call


def _meets(statement: Stmt, arrays: frozenset[Symbol]) -> bool:
    """May threads see there what others have?"""
    return any(
        isinstance(node, (Exchange, Barrier))
        or (isinstance(node, VarRef) and node.symbol in arrays)
        for node in walk(statement)
    )


def _with_declarations(statements: Sequence[Stmt]) -> int:
    """Where the declarations begin, without a value, that these statements end with."""
    begin = len(statements)
    while begin and isinstance(last := statements[begin - 1], Declare):
        if any(one.initial is not None for one in last.variables):
            break
        begin -= 1
    return begin


def _goes_on(statement: Stmt, walked: Walk) -> bool:
    """Does it change the reference or a sum, or hand one to other threads?"""
    named = symbols_in(statement) if isinstance(statement, Exchange) else assigned_in(statement)
    return not {walked.target, *walked.sums}.isdisjoint(named)


def _occurrences(node: Node, symbol: Symbol) -> int:
    return sum(isinstance(one, VarRef) and one.symbol == symbol for one in walk(node))


def _is_zero_in(before: Sequence[Stmt], symbol: Symbol) -> bool:
    """Is a variable zero behind these statements?"""
    for statement in reversed(before):
        match statement:
            case Declare(variables=variables):
                for one in reversed(variables):
                    if one.symbol == symbol:
                        return one.initial is not None and is_zero(one.initial)
                    if symbol in symbols_in(Declare((one,))):
                        return False
            case ExprStatement(expr=Assign(op="=", target=target, value=value)) if is_variable(
                target, symbol
            ):
                return is_zero(value)
            case _ if symbol in symbols_in(statement):
                return False
            case _:
                pass
    return False


def _meetings(statements: Sequence[Stmt]) -> int:
    """How often threads wait for others: what they read in front of that may change behind it."""
    return sum(isinstance(node, (Exchange, Barrier)) for one in statements for node in walk(one))
