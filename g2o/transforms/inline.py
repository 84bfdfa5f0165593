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
from dataclasses import replace
from typing import final

from g2o.analysis.effects import declared_in, statements_of
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.kernel import Function, Kernel
from g2o.ir.statements import (
    Block,
    Declare,
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
    Text,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind

_DEPTH_LIMIT = 24


def inline_context_functions(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """Inline calls until none of them needs the launch. Unchanged kernels are returned as is.

    Raises Refusal for recursion and for calls in places where statements cannot be put.
    """
    inliner = _Inliner(functions, SymbolTable(continued=kernel.function.symbols))
    body = kernel.body
    for _ in range(_DEPTH_LIMIT):
        new = inliner.block(body)
        if new is body:
            break
        body = new
    else:
        raise refuse("G2O0208", "recursion in a device function that needs the launch", body.span)
    if body is kernel.body:
        return kernel
    function = replace(kernel.function, body=body, symbols=inliner.symbols)
    return replace(kernel, function=function)


@final
class _Inliner:
    def __init__(self, functions: FunctionTable, symbols: SymbolTable) -> None:
        self.functions = functions
        self.symbols = symbols
        self.aliases: dict[str, str] = {}

    # -- finding calls --------------------------------------------------------------------------

    def _is_inlined(self, node: Node) -> bool:
        if not isinstance(node, Call) or not node.key:
            return False
        for key in node.key.split("|"):
            effects = self.functions.effects(key)
            if effects is not None and effects.needs_context:
                if "|" in node.key:
                    message = f"call of '{node.name}', of which there are several"
                    raise refuse("G2O0210", message, node.span)
                return True
        return False

    def _first_call(self, node: Node) -> Call | None:
        """The call inside an expression that is evaluated first, arguments before callers."""
        for child in children(node):
            found = self._first_call(child)
            if found is not None:
                return found
        return node if isinstance(node, Call) and self._is_inlined(node) else None

    def _contains(self, node: Node) -> bool:
        return any(self._is_inlined(inner) for inner in walk(node))

    # -- statements -----------------------------------------------------------------------------

    def block(self, body: Block) -> Block:
        new: list[Stmt] = []
        changed = False
        for statement in body.statements:
            result = self._statement(statement)
            changed = changed or len(result) != 1 or result[0] is not statement
            new.extend(result)
        return Block(tuple(new), trivia=body.trivia, span=body.span) if changed else body

    def _nested(self, statement: Stmt) -> Stmt:
        if isinstance(statement, Block):
            return self.block(statement)
        result = self._statement(statement)
        if len(result) == 1:
            return result[0]
        return Block(tuple(result))

    def _statement(self, statement: Stmt) -> list[Stmt]:
        if not self._contains(statement):
            return [statement]
        match statement:
            case Block():
                return [self.block(statement)]
            case If(condition=condition, then=then, otherwise=otherwise):
                before, condition = self._hoist(condition, statement)
                other = None if otherwise is None else self._nested(otherwise)
                result = replace(
                    statement, condition=condition, then=self._nested(then), otherwise=other,
                    form=statement.form.BUILT,
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
            case ExprStatement(expr=Call() as call) if self._is_inlined(call):
                inner = next((a for a in call.arguments if self._contains(a)), None)
                if inner is None:
                    return _with_trivia(self._inline(call, None, None), statement.trivia)
                before, expr = self._hoist_arguments(call, statement)
                return [*before, replace(statement, expr=expr, form=statement.form.BUILT)]
            case ExprStatement(
                expr=Assign(op="=", target=VarRef(symbol=target), value=Call() as call)
            ) if self._is_inlined(call) and not any(map(self._contains, call.arguments)):
                single = self._single_expression(call)
                if single is not None:
                    assigned = replace(statement.expr, value=single, form=statement.form.PATCHED)
                    return [replace(statement, expr=assigned, form=statement.form.PATCHED)]
                return _with_trivia(self._inline(call, target, None), statement.trivia)
            case ExprStatement(expr=expr):
                before, new = self._hoist(expr, statement)
                result = replace(statement, expr=new, form=statement.form.PATCHED)
                return _with_trivia([*before, result], statement.trivia)
            case Return(value=value) if value is not None:
                before, new = self._hoist(value, statement)
                result = replace(statement, value=new, form=statement.form.PATCHED)
                return _with_trivia([*before, result], statement.trivia)
            case _:
                raise refuse("G2O0210", "call of a device function here", statement.span)

    def _loop(self, statement: For | While | DoWhile) -> Stmt:
        parts = [
            p for p in children(statement) if not isinstance(p, Stmt) or isinstance(p, Declare)
        ]
        new: Stmt = statement
        for part in parts:
            if self._contains(part):
                new = self._substitute_single(new, part)
        if isinstance(new, (For, While, DoWhile)) and self._contains(new.body):
            new = replace(new, body=self._nested(new.body), form=new.form.BUILT)
        return new

    def _substitute_single(self, statement: Stmt, part: Node) -> Stmt:
        """Calls in the header of a loop must be single expressions."""

        def replacement(node: Node) -> Node | None:
            if not self._is_inlined(node) or not isinstance(node, Call):
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
            if initial is None or not self._contains(initial):
                result.append(Declare((variable,), trivia=trivia))
            elif (
                isinstance(initial, Call)
                and self._is_inlined(initial)
                and not any(map(self._contains, initial.arguments))
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
                result.extend(self._inline(initial, variable.symbol, None))
            else:
                before, new = self._hoist(initial, statement)
                whole = Declare((replace(variable, initial=new),))
                result.extend(_with_trivia([*before, whole], trivia))
            trivia = Trivia()
        return result

    def _hoist_arguments(self, call: Call, statement: Stmt) -> tuple[list[Stmt], Call]:
        before: list[Stmt] = []
        arguments: list[Expr] = []
        for argument in call.arguments:
            if self._contains(argument):
                found, argument = self._hoist(argument, statement)
                before.extend(found)
            arguments.append(argument)
        return before, replace(call, arguments=tuple(arguments), form=call.form.BUILT)

    def _hoist(self, expr: Expr, statement: Stmt) -> tuple[list[Stmt], Expr]:
        """Move inlined calls out of an expression; it then names their results."""
        before: list[Stmt] = []
        while True:
            call = self._first_call(expr)
            if call is None:
                return before, expr
            new = self._single_expression(call)
            if new is None:
                self._check_always_evaluated(expr, call, statement)
                function = self._function(call)
                name = f"{function.name}_result"
                ctype = (
                    function.result if function.result.kind is not TypeKind.DEPENDENT else call.type
                )
                result = self.symbols.fresh(name, ctype, Storage.LOCAL)
                spelled = self._result_type(function, call)
                before.append(Declare((Variable(result, spelled),)))
                before.extend(self._inline(call, result, None))
                new = VarRef(result)
            found, put = call, new

            def replacement(node: Node, found: Call = found, put: Expr = put) -> Node | None:
                return put if node is found else None

            expr = rewrite(expr, replacement)

    def _check_always_evaluated(self, expr: Expr, call: Call, statement: Stmt) -> None:
        for node in walk(expr):
            conditional: tuple[Node, ...] = ()
            if isinstance(node, Conditional):
                conditional = (node.if_true, node.if_false)
            elif isinstance(node, Binary) and node.op in ("&&", "||"):
                conditional = (node.right,)
            if any(inner is call for part in conditional for inner in walk(part)):
                message = f"call of '{call.name}' that is evaluated under a condition"
                raise refuse("G2O0210", message, call.span or statement.span)

    # -- one call -------------------------------------------------------------------------------

    def _function(self, call: Call) -> Function:
        function = self.functions.body(call.key)
        if function is None or len(call.arguments) > len(function.parameters):
            raise refuse("G2O0210", f"call of '{call.name}'", call.span)
        if isinstance(call.callee, Member):
            raise refuse("G2O0210", f"method '{call.name}', which needs the launch", call.span)
        if len(call.arguments) < len(function.parameters):
            raise refuse("G2O0210", f"default arguments of '{call.name}'", call.span)
        return function

    def _result_type(self, function: Function, call: Call) -> str:
        spelled = function.result.spelling
        if call.type.kind not in (TypeKind.DEPENDENT, TypeKind.OTHER):
            spelled = call.type.spelling
        return self._instantiated(spelled, self._bindings(function, call))

    def _bindings(self, function: Function, call: Call) -> dict[str, str]:
        """Template parameters of the callee -> what they are at this call."""
        found: dict[str, str] = {}
        for position, name in enumerate(function.template_parameters):
            if position < len(call.template_arguments) and call.template_arguments[position]:
                found[name] = call.template_arguments[position]
                continue
            deduced = _deduce(name, function, call)
            if deduced is None:
                message = f"template argument '{name}' of '{call.name}'"
                raise refuse("G2O0210", message, call.span)
            found[name] = deduced
        return found

    def _instantiated(self, text: str, bindings: dict[str, str]) -> str:
        for name, value in bindings.items():
            text = re.sub(rf"\b{name}\b", lambda _, value=value: value, text)
        return text

    def _single_expression(self, call: Call) -> Expr | None:
        """The body of `return e;` with the arguments put in, where that is all there is."""
        function = self._function(call)
        match function.body.statements:
            case (Return(value=value),) if value is not None:
                pass
            case _:
                return None
        if function.template_parameters and self._bindings(function, call) != {
            name: name for name in function.template_parameters
        }:
            return None
        values: dict[Symbol, Expr] = {}
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            uses = sum(isinstance(n, VarRef) and n.symbol == parameter for n in walk(value))
            if uses > 1 and not _is_simple(argument):
                return None
            if any(isinstance(n, (Assign, Verbatim)) or _updates(n) for n in walk(argument)):
                return None
            values[parameter] = argument
        if any(isinstance(n, Verbatim) and n.parts for n in walk(value)):
            return None

        def replacement(node: Node) -> Node | None:
            if isinstance(node, VarRef) and node.symbol in values:
                argument = values[node.symbol]
                return argument if _is_simple(argument) else Paren(argument, argument.type)
            return None

        result = rewrite(value, replacement)
        return result if _is_simple(result) else Paren(result, result.type)

    def _inline(self, call: Call, result: Symbol | None, _: None) -> list[Stmt]:
        function = self._function(call)
        bindings = self._bindings(function, call)
        body = function.body
        renamed: dict[Symbol, Symbol] = {}
        for symbol in sorted(declared_in(body), key=lambda s: s.id):
            renamed[symbol] = self.symbols.fresh(symbol.name, symbol.type, symbol.storage)
        effects = self.functions.for_node(body)
        written = effects.of(body).writes
        prologue: list[Stmt] = []
        values: dict[Symbol, Expr] = {}
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            reference = parameter.type.kind is TypeKind.REFERENCE
            stable = _is_stable(argument, reference) and not _adds_volatile(parameter, argument)
            if stable and (reference or parameter not in written):
                values[parameter] = argument
                continue
            local = self.symbols.fresh(parameter.name, parameter.type, Storage.LOCAL)
            renamed[parameter] = local
            spelled = parameter.type.spelling
            if parameter.type.kind is TypeKind.ARRAY and parameter.type.element is not None:
                spelled = parameter.type.element.spelling + " *"
            spelled = self._instantiated(spelled, bindings)
            prologue.append(Declare((Variable(local, spelled, "", argument, "="),)))
        for node in walk(body):
            if isinstance(node, VarRef) and node.symbol.storage in (
                Storage.GLOBAL, Storage.DYNAMIC_SHARED,
            ) and node.symbol not in renamed:  # fmt: skip
                renamed[node.symbol] = self.symbols.declare(
                    node.symbol.name, node.symbol.type, node.symbol.storage
                )
        body = rename_symbols(body, renamed)
        body = _substitute(body, values)
        body = self._retype(body, bindings)
        statements = _returns_assigned(statements_of(body), result, call)
        aliases = [
            Text((f"using {name} = {value};",))
            if _is_type(value, function, name)
            else Text((f"constexpr auto {name} = {value};",))
            for name, value in bindings.items()
            if name != value and self._mentions(function, name)
        ]
        return [Block((*aliases, *prologue, *statements))]

    def _mentions(self, function: Function, name: str) -> bool:
        return (
            re.search(rf"\b{name}\b", function.body.span.text if function.body.span else "")
            is not None
        )

    def _retype(self, body: Block, bindings: dict[str, str]) -> Block:
        """Put template arguments into the types of declarations, which may move out of scope."""
        changed = {name: value for name, value in bindings.items() if name != value}
        if not changed:
            return body

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, Declare):
                return None
            variables = tuple(
                replace(
                    variable,
                    declared=self._instantiated(variable.declared, changed),
                    suffix=self._instantiated(variable.suffix, changed),
                )
                for variable in node.variables
            )
            if variables == node.variables:
                return None
            return replace(node, variables=variables, form=node.form.BUILT)

        return rewrite(body, replacement)


def _is_type(value: str, function: Function, name: str) -> bool:
    head = function.span.text.split("{", 1)[0]
    return re.search(rf"\b(?:class|typename)\s*(?:\.\.\.)?\s*{name}\b", head) is not None


def _deduce(name: str, function: Function, call: Call) -> str | None:
    for parameter, argument in zip(function.parameters, call.arguments, strict=False):
        spelled = re.sub(
            r"\b(const|volatile|__restrict__|__restrict)\b", "", parameter.type.spelling
        )
        actual = re.sub(r"\b(const|volatile|__restrict__|__restrict)\b", "", argument.type.spelling)
        shape = spelled.replace(" ", "").rstrip("&")
        if shape == name and actual.strip() not in ("", "auto", "<dependent type>"):
            return actual.strip()
        if shape in (name + "*", name + "[]"):
            element = argument.type.element
            if element is not None:
                return element.innermost.spelling.replace("const ", "")
    return None


def _is_simple(expr: Expr) -> bool:
    return isinstance(expr, (VarRef, Literal, LaunchRef, Paren)) or (
        isinstance(expr, Member) and _is_simple(expr.base)
    )


def _updates(node: Node) -> bool:
    return isinstance(node, Unary) and node.is_update


def _adds_volatile(parameter: Symbol, argument: Expr) -> bool:
    """Does the parameter make accesses volatile that are not through the argument?"""
    pointee, actual = parameter.type.element, argument.type.element
    wanted = pointee is not None and pointee.is_volatile
    return wanted and not (actual is not None and actual.innermost.is_volatile)


def _is_stable(argument: Expr, reference: bool) -> bool:
    """May the argument stand wherever the parameter does?"""
    match argument:
        case Literal() | LaunchRef():
            return not reference
        case VarRef(symbol=symbol):
            if reference:
                return True
            shared = symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
            is_array = symbol.type.kind is TypeKind.ARRAY
            return (shared and is_array) or (
                symbol.storage is Storage.PARAMETER and symbol.type.kind is not TypeKind.RECORD
            )
        case Paren(inner=inner):
            return _is_stable(inner, reference)
        case _:
            return False


def _substitute(body: Block, values: dict[Symbol, Expr]) -> Block:
    if not values:
        return body

    def replacement(node: Node) -> Node | None:
        return values.get(node.symbol) if isinstance(node, VarRef) else None

    return rewrite(body, replacement)


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


def _returns_assigned(
    statements: tuple[Stmt, ...], result: Symbol | None, call: Call
) -> tuple[Stmt, ...]:
    """Turn `return v;` into an assignment at the end of all paths."""
    new: list[Stmt] = []
    for position, statement in enumerate(statements):
        rest = statements[position + 1 :]
        if not any(isinstance(node, Return) for node in walk(statement)):
            new.append(statement)
            continue
        match statement:
            case Return(value=value):
                if value is not None and result is not None:
                    assigned = Assign("=", VarRef(result), value, value.type)
                    new.append(ExprStatement(assigned, trivia=statement.trivia))
                elif value is not None:
                    new.append(ExprStatement(value, trivia=statement.trivia))
                return tuple(new)
            case Block(statements=inner) if not rest:
                return (*new, Block(_returns_assigned(inner, result, call)))
            case If(condition=condition, then=then, otherwise=otherwise):
                ended = _returns_assigned(statements_of(then), result, call)
                if otherwise is None:
                    follows = _returns_assigned(rest, result, call) if rest else ()
                    if not _always_returns(then):
                        break
                    other = Block(follows) if follows else None
                elif not rest:
                    other = Block(_returns_assigned(statements_of(otherwise), result, call))
                elif _always_returns(then) and not any(
                    isinstance(node, Return) for node in walk(otherwise)
                ):
                    follows = _returns_assigned(rest, result, call)
                    other = Block((*statements_of(otherwise), *follows))
                else:
                    break
                new.append(If(condition, Block(ended), other, trivia=statement.trivia))
                return tuple(new)
            case _:
                break
    else:
        return tuple(new)
    raise refuse("G2O0210", f"return inside control flow of '{call.name}'", call.span)


def _always_returns(statement: Stmt) -> bool:
    statements = statements_of(statement)
    return bool(statements) and isinstance(statements[-1], Return)
