"""What the last loop keeps for its adjoint, as variables of an iteration of both.

    double *kept_x = g2o_keep(...);               for (int i = 0; i < n; ++i) {
    for (int i = 0; i < n; ++i) {                     const double kept_x = x[i];
        kept_x[i] = x[i];                             x[i] = sin(x[i]);
        x[i] = sin(x[i]);                         }
    }                                      ->     for (int i = 0; i < n; ++i)
    double *kept_x2 = g2o_take(...);                  d_x[i] = cos(kept_x) * d_x[i];
    for (int i = 0; i < n; ++i)
        d_x[i] = cos(kept_x2[i]) * d_x[i];
    free(kept_x2);

That is no program by itself: `joined_sweeps.py` makes one loop of both. Legal for values of which
each iteration keeps one in any case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.ir.expressions import Assign, Call, Expr, Form, Index, Unary, VarRef
from g2o.ir.statements import Block, Declare, ExprStatement, For, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk


@final
@dataclass(frozen=True, slots=True)
class Untaped:
    """The statements of a function with two loops, of which the second one reads what the first one
    has in variables. `first` and `second` are their places."""

    statements: tuple[Stmt, ...]
    first: int
    second: int


def without_tapes(
    statements: Sequence[Stmt], first: int, second: int, symbols: SymbolTable
) -> Untaped | None:
    """The statements without the tapes of the loops at two places; None where there are none, or
    they are used in another way."""
    one, other = statements[first], statements[second]
    assert isinstance(one, For)
    assert isinstance(other, For)
    keeps: list[Symbol] = []
    start = first
    while start > 0 and (kept := _declared_by(statements[start - 1], "g2o_keep")) is not None:
        keeps.insert(0, kept)
        start -= 1
    between = statements[first + 1 : second]
    takes = [taken for each in between if (taken := _declared_by(each, "g2o_take")) is not None]
    if not keeps or len(keeps) != len(takes):
        return None
    values: dict[Symbol, Symbol] = {}
    for kept, taken in zip(keeps, reversed(takes), strict=True):
        element = kept.type.element
        if element is None or taken.type.element != element:
            return None
        reader = _reader(other, taken)
        value = reader or symbols.fresh(kept.name, element, Storage.LOCAL)
        known = _constant_kept(one, kept)
        if reader is not None:
            other = _without_declaration(other, reader)
            other = other if known is None else rename_symbols(other, {reader: known})
        one = _with_variable(one, kept, value, known)
        if one is None or not _is_only_read(other, taken):
            return None
        values[taken] = known or value
    new_other = rewrite(other, lambda node: _read(node, values))
    behind = statements[second + 1 :]
    freed = [each for each in behind if _freed(each) in values]
    if len(freed) != len(values):
        return None
    front = (*statements[:start], one)
    inside = tuple(each for each in between if _declared_by(each, "g2o_take") is None)
    left = tuple(each for each in behind if _freed(each) not in values)
    made = _without_stack((*front, *inside, new_other, *left))
    second = next(at for at, each in enumerate(made) if each is new_other)
    return Untaped(made, next(at for at, each in enumerate(made) if each is one), second)


def _declared_by(statement: Stmt, function: str) -> Symbol | None:
    """The variable that a statement declares with a call of a function."""
    match statement:
        case Declare(variables=(Variable(symbol=symbol, initial=Call(name=name)),)):
            return symbol if name == function else None
        case _:
            return None


def _constant_kept(loop: For, kept: Symbol) -> Symbol | None:
    """The constant of an iteration whose value it keeps."""
    constants = {
        variable.symbol
        for one in statements_of(loop.body)
        if isinstance(one, Declare)
        for variable in one.variables
        if variable.declared.split()[0] == "const" and not variable.suffix
    }
    for one in statements_of(loop.body):
        match one:
            case ExprStatement(
                expr=Assign(target=Index(base=VarRef(symbol=symbol)), value=VarRef(symbol=value))
            ) if symbol == kept and value in constants:
                spelled = value.type.spelling.removeprefix("const ")
                same = kept.type.element is not None and kept.type.element.spelling == spelled
                return value if same else None
            case _:
                pass
    return None


def _with_variable(loop: For, kept: Symbol, value: Symbol, known: Symbol | None) -> For | None:
    """The loop with a variable for what each iteration keeps, where none is `known`."""
    if sum(isinstance(n, VarRef) and n.symbol == kept for n in walk(loop)) != 1:
        return None
    statements: list[Stmt] = []
    found = False
    for one in statements_of(loop.body):
        match one:
            case ExprStatement(expr=Assign(op="=", target=Index(base=VarRef(symbol=symbol)))) if (
                symbol == kept
            ):
                assert isinstance(one.expr, Assign)
                spelled = f"const {value.type.spelling.removeprefix('const ')}"
                declared = Variable(value, spelled, "", one.expr.value, "=")
                if known is None:
                    statements.append(Declare((declared,), trivia=one.trivia))
                found = True
            case _:
                statements.append(one)
    body = Block(tuple(statements))
    return replace(loop, body=body, form=Form.BUILT) if found else None


def _is_only_read(loop: For, taken: Symbol) -> bool:
    nodes = [*walk(loop)]
    named = sum(isinstance(node, VarRef) and node.symbol == taken for node in nodes)
    read = sum(_element_of(node) == taken for node in nodes)
    changed = [
        node.target if isinstance(node, Assign) else node.operand
        for node in nodes
        if isinstance(node, Assign) or (isinstance(node, Unary) and node.op in ("++", "--", "&"))
    ]
    return named == read and not any(_element_of(place) == taken for place in changed)


def _reader(loop: For, taken: Symbol) -> Symbol | None:
    """The variable that alone is told what was kept, and stays so."""
    found: list[Symbol] = []
    for one in statements_of(loop.body):
        for variable in one.variables if isinstance(one, Declare) else ():
            initial = variable.initial
            if initial is not None and _element_of(initial) == taken:
                if variable.declared.split()[0] == "const":
                    found.append(variable.symbol)
    reads = sum(_element_of(node) == taken for node in walk(loop))
    return found[0] if len(found) == reads == 1 else None


def _without_declaration(loop: For, symbol: Symbol) -> For:
    statements = tuple(
        one
        for one in statements_of(loop.body)
        if not (isinstance(one, Declare) and [v.symbol for v in one.variables] == [symbol])
    )
    return replace(loop, body=Block(statements), form=Form.BUILT)


def _element_of(node: Node) -> Symbol | None:
    match node:
        case Index(base=VarRef(symbol=symbol)):
            return symbol
        case _:
            return None


def _read(node: Node, values: dict[Symbol, Symbol]) -> Expr | None:
    taken = _element_of(node)
    return VarRef(values[taken]) if taken is not None and taken in values else None


def _freed(statement: Stmt) -> Symbol | None:
    match statement:
        case ExprStatement(expr=Call(name="free", arguments=(VarRef(symbol=symbol),))):
            return symbol
        case _:
            return None


def _without_stack(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Without the stack of what loops keep, where none keeps anything any more."""
    calls = [node for one in statements for node in walk(one) if isinstance(node, Call)]
    stacks = {s for one in calls if one.name in ("g2o_keep", "g2o_take") for s in symbols_in(one)}

    def is_idle(statement: Stmt) -> bool:
        match statement:
            case Declare(variables=(Variable(symbol=symbol),)):
                return symbol.type.spelling == "g2o_stack" and symbol not in stacks
            case ExprStatement(expr=Call(name="g2o_free_stack") as call):
                return symbols_in(call).isdisjoint(stacks)
            case _:
                return False

    return tuple(one for one in statements if not is_idle(one))
