"""Functions that leave a second result behind a pointer, as those that give one result each.

    m = frexp(x, &e);          frexp(x, &e);
                       ->      m = ldexp(x, -e);

    r = modf(x, &whole);       whole = trunc(x);
                       ->      r = x - whole;

Legal where the call is evaluated whenever its statement is: what else the statement reads of the
second result would be undefined (C++ [intro.execution]).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeGuard, final

from g2o.ad.components import behind
from g2o.ad.prepare import is_apart
from g2o.analysis.pure_functions import RESULTS_BEHIND_POINTERS
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Form,
    Literal,
    Paren,
    Unary,
    VarRef,
    is_primary,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import NO_TRIVIA, Block, Declare, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import CType


def with_results_apart(kernel: Kernel) -> Kernel:
    """`kernel` with statements of their own for such second results."""
    if not any(_is_one(node) for node in walk(kernel.body)):
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    body = _Calls(symbols).inside(kernel.body)
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _is_one(node: Node) -> TypeGuard[Call]:
    return (
        isinstance(node, Call) and node.name in RESULTS_BEHIND_POINTERS and len(node.arguments) >= 2
    )


@final
@dataclass(frozen=True, slots=True)
class _Calls:
    symbols: SymbolTable

    def inside(self, block: Block) -> Block:
        single = (each for one in block.statements for each in _one_by_one(one))
        statements = tuple(made for one in single for made in self._statement(one))
        return replace(block, statements=statements, form=Form.BUILT)

    def _statement(self, statement: Stmt) -> list[Stmt]:
        before: list[Stmt] = []
        if isinstance(statement, ExprStatement) and _is_one(statement.expr):
            return [self._second(statement, statement.expr)]
        while isinstance(statement, (ExprStatement, Declare)):
            call = _first(statement)
            if call is None:
                break
            values = {id(call): self._value(call, before)}
            statement = rewrite(statement, lambda node, new=values: new.get(id(node)))
        if not before:
            return [rewrite(statement, self._replaced)]
        first = replace(before[0], trivia=statement.trivia)
        return [first, *before[1:], replace(statement, trivia=NO_TRIVIA)]

    def _second(self, statement: ExprStatement, call: Call) -> Stmt:
        """The statement where nobody asks for the first result."""
        if not call.name.startswith("modf"):
            return statement
        value, place, ctype = call.arguments[0], behind(call.arguments[1]), value_type(call)
        whole = _called("truncf" if ctype.bits == 32 else "trunc", [value], ctype)
        return replace(statement, expr=Assign("=", place, whole, ctype), form=Form.BUILT)

    def _replaced(self, node: Node) -> Node | None:
        """A block, or a statement that stands where one could, with the calls in it apart."""
        if isinstance(node, Block):
            return self.inside(node)
        if isinstance(node, ExprStatement) and _first(node) is not None:
            return Block(tuple(self._statement(node)))
        return None

    def _value(self, call: Call, before: list[Stmt]) -> Expr:
        """The first result, where the statements `before` have left the second."""
        *given, pointer = call.arguments
        place = behind(pointer)
        arguments = [self._settled(one, place, before) for one in given]
        ctype = value_type(call)
        end = "f" if ctype.bits == 32 else ""
        if call.name.startswith("modf"):
            whole = _called(f"trunc{end}", arguments, ctype)
            before.append(ExprStatement(Assign("=", place, whole, ctype), span=call.span))
            return Paren(Binary("-", arguments[0], place, ctype), ctype)
        if call.name.startswith("frexp"):
            count = place if is_primary(place) else Paren(place, place.type)
            minus = Unary("-", count, type=place.type)
            first = _called(f"ldexp{end}", [*arguments, minus], ctype)
        else:
            first = _called(f"remainder{end}", arguments, ctype)
        again = replace(call, arguments=(*arguments, pointer), form=Form.BUILT)
        before.append(ExprStatement(again, span=call.span))
        return first

    def _settled(self, value: Expr, place: Expr, before: list[Stmt]) -> Expr:
        """The value, under a name of its own where it may change or costs more than a load."""
        if is_apart(value, place) and is_primary(value):
            return value
        ctype = replace(value_type(value), is_const=False)
        symbol = self.symbols.fresh("value", ctype, Storage.LOCAL)
        spelled = f"const {ctype.spelling.removeprefix('const ')}"
        before.append(Declare((Variable(symbol, spelled, "", value, "="),)))
        return VarRef(symbol)


def _one_by_one(statement: Stmt) -> tuple[Stmt, ...]:
    """`double whole, rest = modf(x, &whole);` as two declarations."""
    if not isinstance(statement, Declare) or not any(map(_is_one, walk(statement))):
        return (statement,)
    first, *others = (Declare((one,), span=statement.span) for one in statement.variables)
    return replace(first, trivia=statement.trivia), *others


def _called(name: str, arguments: list[Expr], ctype: CType) -> Call:
    return Call(name, Literal(name), tuple(arguments), is_cuda=True, type=ctype)


def _first(node: Node) -> Call | None:
    """The innermost of these calls that is evaluated whenever the statement is."""
    parts = children(node)
    if isinstance(node, Conditional) or (isinstance(node, Binary) and node.op in ("&&", "||", ",")):
        parts = parts[:1]
    for part in parts:
        found = _first(part)
        if found is not None:
            return found
    return node if _is_one(node) else None
