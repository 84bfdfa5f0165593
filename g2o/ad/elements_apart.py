"""Elements of a thread's array that the text names by their numbers, as variables.

    float both[2];                          float both_0, both_1;
    both[0] = sinf(x[i]);            ->     both_0 = sinf(x[i]);
    both[1] = both[0] * v;                  both_1 = both_0 * v;

Another element that is stored leaves a variable alone (scalar replacement of aggregates: Muchnick,
"Advanced Compiler Design and Implementation", 1997, 12.2). Legal where each use of the array names
one element by constants.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from g2o.ir.expressions import (
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind

_MOST_ELEMENTS: Final = 16
_Numbers = tuple[int, ...]


def with_elements_apart(
    statements: tuple[Stmt, ...], wanted: Collection[Symbol], symbols: SymbolTable
) -> tuple[tuple[Stmt, ...], dict[Symbol, list[Symbol]]]:
    """`statements` without those arrays among the `wanted` variables that may go, and what stands
    in their places."""
    arrays = {one for one in wanted if _may_be_apart(one)}
    if not arrays:
        return statements, {}
    named = _elements_named(statements, arrays)
    if not named:
        return statements, {}
    made = {
        array: {
            numbers: symbols.fresh(
                "_".join((array.name, *map(str, numbers))), array.type.innermost, Storage.LOCAL
            )
            for numbers in sorted(elements)
        }
        for array, elements in sorted(named.items(), key=lambda item: item[0].id)
    }

    def replacement(node: Node) -> Node | None:
        match node:
            case Index():
                found = _element(node)
                if found is None or found[0] not in made:
                    return None
                return VarRef(made[found[0]][found[1]])
            case Declare(variables=variables) if any(one.symbol in made for one in variables):
                new = [apart for one in variables for apart in _declared(one, made)]
                return replace(node, variables=tuple(new), form=Form.BUILT)
            case _:
                return None

    result = tuple(rewrite(one, replacement) for one in statements)
    return result, {array: list(elements.values()) for array, elements in made.items()}


def _may_be_apart(symbol: Symbol) -> bool:
    ctype, count = symbol.type, 1
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        count *= ctype.extent or _MOST_ELEMENTS + 1
        ctype = ctype.element
    local = symbol.storage is Storage.LOCAL and symbol.type.kind is TypeKind.ARRAY
    return local and ctype.is_arithmetic and not ctype.is_volatile and count <= _MOST_ELEMENTS


def _elements_named(
    statements: Iterable[Stmt], arrays: Collection[Symbol]
) -> dict[Symbol, set[_Numbers]]:
    """The elements of the arrays that are only used by such."""
    named: dict[Symbol, set[_Numbers]] = {}
    uses: dict[Symbol, int] = {}
    for node in (inner for one in statements for inner in walk(one)):
        match node:
            case Index() if (found := _element(node)) is not None and found[0] in arrays:
                named.setdefault(found[0], set()).add(found[1])
                uses[found[0]] = uses.get(found[0], 0) + 1
            case VarRef(symbol=symbol) if symbol in arrays:
                uses[symbol] = uses.get(symbol, 0) - 1
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol in arrays and not _starts_by_elements(one):
                        uses[one.symbol] = -1
            case _:
                pass
    return {array: elements for array, elements in named.items() if uses[array] == 0}


def _starts_by_elements(variable: Variable) -> bool:
    match variable.initial:
        case None:
            return True
        case InitList(elements=elements):
            flat = variable.symbol.type.element
            plain = flat is not None and flat.kind is not TypeKind.ARRAY
            return (plain or not elements) and not any(isinstance(e, InitList) for e in elements)
        case _:
            return False


def _element(node: Expr) -> tuple[Symbol, _Numbers] | None:
    """The array and the numbers of the element that constants name."""
    numbers: list[int] = []
    extents: list[int | None] = []
    while isinstance(node, Index):
        number = integer_value(node.index)
        if number is None:
            return None
        numbers.append(number)
        node = strip_parens(node.base)
    if not isinstance(node, VarRef):
        return None
    ctype: CType | None = node.symbol.type
    while ctype is not None and ctype.kind is TypeKind.ARRAY:
        extents.append(ctype.extent)
        ctype = ctype.element
    numbers.reverse()
    if len(numbers) != len(extents):
        return None
    inside = all(0 <= n < (extent or 0) for n, extent in zip(numbers, extents, strict=True))
    return (node.symbol, tuple(numbers)) if inside else None


def _declared(
    variable: Variable, made: Mapping[Symbol, Mapping[_Numbers, Symbol]]
) -> Iterable[Variable]:
    elements = made.get(variable.symbol)
    if elements is None:
        yield variable
        return
    given = variable.initial.elements if isinstance(variable.initial, InitList) else None
    for numbers, symbol in elements.items():
        initial: Expr | None = None
        if given is not None:
            first = numbers[-1]
            zero = Literal("0", 0, symbol.type)
            initial = given[first] if len(numbers) == 1 and first < len(given) else zero
        style = "" if initial is None else "="
        yield Variable(symbol, variable.declared, "", initial, style)
