"""Chunks of a range whose threads need not be told apart become the range.

    for (int base = 0; base < N; base += B)
        for (int tx = 0; tx < std::min(B, N - base); ++tx) {        for (int d = 0; d < N; ++d)
            int d = base + tx;                                ->        tile[ty][d] = row[d];
            tile[ty][d] = row[d];
        }

Legal because both run the body for the same values in the same order, where nothing but the
declaration names the chunk or the thread.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import Assign, Binary, Code, Literal, VarRef
from g2o.ir.statements import CountedLoop, Declare, For, Node, Stmt
from g2o.ir.symbols import Storage
from g2o.ir.traverse import rewrite
from g2o.lowering.indices import block_of
from g2o.lowering.stride_loops import is_same, jumps_out, stride_of


def join_chunks(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """Replace nests of a loop over chunks and one over their threads by single loops."""

    def replacement(node: Node) -> Node | None:
        return _joined(node, effects) if isinstance(node, For) else None

    return tuple(rewrite(statement, replacement) for statement in statements)


def _joined(loop: For, effects: EffectsOf) -> CountedLoop | None:
    inner = statements_of(loop.body)
    if len(inner) != 1 or not isinstance(inner[0], CountedLoop):
        return None
    (threads,) = inner
    match loop:
        case For(
            initial=Declare(variables=(chunk,)),
            condition=Binary(op="<", left=VarRef(symbol=base), right=end),
            increment=Assign() as increment,
        ) if chunk.symbol == base and chunk.initial is not None:
            pass
        case _:
            return None
    match threads:
        case CountedLoop(
            lower=Literal(value=0),
            upper=Code(
                parts=(str() as least, extent, _, Binary(op="-", left=limit, right=start), _)
            ),
            step=None,
        ) if least.startswith("std::min") and not isinstance(extent, str):
            pass
        case _:
            return None
    step = stride_of(increment, base)
    if limit != end or start != VarRef(base) or step is None or not is_same(step, extent):
        return None
    declare, *rest = statements_of(threads.body)
    match declare:
        case Declare(variables=(own,)) if own.initial is not None:
            index = own.symbol
        case _:
            return None
    sum_of = Binary("+", VarRef(base), VarRef(threads.index))
    if not isinstance(own.initial, Binary) or replace(own.initial, type=sum_of.type) != sum_of:
        return None
    body = block_of(tuple(rest))
    if symbols_in(body) & {base, threads.index} or jumps_out(body, continues=True):
        return None
    written = effects.of(body).writes
    if written & (symbols_in(end) | {index}) or index.type.bits != base.type.bits:
        return None
    unqualified = index.type.spelling.replace("const ", "")
    plain = replace(index, type=replace(index.type, spelling=unqualified), storage=Storage.LOCAL)
    return CountedLoop(plain, chunk.initial, end, body, trivia=loop.trivia)
