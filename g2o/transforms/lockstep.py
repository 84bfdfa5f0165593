"""Code that relies on the lanes of a warp running in step says so.

    volatile float *s = buf;          s[t] += s[t + 16];
    s[t] += s[t + 16];         ->     warp barrier
    s[t] += s[t + 8];                 s[t] += s[t + 8];

Before Volta, warps ran in lockstep and programs left `__syncwarp` out between accesses to
`volatile` shared memory (CUDA C++ Programming Guide, "Independent Thread Scheduling"). A statement
reads for all lanes before it writes for any; where lanes run in ascending order and only read what
higher lanes write, that holds by itself. It does not in an adjoint, whose increments go to what the
primal reads: a kernel that is differentiated gets every barrier.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import root_symbol
from g2o.analysis.shared_accesses import SHARED, shared_pointers
from g2o.diagnostics.diagnostic import Note, refuse
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
    is_primary,
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


def make_lockstep_explicit(kernel: Kernel, backwards: bool = False) -> Kernel:
    """Put warp barriers between statements on volatile shared memory. `backwards`: also where
    ascending lanes would do the right thing, as the adjoint of such a statement does not."""
    volatile = _volatile_memory(kernel)
    if not volatile:
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    steps = _Steps(symbols, volatile, loaded_variables(kernel.body), backwards)
    body = steps.nested(kernel.body)
    if body is kernel.body or not isinstance(body, Block):
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


@final
@dataclass(slots=True)
class _Steps:
    """`loaded` are variables whose values come from memory."""

    symbols: SymbolTable
    volatile: set[Symbol]
    loaded: set[Symbol]
    backwards: bool

    def nested(self, node: Node) -> Node | None:
        match node:
            case Block():
                return self.ordered(node, loops=False)
            case For(body=body) | While(body=body) | DoWhile(body=body):
                inner = body if isinstance(body, Block) else Block((body,), span=body.span)
                new = self.ordered(inner, loops=True)
                return node if new is inner else replace(node, body=new, form=node.form.BUILT)
            case If(then=then, otherwise=otherwise):
                first = self.branch(then)
                second = None if otherwise is None else self.branch(otherwise)
                if first is then and second is otherwise:
                    return node
                return replace(node, then=first, otherwise=second, form=node.form.BUILT)
            case _:
                return None

    def branch(self, branch: Stmt) -> Stmt:
        if not isinstance(branch, ExprStatement) or not _writes_volatile(branch, self.volatile):
            return rewrite(branch, self.nested)
        split = self.in_phases(branch)
        return branch if len(split) == 1 else Block(tuple(split))

    def ordered(self, block: Block, loops: bool) -> Block:
        """`block` with barriers. `loops`: it is done again and again."""
        result: list[Stmt] = []
        statements = block.statements
        changed = False
        read: list[Index] = []  # of volatile memory, since the last barrier
        for position, statement in enumerate(statements):
            if isinstance(statement, Barrier):
                read.clear()
            elif any(
                self.may_overwrite(target, one)
                for target in _stores(statement, self.volatile)
                for one in read
            ):
                result.append(Barrier(Scope.WARP))
                read.clear()
                changed = True
            read += _volatile_reads(statement, self.volatile)
            if isinstance(statement, ExprStatement):
                writes = _writes_volatile(statement, self.volatile)
                parts = self.in_phases(statement) if writes else [statement]
            else:
                parts = [rewrite(statement, self.nested)]
            changed = changed or len(parts) > 1 or parts[0] is not statement
            result.extend(parts)
            if not _writes_volatile(statement, self.volatile):
                continue
            following = statements[position + 1 :]
            next_is_barrier = bool(following) and isinstance(following[0], Barrier)
            later = any(_names(s, self.volatile) for s in following)
            if (later or (loops and not following)) and not next_is_barrier:
                result.append(Barrier(Scope.WARP))
                read.clear()
                changed = True
        if not changed:
            return block
        return Block(tuple(result), trivia=block.trivia, span=block.span)

    def may_overwrite(self, target: Index, read: Index) -> bool:
        """May a lane write what a higher lane has still to read?

        Not where both are told apart by the lane: data as an index may be the same for several
        lanes.
        """
        if not _same_memory(root_symbol(target), root_symbol(read)):
            return False
        if comes_from_memory(target.index, self.loaded):
            return True
        if self.backwards:
            return strip_parens(read.index) != strip_parens(target.index)
        return not _is_at_or_above(read.index, target.index)

    def in_phases(self, statement: ExprStatement) -> list[Stmt]:
        """Read for all lanes, then write for all lanes, where that makes a difference."""
        expr = strip_parens(statement.expr)
        if not isinstance(expr, Assign) or _reads_ahead(expr, only_own=self.backwards):
            return [statement]
        if expr.op == "=" and not _names(expr.value, self.volatile):
            return [statement]
        return read_then_write(statement, expr, self.symbols)


def _volatile_memory(kernel: Kernel) -> set[Symbol]:
    """The arrays and pointers behind which lanes are taken to run in step.

    Only shared memory where threads wait for each other in loops: elsewhere `volatile` is for
    those, and between two steps of all lanes one would keep a lock that the next one waits for.
    """
    named = {node.symbol for node in walk(kernel.body) if isinstance(node, VarRef)}
    found = {symbol for symbol in named if _is_volatile(symbol)}
    if not kernel.has_spins:
        return found
    pointers = shared_pointers(kernel.body)
    return {one for one in found if one.storage in SHARED or one in pointers}


def _is_volatile(symbol: Symbol) -> bool:
    ctype = symbol.type
    if ctype.kind is TypeKind.POINTER:
        return ctype.element is not None and ctype.element.is_volatile
    return symbol.storage in SHARED and ctype.innermost.is_volatile


def _names(node: Node, volatile: set[Symbol]) -> bool:
    return any(isinstance(one, VarRef) and one.symbol in volatile for one in walk(node))


def _writes_volatile(statement: Stmt, volatile: set[Symbol]) -> bool:
    for node in walk(statement):
        target = node.target if isinstance(node, Assign) else None
        if isinstance(node, Unary) and node.is_update:
            target = node.operand
        if target is not None and _names(target, volatile):
            return True
    return False


def _stores(statement: Stmt, volatile: set[Symbol]) -> list[Index]:
    """Elements of volatile memory that the statement assigns."""
    targets = (node.target for node in walk(statement) if isinstance(node, Assign))
    return [
        one
        for one in map(strip_parens, targets)
        if isinstance(one, Index) and _names(one.base, volatile)
    ]


def _volatile_reads(statement: Stmt, volatile: set[Symbol]) -> list[Index]:
    stored = _stores(statement, volatile)
    found = [
        node for node in walk(statement) if isinstance(node, Index) and _names(node.base, volatile)
    ]
    return [node for node in found if not any(node is target for target in stored)]


def comes_from_memory(expr: Expr, loaded: set[Symbol]) -> bool:
    """Does the value come from memory, or from a variable that does?"""
    return any(
        isinstance(node, (Index, Call))
        or (isinstance(node, Unary) and node.op == "*")
        or (isinstance(node, VarRef) and node.symbol in loaded)
        for node in walk(expr)
    )


def loaded_variables(body: Block) -> set[Symbol]:
    """Variables whose values come from memory."""
    defined: list[tuple[Symbol, Expr]] = []
    for node in walk(body):
        if isinstance(node, Declare):
            defined += [(v.symbol, v.initial) for v in node.variables if v.initial is not None]
        elif isinstance(node, Assign) and isinstance(node.target, VarRef):
            defined.append((node.target.symbol, node.value))
    found: set[Symbol] = set()
    while more := {s for s, value in defined if s not in found and comes_from_memory(value, found)}:
        found |= more
    return found


def read_then_write(statement: ExprStatement, expr: Assign, symbols: SymbolTable) -> list[Stmt]:
    """`a op= b` as a load, a warp barrier and a store. Raises Refusal where `a` changes something
    itself, as `x[i++]` does, which would happen twice."""
    if any(map(_changes, walk(expr.target))):
        message = "lanes of a warp meet in an assignment to a place that it changes itself"
        note = Note("change that in a statement of its own, in front of it")
        raise refuse("G2O0201", message, statement.span, note)
    value = expr.value
    if expr.op != "=":
        operand = value if is_primary(value) else Paren(value, value.type)
        value = Binary(expr.op[:-1], expr.target, operand, expr.target.type)
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


def _changes(node: Node) -> bool:
    return isinstance(node, Assign) or (isinstance(node, Unary) and node.is_update)


def _stored_type(target: Expr) -> CType:
    """The type of an lvalue; an element of a template's array is known by the array alone."""
    root = root_symbol(target)
    if target.type.kind is TypeKind.DEPENDENT and isinstance(target, Index) and root is not None:
        element = root.type.element
        if element is not None:
            return element.innermost
    return target.type


def _reads_ahead(assign: Assign, only_own: bool) -> bool:
    """Does each lane only read its own element and, unless `only_own`, those of higher lanes?"""
    target = strip_parens(assign.target)
    if not isinstance(target, Index):
        return False
    root = root_symbol(target)
    for node in walk(assign.value):
        if isinstance(node, Index) and _same_memory(root, root_symbol(node)):
            same = strip_parens(node.index) == strip_parens(target.index)
            if not same and (only_own or not _is_at_or_above(node.index, target.index)):
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
