"""Declarations of variables that have a place already, and only get their value.

float sum = x[i];     ->   sum[t] = x[i];
Pair p(a, b);         ->   p[t] = Pair(a, b);
int count[4] = {1};   ->   const int initial_count[4] = {1};
                           std::memcpy(count[t], initial_count, sizeof(initial_count));
"""

from __future__ import annotations

import re
from dataclasses import replace

from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import (
    Assign,
    Call,
    Code,
    Expr,
    Index,
    InitList,
    Literal,
    Member,
    Paren,
    Remote,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    is_primary,
    strip_parens,
)
from g2o.ir.statements import BY_CLASS, Block, Declare, Empty, ExprStatement, Stmt, Text, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.types import CType, TypeKind, constant

_TAG = re.compile(r"^(?:struct|class|union)\s+")
_OPEN = (TypeKind.DEPENDENT, TypeKind.OTHER)
_CONST = re.compile(r"\bconst\b")
_RESTRICT = re.compile(r"\b(?:__restrict__|__restrict)\b")


def initialise(declare: Declare, variable: Variable, place: Expr, initial: Expr | None) -> Stmt:
    """The declaration of a kept variable becomes an assignment to its element."""
    if initial is None:
        is_set = variable.initial_style == BY_CLASS
        return _construct(declare, variable, place) if is_set else Empty(trivia=declare.trivia)
    if variable.symbol.type.kind is TypeKind.REFERENCE:
        return _point(declare, variable, place, initial)
    if isinstance(initial, InitList) and variable.symbol.type.kind is TypeKind.ARRAY:
        return _fill(declare, variable, place, initial)
    value = initial_value(variable, initial)
    return ExprStatement(Assign("=", place, value), trivia=declare.trivia)


def _construct(declare: Declare, variable: Variable, place: Expr) -> Stmt:
    """What the class of an object, or of the elements of an array, gives it each time that it is
    declared: `State st;` in a loop."""
    ctype = variable.symbol.type
    made = Code((f"{_class_of(variable)}()",))
    inner: Expr = place
    loops: list[str] = []
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        ctype = ctype.element
        loops.append("element" if ctype.kind is not TypeKind.ARRAY else f"row{len(loops)}")
    if not loops:
        return ExprStatement(Assign("=", place, made), trivia=declare.trivia)
    heads: list[str | Expr] = []
    for name in loops:
        heads += [f"for (auto &{name} : ", inner, ") "]
        inner = Code((name,))
    return Text((*heads, inner, " = ", made, ";"), trivia=declare.trivia)


def kept_type(ctype: CType) -> CType:
    """The type in which a value is kept: a reference is a pointer to what it refers to."""
    target = ctype.element
    if ctype.kind is not TypeKind.REFERENCE or target is None:
        return ctype
    return CType(f"{target.spelling} *", TypeKind.POINTER, 64, is_signed=False, element=target)


def kept_variable(variable: Variable) -> Variable:
    """The variable as it is kept: what refers to an array becomes a pointer to one,
    `float (*q)[4]`; an array has the extent that its values give it."""
    target = variable.symbol.type.element
    extent = variable.symbol.type.extent
    if variable.suffix.startswith("[]") and extent is not None:
        return replace(variable, suffix=f"[{extent}]{variable.suffix[2:]}")
    if variable.symbol.type.kind is not TypeKind.REFERENCE or target is None or variable.suffix:
        return variable
    extents = target.spelling.removeprefix(target.innermost.spelling).strip()
    return replace(variable, suffix=f"){extents}") if extents else variable


def kept_value(symbol: Symbol, element: Expr) -> Expr:
    """What stands for a variable that is kept in `element`."""
    target = symbol.type.element
    if symbol.type.kind is not TypeKind.REFERENCE or target is None:
        return element
    return Paren(Unary("*", element, type=target), target)


def may_bind_a_value(variable: Variable) -> bool:
    """Is it a reference to what only the arguments of the template make a place or a value?"""
    target = variable.symbol.type.element
    if variable.symbol.type.kind is not TypeKind.REFERENCE or target is None:
        return False
    initial = variable.initial
    if initial is None or target.kind not in _OPEN or initial.type.kind not in _OPEN:
        return False
    return not _is_place(strip_parens(initial))


def _is_place(expr: Expr) -> bool:
    match expr:
        case VarRef() | Remote() | Member(arrow=True):
            return True
        case Member(base=base):
            return _is_place(strip_parens(base))
        case Index(base=base):
            return base.type.kind in (TypeKind.POINTER, TypeKind.ARRAY)
        case Unary(op="*", operand=operand):
            return operand.type.kind is TypeKind.POINTER
        case _:
            return False


def _point(declare: Declare, variable: Variable, place: Expr, initial: Expr) -> Stmt:
    """A reference that is kept as a pointer, or as a `g2o::bound`."""
    pointer = strip_parens(place)
    assert isinstance(pointer, Unary)
    if may_bind_a_value(variable):
        return ExprStatement(Assign("=", pointer.operand, initial), trivia=declare.trivia)
    if not is_primary(strip_parens(initial)):
        initial = Paren(strip_parens(initial), initial.type)
    address = Unary("&", initial, type=pointer.operand.type)
    return ExprStatement(Assign("=", pointer.operand, address), trivia=declare.trivia)


def initial_value(variable: Variable, initial: Expr) -> Expr:
    """What `variable` is initialised with, as a value that can be assigned."""
    ctype = variable.symbol.type
    match initial:
        case InitList(said=Call() as said):
            return said
        case InitList(elements=(only,)) if ctype.is_arithmetic:
            return only
        case InitList(elements=()):
            return Code((_class_of(variable) + "{}",))
        case InitList():
            return Code((_class_of(variable), initial))
        case Verbatim(span=span) if span is not None and _is_argument_list(
            span, variable.initial_style
        ):
            return Code((_class_of(variable), initial))
        case _ if variable.initial_style == "(" and ctype.kind is TypeKind.RECORD:
            return Code((_class_of(variable) + "(", initial, ")"))
        case _:
            return initial


def _class_of(variable: Variable) -> str:
    """The type in front of the values of an object: no `struct` stands there."""
    return _TAG.sub("", element_type(variable))


def _is_argument_list(span: SourceSpan, style: str) -> bool:
    """Is this `(a, b)` behind the name of a variable, rather than an expression in parentheses?"""
    before = span.file.text[max(0, span.begin - 80) : span.begin].rstrip()
    return style in ("(", "{") and span.text.startswith(style) and not before.endswith(style)


def _fill(declare: Declare, variable: Variable, place: Expr, initial: InitList) -> Stmt:
    elements, ctype = initial.elements, variable.symbol.type
    plain = ctype.innermost.is_arithmetic
    if plain and (not elements or (len(elements) == 1 and _is_zero(elements[0]))):
        return Text(("std::memset(", place, ", 0, sizeof(", place, "));"), trivia=declare.trivia)
    name = f"initial_{variable.symbol.name}"
    spelled = element_type(variable)
    values = Text((f"{constant(spelled)} {name}{variable.suffix} = ", initial, ";"))
    copied: tuple[str | Expr, ...] = ("std::memcpy(", place, f", {name}, sizeof({name}));")
    row = "[0]" * (_dimensions(ctype) - 1)
    if not plain and row:
        count = f"sizeof({name}) / sizeof({name}{row}[0])"
        copied = (f"std::copy_n({name}{row}, {count}, ", place, f"{row});")
    elif not plain:
        copied = (f"std::copy(std::begin({name}), std::end({name}), ", place, ");")
    return Block((values, Text(copied)), trivia=declare.trivia)


def _dimensions(ctype: CType) -> int:
    element = ctype.element
    return 0 if ctype.kind is not TypeKind.ARRAY or element is None else 1 + _dimensions(element)


def _is_zero(expr: Expr) -> bool:
    if integer_value(expr) == 0:
        return True
    return isinstance(expr, Literal) and expr.text.strip("0.fFlL") == ""


def element_type(variable: Variable) -> str:
    """The type of a kept variable's elements, without `const` and `__restrict__`."""
    target = variable.symbol.type.element
    if variable.symbol.type.kind is TypeKind.REFERENCE and target is not None:
        if variable.suffix.startswith(")"):  # float (&q)[4]
            return f"{target.innermost.spelling} (*"
        return kept_type(variable.symbol.type).spelling
    declared = _RESTRICT.sub("", variable.declared)
    if "auto" in declared.split():
        declared = variable.symbol.type.innermost.spelling
    words = [word for word in declared.split() if word not in ("const", "constexpr", "register")]
    if variable.symbol.type.kind is TypeKind.POINTER and _CONST.search(declared):
        spelled = _RESTRICT.sub("", variable.symbol.type.spelling).strip()
        return spelled.removesuffix("const").strip()
    return " ".join(words)
