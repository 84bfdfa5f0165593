"""What is added to one shadow by one statement after the other is added at once.

    d_f[q] = d_to[i];                     d_f[q] = d_to[i] - seed;
    d_f[q] -= seed;
    d_from[i] += a[q] * d_a;      ->      d_from[i] += a[q] * d_a + b[q] * d_b;
    d_from[i] += b[q] * d_b;
    d_s[t] = 0.0;                         d_s[t] = seed;
    d_s[t] += seed;

Legal where the second value does not read the shadow, which shares its memory with nothing that it
may read. Only the order of a sum changes, which adjoints leave open. The primal's own statements
stay as they are: `shadows` are made by differentiation. Sums stay so short that they can be read.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from g2o.ad.increments import is_zero
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, symbols_in
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import Assign, Binary, Expr, Form, Unary, VarRef
from g2o.ir.statements import Block, Declare, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite_statements, walk
from g2o.ir.types import CType, TypeKind

_MOST_NODES = 24


def with_joined_increments(
    statements: tuple[Stmt, ...], shadows: Collection[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...]:
    """`statements` with neighbouring additions to places in `shadows` joined."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        inner = tuple(rewrite_statements(one, replacement) for one in node.statements)
        new = _sequence(inner, shadows, effects)
        same = len(new) == len(node.statements)
        if same and all(a is b for a, b in zip(new, node.statements, strict=True)):
            return node
        return replace(node, statements=new, form=Form.BUILT)

    return _sequence(
        tuple(rewrite_statements(one, replacement) for one in statements), shadows, effects
    )


def _sequence(
    statements: tuple[Stmt, ...], shadows: Collection[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...]:
    result: list[Stmt] = []
    for position, statement in enumerate(statements):
        place = _last_to_join(result, statement, effects)
        joined = None
        if place is not None:
            joined = _joined(result[place], statement, shadows, effects)
        if place is None or joined is None:
            result.append(statement)
            continue
        del result[place]
        following = statements[position + 1 :]
        result.append(_constant(joined, following) if isinstance(joined, Declare) else joined)
    return tuple(result)


def _last_to_join(before: list[Stmt], statement: Stmt, effects: EffectsOf) -> int | None:
    """The statement in front that gives the place its value or adds to it. Values that are only
    computed between the two may come first."""
    match statement:
        case ExprStatement(expr=Assign(op="+=" | "-=", target=place)):
            root = root_symbol(place)
        case _:
            return None
    for position in range(len(before) - 1, -1, -1):
        one = before[position]
        if root in symbols_in(one) or (isinstance(one, Declare) and root in declared_in(one)):
            return position
        if not isinstance(one, Declare) or not _only_computes(one, effects):
            return None
    return None


def _only_computes(declare: Declare, effects: EffectsOf) -> bool:
    return all(one.initial is None or effects.is_pure(one.initial) for one in declare.variables)


def _constant(declare: Declare, following: tuple[Stmt, ...]) -> Declare:
    """The declaration, `const` where nothing changes the variable any more."""
    (variable,) = declare.variables
    own = variable.symbol
    for node in (inner for one in following for inner in walk(one)):
        match node:
            case Assign(target=target) if root_symbol(target) == own:
                return declare
            case Unary(op="++" | "--" | "&", operand=operand) if root_symbol(operand) == own:
                return declare
            case _:
                pass
    return replace(declare, variables=(replace(variable, declared=f"const {variable.declared}"),))


def _joined(
    first: Stmt, second: Stmt, shadows: Collection[Symbol], effects: EffectsOf
) -> Stmt | None:
    match first, second:
        case (
            Declare(variables=(Variable(symbol=declared, initial=one),)),
            ExprStatement(expr=Assign(op="+=" | "-=" as then, target=place, value=other)),
        ) if one is not None and place == VarRef(declared) and not second.trivia.before:
            op = "="
        case (
            ExprStatement(expr=Assign(op="=" | "+=" | "-=" as op, target=place, value=one)),
            ExprStatement(expr=Assign(op="+=" | "-=" as then, target=again, value=other)),
        ) if place == again and not second.trivia.before:
            pass
        case _:
            return None
    root = root_symbol(place)
    if root is None or root not in shadows or root in symbols_in(other) or not _is_apart(root):
        return None
    pure = all(effects.is_pure(part) for part in (place, one, other))
    if not pure:
        return None
    if is_zero(one):
        if op != "=" or isinstance(first, Declare):
            return None
        value = other if then == "+=" else Unary("-", other, type=other.type)
        return replace(first, expr=Assign("=", place, value, place.type), form=Form.BUILT)
    if _size(one) + _size(other) > _MOST_NODES:
        return None
    ctype = _wider(value_type(one), value_type(other))
    minus = _without_minus(one) if op != "-=" and then == "+=" else None
    if isinstance(first, Declare):
        sign = "+" if then == "+=" else "-"
        both = Binary(sign, one, other, ctype)
        if minus is not None:
            both = Binary("-", other, minus, ctype)
        (variable,) = first.variables
        new = replace(variable, initial=both)
        return replace(first, variables=(new,), form=Form.BUILT)
    match op, then:
        case "-=", "-=":
            new = Assign("-=", place, Binary("+", one, other, ctype), place.type)
        case "-=", _:
            new = Assign("+=", place, Binary("-", other, one, ctype), place.type)
        case _ if minus is not None:
            new = Assign(op, place, Binary("-", other, minus, ctype), place.type)
        case _:
            sign = "+" if then == "+=" else "-"
            new = Assign(op, place, Binary(sign, one, other, ctype), place.type)
    return replace(first, expr=new, form=Form.BUILT)


def _size(value: Expr) -> int:
    return sum(1 for _ in walk(value))


def _without_minus(value: Expr) -> Expr | None:
    """`value` where it is `-value`."""
    return value.operand if isinstance(value, Unary) and value.op == "-" else None


def _is_apart(root: Symbol) -> bool:
    """Does no other variable name the same memory? Shadows that the caller hands over do not
    overlap, neither each other nor what the kernel reads."""
    indirect = root.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE)
    return root.storage is Storage.PARAMETER or not indirect


def _wider(one: CType, other: CType) -> CType:
    return one if one.bits >= other.bits else other
