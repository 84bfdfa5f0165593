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

from collections.abc import Iterator, Set
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.loop_heads import step_of
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expr,
    Form,
    LaunchRef,
    Literal,
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
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind, unqualified


def counters_in_loops(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with such counters declared by the loops; the same object without."""
    body = kernel.body
    if not any(isinstance(node, While) for node in walk(body)):
        return kernel
    effects = functions.for_node(body)
    written = written_after_declaration(body, effects)
    symbols = SymbolTable(continued=kernel.function.symbols)
    for variable in [v for d in walk(body) if isinstance(d, Declare) for v in d.variables]:
        found = _resting(body, variable, written, effects)
        if found is not None:
            body = _in_loops(body, found, symbols)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


@final
@dataclass(frozen=True, slots=True)
class _Counter:
    """A register, its value outside of `loops`, and the statements that give it back."""

    variable: Variable
    start: Expr
    loops: list[While] = field(default_factory=list[While])
    resets: list[ExprStatement] = field(default_factory=list[ExprStatement])

    @property
    def symbol(self) -> Symbol:
        return self.variable.symbol


def _resting(
    body: Block, variable: Variable, written: Set[Symbol], effects: EffectsOf
) -> _Counter | None:
    """The counter that a declaration is of."""
    symbol, start = variable.symbol, variable.initial
    if start is None or variable.suffix or symbol not in written:
        return None
    if symbol.storage is not Storage.LOCAL or symbol.type.kind is not TypeKind.INTEGER:
        return None
    if symbol.type.is_volatile or not _is_fixed(start, written):
        return None
    counter = _Counter(variable, start)
    if not _collect(body, counter, last=True) or not counter.loops:
        return None
    steps = {id(loop.body.statements[-1]) for loop in counter.loops if isinstance(loop.body, Block)}
    known = steps | {id(one) for one in counter.resets}
    if any(symbol in effects.of(one).writes for one in _leaves(body, counter, known)):
        return None
    return counter if _is_plain(body, symbol) else None


def _is_fixed(start: Expr, written: Set[Symbol]) -> bool:
    """Is it a whole number that is the same everywhere, and short enough to be said again?"""
    parts = [node for node in walk(start) if not isinstance(node, Paren)]
    numbers = [node for node in parts if isinstance(node, VarRef)]
    plain = all(isinstance(one, VarRef | LaunchRef | Literal) for one in parts if one is not start)
    operation = isinstance(start, VarRef | LaunchRef | Literal | Binary | Unary | Paren | Cast)
    are_numbers = all(
        one.symbol.type.kind is TypeKind.INTEGER and one.symbol.storage is not Storage.SHARED
        for one in numbers
    )
    return plain and operation and are_numbers and not symbols_in(start) & written


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


def _leaves(body: Block, counter: _Counter, known: Set[int]) -> Iterator[Node]:
    """What writes variables, but for these statements and the declaration of the counter."""
    for node in walk(body):
        match node:
            case ExprStatement() | Return() | Exchange() if id(node) not in known:
                yield node
            case Declare(variables=variables):
                for one in variables:
                    if one is not counter.variable and one.initial is not None:
                        yield one.initial
            case If(condition=condition) | While(condition=condition) | Switch(condition=condition):
                yield condition
            case DoWhile(condition=condition):
                yield condition
            case For(condition=condition, increment=increment):
                yield from (one for one in (condition, increment) if one is not None)
            case _:
                pass


def _is_plain(body: Block, symbol: Symbol) -> bool:
    """Does nothing lead to the variable, and is nothing that names it text alone?"""
    for node in walk(body):
        match node:
            case Unary(op="&", operand=operand) if symbol in symbols_in(operand):
                return False
            case Verbatim() | Text() | LocalFunction() | Labelled():
                if symbol in symbols_in(node):
                    return False
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol.type.kind is not TypeKind.REFERENCE or one.initial is None:
                        continue
                    if symbol in symbols_in(one.initial):
                        return False
            case _:
                pass
    return True


def _in_loops(body: Block, counter: _Counter, symbols: SymbolTable) -> Block:
    loops = {id(one) for one in counter.loops}
    gone = {id(one) for one in counter.resets}
    value = counter.start if is_primary(counter.start) else Paren(counter.start, counter.start.type)
    own, other = counter.symbol.type, counter.start.type
    if unqualified(own) != unqualified(other):
        value = Cast(value, replace(own, spelling=unqualified(own)))

    def replacement(node: Node) -> Node | None:
        match node:
            case While() if id(node) in loops:
                return _as_for(node, counter, symbols)
            case ExprStatement(trivia=trivia) if id(node) in gone:
                return Empty(trivia=trivia)
            case Declare(variables=variables) if any(one is counter.variable for one in variables):
                others = tuple(one for one in variables if one is not counter.variable)
                left = replace(node, variables=others, form=Form.BUILT)
                return left if others else Empty(trivia=node.trivia)
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
    variable = replace(counter.variable, symbol=own, initial=counter.start, initial_style="=")
    head = Declare((variable,))
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
