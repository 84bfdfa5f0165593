"""Function definitions in libclang's tree -> `Function`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from g2o.frontend.cuda.build_expressions import ExpressionBuilder
from g2o.frontend.cuda.build_statements import StatementBuilder
from g2o.frontend.cuda.callees import function_key
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.class_templates import (
    VALUE_PARAMETER,
    names_of_owner,
    owner_pattern,
    parameters_of,
)
from g2o.frontend.cuda.constructor_calls import initialisers
from g2o.frontend.cuda.cub_aliases import declared_cub_aliases
from g2o.frontend.cuda.macro_places import with_places_in_macros
from g2o.frontend.cuda.names_around import names_around
from g2o.frontend.cuda.read_types import read_type
from g2o.frontend.cuda.unit import SourceUnit
from g2o.ir.expressions import Expr, Form, Verbatim
from g2o.ir.kernel import Function
from g2o.ir.statements import Node
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import rewrite
from g2o.ir.types import CType


def build_function(
    unit: SourceUnit, cursor: Cursor, apart: Collection[int] = frozenset()
) -> Function:
    """The definition under `cursor` (a function, method or function template) as IR. `apart` are
    the positions of parameters that count as `__restrict__`.

    Raises Refusal for what cannot be carried.
    """
    statements = StatementBuilder(unit, SymbolTable(unit.reserved_names), cursor)
    expressions = statements.expressions
    expressions.declare_receiver(cursor)
    parameters = tuple(
        expressions.declare(child, Storage.PARAMETER, _type_of(child, position in apart))
        for position, child in enumerate(
            child for child in cursor.children if child.kind == "PARM_DECL"
        )
    )
    for child in cursor.children:
        if child.kind in ("PARM_DECL", "TYPE_REF"):
            unit.note_types(child)
    templates = parameters_of(cursor)
    owner, members = names_of_owner(cursor)
    # A specialisation has the default arguments of its template, and cannot spell any.
    said = (cursor.template if cursor.is_explicit_specialisation else None) or cursor
    defaults = tuple(
        _default(expressions, child) for child in said.children if child.kind == "PARM_DECL"
    )
    body = next(child for child in cursor.children if child.kind == "COMPOUND_STMT")
    built = rewrite(with_places_in_macros(statements.block(body)), _with_list_of_its_own)
    block = expressions.stand_ins.put_into(built, expressions.by_declaration)
    shared = [statements.declare_file_shared(one) for one in expressions.file_shared]
    aliases = declared_cub_aliases(unit, cursor)
    first = [*aliases, *shared, *initialisers(expressions, cursor)]
    if first:
        block = replace(block, statements=(*first, *block.statements), form=Form.BUILT)
    return Function(
        cursor.spelling,
        function_key(cursor),
        parameters,
        block,
        expressions.span(cursor),
        expressions.symbols,
        cursor.name_offset,
        any(child.kind == "CUDAGLOBAL_ATTR" for child in cursor.children),
        read_type(cursor.result_type),
        tuple(child.spelling for child in templates),
        receiver=expressions.receiver,
        defaults=defaults,
        template_defaults=tuple(_template_default(unit, child) for child in templates),
        template_types=tuple(child.kind != VALUE_PARAMETER for child in templates),
        owner_parameters=sum(not cursor.begin <= one.begin for one in templates),
        owner=owner,
        owner_pattern=owner_pattern(cursor),
        owner_members=members,
        names_around=names_around(cursor, unit),
        owner_fields=_fields_of_owner(cursor),
        is_constructor=cursor.kind == "CONSTRUCTOR",
        is_specialised=function_key(cursor) in unit.specialised(),
        file_shared=tuple(one.variables[0].symbol for one in shared),
    )


def _type_of(parameter: Cursor, is_restrict: bool) -> CType:
    made = read_type(parameter.type)
    return replace(made, is_restrict=True) if is_restrict else made


def _with_list_of_its_own(node: Node) -> Node | None:
    """A lambda that captures shared memory: what it stands in is not the author's text any more."""
    return replace(node) if isinstance(node, Verbatim) and node.form is Form.PATCHED else None


def _fields_of_owner(cursor: Cursor) -> tuple[CType, ...]:
    """The types of the members of the class of a method, as the class spells them."""
    parent = cursor.semantic_parent
    if parent is None or cursor.is_static_method:
        return ()
    return tuple(read_type(one.type) for one in parent.children if one.kind == "FIELD_DECL")


def _default(expressions: ExpressionBuilder, parameter: Cursor) -> Expr | None:
    """The default argument of a parameter."""
    given = [
        child
        for child in parameter.children
        if child.is_expression and child.begin > parameter.name_offset
    ]
    if not given or parameter.type.canonical.kind.endswith("ARRAY"):
        return None
    return expressions.build(given[-1])


def _template_default(unit: SourceUnit, parameter: Cursor) -> str:
    """The default argument of a template parameter as it is spelled; "" where it has none."""
    if unit.in_macro_body(parameter):
        return ""
    text = unit.file_of(parameter).text[parameter.begin : parameter.end]
    return text.partition("=")[2].strip()
