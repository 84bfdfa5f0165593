"""Loops over threads of which only the first turn does anything that shows.

    for (int warp = 0; warp < warps; ++warp) {     float sum[g2o::warp_size];
        float sum[g2o::warp_size];                 ...
        ...                                    ->  y[bx] = sum[0];
        if (warp == 0)
            y[bx] = sum[0];
    }

Legal because what the other turns compute stays in variables of the loop's body: nobody sees it. So
it is where all turns store the same number at the same place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.jumps import leaves_beyond
from g2o.analysis.own_memory import changed_beyond
from g2o.ir.comments import comments_of
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Form,
    Index,
    Literal,
    VarRef,
    integer_value,
    negated,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    If,
    Jump,
    JumpKind,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import substitute
from g2o.lowering.indices import block_of

_DECLARED = re.compile(
    r"[\w:<>*, ]+ \w+(?:(?:\[[\w: +*]*\])+(?: = \{\})?|\([\w., ]*\));"  # arrays
    r"|const int \w+ = std::min\([\w:, ]+\);"
)
_ZERO = Literal("0", 0, INT)
_PLAIN = (TypeKind.POINTER, TypeKind.DEPENDENT)


def alike_in_all_turns(loop: CountedLoop, effects: EffectsOf) -> bool:
    """Do all turns of the loop store the same at the same places?"""
    statements = statements_of(loop.body)
    done = effects.of_all(statements)
    if not statements or done.reads & done.writes:
        return False  # what is read may be what the turn before has stored
    return all(_is_stored_again(one, loop.index, effects) for one in statements)


def _is_stored_again(statement: Stmt, index: Symbol, effects: EffectsOf) -> bool:
    match statement:
        case ExprStatement(expr=Assign(op="=", target=target, value=value)):
            found = effects.of_all([value, *children(target)])
            plain = target.type.is_arithmetic or target.type.kind in _PLAIN
            same = plain and found.is_pure and not found.memory_reads
            return same and index not in symbols_in(statement) and not target.type.is_volatile
        case _:
            return False


def only_first_turn(loop: CountedLoop, effects: EffectsOf) -> Block | None:
    """What the first turn of `loop` does, where the others do nothing that shows; None where they
    may. The loop has to have a turn."""
    statements = _within_conditions(statements_of(loop.body))
    if any(leaves_beyond(statement, frozenset()) for statement in statements):
        return None
    others = _of_others(statements, loop.index)
    if others is None:
        return None
    if any(_is_opaque(node) for one in others for node in walk(one)):
        return None
    own = {symbol for statement in statements for symbol in declared_in(statement)}
    done = effects.of_all(others)
    if done.side_effects or changed_beyond(others, done, own):
        return None
    first = _of_first(statements, loop.index)
    return at_first(block_of(tuple(first)), loop.index, effects)


def _within_conditions(statements: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """`if (i >= n) continue; rest` is `if (i < n) { rest }`."""
    for place, one in enumerate(statements):
        match one:
            case If(condition=condition, then=then, otherwise=None, is_constexpr=False):
                rest = _within_conditions(statements[place + 1 :])
                match statements_of(then):
                    case (Jump(kind=JumpKind.CONTINUE) as jump,) if rest and not comments_of(jump):
                        inside = If(negated(condition), block_of(rest), None, trivia=one.trivia)
                        return (*statements[:place], inside)
                    case _:
                        pass
            case _:
                pass
    return tuple(statements)


def _of_others(statements: Sequence[Stmt], index: Symbol) -> list[Node] | None:
    """What turns behind the first do of them; None where no condition is for the first alone."""
    found: list[Node] = []
    for_first = False
    for one in statements:
        if _is_for_first(one, index):
            for_first = True
            continue
        inner = _of_others(statements_of(one.then), index) if _may_hold_first(one) else None
        if isinstance(one, If) and inner is not None:
            for_first = True
            found += [one.condition, *inner]
        else:
            found.append(one)
    return found if for_first else None


def _of_first(statements: Sequence[Stmt], index: Symbol) -> list[Stmt]:
    done: list[Stmt] = []
    for one in statements:
        if isinstance(one, If) and _is_for_first(one, index):
            done += _opened(one)
        elif _may_hold_first(one) and _of_others(statements_of(one.then), index) is not None:
            done.append(
                replace(one, then=block_of(tuple(_of_first(statements_of(one.then), index))))
            )
        else:
            done.append(one)
    return done


def _may_hold_first(statement: Stmt) -> TypeGuard[If]:
    return isinstance(statement, If) and statement.otherwise is None


def _is_opaque(node: Node) -> bool:
    """Text of the lowering does not say what it changes; what it declares is known."""
    match node:
        case Text(parts=parts):
            shown = "".join(part if isinstance(part, str) else "n" for part in parts)
            return _DECLARED.fullmatch(shown) is None
        case LocalFunction():
            return True
        case _:
            return False


def _opened(guarded: If) -> list[Stmt]:
    """What `guarded` does, with its comments."""
    then, trivia = guarded.then, guarded.trivia
    if isinstance(then, Block) and not _has_comment(then) and not trivia.after:
        inner = then.statements
        if inner and not any(isinstance(one, (Declare, Text)) for one in inner):
            head, *rest = inner
            before = (*trivia.before, *head.trivia.before)
            merged = replace(head.trivia, before=before, blank_line=trivia.blank_line)
            return [replace(head, trivia=merged), *rest]
    if isinstance(then, Block):
        return [replace(then, trivia=trivia)]
    return [
        Block((then,), trivia=trivia) if then.trivia != NO_TRIVIA else replace(then, trivia=trivia)
    ]


def _has_comment(block: Block) -> bool:
    return block.span is not None and any(mark in block.span.text for mark in ("//", "/*"))


def at_first(body: Block, index: Symbol, effects: EffectsOf) -> Block:
    """`body` where `index` is 0."""

    def named(node: Node) -> Node | None:
        return _named_by_source(node, effects)

    done = rewrite(rewrite(substitute(body, {index: _ZERO}), _without_zero), named)
    done = rewrite(done, lambda node: _without_first_index(node, effects))
    assert isinstance(done, Block)
    return replace(done, statements=tuple(map(_without_braces, done.statements)))


def _without_braces(statement: Stmt) -> Stmt:
    match statement:
        case Block(statements=(ExprStatement() as only,)) if statement.trivia == NO_TRIVIA:
            return only
        case _:
            return statement


def _without_first_index(node: Node, effects: EffectsOf) -> Node | None:
    """`{ const int tid = 0; x[tid] = y; }` is `x[0] = y;`."""
    match node:
        case Block(
            statements=(
                Declare(variables=(Variable(symbol=symbol, initial=initial),)) as declare,
                *rest,
            )
        ) if initial == _ZERO and declare.trivia == NO_TRIVIA:
            pass
        case _:
            return None
    if not rest or symbol in effects.of_all(rest).writes:
        return None

    def first(inner: Node) -> Node | None:
        if isinstance(inner, Index) and strip_parens(inner.index) == VarRef(symbol):
            return replace(inner, base=rewrite(inner.base, first), index=_ZERO, form=Form.BUILT)
        return None

    done = rewrite(Block(tuple(rest)), first)
    assert isinstance(done, Block)
    if symbol in symbols_in(done):
        return None
    match done.statements:
        case (ExprStatement(trivia=inner) as only,) if not node.trivia.after:
            before = (*node.trivia.before, *inner.before)
            return replace(only, trivia=replace(inner, before=before))
        case _:
            return replace(node, statements=done.statements, form=Form.BUILT)


def _named_by_source(node: Node, effects: EffectsOf) -> Node | None:
    """`for lane { const int tid = lane; ... }` is a loop over `tid`."""
    if not isinstance(node, CountedLoop):
        return None
    match statements_of(node.body):
        case (Declare(variables=(Variable(symbol=symbol, initial=VarRef(symbol=named)),)), *rest):
            if named != node.index or symbol.type.bits != named.type.bits:
                return None
            if symbol in effects.of_all(rest).writes:
                return None  # the loop would count otherwise
        case _:
            return None
    index = replace(symbol, type=named.type, storage=named.storage)
    values: dict[Symbol, Expr] = {symbol: VarRef(index), named: VarRef(index)}
    body = substitute(block_of(tuple(rest)), values)
    assert isinstance(body, Stmt)
    return replace(node, index=index, body=body)


def is_first(condition: Expr, index: Symbol) -> bool:
    """Is it `index == 0`?"""
    match strip_parens(condition):
        case Binary(op="==", left=VarRef(symbol=symbol), right=right):
            return symbol == index and integer_value(right) == 0
        case _:
            return False


def _is_for_first(statement: Stmt, index: Symbol) -> bool:
    return (
        isinstance(statement, If)
        and statement.otherwise is None
        and is_first(statement.condition, index)
    )


def _without_zero(node: Node) -> Node | None:
    """`0 * n` goes, and sums with it."""
    if isinstance(node, Declare) and node.form.value != "built":
        return None
    if not isinstance(node, Binary) or node.op not in ("+", "-", "*"):
        return None
    left, right = rewrite(node.left, _without_zero), rewrite(node.right, _without_zero)
    if node.op == "*" and _ZERO in (left, right):
        return _ZERO
    if node.op == "+" and left == _ZERO:
        return right
    if right == _ZERO:
        return left
    return None
