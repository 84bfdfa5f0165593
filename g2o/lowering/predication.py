"""Control flow on which threads disagree, around operations that threads do together.

Lanes of a warp run in lockstep, so every statement is done by the lanes that are active:

    if (i < n)                            bool active = i < n;
        v += __shfl_down_sync(m, v, 1);   if (active) value = v;
                                     ->   other = shfl_down(value, 1);
                                          if (active) v += other;

A loop goes on while any thread wants to. Jumps out of such loops become flags first. A barrier of a
block under an `if` whose condition depends on the thread is refused, unless it asks for the place
in the grid and no barrier follows: the others return, and are not waited for:

    if (i < n) {                 if (i >= n)
        s[t] = x[i];                 return;
        barrier            ->    s[t] = x[i];
        y[i] = s[n - t];         barrier
    }                            y[i] = s[n - t];

Threads that only disagree because some of them have left a loop are predicated there too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.definitions import with_variables, without_value
from g2o.analysis.derivation import derived_from_block, names_block
from g2o.analysis.effects import statements_of, symbols_in
from g2o.analysis.memory import is_lambda
from g2o.analysis.uniformity import Uniformity
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    InitList,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    negated,
)
from g2o.ir.single_declarations import apart
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
    Jump,
    JumpKind,
    Return,
    Scope,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT, UNSIGNED, TypeKind, unqualified
from g2o.lowering.exchange_values import AMONG
from g2o.lowering.initialisers import initial_value
from g2o.lowering.intervals import waits
from g2o.lowering.leaving import JumpFreeLoop, leaves
from g2o.lowering.varying_headers import without_varying_header

_VOTES = frozenset({"ballot", "any", "all", "count"})
_FOR_ALL_LANES = frozenset({"match_all"})  # nothing else is neutral to it
_OF_LANES = frozenset({"reduce_argmin", "reduce_argmax"})  # they take the lanes that count
_IN_STEP = (Scope.WARP, Scope.ROW)  # whose threads wait wherever they stand
_TRUE = Literal("true", 1, BOOL)


@final
class Predication:
    """Rewrites the statements of one kernel at one scope."""

    def __init__(
        self, uniformity: Uniformity, values: Uniformity, symbols: SymbolTable, scope: Scope
    ) -> None:
        """`values` tells what depends on the thread even if all threads take the same path."""
        self.uniformity = uniformity
        self.values = values
        self.symbols = symbols
        self.scope = scope
        self.changed = False
        self.last: Stmt | None = None  # nobody waits behind it
        self.flags: set[Symbol] = set()  # by which threads have left loops
        self.homes: dict[Symbol, Symbol | None] = {}  # under what variables are declared
        self.of_block: set[Symbol] = set()  # variables that blockIdx goes into
        self.partly_set: set[Symbol] = set()  # read of lanes that may never have set it
        self.votes: dict[Symbol, Symbol] = {}  # what only holds for threads that are active

    def _asks_for_block(self, condition: Expr) -> bool:
        return names_block(condition, self.values.varying) or not self.of_block.isdisjoint(
            symbols_in(condition)
        )

    def whole(self, statements: tuple[Stmt, ...]) -> list[Stmt]:
        """The statements of the kernel."""
        self.of_block = derived_from_block(statements, self.values.varying)
        statements = self._opened_end(statements)
        self.last = self._last_to_wait(statements)
        return self.sequence(statements, None)

    def _opened_end(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """A condition on the position in the grid, around the end of the kernel, becomes an early
        return: `if (i < n) { ... }` means what `if (i >= n) return;` means. One that only looks at
        the thread's place in its block keeps threads from a barrier that others wait at.
        """
        if self.scope is Scope.WARP or not statements:
            return statements
        match statements[-1]:
            case If(condition=condition, then=then) as last if self._is_left_by_some(last):
                self.changed = True
                leave = If(negated(condition), Return(), trivia=last.trivia)
                return (*statements[:-1], leave, *self._opened_end(statements_of(then)))
            case Block(statements=inner) as last:
                opened = self._opened_end(inner)
                return (*statements[:-1], replace(last, statements=opened, form=Form.BUILT))
            case _:
                return statements

    def _is_left_by_some(self, statement: Stmt) -> bool:
        """Is it a condition on the position in the grid around what threads wait in?"""
        match statement:
            case If(condition=condition, then=then, otherwise=None):
                asks = not self.uniformity.is_uniform(condition) and self._asks_for_block(condition)
                return asks and waits(then, self.scope)
            case _:
                return False

    def _last_to_wait(self, statements: tuple[Stmt, ...]) -> Stmt | None:
        """Such a condition behind which nothing waits: threads that it leaves out go on alone."""
        waiting = [one for one in statements if waits(one, self.scope)]
        if self.scope is Scope.WARP or not waiting:
            return None
        last = waiting[-1]
        if isinstance(last, Block):
            return self._last_to_wait(last.statements)
        return last if self._is_left_by_some(last) else None

    def sequence(
        self, statements: tuple[Stmt, ...], active: Symbol | None, *, asked_for: bool = False
    ) -> list[Stmt]:
        """`asked_for`: what stands behind the statements names what they declare."""
        result: list[Stmt] = []
        run: list[Stmt] = []
        votes = _vote_operands(statements)

        def flush() -> None:
            if run and active is not None:
                result.append(If(VarRef(active), Block(tuple(run))))
            elif run:
                result.extend(run)
            run.clear()

        apart = set[int]()
        if asked_for:
            apart = set(range(len(statements)))
        elif active is not None:
            apart = self._declared_apart(statements, votes)
        for position, statement in enumerate(statements):
            if isinstance(statement, Declare):
                self.homes.update((v.symbol, active) for v in statement.variables)
            if isinstance(statement, Declare) and active is not None and position in apart:
                if self._is_plainly_set(statement, votes):
                    bare, values = _value_apart(statement)
                    result.append(bare)
                    run.extend(values)
                    continue
                flush()
                result.extend(self._declare(statement, active, votes))
            elif waits(statement, self.scope):
                flush()
                result.extend(self._waiting(statement, active))
            else:
                run.append(statement)
        flush()
        return result

    def _declared_apart(self, statements: tuple[Stmt, ...], votes: set[Symbol]) -> set[int]:
        """Which declarations have something for what is not done under the same condition: for what
        threads do together, what stands behind that, or behind another such declaration."""
        ends = {k for k, one in enumerate(statements) if waits(one, self.scope)}
        found: set[int] = set()
        while True:
            more = {
                k
                for k, one in enumerate(statements)
                if isinstance(one, Declare) and k not in ends
                if self._is_named_behind(one, k, statements, ends)
            }
            if more <= found:
                return found
            found |= more
            for k in more:
                one = statements[k]
                if isinstance(one, Declare) and not self._is_plainly_set(one, votes):
                    ends.add(k)

    def _is_plainly_set(self, declare: Declare, votes: set[Symbol]) -> bool:
        """Are these numbers or pointers that can be assigned what they are declared with?"""
        return all(
            one.symbol not in votes
            and (one.symbol.type.is_arithmetic or "auto" not in one.declared.split())
            and (one.symbol.type.is_arithmetic or one.symbol.type.kind is TypeKind.POINTER)
            for one in declare.variables
        )

    def _is_named_behind(
        self, declare: Declare, place: int, statements: tuple[Stmt, ...], ends: set[int]
    ) -> bool:
        end = min((one for one in ends if one > place), default=len(statements))
        declared = {variable.symbol for variable in declare.variables}
        return any(not declared.isdisjoint(symbols_in(one)) for one in statements[end:])

    def _declare(self, statement: Declare, active: Symbol, votes: set[Symbol]) -> list[Stmt]:
        """A declaration stays visible; only its initialiser is done by active threads."""
        result: list[Stmt] = []
        for variable in statement.variables:
            symbol, initial = variable.symbol, variable.initial
            if initial is None:
                result.append(Declare((variable,), trivia=statement.trivia))
            elif symbol in votes:
                self.votes[symbol] = active
                both = Binary("&&", VarRef(active), initial, BOOL)
                result.append(Declare((replace(variable, initial=both),), trivia=statement.trivia))
            elif symbol.type.is_arithmetic or symbol.type.kind.value == "pointer":
                bare = without_value(variable)
                assigned = ExprStatement(Assign("=", VarRef(symbol), initial))
                result.append(Declare((bare,), trivia=statement.trivia))
                result.append(If(VarRef(active), assigned))
            elif self._reads(variable, initial):
                plain = variable.declared.replace("const ", "")
                bare = replace(variable, initial=None, initial_style="", declared=plain)
                value = initial_value(variable, initial)
                result.append(Declare((bare,), trivia=statement.trivia))
                result.append(If(VarRef(active), ExprStatement(Assign("=", VarRef(symbol), value))))
            else:
                if symbol.type.kind is TypeKind.ARRAY and self._may_fail(initial):
                    variable = replace(variable, initial=_where(active, initial))
                result.append(Declare((variable,), trivia=statement.trivia))
        return result

    def _may_fail(self, initial: Expr) -> bool:
        """Must threads that are not there not evaluate it?"""
        found = self.uniformity.effects.of(initial)
        divides = (isinstance(one, Binary) and one.op in ("/", "%") for one in walk(initial))
        return bool(found.memory_reads) or not found.is_pure or any(divides)

    def _reads(self, variable: Variable, initial: Expr) -> bool:
        """Would a thread that is not active read what it never computed, or memory at such a place?

        Records are asked about, and what may be one; a lambda only copies variables, what it
        loads it does where it is called.
        """
        if is_lambda(variable.symbol.type):
            return False
        kinds = (TypeKind.RECORD, TypeKind.DEPENDENT)
        found = self.uniformity.effects.of(initial)
        local = any(symbol.storage is Storage.LOCAL for symbol in found.reads)
        return variable.symbol.type.kind in kinds and (
            local or bool(found.memory_reads) or not found.is_pure
        )

    def _waiting(self, statement: Stmt, active: Symbol | None) -> list[Stmt]:
        match statement:
            case Barrier():
                return [statement]
            case Exchange():
                return [statement] if active is None else self._exchange(statement, active)
            case Block(statements=inner):
                return [replace(statement, statements=tuple(self.sequence(inner, active)))]
            case If():
                return self._if(statement, active)
            case For() | While() | DoWhile():
                return self._loop(statement, active)
            case Switch(condition=condition):
                if active is None and self.uniformity.is_uniform(condition):
                    return [statement]
                message = "switch on which threads disagree around an operation between them"
                raise refuse("G2O0205", message, statement.span)
            case _:
                return [statement]

    def _exchange(self, exchange: Exchange, active: Symbol) -> list[Stmt]:
        """Only threads that are active vote, and only they get the result."""
        operation, result = exchange.operation, exchange.result
        among = operation.startswith(AMONG)
        if operation in _FOR_ALL_LANES or ("_scan_" in operation and not among):
            message = f"'{operation}' under control flow on which lanes disagree"
            raise refuse("G2O0205", message, exchange.span)
        before: list[Stmt] = []
        if among or operation.startswith("shfl"):
            value, lane, *others = exchange.operands
            if isinstance(value, VarRef) and self.homes.get(value.symbol) is not None:
                self.partly_set.add(value.symbol)
            if not self.uniformity.is_uniform(lane):
                lane = Conditional(VarRef(active), lane, Literal("0", 0, INT), INT)
                exchange = replace(exchange, operands=(value, lane, *others))
        elif operation in (*_OF_LANES, "reduce_with"):
            before, exchange = self._among(exchange, active)
        elif operation.startswith("reduce_"):
            before, exchange = self._reducing(exchange, active)
        elif operation == "match_any":
            return self._matching(exchange, active)
        elif operation == "activemask":
            exchange = replace(exchange, operation="ballot", operands=(VarRef(active),))
        elif operation in _VOTES:
            before, exchange = self._voting(exchange, active)
        if self.homes.get(result) == active:
            return [*before, exchange]
        ctype = result.type
        plain = replace(ctype, spelling=ctype.spelling.replace("const ", ""), is_const=False)
        own = self.symbols.fresh(f"new_{result.name}", plain, Storage.LOCAL)
        assigned = ExprStatement(Assign("=", VarRef(result), VarRef(own)))
        trivia = exchange.trivia
        before.append(Declare((Variable(own, plain.spelling),), trivia=trivia))
        return [*before, replace(exchange, result=own), If(VarRef(active), assigned)]

    def _among(self, exchange: Exchange, active: Symbol) -> tuple[list[Stmt], Exchange]:
        """Only the values of lanes that are active are looked at."""
        lanes = self.symbols.fresh("active_lanes", UNSIGNED, Storage.LOCAL)
        value, *functor = exchange.operands
        operation, scope, width = exchange.operation, exchange.scope, exchange.width
        if isinstance(value, VarRef):
            self.partly_set.add(value.symbol)
        before: list[Stmt] = [
            Declare((Variable(lanes, "unsigned"),), trivia=exchange.trivia),
            Exchange("ballot", lanes, (VarRef(active),), scope, width),
        ]
        operands = (value, VarRef(lanes), *functor)
        if operation not in _OF_LANES:
            operation = f"{AMONG}{operation}"
        return before, replace(exchange, operation=operation, operands=operands)

    def _reducing(self, exchange: Exchange, active: Symbol) -> tuple[list[Stmt], Exchange]:
        """Lanes that are not active take part with what changes nothing."""
        operand = exchange.operands[0]
        ctype = operand.type
        spelled = ctype.spelling.replace("const ", "")
        limits = f"std::numeric_limits<{spelled}>"
        match exchange.operation.removeprefix("reduce_"):
            case "and":
                neutral: Expr = Literal("~0u", None, ctype)
            case "min":
                largest = "infinity" if ctype.kind is TypeKind.FLOATING else "max"
                neutral = Code((f"{limits}::{largest}()",), type=ctype)
            case "max":
                smallest = f"{limits}::lowest()"
                if ctype.kind is TypeKind.FLOATING:
                    smallest = f"-{limits}::infinity()"
                neutral = Code((smallest,), type=ctype)
            case _:
                neutral = Literal("0", 0, ctype)
        value = self.symbols.fresh("value", ctype, Storage.LOCAL)
        chosen = Conditional(VarRef(active), operand, neutral, ctype)
        declared = Declare((Variable(value, spelled, "", chosen, "="),))
        return [declared], replace(exchange, operands=(VarRef(value),))

    def _matching(self, exchange: Exchange, active: Symbol) -> list[Stmt]:
        """Only lanes that are active match."""
        same = self.symbols.fresh("same", UNSIGNED, Storage.LOCAL)
        lanes = self.symbols.fresh("active_lanes", UNSIGNED, Storage.LOCAL)
        both = Binary("&", VarRef(same), VarRef(lanes), UNSIGNED)
        return [
            Declare((Variable(same, "unsigned"),), trivia=exchange.trivia),
            replace(exchange, result=same),
            Declare((Variable(lanes, "unsigned"),)),
            Exchange("ballot", lanes, (VarRef(active),), exchange.scope, exchange.width),
            If(VarRef(active), ExprStatement(Assign("=", VarRef(exchange.result), both))),
        ]

    def _voting(self, exchange: Exchange, active: Symbol) -> tuple[list[Stmt], Exchange]:
        operand = exchange.operands[0]
        inactive: Expr = Unary("!", VarRef(active))
        if exchange.operation == "all":
            value = Binary("||", inactive, operand, BOOL)
        elif isinstance(operand, VarRef) and self.votes.get(operand.symbol) == active:
            return [], exchange
        else:
            value = Binary("&&", VarRef(active), operand, BOOL)
        vote = self.symbols.fresh("vote", BOOL, Storage.LOCAL)
        declared = Declare((Variable(vote, "bool", "", value, "="),))
        return [declared], replace(exchange, operands=(VarRef(vote), *exchange.operands[1:]))

    def _body(self, body: Stmt, active: Symbol | None) -> Stmt:
        return Block(tuple(self.sequence(statements_of(body), active)))

    def _if(self, statement: If, active: Symbol | None) -> list[Stmt]:
        condition, otherwise = statement.condition, statement.otherwise
        if self.uniformity.is_uniform(condition):
            other = None if otherwise is None else self._body(otherwise, active)
            return [replace(statement, then=self._body(statement.then, active), otherwise=other)]
        alone = statement is self.last
        if self.scope not in _IN_STEP and not alone and self._depends_on_thread(condition):
            return [statement]  # refused where intervals are made, with the reason
        self.changed = True
        result: list[Stmt] = []
        inner = self._active("active", condition, active, result)
        result.extend(self.sequence(statements_of(statement.then), inner))
        if otherwise is not None:
            # The condition may read what the first branch changes: it was kept.
            inactive = self._active("inactive", Unary("!", VarRef(inner)), active, result)
            result.extend(self.sequence(statements_of(otherwise), inactive))
        own = (*statements_of(statement.then), *statements_of(otherwise or Empty()))
        return _scoped(result, statement, own)

    def _depends_on_thread(self, condition: Expr) -> bool:
        bare = condition.operand if isinstance(condition, Unary) else condition
        if isinstance(bare, VarRef) and bare.symbol in self.flags:
            return False
        return not self.values.is_uniform(condition)

    def _active(
        self, wish: str, condition: Expr, parent: Symbol | None, result: list[Stmt]
    ) -> Symbol:
        symbol = self.symbols.fresh(wish, BOOL, Storage.LOCAL)
        value = condition
        if parent is not None:
            value = Binary("&&", VarRef(parent), condition, BOOL)
        result.append(Declare((Variable(symbol, "bool", "", value, "="),)))
        self.uniformity.varying.add(symbol)
        return symbol

    def _loop(self, statement: For | While | DoWhile, active: Symbol | None) -> list[Stmt]:
        condition = statement.condition
        uniform = condition is None or self.uniformity.is_uniform(condition)
        jumps = leaves(statement.body)
        if uniform and not self.uniformity.leaves_varying(statement) and not (active and jumps):
            if isinstance(statement, For):
                changed = without_varying_header(statement, self._varies)
                if changed is not None:
                    self.changed = True
                    before, loop = changed
                    whole = (*before, loop)
                    return _scoped(self.sequence(whole, active), statement, before)
            inner = self._body(statement.body, active)
            return [replace(statement, body=inner)]
        self.changed = True
        counter = self._common_counter(statement) if isinstance(statement, For) else None
        if counter is not None and not jumps:
            self.uniformity.varying.discard(counter)
            return [replace(statement, body=self._body(statement.body, active))]
        if not uniform and not jumps and not isinstance(statement, DoWhile):
            return self._while_any(statement, active)
        free = JumpFreeLoop(statement, self.symbols, by_flags=self.scope is not Scope.WARP)
        self.uniformity.varying |= free.flags
        self.flags |= free.flags
        return _scoped(self.sequence(free.statements, active), statement, free.statements)

    def _common_counter(self, loop: For) -> Symbol | None:
        """The counter of a loop that has the same turns for all threads which come to it, and an
        end, whoever does. Threads that do not may then go through it, too, doing nothing:
        `for (int s = 16; s > 0; s /= 2)` behind `if (row >= n) return;`."""
        effects = self.uniformity.effects
        turns = constant_turns(loop)
        if turns is not None:
            return None if turns.counter in effects.of(loop.body).writes else turns.counter
        match loop:
            case For(
                initial=Declare(variables=(Variable(symbol=counter, initial=first),)),
                condition=Binary(op="<", left=VarRef(symbol=asked), right=end),
                increment=Unary(op="++", operand=VarRef(symbol=stepped)),
            ) if counter == asked == stepped and first is not None:
                bounds = [effects.of(first), effects.of(end)]
                fixed = [one for one in bounds if one.is_pure and not one.memory_reads]
                read = bounds[0].reads | bounds[1].reads
                changed = effects.of(loop.body).writes
                same = all(self.uniformity.is_uniform(one) for one in (first, end))
                stay = len(fixed) == 2 and not (read | {counter}) & changed
                return counter if same and stay else None
            case _:
                return None

    def _varies(self, symbol: Symbol) -> bool:
        return not self.uniformity.is_uniform(VarRef(symbol))

    def _while_any(self, statement: For | While, active: Symbol | None) -> list[Stmt]:
        """A loop that goes on while the condition holds for any thread."""
        assert statement.condition is not None
        result: list[Stmt] = []
        body: list[Stmt] = []
        if isinstance(statement, For) and statement.initial is not None:
            result.extend(self.sequence(apart(statement.initial), active, asked_for=True))
        running = self._active("running", statement.condition, active, body)
        any_running = self.symbols.fresh("any_running", INT, Storage.LOCAL)
        body.append(Declare((Variable(any_running, "int"),)))
        body.append(Exchange("any", any_running, (VarRef(running),), self.scope))
        stop = If(Unary("!", VarRef(any_running)), Jump(JumpKind.BREAK))
        inner = self.sequence(statements_of(statement.body), running)
        body.append(stop)
        body.extend(inner)
        if isinstance(statement, For) and statement.increment is not None:
            body.append(If(VarRef(running), ExprStatement(statement.increment)))
        result.append(While(_TRUE, Block(tuple(body)), trivia=statement.trivia))
        initial = statement.initial if isinstance(statement, For) else None
        return _scoped(result, statement, () if initial is None else (initial,))


def _where(active: Symbol, value: Expr) -> Expr:
    """What an array begins with, and zeros where the thread is not there."""
    match value:
        case InitList(elements=elements):
            return replace(value, elements=tuple(_where(active, one) for one in elements))
        case _ if value.type.is_arithmetic and integer_value(value) is None:
            own = replace(value.type, spelling=unqualified(value.type), is_const=False)
            chosen = Conditional(VarRef(active), value, Cast(Literal("0", 0, INT), own), own)
            return chosen if own.bits >= 32 else Cast(Paren(chosen), own)
        case _:
            return value


def _value_apart(declare: Declare) -> tuple[Declare, list[Stmt]]:
    """The declaration without values, and what gives them."""
    bare = with_variables(declare, map(without_value, declare.variables))
    values = [
        ExprStatement(Assign("=", VarRef(one.symbol), one.initial))
        for one in declare.variables
        if one.initial is not None
    ]
    return bare, list(values)


def _scoped(result: list[Stmt], old: Stmt, own: tuple[Stmt, ...]) -> list[Stmt]:
    """What stands for `old`: a block where the source's own names are declared in it."""
    if any(isinstance(one, Declare) for one in own):
        return [Block(tuple(result), trivia=old.trivia, span=old.span)]
    first, *rest = result
    return [replace(first, trivia=old.trivia), *rest]


def _vote_operands(statements: tuple[Stmt, ...]) -> set[Symbol]:
    found: set[Symbol] = set()
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, Exchange) and node.operation in _VOTES - {"all"}:
                for operand in node.operands[:1]:
                    found |= symbols_in(operand)
    return found
