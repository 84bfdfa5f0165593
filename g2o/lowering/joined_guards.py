"""Statements that the same threads do one after the other stand under one condition.

    if (active[lane])                             if (active[lane]) {
        a[lane] = q[i];                               a[lane] = q[i];
    float d;                             ->           float d = a[lane] * 2.0f;
    if (active[lane])                                 ...
        d = a[lane] * 2.0f;                       }
    ...

Predication asks for each statement anew, and so do programs that say where something belongs. Legal
because none of the statements changes the condition, which has no effects and reads no memory but
flags of lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.pointer_roots import hidden_variables
from g2o.ir.comments import around_both
from g2o.ir.expressions import Assign, Call, Expr, Form, Index, VarRef
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    Empty,
    ExprStatement,
    If,
    Jump,
    Labelled,
    Node,
    Return,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite_statements, walk
from g2o.ir.types import TypeKind

_NOT_PLAIN = (TypeKind.REFERENCE, TypeKind.ARRAY)


def join_guards(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """Put neighbours under the same condition under one."""
    hidden = {symbol for one in statements for symbol in hidden_variables(one)}
    return _joined_within(statements, effects, hidden)


def _joined_within(
    statements: tuple[Stmt, ...], effects: EffectsOf, hidden: set[Symbol]
) -> tuple[Stmt, ...]:
    def in_block(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        inner = _joined_within(node.statements, effects, hidden)
        return (
            node if inner is node.statements else replace(node, statements=inner, form=Form.BUILT)
        )

    new = tuple(rewrite_statements(one, in_block) for one in statements)
    joined = _sequence(new, effects, hidden)
    same = len(joined) == len(statements) and all(
        after is before for after, before in zip(joined, statements, strict=True)
    )
    return statements if same else tuple(joined)


def _sequence(statements: tuple[Stmt, ...], effects: EffectsOf, hidden: set[Symbol]) -> list[Stmt]:
    result: list[Stmt] = []
    position = 0
    while position < len(statements):
        first = statements[position]
        asked = _condition(first, effects, hidden)
        end = position + 1
        if asked is not None:
            end = _end(statements, position, asked, effects, hidden)
        members = statements[position:end]
        if len(members) == 1:
            result.append(first)
        else:
            assert isinstance(first, If)
            early = _trailing_declarations(result)
            del result[len(result) - len(early) :]
            outside, inside = _joined((*early, *members), statements[end:])
            result += [*outside, replace(first, then=Block(inside), form=Form.BUILT)]
        position = end
    return result


def _condition(statement: Stmt, effects: EffectsOf, hidden: set[Symbol]) -> Expr | None:
    """That of a statement without an alternative, where it only looks at variables, and arrays of
    flags, that nothing but their names leads to."""
    match statement:
        case If(condition=condition, otherwise=None, is_constexpr=False):
            pass
        case _:
            return None
    found = effects.of(condition)
    flags = {one.symbol for node in walk(condition) if (one := _flags_of(node)) is not None}
    if not found.is_pure or found.memory_reads - flags or found.reads & hidden:
        return None
    return None if any(isinstance(node, Call) for node in walk(condition)) else condition


def _flags_of(node: Node) -> VarRef | None:
    """An array of the lanes' flags, which no pointer of the program leads to."""
    match node:
        case Index(base=VarRef(symbol=symbol) as array, index=VarRef()):
            return array if symbol.storage is Storage.BLOCK else None
        case _:
            return None


def _end(
    statements: Sequence[Stmt], start: int, asked: Expr, effects: EffectsOf, hidden: set[Symbol]
) -> int:
    """Behind the last neighbour that stands under the same condition."""
    named, end = symbols_in(asked), start + 1
    declared: set[str] = set()
    for position in range(start, len(statements)):
        statement = statements[position]
        if position > start and _is_plain(statement):
            continue
        if _condition(statement, effects, hidden) != asked:
            break
        own = _names_declared_in(statement)
        if own & declared:
            break  # two scopes that had better stay two
        declared |= own
        end = position + 1
        done = effects.of(statement)
        leaves = any(isinstance(node, (Jump, Return, Labelled)) for node in walk(statement))
        if leaves or (done.writes | done.memory_writes) & named:
            break
    return end


def _names_declared_in(guarded: Stmt) -> set[str]:
    """The names that what stands under a condition declares for all of it."""
    inner = statements_of(guarded.then) if isinstance(guarded, If) else ()
    declares = (one for one in inner if isinstance(one, Declare))
    return {variable.symbol.name for one in declares for variable in one.variables}


def _is_plain(statement: Stmt) -> bool:
    """Does it declare a variable without a value?"""
    match statement:
        case Declare(variables=(Variable(initial=None, suffix="") as variable,)):
            return variable.symbol.type.kind not in _NOT_PLAIN and statement.trivia == NO_TRIVIA
        case _:
            return False


def _trailing_declarations(statements: list[Stmt]) -> list[Stmt]:
    begin = len(statements)
    while begin and _is_plain(statements[begin - 1]):
        begin -= 1
    return statements[begin:]


def _joined(members: Sequence[Stmt], behind: Sequence[Stmt]) -> tuple[list[Stmt], tuple[Stmt, ...]]:
    """What stands in front of the condition and what under it."""
    later = {symbol for statement in behind for symbol in symbols_in(statement)}
    outside: list[Stmt] = []
    inside: list[Stmt] = []
    own: list[Variable] = []
    for member in members:
        if isinstance(member, If):
            first, *rest = statements_of(member.then) or (Empty(),)
            if inside:
                first = replace(first, trivia=around_both(member.trivia, first.trivia))
            inside += [first, *rest]
        elif isinstance(member, Declare) and member.variables[0].symbol not in later:
            own.append(member.variables[0])
        else:
            outside.append(member)
    for variable in reversed(own):
        inside = _with_declaration(inside, variable)
    return outside, tuple(inside)


def _with_declaration(statements: list[Stmt], variable: Variable) -> list[Stmt]:
    """The declaration stands where the variable gets its first value."""
    symbol = variable.symbol
    for position, statement in enumerate(statements):
        if symbol not in symbols_in(statement):
            continue
        match statement:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=value)):
                is_first = target == symbol and symbol not in symbols_in(value)
            case _:
                is_first, value = False, None
        before, after = statements[:position], statements[position + 1 :]
        if is_first:
            first = Declare((replace(variable, initial=value, initial_style="="),))
            return [*before, first, *after]
        return [*before, Declare((variable,)), *statements[position:]]
    return statements
