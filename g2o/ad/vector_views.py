"""Arrays of real numbers that are loaded and stored as vectors of these: the elements.

    float4 four = *reinterpret_cast<const float4 *>(&a[i]);    float4 four = {a[i], a[i + 1],
    b_tile[0][c] = four.x;                                  ->                a[i + 2], a[i + 3]};
    *reinterpret_cast<float4 *>(&y[i]) = four;                 b_tile[0][c] = four.x;
                                                               y[i] = four.x; y[i + 1] = ...

How many numbers a processor moves at once says nothing of derivatives, and what is known of an
array is known of its elements: which threads meet there, what was stored before. Legal where the
array has numbers of the vector's own type: a vector has them one after the other. Two views of
which one is copied to the other are the same one where they overlap (C++ [expr.ass]); of any other
value all is worked out before any of it is stored.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, final

from g2o.ad.reals import fields_of
from g2o.analysis.copied_elements import element_at
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expr,
    Form,
    Index,
    InitList,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    is_primary,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind, number_name, unqualified

_PURE: Final = (VarRef, LaunchRef, Literal, Binary, Paren, Cast, Index, Member)


def with_elements_of_views(kernel: Kernel) -> Kernel:
    """`kernel` with the elements of arrays in place of views of several of them."""
    if not any(_numbers_of(one) for one in walk(kernel.body) if isinstance(one, (Unary, Index))):
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    body = _Views(symbols).inside(kernel.body)
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


@final
class _Views:
    def __init__(self, symbols: SymbolTable) -> None:
        self.symbols = symbols

    def inside(self, block: Block) -> Block:
        made = [new for one in block.statements for new in self._statement(one)]
        if len(made) == len(block.statements) and all(map(_is, made, block.statements)):
            return block
        return replace(block, statements=tuple(made), form=Form.BUILT)

    def _statement(self, statement: Stmt) -> list[Stmt]:
        match statement:
            case ExprStatement(expr=expr) if stored := self._stored(strip_parens(expr)):
                return [replace(stored[0], trivia=statement.trivia), *stored[1:]]
            case _:
                return [rewrite(statement, self._replaced)]

    def _replaced(self, node: Node) -> Node | None:
        match node:
            case Block():
                return self.inside(node)
            case ExprStatement(expr=expr) if stored := self._stored(strip_parens(expr)):
                return Block(tuple(stored), trivia=node.trivia)
            case ExprStatement(expr=Assign(op="=", target=target, value=value)) if (
                loaded := self._loaded(value)
            ) is not None:
                ctype = value_type(target)
                given = Cast(loaded, replace(ctype, spelling=unqualified(ctype), is_const=False))
                to = rewrite(target, self._replaced)
                assign = Assign("=", to, given, node.expr.type)
                return ExprStatement(assign, trivia=node.trivia)
            case Declare(variables=(variable,)) if variable.initial is not None:
                loaded = self._loaded(variable.initial)
                if loaded is None or variable.symbol.type.kind is not TypeKind.RECORD:
                    return None
                new = replace(variable, initial=loaded, initial_style="=")
                return replace(node, variables=(new,), form=Form.BUILT, span=None)
            case Member(base=base, name=name):
                numbers = _numbers_of(strip_parens(base))
                if numbers is None or name not in numbers:
                    return None
                return rewrite(numbers[name], self._replaced)
            case _:
                return None

    def _loaded(self, value: Expr) -> InitList | None:
        """What a view has, number by number."""
        view = strip_parens(value)
        numbers = _numbers_of(view)
        if numbers is None:
            return None
        elements = tuple(rewrite(one, self._replaced) for one in numbers.values())
        return InitList(elements, value_type(view))

    def _stored(self, expr: Expr) -> list[Stmt]:
        """Stores to the elements in place of one to a view."""
        if not isinstance(expr, Assign) or expr.op != "=":
            return []
        view = strip_parens(expr.target)
        numbers = _numbers_of(view)
        if numbers is None:
            return []
        made: list[Stmt] = []
        value = strip_parens(expr.value)
        given = _numbers_of(value)
        if given is None or given.keys() != numbers.keys():
            if not isinstance(value, VarRef):
                ctype = value_type(view)
                ctype = replace(ctype, spelling=unqualified(ctype), is_const=False)
                whole = self.symbols.fresh("value", ctype, Storage.LOCAL)
                initial = rewrite(value, self._replaced)
                made.append(Declare((Variable(whole, ctype.spelling, "", initial, "="),)))
                value = VarRef(whole)
            given = {name: Member(value, name, type=one.type) for name, one in numbers.items()}
        for name, place in numbers.items():
            to = rewrite(place, self._replaced)
            what = rewrite(given[name], self._replaced)
            made.append(ExprStatement(Assign("=", to, what, place.type)))
        return made


def _is(one: Stmt, other: Stmt) -> bool:
    return one is other


def _numbers_of(view: Expr) -> dict[str, Expr] | None:
    """The elements of an array that a view shows, by the members of the vector."""
    match view:
        case Unary(op="*", operand=pointer):
            first: Expr = Literal("0", 0, INT)
        case Index(base=pointer, index=first):
            pass
        case _:
            return None
    ctype = value_type(view)
    fields = fields_of(ctype)
    if ctype.kind is not TypeKind.RECORD or not fields or ctype.fields or ctype.is_volatile:
        return None
    number = fields[0][1]
    numbers = _array(strip_parens(pointer))
    if numbers is None or not _is_pure(first) or not _is_pure(numbers):
        return None
    element = _element_of(numbers)
    if element is None or number_name(element) != number_name(number) or element.is_volatile:
        return None
    element = replace(element, spelling=unqualified(element), is_const=False)
    begin = integer_value(first)
    found: dict[str, Expr] = {}
    for position, (name, _) in enumerate(fields):
        if begin is not None:
            at = len(fields) * begin + position
            index: Expr = Literal(str(at), at, INT)
        else:
            factor = first if is_primary(first) else Paren(first, first.type)
            index = Binary("*", factor, Literal(str(len(fields)), len(fields), INT), first.type)
            if position:
                number_of = Literal(str(position), position, INT)
                index = Binary("+", index, number_of, first.type)
        found[name] = element_at(numbers, index, element)
    return found


def _array(pointer: Expr) -> Expr | None:
    """The pointer to numbers that a pointer to vectors has been made from."""
    inner, converted = pointer, False
    while isinstance(inner, Cast) and inner.type.kind is TypeKind.POINTER:
        inner, converted = strip_parens(inner.operand), True
    return inner if converted else None


def _element_of(pointer: Expr) -> CType | None:
    if isinstance(pointer, Unary) and pointer.op == "&":
        return value_type(pointer.operand)
    ctype = value_type(pointer)
    return ctype.element if ctype.kind in (TypeKind.POINTER, TypeKind.ARRAY) else None


def _is_pure(expr: Expr) -> bool:
    return all(
        isinstance(node, _PURE) or (isinstance(node, Unary) and node.op not in ("++", "--"))
        for node in walk(expr)
    )
