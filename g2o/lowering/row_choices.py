"""What all neighbours of a row choose alike is chosen once, in front of the row.

    for (int i = 0; i < n; ++i) {           int up = j == 0 ? m - 1 : j - 1;
        int up = j == 0 ? m - 1 : j - 1;    for (int i = 0; i < n; ++i)
        y[j * n + i] = x[up * n + i];   ->      y[j * n + i] = x[up * n + i];
    }

and `int up = c - (j == 0 ? 0 : n);` is `c - to_up`. Compilers make two loops of one for such a
choice, or no vectors: LLVM makes a choice of two sums of it again, of which it does not see that
neighbours have neighbouring ones (clang 19). Legal because it is the same
number in each turn, which nothing changes, and can be computed where there is no turn.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.value_types import value_type
from g2o.ir.bodies import with_bodies
from g2o.ir.expressions import Binary, Conditional, Expr, Form, VarRef, strip_parens
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    For,
    If,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import INT
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
        return _apart(context, loop, times, parts)

    parts: set[Symbol] = set()
    made = with_loops_replaced(statements, replaced)
    return _told_once(context, made, parts) if parts else made


def _told_once(
    context: LoweringContext, statements: tuple[Stmt, ...], parts: set[Symbol]
) -> tuple[Stmt, ...]:
    """The statements with one of these `parts` for those around it that are the same choice."""
    changing = context.effects.of(block_of(statements)).writes

    def within(inner: tuple[Stmt, ...], known: dict[Expr, Symbol]) -> tuple[Stmt, ...]:
        result: list[Stmt] = []
        same: dict[Symbol, Symbol] = {}
        for one in inner:
            made = rename_symbols(one, same) if same else one
            match made:
                case Declare(variables=(Variable(symbol=own, initial=value),)) if own in parts:
                    if value is not None and not symbols_in(value) & changing:
                        if value in known:
                            same[own] = known[value]
                            continue
                        known[value] = own
                case CountedLoop(body=body):
                    told = within(statements_of(body), dict(known))
                    if told != statements_of(body):
                        made = replace(made, body=block_of(told))
                case Block() | If() | For() | While() | DoWhile():
                    made = with_bodies(made, lambda body: within(body, dict(known)))
                case _:
                    pass
            result.append(made)
        return tuple(result)

    return within(statements, {})


def _apart(
    context: LoweringContext, loop: CountedLoop, times: Counter[Symbol], parts: set[Symbol]
) -> tuple[Stmt, ...]:
    """The declarations of what the loop's turns choose alike, and the loop. Of what numbers choose
    to add, `parts` become known."""
    body = with_choices_merged(statements_of(loop.body), context.effects)
    body = _with_parts_named(context, loop, body, parts)
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


def _with_parts_named(
    context: LoweringContext, loop: CountedLoop, body: tuple[Stmt, ...], parts: set[Symbol]
) -> tuple[Stmt, ...]:
    """The statements with names for what numbers alike choose to add to a number of their own."""
    changing = declared_in(loop) | context.effects.of(loop).writes | {loop.index}
    named: dict[Expr, Symbol] = {}
    result: list[Stmt] = []

    def replacement(node: Node, wish: str) -> Node | None:
        if not isinstance(node, Binary) or node.op not in ("+", "-"):
            return None
        chosen = strip_parens(node.right)
        if not isinstance(chosen, Conditional) or value_type(chosen) != INT:
            return None
        found = context.effects.of(chosen)
        alike = found.is_pure and not found.memory_reads and not symbols_in(chosen) & changing
        if not alike or may_trap(chosen) or not symbols_in(node.left) & changing:
            return None
        if chosen not in named:
            named[chosen] = context.symbols.fresh(wish, INT, Storage.LOCAL)
            result.append(Declare((Variable(named[chosen], "const int", "", chosen, "="),)))
        left = rewrite(node.left, lambda inner: replacement(inner, wish))
        return replace(node, left=left, right=VarRef(named[chosen]), form=Form.BUILT)

    for one in body:
        own = one.variables[0].symbol.name if isinstance(one, Declare) else ""
        wish = f"to_{own}" if own else "step"
        result.append(rewrite(one, lambda node, wish=wish: replacement(node, wish)))
    parts |= {*named.values()}
    return tuple(result) if named else body


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
