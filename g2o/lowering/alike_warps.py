"""Warps that all compute the same for their lanes: one of them is enough.

    float all[BLOCK];                                    float all[g2o::warp_size];
    for (int warp = 0; warp < 4; ++warp) {               for (lane)
        for (lane) {                                         all[lane] = part[lane];
            const int t = warp * 32 + lane;         ->   ... all[0] ...
            all[t] = part[lane];                         for (t)
        }                                                    y[t] *= all[0];
        ... all[t] = all[warp * 32];
    }
    for (t)
        y[t] *= all[t];

Legal where the number of the warp is only there to tell whose elements of the array those are, and
where the last that each warp does is to give all its elements the value of the first: then all
elements of the array have one value, and behind it they are only read.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.own_memory import changed_beyond
from g2o.analysis.second_names import with_second_names
from g2o.ir.expressions import Assign, Binary, Form, Index, Literal, VarRef, integer_value
from g2o.ir.statements import Block, CountedLoop, Declare, ExprStatement, For, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT
from g2o.lowering.common_lanes import (
    declaration_of,
    has_turns,
    is_only_read,
    start_of,
    with_element,
)
from g2o.lowering.indices import drop_declarations
from g2o.lowering.lane_trees import halving, lanes_below
from g2o.lowering.thread_group import LANES


def merge_alike_warps(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """The statements with one warp in place of warps that all do the same."""
    held: set[Symbol] | None = None

    def replacement(node: Node) -> Node | None:
        nonlocal held
        if not isinstance(node, Block) or not any(_gives_last(s) for s in node.statements):
            return None
        if held is None:
            held = with_second_names(statements, effects)
        changed = _merged(node.statements, held, effects)
        if changed is None:
            return None
        whole = replace(node, statements=changed, form=Form.BUILT)
        return replacement(whole) or whole

    return rewrite(Block(statements), replacement).statements


def _merged(
    statements: tuple[Stmt, ...], held: set[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...] | None:
    for place, loop in enumerate(statements):
        array = _gives_last(loop)
        if array is None or array in held or not isinstance(loop, CountedLoop):
            continue
        before, behind = statements[:place], statements[place + 1 :]
        declared = declaration_of(array, before)
        named_before = any(
            array in symbols_in(one) and not isinstance(one, Declare) for one in before
        )
        if declared is None or named_before or not is_only_read(array, behind, effects):
            continue
        body = _without_warp(statements_of(loop.body)[:-1], array, loop.index)
        if body is None:
            continue
        found = effects.of_all(list(body))
        own = {symbol for one in body for symbol in declared_in(one)} | {array}
        own |= {node.index for one in body for node in walk(one) if isinstance(node, CountedLoop)}
        if found.side_effects or changed_beyond(body, found, own):
            continue
        extents = (LANES,)
        smaller = replace(declared, suffix="[g2o::warp_size]", extents=extents, span=None)
        first = Index(VarRef(array), Literal("0", 0, INT), declared.symbol.type)
        kept = drop_declarations(before, {array})
        told = replace(body[0], trivia=loop.trivia) if loop.trivia.before else body[0]
        return (*kept, Declare((smaller,)), told, *body[1:], *with_element(behind, array, first))
    return None


def _gives_last(loop: Stmt) -> Symbol | None:
    """The array whose elements a warp makes the same at the end of its turn."""
    if not isinstance(loop, CountedLoop) or not has_turns(loop) or loop.pragma:
        return None
    last = statements_of(loop.body)[-1:]
    match last:
        case (CountedLoop(lower=lower, upper=upper, step=None, body=body) as lanes,) if (
            integer_value(lower) == 1 and upper == LANES
        ):
            pass
        case _:
            return None
    match statements_of(body):
        case (
            Declare(variables=(variable,)),
            ExprStatement(
                expr=Assign(
                    op="=",
                    target=Index(base=VarRef(symbol=array), index=VarRef(symbol=place)),
                    value=Index(base=VarRef(symbol=source), index=start),
                )
            ),
        ) if array == source and place == variable.symbol:
            found = start_of(variable, lanes.index, loop.index)
            return array if found is not None and found == start else None
        case _:
            return None


def _without_warp(body: tuple[Stmt, ...], array: Symbol, warp: Symbol) -> tuple[Stmt, ...] | None:
    """The statements with the lane in place of the thread; None where they need the warp."""
    found = tuple(_of_one_warp(statement, array, warp) for statement in body)
    return None if any(warp in symbols_in(one) for one in found) else found


def _of_one_warp(statement: Stmt, array: Symbol, warp: Symbol) -> Stmt:
    halves = halving(statement) if isinstance(statement, For) else None
    offset = halves.offset if halves is not None and halves.is_half(LANES) else None

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop):
            return None
        match statements_of(node.body):
            case (Declare(variables=(thread,)), *rest) if (
                start_of(thread, node.index, warp) is not None
            ):
                pass
            case _:
                return None
        lanes = [_with_lane(one, array, thread.symbol, node, offset) for one in rest]
        if any(thread.symbol in symbols_in(one) for one in lanes):
            return None
        return replace(node, body=Block(tuple(lanes)), form=Form.BUILT)

    return rewrite(statement, replacement)


def _with_lane(
    statement: Stmt, array: Symbol, thread: Symbol, loop: CountedLoop, offset: Symbol | None
) -> Stmt:
    """The elements of the lane, and of the one at the offset where that is in the same warp."""
    lane = VarRef(loop.index)

    def replacement(node: Node) -> Node | None:
        match node:
            case Index(base=VarRef(symbol=base), index=VarRef(symbol=index)) if (
                base == array and index == thread
            ):
                return replace(node, index=lane, form=Form.BUILT)
            case Index(
                base=VarRef(symbol=base),
                index=Binary(op="+", left=VarRef(symbol=index), right=VarRef(symbol=far)) as place,
            ) if base == array and index == thread and far == offset:
                if loop.upper != lanes_below(VarRef(far)):
                    return None
                partner = replace(place, left=lane, form=Form.BUILT)
                return replace(node, index=partner, form=Form.BUILT)
            case _:
                return None

    return rewrite(statement, replacement)
