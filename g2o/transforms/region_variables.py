"""What belongs to each thread of a parallel region, in what one thread would do of it.

#pragma omp parallel                  for (int i = 0; ...) {     // shared out
{                                         double t;
    double t;                             ...
#pragma omp for                ->     }
    for (int i = 0; ...) { ... }
}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Final, TypeVar

from g2o.analysis.effects import declared_in, root_symbol, statements_of, symbols_in
from g2o.analysis.liveness import Liveness, Targets, liveness
from g2o.ir.directives import SINGLE
from g2o.ir.expressions import Assign, Binary, Call, Expr, Form, Unary, VarRef, strip_parens
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    Empty,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind
from g2o.transforms.private_copies import plain_type
from g2o.transforms.shared_loops import sums_of

Region = TypeVar("Region", bound=Stmt)
_EXTREMES: Final = ("fmax", "fmin", "fmaxf", "fminf", "fmaxl", "fminl")


def adds_own_values(node: Stmt, own: Collection[Symbol]) -> bool:
    """Does a thread only add variables of its own to others, or keep the largest or smallest of
    all threads' there? Those are its part of a sum, or of a maximum."""
    if isinstance(node, Block) and not any(isinstance(one, Declare) for one in node.statements):
        return all(adds_own_values(one, own) for one in node.statements)
    if isinstance(node, If):
        return _keeps_extreme(node, own)
    for inner in walk(node):
        match inner:
            case Assign(op="=") as assigned if _is_extreme(assigned, own):
                continue
            case Assign(op=op, target=target, value=value):
                if root_symbol(target) in declared_in(node) | set[Symbol | None](_indices(node)):
                    continue
                if op != "+=" or root_symbol(value) not in own:
                    return False
            case Call(name="atomicAdd", arguments=(_, value)):
                if root_symbol(value) not in own:
                    return False
            case Call(name=name) if name in _EXTREMES:
                pass
            case Call():
                return False
            case _:
                pass
    return True


def _keeps_extreme(node: If, own: Collection[Symbol]) -> bool:
    """`if (most < own) { most = own; where = own_place; }`"""
    match strip_parens(node.condition):
        case Binary(op="<" | ">" | "<=" | ">=", left=left, right=right) if node.otherwise is None:
            compared = [strip_parens(left), strip_parens(right)]
        case _:
            return False
    kept = False
    for one in statements_of(node.then):
        match one:
            case ExprStatement(expr=Assign(op="=", target=target, value=value)):
                pair = [strip_parens(target), strip_parens(value)]
                if not symbols_in(value) <= set(own) or root_symbol(target) in own:
                    return False
                kept |= pair in (compared, compared[::-1])
            case _:
                return False
    return kept


def _is_extreme(node: Assign, own: Collection[Symbol]) -> bool:
    """`most = fmax(most, own)`"""
    match strip_parens(node.value):
        case Call(name=name, arguments=(one, other)) if name in _EXTREMES:
            pair = [strip_parens(one), strip_parens(other)]
            rest = [part for part in pair if part != strip_parens(node.target)]
            return len(rest) == 1 and symbols_in(rest[0]) <= set(own)
        case _:
            return False


def _indices(node: Node) -> set[Symbol]:
    return {
        symbol
        for inner in walk(node)
        if isinstance(inner, For) and inner.initial is not None
        for symbol in symbols_in(inner.initial)
    }


def with_own_variables_inside(
    region: Region, own: Collection[Symbol], symbols: SymbolTable
) -> Region:
    """The region with what its loops alone use declared in them, and with variables of their own in
    place of those that every iteration sets before it reads them, and nobody behind the loop does.
    An array goes with the pointers that lead into it for good. Loops in which a thread changes its
    own variables otherwise than to add to numbers have an order."""
    moved: dict[int, list[Variable]] = {}
    renamed: dict[int, dict[Symbol, Symbol]] = {}
    ordered: set[int] = set()
    bare = {
        one.symbol: one
        for node in walk(region)
        if isinstance(node, Declare)
        for one in node.variables
        if one.initial is None
    }
    loops = [
        node
        for node in walk(region)
        if isinstance(node, For) and node.shared is not None and node.shared.level == 0
    ]
    total = Counter(node.symbol for node in walk(region) if isinstance(node, VarRef))
    live = liveness(region)
    pointed = _arrays_with_pointers(region, set(own) & bare.keys())
    for loop in loops:
        inside = Counter(node.symbol for node in walk(loop) if isinstance(node, VarRef))
        whole: set[Symbol] = set()
        for array, pointers in pointed.items():
            if _are_of(inside, total, array, pointers):
                moved.setdefault(id(loop), []).extend((bare[array], *pointers))
                whole |= {array, *(one.symbol for one in pointers)}
        for one in sorted(_roots_changed(loop) & set(own) - declared_in(loop), key=by_id):
            if one in whole:
                continue
            if one in bare and inside[one] == total[one] and not _leads_away(one):
                moved.setdefault(id(loop), []).append(bare[one])
            elif one in live.after(loop) or not _is_set_first(one, loop.body):
                if one.type.is_indirect or one not in (sums_of(loop) or ()):
                    ordered.add(id(loop))
            else:
                new = symbols.declare(one.name, one.type, Storage.LOCAL)
                declared = Variable(new, plain_type(one.type), "")
                moved.setdefault(id(loop), []).append(declared)
                renamed.setdefault(id(loop), {})[one] = new
    gone = {one.symbol for several in moved.values() for one in several}

    def replacement(node: Node) -> Node | None:
        match node:
            case For() if id(node) in ordered or id(node) in moved:
                front = tuple(Declare((one,)) for one in moved.get(id(node), ()))
                inner = tuple(rewrite(one, replacement) for one in statements_of(node.body))
                how = None if id(node) in ordered else node.shared
                body = rename_symbols(Block(inner), renamed.get(id(node), {}))
                body = Block((*front, *body.statements))
                return in_its_order(replace(node, shared=how, body=body, form=Form.BUILT))
            case Declare(variables=variables) if gone.intersection(v.symbol for v in variables):
                kept = tuple(one for one in variables if one.symbol not in gone)
                empty = Empty(trivia=node.trivia)
                return replace(node, variables=kept, form=Form.BUILT) if kept else empty
            case _:
                return None

    return rewrite(region, replacement)


def _arrays_with_pointers(region: Stmt, arrays: Collection[Symbol]) -> dict[Symbol, list[Variable]]:
    """The pointers into arrays of a thread that lead nowhere else, by array."""
    changed: set[Symbol] = set()
    for node in walk(region):
        match node:
            case Assign(target=VarRef(symbol=one)):
                changed.add(one)
            case Unary(op="++" | "--" | "&", operand=VarRef(symbol=one)):
                changed.add(one)
            case _:
                pass
    roots: dict[Symbol, Symbol] = {}
    found: dict[Symbol, list[Variable]] = {}
    for node in walk(region):
        for one in node.variables if isinstance(node, Declare) else ():
            first = None if one.initial is None else root_symbol(one.initial)
            array = first if first is None or first in arrays else roots.get(first)
            is_steady = one.symbol.type.kind is TypeKind.POINTER and one.symbol not in changed
            if array is not None and array.type.kind is TypeKind.ARRAY and is_steady:
                roots[one.symbol] = array
                found.setdefault(array, []).append(one)
    return found


def _are_of(
    inside: Counter[Symbol], total: Counter[Symbol], array: Symbol, pointers: list[Variable]
) -> bool:
    """Is all that is done to an array and to the pointers into it done in one loop?"""
    declared = Counter(
        node.symbol
        for one in pointers
        for node in (walk(one.initial) if one.initial is not None else ())
        if isinstance(node, VarRef)
    )
    group = (array, *(one.symbol for one in pointers))
    return any(inside[one] for one in group) and all(
        inside[one] + declared[one] == total[one] for one in group
    )


def in_its_order(loop: For) -> Stmt:
    """A loop that threads share out, as one thread does it once if it is not shared out here."""
    if loop.shared is not None:
        return loop
    alone = replace(loop, trivia=NO_TRIVIA)
    return Block((alone,), directive=SINGLE, span=loop.span, trivia=loop.trivia, form=Form.BUILT)


def _is_set_first(symbol: Symbol, body: Stmt) -> bool:
    """Does the code give a number a value before it reads it, on every path?"""
    if not symbol.type.is_arithmetic or any(
        isinstance(node, Jump) and node.kind is JumpKind.GOTO for node in walk(body)
    ):
        return False
    return symbol not in Liveness().before(body, frozenset(), Targets())


def _leads_away(symbol: Symbol) -> bool:
    return symbol.type.kind is TypeKind.POINTER


def by_id(symbol: Symbol) -> int:
    return symbol.id


def _roots_changed(node: Node) -> set[Symbol]:
    found: set[Symbol] = set()
    for inner in walk(node):
        match inner:
            case Assign(target=target) | Unary(op="++" | "--" | "&", operand=target):
                root = root_symbol(target)
            case Call(arguments=arguments):
                found |= {one for argument in arguments for one in _addressed(argument)}
                continue
            case _:
                continue
        if root is not None:
            found.add(root)
    return found


def _addressed(argument: Expr) -> set[Symbol]:
    root = root_symbol(argument)
    is_memory = root is not None and (root.type.is_indirect or root.type.kind is TypeKind.ARRAY)
    return {root} if is_memory and root is not None else set()
