"""Code that relies on the lanes of a warp running in step says so.

    volatile float *s = buf;          s[t] += s[t + 16];
    s[t] += s[t + 16];         ->     warp barrier
    s[t] += s[t + 8];                 s[t] += s[t + 8];

Before Volta, warps ran in lockstep and programs left `__syncwarp` out between accesses to
`volatile` shared memory (CUDA C++ Programming Guide, "Independent Thread Scheduling"). A statement
reads for all lanes before it writes for any; where lanes run in ascending order and only read what
higher lanes write, that holds by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from g2o.analysis.effects import root_symbol
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Index,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Node,
    Scope,
    Stmt,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind


def make_lockstep_explicit(kernel: Kernel) -> Kernel:
    """Put warp barriers between statements on volatile shared memory."""
    if not any(_is_volatile(node) for node in walk(kernel.body)):
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    loaded = _loaded(kernel.body)

    def in_block(node: Node) -> Node | None:
        match node:
            case Block():
                return _ordered(node, symbols, in_block, False, loaded)
            case For(body=body) | While(body=body) | DoWhile(body=body):
                inner = body if isinstance(body, Block) else Block((body,), span=body.span)
                new = _ordered(inner, symbols, in_block, True, loaded)
                return node if new is inner else replace(node, body=new, form=node.form.BUILT)
            case If(then=ExprStatement() as then) if _writes_volatile(then):
                split = tuple(_in_phases(then, symbols))
                return (
                    node
                    if len(split) == 1
                    else replace(node, then=Block(split), form=node.form.BUILT)
                )
            case _:
                return None

    body = in_block(kernel.body)
    if body is kernel.body or not isinstance(body, Block):
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _is_volatile(node: Node) -> bool:
    if not isinstance(node, VarRef):
        return False
    ctype = node.symbol.type
    if ctype.kind is TypeKind.POINTER:
        return ctype.element is not None and ctype.element.is_volatile
    shared = node.symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
    return shared and ctype.innermost.is_volatile


def _touches_volatile(statement: Stmt) -> bool:
    return any(_is_volatile(node) for node in walk(statement))


def _writes_volatile(statement: Stmt) -> bool:
    for node in walk(statement):
        target = node.target if isinstance(node, Assign) else None
        if isinstance(node, Unary) and node.is_update:
            target = node.operand
        if target is not None and any(_is_volatile(inner) for inner in walk(target)):
            return True
    return False


def _ordered(
    block: Block,
    symbols: SymbolTable,
    descend: Callable[[Node], Node | None],
    loops: bool,
    loaded: set[Symbol],
) -> Block:
    result: list[Stmt] = []
    statements = block.statements
    changed = False
    read: list[Index] = []  # of volatile memory, since the last barrier
    for position, statement in enumerate(statements):
        if isinstance(statement, Barrier):
            read.clear()
        elif any(
            _may_overwrite(target, one, loaded) for target in _stores(statement) for one in read
        ):
            result.append(Barrier(Scope.WARP))
            read.clear()
            changed = True
        read += _volatile_reads(statement)
        if isinstance(statement, ExprStatement):
            parts = _in_phases(statement, symbols) if _writes_volatile(statement) else [statement]
        else:
            parts = [rewrite(statement, descend)]
        changed = changed or len(parts) > 1 or parts[0] is not statement
        result.extend(parts)
        if not _writes_volatile(statement):
            continue
        following = statements[position + 1 :]
        next_is_barrier = bool(following) and isinstance(following[0], Barrier)
        later = any(_touches_volatile(s) for s in following)
        if (later or (loops and not following)) and not next_is_barrier:
            result.append(Barrier(Scope.WARP))
            read.clear()
            changed = True
    if not changed:
        return block
    return Block(tuple(result), trivia=block.trivia, span=block.span)


def _stores(statement: Stmt) -> list[Index]:
    """Elements of volatile memory that the statement assigns."""
    targets = (node.target for node in walk(statement) if isinstance(node, Assign))
    return [
        one for one in map(strip_parens, targets) if isinstance(one, Index) and _is_element(one)
    ]


def _volatile_reads(statement: Stmt) -> list[Index]:
    stored = _stores(statement)
    found = [node for node in walk(statement) if isinstance(node, Index) and _is_element(node)]
    return [node for node in found if not any(node is target for target in stored)]


def _is_element(node: Index) -> bool:
    return any(_is_volatile(inner) for inner in walk(node.base))


def _may_overwrite(target: Index, read: Index, loaded: set[Symbol]) -> bool:
    """May a lane write what a higher lane has still to read?

    Not where both are told apart by the lane: data as an index may be the same for several lanes.
    """
    if not _same_memory(root_symbol(target), root_symbol(read)):
        return False
    return not _is_at_or_above(read.index, target.index) or _loads(target.index, loaded)


def _loads(expr: Expr, loaded: set[Symbol]) -> bool:
    """Does the value come from memory, or from a variable that does?"""
    return any(
        isinstance(node, (Index, Call))
        or (isinstance(node, Unary) and node.op == "*")
        or (isinstance(node, VarRef) and node.symbol in loaded)
        for node in walk(expr)
    )


def _loaded(body: Block) -> set[Symbol]:
    """Variables whose values come from memory."""
    defined: list[tuple[Symbol, Expr]] = []
    for node in walk(body):
        if isinstance(node, Declare):
            defined += [(v.symbol, v.initial) for v in node.variables if v.initial is not None]
        elif isinstance(node, Assign) and isinstance(node.target, VarRef):
            defined.append((node.target.symbol, node.value))
    found: set[Symbol] = set()
    while more := {s for s, value in defined if s not in found and _loads(value, found)}:
        found |= more
    return found


def _in_phases(statement: ExprStatement, symbols: SymbolTable) -> list[Stmt]:
    """Read for all lanes, then write for all lanes, where that makes a difference."""
    expr = strip_parens(statement.expr)
    if not isinstance(expr, Assign) or _reads_ahead(expr):
        return [statement]
    if expr.op == "=" and not any(_is_volatile(node) for node in walk(expr.value)):
        return [statement]
    return read_then_write(statement, expr, symbols)


def read_then_write(statement: ExprStatement, expr: Assign, symbols: SymbolTable) -> list[Stmt]:
    """`a op= b` as a load, a warp barrier and a store."""
    value = expr.value
    if expr.op != "=":
        value = Binary(expr.op[:-1], expr.target, Paren(value, value.type), expr.target.type)
    ctype = _stored_type(expr.target)
    spelled = ctype.spelling.replace("volatile ", "").replace("const ", "")
    plain = replace(ctype, spelling=spelled, is_volatile=False)
    loaded = symbols.fresh("loaded", plain, Storage.LOCAL)
    trivia = statement.trivia
    before = Trivia(trivia.before, "", trivia.blank_line)
    stored = Assign("=", expr.target, VarRef(loaded), expr.type)
    return [
        Declare((Variable(loaded, spelled, "", value, "="),), trivia=before),
        Barrier(Scope.WARP),
        ExprStatement(stored, trivia=Trivia((), trivia.after)),
    ]


def _stored_type(target: Expr) -> CType:
    """The type of an lvalue; an element of a template's array is known by the array alone."""
    root = root_symbol(target)
    if target.type.kind is TypeKind.DEPENDENT and isinstance(target, Index) and root is not None:
        element = root.type.element
        if element is not None:
            return element.innermost
    return target.type


def _reads_ahead(assign: Assign) -> bool:
    """Does each lane only read its own element and elements that higher lanes write?"""
    target = strip_parens(assign.target)
    if not isinstance(target, Index):
        return False
    root = root_symbol(target)
    for node in walk(assign.value):
        if isinstance(node, Index) and _same_memory(root, root_symbol(node)):
            if not _is_at_or_above(node.index, target.index):
                return False
        elif isinstance(node, Unary) and node.op == "*":
            return False
    return True


def _same_memory(one: Symbol | None, other: Symbol | None) -> bool:
    if one is None or other is None or one == other:
        return True
    shared = (Storage.SHARED, Storage.DYNAMIC_SHARED)
    distinct = one.storage is Storage.SHARED and other.storage is Storage.SHARED
    return not distinct and (one.storage in shared or other.storage in shared or (
        one.type.kind is TypeKind.POINTER and other.type.kind is TypeKind.POINTER
    ))  # fmt: skip


def _is_at_or_above(index: Expr, own: Expr) -> bool:
    index, own = strip_parens(index), strip_parens(own)
    if index == own:
        return True
    match index:
        case Binary(op="+", left=left, right=right):
            for base, offset in ((left, right), (right, left)):
                value = integer_value(offset)
                if strip_parens(base) == own and value is not None and value >= 0:
                    return True
            return False
        case _:
            return False
