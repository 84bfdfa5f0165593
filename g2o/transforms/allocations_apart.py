"""Memory that a condition asks for, as a statement of its own, in which its pointer is declared.

    double *p;
    if (!(p = malloc(n)))            double *p = malloc(n);
        return -1.0;         ->      if (!p)
                                         return -1.0;

Legal where the condition comes to it whenever it is asked, or whenever there has been memory so
far: memory that is asked for, and not used, changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from g2o.analysis.allocations import is_allocation
from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Binary, Expr, Form, Unary, VarRef, strip_parens
from g2o.ir.statements import Block, Declare, ExprStatement, If, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.transforms.dead_nulls import is_null


def with_allocations_apart(body: Block) -> Block:
    """`body` whose conditions of `if` ask for no memory."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements) if any(map(_asks, statements)):
                made = _declared_there([part for one in statements for part in _apart(one)])
                return rewrite(replace(node, statements=made, form=Form.BUILT), replacement)
            case _:
                return None

    return rewrite(body, replacement)


def _asks(statement: Stmt) -> bool:
    return isinstance(statement, If) and any(True for _ in _asked(statement.condition))


def _asked(condition: Expr) -> Iterator[Assign]:
    """What a condition asks for, as long as it gets it."""
    match strip_parens(condition):
        case Assign() as whole if _allocates(whole):
            yield whole
        case Unary(op="!", operand=operand):
            yield from _asked(operand)
        case Binary(op="==" | "!=", left=left, right=right):
            yield from _asked(left)
            yield from _asked(right)
        case Binary(op="&&" | "||", left=left, right=right):
            first = list(_asked(left))
            yield from first
            if first and _only_asks(left):
                yield from _asked(right)
        case _:
            pass


def _only_asks(condition: Expr) -> bool:
    """Does nothing but whether there is memory decide?"""
    match strip_parens(condition):
        case Assign() as whole:
            return _allocates(whole)
        case Unary(op="!", operand=operand):
            return _only_asks(operand)
        case Binary(op="==" | "!=", left=left, right=right):
            sides = strip_parens(left), strip_parens(right)
            asking = [isinstance(one, Assign) and _allocates(one) for one in sides]
            return sum(asking) == 1
        case Binary(op="&&" | "||", left=left, right=right):
            return _only_asks(left) and _only_asks(right)
        case _:
            return False


def _allocates(assigned: Assign) -> bool:
    return (
        assigned.op == "=" and isinstance(assigned.target, VarRef) and is_allocation(assigned.value)
    )


def _apart(statement: Stmt) -> Iterator[Stmt]:
    if not isinstance(statement, If) or not _asks(statement):
        yield statement
        return
    wanted = list(_asked(statement.condition))

    def pointer(node: Node) -> Expr | None:
        found = next((one for one in wanted if one is node), None)
        return None if found is None else found.target

    condition = rewrite(statement.condition, pointer)
    yield from (ExprStatement(one, form=Form.BUILT) for one in wanted)
    yield replace(statement, condition=condition, form=Form.BUILT)


def _declared_there(statements: list[Stmt]) -> tuple[Stmt, ...]:
    """The statements with pointers declared where they get memory, if nothing names them before."""
    made: list[Stmt] = []
    for one in statements:
        match one:
            case ExprStatement(expr=Assign(target=VarRef(symbol=symbol)) as given) if _allocates(
                given
            ):
                at = next((at for at, each in enumerate(made) if _declares(each, symbol)), None)
            case _:
                made.append(one)
                continue
        if at is None or any(symbol in symbols_in(each) for each in made[at + 1 :]):
            made.append(one)
            continue
        declared = made.pop(at)
        assert isinstance(declared, Declare)
        variable = replace(declared.variables[0], initial=given.value, initial_style="=")
        made.append(Declare((variable,), trivia=declared.trivia))
    return tuple(made)


def _declares(statement: Stmt, symbol: Symbol) -> bool:
    match statement:
        case Declare(variables=(variable,)) if variable.symbol == symbol:
            return variable.initial is None or is_null(variable.initial)
        case _:
            return False
