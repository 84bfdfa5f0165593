"""Arrays of a C function from the heap, declared where `given_arrays.py` looks for them: in the
outermost braces, with what allocates them.

    double *w;                               double *w = malloc(n * sizeof(double));
    w = malloc(n * sizeof(double));          double *v = malloc(n * sizeof(double));
    for (int t = 0; t < steps; ++t) {        for (int t = 0; t < steps; ++t) {
        double *v;                    ->
        v = malloc(n * sizeof(double));          ...
        ...                                  }
        free(v);                             free(v);
    }

What a function that is inlined gives back is known by one name: `double *b; ... b = out;`.
Braces that only stand in a sequence go. Out of loops and branches, and in front of returns, goes
what has one size at every time: that of parameters that nothing changes, or of variables that are
there in front of the outermost loop or branch, which does not change them. Nobody reads what such
an array begins with. Pointers that lead elsewhere later lead to one that stays at first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import is_
from typing import Final, final

from g2o.analysis.allocations import ALLOCATING
from g2o.analysis.copied_elements import copied_count, counter_type
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.value_types import value_type
from g2o.ir.directives import NO_DIRECTIVE
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    is_variable,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import (
    Block,
    Declare,
    Empty,
    ExprStatement,
    For,
    Node,
    Return,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL, INT, VOID, TypeKind, unqualified
from g2o.transforms.dead_nulls import is_null, without_dead_nulls
from g2o.transforms.given_arrays import heap_bytes, is_moved, pointer_of, with_plain_size
from g2o.transforms.heap_sizes import Around, keeps_whole_numbers, loops_around, most_bytes
from g2o.transforms.pointed_structures import without_second_names

_FEW: Final = 4


def with_heap_arrays_in_front(function: Function, effects: EffectsOf) -> Function:
    """The function, where they can go there."""
    body = function.body
    if not allocates(body):
        return function
    body = _in_blocks(without_dead_nulls(body), _flattened)
    body = _in_blocks(body, _with_declarations_apart)
    symbols = SymbolTable(continued=function.symbols)
    body = without_second_names(_declared_late(body), effects)
    body = _in_blocks(body, lambda block: _with_memory_apart(block, symbols))
    changed = effects.of(body).writes
    fixed = {one for one in function.parameters if one not in changed and not one.type.is_indirect}
    mover = _Mover(fixed, _values_of(body), symbols)
    moved = mover.without(body)
    found = {one.symbol for one in mover.found}
    front = tuple(Declare((one,)) for one in mover.found)
    statements: list[Stmt] = [*front]
    visible = set(function.parameters)
    for one in moved.statements:
        steady = {v for v in visible - effects.of(one).writes if _is_of_one_size(v, one)}
        read = {v for v in visible - effects.of(one).writes if keeps_whole_numbers(one)}
        inner = _Mover(steady, mover.values, symbols, read, loops_around(one))
        statement = one if isinstance(one, Declare) else inner.without(Block((one,))).statements[0]
        statements += (*inner.front, *(Declare((v,)) for v in inner.found), statement)
        found |= {v.symbol for v in inner.found}
        visible |= {v.symbol for v in one.variables} if isinstance(one, Declare) else set()
    if not found:
        return replace(function, body=body, symbols=symbols)
    body = replace(moved, statements=tuple(statements), form=Form.BUILT)
    body = _with_ends(_without_frees(body, found), found)
    return replace(function, body=body, symbols=symbols)


def _is_of_one_size(symbol: Symbol, statement: Stmt) -> bool:
    """May a size depend on a variable that a statement does not change? It hands nobody its
    address, and it leads nowhere."""
    plain = symbol.type.is_arithmetic or symbol.type.kind is TypeKind.RECORD
    return plain and not any(
        isinstance(node, Unary) and node.op == "&" and is_variable(node.operand, symbol)
        for node in walk(statement)
    )


def allocates(body: Node) -> bool:
    return any(_allocations(body))


def _allocations(node: Node) -> Iterator[Call]:
    for one in walk(node):
        if isinstance(one, Call) and one.name in ALLOCATING:
            yield one


def _flattened(block: Block) -> Block:
    statements = tuple(_flat(block.statements))
    same = len(statements) == len(block.statements) and all(map(is_, statements, block.statements))
    return block if same else replace(block, statements=statements, form=Form.BUILT)


def _flat(statements: Collection[Stmt]) -> Iterator[Stmt]:
    """The statements without braces around those that allocate."""
    for one in statements:
        if isinstance(one, Block) and one.directive == NO_DIRECTIVE and _allocates_itself(one):
            yield Empty(trivia=one.trivia)
            yield from _flat(one.statements)
        else:
            yield one


def _with_declarations_apart(block: Block) -> Block:
    """The block with a declaration for each variable beside one that gets memory."""
    statements: list[Stmt] = []
    for one in block.statements:
        if isinstance(one, Declare) and len(one.variables) > 1 and any(_allocations(one)):
            first, *others = one.variables
            statements.append(replace(one, variables=(first,), form=Form.BUILT))
            statements += (Declare((other,)) for other in others)
        else:
            statements.append(one)
    if len(statements) == len(block.statements):
        return block
    return replace(block, statements=tuple(statements), form=Form.BUILT)


def _allocates_itself(block: Block) -> bool:
    return any(
        _allocates_itself(one) if isinstance(one, Block) else any(_allocations(one))
        for one in block.statements
        if isinstance(one, Block | Declare | ExprStatement)
    )


def _in_blocks(node: Block, change: Callable[[Block], Block]) -> Block:
    """All braces changed, from the outermost on; not those of loops that are shared out."""

    def replacement(inner: Node) -> Node | None:
        match inner:
            case For(shared=how) if how is not None:
                return inner
            case Block():
                made = change(inner)
                statements = tuple(rewrite(one, replacement) for one in made.statements)
                if all(a is b for a, b in zip(statements, made.statements, strict=True)):
                    return made
                return replace(made, statements=statements, form=Form.BUILT)
            case _:
                return None

    return rewrite(node, replacement)


def _declared_late(body: Block) -> Block:
    """Pointers that get their memory behind their declaration are declared there."""
    once = _set_once(body)
    return _in_blocks(body, lambda block: _late_in(block, once))


def _late_in(block: Block, once: Collection[Symbol]) -> Block:
    bare: dict[Symbol, Variable] = {}
    late: dict[Symbol, Declare] = {}
    for one in block.statements:
        match one:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)) if (
                symbol in bare and symbol in once
            ):
                made = replace(bare[symbol], initial=value, initial_style="=")
                size = heap_bytes(with_plain_size(made))
                is_name = _is_pointer(symbol) and isinstance(strip_parens(value), VarRef)
                if is_name or (size is not None and symbol not in symbols_in(size)):
                    late[symbol] = Declare((made,), trivia=one.trivia)
            case Declare(variables=variables):
                bare |= {v.symbol: v for v in variables if _begins_with_nothing(v)}
            case _:
                pass
        for used in symbols_in(one) - late.keys():
            is_declared = isinstance(one, Declare) and used in {v.symbol for v in one.variables}
            if not is_declared:
                bare.pop(used, None)
    if not late:
        return block
    statements: list[Stmt] = []
    for one in block.statements:
        match one:
            case ExprStatement(expr=Assign(target=VarRef(symbol=symbol))) if symbol in late:
                statements.append(late[symbol])
            case Declare(variables=variables) if any(v.symbol in late for v in variables):
                rest = tuple(v for v in variables if v.symbol not in late)
                empty = Empty(trivia=one.trivia)
                statements.append(replace(one, variables=rest, form=Form.BUILT) if rest else empty)
            case _:
                statements.append(one)
    return replace(block, statements=tuple(statements), form=Form.BUILT)


def _with_memory_apart(body: Block, symbols: SymbolTable) -> Block:
    """Pointers that lead elsewhere later, as those that are exchanged, beside ones that lead to
    their memory for good. It is freed at the end of the block."""
    freed = {
        pointer_of(node.arguments[0])
        for node in walk(body)
        if isinstance(node, Call) and node.name == "free" and len(node.arguments) == 1
    }
    apart: dict[Symbol, Symbol] = {}
    statements: list[Stmt] = []
    for one in body.statements:
        match one:
            case Declare(variables=(Variable(symbol=symbol, initial=value) as variable,)):
                made = variable
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
                made = Variable(symbol, symbol.type.spelling, "", value, "=")
            case _:
                statements.append(one)
                continue
        size = None if value is None else heap_bytes(with_plain_size(made))
        if size is None or symbol not in freed or symbol in apart or not is_moved(body, symbol):
            statements.append(one)
            continue
        memory = symbols.fresh(f"{symbol.name}_memory", symbol.type, Storage.LOCAL)
        apart[symbol] = memory
        whole = replace(with_plain_size(made), symbol=memory)
        led = VarRef(memory)
        statements.append(Declare((whole,), trivia=one.trivia))
        statements.append(
            Declare((replace(made, initial=led),))
            if isinstance(one, Declare)
            else ExprStatement(Assign("=", VarRef(symbol), led, symbol.type))
        )
    if not apart:
        return body
    body = replace(body, statements=tuple(statements), form=Form.BUILT)
    return _with_ends(_without_frees(body, apart.keys()), {*apart.values()})


def _is_pointer(symbol: Symbol) -> bool:
    return symbol.type.kind is TypeKind.POINTER


def _begins_with_nothing(variable: Variable) -> bool:
    return variable.initial is None or is_null(variable.initial)


def _set_once(body: Block) -> set[Symbol]:
    """The variables of which one assignment is all that changes them behind their declaration."""
    sets = Counter(symbol for node in walk(body) for symbol in _set(node))
    return {one for one, count in sets.items() if count == 1}


def _set(node: Node) -> Iterator[Symbol]:
    match node:
        case Assign(target=target):
            place = target
        case Unary(op="++" | "--" | "&", operand=operand):
            place = operand
        case _:
            return
    symbol = pointer_of(place)
    if symbol is not None:
        yield symbol


def _values_of(body: Block) -> dict[Symbol, Expr]:
    """What variables that keep the value of their declaration begin with."""
    changed = {symbol for node in walk(body) for symbol in _set(node)}
    return {
        one.symbol: one.initial
        for node in walk(body)
        if isinstance(node, Declare)
        for one in node.variables
        if one.initial is not None and one.symbol.type.is_arithmetic and one.symbol not in changed
    }


def sizes_by_parameters(function: Function, effects: EffectsOf) -> Callable[[Expr], Expr | None]:
    """A size in terms of parameters that nothing changes, which is the same everywhere; None for
    others."""
    changed = effects.of(function.body).writes
    fixed = {one for one in function.parameters if one not in changed and not one.type.is_indirect}
    return _Mover(fixed, _values_of(function.body), function.symbols).by_parameters


@final
@dataclass(slots=True)
class _Mover:
    """Takes arrays out of loops and branches. `fixed` are the parameters that nothing changes,
    `values` what variables keep, `read` those that lead to memory whose whole numbers nothing
    changes. What is `found` may need what is in `front` in front of it."""

    fixed: Collection[Symbol]
    values: Mapping[Symbol, Expr]
    symbols: SymbolTable
    read: Collection[Symbol] = ()
    around: Mapping[int, Around] = field(default_factory=dict[int, Around])
    found: list[Variable] = field(default_factory=list[Variable])
    front: list[Stmt] = field(default_factory=list[Stmt])
    counters: frozenset[Symbol] | None = None

    def without(self, body: Block) -> Block:
        def change(block: Block) -> Block:
            first = _first_behind_return(body) if block is body else 0
            statements = (
                *block.statements[:first],
                *(self._statement(one, body) for one in block.statements[first:]),
            )
            if all(a is b for a, b in zip(statements, block.statements, strict=True)):
                return block
            return replace(block, statements=statements, form=Form.BUILT)

        return _in_blocks(body, change)

    def _statement(self, statement: Stmt, body: Block) -> Stmt:
        match statement:
            case Declare(variables=(variable,)):
                made = with_plain_size(variable)
            case _:
                return statement
        size = heap_bytes(made)
        symbol = variable.symbol
        if size is None or is_moved(body, symbol):
            return statement
        whole = self.by_parameters(size)
        most: list[Stmt] = []
        if whole is None and id(statement) in self.around:
            known = most_bytes(size, self.around[id(statement)], self._in_loops, self.symbols)
            if known is not None:
                most, whole = known[0], VarRef(known[1])
        if whole is None:
            return statement
        cleared = None
        if any(call.name == "calloc" for call in _allocations(statement)):
            cleared = self._cleared(variable)
            if cleared is None:
                return statement
        self.front += most
        allocated = Call("malloc", Literal("malloc"), (whole,), type=symbol.type)
        self.found.append(replace(made, initial=allocated, initial_style="="))
        if cleared is None:
            return Empty(trivia=statement.trivia)
        return replace(cleared, trivia=statement.trivia)

    def _cleared(self, variable: Variable) -> Stmt | None:
        """The loop that sets what `calloc` gives to 0; None where that are no numbers."""
        assert variable.initial is not None
        symbol, element = variable.symbol, variable.symbol.type.element
        (call,) = _allocations(variable.initial)
        pointer = VarRef(symbol)
        if element is None or not element.is_arithmetic:
            return None
        count_of, bytes_of_one = map(strip_parens, call.arguments)
        size = Binary("*", count_of, bytes_of_one, INT)
        count = copied_count(size, element, (pointer,))
        if with_plain_size(variable).initial is not variable.initial:
            count = count_of  # `calloc(n, sizeof *w)`
        if count is None:
            return None
        ctype = counter_type(count)
        counter = self.symbols.fresh("i", ctype, Storage.LOCAL)
        zero = Literal("0", 0, INT)
        return For(
            Declare((Variable(counter, ctype.spelling, "", zero, "="),)),
            Binary("<", VarRef(counter), count, BOOL),
            Unary("++", VarRef(counter), type=ctype),
            ExprStatement(Assign("=", Index(pointer, VarRef(counter), element), zero, element)),
        )

    def _in_loops(self, expr: Expr, counters: frozenset[Symbol]) -> Expr | None:
        """The expression in terms of what does not change in loops with these counters."""
        inside = replace(self, counters=counters)
        return inside.by_parameters(expr)

    def _reads(self, expr: Expr) -> Expr | None:
        """A whole number in memory that nothing changes, in these terms."""
        if self.counters is None or expr.type.kind is not TypeKind.INTEGER:
            return None
        match expr:
            case Index(base=VarRef(symbol=symbol), index=index) if symbol in self.read:
                at = self.by_parameters(index)
                return None if at is None else replace(expr, index=at, form=Form.BUILT)
            case Member(base=base, arrow=True) | Unary(op="*", operand=base):
                inner = strip_parens(base)
                known = isinstance(inner, VarRef) and inner.symbol in self.read
                return expr if known else None
            case _:
                return None

    def by_parameters(self, expr: Expr) -> Expr | None:
        """The expression in terms of parameters that nothing changes; None where it is none."""
        match expr:
            case VarRef(symbol=symbol):
                if symbol in self.fixed or symbol in (self.counters or ()):
                    return expr
                known = self.values.get(symbol)
                value = None if known is None else self.by_parameters(known)
                if isinstance(value, Literal):
                    return value if symbol.type.kind is TypeKind.INTEGER else None
                return None if value is None else _as_held(value, symbol)
            case Literal():
                return expr
            case Paren() | Binary() | Cast() | Member(arrow=False) | Code() | Verbatim():
                inner = [one for one in children(expr) if isinstance(one, Expr)]
                made = {id(one): self.by_parameters(one) for one in inner}
                if None in made.values() or (isinstance(expr, Verbatim) and inner):
                    return None
                return rewrite(expr, lambda node: made.get(id(node)))
            case Index() | Member() | Unary(op="*"):
                return self._reads(expr)
            case _:
                return None


def _as_held(value: Expr, symbol: Symbol) -> Expr:
    """The value as a variable holds it."""
    made, ctype = value_type(value), symbol.type
    same = (made.kind, made.bits, made.is_signed) == (ctype.kind, ctype.bits, ctype.is_signed)
    plain = replace(ctype, spelling=unqualified(ctype), is_const=False)
    return Paren(value, value.type) if same else Cast(Paren(value, value.type), plain)


def _first_behind_return(body: Block) -> int:
    """Where the statements begin that are not always reached."""
    for at, one in enumerate(body.statements):
        if any(isinstance(node, Return) for node in walk(one)):
            return at + 1
    return len(body.statements)


def _freed(symbol: Symbol) -> Stmt:
    return ExprStatement(Call("free", Literal("free"), (VarRef(symbol),), type=VOID))


def _without_frees(body: Block, moved: Collection[Symbol]) -> Block:
    def replacement(node: Node) -> Node | None:
        match node:
            case ExprStatement(expr=Call(name="free", arguments=(argument,))):
                return Empty(trivia=node.trivia) if pointer_of(argument) in moved else None
            case _:
                return None

    return rewrite(body, replacement)


def _with_ends(body: Block, symbols: Collection[Symbol]) -> Block:
    """The body that frees what these lead to in front of every return behind their declarations,
    and at its end."""
    ends: list[Stmt] = []

    def replacement(node: Node) -> Node | None:
        return Block((*ends, node)) if isinstance(node, Return) and ends else None

    statements: list[Stmt] = []
    for one in body.statements:
        statements.append(rewrite(one, replacement))
        declared = one.variables if isinstance(one, Declare) else ()
        ends += (_freed(v.symbol) for v in declared if v.symbol in symbols)
    if not body.statements or not isinstance(body.statements[-1], Return):
        statements += ends
    return replace(body, statements=tuple(statements), form=Form.BUILT)
