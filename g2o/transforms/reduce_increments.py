"""Sums over all threads become reductions.

    #pragma omp parallel for                   float sum_a = 0.0f;
    for (int i = 0; i < count; ++i)        ->  #pragma omp parallel for reduction(+ : sum_a)
        g2o::atomic_add(d_a, x[i] * d_y[i]);   for (int i = 0; i < count; ++i)
                                                   sum_a += x[i] * d_y[i];
                                               *d_a += sum_a;

    for (int t = 0; t < 64; ++t)               float sum_b = 0.0f;
        g2o::atomic_add(&d_b[bx], d_y[t]); ->  #pragma omp simd reduction(+ : sum_b)
                                               for (int t = 0; t < 64; ++t)
                                                   sum_b += d_y[t];
                                               if (sum_b != 0.0f)
                                                   g2o::atomic_add(&d_b[bx], sum_b);

Legal where the loop does nothing else with that memory: additions at places that do not depend on
the iteration. A place to which nothing is added may not exist. Only the order of a sum changes,
which atomics leave open as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.definitions import constants_of
from g2o.analysis.effects import declared_in, root_symbol
from g2o.analysis.functions import FunctionTable
from g2o.analysis.same_memory import SameMemory, same_memory
from g2o.analysis.value_types import value_type
from g2o.ir.directives import SIMD, Reduction, simd_where, sum_of
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.increments import is_increment
from g2o.ir.kernel import LoweredKernel
from g2o.ir.names import names_in, symbols_behind, words_of
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    LocalFunction,
    Node,
    Stmt,
    Switch,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.transforms.hoist_increments import increment_place
from g2o.transforms.own_sums import OwnSum, added, own_sum, without_own_sums

_MOST_SUMS = 8  # places of their own in one loop
_OF_BLOCK = (Storage.SHARED, Storage.DYNAMIC_SHARED, Storage.BLOCK)


def reduce_increments(
    lowered: LoweredKernel,
    functions: FunctionTable,
    may_vectorise: Callable[[Node], bool],
    *,
    only_nests: bool = False,
) -> LoweredKernel:
    """Replace atomic additions that all iterations make at one place.

    `may_vectorise` tells whether what remains of the body of a loop is fit for `omp simd`.
    `only_nests`: not where loops over threads stand in that over blocks, with more beside them.
    """
    if not any(is_increment(node) for statement in lowered.body for node in walk(statement)):
        return lowered
    symbols = symbols_behind(lowered)
    symbols.names = {*names_in(lowered.body), *words_of(lowered.function.span.text)}
    symbols.names.update(parameter.name for parameter in lowered.function.parameters)
    declared = Counter(
        variable.symbol.name
        for statement in lowered.body
        for node in walk(statement)
        if isinstance(node, Declare)
        for variable in node.variables
    )
    memory = same_memory(lowered.body)
    values = _values(Block(lowered.body), functions)
    reducer = _Reducer(symbols, may_vectorise, memory, only_nests, declared, values)
    body = reducer.sequence(lowered.body)
    same = all(one is old for one, old in zip(body, lowered.body, strict=False))
    return lowered if same and len(body) == len(lowered.body) else replace(lowered, body=body)


@final
@dataclass(frozen=True, slots=True)
class _Sum:
    """What is added up at `place`."""

    place: Expr
    symbol: Symbol
    calls: tuple[Call, ...]
    own: OwnSum | None = None  # the sum of an iteration, which becomes that of all

    def has(self, node: Node) -> bool:
        return any(node is call for call in self.calls)


@final
@dataclass(slots=True)
class _Reducer:
    symbols: SymbolTable
    may_vectorise: Callable[[Node], bool]
    memory: SameMemory
    only_nests: bool
    declared: Counter[str]
    values: dict[Symbol, Expr]

    def place_of(self, call: Call, inside: Collection[Symbol]) -> Expr:
        """What is added to, said without the integers that are declared `inside`, if it can be."""

        def value_of(node: Node) -> Node | None:
            if not isinstance(node, VarRef) or node.symbol not in inside:
                return None
            value = self.values.get(node.symbol)
            return None if value is None else Paren(rewrite(value, value_of), value.type)

        place = increment_place(call)
        spelled = rewrite(place, value_of)
        return spelled if _is_fixed(spelled, inside) else place

    def is_alone(self, symbol: Symbol) -> bool:
        """Is the name declared once, so that the declaration can move outwards?"""
        return self.declared[symbol.name] == 1

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        result: list[Stmt] = []
        for statement in statements:
            if isinstance(statement, CountedLoop):
                is_parallel = statement.directive.is_parallel
                new = self._loop(statement) if is_parallel else self._run_by_one(statement)
                result += [self._within(o) if isinstance(o, CountedLoop) else o for o in new]
            else:
                result.append(rewrite(statement, self._inside))
        return tuple(result)

    def _within(self, loop: CountedLoop, depth: int = 1) -> CountedLoop:
        """The same in the body of a loop, or of `depth` loops that are one."""
        depth = max(depth, loop.directive.collapse)
        inner = _only_loop(loop.body) if depth > 1 else None
        if inner is None:
            body = rewrite(loop.body, self._inside)
        else:
            new = self._within(inner, depth - 1)
            body = loop.body if new is inner else new
        return loop if body is loop.body else replace(loop, body=body, form=Form.BUILT)

    def _inside(self, node: Node) -> Node | None:
        if isinstance(node, CountedLoop):
            (first, *others) = self.sequence((node,))
            return Block((first, *others)) if others else first
        if not isinstance(node, Block):
            return None
        new = self.sequence(node.statements)
        same = len(new) == len(node.statements) and all(
            one is old for one, old in zip(new, node.statements, strict=True)
        )
        return node if same else replace(node, statements=new, form=Form.BUILT)

    def _loop(self, loop: CountedLoop) -> list[Stmt]:
        sums = [] if self.only_nests and not _is_nest(loop) else self._sums(loop)
        if not sums:
            return [loop]
        clause = _clause(sums)
        body = self._summed(loop, sums, clause)
        directive = loop.directive.without("simd")
        if directive.collapse == 1:
            nested = _only_loop(body)
            # No `parallel for simd` with a reduction: clang 19 adds wrongly there at -O1, where it
            # takes the thread's own sum, whose address OpenMP's runtime sees, for an array element.
            if nested is not None and not nested.directive and self.may_vectorise(nested.body):
                inner = replace(nested, directive=SIMD.reducing(clause), form=Form.BUILT)
                body = Block((inner,))
        declared = _declared(sums, loop)
        directive = directive.reducing(clause)
        new = CountedLoop(loop.index, loop.lower, loop.upper, body, directive, loop.step)
        after = [self._added_at_last(one, loop) for one in sums]
        return [*declared, new, *after]

    def _run_by_one(self, loop: CountedLoop) -> list[Stmt]:
        """What one CPU thread adds for several threads of the kernel it adds at once."""
        if self.only_nests or loop.index.storage is not Storage.INDEX or loop.directive:
            return [loop]
        set_inside = _assigned(loop)
        sums = [
            one
            for one in self._sums(loop)
            if not _is_of_block(one.place)
            and not any(isinstance(n, VarRef) and n.symbol in set_inside for n in walk(one.place))
        ]
        if not sums:
            return [loop]
        body = self._summed(loop, sums, ())
        simd = loop.step is None and self.may_vectorise(body)  # steps: of one thread, or of strips
        directive = simd_where(simd).reducing(_clause(sums) if simd else ())
        new = replace(loop, body=body, directive=directive, trivia=NO_TRIVIA, form=Form.BUILT)
        after: list[Stmt] = []
        for one in sums:
            first = next(
                node
                for node in walk(loop)
                if isinstance(node, ExprStatement) and one.has(node.expr)
            )
            call = first.expr
            assert isinstance(call, Call)
            address = call.arguments[0]
            if increment_place(call) != one.place:
                address = Unary("&", one.place, type=address.type)
            add = replace(call, arguments=(address, VarRef(one.symbol)), form=Form.BUILT)
            is_zero = Binary("!=", VarRef(one.symbol), _zero(one.symbol.type), BOOL)
            after.append(If(is_zero, ExprStatement(add), trivia=first.trivia))
        return [*_declared(sums, loop), new, *after]

    def _summed(self, loop: CountedLoop, sums: list[_Sum], clause: tuple[Reduction, ...]) -> Stmt:
        """The body of the loop, with additions to the sums in place of those to their places."""
        by_place = {id(call): one for one in sums for call in one.calls}
        kept = {id(one.own.call) for one in sums if one.own is not None}

        def replacement(node: Node) -> Node | None:
            match node:
                case ExprStatement(expr=Call() as call) if id(call) in by_place.keys() - kept:
                    own = by_place[id(call)].symbol
                    return added(VarRef(own), call.arguments[1], own.type)
                case CountedLoop(directive=directive) if directive.is_simd and any(
                    id(call) in by_place for call in _increments(node)
                ):
                    inner = rewrite(node.body, replacement)
                    return replace(
                        node, body=inner, directive=directive.reducing(clause), form=Form.BUILT
                    )
                case _:
                    return None

        body = rewrite(loop.body, replacement)
        return without_own_sums(body, [one.own for one in sums if one.own is not None])

    def _added_at_last(self, one: _Sum, loop: CountedLoop) -> Stmt:
        """The sum goes to its place; one of 0 may have none."""
        add = added(one.place, VarRef(one.symbol), one.symbol.type)
        whole = strip_parens(one.place)
        while isinstance(whole, Member):
            whole = strip_parens(whole.base)
        if isinstance(whole, Unary) and not _is_conditional(one, loop):
            return add
        return If(Binary("!=", VarRef(one.symbol), _zero(one.symbol.type), BOOL), add)

    def _sums(self, loop: CountedLoop) -> list[_Sum]:
        inside = _made_in(loop)
        calls = _increments(loop)
        places = [self.place_of(call, inside) for call in calls]
        fixed = [_is_fixed(place, inside) for place in places]
        roots = [root_symbol(place) for place in places]
        uses = Counter(node.symbol for node in walk(loop) if isinstance(node, VarRef))
        found: list[_Sum] = []
        for call, place, root in zip(calls, places, roots, strict=True):
            if root is None or any(one.place == place for one in found):
                continue
            same = [number for number, one in enumerate(roots) if one == root]
            if uses[root] != len(same) or not all(fixed[number] for number in same):
                continue
            ctype = _plain(call.type)
            if not _is_number(ctype) or self.memory.names_beside(root, loop):
                continue
            there = tuple(calls[number] for number in same if places[number] == place)
            own = own_sum(loop, there)
            if own is not None and own.symbol.type == ctype and self.is_alone(own.symbol):
                found.append(_Sum(place, own.symbol, there, own))
                continue
            alone = len(there) == len(same)
            name = f"sum_{root.name.removeprefix('d_')}{'' if alone else _position(place)}"
            found.append(_Sum(place, self.symbols.fresh(name, ctype, Storage.LOCAL), there))
        return _few(found)


def _clause(sums: list[_Sum]) -> tuple[Reduction, ...]:
    return sum_of(one.symbol for one in sums)


def _declared(sums: list[_Sum], loop: CountedLoop) -> list[Stmt]:
    variables = [
        Variable(one.symbol, one.symbol.type.spelling, "", _zero(one.symbol.type), "=")
        for one in sums
    ]
    first, *others = (Declare((one,)) for one in variables)
    return [replace(first, trivia=loop.trivia), *others]


def _assigned(loop: CountedLoop) -> set[Symbol]:
    """Variables that the loop sets: what they choose is not one place."""
    found: set[Symbol] = set()
    for node in walk(loop):
        match node:
            case Assign(target=place) | Unary(op="++" | "--", operand=place):
                bare = strip_parens(place)
                found |= {bare.symbol} if isinstance(bare, VarRef) else set()
            case _:
                pass
    return found


def _made_in(loop: CountedLoop) -> set[Symbol]:
    found = {loop.index} | declared_in(loop)
    return found | {node.index for node in walk(loop) if isinstance(node, CountedLoop)}


def _values(body: Block, functions: FunctionTable) -> dict[Symbol, Expr]:
    """What integers stand for that are worked out from others and keep their value, the same
    wherever they are declared: elsewhere they may count a loop."""
    constants = constants_of(body, functions.for_node(body))
    several = {node.index for node in walk(body) if isinstance(node, CountedLoop)}
    for node in walk(body):
        for one in node.variables if isinstance(node, Declare) else ():
            if one.initial != constants.get(one.symbol):
                several.add(one.symbol)
    return {
        symbol: value
        for symbol, value in constants.items()
        if symbol not in several and _is_arithmetic(symbol, value)
    }


def _is_arithmetic(symbol: Symbol, value: Expr) -> bool:
    own, found = symbol.type, value_type(value)
    same = own.is_signed == found.is_signed and own.bits == found.bits
    parts = (Binary, LaunchRef, Literal, Member, Paren, Unary, VarRef)
    return (
        same
        and own.kind is found.kind is TypeKind.INTEGER
        and all(isinstance(node, parts) for node in walk(value))
        and not any(isinstance(node, Unary) and node.op not in "+-~" for node in walk(value))
    )


def _is_of_block(place: Expr) -> bool:
    root = root_symbol(place)
    return root is not None and root.storage in _OF_BLOCK


def _is_number(ctype: CType) -> bool:
    """Is it a real number? So are those of open templates, whose derivatives stand for instances
    with real numbers alone."""
    named = ctype.kind is TypeKind.DEPENDENT and ctype.spelling.isidentifier()
    return named or ctype.kind is TypeKind.FLOATING


def _few(found: list[_Sum]) -> list[_Sum]:
    """The sums without those of the arrays that have the most places: copies of these take less
    to read (`private_sums.py`). There are none of single numbers."""
    while len(found) > _MOST_SUMS:
        places = Counter(root_symbol(one.place) for one in found)
        root, most = places.most_common(1)[0]
        if most == 1:
            break
        found = [one for one in found if root_symbol(one.place) != root]
    return found


def _is_nest(loop: CountedLoop) -> bool:
    """Are there only loops around what one thread does?"""
    inner = _only_loop(loop.body)
    while inner is not None:
        loop = inner
        inner = _only_loop(loop.body)
    return not any(
        isinstance(node, (CountedLoop, LocalFunction, Text))
        or (
            isinstance(node, Declare) and any(v.symbol.storage in _OF_BLOCK for v in node.variables)
        )
        for node in walk(loop.body)
    )


def _increments(node: Node) -> list[Call]:
    if any(isinstance(inner, LocalFunction) for inner in walk(node)):
        return []
    return [inner for inner in walk(node) if isinstance(inner, Call) and is_increment(inner)]


def _is_conditional(one: _Sum, loop: CountedLoop) -> bool:
    """Do only branches of the loop add to the place?"""
    branches = [n for n in walk(loop) if isinstance(n, (If, Switch, While, DoWhile)) or _turns(n)]
    inside = {id(call) for branch in branches for call in _increments(branch)}
    return all(id(call) in inside for call in one.calls)


def _turns(node: Node) -> bool:
    """Is it a loop of the source? Those over runs of threads go through all of them."""
    if not isinstance(node, For):
        return False
    started = node.initial.variables if isinstance(node.initial, Declare) else ()
    return not any(one.symbol.storage is Storage.INDEX for one in started)


def _is_fixed(place: Expr, inside: Collection[Symbol]) -> bool:
    """Is it the same place in all iterations of a loop that changes the variables `inside`?"""
    root = root_symbol(place)
    named = {node.symbol for node in walk(place) if isinstance(node, VarRef)}
    return root is not None and not named & set(inside) and not _loads(place, root)


def _position(place: Expr) -> str:
    """What tells a place apart in the name of a sum: `0` of `d_w[0]`, `_x` of `d_p->x`."""
    match strip_parens(place):
        case Index(base=base, index=Literal(text=text)) if text.isdigit():
            return f"{_position(base)}{text}"
        case Member(base=base, name=name):
            return f"{_position(base)}_{name}"
        case _:
            return ""


def _loads(place: Expr, root: Symbol) -> bool:
    """Does finding the place read other memory?"""
    return any(
        isinstance(n, VarRef) and n.symbol != root and n.symbol.type.is_indirect
        for n in walk(place)
    )


def _only_loop(body: Stmt) -> CountedLoop | None:
    while isinstance(body, Block) and len(body.statements) == 1:
        body = body.statements[0]
    return body if isinstance(body, CountedLoop) else None


def _plain(ctype: CType) -> CType:
    spelled = re.sub(r"\b(?:const|volatile)\b\s*", "", ctype.spelling).strip()
    return replace(ctype, spelling=spelled, is_const=False)


def _zero(ctype: CType) -> Expr:
    text = "0.0f" if ctype.bits == 32 else "0.0"
    return Literal(text, None, ctype) if ctype.bits else Literal("0", 0, INT)
