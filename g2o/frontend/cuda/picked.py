"""Arguments whose type decides which function is called.

    kind(threadIdx.x)      ->      kind(unsigned(t))
    half_of(blockDim.x)            half_of(unsigned(8))

`threadIdx.x` and its like are unsigned, what takes their place in the translation mostly is not.
Where the program has functions of one name that differ in the type of a parameter, or where a
template takes its own type from the argument, the call says what the argument was.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.unit import SourceUnit
from g2o.ir.expressions import Cast, Expr, Form, Index, LaunchRef, Member, Paren, Unary
from g2o.ir.statements import Node
from g2o.ir.traverse import children, rewrite
from g2o.ir.types import UNSIGNED, TypeKind

_FUNCTIONS = frozenset(
    {"FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION"}
)
_CLASSES = frozenset(
    {"STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
)
_DEPENDENT = ("type-parameter-", "auto")
_NUMBERS = frozenset(
    {"BOOL", "CHAR_U", "UCHAR", "CHAR_S", "SCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG",
     "ULONG", "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE", "LONGDOUBLE", "HALF", "FLOAT16",
     "BFLOAT16"}
)  # fmt: skip


def candidates_of(
    cursor: Cursor, target: Cursor | None, methods: tuple[Cursor, ...]
) -> tuple[Cursor, ...]:
    """The functions that a call is known to mean: one, or those that overload resolution will see
    when a template is instantiated."""
    if target is not None:
        return (target,) if target.kind in _FUNCTIONS else ()
    for node in cursor.children[0].walk():
        if node.kind == "OVERLOADED_DECL_REF":
            return node.overloads
    return methods


def with_types_kept(
    unit: SourceUnit,
    candidates: tuple[Cursor, ...],
    arguments: tuple[Expr, ...],
    is_deduced: bool = True,
) -> tuple[Expr, ...]:
    """The arguments of a call that means one of the `candidates`, each with a cast where the call
    could mean another function without. `is_deduced`: nobody spells the template arguments."""
    candidates = tuple(one for one in candidates if not unit.is_declaration(one))
    if not candidates or not any(_names_launch(one) for one in arguments):
        return arguments
    functions = _namesakes(unit, candidates)
    return tuple(
        _with_type(argument) if _decides(functions, position, is_deduced) else argument
        for position, argument in enumerate(arguments)
    )


def in_parentheses(arguments: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The same behind the name of a variable, where `V v(unsigned(t));` declares a function."""
    return tuple(
        Paren(one, one.type, span=one.span) if isinstance(one, Cast) and one.form is Form.BUILT
        else one
        for one in arguments
    )  # fmt: skip


def _names_launch(expr: Node) -> bool:
    """Does it, other than for where something lies? The type of `s[threadIdx.x]` is that of `s`."""
    if _is_place(expr):
        return False
    if isinstance(expr, LaunchRef):
        return expr.axis is not None
    return any(map(_names_launch, children(expr)))


def _is_place(expr: object) -> bool:
    return isinstance(expr, (Index, Member)) or (isinstance(expr, Unary) and expr.op == "*")


def _with_type(argument: Expr) -> Expr:
    """The argument with the type that it has in CUDA."""
    if not _names_launch(argument):
        return argument
    ctype = argument.type
    if ctype.kind is TypeKind.INTEGER and ctype.bits == 32 and not ctype.is_signed:
        inner = argument.inner if isinstance(argument, Paren) else argument
        return inner if isinstance(inner, Cast) else Cast(inner, UNSIGNED, span=argument.span)
    if ctype.kind is not TypeKind.DEPENDENT:
        return argument

    def cast(node: object) -> Expr | None:
        if isinstance(node, Expr) and _is_place(node):
            return node
        if isinstance(node, LaunchRef) and node.axis is not None:
            return Cast(replace(node), UNSIGNED, span=node.span)
        return None

    return rewrite(argument, cast)


def _namesakes(unit: SourceUnit, candidates: tuple[Cursor, ...]) -> tuple[Cursor, ...]:
    """All functions that a call of the `candidates` could mean with arguments of other types."""
    found = {one.pattern.usr: one.pattern for one in candidates}
    for candidate in tuple(found.values()):
        parent = candidate.semantic_parent
        if parent is not None and parent.kind in _CLASSES:
            siblings = tuple(
                one
                for one in parent.children
                if one.kind in _FUNCTIONS and one.spelling == candidate.spelling
            )
        elif candidate.kind == "CONSTRUCTOR":
            siblings = () if parent is None else parent.children
        else:
            siblings = unit.functions_named(candidate.spelling)
        for one in siblings:
            found.setdefault(one.pattern.usr, one.pattern)
    return tuple(found.values())


def _decides(functions: tuple[Cursor, ...], position: int, is_deduced: bool) -> bool:
    """Do the functions differ in the type of a parameter that takes a number?"""
    taken: set[str] = set()
    for function in functions:
        parameters = [one for one in function.children if one.kind == "PARM_DECL"]
        if position >= len(parameters):
            continue
        ctype = parameters[position].type.canonical
        if ctype.kind in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
            ctype = ctype.pointee.canonical
        name = ctype.spelling.removeprefix("const ")
        if name.startswith(_DEPENDENT):
            if is_deduced:
                return True
        elif ctype.kind in _NUMBERS:
            taken.add(name)
    return len(taken) > 1
