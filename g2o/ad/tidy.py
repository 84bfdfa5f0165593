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
    names_in,
    precision_of,
    takes_from_tape,
    times_named,
    with_shared_first,
)
from g2o.ad.increments import is_zero
from g2o.ad.line import Line
from g2o.ad.origins import find_origins
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
    negated,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite
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
    line = Line(_without_records_between(_set_at_once(statements, made)))
    for start, symbol in _declared(line, made):
        _copy(line, start, symbol, named)
    for start, symbol in _declared(line, made):
        _choose_at_once(line, start, symbol)
        start = _start_late(line, start, symbol)
        _drop_last_zero(line, symbol)
        _drop_return(line, start, symbol, named)
        _use_at_once(line, start, symbol)
        _put_in(line, start, symbol)
    for start, symbol in _declared(line, made):
        _copy(line, start, symbol, named)
    return list(line)


def _set_at_once(statements: list[Stmt], made: frozenset[Symbol]) -> list[Stmt]:
    """`d = 0; ...; d += x;` becomes `...; d = x;` where nothing between mentions `d`."""
    result: list[Stmt | None] = []
    last: dict[Symbol, int] = {}  # the statement that names a variable last
    wall = -1  # the last statement that is more than an expression or a declaration
    for position, statement in enumerate(statements):
        match statement:
            case ExprStatement(
                expr=Assign(op="+=" | "-=" as op, target=VarRef(symbol=symbol), value=value) as expr
            ) if symbol in made and not times_named(value, symbol):
                zero = last.get(symbol, -1)
                if zero > wall and _is_set_to_zero(result[zero], symbol):
                    result[zero] = None
                    new = Unary("-", value, type=value.type) if op == "-=" else value
                    statement = replace(statement, expr=replace(expr, op="=", value=new))
            case ExprStatement() | Declare():
                pass
            case _:
                wall = position
        result.append(statement)
        for symbol in names_in(statement):
            last[symbol] = position
    return [one for one in result if one is not None]


def _is_set_to_zero(statement: Stmt | None, symbol: Symbol) -> bool:
    match statement:
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=value)):
            return target == symbol and is_zero(value)
        case _:
            return False


def _without_records_between(statements: list[Stmt]) -> list[Stmt]:
    """`Pair a = {x, y}; Pair b = a;` becomes `Pair b = {x, y};` where nothing else mentions `a`.

    Inlining makes such variables. Compilers copy them through memory, and do not vectorise that.
    """
    named = {symbol: place for place, one in enumerate(statements) for symbol in names_in(one)}
    result: list[Stmt] = []
    for position, statement in enumerate(statements):
        last = _only_variable(result[-1]) if result else None
        own = _only_variable(statement)
        if last is None or own is None or not isinstance(own.initial, VarRef):
            result.append(statement)
            continue
        symbol = last.symbol
        alike = _is_record_of_numbers(symbol.type) and own.symbol.type == symbol.type
        local = symbol.storage is own.symbol.storage is Storage.LOCAL
        started = last.initial is not None and not last.extents and not last.suffix
        if not (alike and local and started and own.initial.symbol == symbol):
            result.append(statement)
            continue
        if named[symbol] > position:
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


def _drop_return(line: Line, start: int, symbol: Symbol, named: frozenset[Symbol]) -> None:
    """`const double d_v = d_w; ...; d_w = d_v;` where `d_w` is the same all the time: it stays."""
    variable = _only_variable(line[start])
    if variable is None or not isinstance(variable.initial, VarRef):
        return
    source = variable.initial.symbol
    if source in named:
        return
    if (
        precision_of(source.type) != precision_of(symbol.type)
        or source.storage is not Storage.LOCAL
    ):
        return
    writing = (line.first_writing(source, start), line.first_writing(symbol, start))
    ends = [one for one in (*writing, line.first_wall(start)) if one is not None]
    if not ends:
        return
    match line[min(ends)]:
        case ExprStatement(
            expr=Assign(op="=", target=VarRef(symbol=target), value=VarRef(symbol=value))
        ) if target == source and value == symbol:
            line.remove(min(ends))
        case _:
            pass


def _declared(line: Line, made: frozenset[Symbol]) -> list[tuple[int, Symbol]]:
    return [
        (number, variable.symbol)
        for number, statement in line.numbered()
        if isinstance(statement, Declare)
        for variable in statement.variables
        if variable.symbol in made and variable.symbol.type.kind is not TypeKind.ARRAY
    ]


def _start_late(line: Line, start: int, symbol: Symbol) -> int:
    """`T d = 0; ...; d += x;` becomes `...; T d = x;`. Returns where it is declared now."""
    variable = _only_variable(line[start])
    if variable is None or not is_zero(variable.initial):
        return start
    for first in line.naming(symbol, start)[:1]:
        match line[first]:
            case ExprStatement(
                expr=Assign(op="=" | "+=" | "-=" as op, target=VarRef(symbol=target), value=value)
            ) if target == symbol and not times_named(value, symbol):
                initial = Unary("-", value, type=value.type) if op == "-=" else value
                line.put(first, Declare((replace(variable, initial=initial),)))
                line.remove(start)
                return first
            case _:
                pass
    return start


def _choose_at_once(line: Line, start: int, symbol: Symbol) -> None:
    """`T d = 0; ...; if (c) d += x; else d += y;` becomes `...; d += c ? x : y;`, with 0 for what
    is not there."""
    variable = _only_variable(line[start])
    if variable is None or not is_zero(variable.initial):
        return
    for first in line.naming(symbol, start)[:1]:
        statement = line[first]
        if isinstance(statement, If) and not times_named(statement.condition, symbol):
            chosen = choice_of(statement, symbol)
            if chosen is not None:
                line.put(first, chosen)


def _drop_last_zero(line: Line, symbol: Symbol) -> None:
    """Nothing reads the shadow behind `d = 0`: it goes."""
    for last in line.naming(symbol)[-1:]:
        if _is_set_to_zero(line[last], symbol):
            line.remove(last)


def _copy(line: Line, start: int, symbol: Symbol, named: frozenset[Symbol]) -> None:
    """`const double d_v = d_w;` goes, `d_w` stands for it, where neither changes any more."""
    variable = _only_variable(line[start])
    if variable is None or not isinstance(variable.initial, VarRef):
        return
    source = variable.initial
    if source.symbol in named:
        return
    alike = precision_of(source.symbol.type) == precision_of(symbol.type)
    if not alike or source.symbol.storage not in (Storage.LOCAL, Storage.PARAMETER):
        return
    if any(line.first_writing(one, start) is not None for one in (symbol, source.symbol)):
        return

    def put(node: Node) -> Node | None:
        return source if isinstance(node, VarRef) and node.symbol == symbol else None

    for number in line.naming(symbol, start):
        line.put(number, rewrite(line[number], put))
    line.remove(start)


def _use_at_once(line: Line, start: int, symbol: Symbol) -> None:
    """The only use of a value comes before shadows of other places are set to 0."""
    uses, following = line.naming(symbol, start), line.following(start)
    if following is None or len(uses) != 1 or uses[0] == following:
        return
    use = line[uses[0]]
    used = symbols_in(use)
    if not isinstance(use, ExprStatement) or not all(_is_apart(one) for one in used):
        return
    between: int | None = following
    while between is not None and between != uses[0]:
        place = _place_set_to_zero(line[between])
        if place is None or place in used or not _is_apart(place):
            return
        between = line.following(between)
    line.bring_forward(uses[0], following)


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


def _put_in(line: Line, start: int, symbol: Symbol) -> None:
    """A value that only the next statement uses, once, goes there; one that nobody uses goes."""
    variable = _only_variable(line[start])
    if variable is None or variable.initial is None:
        return
    uses, following = line.naming(symbol, start), line.following(start)
    if not uses and not takes_from_tape(variable.initial):
        line.remove(start)
        return
    constant = line.first_writing(symbol, start) is None
    once = uses == [following] and line.times_named(uses[0], symbol) == 1
    if once and constant and not takes_from_tape(variable.initial):
        use, initial = line[uses[0]], variable.initial
        is_choice = isinstance(initial, Conditional)  # only as a whole value: a line of its own
        if isinstance(use, (ExprStatement, Declare)) and _is_simple_use(
            use, symbol, whole=is_choice
        ):

            def put(node: Node) -> Node | None:
                return initial if isinstance(node, VarRef) and node.symbol == symbol else None

            line.put(uses[0], rewrite(use, put))
            line.remove(start)
            return
    if constant and not variable.declared.startswith("const "):
        fixed = replace(variable, declared=f"const {variable.declared}")
        line.put(start, Declare((fixed,)))


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


def _only_variable(statement: Stmt) -> Variable | None:
    if isinstance(statement, Declare) and len(statement.variables) == 1:
        return statement.variables[0]
    return None
