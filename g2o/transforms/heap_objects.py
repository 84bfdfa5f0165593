"""Structures of which a C function asks the heap for one, as variables.

    matrix *m = malloc(sizeof *m);            matrix object;
    if (!m)                                   matrix *m = &object;
        return -1.0;                   ->
    m->data = calloc(n, 8);                   m->data = calloc(n, 8);
    ...                                       ...
    free(m);

Legal where the pointer always leads there, and nothing keeps what it leads to: it is looked behind,
compared with null, handed to functions, freed. The derivative takes it that there is memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Final

from g2o.analysis.allocations import ALLOCATING
from g2o.analysis.copied_elements import copied_count
from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Expr,
    Form,
    InitList,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    Empty,
    ExprStatement,
    If,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, TypeKind, unqualified
from g2o.transforms.dead_nulls import is_null

_FALSE: Final = Literal("0", 0, BOOL)
_TRUE: Final = Literal("1", 1, BOOL)


def with_heap_objects_declared(body: Block, effects: EffectsOf, symbols: SymbolTable) -> Block:
    """`body` with them as variables. `symbols` are those of the function, which gets new ones."""
    found = [
        variable.symbol
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if _asked(variable) is not None
    ]
    if not found:
        return body
    written = written_after_declaration(body, effects)
    names = _names(body, {one for one in found if one not in written}, written)
    uses = Counter(n.symbol for n in walk(body) if isinstance(n, VarRef) and n.symbol in names)
    known = Counter(symbol for node in walk(body) for symbol in _plain_uses(node, names))
    kept = {names[one] for one, count in uses.items() if count != known[one]}
    names = {one: of for one, of in names.items() if of not in kept}
    return _replaced(body, names, symbols) if names else body


def _asked(variable: Variable) -> Call | None:
    """The call that gives a pointer memory for one structure."""
    symbol, value = variable.symbol, variable.initial
    element = symbol.type.element
    is_pointer = symbol.type.kind is TypeKind.POINTER and symbol.storage is Storage.LOCAL
    if not is_pointer or element is None or element.kind is not TypeKind.RECORD or value is None:
        return None
    inner = strip_parens(value)
    inner = strip_parens(inner.operand) if isinstance(inner, Cast) else inner
    if not isinstance(inner, Call) or inner.name not in ALLOCATING:
        return None
    first, *others = map(strip_parens, inner.arguments)
    size = Binary("*", first, others[0], INT) if others else first
    count = copied_count(size, element, (VarRef(symbol),))
    return inner if count is not None and integer_value(count) == 1 else None


def _names(
    body: Block, pointers: Collection[Symbol], written: Collection[Symbol]
) -> dict[Symbol, Symbol]:
    """The pointers, and others that only hold one of them, by what they are."""
    names = {one: one for one in pointers}
    for node in walk(body):
        for variable in node.variables if isinstance(node, Declare) else ():
            value = None if variable.initial is None else strip_parens(variable.initial)
            if isinstance(value, VarRef) and value.symbol in names:
                if variable.symbol not in written:
                    names[variable.symbol] = names[value.symbol]
    return names


def _plain_uses(node: Node, names: Collection[Symbol]) -> list[Symbol]:
    """The pointers that a node only looks behind, compares, hands over or gives another name."""
    match node:
        case Member(base=base, arrow=True) | Unary(op="*" | "!", operand=base) | If(condition=base):
            operands: tuple[Expr, ...] = (base,)
        case Binary(op="&&" | "||", left=left, right=right):
            operands = (left, right)
        case Binary(op="==" | "!=", left=left, right=right) if is_null(left) or is_null(right):
            operands = (left, right)
        case Call(arguments=arguments):
            operands = arguments
        case Verbatim(pure=True, parts=parts):  # `sizeof *m`
            operands = parts
        case Declare(variables=variables):
            operands = tuple(
                one.initial for one in variables if one.initial is not None and one.symbol in names
            )
        case _:
            return []
    inner = map(_bare, operands)
    return [one.symbol for one in inner if isinstance(one, VarRef) and one.symbol in names]


def _bare(expr: Expr) -> Expr:
    inner = strip_parens(expr)
    return _bare(inner.operand) if isinstance(inner, Cast) else inner


def _replaced(body: Block, names: Collection[Symbol], symbols: SymbolTable) -> Block:
    def is_one(expr: Expr) -> bool:
        inner = _bare(expr)
        return isinstance(inner, VarRef) and inner.symbol in names

    def holds(condition: Expr) -> Expr:
        """A condition, where these pointers are not null."""
        inner = strip_parens(condition)
        if is_one(inner):
            return _TRUE
        made = rewrite(inner, replacement)
        return made if made is not inner else condition

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements) if any(map(_declares, statements)):
                made = [part for one in statements for part in _declared(one, names, symbols)]
                new = tuple(rewrite(one, replacement) for one in made)
                return replace(node, statements=new, form=Form.BUILT)
            case ExprStatement(expr=Call(name="free", arguments=(given,))) if is_one(given):
                return Empty(trivia=node.trivia)
            case If(condition=condition, then=then, otherwise=otherwise):
                held = holds(condition)
                if held is condition:
                    return None
                if integer_value(held) is None:
                    parts = (rewrite(then, replacement), otherwise)
                    other = None if otherwise is None else rewrite(otherwise, replacement)
                    return replace(
                        node, condition=held, then=parts[0], otherwise=other, form=Form.BUILT
                    )
                chosen: Stmt | None = then if integer_value(held) else otherwise
                return Empty() if chosen is None else rewrite(chosen, replacement)
            case Unary(op="!", operand=operand) if is_one(operand):
                return _FALSE
            case Binary(op="==" | "!=" as op, left=left, right=right) if (
                is_null(left) and is_one(right)
            ) or (is_null(right) and is_one(left)):
                return _FALSE if op == "==" else _TRUE
            case Binary(op="&&" | "||" as op, left=left, right=right):
                sides = [holds(left), holds(right)]
                if sides[0] is left and sides[1] is right:
                    return None
                decides = op == "||"
                known = [integer_value(one) for one in sides]
                if known[0] is not None:
                    return (_TRUE if decides else _FALSE) if bool(known[0]) is decides else sides[1]
                if known[1] is not None and bool(known[1]) is not decides:
                    return sides[0]
                return replace(node, left=sides[0], right=sides[1], form=Form.BUILT)
            case Paren(inner=inner):
                made = rewrite(inner, replacement)
                return made if isinstance(made, Literal) and made is not inner else None
            case _:
                return None

    return rewrite(body, replacement)


def _declares(statement: Stmt) -> bool:
    return isinstance(statement, Declare) and any(_asked(one) for one in statement.variables)


def _declared(statement: Stmt, names: Collection[Symbol], symbols: SymbolTable) -> list[Stmt]:
    if not isinstance(statement, Declare) or not _declares(statement):
        return [statement]
    made: list[Stmt] = []
    trivia = statement.trivia
    for variable in statement.variables:
        call, element = _asked(variable), variable.symbol.type.element
        if call is None or element is None or variable.symbol not in names:
            made.append(Declare((variable,), trivia=trivia))
            continue
        plain = replace(element, spelling=unqualified(element), is_const=False)
        wish = f"{variable.symbol.name}_object"
        own = symbols.fresh(wish, plain, Storage.LOCAL)
        zero = InitList((Literal("0", 0, INT),), plain) if call.name == "calloc" else None
        style = "=" if zero is not None else ""
        made.append(Declare((Variable(own, plain.spelling, "", zero, style),), trivia=trivia))
        address = Unary("&", VarRef(own), type=variable.symbol.type)
        made.append(Declare((replace(variable, initial=address, initial_style="="),)))
        trivia = NO_TRIVIA
    return made
