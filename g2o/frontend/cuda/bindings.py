"""Structured bindings: the object gets a name, and the names mean its parts.

auto [low, high] = limits(i);      ->      Limits low_high = limits(i);
use(low);                          ->      use(low_high.first);
"""

from __future__ import annotations

import re

from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.build_expressions import ExpressionBuilder
from g2o.frontend.cuda.clang_api import ClangType, Cursor
from g2o.frontend.cuda.read_types import read_type
from g2o.ir.expressions import Code, Expr, Index, Literal, Member, VarRef
from g2o.ir.statements import Declare, Empty, Variable
from g2o.ir.symbols import Storage
from g2o.ir.types import INT, CType, TypeKind

_BINDING = "UNEXPOSED_DECL"
_TUPLE_LIKE = re.compile(r"(?:const )?std::(?:tuple|array)<")
_KNOWN = (TypeKind.RECORD, TypeKind.ARRAY)
_PAIR = re.compile(r"(?:const )?std::pair<")


def declare_bindings(
    expressions: ExpressionBuilder, declared: Cursor, span: SourceSpan
) -> Declare | Empty:
    """The object of a structured binding as a variable, if it needs one. Raises Refusal where its
    type is not known."""
    names = [child for child in declared.children if child.kind == _BINDING]
    values = [child for child in declared.children if child.is_expression]
    ctype = read_type(declared.type)
    refers = ctype.kind is TypeKind.REFERENCE
    whole, whole_type = ctype.element if refers else ctype, declared.type
    if values and refers and (whole is None or whole.kind not in _KNOWN):
        # `auto` in a template: an array of its own says how many parts it has.
        whole, whole_type = read_type(values[-1].type), values[-1].type
    if not values or whole is None or whole.kind not in _KNOWN:
        raise refuse("G2O0201", "structured binding of a type that is not known here", span)
    if whole.kind is TypeKind.ARRAY and not refers:
        raise refuse("G2O0201", "structured binding that copies an array", span)
    initial = expressions.build(values[-1])
    types = [read_type(name.type) for name in names]
    if refers and isinstance(initial, VarRef):
        _bind(expressions, names, _parts(VarRef(initial.symbol), whole_type, types), span)
        return Empty(span=span)
    wish = "_".join(name.spelling for name in names)
    symbol = expressions.symbols.fresh(wish, ctype, Storage.LOCAL)
    _bind(expressions, names, _parts(VarRef(symbol), whole_type, types), span)
    text = "auto &" if refers else ctype.spelling
    if refers and whole.innermost.is_const:
        text = "const auto &"
    return Declare((Variable(symbol, text, "", initial, "="),), span=span)


def _bind(
    expressions: ExpressionBuilder, names: list[Cursor], parts: list[Expr], span: SourceSpan
) -> None:
    if len(parts) != len(names):
        raise refuse("G2O0201", "structured binding of bit fields or of a base class", span)
    for name, part in zip(names, parts, strict=True):
        expressions.bind(name, part)


def _parts(whole: VarRef, ctype: ClangType, types: list[CType]) -> list[Expr]:
    """What the names stand for, in order."""
    bare = ctype.canonical
    while bare.kind in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
        bare = bare.pointee.canonical
    places = list(enumerate(types))
    if bare.kind.endswith("ARRAY"):
        return [Index(whole, Literal(str(place), place, INT), part) for place, part in places]
    if _PAIR.match(bare.spelling):
        return [Member(whole, ("first", "second")[place], False, part) for place, part in places]
    if _TUPLE_LIKE.match(bare.spelling):
        return [Code((f"std::get<{place}>(", whole, ")"), type=part) for place, part in places]
    fields = [name for name, _ in bare.fields]
    return [Member(whole, name, False, part) for name, part in zip(fields, types, strict=False)]
