"""Counters that are back at their start whenever no loop steps them belong to the loops.

    int i = t;                              for (int i = t; i < n; i += N)
    while (i < n) {                             s[i] = x[i];
        s[i] = x[i];                        __syncthreads();
        i += N;                             for (int i = t; i < n; i += N)
    }                                           y[i] = s[n - 1 - i];
    i = t;                          ->
    __syncthreads();
    while (i < n) {
        y[i] = s[n - 1 - i];
        i += N;
    }

No thread keeps anything between such loops, which are then what everybody writes.

Legal where the start has the same value everywhere (nothing it is made of is assigned), nobody has
the address of the counter, it gets that value back at once behind each of the loops (or nothing
behind the last one names it), the step is the last statement of its loop, no `continue` skips it,
and nothing else assigns the counter another value. All uses outside of the loops mean the start.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import declared_in, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.loop_heads import step_of
from g2o.ir.expressions import (
    Assign,
    Expr,
    Form,
    LaunchRef,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    is_primary,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    Empty,
    ExprStatement,
    For,
    Jump,
    JumpKind,
    Labelled,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind


def counters_in_loops(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with such counters declared by the loops; the same object without."""
    body = kernel.body
    if not any(isinstance(node, While) for node in walk(body)):
        return kernel
    written = written_after_declaration(body, functions.for_node(body))
    symbols = SymbolTable(continued=kernel.function.symbols)
    for declare in [node for node in walk(body) if isinstance(node, Declare)]:
        found = _resting(body, declare, written)
        if found is not None:
            body = _in_loops(body, found, symbols)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


@final
@dataclass(frozen=True, slots=True)
class _Counter:
    """A register, its value outside of `loops`, and the statements that give it back."""

    symbol: Symbol
    declare: Declare
    start: Expr
    loops: list[While] = field(default_factory=list[While])
    resets: list[ExprStatement] = field(default_factory=list[ExprStatement])


def _resting(body: Block, declare: Declare, written: Set[Symbol]) -> _Counter | None:
    """The counter that a declaration is of."""
    match declare:
        case Declare(variables=(Variable(symbol=symbol, initial=start, suffix=""),)) if (
            start is not None
            and symbol in written
            and symbol.storage is Storage.LOCAL
            and symbol.type.kind is TypeKind.INTEGER
            and not symbol.type.is_volatile
            and _is_fixed(start, written)
        ):
            counter = _Counter(symbol, declare, start)
        case _:
            return None
    if not _collect(body, counter, last=True) or not counter.loops:
        return None
    steps = {id(loop.body.statements[-1]) for loop in counter.loops if isinstance(loop.body, Block)}
    known = steps | {id(one) for one in counter.resets}
    return counter if _only_these_write(body, symbol, known) else None


def _is_fixed(start: Expr, written: Set[Symbol]) -> bool:
    plain = (VarRef, LaunchRef, Paren)
    parts = list(walk(start))
    simple = all(isinstance(one, plain) or not children(one) for one in parts if one is not start)
    named = all(
        one.symbol.type.kind is TypeKind.INTEGER and one.symbol.storage is not Storage.SHARED
        for one in parts
        if isinstance(one, VarRef)
    )
    return simple and named and not isinstance(start, Assign) and not (symbols_in(start) & written)


def _collect(statement: Stmt, counter: _Counter, *, last: bool) -> bool:
    """Find the loops and resets of a statement; `last`: nothing behind it runs again or later.
    False where a loop leaves the counter elsewhere."""
    if not isinstance(statement, Block):
        inner = (child for child in children(statement) if isinstance(child, Stmt))
        return all(_collect(child, counter, last=False) for child in inner)
    statements = statement.statements
    for place, one in enumerate(statements):
        if isinstance(one, While) and _steps(one, counter.symbol):
            behind = statements[place + 1 :]
            is_reset = bool(behind) and _is_reset(behind[0], counter)
            unnamed = last and not any(counter.symbol in symbols_in(other) for other in behind)
            if not is_reset and not unnamed:
                return False
            counter.loops.append(one)
        elif _is_reset(one, counter):
            assert isinstance(one, ExprStatement)
            counter.resets.append(one)
        elif not _collect(one, counter, last=last and isinstance(one, Block)):
            return False
    return True


def _is_reset(statement: Stmt, counter: _Counter) -> bool:
    match statement:
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
            return symbol == counter.symbol and strip_parens(value) == strip_parens(counter.start)
        case _:
            return False


def _steps(loop: While, symbol: Symbol) -> bool:
    match loop.body:
        case Block(statements=(*work, ExprStatement(expr=step))) if step_of(step, symbol):
            pass
        case _:
            return False
    skipped = any(
        isinstance(node, Jump) and node.kind in (JumpKind.CONTINUE, JumpKind.GOTO)
        for one in work
        for node in walk(one)
    )
    return not skipped and not symbols_in(step) & declared_in(Block(tuple(work)))


def _only_these_write(body: Block, symbol: Symbol, known: set[int]) -> bool:
    """Is the variable changed by these statements alone, and seen by no one else?"""

    def is_kept(node: Node) -> bool:
        match node:
            case ExprStatement() if id(node) in known:
                return True
            case Assign(target=target) if symbol in symbols_in(target) and (
                strip_parens(target) == VarRef(symbol)
            ):
                return False
            case Unary(op="++" | "--" | "&", operand=operand) if symbol in symbols_in(operand):
                return False
            case Verbatim() | Text() | LocalFunction() | Labelled():
                return symbol not in symbols_in(node)
            case Declare(variables=variables) if any(
                one.symbol.type.kind is TypeKind.REFERENCE
                and one.initial is not None
                and symbol in symbols_in(one.initial)
                for one in variables
            ):
                return False
            case _:
                return all(is_kept(child) for child in children(node))

    return is_kept(body)


def _in_loops(body: Block, counter: _Counter, symbols: SymbolTable) -> Block:
    loops = {id(one) for one in counter.loops}
    gone = {id(one) for one in (counter.declare, *counter.resets)}
    value = counter.start if is_primary(counter.start) else Paren(counter.start, counter.start.type)

    def replacement(node: Node) -> Node | None:
        match node:
            case While() if id(node) in loops:
                return _as_for(node, counter, symbols)
            case ExprStatement(trivia=trivia) | Declare(trivia=trivia) if id(node) in gone:
                return Empty(trivia=trivia)
            case VarRef(symbol=symbol) if symbol == counter.symbol:
                return value
            case _:
                return None

    return rewrite(body, replacement)


def _as_for(loop: While, counter: _Counter, symbols: SymbolTable) -> For:
    """The loop with a counter of its own."""
    assert isinstance(loop.body, Block)
    *work, stepping = loop.body.statements
    assert isinstance(stepping, ExprStatement)
    own = symbols.fresh(counter.symbol.name, counter.symbol.type, Storage.LOCAL)
    (variable,) = counter.declare.variables
    head = Declare((replace(variable, symbol=own, initial=counter.start, initial_style="="),))
    told = [Empty(trivia=stepping.trivia)] if stepping.trivia.before else []
    inside = replace(loop.body, statements=(*work, *told), form=Form.BUILT)
    body = For(
        head,
        loop.condition,
        _step(stepping.expr, counter.symbol),
        inside,
        trivia=loop.trivia,
        span=loop.span,
    )
    return rename_symbols(body, {counter.symbol: own})


def _step(expr: Expr, symbol: Symbol) -> Expr:
    """The step by `+=` or `-=`."""
    found = step_of(expr, symbol)
    if found is None or not isinstance(expr, Assign) or expr.op != "=":
        return expr
    amount, falls = found
    return Assign("-=" if falls else "+=", VarRef(symbol), amount, symbol.type)
