"""Expressions of a kernel as values and addresses; what evaluating them reads and writes.

Variables stand for what they hold at that point: `int i = 16 * by + t; a[i + 1]` is an access at
16 * blockIdx.y + threadIdx.x + 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, final

from g2o.analysis.accesses import OUTPUT, OUTSIDE, AccessKind
from g2o.analysis.arithmetic import Arithmetic
from g2o.analysis.effects import EffectsOf, root_symbol
from g2o.analysis.pure_functions import OUTPUT_FUNCTIONS, PURE_FUNCTIONS, READING_FUNCTIONS
from g2o.analysis.uniformity import Uniformity
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    InitList,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Remote,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import INT, CType, TypeKind
from g2o.polyhedral.formula import (
    TRUE,
    Formula,
    at_least,
    conjunction,
    different,
    disjunction,
    equal,
    less,
)
from g2o.polyhedral.polynomial import ONE, ZERO, Polynomial
from g2o.polyhedral.space import NameInfo, Space

_WRAPPING: Final = ("+", "-", "*", "<<")
_COMPARISONS: Final = frozenset({"<", "<=", ">", ">=", "==", "!="})
_VECTORS: Final = ("char", "short", "int", "long", "float", "double", "half")


class Condition(NamedTuple):
    """`if_true` holds wherever the condition may be true, `if_false` wherever it may be false."""

    if_true: Formula
    if_false: Formula
    exact: bool


UNKNOWN_CONDITION: Final = Condition(TRUE, TRUE, False)


@final
@dataclass(frozen=True, slots=True)
class Address:
    """A place: `offset` counts elements of `element` from the start of `root`; None where it is
    not known. `private` places are the thread's own. `path` are the members below the element."""

    root: Symbol | None
    offset: Polynomial | None
    element: CType | None
    path: tuple[str, ...] = ()
    private: bool = False


ANY_MEMBER: Final = "*"
"""In a path: a member that may share its place with others, as in a union."""

ANYWHERE: Final = Address(None, None, None)

Value = Polynomial | Address


@final
@dataclass(slots=True)
class Machine:
    """What a thread knows at one point of the kernel. `guards` hold there; they are `exact` where
    nothing was left out of them."""

    env: dict[Symbol, Value] = field(default_factory=dict[Symbol, Value])
    guards: tuple[Formula, ...] = ()
    exact: bool = True
    loops: tuple[int, ...] = ()
    segment: int = 0
    alone: bool = False  # in a loop that every thread runs through on its own


@final
@dataclass(slots=True)
class AccessValues:
    """Evaluates expressions at the point where `machine` stands. `record` is told every access."""

    space: Space
    machine: Machine
    effects: EffectsOf
    uniformity: Uniformity
    launch: dict[tuple[Builtin, int], Polynomial]
    constants: dict[str, int]
    written: set[Symbol | None]  # memory that the kernel writes anywhere
    hidden: set[Symbol]  # private variables that may change behind other names
    record: Callable[[AccessKind, Address, Expr, Polynomial | None], None]
    extents: dict[Symbol, tuple[Polynomial, ...]] = field(
        default_factory=dict[Symbol, tuple[Polynomial, ...]]
    )
    arithmetic: Arithmetic = field(init=False)

    def __post_init__(self) -> None:
        self.arithmetic = Arithmetic(self.space)

    # -- values ---------------------------------------------------------------------------------

    def value(self, expr: Expr) -> Polynomial:
        """The integer that the expression gives; a name of its own where that is not understood.

        Accesses that evaluating it makes are recorded.
        """
        constant = integer_value(expr)
        if constant is not None:
            return Polynomial.constant(constant)
        match expr:
            case Paren(inner=inner):
                return self.value(inner)
            case Literal(text=text):
                if text in self.constants:
                    return Polynomial.constant(self.constants[text])
                known = _comparable(expr.type)
                info = NameInfo(False, not_negative=_is_unsigned(expr.type), exact=known)
                return Polynomial.name(self.space.name(text, info, ("literal", text)))
            case LaunchRef(builtin=builtin, axis=int(axis)):
                if (builtin, axis) in self.launch:
                    return self.launch[builtin, axis]
                return self.unknown(expr)
            case VarRef() | Index() | Member() | Unary(op="*"):
                return self._load(expr)
            case Unary(op="++" | "--" as op, operand=operand) if _is_pointer(operand):
                step = ONE if op == "++" else -ONE
                self._store(operand, _moved(self.address(operand), step), expr)
                return self.unknown(expr)
            case Unary(op="++" | "--" as op, operand=operand, postfix=postfix):
                old = self._load(operand)
                new = self._fitted(old + (ONE if op == "++" else -ONE), _type_of(operand))
                self._store(operand, new, expr)
                return old if postfix else new
            case Unary(op="-" | "+" as op, operand=operand) if _is_integer(expr.type):
                inner = self.value(operand)
                return self._fitted(-inner if op == "-" else inner, expr.type)
            case Unary(op="!") | Binary(op="&&" | "||"):
                held = self.condition(expr)
                return self._of_condition(held, expr)
            case Binary(op=op) if op in _COMPARISONS:
                return self._of_condition(self.condition(expr), expr)
            case Binary(op=",", left=left, right=right):
                self.visit(left)
                return self.value(right)
            case Binary() if _is_integer(expr.type) or expr.type.kind is TypeKind.DEPENDENT:
                return self._binary(expr)
            case Assign():
                return self._assign(expr)
            case Conditional():
                return self._conditional(expr)
            case Cast(operand=operand, type=target):
                inner = self.value(operand)
                source = _type_of(operand)
                if target.kind is TypeKind.INTEGER or (_comparable(source) and _is_wide(target)):
                    return self.arithmetic.converted(inner, source, target)
                return self.arithmetic.opaque("v", ("cast", inner, target.spelling), inner)
            case Call():
                return self._call(expr)
            case _:
                self._visit_children(expr)
                return self.unknown(expr)

    def visit(self, expr: Expr) -> None:
        """Evaluate for the accesses alone."""
        if expr.type.kind in (TypeKind.POINTER, TypeKind.ARRAY):
            self.address(expr)
        else:
            self.value(expr)

    def unknown(self, expr: Expr, exact: bool = False) -> Polynomial:
        """A name for a value that nothing is known of but whether threads may differ in it."""
        varying = self._varies(expr)
        return self.anything(varying, exact, _is_integer(expr.type) and not expr.type.is_signed)

    def anything(
        self, varying: bool, exact: bool = False, not_negative: bool = False
    ) -> Polynomial:
        """In a loop that threads run through on their own, they may be in different iterations:
        there even what is the same for all of them has another value in each."""
        alone = self.machine.alone
        info = NameInfo(varying or alone, self.machine.loops, TRUE, not_negative, exact, alone)
        return Polynomial.name(self.space.name("v", info))

    def _varies(self, expr: Expr) -> bool:
        return not self.uniformity.is_uniform(expr)

    def _unsigned(self, value: Polynomial, ctype: CType) -> Polynomial:
        if _is_integer(ctype) and not ctype.is_signed:
            return self.arithmetic.unsigned(value, ctype.bits)
        return value

    def _fitted(self, value: Polynomial, ctype: CType) -> Polynomial:
        """The result of arithmetic as a variable of the type holds it."""
        if ctype.kind is TypeKind.BOOL or (_is_integer(ctype) and ctype.bits < INT.bits):
            return self.arithmetic.converted(value, INT, ctype)
        return self._unsigned(value, ctype)

    def _of_condition(self, held: Condition, expr: Expr) -> Polynomial:
        return self.selected(held, ONE, ZERO, self._varies(expr))

    def selected(
        self, held: Condition, one: Polynomial, other: Polynomial, varying: bool
    ) -> Polynomial:
        """`one` where the condition holds, `other` elsewhere. `varying`: threads may differ in it.

        What is not known of a condition may differ from evaluation to evaluation, so the value
        has a name of its own then.
        """
        if one == other:
            return one
        if held.exact:
            return self.arithmetic.selected(held.if_true, held.if_false, one, other)
        known = self.space.is_not_negative(one) and self.space.is_not_negative(other)
        result = self.anything(varying, not_negative=known)
        (name,) = result.names
        cases = (
            conjunction((held.if_true, equal(result, one))),
            conjunction((held.if_false, equal(result, other))),
        )
        self.space.define(name, disjunction(cases))
        return result

    def _operands(self, expr: Binary) -> tuple[Polynomial, Polynomial]:
        """Both operands, converted to their common type."""
        left, right = self.value(expr.left), self.value(expr.right)
        first, second = _type_of(expr.left), _type_of(expr.right)
        if _is_integer(first) and _is_integer(second):
            if first.is_signed and not second.is_signed and second.bits >= max(32, first.bits):
                left = self._unsigned(left, second)
            elif second.is_signed and not first.is_signed and first.bits >= max(32, second.bits):
                right = self._unsigned(right, first)
        return left, right

    def _binary(self, expr: Binary) -> Polynomial:
        shifts = expr.op in ("<<", ">>")
        if expr.type.kind is TypeKind.DEPENDENT and expr.op == "*":
            return self._dependent_product(expr)
        if shifts:
            left, right = self.value(expr.left), self.value(expr.right)
        else:
            left, right = self._operands(expr)
        divided = _type_of(expr.left) if shifts else expr.type
        made = self._combined(expr.op, left, right, divided)
        if made is None or made.is_large:
            key = (expr.op, left, right, divided.kind, divided.bits)
            return self.arithmetic.opaque("v", key, left, right)
        return self._unsigned(made, expr.type) if expr.op in _WRAPPING else made

    def _dependent_product(self, expr: Binary) -> Polynomial:
        """A product in a type that the template does not know: it may be a fraction."""
        left, right = self.value(expr.left), self.value(expr.right)
        if left.value is None and right.value is None:
            names = left.names | right.names
            if not all(self.space.infos[name].exact for name in names):
                return self.arithmetic.opaque("v", ("*", left, right), left, right)
        return left * right

    def _combined(
        self, op: str, left: Polynomial, right: Polynomial, ctype: CType
    ) -> Polynomial | None:
        """The operation in the type; None where it is not understood."""
        arithmetic, amount = self.arithmetic, right.value
        if op in ("/", ">>") or (op == "%" and amount is not None and amount & (amount - 1)):
            exact = _is_integer(ctype) and (ctype.is_signed or not arithmetic.is_hashed(left))
            if not exact or (op == ">>" and arithmetic.is_shifted(left)):
                return None
        match op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/" if amount is not None and amount > 0:
                return arithmetic.quotient(left, amount)
            case "%" if amount is not None and amount > 0:
                return arithmetic.remainder(left, amount)
            case "<<" if amount is not None and 0 <= amount < 31:
                return left.scaled(2**amount)
            case ">>" if amount is not None and 0 <= amount < 31:
                return arithmetic.floor_quotient(left, 2**amount)
            case "&" if amount is not None:
                return arithmetic.masked(left, amount)
            case "&" if left.value is not None:
                return arithmetic.masked(right, left.value)
            case _:
                return None

    def _conditional(self, expr: Conditional) -> Polynomial:
        held = self.condition(expr.condition)
        one = self._under(held.if_true, held.exact, expr.if_true)
        other = self._under(held.if_false, held.exact, expr.if_false)
        self._forget_changed(expr.if_true, expr.if_false)
        return self.selected(held, one, other, self._varies(expr))

    def _forget_changed(self, *evaluated: Expr) -> None:
        """Parts that are evaluated under a condition may have changed variables, or not."""
        for symbol in sorted(self.effects.of_all(evaluated).writes, key=lambda one: one.id):
            if symbol.storage in (Storage.LOCAL, Storage.PARAMETER):
                self._bind(symbol, None)

    def _under(self, guard: Formula, exact: bool, expr: Expr) -> Polynomial:
        machine = self.machine
        guards, was_exact = machine.guards, machine.exact
        machine.guards, machine.exact = with_guard(guards, guard), was_exact and exact
        found = self.value(expr)
        machine.guards, machine.exact = guards, was_exact
        return found

    # -- conditions -----------------------------------------------------------------------------

    def condition(self, expr: Expr) -> Condition:
        match expr:
            case Paren(inner=inner):
                return self.condition(inner)
            case Unary(op="!", operand=operand):
                held = self.condition(operand)
                return Condition(held.if_false, held.if_true, held.exact)
            case Binary(op="&&", left=left, right=right):
                first = self.condition(left)
                second = self._condition_under(first.if_true, first.exact, right)
                return Condition(
                    conjunction((first.if_true, second.if_true)),
                    disjunction((first.if_false, second.if_false)),
                    first.exact and second.exact,
                )
            case Binary(op="||", left=left, right=right):
                first = self.condition(left)
                second = self._condition_under(first.if_false, first.exact, right)
                return Condition(
                    disjunction((first.if_true, second.if_true)),
                    conjunction((first.if_false, second.if_false)),
                    first.exact and second.exact,
                )
            case Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                if not (_comparable(_type_of(left)) and _comparable(_type_of(right))):
                    self.visit(left)
                    self.visit(right)
                    return UNKNOWN_CONDITION
                return _comparison(op, *self._operands(expr))
            case _:
                if not _comparable(_type_of(expr)):
                    self.visit(expr)
                    return UNKNOWN_CONDITION
                value = self.value(expr)
                return Condition(different(value, ZERO), equal(value, ZERO), True)

    def _condition_under(self, guard: Formula, exact: bool, expr: Expr) -> Condition:
        machine = self.machine
        guards, was_exact = machine.guards, machine.exact
        machine.guards, machine.exact = with_guard(guards, guard), was_exact and exact
        found = self.condition(expr)
        machine.guards, machine.exact = guards, was_exact
        self._forget_changed(expr)
        return found

    # -- places ---------------------------------------------------------------------------------

    def place(self, expr: Expr) -> Address:
        """The place that an lvalue names. Indices in it are evaluated."""
        match expr:
            case Paren(inner=inner):
                return self.place(inner)
            case VarRef(symbol=symbol):
                return self._variable(symbol)
            case Unary(op="*", operand=operand):
                return self.address(operand)
            case Index(base=base, index=index):
                start = self.address(base)
                moved = self._index(index) * self._size(base)
                if start.path and base.type.kind is TypeKind.ARRAY:
                    path = (*start.path, ANY_MEMBER)  # an array inside a member
                    return Address(start.root, start.offset, start.element, path, start.private)
                return _moved(start, moved)
            case Member(base=base, name=name, arrow=arrow):
                start = self.address(base) if arrow else self.place(base)
                vector = _is_vector(start.element)
                if start.element is not None and start.element.kind is TypeKind.RECORD:
                    path = (*start.path, name if vector else ANY_MEMBER)
                    return Address(start.root, start.offset, start.element, path, start.private)
                return Address(start.root, None, None, (), start.private)
            case Cast(operand=operand):
                found = self.place(operand)
                return Address(found.root, None, None, (), found.private)
            case Conditional(condition=condition, if_true=one, if_false=other):
                self.condition(condition)
                places = (self.place(one), self.place(other))
                for place in places:
                    if place.private and place.root is not None:
                        self._bind(place.root, None)
                return places[0] if places[0] == places[1] else ANYWHERE
            case _:
                self._visit_children(expr)
                return ANYWHERE

    def _index(self, expr: Expr) -> Polynomial:
        """The value of an index. One that has wrapped round is outside of every array."""
        ctype = _type_of(expr)
        bits = ctype.bits if _is_integer(ctype) and not ctype.is_signed else 64
        return self.arithmetic.unwrapped(self.value(expr), bits)

    def _variable(self, symbol: Symbol) -> Address:
        if symbol.type.kind is TypeKind.REFERENCE:
            bound = self.machine.env.get(symbol)
            if isinstance(bound, Address):
                return bound
            return ANYWHERE if symbol.storage is Storage.LOCAL else Address(symbol, None, None)
        if symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED, Storage.GLOBAL):
            return Address(symbol, ZERO, symbol.type.innermost)
        return Address(symbol, ZERO, symbol.type.innermost, private=True)

    def address(self, expr: Expr) -> Address:
        """What a pointer points to, or where an array starts."""
        match expr:
            case Paren(inner=inner):
                return self.address(inner)
            case Unary(op="&", operand=operand):
                return self.place(operand)
            case VarRef(symbol=symbol) if symbol.type.kind is TypeKind.POINTER:
                return self._pointer(symbol)
            case VarRef() | Index() | Member() if expr.type.kind is TypeKind.ARRAY:
                return self.place(expr)
            case Binary(op="+" | "-" as op, left=left, right=right):
                if not _is_pointer(left):
                    left, right = right, left
                start, moved = self.address(left), self._index(right) * self._size(left)
                return _moved(start, moved if op == "+" else -moved)
            case Cast(operand=operand, type=target) if _is_pointer(operand):
                start = self.address(operand)
                if _same_element(start.element, target.element) and not start.path:
                    return Address(start.root, start.offset, target.element, (), start.private)
                fits = start.offset == ZERO or _same_size(start.element, target.element)
                if fits and not start.path:
                    return Address(start.root, start.offset, target.element, (), start.private)
                return Address(start.root, None, None, (), start.private)
            case Assign(op="=", target=VarRef(symbol=symbol), value=value):
                found = self.address(value)
                self._bind(symbol, found)
                return found
            case Conditional(condition=condition, if_true=one, if_false=other):
                self.condition(condition)
                first, second = self.address(one), self.address(other)
                if first == second:
                    return first
                if first.root == second.root and not (first.private or second.private):
                    return Address(first.root, None, None)
                return ANYWHERE
            case Member():
                self.value(expr)
                root = root_symbol(expr)
                parameter = root is not None and root.storage is Storage.PARAMETER
                return Address(OUTSIDE, None, None) if parameter else ANYWHERE
            case _:
                self.value(expr)
                return ANYWHERE

    def _pointer(self, symbol: Symbol) -> Address:
        if symbol in self.hidden:
            return ANYWHERE
        known = self.machine.env.get(symbol)
        if isinstance(known, Address):
            return known
        if symbol.storage is Storage.PARAMETER and symbol not in self.machine.env:
            return Address(symbol, ZERO, symbol.type.element)
        if symbol.storage is Storage.GLOBAL and symbol not in self.written:
            return Address(symbol, ZERO, symbol.type.element)
        return ANYWHERE

    def _size(self, base: Expr) -> Polynomial:
        """How many innermost elements one step of an index into `base` skips."""
        step = base.type.element
        if step is None or step.kind is not TypeKind.ARRAY:
            return ONE
        size, levels, current = ONE, 0, step
        known = True
        while current.kind is TypeKind.ARRAY and current.element is not None:
            known = known and current.extent is not None
            size = size * Polynomial.constant(current.extent or 0)
            levels += 1
            current = current.element
        if known:
            return size
        root = root_symbol(base)
        spelled = self.extents.get(root, ()) if root is not None else ()
        if len(spelled) < levels:
            return self.anything(varying=True)
        size = ONE
        for extent in spelled[-levels:]:
            size = size * extent
        return size

    # -- loads and stores -----------------------------------------------------------------------

    def _load(self, expr: Expr) -> Polynomial:
        if isinstance(expr, VarRef):
            symbol = expr.symbol
            if symbol in self.hidden:
                return self.anything(True, not_negative=_is_unsigned(symbol.type))
            known = self.machine.env.get(symbol)
            if isinstance(known, Polynomial):
                return known
            if symbol.storage is Storage.PARAMETER and known is None:
                return self._parameter(symbol)
        place = self.place(expr)
        if place.private:
            return self._private(place, expr)
        self.record(AccessKind.READ, place, expr, None)
        constant = place.root is not None and self._is_constant(place.root)
        if constant and place.offset is not None and ANY_MEMBER not in place.path:
            element = "" if place.element is None else place.element.spelling
            key = ("load", place.root, place.offset, place.path, element, expr.type.spelling)
            name, _ = self.space.derived("v", key, (place.offset,), exact=False)
            if _is_integer(expr.type) and not expr.type.is_signed:
                self.space.define(name, TRUE, not_negative=True)
            return Polynomial.name(name)
        return self.unknown(expr)

    def _private(self, place: Address, expr: Expr) -> Polynomial:
        """A member of a parameter that is never changed stands for itself."""
        root = place.root
        if root is not None and root.storage is Storage.PARAMETER and isinstance(expr, Member):
            path = _spelled_path(expr)
            if path is not None and root not in self.machine.env and root not in self.hidden:
                info = NameInfo(varying=False, not_negative=_is_unsigned(expr.type))
                key = ("member", root, path)
                return Polynomial.name(self.space.name(expr.name, info, key))
        return self.unknown(expr)

    def _parameter(self, symbol: Symbol) -> Polynomial:
        info = NameInfo(varying=False, not_negative=_is_unsigned(symbol.type))
        return Polynomial.name(self.space.name(symbol.name, info, ("parameter", symbol)))

    def _is_constant(self, root: Symbol) -> bool:
        """Does nothing in the kernel change what lies behind the root?"""
        if root in self.written or None in self.written:
            return False
        if root.storage is Storage.DYNAMIC_SHARED:
            return not any(_is_dynamic(one) for one in self.written)
        if root.storage is Storage.SHARED or root.type.is_restrict:
            return True
        if root.type.innermost.is_const and not root.type.is_indirect:
            return True
        return not any(_may_be(root, one) for one in self.written)

    def _store(self, target: Expr, value: Value | None, expr: Expr) -> None:
        match target:
            case Paren(inner=inner):
                self._store(inner, value, expr)
                return
            case VarRef(symbol=symbol) if symbol.storage in (Storage.LOCAL, Storage.PARAMETER):
                if symbol.type.kind is not TypeKind.REFERENCE:
                    self._bind(symbol, value)
                    return
            case _:
                pass
        place = self.place(target)
        if place.private:
            if place.root is not None:
                self._bind(place.root, None)
            return
        self.record(AccessKind.WRITE, place, expr, value if isinstance(value, Polynomial) else None)

    def _bind(self, symbol: Symbol, value: Value | None) -> None:
        if value is None:
            value = self.anything(symbol in self.uniformity.varying)
        self.machine.env[symbol] = value

    def _assign(self, expr: Assign) -> Polynomial:
        if _is_pointer(expr.target):
            if expr.op == "=":
                found = self.address(expr.value)
            else:
                start, moved = self.address(expr.target), self.value(expr.value)
                found = _moved(start, moved if expr.op == "+=" else -moved)
            self._store(expr.target, found, expr)
            return self.unknown(expr)
        new = self.value(expr.value)
        target, source = _type_of(expr.target), _type_of(expr.value)
        if expr.op != "=":
            old = self._load(expr.target)
            new = self._updated(expr.op, old, new, target, source)
        else:
            new = self._as(new, source, target)
        self._store(expr.target, new, expr)
        return new

    def _updated(
        self, op: str, old: Polynomial, by: Polynomial, target: CType, source: CType
    ) -> Polynomial:
        """What a variable of type `target` holds after `variable op by`."""
        made, common = None, _common(op[:-1], target, source)
        if _is_integer(target) and _comparable(source):
            if op[:-1] not in ("<<", ">>"):
                by = self.arithmetic.converted(by, source, common)
            made = self._combined(
                op[:-1], self.arithmetic.converted(old, target, common), by, common
            )
        if made is None or made.is_large:
            return self.arithmetic.opaque("v", (op, old, by, target.kind, target.bits), old, by)
        made = self._unsigned(made, common) if op[:-1] in _WRAPPING else made
        return self.arithmetic.converted(made, common, target)

    def _as(self, value: Polynomial, source: CType, target: CType) -> Polynomial:
        """The value converted as an initialisation or an assignment does."""
        whole = all(self.space.infos[name].exact for name in value.names)
        if _comparable(source):
            return self.arithmetic.converted(value, source, target) if _is_wide(target) else value
        known = source.kind is TypeKind.DEPENDENT and whole
        if _is_integer(target) and source.kind in (TypeKind.FLOATING, TypeKind.DEPENDENT):
            return value if known else self.arithmetic.opaque("v", ("as", value), value)
        return value

    def declared(self, symbol: Symbol, initial: Expr) -> None:
        """`type symbol = initial;`"""
        if symbol.type.kind is TypeKind.POINTER:
            self._bind(symbol, self.address(initial))
        elif symbol.type.kind is TypeKind.REFERENCE:
            self._bind(symbol, self.place(initial))
        elif symbol.type.kind in (TypeKind.ARRAY, TypeKind.RECORD):
            self.visit(initial)
        else:
            self._bind(symbol, self._as(self.value(initial), _type_of(initial), symbol.type))

    # -- calls ----------------------------------------------------------------------------------

    def _call(self, call: Call) -> Polynomial:
        known = any(self.effects.functions.get(key) for key in call.key.split("|"))
        if not known:
            if call.name in PURE_FUNCTIONS and not call.key.startswith("?"):
                return self._pure(call)
            if call.name in OUTPUT_FUNCTIONS:
                self._visit_children(call)
                printed = Address(OUTPUT, ZERO, None)
                if call.name not in ("assert", "__assert_fail"):
                    self.record(AccessKind.WRITE, printed, call, None)
                return self.unknown(call)
            if call.name in READING_FUNCTIONS and call.arguments:
                place = self.address(call.arguments[0])
                self.record(AccessKind.READ, place, call, None)
                return self.unknown(call)
            if call.is_cuda and call.name.startswith("atomic") and call.arguments:
                place = self.address(call.arguments[0])
                for argument in call.arguments[1:]:
                    self.visit(argument)
                if not place.private:
                    self.record(AccessKind.ATOMIC, place, call, None)
                return self.anything(varying=True)
        self._call_by_effects(call)
        return self.unknown(call)

    def _pure(self, call: Call) -> Polynomial:
        operands = [self.value(argument) for argument in call.arguments]
        if call.name in ("min", "max") and len(operands) == 2 and _is_integer(call.type):
            return self.arithmetic.extreme(*operands, largest=call.name == "max")
        return self.arithmetic.opaque("v", ("call", call.name, *operands), *operands)

    def _call_by_effects(self, call: Call) -> None:
        """A call of which only the effects are known."""
        places = [self._passed(argument) for argument in call.arguments]
        if isinstance(call.callee, Member):
            places.append(self._passed(call.callee.base))
        found = self.effects.of(call)
        by_root = {place.root: place for place in places if place is not None}
        for kind, roots in (
            (AccessKind.READ, found.memory_reads),
            (AccessKind.WRITE, found.memory_writes),
        ):
            for root in sorted(roots, key=lambda one: -1 if one is None else one.id):
                self._touch(kind, root, by_root, call)
        if found.side_effects:
            self.record(AccessKind.WRITE, ANYWHERE, call, None)
        for symbol in sorted(found.writes, key=lambda one: one.id):
            if symbol.storage in (Storage.LOCAL, Storage.PARAMETER):
                self._bind(symbol, None)

    def _passed(self, argument: Expr) -> Address | None:
        if _is_pointer(argument):
            return self.address(argument)
        if isinstance(argument, (VarRef, Index, Member)):
            place = self.place(argument)
            if not place.private:
                self.record(AccessKind.READ, place, argument, None)
            return place
        self.value(argument)
        return None

    def _touch(
        self, kind: AccessKind, root: Symbol | None, known: dict[Symbol | None, Address], call: Call
    ) -> None:
        """Memory anywhere behind `root`, which may be a local pointer."""
        if root is None:
            self.record(kind, ANYWHERE, call, None)
            return
        place = known.get(root)
        if place is None:
            pointer = root.type.kind is TypeKind.POINTER
            place = self._pointer(root) if pointer else self._variable(root)
        if not place.private:
            self.record(kind, Address(place.root, None, None), call, None)

    def unknown_code(self, node: Verbatim | Code) -> None:
        """Code that is not understood: it may do anything with what it names."""
        for part in node.parts:
            if not isinstance(part, str):
                self.visit(part)
        if isinstance(node, Verbatim) or not node.pure:
            self.record(AccessKind.READ, ANYWHERE, node, None)
        if node.pure:
            return
        self.record(AccessKind.WRITE, ANYWHERE, node, None)
        for symbol in sorted(self.effects.of(node).writes, key=lambda one: one.id):
            if symbol.storage in (Storage.LOCAL, Storage.PARAMETER):
                self._bind(symbol, None)

    def _visit_children(self, expr: Expr) -> None:
        match expr:
            case Verbatim() | Code():
                self.unknown_code(expr)
            case Unary(op="&", operand=operand):
                place = self.place(operand)
                if place.private and place.root is not None:
                    self._bind(place.root, None)
            case Unary(operand=operand):
                self.visit(operand)
            case Binary(left=left, right=right):
                self.visit(left)
                self.visit(right)
            case InitList(elements=elements) | Call(arguments=elements):
                for element in elements:
                    self.visit(element)
            case Remote(thread=thread) if thread is not None:
                self.visit(thread)
            case _:
                pass


def with_guard(guards: tuple[Formula, ...], guard: Formula) -> tuple[Formula, ...]:
    return guards if guard == TRUE or guard in guards else (*guards, guard)


def _comparison(op: str, left: Polynomial, right: Polynomial) -> Condition:
    match op:
        case "<":
            return Condition(less(left, right), at_least(left, right), True)
        case "<=":
            return Condition(at_least(right, left), less(right, left), True)
        case ">":
            return Condition(less(right, left), at_least(right, left), True)
        case ">=":
            return Condition(at_least(left, right), less(left, right), True)
        case "==":
            return Condition(equal(left, right), different(left, right), True)
        case _:
            return Condition(different(left, right), equal(left, right), True)


def _moved(start: Address, by: Polynomial) -> Address:
    if start.offset is None or by == ZERO:
        return start
    if start.path:
        return Address(start.root, None, None, (), start.private)
    return Address(start.root, start.offset + by, start.element, start.path, start.private)


def _spelled_path(expr: Expr) -> tuple[str, ...] | None:
    """The members that lead from a variable to the value; None where more than members do."""
    match expr:
        case Member(base=base, name=name, arrow=False):
            path = _spelled_path(base)
            return None if path is None else (*path, name)
        case Paren(inner=inner):
            return _spelled_path(inner)
        case VarRef():
            return ()
        case _:
            return None


def _is_vector(ctype: CType | None) -> bool:
    """CUDA's vector types: their members lie apart."""
    if ctype is None or ctype.kind is not TypeKind.RECORD:
        return False
    name = ctype.spelling.removeprefix("const ").removeprefix("volatile ").removeprefix("u")
    return name[:-1].removeprefix("long") in _VECTORS and name[-1:] in "1234"


def _is_dynamic(symbol: Symbol | None) -> bool:
    return symbol is not None and symbol.storage is Storage.DYNAMIC_SHARED


def _may_be(root: Symbol, written: Symbol | None) -> bool:
    """May what lies behind `written` be memory that lies behind `root`, too?"""
    if written is None or written.storage not in (Storage.PARAMETER, Storage.GLOBAL):
        return written is None
    arrays = root.type.kind is not TypeKind.POINTER and written.type.kind is not TypeKind.POINTER
    return not (arrays and root.storage is written.storage is Storage.GLOBAL)


def _is_integer(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER


def _is_wide(ctype: CType) -> bool:
    """A type that integers can be converted to."""
    return ctype.kind in (TypeKind.INTEGER, TypeKind.BOOL, TypeKind.DEPENDENT)


def _common(op: str, target: CType, source: CType) -> CType:
    """The type that a compound assignment computes in."""
    if op in ("<<", ">>") or not _is_integer(source):
        return target if target.bits >= INT.bits else INT
    wider = max(target, source, key=lambda one: (one.bits, not one.is_signed))
    return wider if wider.bits >= INT.bits else INT


def _is_unsigned(ctype: CType) -> bool:
    return ctype.kind in (TypeKind.INTEGER, TypeKind.BOOL) and not ctype.is_signed


def _comparable(ctype: CType) -> bool:
    return ctype.kind in (TypeKind.INTEGER, TypeKind.BOOL)


def _is_pointer(expr: Expr) -> bool:
    return expr.type.kind in (TypeKind.POINTER, TypeKind.ARRAY)


def _same_element(one: CType | None, other: CType | None) -> bool:
    if one is None or other is None:
        return False
    if one.is_arithmetic and other.is_arithmetic:
        return (one.kind, one.bits) == (other.kind, other.bits)
    return one.spelling.removeprefix("const ") == other.spelling.removeprefix("const ")


def _same_size(one: CType | None, other: CType | None) -> bool:
    if one is None or other is None:
        return False
    return one.is_arithmetic and other.is_arithmetic and one.bits == other.bits


def _type_of(expr: Expr) -> CType:
    match expr:
        case Paren(inner=inner):
            return _type_of(inner)
        case Literal(value=int()) if expr.type.kind is TypeKind.OTHER:
            return INT
        case VarRef(symbol=symbol) if symbol.type.kind is TypeKind.REFERENCE:
            return symbol.type.element or symbol.type
        case _:
            return expr.type
