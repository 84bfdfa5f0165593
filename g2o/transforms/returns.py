"""`return v;` becomes an assignment at the end of every path.

if (a) return x;            if (a) {
y += 1;                         result = x;
return y;             ->    } else {
                                y += 1;
                                result = y;
                            }
"""

from __future__ import annotations

from g2o.analysis.effects import statements_of
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Assign, Call, VarRef
from g2o.ir.statements import Block, ExprStatement, If, Return, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk


def assign_returns(
    statements: tuple[Stmt, ...], result: Symbol | None, call: Call
) -> tuple[Stmt, ...]:
    """`statements` without `return`; values go to `result`, or are only evaluated without one.

    Raises Refusal for a return that leaves a loop.
    """
    new: list[Stmt] = []
    for position, statement in enumerate(statements):
        rest = statements[position + 1 :]
        if not _returns(statement):
            new.append(statement)
            continue
        match statement:
            case Return():
                return (*new, *_assigned(statement, result))
            case Block(statements=inner) if not rest:
                return (*new, Block(assign_returns(inner, result, call)))
            case If():
                return (*new, _branches(statement, rest, result, call))
            case _:
                raise _refused(call)
    return tuple(new)


def _assigned(statement: Return, result: Symbol | None) -> tuple[Stmt, ...]:
    value = statement.value
    if value is None:
        return ()
    if result is None:
        return (ExprStatement(value, trivia=statement.trivia),)
    assigned = Assign("=", VarRef(result), value, value.type)
    return (ExprStatement(assigned, trivia=statement.trivia),)


def _branches(statement: If, rest: tuple[Stmt, ...], result: Symbol | None, call: Call) -> Stmt:
    """A conditional that returns: what follows it goes into the branch that does not."""
    then, otherwise = statement.then, statement.otherwise
    ended = Block(assign_returns(statements_of(then), result, call))
    other: Block | None = None
    if otherwise is None:
        if not _always_returns(then):
            raise _refused(call)
        other = Block(assign_returns(rest, result, call)) if rest else None
    elif not rest:
        other = Block(assign_returns(statements_of(otherwise), result, call))
    elif _always_returns(then):
        follows = (*statements_of(otherwise), *rest)
        other = Block(assign_returns(follows, result, call))
    elif _always_returns(otherwise):
        ended = Block(assign_returns((*statements_of(then), *rest), result, call))
        other = Block(assign_returns(statements_of(otherwise), result, call))
    else:
        raise _refused(call)
    return If(statement.condition, ended, other, trivia=statement.trivia)


def _refused(call: Call) -> Exception:
    return refuse("G2O0210", f"return inside control flow of '{call.name}'", call.span)


def _returns(statement: Stmt) -> bool:
    return any(isinstance(node, Return) for node in walk(statement))


def _always_returns(statement: Stmt) -> bool:
    statements = statements_of(statement)
    if not statements:
        return False
    match statements[-1]:
        case Return():
            return True
        case If(then=then, otherwise=otherwise) if otherwise is not None:
            return _always_returns(then) and _always_returns(otherwise)
        case _:
            return False
