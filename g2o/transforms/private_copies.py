"""Arrays that a thread has of its own, in place of others.

    double w[3];                             double w[3];
#pragma omp parallel firstprivate(w)   ->    {
    w[0] += ...;                                 double w2[3];
                                                 for (int i = 0; i < 3; ++i)
                                                     w2[i] = w[i];
                                                 w2[0] += ...;
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.ir.expressions import Assign, Binary, Cast, Expr, Index, Literal, Paren, Unary, VarRef
from g2o.ir.statements import Block, Declare, ExprStatement, For, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT, CType, TypeKind

_PARTS_OF_SIZES: Final = (VarRef, Literal, Binary, Paren, Cast)


def copied(symbols: SymbolTable, to: Variable, what: Symbol) -> Stmt:
    """The loops that copy an array whose extents are known."""
    extents = to.extents
    counters = [symbols.fresh("i", INT, Storage.LOCAL) for _ in extents]
    places: list[Expr] = []
    for one in (to.symbol, what):
        place: Expr = VarRef(one)
        ctype = one.type
        for counter in counters:
            assert ctype.element is not None
            ctype = ctype.element
            place = Index(place, VarRef(counter), ctype)
        places.append(place)
    copied: Stmt = ExprStatement(Assign("=", places[0], places[1], places[0].type))
    for counter, size in reversed([*zip(counters, extents, strict=True)]):
        end = Paren(size, size.type) if isinstance(size, Binary) else size
        limit = Binary("<", VarRef(counter), end, BOOL)
        start = Declare((Variable(counter, "int", "", Literal("0", 0, INT), "="),))
        copied = For(start, limit, Unary("++", VarRef(counter), type=INT), copied)
    return copied


def extents_of(ctype: CType) -> list[int | None]:
    found: list[int | None] = []
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        found.append(ctype.extent)
        ctype = ctype.element
    return found


def arrays_of_sizes(body: Block, effects: EffectsOf) -> dict[Symbol, Variable]:
    """The declarations of arrays with sizes that only the program knows, `double line[n];`, and
    that stay as they are."""
    written = written_after_declaration(body, effects)
    found: dict[Symbol, Variable] = {}
    for node in walk(body):
        for one in node.variables if isinstance(node, Declare) else ():
            parts = [each for size in one.extents for each in walk(size)]
            named = {each.symbol for each in parts if isinstance(each, VarRef)}
            is_plain = all(isinstance(each, _PARTS_OF_SIZES) for each in parts)
            if None in extents_of(one.symbol.type) and is_plain and named.isdisjoint(written):
                found[one.symbol] = one
    return found


def declared_array(
    symbols: SymbolTable, one: Symbol, sized: Mapping[Symbol, Variable]
) -> tuple[Declare, Variable]:
    """The declaration of a variable of the same name and type, an array with known extents, or with
    those that `sized` says."""
    new = symbols.declare(one.name, one.type, Storage.LOCAL)
    spelled = plain_type(one.type.innermost)
    like = sized.get(one)
    if like is not None:
        made = Variable(new, spelled, like.suffix, extents=like.extents)
    else:
        sizes = tuple(Literal(str(size), size, INT) for size in extents_of(one.type))
        suffix = "".join(f"[{size}]" for size in extents_of(one.type))
        made = Variable(new, spelled, suffix, extents=sizes)
    return Declare((made,)), made


def plain_type(ctype: CType) -> str:
    return ctype.spelling.removeprefix("const ").strip()
