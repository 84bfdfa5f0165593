"""The adjoints of statements without parts: assignments, initialisers, atomics, shuffles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, final

from g2o.ad.components import behind, pairs_of
from g2o.ad.hidden import is_atomic_on_active, refuse_unknown
from g2o.ad.increments import Seed, assign_zero, atomic_add
from g2o.ad.lanes import Meeting, Part
from g2o.ad.linear import (
    Differential,
    Leaf,
    Linearisation,
    leaves,
    uses,
)
from g2o.ad.pushes import Pushes
from g2o.ad.reach import Reach
from g2o.ad.reals import is_real, precision
from g2o.ad.roundings import DOUBLE, value_there
from g2o.ad.scopes import Point
from g2o.ad.selections import has_no_own_derivative
from g2o.ad.shadows import (
    shadow_type,
)
from g2o.ad.shuffles import SHUFFLES, Shuffle, is_certain, returned
from g2o.analysis.effects import root_symbol
from g2o.analysis.pure_functions import ROUNDED
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Literal,
    Paren,
    Unary,
    VarRef,
    is_primary,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    Exchange,
    If,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.types import BOOL, TypeKind

_PLAIN_OPERATORS: Final = {"+=": "+", "-=": "-", "*=": "*", "/=": "/"}


@final
class LeafAdjoints:
    """Takes single statements back.

    `axes` are those of threadIdx that the kernel names, `meetings` are the lanes that meet in
    exchanges, by the identity of these.
    """

    def __init__(
        self,
        reach: Reach,
        linear: Linearisation,
        symbols: SymbolTable,
        axes: tuple[int, ...],
        meetings: Mapping[int, Meeting],
    ) -> None:
        self.reach = reach
        self.pushes = Pushes(reach, symbols)
        self.activity = reach.activity
        self.values = reach.values
        self.linear = linear
        self.symbols = symbols
        self.axes = axes
        self.meetings = meetings

    def expression(self, expr: Expr, point: Point) -> list[Stmt]:
        """Take back an expression statement."""
        match expr:
            case Assign(op=op, target=target, value=value):
                return self._assign(op, target, value, point)
            case Call(name=name, callee=Literal(text=by), arguments=(target, *inputs)) if (
                name == ROUNDED
            ):
                return self._rounded(target, by, inputs, point)
            case Call(name=name) if name.startswith("atomic"):
                return self._atomic(expr, point)
            case Call(arguments=arguments):
                for argument in arguments:
                    self._refuse_handed(expr, argument)
                return []
            case Unary(op="++" | "--", operand=operand):
                return self._refuse_moved(operand)
            case _:
                refuse_unknown(expr, self.activity)
                return []

    def initialise(self, variable: Variable, point: Point) -> list[Stmt]:
        """Take back the first value of a variable."""
        symbol, initial = variable.symbol, variable.initial
        assert initial is not None
        point.stored = (initial, VarRef(symbol))
        pairs = pairs_of(VarRef(symbol), initial)
        back: list[Stmt] = []
        for target, value in pairs:
            differential = self.linear.of(value)
            if differential:
                place = self.reach.shadow(target, point)
                back.extend(self.pushes.push(differential, Seed(place), point))
        return back

    def _rounded(self, target: Expr, by: str, inputs: Sequence[Expr], point: Point) -> list[Stmt]:
        """What the relative error of the number in `target` does to the results: the sum of all
        these goes to the first of the `inputs`, that of their squares to the second."""
        if not self.activity.is_active(target):
            return []
        shadow = self.reach.shadow(target, point)
        if precision(target).bits != DOUBLE.bits:  # its square may be too small for less
            shadow = Cast(shadow, DOUBLE)
        looked = value_there(target, by)
        keep = self.values.value if looked is target else self.values.once
        made = Binary("*", shadow, keep(looked, point), DOUBLE)
        root = root_symbol(target)
        wish = "error" if root is None else f"error_{root.name}"
        error = self.symbols.fresh(wish, DOUBLE, Storage.LOCAL)
        declared = Declare((Variable(error, "const double", "", made, "="),))
        size = Call("fabs", Literal("fabs"), (VarRef(error),), type=DOUBLE)
        square = Binary("*", VarRef(error), VarRef(error), DOUBLE)
        back: list[Stmt] = [declared]
        for one, added in zip(inputs, (size, square), strict=True):
            sums = self.reach.shadow(one, point)
            back.append(atomic_add(Unary("*", sums, type=DOUBLE), added))
        return back

    def _refuse_handed(self, call: Call, argument: Expr) -> None:
        """A function without a derivative may look at active numbers (printf), not change them."""
        inner = strip_parens(argument)
        by_address = inner.type.is_indirect or (isinstance(inner, Unary) and inner.op == "&")
        if by_address and self.activity.is_active(behind(inner)):
            element = inner.type.element
            if call.key or element is None or not element.is_const:
                message = f"call of '{call.name}' on values that carry derivatives"
                raise refuse("G2O0403", message, call.span)

    def _refuse_moved(self, target: Expr) -> list[Stmt]:
        if not self.activity.is_active(target):
            return []
        if value_type(target).kind is TypeKind.POINTER:
            message = "pointer into memory that carries derivatives is moved"
            raise refuse("G2O0403", message, target.span)
        return []  # a number that goes by one takes its derivative along

    def _assign(self, op: str, target: Expr, value: Expr, point: Point) -> list[Stmt]:
        if value_type(target).kind is TypeKind.POINTER:
            return self._refuse_moved(target)
        if not self.activity.is_active(target):
            if is_atomic_on_active(value, self.activity):
                return self.expression(strip_parens(value), point)
            return []
        if op != "=" and op not in _PLAIN_OPERATORS:
            if _is_number(target):
                raise refuse(
                    "G2O0403", f"operator '{op}' on values that carry derivatives", target.span
                )
            return []
        if op in ("+=", "-=") and is_real(value_type(target)):
            return self._accumulate(target, self.linear.of(value), op == "-=", point)
        if op != "=":
            operand = value if is_primary(value) else Paren(value, value.type)
            value = Binary(_PLAIN_OPERATORS[op], target, operand, value_type(target))
        return self._overwrite(target, value, point)

    def _overwrite(self, target: Expr, value: Expr, point: Point) -> list[Stmt]:
        """`target = value`: the seed of the target is consumed."""
        point.stored = (value, target)
        pairs = [(one, self.linear.of(other)) for one, other in pairs_of(target, value)]
        if not pairs:
            return []
        met = [
            self.reach.may_be(one, leaf)
            for one, _ in pairs
            for _, differential in pairs
            for leaf in leaves(differential)
        ]
        if len(pairs) == 1:
            (one, differential), own = pairs[0], Leaf(pairs[0][0])
            if differential.count(own) == 1:
                rest = tuple(part for part in differential if part != own)
                return self._accumulate(one, rest, False, point)
        back: list[Stmt] = []
        if not any(met):
            for one, differential in pairs:
                place = self.reach.shadow(one, point)
                back.extend(self.pushes.push(differential, Seed(place), point))
                back.append(assign_zero(place))
            return back
        seeds: list[Seed] = []
        for one, differential in pairs:
            place = self.reach.shadow(one, point)
            seed = self.pushes.new_seed(one, place)
            if differential:
                back.append(seed[1])
                seeds.append(Seed(VarRef(seed[0])))
            else:
                seeds.append(Seed(place))
            back.append(assign_zero(place))
        for (_, differential), seed in zip(pairs, seeds, strict=True):
            back.extend(self.pushes.push(differential, seed, point))
        return back

    def _accumulate(
        self, target: Expr, differential: Differential, negative: bool, point: Point
    ) -> list[Stmt]:
        """`y = y + rest`: the adjoint of y stays, whether or not the rest reads y, too."""
        if not differential:
            return []
        place = self.reach.shadow(target, point)
        alone = uses(differential) < 2
        if alone or not any(self.reach.may_be(target, leaf) for leaf in leaves(differential)):
            return self.pushes.push(differential, Seed(place, negative), point)
        symbol, declared = self.pushes.new_seed(target, place)
        return [declared, *self.pushes.push(differential, Seed(VarRef(symbol), negative), point)]

    def _atomic(self, call: Call, point: Point) -> list[Stmt]:
        target = behind(strip_parens(call.arguments[0]))
        if not self.activity.is_active(target) or has_no_own_derivative(call):
            return []
        name = call.name.removesuffix("_block").removesuffix("_system")
        if name not in ("atomicAdd", "atomicSub") or not is_real(value_type(target)):
            message = f"'{call.name}' on values that carry derivatives"
            raise refuse("G2O0403", message, call.span)
        differential = self.linear.of(call.arguments[1])
        if not differential:
            return []
        return self.pushes.push(
            differential, Seed(self.reach.shadow(target, point), name == "atomicSub"), point
        )

    def won(self, turn: Symbol, call: Call, point: Point) -> list[Stmt]:
        """Take back a minimum or maximum that `turn` says the winner of: that one has the seed."""
        target = behind(strip_parens(call.arguments[0]))
        differential = self.linear.of(call.arguments[1])
        place = self.reach.shadow(target, point)
        object_name = call.callee.text.partition(".")[0] if isinstance(call.callee, Literal) else ""
        own = self.values.value(VarRef(turn), point)
        asked = Code((f"{object_name}.holds(", own, ")"), type=BOOL)
        met = any(self.reach.may_be(target, leaf) for leaf in leaves(differential))
        if met:
            symbol, declared = self.pushes.new_seed(target, place)
            pushed = self.pushes.push(differential, Seed(VarRef(symbol)), point)
            return [If(asked, Block((declared, assign_zero(place), *pushed)))]
        pushed = self.pushes.push(differential, Seed(place), point)
        return [If(asked, Block((*pushed, assign_zero(place))))]

    def exchange(self, node: Exchange, point: Point) -> list[Stmt]:
        """Take back a shuffle or a sum over lanes."""
        if node.result not in self.activity.active:
            return []
        ctype = node.result.type
        meeting = self.meetings.get(id(node), Meeting(Part.SOME, False))
        certain = is_certain(node.width)
        if node.operation not in SHUFFLES or not is_real(ctype) or not certain:
            message = f"'{node.operation}' on values that carry derivatives"
            raise refuse("G2O0403", message, node.span)
        differential = self.linear.of(node.operands[0])
        seed = self.reach.shadow(VarRef(node.result), point)
        parameters = tuple(self.values.value(one, point) for one in node.operands[1:])
        shuffle = Shuffle(
            node.operation, parameters, node.scope, node.width, seed, ctype, self.axes, meeting
        )
        statements, back = returned(shuffle, self.symbols)
        own = self.symbols.fresh("seed", ctype, Storage.LOCAL)
        kept = Declare((Variable(own, f"const {shadow_type(ctype).spelling}", "", back, "="),))
        pushed = self.pushes.push(differential, Seed(VarRef(own)), point)
        return [*statements, kept, assign_zero(seed), *pushed]


def _is_number(expr: Expr) -> bool:
    return is_real(value_type(expr))
