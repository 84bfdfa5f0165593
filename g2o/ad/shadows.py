"""The variables that hold derivatives: `d_x` beside `x`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import final

from g2o.ad.origins import Origins
from g2o.ad.views import shows_same_numbers
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Declare, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols
from g2o.ir.types import CType, TypeKind, computed_as, unqualified


@final
@dataclass(slots=True)
class Shadows:
    """Names shadows on demand, with `prefix` in front. `given` are those that the function is
    handed, `apart` variables that are shadows themselves: they lie nowhere else."""

    symbols: SymbolTable
    given: Mapping[Symbol, Expr]
    origins: Origins
    prefix: str = "d_"
    apart: frozenset[Symbol] = frozenset()
    own: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])

    def of(self, symbol: Symbol) -> Symbol:
        """The shadow of a variable of the kernel's own."""
        known = self.own.get(symbol)
        if known is None:
            if self._is_dynamic(symbol) and any(map(self._is_dynamic, self.own)):
                message = "dynamic shared memory that carries derivatives under several names"
                raise refuse("G2O0403", f"{message}, '{symbol.name}' among them", None)
            ctype = shadow_type(computed_as(symbol.type))
            known = self.symbols.fresh(f"{self.prefix}{symbol.name}", ctype, symbol.storage)
            self.own[symbol] = known
        return known

    def _is_dynamic(self, symbol: Symbol) -> bool:
        """Does it lie in the dynamic shared memory of the source?"""
        return symbol.storage is Storage.DYNAMIC_SHARED and symbol not in self.apart

    def symbol_of(self, symbol: Symbol) -> Symbol:
        """The shadow of a variable or parameter."""
        given = self.given.get(symbol)
        return given.symbol if isinstance(given, VarRef) else self.of(symbol)

    def primal_of(self, shadow: Symbol) -> Symbol | None:
        """The variable that has this shadow."""
        for symbol, given in self.given.items():
            if isinstance(given, VarRef) and given.symbol == shadow:
                return symbol
        return next((symbol for symbol, own in self.own.items() if own == shadow), None)

    def place(self, expr: Expr) -> Expr:
        """The shadow of the lvalue or pointer `expr`: `d_x[i]` of `x[i]`."""
        match expr:
            case VarRef(symbol=symbol):
                if symbol.storage is Storage.SHARED and symbol.type.kind is TypeKind.POINTER:
                    message = "pointer in shared memory leads to values that carry derivatives"
                    raise refuse("G2O0403", message, expr.span)
                given = self.given.get(symbol)
                return given if given is not None else VarRef(self.of(symbol))
            case Literal():
                return expr  # a null pointer
            case Index() | Member() if value_type(expr).kind is TypeKind.POINTER:
                message = (
                    "pointer inside of a structure or array leads to values that carry derivatives"
                )
                raise refuse("G2O0403", message, expr.span)
            case Index(base=base, index=index, type=ctype):
                return Index(self.place(base), index, _writable(ctype))
            case Unary(op="&", operand=operand) if (at := self._address(operand)) is not None:
                return at
            case Member(base=base, name=name, type=ctype) if at := self._address(base):
                return Member(at, name, True, _writable(ctype))
            case Member(base=base, name=name, arrow=arrow, type=ctype):
                return Member(self.place(base), name, arrow, _writable(ctype))
            case Unary(op="*" | "&" as op, operand=operand, type=ctype):
                return Unary(op, self.place(operand), type=shadow_type(ctype))
            case Binary(op="+" | "-" as op, left=left, right=right, type=ctype):
                if left.type.is_indirect:
                    return Binary(op, self.place(left), right, shadow_type(ctype))
                return Binary(op, left, self.place(right), shadow_type(ctype))
            case Paren(inner=inner, type=ctype):
                return Paren(self.place(inner), shadow_type(ctype))
            case Code(parts=(only,)) if not isinstance(only, str):
                return self.place(only)
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                return Conditional(
                    condition, self.place(if_true), self.place(if_false), shadow_type(expr.type)
                )
            case Cast(operand=operand, type=ctype) if ctype.is_indirect:
                if not shows_same_numbers(expr, self.origins):
                    message = "memory read as another type carries derivatives"
                    raise refuse("G2O0403", message, expr.span)
                place, ctype = self.place(operand), shadow_type(ctype)
                return place if value_type(place) == ctype else Cast(place, ctype)
            case _:
                raise refuse("G2O0403", "address of a value that carries derivatives", expr.span)

    def _address(self, expr: Expr) -> Expr | None:
        """The shadow of a parameter that is a value, which is handed over by its address."""
        match expr:
            case VarRef(symbol=symbol) if not symbol.type.is_indirect:
                given = self.given.get(symbol)
                return given if isinstance(given, VarRef) and given.type.is_indirect else None
            case Paren(inner=inner):
                return self._address(inner)
            case _:
                return None


def _writable(ctype: CType) -> CType:
    return replace(ctype, spelling=_without_const(ctype.spelling), is_const=False)


def _without_const(spelling: str) -> str:
    return spelling.removeprefix("const ").removesuffix(" const")


def with_arrays_apart(kernel: Kernel, arrays: Collection[Symbol]) -> Kernel:
    """The kernel, of which all that is asked later knows what the contract of adjoints says: these
    of its parameters overlap no other ones. They are spelled as before."""
    function = kernel.function
    apart = {
        one: replace(one, type=replace(one.type, is_restrict=True))
        for one in function.parameters
        if one in arrays and one.type.kind is TypeKind.POINTER
    }
    return with_parameters(kernel, tuple(apart.get(one, one) for one in function.parameters))


def with_parameters(kernel: Kernel, parameters: tuple[Symbol, ...]) -> Kernel:
    """The kernel with what these say of its parameters."""
    function = kernel.function
    body = rename_symbols(function.body, {one: one for one in parameters})
    return replace(kernel, function=replace(function, parameters=parameters, body=body))


def shadow_type(ctype: CType) -> CType:
    """The type of a shadow: as the primal's, but what it points to can be written."""
    match ctype.kind:
        case TypeKind.POINTER if ctype.is_view and ctype.element is not None:
            return replace(_writable(ctype), element=shadow_type(ctype.element))
        case TypeKind.POINTER | TypeKind.REFERENCE if ctype.element is not None:
            element = shadow_type(ctype.element)
            mark = "*" if ctype.kind is TypeKind.POINTER else "&"
            restrict = "__restrict__ " if ctype.is_restrict else ""
            to_array = element.spelling.find("[") if element.kind is TypeKind.ARRAY else -1
            if to_array >= 0:
                start, extents = element.spelling[:to_array], element.spelling[to_array:]
                spelled = f"{start.rstrip()} ({mark}{restrict.rstrip()}){extents}"
            else:
                space = "" if element.spelling.endswith("*") else " "
                spelled = f"{element.spelling}{space}{mark}{restrict}".rstrip()
            return replace(ctype, spelling=spelled, element=element, is_const=False)
        case TypeKind.ARRAY if ctype.element is not None:
            return replace(ctype, spelling=unqualified(ctype), element=shadow_type(ctype.element))
        case _:
            spelled = unqualified(ctype)
            is_said = "const" in ctype.spelling.split() or spelled in ("float", "double")
            if ctype.is_const and not is_said:
                spelled = f"std::remove_const_t<{spelled}>"  # another name of a constant type
            return replace(ctype, spelling=spelled, is_const=False)


def shadow_variable(variable: Variable, shadow: Symbol, initial: Expr | None) -> Variable:
    """The declaration of a shadow beside that of `variable`, with another initial value."""
    declared = unqualified_text(variable.declared)
    if (
        variable.symbol.type.is_half
        or "auto" in declared.split()
        or "std::remove_const_t" in shadow.type.spelling
    ):
        declared = shadow.type.spelling
    style = "=" if initial is not None else ""
    if isinstance(initial, Literal) and initial.text == "{}":
        style = "="
    suffix, extent = variable.suffix, variable.symbol.type.extent
    if suffix.startswith("[]") and extent is not None:  # as many as its list has
        suffix = f"[{extent}]{suffix[2:]}"
    return Variable(shadow, declared, suffix, initial, style, variable.extents)


def unqualified_text(declared: str) -> str:
    words = declared.replace("*", " * ").replace("&", " & ").split()
    kept = [word for word in words if word not in ("const", "constexpr", "volatile", "static")]
    return " ".join(kept)


ZEROED = Literal("{}")


def declare(variable: Variable) -> Declare:
    return Declare((variable,), form=Form.BUILT)


def is_block_memory(symbol: Symbol) -> bool:
    return symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
