"""References and pointers to variables, as these variables.

    double &first = a;
    first *= first;       ->    a *= a;

A reference stands for one variable for good. What the variable is called there says more, and its
shadow needs no reference of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from g2o.ad.reals import carries, fields_of
from g2o.analysis.effects import root_symbol, symbols_in
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    is_variable,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    Empty,
    ExprStatement,
    For,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind


def with_referents_named(body: Block, symbols: SymbolTable) -> Block:
    """`body` in which no variable hides one that a reference used beside it stands for: the inner
    one has another name, so that without_references can say what is meant."""
    hiding = _hiding(body, _meant(body))
    inner = sorted({one for found in hiding.values() for one in found}, key=lambda one: one.id)
    names = {one: symbols.fresh(one.name, one.type, one.storage) for one in inner}
    return rename_symbols(body, names) if names else body


def without_references(body: Block) -> Block:
    """`body` without references to variables of the thread, to their members and to elements with
    constant indices, and without pointers that only stand for these, where nothing hides them."""
    meant = _meant(body)
    hiding = _hiding(body, meant)
    meant = {one: place for one, place in meant.items() if not hiding.get(one)}
    if not meant:
        return body

    def replacement(node: Node) -> Node | None:
        match node:
            case Declare(variables=(variable,)) if variable.symbol in meant:
                return Empty(trivia=node.trivia)
            case ExprStatement(expr=Assign(op="=", target=target, value=value)) if (
                symbols_in(node) & meant.keys()
                and value_type(target).is_arithmetic
                and named(target) == named(value)
            ):
                return Empty(trivia=node.trivia)  # `first = a;` would be `a = a;`
            case Unary(op="*", operand=operand) if (
                isinstance(pointer := strip_parens(operand), VarRef) and pointer.symbol in meant
            ):
                return meant[pointer.symbol]
            case VarRef(symbol=symbol) if symbol in meant:
                return meant[symbol]
            case _:
                return None

    def named(expr: Expr) -> Expr:
        return strip_parens(rewrite(expr, replacement))

    return rewrite(body, replacement)


def refuse_reference_members(body: Block) -> None:
    """Raise Refusal where numbers are reached through a reference in a structure that has not been
    taken apart: nothing is known of where they lie."""
    for node in walk(body):
        if isinstance(node, Member):
            base = value_type(node.base)
            record = base.element if node.arrow and base.element is not None else base
            member = dict(fields_of(record)).get(node.name)
            if member is not None and member.kind is TypeKind.REFERENCE and carries(member):
                message = f"reference '{node.name}' inside of a structure leads to numbers"
                raise refuse("G2O0403", message, node.span)


def _meant(body: Block) -> dict[Symbol, Expr]:
    """What references stand for, and pointers that only stand for what they point to: places of
    variables of the thread that mean the same wherever they stand."""
    meant: dict[Symbol, Expr] = {}

    def resolved(node: Node) -> Node | None:
        match node:
            case Unary(op="*", operand=operand) if (
                isinstance(pointer := strip_parens(operand), VarRef) and pointer.symbol in meant
            ):
                return meant[pointer.symbol]
            case VarRef(symbol=symbol):
                return meant.get(symbol)
            case _:
                return None

    for node in walk(body):
        if not isinstance(node, Declare) or len(node.variables) != 1:
            continue
        (variable,) = node.variables
        place = _place_of(variable, body)
        if place is None:
            continue
        place = strip_parens(rewrite(place, resolved))
        root = root_symbol(place)
        if not _is_fixed(place):
            continue
        if root is not None and root.storage is Storage.LOCAL:
            meant[variable.symbol] = place
    return meant


def _hiding(body: Block, meant: Mapping[Symbol, Expr]) -> dict[Symbol, set[Symbol]]:
    """For each reference, the variables of inner scopes that have the name of the one that it
    stands for where it is used."""
    declarations = _declarations_by_name(body)
    hiding: dict[Symbol, set[Symbol]] = {}
    for reference, place in meant.items():
        root = root_symbol(place)
        assert root is not None
        alike = declarations.get(root.name, [])
        own = [scope for symbol, scope in alike if symbol == root]
        hiding[reference] = {
            symbol
            for symbol, scope in alike
            if symbol != root
            and reference in symbols_in(scope)
            and not any(node is one for one in own for node in walk(scope))
        }
    return hiding


def _declarations_by_name(body: Block) -> dict[str, list[tuple[Symbol, Stmt]]]:
    """The variables that have a name, each with the statement that it lives in."""
    found: dict[str, list[tuple[Symbol, Stmt]]] = {}
    for node in walk(body):
        match node:
            case Block(statements=statements):
                scopes = [(one, node) for one in statements if isinstance(one, Declare)]
            case For(initial=Declare() as initial):
                scopes = [(initial, node)]
            case _:
                scopes = []
        for declaration, scope in scopes:
            for variable in declaration.variables:
                found.setdefault(variable.symbol.name, []).append((variable.symbol, scope))
    return found


def _place_of(variable: Variable, body: Block) -> Expr | None:
    """What a reference is bound to, or a pointer that only stands for what it points to."""
    symbol, initial = variable.symbol, variable.initial
    if initial is None:
        return None
    if symbol.type.kind is TypeKind.REFERENCE:
        return initial
    inner = strip_parens(initial)
    if symbol.type.kind is not TypeKind.POINTER or not isinstance(inner, Unary) or inner.op != "&":
        return None
    uses = sum(isinstance(node, VarRef) and node.symbol == symbol for node in walk(body))
    followed = sum(
        isinstance(node, Unary) and node.op == "*" and is_variable(node.operand, symbol)
        for node in walk(body)
    )
    return inner.operand if uses == followed else None


def _is_fixed(lvalue: Expr) -> bool:
    """Does it mean the same place wherever it stands?"""
    match lvalue:
        case VarRef(symbol=symbol):
            return symbol.type.kind is not TypeKind.POINTER
        case Paren(inner=inner):
            return _is_fixed(inner)
        case Member(base=base, arrow=False):
            return _is_fixed(base)
        case Index(base=base, index=Literal()):
            return _is_fixed(base)
        case _:
            return False
