"""Local structures and arrays that hold pointers or references, as one variable for each member or
element.

    View<double> row{x + i * n, 1};            double *row_p = x + i * n;
    const double *from[2] = {u, v};            int row_stride = 1;
    y[i] = row.p[j * row.stride]         ->    const double *from_0 = u, *from_1 = v;
         * from[k][i];                         y[i] = row_p[j * row_stride]
                                                    * (k == 0 ? from_0 : from_1)[i];

A pointer that is a variable has a shadow beside it. Legal where nothing uses the structure or array
as a whole but to give it a value or to copy it, and where indices that are not known only read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ad.objects import with_values_of_objects
from g2o.ad.references import without_references
from g2o.analysis.effects import symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.ir.distinct import with_distinct_nodes
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Conditional,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    is_variable,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind, unqualified

_MOST_ELEMENTS: Final = 4
_DEPTH: Final = 4
"""Structures in structures that are taken apart."""


def with_pointers_apart(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """`kernel` without local structures and arrays that hold pointers, where they can go."""
    for _ in range(_DEPTH):
        declared = {one.symbol for one in _variables(kernel.body) if _holds_pointers(one.symbol)}
        if not declared:
            break
        body = with_values_of_objects(without_references(kernel.body), functions)
        body = replace(body, statements=with_distinct_nodes(body.statements))  # known by identity
        whole = {symbol for symbol in declared if _only_parts_used(symbol, body)}
        if not whole:
            break
        symbols = SymbolTable(continued=kernel.function.symbols)
        parts = {one: _parts_of(one, symbols) for one in sorted(whole, key=lambda one: one.id)}
        body = rewrite(body, _Apart(parts).replacement)
        function = replace(kernel.function, body=body, symbols=symbols)
        kernel = replace(kernel, function=function)
    return kernel


def _variables(body: Block) -> list[Variable]:
    return [one for node in walk(body) if isinstance(node, Declare) for one in node.variables]


def _holds_pointers(symbol: Symbol) -> bool:
    """Is it a local structure or a short array with pointers right inside, or in structures?"""
    ctype = symbol.type
    if symbol.storage is not Storage.LOCAL:
        return False
    if ctype.kind is TypeKind.ARRAY and ctype.extent is not None:
        element = ctype.element
        return element is not None and _is_pointer(element) and ctype.extent <= _MOST_ELEMENTS
    return ctype.kind is TypeKind.RECORD and _has_pointers(ctype)


def _has_pointers(record: CType) -> bool:
    inner = [ctype for _, ctype in record.fields]
    known = all(_is_known(one) and _is_short(one) for one in inner)
    return known and any(
        _is_pointer(one.innermost)
        or one.kind is TypeKind.REFERENCE
        or (one.kind is TypeKind.RECORD and _has_pointers(one))
        for one in inner
    )


def _is_short(ctype: CType) -> bool:
    """Is it none, or an array of one dimension that can be declared by itself?"""
    is_array = ctype.kind is TypeKind.ARRAY
    inner = ctype.element
    single = inner is not None and inner.kind not in (TypeKind.ARRAY, TypeKind.RECORD)
    return not is_array or (single and ctype.extent is not None)


def _is_pointer(ctype: CType) -> bool:
    return ctype.kind is TypeKind.POINTER and _is_known(ctype)


def _is_known(ctype: CType) -> bool:
    """Does its spelling mean the same in the kernel?"""
    current: CType | None = ctype
    while current is not None:
        if current.kind in (TypeKind.DEPENDENT, TypeKind.OTHER):
            return False
        current = current.element
    return True


def _only_parts_used(symbol: Symbol, body: Block) -> bool:
    """Is every use of it a part, a value that it gets, or a copy for another one like it?"""
    fine: set[int] = set()
    for node in walk(body):
        match node:
            case Block(statements=statements):
                fine.update(id(place) for one in statements for place in _whole_uses(one, symbol))
            case Member(base=base, arrow=False, name=name) if name in dict(symbol.type.fields):
                fine.add(id(strip_parens(base)))
            case Index(base=base, index=index) if _is_read_at(index, node, body):
                fine.add(id(strip_parens(base)))
            case _:
                pass
    uses = [node for node in walk(body) if isinstance(node, VarRef) and node.symbol == symbol]
    if symbol.type.kind is TypeKind.RECORD and _holds_arrays(symbol.type):
        fine -= {id(use) for one in _statements(body) for use in _whole_uses(one, symbol)}
    given = [one for one in _variables(body) if one.symbol == symbol]
    values = [one.initial for one in given if one.initial is not None]
    values += [
        node.value
        for node in walk(body)
        if isinstance(node, Assign) and is_variable(node.target, symbol) and node.op == "="
    ]
    if any(ctype.kind is TypeKind.REFERENCE for _, ctype in _types_of(symbol.type)):
        if len(values) < len(given) or not all(_is_complete(value, symbol) for value in values):
            return False
    listed = {id(v) for s in _statements(body) if isinstance(s, Declare) for v in s.variables}
    return (
        all(id(one) in fine for one in uses)
        and not any(symbol in symbols_in(strip_parens(value)) for value in values)
        and all(_can_be_split(value, symbol.type) for value in values)
        and all(id(one) in listed for one in given)
    )


def _holds_arrays(ctype: CType) -> bool:
    """Arrays get values where they are declared, and at no other place."""
    return any(one.kind is TypeKind.ARRAY for _, one in ctype.fields)


def _statements(body: Block) -> list[Stmt]:
    return [one for node in walk(body) if isinstance(node, Block) for one in node.statements]


def _whole_uses(statement: Stmt, symbol: Symbol) -> list[Expr]:
    """Where a statement sets the variable, or copies it into one of the same type."""
    match statement:
        case ExprStatement(expr=Assign(op="=", target=VarRef() as target, value=value)):
            places = [target, strip_parens(value)]
            other = target.symbol
        case Declare(variables=(Variable(symbol=other, initial=value),)) if value is not None:
            places = [strip_parens(value)]
        case _:
            return []
    alike = unqualified(other.type) == unqualified(symbol.type)
    return places if alike and symbol.type.kind is TypeKind.RECORD else []


def _is_read_at(index: Expr, whole: Index, body: Block) -> bool:
    """Is it a constant index, or one that can be asked for several times and only reads?"""
    inner = strip_parens(index)
    if isinstance(inner, Literal) and inner.value is not None:
        return True
    kinds = (VarRef, Literal, Binary, Paren, Unary)
    for node in walk(inner):
        if not isinstance(node, kinds) or (isinstance(node, Unary) and node.op not in "+-!~"):
            return False
    for node in walk(body):
        match node:
            case Assign(target=target) if strip_parens(target) is whole:
                return False
            case Unary(op="++" | "--" | "&", operand=operand) if strip_parens(operand) is whole:
                return False
            case _:
                pass
    return True


def _can_be_split(value: Expr, ctype: CType) -> bool:
    match strip_parens(value):
        case InitList(elements=elements) | Cast(operand=InitList(elements=elements)):
            types = [one for _, one in _types_of(ctype)]
            with_braces = all(
                isinstance(one, InitList)
                for one, own in zip(elements, types, strict=False)
                if own.kind is TypeKind.ARRAY
            )
            return len(elements) <= len(types) and with_braces
        case VarRef() | Member(arrow=False) | Unary(op="*") as place if (
            ctype.kind is TypeKind.RECORD and not _holds_arrays(ctype)
        ):
            inner = place.operand if isinstance(place, Unary) else place
            names = (VarRef, Member, Paren)
            return all(isinstance(node, names) for node in walk(inner))
        case _:
            return False


def _is_complete(value: Expr, symbol: Symbol) -> bool:
    """Does every member get a value?"""
    inner = strip_parens(value)
    if isinstance(inner, Cast):
        inner = strip_parens(inner.operand)
    return not isinstance(inner, InitList) or len(inner.elements) == len(_types_of(symbol.type))


def _types_of(ctype: CType) -> tuple[tuple[str, CType], ...]:
    if ctype.kind is TypeKind.RECORD:
        return ctype.fields
    assert ctype.element is not None
    assert ctype.extent is not None
    return tuple((str(place), ctype.element) for place in range(ctype.extent))


Parts = tuple[tuple[str, Symbol], ...]


def _parts_of(symbol: Symbol, symbols: SymbolTable) -> Parts:
    return tuple(
        (
            name,
            symbols.fresh(f"{symbol.name}_{name}", _changeable(ctype), Storage.LOCAL),
        )
        for name, ctype in _types_of(symbol.type)
    )


def _changeable(ctype: CType) -> CType:
    if ctype.kind is TypeKind.ARRAY:
        return ctype
    spelled = ctype.spelling.removesuffix("__restrict__").rstrip().removesuffix("const").rstrip()
    if ctype.kind is not TypeKind.POINTER:
        spelled = spelled.removeprefix("const ")
    return replace(ctype, spelling=spelled, is_const=False, is_restrict=False)


@final
@dataclass(frozen=True, slots=True)
class _Apart:
    parts: Mapping[Symbol, Parts]

    def replacement(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                new = tuple(one for old in statements for one in self._statement(old))
                return replace(node, statements=new, form=Form.BUILT)
            case Member(base=base, name=name, arrow=False):
                parts = self._parts(base)
                return None if parts is None else VarRef(dict(parts)[name])
            case Index(base=base, index=index):
                parts = self._parts(base)
                return None if parts is None else self._element(parts, index, node.type)
            case _:
                return None

    def _parts(self, base: Expr) -> Parts | None:
        inner = strip_parens(base)
        return self.parts.get(inner.symbol) if isinstance(inner, VarRef) else None

    def _element(self, parts: Parts, index: Expr, ctype: CType) -> Expr:
        inner = strip_parens(index)
        if isinstance(inner, Literal) and inner.value is not None:
            return VarRef(dict(parts)[str(inner.value)])
        asked = rewrite(index, self.replacement)
        *front, (_, last) = parts
        result: Expr = VarRef(last)
        for place, (_, element) in reversed(list(enumerate(front))):
            at = asked if isinstance(asked, VarRef) else Paren(asked, asked.type)
            same = Binary("==", at, Literal(str(place), place, INT), BOOL)
            result = Conditional(same, VarRef(element), result, ctype)
        return Paren(result, ctype)

    def _statement(self, statement: Stmt) -> tuple[Stmt, ...]:
        match statement:
            case Declare(variables=variables) if any(v.symbol in self.parts for v in variables):
                return tuple(
                    new
                    for one in variables
                    for new in (
                        self._declared(one)
                        if one.symbol in self.parts
                        else (rewrite(Declare((one,)), self.replacement),)
                    )
                )
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)) if (
                symbol in self.parts
            ):
                values = self._values(value, symbol)
                return tuple(
                    ExprStatement(Assign("=", VarRef(part), new, part.type))
                    for (_, part), new in zip(self.parts[symbol], values, strict=True)
                )
            case _:
                return (rewrite(statement, self.replacement),)

    def _declared(self, variable: Variable) -> tuple[Stmt, ...]:
        parts = self.parts[variable.symbol]
        values: tuple[Expr | None, ...] = (None,) * len(parts)
        if variable.initial is not None:
            values = self._values(variable.initial, variable.symbol)
        return tuple(
            Declare((_variable(part, value),))
            for (_, part), value in zip(parts, values, strict=True)
        )

    def _values(self, value: Expr, symbol: Symbol) -> tuple[Expr, ...]:
        """What the parts get, in their order."""
        inner = strip_parens(value)
        if isinstance(inner, Cast):
            inner = strip_parens(inner.operand)
        types = _types_of(symbol.type)
        if isinstance(inner, InitList):
            given = tuple(rewrite(one, self.replacement) for one in inner.elements)
            rest = types[len(given) :]
            return (*given, *(_nothing(ctype) for _, ctype in rest))
        known = self._parts(inner)
        if known is not None:
            return tuple(VarRef(part) for _, part in known)
        place = rewrite(inner, self.replacement)
        return tuple(Member(place, name, type=ctype) for name, ctype in types)


def _variable(part: Symbol, value: Expr | None) -> Variable:
    ctype, style = part.type, "=" if value else ""
    if ctype.kind is not TypeKind.ARRAY or ctype.element is None:
        return Variable(part, ctype.spelling, "", value, style)
    extent = Literal(str(ctype.extent), ctype.extent, INT)
    return Variable(part, ctype.element.spelling, f"[{extent.text}]", value, style, (extent,))


def _nothing(ctype: CType) -> Expr:
    if ctype.kind is TypeKind.ARRAY:
        return InitList((Literal("0", 0, INT),), ctype)
    if ctype.kind is TypeKind.POINTER:
        return Literal("nullptr", 0, ctype)
    return Literal("0", 0, INT) if ctype.is_arithmetic else InitList((), ctype)
