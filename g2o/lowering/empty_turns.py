"""Turns of a loop in which the loop inside it has none, or some.

    for (int warp = 0; warp < 8; ++warp)
        for (int lane = 0; lane < std::min(32, 16 - warp * 32); ++lane)      only for warp 0
            ...

What bounds the inner loop falls by a number with every turn of the outer one: from some turn on
nothing is left of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import EffectsOf, statements_of
from g2o.analysis.loop_heads import start_of
from g2o.analysis.positions import minimum_of, polynomial_of
from g2o.ir.expressions import Binary, Code, Expr, Literal, Paren, VarRef, integer_value
from g2o.ir.statements import Block, CountedLoop, Declare, For, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import substitute
from g2o.lowering.thread_group import LANES
from g2o.polyhedral.polynomial import Polynomial

_LANES: Final = Literal("32", 32, INT)
_OF_SIGNED: Final = ("std::min(", "std::min<int>(")


def turns_with_work(loop: CountedLoop, effects: EffectsOf) -> int | None:
    """Behind how many turns of `loop`, from 0 on, the loops in it have no more; None where that is
    not known. Nothing else is done in it than to declare."""
    values: dict[Symbol, Expr] = {}
    last = 0
    for statement in statements_of(loop.body):
        match statement:
            case Declare(variables=variables) if _only_declares(statement, effects):
                for one in variables:
                    if one.initial is not None:
                        values[one.symbol] = substitute(one.initial, values)
            case CountedLoop(step=None, upper=upper) if integer_value(statement.lower) == 0:
                parts = parts_of(substitute(upper, values))
                found = [one for part in parts if (one := _last(part, loop.index)) is not None]
                if not found:
                    return None
                last = max(last, min(found))
            case _:
                return None
    return last


def has_a_turn(loop: For, threads: CountedLoop, limit: Expr, effects: EffectsOf) -> bool:
    """Has a loop of a thread a turn: by constants, or as it counts from 0 to what the index of the
    thread, from 0 on, is below as well? The loop over threads ends at `limit`."""
    turns = constant_turns(loop)
    if turns is not None:
        return len(turns.values) > 0
    begun = start_of(loop.initial)
    match loop.condition:
        case Binary(op="<", left=VarRef(symbol=compared), right=VarRef() as end) if (
            begun is not None and compared == begun[0]
        ):
            zero = integer_value(begun[1]) == 0 == integer_value(threads.lower)
            stays = end.symbol not in effects.of(threads.body).writes
            return zero and stays and end in parts_of(limit)
        case _:
            return False


def with_plain_ends(body: Block) -> Block:
    """The body of a loop in which loops end at what is declared for that alone, without a name."""
    values: dict[Symbol, Expr] = {}
    for one in body.statements:
        if isinstance(one, Declare) and len(one.variables) == 1:
            (variable,) = one.variables
            named = [n for s in body.statements for n in walk(s) if n == VarRef(variable.symbol)]
            ends = [n for s in body.statements if isinstance(s, CountedLoop) for n in walk(s.upper)]
            if variable.initial is not None and len(named) == ends.count(VarRef(variable.symbol)):
                values[variable.symbol] = substitute(variable.initial, values)
    kept: list[Stmt] = []
    for one in body.statements:
        if isinstance(one, CountedLoop):
            kept.append(replace(one, upper=substitute(one.upper, values)))
        elif not isinstance(one, Declare) or one.variables[0].symbol not in values:
            kept.append(one)
    return replace(body, statements=tuple(kept))


def _only_declares(statement: Declare, effects: EffectsOf) -> bool:
    found = effects.of(statement)
    return not (found.side_effects or found.memory_writes or found.memory_reads)


def parts_of(expr: Expr) -> Iterator[Expr]:
    """What a minimum of numbers with a sign is the least of, at any depth."""
    bare = expr
    while isinstance(bare, Paren):
        bare = bare.inner
    inner = minimum_of(bare) if _is_signed(bare) else []
    if not inner:
        yield expr
    for one in inner:
        yield from parts_of(one)


def _is_signed(least: Expr) -> bool:
    compares_others = isinstance(least, Code) and least.parts[0] not in _OF_SIGNED
    return not compares_others and least.type.kind is TypeKind.INTEGER and least.type.is_signed


def exceeds_by(one: Expr, other: Expr) -> int | None:
    """The constant by which one number exceeds the other."""
    first, second = _polynomial(one), _polynomial(other)
    return None if first is None or second is None else (first - second).value


def _polynomial(expr: Expr) -> Polynomial | None:
    """Of a number with a sign, without which there is nothing below 0."""
    signed = expr.type.kind is TypeKind.INTEGER and expr.type.is_signed
    return polynomial_of(rewrite(expr, _number_of_lanes), {}) if signed else None


def _number_of_lanes(node: Node) -> Node | None:
    return _LANES if node == LANES else None


def _last(bound: Expr, index: Symbol) -> int | None:
    """From which turn on `bound` is not above 0, if it falls by a number with each."""
    whole = _polynomial(bound)
    if whole is None or whole.names != frozenset((index.name,)) or not whole.is_affine:
        return None
    terms = dict(whole.terms)
    start, step = terms.get((), 0), -terms[(index.name,)]
    return max(-(-start // step), 0) if step > 0 else None
