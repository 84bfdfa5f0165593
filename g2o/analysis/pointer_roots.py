"""Which memory a kernel writes, and which of its variables may change behind other names.

int *p = s + 1;    p[0] = 5;     writes s
int *q = &i;       *q = 5;       i is not what was assigned to it
"""

from __future__ import annotations

from g2o.analysis.effects import EffectsOf, goes_through_pointer, root_symbol
from g2o.ir.expressions import (
    Assign,
    Call,
    Code,
    Conditional,
    Expr,
    Index,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.statements import Declare, Node
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_PRIVATE = (Storage.LOCAL, Storage.PARAMETER)


def written_roots(body: Node, effects: EffectsOf) -> set[Symbol | None]:
    """The arrays, and the pointers from outside, through which memory is written; None where it
    may be any memory. Variables of a thread are not among them."""
    sources = _sources(body)
    found: set[Symbol | None] = set()
    seen: set[Symbol] = set()
    waiting = list(effects.of(body).memory_writes)
    while waiting:
        root = waiting.pop()
        if root is None or root.storage is not Storage.LOCAL:
            found.add(root)
            if root is not None:
                waiting.extend(sources.get(root, set()) - found)
                if _holds_pointers(root):
                    found.add(None)
        elif root not in seen:
            seen.add(root)
            known = root.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE)
            private = root.type.kind is TypeKind.ARRAY and root.type.innermost.is_arithmetic
            if not private:
                waiting.extend(sources.get(root, {None}) if known else {None})
    return found


def _holds_pointers(root: Symbol) -> bool:
    """Is what lies behind the root pointers, so that the memory may be that behind these?"""
    element = root.type.innermost if root.type.kind is TypeKind.ARRAY else root.type.element
    return element is not None and element.innermost.kind is TypeKind.POINTER


def _sources(body: Node) -> dict[Symbol, set[Symbol | None]]:
    """What pointers, and references, are set to."""
    found: dict[Symbol, set[Symbol | None]] = {}

    def assigned(symbol: Symbol, value: Expr) -> None:
        if symbol.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE):
            found.setdefault(symbol, set()).update(_roots(value))

    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for variable in variables:
                    if variable.initial is not None:
                        assigned(variable.symbol, variable.initial)
            case Assign(op="=", target=VarRef(symbol=symbol), value=value):
                assigned(symbol, value)
            case Unary(op="&", operand=VarRef(symbol=symbol)):
                found.setdefault(symbol, set()).add(None)
            case _:
                pass
    return found


def _roots(value: Expr) -> set[Symbol | None]:
    match value:
        case Paren(inner=inner):
            return _roots(inner)
        case Conditional(if_true=one, if_false=other):
            return _roots(one) | _roots(other)
        case Call() | Verbatim() | Code():
            return {None}
        case Index() | Member() | Unary(op="*") if value.type.kind is not TypeKind.ARRAY:
            root = root_symbol(value)
            given = root is not None and root.storage is Storage.PARAMETER
            return {root} if given and not goes_through_pointer(value) else {None}  # loaded
        case _:
            return {root_symbol(value)}


def hidden_variables(body: Node) -> set[Symbol]:
    """Private scalars whose address is taken, that references of unknown binding may stand for,
    or that code names which is not understood."""
    found: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Unary(op="&", operand=operand) if not goes_through_pointer(operand):
                root = root_symbol(operand)
                found |= set() if root is None else {root}
            case Declare(variables=variables):
                for variable in variables:
                    initial = variable.initial
                    if variable.symbol.type.kind is TypeKind.REFERENCE and initial is not None:
                        if root_symbol(initial) is None:
                            found |= _named(initial)
            case Assign(target=target) if root_symbol(target) is None:
                found |= _named(target)
            case Verbatim(pure=False) | Code(pure=False):
                found |= _named(node)
            case _:
                pass
    return {symbol for symbol in found if symbol.storage in _PRIVATE}


def _named(node: Node) -> set[Symbol]:
    return {inner.symbol for inner in walk(node) if isinstance(inner, VarRef)}
