"""What a function that was inlined gives back is the variable that gets it.

    double *p;
    {                                           size_t count = n;
        size_t count = n;              ->       double *p = calloc(count, sizeof(double));
        double *r = calloc(count, sizeof(double));
        p = r;
    }

So are structures, where the variable is declared in front. Legal where the block ends with that,
mentions the variable nowhere else, and the function's own is declared with a value. Variables are
known by what they are, not by their names, so that the braces may go.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.copied_elements import with_sizes_of
from g2o.analysis.effects import declared_in
from g2o.ir.expressions import Assign, Form, VarRef, strip_parens
from g2o.ir.statements import Block, Declare, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind, unqualified


def with_own_results(body: Block) -> Block:
    """`body` without pointers that only hold what others get."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements) if any(map(_given, statements)):
                made = tuple(_opened(statements))
                if made == statements:
                    return None
                return rewrite(replace(node, statements=made, form=Form.BUILT), replacement)
            case _:
                return None

    return rewrite(body, replacement)


def _opened(statements: tuple[Stmt, ...]) -> list[Stmt]:
    made: list[Stmt] = []
    for statement in statements:
        found = _given(statement)
        declared = _declared(made[-1], found[0]) if made and found is not None else None
        if found is None or (declared is None and found[0].type.kind is TypeKind.RECORD):
            made.append(statement)
            continue
        target, own = found
        assert isinstance(statement, Block)
        if declared is not None:
            made.pop()
        for one in statement.statements[:-1]:
            match one:
                case Declare(variables=(variable,)) if variable.symbol == own:
                    assert variable.initial is not None
                    initial = with_sizes_of(variable.initial, own)  # `malloc(n * sizeof *own)`
                    variable = replace(variable, initial=initial)
                    value = Assign("=", VarRef(target), initial, target.type)
                    made.append(
                        ExprStatement(value, trivia=one.trivia, form=Form.BUILT)
                        if declared is None
                        else replace(one, variables=(_begun(declared, variable),), form=Form.BUILT)
                    )
                case _:
                    made.append(rename_symbols(one, {own: target}))
    return made


def _begun(declared: Variable, own: Variable) -> Variable:
    """The variable that begins with what the function's own does."""
    return replace(declared, initial=own.initial, initial_style=own.initial_style)


def _declared(statement: Stmt, symbol: Symbol) -> Variable | None:
    """The declaration of the variable alone, which gives it no value."""
    match statement:
        case Declare(variables=(variable,)) if variable.symbol == symbol:
            return variable if variable.initial is None and not variable.suffix else None
        case _:
            return None


def _given(statement: Stmt) -> tuple[Symbol, Symbol] | None:
    """The pointer that gets what a block has made, and that which it has it in."""
    match statement:
        case Block(statements=(*front, ExprStatement(expr=Assign(op="=") as last)), directive=how):
            target, own = strip_parens(last.target), strip_parens(last.value)
        case _:
            return None
    if how or not isinstance(target, VarRef) or not isinstance(own, VarRef):
        return None
    one, other = target.symbol, own.symbol
    declares = [
        n for n in front if isinstance(n, Declare) and any(v.symbol == other for v in n.variables)
    ]
    kinds = (TypeKind.POINTER, TypeKind.RECORD)
    same = unqualified(one.type) == unqualified(other.type) or _is_untyped(other)
    if one.type.kind not in kinds or not same:
        return None
    if len(declares) != 1 or len(declares[0].variables) != 1 or one in declared_in(statement):
        return None
    named = sum(isinstance(n, VarRef) and n.symbol == one for n in walk(statement))
    return (one, other) if named == 1 and declares[0].variables[0].initial is not None else None


def _is_untyped(pointer: Symbol) -> bool:
    """Does it lead to memory of no type? The one that gets it has one."""
    element = pointer.type.element
    return element is not None and element.kind is TypeKind.VOID
