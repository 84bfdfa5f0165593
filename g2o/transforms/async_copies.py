"""Asynchronous copies, and the barriers and pipelines that wait for them, become plain.

    __pipeline_memcpy_async(&s[t], &x[i], sizeof(float));     s[t] = x[i];
    __pipeline_commit();                                  ->
    __pipeline_wait_prior(0);
    cuda::memcpy_async(block, s, x, bytes, bar);              cg::memcpy_async(block, s, x, bytes);
    bar.arrive_and_wait();                                    __syncthreads();

A copy may be done as soon as it is asked for: nobody may look at it, or change what it reads, until
somebody has waited. A wait for the block's barrier, or for what all threads of a block commit to a
pipeline, is a barrier of the block where it is the same one for all: `init` expects every thread,
and a barrier that only some reach is refused where it is lowered. A thread that gives a stage back
does so for all that take it again later, so that is a barrier, too.

(CUDA C++ Programming Guide, "Asynchronous Barrier", "Asynchronous Data Copies".)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effects import root_symbol
from g2o.diagnostics.diagnostic import Note, Refusals, refuse
from g2o.ir.constant_text import number_of
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Call,
    Expr,
    LaunchRef,
    Literal,
    Member,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Kernel, LaunchShape
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    Empty,
    ExprStatement,
    If,
    Scope,
    Stmt,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk, with_children
from g2o.transforms.group_copies import is_group_copy, thread_copy
from g2o.transforms.groups import Groups, find_groups

_BARRIER_METHODS: Final = frozenset(
    {"arrive", "wait", "arrive_and_wait", "arrive_and_drop", "wait_parity", "try_wait"}
    | {"try_wait_parity"}
)
_WITHOUT_EFFECT: Final = frozenset({"producer_acquire", "producer_commit"})
_MEETINGS: Final = frozenset({"consumer_wait", "consumer_release"})
_OF_A_THREAD: Final = frozenset(
    {"__pipeline_commit", "__pipeline_wait_prior", "pipeline_consumer_wait_prior"}
    | {"pipeline_producer_commit"}
)
_AXES: Final = frozenset({0, 1, 2})


def replace_async_copies(kernel: Kernel) -> Kernel:
    """Copies and waits as plain statements. Raises Refusal for those that have no such form."""
    replacer = _Replacer(
        find_groups(kernel.body), SymbolTable(continued=kernel.function.symbols), kernel.shape
    )
    replacer.find_objects(kernel.body)
    body = replacer.block(kernel.body)
    if body is kernel.body:
        return kernel
    replacer.refuse_others(body)
    function = replace(kernel.function, body=body, symbols=replacer.symbols)
    return replace(kernel, function=function, relied=kernel.relied | replacer.relied)


@final
@dataclass(slots=True)
class _Replacer:
    """`barriers`, `pipelines` and `states` are variables, or other names of them; `of_block` the
    pipelines that all threads of a block share."""

    groups: Groups
    symbols: SymbolTable
    shape: LaunchShape
    barriers: set[Symbol] = field(default_factory=set[Symbol])
    pipelines: set[Symbol] = field(default_factory=set[Symbol])
    of_block: set[Symbol] = field(default_factory=set[Symbol])
    states: set[Symbol] = field(default_factory=set[Symbol])
    tokens: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    relied: set[tuple[Builtin, int]] = field(default_factory=set[tuple[Builtin, int]])

    # -- which variables ------------------------------------------------------------------------

    def find_objects(self, body: Block) -> None:
        for node in walk(body):
            if isinstance(node, Call) and node.is_cuda:
                used = _barrier_of(node)
                root = None if used is None else root_symbol(used)
                if root is not None:
                    self.barriers.add(root)
        for node in walk(body):
            if not isinstance(node, Declare):
                continue
            for variable in node.variables:
                if variable.initial is not None:
                    self._note(variable.symbol, strip_parens(variable.initial))
        named = self._named(body)
        for used in tuple(self.barriers):
            symbol = used
            while symbol in named:
                symbol = named[symbol]
                self.barriers.add(symbol)
            if symbol.storage is not Storage.SHARED:
                message = f"'{symbol.name}', a barrier that is no shared variable"
                raise refuse("G2O0223", message, body.span)

    def _named(self, body: Block) -> dict[Symbol, Symbol]:
        """Other names of a variable, mostly parameters of what was inlined -> the variable."""
        named: dict[Symbol, Symbol] = {}
        for node in walk(body):
            for variable in node.variables if isinstance(node, Declare) else ():
                root = None if variable.initial is None else root_symbol(variable.initial)
                if root is not None and variable.symbol.type.is_indirect:
                    named[variable.symbol] = root
        return named

    def _note(self, symbol: Symbol, initial: Expr) -> None:
        if isinstance(initial, Call) and initial.is_cuda and initial.name == "make_pipeline":
            self.pipelines.add(symbol)
            if not initial.arguments:
                return
            group, state, *roles = initial.arguments
            if roles or self.groups.scope_of(group) is not Scope.BLOCK:
                message = "pipeline whose threads have different parts"
                raise refuse("G2O0223", message, initial.span)
            self.of_block.add(symbol)
            root = root_symbol(state)
            if root is not None:
                self.states.add(root)
            return
        root = root_symbol(initial)
        if root in self.pipelines:
            self.pipelines.add(symbol)
            if root in self.of_block:
                self.of_block.add(symbol)

    def _is_object(self, symbol: Symbol | None) -> bool:
        return symbol in self.barriers or symbol in self.pipelines or symbol in self.states

    def refuse_others(self, body: Block) -> None:
        """Raises Refusal where an object is left, in an operation that is not known."""
        for node in walk(body):
            if isinstance(node, VarRef) and (
                self._is_object(node.symbol) or node.symbol in self.tokens
            ):
                message = f"'{node.symbol.name}', a barrier or pipeline, in this operation"
                raise refuse("G2O0223", message, node.span)

    # -- statements -----------------------------------------------------------------------------

    def block(self, body: Block) -> Block:
        new: list[Stmt] = []
        changed = False
        refusals = Refusals()
        for position, statement in enumerate(body.statements):
            with refusals.noted():
                result = self._statement(statement, body.statements[position + 1 :])
                changed = changed or result is not statement
                if result is not None:
                    new.append(result)
        refusals.raise_all()
        return replace(body, statements=tuple(new), form=body.form.BUILT) if changed else body

    def _statement(self, statement: Stmt, behind: tuple[Stmt, ...]) -> Stmt | None:
        """What a statement becomes; None: nothing, and it has no comment either."""
        match statement:
            case Block():
                return self.block(statement)
            case Declare(variables=(variable,)) if _arrival(variable.initial) is not None:
                arrived = _arrival(variable.initial)
                assert arrived is not None
                self._check_token(variable.symbol, arrived, behind)
                return _nothing(statement)
            case Declare(variables=variables) if any(self._is_object(v.symbol) for v in variables):
                others = tuple(v for v in variables if not self._is_object(v.symbol))
                if not others:
                    return _nothing(statement)
                return replace(statement, variables=others, form=statement.form.BUILT)
            case ExprStatement(expr=expr):
                bare = strip_parens(expr)
                return self._call(statement, bare) if isinstance(bare, Call) else statement
            case If():
                result = self._nested(statement)
                assert isinstance(result, If)
                return statement if result is statement else _without_body(result)
            case _:
                return self._nested(statement)

    def _nested(self, statement: Stmt) -> Stmt:
        """The same with the statements in it replaced."""
        old = children(statement)
        new = tuple(
            child
            if not isinstance(child, Stmt)
            else self._statement(child, ()) or Block((), span=child.span)
            for child in old
        )
        if all(one is other for one, other in zip(new, old, strict=True)):
            return statement
        return with_children(statement, new)

    def _call(self, statement: ExprStatement, call: Call) -> Stmt | None:
        if isinstance(call.callee, Member):
            return self._method(statement, call, call.callee)
        if not call.is_cuda:
            return statement
        if is_group_copy(call):
            return self._copy(statement, call)
        if call.name == "__pipeline_memcpy_async" and len(call.arguments) in (3, 4):
            zeros = call.arguments[3] if len(call.arguments) == 4 else None
            copied = thread_copy(call, call.arguments[:3], self.symbols, zeros)
            return replace(copied, trivia=statement.trivia)
        if call.name in _OF_A_THREAD:
            return _nothing(statement)
        if call.name == "init" and len(call.arguments) == 2:
            self._check_count(call)
            return _nothing(statement)
        return statement

    def _method(self, statement: ExprStatement, call: Call, callee: Member) -> Stmt | None:
        name, root = callee.name, root_symbol(callee.base)
        meeting = Barrier(Scope.BLOCK, trivia=statement.trivia, span=statement.span)
        if root in self.pipelines and name in _WITHOUT_EFFECT | _MEETINGS:
            return meeting if name in _MEETINGS and root in self.of_block else _nothing(statement)
        if root not in self.barriers:
            return statement
        waits_at_once = name == "wait" and _arrival(call.arguments[0]) is not None
        if name == "arrive_and_wait" or waits_at_once or self._is_end(call):
            return meeting
        note = Note("all threads have to arrive, and to wait where they have arrived")
        raise refuse("G2O0223", f"'{name}' of a barrier", call.span, note)

    def _copy(self, statement: ExprStatement, call: Call) -> Stmt:
        """A copy that a barrier or pipeline of libcu++ waits for is like one of the group."""
        *operands, last = call.arguments
        if not self._is_object(root_symbol(last)):
            return statement
        if len(operands) == 4 and not _is_one_thread(operands[0]):
            whole = replace(call, arguments=tuple(operands), form=call.form.BUILT)
            return replace(statement, expr=whole, form=statement.form.BUILT)
        copied = thread_copy(call, tuple(operands[-3:]), self.symbols)
        return replace(copied, trivia=statement.trivia)

    # -- legality -------------------------------------------------------------------------------

    def _check_token(self, token: Symbol, arrived: Expr, behind: tuple[Stmt, ...]) -> None:
        """The thread that arrives has to wait in the same list of statements, and to leave the
        barrier alone in between."""
        self.tokens[token] = arrived
        root = root_symbol(arrived)
        for statement in behind:
            call = strip_parens(statement.expr) if isinstance(statement, ExprStatement) else None
            if isinstance(call, Call) and self._is_end(call) and _token_of(call) == token:
                return
            if any(isinstance(node, VarRef) and node.symbol == root for node in walk(statement)):
                break
        message = "barrier that is not waited for next where a thread has arrived"
        raise refuse("G2O0223", message, arrived.span)

    def _is_end(self, call: Call) -> bool:
        """Is it the wait for an arrival at the same barrier?"""
        token = _token_of(call)
        if token is None or token not in self.tokens or not isinstance(call.callee, Member):
            return False
        return call.callee.base == self.tokens[token]

    def _check_count(self, call: Call) -> None:
        """Raises Refusal unless a barrier expects all threads of the block, and no others."""
        count = rewrite(call.arguments[1], self.groups.simplify)
        factors = tuple(_factors(count))
        axes = {one.axis for one in factors if isinstance(one, LaunchRef)}
        others = [one for one in factors if not isinstance(one, LaunchRef)]
        named = all(
            one.builtin is Builtin.BLOCK_DIM for one in factors if isinstance(one, LaunchRef)
        )
        rest = [(axis, self.shape.block[axis]) for axis in sorted(_AXES - axes)]
        if others:
            extents = [self._value(text) for _, text in rest]
            given = [integer_value(one) for one in others]
            whole = (
                None not in extents and None not in given and _product(extents) == _product(given)
            )
        else:
            whole = all(text in (None, "1") for _, text in rest)
        if not named or not whole or len(factors) != len(axes) + len(others):
            note = Note("it has to expect as many threads as there are in a block")
            raise refuse("G2O0223", "barrier of a part of the block", call.span, note)
        self.relied |= {(Builtin.BLOCK_DIM, axis) for axis, _ in rest}

    def _value(self, text: str | None) -> int | None:
        return None if text is None else number_of(text, self.shape.values.get)


def _product(values: list[int | None]) -> int:
    product = 1
    for value in values:
        product *= value or 0
    return product


def _factors(expr: Expr) -> tuple[Expr, ...]:
    expr = strip_parens(expr)
    if isinstance(expr, Binary) and expr.op == "*":
        return (*_factors(expr.left), *_factors(expr.right))
    return (expr,)


def _barrier_of(call: Call) -> Expr | None:
    """The barrier that a call of CUDA's is an operation of."""
    if isinstance(call.callee, Member):
        return call.callee.base if call.callee.name in _BARRIER_METHODS else None
    return call.arguments[0] if call.name == "init" and len(call.arguments) == 2 else None


def _arrival(expr: Expr | None) -> Expr | None:
    """The barrier at which one thread arrives by evaluating `expr`."""
    bare = None if expr is None else strip_parens(expr)
    if not isinstance(bare, Call) or not bare.is_cuda or not isinstance(bare.callee, Member):
        return None
    once = not bare.arguments or (
        isinstance(bare.arguments[0], Literal) and bare.arguments[0].value == 1
    )
    return bare.callee.base if bare.callee.name == "arrive" and once else None


def _token_of(call: Call) -> Symbol | None:
    """The variable whose arrival a call of `wait` is for."""
    if not isinstance(call.callee, Member) or call.callee.name != "wait" or not call.arguments:
        return None
    token = strip_parens(call.arguments[0])
    if isinstance(token, Call) and token.name == "move" and token.arguments:
        token = strip_parens(token.arguments[0])
    return token.symbol if isinstance(token, VarRef) else None


def _is_one_thread(group: Expr) -> bool:
    group = strip_parens(group)
    return isinstance(group, Call) and group.is_cuda and group.name == "this_thread"


def _nothing(statement: Stmt) -> Stmt | None:
    """The comments of a statement that goes."""
    return Empty(trivia=statement.trivia) if statement.trivia.before else None


def _without_body(statement: If) -> Stmt | None:
    """`statement`, or its comments where nothing is left to do, whatever the condition."""
    then = statement.then.statements if isinstance(statement.then, Block) else (statement.then,)
    empty = all(isinstance(one, Empty) for one in then)
    if statement.otherwise is not None or not empty or not _is_plain(statement.condition):
        return statement
    inside = (comment for one in then for comment in one.trivia.before)
    trivia = replace(statement.trivia, before=(*statement.trivia.before, *inside))
    return _nothing(replace(statement, trivia=trivia))


def _is_plain(condition: Expr) -> bool:
    return not any(isinstance(node, Unary) and node.is_update for node in walk(condition)) and all(
        not isinstance(node, Call) or node.is_cuda for node in walk(condition)
    )
