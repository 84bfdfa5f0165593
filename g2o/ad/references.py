"""References and pointers to variables, as these variables.

    double &first = a;
    first *= first;       ->    a *= a;

    const float3 &b = x[i];
    y[i] = b.x * b.y;     ->    y[i] = x[i].x * x[i].y;

A reference stands for one variable for good. What the variable is called there says more, and its
shadow needs no reference of its own. So does one to an element of an array, where what its index is
made of stays as it is: of the array it is known that others do not overlap it.
"""

from __future__ import annotations

from collections.abc import Mapping

from g2o.ad.reals import carries, fields_of
from g2o.analysis.effects import root_symbol, symbols_in
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    is_variable,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    Empty,
    Exchange,
    ExprStatement,
    For,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind

_OF_INDEX = (VarRef, Literal, LaunchRef, Binary, Paren, Cast)
_SHORT = 5  # nodes of an index that is said again wherever the element is


def with_referents_named(body: Block, symbols: SymbolTable) -> Block:
    """`body` in which no variable hides one that a reference used beside it stands for: the inner
    one has another name, so that without_references can say what is meant."""
    hiding = _hiding(body, _meant(body))
    inner = sorted({one for found in hiding.values() for one in found}, key=lambda one: one.id)
    names = {one: symbols.fresh(one.name, one.type, one.storage) for one in inner}
    return rename_symbols(body, names) if names else body


def without_references(body: Block) -> Block:
    """`body` without references to variables of the thread, to their members and to elements with
    constant indices, to elements of arrays that indices lead to which stay, and without pointers
    that only stand for these, where nothing hides them."""
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
    stays: set[Symbol] | None = None

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
        if root is None:
            continue
        if root.storage is Storage.LOCAL and _is_fixed(place):
            meant[variable.symbol] = place
        elif variable.symbol.type.kind is TypeKind.REFERENCE and _is_element(place):
            if stays is None:
                stays = _staying(body)
            if _named_in(place) <= stays:
                meant[variable.symbol] = place
    return meant


def _hiding(body: Block, meant: Mapping[Symbol, Expr]) -> dict[Symbol, set[Symbol]]:
    """For each reference, the variables of inner scopes that have the name of one in what it stands
    for where it is used."""
    declarations = _declarations_by_name(body)
    hiding: dict[Symbol, set[Symbol]] = {}
    for reference, place in meant.items():
        hiding[reference] = set()
        for named in sorted(_named_in(place), key=lambda one: one.id):
            alike = declarations.get(named.name, [])
            own = [scope for symbol, scope in alike if symbol == named]
            hiding[reference] |= {
                symbol
                for symbol, scope in alike
                if symbol != named
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


def _named_in(place: Expr) -> set[Symbol]:
    return {node.symbol for node in walk(place) if isinstance(node, VarRef)}


def _is_element(place: Expr) -> bool:
    """Is it an element of what a parameter leads to, or a member of one, at a short index that
    loads nothing?"""
    match place:
        case Paren(inner=inner):
            return _is_element(inner)
        case Member(base=base, arrow=False):
            return _is_element(base)
        case Index(base=VarRef(symbol=symbol), index=index):
            nodes = list(walk(index))
            plain = all(isinstance(one, _OF_INDEX) for one in nodes) and len(nodes) <= _SHORT
            is_pointer = symbol.type.kind is TypeKind.POINTER
            return plain and is_pointer and symbol.storage is Storage.PARAMETER
        case _:
            return False


def _staying(body: Block) -> set[Symbol]:
    """The variables that have one value in all of `body`, from where they are declared on; counters
    of loops, which declare them, in each turn."""
    named: set[Symbol] = set()
    changed: set[Symbol] = set()
    steps: set[int] = set()
    for node in walk(body):
        match node:
            case For(initial=Declare(variables=(one,)), increment=step) if step is not None:
                if _variables_of(_stepped(step)) == {one.symbol}:
                    steps.add(id(step))
            case _:
                pass
    for node in walk(body):
        if id(node) in steps:
            continue
        match node:
            case VarRef(symbol=symbol):
                named.add(symbol)
            case Declare(variables=variables):
                changed |= {
                    symbol
                    for one in variables
                    if one.symbol.type.kind is TypeKind.REFERENCE and one.initial is not None
                    for symbol in _variables_of(one.initial)
                }
                changed |= {one.symbol for one in variables if one.initial is None}
            case Assign(target=place) | Unary(op="++" | "--" | "&", operand=place):
                changed |= _variables_of(place)
            case Call(arguments=arguments, key=key) if key:
                changed |= {symbol for one in arguments for symbol in _variables_of(one)}
            case Exchange(result=symbol):
                changed.add(symbol)
            case Verbatim(pure=False):
                changed |= symbols_in(node)
            case _:
                pass
    return named - changed


def _stepped(step: Expr) -> Expr:
    match step:
        case Assign(target=place) | Unary(op="++" | "--", operand=place):
            return place
        case _:
            return step


def _variables_of(place: Expr) -> set[Symbol]:
    """The variable that an lvalue is, or is a part of, rather than an array that it leads to."""
    inner = strip_parens(place)
    while isinstance(inner, Member) and not inner.arrow:
        inner = strip_parens(inner.base)
    return {inner.symbol} if isinstance(inner, VarRef) else set()
