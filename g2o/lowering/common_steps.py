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

from collections.abc import Callable, Collection, Iterator, Set
from dataclasses import replace
from functools import partial
from operator import is_

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
)
from g2o.ir.kernel import Kernel
from g2o.ir.single_declarations import split_declarations
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
    LocalFunction,
    Node,
    Return,
    Scope,
    Stmt,
    Switch,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import INT, CType, TypeKind, unqualified
from g2o.lowering.common_ends import WIDE, Ends
from g2o.lowering.counting_loops import counting_loops
from g2o.lowering.indices import block_of
from g2o.lowering.intervals import waits
from g2o.lowering.own_parameters import own_parameters
from g2o.lowering.starts import with_starts
from g2o.lowering.turns_together import with_turns_together
from g2o.lowering.varying_headers import split_initial, without_varying_header

_ONE = Literal("1", 1, INT)
_MOST_ROUNDS = 4

Step = tuple[str, Expr]
"""`+=` or `-=`, and how much."""
_Place = tuple[int, int]


def with_steps_apart(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """A kernel with barriers, in which what threads step by alike is done for all of a block: loops
    that end when that has come far enough have one end, and barriers in them are no trouble."""
    if not any(isinstance(node, Barrier) for node in walk(kernel.body)):
        return kernel
    function, effects = kernel.function, functions.for_node(kernel.body)
    symbols = SymbolTable(continued=function.symbols)
    owned = own_parameters(function, kernel.body, effects, symbols)
    started = with_starts(owned, functions.for_node(owned))
    joined = with_turns_together(started, functions.for_node(started), symbols)
    body = with_block_steps(joined, functions.for_node(joined), symbols)
    if body is started:
        return kernel
    body = replace(body, span=kernel.body.span)
    return replace(kernel, function=replace(function, body=body, symbols=symbols))


def with_block_steps(
    body: Block, effects: EffectsOf, symbols: SymbolTable, varying: Set[Symbol] = frozenset()
) -> Block:
    """The body of a kernel with barriers, or of a loop in it that all threads go through together,
    with what its threads keep over these taken apart; `varying` is what differs around it."""
    for _ in range(_MOST_ROUNDS):  # what one loop ends by, others need
        made = _with_some_steps(body, effects, symbols, varying)
        if made is body:
            break
        body = made
    loops = [one for one in body.statements if _may_have_steps(one)]
    if not loops:
        return body
    uniformity = solve_uniformity(body, Scope.BLOCK, effects, set(varying))
    new: list[Stmt] = []
    for statement in body.statements:
        if isinstance(statement, For | While) and any(one is statement for one in loops):
            statement = _with_inner_steps(statement, uniformity, effects, symbols)
        new.append(statement)
    return body if all(map(is_, new, body.statements)) else block_of(tuple(new))


def _may_have_steps(statement: Stmt) -> bool:
    """Is it a loop with barriers in loops inside?"""
    if not isinstance(statement, For | While):
        return False
    inner = (node for node in walk(statement.body) if isinstance(node, For | While | DoWhile))
    return any(waits(one, Scope.BLOCK) for one in inner)


def _with_inner_steps(
    loop: For | While, uniformity: Uniformity, effects: EffectsOf, symbols: SymbolTable
) -> For | While:
    if loop.condition is None or not uniformity.is_uniform(loop.condition):
        return loop
    body = block_of(statements_of(loop.body))
    inner = with_block_steps(body, effects, symbols, uniformity.varying - declared_in(body))
    return loop if inner is body else replace(loop, body=inner, form=Form.BUILT)


def _with_some_steps(
    body: Block, effects: EffectsOf, symbols: SymbolTable, varying: Set[Symbol]
) -> Block:
    values = solve_uniformity(body, Scope.BLOCK, effects, set(varying), control=False)
    started = _with_starts_in_front(body, lambda one: not values.is_uniform(VarRef(one)))
    kept = _kept_over_barriers(started)
    if not kept:
        return body
    uniformity = solve_uniformity(started, Scope.BLOCK, effects, set(varying))
    plain = rewrite(started, partial(steps_in_body, lambda one: values.is_uniform(VarRef(one))))
    made = with_common_steps(statements_of(plain), uniformity, effects, symbols, kept, varying)
    return body if made is None else block_of(tuple(counting_loops(list(made), effects)))


def _with_starts_in_front(body: Block, varies: Callable[[Symbol], bool]) -> Block:
    """The body with what loops that wait start with, of what differs between threads, in front."""
    new: list[Stmt] = []
    for statement in body.statements:
        before: tuple[Stmt, ...] = ()
        if isinstance(statement, For) and waits(statement, Scope.BLOCK):
            before, initial = split_initial(statement.initial, varies)
            if before:
                statement = replace(statement, initial=initial, form=Form.BUILT)
        new += [*before, statement]
    return body if len(new) == len(body.statements) else split_declarations(block_of(tuple(new)))


def steps_in_body(is_uniform: Callable[[Symbol], bool], node: Node) -> Node | None:
    """Steps that a loop takes in its head, of what differs between threads, in its body."""
    if not isinstance(node, For):
        return None
    body = rewrite(node.body, partial(steps_in_body, is_uniform))
    loop = node if body is node.body else replace(node, body=body, form=Form.BUILT)
    found = without_varying_header(loop, lambda one: not is_uniform(one))
    return loop if found is None or found[0] else found[1]


def _kept_over_barriers(body: Block) -> set[Symbol]:
    """Variables of the kernel's outermost block that steps are taken of, and that are named in more
    than one of its barrier intervals."""
    stepped = {found[0] for node in walk(body) if (found := _stepped(node)) is not None}
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
    varying: Set[Symbol] = frozenset(),
) -> tuple[Stmt, ...] | None:
    """The body of a loop over threads, or for a block, with such numbers taken apart: of a block
    those that are `kept`. `varying` is what differs around it. None where there are none."""
    if any(isinstance(node, Jump | Return) for node in walk(block_of(body))):
        return None  # some threads may leave a step out
    starts = {
        variable.symbol
        for statement in body
        if isinstance(statement, Declare)
        for variable in statement.variables
        if variable.initial is not None
        and _is_place(variable.symbol)
        and (
            kept is None
            or (variable.symbol in kept and not uniformity.is_uniform(variable.initial))
        )
    }
    whole = block_of(body)
    everywhere = [found for node in walk(whole) if (found := _step_in(node)) is not None]
    stepped = {symbol for symbol, _ in everywhere}
    written = written_after_declaration(rewrite(whole, _without_steps), effects)
    held = set[Symbol]().union(*map(_held_by, walk(whole)))
    trusted = starts - written - held
    while True:
        ends = Ends.of(
            body, trusted if kept is not None else (), stepped, written, uniformity, effects
        )
        asked = uniformity
        found = (ends.compared(node) for node in walk(whole) if isinstance(node, Binary))
        compared = {one.number for one in found if one is not None}
        if compared:  # what compares them is taken for alike, and they are looked at below
            assumed = rewrite(whole, ends.assumed)
            asked = solve_uniformity(assumed, Scope.BLOCK, effects, set(varying))
        taken: dict[Symbol, list[tuple[_Place, Step]]] = {}
        for place, symbol, step in _steps(whole, asked, ends):
            if value_type(step[1]).kind is not TypeKind.INTEGER:
                continue  # what is added is rounded, from another number in every thread
            steady = effects.is_pure(step[1]) and not symbols_in(step[1]) & stepped
            if symbol in starts and steady and not asked.is_uniform(VarRef(symbol)):
                taken.setdefault(symbol, []).append((place, step))
        apart = {
            symbol
            for symbol, steps in taken.items()
            if symbol not in written | held
            and sum(other == symbol for other, _ in everywhere) == len(steps)
        }
        if compared <= apart:
            break
        trusted &= apart  # what is compared may differ between threads
    groups: dict[tuple[object, ...], list[Symbol]] = {}
    for symbol in (one for one in taken if one in apart):
        kind = (symbol.type.kind, symbol.type.is_signed, symbol.type.bits)
        groups.setdefault((*kind, *taken[symbol]), []).append(symbol)
    if not groups:
        return None
    offsets: set[Symbol] = set()
    for group in groups.values():
        body = _apart(body, group, symbols, offsets, ends)
    return body if kept is None else _starting_there(body, offsets, symbols)


def _held_by(node: Node) -> set[Symbol]:
    """The variables that something else is a name of, or has inside."""
    match node:
        case Declare(variables=variables):
            initials = (one.initial for one in variables if not _is_value(one.symbol.type))
            return set[Symbol]().union(*(_bound_by(one) for one in initials if one is not None))
        case Unary(op="&") | Verbatim() | LocalFunction() | Text():
            return symbols_in(node)
        case _:
            return set()


def _bound_by(initial: Node) -> set[Symbol]:
    """The variables that a reference may be bound to, or an object keep: of what is counted with
    to find an element, only the number is asked for."""
    match initial:
        case VarRef(symbol=symbol):
            return {symbol}
        case Index(base=base, index=index) if index.type.kind is TypeKind.INTEGER:
            return _bound_by(base)
        case Binary() if initial.type.is_arithmetic:
            return set()
        case Unary(op="&") | Verbatim():
            return symbols_in(initial)
        case _:
            return set[Symbol]().union(*map(_bound_by, children(initial)))


def _is_wide_number(symbol: Symbol) -> bool:
    return symbol.type.kind is TypeKind.INTEGER and symbol.type.bits >= 32


def _is_value(ctype: CType) -> bool:
    """Is it a number, a pointer or an array of these, and no name of something else?"""
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        ctype = ctype.element
    return ctype.is_arithmetic or ctype.kind is TypeKind.POINTER


def _stepped(node: Node) -> tuple[Symbol, Step] | None:
    """A step, also one in the head of a loop."""
    return _step_in(ExprStatement(node)) if isinstance(node, Assign | Unary) else None


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
    node: Node, uniformity: Uniformity, ends: Ends, alike: bool = True
) -> Iterator[tuple[_Place, Symbol, Step]]:
    """Steps that all threads take or none does, each with the run of steps that it belongs to."""
    run = 0
    for place, child in enumerate(children(node)):
        found = _step_in(child)
        if found is None:
            inside = alike
            if isinstance(child, If | For | While | DoWhile | Switch):
                asked = child.condition
                inside = alike and asked is not None
                if inside and asked is not None and ends.compared(asked) is None:
                    inside = uniformity.is_uniform(asked)
            yield from _steps(child, uniformity, ends, inside)
            run = place + 1
        elif alike and isinstance(node, Block) and uniformity.is_uniform(found[1][1]):
            yield (id(node), run), *found


def _counted_in(ctype: CType, amount: Expr) -> Expr:
    """How far a step goes in numbers of its variable: `k += 0u - 1u` goes back by 1. Extents of a
    launch are no negative numbers without their sign."""
    given = value_type(amount)
    if ctype.kind is not TypeKind.INTEGER or not ctype.is_signed:
        return amount
    if given.bits <= ctype.bits and (given.is_signed or given.bits < ctype.bits):
        return amount
    if all(isinstance(one, LaunchRef | Literal | Binary | Paren) for one in walk(amount)):
        if not any(isinstance(one, Binary) and one.op not in "+*" for one in walk(amount)):
            return amount
    return Cast(amount, replace(ctype, spelling=unqualified(ctype), is_const=False))


def _without_steps(node: Node) -> Node | None:
    return Empty() if _step_in(node) is not None else None


def in_step(body: Block, effects: EffectsOf) -> Block:
    """The body of a kernel, in which all threads go together through the loops in which offsets of
    the block are stepped: none of them keeps one for itself."""
    declared = (v for s in body.statements if isinstance(s, Declare) for v in s.variables)
    offsets = {one.symbol for one in declared if one.symbol.type == WIDE}
    if not offsets:
        return body
    uniformity = solve_uniformity(body, Scope.BLOCK, effects, set())
    offsets = {one for one in offsets if uniformity.is_uniform(VarRef(one))}

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, For | While | DoWhile) or waits(node, Scope.BLOCK):
            return None
        if node.condition is None or not uniformity.is_uniform(node.condition):
            return node
        inner = rewrite(node.body, replacement)
        steps = any((found := _step_in(one)) and found[0] in offsets for one in walk(inner))
        if not steps or any(isinstance(one, Jump | Return) for one in walk(inner)):
            return None
        together = Block((*statements_of(inner), Barrier(Scope.BLOCK)))
        return replace(node, body=together, form=Form.BUILT)

    return replace(body, statements=tuple(rewrite(one, replacement) for one in body.statements))


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
    body: tuple[Stmt, ...],
    group: list[Symbol],
    symbols: SymbolTable,
    offsets: set[Symbol],
    ends: Ends,
) -> tuple[Stmt, ...]:
    """`body` with an offset for the `group`, from where the first step is taken."""
    first = group[0]
    is_pointer = first.type.kind is TypeKind.POINTER
    ctype = WIDE if first.type.is_signed or is_pointer else first.type
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
                far = _counted_in(first.type, amount)
                return ExprStatement(Assign(op, offset, far, ctype), trivia=node.trivia)
            case Binary() if (found := ends.compared(node)) and found.number in group:
                return replace(found.with_offset(offset), type=node.type)
            case Unary(op="*", operand=VarRef(symbol=symbol)) if is_pointer and symbol in group:
                return Index(node.operand, offset, node.type)
            case Index(base=VarRef(symbol=symbol) as base, index=index) if (
                is_pointer and symbol in group
            ):
                plain = integer_value(index) == 0
                place = offset if plain else Binary("+", rewrite(index, moved), offset, ctype)
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
