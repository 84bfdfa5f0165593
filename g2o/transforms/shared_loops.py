"""Loops whose iterations OpenMP shares out among threads, in what one thread would do.

    #pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < n; ++i)
        e += x[i] * x[i];

All that the iterations do to a variable from outside is to add to it. Loops of which that is not
true, or whose head is of another form, are ordinary ones in a derivative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.diagnostics.diagnostic import Refusal
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.openmp_c.directives import Pragma
from g2o.ir.directives import CRITICAL, NO_DIRECTIVE, SINGLE, Reduction
from g2o.ir.expressions import (
    Assign,
    Call,
    Expr,
    Form,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, ExprStatement, For, If, Node, Worksharing
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.transforms.device_maps import refuse_ordered
from g2o.transforms.loop_heads import LoopHead, head_of

_WHOLE: Final = (TypeKind.INTEGER, TypeKind.BOOL)
_IN_ANY_ORDER: Final = ("max", "min", "|", "&", "^", "||", "&&")


def with_shared_loops(body: Block) -> Block:
    """The body of a function into which others have been put: loops that are shared out have
    numbers of their own and lie in no other one; none has anything in it that takes an order."""
    number = 0

    def replacement(node: Node) -> Node | None:
        nonlocal number
        match node:
            case Block(directive=directive) if directive in (CRITICAL, SINGLE):
                return rewrite(replace(node, directive=NO_DIRECTIVE, form=Form.BUILT), replacement)
            case For(shared=Worksharing() as how):
                heads = heads_of(node) if how.level == 0 and _may_be_shared(node) else None
                if heads is None:
                    refuse_ordered(node)
                    return rewrite(replace(node, shared=None), replacement)
                number += 1
                return _numbered(node, number, how.depth)
            case _:
                return None

    return rewrite(body, replacement)


def without_shared_loops(body: Block, numbers: Collection[int]) -> Block:
    """The body with the loops that have these numbers as ordinary ones."""

    def replacement(node: Node) -> Node | None:
        if isinstance(node, For) and node.shared is not None and node.shared.number in numbers:
            refuse_ordered(node)
            return rewrite(replace(node, shared=None), replacement)
        return None

    return rewrite(body, replacement)


def _numbered(loop: For, number: int, depth: int, level: int = 0) -> For:
    """A loop that is shared out, with the loops that share it; all others inside are ordinary."""
    assert loop.shared is not None
    (inner,) = statements_of(loop.body) if level + 1 < depth else (None,)

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(directive=directive) if directive in (CRITICAL, SINGLE):
                return rewrite(replace(node, directive=NO_DIRECTIVE, form=Form.BUILT), replacement)
            case For() if node is inner:
                return _numbered(node, number, depth, level + 1)
            case For(shared=Worksharing()):
                refuse_ordered(node)
                return rewrite(replace(node, shared=None), replacement)
            case _:
                return None

    how = replace(loop.shared, number=number)
    return replace(loop, shared=how, body=rewrite(loop.body, replacement))


def _may_be_shared(loop: For) -> bool:
    ordered = (isinstance(node, Block) and node.directive == CRITICAL for node in walk(loop.body))
    return sums_of(loop) is not None and not any(ordered)


def sums_of(loop: For) -> frozenset[Symbol] | None:
    """The variables from outside that the iterations of a loop add to, and that nothing else in it
    names; None where they change such a variable in another way."""
    own = declared_in(loop)
    added: dict[Symbol, int] = {}
    changed: set[Symbol] = set()
    read = {id(strip_parens(n.base)) for n in walk(loop.body) if isinstance(n, Member) and n.arrow}
    for node in walk(loop.body):
        match node:
            case Unary(op="&") if id(node) in read:  # `(&grid)->n` is no more than `grid.n`
                pass
            case ExprStatement(expr=Assign(op="+=" | "-=", target=VarRef(symbol=one), value=value)):
                if one.type.is_arithmetic and one not in symbols_in(value):
                    added[one] = added.get(one, 0) + 1
            case Assign(target=target) | Unary(op="++" | "--" | "&", operand=target):
                changed |= _variable(target)
            case _:
                pass
    reduced = reduced_by(loop)
    if not changed - own <= added.keys() | reduced:
        return None
    sums = added.keys() - own - reduced
    named = [node.symbol for node in walk(loop) if isinstance(node, VarRef)]
    return frozenset(sums) if all(named.count(one) == added[one] for one in sums) else None


def integer_reductions(pragma: Pragma, loop: For) -> tuple[Reduction, ...]:
    """The reductions of whole numbers but for sums: they are the same in any order."""
    named = {n.symbol for n in walk(loop.body) if isinstance(n, VarRef)} - declared_in(loop)
    found: list[Reduction] = []
    for clause in pragma.clauses:
        if clause.name == "reduction" and clause.modifier in _IN_ANY_ORDER:
            names = clause.variables
            own = [one for one in named if one.name in names and one.type.kind in _WHOLE]
            symbols = tuple(sorted(own, key=lambda one: one.id))
            if symbols:
                found.append(Reduction(clause.modifier, symbols, ("",) * len(symbols)))
    return tuple(found)


def reduced_by(loop: For) -> frozenset[Symbol]:
    """The whole numbers from outside of which a reduction of the loop makes one, and that nothing
    in it names but what changes them: `if (v > most) most = v;`."""
    assert loop.shared is not None
    named = {one for part in loop.shared.directive.reductions for one in part.symbols}
    own = declared_in(loop)
    counts = Counter(n.symbol for n in walk(loop) if isinstance(n, VarRef) and n.symbol in named)
    inside: Counter[Symbol] = Counter()

    def visit(node: Node) -> None:
        """Count what changes of a single one of them name."""
        changed = _changed_alone(node) & named
        if len(changed) != 1:
            for one in children(node):
                visit(one)
            return
        (symbol,) = changed
        inside[symbol] += sum(
            isinstance(one, VarRef) and one.symbol == symbol for one in walk(node)
        )

    visit(loop.body)
    return frozenset(one for one in named - own if counts[one] == inside[one] > 0)


def _changed_alone(node: Node) -> set[Symbol]:
    """The variables that a statement changes which does nothing else."""
    match node:
        case ExprStatement(expr=Assign(target=VarRef(symbol=symbol), value=value)):
            return set() if any(isinstance(n, (Assign, Call)) for n in walk(value)) else {symbol}
        case If(then=then, otherwise=otherwise):
            parts = [*statements_of(then), *(statements_of(otherwise) if otherwise else ())]
            changes = [_changed_alone(one) for one in parts]
            return {one for each in changes for one in each} if all(changes) else set()
        case _:
            return set()


def _variable(place: Expr) -> set[Symbol]:
    """The variable that a place is, or is a member of; none for memory and elements of arrays."""
    match place:
        case VarRef(symbol=symbol):
            return {symbol}
        case Member(base=base, arrow=False) | Paren(inner=base):
            return _variable(base)
        case Member(base=Unary(op="&", operand=base) | Paren(inner=Unary(op="&", operand=base))):
            return _variable(base)
        case _:
            return set()


def heads_of(loop: For) -> list[LoopHead] | None:
    """The heads of a loop that is shared out, and of those inside that share it; None for heads of
    other forms than `for (int i = first; i < limit; ++i)`, and ones that depend on each other."""
    assert loop.shared is not None
    found: list[LoopHead] = []
    inner: Node = loop
    while len(found) < loop.shared.depth:
        if not isinstance(inner, For) or not isinstance(inner.initial, Declare):
            return None
        try:
            found.append(head_of(inner))
        except Refusal:
            return None
        below = statements_of(inner.body)
        inner = below[0] if len(below) == 1 else inner.body
    counters = {one.index.symbol for one in found}
    bounds = (one for head in found for one in (head.first, head.limit))
    return None if any(symbols_in(one) & counters for one in bounds) else found


def atomic_addition(place: Expr, value: Expr, span: SourceSpan | None) -> Call:
    """`place += value` where other threads may do the same; no `span`: of a derivative."""
    ctype = place.type
    pointer = CType(f"{ctype.spelling} *", TypeKind.POINTER, 64, is_signed=False, element=ctype)
    arguments = (Unary("&", place, type=pointer), value)
    callee = Literal("g2o::atomic_add")
    return Call("atomicAdd", callee, arguments, is_cuda=True, type=ctype, span=span)
