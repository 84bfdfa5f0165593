"""Memory that each thread of a region allocates for itself, as an array of the region.

    double *line = malloc(2 * n * sizeof(double));        const int line_size = 2 * n;
    #pragma omp for                                ->     double line[line_size];
    for (int j = 0; j < m; ++j) ...                       #pragma omp for
    free(line);                                           for (int j = 0; j < m; ++j) ...

An iteration finds nothing there that another one has left: which ones have been before it depends
on the number of threads. Legal for numbers, and structures of them, where the pointer never leads
elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.copied_elements import copied_count, counter_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Form,
    Index,
    Literal,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Empty, ExprStatement, For, If, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite
from g2o.ir.types import BOOL, INT, CType, TypeKind, unqualified
from g2o.transforms.dead_nulls import is_null
from g2o.transforms.declared_with_values import with_declarations_at_values
from g2o.transforms.given_arrays import is_moved, pointer_of, with_plain_size


def with_arrays_of_threads(region: Block, symbols: SymbolTable) -> Block:
    """The region with arrays in place of what it allocates by itself, as far as that can be."""
    region = with_declarations_at_values(region, lambda one: one.type.kind is TypeKind.POINTER)
    new: dict[Symbol, Symbol] = {}
    statements: list[Stmt] = []
    for one in region.statements:
        for part in _apart(one):
            match part:
                case Declare(variables=(variable,)):
                    made = _array(variable, region, symbols)
                case _:
                    made = None
            if made is None:
                statements.append(part)
                continue
            front, new[made.old] = made.front, made.new
            statements += (replace(front[0], trivia=part.trivia), *front[1:])
    if not new:
        return region
    body = replace(region, statements=tuple(statements), form=Form.BUILT)
    return rename_symbols(rewrite(body, lambda node: _without_checks(node, new)), new)


def _apart(statement: Stmt) -> Iterator[Stmt]:
    """A declaration for each variable beside one that gets memory."""
    if not isinstance(statement, Declare) or not any(map(_allocation, statement.variables)):
        yield statement
        return
    first, *others = statement.variables
    yield replace(statement, variables=(first,), form=Form.BUILT) if others else statement
    yield from (Declare((one,)) for one in others)


def _allocation(variable: Variable) -> Call | None:
    return None if variable.initial is None else _allocated(variable.initial)


def _allocated(value: Expr) -> Call | None:
    value = strip_parens(value)
    while isinstance(value, Cast):
        value = strip_parens(value.operand)
    arguments = {"malloc": 1, "calloc": 2}
    is_one = isinstance(value, Call) and arguments.get(value.name) == len(value.arguments)
    return value if is_one and isinstance(value, Call) else None


@final
@dataclass(frozen=True, slots=True)
class _Array:
    """An array in place of a pointer. `front` declares it, with zeros where it begins with them."""

    old: Symbol
    new: Symbol
    front: tuple[Declare | For, ...]


def _array(variable: Variable, region: Block, symbols: SymbolTable) -> _Array | None:
    """The array; None where the memory is none that a thread has for itself."""
    old, element = variable.symbol, variable.symbol.type.element
    call = _allocation(with_plain_size(variable))
    if call is None or element is None or is_moved(region, old):
        return None
    first, *others = call.arguments
    rows = _extents(element)
    is_plain = element.is_arithmetic or (_is_plain(element.innermost) and not others)
    if not is_plain or None in rows:
        return None
    size = Binary("*", first, others[0], counter_type(first)) if others else strip_parens(first)
    count = copied_count(size, element, (VarRef(old),))
    if count is None:
        return None
    front: list[Declare | For] = []
    bare = strip_parens(count)
    if not isinstance(bare, VarRef | Literal):
        number = symbols.fresh(f"{old.name}_size", counter_type(count), Storage.LOCAL)
        spelled = f"const {number.type.spelling}"
        front.append(Declare((Variable(number, spelled, "", count, "="),)))
        bare = VarRef(number)
    plain = replace(element, spelling=unqualified(element), is_const=False)
    ctype = CType(f"{plain.spelling}[]", TypeKind.ARRAY, element=plain)
    made = symbols.declare(old.name, ctype, Storage.LOCAL)
    suffix = f"[{bare.symbol.name if isinstance(bare, VarRef) else bare.text}]"
    suffix += "".join(f"[{one}]" for one in rows)
    extents = (bare, *(Literal(str(one), one, INT) for one in rows))
    spelled = unqualified(element.innermost)
    front.append(Declare((Variable(made, spelled, suffix, extents=extents),)))
    if others:
        front.append(_zeros(made, bare, symbols))
    return _Array(old, made, tuple(front))


def _is_plain(ctype: CType) -> bool:
    """Is it a number, or a structure of nothing but numbers?"""
    if ctype.kind is not TypeKind.RECORD:
        return ctype.is_arithmetic
    return bool(ctype.fields) and all(_is_plain(one.innermost) for _, one in ctype.fields)


def _extents(ctype: CType) -> list[int | None]:
    """Those of rows; none of numbers."""
    found: list[int | None] = []
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        found.append(ctype.extent)
        ctype = ctype.element
    return found


def _zeros(array: Symbol, count: Expr, symbols: SymbolTable) -> For:
    element = array.type.element
    assert element is not None
    counter = symbols.fresh("i", counter_type(count), Storage.LOCAL)
    zero = Literal("0", 0, INT)
    place = Index(VarRef(array), VarRef(counter), element)
    return For(
        Declare((Variable(counter, counter.type.spelling, "", zero, "="),)),
        Binary("<", VarRef(counter), count, BOOL),
        Unary("++", VarRef(counter), type=counter.type),
        ExprStatement(Assign("=", place, zero, element)),
    )


def _without_checks(node: Node, arrays: Collection[Symbol]) -> Node | None:
    """Arrays are there without being asked for, and end by themselves."""
    match node:
        case ExprStatement(expr=Call(name="free", arguments=(argument,))):
            return Empty(trivia=node.trivia) if pointer_of(argument) in arrays else None
        case If(condition=condition, otherwise=None) if _is_missing(condition, arrays):
            return Empty(trivia=node.trivia)
        case _:
            return None


def _is_missing(condition: Expr, arrays: Collection[Symbol]) -> bool:
    match strip_parens(condition):
        case Unary(op="!", operand=operand):
            return pointer_of(operand) in arrays
        case Binary(op="==", left=left, right=right) if is_null(right):
            return pointer_of(left) in arrays
        case Binary(op="||", left=left, right=right):
            return _is_missing(left, arrays) and _is_missing(right, arrays)
        case _:
            return False
