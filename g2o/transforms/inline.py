"""Device functions that only make sense inside a kernel are inlined.

    float v = block_sum(x, buf);    ->    float v;
                                          {
                                              buf[threadIdx.x] = x;
                                              __syncthreads();
                                              ...
                                              v = buf[0];
                                          }

Those are functions with barriers, warp operations, shared memory or the builtin variables of the
launch. Other device functions stay functions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final, final

from g2o.analysis.effects import declared_in, statements_of
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Refusals, refuse
from g2o.ir.distinct import with_distinct_nodes
from g2o.ir.expressions import (
    Assign,
    Call,
    Cast,
    Expr,
    Form,
    InitList,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Function, Kernel
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    DeclareTypes,
    DoWhile,
    Empty,
    ExprStatement,
    For,
    If,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.transforms.arguments import (
    Bound,
    as_place,
    bind_arguments,
    is_simple,
    named_function,
    same_type,
)
from g2o.transforms.captured_values import with_captured_values
from g2o.transforms.evaluation_order import (
    check_always_evaluated,
    done_before,
    may_be_left_out,
    without_left,
)
from g2o.transforms.functors import (
    captured,
    check_shared,
    choose_functors,
    result_type,
    with_captured,
    with_lambdas,
    without_unused_functors,
)
from g2o.transforms.inlined_calls import InlinedCalls, is_in_lambda, recursion
from g2o.transforms.instantiate import Instance, StaticMemory, instantiate
from g2o.transforms.objects_by_value import refuse_objects_by_value
from g2o.transforms.overloads import choose_overloads
from g2o.transforms.own_casts import with_known_references, without_casts_to_own_class
from g2o.transforms.qualified_names import qualify_calls
from g2o.transforms.recursion import calls_itself, unrolled
from g2o.transforms.returns import assign_addresses, assign_returns
from g2o.transforms.spread import spread_conditions

_DEPTH_LIMIT = 24
_CALL_LIMIT: Final = 100
"""Calls of one function that an expression may have inlined: members of class templates that call
those of other arguments have no end here."""


def inline_context_functions(
    kernel: Kernel, functions: FunctionTable, wanted: Callable[[str], bool] | None = None
) -> Kernel:
    """Inline calls until none of them needs the launch. Unchanged kernels are returned as is.

    `wanted` says of which other functions, by key, calls are inlined, too.

    Raises Refusal for recursion and for calls in places where statements cannot be put.
    """
    outer = _outer_variables(kernel.function)
    into = kernel.function.key
    calls = InlinedCalls(functions, wanted or (lambda _: False))
    open_names = kernel.function.template_parameters
    inliner = _Inliner(calls, _symbols(kernel), outer, into, open_names)
    inliner.parameters = kernel.function.parameters
    body = kernel.body
    for _ in range(_DEPTH_LIMIT):
        body = with_known_references(without_casts_to_own_class(body))
        calls.note_lambdas(body)
        body = inliner.with_calls_resolved(body)
        body = with_captured_values(
            body, calls.is_inlined, functions.for_node(body), inliner.symbols, inliner.source_names
        )
        inliner.body, inliner.around = body, functions.for_node(body)
        spread = spread_conditions(
            body, calls.becomes_statements, inliner.symbols, calls.is_hoisted, inliner.type_of_call
        )
        inliner.spread_calls = frozenset(calls.with_statements)
        inliner.body, inliner.around = spread, functions.for_node(spread)
        new = inliner.block(spread)
        if new is body:
            break
        body = new
    else:
        raise recursion(kernel.body, calls)
    calls.check_lambdas(without_unused_functors(body, functions))
    if body is kernel.body:
        return kernel
    body = without_unused_functors(body, functions)
    if inliner.hoisted:
        body = replace(body, statements=(*inliner.hoisted, *body.statements), form=Form.BUILT)
    body = replace(body, statements=with_distinct_nodes(body.statements))  # known by identity
    function = replace(kernel.function, body=body, symbols=inliner.symbols)
    return replace(kernel, function=function)


_OPERATORS: Final = {"+": "sum", "-": "difference", "*": "product", "/": "quotient"}


def _result_name(function: str) -> str:
    """A name for the result of a function, which may be an operator or a lambda."""
    if function.isidentifier():
        return f"{function.strip('_') or '_'}_result"
    return _OPERATORS.get(function.removeprefix("operator"), "result")


def _symbols(kernel: Kernel) -> SymbolTable:
    """The kernel's table, knowing its types too, which share the scope of variables."""
    symbols = SymbolTable(continued=kernel.function.symbols)
    symbols.names.update(kernel.function.template_parameters)
    for node in walk(kernel.body):
        if isinstance(node, DeclareTypes):
            symbols.names.update(node.names)
    return symbols


def _outer_variables(function: Function) -> dict[str, Symbol]:
    """Variables of the file that the kernel names: functions mean the same ones by these names."""
    outer = (Storage.GLOBAL, Storage.DYNAMIC_SHARED)
    declared = declared_in(function.body)
    found = {
        node.symbol.name: node.symbol
        for node in walk(function.body)
        if isinstance(node, VarRef) and node.symbol.storage in outer
        if node.symbol not in declared
    }
    return found | {symbol.name: symbol for symbol in function.file_shared}


@final
class _Inliner:
    def __init__(
        self,
        calls: InlinedCalls,
        symbols: SymbolTable,
        outer: dict[str, Symbol],
        into: str,
        open_names: tuple[str, ...],
    ) -> None:
        self.calls = calls
        self.open_names = open_names  # template parameters of the kernel
        self.functions = calls.functions
        self.into = into  # the key of the kernel
        self.symbols = symbols
        self.outer = outer
        self.statics: StaticMemory = {}
        self.meant: dict[str, CType] = {}
        self.hoisted: list[Stmt] = []
        self.parameters: tuple[Symbol, ...] = ()  # of the kernel
        self.source_names: dict[int, str] = {}  # of variables that have come from functions
        self.spread_calls: frozenset[str] = frozenset()  # of functions, known to be statements
        self.body = Block(())  # of the kernel, as far as it has been inlined
        self.around = self.functions.for_node(self.body)

    def with_calls_resolved(self, body: Block) -> Block:
        """`body` with the functions that are meant by calls which clang leaves open."""
        called = choose_functors(body, self.functions, self.calls.wanted)
        return choose_overloads(called, self.functions, self.open_names)

    def type_of_call(self, call: Call) -> CType | None:
        """What an inlined function gives, as the kernel spells it."""
        if not self.calls.is_inlined(call):
            return None
        instance = self._instance(call)
        ctype, _ = result_type(call, instance.declared, instance.result)
        return ctype.element if ctype.kind is TypeKind.REFERENCE else ctype

    # -- statements -----------------------------------------------------------------------------

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
        if len(result) == 1:
            return result[0]
        return Block(tuple(result))

    def _statement(self, statement: Stmt) -> list[Stmt]:
        if not self.calls.is_in(statement):
            return [statement]
        match statement:
            case Block():
                return [self.block(statement)]
            case If(condition=condition, then=then, otherwise=otherwise):
                before, condition = self._hoist(condition, statement)
                other = None if otherwise is None else self._nested(otherwise)
                result = replace(
                    statement, condition=condition, then=self._nested(then), otherwise=other,
                    form=statement.form.BUILT, trivia=NO_TRIVIA,
                )  # fmt: skip
                return _with_trivia([*before, result], statement.trivia)
            case For() | While() | DoWhile():
                return [self._loop(statement)]
            case Switch(body=body):
                return [replace(statement, body=self._nested(body), form=statement.form.BUILT)]
            case Labelled(body=body):
                return [replace(statement, body=self._nested(body), form=statement.form.BUILT)]
            case Declare():
                return self._declare(statement)
            case ExprStatement(expr=Call() as call) if self.calls.is_inlined(call):
                inner = next((a for a in call.arguments if self.calls.is_in(a)), None)
                if inner is None:
                    return _with_trivia(self._inline(call, None), statement.trivia)
                before, expr = self._hoist_arguments(call, statement)
                return [*before, replace(statement, expr=expr, form=statement.form.BUILT)]
            case ExprStatement(
                expr=Assign(op="=", target=VarRef(symbol=target), value=Call() as call)
            ) if self.calls.is_inlined(call) and not any(map(self.calls.is_in, call.arguments)):
                single = self._single_expression(call)
                if single is not None:
                    assigned = replace(statement.expr, value=single, form=statement.form.PATCHED)
                    return [replace(statement, expr=assigned, form=statement.form.PATCHED)]
                return _with_trivia(self._inline(call, target), statement.trivia)
            case ExprStatement(expr=expr):
                before, new = self._hoist(expr, statement)
                form = statement.form.PATCHED
                result = replace(statement, expr=new, form=form, trivia=NO_TRIVIA)
                return _with_trivia([*before, result], statement.trivia)
            case Return(value=value) if value is not None and value.type.kind is TypeKind.VOID:
                called = self._statement(ExprStatement(strip_parens(value), span=statement.span))
                return _with_trivia([*called, Return(span=statement.span)], statement.trivia)
            case Return(value=value) if value is not None:
                before, new = self._hoist(value, statement)
                form = statement.form.PATCHED
                result = replace(statement, value=new, form=form, trivia=NO_TRIVIA)
                return _with_trivia([*before, result], statement.trivia)
            case _:
                raise refuse("G2O0210", "call of a device function here", statement.span)

    def _loop(self, statement: For | While | DoWhile) -> Stmt:
        parts = [
            p for p in children(statement) if not isinstance(p, Stmt) or isinstance(p, Declare)
        ]
        new: Stmt = statement
        for part in parts:
            if self.calls.is_in(part):
                new = self._substitute_single(new, part)
        if isinstance(new, (For, While, DoWhile)) and self.calls.is_in(new.body):
            new = replace(new, body=self._nested(new.body), form=new.form.BUILT)
        return new

    def _substitute_single(self, statement: Stmt, part: Node) -> Stmt:
        """Calls in the header of a loop must be single expressions."""

        def replacement(node: Node) -> Node | None:
            if not self.calls.is_inlined(node) or not isinstance(node, Call):
                return None
            single = self._single_expression(node)
            if single is None:
                message = f"call of '{node.name}' in the header of a loop"
                raise refuse("G2O0210", message, node.span)
            return single

        header = rewrite(part, replacement)

        def put(node: Node) -> Node | None:
            return header if node is part else None

        return rewrite(statement, put)

    def _declare(self, statement: Declare) -> list[Stmt]:
        result: list[Stmt] = []
        trivia = statement.trivia
        for variable in statement.variables:
            initial = variable.initial
            if initial is None or not self.calls.is_in(initial):
                result.append(Declare((variable,), trivia=trivia))
            elif isinstance(initial, Call) and self._constructs(initial):
                result.extend(self._construct(variable, initial, statement))
            elif (
                isinstance(initial, Call)
                and self.calls.is_inlined(initial)
                and not any(map(self.calls.is_in, initial.arguments))
                and self._single_expression(initial) is None
                and variable.symbol.type.kind is not TypeKind.REFERENCE
            ):
                declared = variable.declared
                if "auto" in declared.split():
                    declared = variable.symbol.type.spelling
                declared = (
                    re.sub(r"\bconst\b\s*", "", declared) if "*" not in declared else declared
                )
                bare = replace(variable, initial=None, initial_style="", declared=declared)
                result.append(Declare((bare,), trivia=trivia))
                result.extend(self._inline(initial, variable.symbol))
            else:
                before, new = self._hoist(initial, statement)
                whole = Declare((replace(variable, initial=new),))
                result.extend(_with_trivia([*before, whole], trivia))
            trivia = Trivia()
        return result

    def _constructs(self, call: Call) -> bool:
        function = self.calls.callee(call)
        return function is not None and function.is_constructor

    def _construct(self, variable: Variable, call: Call, statement: Stmt) -> list[Stmt]:
        """The variable, and behind it what its constructor does."""
        before, call = self._hoist_arguments(call, statement)
        declared = re.sub(r"\bconst\b\s*", "", variable.declared)
        bare = replace(variable, initial=None, initial_style="", declared=declared)
        made = replace(call, arguments=(VarRef(variable.symbol), *call.arguments))
        whole = [*before, Declare((bare,)), *self._inline(made, None)]
        return _with_trivia(whole, statement.trivia)

    def _hoist_arguments(self, call: Call, statement: Stmt) -> tuple[list[Stmt], Call]:
        before: list[Stmt] = []
        arguments: list[Expr] = []
        for argument in call.arguments:
            if self.calls.is_in(argument):
                found, argument = self._hoist(argument, statement)
                before.extend(found)
            arguments.append(argument)
        return before, replace(call, arguments=tuple(arguments), form=call.form.BUILT)

    def _hoist(self, expr: Expr, statement: Stmt) -> tuple[list[Stmt], Expr]:
        """Move inlined calls out of an expression; it then names their results. Those under a
        condition that turn out to become statements are left, until that is spread."""
        before: list[Stmt] = []
        has_changed = False
        span = expr.span or statement.span
        inlined = Counter[str]()
        while True:
            call = self.calls.first_call(expr)
            if call is None:
                return before, expr
            span = span or call.span
            inlined[call.key] += 1
            if inlined[call.key] > _CALL_LIMIT:
                message = f"recursion of '{call.name}', which may never end"
                raise refuse("G2O0208", message, span)
            new = self._single_expression(call)
            is_open = has_changed or call.key not in self.spread_calls
            if new is None and is_open and may_be_left_out(expr, call):
                self.calls.with_statements.add(call.key)
                return before, expr
            if new is None and is_in_lambda(expr, call):
                self.calls.with_statements.add(call.key)  # the lambda may go where it is called
                continue
            if new is None:
                check_always_evaluated(expr, call, statement, self.functions.for_node(expr))
                comma = done_before(expr, call)
                if comma is not None:
                    before.append(ExprStatement(comma.left))
                    expr = without_left(expr, comma)
                    continue
                new = self._result_variable(call, before)
            found, put = call, new

            def replacement(node: Node, found: Call = found, put: Expr = put) -> Node | None:
                match node, put:
                    case Unary(op="&", operand=operand), Unary(op="*", operand=pointer) if (
                        operand is found
                    ):
                        return pointer
                    case _:
                        return put if node is found else None

            expr, has_changed = rewrite(expr, replacement), True

    def _result_variable(self, call: Call, before: list[Stmt]) -> Expr:
        """Inline `call` in front of its statement; returns what has its value."""
        instance = self._instance(call)
        ctype = instance.declared
        wish = _result_name(instance.function.name)
        if ctype.kind is TypeKind.REFERENCE:
            return self._address_variable(wish, instance, call, before)
        ctype, spelled = result_type(call, ctype, instance.result)
        if not ctype.is_indirect:  # `const Pair f()`: it is assigned to
            spelled = spelled.removeprefix("const ")
            ctype = replace(ctype, spelling=spelled, is_const=False)
        result = self.symbols.fresh(wish, ctype, Storage.LOCAL)
        value = self._only_value(instance) if spelled == "auto" else None
        if value is not None:  # which says what type it has
            bound = self._bind(instance, call)
            initial = bound.put_into(value)
            before.extend(bound.copies)
            before.append(Declare((Variable(result, spelled, "", initial, "="),)))
            return VarRef(result)
        before.append(Declare((Variable(result, spelled),)))
        before.extend(self._inline_instance(instance, call, result))
        return VarRef(result)

    def _address_variable(
        self, wish: str, instance: Instance, call: Call, before: list[Stmt]
    ) -> Expr:
        """Inline a function that returns a reference; returns what it refers to."""
        bound = self._bind(instance, call)
        value = self._only_value(instance)
        if value is not None:
            place = as_place(bound.put_into(value), instance.function.result.element, call.type)
            if place is not None:
                before.extend(bound.copies)
                return place
        spelled = instance.reference.rstrip("& ") + " *"
        pointer = CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=instance.referred)
        result = self.symbols.fresh(wish, pointer, Storage.LOCAL)
        body = statements_of(bound.put_into(instance.body))
        statements = assign_addresses(body, result, self.symbols)
        before.append(Declare((Variable(result, spelled),)))
        before.extend(bound.copies)  # to which it may refer
        before.append(Block(statements))
        return Unary("*", VarRef(result), type=call.type)

    # -- one call -------------------------------------------------------------------------------

    def _instance(self, call: Call) -> Instance:
        function = self.functions.body(call.key)
        if function is None or len(call.arguments) > len(function.parameters) + 1:
            raise refuse("G2O0210", f"call of '{call.name}'", call.span)
        refuse_objects_by_value(function, call)
        known = self.outer, self.statics, self.meant
        instance = instantiate(function, call, self.symbols, *known, self.into)
        instance = with_lambdas(instance, call, self.body, self.functions)
        self.hoisted.extend(instance.hoisted)
        own = declared_in(instance.body) | set(instance.parameters)
        self.source_names |= instance.source_names
        names = captured(call, self.body, self.parameters, self.around, self.source_names)
        inner = with_captured(instance.body, names, call)
        around = declared_in(Block((*self.hoisted, self.body))) | set(self.outer.values())
        check_shared(inner, call, own | around)
        inner = self.with_calls_resolved(inner)
        if calls_itself(call.key, self.functions):
            changed = self.functions.for_node(inner).of(inner).writes
            inner = unrolled(inner, instance.parameters, call, changed)
        return replace(instance, body=qualify_calls(inner, self.into))

    def _single_expression(self, call: Call) -> Expr | None:
        """The value of `return e;` with the arguments put in, where that is all there is."""
        if not self.calls.is_expression(call):
            return None
        instance = self._instance(call)
        value = self._only_value(instance)
        bound = self._bind(instance, call)
        if value is None or bound.copies:
            return None
        ctype = instance.function.result
        match value:
            case InitList(elements=(only,), said=None) if ctype.is_arithmetic or ctype.is_indirect:
                value = only
            case _:
                pass
        result = bound.put_into(value)
        if ctype.kind is TypeKind.REFERENCE:
            return as_place(result, ctype.element, call.type)
        if isinstance(result, InitList) and result.said is None and ctype.kind is TypeKind.RECORD:
            made, spelled = result_type(call, instance.declared, instance.result)  # `return {a};`
            return Cast(result, replace(made, spelling=spelled.removeprefix("const ")))
        if not same_type(ctype, value.type):
            return Cast(result, ctype) if ctype.is_arithmetic else None
        return result if is_simple(result) else Paren(result, result.type)

    def _only_value(self, instance: Instance) -> Expr | None:
        """The value of the `return` that is all there is, but for names of types."""
        match instance.body.statements:
            case (*front, Return(value=value)) if all(isinstance(s, DeclareTypes) for s in front):
                self.hoisted.extend(front)
                return value
            case _:
                return None

    def _bind(self, instance: Instance, call: Call) -> Bound:
        more = Block((instance.body, ExprStatement(call)))
        effects = self.functions.for_more(self.around, self.body, more)
        bound = bind_arguments(instance, call, effects, self.symbols, self._refers(call))
        given = filter(None, map(named_function, bound.values.values()))
        self.calls.handed_over.update(function.key for function in given)
        own = instance.source_names
        self.source_names |= {new.id: own[old.id] for old, new in bound.locals.items()}
        return bound

    def _refers(self, call: Call) -> bool:
        """Is a method called on what another call refers to, `v.add(a).scale(b)`?"""
        objects = (call.callee.base,) if isinstance(call.callee, Member) else call.arguments[:1]
        made = strip_parens(objects[0]) if objects else None
        if not isinstance(made, Call) or not made.key:
            return False
        called = map(self.functions.body, made.key.split("|"))
        return any(f is not None and f.result.kind is TypeKind.REFERENCE for f in called)

    def _inline(self, call: Call, result: Symbol | None) -> list[Stmt]:
        return self._inline_instance(self._instance(call), call, result)

    def _inline_instance(self, instance: Instance, call: Call, result: Symbol | None) -> list[Stmt]:
        bound = self._bind(instance, call)
        body = bound.put_into(instance.body)
        statements = (*bound.copies, *assign_returns(statements_of(body), result, self.symbols))
        if len(statements) == 1 and isinstance(statements[0], ExprStatement):
            return [*statements]
        return [Block(statements)]


def _with_trivia(statements: list[Stmt], trivia: Trivia) -> list[Stmt]:
    """The comments of the statement that these stand for, at the first and the last of them."""
    if not statements:
        return [Empty(trivia=trivia)]
    first, *rest = statements
    own = first.trivia
    merged = Trivia((*trivia.before, *own.before), own.after, trivia.blank_line)
    result = [replace(first, trivia=merged), *rest]
    if trivia.after:
        last = result[-1]
        result[-1] = replace(last, trivia=replace(last.trivia, after=trivia.after))
    return result
