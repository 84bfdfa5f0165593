"""What all lanes of a warp have in common is computed once, and so is what all warps have.

    for (int warp = 0; warp < 4; ++warp) {          float sum[g2o::warp_size];
        float sum[g2o::warp_size], scale[...];      ... sum[0] ...
        ... sum[0] ...                              const float scale = 1.0f / sum[0];
        for (lane > 0)                              for (int warp = 0; warp < 4; ++warp) {
            sum[lane] = sum[0];                ->       for (lane)
        for (lane)                                          y[warp * 32 + lane] *= scale;
            scale[lane] = 1.0f / sum[lane];         }
        for (lane)
            y[warp * 32 + lane] *= scale[lane];
    }

Legal where elements are only read behind the loop that gives all of them one value; and, of the
first statements of a loop over warps, where they do not name the warp, change nothing but what they
declare, read nothing that the loop changes, and the loop has a turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.second_names import with_second_names
from g2o.ir.expressions import Assign, Binary, Expr, Form, Index, Literal, VarRef, integer_value
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Empty,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Stmt,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, TypeKind, constant
from g2o.lowering.indices import drop_declarations
from g2o.lowering.thread_group import LANES

_MOVABLE: Final = (Block, CountedLoop, Declare, Empty, ExprStatement, For, If)


def take_common_lanes(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """The statements with variables in place of arrays whose elements are all the same, and with
    what does not depend on the warp in front of the loops over warps."""
    held: set[Symbol] | None = None

    def replacement(node: Node) -> Node | None:
        nonlocal held
        if not isinstance(node, Block):
            return None
        if held is None:
            held = with_second_names(statements, effects)
        changed = _common(node.statements, held, effects)
        inner = tuple(rewrite(one, replacement) for one in changed)
        changed = tuple(one for each in inner for one in _hoisted(each, inner, held, effects))
        same = len(changed) == len(node.statements) and all(
            new is old for new, old in zip(changed, node.statements, strict=True)
        )
        if same:
            return node
        whole = replace(node, statements=changed, form=Form.BUILT)
        return replacement(whole)  # what stands in front of a loop may be common to its lanes

    return rewrite(Block(statements), replacement).statements


# -- lanes ---------------------------------------------------------------------------------------


def _common(
    statements: tuple[Stmt, ...], held: set[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...]:
    for place, statement in enumerate(statements):
        if not isinstance(statement, CountedLoop):
            continue
        before, behind = statements[:place], statements[place + 1 :]
        array = _spread_first(statement)
        if array is not None and _may_be_one(array, before, behind, held, effects):
            first = Index(VarRef(array), Literal("0", 0, INT), array.type.element or array.type)
            return _common((*before, *with_element(behind, array, first)), held, effects)
        for given in _given_to_all(statement):
            array, store = given.array, given.store
            rest = (*_without(statement, store), *behind)
            if not _may_be_one(array, before, rest, held, effects):
                continue
            if any(array in symbols_in(one) - declared_in(one) for one in before):
                continue
            if not _is_common(given, statement, rest[: len(rest) - len(behind)], held, effects):
                continue
            declared = declaration_of(array, before)
            assert declared is not None
            common = _variable_of(declared, given.value)
            alone = len(rest) == len(behind)
            told = (*(statement.trivia.before if alone else ()), *store.trivia.before)
            blank = alone and statement.trivia.blank_line
            declare = Declare((common,), trivia=Trivia(told, "", blank))
            rest = with_element(rest, array, VarRef(common.symbol))
            return _common((*drop_declarations(before, {array}), declare, *rest), held, effects)
    return statements


def _may_be_one(
    array: Symbol,
    before: tuple[Stmt, ...],
    behind: tuple[Stmt, ...],
    held: set[Symbol],
    effects: EffectsOf,
) -> bool:
    is_declared = declaration_of(array, before) is not None and array not in held
    return is_declared and is_only_read(array, behind, effects)


def _variable_of(declared: Variable, value: Expr) -> Variable:
    ctype = declared.symbol.type
    if ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        ctype = ctype.element
    common = replace(declared.symbol, type=replace(ctype, is_const=True), storage=Storage.BLOCK)
    return Variable(common, constant(declared.declared), "", value, "=")


def _spread_first(loop: CountedLoop) -> Symbol | None:
    """The array whose first element the loop gives to all others."""
    match statements_of(loop.body):
        case (
            ExprStatement(
                expr=Assign(
                    op="=",
                    target=Index(base=VarRef(symbol=array), index=VarRef(symbol=lane)),
                    value=Index(base=VarRef(symbol=source), index=first),
                )
            ),
        ) if array == source and lane == loop.index and array.storage is Storage.BLOCK:
            is_first = integer_value(first) == 0 and integer_value(loop.lower) == 1
            return array if is_first and _is_all(loop.upper) and loop.step is None else None
        case _:
            return None


@final
@dataclass(frozen=True, slots=True)
class _Given:
    """A store of `value` to the element of each lane, or of each thread, of an array; `indices`
    are what the element is told by."""

    array: Symbol
    store: ExprStatement
    value: Expr
    indices: frozenset[Symbol]


def _given_to_all(loop: CountedLoop) -> Iterator[_Given]:
    """The stores to all elements of arrays."""
    if integer_value(loop.lower) == 0 and _is_all(loop.upper) and loop.step is None:
        yield from _stores(statements_of(loop.body), loop.index, frozenset({loop.index}))
    if not has_turns(loop) or integer_value(loop.lower) != 0:
        return
    for inner in statements_of(loop.body):
        if not isinstance(inner, CountedLoop) or inner.step is not None:
            continue
        match statements_of(inner.body):
            case (Declare(variables=(thread,)), *rest) if (
                integer_value(inner.lower) == 0
                and inner.upper == LANES
                and start_of(thread, inner.index, loop.index) is not None
            ):
                indices = frozenset({loop.index, inner.index, thread.symbol})
                yield from _stores(rest, thread.symbol, indices)
            case _:
                pass


def _stores(
    statements: Iterable[Stmt], place: Symbol, indices: frozenset[Symbol]
) -> Iterator[_Given]:
    for statement in statements:
        match statement:
            case ExprStatement(
                expr=Assign(
                    op="=",
                    target=Index(base=VarRef(symbol=array), index=VarRef(symbol=index)),
                    value=value,
                )
            ) if index == place and array.storage is Storage.BLOCK:
                yield _Given(array, statement, value, indices)
            case _:
                pass


def _is_all(upper: Expr) -> bool:
    return upper == LANES or bool(integer_value(upper))


def _without(loop: CountedLoop, store: ExprStatement) -> tuple[Stmt, ...]:
    """The loop without a store, or nothing where that was all."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        kept = tuple(one for one in node.statements if one is not store)
        return None if len(kept) == len(node.statements) else replace(node, statements=kept)

    if statements_of(loop.body) == (store,):
        return ()
    body = rewrite(loop.body, replacement)
    return (replace(loop, body=body, form=Form.BUILT),)


def _is_common(
    given: _Given,
    loop: CountedLoop,
    rest: tuple[Stmt, ...],
    held: set[Symbol],
    effects: EffectsOf,
) -> bool:
    """Is the value the same in all turns of the loop, of which `rest` is what else it does?"""
    own = {one.index for one in walk(loop) if isinstance(one, CountedLoop)} | given.indices
    own |= declared_in(loop) | {given.array}
    value, others = effects.of(given.value), effects.of_all(list(rest))
    changed = others.writes | others.memory_writes
    if not value.is_pure or symbols_in(given.value) & (own | changed):
        return False
    if others.side_effects or any(isinstance(one, (Jump, Return)) for one in walk(loop)):
        return False
    reads_known = all(_is_of_block(one) and one not in held for one in value.memory_reads)
    return reads_known or all(_is_of_block(one) for one in changed if one not in own)


def start_of(variable: Variable, lane: Symbol, warp: Symbol) -> Expr | None:
    """The first thread of the warp, where the variable is the number of a thread of it."""
    match variable.initial:
        case Binary(op="+", left=start, right=VarRef(symbol=last)) if last == lane:
            return start if is_start(start, warp) else None
        case _:
            return None


def is_start(expr: Expr, warp: Symbol) -> bool:
    return expr == Binary("*", VarRef(warp), LANES, expr.type)


def declaration_of(array: Symbol, statements: Iterable[Stmt]) -> Variable | None:
    """The declaration of an array of lanes that have no values yet."""
    for statement in statements:
        for variable in statement.variables if isinstance(statement, Declare) else ():
            if variable.symbol == array:
                return variable if variable.initial is None and variable.suffix else None
    return None


def is_only_read(array: Symbol, statements: tuple[Stmt, ...], effects: EffectsOf) -> bool:
    """Do the statements read elements of the array, and nothing else of it?"""
    nodes = [node for statement in statements for node in walk(statement)]
    named = sum(isinstance(node, VarRef) and node.symbol == array for node in nodes)
    read = sum(isinstance(node, Index) and node.base == VarRef(array) for node in nodes)
    found = effects.of_all(list(statements))
    return named == read and array not in found.writes | found.memory_writes


def with_element(statements: tuple[Stmt, ...], array: Symbol, value: Expr) -> tuple[Stmt, ...]:
    def replacement(node: Node) -> Node | None:
        is_element = isinstance(node, Index) and node.base == VarRef(array)
        return value if is_element else None

    return tuple(
        statement
        if array not in symbols_in(statement)
        else rewrite(rewrite(statement, replacement), _without_unnamed_indices)
        for statement in statements
    )


def _without_unnamed_indices(node: Node) -> Node | None:
    """The numbers of threads that nobody asks for any more are gone."""
    if not isinstance(node, Block):
        return None
    named = {one.symbol for one in walk(node) if isinstance(one, VarRef)}
    unnamed = {
        symbol
        for statement in node.statements
        for symbol in _declared(statement)
        if symbol.storage is Storage.INDEX and symbol not in named
    }
    if not unnamed:
        return None
    kept = drop_declarations(node.statements, unnamed)
    inner = tuple(rewrite(statement, _without_unnamed_indices) for statement in kept)
    return replace(node, statements=inner, form=Form.BUILT)


# -- warps ---------------------------------------------------------------------------------------


def _hoisted(
    loop: Stmt, statements: tuple[Stmt, ...], held: set[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...]:
    """The loop behind those of its first statements that all turns have in common."""
    if not isinstance(loop, CountedLoop) or not has_turns(loop):
        return (loop,)
    body = statements_of(loop.body)
    count = _common_turns(loop.index, body, held, effects)
    first, rest = body[:count], body[count:]
    if not rest or not any(isinstance(one, (CountedLoop, For)) for one in first):
        return (loop,)
    names = {symbol.name for one in first for symbol in declared_in(one)}
    others = (symbols_in(one) for one in statements if one is not loop)
    shorter = replace(loop, body=Block(rest), form=Form.BUILT)
    first = (replace(first[0], trivia=_joined(loop.trivia, first[0].trivia)), *first[1:])
    moved = (*first, replace(shorter, trivia=Trivia()))
    clashes = any(symbol.name in names for symbols in others for symbol in symbols)
    return (Block(moved),) if clashes else moved


def _joined(one: Trivia, other: Trivia) -> Trivia:
    return Trivia((*one.before, *other.before), other.after, one.blank_line)


def has_turns(loop: CountedLoop) -> bool:
    lower, upper = integer_value(loop.lower), integer_value(loop.upper)
    return lower is not None and upper is not None and lower < upper and loop.step is None


def _common_turns(
    index: Symbol, body: tuple[Stmt, ...], held: set[Symbol], effects: EffectsOf
) -> int:
    """How many of the first statements of a loop do the same in all turns."""
    count, own = 0, set[Symbol]()
    while count < len(body) and index not in symbols_in(body[count]):
        own |= _declared(body[count])
        if not _may_move(body[count], own, held, effects):
            break
        count += 1
    while count > 0:
        first, rest = body[:count], effects.of_all(list(body[count:]))
        inner = {symbol for one in first for symbol in _inside(one)}
        named = {symbol for one in first for symbol in symbols_in(one)} - inner
        if not named & (rest.writes | rest.memory_writes):
            break
        count -= 1
    return count


def _may_move(statement: Stmt, own: set[Symbol], held: set[Symbol], effects: EffectsOf) -> bool:
    """Does it change only what is `own` or its own, and read nothing that a pointer may change?"""
    if not all(isinstance(node, (*_MOVABLE, Expr)) for node in walk(statement)):
        return False
    found, inside = effects.of(statement), own | _inside(statement)
    changed = found.writes | found.memory_writes
    reads_known = all(one in inside or _is_of_block(one) for one in found.memory_reads)
    known = not symbols_in(statement) & held
    return known and reads_known and not found.side_effects and not changed - inside


def _inside(statement: Stmt) -> set[Symbol]:
    """The variables that are gone behind the statement."""
    indices = {node.index for node in walk(statement) if isinstance(node, CountedLoop)}
    return indices | (declared_in(statement) - _declared(statement))


def _declared(statement: Stmt) -> set[Symbol]:
    if not isinstance(statement, Declare):
        return set()
    return {variable.symbol for variable in statement.variables}


def _is_of_block(symbol: Symbol | None) -> bool:
    """Is it memory that the block declares, which no pointer of the kernel leads to?"""
    return (
        symbol is not None
        and symbol.storage in (Storage.BLOCK, Storage.SHARED)
        and symbol.type.kind is not TypeKind.POINTER
        and not symbol.type.innermost.is_volatile
    )
