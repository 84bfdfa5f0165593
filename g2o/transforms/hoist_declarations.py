"""What is the same for all threads of a loop is declared in front of it.

    for (int ty = 0; ty < 16; ++ty)             for (int ty = 0; ty < 16; ++ty) {
        for (int tx = 0; tx < 16; ++tx) {           float node = input[row + ty];
            float node = input[row + ty];   ->      for (int tx = 0; tx < 16; ++tx)
            w[ty][tx] = a[tx] * node;                   w[ty][tx] = a[tx] * node;
        }                                       }

Legal for arithmetic on numbers that the loop does not change and that cannot fail, wherever it
stands. What reads memory, or divides, is moved where some thread runs, as the ends of the loops
around tell, and where it stands behind no store, condition or jump: threads in a loop do not wait
for each other, and that all of them read before the first one stores is an order in which they may
run. Where something is stored at a place that is the same for all, threads may be telling each
other that they are done: those are left alone. So are loops whose iterations hand something on, as
running sums do, where what is read may be stored.

Where stores stand under conditions, what all threads read is read once even where it has no name:
compilers do not tell in front of a loop what such stores may change.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, root_symbol, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.jumps import leaves_beyond
from g2o.analysis.lvalues import goes_through_pointer
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    If,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import UNKNOWN, TypeKind, may_share_memory
from g2o.transforms.invariants import made_in, may_be_same
from g2o.transforms.new_names import NewNames, declaration_of
from g2o.transforms.thread_nests import Bounds

_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)
_LOCAL: Final = (Storage.LOCAL, Storage.INDEX, Storage.BLOCK, Storage.PARAMETER)

Statements = tuple[Stmt, ...]


def hoist_declarations(lowered: LoweredKernel, functions: FunctionTable) -> LoweredKernel:
    """Unchanged kernels stay as they are."""
    whole = Block(lowered.body)
    if any(isinstance(node, LocalFunction) for node in walk(whole)):
        return lowered
    effects = functions.for_node(whole)
    changing = written_after_declaration(whole, effects)
    bounds = Bounds.of(lowered, changing)
    hoister = _Hoister(effects, NewNames(lowered), changing, bounds.launch)
    # CUDA refuses launches without blocks or threads: programs go on, and nothing may have run.
    body = hoister.sequence(lowered.body, replace(bounds, launch=frozenset()))
    return lowered if body is lowered.body else replace(lowered, body=body)


@final
@dataclass(frozen=True, slots=True)
class _Hoister:
    """`changing` are the variables of the kernel that something other than their declaration
    writes. `launch` has sizes above zero once something runs."""

    effects: EffectsOf
    names: NewNames
    changing: set[Symbol]
    launch: frozenset[Symbol]

    def sequence(self, statements: Statements, bounds: Bounds) -> Statements:
        """Statements that stand in one scope."""
        made: list[Stmt] = []
        declared: dict[Expr, Symbol] = {}
        for statement in statements:
            rest = self._declared_again(statement, declared)
            if not isinstance(rest, CountedLoop):
                made.append(self._inside(rest, bounds))
                continue
            made += self._loop(rest, bounds)
            declared.update(self._numbers(made[:-1]))
        same = len(made) == len(statements) and all(map(operator.is_, made, statements))
        return statements if same else tuple(made)

    def _inside(self, statement: Stmt, bounds: Bounds) -> Stmt:
        def replacement(node: Node) -> Node | None:
            match node:
                case CountedLoop():
                    made = self._loop(node, bounds)
                    return made[0] if len(made) == 1 else Block(made)
                case Block(statements=statements):
                    made = self.sequence(statements, bounds)
                    same = made is statements
                    return node if same else replace(node, statements=made, form=Form.BUILT)
                case _:
                    return None

        return rewrite(statement, replacement)

    def _loop(self, loop: CountedLoop, bounds: Bounds) -> Statements:
        """The loop, behind what is the same in all its iterations."""
        nest = _collapsed(loop)
        if nest is None:
            return (loop,)
        runs = all(one.index.storage is Storage.INDEX for one in nest)
        inside = bounds
        for one in nest:
            runs = runs and inside.has_turn(one)
            inside = replace(inside.inside(one, self.changing), launch=self.launch)
        old = statements_of(nest[-1].body)
        body = self.sequence(old, inside)
        turn = _Turn(self.effects, self.names, nest, body, runs)
        turn.solve()
        if turn.rest is not None:
            body = turn.rest
        if body is old:
            return (loop,)
        made = replace(nest[-1], body=Block(body), form=Form.BUILT)
        for one in reversed(nest[:-1]):
            made = replace(one, body=Block((made,)), form=Form.BUILT)
        return (*turn.before, made)

    def _numbers(self, statements: list[Stmt]) -> Iterator[tuple[Expr, Symbol]]:
        """Declarations of what never changes, by what that is."""
        for one in statements:
            match one:
                case Declare(variables=(Variable(symbol=symbol, initial=initial),)):
                    if initial is None or not _is_arithmetic(initial):
                        continue
                    fixed = not (symbols_in(initial) | {symbol}) & self.changing
                    if fixed and symbol.storage is Storage.LOCAL:
                        yield initial, symbol
                case _:
                    pass

    def _declared_again(self, statement: Stmt, known: dict[Expr, Symbol]) -> Stmt:
        """The statement without declarations inside of it of what stands in front of it."""
        if not known or isinstance(statement, Declare):
            return statement
        inside = made_in(statement)
        again: dict[Symbol, Symbol] = {}
        nodes = list(walk(statement))
        others = self.changing | {node.index for node in nodes if isinstance(node, CountedLoop)}
        blocks = (node.statements for node in nodes if isinstance(node, Block))
        in_blocks = {id(one) for statements in blocks for one in statements}
        for declared in (node for node in nodes if isinstance(node, Declare)):
            match declared.variables:
                case (Variable(symbol=symbol, initial=initial),) if (
                    id(declared) in in_blocks
                    and initial in known
                    and known[initial].type == symbol.type
                    and not symbols_in(initial) & inside
                ):
                    again[symbol] = known[initial]
                case variables:
                    others.update(one.symbol for one in variables)
        for symbol in others & again.keys():
            del again[symbol]
        if not again:
            return statement

        def is_left(one: Stmt) -> bool:
            return not isinstance(one, Declare) or one.variables[0].symbol not in again

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, Block):
                return None
            kept = tuple(rewrite(one, replacement) for one in node.statements if is_left(one))
            return replace(node, statements=kept, form=Form.BUILT)

        return rename_symbols(rewrite(statement, replacement), again)


def _collapsed(loop: CountedLoop) -> list[CountedLoop] | None:
    """The loops that are one; None where something else stands between them."""
    nest = [loop]
    while len(nest) < loop.directive.collapse:
        inner = statements_of(nest[-1].body)
        if len(inner) != 1 or not isinstance(inner[0], CountedLoop):
            return None
        nest.append(inner[0])
    return nest


@final
@dataclass(slots=True)
class _Turn:
    """What one iteration of a nest of loops that are one reads and stores. `runs`: these are
    threads, one at least. `before` is what stands in front of them, `rest` what is left, if
    something else than `statements` is."""

    effects: EffectsOf
    names: NewNames
    nest: list[CountedLoop]
    statements: Statements
    runs: bool
    before: list[Declare] = field(default_factory=list[Declare])
    rest: Statements | None = None
    varying: set[Symbol] = field(default_factory=set[Symbol])
    own: set[Symbol] = field(default_factory=set[Symbol])
    stores: list[tuple[Expr, bool]] = field(default_factory=list[tuple[Expr, bool]])
    told: list[Expr] = field(default_factory=list[Expr])

    def solve(self) -> None:
        if any(isinstance(node, Text) for one in self.statements for node in walk(one)):
            return  # which may name anything
        body = Block(self.statements)
        found = self.effects.of(body)
        self.own = made_in(body) | {one.index for one in self.nest}
        numbers = {one for one in found.memory_writes if one and one.type.kind in _NUMBERS}
        self.varying = self.own | found.writes | numbers
        written = written_after_declaration(body, self.effects)
        is_innermost = not any(isinstance(node, CountedLoop) for node in walk(body))
        loads = self.runs and is_innermost and self._note(body, False)
        in_order = bool((found.writes | numbers) - self.own)  # what one leaves, the next one finds
        self.told = [
            place for place, _ in self.stores if in_order or not symbols_in(place) & self.varying
        ]
        results: dict[Expr, Symbol] = {}
        renamed: dict[Symbol, Symbol] = {}
        kept: list[Stmt] = []
        for statement in self.statements:
            values = self._values(statement)
            moves = self._is_alone(statement, written) and values is not None
            if moves and all(self._is_fixed(one, loads) for one in values or ()):
                self.before.append(self._moved(statement, renamed))
                continue
            kept.append(statement)
            if loads and values is not None and any(conditional for _, conditional in self.stores):
                for load in (one for value in values for one in self._loads(value)):
                    if load not in results and self._pays(load):
                        results[load] = self.names.value_of(load)
                        named = rename_symbols(load, renamed)
                        self.before.append(declaration_of(results[load], named))
            loads = loads and values is not None and not self._ends(statement)
        if self.before:
            put = (rewrite(one, lambda node: _result(node, results)) for one in kept)
            self.rest = tuple(rename_symbols(one, renamed) for one in put)

    def _moved(self, statement: Stmt, renamed: dict[Symbol, Symbol]) -> Declare:
        """The declaration, of a variable that there is once for all."""
        assert isinstance(statement, Declare)
        (variable,) = statement.variables
        self.varying.discard(variable.symbol)
        own = variable.symbol
        renamed[own] = self.names.again(own)
        made = rename_symbols(statement, renamed)
        trivia = replace(made.trivia, blank_line=False)
        return replace(made, trivia=trivia)

    def _note(self, node: Node, conditional: bool) -> bool:
        """Note what is stored; is all of that known?"""
        match node:
            case If(condition=condition, then=then, otherwise=otherwise):
                parts = (then,) if otherwise is None else (then, otherwise)
                known = self._note(condition, conditional)
                return known and all(self._note(one, True) for one in parts)
            case Verbatim():
                return False
            case Assign(target=target) | Unary(op="++" | "--", operand=target):
                self._store(target, conditional)
            case Call():
                found = self.effects.of(node)
                if found.memory_writes or found.side_effects:
                    if not node.name.startswith("atomic") or not node.arguments:
                        return False
                    pointer = node.arguments[0]
                    self._store(Unary("*", pointer, type=pointer.type.element or UNKNOWN), True)
            case _:
                pass
        return all(self._note(child, conditional) for child in children(node))

    def _store(self, target: Expr, conditional: bool) -> None:
        root = root_symbol(target)
        is_own = root in self.own and not goes_through_pointer(target)
        if not is_own and not isinstance(strip_parens(target), VarRef):
            self.stores.append((target, conditional))

    def _values(self, statement: Stmt) -> tuple[Expr, ...] | None:
        """What the statement computes in any case, in front of what it stores."""
        match statement:
            case Declare(variables=variables):
                values = tuple(one.initial for one in variables if one.initial is not None)
                plain = all(
                    one.symbol.type.kind in (*_NUMBERS, TypeKind.POINTER, TypeKind.DEPENDENT)
                    for one in variables
                )
                if not plain:
                    return None
            case ExprStatement(expr=Assign(target=target, value=value)):
                values = (value, *(one for one in children(target) if isinstance(one, Expr)))
            case If(condition=condition):
                values = (condition,)
            case _:
                return None
        return values if all(map(self.effects.is_pure, values)) else None

    def _ends(self, statement: Stmt) -> bool:
        """May what follows find something that was stored, or not be come to?"""
        found = self.effects.of(statement)
        stores = bool(found.memory_writes) or found.side_effects
        return stores or leaves_beyond(statement, frozenset())

    def _is_alone(self, statement: Stmt, written: set[Symbol]) -> bool:
        """Is it the declaration of one number, which keeps its value?"""
        match statement:
            case Declare(variables=(variable,)):
                symbol = variable.symbol
                plain = not variable.suffix and variable.declared not in ("", "auto")
                plain = plain and symbol.type.kind in _NUMBERS and variable.initial is not None
                plain = plain and not isinstance(variable.initial, Literal)
                plain = plain and symbol.storage is Storage.LOCAL and not symbol.type.is_volatile
                return plain and symbol not in written
            case _:
                return False

    def _loads(self, node: Node) -> Iterator[Expr]:
        """What evaluating it reads in any case at a place that is the same for all threads."""
        match node:
            case Binary(op="&&" | "||", left=left):
                yield from self._loads(left)
            case Conditional(condition=condition):
                yield from self._loads(condition)
            case Unary(op="&") | Verbatim():
                return
            case Index() | Unary(op="*") if node.type.kind in _NUMBERS and self._is_fixed(
                node, True
            ):
                yield node
            case Index(base=base, index=index):  # a row of an array is no number
                yield from self._loads(index)
                row = strip_parens(base)
                for child in children(row) if isinstance(row, Index) else (row,):
                    yield from self._loads(child)
            case _:
                for child in children(node):
                    yield from self._loads(child)

    def _is_fixed(self, expr: Expr, loads: bool) -> bool:
        """Is it the same for all threads, if they read before they store? `loads`: may it read, or
        divide?"""
        if not loads and not _is_arithmetic(expr):
            return False
        for node in walk(expr):
            match node:
                case VarRef(symbol=symbol):
                    if symbol in self.varying or symbol.type.is_volatile:
                        return False
                case Index() | Unary(op="*"):
                    if node.type.is_volatile or any(self._may_be(node, to) for to in self.told):
                        return False
                case Call() | Verbatim() | LaunchRef() | Code() | Assign():
                    return False
                case _:
                    pass
        return True

    def _pays(self, load: Expr) -> bool:
        """Might a compiler think that something which is stored under a condition changes it?"""
        return any(conditional and self._may_be(load, to) for to, conditional in self.stores)

    def _may_be(self, load: Expr, store: Expr) -> bool:
        same = may_be_same(root_symbol(load), root_symbol(store))
        return same and may_share_memory(load.type, store.type)


def _is_arithmetic(expr: Expr) -> bool:
    """Does it read no memory, and does nothing that may fail?"""
    return all(map(_is_safe, walk(expr)))


def _is_safe(node: Node) -> bool:
    match node:
        case VarRef(symbol=symbol):
            plain = symbol.type.kind in _NUMBERS or symbol.type.kind is TypeKind.RECORD
            return plain and symbol.storage in _LOCAL
        case Binary(op="/" | "%", right=right):
            return node.type.kind is TypeKind.FLOATING or bool(integer_value(right))
        case Unary(op=op):
            return op in ("+", "-", "~", "!")
        case Cast():
            return node.type.kind in _NUMBERS
        case Member(arrow=arrow):
            return not arrow and node.type.kind in _NUMBERS
        case Literal() | Binary() | Paren() | Conditional():
            return True
        case _:
            return False


def _result(node: Node, results: dict[Expr, Symbol]) -> Node | None:
    return VarRef(results[node]) if isinstance(node, Index | Unary) and node in results else None
