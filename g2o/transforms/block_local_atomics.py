"""Atomic operations on the shared memory of a block become plain ones.

    g2o::atomic_add(&local[b], 1u);               local[b] += 1u;
    g2o::atomic_min(&best, x);                    best = std::min(best, x);
    int place = g2o::atomic_add(&count, 1);  ->   int place = count++;
    int old = g2o::atomic_max(&top, x);           int old = top;
                                                  top = std::max(top, x);

Legal for the CPU, where one thread runs all threads of a block, one after the other, and no other
thread ever sees the block's shared memory: nothing can come between the parts of an update. That
does not hold where the threads of a block run in parallel (`--target offload`). A source for both
(`--target portable`) has updates whose result nobody uses as they are on a CPU, under a directive
for devices:

    g2o::atomic_add(&local[b], 1u);          ->   G2O_DEVICE_PRAGMA(omp atomic)
                                                  local[b] += 1u;

What CUDA says is atomic for the threads of a block alone (`atomicAdd_block`) is the same on any
memory, where a loop over whole blocks is what runs in parallel. So is what adjoints add to shadows
where nothing runs in parallel, as of a kernel that is launched with one block.

This is done on lowered kernels, so that until then an atomic counts as what it is: something whose
result differs between threads, that may not be done once for all of them, and that carries a
dependence from one turn of a loop to the next (no `omp simd`).

What stays atomic: addresses that may lie elsewhere; results that are used inside a larger
expression (but for `count++`); addresses that read memory as another type than it is declared with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, root_symbol, statements_of
from g2o.analysis.functions import FunctionTable
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.increments import is_increment
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    Trivia,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, rewrite, walk, with_children
from g2o.ir.types import BOOL, INT, UNKNOWN, CType, TypeKind
from g2o.transforms.block_memory import BlockMemory, find_block_memory

_COMPOUND = {"Add": "+=", "Sub": "-=", "And": "&=", "Or": "|=", "Xor": "^="}
_ON_DEVICE = "#pragma G2O_DEVICE_PRAGMA(omp atomic)\n"
_ARITHMETIC = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.DEPENDENT)


def make_block_atomics_plain(
    lowered: LoweredKernel, functions: FunctionTable, *, for_both: bool = False
) -> LoweredKernel:
    """Replace atomics on shared memory; `for_both`: in a source for CPUs and devices. Unchanged
    kernels are returned as they are."""
    if not any(_is_atomic(node) for statement in lowered.body for node in walk(statement)):
        return lowered
    whole = Block(lowered.body)
    memory = find_block_memory(lowered.body)
    own = _run_by_block(lowered, for_both)
    replacer = _Replacer(memory, functions.for_node(whole), for_both, own)
    new = replacer.sequence(lowered.body)
    same = len(new) == len(lowered.body) and all(
        one is old for one, old in zip(new, lowered.body, strict=True)
    )
    return lowered if same else replace(lowered, body=new)


def _is_atomic(node: Node) -> bool:
    return isinstance(node, Call) and node.is_cuda and node.name.startswith("atomic")


@final
@dataclass(frozen=True, slots=True)
class _Update:
    """An atomic operation `kind` on the lvalue `target` of type `ctype`."""

    kind: str
    target: Expr
    ctype: CType
    operands: tuple[Expr, ...]

    def statement(self) -> Stmt | None:
        """The update where nobody looks at the result, or None where it has no plain form."""
        target, ctype = self.target, self.ctype
        value = self.operands[0]
        match self.kind:
            case "Add" | "Sub" | "And" | "Or" | "Xor":
                op = _COMPOUND[self.kind]
                return ExprStatement(Assign(op, target, converted(value, ctype), ctype))
            case "Min" | "Max":
                if ctype.is_volatile:
                    return None
                function = f"std::{self.kind.lower()}"
                if _plain(value.type) != _plain(ctype):
                    function += f"<{_plain(ctype)}>"
                least = Code((f"{function}(", target, ", ", value, ")"), type=ctype)
                return ExprStatement(Assign("=", target, least, ctype))
            case "Exch":
                return ExprStatement(Assign("=", target, value, ctype))
            case "CAS":
                expected = _compared(value, ctype)
                stored = ExprStatement(Assign("=", target, self.operands[1], ctype))
                return If(Binary("==", target, expected, BOOL), stored)
            case "Inc":
                following = Binary("+", target, Literal("1", 1, INT), ctype)
                wrapped = Binary(">=", target, _compared(value, ctype), BOOL)
                counted = Conditional(wrapped, Literal("0", 0, INT), following, ctype)
                return ExprStatement(Assign("=", target, counted, ctype))
            case "Dec":
                previous = Binary("-", target, Literal("1", 1, INT), ctype)
                zero = Binary("==", target, Literal("0", 0, INT), BOOL)
                wrapped = Binary(
                    "||", zero, Binary(">", target, _compared(value, ctype), BOOL), BOOL
                )
                return ExprStatement(
                    Assign("=", target, Conditional(wrapped, value, previous, ctype), ctype)
                )
            case _:
                return None

    def step(self) -> Expr | None:
        """`target++` or `target--`, where that is what the operation does and gives."""
        if self.ctype.kind is not TypeKind.INTEGER or self.kind not in ("Add", "Sub"):
            return None
        amount = integer_value(self.operands[0])
        if amount not in (1, -1):
            return None
        up = (self.kind == "Add") == (amount == 1)
        return Unary("++" if up else "--", self.target, True, self.ctype)

    @property
    def names_target_once(self) -> bool:
        return self.kind in _COMPOUND or self.kind == "Exch"


@final
class _Replacer:
    def __init__(
        self, memory: BlockMemory, effects: EffectsOf, for_both: bool, own: frozenset[int]
    ) -> None:
        self.memory = memory
        self.effects = effects
        self.for_both = for_both
        self.own = own  # the calls that only threads meet in which one thread of the CPU runs

    # -- statements -----------------------------------------------------------------------------

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(new for old in statements for new in self._statement(old))

    def _statement(self, statement: Stmt) -> tuple[Stmt, ...]:
        if not any(_is_atomic(node) for node in walk(statement)):
            return (statement,)
        match statement:
            case Block(statements=inner):
                new = self.sequence(inner)
                if len(new) == len(inner):
                    return (self._with_parts(statement, new),)
                return (Block(new, trivia=statement.trivia, span=statement.span),)
            case ExprStatement(expr=expr) if self.for_both:
                return (self._for_both(statement, strip_parens(expr)),)
            case Declare() if self.for_both:
                return (statement,)
            case ExprStatement(expr=expr):
                return self._expression_statement(statement, expr)
            case Declare():
                return self._declare(statement)
            case _:
                return (self._with_parts(statement, self._parts(statement)),)

    def _parts(self, statement: Stmt) -> tuple[Node, ...]:
        """The children of control flow, with atomics in them replaced."""
        new: list[Node] = []
        for child in children(statement):
            if isinstance(child, Stmt):
                new.append(self._nested(statement, child))
            elif not self.for_both and isinstance(
                statement, (If, For, While, DoWhile, Switch, Return)
            ):
                new.append(self._stepped(child))
            else:
                new.append(child)
        return tuple(new)

    def _nested(self, around: Stmt, child: Stmt) -> Stmt:
        found = self._statement(child)
        if len(found) == 1:
            return found[0]
        head = isinstance(around, For) and around.initial is child
        if head or isinstance(child, Declare):
            return child  # what follows has to see what it declares
        return Block(found, span=child.span)

    def _with_parts(self, statement: Stmt, new: tuple[Node, ...]) -> Stmt:
        old = children(statement)
        if all(one is other for one, other in zip(new, old, strict=True)):
            return statement
        return with_children(statement, new)

    def _expression_statement(self, statement: ExprStatement, expr: Expr) -> tuple[Stmt, ...]:
        bare = strip_parens(expr)
        if isinstance(bare, Cast) and bare.type.kind is TypeKind.VOID:
            bare = strip_parens(bare.operand)
        update = self._update(bare)
        if update is not None:
            plain = update.statement()
            return (statement,) if plain is None else (_instead_of(statement, plain),)
        match bare:
            case Assign(op="=", target=target, value=value) if not self._named(target):
                update = self._update(strip_parens(value))
                if update is not None and update.step() is None:
                    plain = update.statement()
                    if plain is None or not self._may_be_stored_first(bare, update):
                        return (statement,)
                    read = ExprStatement(replace(bare, value=update.target, form=bare.form.BUILT))
                    return _two(statement, read, plain)
            case _:
                pass
        stepped = self._stepped(expr)
        return (statement,) if stepped is expr else (with_children(statement, (stepped,)),)

    def _for_both(self, statement: ExprStatement, expr: Expr) -> Stmt:
        """The update under a directive, where OpenMP has an atomic one of the kind."""
        update = self._update(expr)
        if update is None or update.kind not in _COMPOUND or update.ctype.is_volatile:
            return statement
        plain = update.statement()
        if not isinstance(plain, ExprStatement):
            return statement
        return Text((_ON_DEVICE, plain.expr, ";"), trivia=statement.trivia)

    def _may_be_stored_first(self, assign: Assign, update: _Update) -> bool:
        """Does storing the old value leave what the update still has to read as it is?"""
        if not self.effects.is_pure(assign.target):
            return False
        stored = self.effects.of(Assign("=", assign.target, Literal("0", 0, INT)))
        parts = (update.target, *update.operands)
        read = self.effects.of_all(parts)
        if read.reads & stored.writes:
            return False
        elsewhere = any(
            symbol is None or not self._named(VarRef(symbol)) for symbol in read.memory_reads
        )
        return not (stored.memory_writes and elsewhere)

    def _declare(self, statement: Declare) -> tuple[Stmt, ...]:
        if len(statement.variables) != 1:
            return (statement,)
        (variable,) = statement.variables
        if variable.initial is None or variable.symbol.type.kind is TypeKind.REFERENCE:
            return (statement,)
        update = self._update(strip_parens(variable.initial))
        if update is None or update.step() is not None:
            stepped = self._stepped(variable.initial)
            if stepped is variable.initial:
                return (statement,)
            return (_instead_of(statement, Declare((replace(variable, initial=stepped),))),)
        plain = update.statement()
        if plain is None:
            return (statement,)
        read = Declare((replace(variable, initial=update.target),))
        return _two(statement, read, plain)

    # -- expressions ----------------------------------------------------------------------------

    def _stepped(self, expr: Node) -> Node:
        """`expr` with `count++` for atomics that step by one; nothing else in it may name shared
        memory, because the parts of an expression have no order."""

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, Call):
                return None
            update = self._update(node)
            step = None if update is None else update.step()
            if step is None or not self._alone(expr, node):
                return None
            return replace(step, span=node.span)

        return rewrite(expr, replacement)

    def _alone(self, whole: Node, call: Call) -> bool:
        inside = {id(node) for node in walk(call)}
        return not any(
            isinstance(node, VarRef) and self._named(node)
            for node in walk(whole)
            if id(node) not in inside
        )

    def _named(self, expr: Expr) -> bool:
        return self.memory.is_named_in(expr)

    def _update(self, expr: Expr) -> _Update | None:
        """What `expr` does, where it is an atomic on shared memory that has a plain form."""
        if not isinstance(expr, Call) or not _is_atomic(expr) or len(expr.arguments) < 2:
            return None
        address, *operands = expr.arguments
        if id(expr) not in self.own and not self.memory.is_address(address):
            return None
        if not _keeps_type(address):
            return None
        target = _pointee(address)
        ctype = _type_of(target, expr)
        if ctype.kind not in _ARITHMETIC:
            return None
        kind = expr.name.removeprefix("atomic").split("_")[0]
        update = _Update(kind, target, ctype, tuple(operands))
        if not all(self.effects.is_pure(part) for part in (target, *operands)):
            return None
        costly = any(isinstance(node, Call) for node in walk(target))
        if costly and not update.names_target_once:
            return None
        return update


def _run_by_block(lowered: LoweredKernel, for_both: bool) -> frozenset[int]:
    """The atomics for the threads of a block in parallel loops whose iterations are whole blocks,
    by identity, and additions to shadows where no loop is parallel, nor becomes that."""
    found: set[int] = set()
    others: set[int] = set()

    def visit(node: Node, by_block: bool) -> None:
        if isinstance(node, CountedLoop) and (depth := _parallel_loops(node)):
            by_block = _are_over_blocks(node, depth, lowered.grid)
        if _is_for_block(node):
            (found if by_block else others).add(id(node))
        for child in children(node):
            visit(child, by_block)

    for statement in lowered.body:
        visit(statement, False)
    nodes = [node for statement in lowered.body for node in walk(statement)]
    if not for_both and not any(map(_may_be_parallel, nodes)):
        return frozenset(found | {id(node) for node in nodes if is_increment(node)})
    return frozenset(found - others)


def _may_be_parallel(node: Node) -> bool:
    match node:
        case CountedLoop(directive=directive) | Block(directive=directive):
            return directive.is_parallel or directive.is_worksharing or directive.is_on_device
        case For(shared=how):
            return how is not None
        case Text(parts=parts):
            return any(isinstance(part, str) and "omp" in part for part in parts)
        case _:
            return False


def _is_for_block(node: Node) -> bool:
    return isinstance(node, Call) and _is_atomic(node) and node.name.endswith("_block")


def _parallel_loops(loop: CountedLoop) -> int:
    """How many loops the threads of the CPU share, from this one inwards."""
    return loop.directive.collapse if loop.directive.is_worksharing else 0


def _are_over_blocks(loop: CountedLoop, depth: int, grid: Symbol) -> bool:
    """Do the loops in each other go through the blocks of a grid, one by one?"""
    upper = strip_parens(loop.upper)
    while isinstance(upper, Cast):
        upper = strip_parens(upper.operand)
    extent = isinstance(upper, Member) and strip_parens(upper.base) == VarRef(grid)
    if not extent or integer_value(loop.lower) != 0 or loop.step is not None:
        return False
    if "nowait" in loop.directive.clauses:
        return False  # the same block may be another thread's in the next loop
    if depth == 1:
        return True
    inner = statements_of(loop.body)
    if len(inner) != 1 or not isinstance(inner[0], CountedLoop):
        return False
    return _are_over_blocks(inner[0], depth - 1, grid)


def _type_of(target: Expr, call: Call) -> CType:
    """The type of the memory, from wherever it has a name."""
    root = root_symbol(target)
    candidates = [value_type(target), target.type, call.type]
    if root is not None and isinstance(target, Index) and isinstance(target.base, VarRef):
        candidates.append(root.type.element or root.type)
    for ctype in candidates:
        if ctype.kind in _ARITHMETIC and not ctype.spelling.startswith("<"):
            return ctype
    return UNKNOWN


def _keeps_type(address: Expr) -> bool:
    """Does no cast in the address change the type of what it points to, but for its sign?"""
    for node in walk(address):
        if isinstance(node, Cast) and node.type.kind is TypeKind.POINTER:
            new, old = node.type.element, node.operand.type.element
            if new is None or old is None:
                return False
            old = old.innermost
            integers = new.kind is TypeKind.INTEGER and old.kind is TypeKind.INTEGER
            same = _plain(new) == _plain(old)
            if not same and not (integers and new.bits == old.bits):
                return False
    return True


def _pointee(address: Expr) -> Expr:
    """`*address`, as a person would write it."""
    bare = strip_parens(address)
    element = bare.type.element
    ctype = bare.type if element is None else element
    match bare:
        case Unary(op="&", operand=operand):
            return strip_parens(operand)
        case Binary(op="+", left=left, right=right) if left.type.is_indirect:
            return Index(left, right, ctype)
        case VarRef() | Index() if bare.type.kind is TypeKind.ARRAY:
            return Index(bare, Literal("0", 0, INT), ctype)
        case _:
            return Unary("*", bare, type=ctype)


def _plain(ctype: CType) -> str:
    words = ctype.spelling.replace("&", " ").split()
    return " ".join(word for word in words if word not in ("const", "volatile"))


def converted(value: Expr, ctype: CType) -> Expr:
    """`value` as the operation takes it: converted to the type of the memory first, where that
    makes a difference."""
    source = value.type
    if _plain(source) == _plain(ctype):
        return value
    if source.is_arithmetic and ctype.is_arithmetic:
        floating = source.kind is TypeKind.FLOATING
        narrowing = floating and (ctype.kind is not TypeKind.FLOATING or source.bits > ctype.bits)
        if not narrowing:
            return value
    return Cast(value, replace(ctype, spelling=_plain(ctype)))


def _compared(value: Expr, ctype: CType) -> Expr:
    """`value` as an operand of a comparison with the memory."""
    known = integer_value(value)
    if _plain(value.type) == _plain(ctype) or (known is not None and known >= 0):
        return value
    return Cast(value, replace(ctype, spelling=_plain(ctype)))


def _instead_of(old: Stmt, new: Stmt) -> Stmt:
    return replace(new, trivia=old.trivia, span=old.span)


def _two(old: Stmt, first: Stmt, second: Stmt) -> tuple[Stmt, Stmt]:
    trivia = old.trivia
    before = Trivia(trivia.before, "", trivia.blank_line)
    return replace(first, trivia=before), replace(second, trivia=Trivia((), trivia.after))
