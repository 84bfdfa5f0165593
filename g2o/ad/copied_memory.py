"""Memory that is copied or set to 0 as a whole, number by number.

    memcpy(v, x + 4 * i, sizeof(v));    ->    for (int k = 0; k < 4; ++k)
                                                  v[k] = x[4 * i + k];
    memset(s, 0, n * sizeof(double));   ->    for (int k = 0; k < n; ++k)
                                                  s[k] = 0.0;

Legal where both sides have elements of one type, and the number of bytes says how many there are:
by itself, or by what a variable begins with that nothing changes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from g2o.ad.increments import zero
from g2o.ad.origins import Origins, find_origins
from g2o.ad.reals import carries, is_real
from g2o.analysis.copied_elements import (
    bytes_of,
    copied_count,
    copied_element,
    copied_row,
    counter_type,
    element_at,
    measures,
)
from g2o.analysis.effects import root_symbol, symbols_in
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, ExprStatement, For, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind, number_name, unqualified

_COPIES: Final = ("memcpy", "memmove", "memset")


def with_memory_copied(kernel: Kernel) -> Kernel:
    """`kernel` with loops in place of memcpy, memmove and memset on numbers."""
    symbols = SymbolTable(continued=kernel.function.symbols)
    named = _named_sizes(kernel.body)
    origins: Origins | None = None

    def replacement(node: Node) -> Node | None:
        nonlocal origins
        match node:
            case ExprStatement(
                expr=Call(name="memcpy" | "memmove" | "memset" as name, arguments=(to, what, size))
            ):
                inner = _bare(size)
                size = named.get(inner.symbol, size) if isinstance(inner, VarRef) else size
                to, what = strip_parens(to), strip_parens(what)
                ahead = 0
                if name == "memmove":
                    origins = origins or find_origins(kernel.body)
                    name, ahead = "memcpy", _ahead(to, what, origins)
                if ahead is None:
                    return None
                loop = _whole(name, to, what, size) or _loop(
                    name, to, what, size, symbols, backwards=ahead > 0
                )
                return None if loop is None else replace(loop, trivia=node.trivia, span=node.span)
            case _:
                return None

    body = rewrite(kernel.body, replacement)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def with_rows_copied(kernel: Kernel) -> Kernel:
    """`kernel` with loops in place of memcpy and memset on arrays with rows that the function
    declares, whose extents variables say.

        double w[m][m];
        memset(w, 0, n * sizeof(double));    ->    for (int k = 0; k < n; ++k)
                                                       w[k / m][k % m] = 0.0;
    """
    symbols = SymbolTable(continued=kernel.function.symbols)
    rows = _rows_of_any_size(kernel.body)
    if not rows:
        return kernel
    named = _named_sizes(kernel.body)

    def replacement(node: Node) -> Node | None:
        match node:
            case ExprStatement(
                expr=Call(name="memcpy" | "memset" as name, arguments=(to, what, size))
            ):
                inner = _bare(size)
                size = named.get(inner.symbol, size) if isinstance(inner, VarRef) else size
                sides = [strip_parens(to), strip_parens(what)]
                loop = _loop_over_rows(name, sides, _bare(size), rows, symbols)
                return None if loop is None else replace(loop, trivia=node.trivia, span=node.span)
            case _:
                return None

    body = rewrite(kernel.body, replacement)
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def with_typed_copies(body: Block) -> Block:
    """`memcpy(x, y, n)` for `memcpy((void *)x, (void *)y, n)`."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Call(name=name, arguments=arguments) if name in _COPIES:
                typed = tuple(map(_typed, arguments))
                same = all(a is strip_parens(b) for a, b in zip(typed, arguments, strict=True))
                return None if same else replace(node, arguments=typed, form=Form.BUILT)
            case _:
                return None

    return rewrite(body, replacement)


def _typed(pointer: Expr) -> Expr:
    """What is converted to a pointer to void, as it would be anyway."""
    inner = strip_parens(pointer)
    if isinstance(inner, Cast) and inner.type.element is not None:
        if inner.type.element.kind is TypeKind.VOID and inner.operand.type.is_indirect:
            return _typed(inner.operand)
    return inner


def _rows_of_any_size(body: Block) -> dict[Symbol, tuple[Expr, ...]]:
    """The extents of arrays that are declared with variable ones, where nothing changes them."""
    changed = {one for node in walk(body) for one in _changed(node)}
    return {
        variable.symbol: variable.extents
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.extents and is_real(variable.symbol.type.innermost)
        if not all(isinstance(one, Literal) for one in variable.extents)
        if all(_is_plain(one) and symbols_in(one).isdisjoint(changed) for one in variable.extents)
    }


def _loop_over_rows(
    name: str,
    sides: list[Expr],
    size: Expr,
    rows: dict[Symbol, tuple[Expr, ...]],
    symbols: SymbolTable,
) -> For | None:
    if name == "memset":
        *sides, what = sides
        if not isinstance(what, Literal) or what.value != 0:
            return None
    extents = [rows.get(one.symbol, ()) if isinstance(one, VarRef) else () for one in sides]
    elements = [
        value_type(side).innermost if own else copied_element(side)
        for side, own in zip(sides, extents, strict=True)
    ]
    element = elements[0]
    same = {None if one is None else number_name(one) for one in elements}
    if not any(extents) or element is None or len(same) > 1:
        return None
    count = copied_count(size, element, tuple(sides))
    if isinstance(size, Verbatim) and len(size.parts) == 1:
        measured = next((e for e, one in zip(extents, sides, strict=True) if one in size.parts), ())
        count = _product(measured) if measured and measures(size) else count
    if count is None:
        return None
    ctype = counter_type(count)
    index = symbols.fresh("k", ctype, Storage.LOCAL)
    at = VarRef(index)
    places = [
        _in_rows(side, own, at, element) if own else element_at(side, at, element)
        for side, own in zip(sides, extents, strict=True)
    ]
    value = places[1] if name == "memcpy" else zero(element)
    return _counting(index, count, ExprStatement(Assign("=", places[0], value, element)))


def _counting(index: Symbol, count: Expr, body: Stmt) -> For:
    """The loop in which a variable counts from 0 up to a number."""
    start = Declare((Variable(index, index.type.spelling, "", Literal("0", 0, INT), "="),))
    more = Binary("<", VarRef(index), count, BOOL)
    return For(start, more, Unary("++", VarRef(index), type=index.type), body)


def _in_rows(base: Expr, extents: tuple[Expr, ...], index: Expr, element: CType) -> Expr:
    """The number `index` of an array with rows."""
    place, ctype = base, value_type(base)
    for axis, extent in enumerate(extents):
        ctype = ctype.element or element
        behind = extents[axis + 1 :]
        own = index if not behind else Binary("/", index, _paren(_product(behind)), index.type)
        own = own if axis == 0 else Binary("%", own, _paren(extent), index.type)
        place = Index(place, own, ctype)
    return place


def _product(extents: tuple[Expr, ...]) -> Expr:
    first, *others = extents
    for one in others:
        first = Binary("*", _paren(first), _paren(one), first.type)
    return first


def _paren(expr: Expr) -> Expr:
    return Paren(expr, expr.type) if isinstance(expr, Binary) else expr


def _whole(name: str, to: Expr, what: Expr, size: Expr) -> Stmt | None:
    """The assignment of one object, where it is all that is copied or set to 0."""
    target = _object(to)
    ctype = None if target is None else value_type(target)
    if target is None or ctype is None or ctype.kind is not TypeKind.RECORD or not carries(ctype):
        return None
    count = copied_count(_bare(size), ctype, (to, what))
    if count is None or integer_value(count) != 1:
        return None
    if name == "memcpy":
        source = _object(what)
        same = source is not None and unqualified(value_type(source)) == unqualified(ctype)
        return ExprStatement(Assign("=", target, source, ctype)) if same and source else None
    if not isinstance(what, Literal) or what.value != 0:
        return None
    plain = replace(ctype, spelling=unqualified(ctype), is_const=False)
    none = Cast(InitList((Literal("0", 0, INT),), plain), plain)
    return ExprStatement(Assign("=", target, none, ctype))


def _object(pointer: Expr) -> Expr | None:
    """What a pointer leads to."""
    match pointer:
        case Unary(op="&", operand=operand):
            return strip_parens(operand)
        case VarRef() | Member() if value_type(pointer).kind is TypeKind.POINTER:
            element = value_type(pointer).element
            return None if element is None else Unary("*", pointer, type=element)
        case _:
            return None


def _ahead(to: Expr, what: Expr, origins: Origins) -> int | None:
    """By how many elements what memory is moved to lies behind what it is moved from; 0 for memory
    of its own, None where that is not known."""
    bases = [_start(one) for one in (to, what)]
    if bases[0] is None or bases[1] is None:
        return None
    (base, first), (other, second) = bases[0], bases[1]
    if base != other:
        roots = origins.roots(base), origins.roots(other)
        apart = None not in roots[0] | roots[1] and roots[0].isdisjoint(roots[1])
        return 0 if apart else None
    known = [integer_value(one) for one in (first, second)]
    if known[0] is not None and known[1] is not None:
        return known[0] - known[1]
    for one, beside, sign in ((first, second, 1), (second, first, -1)):
        match one:
            case Binary(op="+" | "-" as op, left=left, right=right) if strip_parens(left) == beside:
                step = integer_value(right)
                return None if step is None else sign * (step if op == "+" else -step)
            case _:
                pass
    return 0 if first == second else None


def _start(pointer: Expr) -> tuple[Expr, Expr] | None:
    """An array, and the element of it that a pointer leads to."""
    none = Literal("0", 0, INT)
    match pointer:
        case VarRef() | Member():
            return pointer, none
        case Binary(op="+", left=left, right=right) if value_type(left).is_indirect:
            return strip_parens(left), strip_parens(right)
        case Unary(op="&", operand=Index(base=base, index=index)):
            return strip_parens(base), strip_parens(index)
        case _:
            return None


def _loop(
    name: str, to: Expr, what: Expr, size: Expr, symbols: SymbolTable, *, backwards: bool = False
) -> For | None:
    """`backwards`: from the last element to the first one."""
    row = copied_row(to)
    if backwards and row is not None:
        return None
    rows = None if row is None else _rows(name, to, what, size, row, symbols)
    if rows is not None:
        return rows
    element = copied_element(to)
    if element is None or not carries(element):
        return None
    sides = (to,)
    if name == "memcpy":
        other = copied_element(what)
        if other is None or number_name(other) != number_name(element):
            return None
        sides = (to, what)
    elif not is_real(element) or not isinstance(what, Literal) or what.value != 0:
        return None
    count = copied_count(_bare(size), element, sides)
    if count is None:
        return None
    ctype = counter_type(count)
    index = symbols.fresh("k", ctype, Storage.LOCAL)
    at: Expr = VarRef(index)
    if backwards:
        last = Binary("-", _paren(count), Literal("1", 1, INT), ctype)
        at = Paren(Binary("-", last, at, ctype), ctype)
    place = element_at(to, at, element)
    value = element_at(what, at, element) if name == "memcpy" else zero(element)
    return _counting(index, count, ExprStatement(Assign("=", place, value, element)))


def _rows(
    name: str, to: Expr, what: Expr, size: Expr, row: CType, symbols: SymbolTable
) -> For | None:
    """The loops for rows of an array, where their number is known."""
    element = row.innermost
    sides = (to, what) if name == "memcpy" else (to,)
    zeroed = isinstance(what, Literal) and what.value == 0
    if not is_real(element) or any(copied_row(one) != row for one in sides):
        return None
    count = copied_count(_bare(size), element, sides)
    number = None if count is None else integer_value(count)
    if number is None or number * bytes_of(element) % bytes_of(row):
        return None
    if name == "memset" and not zeroed:
        return None
    extents = [number * bytes_of(element) // bytes_of(row)]
    inner: CType | None = row
    while inner is not None and inner.kind is TypeKind.ARRAY:
        extents.append(inner.extent or 0)
        inner = inner.element
    counters = [symbols.fresh("k", INT, Storage.LOCAL) for _ in extents]
    places: list[Expr] = [*sides]
    ctype: CType | None = row
    for counter in counters:
        assert ctype is not None
        places = [Index(one, VarRef(counter), ctype) for one in places]
        ctype = ctype.element
    value = places[1] if name == "memcpy" else zero(element)
    made: Stmt = ExprStatement(Assign("=", places[0], value, element))
    for counter, extent in reversed([*zip(counters, extents, strict=True)]):
        made = _counting(counter, Literal(str(extent), extent, INT), made)
    assert isinstance(made, For)
    return made


def _named_sizes(body: Block) -> dict[Symbol, Expr]:
    """What sizes are that have a name, where neither they nor their parts change behind it."""
    asked = {
        size.symbol
        for node in walk(body)
        if isinstance(node, Call) and node.name in _COPIES and len(node.arguments) == 3
        if isinstance(size := _bare(node.arguments[2]), VarRef)
    }
    found: dict[Symbol, Expr] = {}
    blocks = [one.statements for one in walk(body) if isinstance(one, Block)] if asked else []
    for statements in blocks:
        for at, one in enumerate(statements):
            for variable in one.variables if isinstance(one, Declare) else ():
                value, behind = variable.initial, statements[at + 1 :]
                if variable.symbol in asked and value is not None and _stays(value, behind):
                    found[variable.symbol] = value
    changed = {one for node in walk(body) for one in _changed(node)}
    return {one: value for one, value in found.items() if one not in changed}


def _stays(value: Expr, behind: tuple[Stmt, ...]) -> bool:
    """Is it a whole number made of variables that these statements do not change?"""
    changed = {one for statement in behind for node in walk(statement) for one in _changed(node)}
    return _is_plain(value) and symbols_in(value).isdisjoint(changed)


def _is_plain(value: Expr) -> bool:
    """Is it made of variables, and no memory?"""
    kinds = (VarRef, Literal, Verbatim, Code, Paren, Cast, Binary)
    return all(
        isinstance(node, kinds) or (isinstance(node, Member) and not node.arrow)
        for node in walk(value)
    )


def _changed(node: Node) -> set[Symbol | None]:
    match node:
        case Assign(target=place) | Unary(op="++" | "--" | "&", operand=place):
            return {root_symbol(place)}
        case _:
            return set()


def _bare(expr: Expr) -> Expr:
    inner = strip_parens(expr)
    is_whole = isinstance(inner, Cast) and inner.type.kind is TypeKind.INTEGER
    return _bare(inner.operand) if isinstance(inner, Cast) and is_whole else inner
