"""What statements read and write: variables, and memory behind pointers and arrays.

Sound by default: what is not understood may read and write every variable it names and any memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from g2o.analysis import pure_functions
from g2o.analysis.effect_sets import Effects, FunctionEffects
from g2o.analysis.lvalues import (
    goes_through_pointer,
    is_address,
    object_at,
    refers,
    root_symbol,
)
from g2o.analysis.memory import Memory, is_lambda, may_hold, memory_of
from g2o.analysis.own_elements import owners_of
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
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
from g2o.ir.statements import Block, Declare, Exchange, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind

_THRUST = "@N@thrust@"  # in the keys of what is declared in that namespace


def is_memory(symbol: Symbol) -> bool:
    """Is the variable itself memory that other threads see, and that may change?"""
    if symbol.storage is Storage.GLOBAL:
        return not (symbol.type.is_const and symbol.type.is_arithmetic)
    return symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)


@final
class EffectsOf:
    """Answers what code does, given what is known of the functions it calls."""

    def __init__(
        self,
        functions: dict[str, FunctionEffects],
        constant_functors: bool = False,
        body: Node | None = None,
        around: tuple[EffectsOf, Node] | None = None,
        *,
        is_c: bool = False,
    ) -> None:
        """`constant_functors`: no `operator()` that a template may call changes its object. `is_c`:
        nothing is handed by reference.
        `body` is all the code whose pointers lead anywhere: that of `around`, if given, and more.
        """
        self.functions = functions
        self.constant_functors = constant_functors
        self.is_c = is_c
        self._body = body
        self._around = around
        self._memory: Memory | None = None
        self._lambdas: dict[Symbol, list[Verbatim]] | None = None
        self._known: dict[int, tuple[Node, Effects]] = {}  # by id; passes ask again and again

    def within(self, body: Node) -> EffectsOf:
        """The same of other code, which `body` is all of."""
        return EffectsOf(self.functions, self.constant_functors, body, is_c=self.is_c)

    @property
    def memory(self) -> Memory:
        """What the pointers and references of the body lead to."""
        if self._memory is None and self._around is not None:
            known, more = self._around
            self._memory = memory_of(more, self.functions, known.memory, is_c=self.is_c)
        if self._memory is None:
            code = () if self._body is None else self._body
            self._memory = memory_of(code, self.functions, is_c=self.is_c)
        return self._memory

    def of(self, node: Node) -> Effects:
        return self._seen(node).copy()

    def of_all(self, nodes: Iterable[Node]) -> Effects:
        effects = Effects()
        for node in nodes:
            effects.add(self._seen(node))
        return effects

    def _seen(self, node: Node) -> Effects:
        """What `of` gives, for those who do not change it."""
        known = self._known.get(id(node))
        if known is None or known[0] is not node:
            effects = Effects()
            self._visit(node, effects)
            known = self._known[id(node)] = node, effects
        return known[1]

    def of_called(self, call: Call) -> Effects:
        """Effects of a function that `call` calls, without those of working out its arguments."""
        effects = Effects()
        self._called(call, effects)
        return effects

    def is_pure(self, node: Node) -> bool:
        return self.of(node).is_pure

    def _visit(self, node: Node, effects: Effects) -> None:
        match node:
            case Literal() | LaunchRef():
                pass
            case Binary(left=left, right=right):
                self._visit(left, effects)
                self._visit(right, effects)
            case Assign(op=op, target=target, value=value):
                self._store(target, effects)
                if op != "=":
                    self._load(target, effects)
                self._visit(value, effects)
            case Unary(op="++" | "--", operand=operand):
                self._store(operand, effects)
                self._load(operand, effects)
            case Unary(op="&", operand=operand):
                self._address(operand, effects)
            case VarRef() | Index() | Member() | Unary(op="*"):
                self._load(node, effects)
            case Call():
                self._call(node, effects)
            case Verbatim(parts=parts, pure=pure, evaluated=evaluated, copied=copied):
                kept = (copied or set[Symbol]()) - effects.writes
                for position, part in enumerate(parts):
                    self._visit(part, effects)
                    if not pure and position not in evaluated:
                        self._may_write(part, effects)
                effects.writes -= kept
                if not pure:
                    effects.side_effects = True
                    effects.memory_reads.add(None)
                    effects.memory_writes.add(None)
            case Code(parts=parts, pure=pure):
                for part in parts:
                    if not isinstance(part, str):
                        self._visit(part, effects)
                        if not pure:
                            self._may_write(part, effects)
                effects.side_effects = effects.side_effects or not pure
            case Declare(variables=variables):
                for variable in variables:
                    if variable.symbol.type.innermost.ends:  # at the end of the scope
                        effects.side_effects = True
                        effects.memory_reads.add(None)
                        effects.memory_writes.add(None)
                    for extent in variable.extents:
                        self._visit(extent, effects)
                    if variable.initial is not None:
                        self._visit(variable.initial, effects)
                        effects.writes.add(variable.symbol)
                        if variable.symbol.type.kind is TypeKind.REFERENCE:
                            self._refer(variable.symbol, variable.initial, effects)
            case Remote(symbol=symbol, thread=thread):
                effects.reads.add(symbol)
                if thread is not None:
                    self._visit(thread, effects)
            case Exchange(result=result, operands=operands):
                for operand in operands:
                    self._visit(operand, effects)
                effects.writes.add(result)
            case Block(statements=statements):
                for statement in statements:
                    effects.add(self._seen(statement))
            case _:
                for child in children(node):
                    self._visit(child, effects)

    def _indices(self, expr: Expr, effects: Effects) -> None:
        """The subexpressions of an lvalue that are evaluated as values. An address that an element
        is taken from at once leads nowhere else."""
        match expr:
            case Index(base=base, index=index):
                self._visit(index, effects)
                self._indices(object_at(base) or base, effects)
            case Member(base=base):
                self._indices(object_at(base) or base, effects)
            case Paren(inner=inner) | Cast(operand=inner):
                self._indices(inner, effects)
            case Unary(op="*", operand=operand):
                inside = object_at(operand)
                if inside is None:
                    self._visit(operand, effects)
                else:
                    self._indices(inside, effects)
            case VarRef():
                pass
            case _:
                self._visit(expr, effects)

    def _store(self, target: Expr, effects: Effects) -> None:
        self._indices(target, effects)
        match target:
            case Paren(inner=inner):
                self._store(inner, effects)
                return
            case Conditional(if_true=if_true, if_false=if_false):
                self._store(if_true, effects)
                self._store(if_false, effects)
                return
            case _:
                effects.writes.update(owners_of(target))
        root = root_symbol(target)
        perhaps = self._perhaps_elsewhere(target)
        if goes_through_pointer(target) or root is None or perhaps:
            effects.writes |= self.memory.variables(target)
        if goes_through_pointer(target) or perhaps:
            effects.memory_writes.add(root)
            if root is not None:
                effects.reads.add(root)
        if goes_through_pointer(target):
            pass
        elif root is None:
            effects.memory_writes.add(None)
            effects.side_effects = True
        elif is_memory(root):
            effects.memory_writes.add(root)
        else:
            effects.writes.add(root)

    def _load(self, expr: Expr, effects: Effects) -> None:
        self._indices(expr, effects)
        root = root_symbol(expr)
        perhaps = self._perhaps_elsewhere(expr)
        if goes_through_pointer(expr) or root is None or perhaps:
            effects.reads |= self.memory.variables(expr)
        if root is None:
            if goes_through_pointer(expr):
                effects.memory_reads.add(None)
            return
        effects.reads.add(root)
        if goes_through_pointer(expr) or is_memory(root) or perhaps:
            effects.memory_reads.add(root)

    def _perhaps_elsewhere(self, place: Expr) -> bool:
        """May a member of unknown type on the way be a reference?"""
        for one in walk(place):
            if isinstance(one, Member) and refers(one) is None and self.memory.leads_elsewhere(one):
                return True
        return False

    def _address(self, operand: Expr, effects: Effects) -> None:
        """An address by itself reads nothing; a private variable whose address is taken may change
        through it, so that counts as a write."""
        self._indices(operand, effects)
        effects.writes.update(owners_of(operand))
        root = root_symbol(operand)
        if root is None:
            return
        effects.reads.add(root)
        if not is_memory(root) and not goes_through_pointer(operand):
            effects.writes.add(root)

    def _refer(self, reference: Symbol, initial: Expr, effects: Effects) -> None:
        """What a reference is bound to may be written through it."""
        target = reference.type.element
        if target is not None and target.is_const:
            return
        match strip_parens(initial):
            case Conditional(if_true=if_true, if_false=if_false):
                self._refer(reference, if_true, effects)
                self._refer(reference, if_false, effects)
            case place if _is_lvalue(place):
                self._store(place, effects)
            case Call() as call:
                effects.memory_writes |= {one for one in symbols_in(call) if _leads_to_memory(one)}
                effects.writes |= self.memory.variables(call)
            case other:
                self._may_write(other, effects)

    def _may_write(self, expr: Expr, effects: Effects) -> None:
        for node in walk(expr):
            if not isinstance(node, VarRef):
                continue
            symbol = node.symbol
            if _leads_to_memory(symbol):
                effects.memory_writes.add(symbol)
            if not symbol.type.is_const:
                effects.writes.add(symbol)

    def _call(self, call: Call, effects: Effects) -> None:
        if is_tape_call(call):
            for part in (call.callee, *call.arguments):
                self._visit(part, effects)
            root = root_symbol(call.callee)
            if root is not None:
                effects.writes.add(root)
            return
        if not isinstance(call.callee, Literal):
            self._visit(call.callee, effects)
        for argument in call.arguments:
            self._visit(argument, effects)
        self._called(call, effects)

    def _called(self, call: Call, effects: Effects) -> None:
        known = [self.functions.get(key) for key in call.key.split("|")] if call.key else [None]
        certain = [one for one in known if one is not None]
        if not certain:
            if pure_functions.is_pure(call) or call.name in pure_functions.OUTPUT_FUNCTIONS:
                effects.side_effects |= call.name in pure_functions.OUTPUT_FUNCTIONS
                return
            if call.name in pure_functions.READING_FUNCTIONS:
                effects.memory_reads.update(map(root_symbol, call.arguments))
                return
            if call.name in pure_functions.RESULTS_BEHIND_POINTERS:
                self._written_through(call.arguments[-1], effects)
                return
            if call.is_cuda and call.name in pure_functions.IMAGE_ACCESSES:
                effects.memory_reads.add(None)
                effects.side_effects |= call.name.startswith("surf")
                self._written_through(call.arguments[0], effects)
                return
            if call.is_cuda and call.name.startswith("atomic") and call.arguments:
                self._atomic(call, effects)
                return
        if len(certain) < len(known):
            self._unknown_call(call, effects)
        for one in certain:
            self._known_call(call, one, effects)

    def _atomic(self, call: Call, effects: Effects) -> None:
        """Reads and writes what arguments point to, the first of all; takes numbers by value."""
        effects.side_effects = True
        for position, argument in enumerate(call.arguments):
            inner = strip_parens(argument)
            if position == 0 or (isinstance(inner, Unary) and inner.op == "&"):
                effects.memory_reads.add(root_symbol(argument))
                self._written_through(argument, effects)

    def _unknown_call(self, call: Call, effects: Effects) -> None:
        effects.side_effects = True
        effects.memory_reads.add(None)
        if not call.is_cuda or _THRUST in call.key:  # whose iterators hold any pointers
            effects.memory_writes.add(None)
        by_value = self.is_c or (
            call.is_cuda and call.name.startswith(pure_functions.RANDOM_NUMBERS)
        )
        for argument in call.arguments:
            if _is_lvalue(argument) and not by_value:
                self._store(argument, effects)
            self._written_through(argument, effects)
        if isinstance(call.callee, Member):
            self._object_of_call(call.callee.base, call.callee.arrow, effects)
        elif isinstance(call.callee, VarRef):  # an object with `operator()`, or a pointer
            kind = call.callee.type.kind
            dependent = kind is TypeKind.DEPENDENT
            if kind is not TypeKind.POINTER and not (dependent and self.constant_functors):
                self._store(call.callee, effects)

    def _known_call(self, call: Call, one: FunctionEffects, effects: Effects) -> None:
        arguments = call.arguments
        receiver: Expr | None = None
        arrow = False
        if isinstance(call.callee, Member):
            receiver, arrow = call.callee.base, call.callee.arrow
        elif one.is_method and arguments:
            receiver, *rest = arguments  # of an operator
            arguments = tuple(rest)
        effects.side_effects = effects.side_effects or one.has_atomics
        if one.gives_reference:
            self._referred_to(call, effects)
        if one.reads_elsewhere:
            effects.memory_reads.add(None)
        if one.writes_elsewhere:
            effects.memory_writes.add(None)
        if receiver is not None:
            self._read_behind(receiver, effects)
            if one.writes_receiver:
                self._object_of_call(receiver, arrow or not one.changes_object, effects)
        for position, argument in enumerate(arguments):
            if position in one.written_parameters and _is_lvalue(argument):
                self._store(argument, effects)
            if position in one.reads_through or (one.reads_elsewhere and is_address(argument)):
                effects.memory_reads.add(root_symbol(argument))
                effects.reads |= self.memory.variables_behind(argument)
            behind = position in one.writes_through
            if behind or (one.writes_elsewhere and is_address(argument)):
                self._written_through(argument, effects)

    def _referred_to(self, call: Call, effects: Effects) -> None:
        """What a function refers to is read where its result is used: `w(1) * w(-1)`."""
        places = self.memory.objects(call)
        effects.reads |= self.memory.variables(call)
        seen = {one for one in places if one is None or is_memory(one)}
        effects.memory_reads |= seen or (set() if self._body is not None else {None})

    def _read_behind(self, receiver: Expr, effects: Effects) -> None:
        """A method may read memory that its object points to."""
        behind = self.memory.behind(receiver)
        effects.reads |= self.memory.variables_behind(receiver)
        unknown = self._body is None and may_hold(receiver.type)
        if unknown or any(one is None or is_memory(one) for one in behind):
            effects.memory_reads.add(root_symbol(receiver))

    def _object_of_call(self, receiver: Expr, arrow: bool, effects: Effects) -> None:
        """A method may write the object it is called on, and memory that the object points to."""
        root = root_symbol(receiver)
        effects.memory_writes.add(root)
        effects.writes |= self._changed_behind(receiver)
        if not arrow and _is_lvalue(receiver):
            self._store(receiver, effects)

    def _changed_behind(self, value: Expr) -> set[Symbol]:
        """The variables that `value` leads to and that may be changed there: a lambda changes what
        its body does."""
        behind = self.memory.variables_behind(value)
        match value:
            case VarRef(symbol=symbol) if behind:
                made = self._made(symbol)
            case Verbatim() if is_lambda(value.type):
                made = [value]
            case _:
                return behind
        if not made:
            return behind
        inside = self.of_all(made)
        pointers = {one for one in inside.memory_writes if one and not is_lambda(one.type)}
        return behind & (inside.writes | self.memory.reached(pointers))

    def _made(self, symbol: Symbol) -> list[Verbatim]:
        """The lambdas that are the values of a variable."""
        if self._lambdas is None:
            self._lambdas = {}
            declared = walk(self._body) if self._body is not None else ()
            for node in declared:
                for one in node.variables if isinstance(node, Declare) else ():
                    if is_lambda(one.symbol.type):
                        own = self._lambdas.setdefault(one.symbol, [])
                        match one.initial:
                            case Verbatim() as made:
                                own.append(made)
                            case VarRef(symbol=copied):
                                own += self._lambdas.get(copied, ())
                            case _:
                                pass
        return self._lambdas.get(symbol, [])

    def _written_through(self, argument: Expr, effects: Effects) -> None:
        inner = argument
        while isinstance(inner, (Paren, Cast)):
            inner = inner.inner if isinstance(inner, Paren) else inner.operand
        match inner:
            case Unary(op="&", operand=operand):
                self._store(operand, effects)
            case Literal():
                pass
            case _:
                if inner.type.kind in (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL):
                    return
                if _points_to_const(inner):
                    return
                root = root_symbol(inner)
                effects.memory_writes.add(root)
                effects.writes |= self._changed_behind(inner)
                if root is not None and root.type.kind is TypeKind.ARRAY and not is_memory(root):
                    effects.writes.add(root)


def _leads_to_memory(symbol: Symbol) -> bool:
    return is_memory(symbol) or symbol.type.kind is TypeKind.POINTER


def is_tape_call(call: Call) -> bool:
    """Does the call push to, or pop from, a tape that an adjoint keeps?"""
    root = root_symbol(call.callee) if isinstance(call.callee, Member) else None
    return root is not None and is_tape(root)


def is_tape(symbol: Symbol) -> bool:
    return symbol.type.spelling.startswith("g2o::Tape<")


def _points_to_const(expr: Expr) -> bool:
    element = expr.type.element
    return element is not None and element.is_const


def _is_lvalue(expr: Expr) -> bool:
    match expr:
        case VarRef() | Index() | Member() | Unary(op="*"):
            return True
        case Paren(inner=inner):
            return _is_lvalue(inner)
        case _:
            return False


def symbols_in(node: Node) -> set[Symbol]:
    """Variables that `node` names or declares."""
    found: set[Symbol] = set()
    for inner in walk(node):
        if isinstance(inner, VarRef):
            found.add(inner.symbol)
        elif isinstance(inner, Declare):
            found.update(variable.symbol for variable in inner.variables)
        elif isinstance(inner, Exchange):
            found.add(inner.result)
        elif isinstance(inner, Remote):
            found.add(inner.symbol)
    return found


def declared_in(node: Node) -> set[Symbol]:
    return {
        variable.symbol
        for inner in walk(node)
        if isinstance(inner, Declare)
        for variable in inner.variables
    }


def statements_of(body: Stmt) -> tuple[Stmt, ...]:
    """The statements of a block, or the statement itself."""
    return body.statements if isinstance(body, Block) else (body,)
