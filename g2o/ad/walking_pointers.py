"""Pointers that walk through memory, as indices that count.

    const double *p = x + i * m, *end = p + m;        ptrdiff_t at_p = i * m, at_end = at_p + m;
    while (p != end)                            ->    while (at_p != at_end)
        v += *p++;                                        v += x[at_p++];

So are those that are set to one place of an array or another, `if (c) p = x + i; else p = x + n;`.
The reverse sweep can keep a number, and x has a shadow where a pointer into it would need one of
its own. Pointers that lead to places of several arrays, one after the other, become one that leads
to their starts alone, which `exchanged_pointers` numbers, and an index:

    p = t == 0 ? a : b + t * n;         ->    p = t == 0 ? a : b, at_p = t == 0 ? 0 : t * n;
    v += p[i];                                v += p[at_p + i];
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from g2o.ad.pointer_indices import OFFSET, Indexed, Walker
from g2o.ad.pointer_values import (
    alternatives,
    moving_pointers,
    pointer_root,
    pointer_values,
)
from g2o.ad.reals import carries
from g2o.ad.row_starts import with_row_starts
from g2o.ir.expressions import (
    Assign,
    Call,
    Code,
    Conditional,
    Expr,
    Literal,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, ExprStatement, For, Node, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, walk
from g2o.ir.types import INT


def with_indices(body: Block, parameters: tuple[Symbol, ...], symbols: SymbolTable) -> Block:
    """`body` with an index for every pointer that moves and leads to one array."""
    body = with_row_starts(body, parameters, symbols)
    assigned = pointer_values(body, parameters)
    moving = (moving_pointers(body) | _set_anew(body, assigned)) & assigned.keys()
    values = {one: alternatives(found) for one, found in assigned.items()}
    if not moving:
        return body
    moving |= {
        symbol
        for symbol, given in values.items()
        if given and all(pointer_root(one) in moving for one in given)
    }
    homes = _homes(body)
    bases = _bases({symbol: values[symbol] for symbol in moving}, set(parameters), homes)
    sources = _sources(moving - bases.keys(), values)
    if sources:
        made = {symbol: values[symbol] for symbol in moving | sources}
        bases = _bases(made, set(parameters), homes)
    if not bases:
        return body
    walkers = {
        symbol: Walker(bases[symbol], symbols.fresh(f"at_{symbol.name}", OFFSET, Storage.LOCAL))
        for symbol in sorted(bases, key=lambda one: one.id)
    }
    starts = [
        Declare((Variable(walkers[one].at, OFFSET.spelling, "", Literal("0", 0, INT), "="),))
        for one in parameters
        if one in walkers
    ]
    indexed = Indexed(walkers).block(body)
    return replace(indexed, statements=(*starts, *indexed.statements))


def with_starts_kept(kernel: Kernel) -> Kernel:
    """`kernel` with an index beside every pointer that leads to places of several arrays, one after
    the other: the pointer leads to the starts of these.

    Legal where each of its values is a place of a known array, or is made from such a pointer, and
    is given by a statement whose conditions, which are asked twice, change nothing and know of no
    such pointer.
    """
    function = kernel.function
    assigned = pointer_values(function.body, function.parameters)
    values = {one: alternatives(found) for one, found in assigned.items() if found}
    parameters = set(function.parameters)
    roots = _roots(values, parameters)
    kept = {
        one
        for one in _set_anew(function.body, assigned) & roots.keys()
        if len(roots[one]) > 1 and carries(one.type) and _are_alike(one, roots[one])
    }
    if all(isinstance(strip_parens(value), VarRef) for one in kept for value in values[one]):
        return kernel
    kept |= _with_what_leads_there(kept, values, parameters)
    if not _can_be_told_twice(function.body, kept):
        return kernel
    symbols = SymbolTable(continued=function.symbols)
    walkers = {
        one: Walker(one, symbols.fresh(f"at_{one.name}", OFFSET, Storage.LOCAL))
        for one in sorted(kept, key=lambda one: one.id)
    }
    zero = Literal("0", 0, INT)
    starts = tuple(
        Declare((Variable(walkers[one].at, OFFSET.spelling, "", zero, "="),))
        for one in function.parameters
        if one in walkers
    )
    body = Indexed(walkers).block(function.body)
    body = replace(body, statements=(*starts, *body.statements))
    return replace(kernel, function=replace(function, body=body, symbols=symbols))


# -- which pointers -----------------------------------------------------------------------------


def _set_anew(body: Block, values: Mapping[Symbol, list[Expr]]) -> set[Symbol]:
    """Pointers that are set to one place or another, or to the places of one turn after the other:
    `if (c) p = x + i; else p = x + n;`, `float *p; for (...) { p = x + i * n; ... }`"""
    return {
        node.target.symbol
        for node in walk(body)
        if isinstance(node, Assign)
        and isinstance(node.target, VarRef)
        and values.get(node.target.symbol)
    }


def _sources(pointers: Collection[Symbol], values: Mapping[Symbol, list[Expr]]) -> set[Symbol]:
    """The pointers that lead to one place each, and that these are made from."""
    found: set[Symbol] = set()
    waiting = list(pointers)
    while waiting:
        for value in values[waiting.pop()]:
            root = pointer_root(value)
            if root is not None and root not in found and len(values.get(root, ())) == 1:
                found.add(root)
                waiting.append(root)
    return found


def _roots(
    values: Mapping[Symbol, list[Expr]], parameters: set[Symbol]
) -> dict[Symbol, frozenset[Symbol]]:
    """The arrays that pointers lead to, of those that lead to nothing else."""
    found: dict[Symbol, set[Symbol | None]] = {
        one: {one} if one in parameters else set() for one in values
    }
    changed = True
    while changed:
        changed = False
        for one, given in values.items():
            for value in given:
                new = _through(pointer_root(value), found)
                if not new <= found[one]:
                    found[one] |= new
                    changed = True
    return {
        one: frozenset(root for root in roots if root is not None)
        for one, roots in found.items()
        if None not in roots
    }


def _are_alike(pointer: Symbol, arrays: Collection[Symbol]) -> bool:
    elements = {one.type.element for one in (pointer, *arrays)}
    return len({None if one is None else (one.kind, one.bits) for one in elements}) == 1


def _with_what_leads_there(
    pointers: Collection[Symbol], values: Mapping[Symbol, list[Expr]], parameters: set[Symbol]
) -> set[Symbol]:
    """The variables that these pointers are made from, and those that these are made from."""
    found: set[Symbol] = set()
    waiting = list(pointers)
    while waiting:
        for value in values[waiting.pop()]:
            root = pointer_root(value)
            if root is None or root in found or root in parameters:
                continue
            if root in values:
                found.add(root)
                waiting.append(root)
    return found


def _can_be_told_twice(body: Block, pointers: set[Symbol]) -> bool:
    """Are the pointers set by statements alone, under conditions that may be asked twice?"""
    given: list[Expr] = []
    by_statement = times = 0
    for node in walk(body):
        match node:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol))):
                by_statement += symbol in pointers
            case For(initial=ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol)))):
                by_statement -= symbol in pointers
            case Assign(op="=", target=VarRef(symbol=symbol), value=value) if symbol in pointers:
                times += 1
                given.append(value)
            case Declare(variables=variables):
                given += [v.initial for v in variables if v.symbol in pointers and v.initial]
            case _:
                pass
    asked = [n.condition for one in given for n in walk(one) if isinstance(n, Conditional)]
    inside = [node for one in asked for node in walk(one)]
    return by_statement == times and not any(
        isinstance(node, Assign | Call)
        or (isinstance(node, Code) and not node.pure)
        or (isinstance(node, Unary) and node.op in ("++", "--"))
        or (isinstance(node, VarRef) and node.symbol in pointers)
        for node in inside
    )


def _homes(body: Block) -> dict[Symbol, tuple[int, ...]]:
    """The braces and loops around the declaration of each variable, from the outermost inwards."""
    found: dict[Symbol, tuple[int, ...]] = {}

    def visit(node: Node, around: tuple[int, ...]) -> None:
        if isinstance(node, Declare):
            found.update((one.symbol, around) for one in node.variables)
        inner = (*around, id(node)) if isinstance(node, Block | For) else around
        for child in children(node):
            visit(child, inner)

    visit(body, ())
    return found


def _bases(
    values: Mapping[Symbol, list[Expr]],
    parameters: set[Symbol],
    homes: Mapping[Symbol, tuple[int, ...]],
) -> dict[Symbol, Symbol]:
    """The one array that each pointer leads to; pointers that lead to several are left out."""
    left = dict(values)
    while True:
        bases: dict[Symbol, set[Symbol | None]] = {
            symbol: {symbol} if symbol in parameters else set() for symbol in left
        }
        changed = True
        while changed:
            changed = False
            for symbol, given in left.items():
                for value in given:
                    root = pointer_root(value)
                    new = _through(root, bases)
                    if not new <= bases[symbol]:
                        bases[symbol] |= new
                        changed = True
        wrong = {s for s, found in bases.items() if not _is_one_array(s, found, homes)}
        if not wrong:
            return {s: one for s, found in bases.items() for one in found if one is not None}
        left = {symbol: given for symbol, given in left.items() if symbol not in wrong}


def _through(root: Symbol | None, bases: Mapping[Symbol, set[Symbol | None]]) -> set[Symbol | None]:
    found = None if root is None else bases.get(root)
    return {root} if found is None else found


def _is_one_array(
    symbol: Symbol, found: set[Symbol | None], homes: Mapping[Symbol, tuple[int, ...]]
) -> bool:
    """Does a pointer lead to one array, which can be seen where the pointer can?"""
    if len(found) != 1:
        return False
    (base,) = found
    if base is None or (base.storage is Storage.LOCAL and base not in homes):
        return False
    home = homes.get(base, ())
    if homes.get(symbol, home)[: len(home)] != home:
        return False
    one, other = symbol.type.element, base.type.element
    return (
        one is not None and other is not None and (one.kind, one.bits) == (other.kind, other.bits)
    )
