"""Variables of templates that are declared `auto`: clang says nothing of their types.

    template <class T> __global__ void k(const T *x, T *y)
    {
        auto v = x[threadIdx.x];        v is a T
        auto w = v * v;                 w is one, too: what carries derivatives is float or double

A variable of unknown type that would carry derivatives is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import final

from g2o.ad.activity import Activity
from g2o.ad.instances import is_open_class
from g2o.analysis.pure_functions import PURE_FUNCTIONS
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, Refusal, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, DeclareTypes, ExprStatement, Node, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import CType, TypeKind, decayed, unqualified

_KINDS = (TypeKind.OTHER, TypeKind.DEPENDENT, TypeKind.POINTER, TypeKind.REFERENCE)
_ARITHMETIC = ("+", "-", "*", "/")
_HOW = Note("write its type")
_WORD = re.compile(r"[A-Za-z_]\w*")


def with_deduced_types(body: Block) -> Block:
    """`body`, in which variables declared `auto` have the types of their values."""
    opened = {
        variable.symbol: variable
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if _is_open(variable.symbol.type)
    }
    if not opened:
        return body
    types = _Types()
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for variable in variables:
                    if variable.symbol in opened and variable.initial is not None:
                        types.note(variable.symbol, variable.initial)
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)) if (
                symbol in opened and opened[symbol].initial is None
            ):
                types.note(symbol, value)
            case _:
                pass
    known = {symbol: replace(symbol, type=ctype) for symbol, ctype in types.known.items()}

    def spelled(node: Node) -> Node | None:
        """A variable that gets its value later cannot be declared `auto`."""
        match node:
            case Declare(variables=(Variable(symbol=symbol, initial=None) as one,)) if (
                symbol in known
            ):
                return Declare((replace(one, declared=symbol.type.spelling),), trivia=node.trivia)
            case _:
                return None

    return rewrite(rename_symbols(body, known), spelled)


def refuse_open_types(body: Block, activity: Activity) -> None:
    """Raise Refusal where a variable would carry derivatives whose type nobody knows."""
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    is_open = _is_open(one.symbol.type) or _is_other(one.symbol.type, one.initial)
                    if is_open and _carries(one, activity):
                        raise _unknown(one.symbol, one.span)
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)) if (
                symbol in activity.active and _is_other(symbol.type, value)
            ):
                raise _unknown(symbol, node.span)
            case Index(base=base) if _is_object(value_type(base)) and activity.is_active(base):
                message = "subscript of an object, whose class a template leaves open"
                raise refuse("G2O0403", message, node.span, _HOW)
            case _:
                pass


def _is_object(ctype: CType) -> bool:
    """Is it a class that may have a subscript of its own, and no array of the library?"""
    return ctype.kind is TypeKind.RECORD and not ctype.is_view and ctype.extent is None


def refuse_foreign_names(function: Function) -> None:
    """Raise Refusal where a derivative converts to a type that is called so elsewhere: in the class
    template whose method moved here, and perhaps something else in sight of the kernel."""
    known = set(function.template_parameters)
    known |= {
        one for node in walk(function.body) if isinstance(node, DeclareTypes) for one in node.names
    }
    for node in walk(function.body):
        if isinstance(node, Cast) and node.span is None and node.type.kind is TypeKind.DEPENDENT:
            words = _WORD.findall(node.type.spelling)
            if len(words) == 1 and known.isdisjoint(words):
                message = f"derivatives of the type '{node.type.spelling}' of a class template"
                raise refuse("G2O0403", message, function.name_span, _HOW)


def _unknown(symbol: Symbol, span: SourceSpan | None) -> Refusal:
    message = f"derivatives of '{symbol.name}', whose type depends on the template's arguments"
    return refuse("G2O0403", message, span, _HOW)


def _is_other(ctype: CType, value: Expr | None) -> bool:
    """Is one of them an object, and the other what may be a number?"""
    if value is None:
        return False
    return {ctype.kind, value_type(value).kind} == {TypeKind.DEPENDENT, TypeKind.RECORD}


def _carries(variable: Variable, activity: Activity) -> bool:
    if variable.symbol in activity.active:
        return True
    initial = variable.initial
    if initial is None or isinstance(strip_parens(initial), Verbatim):
        return False
    lvalues = (node for node in walk(initial) if isinstance(node, Expr))
    return any(activity.is_active(one) for one in lvalues if isinstance(one, (VarRef, Index)))


def _is_open(ctype: CType) -> bool:
    if "auto" not in ctype.spelling.split() or ctype.is_view:  # the shadow of a view is `auto`, too
        return False
    return ctype.kind in _KINDS


@final
@dataclass(slots=True)
class _Types:
    known: dict[Symbol, CType] = field(default_factory=dict[Symbol, CType])

    def note(self, symbol: Symbol, value: Expr) -> None:
        found = self.of(value)
        if found is None or symbol in self.known or is_open_class(found):
            return
        if symbol.type.kind is TypeKind.REFERENCE:
            spelled = (
                f"const {found.spelling}" if symbol.type.spelling.startswith("const") else None
            )
            element = found if spelled is None else replace(found, spelling=spelled, is_const=True)
            found = replace(symbol.type, spelling=f"{element.spelling} &", element=element)
        elif (found := decayed(found)).kind is not TypeKind.POINTER:
            const = symbol.type.is_const
            plain = unqualified(found)
            spelled = f"const {plain}" if const else plain
            found = replace(found, spelling=spelled, is_const=const)
        self.known[symbol] = found

    def of(self, value: Expr) -> CType | None:
        """The type of a value, which is a floating one where it carries derivatives: float and
        double are not promoted, and whole numbers become such."""
        match value:
            case VarRef(symbol=symbol) if symbol in self.known:
                found = self.known[symbol]
                return found.element if found.kind is TypeKind.REFERENCE else found
            case Paren(inner=inner):
                return self.of(inner)
            case Unary(op="+" | "-", operand=operand):
                return self.of(operand)
            case Binary(op=op, left=left, right=right) if op in _ARITHMETIC:
                one, other = self.of(left), self.of(right)
                if one is not None and one.kind is TypeKind.POINTER:
                    return one
                return _common(one, other)
            case Conditional(if_true=if_true, if_false=if_false):
                return _common(self.of(if_true), self.of(if_false))
            case Call(name=name, arguments=(first, *rest)) if (
                name.removeprefix("std::") in PURE_FUNCTIONS
            ):
                found = self.of(first)
                for one in rest:
                    found = _common(found, self.of(one))
                return found
            case _:
                known = value_type(value)
                if known.kind is TypeKind.OTHER or known.spelling[:1] == "<":
                    return None
                return None if not known.spelling or "auto" in known.spelling.split() else known


def _common(one: CType | None, other: CType | None) -> CType | None:
    if one is None or other is None:
        return None
    if unqualified(one) == unqualified(other):
        return one
    for open_one, known in ((one, other), (other, one)):
        if open_one.kind is TypeKind.DEPENDENT:
            narrow = known.kind is TypeKind.FLOATING and known.bits <= 32
            if narrow or known.kind in (TypeKind.INTEGER, TypeKind.BOOL):
                return open_one
    return None
