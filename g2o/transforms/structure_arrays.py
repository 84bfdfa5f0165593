"""Short arrays of structures with pointers, as an array for each member.

    Level levels[2] = {{n, x}, {m, y}};        int levels_n[2] = {n, m};
    for (int l = 0; l < 2; ++l) {              double *levels_u[2] = {x, y};
        const Level *at = &levels[l];    ->    for (int l = 0; l < 2; ++l) {
        at->u[0] = at->n;                          const int at_index = l;
    }                                              levels_u[at_index][0] = levels_n[at_index];
                                               }

Legal where every use names a member of an element, or is what a pointer begins with that leads to
an element, is never set again, and is used for members alone. Arrays of pointers of a function are
what `pointer_tables.py` knows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Cast,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Empty, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind, constant, unqualified


def with_structure_arrays_apart(body: Block, effects: EffectsOf, symbols: SymbolTable) -> Block:
    """The body without such arrays, as far as that can be."""
    declared = _declared(body)
    arrays = {one.symbol: one for one in declared if _is_such(one)}
    if not arrays:
        return body
    written = written_after_declaration(body, effects)
    body = _without_second_names(body, declared, arrays, written)
    declared = _declared(body)
    pointers = {
        one.symbol: place
        for one in declared
        if one.symbol not in written and (place := _leads_to(one, arrays)) is not None
    }
    bad = _used_otherwise(body, arrays, pointers)
    apart = {symbol: _members(symbol, symbols) for symbol in arrays if symbol not in bad}
    pointers = {one: at for one, at in pointers.items() if at.array in apart and one not in bad}
    if not apart:
        return body
    maker = _Maker(apart, pointers, symbols, {})
    return rewrite(body, maker.replacement)


def _declared(body: Block) -> list[Variable]:
    return [
        variable
        for node in walk(body)
        if isinstance(node, Block)
        for one in node.statements
        if isinstance(one, Declare)
        for variable in one.variables
    ]


def _without_second_names(
    body: Block,
    declared: Sequence[Variable],
    arrays: Collection[Symbol],
    written: Collection[Symbol],
) -> Block:
    """The body without pointers that only are another name of an array, as a function has one."""
    names: dict[Symbol, Symbol] = {}
    for one in declared:
        value = None if one.initial is None else strip_parens(one.initial)
        if one.symbol.type.kind is TypeKind.POINTER and one.symbol not in written:
            if isinstance(value, VarRef):
                of = names.get(value.symbol, value.symbol)
                if of in arrays:
                    names[one.symbol] = of
    if not names:
        return body

    def replacement(node: Node) -> Node | None:
        match node:
            case Declare(variables=variables) if any(one.symbol in names for one in variables):
                left = tuple(one for one in variables if one.symbol not in names)
                if not left:
                    return Empty(trivia=node.trivia)
                made = replace(node, variables=left, form=Form.BUILT)
                return rewrite(made, replacement)
            case VarRef(symbol=symbol) if symbol in names:
                return VarRef(names[symbol])
            case _:
                return None

    return rewrite(body, replacement)


@final
@dataclass(frozen=True, slots=True)
class _Place:
    """An element of an array."""

    array: Symbol
    index: Expr


def _is_such(variable: Variable) -> bool:
    ctype, record = variable.symbol.type, variable.symbol.type.element
    if ctype.kind is not TypeKind.ARRAY or ctype.extent is None or record is None:
        return False
    if record.kind is not TypeKind.RECORD or record.is_union or not record.fields:
        return False
    kinds = [member.kind for _, member in record.fields]
    plain = all(k not in (TypeKind.RECORD, TypeKind.ARRAY, TypeKind.OTHER) for k in kinds)
    local = variable.symbol.storage is Storage.LOCAL and TypeKind.POINTER in kinds
    return plain and local and (variable.initial is None or _rows(variable) is not None)


def _rows(variable: Variable) -> list[InitList] | None:
    """The lists that elements begin with, which name all members."""
    initial, ctype = variable.initial, variable.symbol.type
    if not isinstance(initial, InitList) or ctype.element is None:
        return None
    count = len(ctype.element.fields)
    rows = [one for one in initial.elements if isinstance(one, InitList)]
    whole = len(rows) == len(initial.elements) == ctype.extent
    return rows if whole and all(len(one.elements) == count for one in rows) else None


def _leads_to(variable: Variable, arrays: Mapping[Symbol, Variable]) -> _Place | None:
    """The element that a pointer begins with the address of."""
    inner = variable.initial
    if inner is None or variable.symbol.type.kind is not TypeKind.POINTER:
        return None
    while isinstance(inner, Paren | Cast):
        inner = inner.inner if isinstance(inner, Paren) else inner.operand
    match inner:
        case Unary(op="&", operand=operand):
            found = _element(operand, arrays)
        case _:
            return None
    made, record = variable.symbol.type.element, None if found is None else found.array.type.element
    same = made is not None and record is not None and made.fields == record.fields
    return found if same else None


def _element(expr: Expr, arrays: Mapping[Symbol, object]) -> _Place | None:
    match strip_parens(expr):
        case Index(base=base, index=index):
            inner = strip_parens(base)
            known = isinstance(inner, VarRef) and inner.symbol in arrays
            return _Place(inner.symbol, index) if known and isinstance(inner, VarRef) else None
        case _:
            return None


def _used_otherwise(
    body: Block, arrays: Mapping[Symbol, Variable], pointers: Mapping[Symbol, _Place]
) -> set[Symbol]:
    """The arrays that are used for more than members of elements, and where they lead."""
    named = dict.fromkeys((*arrays, *pointers), 0)
    known = dict(named)
    for node in walk(body):
        match node:
            case VarRef(symbol=symbol) if symbol in named:
                named[symbol] += 1
            case Member(base=base, arrow=False) if (at := _element(base, arrays)) is not None:
                known[at.array] += 1
            case Member(base=base, arrow=True):
                inner = strip_parens(base)
                if isinstance(inner, VarRef) and inner.symbol in pointers:
                    known[inner.symbol] += 1
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol in pointers:
                        known[pointers[one.symbol].array] += 1
            case _:
                pass
    bad = {one for one, count in named.items() if known[one] != count}
    return bad | {at.array for one, at in pointers.items() if one in bad}


def _members(array: Symbol, symbols: SymbolTable) -> dict[str, Symbol]:
    """An array for each member."""
    record, extent = array.type.element, array.type.extent
    assert record is not None
    assert extent is not None
    found: dict[str, Symbol] = {}
    for name, ctype in record.fields:
        bits = ctype.bits * extent
        made = CType(
            f"{ctype.spelling}[{extent}]", TypeKind.ARRAY, bits, element=ctype, extent=extent
        )
        found[name] = symbols.fresh(f"{array.name}_{name}", made, Storage.LOCAL)
    return found


@final
@dataclass(frozen=True, slots=True)
class _Maker:
    apart: Mapping[Symbol, Mapping[str, Symbol]]
    pointers: Mapping[Symbol, _Place]
    symbols: SymbolTable
    indices: dict[Symbol, Symbol]

    def replacement(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                new: list[Stmt] = []
                for one in statements:
                    new += self._declared(one) if isinstance(one, Declare) else ()
                    if not isinstance(one, Declare):
                        new.append(rewrite(one, self.replacement))
                return replace(node, statements=tuple(new), form=Form.BUILT)
            case Member(base=base, name=name, arrow=False):
                at = _element(base, self.apart)
                if at is None:
                    return None
                index = rewrite(at.index, self.replacement)
                return Index(VarRef(self.apart[at.array][name]), index, node.type)
            case Member(base=base, name=name, arrow=True):
                inner = strip_parens(base)
                if not isinstance(inner, VarRef) or inner.symbol not in self.pointers:
                    return None
                array = self.pointers[inner.symbol].array
                index = VarRef(self.indices[inner.symbol])
                return Index(VarRef(self.apart[array][name]), index, node.type)
            case _:
                return None

    def _declared(self, statement: Declare) -> list[Stmt]:
        """The declarations in place of one, for each of its variables."""
        made: list[Stmt] = []
        for one in statement.variables:
            if one.symbol in self.apart:
                made += self._arrays(one)
            elif one.symbol in self.pointers:
                made.append(self._index(one.symbol))
            else:
                made.append(rewrite(Declare((one,)), self.replacement))
        return [replace(made[0], trivia=statement.trivia), *made[1:]]

    def _arrays(self, variable: Variable) -> list[Stmt]:
        rows = None if variable.initial is None else _rows(variable)
        made: list[Stmt] = []
        extent = variable.symbol.type.extent
        for at, symbol in enumerate(self.apart[variable.symbol].values()):
            values = None
            if rows is not None:
                values = InitList(
                    tuple(rewrite(row.elements[at], self.replacement) for row in rows)
                )
            element = symbol.type.element
            assert element is not None
            one = Variable(
                symbol,
                unqualified(element),
                f"[{extent}]",
                values,
                "=" if values else "",
                extents=(Literal(str(extent), extent, INT),),
            )
            made.append(Declare((one,)))
        return made

    def _index(self, pointer: Symbol) -> Declare:
        place = self.pointers[pointer]
        ctype = value_type(place.index)
        ctype = ctype if ctype.kind is TypeKind.INTEGER else INT
        index = self.symbols.fresh(f"{pointer.name}_index", ctype, Storage.LOCAL)
        self.indices[pointer] = index
        value = rewrite(place.index, self.replacement)
        return Declare((Variable(index, constant(ctype.spelling), "", value, "="),))
