"""Which values are the same for all threads of a block (or of a warp).

A value is uniform when every thread that evaluates it in one barrier interval gets the same. Loads
count as uniform when their address is: in a program without races no other thread writes the
location in the interval. (Coutinho et al., "Divergence Analysis and Optimizations", PACT 2011.)

Flow-insensitive: a variable is varying when any of its definitions is, or stands under varying
control flow. Sound because the set of varying variables only grows. The tapes of an adjoint are
such variables: what all threads have pushed alike, and take off alike, is the same for all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from g2o.analysis.effects import (
    EffectsOf,
    goes_through_pointer,
    is_tape,
    is_tape_call,
    root_symbol,
)
from g2o.analysis.jumps import goes_out
from g2o.analysis.pure_functions import READING_FUNCTIONS, is_pure
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Code,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Remote,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Exchange,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Scope,
    Stmt,
    Switch,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind

_COMMON_RESULTS = frozenset({"ballot", "any", "all", "count", "activemask"})


@final
@dataclass(slots=True)
class Uniformity:
    """Uniform values of one kernel at one scope (BLOCK, or GRID where even blockIdx varies).

    Without `control` a variable is not varying only because some threads assign it and others do
    not.
    """

    varying: set[Symbol]
    scope: Scope
    effects: EffectsOf
    control: bool = True
    gotos: bool = False  # are there any?
    bound: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])  # by references
    _judged: dict[int, tuple[Node, bool]] = field(default_factory=dict[int, tuple[Node, bool]])
    _judged_for: int = 0  # so many varying variables; there never come to be fewer

    def is_uniform(self, expr: Expr) -> bool:
        return not self._is_varying(expr)

    def _is_varying(self, node: Node) -> bool:
        match node:
            case LaunchRef(builtin=builtin):
                if builtin is Builtin.THREAD_INDEX:
                    return True
                return builtin is Builtin.BLOCK_INDEX and self.scope is Scope.GRID
            case VarRef(symbol=symbol):
                if symbol.type.is_volatile or _points_to_volatile(symbol):
                    return True
                if symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED):
                    return self.scope is Scope.GRID
                return symbol in self.varying
            case Call():
                return self._call_varies(node)
            case Verbatim(parts=parts, pure=pure):
                return not pure or any(self._is_varying(part) for part in parts)
            case Code(pure=False):
                return True
            case Remote(symbol=symbol, thread=thread):
                if thread is None:
                    return self.scope is not Scope.WARP
                return self._is_varying(thread)
            case Literal():
                return False
            case _:
                return self._any_part_varies(node)

    def _any_part_varies(self, node: Node) -> bool:
        """Asked once of a node: it is part of many others that are asked of."""
        if self._judged_for != len(self.varying):
            self._judged_for = len(self.varying)
            self._judged.clear()
        judged = self._judged.get(id(node))
        if judged is not None and judged[0] is node:
            return judged[1]
        varies = False
        for child in children(node):  # no generator: it would take a level of recursion
            varies = varies or self._is_varying(child)
        self._judged[id(node)] = node, varies
        return varies

    def _call_varies(self, call: Call) -> bool:
        operands: list[Node] = list(call.arguments)
        if isinstance(call.callee, Member):
            operands.append(call.callee.base)
        if any(self._is_varying(operand) for operand in operands):
            return True
        found = [self.effects.functions.get(key) for key in call.key.split("|") if key]
        if all(known is None for known in found):
            named = is_pure(call) or call.name in READING_FUNCTIONS
            return not named and not is_tape_call(call)
        for known in found:
            if known is None or known.reads_thread or known.has_atomics:
                return True
            if known.reads_block and self.scope is Scope.GRID:
                return True
        return False

    # -- solving --------------------------------------------------------------------------------

    def solve(self, body: Stmt) -> None:
        self.gotos = any(isinstance(n, Jump) and n.kind is JumpKind.GOTO for n in walk(body))
        self._mark_led_to()
        size = -1
        while size != len(self.varying):
            size = len(self.varying)
            self._statement(body, under_varying=False)

    def _mark_led_to(self) -> None:
        """Whatever threads do over pointers they may do to variables that these lead to."""
        for holder, held in self.effects.memory.held.items():
            if holder is not None and _names_others(holder):
                continue
            for symbol in held:
                if symbol is not None and symbol.storage is Storage.LOCAL:
                    self._mark(symbol)

    def _mark(self, symbol: Symbol | None) -> None:
        while symbol is not None:
            self.varying.add(symbol)
            symbol = self.bound.get(symbol)

    def _mark_written(self, root: Symbol | None, node: Expr) -> None:
        """What is written by way of `root`; any of several, `(t & 1 ? r : z) += t`, where that is
        no single variable."""
        for symbol in self.effects.of(node).writes if root is None else (root,):
            self._mark(symbol)

    def _statement(self, node: Node, under_varying: bool) -> None:
        match node:
            case Declare(variables=variables):
                for variable in variables:
                    self._declare(variable.symbol, variable.initial, under_varying)
                    if variable.initial is not None:
                        self._statement(variable.initial, under_varying)
            case Assign(target=target, value=value):
                root = root_symbol(target)
                plain = isinstance(target, VarRef) or self._is_same_part(target)
                if under_varying or self._is_varying(value) or not plain:
                    if plain or root is None or not _is_behind_pointer(target):
                        self._mark_written(root, node)
                self._statement(target, under_varying)
                self._statement(value, under_varying)
            case Unary(op="++" | "--", operand=operand):
                if under_varying or not isinstance(operand, VarRef):
                    if not _is_behind_pointer(operand):
                        self._mark_written(root_symbol(operand), node)
            case Unary(op="&", operand=operand):
                root = root_symbol(operand)
                private = root is not None and root.storage is Storage.LOCAL
                if private and not goes_through_pointer(operand):
                    self._mark(root)
                self._children(node, under_varying)
            case Call():
                if under_varying or self._call_varies(node):
                    self._written_by_call(node)
                for child in children(node):
                    lent = self._lent(child, node)
                    self._statement(child if lent is None else lent, under_varying)
            case Verbatim(parts=parts, pure=False, evaluated=evaluated, copied=copied):
                for position, part in enumerate(parts):
                    root = None if position in evaluated else root_symbol(part)
                    if root in (copied or ()):
                        continue
                    if root is not None and root.storage is Storage.LOCAL:
                        self._mark(root)
                self._children(node, under_varying)
            case If(condition=condition):
                self._statement(condition, under_varying)
                inner = under_varying or self._diverges(condition)
                for child in children(node)[1:]:
                    self._statement(child, inner)
            case (
                For(condition=condition) | While(condition=condition) | DoWhile(condition=condition)
            ):
                inner = under_varying or (condition is not None and self._diverges(condition))
                inner = inner or (self.control and self.leaves_varying(node))
                for position, child in enumerate(children(node)):
                    first = position == 0 and isinstance(node, For) and node.initial is not None
                    self._statement(child, under_varying if first else inner)
            case Switch(condition=condition):
                inner = under_varying or self._diverges(condition)
                self._children(node, inner)
            case Exchange(result=result, operands=operands):
                if under_varying or not self._same_for_all(node):
                    self._mark(result)
                for operand in operands:
                    self._statement(operand, under_varying)
            case Block(statements=statements):
                skipped = _between_gotos(statements) if self.gotos else set[int]()
                for position, statement in enumerate(statements):
                    self._statement(statement, under_varying or position in skipped)
            case Binary(op="&&" | "||", left=left, right=right):
                self._statement(left, under_varying)
                self._statement(right, under_varying or self._diverges(left))
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                self._statement(condition, under_varying)
                inner = under_varying or self._diverges(condition)
                self._statement(if_true, inner)
                self._statement(if_false, inner)
            case _:
                self._children(node, under_varying)

    def _is_same_part(self, target: Expr) -> bool:
        """Is it a part of a thread's own structure or array, the same part for all?"""
        match target:
            case Member(base=base, arrow=False) | Paren(inner=base):
                return self._is_same_part(base)
            case Index(base=base, index=index):
                inside = base.type.kind is TypeKind.ARRAY and not self._is_varying(index)
                return inside and self._is_same_part(base)
            case VarRef(symbol=symbol):
                kinds = (TypeKind.RECORD, TypeKind.ARRAY)
                return symbol.type.kind in kinds and symbol.storage is Storage.LOCAL
            case _:
                return False

    def _diverges(self, condition: Expr) -> bool:
        return self.control and self._is_varying(condition)

    def _children(self, node: Node, under_varying: bool) -> None:
        for child in children(node):
            self._statement(child, under_varying)

    def _declare(self, symbol: Symbol, initial: Expr | None, under_varying: bool) -> None:
        if symbol.storage not in (Storage.LOCAL, Storage.BLOCK):
            return
        if symbol.type.kind is TypeKind.REFERENCE:
            if under_varying or not self._is_same_element(symbol, initial):
                self.varying.add(symbol)
            if initial is not None:
                self._bind(symbol, initial, under_varying)
        elif symbol.type.kind is TypeKind.ARRAY:
            numbers = symbol.type.innermost.is_arithmetic and symbol.storage is Storage.LOCAL
            alike = initial is None or not (under_varying or self._is_varying(initial))
            if not numbers or not alike:
                self._mark(symbol)
        elif symbol.type.ends:
            self._mark(symbol)
        elif initial is None:
            # Threads that have pushed what others have not take off something else.
            is_common = is_tape(symbol) and self.control
            if symbol.type.kind in (TypeKind.RECORD, TypeKind.OTHER) and not is_common:
                self._mark(symbol)
        elif under_varying or self._is_varying(initial):
            self._mark(symbol)

    def _is_same_element(self, reference: Symbol, initial: Expr | None) -> bool:
        """Does it stand for an element of memory that is the same for all threads, to be read?"""
        root = None if initial is None else root_symbol(initial)
        element = reference.type.element
        if initial is None or root is None or element is None or not element.is_const:
            return False
        return root.storage is not Storage.LOCAL and not self._is_varying(initial)

    def _bind(self, reference: Symbol, initial: Expr, under_varying: bool) -> None:
        """What differs between threads of a reference does of the variable that it stands for."""
        target = reference.type.element
        if target is not None and target.is_const:
            return
        match strip_parens(initial):
            case Conditional(if_true=if_true, if_false=if_false):
                for branch in (if_true, if_false):
                    self._mark(root_symbol(branch))
            case place:
                root = root_symbol(place)
                if root is None:
                    for one in self.effects.memory.variables(place):
                        self._mark(one)
                if root is not None and root.storage is Storage.LOCAL and root != reference:
                    self.bound[reference] = root
                    if under_varying:
                        self._mark(root)

    def _same_for_all(self, exchange: Exchange) -> bool:
        """Does the operation give every thread of this scope the same?"""
        return gives_all_the_same(exchange) and exchange.scope.contains(self.scope)

    def _written_by_call(self, call: Call) -> None:
        for symbol in self.effects.of(call).writes:
            if symbol.storage in (Storage.LOCAL, Storage.PARAMETER):
                self._mark(symbol)

    def _lent(self, argument: Node, call: Call) -> VarRef | None:
        """The variable whose address a function gets that keeps it nowhere, and that has been
        asked what it writes."""
        known = all(key in self.effects.functions for key in call.key.split("|"))
        inner = strip_parens(argument) if isinstance(argument, Paren | Unary) else None
        match inner:
            case Unary(op="&", operand=VarRef() as variable) if known and call.type.is_arithmetic:
                return variable
            case _:
                return None

    def leaves_varying(self, loop: Node) -> bool:
        """Does a break, continue or return under a varying condition leave the loop early?"""
        out = goes_out(loop) is not None
        caught = frozenset[JumpKind]() if out else frozenset({JumpKind.GOTO})
        return any(self._jumps(child, False, caught) for child in children(loop))

    def _jumps(self, node: Node, varying: bool, caught: frozenset[JumpKind]) -> bool:
        """`caught` are the jumps that only leave something inside the loop."""
        match node:
            case Jump(kind=kind):
                return varying and kind not in caught
            case Return():
                return varying
            case If(condition=condition):
                inner = varying or self._is_varying(condition)
                return any(self._jumps(child, inner, caught) for child in children(node)[1:])
            case Switch(condition=condition, body=body):
                inner = varying or self._is_varying(condition)
                return self._jumps(body, inner, caught | {JumpKind.BREAK})
            case (
                For(condition=condition) | While(condition=condition) | DoWhile(condition=condition)
            ):
                inner = varying or (condition is not None and self._is_varying(condition))
                inside = caught | {JumpKind.BREAK, JumpKind.CONTINUE}
                return any(self._jumps(child, inner, inside) for child in children(node))
            case _:
                return any(self._jumps(child, varying, caught) for child in children(node))


def gives_all_the_same(exchange: Exchange) -> bool:
    """Is what the operation gives the same for all threads of its own scope?"""
    operation = exchange.operation
    common = operation in _COMMON_RESULTS or operation.startswith("reduce_")
    return common and exchange.width is None


def _between_gotos(statements: tuple[Stmt, ...]) -> set[int]:
    """Positions of statements that threads do not go through alike, because of `goto`s."""
    places: dict[str, set[int]] = {}
    for position, statement in enumerate(statements):
        for node in walk(statement):
            match node:
                case Labelled(value=None, label=label) if label != "default":
                    places.setdefault(label, set()).add(position)
                case Jump(kind=JumpKind.GOTO, label=label):
                    places.setdefault(label, set()).add(position)
                case _:
                    pass
    found: set[int] = set()
    for where in places.values():
        first, last = min(where), max(where)
        if first != last or not isinstance(statements[first], (Block, For, While, DoWhile)):
            found |= set(range(first, last + 1))  # else it is asked about inside of that
    return found


def _names_others(symbol: Symbol) -> bool:
    """A reference, or a lambda, through which variables are used where it is."""
    return symbol.type.kind is TypeKind.REFERENCE or "(lambda at" in symbol.type.spelling


def _is_behind_pointer(expr: Expr) -> bool:
    root = root_symbol(expr)
    return root is not None and (
        root.type.kind is TypeKind.POINTER
        or (root.type.kind is TypeKind.RECORD and goes_through_pointer(expr))
        or root.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED, Storage.GLOBAL)
    )


def _points_to_volatile(symbol: Symbol) -> bool:
    element = symbol.type.element
    return element is not None and element.innermost.is_volatile


def solve_uniformity(
    body: Stmt, scope: Scope, effects: EffectsOf, varying: set[Symbol], *, control: bool = True
) -> Uniformity:
    """Solve for `body`, given that the variables in `varying` differ between threads."""
    result = Uniformity(set(varying), scope, effects, control)
    result.solve(body)
    return result
