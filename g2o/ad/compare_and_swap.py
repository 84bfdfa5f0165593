"""Compare-and-swap loops that add or choose, as the atomic operations that they are.

    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;                                                   atomicAdd(address, v);
        old = atomicCAS(bits, assumed,                             ->
                        __double_as_longlong(v + __longlong_as_double(assumed)));
    } while (assumed != old);

That is how CUDA's own guide adds where no atomicAdd is. The loop is followed symbolically: what is
swapped in has to be the expected number and something that stays the same, and the loop has to end
exactly where the expected bits were found. Whatever else it does, it stays what it is. What chooses
between the number and another one (`choosing_swaps.py`) becomes atomicMin or atomicMax.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ad.bits import FROM_BITS, TO_BITS
from g2o.ad.choosing_swaps import (
    BITS,
    FOUND,
    NUMBER,
    chosen,
    kind_of_loop,
    kind_unless,
    leaves_when_hopeless,
)
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, statements_of
from g2o.analysis.functions import FunctionTable
from g2o.analysis.value_types import value_type
from g2o.ir.comments import change_statements
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Form,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    If,
    Jump,
    JumpKind,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk, with_children
from g2o.ir.types import CType, TypeKind

_NAMES: Final = {"Add": "add", "Sub": "sub", "Min": "min", "Max": "max"}


@final
@dataclass(frozen=True, slots=True)
class Update:
    """What a loop adds where, or which number it leaves there. When it ends, `found` hold what was
    there before, as bits or as numbers."""

    address: Expr
    value: Expr
    kind: str
    found: frozenset[Symbol]


def recognise_updates(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with atomic operations for the loops that are such."""
    if not any(_is_swap(node) for node in walk(kernel.body)):
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    body = kernel.body
    for loop in [node for node in walk(body) if isinstance(node, (DoWhile, While))]:
        effects = functions.for_node(body)
        addition = _update_of(loop, body, effects)
        if addition is not None:
            body = _replaced(body, loop, addition, symbols, effects)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _is_swap(node: Node) -> bool:
    return isinstance(node, Call) and node.name.partition("_")[0] == "atomicCAS"


# -- the loop -----------------------------------------------------------------------------------


def _update_of(loop: DoWhile | While, body: Block, effects: EffectsOf) -> Update | None:
    swaps = [node for node in walk(loop) if isinstance(node, Call) and _is_swap(node)]
    if len(swaps) != 1 or len(swaps[0].arguments) != 3:
        return None
    pointer, expected, new = swaps[0].arguments
    address = _address(pointer, body)
    known = _followed(loop, swaps[0], effects)
    if address is None or known is None:
        return None
    at_swap, at_end, leaving = known
    expected, new = _canonical(expected, at_swap), _canonical(new, at_swap)
    number = _number(expected)
    kind = ""
    if isinstance(loop, While):
        kind = kind_of_loop(_canonical(loop.condition, {}), number, new)
        if not kind or not _starts_with(expected, pointer, address, body):
            return None
        leaving = tuple(one for one in leaving if not _goes_on_unless_found(_not(one), expected))
    elif not _goes_on_unless_found(_canonical(loop.condition, at_end), expected):
        return None
    if any(isinstance(node, Call) and effects.functions.get(node.key) for node in walk(new)):
        return None  # a function of the program, whatever its name
    found = _changed(new, number)
    if leaving and not kind:  # the only way to the swap is that the number is the better one
        kind = kind_unless(leaving[0], number, new)
    if found is None and not kind:
        return None
    value, kind = found if found is not None else (_number(new), kind)
    if not all(leaves_when_hopeless(one, number, value, kind) for one in leaving):
        return None
    changed, own = effects.of(loop).writes, effects.of(value)
    if not own.is_pure or own.reads & changed or {root_symbol(address), None} & own.memory_reads:
        return None
    same = (FOUND, expected, _number(FOUND), number)
    held = frozenset(symbol for symbol, now in at_end.items() if now in same)
    return Update(address, value, kind, held)


def _starts_with(expected: Expr, pointer: Expr, address: Expr, body: Block) -> bool:
    """Is what a `while` loop expects in the first turn what was read from memory? Then nothing
    that was there before keeps it from trying."""
    match expected:
        case VarRef(symbol=symbol) | Call(name="<bits>", arguments=(VarRef(symbol=symbol),)):
            initials = [
                variable.initial
                for node in walk(body)
                if isinstance(node, Declare)
                for variable in node.variables
                if variable.symbol == symbol and variable.initial is not None
            ]
        case _:
            return False
    if len(initials) != 1:
        return False
    match _without_bits(_canonical(initials[0], {})):
        case Unary(op="*", operand=operand):
            inner = strip_parens(operand)
            return inner in (strip_parens(pointer), strip_parens(address)) or (
                _address(inner, body) == address
            )
        case other:
            return Unary("&", other) == replace_type(address)


def replace_type(address: Expr) -> Expr:
    """`&place` without its type, to be compared."""
    match strip_parens(address):
        case Unary(op="&", operand=operand):
            return Unary("&", operand)
        case other:
            return other


def _without_bits(expr: Expr) -> Expr:
    return expr.arguments[0] if isinstance(expr, Call) and _is_of_bits(expr) else expr


def _not(condition: Expr) -> Expr:
    match condition:
        case Binary(op="=="):
            return replace(condition, op="!=")
        case _:
            return condition


def _followed(
    loop: DoWhile | While, swap: Call, effects: EffectsOf
) -> tuple[dict[Symbol, Expr], dict[Symbol, Expr], tuple[Expr, ...]] | None:
    """What variables hold where the swap is and at the end of an iteration, in terms of those in
    front of it, and the conditions under which the loop is left; None where the iteration does more
    than to set variables and to leave."""
    now: dict[Symbol, Expr] = {}
    at_swap: dict[Symbol, Expr] | None = None
    leaving: list[Expr] = []
    for statement in statements_of(loop.body):
        if isinstance(statement, If) and _leaves(statement) and effects.of(statement).is_pure:
            leaving.append(_canonical(statement.condition, now))
            continue
        pairs = _sets(statement)
        if pairs is None:
            return None
        for symbol, value in pairs:
            if any(node is swap for node in walk(value)):
                at_swap = dict(now)
            elif not effects.of(value).is_pure:
                return None
            now[symbol] = _canonical(value, now)
    return (now if at_swap is None else at_swap), now, tuple(leaving)


def _leaves(statement: If) -> bool:
    inner = statements_of(statement.then)
    if len(inner) != 1 or statement.otherwise is not None:
        return False
    return isinstance(inner[0], Jump) and inner[0].kind is JumpKind.BREAK


def _sets(statement: Stmt) -> list[tuple[Symbol, Expr]] | None:
    match statement:
        case Declare(variables=variables):
            return [(one.symbol, one.initial) for one in variables if one.initial is not None]
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
            return [(symbol, value)]
        case _:
            return None


def _canonical(expr: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """`expr` with what its variables hold, the swap as what it found, bits of numbers of bits as
    what they are, and without parentheses and conversions of bits."""
    match expr:
        case VarRef(symbol=symbol) if symbol in values:
            return values[symbol]
        case Call() if _is_swap(expr):
            return FOUND
        case Call(name=name, arguments=(only,)) if name in FROM_BITS:
            return _number(_canonical(only, values))
        case Call(name=name, arguments=(only,)) if name in TO_BITS:
            return _bits(_canonical(only, values))
        case Paren(inner=inner):
            return _canonical(inner, values)
        case Cast(operand=operand, type=ctype) if ctype.kind is TypeKind.INTEGER and (
            _is_bits(value_type(operand), ctype.bits)
        ):
            return _canonical(operand, values)
        case _:
            old = children(expr)
            new = tuple(_canonical(one, values) if isinstance(one, Expr) else one for one in old)
            same = all(one is two for one, two in zip(new, old, strict=True))
            return expr if same else with_children(expr, new)


def _is_bits(ctype: CType, bits: int) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits == bits


def _number(bits: Expr) -> Expr:
    if isinstance(bits, Call) and bits.name == BITS:
        return bits.arguments[0]
    return Call(NUMBER, Literal(NUMBER), (bits,))


def _bits(number: Expr) -> Expr:
    if isinstance(number, Call) and number.name == NUMBER:
        return number.arguments[0]
    return Call(BITS, Literal(BITS), (number,))


def _goes_on_unless_found(condition: Expr, expected: Expr) -> bool:
    match condition:
        case Binary(op="!=", left=left, right=right):
            pairs = ((FOUND, expected), (_number(FOUND), _number(expected)))
            return any((left, right) in (pair, pair[::-1]) for pair in pairs)
        case _:
            return False


def _changed(new: Expr, number: Expr) -> tuple[Expr, str] | None:
    """What the bits `new` have added to the number, or may have put in its place, and how."""
    if not isinstance(new, Call) or new.name != BITS:
        return None
    match new.arguments[0]:
        case Binary(op="+" | "-" as op, left=left, right=right) if left == number:
            found = right, "Add" if op == "+" else "Sub"
        case Binary(op="+", left=left, right=right) if right == number:
            found = left, "Add"
        case other:
            choice = chosen(other, number)
            if choice is None:
                return None
            found = choice
    parts = walk(found[0])
    if any(node in (number, FOUND) or _is_of_bits(node) for node in parts):
        return None
    return found


def _is_of_bits(node: Node) -> bool:
    return isinstance(node, Call) and node.name in (NUMBER, BITS)


# -- its memory ---------------------------------------------------------------------------------


def _address(pointer: Expr, body: Block) -> Expr | None:
    """The address of the floating-point number whose bits are at `pointer`."""
    match strip_parens(pointer):
        case Cast(operand=operand, type=ctype) if ctype.kind is TypeKind.POINTER:
            number, bits = operand.type.element, ctype.element
            if number is None or bits is None or number.kind is not TypeKind.FLOATING:
                return None
            return operand if _is_bits(bits, number.bits) else None
        case VarRef(symbol=symbol) if symbol.storage is Storage.LOCAL:
            initial = _only_value(symbol, body)
            return _address(initial, body) if isinstance(initial, Cast) else None
        case _:
            return None


def _only_value(symbol: Symbol, body: Block) -> Expr | None:
    """The initial value of a variable that gets no other one."""
    for node in walk(body):
        match node:
            case Assign(target=VarRef(symbol=changed)) if changed == symbol:
                return None
            case Unary(op="++" | "--" | "&", operand=VarRef(symbol=changed)) if changed == symbol:
                return None
            case _:
                pass
    initials = [
        variable.initial
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.symbol == symbol and variable.initial is not None
    ]
    return strip_parens(initials[0]) if len(initials) == 1 else None


# -- in its place -------------------------------------------------------------------------------


def _replaced(
    body: Block, loop: DoWhile | While, addition: Update, symbols: SymbolTable, effects: EffectsOf
) -> Block:
    """`body` with the addition for the loop; unchanged where anything but the number that was there
    before is asked for behind it."""
    changed = effects.of(loop).writes
    covered = {id(node) for node in walk(loop)}
    body = change_statements(body, lambda one: None if _only_asks(one, addition.found) else one)
    asked = [n for n in walk(body) if id(n) not in covered and _asks(n, addition.found)]
    covered |= {id(inner) for node in asked for inner in walk(node)}
    covered |= {id(node.target) for node in walk(body) if isinstance(node, Assign)}
    for node in walk(body):
        if isinstance(node, VarRef) and node.symbol in changed and id(node) not in covered:
            return body
    target = addition.address.type.element
    assert target is not None
    spelled = target.spelling.replace("volatile", "").strip()
    plain = replace(target, spelling=spelled, is_volatile=False)
    swap = next(node for node in walk(loop) if isinstance(node, Call) and _is_swap(node))
    call = replace(_atomic(addition, plain), span=swap.span)
    new: Stmt = ExprStatement(call, trivia=loop.trivia)
    before = symbols.fresh("before", plain, Storage.LOCAL) if asked else None
    if before is not None:
        new = Declare((Variable(before, f"const {spelled}", "", call, "="),), trivia=loop.trivia)
    wanted = {id(node) for node in asked}

    def put(node: Node) -> Node | None:
        if before is not None and id(node) in wanted:
            return VarRef(before)
        return new if node is loop else None

    return _without_unread(rewrite(body, put), effects)


def _atomic(addition: Update, plain: CType) -> Call:
    name = addition.kind
    value, known = addition.value, value_type(addition.value)
    if (known.kind, known.bits) != (plain.kind, plain.bits):
        value = Cast(value, plain)
    callee = Literal(f"g2o::atomic_{_NAMES[name]}")
    return Call(f"atomic{name}", callee, (addition.address, value), is_cuda=True, type=plain)


def _only_asks(statement: Stmt, found: Collection[Symbol]) -> bool:
    return isinstance(statement, ExprStatement) and _asks(strip_parens(statement.expr), found)


def _asks(node: Node, found: Collection[Symbol]) -> bool:
    """Is it the number that was there before?"""
    match node:
        case Call(name=name, arguments=(only,)) if name in FROM_BITS:
            inner = strip_parens(only)
            return isinstance(inner, VarRef) and inner.symbol in found
        case VarRef(symbol=symbol):
            return symbol in found and symbol.type.kind is TypeKind.FLOATING
        case _:
            return False


def _without_unread(body: Block, effects: EffectsOf) -> Block:
    """`body` without bits, and pointers to bits, that only the loop has asked for."""
    while True:
        stored = {id(node.target) for node in walk(body) if isinstance(node, Assign)}
        read = {n.symbol for n in walk(body) if isinstance(n, VarRef) and id(n) not in stored}
        gone = {one for one in declared_in(body) - read if _holds_bits(one)}

        def kept(statement: Stmt, gone: Collection[Symbol] = gone) -> Stmt | None:
            match statement:
                case Declare(variables=variables):
                    left = tuple(one for one in variables if one.symbol not in gone)
                    if len(left) == len(variables):
                        return statement
                    return replace(statement, variables=left, form=Form.BUILT) if left else None
                case ExprStatement(expr=Assign(target=VarRef(symbol=symbol), value=value)):
                    unread = symbol in gone and effects.of(value).is_pure
                    return None if unread else statement
                case _:
                    return statement

        new = change_statements(body, kept) if gone else body
        if new is body:
            return body
        body = new


def _holds_bits(symbol: Symbol) -> bool:
    ctype = symbol.type
    inner = ctype.element if ctype.kind is TypeKind.POINTER else ctype
    return inner is not None and inner.kind is TypeKind.INTEGER
