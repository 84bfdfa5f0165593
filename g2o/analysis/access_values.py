"""Expressions of a kernel as values and addresses; what evaluating them reads and writes.

Variables stand for what they hold at that point: `int i = 16 * by + t; a[i + 1]` is an access at
16 * blockIdx.y + threadIdx.x + 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.accesses import Choice
from g2o.analysis.addresses import displaced
from g2o.analysis.call_accesses import CallAccesses
from g2o.analysis.evaluation import UNKNOWN_CONDITION, Condition, with_guard
from g2o.analysis.integer_types import (
    common_type,
    is_comparable,
    is_integer,
    is_pointer,
    is_unsigned,
    is_wide,
    type_of,
)
from g2o.analysis.open_constants import spelled_as
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
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind
from g2o.polyhedral.formula import (
    Formula,
    at_least,
    conjunction,
    different,
    disjunction,
    equal,
    less,
)
from g2o.polyhedral.polynomial import ONE, ZERO, Polynomial
from g2o.polyhedral.space import NameInfo

_WRAPPING: Final = ("+", "-", "*", "<<")
_COMPARISONS: Final = frozenset({"<", "<=", ">", ">=", "==", "!="})


@final
@dataclass(slots=True)
class AccessValues(CallAccesses):
    """Evaluates expressions at the point where `machine` stands."""

    def _is_open(self, expr: Expr) -> bool:
        """Does the value depend on a constant that the build may define otherwise?"""
        return bool(self.space.usual) and any(
            isinstance(node, Literal) and spelled_as(node) in self.space.usual
            for node in walk(expr)
        )

    def value(self, expr: Expr) -> Polynomial:
        """The integer that the expression gives; a name of its own where that is not understood.

        Accesses that evaluating it makes are recorded.
        """
        constant = integer_value(expr)
        if constant is not None and not self._is_open(expr):
            return Polynomial.constant(constant)
        match expr:
            case Paren() | Code() if (inner := strip_parens(expr)) is not expr:
                return self.value(inner)
            case Literal(text=text):
                if self._is_open(expr):
                    return Polynomial.name(spelled_as(expr))
                if text in self.constants:
                    return Polynomial.constant(self.constants[text])
                known = is_comparable(expr.type)
                info = NameInfo(False, not_negative=is_unsigned(expr.type), exact=known)
                return Polynomial.name(self.space.name(text, info, ("literal", text)))
            case LaunchRef(builtin=builtin, axis=int(axis)):
                if (builtin, axis) in self.launch:
                    return self.launch[builtin, axis]
                return self.unknown(expr)
            case VarRef() | Index() | Member() | Unary(op="*"):
                return self._load(expr)
            case Unary(op="++" | "--" as op, operand=operand) if is_pointer(operand):
                step = ONE if op == "++" else -ONE
                self._store(operand, displaced(self.address(operand), step), expr)
                return self.unknown(expr)
            case Unary(op="++" | "--" as op, operand=operand, postfix=postfix):
                old = self._load(operand)
                new = self.fitted(old + (ONE if op == "++" else -ONE), type_of(operand))
                self._store(operand, new, expr)
                return old if postfix else new
            case Unary(op="-" | "+" as op, operand=operand) if is_integer(expr.type):
                inner = self.value(operand)
                return self.fitted(-inner if op == "-" else inner, expr.type)
            case Unary(op="!") | Binary(op="&&" | "||"):
                held = self.condition(expr)
                return self._of_condition(held, expr)
            case Binary(op=op) if op in _COMPARISONS:
                return self._of_condition(self.condition(expr), expr)
            case Binary(op=",", left=left, right=right):
                self.visit(left)
                return self.value(right)
            case Binary() if is_integer(expr.type) or expr.type.kind is TypeKind.DEPENDENT:
                return self._binary(expr)
            case Assign():
                return self._assign(expr)
            case Conditional():
                return self._conditional(expr)
            case Cast(operand=operand, type=target):
                inner = self.value(operand)
                source = type_of(operand)
                if target.kind is TypeKind.INTEGER or (is_comparable(source) and is_wide(target)):
                    return self.arithmetic.converted(inner, source, target)
                return self.arithmetic.opaque("v", ("cast", inner, target.spelling), inner)
            case Call():
                return self._call(expr)
            case _:
                self.visit_children(expr)
                return self.unknown(expr)

    def visit(self, expr: Expr) -> None:
        """Evaluate for the accesses alone."""
        if expr.type.kind in (TypeKind.POINTER, TypeKind.ARRAY):
            self.address(expr)
        else:
            self.value(expr)

    def _of_condition(self, held: Condition, expr: Expr) -> Polynomial:
        return self.selected(held, ONE, ZERO, self._varies(expr))

    def _operands(self, expr: Binary) -> tuple[Polynomial, Polynomial]:
        """Both operands, converted to their common type."""
        left, right = self.value(expr.left), self.value(expr.right)
        first, second = type_of(expr.left), type_of(expr.right)
        if is_integer(first) and is_integer(second):
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
        divided = type_of(expr.left) if shifts else expr.type
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
        if op in ("/", ">>") or (op == "%" and (amount is None or amount & (amount - 1))):
            exact = is_integer(ctype) and (ctype.is_signed or not arithmetic.is_hashed(left))
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
            case "/" | "%" if amount is None:
                return arithmetic.divided(left, right)[op == "%"]
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
        self.choices.append(Choice(expr, self.machine.guards, held.if_true, held.if_false))
        one = self._under(held.if_true, held.exact, expr.if_true)
        other = self._under(held.if_false, held.exact, expr.if_false)
        self._forget_changed(expr.if_true, expr.if_false)
        return self.selected(held, one, other, self._varies(expr))

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
            case Paren() | Code() if (inner := strip_parens(expr)) is not expr:
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
                if not (is_comparable(type_of(left)) and is_comparable(type_of(right))):
                    self.visit(left)
                    self.visit(right)
                    return UNKNOWN_CONDITION
                return self._comparison(expr)
            case _:
                if not is_comparable(type_of(expr)):
                    self.visit(expr)
                    return UNKNOWN_CONDITION
                value = self.value(expr)
                told = self.arithmetic.condition_of(value)
                return Condition(*(told or (different(value, ZERO), equal(value, ZERO))), True)

    def _comparison(self, expr: Binary) -> Condition:
        """A comparison of numbers of the type in which it is made. One that looks whether a sum has
        wrapped round, `a + b < a`, or whether a number without a sign has one, `int(a) < 0`, is not
        known: parameters are taken not to do so, elsewhere."""
        left, right = self._operands(expr)
        common = common_type(expr.op, type_of(expr.left), type_of(expr.right))
        if is_integer(common) and not common.is_signed:
            bits = common.bits or 32
            left, right = self.arithmetic.settled(left, bits), self.arithmetic.settled(right, bits)
        names = left.names | right.names
        unsigned = all(self.space.infos[name].not_negative for name in names)
        if unsigned and self._given(names) and _is_decided(expr.op, left - right):
            return UNKNOWN_CONDITION
        return _comparison(expr.op, left, right)

    def _condition_under(self, guard: Formula, exact: bool, expr: Expr) -> Condition:
        machine = self.machine
        guards, was_exact = machine.guards, machine.exact
        machine.guards, machine.exact = with_guard(guards, guard), was_exact and exact
        found = self.condition(expr)
        machine.guards, machine.exact = guards, was_exact
        self._forget_changed(expr)
        return found

    # -- assignments ----------------------------------------------------------------------------

    def _assign(self, expr: Assign) -> Polynomial:
        if is_pointer(expr.target):
            if expr.op == "=":
                found = self.address(expr.value)
            else:
                start = self.address(expr.target)
                moved = self._index(expr.value, start.root)
                found = displaced(start, moved if expr.op == "+=" else -moved)
            self._store(expr.target, found, expr)
            return self.unknown(expr)
        new = self.value(expr.value)
        target, source = type_of(expr.target), type_of(expr.value)
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
        made, common = None, common_type(op[:-1], target, source)
        if is_integer(target) and is_comparable(source):
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
        if is_comparable(source):
            return self.arithmetic.converted(value, source, target) if is_wide(target) else value
        known = source.kind is TypeKind.DEPENDENT and whole
        if is_integer(target) and source.kind in (TypeKind.FLOATING, TypeKind.DEPENDENT):
            return value if known else self.arithmetic.opaque("v", ("as", value), value)
        return value

    def declared(self, symbol: Symbol, initial: Expr) -> None:
        """`type symbol = initial;`"""
        if symbol.type.kind is TypeKind.POINTER:
            self._bind(symbol, self.address(initial))
        elif symbol.type.kind is TypeKind.REFERENCE:
            self._bind(symbol, self.place(initial))
        elif symbol.type.kind is TypeKind.ARRAY:
            self.visit(initial)
            self.note_table(symbol, initial)
        elif symbol.type.kind is TypeKind.RECORD:
            self.visit(initial)
        else:
            self._bind(symbol, self._as(self.value(initial), type_of(initial), symbol.type))


def _is_decided(op: str, difference: Polynomial) -> bool:
    """Does a comparison of two numbers that differ by this always come out the same, if all that
    they are made of is not below zero?"""
    constant = sum(factor for product, factor in difference.terms if not product)
    never_below = all(factor > 0 for _, factor in difference.terms)
    never_above = all(factor < 0 for _, factor in difference.terms)
    above, below = never_below and constant > 0, never_above and constant < 0
    match op:
        case "<" | ">=":
            return never_below or below
        case "<=" | ">":
            return never_above or above
        case _:
            return above or below


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
