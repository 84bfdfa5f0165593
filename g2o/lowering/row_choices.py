"""What all neighbours of a row choose alike is chosen once, in front of the row.

    for (int i = 0; i < n; ++i) {           int up = j == 0 ? m - 1 : j - 1;
        int up = j == 0 ? m - 1 : j - 1;    for (int i = 0; i < n; ++i)
        y[j * n + i] = x[up * n + i];   ->      y[j * n + i] = x[up * n + i];
    }

Compilers make two loops of one for such a choice, or no vectors. Legal because it is the same
number in each turn, which nothing changes, and can be computed where there is no turn.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.expressions import Form
from g2o.ir.statements import CountedLoop, Declare, For, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, walk
from g2o.lowering.context import LoweringContext
from g2o.lowering.in_place import with_loops_replaced
from g2o.lowering.index_arithmetic import is_int, may_trap
from g2o.lowering.index_sets import is_chosen
from g2o.lowering.indices import block_of
from g2o.lowering.merged_choices import with_choices_merged
from g2o.lowering.stride_loops import collapsed_loops


def with_row_choices(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements with such declarations in front of innermost loops over threads."""
    collapsed = collapsed_loops(statements)
    times = Counter(
        variable.symbol
        for statement in statements
        for node in walk(statement)
        if isinstance(node, Declare)
        for variable in node.variables
    )

    def replaced(loop: CountedLoop) -> tuple[Stmt, ...]:
        inner = any(isinstance(node, CountedLoop | For) for node in walk(loop.body))
        row = loop.index.storage is Storage.INDEX and not loop.directive.is_parallel
        if inner or not row or id(loop) in collapsed:
            return (loop,)
        return _apart(context, loop, times)

    return with_loops_replaced(statements, replaced)


def _apart(context: LoweringContext, loop: CountedLoop, times: Counter[Symbol]) -> tuple[Stmt, ...]:
    """The declarations of what the loop's turns choose alike, and the loop."""
    body = with_choices_merged(statements_of(loop.body), context.effects)
    effects = context.effects.within(loop.body)
    written = written_after_declaration(block_of(body), effects)
    changing = declared_in(loop.body) | effects.of(loop.body).writes | {loop.index}
    alike: dict[Symbol, Declare] = {}
    for statement in body:
        if isinstance(statement, Declare) and _is_alike(statement, effects, changing):
            symbol = statement.variables[0].symbol
            if symbol in written:
                continue
            alike[symbol] = statement
            changing -= {symbol}
    wanted: set[Symbol] = set()
    for symbol, declare in reversed(alike.items()):
        initial = declare.variables[0].initial
        if symbol in wanted or (initial is not None and is_chosen(initial)):
            wanted |= {symbol, *symbols_in(declare)}
    moved = [declare for symbol, declare in alike.items() if symbol in wanted]
    rest = tuple(one for one in body if one not in moved)
    if not moved or not rest:
        return (loop,)
    made = (*moved, replace(loop, body=block_of(rest), form=Form.BUILT))
    again = [one for one in wanted & alike.keys() if times[one] > 1]
    own = {one: context.symbols.fresh(one.name, one.type, one.storage) for one in again}
    return tuple(rename_symbols(one, own) for one in made) if own else made


def _is_alike(declare: Declare, effects: EffectsOf, changing: set[Symbol]) -> bool:
    """Does it give a number that is the same in all turns, and stays as it is?"""
    if len(declare.variables) != 1 or declare.variables[0].initial is None:
        return False
    (variable,) = declare.variables
    initial = variable.initial
    assert initial is not None
    found = effects.of(initial)
    plain = is_int(variable.symbol) and not variable.suffix and variable.declared != "auto"
    pure = found.is_pure and not found.memory_reads and not may_trap(initial)
    return plain and pure and not symbols_in(initial) & changing
