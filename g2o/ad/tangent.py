"""The tangent of a kernel: beside every statement, what it does to derivatives.

    y[i] = a * x[i];    ->    d_y[i] = a * d_x[i];
                              y[i] = a * x[i];

The tangent of a statement reads what the statement reads, so it comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, final

from g2o.ad.activity import Activity
from g2o.ad.components import behind, pairs_of, refuse_impure
from g2o.ad.hidden import is_atomic_on_active, refuse_unknown
from g2o.ad.increments import atomic_add, is_taken_seed, zero, zero_declaration
from g2o.ad.linear import Choice, Differential, Leaf, Linearisation, Negated, Scaled
from g2o.ad.reals import is_real, precision
from g2o.ad.selections import has_no_own_derivative, is_of_winners
from g2o.ad.shadows import ZEROED, Shadows, is_block_memory, shadow_type, shadow_variable
from g2o.ad.shuffles import LINEAR
from g2o.analysis.effects import (
    EffectsOf,
    is_tape,
    is_tape_call,
    root_symbol,
    statements_of,
    symbols_in,
)
from g2o.analysis.functions import FunctionTable
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import placed, refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Form,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    is_primary,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Labelled,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind

COMPOUND: Final = {"+=": "+", "-=": "-", "*=": "*", "/=": "/"}


@final
class Tangent:
    """Puts tangents beside the statements of one kernel."""

    def __init__(
        self,
        activity: Activity,
        shadows: Shadows,
        symbols: SymbolTable,
        functions: FunctionTable,
        effects: EffectsOf,
        named: Mapping[int, Expr],
    ) -> None:
        self.activity = activity
        self.shadows = shadows
        self.symbols = symbols
        self.effects = effects
        self.hiding: frozenset[Symbol] = frozenset()
        """Variables that hide others, whose names tangents in the same statement would miss."""
        self.linear = Linearisation(activity.is_active, functions, named)

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        made: list[Stmt] = []
        for statement in statements:
            with placed(statement.span):
                made.extend(self._statement(statement))
        return tuple(made)

    def _nested(self, statement: Stmt) -> Stmt:
        old = statements_of(statement)
        new = self.sequence(old)
        if len(new) == len(old) and all(one is other for one, other in zip(new, old, strict=True)):
            return statement
        if isinstance(statement, Block):
            return replace(statement, statements=new, form=Form.BUILT)
        return Block(new)

    def _statement(self, node: Stmt) -> list[Stmt]:
        match node:
            case Declare(variables=(Variable(initial=Call() as call) as variable,)) if (
                is_of_winners(call)
            ):
                return [replace(node, variables=(replace(variable, initial=self._won(call)),))]
            case Declare():
                return self._declare(node)
            case ExprStatement(expr=Call() as call) if is_of_winners(call):
                return [replace(node, expr=self._won(call))]
            case ExprStatement(expr=expr):
                return [*self._expression(strip_parens(expr)), node]
            case Block():
                return [self._nested(node)]
            case If(then=then, otherwise=otherwise):
                first = self._nested(then)
                second = None if otherwise is None else self._nested(otherwise)
                if first is then and second is otherwise:
                    return [node]
                return [replace(node, then=first, otherwise=second, form=Form.BUILT)]
            case Labelled():
                return self._labelled(node)
            case Switch():
                body = self._nested(node.body)
                if body is node.body:
                    return [node]
                statements = tuple(s for one in statements_of(body) for s in _that_may_be_left(one))
                return [replace(node, body=Block(statements), form=Form.BUILT)]
            case For() | While() | DoWhile():
                self._refuse_moved(node)
                body = self._nested(node.body)
                return [node if body is node.body else replace(node, body=body, form=Form.BUILT)]
            case Exchange():
                return self._exchange(node)
            case _:
                if any(symbol in self.activity.active for symbol in symbols_in(node)):
                    raise refuse("G2O0403", "statement on values that carry derivatives", node.span)
                return [node]

    def _labelled(self, node: Labelled) -> list[Stmt]:
        """The label in front of the first statement; braces around what declares a variable."""
        new = self._statement(node.body)
        if len(new) == 1 and new[0] is node.body:
            return [node]
        first, *rest = new
        if not isinstance(node.body, Declare) and any(isinstance(one, Declare) for one in new):
            first, rest = Block(tuple(new)), []
        return [replace(node, body=first, form=Form.BUILT), *rest]

    def _refuse_moved(self, node: Stmt) -> None:
        """Pointers that a loop's head moves would leave their shadows behind."""
        if isinstance(node, For) and node.increment is not None:
            moved = self.effects.of(node.increment).writes & self.activity.active
            if any(symbol.type.kind is TypeKind.POINTER for symbol in moved):
                message = "pointer into memory that carries derivatives is moved"
                raise refuse("G2O0403", message, node.increment.span)

    # -- declarations ---------------------------------------------------------------------------

    def _declare(self, node: Declare) -> list[Stmt]:
        if len(node.variables) > 1 and any(one.symbol in self.hiding for one in node.variables):
            single = [replace(node, variables=(one,), form=Form.BUILT) for one in node.variables]
            return [statement for one in single for statement in self._declare(one)]
        result: list[Stmt] = [node]
        for variable in node.variables:
            if (
                variable.initial is not None
                and is_atomic_on_active(variable.initial, self.activity)
                and not is_taken_seed(variable.initial)
            ):
                result = [*self._expression(strip_parens(variable.initial)), *result]
            if not self.activity.is_active(VarRef(variable.symbol)):
                continue
            result.extend(self._declare_shadow(variable))
        return result

    def _declare_shadow(self, variable: Variable) -> list[Stmt]:
        symbol, initial = variable.symbol, variable.initial
        shadow = self.shadows.of(symbol)
        if is_block_memory(symbol):
            return [Declare((shadow_variable(variable, shadow, ZEROED),))]
        if symbol.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE):
            place = None if initial is None else self.shadows.place(initial)
            return [Declare((shadow_variable(variable, shadow, place),))]
        if is_tape(symbol):
            return [Declare((shadow_variable(variable, shadow, None),))]
        if initial is None:
            return [zero_declaration(shadow, variable)]
        if isinstance(initial, Call) and is_tape_call(initial):
            popped = self._of_shadow(initial, ())
            return [Declare((shadow_variable(variable, shadow, popped),))]
        if is_taken_seed(initial):
            taken = self._taken(initial)
            return [Declare((shadow_variable(variable, shadow, taken),))]
        refuse_impure(self.effects, initial)
        if is_real(symbol.type):
            tangent = self.value(self.linear.of(initial))
            new = shadow_variable(variable, shadow, tangent or zero(shadow.type))
            return [Declare((new,))]
        pairs = pairs_of(VarRef(symbol), initial)
        return [zero_declaration(shadow, variable), *self._assigned(pairs)]

    # -- assignments ----------------------------------------------------------------------------

    def _expression(self, expr: Expr) -> list[Stmt]:
        match expr:
            case Assign(op=op, target=target, value=value):
                return self._assign(op, target, value)
            case Unary(op="++" | "--", operand=operand):
                return self._moved(expr, operand)
            case Call(name=name) if name.startswith("atomic"):
                return self._atomic(expr)
            case Call(arguments=arguments) if is_tape_call(expr):
                if not self.activity.is_active(expr.callee):
                    return []
                kept = tuple(self._kept(one) for one in arguments)
                return [ExprStatement(self._of_shadow(expr, kept))]
            case Call():
                for argument in expr.arguments:
                    inner = strip_parens(argument)
                    led = isinstance(inner, Unary) and inner.op == "&"
                    written = led or inner.type.is_indirect
                    if expr.key and written and self.activity.is_active(behind(inner)):
                        message = f"call of '{expr.name}' on values that carry derivatives"
                        raise refuse("G2O0403", message, expr.span)
                return []
            case _:
                refuse_unknown(expr, self.activity)
                return []

    def _of_shadow(self, call: Call, arguments: tuple[Expr, ...]) -> Call:
        """The same with the tape of tangents."""
        assert isinstance(call.callee, Member)
        callee = replace(call.callee, base=self.shadows.place(call.callee.base), form=Form.BUILT)
        return replace(call, callee=callee, arguments=arguments, form=Form.BUILT, span=None)

    def _kept(self, value: Expr) -> Expr:
        """What goes onto the tape of tangents."""
        if not is_real(value_type(value)):
            return self.shadows.place(value)
        return self.value(self.linear.of(value)) or zero(precision(value))

    def _moved(self, expr: Unary, operand: Expr) -> list[Stmt]:
        pointer = value_type(operand).kind is TypeKind.POINTER
        if not pointer or not self.activity.is_active(operand):
            return []
        return [ExprStatement(replace(expr, operand=self.shadows.place(operand), form=Form.BUILT))]

    def _assign(self, op: str, target: Expr, value: Expr) -> list[Stmt]:
        if not self.activity.is_active(target):
            if is_atomic_on_active(value, self.activity):
                return self._expression(strip_parens(value))
            return []
        refuse_impure(self.effects, value)
        refuse_impure(self.effects, target)
        ctype = value_type(target)
        if ctype.kind is TypeKind.POINTER:
            moved = value if op != "=" else self.shadows.place(value)
            return [ExprStatement(Assign(op, self.shadows.place(target), moved, ctype))]
        if op in ("+=", "-=") and is_real(ctype):
            tangent = self.value(self.linear.of(value))
            if tangent is None:
                return []
            return [ExprStatement(Assign(op, self.shadows.place(target), tangent, ctype))]
        if op != "=":
            if op not in COMPOUND:
                raise refuse(
                    "G2O0403", f"operator '{op}' on values that carry derivatives", target.span
                )
            operand = value if is_primary(value) else Paren(value, value.type)
            value = Binary(COMPOUND[op], target, operand, ctype)
        return self._assigned(pairs_of(target, value))

    def _assigned(self, pairs: list[tuple[Expr, Expr]]) -> list[Stmt]:
        """Tangents of numbers that get values at the same time."""
        values = [(target, self.value(self.linear.of(value))) for target, value in pairs]
        values = [one for one in values if not self._keeps(*one)]
        if len(values) <= 1 or _are_independent(values, self.shadows):
            return [self._set(target, tangent) for target, tangent in values]
        declared: list[Stmt] = []
        stored: list[Stmt] = []
        for target, tangent in values:
            if tangent is None:
                stored.append(self._set(target, None))
                continue
            ctype = precision(target)
            symbol = self.symbols.fresh("tangent", ctype, Storage.LOCAL)
            spelled = f"const {shadow_type(ctype).spelling}"
            declared.append(Declare((Variable(symbol, spelled, "", tangent, "="),)))
            stored.append(self._set(target, VarRef(symbol)))
        return [Block((*declared, *stored))] if declared else stored

    def _keeps(self, target: Expr, tangent: Expr | None) -> bool:
        """Has the target this tangent already, as with `v = v - 1.0`?"""
        return tangent is not None and strip_parens(tangent) == self.shadows.place(target)

    def _set(self, target: Expr, tangent: Expr | None) -> Stmt:
        place = self.shadows.place(target)
        return ExprStatement(Assign("=", place, tangent or zero(precision(target)), place.type))

    # -- other threads --------------------------------------------------------------------------

    def _atomic(self, call: Call) -> list[Stmt]:
        target = behind(strip_parens(call.arguments[0]))
        if not self.activity.is_active(target) or not is_real(value_type(target)):
            return []
        if has_no_own_derivative(call):
            return []
        if is_taken_seed(call):
            return [ExprStatement(self._taken(call))]
        name = call.name.removesuffix("_block").removesuffix("_system")
        if name not in ("atomicAdd", "atomicSub"):
            message = f"'{call.name}' on values that carry derivatives"
            raise refuse("G2O0403", message, call.span)
        tangent = self.value(self.linear.of(call.arguments[1]))
        if tangent is None:
            return []
        if name == "atomicSub":
            tangent = Unary("-", tangent, type=tangent.type)
        scope = "_block" if call.name.endswith("_block") else ""
        return [atomic_add(self.shadows.place(target), tangent, scope)]

    def _taken(self, call: Expr) -> Call:
        """The tangent of a seed that is taken goes with it."""
        assert isinstance(call, Call)
        place = self.shadows.place(behind(strip_parens(call.arguments[0])))
        arguments = (_address_of(place), *call.arguments[1:])
        return replace(call, arguments=arguments, form=Form.BUILT)

    def _won(self, call: Call) -> Call:
        """A minimum or maximum of all blocks: the winner stores its tangent, too."""
        address, value, thread = call.arguments
        place = self.shadows.place(behind(strip_parens(address)))
        tangent = self.value(self.linear.of(value)) or zero(precision(place))
        arguments = (address, value, thread, _address_of(place), tangent)
        return replace(call, arguments=arguments, form=Form.BUILT)

    def _exchange(self, node: Exchange) -> list[Stmt]:
        if node.result not in self.activity.active:
            return [node]
        if node.operation not in LINEAR or not is_real(node.result.type):
            message = f"'{node.operation}' on values that carry derivatives"
            raise refuse("G2O0403", message, node.span)
        tangent = self.value(self.linear.of(node.operands[0]))
        shadow = self.shadows.of(node.result)
        if tangent is None:
            return [node, ExprStatement(Assign("=", VarRef(shadow), zero(shadow.type)))]
        other = Exchange(
            node.operation, shadow, (tangent, *node.operands[1:]), node.scope, node.width
        )
        return [other, node]

    # -- values ---------------------------------------------------------------------------------

    def value(self, differential: Differential) -> Expr | None:
        """The sum of the parts; None for 0."""
        total: Expr | None = None
        for part in differential:
            negative = isinstance(part, Negated)
            term = self._term(part)
            if term is None:
                continue
            if total is None:
                total = Unary("-", _operand(term), type=term.type) if negative else term
            else:
                total = Binary("-" if negative else "+", total, term, total.type)
        return total

    def _term(self, part: Leaf | Scaled | Negated | Choice) -> Expr | None:
        """The value of a part; of a negated one, what is taken away."""
        match part:
            case Leaf(target=target):
                return self.shadows.place(target)
            case Negated(inner=inner):
                return self.value(inner)
            case Scaled(op=op, weight=weight, inner=inner):
                value = self.value(inner)
                if value is None:
                    return None
                if op == "/":
                    return Binary("/", value, strip_parens(weight), value.type)
                return Binary("*", strip_parens(weight), value, value.type)
            case Choice(condition=condition, if_true=if_true, if_false=if_false):
                first, second = self.value(if_true), self.value(if_false)
                some = first or second
                if some is None:
                    return None
                nothing = zero(precision(some))
                return Paren(
                    Conditional(condition, first or nothing, second or nothing, some.type),
                    some.type,
                )


def _address_of(place: Expr) -> Expr:
    if isinstance(place, Unary) and place.op == "*":
        return place.operand
    pointer = CType(f"{place.type.spelling} *", TypeKind.POINTER, 64, element=place.type)
    return Unary("&", place, type=pointer)


def _are_independent(values: list[tuple[Expr, Expr | None]], shadows: Shadows) -> bool:
    """Does no value read what is set? Only asked of variables: memory may have several names."""
    roots = [root_symbol(shadows.place(target)) for target, _ in values]
    set_here = {one for one in roots if one is not None}
    own = all(one.storage is Storage.LOCAL and not one.type.is_indirect for one in set_here)
    if None in roots or not own:
        return False
    read = {
        node.symbol
        for _, tangent in values
        if tangent is not None
        for node in walk(tangent)
        if isinstance(node, VarRef)
    }
    pointers = any(one.type.is_indirect and one.storage is Storage.LOCAL for one in read)
    return not pointers and not set_here & read


def _that_may_be_left(statement: Stmt) -> list[Stmt]:
    """A statement of a switch: labels behind it may be jumped to only where variables have no
    initial values."""
    match statement:
        case Declare(variables=(Variable(symbol=symbol, initial=Literal() as initial) as one,)) if (
            is_real(symbol.type) and statement.form is Form.BUILT
        ):
            bare = replace(one, initial=None, initial_style="")
            start = Assign("=", VarRef(symbol), initial, symbol.type)
            return [replace(statement, variables=(bare,)), ExprStatement(start)]
        case _:
            return [statement]


def _operand(expr: Expr) -> Expr:
    return Paren(expr, expr.type) if isinstance(expr, (Binary, Conditional)) else expr
