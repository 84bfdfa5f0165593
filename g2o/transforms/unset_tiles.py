"""Shared memory that the reverse sweep multiplies by starts at 0 where some of it may be unset.

    if (row < rows)                              if (row < rows)
        tile[ty][tx] = x[row * 16 + tx];             tile[ty][tx] = x[row * 16 + tx];
    ...                                    ->    ...
    sum += w[k] * tile[ty][k];                   d_w[k] += tile[ty][k] * d_sum;   // d_sum is 0
    if (row < rows)                              d_tile[ty][k] += w[k] * d_sum;
        y[row * 16 + tx] = sum;

Threads at the rim compute with anything, and do not store what comes of it. In reverse their seeds
are 0, but 0 times what may be infinite or no number is none: with zeros in the tile nothing is
added. Where a partial derivative is no number for zeros, those of `1 / tile[ty][k]` or of roots, an
increment is made where its seed is not 0 alone; and so it is where threads at the rim have a
constant for what others read, `v = row < rows ? x[row] : 0`. An array is left alone if every load
of it surely finds what a thread of the block has stored (`tile_values.py`), or if no derivative is
multiplied by what comes of it; a number, if whatever names it stands behind an assignment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.access_collector import NotAnalysable, memory_model
from g2o.analysis.conflicts import Conflicts
from g2o.analysis.decided import truth
from g2o.analysis.definitions import constants_of
from g2o.analysis.distinct_writes import evidence
from g2o.analysis.effects import is_tape_call, root_symbol, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.tile_values import is_stored_first
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Conditional,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.increments import is_increment
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Exchange,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL, CType, TypeKind
from g2o.polyhedral.solver import Solver

_WHOLE_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.BOOL)
_FINITE: Final = frozenset(
    {"exp", "exp2", "expm1", "sin", "cos", "tan", "tanh", "sinh", "cosh", "atan", "erf", "fma"}
    | {"abs", "fabs", "min", "max", "fmin", "fmax", "floor", "ceil", "round", "rint", "trunc"}
)
"""Functions whose values and derivatives are numbers where those of what they are given are."""


def with_tiles_set(
    kernel: Kernel,
    primal: Kernel,
    made: Collection[Symbol],
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
) -> Kernel:
    """The adjoint `kernel` of `primal`, that differentiation has added `made` to."""
    tiles = _open_tiles(kernel, primal, made, functions, assume_noalias, solver)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Declare) or not any(v.symbol in tiles for v in node.variables):
            return None
        variables = tuple(_zeroed(v) if v.symbol in tiles else v for v in node.variables)
        return replace(node, variables=variables, form=Form.BUILT)

    body = rewrite(kernel.body, replacement) if tiles else kernel.body
    body = _Seeded.of(body, tiles, made).body(body)
    return (
        kernel
        if body is kernel.body
        else replace(kernel, function=replace(kernel.function, body=body))
    )


def _open_tiles(
    kernel: Kernel,
    primal: Kernel,
    made: Collection[Symbol],
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
) -> set[Symbol]:
    """Those of which a derivative may be multiplied by what no thread has stored."""
    tiles = {one.symbol for one in _tiles(kernel.body) if one.symbol not in made}
    if not tiles:
        return tiles
    flows = list(_flows(kernel.body))
    tiles = {one for one in tiles if _is_factor(one, flows, made)}
    tiles = {one for one in tiles if not _is_of_groups(one, primal.body)}
    constants = constants_of(primal.body, functions.for_node(primal.body))
    tiles = {one for one in tiles if not _is_set_first(one, primal.body, constants)}
    return tiles - _stored_first(primal, tiles, functions, assume_noalias, solver)


def _choices(value: Expr) -> list[Expr]:
    """What it may be, of the arms of `a ? b : c`."""
    match value:
        case Paren(inner=inner) | Cast(operand=inner):
            return _choices(inner)
        case Conditional(if_true=one, if_false=other):
            return [*_choices(one), *_choices(other)]
        case _:
            return [value]


def _tiles(body: Block) -> Iterator[Variable]:
    for node in walk(body):
        for one in node.variables if isinstance(node, Declare) else ():
            shared = one.symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
            if shared and one.initial is None and _holds_reals(one.symbol.type):
                yield one


def _holds_reals(ctype: CType) -> bool:
    return ctype.innermost.kind not in _WHOLE_NUMBERS


def _zeroed(variable: Variable) -> Variable:
    return replace(variable, initial=Literal("{}"), initial_style="=")


def _stored_first(
    primal: Kernel,
    tiles: Collection[Symbol],
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
) -> set[Symbol]:
    if not tiles:
        return set()
    effects = functions.for_node(primal.body)
    try:
        model = memory_model(primal, effects, assume_noalias)
    except NotAnalysable:
        return set()
    conflicts = Conflicts(model, solver, proves=evidence(model, solver, primal.body, effects))
    return {one for one in tiles if is_stored_first(one, model, conflicts)}


def _is_of_groups(array: Symbol, body: Block) -> bool:
    """Has it an element for each group of threads, `a[t / 32]`, which the first thread of the group
    sets, `if (t % 32 == 0)`, in front of all that names it?"""
    found = [one for one in walk(body) if isinstance(one, Index) and one.base == VarRef(array)]
    if len(found) != sum(one == VarRef(array) for one in walk(body)):
        return False
    match [strip_parens(one.index) for one in found[:1]]:
        case [Binary(op="/", left=thread, right=size) as group]:
            pass
        case _:
            return False
    if any(strip_parens(one.index) != group for one in found):
        return False
    naming = [one for one in body.statements if _names(one, array)]
    match naming[0]:
        case If(condition=Binary(op="==", left=left, right=right), then=then, otherwise=None):
            first = strip_parens(left)
            if not isinstance(first, Binary) or integer_value(right) != 0:
                return False
            if (first.op, first.left, first.right) != ("%", thread, size):
                return False
            (set_by, *_) = statements_of(then)
        case _:
            return False
    match set_by:
        case ExprStatement(expr=Assign(op="=", target=Index(), value=value)):
            return not _names(value, array)
        case _:
            return False


def _is_set_first(number: Symbol, body: Stmt, constants: Mapping[Symbol, Expr]) -> bool:
    """Is it no array, and does all that names it stand behind an assignment, be it by the first
    thread of the block alone?"""
    if number.type.kind is TypeKind.ARRAY or number.type.is_indirect:
        return False
    naming = [one for one in statements_of(body) if _names(one, number)]
    match naming[:1]:
        case [ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value))]:
            return symbol == number and not _names(value, number)
        case [If(condition=condition, then=then)] if _holds_for_first(condition, constants):
            return not _names(condition, number) and _is_set_first(number, then, constants)
        case [Block() | If() | For() | While() | CountedLoop() as around] if len(naming) == 1:
            inside = [one for one in children(around) if _names(one, number)]
            if isinstance(around, Block):
                return _is_set_first(number, around, constants)
            inner = inside[0] if len(inside) == 1 else None
            return isinstance(inner, Block) and _is_set_first(number, inner, constants)
        case _:
            return False


def _holds_for_first(condition: Expr, constants: Mapping[Symbol, Expr]) -> bool:
    """Does it hold for the first thread of a block?"""

    def value(node: Node) -> Node | None:
        match node:
            case LaunchRef(builtin=Builtin.THREAD_INDEX):
                return Literal("0", 0, node.type)
            case VarRef(symbol=symbol) if symbol in constants:
                return Paren(rewrite(constants[symbol], value), symbol.type)
            case _:
                return None

    return truth(rewrite(condition, value)) is True


def _names(node: Node, symbol: Symbol) -> bool:
    """Does it name the variable, other than to declare it?"""
    return any(isinstance(one, VarRef) and one.symbol == symbol for one in walk(node))


_Flow = tuple[frozenset[Symbol], frozenset[Symbol]]
"""What gets a value, and what that may be made of."""


def _flows(body: Block) -> Iterator[_Flow]:
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    if one.initial is not None:
                        yield frozenset({one.symbol}), frozenset(symbols_in(one.initial))
            case Assign(target=target, value=value):
                root = root_symbol(target)
                targets = frozenset(symbols_in(target) if root is None else {root})
                yield targets, frozenset(symbols_in(value))
            case ExprStatement(expr=Call() as call):
                yield frozenset(symbols_in(call)), frozenset(symbols_in(call))
            case _:
                pass


@final
@dataclass(frozen=True, slots=True)
class _Seeded:
    """Makes increments depend on their seeds where other factors may be no numbers. `derived` is
    what derivatives are in, `unset` what is made of open tiles and of constants that only threads
    at the rim have, `singular` what of that may be none, where no seed keeps it from being so."""

    derived: Collection[Symbol]
    unset: set[Symbol]
    singular: set[Symbol]

    @staticmethod
    def of(body: Block, tiles: Collection[Symbol], made: Collection[Symbol]) -> _Seeded:
        shadows = {one for one in made if one.storage is Storage.PARAMETER}
        self = _Seeded(_made_of(shadows, body), set(tiles), set())
        self.unset.update(self._padded(body))
        before = -1
        while before != (before := len(self.unset) + len(self.singular)):
            for target, value in _values(body):
                if target is None or not _holds_reals(target.type):
                    continue
                if target in self.derived:
                    if any(map(self._is_open, _terms(value))):
                        self.singular.add(target)
                    continue
                if self._may_be_none(value):
                    self.singular.add(target)
                if not symbols_in(value).isdisjoint(self.unset):
                    self.unset.add(target)
        return self

    def _is_open(self, term: Expr) -> bool:
        return self._may_be_none(term) and self._seed(term) is None

    def _padded(self, body: Block) -> set[Symbol]:
        """Variables, and arrays of the kernel, that some threads set to a constant where others set
        them to a value."""
        constant: set[Symbol] = set()
        chosen: set[Symbol] = set()

        def visit(node: Node, is_chosen: bool) -> None:
            for target, value in _stored_by(node):
                arms = _choices(value)
                if target is None or target.storage is Storage.PARAMETER:
                    continue
                values = [one for one in arms if not isinstance(one, Literal)]
                if len(values) < len(arms):
                    constant.add(target)
                if values and (is_chosen or len(arms) > 1):
                    chosen.add(target)
            for child in children(node):
                visit(child, is_chosen or isinstance(node, If))

        visit(body, False)
        return {one for one in constant & chosen if _holds_reals(one.type)}.difference(self.derived)

    def body(self, body: Block) -> Block:
        return rewrite(body, self._statement)

    def _statement(self, node: Node) -> Node | None:
        match node:
            case ExprStatement(expr=Assign(target=target, value=value) as whole):
                if root_symbol(target) not in self.derived:
                    return None
                made = replace(whole, value=self._where_seeded(value))
            case ExprStatement(expr=Call(arguments=(place, value)) as whole) if is_increment(whole):
                made = replace(whole, arguments=(place, self._where_seeded(value)))
            case Declare(variables=(Variable(symbol=symbol, initial=initial) as one,)) if (
                initial is not None and symbol in self.derived
            ):
                seeded = replace(one, initial=self._where_seeded(initial))
                return node if seeded == one else replace(node, variables=(seeded,))
            case _:
                return None
        return node if made == node.expr else replace(node, expr=made, form=Form.BUILT)

    def _where_seeded(self, value: Expr) -> Expr:
        match value:
            case Binary(op="+" | "-", left=left, right=right):
                return replace(
                    value, left=self._where_seeded(left), right=self._where_seeded(right)
                )
            case Paren(inner=inner) | Unary(op="-", operand=inner) if not self._may_be_none(inner):
                return value
            case Paren(inner=inner):
                return replace(value, inner=self._where_seeded(inner))
            case _:
                pass
        seed = self._seed(value) if self._may_be_none(value) else None
        root = None if seed is None else root_symbol(seed)
        if seed is None or (root is not None and root.storage is Storage.PARAMETER):
            return value  # what the caller asks for is no zero of the rim
        zero = Literal("0.0f" if value.type.bits == 32 else "0.0", 0, value.type)
        is_set = Binary("!=", seed, zero, BOOL)
        return Paren(Conditional(is_set, value, zero, value.type), value.type)

    def _seed(self, value: Expr) -> Expr | None:
        """A factor of the value that is a derivative."""
        match value:
            case Paren(inner=Binary(op="+" | "-", left=left, right=right)):
                return value if self._seed(left) and self._seed(right) else None
            case Paren(inner=inner) | Unary(op="-", operand=inner):
                return self._seed(inner)
            case Binary(op="*", left=left, right=right):
                return self._seed(left) or self._seed(right)
            case Binary(op="/", left=left):
                return self._seed(left)
            case VarRef() | Index() | Member() if value.type.kind is TypeKind.FLOATING:
                root = root_symbol(value)
                return value if root in self.derived and root not in self.singular else None
            case _:
                return None

    def _may_be_none(self, value: Expr) -> bool:
        """May it be no number, or infinite, where the tiles are 0?"""
        for node in walk(value):
            match node:
                case VarRef(symbol=symbol) if symbol in self.singular:
                    return True
                case Call() if _is_finite(node):
                    pass
                case Binary(op="/", right=other) | Call(arguments=(other, *_)):
                    parts = node.arguments if isinstance(node, Call) else (other,)
                    named = (symbols_in(one) for one in parts)
                    if any(not one.isdisjoint(self.unset | self.singular) for one in named):
                        return True
                case _:
                    pass
        return False


def _is_finite(call: Call) -> bool:
    """Does it call one of these functions: that of C, or of `std`?"""
    name = call.name.removeprefix("std::")
    known = name in _FINITE or name.removesuffix("f") in _FINITE
    return known and (call.key in ("", f"c:@F@{name}") or call.key.startswith("c:@N@std@F@"))


def _made_of(shadows: Collection[Symbol], body: Block) -> set[Symbol]:
    """The variables and arrays that something made of shadows flows to."""
    found, before = set(shadows), -1
    values = [(one, symbols_in(value)) for one, value in _values(body) if one is not None]
    while before != (before := len(found)):
        found |= {one for one, named in values if named & found and _holds_reals(one.type)}
    return found


def _terms(value: Expr) -> list[Expr]:
    match value:
        case Binary(op="+" | "-", left=left, right=right):
            return [*_terms(left), *_terms(right)]
        case _:
            return [value]


def _values(body: Block) -> Iterator[tuple[Symbol | None, Expr]]:
    """What variables and arrays are set to, or increased by."""
    for node in walk(body):
        yield from _stored_by(node)


def _stored_by(node: Node) -> Iterator[tuple[Symbol | None, Expr]]:
    match node:
        case Declare(variables=variables):
            for one in variables:
                if one.initial is not None:
                    yield one.symbol, one.initial
        case Assign(target=target, value=value):
            yield root_symbol(target), value
        case Call(arguments=(place, value)) if is_increment(node):
            yield root_symbol(place), value
        case Call(arguments=arguments) if is_tape_call(node):
            yield from ((root_symbol(node.callee), one) for one in arguments)
        case Exchange(result=result, operands=operands):
            yield from ((result, one) for one in operands)
        case _:
            pass


def _is_factor(tile: Symbol, flows: Collection[_Flow], made: Collection[Symbol]) -> bool:
    """May a derivative, or what is kept for one, be made of numbers of the tile?"""
    found, more = {tile}, True
    while more:
        more = False
        for targets, sources in flows:
            if found.isdisjoint(sources):
                continue
            for one in targets - found:
                ctype = one.type if one.type.element is None else one.type.element
                if not _holds_reals(ctype):
                    continue
                if one in made:
                    return True
                found.add(one)
                more = True
    return False
