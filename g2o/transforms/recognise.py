"""CUDA calls become primitives of the IR.

__syncthreads();                 ->  Barrier(BLOCK)
tile.sync();                     ->  Barrier(WARP)
v += __shfl_down_sync(m, v, d);  ->  other = Exchange(shfl_down, v, d); v += other;
tile.thread_rank()               ->  threadIdx.x % 32
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import final

from g2o.analysis.effects import EffectsOf
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Note, Refusals, refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Literal,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.kernel import Kernel
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
    Labelled,
    Node,
    Return,
    Scope,
    Stmt,
    Switch,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.transforms.evaluation_order import check_list_order, done_before, without_left
from g2o.transforms.group_copies import copy_statement, is_group_copy
from g2o.transforms.groups import Groups, find_groups
from g2o.transforms.masks import is_whole, of_lanes, whole_masks
from g2o.transforms.operations import Operation, known_kind, operation_of
from g2o.transforms.spread import spread_conditions


def recognise(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """Replace calls that involve several threads. Unchanged kernels are returned as they are.

    Raises Refusal for operations between threads that have no lowering.
    """
    symbols = SymbolTable(continued=kernel.function.symbols)
    groups, masks = find_groups(kernel.body), whole_masks(kernel.body)
    recogniser = _Recogniser(symbols, groups, masks, functions.for_node(kernel.body))
    body = rewrite(kernel.body, recogniser.groups.simplify)
    spread = spread_conditions(
        body, recogniser.is_operation, symbols, type_of=recogniser.type_of_call
    )
    body = recogniser.block(spread)
    body = _without_unread(body)
    _check_groups(body, recogniser.groups)
    if body is kernel.body:
        return kernel
    function = replace(kernel.function, body=body, symbols=symbols)
    return replace(kernel, function=function)


def _check_groups(body: Block, groups: Groups) -> None:
    """Raises Refusal where a group, or an operator of theirs, goes where it has no counterpart."""
    for node in walk(body):
        if not isinstance(node, Call):
            continue
        if any(isinstance(one, VarRef) and one.symbol in groups.known for one in node.arguments):
            raise refuse("G2O0212", f"cooperative groups: '{node.name}'", node.span)
        if any(known_kind(one) is not None for one in (node.callee, *node.arguments)):
            note = Note("hand on an object of your own with an operator()")
            message = "cooperative groups: an operator outside of 'reduce' and the scans"
            raise refuse("G2O0212", message, node.span, note)


def _without_unread(body: Block) -> Block:
    """Of an operation whose result nobody reads, mostly a mask, the meeting of the lanes stays."""
    uses = Counter(node.symbol for node in walk(body) if isinstance(node, VarRef))
    unread = [
        node
        for node in walk(body)
        if isinstance(node, Exchange) and not uses[node.result] and node.scope is Scope.WARP
    ]
    if not unread:
        return body
    operands = {o.symbol for node in unread for o in node.operands if isinstance(o, VarRef)}
    made = {symbol for symbol in operands if uses[symbol] == 1}

    def meeting(node: Node) -> Node | None:
        match node:
            case Exchange() if any(node is one for one in unread):
                return Barrier(node.scope, node.width, trivia=node.trivia, span=node.span)
            case Declare(variables=(Variable(symbol=symbol, initial=value),)) if (
                symbol in made and value is not None
            ):
                return ExprStatement(value, trivia=node.trivia) if _acts(value) else Empty()
            case _:
                return None

    changed = rewrite(body, meeting)
    assert isinstance(changed, Block)
    return changed


def _acts(value: Expr) -> bool:
    """May it do more than give a value?"""
    return any(isinstance(node, (Assign, Call, Unary, Verbatim)) for node in walk(value))


@final
class _Recogniser:
    def __init__(
        self, symbols: SymbolTable, groups: Groups, masks: set[Symbol], effects: EffectsOf
    ) -> None:
        """`masks` are the variables that hold a mask of the whole warp."""
        self.symbols = symbols
        self.groups = groups
        self.masks = masks
        self.effects = effects

    def block(self, body: Block) -> Block:
        new: list[Stmt] = []
        changed = False
        refusals = Refusals()
        for statement in body.statements:
            with refusals.noted():
                result = self._statement(statement)
                changed = changed or len(result) != 1 or result[0] is not statement
                new.extend(result)
        refusals.raise_all()
        return Block(tuple(new), trivia=body.trivia, span=body.span) if changed else body

    def _nested(self, statement: Stmt) -> Stmt:
        if isinstance(statement, Block):
            return self.block(statement)
        result = self._statement(statement)
        return result[0] if len(result) == 1 else Block(tuple(result))

    def is_operation(self, node: Node) -> bool:
        return self._operation(node) is not None

    def type_of_call(self, call: Call) -> CType | None:
        operation = self._operation(call)
        return operation.result_type(call) if operation and operation.operands else None

    def _operation(self, node: Node) -> Operation | None:
        return operation_of(node, self.groups) if isinstance(node, Call) else None

    def _involved(self, node: Node) -> bool:
        return any(
            self._operation(inner) is not None
            or is_group_copy(inner)
            or (isinstance(inner, Declare) and self.groups.declares(inner))
            for inner in walk(node)
        )

    # -- statements -----------------------------------------------------------------------------

    def _statement(self, statement: Stmt) -> list[Stmt]:
        if not self._involved(statement):
            return [statement]
        built = statement.form.BUILT
        match statement:
            case Block():
                return [self.block(statement)]
            case Declare() if self.groups.declares(statement):
                return [Empty(trivia=statement.trivia)] if statement.trivia.before else []
            case Declare():
                return self._declare(statement)
            case If(condition=condition, then=then, otherwise=otherwise):
                before, condition = self._hoist(condition)
                other = None if otherwise is None else self._nested(otherwise)
                then = self._nested(then)
                new = replace(
                    statement, condition=condition, then=then, otherwise=other, form=built
                )
                return _first_with(before, new, statement.trivia)
            case For() | While() | DoWhile():
                return self._loop(statement)
            case Switch(condition=condition, body=body):
                before, condition = self._hoist(condition)
                new = replace(statement, condition=condition, body=self._nested(body), form=built)
                return _first_with(before, new, statement.trivia)
            case Labelled(label=label, value=None, body=body) if label != "default":
                alone = replace(statement, body=Empty(), form=built)  # what goes there waits, too
                return [alone, *self._statement(body)]
            case Labelled(body=body):
                return [replace(statement, body=self._nested(body), form=built)]
            case ExprStatement(expr=expr):
                return self._expression_statement(statement, expr)
            case Return(value=value) if value is not None:
                before, value = self._hoist(value)
                new = replace(statement, value=value, form=statement.form.PATCHED)
                return _first_with(before, new, statement.trivia)
            case _:
                raise refuse("G2O0205", "operation between threads here", statement.span)

    def _expression_statement(self, statement: ExprStatement, expr: Expr) -> list[Stmt]:
        bare = strip_parens(expr)
        copied = copy_statement(bare, self.groups, self.symbols) if isinstance(bare, Call) else None
        if copied is not None:
            return _first_with([], copied, statement.trivia)
        operation = self._operation(bare)
        if operation is not None and operation.name == "sync":
            scope, width = operation.scope, operation.width
            return [Barrier(scope, width, trivia=statement.trivia, span=statement.span)]
        if isinstance(bare, Assign) and bare.op == "=" and isinstance(bare.target, VarRef):
            operation = self._operation(bare.value)
            target = bare.target.symbol
            if operation is not None and self._is_direct(operation, target):
                before, exchange = self._exchange(operation, target)
                return _first_with(before, exchange, statement.trivia)
        before, new = self._hoist(expr)
        rest = replace(statement, expr=new, form=statement.form.PATCHED)
        if isinstance(new, VarRef) or self._operation(bare) is not None:
            return _first_with(before, Empty(), statement.trivia)
        return _first_with(before, rest, statement.trivia)

    def _is_direct(self, operation: Operation, target: Symbol) -> bool:
        """May the result go straight to `target`? Not while it is also the operand."""
        private = target.storage is Storage.LOCAL
        operands = {n.symbol for o in operation.operands for n in walk(o) if isinstance(n, VarRef)}
        nested = any(self._operation(n) for o in operation.operands for n in walk(o))
        partial = self._mask(operation) is not None or operation.predicate is not None
        return private and target not in operands and not nested and not partial

    def _mask(self, operation: Operation) -> Expr | None:
        """The mask of an operation that is not for the whole warp."""
        mask = operation.mask
        if mask is None or is_whole(mask, self.masks):
            return None
        if operation.name in ("ballot", "any", "all", "match_any"):
            return mask
        symbol = mask.symbol if isinstance(mask, VarRef) else None
        if isinstance(mask, Literal) or (symbol and symbol.storage is not Storage.LOCAL):
            return None  # taken for the whole warp: what it is cannot be seen
        message = f"'{operation.name}' among some lanes of a warp"
        raise refuse("G2O0205", message, operation.span)

    def _declare(self, statement: Declare) -> list[Stmt]:
        result: list[Stmt] = []
        trivia = statement.trivia
        for variable in statement.variables:
            initial = variable.initial
            if initial is None or not self._involved(initial):
                result.append(Declare((variable,), trivia=trivia))
            else:
                operation = self._operation(strip_parens(initial))
                arithmetic = variable.symbol.type.is_arithmetic
                if (
                    operation is not None
                    and arithmetic
                    and self._is_direct(operation, variable.symbol)
                ):
                    declared = variable.declared.replace("const ", "")
                    if "auto" in declared.split():
                        declared = variable.symbol.type.spelling.replace("const ", "")
                    bare = replace(variable, initial=None, initial_style="", declared=declared)
                    before, exchange = self._exchange(operation, variable.symbol)
                    result.extend(_first_with([Declare((bare,)), *before], exchange, trivia))
                else:
                    before, new = self._hoist(initial)
                    whole = Declare((replace(variable, initial=new),))
                    result.extend(_first_with(before, whole, trivia))
            trivia = Trivia()
        return result

    def _loop(self, statement: For | While | DoWhile) -> list[Stmt]:
        """An operation in the condition of a loop moves to the head of its body."""
        condition = statement.condition
        built = statement.form.BUILT
        if condition is None or not self._involved(condition):
            if isinstance(statement, For):
                for part in (statement.initial, statement.increment):
                    if part is not None and self._involved(part):
                        message = "operation between threads in the header of a loop"
                        raise refuse("G2O0205", message, statement.span)
            return [replace(statement, body=self._nested(statement.body), form=built)]
        before, condition = self._hoist(condition)
        leave = If(Unary("!", condition), Jump(JumpKind.BREAK))
        inner = self._nested(statement.body)
        forever = Literal("true", 1, BOOL)
        jumps = any(
            isinstance(node, Jump) and node.kind is JumpKind.CONTINUE for node in walk(inner)
        )
        match statement:
            case While():
                body = Block((*before, leave, inner))
                return [While(forever, body, trivia=statement.trivia, span=statement.span)]
            case For(initial=initial, increment=increment):
                body = Block((*before, leave, inner))
                return [
                    For(
                        initial, None, increment, body, trivia=statement.trivia, span=statement.span
                    )
                ]
            case DoWhile():
                if jumps:
                    message = "continue in a loop whose condition is an operation between threads"
                    raise refuse("G2O0205", message, statement.span)
                body = Block((inner, *before, leave))
                return [While(forever, body, trivia=statement.trivia, span=statement.span)]

    # -- expressions ----------------------------------------------------------------------------

    def _hoist(self, expr: Expr) -> tuple[list[Stmt], Expr]:
        """Put operations in front of the expression, which then names their results."""
        before: list[Stmt] = []
        while True:
            call = self._first(expr)
            if call is None:
                return before, expr
            operation = self._operation(call)
            assert operation is not None
            _check_always_evaluated(expr, call)
            check_list_order(expr, call, self.effects)
            comma = done_before(expr, call)
            if comma is not None:
                before.append(ExprStatement(comma.left))
                expr = without_left(expr, comma)
                continue
            mask, name = self._mask(operation), operation.name
            if mask is not None and name != "match_any":
                operation = replace(operation, name="ballot")
            ctype = operation.result_type(call)
            result = self.symbols.fresh(operation.wish, ctype, Storage.LOCAL)
            before.append(Declare((Variable(result, ctype.spelling),)))
            found, exchange = self._exchange(operation, result)
            before.extend((*found, exchange))
            value = VarRef(result) if mask is None else of_lanes(name, VarRef(result), mask)
            expr = _put(expr, call, value)

    def _first(self, node: Node) -> Call | None:
        for child in children(node):
            found = self._first(child)
            if found is not None:
                return found
        return node if isinstance(node, Call) and self._operation(node) is not None else None

    def _exchange(self, operation: Operation, result: Symbol) -> tuple[list[Stmt], Stmt]:
        """The exchange, and what makes its first operand a variable of its own."""
        before: list[Stmt] = []
        operands: list[Expr] = []
        for position, operand in enumerate(operation.operands):
            found, operand = self._hoist(operand)
            before.extend(found)
            bare = strip_parens(operand)
            shared_value = position == 0 and operation.name != "activemask"
            if shared_value and not _is_own_variable(bare):
                ctype = operation.operand_type(operand)
                wish = "predicate" if ctype == BOOL else "value"
                value = self.symbols.fresh(wish, ctype, Storage.LOCAL)
                before.append(Declare((Variable(value, ctype.spelling, "", operand, "="),)))
                bare = VarRef(value)
            operands.append(bare if shared_value else operand)
        exchange = Exchange(
            operation.name,
            result,
            tuple(operands),
            operation.scope,
            operation.width,
            span=operation.span,
        )
        if operation.predicate is not None:
            return [*before, exchange], ExprStatement(
                Assign("=", operation.predicate, Binary("!=", VarRef(result), Literal("0", 0, INT)))
            )
        return before, exchange


def _is_own_variable(operand: Expr) -> bool:
    """Is it a variable of the thread? One that refers to another is kept as its address."""
    if not isinstance(operand, VarRef) or operand.symbol.storage is not Storage.LOCAL:
        return False
    return operand.symbol.type.kind is not TypeKind.REFERENCE


def _put(expr: Expr, call: Call, new: Expr) -> Expr:
    return rewrite(expr, lambda node: new if node is call else None)


def _check_always_evaluated(expr: Expr, call: Call) -> None:
    for node in walk(expr):
        conditional: tuple[Node, ...] = ()
        if isinstance(node, Conditional):
            conditional = (node.if_true, node.if_false)
        elif isinstance(node, Binary) and node.op in ("&&", "||"):
            conditional = (node.right,)
        if any(inner is call for part in conditional for inner in walk(part)):
            message = f"'{call.name}' evaluated under a condition inside an expression"
            raise refuse("G2O0205", message, call.span)


def _first_with(before: list[Stmt], last: Stmt, trivia: Trivia) -> list[Stmt]:
    """Statements in place of one: its comments go to the first and the last of them."""
    if not before:
        return [replace(last, trivia=trivia)]
    first = replace(before[0], trivia=Trivia(trivia.before, "", trivia.blank_line))
    return [first, *before[1:], replace(last, trivia=Trivia((), trivia.after))]
