"""What local pointers and references point into.

const float *row = x + i * n;    row[j] lies in x
float &top = s[t];               top lies in s
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.allocations import is_allocation
from g2o.analysis.effects import root_symbol
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import Block, Declare
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind


@final
@dataclass(slots=True)
class Origins:
    """The variables that local pointers and references were made from: several where a pointer is
    chosen, None among them where that is not known."""

    of_pointer: dict[Symbol, set[Symbol | None]] = field(
        default_factory=dict[Symbol, "set[Symbol | None]"]
    )
    moved: set[Symbol] = field(default_factory=set[Symbol])  # assigned after their declaration
    own: set[Symbol] = field(default_factory=set[Symbol])  # that get memory which is nobody else's

    def roots(self, expr: Expr) -> set[Symbol | None]:
        """The variables in which the lvalue `expr` may lie."""
        inner = strip_parens(expr)
        if isinstance(inner, Literal):
            return set()  # a null pointer leads nowhere
        chosen = _chosen(inner)
        if chosen is not None:
            return self.roots(chosen.if_true) | self.roots(chosen.if_false)
        root = root_symbol(expr)
        if root is None or (root.type.kind is TypeKind.INTEGER and not isinstance(inner, VarRef)):
            return {None}  # an integer is the address
        return self.resolve(root)

    def resolve(self, symbol: Symbol, seen: frozenset[Symbol] = frozenset()) -> set[Symbol | None]:
        found = self.of_pointer.get(symbol)
        if found is None or symbol in seen:
            return {symbol}
        result: set[Symbol | None] = set()
        for origin in found:
            result |= {None} if origin is None else self.resolve(origin, seen | {symbol})
        return result

    def sources(self, pointer: Symbol, value: Expr) -> set[Symbol | None]:
        """What a pointer leads to that is set to a value: itself stands for memory that it gets."""
        inner = _bare(value)
        if isinstance(inner, Literal):
            return set()
        if is_allocation(inner):
            self.own.add(pointer)
            return {pointer}
        chosen = _chosen(value)
        if chosen is None:
            return {root_symbol(value)}
        return self.sources(pointer, chosen.if_true) | self.sources(pointer, chosen.if_false)


def find_origins(body: Block) -> Origins:
    origins = Origins()
    named = Counter(node.symbol for node in walk(body) if isinstance(node, VarRef))
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for variable in variables:
                    symbol = variable.symbol
                    indirect = symbol.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE)
                    if symbol.storage is Storage.LOCAL and indirect:
                        origins.of_pointer.setdefault(symbol, set())
                        if variable.initial is not None:
                            origins.of_pointer[symbol] |= origins.sources(symbol, variable.initial)
                    elif symbol.storage is Storage.LOCAL and _holds_pointers(symbol.type):
                        origins.of_pointer.setdefault(symbol, set()).add(symbol)
                        if variable.initial is not None:
                            origins.of_pointer[symbol] |= _led_to(variable.initial)
            case Assign(op=op, target=VarRef(symbol=symbol), value=value):
                if symbol.type.kind is TypeKind.POINTER:
                    origins.moved.add(symbol)
                    if op == "=" and symbol.storage in (Storage.LOCAL, Storage.GLOBAL):
                        led = origins.of_pointer.setdefault(symbol, set())
                        led.update(origins.sources(symbol, value))
                        if symbol.storage is Storage.GLOBAL:
                            led.add(symbol)
            case Assign(op="=", target=target, value=value):
                holder = root_symbol(target)
                if holder is not None and _is_led(holder, target) and named[holder] > 1:
                    origins.of_pointer.setdefault(holder, {holder}).update(_led_to(value))
            case Unary(op="++" | "--", operand=VarRef(symbol=symbol)):
                if symbol.type.kind is TypeKind.POINTER:
                    origins.moved.add(symbol)
            case Unary(op="&", operand=place):  # others may let it lead anywhere
                inner = strip_parens(place)
                if isinstance(inner, VarRef) and inner.symbol.type.kind is TypeKind.POINTER:
                    origins.of_pointer.setdefault(inner.symbol, set()).add(None)
            case _:
                pass
    for pointer in _parts_of_integers(body, origins):
        origins.of_pointer[pointer] = {pointer}
        origins.own.add(pointer)
    return origins


def _parts_of_integers(body: Block, origins: Origins) -> list[Symbol]:
    """Pointers to integers in a part of the dynamic shared memory that holds nothing else.

        double *sum = (double *)memory;
        int *count = (int *)(sum + blockDim.x);

    Memory that was last written as one type has no value of another (C++17, [basic.lval] 11): where
    no pointer to real numbers starts at the same place, and none is made from them, what they lead
    to carries no derivatives.
    """
    starts: dict[Symbol, tuple[Expr, ...] | None] = {}
    bases: dict[Symbol, set[Symbol]] = {}
    for node in walk(body):
        for one in node.variables if isinstance(node, Declare) else ():
            symbol, initial = one.symbol, one.initial
            if symbol.type.kind is TypeKind.POINTER and initial is not None:
                known = symbol not in origins.moved and len(origins.resolve(symbol)) == 1
                starts[symbol] = _start(initial, starts) if known else None
                named = {n.symbol for n in walk(initial) if isinstance(n, VarRef)}
                bases[symbol] = named.union(*(bases.get(each, set()) for each in named))
    found: list[Symbol] = []
    for pointer, start in starts.items():
        roots = origins.resolve(pointer)
        if start is None or not _leads_to_integers(pointer):
            continue
        shared = [r for r in roots if r is not None and r.storage is Storage.DYNAMIC_SHARED]
        if not shared or (start == () and not all(map(_leads_to_integers, shared))):
            continue
        others = [
            one
            for one in starts
            if one != pointer and not _leads_to_integers(one) and origins.resolve(one) & roots
        ]
        if all(
            starts[one] not in (None, start) and pointer not in bases.get(one, set())
            for one in others
        ):
            found.append(pointer)
    return found


def _leads_to_integers(pointer: Symbol) -> bool:
    element = pointer.type.element
    return element is not None and element.kind in (TypeKind.INTEGER, TypeKind.BOOL)


def _start(pointer: Expr, starts: dict[Symbol, tuple[Expr, ...] | None]) -> tuple[Expr, ...] | None:
    """What is added to the dynamic shared memory to get there; None where that is not seen."""
    match strip_parens(pointer):
        case VarRef(symbol=symbol) if symbol.storage is Storage.DYNAMIC_SHARED:
            return ()
        case VarRef(symbol=symbol):
            return starts.get(symbol)
        case Cast(operand=operand):
            return _start(operand, starts)
        case Binary(op="+", left=left, right=right):
            start = _start(left, starts)
            return None if start is None else (*start, strip_parens(right))
        case Unary(op="&", operand=Index(base=base, index=index)):
            start = _start(base, starts)
            return None if start is None else (*start, strip_parens(index))
        case _:
            return None


def _is_led(holder: Symbol, place: Expr) -> bool:
    """Does a value that is stored in the place say where pointers of its holder lead?"""
    if holder.storage is Storage.LOCAL:
        return _holds_pointers(holder.type)
    ctype = value_type(place)
    return ctype.kind is TypeKind.POINTER or _holds_pointers(ctype)


def _holds_pointers(ctype: CType) -> bool:
    """Is it a structure or an array with pointers inside?"""
    match ctype.kind:
        case TypeKind.ARRAY:
            element = ctype.element
            return element is not None and (
                element.kind is TypeKind.POINTER or _holds_pointers(element)
            )
        case TypeKind.RECORD:
            return any(
                one.kind in (TypeKind.POINTER, TypeKind.REFERENCE) or _holds_pointers(one)
                for _, one in ctype.fields
            )
        case _:
            return False


def _led_to(expr: Expr) -> set[Symbol | None]:
    """The variables that pointers in a value lead to."""
    found: set[Symbol | None] = set()
    for node in walk(expr):
        match node:
            case VarRef(symbol=symbol) if symbol.type.is_indirect or _holds_pointers(symbol.type):
                found.add(symbol)
            case Unary(op="&", operand=operand):
                found.add(root_symbol(operand))
            case Call(type=ctype) | Verbatim(type=ctype):
                if ctype.is_indirect or _holds_pointers(ctype):
                    found.add(None)
            case _:
                pass
    return found


def _chosen(place: Expr) -> Conditional | None:
    """The choice between places, or between pointers, that an lvalue or pointer starts with."""
    match place:
        case Conditional():
            return place
        case Index(base=inner) | Member(base=inner) | Paren(inner=inner) | Cast(operand=inner):
            return _chosen(inner)
        case Unary(op="*" | "&", operand=inner):
            return _chosen(inner)
        case Binary(op="+" | "-", left=left, right=right):
            return next(
                (c for one in (left, right) if one.type.is_indirect if (c := _chosen(one))), None
            )
        case Code(parts=(only,)) if not isinstance(only, str):
            return _chosen(only)
        case _:
            return None


def _bare(expr: Expr) -> Expr:
    inner = strip_parens(expr)
    return _bare(inner.operand) if isinstance(inner, Cast) else inner
