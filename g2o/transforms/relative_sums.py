"""Sums that are kept relative to a running maximum: first the maximum, then the sums.

    float m = -INFINITY, s = 0.0f;                    float m = -INFINITY, s = 0.0f;
    for (int c = lane; c < n; c += 32) {              for (int c = lane; c < n; c += 32)
        const float old = m;                              m = fmaxf(m, x[c]);
        m = fmaxf(m, x[c]);                           for (int d = 16; d > 0; d /= 2)
        s = s * expf(old - m) + expf(x[c] - m);           m = fmaxf(m, shfl_xor(m, d));
    }                                            ->   for (int c = lane; c < n; c += 32)
    for (int d = 16; d > 0; d /= 2) {                     s += expf(x[c] - m);
        float other_m = shfl_xor(m, d);               for (int d = 16; d > 0; d /= 2)
        float other_s = shfl_xor(s, d);                   s += shfl_xor(s, d);
        float both = fmaxf(m, other_m);
        s = s * expf(m - both) + other_s * expf(other_m - both);
        m = both;
    }

("Online softmax": one walk over memory, for two exponentials a number, a product of all that came
before, and pairs where the rest of g2o knows maxima and sums.) In real numbers that is the same
(`relative_values.py` says why); rounding differs, so it is done where sums may be made in any order.
Nothing overflows that did not: the maximum only grows, so no term is taken relative to less than
before. With what other threads have, the maximum has to be that of the whole group, the same for
all of them. What both loops read does not change meanwhile, and is cheap to read twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Form,
    Index,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
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
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite_statements, walk
from g2o.ir.types import TypeKind, unqualified
from g2o.transforms.costly import Costly
from g2o.transforms.relative_values import (
    Factor,
    Reference,
    Sum,
    Unfit,
    Value,
    Values,
    Versions,
    greater_and_lesser,
    is_zero,
)

IsCombined = Callable[[Sequence[Stmt], Symbol], bool]


def take_sums_apart(kernel: Kernel, functions: FunctionTable, is_combined: IsCombined) -> Kernel:
    """The kernel with such code in two parts. `is_combined` says of statements that they leave in a
    variable of every thread the greatest number that any of the group had there."""
    if not any(isinstance(node, Call) and "exp" in node.name for node in walk(kernel.body)):
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    apart = _Apart(functions, functions.for_node(kernel.body), symbols, is_combined)
    body = apart.inside(kernel.body)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


@final
@dataclass(frozen=True, slots=True)
class _Apart:
    functions: FunctionTable
    effects: EffectsOf
    symbols: SymbolTable
    is_combined: IsCombined

    def inside(self, block: Block) -> Block:
        made: list[Stmt] = []
        rest = list(block.statements)
        while rest:
            found = self._apart(made, rest) if isinstance(rest[0], For) else None
            if found is None:
                made.append(self._nested(rest.pop(0)))
                continue
            statements, count = found
            made += statements
            del rest[:count]
        if len(made) == len(block.statements):
            if all(a is b for a, b in zip(made, block.statements, strict=True)):
                return block
        return replace(block, statements=tuple(made), form=Form.BUILT)

    def _nested(self, statement: Stmt) -> Stmt:
        def replacement(node: Node) -> Node | None:
            return self.inside(node) if isinstance(node, Block) else None

        return rewrite_statements(statement, replacement)

    def _apart(self, before: Sequence[Stmt], rest: Sequence[Stmt]) -> tuple[list[Stmt], int] | None:
        """What becomes of the first statements, and how many these are."""
        loop = rest[0]
        own = declared_in(loop)
        outer = [one for one in _assigned(loop) if one not in own and _may_be_relative(one)]
        if len(outer) < 2:
            return None
        for target in outer:
            sums = [one for one in outer if one != target]
            parts = self._parts(rest, target, sums)
            if parts is not None:
                return self._joined(before, parts, target, sums), parts.count
        return None

    def _parts(self, rest: Sequence[Stmt], target: Symbol, sums: Sequence[Symbol]) -> _Parts | None:
        """The longest row of statements that can be taken apart."""
        longest = 0
        try:
            walked = _Walk.of(rest, target, sums, self.effects)
        except Unfit:
            return None
        first, second = list[Stmt](), list[Stmt]()
        alone = True  # does no thread see what another one has?
        tree = 0
        for at, statement in enumerate(rest):
            if alone and _meets(statement):
                alone, tree = False, len(first)
            try:
                own, relative = walked.statement(statement, nested=False)
            except Unfit:
                break
            first += own
            second += relative
            if not walked.is_relative(sums) or not _goes_on(statement, target, sums):
                continue
            if alone and not walked.grows:
                break
            if alone or self.is_combined(first[tree:], target):
                longest = at + 1
        if not longest:
            return None
        walked = _Walk.of(rest, target, sums, self.effects)
        first, second = list[Stmt](), list[Stmt]()
        for statement in rest[:longest]:
            own, relative = walked.statement(statement, nested=False)
            first += own
            second += relative
        if _meetings(second) < _meetings(first) or not self._is_cheap(rest[:longest], walked):
            return None
        after = frozenset(s for one in rest[longest:] for s in symbols_in(one))
        first = _needed(first, frozenset({target, *after}).union(*map(symbols_in, second)))
        second = _needed(second, after.union(sums))
        return _Parts(first, second, longest, walked.values.exponentials[0])

    def _is_cheap(self, statements: Sequence[Stmt], walked: _Walk) -> bool:
        """Is what is done for both parts cheap enough to be done twice?"""
        taken = walked.values.exponentials
        costly = Costly(self.functions)
        return bool(taken) and not any(
            costly.is_costly(node) and not any(node is one for one in taken)
            for statement in statements
            for node in walk(statement)
        )

    def _joined(
        self, before: Sequence[Stmt], parts: _Parts, target: Symbol, sums: Sequence[Symbol]
    ) -> list[Stmt]:
        """Both parts, with sums that do not begin with nothing made relative to the maximum."""
        begun = [one for one in sums if not _is_zero_in(before, one)]
        first, second = parts.first, [self._renamed(one) for one in parts.second]
        if not begun:
            return [*first, *second]
        spelled = unqualified(target.type)
        old = self.symbols.fresh(f"{target.name}_before", target.type, Storage.LOCAL)
        noted = Declare((Variable(old, f"{spelled} ", "", VarRef(target), "="),))
        less = Binary("-", VarRef(old), VarRef(target), target.type)
        call = parts.exponential
        factor = replace(call, arguments=(less,), form=Form.BUILT, span=None)
        scaled = [ExprStatement(Assign("*=", VarRef(one), factor, one.type)) for one in begun]
        return [noted, *first, *scaled, *second]

    def _renamed(self, statement: Stmt) -> Stmt:
        """The statement with variables of its own loops, which others have had before."""
        if not isinstance(statement, (For, If, Block)):
            return statement
        names = {
            one: self.symbols.fresh(one.wish or one.name, one.type, one.storage)
            for one in sorted(declared_in(statement), key=lambda one: one.id)
        }
        return rename_symbols(statement, names)


@final
@dataclass(frozen=True, slots=True)
class _Parts:
    first: Sequence[Stmt]
    second: Sequence[Stmt]
    count: int
    exponential: Call


@final
@dataclass(slots=True)
class _Walk:
    """Goes through statements, and takes them apart: what the reference needs, and what sums do."""

    values: Values
    target: Symbol
    sums: frozenset[Symbol]
    effects: EffectsOf
    own: set[Symbol] = field(default_factory=set[Symbol])  # what the code declares
    grows: bool = True  # is the target never less than it was?

    @staticmethod
    def of(
        rest: Sequence[Stmt], target: Symbol, sums: Sequence[Symbol], effects: EffectsOf
    ) -> _Walk:
        arrays = frozenset(
            root
            for one in rest
            for node in walk(one)
            if isinstance(node, Assign) and isinstance(strip_parens(node.target), Index)
            if (root := root_symbol(node.target)) is not None and root.storage is Storage.SHARED
        )
        if arrays & effects.memory.led_to():
            raise Unfit
        versions = Versions()
        begin = versions.fresh()
        known: dict[Symbol, Value] = {target: Reference(begin)}
        known.update((one, Sum(begin)) for one in sums)
        return _Walk(Values(target, arrays, versions, known), target, frozenset(sums), effects)

    def is_relative(self, sums: Sequence[Symbol]) -> bool:
        """Are the sums relative to the target as it is now?"""
        return all(self._fits(self.values.known.get(one)) for one in sums)

    def _fits(self, value: Value) -> bool:
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
        if not isinstance(target, VarRef):
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
        if isinstance(value, Factor) or value is None:
            raise Unfit
        self.values.stored[array.symbol, strip_parens(target.index)] = value
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
                self.values.plain(one.initial)
        if loop.condition is not None:
            self.values.plain(loop.condition)
        if loop.increment is None or _stepped(loop.increment) not in counters:
            raise Unfit
        if counters & set(_assigned(loop.body)):
            raise Unfit
        self.own |= counters
        changed = [one for one in _assigned(loop.body) if one not in declared_in(loop.body)]
        if any(one != self.target and one not in self.sums for one in changed):
            raise Unfit
        before = self.values.known[self.target]
        assert isinstance(before, Reference)
        if not all(self._fits(self.values.known.get(one)) for one in changed if one in self.sums):
            raise Unfit
        head = self.values.versions.fresh()
        if self.target in changed:
            self._all_relative_to(head, changed)
        first, second = self.statement(loop.body, nested=True)
        after = self.values.known[self.target]
        assert isinstance(after, Reference)
        if not all(self._fits(self.values.known.get(one)) for one in changed if one in self.sums):
            raise Unfit
        if self.target in changed:
            if head not in self.values.versions.reach(after.version):
                self.grows = False
            self._all_relative_to(self.values.versions.fresh((before.version,)), changed)
        own = _loop_of(loop, first)
        relative = _loop_of(replace(loop, trivia=NO_TRIVIA), second)
        return own, relative

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
        otherwise = self._branch(statement.otherwise, None)
        then = self._branch(statement.then, order if asks else None)
        self._meet(statement.condition, then.values, otherwise.values, asks)
        first = list[Stmt]()
        if then.first or otherwise.first:
            last = Block(tuple(otherwise.first)) if otherwise.first else None
            first = [
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
        second = list[Stmt]()
        if then.second or otherwise.second:
            last = Block(tuple(otherwise.second)) if otherwise.second else None
            second = [If(statement.condition, Block(tuple(then.second)), last)]
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

    def _meet(self, condition: Expr, then: Values, otherwise: Values, asks: bool) -> None:
        """What is known behind both branches."""
        versions = self.values.versions
        for symbol, old in self.values.known.items():
            one, other = then.known.get(symbol), otherwise.known.get(symbol)
            if isinstance(one, Reference) and isinstance(other, Reference) and one != other:
                key = ("if", condition, one.version, other.version)
                made = versions.of(key)
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


@final
@dataclass(frozen=True, slots=True)
class _Branch:
    first: list[Stmt]
    second: list[Stmt]
    values: Values


def _loop_of(loop: For, body: Sequence[Stmt]) -> list[Stmt]:
    if not body:
        return []
    inner: Stmt = (
        body[0] if len(body) == 1 and not isinstance(body[0], Declare) else Block(tuple(body))
    )
    return [For(loop.initial, loop.condition, loop.increment, inner, trivia=loop.trivia)]


def _updated(symbol: Symbol, made: Expr) -> Iterator[Stmt]:
    """`symbol = made`, where it adds to the variable as an update, and nothing where it is itself."""
    match strip_parens(made):
        case VarRef(symbol=same) if same == symbol:
            return
        case Binary(op="+" | "-" as op, left=left, right=term) if _is(left, symbol):
            yield ExprStatement(Assign(f"{op}=", VarRef(symbol), term, symbol.type))
        case Binary(op="+", left=term, right=right) if _is(right, symbol):
            yield ExprStatement(Assign("+=", VarRef(symbol), term, symbol.type))
        case other:
            yield ExprStatement(Assign("=", VarRef(symbol), other, symbol.type))


def _is(expr: Expr, symbol: Symbol) -> bool:
    bare = strip_parens(expr)
    return isinstance(bare, VarRef) and bare.symbol == symbol


def _assigned(statement: Stmt) -> list[Symbol]:
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


def _may_be_relative(symbol: Symbol) -> bool:
    ctype = symbol.type
    plain = ctype.kind is TypeKind.FLOATING and not ctype.is_volatile
    return plain and symbol.storage is Storage.LOCAL


def _meets(statement: Stmt) -> bool:
    """May threads see there what others have?"""
    return any(
        isinstance(node, (Exchange, Barrier))
        or (isinstance(node, VarRef) and node.symbol.storage is Storage.SHARED)
        for node in walk(statement)
    )


def _goes_on(statement: Stmt, target: Symbol, sums: Sequence[Symbol]) -> bool:
    """Does it change the reference or a sum?"""
    return bool({target, *sums} & set(_assigned(statement)))


def _is_zero_in(before: Sequence[Stmt], symbol: Symbol) -> bool:
    """Is a variable zero behind these statements?"""
    for statement in reversed(before):
        match statement:
            case Declare(variables=variables):
                for one in reversed(variables):
                    if one.symbol == symbol:
                        return one.initial is not None and is_zero(one.initial)
                    if symbol in symbols_in(Declare((one,))):
                        return False
            case ExprStatement(expr=Assign(op="=", target=target, value=value)) if _is(
                target, symbol
            ):
                return is_zero(value)
            case _ if symbol in symbols_in(statement):
                return False
            case _:
                pass
    return False


def _meetings(statements: Sequence[Stmt]) -> int:
    """How often threads wait for others: what they read in front of that may change behind it."""
    return sum(isinstance(node, (Exchange, Barrier)) for one in statements for node in walk(one))


def _needed(statements: Sequence[Stmt], used: frozenset[Symbol]) -> list[Stmt]:
    """The statements without those that only make what nobody needs."""
    kept: list[Stmt] = []
    for one in reversed(statements):
        found = _needed_of(one, used)
        if found is not None:
            kept.insert(0, found)
            used |= symbols_in(found)
    return kept


def _needed_of(statement: Stmt, used: frozenset[Symbol]) -> Stmt | None:
    match statement:
        case Declare(variables=(Variable(symbol=symbol),)):
            return statement if symbol in used else None
        case Exchange(result=result):
            return statement if result in used else None
        case Block(statements=inner):
            kept = _needed(inner, used)
            return replace(statement, statements=tuple(kept)) if kept else None
        case For(body=body):
            around = used.union(
                *(symbols_in(one) for one in children(statement) if one is not body)
            )
            inside = used_in_loop(body, around)
            new = _needed_of(body, inside)
            return None if new is None else replace(statement, body=new)
        case If(then=then, otherwise=otherwise):
            one = _needed_of(then, used)
            other = None if otherwise is None else _needed_of(otherwise, used)
            if one is None and other is None:
                return None
            return replace(statement, then=one or Block(()), otherwise=other)
        case _:
            return statement


def used_in_loop(body: Stmt, used: frozenset[Symbol]) -> frozenset[Symbol]:
    """What later iterations use, too: what is declared outside of the loop."""
    return used | (symbols_in(body) - declared_in(body))
