"""A variable that stands in for another one is that one: what is left of parameters of inlined
functions.

    float value = largest;                 for (...)
    for (...)                                  largest = fmaxf(largest, other);
        value = fmaxf(value, other);   ->
    largest = value;

Legal when nothing names the one while the other stands in for it, and nobody asks for the stand-in
afterwards. An integer that never changes stays one, as guards and places can rely on it. (Chaitin
et al., "Register allocation via coloring", 1981: coalescing.)
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.definitions import declared_once, written_after_declaration
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.liveness import Liveness, liveness
from g2o.analysis.memory import may_refer
from g2o.ir.expressions import Assign, Form, Unary, VarRef, strip_parens
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    DeclareTypes,
    Empty,
    ExprStatement,
    Jump,
    Labelled,
    Node,
    Return,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind


def coalesce_copies(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with such variables replaced by those that they stand in for."""
    if any(isinstance(node, Labelled) and _is_target(node) for node in walk(kernel.body)):
        return kernel
    effects = functions.for_node(kernel.body)
    pinned = _pinned(kernel.body) | _stepped_from_steady(kernel.body, effects)
    body, changed = kernel.body, True
    while changed:
        alive = liveness(body)
        new = rewrite(body, lambda node, alive=alive: _coalesced(node, alive, pinned))
        changed, body = new is not body, new
    if body is kernel.body:
        return kernel
    single = declared_once(body) - {one.name for one in kernel.function.parameters}
    changed = True
    while changed:
        new = rewrite(body, lambda node: _opened(node, single))
        changed, body = new is not body, new
    return replace(kernel, function=replace(kernel.function, body=body))


def _is_target(node: Labelled) -> bool:
    return node.value is None and node.label != "default"


def _pinned(body: Block) -> set[Symbol]:
    """Variables that something may reach without naming them."""
    found: set[Symbol] = set()
    for node in walk(body):
        if isinstance(node, Unary) and node.op == "&":
            found |= symbols_in(node)
        elif isinstance(node, Declare):
            for variable in node.variables:
                ctype = variable.symbol.type
                if ctype.kind is TypeKind.POINTER or may_refer(ctype):
                    found |= set() if variable.initial is None else symbols_in(variable.initial)
    return found


def _stepped_from_steady(body: Block, effects: EffectsOf) -> set[Symbol]:
    """Integers that change, and start as one that never does."""
    written = written_after_declaration(body, effects)
    copies = (copy for node in walk(body) if (copy := _copy(node)) is not None)
    return {
        stand_in
        for stand_in, original in copies
        if stand_in in written and original not in written
        if original.type.kind is TypeKind.INTEGER
    }


def _coalesced(node: Node, alive: Liveness, pinned: set[Symbol]) -> Block | None:
    """The block with its first copy gone; None where it has none."""
    if not isinstance(node, Block):
        return None
    statements = node.statements
    for position, statement in enumerate(statements):
        copy = _copy(statement)
        if copy is None or not pinned.isdisjoint(copy):
            continue
        stand_in, original = copy
        end = _end(statements, position, stand_in, original, alive)
        if end is None:
            continue
        inside = Block(statements[position + 1 : end])
        renamed = rename_symbols(inside, {stand_in: original}).statements
        new = (
            *statements[:position],
            *_comments(statement),
            *renamed,
            *(_comments(statements[end]) if end < len(statements) else ()),
            *statements[end + 1 :],
        )
        return replace(node, statements=new, form=Form.BUILT)
    return None


def _comments(gone: Stmt) -> tuple[Stmt, ...]:
    return (Empty(trivia=gone.trivia),) if gone.trivia.before else ()


def _copy(statement: Node) -> tuple[Symbol, Symbol] | None:
    """`type stand_in = original;`"""
    match statement:
        case Declare(variables=(Variable(symbol=symbol, initial=initial, extents=()),)) if (
            initial is not None
        ):
            source = strip_parens(initial)
            if isinstance(source, VarRef) and _interchangeable(symbol, source.symbol):
                return symbol, source.symbol
            return None
        case _:
            return None


def _interchangeable(one: Symbol, other: Symbol) -> bool:
    return (
        one.storage is other.storage is Storage.LOCAL
        and (one.type.is_arithmetic or one.type.kind is TypeKind.DEPENDENT)
        and one.type.spelling == other.type.spelling
        and not one.type.is_const
        and not one.type.is_volatile
    )


def _end(
    statements: tuple[Stmt, ...], position: int, stand_in: Symbol, original: Symbol, alive: Liveness
) -> int | None:
    """Where the stand-in's time ends: the statement that copies it back, or the end of the block if
    nobody asks for the original any more."""
    for later in range(position + 1, len(statements)):
        statement = statements[later]
        if _is_copy_back(statement, stand_in, original):
            behind = Block(statements[later + 1 :])
            return None if stand_in in symbols_in(behind) else later
        if original in symbols_in(statement) or _leaves(statement):
            return None
    if original in alive.after(statements[-1]) or statements[-1] is statements[position]:
        return None
    return len(statements)


def _is_copy_back(statement: Stmt, stand_in: Symbol, original: Symbol) -> bool:
    match statement:
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=value)):
            source = strip_parens(value)
            return target == original and isinstance(source, VarRef) and source.symbol == stand_in
        case _:
            return False


def _leaves(statement: Stmt) -> bool:
    return any(isinstance(node, (Jump, Return)) for node in walk(statement))


def _opened(node: Node, single: set[str]) -> Block | None:
    """The block without the braces that inlining has left around statements that declare nothing,
    or variables whose names nothing else has."""
    if not isinstance(node, Block) or not any(_is_bare(one, single) for one in node.statements):
        return None
    if any(isinstance(statement, Labelled) for statement in node.statements):
        return None  # a `case` further down would jump past the declarations
    result: list[Stmt] = []
    for statement in node.statements:
        if isinstance(statement, Block) and _is_bare(statement, single):
            result.extend(statement.statements)
        else:
            result.append(statement)
    return replace(node, statements=tuple(result), form=Form.BUILT)


def _is_bare(statement: Stmt, single: set[str]) -> bool:
    return (
        isinstance(statement, Block)
        and statement.form is Form.BUILT
        and not statement.trivia.before
        and all(_may_move_out(inner, single) for inner in statement.statements)
    )


def _may_move_out(statement: Stmt, single: set[str]) -> bool:
    """Is it no declaration, or one that means the same in the scope around?"""
    match statement:
        case DeclareTypes():
            return False
        case Declare(variables=variables):
            return all(
                variable.symbol.name in single and _is_plain(variable.symbol)
                for variable in variables
            )
        case _:
            return True


def _is_plain(symbol: Symbol) -> bool:
    """Does nothing run when the variable is made, or when it goes?"""
    ctype = symbol.type.innermost
    kinds = (TypeKind.POINTER, TypeKind.REFERENCE, TypeKind.DEPENDENT)
    return ctype.is_arithmetic or ctype.kind in kinds
