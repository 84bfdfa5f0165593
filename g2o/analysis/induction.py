"""Variables that a loop advances by the same amount in every iteration."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import final

from g2o.analysis.effects import EffectsOf
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Expr,
    Literal,
    Paren,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    Jump,
    JumpKind,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, TypeKind


@final
@dataclass(frozen=True, slots=True)
class Induction:
    """`variable = variable op amount`, once an iteration; op is +, -, * or /."""

    op: str
    amount: Expr


def inductions(loop: For | While | DoWhile, effects: EffectsOf) -> dict[Symbol, Induction]:
    """The variables that one statement at the top of the body, or the increment, advances.

    The amount does not change in the loop. A `continue` may skip a statement of the body, so then
    only the increment counts.
    """
    candidates: list[Expr] = []
    if isinstance(loop, For) and loop.increment is not None:
        candidates.extend(_parts(loop.increment))
    skips = any(isinstance(node, Jump) and node.kind is not JumpKind.BREAK for node in walk(loop))
    if not skips:
        body = loop.body.statements if isinstance(loop.body, Block) else (loop.body,)
        candidates.extend(one.expr for one in body if isinstance(one, ExprStatement))
    written = _times_written(loop, effects)
    changed = effects.of(loop).writes
    found: dict[Symbol, Induction] = {}
    for candidate in candidates:
        found_step = advanced(candidate)
        if found_step is None:
            continue
        symbol, step = found_step
        needed = effects.of(step.amount)
        constant = not (needed.reads & changed) and not needed.memory_reads and needed.is_pure
        regular = symbol.type.kind is TypeKind.INTEGER and symbol.type.bits >= 32
        regular = regular and value_type(step.amount).kind is TypeKind.INTEGER
        falls = step.op == "-" and not symbol.type.is_signed
        if written[symbol] == 1 and constant and regular and not falls:
            found[symbol] = step
    return found


def _parts(increment: Expr) -> list[Expr]:
    match increment:
        case Binary(op=",", left=left, right=right):
            return [*_parts(left), *_parts(right)]
        case Paren(inner=inner):
            return _parts(inner)
        case _:
            return [increment]


def advanced(expr: Expr) -> tuple[Symbol, Induction] | None:
    """The variable that an expression advances, as a statement of its own would, and by what."""
    match expr:
        case Unary(op="++", operand=VarRef(symbol=symbol)):
            return symbol, Induction("+", Literal("1", 1, INT))
        case Unary(op="--", operand=VarRef(symbol=symbol)):
            return symbol, Induction("-", Literal("1", 1, INT))
        case Assign(op="+=" | "-=" | "*=" | "/=" as op, target=VarRef(symbol=symbol), value=value):
            return symbol, Induction(op[0], value)
        case Assign(op="<<=" | ">>=" as op, target=VarRef(symbol=symbol), value=value):
            return _shifted(symbol, "*" if op == "<<=" else "/", value)
        case Assign(op="=", target=VarRef(symbol=symbol), value=value):
            return _of_binary(symbol, value)
        case Paren(inner=inner):
            return advanced(inner)
        case _:
            return None


def _of_binary(symbol: Symbol, value: Expr) -> tuple[Symbol, Induction] | None:
    match value:
        case Paren(inner=inner):
            return _of_binary(symbol, inner)
        case Binary(op="+" | "-" | "*" | "/" as op, left=VarRef(symbol=left), right=right) if (
            left == symbol
        ):
            return symbol, Induction(op, right)
        case Binary(op="+" | "*" as op, left=left, right=VarRef(symbol=right)) if right == symbol:
            return symbol, Induction(op, left)
        case Binary(op="<<" | ">>" as op, left=VarRef(symbol=left), right=right) if left == symbol:
            return _shifted(symbol, "*" if op == "<<" else "/", right)
        case _:
            return None


def _shifted(symbol: Symbol, op: str, amount: Expr) -> tuple[Symbol, Induction] | None:
    if isinstance(amount, Literal) and amount.value is not None and 0 < amount.value < 16:
        factor = 2**amount.value
        return symbol, Induction(op, Literal(str(factor), factor, INT))
    return None


def _times_written(loop: For | While | DoWhile, effects: EffectsOf) -> Counter[Symbol]:
    """How many places of the loop write a variable; a declaration inside counts."""
    count: Counter[Symbol] = Counter()
    inside = [loop.body, loop.condition]
    if isinstance(loop, For):
        inside.append(loop.increment)
    for node in (inner for one in inside if one is not None for inner in walk(one)):
        match node:
            case Declare(variables=variables):
                count.update(variable.symbol for variable in variables)
                references = any(v.symbol.type.kind is TypeKind.REFERENCE for v in variables)
                if references:
                    count.update(effects.of(node).writes)
            case Exchange(result=result):
                count[result] += 1
            case Call() | Verbatim() | Code():
                count.update(effects.of(node).writes)
            case Assign(target=VarRef(symbol=symbol)):
                count[symbol] += 1
            case Unary(op="++" | "--" | "&", operand=VarRef(symbol=symbol)):
                count[symbol] += 1
            case _:
                pass
    return count
