"""Variables of C's old style get the scopes in which they carry a value.

    int i;
    for (i = 0; i < n; i++) s[i] = x[i];         for (int i = 0; i < n; i++) s[i] = x[i];
    __syncthreads();                        ->   __syncthreads();
    for (i = 0; i < n; i++) y[i] = s[t];         for (int i = 0; i < n; i++) y[i] = s[t];

One variable that lives across a barrier, and would have to be kept for every thread, becomes
several that do not. An assignment becomes a declaration where no value of the variable leaves the
block that it stands in: what reads it can then only read what this assignment, or one behind it in
the block, has written. A second value in the block of the declaration gets a name of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.liveness import Liveness, liveness, reads
from g2o.analysis.memory import may_refer
from g2o.ir.expressions import Assign, Call, Code, Expr, Remote, Unary, VarRef, Verbatim
from g2o.ir.single_declarations import split_declarations
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    LocalFunction,
    Node,
    Stmt,
    Switch,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk, with_children
from g2o.ir.types import TypeKind
from g2o.lowering.indices import drop_declarations

_SCALARS = (
    TypeKind.INTEGER,
    TypeKind.FLOATING,
    TypeKind.BOOL,
    TypeKind.POINTER,
    TypeKind.DEPENDENT,
)


def declared_at_their_values(body: Block, effects: EffectsOf, symbols: SymbolTable) -> Block:
    """Integers are declared where they get their only value, or at the head of each of their loops:
    what they stand for is then known from there on. So are numbers in the branches that alone give
    them values: these branches have nothing to do with each other.

        int i, j, k;
        i = blockIdx.x * blockDim.x + threadIdx.x + 1;   ->   int i = blockIdx.x * ... + 1;
        for (k = 0; k < n; k++)                               for (int k = 0; k < n; k++)
    """
    heads = {id(node.initial) for node in walk(body) if isinstance(node, For)}
    counted = {id(node.increment) for node in walk(body) if isinstance(node, For)}
    values: dict[Symbol, int] = {}
    for node in _outside(body, counted):
        changed = effects.of(node).writes if isinstance(node, Call) else frozenset[Symbol]()
        for symbol in _assigned(node):
            values[symbol] = values.get(symbol, 0) + 1
        for symbol in changed:
            values[symbol] = 2
    for node in walk(body):
        if isinstance(node, ExprStatement) and id(node) in heads:
            for symbol in _assigned(node.expr):
                values[symbol] -= 1
    inside = _valued_in_branches(body, values)
    wanted = {
        variable.symbol
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.initial is None
        and (
            variable.symbol in inside
            if variable.symbol.type.kind is not TypeKind.INTEGER
            else values.get(variable.symbol, 2) <= 1 or variable.symbol in inside
        )
        and _is_plain(variable)
    }
    if not wanted:
        return body
    single = split_declarations(body, wanted)
    narrow = narrow_scopes(single, wanted, effects, symbols, {})
    return body if narrow is single else narrow


def _valued_in_branches(body: Block, values: Mapping[Symbol, int]) -> set[Symbol]:
    """Variables that only statements of blocks inside of that of their declaration give values, at
    most one of each block."""
    declared: dict[Symbol, Block] = {}
    given: dict[Symbol, list[int]] = {}
    for block in (node for node in walk(body) if isinstance(node, Block)):
        for statement in block.statements:
            match statement:
                case Declare(variables=variables):
                    declared.update((one.symbol, block) for one in variables)
                case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol))):
                    given.setdefault(symbol, []).append(id(block))
                case _:
                    pass
    return {
        symbol
        for symbol, blocks in given.items()
        if symbol in declared
        and len(set(blocks)) == len(blocks) == values.get(symbol, 0)
        and id(declared[symbol]) not in blocks
    }


def _outside(node: Node, left_out: set[int]) -> Iterator[Node]:
    if id(node) not in left_out:
        yield node
        for child in children(node):
            yield from _outside(child, left_out)


def _assigned(node: Node) -> Iterator[Symbol]:
    target = node.target if isinstance(node, Assign) else None
    if isinstance(node, Unary) and node.is_update:
        target = node.operand
    if isinstance(target, VarRef):
        yield target.symbol


def narrow_scopes(
    body: Block,
    wanted: set[Symbol],
    effects: EffectsOf,
    symbols: SymbolTable,
    origins: dict[Symbol, Symbol],
) -> Block:
    """Give the variables in `wanted` narrower scopes; the same object where nothing changes.

    `origins` learns of each new variable which one of the source it comes from. Variables of one
    origin never hold a value at the same time, and no other lane asks for it: what a shuffle reads
    may already have its next value in the lane that it is read from.
    """
    if any(isinstance(node, Jump) and node.kind is JumpKind.GOTO for node in walk(body)):
        return body
    declared = {
        node.variables[0].symbol: node.variables[0]
        for node in walk(body)
        if isinstance(node, Declare) and len(node.variables) == 1
    }
    hidden = _reached_otherwise(body, effects)
    candidates = {
        symbol: variable
        for symbol, variable in declared.items()
        if symbol in wanted and symbol not in hidden and _is_plain(variable)
    }
    if not candidates:
        return body
    exchanged = {
        symbol
        for node in walk(body)
        if isinstance(node, Exchange)
        for operand in node.operands
        for symbol in symbols_in(operand)
    }
    narrowing = _Narrowing(liveness(body), candidates, symbols, origins, exchanged)
    result = narrowing.statement(body)
    if not narrowing.changed:
        return body
    assert isinstance(result, Block)
    unused = {
        symbol
        for symbol, variable in candidates.items()
        if not _mentions(result, symbol)
        and (variable.initial is None or effects.is_pure(variable.initial))
    }
    return _without(result, unused)


def _is_plain(variable: Variable) -> bool:
    ctype = variable.symbol.type
    return (
        variable.symbol.storage is Storage.LOCAL
        and ctype.kind in _SCALARS
        and not ctype.is_volatile
        and not variable.suffix
        and "auto" not in variable.declared.split()
    )


def _reached_otherwise(body: Block, effects: EffectsOf) -> set[Symbol]:
    """Variables that more than plain references may read or write."""
    found: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Unary(op="&") | Verbatim(pure=False) | Code(pure=False) | Remote():
                found |= symbols_in(node)
            case Exchange(result=result):
                found.add(result)
            case LocalFunction() | Text():
                found |= symbols_in(node)
            case Call():
                found |= effects.of(node).writes
            case Declare(variables=variables):
                for variable in variables:
                    if variable.initial is not None and may_refer(variable.symbol.type):
                        found |= symbols_in(variable.initial)
            case _:
                pass
    return found


def _declares(node: Node, symbol: Symbol) -> bool:
    return any(
        variable.symbol == symbol
        for inner in walk(node)
        if isinstance(inner, Declare)
        for variable in inner.variables
    )


def _mentions(node: Node, symbol: Symbol) -> bool:
    return any(isinstance(inner, VarRef) and inner.symbol == symbol for inner in walk(node))


def _without(body: Block, unused: set[Symbol]) -> Block:
    if not unused:
        return body

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        kept = drop_declarations(node.statements, unused)
        inner = tuple(rewrite(statement, replacement) for statement in kept)
        same = len(inner) == len(node.statements) and all(
            new is old for new, old in zip(inner, node.statements, strict=True)
        )
        return node if same else Block(inner, trivia=node.trivia, span=node.span)

    result = replacement(body)
    assert isinstance(result, Block)
    return result


@final
class _Narrowing:
    """Rewrites a body from the inside out, so that a value gets the innermost scope it fits in."""

    def __init__(
        self,
        live: Liveness,
        candidates: dict[Symbol, Variable],
        symbols: SymbolTable,
        origins: dict[Symbol, Symbol],
        exchanged: set[Symbol],
    ) -> None:
        self.live = live
        self.exchanged = exchanged
        self.candidates = candidates
        self.symbols = symbols
        self.origins = origins
        self.changed = False

    def statement(self, statement: Stmt) -> Stmt:
        match statement:
            case Block():
                return self._block(statement)
            case For():
                return self._for(statement)
            case _:
                old = children(statement)
                new = tuple(self.statement(c) if isinstance(c, Stmt) else c for c in old)
                same = all(after is before for after, before in zip(new, old, strict=True))
                return statement if same else with_children(statement, new)

    def _for(self, loop: For) -> For:
        body = self.statement(loop.body)
        new = loop
        if body is not loop.body:
            parts = (loop.initial, loop.condition, loop.increment)
            new = For(*parts, body, trivia=loop.trivia, span=loop.span)
        assigned = self._assignment(loop.initial)
        if assigned is None or assigned[0] in self.live.after(loop):
            return new
        if reads(assigned[1], assigned[0]):
            return new
        symbol, declare = self._declaration(*assigned, keeps_name=True)
        condition = None if loop.condition is None else rename_symbols(loop.condition, symbol)
        increment = None if loop.increment is None else rename_symbols(loop.increment, symbol)
        inner = rename_symbols(new.body, symbol)
        return For(declare, condition, increment, inner, trivia=loop.trivia, span=loop.span)

    def _block(self, block: Block) -> Block:
        old = block.statements
        new = [self.statement(statement) for statement in old]
        heads: dict[int, list[Declare]] = {}
        if not any(isinstance(statement, Labelled) for statement in old):
            for position, statement in enumerate(old):
                self._assigned_in_block(block, position, statement, new)
            for symbol in self.candidates:
                self._given_in_branches(block, symbol, new, heads)
        if all(after is before for after, before in zip(new, old, strict=True)):
            return block
        made = tuple(one for place, each in enumerate(new) for one in (*heads.get(place, ()), each))
        return Block(made, directive=block.directive, trivia=block.trivia, span=block.span)

    def _assigned_in_block(
        self, block: Block, position: int, statement: Stmt, new: list[Stmt]
    ) -> None:
        """Turn the assignment at `position` into a declaration, where that is right."""
        assigned = self._assignment(new[position])  # of what others are called by now
        if assigned is None:
            return
        symbol, value = assigned
        if symbol in self.live.after(block) or self._leaves(block, position, symbol):
            return
        keeps_name = not reads(value, symbol) and self._is_first(new[:position], symbol)
        renamed, declare = self._declaration(*assigned, keeps_name)
        new[position] = replace(declare, trivia=statement.trivia)
        for later in range(position + 1, len(new)):
            new[later] = rename_symbols(new[later], renamed)

    def _given_in_branches(
        self, block: Block, symbol: Symbol, new: list[Stmt], heads: dict[int, list[Declare]]
    ) -> None:
        """Declare a variable in front of the first statement of a block that names it, a branch,
        where it has no value yet and none leaves the block."""
        position = next((p for p, one in enumerate(new) if _mentions(one, symbol)), None)
        if position is None or not isinstance(new[position], If | Switch):
            return
        if any(_declares(one, symbol) for one in new):
            return
        if symbol in self.live.at(block.statements[position]) | self.live.after(block):
            return
        if self._leaves(block, position - 1, symbol):
            return
        renamed, declare = self._declaration(symbol, None, keeps_name=False)
        for place in range(position, len(new)):
            new[place] = rename_symbols(new[place], renamed)
        heads.setdefault(position, []).append(declare)

    def _is_first(self, earlier: list[Stmt], symbol: Symbol) -> bool:
        """Is the variable declared further out, or right here but not used so far?

        Else another variable of its name cannot be declared here.
        """
        for place, statement in enumerate(earlier):
            if isinstance(statement, Declare) and statement.variables[0].symbol == symbol:
                initial = statement.variables[0].initial
                return initial is None and not any(
                    _mentions(between, symbol) for between in earlier[place + 1 :]
                )
        return True

    def _leaves(self, block: Block, position: int, symbol: Symbol) -> bool:
        """Is the value read where a `break` or `continue` behind the assignment leads?"""
        return any(
            symbol in self.live.after(jump)
            for statement in block.statements[position + 1 :]
            for jump in _escaping(statement, in_loop=False, in_switch=False)
        )

    def _assignment(self, statement: Stmt | None) -> tuple[Symbol, Expr] | None:
        match statement:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)) if (
                symbol in self.candidates
            ):
                return symbol, value
            case _:
                return None

    def _declaration(
        self, symbol: Symbol, value: Expr | None, keeps_name: bool
    ) -> tuple[dict[Symbol, Symbol], Declare]:
        self.changed = True
        variable = self.candidates[symbol]
        name = self.symbols.declare if keeps_name else self.symbols.fresh
        own = name(symbol.name, symbol.type, symbol.storage)
        own = replace(own, wish=symbol.wish or own.wish)
        if symbol not in self.exchanged:
            self.origins[own] = self.origins.get(symbol, symbol)
        style = "" if value is None else "="
        return {symbol: own}, Declare((Variable(own, variable.declared, "", value, style),))


def _escaping(statement: Stmt, *, in_loop: bool, in_switch: bool) -> Iterator[Jump]:
    """The `break` and `continue` statements that lead out of `statement`."""
    match statement:
        case Jump(kind=JumpKind.BREAK):
            if not in_loop and not in_switch:
                yield statement
        case Jump(kind=JumpKind.CONTINUE):
            if not in_loop:
                yield statement
        case For(body=body) | While(body=body) | DoWhile(body=body):
            for inner in statements_of(body):
                yield from _escaping(inner, in_loop=True, in_switch=in_switch)
        case Switch(body=body):
            for inner in statements_of(body):
                yield from _escaping(inner, in_loop=in_loop, in_switch=True)
        case _:
            for child in children(statement):
                if isinstance(child, Stmt):
                    yield from _escaping(child, in_loop=in_loop, in_switch=in_switch)
