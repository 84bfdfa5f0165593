"""Variables of a block are declared where they get their first value.

    float sum;                        float sum = 0.0f;
    ...                       ->      for (int i = 0; i < n; ++i)
    sum = 0.0f;                           sum += x[i];
    for (int i = 0; i < n; ++i)
        sum += x[i];

Shared memory has no values where CUDA declares it. In a loop of which every turn begins with a
value, that is in the loop. So are arrays of which each turn has an element that no other one names:

    float s[8];                                   for (int warp = 0; warp < 8; ++warp) {
    for (int warp = 0; warp < 8; ++warp) {  ->        float s = 0.0f;
        s[warp] = 0.0f;                               ...
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Code,
    Index,
    Literal,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, rewrite_statements, walk
from g2o.ir.types import TypeKind
from g2o.transforms.hoist_increments import zero_of

_SCALARS: Final = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)


def declare_late(lowered: LoweredKernel) -> LoweredKernel:
    """The kernel with such declarations; itself where there are none."""
    whole = Block(lowered.body)
    opaque: set[Symbol] = set()
    for node in walk(whole):
        match node:
            case Text() | Verbatim() | LocalFunction() | Code(pure=False) | Unary(op="&"):
                opaque |= symbols_in(node)
            case _:
                pass

    def in_block(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        statements = node.statements
        for variable in _elements(statements, opaque):
            statements = _with_scalar(statements, variable)
        statements = tuple(rewrite_statements(one, in_block) for one in statements)
        for variable in _unset(statements, opaque):
            statements = _moved(statements, variable)
        same = len(statements) == len(node.statements) and all(
            new is old for new, old in zip(statements, node.statements, strict=True)
        )
        return node if same else replace(node, statements=statements)

    made = rewrite_statements(whole, in_block)
    return lowered if made is whole else replace(lowered, body=made.statements)


def _unset(statements: tuple[Stmt, ...], opaque: set[Symbol]) -> list[Variable]:
    found: list[Variable] = []
    for statement in statements:
        match statement:
            case Declare(variables=(Variable(initial=None, suffix="") as variable,)):
                symbol = variable.symbol
                plain = symbol.type.kind in _SCALARS and not symbol.type.is_volatile
                if symbol.storage is Storage.SHARED and plain and symbol not in opaque:
                    found.append(variable)
            case _:
                pass
    return found


def _elements(statements: tuple[Stmt, ...], opaque: set[Symbol]) -> list[Variable]:
    """The arrays of one dimension that a block declares for itself."""
    found: list[Variable] = []
    for statement in statements:
        match statement:
            case Declare(variables=(Variable(extents=(_,)) as variable,)):
                symbol = variable.symbol
                element = symbol.type.element
                plain = element is not None and element.kind in _SCALARS
                plain = plain and element is not None and not element.is_volatile
                if symbol.storage is Storage.SHARED and plain and symbol not in opaque:
                    found.append(variable)
            case _:
                pass
    return found


def _with_scalar(statements: tuple[Stmt, ...], variable: Variable) -> tuple[Stmt, ...]:
    """The statements with a variable in the one loop of which each turn has its own element."""
    symbol = variable.symbol
    element = symbol.type.element
    naming = [one for one in statements if symbol in symbols_in(one)]
    own = [one for one in naming if isinstance(one, Declare) and _declares(one, symbol)]
    others = [one for one in naming if one not in own]
    if len(own) != 1 or len(others) != 1 or element is None:
        return statements
    loop = others[0]
    zeroed = isinstance(variable.initial, Literal) and variable.initial.text == "{}"
    if not isinstance(loop, CountedLoop) or loop.directive or (variable.initial and not zeroed):
        return statements
    heads = symbols_in(loop.lower) | symbols_in(loop.upper)
    scalar = Symbol(symbol.id, symbol.name, element, symbol.storage, symbol.wish)
    named = sum(isinstance(node, VarRef) and node.symbol is symbol for node in walk(loop.body))
    places = [node for node in walk(loop.body) if _is_place(node, symbol, loop.index)]
    if symbol in heads or named != len(places) or not named:
        return statements

    def replacement(node: Node) -> Node | None:
        return VarRef(scalar) if _is_place(node, symbol, loop.index) else None

    first, style = (zero_of(element), "=") if zeroed else (None, "")
    declared = Declare((Variable(scalar, f"{element.spelling} ", "", first, style),))
    inner = [rewrite(one, replacement) for one in statements_of(loop.body)]
    body = Block((declared, *_without_last_zeros(inner, scalar)))
    new = replace(loop, body=body)
    return tuple(new if one is loop else one for one in statements if one is not own[0])


def _without_last_zeros(statements: list[Stmt], scalar: Symbol) -> list[Stmt]:
    """The statements without a number for a variable that nobody reads any more."""
    for position in reversed(range(len(statements))):
        if scalar not in symbols_in(statements[position]):
            continue
        match statements[position]:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=Literal())):
                if symbol == scalar:
                    return statements[:position] + statements[position + 1 :]
            case _:
                pass
        break
    return statements


def _declares(statement: Declare, symbol: Symbol) -> bool:
    return any(one.symbol is symbol for one in statement.variables)


def _is_place(node: Node, array: Symbol, index: Symbol) -> bool:
    match node:
        case Index(base=VarRef(symbol=base), index=VarRef(symbol=at)):
            return base == array and at == index
        case _:
            return False


def _moved(statements: tuple[Stmt, ...], variable: Variable) -> tuple[Stmt, ...]:
    """The statements with the declaration where the first value is; themselves where it stays."""
    symbol = variable.symbol
    own = next(
        i
        for i, one in enumerate(statements)
        if isinstance(one, Declare) and any(v.symbol is symbol for v in one.variables)
    )
    naming = [i for i, one in enumerate(statements) if i != own and symbol in symbols_in(one)]
    if not naming or naming[0] < own:
        return statements
    first = statements[naming[0]]
    new = _with_value(first, variable)
    if new is None and len(naming) == 1:
        new = _inside(first, variable)
    if new is None:
        return statements
    trivia = statements[own].trivia
    if trivia.before or trivia.after:
        return statements
    kept = [new if i == naming[0] else one for i, one in enumerate(statements) if i != own]
    return tuple(kept)


def _with_value(statement: Stmt, variable: Variable) -> Stmt | None:
    match statement:
        case ExprStatement(expr=expr):
            assigned = strip_parens(expr)
        case _:
            return None
    match assigned:
        case Assign(op="=", target=VarRef(symbol=symbol), value=value):
            if symbol is not variable.symbol or symbol in symbols_in(value):
                return None
            if any(isinstance(node, Assign) for node in walk(value)):
                return None
            declared = replace(variable, initial=value, initial_style="=")
            return Declare((declared,), trivia=statement.trivia)
        case _:
            return None


def _inside(statement: Stmt, variable: Variable) -> Stmt | None:
    """The only statement that names the variable, with the declaration in it."""
    match statement:
        case Block(statements=inner):
            new = _moved((Declare((variable,)), *inner), variable)
            return None if len(new) > len(inner) else replace(statement, statements=new)
        case CountedLoop(body=body, lower=lower, upper=upper):
            if variable.symbol in symbols_in(lower) | symbols_in(upper):
                return None
        case For(body=body, initial=initial, condition=condition, increment=increment):
            heads = (initial, condition, increment)
            if any(one is not None and variable.symbol in symbols_in(one) for one in heads):
                return None
        case _:
            return None
    block = Block(statements_of(body))
    new_body = _inside(block, variable)
    return None if new_body is None else replace(statement, body=new_body)
