"""Names for the types of kept variables that are `auto` and depend on template arguments.

    auto v = f(x[i]);                        using v_type = std::decay_t<decltype(f(x[0]))>;
    __syncthreads();                 ->      v_type v[64];
    ... v ...                                ...

An array cannot be `auto`: it has no initial value. The type of the value is asked for where the
array stands, and there no variable of a thread is in sight: an index is 0 there, since it does not
change the type of an element, and any other variable an object of its type that is never made.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import (
    Cast,
    Code,
    Expr,
    Index,
    InitList,
    Remote,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Exchange, LocalFunction, Node, Stmt, Text, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind, unqualified
from g2o.lowering.initialisers import element_type, may_bind_a_value
from g2o.lowering.thread_group import ZERO


@final
@dataclass(slots=True)
class OpenTypes:
    """`named` are the types of elements by variable, `statements` what declares their names.
    `declared` are the declarations of variables, those of results of exchanges with the values that
    these take from other threads."""

    declared: Mapping[Symbol, Variable]
    named: dict[Symbol, str] = field(default_factory=dict[Symbol, str])
    statements: list[Stmt] = field(default_factory=list[Stmt])

    def add(self, variable: Variable, symbols: SymbolTable) -> None:
        known = self._known(variable)
        if may_bind_a_value(variable):
            self._bind(variable, symbols)
            return
        if known is not None:
            self.named[variable.symbol] = known
            return
        wanted = symbols.fresh(f"{variable.symbol.name}_type", _TYPE, Storage.GLOBAL)
        code = self._type_of(variable)
        if variable.symbol.type.kind is TypeKind.REFERENCE:
            code = Code(("std::remove_reference_t<", code, "> *"))
        text = (f"using {wanted.name} = ", code, ";")
        self.statements.append(Text(text, declares=(wanted,)))
        self.named[variable.symbol] = wanted.name

    def _bind(self, variable: Variable, symbols: SymbolTable) -> None:
        """The type in which a reference is kept to what may be a value."""
        assert variable.initial is not None
        assert variable.symbol.type.element is not None
        asked = self._from_outside(strip_parens(variable.initial), variable)
        target = variable.symbol.type.element
        value: Expr | str = target.spelling
        if "auto" in target.spelling.split():
            const = "const " if target.is_const else ""
            value = Code((f"{const}std::decay_t<decltype(", asked, ")>"))
        wanted = symbols.fresh(f"{variable.symbol.name}_type", _TYPE, Storage.GLOBAL)
        text = (f"using {wanted.name} = g2o::bound<", value, ", decltype((", asked, "))>;")
        self.statements.append(Text(text, declares=(wanted,)))
        self.named[variable.symbol] = wanted.name

    def _known(self, variable: Variable) -> str | None:
        """The name of the type that the initial value tells: what a pointer to `T` leads to is one.
        A sum of two may be something else."""
        initial = None if variable.initial is None else strip_parens(variable.initial)
        other = self.declared.get(initial.symbol) if isinstance(initial, VarRef) else None
        if other is not None and _is_open(other):
            is_reference = other.symbol.type.kind is TypeKind.REFERENCE
            return (None if is_reference else self.named.get(other.symbol)) or self._known(other)
        if not isinstance(initial, (VarRef, Index, Cast, Unary)):
            return None
        if isinstance(initial, Unary) and initial.op != "*":
            return None
        spelled = unqualified(value_type(initial))
        return spelled if spelled.isidentifier() and spelled != "auto" else None

    def _type_of(self, variable: Variable) -> Expr:
        """The type of a variable, from its initial value; of a reference with the reference."""
        initial = None if variable.initial is None else strip_parens(variable.initial)
        if initial is None or isinstance(initial, InitList):
            raise _unnamed(variable)
        asked = self._from_outside(initial, variable)
        if variable.symbol.type.kind is TypeKind.REFERENCE:
            return Code(("decltype((", asked, "))"))
        return Code(("std::decay_t<decltype(", asked, ")>"))

    def _from_outside(self, expr: Expr, variable: Variable) -> Expr:
        """An expression of the same type that names no variable of a thread."""

        def replacement(node: Node) -> Node | None:
            match node:
                case Index(base=base, index=index) if index.type.is_arithmetic:
                    return Index(rewrite(base, replacement), ZERO, node.type)
                case VarRef(symbol=symbol) if symbol.storage in _OF_THREADS:
                    return self._object(symbol, variable)
                case Remote(symbol=symbol, thread=thread) if thread is not None:
                    return self._object(symbol, variable)
                case Verbatim() | LocalFunction() if _names_own(node):
                    raise _unnamed(variable)
                case _:
                    return None

        return rewrite(expr, replacement)

    def _object(self, symbol: Symbol, variable: Variable) -> Expr:
        known = self.declared.get(symbol)
        if "(" in symbol.type.spelling or known is variable:  # a lambda has no name
            raise _unnamed(variable)
        if known is None or not _is_open(known):
            return Code((f"std::declval<{_lvalue(symbol.type)}>()",), type=symbol.type)
        is_reference = symbol.type.kind is TypeKind.REFERENCE
        named = None if is_reference else self.named.get(symbol)
        spelled = named or self._known(known) or self._type_of(known)
        return Code(("std::declval<", spelled, " &>()"), type=symbol.type)


_TYPE = CType("", TypeKind.OTHER)
_OF_THREADS = (Storage.LOCAL, Storage.INDEX)


def open_types(body: Block, kept: Collection[Symbol], symbols: SymbolTable) -> OpenTypes:
    """The types of those of the `kept` variables that have no name yet. Raises Refusal where there
    is no way to say which it is."""
    given = {
        node.result: node.operands[0]
        for node in walk(body)
        if isinstance(node, Exchange) and node.operands
    }
    declared = {
        variable.symbol: replace(variable, initial=variable.initial or given.get(variable.symbol))
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
    }
    found = OpenTypes(declared)
    for symbol in kept:
        if symbol not in declared:
            continue
        if _is_open(declared[symbol]) or may_bind_a_value(declared[symbol]):
            found.add(declared[symbol], symbols)
    return found


def _is_open(variable: Variable) -> bool:
    return "auto" in element_type(variable).replace("*", " ").split()


def _names_own(node: Node) -> bool:
    """Does text name variables of a thread?"""
    return any(
        isinstance(one, VarRef) and one.symbol.storage is Storage.LOCAL for one in walk(node)
    )


def _lvalue(ctype: CType) -> str:
    if ctype.kind is TypeKind.REFERENCE:
        return ctype.spelling
    spelled = ctype.spelling.removesuffix("__restrict__").rstrip()
    return f"{spelled}{'' if spelled.endswith('*') else ' '}&"


def _unnamed(variable: Variable) -> Exception:
    message = f"'{variable.symbol.name}', whose type depends on what the template is given,"
    told = Note("write the type that it has")
    return refuse("G2O0201", f"{message} behind a barrier", variable.span, told)
