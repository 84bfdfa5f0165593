"""Which calls of a kernel are inlined: those of functions that need the launch."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Note, Refusal, error, refuse
from g2o.ir.expressions import Call, Expr, VarRef, Verbatim, strip_parens
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, Node, Return
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind
from g2o.transforms.arguments import is_copied
from g2o.transforms.functors import functions_named


@final
@dataclass(frozen=True, slots=True)
class InlinedCalls:
    """`wanted` says by key of which functions beyond those calls are inlined; of those that were
    `handed_over` to others, those that stay expressions. Of functions `with_statements` it has
    turned out that calls become statements. `lambdas` are those that variables of the kernel are:
    what is handed one that calls such functions is inlined, too."""

    functions: FunctionTable
    wanted: Callable[[str], bool]
    handed_over: set[str] = field(default_factory=set[str])
    with_statements: set[str] = field(default_factory=set[str])
    lambdas: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])

    def note_lambdas(self, body: Node) -> None:
        """Take notice of the variables of a kernel that are lambdas."""
        for node in walk(body):
            for one in node.variables if isinstance(node, Declare) else ():
                if one.initial is not None and is_lambda(one.initial):
                    self.lambdas[one.symbol] = one.initial

    def _is_of_kernel(self, argument: Expr) -> bool:
        """Is it a lambda with calls that are inlined?"""
        argument = strip_parens(argument)
        if isinstance(argument, VarRef):
            argument = self.lambdas.get(argument.symbol, argument)
        return is_lambda(argument) and any(map(self.is_inlined, walk(argument)))

    def is_inlined(self, node: Node) -> bool:
        """Is this a call that is inlined? Raises Refusal where it has to be and cannot."""
        if not isinstance(node, Call) or not node.key:
            return False
        if node.key in self.handed_over and self.is_expression(node) and not self._copies(node):
            return True
        given = any(
            functions_named(text, self.functions, self.wanted, node.span)
            for text in node.template_arguments
        ) or any(map(self._is_of_kernel, node.arguments))
        for key in node.key.split("|"):
            effects = self.functions.effects(key)
            if effects is not None and (given or effects.needs_context or self.wanted(key)):
                if "|" in node.key:
                    message = f"call of '{node.name}', of which there are several"
                    raise refuse("G2O0210", message, node.span)
                function = self.functions.body(key)
                if function is not None and function.is_specialised:
                    message = f"call of '{node.name}', which has an explicit specialisation"
                    note = Note("give its forms names of their own, or overload them")
                    raise refuse("G2O0210", message, node.span, note)
                return True
        return False

    def is_hoisted(self, node: Node) -> bool:
        """Is this a call that becomes statements?"""
        if not isinstance(node, Call) or not self.is_inlined(node):
            return False
        return not self.is_expression(node)

    def becomes_statements(self, node: Node) -> bool:
        """Is this a call that becomes statements, or an expression behind copies of arguments?"""
        if self.is_hoisted(node):
            return True
        if not isinstance(node, Call) or not self.is_inlined(node):
            return False
        return node.key in self.with_statements or self._copies(node)

    def _copies(self, call: Call) -> bool:
        """Are there arguments that have to be worked out in front?"""
        function = self.functions.body(call.key)
        if function is None:
            return False
        pairs = zip(function.parameters, call.arguments, strict=False)
        return any(is_copied(parameter, argument, function) for parameter, argument in pairs)

    def callee(self, node: Node) -> Function | None:
        """The function that `node` calls, if it is inlined."""
        if not isinstance(node, Call) or not self.is_inlined(node):
            return None
        return self.functions.body(node.key)

    def call_back(self, key: str) -> Call | None:
        """The call by which a function, or one that it calls, gets back to it."""
        pending, seen = [key], {key}
        for current in pending:
            function = self.functions.body(current)
            for node in walk(function.body) if function is not None else ():
                if isinstance(node, Call) and node.key == key:
                    return node
                if isinstance(node, Call) and node.key and node.key not in seen:
                    seen.add(node.key)
                    pending.append(node.key)
        return None

    def first_call(self, node: Node, in_lambda: bool = False) -> Call | None:
        """The call inside an expression that is evaluated first, arguments before callers. Nothing
        in a lambda is evaluated there: a call in it is one only if it stays an expression."""
        in_lambda = in_lambda or is_lambda(node)
        for child in children(node):
            found = self.first_call(child, in_lambda)
            if found is not None:
                return found
        if not isinstance(node, Call) or not self.is_inlined(node):
            return None
        return None if in_lambda and self.becomes_statements(node) else node

    def is_in(self, node: Node) -> bool:
        """Is there such a call in `node`?"""
        return self.first_call(node) is not None

    def check_lambdas(self, body: Node) -> None:
        """Raises Refusal where a lambda is left with a call that would become statements."""
        for made in filter(is_lambda, walk(body)):
            for node in walk(made):
                if isinstance(node, Call) and self.is_inlined(node):
                    message = f"call of '{node.name}', which needs the launch, inside of a lambda"
                    note = Note("call the lambda itself in the kernel, or write out the call in it")
                    raise refuse("G2O0210", message, node.span, note)

    def is_expression(self, call: Call) -> bool:
        """Is `return e;` all that the function does?"""
        function = self.functions.body(call.key)
        if function is None or len(function.body.statements) != 1:
            return False
        only = function.body.statements[0]
        if self.wanted(call.key) and function.result.kind is TypeKind.RECORD:
            return False  # its members are looked at one by one: it has to be a variable
        return isinstance(only, Return) and only.value is not None


def is_in_lambda(expr: Node, call: Call) -> bool:
    """Does the call stand in a lambda of the expression?"""
    made = filter(is_lambda, walk(expr))
    return any(node is call for one in made for node in walk(one))


def is_lambda(node: Node) -> bool:
    return isinstance(node, Verbatim) and "(lambda at" in node.type.spelling


def recursion(body: Block, calls: InlinedCalls) -> Refusal:
    """What to say of a kernel whose calls never end: where the first function calls itself."""
    pending = [body]
    found: dict[str, Call] = {}
    seen: set[str] = set()
    for block in pending:
        for node in walk(block):
            function = calls.callee(node)
            if isinstance(node, Call) and function is not None and node.key not in seen:
                seen.add(node.key)
                found[node.key] = node
                pending.append(function.body)
    for key, call in found.items():
        again = calls.call_back(key)
        if again is not None:
            message = f"recursion of '{call.name}', which needs the launch"
            return Refusal(error("G2O0208", message, again.span, Note("called here", call.span)))
    return refuse("G2O0208", "calls nested too deeply", body.span)
