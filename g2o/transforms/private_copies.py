"""Arrays that a thread has of its own, in place of others.

    double w[3];                             double w[3];
#pragma omp parallel firstprivate(w)   ->    {
    w[0] += ...;                                 double w2[3];
                                                 for (int i = 0; i < 3; ++i)
                                                     w2[i] = w[i];
                                                 w2[0] += ...;
"""

from __future__ import annotations

from g2o.ir.expressions import Assign, Binary, Expr, Index, Literal, Unary, VarRef
from g2o.ir.statements import Declare, ExprStatement, For, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.types import BOOL, INT, CType, TypeKind


def copied(symbols: SymbolTable, to: Symbol, what: Symbol) -> Stmt:
    """The loops that copy an array whose extents are known."""
    extents = extents_of(to.type)
    counters = [symbols.fresh("i", INT, Storage.LOCAL) for _ in extents]
    places: list[Expr] = []
    for one in (to, what):
        place: Expr = VarRef(one)
        ctype = one.type
        for counter in counters:
            assert ctype.element is not None
            ctype = ctype.element
            place = Index(place, VarRef(counter), ctype)
        places.append(place)
    copied: Stmt = ExprStatement(Assign("=", places[0], places[1], places[0].type))
    for counter, size in reversed([*zip(counters, extents, strict=True)]):
        limit = Binary("<", VarRef(counter), Literal(str(size), size, INT), BOOL)
        start = Declare((Variable(counter, "int", "", Literal("0", 0, INT), "="),))
        copied = For(start, limit, Unary("++", VarRef(counter), type=INT), copied)
    return copied


def extents_of(ctype: CType) -> list[int | None]:
    found: list[int | None] = []
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        found.append(ctype.extent)
        ctype = ctype.element
    return found


def declared_array(symbols: SymbolTable, one: Symbol) -> tuple[Declare, Symbol]:
    """The declaration of a variable of the same name and type, an array with known extents."""
    new = symbols.declare(one.name, one.type, Storage.LOCAL)
    sizes = tuple(Literal(str(size), size, INT) for size in extents_of(one.type))
    suffix = "".join(f"[{size}]" for size in extents_of(one.type))
    spelled = plain_type(one.type.innermost)
    return Declare((Variable(new, spelled, suffix, extents=sizes),)), new


def plain_type(ctype: CType) -> str:
    return ctype.spelling.removeprefix("const ").strip()
