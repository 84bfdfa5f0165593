"""Statements in two parts: what a running reference needs, and what sums do relative to it.

    const float old = m;                                  m = fmaxf(m, x[c]);
    m = fmaxf(m, x[c]);                             ->
    s = s * expf(old - m) + expf(x[c] - m);               s += expf(x[c] - m);

Where that is legal `relative_sums.py` says; here is what becomes of each statement. Loops and
conditions are in both parts, as far as there is something to do in them; numbers that have nothing
to do with the reference are worked out in both, where they are of a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Conditional,
    Expr,
    Index,
    Unary,
    VarRef,
    is_variable,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Barrier,
    Block,
    Declare,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, TypeKind
from g2o.transforms.relative_values import (
    Factor,
    Reference,
    Sum,
    Unfit,
    Value,
    Values,
    greater_and_lesser,
    is_zero,
)


@final
@dataclass(slots=True)
class Walk:
    """Goes through statements, and takes them apart: what the reference needs, and what sums do.
    Loops may begin with another reference, and other sums."""

    values: Values
    target: Symbol
    sums: frozenset[Symbol]
    effects: EffectsOf
    own: set[Symbol] = field(default_factory=set[Symbol])  # what the code declares
    zeros: set[Symbol] = field(default_factory=set[Symbol])  # those that are zero so far
    grows: bool = True  # is the target never less than it was?
    loops: int = 0

    def is_relative(self) -> bool:
        """Are the sums relative to the target as it is now?"""
        return all(self.fits(self.values.known.get(one)) for one in self.sums)

    def follow(self) -> None:
        """Where all sums have become relative to another reference, that is the target."""
        if self.is_relative():
            return
        found = {self.values.known.get(one) for one in self.sums}
        scales = {one.scale for one in found if isinstance(one, Sum)} - {None}
        if len(scales) != 1 or not all(isinstance(one, Sum) for one in found):
            return
        before = self.values.known[self.target]
        assert isinstance(before, Reference)
        for symbol, value in self.values.known.items():
            if isinstance(value, Reference) and value.version in scales:
                if before.version not in self.values.versions.reach(value.version):
                    self.grows = False
                self.target = symbol
                return

    def fits(self, value: Value) -> bool:
        now = self.values.known[self.target]
        assert isinstance(now, Reference)
        return isinstance(value, Sum) and value.scale in (None, now.version)

    # -- statements -------------------------------------------------------------------------------

    def statement(self, statement: Stmt, *, nested: bool) -> tuple[list[Stmt], list[Stmt]]:
        """What stays for the reference, and what follows for the sums. Raises Unfit."""
        match statement:
            case Block(statements=inner) if not statement.directive:
                first, second = list[Stmt](), list[Stmt]()
                for one in inner:
                    own, relative = self.statement(one, nested=nested)
                    first += own
                    second += relative
                return first, second
            case Declare(variables=variables):
                return self._declare(statement, variables, nested)
            case ExprStatement(expr=Assign() as assign):
                return self._assign(statement, assign)
            case Exchange(result=result):
                value = self.values.exchanged(statement)
                self.values.known[result] = value
                self.own.add(result)
                return self._by_value(value, statement, statement, nested)
            case For():
                return self._loop(statement)
            case If():
                return self._if(statement)
            case Barrier():
                return [statement], [Barrier(statement.scope, statement.width)]
            case Empty():
                return [statement], []
            case _:
                raise Unfit

    @staticmethod
    def _by_value(
        value: Value, statement: Stmt, made: Stmt, nested: bool
    ) -> tuple[list[Stmt], list[Stmt]]:
        match value:
            case Reference():
                return [statement], []
            case Sum():
                return [], [made]
            case Factor():
                return [], []
            case None:
                return [statement], [statement] if nested else []

    def _declare(
        self, statement: Declare, variables: tuple[Variable, ...], nested: bool
    ) -> tuple[list[Stmt], list[Stmt]]:
        first, second = list[Stmt](), list[Stmt]()
        for one in variables:
            symbol = one.symbol
            trivia = statement.trivia if len(variables) == 1 else NO_TRIVIA
            plain = Declare((one,), trivia=trivia)
            if symbol.storage not in (Storage.LOCAL, Storage.SHARED) or symbol.type.is_volatile:
                raise Unfit
            self.own.add(symbol)
            if one.initial is None:
                own, relative = [plain], []  # an array of the block, or assigned below
                if symbol.storage is not Storage.SHARED and nested:
                    relative = [plain]
            else:
                if not self.effects.is_pure(one.initial):
                    raise Unfit
                value, made = self.values.of(one.initial)
                self._check_kept(symbol, value)
                self.values.known[symbol] = value
                self.zeros |= {symbol} if is_zero(one.initial) else set()
                new = Declare((replace(one, initial=made),), trivia=trivia)
                own, relative = self._by_value(value, plain, new, nested)
            first += own
            second += relative
        return first, second

    def _check_kept(self, symbol: Symbol, value: Value) -> None:
        """References and sums are floating point numbers, as wide as the target."""
        if value is None:
            return
        ctype = symbol.type
        if ctype.kind is not TypeKind.FLOATING or ctype.bits < self.target.type.bits:
            raise Unfit

    def _assign(self, statement: Stmt, assign: Assign) -> tuple[list[Stmt], list[Stmt]]:
        assert isinstance(statement, ExprStatement)
        target = strip_parens(assign.target)
        if not self.effects.is_pure(assign.value):
            raise Unfit
        if isinstance(target, Index):
            return self._store(statement, assign, target)
        if not isinstance(target, VarRef) or target.symbol.storage is not Storage.LOCAL:
            raise Unfit
        symbol = target.symbol
        if symbol == self.target or isinstance(self.values.known.get(symbol), Reference):
            return self._refer(statement, assign, symbol)
        if symbol not in self.sums and symbol not in self.own:
            raise Unfit
        operator = assign.op.removesuffix("=")
        whole = assign.value
        if operator:
            whole = Binary(operator, VarRef(symbol), whole, symbol.type)
        value, made = self.values.of(whole)
        if value is None and symbol in self.sums and is_zero(assign.value) and not operator:
            self.values.known[symbol] = Sum(None)
            return [], [statement]
        self._check_kept(symbol, value)
        if symbol in self.sums and not isinstance(value, Sum):
            raise Unfit
        self.values.known[symbol] = value
        if isinstance(value, Sum):
            return [], list(_updated(symbol, made))
        if isinstance(value, Reference):
            return [statement], []
        raise Unfit  # a number that the code steps

    def _refer(
        self, statement: Stmt, assign: Assign, symbol: Symbol
    ) -> tuple[list[Stmt], list[Stmt]]:
        if assign.op != "=":
            raise Unfit
        value, _ = self.values.of(assign.value)
        version = self.values.version(value, assign.value)
        self._check_kept(symbol, Reference(version))
        self.values.known[symbol] = Reference(version)
        return [statement], []

    def _store(
        self, statement: Stmt, assign: Assign, target: Index
    ) -> tuple[list[Stmt], list[Stmt]]:
        array = strip_parens(target.base)
        if not isinstance(array, VarRef) or array.symbol not in self.values.arrays:
            raise Unfit
        if assign.op != "=" or target.type.bits < self.target.type.bits:
            raise Unfit
        self.values.plain(target.index)
        value, made = self.values.of(assign.value)
        if value is None and is_zero(assign.value):
            raise Unfit
        if isinstance(value, Factor) or value is None or self.loops:
            raise Unfit
        self.values.store(array.symbol, target.index, value)
        if isinstance(value, Reference):
            return [statement], []
        return [], [ExprStatement(Assign("=", target, made, assign.type))]

    def _loop(self, loop: For) -> tuple[list[Stmt], list[Stmt]]:
        """A loop as two: in each iteration, sums are relative to what the target is there."""
        if loop.shared is not None or loop.directive or not isinstance(loop.initial, Declare):
            raise Unfit
        counters = {one.symbol for one in loop.initial.variables}
        for one in loop.initial.variables:
            if one.initial is not None:
                self._plain(one.initial)
        if loop.condition is not None:
            self._plain(loop.condition)
        if loop.increment is None or _stepped(loop.increment) not in counters:
            raise Unfit
        step = strip_parens(loop.increment)
        if isinstance(step, Assign):
            self._plain(step.value)
        if counters & set(assigned_in(loop.body)):
            raise Unfit
        self.own |= counters
        changed = [one for one in assigned_in(loop.body) if one not in declared_in(loop.body)]
        if {self.target, *self.sums}.issuperset(changed):
            first, second = self._turns(loop.body, changed)
        else:
            first, second = self._begun_anew(loop.body, changed)
        return _loop_of(loop, first), _loop_of(replace(loop, trivia=NO_TRIVIA), second)

    def _begun_anew(self, body: Stmt, changed: list[Symbol]) -> tuple[list[Stmt], list[Stmt]]:
        """A loop that changes another reference, and sums that are zero in front of it."""
        if not self.own.issuperset(changed) or not all(map(may_be_relative, changed)):
            raise Unfit
        for target in changed:
            sums = frozenset(one for one in changed if one != target)
            if not sums or not sums <= self.zeros:
                continue
            kept = self.values, self.target, self.sums, self.grows
            self.values = self.values.copy()
            self.values.known[target] = Reference(self.values.versions.fresh())
            self.values.known.update((one, Sum(None)) for one in sums)
            self.target, self.sums = target, sums
            try:
                return self._turns(body, changed)
            except Unfit:
                self.values, self.target, self.sums, self.grows = kept
        raise Unfit

    def _plain(self, expr: Expr) -> None:
        """Raises Unfit where the expression may not be worked out twice."""
        if not self.effects.is_pure(expr):
            raise Unfit
        self.values.plain(expr)

    def _turns(self, body: Stmt, changed: list[Symbol]) -> tuple[list[Stmt], list[Stmt]]:
        """The body of a loop in two parts."""
        before = self.values.known[self.target]
        assert isinstance(before, Reference)
        sums = [one for one in changed if one in self.sums]
        if not all(self.fits(self.values.known.get(one)) for one in sums):
            raise Unfit
        head = self.values.versions.fresh()
        if self.target in changed:
            self._all_relative_to(head, changed)
        self.loops += 1
        try:
            first, second = self.statement(body, nested=True)
        finally:
            self.loops -= 1
        after = self.values.known[self.target]
        assert isinstance(after, Reference)
        if not all(self.fits(self.values.known.get(one)) for one in sums):
            raise Unfit
        if self.target in changed:
            if head not in self.values.versions.reach(after.version):
                self.grows = False
            self._all_relative_to(self.values.versions.fresh((before.version,)), changed)
        return first, second

    def _all_relative_to(self, version: int, changed: Sequence[Symbol]) -> None:
        self.values.known[self.target] = Reference(version)
        self.values.known.update((one, Sum(version)) for one in changed if one in self.sums)

    def _if(self, statement: If) -> tuple[list[Stmt], list[Stmt]]:
        """One or the other; where that depends on the reference, sums get the same of both."""
        if statement.is_constexpr or not self.effects.is_pure(statement.condition):
            raise Unfit
        order = greater_and_lesser(statement.condition)
        asks = self._asks_reference(order) if order is not None else False
        if not asks:
            self.values.plain(statement.condition)
        below = dict(self.values.versions.below)
        otherwise = self._branch(statement.otherwise, None)
        then = self._branch(statement.then, order if asks else None)
        self._meet(statement.condition, then.values, otherwise.values)
        self.values.versions.forget_order(below)  # it is known in that branch only
        first, second = list[Stmt](), list[Stmt]()
        greatest = _greatest_of(order, then.first) if order is not None and asks else None
        if greatest is not None and not otherwise.first:
            first.append(greatest)
        elif then.first or otherwise.first:
            last = Block(tuple(otherwise.first)) if otherwise.first else None
            first += [
                If(
                    statement.condition,
                    Block(tuple(then.first)),
                    last,
                    trivia=statement.trivia,
                )
            ]
        if asks:
            if then.second != otherwise.second:
                raise Unfit
            return first, then.second
        if then.second or otherwise.second:
            last = Block(tuple(otherwise.second)) if otherwise.second else None
            second += [If(statement.condition, Block(tuple(then.second)), last)]
        return first, second

    def _asks_reference(self, order: tuple[Expr, Expr]) -> bool:
        kinds = [self.values.of(one)[0] for one in order]
        return any(isinstance(one, Reference) for one in kinds)

    def _branch(self, statement: Stmt | None, order: tuple[Expr, Expr] | None) -> _Branch:
        kept = self.values
        self.values = kept.copy()
        try:
            if order is not None:
                greater, lesser = (
                    self.values.version(self.values.of(one)[0], one) for one in order
                )
                below = self.values.versions.below
                below[greater] = below.get(greater, frozenset()) | self.values.versions.reach(
                    lesser
                )
            first, second = (
                ([], []) if statement is None else self.statement(statement, nested=True)
            )
            return _Branch(first, second, self.values)
        finally:
            self.values = kept

    def _meet(self, condition: Expr, then: Values, otherwise: Values) -> None:
        """What is known behind both branches."""
        versions = self.values.versions
        for symbol, old in self.values.known.items():
            one, other = then.known.get(symbol), otherwise.known.get(symbol)
            if isinstance(one, Reference) and isinstance(other, Reference) and one != other:
                made = versions.of_choice(condition, one.version, other.version)
                versions.below[made] = versions.reach(one.version) & versions.reach(other.version)
                self.values.known[symbol] = Reference(made)
            elif one == other:
                self.values.known[symbol] = one
            elif not isinstance(old, Sum):
                raise Unfit
        for symbol in self.values.known:
            one, other = then.known.get(symbol), otherwise.known.get(symbol)
            if isinstance(one, Sum) and isinstance(other, Sum) and one != other:
                scale = self.values.scale_where(condition, (one.scale, other.scale))
                self.values.known[symbol] = Sum(scale)
        self.values.stored.update(then.stored)
        self.values.stored.update(otherwise.stored)
        for array in {*then.times, *otherwise.times}:
            both = (one.times.get(array, 0) for one in (then, otherwise))
            self.values.times[array] = max(both)


@final
@dataclass(frozen=True, slots=True)
class _Branch:
    first: list[Stmt]
    second: list[Stmt]
    values: Values


def _greatest_of(order: tuple[Expr, Expr], then: Sequence[Stmt]) -> Stmt | None:
    """`lesser = greater > lesser ? greater : lesser`, for that under the condition."""
    greater, lesser = order
    match then:
        case [ExprStatement(expr=Assign(op="=", target=target, value=value) as assign)] if (
            strip_parens(target) == lesser and strip_parens(value) == greater
        ):
            asked = Binary(">", greater, lesser, BOOL)
            chosen = Conditional(asked, greater, lesser, assign.type)
            return ExprStatement(Assign("=", lesser, chosen, assign.type))
        case _:
            return None


def _loop_of(loop: For, body: Sequence[Stmt]) -> list[Stmt]:
    if not body:
        return []
    inner: Stmt = (
        body[0] if len(body) == 1 and not isinstance(body[0], Declare) else Block(tuple(body))
    )
    return [For(loop.initial, loop.condition, loop.increment, inner, trivia=loop.trivia)]


def _updated(symbol: Symbol, made: Expr) -> Iterator[Stmt]:
    """`symbol = made`; as an update where that adds to it, and nothing where it is itself."""
    match strip_parens(made):
        case VarRef(symbol=same) if same == symbol:
            return
        case Binary(op="+" | "-" as op, left=left, right=term) if is_variable(left, symbol):
            yield ExprStatement(Assign(f"{op}=", VarRef(symbol), term, symbol.type))
        case Binary(op="+", left=term, right=right) if is_variable(right, symbol):
            yield ExprStatement(Assign("+=", VarRef(symbol), term, symbol.type))
        case other:
            yield ExprStatement(Assign("=", VarRef(symbol), other, symbol.type))


def assigned_in(statement: Stmt) -> list[Symbol]:
    """The variables that are assigned to, in order of appearance."""
    found: dict[Symbol, None] = {}
    for node in walk(statement):
        place = node.target if isinstance(node, Assign) else None
        if isinstance(node, Unary) and node.is_update:
            place = node.operand
        bare = None if place is None else strip_parens(place)
        if isinstance(bare, VarRef):
            found[bare.symbol] = None
    return list(found)


def _stepped(increment: Expr) -> Symbol | None:
    match strip_parens(increment):
        case Assign(target=target, value=value) if not isinstance(strip_parens(value), Assign):
            bare = strip_parens(target)
        case Unary(operand=operand) as step if step.is_update:
            bare = strip_parens(operand)
        case _:
            return None
    return bare.symbol if isinstance(bare, VarRef) else None


def may_be_relative(symbol: Symbol) -> bool:
    ctype = symbol.type
    plain = ctype.kind is TypeKind.FLOATING and not ctype.is_volatile
    return plain and symbol.storage is Storage.LOCAL
