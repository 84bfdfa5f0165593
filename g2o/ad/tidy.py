"""Shadows as a person would write them.

    float d_v = 0.0f;                     float d_v = w * d_y[i];
    d_v += w * d_y[i];             ->     d_x[i] += 2.0f * d_v;
    d_x[i] += 2.0f * d_v;
    d_v = 0.0f;

A shadow is declared where it first gets a value. What nobody reads any more is not set to 0. A
value that is used once, in the next statement, stands there; statements that set other shadows to 0
let it pass. What only copies another value goes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from g2o.ad.chosen_shadows import (
    choice_of,
    precision_of,
    takes_from_tape,
    times_named,
    with_shared_first,
)
from g2o.ad.increments import is_zero
from g2o.ad.origins import find_origins
from g2o.ad.structure import negated
from g2o.analysis.effects import root_symbol, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Form,
    Unary,
    VarRef,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind


def tidied(statements: tuple[Stmt, ...], made: Collection[Symbol]) -> tuple[Stmt, ...]:
    """`statements` with the variables `made` by differentiation in tidy form."""
    named = _named_otherwise(statements)
    return _tidied(statements, frozenset(made) - named, named)


def _named_otherwise(statements: tuple[Stmt, ...]) -> frozenset[Symbol]:
    """Variables that references or pointers lead to: they may change without being named."""
    origins = find_origins(Block(statements)).of_pointer.values()
    return frozenset(one for found in origins for one in found if one is not None)


def _tidied(
    statements: tuple[Stmt, ...], made: frozenset[Symbol], named: frozenset[Symbol]
) -> tuple[Stmt, ...]:
    inner = [_inside(one, made, named) for one in statements]
    return tuple(
        _sequence([two for one in inner for two in with_shared_first(one, made)], made, named)
    )


def _inside(statement: Stmt, made: frozenset[Symbol], named: frozenset[Symbol]) -> Stmt:
    """The statement with tidy bodies."""

    def body(inner: Stmt) -> Stmt:
        old = statements_of(inner)
        new = _tidied(old, made, named)
        if len(new) == len(old) and all(one is two for one, two in zip(new, old, strict=True)):
            return inner
        trivia = inner.trivia
        return Block(new, trivia=trivia) if isinstance(inner, Block) else Block(new)

    match statement:
        case Block():
            return body(statement)
        case If(then=then, otherwise=otherwise):
            first = body(then)
            second = None if otherwise is None else body(otherwise)
            if second is not None and not statements_of(first) and not statement.is_constexpr:
                turned = negated(statement.condition)
                return replace(
                    statement, condition=turned, then=second, otherwise=None, form=Form.BUILT
                )
            if first is then and second is otherwise:
                return statement
            return replace(statement, then=first, otherwise=second, form=Form.BUILT)
        case For() | While() | DoWhile():
            new = body(statement.body)
            if new is statement.body:
                return statement
            return replace(statement, body=new, form=Form.BUILT)
        case _:
            return statement


def _sequence(
    statements: list[Stmt], made: frozenset[Symbol], named: frozenset[Symbol]
) -> list[Stmt]:
    statements = _without_records_between(_set_at_once(statements, made))
    for symbol in _declared(statements, made):
        statements = _copied(statements, symbol, named)
    for symbol in _declared(statements, made):
        statements = _started_late(_chosen_at_once(statements, symbol), symbol)
        statements = _without_last_zero(statements, symbol)
        statements = _without_return(statements, symbol, named)
        statements = _used_at_once(statements, symbol)
        statements = _put_in(statements, symbol)
    for symbol in _declared(statements, made):
        statements = _copied(statements, symbol, named)
    return statements


def _set_at_once(statements: list[Stmt], made: frozenset[Symbol]) -> list[Stmt]:
    """`d = 0; ...; d += x;` becomes `...; d = x;` where nothing between mentions `d`."""
    result: list[Stmt] = []
    for statement in statements:
        match statement:
            case ExprStatement(
                expr=Assign(op="+=" | "-=" as op, target=VarRef(symbol=symbol), value=value) as expr
            ) if symbol in made and not times_named(value, symbol):
                zero = _last_zero(result, symbol)
                if zero is not None:
                    del result[zero]
                    new = Unary("-", value, type=value.type) if op == "-=" else value
                    statement = replace(statement, expr=replace(expr, op="=", value=new))
            case _:
                pass
        result.append(statement)
    return result


def _without_records_between(statements: list[Stmt]) -> list[Stmt]:
    """`Pair a = {x, y}; Pair b = a;` becomes `Pair b = {x, y};` where nothing else mentions `a`.

    Inlining makes such variables. Compilers copy them through memory, and do not vectorise that.
    """
    result: list[Stmt] = []
    for position, statement in enumerate(statements):
        last = _only_variable(result[-1]) if result else None
        own = _only_variable(statement)
        if last is None or own is None or not isinstance(own.initial, VarRef):
            result.append(statement)
            continue
        symbol, following = last.symbol, statements[position + 1 :]
        alike = _is_record_of_numbers(symbol.type) and own.symbol.type == symbol.type
        local = symbol.storage is own.symbol.storage is Storage.LOCAL
        started = last.initial is not None and not last.extents and not last.suffix
        if not (alike and local and started and own.initial.symbol == symbol):
            result.append(statement)
            continue
        if any(times_named(one, symbol) for one in following):
            result.append(statement)
            continue
        joined = replace(own, initial=last.initial, initial_style=last.initial_style)
        result[-1] = Declare((joined,), trivia=result[-1].trivia)
    return result


def _is_record_of_numbers(ctype: CType) -> bool:
    fields = ctype.fields
    return (
        ctype.kind is TypeKind.RECORD and bool(fields) and all(t.is_arithmetic for _, t in fields)
    )


def _last_zero(statements: list[Stmt], symbol: Symbol) -> int | None:
    """Where `symbol` is set to 0, if that is the last that happens to it."""
    for position in range(len(statements) - 1, -1, -1):
        statement = statements[position]
        match statement:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=start)) if (
                target == symbol and is_zero(start)
            ):
                return position
            case ExprStatement() | Declare() if not times_named(statement, symbol):
                pass
            case _:
                return None
    return None


def _without_return(statements: list[Stmt], symbol: Symbol, named: frozenset[Symbol]) -> list[Stmt]:
    """`const double d_v = d_w; ...; d_w = d_v;` where `d_w` is the same all the time: it stays."""
    variable = _only_variable(statements[_position(statements, symbol)])
    if variable is None or not isinstance(variable.initial, VarRef):
        return statements
    source = variable.initial.symbol
    if source in named:
        return statements
    if (
        precision_of(source.type) != precision_of(symbol.type)
        or source.storage is not Storage.LOCAL
    ):
        return statements
    for position in range(_position(statements, symbol) + 1, len(statements)):
        statement = statements[position]
        match statement:
            case ExprStatement(
                expr=Assign(op="=", target=VarRef(symbol=target), value=VarRef(symbol=value))
            ) if target == source and value == symbol:
                return [*statements[:position], *statements[position + 1 :]]
            case ExprStatement() | Declare() if not (
                _writes(statement, source) or _writes(statement, symbol)
            ):
                pass
            case _:
                return statements
    return statements


def _declared(statements: list[Stmt], made: frozenset[Symbol]) -> list[Symbol]:
    return [
        variable.symbol
        for statement in statements
        if isinstance(statement, Declare)
        for variable in statement.variables
        if variable.symbol in made and variable.symbol.type.kind is not TypeKind.ARRAY
    ]


def _position(statements: list[Stmt], symbol: Symbol) -> int:
    return next(
        position
        for position, statement in enumerate(statements)
        if isinstance(statement, Declare)
        and any(variable.symbol == symbol for variable in statement.variables)
    )


def _started_late(statements: list[Stmt], symbol: Symbol) -> list[Stmt]:
    """`T d = 0; ...; d += x;` becomes `...; T d = x;`."""
    start = _position(statements, symbol)
    variable = _only_variable(statements[start])
    if variable is None or not is_zero(variable.initial):
        return statements
    for position in range(start + 1, len(statements)):
        statement = statements[position]
        if not times_named(statement, symbol):
            continue
        match statement:
            case ExprStatement(
                expr=Assign(op="=" | "+=" | "-=" as op, target=VarRef(symbol=target), value=value)
            ) if target == symbol and not times_named(value, symbol):
                first = Unary("-", value, type=value.type) if op == "-=" else value
                new = Declare((replace(variable, initial=first),))
                return [
                    *statements[:start],
                    *statements[start + 1 : position],
                    new,
                    *statements[position + 1 :],
                ]
            case _:
                return statements
    return statements


def _chosen_at_once(statements: list[Stmt], symbol: Symbol) -> list[Stmt]:
    """`T d = 0; ...; if (c) d += x; else d += y;` becomes `...; d += c ? x : y;`, with 0 for what
    is not there."""
    start = _position(statements, symbol)
    variable = _only_variable(statements[start])
    if variable is None or not is_zero(variable.initial):
        return statements
    for position in range(start + 1, len(statements)):
        statement = statements[position]
        if not times_named(statement, symbol):
            continue
        if not isinstance(statement, If) or times_named(statement.condition, symbol):
            return statements
        chosen = choice_of(statement, symbol)
        if chosen is None:
            return statements
        return [*statements[:position], chosen, *statements[position + 1 :]]
    return statements


def _without_last_zero(statements: list[Stmt], symbol: Symbol) -> list[Stmt]:
    """Nothing reads the shadow behind `d = 0`: it goes."""
    for position in range(len(statements) - 1, -1, -1):
        statement = statements[position]
        if not times_named(statement, symbol):
            continue
        match statement:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=value)) if (
                target == symbol and is_zero(value)
            ):
                return [*statements[:position], *statements[position + 1 :]]
            case _:
                return statements
    return statements


def _copied(statements: list[Stmt], symbol: Symbol, named: frozenset[Symbol]) -> list[Stmt]:
    """`const double d_v = d_w;` goes, `d_w` stands for it, where neither changes any more."""
    start = _position(statements, symbol)
    variable = _only_variable(statements[start])
    following = statements[start + 1 :]
    if variable is None or not isinstance(variable.initial, VarRef):
        return statements
    source = variable.initial
    if source.symbol in named:
        return statements
    alike = precision_of(source.symbol.type) == precision_of(symbol.type)
    if not alike or source.symbol.storage not in (Storage.LOCAL, Storage.PARAMETER):
        return statements
    if any(_writes(one, symbol) or _writes(one, source.symbol) for one in following):
        return statements

    def put(node: Node) -> Node | None:
        return source if isinstance(node, VarRef) and node.symbol == symbol else None

    return [*statements[:start], *(rewrite(one, put) for one in following)]


def _used_at_once(statements: list[Stmt], symbol: Symbol) -> list[Stmt]:
    """The only use of a value comes before shadows of other places are set to 0."""
    start = _position(statements, symbol)
    uses = [n for n, one in enumerate(statements) if n > start and times_named(one, symbol)]
    if len(uses) != 1 or uses[0] == start + 1:
        return statements
    between, use = statements[start + 1 : uses[0]], statements[uses[0]]
    used = symbols_in(use)
    if not isinstance(use, ExprStatement) or not all(_is_apart(one) for one in used):
        return statements
    for one in between:
        place = _place_set_to_zero(one)
        if place is None or place in used or not _is_apart(place):
            return statements
    return [*statements[: start + 1], use, *between, *statements[uses[0] + 1 :]]


def _place_set_to_zero(statement: Stmt) -> Symbol | None:
    match statement:
        case ExprStatement(expr=Assign(op="=", target=target, value=value)) if is_zero(value):
            return root_symbol(target)
        case _:
            return None


def _is_apart(symbol: Symbol) -> bool:
    """Does no other variable name the same memory? Shadows that the caller hands over do not
    overlap, neither each other nor what the kernel reads."""
    return symbol.storage is Storage.PARAMETER or not symbol.type.is_indirect


def _put_in(statements: list[Stmt], symbol: Symbol) -> list[Stmt]:
    """A value that only the next statement uses, once, goes there; one that nobody uses goes."""
    start = _position(statements, symbol)
    variable = _only_variable(statements[start])
    if variable is None or variable.initial is None:
        return statements
    uses = [times_named(statement, symbol) for statement in statements[start + 1 :]]
    if sum(uses) == 0 and not takes_from_tape(variable.initial):
        return [*statements[:start], *statements[start + 1 :]]
    constant = not any(_writes(statement, symbol) for statement in statements[start + 1 :])
    if sum(uses) == 1 and uses[0] == 1 and constant and not takes_from_tape(variable.initial):
        following = statements[start + 1]
        initial = variable.initial
        is_choice = isinstance(initial, Conditional)  # only as a whole value: a line of its own
        if isinstance(following, (ExprStatement, Declare)) and _is_simple_use(
            following, symbol, whole=is_choice
        ):

            def put(node: Node) -> Node | None:
                return initial if isinstance(node, VarRef) and node.symbol == symbol else None

            new = rewrite(following, put)
            return [*statements[:start], new, *statements[start + 2 :]]
    if constant and not variable.declared.startswith("const "):
        fixed = replace(variable, declared=f"const {variable.declared}")
        return [*statements[:start], Declare((fixed,)), *statements[start + 1 :]]
    return statements


def _is_simple_use(statement: Stmt, symbol: Symbol, *, whole: bool) -> bool:
    """Is the value all that is added or stored, or, unless it has to be the `whole`, a factor?"""
    match statement:
        case Declare(variables=(Variable(initial=Binary()),)) if whole:
            return False
        case ExprStatement(expr=Assign(value=Binary())) if whole:
            return False
        case ExprStatement(expr=Call(arguments=(_, Binary()))) if whole:
            return False
        case ExprStatement(expr=Assign(value=VarRef(symbol=used))):
            return used == symbol
        case ExprStatement(expr=Call(arguments=(_, VarRef(symbol=used)))):
            return used == symbol
        case ExprStatement(expr=Assign(value=Binary() as value)):
            return times_named(value, symbol) == 1 and _is_product(value)
        case Declare(variables=(Variable(initial=VarRef(symbol=used)),)):
            return used == symbol
        case Declare(variables=(Variable(initial=Binary() as value),)):
            return times_named(value, symbol) == 1 and _is_product(value)
        case ExprStatement(expr=Call(arguments=(_, Binary() as value))):
            return times_named(value, symbol) == 1 and _is_product(value)
        case _:
            return False


def _is_product(value: Expr) -> bool:
    return isinstance(value, Binary) and value.op in "*/"


def _writes(statement: Stmt, symbol: Symbol) -> bool:
    for node in walk(statement) if times_named(statement, symbol) else ():
        match node:
            case Assign(target=target) if times_named(target, symbol):
                return True
            case Exchange(result=result) if result == symbol:
                return True
            case Unary(op="&" | "++" | "--", operand=operand) if times_named(operand, symbol):
                return True
            case _:
                pass
    return False


def _only_variable(statement: Stmt) -> Variable | None:
    if isinstance(statement, Declare) and len(statement.variables) == 1:
        return statement.variables[0]
    return None
