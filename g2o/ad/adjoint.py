"""The adjoint of a kernel: a forward sweep that does what the kernel does and keeps what will be
needed, and a reverse sweep that takes every statement back in the opposite order.

    y[i] = a * x[i] + y[i];    ->    y[i] = a * x[i] + y[i];
                                     d_x[i] += a * d_y[i];

Adjoints are ordinary kernels: threads wait where the primal's threads wait, in the opposite order
(Moses et al., "Reverse-mode automatic differentiation and optimization of GPU kernels via Enzyme",
SC 2021). Increments of memory that threads share are atomic here; a later pass makes those plain
that no other thread can meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, final

from g2o.ad.activity import Activity
from g2o.ad.components import behind, pairs_of
from g2o.ad.hidden import is_atomic_on_active
from g2o.ad.increments import Seed, add, assign_zero, atomic_add, zero_declaration
from g2o.ad.linear import (
    Choice,
    Differential,
    Leaf,
    Linearisation,
    Negated,
    Scaled,
    leaves,
    uses,
)
from g2o.ad.loops import (
    Counted,
    Shifted,
    commutes,
    counted,
    iteration_type,
    reversed_loop,
    shifted,
)
from g2o.ad.places import Places
from g2o.ad.reals import is_real, precision, real_parts
from g2o.ad.scopes import Braces, Point
from g2o.ad.shadows import (
    ZEROED,
    Shadows,
    is_block_memory,
    shadow_type,
    shadow_variable,
)
from g2o.ad.shuffles import SHUFFLES, Shuffle, is_certain, returned
from g2o.ad.values import Values
from g2o.analysis.effects import declared_in, root_symbol, statements_of, symbols_in
from g2o.analysis.uniformity import Uniformity
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT, TypeKind

_PLAIN_OPERATORS: Final = {"+=": "+", "-=": "-", "*=": "*", "/=": "/"}


@final
class Adjoint:
    """Turns the statements of one kernel around."""

    def __init__(
        self,
        activity: Activity,
        places: Places,
        values: Values,
        shadows: Shadows,
        symbols: SymbolTable,
        named: Mapping[int, Expr],
        axes: tuple[int, ...],
        uniformity: Uniformity,
    ) -> None:
        """`axes` are those of threadIdx that the kernel names, `uniformity` is that of a block."""
        self.activity = activity
        self.places = places
        self.values = values
        self.shadows = shadows
        self.symbols = symbols
        self.linear = Linearisation(activity.is_active, values.functions, named)
        self.axes = axes
        self.uniformity = uniformity
        self.block_memory: list[Stmt] = []  # shadows of shared memory

    # -- sequences ------------------------------------------------------------------------------

    def whole(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """Both sweeps of the kernel with these statements."""
        both = self.joint(statements, None)
        return (*self.block_memory, *both)

    def joint(self, statements: tuple[Stmt, ...], parent: Braces | None) -> list[Stmt]:
        """Both sweeps in one pair of braces."""
        braces = Braces(parent, joint=True)
        statements, last = _without_tail(statements)
        forward, reverse = self._sequence(statements, braces)
        middle: list[Stmt] = []
        if isinstance(last, If):
            middle = self._joint_condition(last, braces, forward)
        elif isinstance(last, Block):
            middle = [
                replace(
                    last, statements=tuple(self.joint(last.statements, braces)), form=Form.BUILT
                )
            ]
        reverse = self._added_at_once(braces, reverse, middle)
        declared, added = self._sums(braces)
        return [*forward, *declared, *braces.shadows, *middle, *reverse, *added]

    def _joint_condition(self, node: If, braces: Braces, forward: list[Stmt]) -> list[Stmt]:
        """A condition at the end of joint braces: both sweeps stand in its branches."""
        then = self.joint(statements_of(node.then), braces)
        other = self.joint(statements_of(node.otherwise), braces) if node.otherwise else None
        otherwise = Block(tuple(other)) if other else None
        return [replace(node, then=Block(tuple(then)), otherwise=otherwise, form=Form.BUILT)]

    def _added_at_once(self, braces: Braces, reverse: list[Stmt], others: list[Stmt]) -> list[Stmt]:
        """A sum with one term is no sum: the term goes to the shadow of the parameter itself."""
        for parameter, own in list(braces.sums.items()):
            naming = [
                position
                for position, statement in enumerate(reverse)
                if own in symbols_in(statement)
            ]
            if len(naming) != 1 or any(own in symbols_in(statement) for statement in others):
                continue
            match reverse[naming[0]]:
                case ExprStatement(
                    expr=Assign(op="+=" | "-=" as op, target=VarRef(), value=value)
                ) if own not in symbols_in(ExprStatement(value)):
                    if op == "-=":
                        value = Unary("-", value, type=value.type)
                    place = Unary("*", self.shadows.given[parameter], type=own.type)
                    reverse[naming[0]] = atomic_add(place, value)
                    del braces.sums[parameter]
                case _:
                    pass
        return reverse

    def _sums(self, braces: Braces) -> tuple[list[Stmt], list[Stmt]]:
        """Declarations of the sums for value parameters, and their way into the shadows."""
        declared: list[Stmt] = []
        added: list[Stmt] = []
        for parameter, own in braces.sums.items():
            declared.append(zero_declaration(own))
            given = self.shadows.given[parameter]
            for part in real_parts(VarRef(own)):
                place = _put_root(part, own, Unary("*", given, type=own.type))
                added.append(atomic_add(place, part))
        return declared, added

    def deferred(
        self, statements: tuple[Stmt, ...], braces: Braces
    ) -> tuple[list[Stmt], list[Stmt]]:
        """The sweeps of what loops and conditions contain, each for braces of its own."""
        forward, reverse = self._sequence(statements, braces)
        if not reverse:
            return forward, []
        return forward, [*braces.again, *braces.shadows, *reverse]

    def _sequence(
        self, statements: tuple[Stmt, ...], braces: Braces
    ) -> tuple[list[Stmt], list[Stmt]]:
        forward: list[tuple[Stmt | None, list[Stmt]]] = []
        reverse: list[list[Stmt]] = []
        for statement in statements:
            braces.statement = statement
            there, back = self._statement(statement, braces)
            forward.append((statement, [*braces.tapes, *there]))
            braces.tapes = []
            reverse.append(back)
        result: list[Stmt] = []
        for statement, there in forward:
            result.extend(there)
            result.extend(braces.behind.get(id(statement), ()))
        return result, [one for back in reversed(reverse) for one in back]

    # -- statements -----------------------------------------------------------------------------

    def _statement(self, node: Stmt, braces: Braces) -> tuple[list[Stmt], list[Stmt]]:
        point = Point(self.places.place(node), braces)
        match node:
            case Declare():
                back = self._declare(node, point)
            case ExprStatement(expr=expr):
                back = self._expression(strip_parens(expr), point)
            case Block(statements=statements):
                inner = Braces(braces, joint=False)
                there, back = self.deferred(statements, inner)
                return [_same_or(node, there)], [Block(tuple(back))] if back else []
            case If():
                return self._condition(node, point)
            case For() | While() | DoWhile():
                return self._loop(node, point)
            case Barrier(scope=scope):
                return [node], [Barrier(scope)]
            case Exchange():
                back = self._exchange(node, point)
            case Return() | Empty():
                back = []
            case _:
                self._refuse_active(node)
                back = []
        return [*point.before, node], [*point.first, *back]

    def _refuse_active(self, node: Stmt) -> None:
        if any(symbol in self.activity.active for symbol in symbols_in(node)):
            raise refuse("G2O0403", "statement on values that carry derivatives", node.span)

    def _declare(self, node: Declare, point: Point) -> list[Stmt]:
        back: list[Stmt] = []
        for variable in node.variables:
            symbol = variable.symbol
            self.values.braces_of[symbol] = point.braces
            if variable.initial is not None and is_atomic_on_active(
                variable.initial, self.activity
            ):
                back.extend(self._expression(strip_parens(variable.initial), point))
            if not self.activity.is_active(VarRef(symbol)):
                continue
            if is_block_memory(symbol):
                self._shadow_block_memory(variable)
                continue
            if symbol.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE):
                continue
            if variable.initial is not None:
                back.extend(self._initialise(variable, point))
        return back

    def _shadow_block_memory(self, variable: Variable) -> None:
        shadow = self.shadows.of(variable.symbol)
        self.block_memory.append(Declare((shadow_variable(variable, shadow, ZEROED),)))

    def _initialise(self, variable: Variable, point: Point) -> list[Stmt]:
        symbol, initial = variable.symbol, variable.initial
        assert initial is not None
        pairs = pairs_of(VarRef(symbol), initial)
        back: list[Stmt] = []
        for target, value in pairs:
            differential = self.linear.of(value)
            if differential:
                place = self._shadow(target, point)
                back.extend(self._push(differential, Seed(place), point))
        return back

    # -- assignments ----------------------------------------------------------------------------

    def _expression(self, expr: Expr, point: Point) -> list[Stmt]:
        match expr:
            case Assign(op=op, target=target, value=value):
                return self._assign(op, target, value, point)
            case Call(name=name) if name.startswith("atomic"):
                return self._atomic(expr, point)
            case Call(arguments=arguments):
                for argument in arguments:
                    self._refuse_handed(expr, argument)
                return []
            case Unary(op="++" | "--", operand=operand):
                return self._refuse_moved(operand)
            case _:
                self._refuse_inside(expr)
                return []

    def _refuse_handed(self, call: Call, argument: Expr) -> None:
        """A function without a derivative may look at active numbers (printf), not change them."""
        inner = strip_parens(argument)
        by_address = inner.type.is_indirect or (isinstance(inner, Unary) and inner.op == "&")
        if by_address and self.activity.is_active(behind(inner)):
            element = inner.type.element
            if call.key or element is None or not element.is_const:
                message = f"call of '{call.name}' on values that carry derivatives"
                raise refuse("G2O0403", message, call.span)

    def _refuse_inside(self, expr: Expr) -> None:
        for node in walk(expr):
            if isinstance(node, VarRef) and node.symbol in self.activity.active:
                raise refuse("G2O0403", "expression on values that carry derivatives", expr.span)

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
                return self._expression(strip_parens(value), point)
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
            value = Binary(
                _PLAIN_OPERATORS[op], target, Paren(value, value.type), value_type(target)
            )
        return self._overwrite(target, value, point)

    def _overwrite(self, target: Expr, value: Expr, point: Point) -> list[Stmt]:
        """`target = value`: the seed of the target is consumed."""
        pairs = [(one, self.linear.of(other)) for one, other in pairs_of(target, value)]
        if not pairs:
            return []
        met = [
            self._may_be(one, leaf)
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
                place = self._shadow(one, point)
                back.extend(self._push(differential, Seed(place), point))
                back.append(assign_zero(place))
            return back
        seeds: list[Seed] = []
        for one, differential in pairs:
            place = self._shadow(one, point)
            seed = self._new_seed(one, place)
            if differential:
                back.append(seed[1])
                seeds.append(Seed(VarRef(seed[0])))
            else:
                seeds.append(Seed(place))
            back.append(assign_zero(place))
        for (_, differential), seed in zip(pairs, seeds, strict=True):
            back.extend(self._push(differential, seed, point))
        return back

    def _accumulate(
        self, target: Expr, differential: Differential, negative: bool, point: Point
    ) -> list[Stmt]:
        """`y = y + rest`: the adjoint of y stays, whether or not the rest reads y, too."""
        if not differential:
            return []
        place = self._shadow(target, point)
        alone = uses(differential) < 2
        if alone or not any(self._may_be(target, leaf) for leaf in leaves(differential)):
            return self._push(differential, Seed(place, negative), point)
        symbol, declared = self._new_seed(target, place)
        return [declared, *self._push(differential, Seed(VarRef(symbol), negative), point)]

    def _new_seed(self, target: Expr, place: Expr) -> tuple[Symbol, Stmt]:
        ctype = precision(target)
        root = root_symbol(target)
        name = f"seed_{root.name}" if root is not None else "seed"
        symbol = self.symbols.fresh(name, ctype, Storage.LOCAL)
        spelled = shadow_type(ctype).spelling
        return symbol, Declare((Variable(symbol, f"const {spelled}", "", place, "="),))

    def _may_be(self, one: Expr, other: Expr) -> bool:
        """May two lvalues be the same place?"""
        if one == other:
            return True
        origins = self.activity.origins
        if not any(
            self.places.may_alias(first, second)
            for first in origins.roots(one)
            for second in origins.roots(other)
        ):
            return False
        return not _are_apart(one, other)

    # -- increments -----------------------------------------------------------------------------

    def _push(self, differential: Differential, seed: Seed, point: Point) -> list[Stmt]:
        """Hand the seed down to every lvalue of the differential."""
        result: list[Stmt] = []
        if len(differential) > 1 and not _is_cheap(seed.value):
            symbol = self.symbols.fresh("seed", precision(seed.value), Storage.LOCAL)
            spelled = shadow_type(precision(seed.value)).spelling
            result.append(Declare((Variable(symbol, f"const {spelled}", "", seed.value, "="),)))
            seed = replace(seed, value=VarRef(symbol))
        for part in differential:
            match part:
                case Leaf(target=target):
                    result.append(self._increment(target, seed, point))
                case Negated(inner=inner):
                    flipped = replace(seed, negative=not seed.negative)
                    result.extend(self._push(inner, flipped, point))
                case Scaled(op=op, weight=weight, inner=inner):
                    scaled = self._scaled(op, self.values.value(weight, point), seed)
                    result.extend(self._push(inner, scaled, point))
                case Choice():
                    result.append(self._chosen(part, seed, point))
        return result

    def _chosen(self, part: Choice, seed: Seed, point: Point) -> Stmt:
        condition = self.values.value(part.condition, point)
        point.guards.append(part.condition)
        then = self._push(part.if_true, seed, point)
        point.guards[-1] = Unary("!", Paren(part.condition), type=part.condition.type)
        other = self._push(part.if_false, seed, point)
        point.guards.pop()
        if not then:
            return If(_negation(condition), Block(tuple(other)))
        return If(condition, Block(tuple(then)), Block(tuple(other)) if other else None)

    def _scaled(self, op: str, weight: Expr, seed: Seed) -> Seed:
        inner = strip_parens(weight)
        negative = seed.negative
        if isinstance(inner, Unary) and inner.op == "-":
            inner, negative = strip_parens(inner.operand), not negative
        ctype = precision(seed.value)
        if op == "/":
            return Seed(Binary("/", seed.value, inner, ctype), negative)
        return Seed(Binary("*", inner, seed.value, ctype), negative)

    def _increment(self, target: Expr, seed: Seed, point: Point) -> Stmt:
        root = root_symbol(target)
        if root is not None and root in self.shadows.given and not root.type.is_indirect:
            sums = point.braces.nearest_joint().sums
            own = sums.get(root)
            if own is None:
                ctype = shadow_type(root.type)
                own = self.symbols.fresh(f"sum_{root.name}", ctype, Storage.LOCAL)
                sums[root] = own
            return add(_put_root(target, root, VarRef(own)), seed)
        place = self._shadow(target, point)
        if self._is_own(target):
            return add(place, seed)
        value = Unary("-", seed.value, type=seed.value.type) if seed.negative else seed.value
        return atomic_add(place, value)

    def _is_own(self, target: Expr) -> bool:
        """Is the lvalue in memory of the thread alone?"""
        roots = self.activity.origins.roots(target)
        return all(root is not None and root.storage is Storage.LOCAL for root in roots)

    def _shadow(self, target: Expr, point: Point) -> Expr:
        """The shadow of an lvalue, as the reverse sweep can reach it."""
        place = self._reachable(target, point)
        for node in walk(place):
            if isinstance(node, VarRef):
                self._declare_shadow(node.symbol, point)
        return self.shadows.place(place)

    def _reachable(self, target: Expr, point: Point) -> Expr:
        """The lvalue with indices that the reverse sweep has."""
        match target:
            case VarRef():
                return target
            case Index(base=base, index=index):
                return replace(
                    target, base=self._reachable(base, point), index=self.values.value(index, point)
                )
            case Member(base=base):
                return replace(target, base=self._reachable(base, point))
            case Unary(op="*", operand=operand):
                return replace(target, operand=self._reachable(operand, point))
            case Unary(op="&", operand=operand):
                return replace(target, operand=self._reachable(operand, point))
            case Paren(inner=inner):
                return replace(target, inner=self._reachable(inner, point))
            case Code(parts=(only,)) if not isinstance(only, str):
                return self._reachable(only, point)
            case Binary(left=left, right=right) if left.type.is_indirect:
                return replace(
                    target, left=self._reachable(left, point), right=self.values.value(right, point)
                )
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                return replace(
                    target,
                    condition=self.values.value(condition, point),
                    if_true=self._reachable(if_true, point),
                    if_false=self._reachable(if_false, point),
                )
            case Cast(operand=operand) if target.type.is_indirect:
                return replace(target, operand=self._reachable(operand, point))
            case _:
                raise refuse("G2O0403", "address of a value that carries derivatives", target.span)

    def _declare_shadow(self, symbol: Symbol, point: Point) -> None:
        """See to it that the shadow of a local variable is declared in its braces."""
        home = self.values.braces_of.get(symbol)
        if home is None or symbol in home.shadowed or symbol not in self._shadowed_locals(symbol):
            return
        home.shadowed.add(symbol)
        definition = self.places.definitions[symbol]
        shadow = self.shadows.of(symbol)
        if symbol.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE):
            initial = definition.variable.initial
            if initial is None or symbol in self.activity.origins.moved:
                message = f"pointer '{symbol.name}' into memory that carries derivatives is moved"
                raise refuse("G2O0403", message, definition.statement.span)
            there = Point(definition.place, home)
            place = self._shadow(initial, there)
            if there.first or there.before:
                message = f"pointer '{symbol.name}' whose value would have to be recorded"
                raise refuse("G2O0403", message, definition.statement.span)
            home.shadows.append(Declare((shadow_variable(definition.variable, shadow, place),)))
            return
        home.shadows.append(zero_declaration(shadow, definition.variable))

    def _shadowed_locals(self, symbol: Symbol) -> set[Symbol]:
        local = symbol.storage is Storage.LOCAL and self.activity.is_active(VarRef(symbol))
        return {symbol} if local else set()

    # -- atomics --------------------------------------------------------------------------------

    def _atomic(self, call: Call, point: Point) -> list[Stmt]:
        target = behind(strip_parens(call.arguments[0]))
        if not self.activity.is_active(target):
            return []
        name = call.name.removesuffix("_block").removesuffix("_system")
        if name not in ("atomicAdd", "atomicSub") or not is_real(value_type(target)):
            message = f"'{call.name}' on values that carry derivatives"
            raise refuse("G2O0403", message, call.span)
        differential = self.linear.of(call.arguments[1])
        if not differential:
            return []
        return self._push(
            differential, Seed(self._shadow(target, point), name == "atomicSub"), point
        )

    def _exchange(self, node: Exchange, point: Point) -> list[Stmt]:
        if node.result not in self.activity.active:
            return []
        ctype = node.result.type
        usual = node.operation in SHUFFLES and is_real(ctype) and is_certain(node.width)
        by_number = node.operation == "shfl"  # any lane may be asked for by its number
        uniform = self.uniformity.is_uniform(node.operands[1])
        if not usual or not (by_number or uniform):
            message = f"'{node.operation}' on values that carry derivatives"
            raise refuse("G2O0403", message, node.span)
        differential = self.linear.of(node.operands[0])
        seed = self._shadow(VarRef(node.result), point)
        parameters = tuple(self.values.value(one, point) for one in node.operands[1:])
        shuffle = Shuffle(
            node.operation, parameters, node.scope, node.width, seed, ctype, self.axes, uniform
        )
        statements, back = returned(shuffle, self.symbols)
        own = self.symbols.fresh("seed", ctype, Storage.LOCAL)
        kept = Declare((Variable(own, f"const {shadow_type(ctype).spelling}", "", back, "="),))
        pushed = self._push(differential, Seed(VarRef(own)), point)
        return [*statements, kept, assign_zero(seed), *pushed]

    # -- control --------------------------------------------------------------------------------

    def _condition(self, node: If, point: Point) -> tuple[list[Stmt], list[Stmt]]:
        parts: list[tuple[list[Stmt], list[Stmt]]] = []
        for branch in (node.then, node.otherwise):
            inner = Braces(point.braces, joint=False)
            statements = () if branch is None else statements_of(branch)
            parts.append(self.deferred(statements, inner))
        (then, then_back), (other, other_back) = parts
        there = _with_branches(node, then, other)
        if not then_back and not other_back:
            return [there], []
        condition = self.values.value(node.condition, point)
        if point.braces.joint and point.recorded.get(node.condition) is condition:
            there = replace(there, condition=condition, form=Form.BUILT)
        if then_back:
            otherwise = Block(tuple(other_back)) if other_back else None
            back: Stmt = If(condition, Block(tuple(then_back)), otherwise)
        else:
            back = If(_negation(condition), Block(tuple(other_back)))
        return [*point.before, there], [*point.first, back]

    def _loop(self, node: For | While | DoWhile, point: Point) -> tuple[list[Stmt], list[Stmt]]:
        effects = self.values.effects
        head = counted(node, effects) or shifted(node, effects)
        inner = Braces(point.braces, joint=False)
        index = self._index_of(head, inner) if head is not None else None
        if isinstance(node, For) and isinstance(node.initial, Declare):
            for variable in node.initial.variables:
                self.values.braces_of[variable.symbol] = inner
        there, back = self.deferred(statements_of(node.body), inner)
        body = _same_or_block(node.body, there)
        loop = node if body is node.body else replace(node, body=body, form=Form.BUILT)
        if not back:
            return [loop], []
        if head is not None and index is not None:
            there, new = self._enumerated(loop, head, index, back, point)
        else:
            there, new = self._repeated(loop, back, point)
        return [*point.before, *there], [*point.first, new]

    def _index_of(self, head: Counted | Shifted, inner: Braces) -> Symbol:
        """The index of a loop in the reverse sweep."""
        old = head.index
        declared = isinstance(head.node.initial, Declare) and self.values.keeps_names
        declared = declared and old not in self.values.hiding
        make = self.symbols.declare if declared else self.symbols.fresh
        new = make(old.name, old.type, Storage.LOCAL)
        inner.renewed[old] = VarRef(new)
        return new

    def _enumerated(
        self,
        loop: For | While | DoWhile,
        head: Counted | Shifted,
        index: Symbol,
        back: list[Stmt],
        point: Point,
    ) -> tuple[list[Stmt], Stmt]:
        """A loop whose index is known in every iteration."""
        first = self.values.value(head.first, point)
        declared = {symbol for statement in back for symbol in declared_in(statement)}
        in_order = commutes(back, declared, self._memory_of)
        if isinstance(head, Counted):
            bound = self.values.value(head.bound, point)
            step = self.values.value(head.step, point)
            head = replace(head, first=first, bound=bound, step=step)
            if in_order:
                return [loop], head.same_order(index, back)
            iteration = self.symbols.fresh("k", iteration_type(index.type), Storage.LOCAL)
            return [loop], reversed_loop(head, index, back, iteration)
        head = replace(head, first=first)
        condition = head.node.condition
        if in_order and condition is not None and self._holds_again(condition, head, point):
            return [loop], head.same_order(index, back)
        iteration = self.symbols.fresh("k", INT, Storage.LOCAL)
        spelled = shadow_type(index.type).spelling
        value = head.value(iteration)
        known = Declare((Variable(index, f"const {spelled}", "", value, "="),))
        return self._repeated(loop, [known, *back], point, iteration)

    def _memory_of(self, symbol: Symbol) -> set[Symbol | None]:
        """The shadows in which what is reached through a shadow may lie; other variables
        themselves."""
        primal = self.shadows.primal_of(symbol)
        if primal is None:
            return {symbol}
        return {
            None if root is None else self.shadows.symbol_of(root)
            for root in self.activity.origins.resolve(primal)
        }

    def _holds_again(self, condition: Expr, head: Shifted, point: Point) -> bool:
        """Can the reverse sweep ask the condition of the loop as it is written?"""
        others = symbols_in(condition) - {head.index}
        return not others and not any(isinstance(n, Call) for n in walk(condition))

    def _repeated(
        self,
        loop: For | While | DoWhile,
        back: list[Stmt],
        point: Point,
        iteration: Symbol | None = None,
    ) -> tuple[list[Stmt], Stmt]:
        """A loop whose iterations the forward sweep counts."""
        trips = self.symbols.fresh("trips", INT, Storage.LOCAL)
        count = Declare((Variable(trips, "int", "", Literal("0", 0, INT), "="),))
        counting = ExprStatement(Unary("++", VarRef(trips), type=INT))
        body = Block((counting, *statements_of(loop.body)))
        there: list[Stmt] = [count, replace(loop, body=body, form=Form.BUILT)]
        times: Expr = VarRef(trips)
        if not point.braces.joint:
            times = self.values.taped(VarRef(trips), "int", there, point.braces)
        if iteration is None:
            iteration = self.symbols.fresh("k", INT, Storage.LOCAL)
        last = Binary("-", times, Literal("1", 1, INT), INT)
        start = Declare((Variable(iteration, "int", "", last, "="),))
        condition = Binary(">=", VarRef(iteration), Literal("0", 0, INT), BOOL)
        update = Unary("--", VarRef(iteration), type=INT)
        return there, For(start, condition, update, Block(tuple(back)))


def _is_number(expr: Expr) -> bool:
    return is_real(value_type(expr))


def _is_cheap(expr: Expr) -> bool:
    """Is it one variable or one place in memory?"""
    match expr:
        case VarRef() | Literal():
            return True
        case Index(base=base, index=index):
            return _is_cheap(base) and not any(isinstance(n, Call) for n in walk(index))
        case Member(base=base):
            return _is_cheap(base)
        case Unary(op="*", operand=operand):
            return _is_cheap(operand)
        case _:
            return False


def _put_root(expr: Expr, root: Symbol, new: Expr) -> Expr:
    """The lvalue `expr` with another variable at its root."""
    match expr:
        case VarRef(symbol=symbol) if symbol == root:
            return new
        case Member(base=base):
            return replace(expr, base=_put_root(base, root, new), form=Form.BUILT)
        case Index(base=base):
            return replace(expr, base=_put_root(base, root, new), form=Form.BUILT)
        case Paren(inner=inner):
            return replace(expr, inner=_put_root(inner, root, new), form=Form.BUILT)
        case _:
            return expr


def _are_apart(one: Expr, other: Expr) -> bool:
    """Are these different members of one object, or elements with different constant indices?"""
    match one, other:
        case Member(base=first, name=name), Member(base=second, name=other_name):
            return first == second and name != other_name
        case Index(base=first, index=Literal(value=i)), Index(base=second, index=Literal(value=j)):
            return first == second and i is not None and j is not None and i != j
        case _:
            return False


def _negation(condition: Expr) -> Expr:
    inner = strip_parens(condition)
    if isinstance(inner, Unary) and inner.op == "!":
        return inner.operand
    return Unary("!", inner if isinstance(inner, VarRef) else Paren(inner), type=inner.type)


def _same_or(node: Block, statements: list[Stmt]) -> Stmt:
    same = len(statements) == len(node.statements) and all(
        one is old for one, old in zip(statements, node.statements, strict=True)
    )
    return node if same else replace(node, statements=tuple(statements), form=Form.BUILT)


def _same_or_block(node: Stmt, statements: list[Stmt]) -> Stmt:
    if isinstance(node, Block):
        return _same_or(node, statements)
    return node if len(statements) == 1 and statements[0] is node else Block(tuple(statements))


def _with_branches(node: If, then: list[Stmt], other: list[Stmt]) -> If:
    new_then = _same_or_block(node.then, then)
    otherwise = None if node.otherwise is None else _same_or_block(node.otherwise, other)
    if new_then is node.then and otherwise is node.otherwise:
        return node
    return replace(node, then=new_then, otherwise=otherwise, form=Form.BUILT)


def _without_tail(statements: tuple[Stmt, ...]) -> tuple[tuple[Stmt, ...], Stmt | None]:
    """The last statement apart where both sweeps can stand inside it."""
    rest = list(statements)
    while rest and isinstance(rest[-1], Empty) and not rest[-1].trivia.before:
        rest.pop()
    if rest and isinstance(rest[-1], (If, Block)):
        return tuple(rest[:-1]), rest[-1]
    return tuple(rest), None
