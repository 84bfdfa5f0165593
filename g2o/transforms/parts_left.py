"""What is left of statements that were taken apart: what somebody asks for, in the shortest way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from g2o.analysis.effects import declared_in, symbols_in
from g2o.ir.expressions import (
    Assign,
    Call,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    Exchange,
    ExprStatement,
    For,
    If,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children


def needed(statements: Sequence[Stmt], used: frozenset[Symbol]) -> list[Stmt]:
    """The statements without those that only make what nobody needs."""
    kept: list[Stmt] = []
    for one in reversed(statements):
        found = _needed_of(one, used)
        if found is not None:
            kept.insert(0, found)
            used |= symbols_in(found)
    return kept


def _needed_of(statement: Stmt, used: frozenset[Symbol]) -> Stmt | None:
    match statement:
        case Declare(variables=(Variable(symbol=symbol),)):
            return statement if symbol in used else None
        case Exchange(result=result):
            return statement if result in used else None
        case Block(statements=inner):
            kept = needed(inner, used)
            return replace(statement, statements=tuple(kept)) if kept else None
        case For(body=body):
            around = used.union(
                *(symbols_in(one) for one in children(statement) if one is not body)
            )
            inside = _used_in_loop(body, around)
            new = _needed_of(body, inside)
            return None if new is None else replace(statement, body=new)
        case If(then=then, otherwise=otherwise):
            one = _needed_of(then, used)
            other = None if otherwise is None else _needed_of(otherwise, used)
            if one is None and other is None:
                return None
            return replace(statement, then=one or Block(()), otherwise=other)
        case _:
            return statement


def assigned_at_once(statements: Sequence[Stmt], used: frozenset[Symbol]) -> list[Stmt]:
    """`m = fmaxf(m, v)` for `float nm = fmaxf(m, v); m = nm`, if that is all that `nm` is for."""
    made: list[Stmt] = []
    for at, one in enumerate(statements):
        before = made[-1] if made else None
        match one:
            case For(body=Block(statements=inner) as body):
                plain = assigned_at_once(inner, used)
                block = plain[0] if len(plain) == 1 else replace(body, statements=tuple(plain))
                made.append(replace(one, body=block))
                continue
            case ExprStatement(expr=Assign(op="=", target=target, value=value)):
                copied = strip_parens(value)
            case _:
                made.append(one)
                continue
        match before, copied:
            case Declare(variables=(Variable(symbol=symbol, initial=Call() as initial),)), VarRef(
                symbol=same
            ) if symbol == same and symbol not in used:
                later = any(symbol in symbols_in(other) for other in statements[at + 1 :])
                if not later and symbol.type.bits == target.type.bits:
                    update = Assign("=", target, initial, target.type)
                    made[-1] = ExprStatement(update, trivia=before.trivia)
                    continue
            case _:
                pass
        made.append(one)
    return made


def begun_late(first: Sequence[Stmt], second: Sequence[Stmt]) -> tuple[list[Stmt], list[Stmt]]:
    """Both parts, with declarations of the first that only the second asks for where it does."""
    kept, late = list(first), list(second)
    for one in first:
        if not isinstance(one, Declare):
            continue
        own = symbols_in(one)
        if any(own & symbols_in(other) for other in kept if other is not one):
            continue
        used = next((at for at, other in enumerate(late) if own & symbols_in(other)), None)
        if used is not None:
            kept = [other for other in kept if other is not one]
            late.insert(used, one)
    return kept, late


def _used_in_loop(body: Stmt, used: frozenset[Symbol]) -> frozenset[Symbol]:
    """What later iterations use, too: what is declared outside of the loop."""
    return used | (symbols_in(body) - declared_in(body))
