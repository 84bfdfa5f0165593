"""Numbers that all threads step by the same amounts are a start of each thread, and one offset.

    int c = i + j * n;                          int c = i + j * n;
    int west = i > 0 ? c - 1 : c;               int west = i > 0 ? c - 1 : c;
    for (int k = 1; k < m; ++k) {        ->     std::ptrdiff_t offset = 0;
        c += layer;                             for (int k = 1; k < m; ++k) {
        west += layer;                              offset += layer;
        y[c] = x[west];                             y[c + offset] = x[west + offset];
    }                                           }

What a thread has of its own stays as it was, so that neighbours which go through the loop together
need no memory for it, and read what lies beside each other.

The same is done for what the threads of a block would have to keep over barriers: pointers, too.
Where another number starts at what the offset has come to, that gets a name of its own.

Legal where nothing but these steps changes the number, and all threads take them or none does. The
offset is wider than signed numbers, so that it holds whatever lies between two of them; those
without signs wrap around in both forms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Empty,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.indices import block_of
from g2o.lowering.intervals import waits

_WIDE = CType("std::ptrdiff_t", TypeKind.INTEGER, 64)
_ONE = Literal("1", 1, INT)

Step = tuple[str, Expr]
"""`+=` or `-=`, and how much."""
_Place = tuple[int, int]


def with_block_steps(body: Block, effects: EffectsOf, symbols: SymbolTable) -> Block:
    """The body of a kernel with barriers, with what its threads keep over these taken apart."""
    kept = _kept_over_barriers(body)
    if not kept:
        return body
    uniformity = solve_uniformity(body, Scope.BLOCK, effects, set())
    made = with_common_steps(body.statements, uniformity, effects, symbols, kept)
    return body if made is None else block_of(made)


def _kept_over_barriers(body: Block) -> set[Symbol]:
    """Variables of the kernel's outermost block that steps are taken of, and that are named in more
    than one of its barrier intervals."""
    stepped = {found[0] for node in walk(body) if (found := _step_in(node)) is not None}
    if not stepped:
        return stepped
    kept: set[Symbol] = set()
    number = 0
    named: dict[Symbol, int] = {}
    for statement in body.statements:
        around = waits(statement, Scope.BLOCK)
        for symbol in symbols_in(statement) & stepped:
            if around or named.setdefault(symbol, number) != number:
                kept.add(symbol)
        number += around
    return kept


def with_common_steps(
    body: tuple[Stmt, ...],
    uniformity: Uniformity,
    effects: EffectsOf,
    symbols: SymbolTable,
    kept: Collection[Symbol] | None = None,
) -> tuple[Stmt, ...] | None:
    """The body of a loop over threads, or for a block, with such numbers taken apart: of a block
    those that are `kept`. None where there are none."""
    if any(isinstance(node, Jump | Return) for node in walk(block_of(body))):
        return None  # some threads may leave a step out
    starts = {
        variable.symbol
        for statement in body
        if isinstance(statement, Declare)
        for variable in statement.variables
        if variable.initial is not None
        and (
            _is_wide_number(variable.symbol)
            if kept is None
            else variable.symbol in kept and _is_place(variable.symbol)
        )
    }
    whole = block_of(body)
    everywhere = [found for node in walk(whole) if (found := _step_in(node)) is not None]
    stepped = {symbol for symbol, _ in everywhere}
    taken: dict[Symbol, list[tuple[_Place, Step]]] = {}
    for place, symbol, step in _steps(whole, uniformity):
        steady = effects.is_pure(step[1]) and not symbols_in(step[1]) & stepped
        if symbol in starts and steady and not uniformity.is_uniform(VarRef(symbol)):
            taken.setdefault(symbol, []).append((place, step))
    written = written_after_declaration(rewrite(whole, _without_steps), effects)
    held = set[Symbol]().union(*map(_held_by, walk(whole)))
    groups: dict[tuple[object, ...], list[Symbol]] = {}
    for symbol, steps in taken.items():
        all_steps = sum(other == symbol for other, _ in everywhere)
        if symbol not in written | held and all_steps == len(steps):
            kind = (symbol.type.kind, symbol.type.is_signed, symbol.type.bits)
            groups.setdefault((*kind, *steps), []).append(symbol)
    if not groups:
        return None
    offsets: set[Symbol] = set()
    for group in groups.values():
        body = _apart(body, group, symbols, offsets)
    return body if kept is None else _starting_there(_in_step(body, offsets), offsets, symbols)


def _held_by(node: Node) -> set[Symbol]:
    """The variables that something else is a name of, or has inside."""
    match node:
        case Declare(variables=variables):
            initials = (
                one.initial
                for one in variables
                if not (one.symbol.type.is_arithmetic or one.symbol.type.kind is TypeKind.POINTER)
            )
            return {symbol for one in initials if one is not None for symbol in symbols_in(one)}
        case Unary(op="&") | Verbatim():
            return symbols_in(node)
        case _:
            return set()


def _is_wide_number(symbol: Symbol) -> bool:
    return symbol.type.kind is TypeKind.INTEGER and symbol.type.bits >= 32


def _is_place(symbol: Symbol) -> bool:
    return _is_wide_number(symbol) or symbol.type.kind is TypeKind.POINTER


def _step_in(statement: Node) -> tuple[Symbol, Step] | None:
    match statement:
        case ExprStatement(
            expr=Assign(op="+=" | "-=" as op, target=VarRef(symbol=symbol), value=value)
        ):
            return symbol, (op, value)
        case ExprStatement(expr=Unary(op="++" | "--" as op, operand=VarRef(symbol=symbol))):
            return symbol, (op[0] + "=", _ONE)
        case _:
            return None


def _steps(
    node: Node, uniformity: Uniformity, alike: bool = True
) -> Iterator[tuple[_Place, Symbol, Step]]:
    """Steps that all threads take or none does, each with the run of steps that it belongs to."""
    run = 0
    for place, child in enumerate(children(node)):
        found = _step_in(child)
        if found is None:
            inside = alike
            if isinstance(child, If | For | While | DoWhile):
                condition = child.condition
                inside = alike and condition is not None and uniformity.is_uniform(condition)
            yield from _steps(child, uniformity, inside)
            run = place + 1
        elif alike and isinstance(node, Block) and uniformity.is_uniform(found[1][1]):
            yield (id(node), run), *found


def _without_steps(node: Node) -> Node | None:
    return Empty() if _step_in(node) is not None else None


def _in_step(body: tuple[Stmt, ...], offsets: set[Symbol]) -> tuple[Stmt, ...]:
    """All threads go through the loops together in which they take steps."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, For | While | DoWhile) or waits(node, Scope.BLOCK):
            return None
        inner = rewrite(node.body, replacement)
        steps = any((found := _step_in(one)) and found[0] in offsets for one in walk(inner))
        if not steps:
            return None
        together = Block((*statements_of(inner), Barrier(Scope.BLOCK)))
        return replace(node, body=together, form=Form.BUILT)

    return tuple(rewrite(one, replacement) for one in body)


def _starting_there(
    body: tuple[Stmt, ...], offsets: set[Symbol], symbols: SymbolTable
) -> tuple[Stmt, ...]:
    """What offsets have come to where other variables of the block are declared, by a name."""
    new: list[Stmt] = []
    for statement in body:
        match statement:
            case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if (
                initial is not None and symbol not in offsets
            ):
                values: dict[Symbol, Symbol] = {}
                for offset in sorted(symbols_in(initial) & offsets, key=lambda one: one.id):
                    start = symbols.fresh("start", offset.type, Storage.LOCAL)
                    values[offset] = start
                    declared = f"const {offset.type.spelling}"
                    new.append(Declare((Variable(start, declared, "", VarRef(offset), "="),)))
                new.append(rename_symbols(statement, values) if values else statement)
            case _:
                new.append(statement)
    return tuple(new)


def _apart(
    body: tuple[Stmt, ...], group: list[Symbol], symbols: SymbolTable, offsets: set[Symbol]
) -> tuple[Stmt, ...]:
    """`body` with an offset for the `group`, from where the first step is taken."""
    first = group[0]
    is_pointer = first.type.kind is TypeKind.POINTER
    ctype = _WIDE if first.type.is_signed or is_pointer else first.type
    offset = VarRef(symbols.fresh("offset", ctype, Storage.LOCAL))
    offsets.add(offset.symbol)

    def moved(node: Node) -> Node | None:
        match node:
            case ExprStatement():
                step = _step_in(node)
                if step is None or step[0] not in group:
                    return None
                if step[0] != first:
                    return Empty(trivia=node.trivia)
                op, amount = step[1]
                return ExprStatement(Assign(op, offset, amount, ctype), trivia=node.trivia)
            case Unary(op="*", operand=VarRef(symbol=symbol)) if is_pointer and symbol in group:
                return Index(node.operand, offset, node.type)
            case Index(base=VarRef(symbol=symbol) as base, index=index) if (
                is_pointer and symbol in group
            ):
                place = Binary("+", rewrite(index, moved), offset, ctype)
                return Index(base, place, node.type)
            case Index(base=base, index=index, type=element) if not is_pointer:
                return Index(rewrite(base, moved), summed(index), element)
            case VarRef(symbol=symbol) if is_pointer and symbol in group:
                return Paren(Binary("+", node, offset, symbol.type), symbol.type)
            case VarRef(symbol=symbol) if symbol in group:
                return Cast(Binary("+", node, offset, ctype), symbol.type)
            case _:
                return None

    def summed(index: Expr) -> Expr:
        """In an index the sum may be as wide as it is."""
        match index:
            case VarRef(symbol=symbol) if symbol in group:
                return Binary("+", index, offset, ctype)
            case Binary(op="+" | "-", left=left, right=right):
                return Binary(index.op, summed(left), rewrite(right, moved), index.type)
            case _:
                return rewrite(index, moved)

    start = Variable(offset.symbol, ctype.spelling, "", Literal("0", 0, INT), "=")
    stepping = (
        place
        for place, statement in enumerate(body)
        if any((step := _step_in(node)) and step[0] in group for node in walk(statement))
    )
    begin = next(stepping)
    rest = (rewrite(statement, moved) for statement in body[begin:])
    return (*body[:begin], Declare((start,)), *rest)
