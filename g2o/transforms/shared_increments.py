"""Loops that C functions share out add to arrays of all without atomics, as loops over threads do.

    #pragma omp parallel for                           #pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)                    for (int i = 2; i < n - 2; ++i)
        for (int j = 1; j < n - 1; ++j) {                  for (int j = 2; j < n - 2; ++j)
    #pragma omp atomic                           ->            d_u[n * i + j] +=
            d_u[n * (i - 1) + j] += d_v[n * i + j];                d_v[n * (i + 1) + j] + ...;
            ...                                        ... and the rim

What `gather.py` needs to know of threads is true of the iterations of shared loops. The loops of
one thread inside of them come in one order: what consumes seeds goes behind all of them where no
iteration reads what another one has consumed. What cannot be gathered is added up by
`reduce_increments.py` and `private_sums.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import compress
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.ir.directives import Directive, Reduction, sum_of
from g2o.ir.expressions import Assign, Expr, Index, Literal, VarRef, moved_by
from g2o.ir.increments import is_increment
from g2o.ir.kernel import LoweredKernel
from g2o.ir.names import names_in, symbols_behind
from g2o.ir.statements import Block, CountedLoop, Declare, ExprStatement, For, Node, Stmt
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.transforms.gather import gather_increments
from g2o.transforms.loop_heads import LoopHead, find_head
from g2o.transforms.private_sums import sum_privately
from g2o.transforms.reduce_increments import reduce_increments
from g2o.transforms.shared_loops import heads_of
from g2o.transforms.views_apart import View, allocated, lie_apart, views_of

_OF_LOOPS: Final = ("schedule",)


Windows = Callable[[tuple[Stmt, ...], EffectsOf, SymbolTable], tuple[Stmt, ...]]
"""What gathers the additions of nests of loops to windows of elements."""


def with_fewer_atomics(
    lowered: LoweredKernel,
    further: tuple[Symbol, ...],
    functions: FunctionTable,
    windows: Windows,
) -> Block:
    """The body of the function, whose shared loops are changed where that is right and pays.
    `further` are parameters that it has as well."""
    if not any(is_increment(node) for one in lowered.body for node in walk(one)):
        return Block(lowered.body)
    parameters = (*lowered.function.parameters, *further)
    own = replace(lowered.function, parameters=parameters)
    whole = Block(lowered.body)
    arrays = frozenset((*parameters, *allocated(whole)))
    views = views_of(whole, arrays)
    changer = _Changer(replace(lowered, function=own), functions, arrays, views, windows)
    body: list[Stmt] = []
    for one in lowered.body:
        new = rewrite(one, changer.replacement)
        body += _unwrapped(new) if isinstance(one, For) else (new,)
    return Block(tuple(body))


def _unwrapped(statement: Stmt) -> tuple[Stmt, ...]:
    """What stands in braces that nothing needs: names are new among those of the loop alone."""
    match statement:
        case Block(statements=statements, directive=directive) if not directive and not any(
            isinstance(one, Declare) for one in statements
        ):
            return statements
        case _:
            return (statement,)


@final
@dataclass(frozen=True, slots=True)
class _Changer:
    """`arrays` lead to memory of their own, `views` to one of them each."""

    lowered: LoweredKernel
    functions: FunctionTable
    arrays: frozenset[Symbol]
    views: Mapping[Symbol, View]
    windows: Windows

    def replacement(self, node: Node) -> Node | None:
        if not isinstance(node, For) or node.shared is None or node.shared.level:
            return None
        if node.shared.directive.is_on_device:  # which maps no copies
            return node
        if not any(is_increment(inner) for inner in walk(node)):
            return node
        loop = node
        if not _has_names(node):
            symbols = symbols_behind(self.lowered, names_in(self.lowered.body))
            node = _with_own_names(node, symbols)
        made = self._changed(node)
        return loop if made is None else made

    def _changed(self, node: For) -> Stmt | None:
        assert node.shared is not None
        heads = heads_of(node)
        if heads is None or not all(map(_counts, heads)):
            return None
        directive = node.shared.directive
        made = self._gathered(node, heads) or self._by_windows(node, heads)
        made = made or self._summed(node, heads)
        if made is None:
            return None
        made = [rewrite(one, lambda inner: _with_clauses(inner, directive)) for one in made]
        made = _in_place_of(made, node)
        return made[0] if len(made) == 1 else Block(tuple(made))

    def _gathered(self, loop: For, heads: list[LoopHead]) -> list[Stmt] | None:
        effects = self.functions.for_node(loop)
        inner = list(_inner_heads(heads[-1].loop, effects))
        if inner and not _consumes_own(inner[-1].loop):
            return None
        if not self._lead_apart(loop):
            return None
        nest = _counted([*heads, *inner], loop)
        sums = nest.directive.reductions
        given = replace(self.lowered, body=(nest,))
        made = gather_increments(given, self.functions, _never, is_c=True)
        return None if made is given else [_with_sums(one, sums) for one in made.body]

    def _by_windows(self, loop: For, heads: list[LoopHead]) -> list[Stmt] | None:
        if not self._lead_apart(loop):
            return None
        nest = _counted(heads, loop)
        symbols = symbols_behind(self.lowered, names_in(self.lowered.body))
        made = self.windows((nest,), self.functions.for_node(nest), symbols)
        if len(made) == 1:
            return None
        parts: list[Stmt] = []
        for one in made:
            if any(map(is_increment, walk(one))):
                given = replace(self.lowered, body=(one,))
                parts += self._with_sums_of(given).body
            else:
                parts.append(one)
        return [_with_sums(one, nest.directive.reductions) for one in parts]

    def _lead_apart(self, loop: For) -> bool:
        """Do pointers that are no parameters lead to arrays that no other one leads to?"""
        pointers = {n.symbol for n in walk(loop) if isinstance(n, VarRef) and _is_pointer(n.symbol)}
        if all(one.storage is not Storage.LOCAL for one in pointers):
            return True
        own = any(map(_is_pointer, declared_in(loop)))
        return not own and lie_apart(pointers, self.views, self.arrays)

    def _summed(self, loop: For, heads: list[LoopHead]) -> list[Stmt] | None:
        given = replace(self.lowered, body=(_counted(heads, loop),))
        made = self._with_sums_of(given)
        return None if made is given else [*made.body]

    def _with_sums_of(self, given: LoweredKernel) -> LoweredKernel:
        return sum_privately(reduce_increments(given, self.functions, _never), is_c=True)


def _is_pointer(symbol: Symbol) -> bool:
    return symbol.type.kind is TypeKind.POINTER


def _never(_: Node) -> bool:
    """Compilers see themselves what they may vectorise."""
    return False


def _counts(head: LoopHead) -> bool:
    """Does an `int` go up by one, below a limit or up to it?"""
    return head.is_plain and head.op in ("<", "<=")


def _has_names(loop: For) -> bool:
    """Does every name stand for one variable?"""
    found: dict[str, Symbol] = {}
    symbols = {node.symbol for node in walk(loop) if isinstance(node, VarRef)}
    return all(found.setdefault(one.name, one) == one for one in symbols | declared_in(loop))


def _with_own_names(loop: For, symbols: SymbolTable) -> For:
    """The loop, in which variables of different scopes have different names."""
    taken: dict[str, Symbol] = {}
    renamed: dict[Symbol, Symbol] = {}
    for node in walk(loop):
        match node:
            case VarRef(symbol=symbol):
                named = [symbol]
            case Declare(variables=variables):
                named = [one.symbol for one in variables]
            case _:
                continue
        for symbol in named:
            if taken.setdefault(symbol.name, symbol) != symbol and symbol not in renamed:
                new = symbols.fresh(symbol.wish or symbol.name, symbol.type, symbol.storage)
                renamed[symbol] = replace(symbol, name=new.name)
    return rename_symbols(loop, renamed)


def _inner_heads(loop: For, effects: EffectsOf) -> Iterator[LoopHead]:
    """The loops of one thread that are all that there is in each other, and run as often as their
    heads say."""
    while True:
        match statements_of(loop.body):
            case (For(shared=None, initial=Declare()) as inner,):
                pass
            case _:
                return
        head = _rising(find_head(inner))
        if head is None or not _counts(head):
            return
        fixed = symbols_in(head.limit) | {head.index.symbol}
        if fixed & effects.of(inner.body).writes:
            return
        yield head
        loop = inner


def _rising(head: LoopHead | None) -> LoopHead | None:
    """The head over the same values the other way around, where it falls: what is added up in
    another order, and consumed by its own iteration, is the same."""
    if head is None or not head.falls or head.op not in (">", ">="):
        return head
    ctype = head.index.symbol.type
    first = head.limit if head.op == ">=" else moved_by(head.limit, 1, ctype)
    index = replace(head.index, initial=first)
    limit = moved_by(head.first, 1, ctype)
    return replace(head, index=index, first=first, op="<", limit=limit, falls=False)


def _consumes_own(loop: For) -> bool:
    """Does each iteration read of what is consumed only the element that it consumes itself?"""
    consumed: dict[Symbol, Expr] = {}
    for one in statements_of(loop.body):
        match one:
            case ExprStatement(expr=Assign(op="=", target=Index() as target, value=value)):
                root = root_symbol(target)
                if root is not None and isinstance(value, Literal) and not value.value:
                    if consumed.setdefault(root, target) != target:
                        return False
            case _:
                pass
    nodes = list(walk(loop))
    named = [n for n in nodes if isinstance(n, VarRef) and n.symbol in consumed]
    own = [n for n in nodes if isinstance(n, Index) and n in consumed.values()]
    return len(named) == len(own)


def _counted(heads: list[LoopHead], loop: For) -> CountedLoop:
    """The nest of loops, with the directive of the outermost one."""
    assert loop.shared is not None
    body: Stmt = heads[-1].loop.body
    for place in reversed(range(len(heads))):
        head = heads[place]
        limit = moved_by(head.limit, 1, INT) if head.op == "<=" else head.limit
        directive = loop.shared.directive if place == 0 else Directive()
        index = head.index.symbol
        block = body if isinstance(body, Block) else Block((body,))
        body = CountedLoop(index, head.first, limit, block, directive)
    assert isinstance(body, CountedLoop)
    return body


def _with_sums(statement: Stmt, sums: tuple[Reduction, ...]) -> Stmt:
    """A part of a loop with what it adds up of all that the loop has."""
    named = symbols_in(statement)
    own = [s for one in sums for s in one.symbols if s in named]
    if not isinstance(statement, CountedLoop):
        return statement
    directive = replace(statement.directive, reductions=())
    return replace(statement, directive=directive.reducing(sum_of(own)) if own else directive)


def _with_clauses(node: Node, directive: Directive) -> Node | None:
    """Constructs with the clauses that the loop has had: those of loops, and those of regions."""
    match node:
        case CountedLoop(directive=own) | For(directive=own) | Block(directive=own) if own:
            firsts = ((one if isinstance(one, str) else one[0]) for one in directive.clauses)
            schedules = [isinstance(one, str) and one.startswith(_OF_LOOPS) for one in firsts]
            of_loop = tuple(compress(directive.clauses, schedules))
            of_region = tuple(one for one in directive.clauses if one not in of_loop)
            clauses = of_region if own.is_parallel else ()
            clauses += of_loop if own.is_worksharing else ()
            if clauses == own.clauses:
                return None
            inner = replace(node, directive=replace(own, clauses=clauses))
            return rewrite(
                inner, lambda each: None if each is inner else _with_clauses(each, directive)
            )
        case _:
            return None


def _in_place_of(made: list[Stmt], loop: For) -> list[Stmt]:
    """What has been made, with the comments of the loop."""
    match made[0]:
        case CountedLoop() | Block() as first if not first.trivia.before:
            return [replace(first, trivia=loop.trivia), *made[1:]]
        case _:
            return made
