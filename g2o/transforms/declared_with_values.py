"""Variables that a block declares in front, and gives their only value further down, are declared
there, as C programmers do today.

    unsigned bytes = 0;                              double *w = malloc(n * sizeof(double));
    double *w;                               ->      unsigned bytes = n * sizeof(double);
    w = malloc(n * sizeof(double));                  memcpy(w, x, bytes);
    bytes = n * sizeof(double);
    memcpy(w, x, bytes);

What keeps the value of its declaration is known to all that asks for sizes. Legal where the block
itself sets the variable, once, nothing else sets it, and nothing names it in front of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Form, Unary, VarRef, integer_value, strip_parens
from g2o.ir.statements import Block, Declare, Empty, ExprStatement, Labelled, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk


def with_declarations_at_values(body: Block, wanted: Callable[[Symbol], bool]) -> Block:
    """The body with those declarations of `wanted` variables."""
    written = Counter(one for node in walk(body) for one in _written(node))

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block) or any(isinstance(s, Labelled) for s in node.statements):
            return None
        moved = _moved(node, wanted, written)
        if not moved:
            return None
        return rewrite(_with_moved(node, moved), replacement)

    return rewrite(body, replacement)


def _written(node: Node) -> list[Symbol]:
    match node:
        case Assign(target=target) | Unary(op="++" | "--" | "&", operand=target):
            inner = strip_parens(target)
            return [inner.symbol] if isinstance(inner, VarRef) else []
        case _:
            return []


def _moved(
    block: Block, wanted: Callable[[Symbol], bool], written: Counter[Symbol]
) -> dict[Symbol, int]:
    """The variables, and where the block gives them their value."""
    waiting: set[Symbol] = set()
    found: dict[Symbol, int] = {}
    for at, statement in enumerate(block.statements):
        match statement:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)) if (
                symbol in waiting and symbol not in symbols_in(value)
            ):
                found[symbol] = at
            case _:
                pass
        waiting -= symbols_in(statement)
        if isinstance(statement, Declare):
            waiting |= {
                one.symbol
                for one in statement.variables
                if _may_wait(one) and wanted(one.symbol) and written[one.symbol] == 1
            }
    return found


def _may_wait(variable: Variable) -> bool:
    is_local = variable.symbol.storage is Storage.LOCAL
    plain = variable.initial is None or integer_value(variable.initial) is not None
    return is_local and plain and not variable.extents and not variable.symbol.type.is_volatile


def _with_moved(block: Block, moved: dict[Symbol, int]) -> Block:
    made: list[Stmt] = []
    places = {at: symbol for symbol, at in moved.items()}
    declared = {
        one.symbol: one
        for statement in block.statements
        if isinstance(statement, Declare)
        for one in statement.variables
    }
    for at, statement in enumerate(block.statements):
        if at in places and isinstance(statement, ExprStatement):
            assert isinstance(statement.expr, Assign)
            value = statement.expr.value
            variable = replace(declared[places[at]], initial=value, initial_style="=")
            made.append(Declare((variable,), trivia=statement.trivia))
        elif isinstance(statement, Declare) and moved.keys() & symbols_in(statement):
            kept = tuple(one for one in statement.variables if one.symbol not in moved)
            rest = replace(statement, variables=kept, form=Form.BUILT)
            made.append(rest if kept else Empty(trivia=statement.trivia))
        else:
            made.append(statement)
    return replace(block, statements=tuple(made), form=Form.BUILT)
