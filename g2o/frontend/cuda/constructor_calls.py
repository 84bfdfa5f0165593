"""Constructors that need the launch, as functions that kernels can take in.

    struct Place { int x; __device__ Place(int n) : x(n * threadIdx.x) { ... } };
    Place p(4);         ->      Place p;   p.x = 4 * threadIdx.x;   ...

Only variables are made so: other objects of such classes are refused where they are made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.build_expressions import ExpressionBuilder
from g2o.frontend.cuda.callees import function_key
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.class_templates import owner_arguments, template_of
from g2o.ir.expressions import Assign, Call, Code, Expr, Form, Literal, Member, Unary, VarRef
from g2o.ir.statements import ExprStatement, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.types import CType, TypeKind

_LAUNCH: Final = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})
_OPERATIONS: Final = ("__sync", "__shfl", "__ballot", "__any", "__all", "__activemask", "__match")
_DEPTH_LIMIT: Final = 8
_INDIRECT: Final = (TypeKind.REFERENCE, TypeKind.ARRAY)


def needs_launch(function: Cursor, depth: int = 0) -> bool:
    """Does a function, with what it calls, name the launch or work with other threads?"""
    definition = (function.template or function).definition
    if definition is None or depth > _DEPTH_LIMIT:
        return False
    for node in definition.walk():
        if any(child.kind == "CUDASHARED_ATTR" for child in node.children):
            return True
        if node.kind not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "OVERLOADED_DECL_REF"):
            continue
        if node.spelling in _LAUNCH or node.spelling.startswith(_OPERATIONS):
            return True
        target = node.referenced
        for called in node.overloads or ((target,) if target is not None else ()):
            inside = called.kind in ("FUNCTION_DECL", "CXX_METHOD", "FUNCTION_TEMPLATE")
            if inside and called.usr != function.usr and needs_launch(called, depth + 1):
                return True
    return False


def construction(expressions: ExpressionBuilder, declared: Cursor, begin: int) -> Call | None:
    """The call of the constructor that a variable is made with, if that needs the launch.

    `begin` is where its arguments are spelled.
    """
    call = constructing_call(declared)
    if call is not None and call.referenced is not None:
        constructors = (call.referenced,)
        given = owner_arguments(call.referenced)
        values = call.children
    else:
        open_call = template_of(declared.type)
        if open_call is None:
            return None
        constructors, given = open_call.constructors, open_call.arguments
        lists = [child for child in declared.children if child.begin >= begin]
        values = lists[-1].children if lists else ()
        if len(values) == 1 and values[0].type.spelling == declared.type.spelling:
            return None  # a copy
    if not any(map(needs_launch, constructors)):
        return None
    for constructor in constructors:
        expressions.unit.note_function(constructor)
    arguments = tuple(
        expressions.build(value)
        for value in values
        if value.is_expression and (value.end > value.begin or value.children)
    )
    name = constructors[0].spelling.split("<")[0]
    return Call(
        name,
        Literal(""),
        arguments,
        "|".join(sorted(map(function_key, constructors))),
        template_arguments=given,
        span=SourceSpan(expressions.unit.file_of(declared), begin, declared.end),
        form=Form.PRISTINE,
    )


def constructing_call(declared: Cursor) -> Cursor | None:
    """The call of a constructor, behind the name of a variable, that makes it."""
    children = map(without_cleanups, declared.children)
    calls = [child for child in children if child.kind == "CALL_EXPR"]
    if declared.kind != "VAR_DECL" or not calls or calls[-1].begin != declared.name_offset:
        return None
    return calls[-1]


def without_cleanups(expression: Cursor) -> Cursor:
    """What is evaluated, without the node that ends the lives of temporary objects."""
    while expression.kind == "UNEXPOSED_EXPR" and len(expression.children) == 1:
        expression = expression.children[0]
    return expression


def takes_nothing(constructor: Cursor) -> bool:
    """Can it be called without arguments?"""
    parameters = [child for child in constructor.children if child.kind == "PARM_DECL"]
    return all(any(inner.is_expression for inner in one.children) for one in parameters)


def initialisers(expressions: ExpressionBuilder, constructor: Cursor) -> list[Stmt]:
    """The initialisers of members as assignments, in the order of the members, those that the class
    gives them included; in front of them `*this = Base(a)` for those of bases and for constructors
    that hand everything on to another one.

    Raises Refusal for those of bases, references and arrays where the constructor needs the
    launch, and so becomes statements. Of others references, and what no list gives to arrays, are
    left out.
    """
    receiver = expressions.receiver
    if constructor.kind != "CONSTRUCTOR" or receiver is None:
        return []
    becomes_statements = needs_launch(constructor)
    found: list[tuple[int, Stmt]] = []
    member: Cursor | None = None
    named: set[str] = set()
    delegates = False
    for child in constructor.children:
        if child.kind == "MEMBER_REF":
            member = child
        elif child.is_expression and child.kind != "PARM_DECL":
            target = None if member is None else member.referenced
            named |= set() if target is None else {target.spelling}
            if target is None and not becomes_statements:
                made = _handed_on(expressions, child, receiver)
                found += [] if made is None else [(-1, made)]
                delegates |= _makes_own_class(child, constructor)
                continue
            if target is None:
                what = f"constructor of '{constructor.spelling.split('<')[0]}' with a base"
                raise refuse("G2O0210", f"{what}, which needs the launch", expressions.span(child))
            ctype = expressions.type(target)
            if ctype.kind in _INDIRECT and not becomes_statements:
                listed = ctype.kind is TypeKind.ARRAY and child.kind == "INIT_LIST_EXPR"
                if listed:
                    place = Member(VarRef(receiver), target.spelling, True, ctype)
                    value = replace(expressions.build(child), type=ctype)
                    found.append(
                        (target.name_offset, ExprStatement(Assign("=", place, value, ctype)))
                    )
                member = None
                continue
            if (ctype.kind in _INDIRECT or ctype.is_const) and becomes_statements:
                what = f"member '{target.spelling}' that can only be initialised"
                raise refuse("G2O0210", f"{what}, by the launch", expressions.span(child))
            place = Member(VarRef(receiver), target.spelling, True, ctype)
            made = ctype.kind is TypeKind.RECORD and _makes(child) and not becomes_statements
            spelled = ctype.spelling
            value = expressions.build(child) if made else _value(expressions, child, spelled)
            found.append((target.name_offset, ExprStatement(Assign("=", place, value, ctype))))
            member = None
    if not becomes_statements and not delegates:
        found += _of_class(expressions, constructor, receiver, named)
    return [statement for _, statement in sorted(found, key=lambda one: one[0])]


def _handed_on(expressions: ExpressionBuilder, given: Cursor, receiver: Symbol) -> Stmt | None:
    """`*this = Base(a)` for what a constructor makes of the object by another one."""
    call = without_cleanups(given)
    target = call.referenced if call.kind == "CALL_EXPR" else None
    if target is None or target.kind != "CONSTRUCTOR":
        return None
    value = expressions.build(call)
    return ExprStatement(
        Assign("=", Unary("*", VarRef(receiver), type=value.type), value, value.type)
    )


def _makes_own_class(given: Cursor, constructor: Cursor) -> bool:
    called = without_cleanups(given).referenced
    one, other = called and called.semantic_parent, constructor.semantic_parent
    return one is not None and other is not None and one.usr == other.usr


def _makes(given: Cursor) -> bool:
    """Is it the call of a constructor of the program, and no copy?"""
    called = given.referenced if given.kind == "CALL_EXPR" else None
    if called is None or called.kind != "CONSTRUCTOR" or called.is_of_system:
        return False
    return not called.is_copying_constructor


def _of_class(
    expressions: ExpressionBuilder, constructor: Cursor, receiver: Symbol, named: set[str]
) -> list[tuple[int, Stmt]]:
    """The values that the class gives members that the constructor does not name."""
    owner = constructor.semantic_parent
    found: list[tuple[int, Stmt]] = []
    for field in owner.children if owner is not None else ():
        text = expressions.unit.file_of(field).text
        behind = text[field.name_offset + len(field.spelling) : field.end].lstrip()
        values = [one for one in field.children if one.is_expression]
        if field.kind != "FIELD_DECL" or field.spelling in named or not values:
            continue
        ctype = expressions.type(field)
        if behind[:1] in ("=", "{") and ctype.is_arithmetic:
            place = Member(VarRef(receiver), field.spelling, True, ctype)
            value = _value(expressions, values[-1], ctype.spelling)
            found.append((field.name_offset, ExprStatement(Assign("=", place, value, ctype))))
    return found


def _value(expressions: ExpressionBuilder, given: Cursor, spelled: str) -> Expr:
    """What a member is initialised with: one value, or the arguments of a constructor."""
    called = given.referenced if given.kind == "CALL_EXPR" else None
    constructed = called is not None and called.kind == "CONSTRUCTOR"
    listed = given.kind == "UNEXPOSED_EXPR" and _is_list(expressions, given)
    if not constructed and not listed and given.kind != "INIT_LIST_EXPR":
        return expressions.build(given)
    values = [
        expressions.build(child)
        for child in given.children
        if child.is_expression and (child.end > child.begin or child.children)
    ]
    is_copy = len(values) == 1 and _plain(values[0].type) == spelled
    if len(values) == 1 and (is_copy or not constructed):
        return values[0]
    parts: list[str | Expr] = [f"{spelled}("]
    for position, value in enumerate(values):
        parts.extend((", ", value) if position else (value,))
    return Code((*parts, ")"))


def _plain(ctype: CType) -> str:
    """The spelling of a class that a value, or a reference to one, has."""
    if ctype.kind is TypeKind.REFERENCE and ctype.element is not None:
        ctype = ctype.element
    return ctype.spelling.removeprefix("const ")


def _is_list(expressions: ExpressionBuilder, given: Cursor) -> bool:
    text = expressions.unit.file_of(given).text
    return text[given.begin : given.begin + 1] == "("
