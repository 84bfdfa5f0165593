"""Arrays of a C function as if the function were handed them: their elements are memory then, which
several threads may share, and whose shadow is memory, too.

    double w[N];                         f(..., double *w)
    double *z = malloc(n * 8);    ->     f(..., double *w, double *z)
    ...
    free(z);

What is handed over has a place where it began, and one where it ended; the derivative declares it
and its shadow there again. The reverse sweep needs it to the end.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.copied_elements import with_sizes_of_arrays
from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import (
    Assign,
    Call,
    Cast,
    Code,
    Expr,
    Form,
    InitList,
    Literal,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, ExprStatement, Node, Stmt, Text, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import VOID, CType, TypeKind

_BEGIN: Final = "/* begin "
_END: Final = "/* end "
_FROM_HEAP: Final = {"malloc": 1, "calloc": 2}


@final
@dataclass(frozen=True, slots=True)
class GivenArrays:
    """A function with arrays among its parameters, and how they are declared, by parameter."""

    function: Function
    variables: Mapping[Symbol, Variable]


def with_given_arrays(function: Function) -> GivenArrays:
    """The function with the arrays that it declares in its outermost braces, and uses, as
    parameters."""
    body = function.body
    used = {node.symbol for node in walk(body) if isinstance(node, VarRef)}
    found: dict[Symbol, Variable] = {}
    for statement in body.statements:
        for variable in statement.variables if isinstance(statement, Declare) else ():
            if variable.symbol not in used:
                continue
            if _is_array(variable) or (
                heap_bytes(variable) and not is_moved(body, variable.symbol)
            ):
                found[variable.symbol] = with_plain_size(variable)
    if not found:
        return GivenArrays(function, {})
    given = {one: _parameter(one) for one in found}

    def replacement(node: Node) -> Node | None:
        match node:
            case ExprStatement(expr=Call(name="free", arguments=(argument,))):
                freed = pointer_of(argument)
                if freed is not None and freed in found:
                    return Text((f"{_END}{freed.id} */",), trivia=node.trivia)
                return None
            case _:
                return None

    statements: list[Stmt] = []
    for statement in body.statements:
        if not isinstance(statement, Declare) or not _declares(statement, found):
            statements.append(rewrite(statement, replacement))
            continue
        for one in statement.variables:
            here = Text((f"{_BEGIN}{one.symbol.id} */",))
            statements.append(here if one.symbol in found else Declare((one,)))
        first = statements[-len(statement.variables)]
        statements[-len(statement.variables)] = replace(first, trivia=statement.trivia)
    made = replace(body, statements=tuple(statements), form=Form.BUILT)
    made = with_sizes_of_arrays(made, found)
    parameters = (*function.parameters, *given.values())
    new = replace(function, body=rename_symbols(made, given), parameters=parameters)
    return GivenArrays(new, {given[one]: variable for one, variable in found.items()})


def with_declared_arrays(
    body: Block,
    variables: Mapping[Symbol, Variable],
    shadows: Mapping[Symbol, Sequence[Symbol]],
    *,
    ends_late: bool,
) -> Block:
    """The body of a derivative with the declarations of the arrays, and of what it uses of their
    `shadows`. `ends_late`: they are all there to the end."""
    by_id = {one.id: one for one in variables}
    used = symbols_in(body)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        new: list[Stmt] = []
        last: list[Stmt] = []
        for one in node.statements:
            begun, ended = _place(one, _BEGIN), _place(one, _END)
            if begun is not None:
                symbol = by_id[begun]
                own = [shadow for shadow in shadows.get(symbol, ()) if shadow in used]
                declared = _declared(symbol, variables[symbol], own)
                new += (replace(declared[0], trivia=one.trivia), *declared[1:])
                if ends_late:
                    last[:0] = _freed(symbol, variables[symbol], own)
            elif ended is not None:
                symbol = by_id[ended]
                if not ends_late:
                    own = [shadow for shadow in shadows.get(symbol, ()) if shadow in used]
                    new += _freed(symbol, variables[symbol], own)
            else:
                new.append(rewrite(one, replacement))
        return replace(node, statements=(*new, *last), form=Form.BUILT)

    return rewrite(body, replacement)


def _declared(symbol: Symbol, variable: Variable, shadows: Sequence[Symbol]) -> list[Stmt]:
    made: list[Stmt] = [Declare((replace(variable, symbol=symbol),))]
    for shadow in shadows:
        made += _declared_shadow(variable, shadow)
    return made


def _declared_shadow(variable: Variable, shadow: Symbol) -> list[Stmt]:
    size = heap_bytes(variable)
    if size is not None:
        zeros = Call("g2o_zeros", Literal("g2o_zeros"), (size,), type=shadow.type)
        return [Declare((replace(variable, symbol=shadow, initial=zeros, initial_style="="),))]
    declared = replace(variable, symbol=shadow, declared=variable.declared.removeprefix("const "))
    if all(one.value is not None for one in variable.extents if isinstance(one, Literal)) and all(
        isinstance(one, Literal) for one in variable.extents
    ):
        return [Declare((replace(declared, initial=InitList(()), initial_style="="),))]
    whole = Code(("sizeof ", VarRef(shadow)))
    cleared = Call("g2o_clear", Literal("g2o_clear"), (VarRef(shadow), whole), type=VOID)
    return [Declare((declared,)), ExprStatement(cleared)]


def _freed(symbol: Symbol, variable: Variable, shadows: Sequence[Symbol]) -> list[Stmt]:
    if heap_bytes(variable) is None:
        return []
    return [
        ExprStatement(Call("free", Literal("free"), (VarRef(one),), type=VOID))
        for one in (*shadows, symbol)
    ]


def _place(statement: Stmt, begin: str) -> int | None:
    match statement:
        case Text(parts=(str() as text,)) if text.startswith(begin):
            return int(text.removeprefix(begin).split()[0])
        case _:
            return None


def _declares(statement: Declare, symbols: Collection[Symbol]) -> bool:
    return any(one.symbol in symbols for one in statement.variables)


def _is_array(variable: Variable) -> bool:
    ctype = variable.symbol.type
    is_own = variable.symbol.storage is Storage.LOCAL and variable.initial is None
    return is_own and ctype.kind is TypeKind.ARRAY and _is_plain(ctype)


def _is_plain(ctype: CType) -> bool:
    """Is it a number, or are they arrays and structures of nothing but numbers?"""
    if ctype.kind is TypeKind.ARRAY:
        return _is_plain(ctype.innermost)
    if ctype.kind is TypeKind.RECORD:
        return all(_is_plain(member) for _, member in ctype.fields)
    return ctype.is_arithmetic


def heap_bytes(variable: Variable) -> Expr | None:
    """How many bytes of the heap a pointer to numbers gets; None for others."""
    ctype = variable.symbol.type
    element = ctype.element
    if ctype.kind is not TypeKind.POINTER or element is None or variable.initial is None:
        return None
    if not _is_plain(element):
        return None
    call = _converted(variable.initial)
    if not isinstance(call, Call) or _FROM_HEAP.get(call.name) != len(call.arguments):
        return None
    if len(call.arguments) == 1:
        return call.arguments[0]
    count, size = call.arguments
    return Code(("(size_t)(", count, ") * (", size, ")"))


def with_plain_size(variable: Variable) -> Variable:
    """`malloc(n * sizeof *w)` for `w` itself says the size by the type of its elements."""
    element = variable.symbol.type.element

    def replacement(node: Node) -> Node | None:
        match node:
            case Verbatim(parts=parts) if element is not None:
                names = {symbol.name for one in parts for symbol in symbols_in(one)}
                of_own = variable.symbol.name in names  # its declaration was not read to the end
                return Code((f"sizeof({element.spelling})",), type=node.type) if of_own else None
            case _:
                return None

    if variable.initial is None:
        return variable
    return replace(variable, initial=rewrite(variable.initial, replacement))


def _converted(expr: Expr) -> Expr:
    inner = strip_parens(expr)
    return _converted(inner.operand) if isinstance(inner, Cast) else inner


def pointer_of(expr: Expr) -> Symbol | None:
    inner = _converted(expr)
    return inner.symbol if isinstance(inner, VarRef) else None


def is_moved(body: Block, symbol: Symbol) -> bool:
    """Does the pointer ever lead elsewhere, or is it seen by others?"""
    for node in walk(body):
        match node:
            case Assign(target=target) | Unary(op="++" | "--" | "&", operand=target):
                if pointer_of(target) == symbol:
                    return True
            case _:
                pass
    return False


def _parameter(symbol: Symbol) -> Symbol:
    ctype, element = symbol.type, symbol.type.element
    if ctype.kind is TypeKind.ARRAY and element is not None:
        spelled = f"{element.spelling} *"
        ctype = CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=element)
    return replace(symbol, type=ctype, storage=Storage.PARAMETER)
