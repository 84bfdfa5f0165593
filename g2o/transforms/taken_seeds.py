"""Seeds of places that several threads may store to: the first that comes takes all.

    z[0] = w[0];    by every thread

    d_w[0] += d_z[0];               const double seed = g2o::atomic_exch(&d_z[0], 0.0);
    d_z[0] = 0.0;             ->    d_w[0] += seed;

Threads of a block do so in its shared memory; where they run in parallel, that matters as much.

Whoever stores last has stored what the others have: it does not matter whose derivative is taken,
as long as it is taken once. Threads that read a seed before another one has set it to 0 would take
it again.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from g2o.analysis.effects import root_symbol, symbols_in
from g2o.analysis.index_forms import IndexForms
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Form,
    Literal,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.increments import reason
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    ExprStatement,
    If,
    Node,
    Stmt,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import CType, TypeKind

_INDIRECT = (TypeKind.POINTER, TypeKind.REFERENCE)


def is_consumed(node: Node | None, shadows: Collection[Symbol]) -> bool:
    """Does the assignment set an element of a shadow to 0?"""
    match node:
        case Assign(op="=", target=target, value=Literal(text="0.0f" | "0.0" | "0")):
            return root_symbol(target) in shadows
        case _:
            return False


def shared_seeds(body: Block, shadows: Collection[Symbol], forms: IndexForms) -> set[int]:
    """What sets elements of shadows to 0 that threads seem to share, by identity: the index does
    not tell all of them apart by its form, and no condition has chosen one."""
    found: set[int] = set()
    _collect(body, _with_pointers(body, shadows), forms, found)
    return found


def _with_pointers(body: Block, shadows: Collection[Symbol]) -> frozenset[Symbol]:
    """The shadows, and pointers that are set to lead into them."""
    known = frozenset(shadows)
    while True:
        found = set(known)
        for node in walk(body):
            match node:
                case Declare(variables=variables):
                    for one in variables:
                        if one.initial is not None and one.symbol.type.kind in _INDIRECT:
                            if symbols_in(one.initial) & known:
                                found.add(one.symbol)
                case Assign(target=VarRef(symbol=symbol), value=value) if (
                    symbol.type.kind is TypeKind.POINTER and symbols_in(value) & known
                ):
                    found.add(symbol)
                case _:
                    pass
        if len(found) == len(known):
            return known
        known = frozenset(found)


def _collect(node: Node, shadows: Collection[Symbol], forms: IndexForms, found: set[int]) -> None:
    match node:
        case If(condition=condition) if _chooses_one(condition, forms):
            return
        case Assign(target=target) if is_consumed(node, shadows):
            if not forms.names_thread(target):
                found.add(id(node))
        case _:
            for child in children(node):
                _collect(child, shadows, forms, found)


def _chooses_one(condition: Expr, forms: IndexForms) -> bool:
    return any(
        isinstance(node, Binary) and node.op == "==" and forms.builtins(node)
        for node in walk(condition)
    )


def take_once(body: Block, several: Collection[int], symbols: SymbolTable) -> Block:
    """`body` in which the seeds that the assignments `several` consume, by identity, are taken at
    once."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        statements = tuple(rewrite(one, replacement) for one in node.statements)
        statements = _taken(statements, several, symbols)
        same = len(statements) == len(node.statements) and all(
            one is old for one, old in zip(statements, node.statements, strict=True)
        )
        return node if same else replace(node, statements=statements, form=Form.BUILT)

    return rewrite(body, replacement)


def _taken(
    statements: tuple[Stmt, ...], several: Collection[int], symbols: SymbolTable
) -> tuple[Stmt, ...]:
    result: list[Stmt] = []
    for statement in statements:
        match statement:
            case ExprStatement(expr=Assign() as zeroing) if id(zeroing) in several:
                result = _seed_in_front(result, zeroing, symbols)
            case _:
                result.append(statement)
    return tuple(result)


def _seed_in_front(before: list[Stmt], zeroing: Assign, symbols: SymbolTable) -> list[Stmt]:
    """The statements `before` the one that sets a place to 0, which read the seed."""
    place = zeroing.target
    root = root_symbol(place)
    first = len(before)
    for position in range(len(before) - 1, -1, -1):
        if root is None or _stores_to(before[position], root) or _waits(before[position]):
            break
        if _reads(before[position], place):
            first = position
    known = value_type(place)
    ctype = replace(known, spelling=known.spelling.removeprefix("const "), is_const=False)
    named = _named(before[first], place) if first < len(before) else None
    seed = named.symbol if named is not None else symbols.fresh("seed", ctype, Storage.LOCAL)
    pointer = CType(f"{ctype.spelling} *", TypeKind.POINTER, 64, False, element=ctype)
    address = (
        place.operand
        if isinstance(place, Unary) and place.op == "*"
        else Unary("&", place, type=pointer)
    )
    callee = Literal("g2o::atomic_exch")
    taken = Call("atomicExch", callee, (address, zeroing.value), is_cuda=True, type=ctype)
    name = "" if root is None else f" of {root.name}"
    trivia = Trivia((reason(f"several threads may take one element{name}"),))
    if first == len(before):
        return [*before, ExprStatement(taken, trivia=trivia)]

    def put(node: Node) -> Node | None:
        return VarRef(seed) if node == place else node if _leads_to(node, place) else None

    declared = Declare((Variable(seed, f"const {ctype.spelling}", "", taken, "="),), trivia=trivia)
    behind = before[first:] if named is None else before[first + 1 :]
    return [*before[:first], declared, *(rewrite(one, put) for one in behind)]


def _reads(node: Node, place: Expr) -> bool:
    """Does the code take what is at the place, and not only where that is?"""
    if node == place:
        return True
    inside = children(node) if not _leads_to(node, place) else ()
    return any(_reads(one, place) for one in inside)


def _leads_to(node: Node, place: Expr) -> bool:
    """Is it the address of the place, or another name for it?"""
    match node:
        case Unary(op="&", operand=operand):
            return strip_parens(operand) == place
        case Declare(variables=(Variable(symbol=symbol, initial=initial),)):
            return symbol.type.kind is TypeKind.REFERENCE and initial == place
        case _:
            return False


def _named(statement: Stmt, place: Expr) -> Variable | None:
    """The constant that the statement declares to be what is at the place."""
    match statement:
        case Declare(variables=(Variable(initial=initial) as variable,)) if initial == place:
            is_const = variable.declared.startswith("const ")
            return variable if is_const and not variable.suffix else None
        case _:
            return None


def _waits(statement: Stmt) -> bool:
    """Do threads wait for each other? What they have read before was the seed of another store."""
    return any(isinstance(node, Barrier) for node in walk(statement))


def _stores_to(statement: Stmt, root: Symbol) -> bool:
    for node in walk(statement):
        match node:
            case Assign(target=target) if root_symbol(target) == root:
                return True
            case Call(arguments=(address, *_)) if node.name.startswith("atomic"):
                if root in symbols_in(ExprStatement(address)):
                    return True
            case _:
                pass
    return False
