"""Loops whose heads every thread has to follow by itself.

    int i;                                int i[N];
    for (i = 0; i < n; i++) {             each thread: i[t] = 0;
        s[t] += x[i];                ->   while (i[0] < n) {
        __syncthreads();                      each thread: s[t] += x[i[t]];
    }                                         each thread: i[t]++;
    y[t] = i;                             }

The loop stands outside of the loops over threads, and its condition is the same for all of them.
What it changes is not done there once, where threads keep a variable of the head each for itself.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.jumps import with_steps
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Expr, Form, Unary, VarRef, comma_operands
from g2o.ir.single_declarations import apart
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Node,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL
from g2o.lowering.intervals import waits
from g2o.lowering.varying_headers import split_initial, without_varying_header

Loop = For | While | DoWhile


def in_waiting_heads(body: Block, scope: Scope) -> set[Symbol]:
    """Variables in the heads of loops in which threads of `scope` wait for each other, and of
    conditions under which they do, or leave such a loop or its turn."""
    found: set[Symbol] = set()
    for node in walk(body):
        if isinstance(node, (For, While, DoWhile)) and waits(node, scope):
            for part in children(node):
                if part is not node.body:
                    found |= symbols_in(part)
            for inner in walk(node.body):
                if isinstance(inner, If) and (_leaves_turn(inner) or waits(inner, scope)):
                    found |= symbols_in(inner.condition)
    return found


def _leaves_turn(branch: If) -> bool:
    return any(
        isinstance(node, Jump) and node.kind in (JumpKind.BREAK, JumpKind.CONTINUE)
        for node in walk(branch)
    )


def with_own_heads(
    body: Block,
    loops: list[Loop],
    kept: set[Symbol],
    once: set[Symbol],
    effects: EffectsOf,
    symbols: SymbolTable,
) -> Block:
    """`body` where the heads of its waiting `loops` leave alone what threads have for themselves:
    the variables that are `kept` for each, or would have to be, for they are not set `once`."""
    declared = _declare_in_front(body, loops, once, effects)
    if declared is not body:
        return declared
    changing = [loop for loop in loops if _changes_in_head(loop, kept, effects)]
    return _move_heads_inside(body, changing, kept, effects, symbols) if changing else body


def _changes_in_head(loop: Loop, kept: set[Symbol], effects: EffectsOf) -> bool:
    """Does the head of the loop change a variable that each thread keeps for itself?"""
    parts: list[Node | None] = [loop.condition]
    if isinstance(loop, For):
        parts += [loop.initial, loop.increment]
    return any(part is not None and effects.of(part).writes & kept for part in parts)


def _declare_in_front(
    body: Block, loops: list[Loop], once: set[Symbol], effects: EffectsOf
) -> Block:
    """Variables of the heads of `loops` that threads change in the loop, each its own, are declared
    in front of it: in the head they would be one for all.

    for (int i = 0, j = 0; i < n; ++i) {        int j = 0;
        for (; j < i; ++j) s[t] += x[j];   ->   for (int i = 0; i < n; ++i) { ...
    """

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, For) or all(node is not one for one in loops):
            return None
        changed = effects.of(node.body).writes - once
        declared = declared_in(node.initial) if isinstance(node.initial, Declare) else set[Symbol]()
        if not declared & changed:
            return None
        fronts, initial = split_initial(node.initial, lambda symbol: symbol in changed)
        inside = rewrite(node.body, replacement)
        loop = replace(node, initial=initial, body=inside, trivia=NO_TRIVIA, form=Form.BUILT)
        first = replace(fronts[0], trivia=node.trivia)
        return Block((first, *fronts[1:], loop), span=node.span)

    return rewrite(body, replacement)


def _move_heads_inside(
    body: Block, loops: list[Loop], kept: set[Symbol], effects: EffectsOf, symbols: SymbolTable
) -> Block:
    """What the heads of `loops` change becomes statements, which every thread does: what they
    change of those that are `kept`, where that is not all."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, (For, While, DoWhile)) or all(node is not one for one in loops):
            return None
        inner = rewrite(node.body, replacement)
        if isinstance(node, For):
            counting = replace(node, body=inner, form=Form.BUILT)
            found = without_varying_header(counting, kept.__contains__)
            if found is not None and found[1].increment is not None:
                before, loop = found
                if not _changes_in_head(loop, kept, effects):
                    return Block((*before, loop), span=node.span) if before else loop
        return _opened(node, inner, effects, symbols)

    return rewrite(body, replacement)


def _opened(loop: Loop, body: Stmt, effects: EffectsOf, symbols: SymbolTable) -> Stmt:
    statements = list(statements_of(body))
    condition = loop.condition
    if isinstance(loop, For) and loop.increment is not None:
        steps = [ExprStatement(one) for one in comma_operands(loop.increment)]
        statements = [with_steps(statement, steps) for statement in statements]
        statements += steps
    if condition is not None and not effects.is_pure(condition):
        if isinstance(loop, DoWhile):
            raise refuse("G2O0203", "condition with an effect, of a loop with a barrier", loop.span)
        statements = [*_checked(condition, symbols), *statements]
        condition = None
    inside = Block(tuple(statements))
    if isinstance(loop, DoWhile):
        return loop
    always = For(None, None, None, inside, trivia=loop.trivia)
    opened = always if condition is None else While(condition, inside, trivia=loop.trivia)
    initial = loop.initial if isinstance(loop, For) else None
    return opened if initial is None else Block((*apart(initial), opened), span=loop.span)


def _checked(condition: Expr, symbols: SymbolTable) -> list[Stmt]:
    going = symbols.fresh("going", BOOL, Storage.LOCAL)
    declare = Declare((Variable(going, "bool", "", condition, "="),))
    return [declare, If(Unary("!", VarRef(going)), Jump(JumpKind.BREAK))]
