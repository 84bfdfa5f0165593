"""Memory of real numbers that is moved as vectors of integers: the elements that are moved.

    int4 bits = *(const int4 *)(x + i);           float bits[4];
    *(int4 *)(y + i) = bits;                      for (int k = 0; k < 4; ++k)
                                           ->         bits[k] = x[i + k];
                                                  for (int k = 0; k < 4; ++k)
                                                      y[i + k] = bits[k];

What is moved may have any type without real numbers: a vector or a structure of integers, storage
of a size and an alignment, one long integer. Legal where a kernel asks variables of such types for
nothing but their bits as a whole, and all that they are copied from and to has real numbers of one
type.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.copied_elements import bytes_measured, element_at, measures
from g2o.analysis.lvalues import object_at
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    is_primary,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    DeclareTypes,
    ExprStatement,
    For,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind, number_name, unqualified

_WORD: Final = re.compile(r"[A-Za-z_]\w*")

_Owner = Symbol | str
"""A variable, or the type of the numbers in memory."""


def with_elements(kernel: Kernel) -> Kernel:
    """`kernel` with elements in place of such vectors, where they are nothing else."""
    if not any(_is_bundle(value_type(one)) or _is_word(one) for one in _places(kernel.body)):
        return kernel
    uses = _Uses()
    uses.visit(kernel.body)
    symbols = SymbolTable(continued=kernel.function.symbols)
    body = _Elements(uses.numbers(), symbols).inside(kernel.body)
    body = _without_types(body, _types_spelled(kernel.body) - _types_spelled(body))
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _types_spelled(body: Block) -> set[str]:
    """The words in the types of variables and of casts."""
    spelled: list[str] = []
    for node in walk(body):
        match node:
            case Cast(type=ctype):
                spelled.append(ctype.spelling)
            case Declare(variables=variables):
                spelled += [one.declared for one in variables]
            case _:
                pass
    return {word for one in spelled for word in _WORD.findall(one)}


def _without_types(body: Block, unused: Collection[str]) -> Block:
    """The body without names of types that only its vectors had, where no other types are declared
    and no text may name them."""
    if any(isinstance(node, (Verbatim, Code, Text, LocalFunction)) for node in walk(body)):
        return body
    declared = [node for node in walk(body) if isinstance(node, DeclareTypes)]
    if not declared or not all(len(one.names) == 1 and one.names[0] in unused for one in declared):
        return body

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        kept = [one for one in node.statements if not isinstance(one, DeclareTypes)]
        inner = tuple(rewrite(one, replacement) for one in kept)
        return replace(node, statements=inner, form=Form.BUILT)

    return rewrite(body, replacement)


def _places(body: Block) -> Iterator[Expr]:
    return (one for one in walk(body) if isinstance(one, (VarRef, Unary, Index)))


def _is_bundle(ctype: CType) -> bool:
    """Does an object of this type have bits, and nothing in it that is more than these?"""
    special = ctype.hides_reals or ctype.is_union or ctype.is_view or ctype.is_half
    lives = ctype.constructs or ctype.ends or ctype.copies
    if ctype.kind is not TypeKind.RECORD or not ctype.bits or special or lives:
        return False
    return all(one.innermost.kind is TypeKind.INTEGER for _, one in ctype.fields)


def _is_word(place: Expr) -> bool:
    """Is this an integer in the memory of real numbers, `*(long long *)(x + i)`?"""
    match strip_parens(place):
        case Index(base=pointer) | Unary(op="*", operand=pointer):
            pass
        case _:
            return False
    if value_type(place).kind is not TypeKind.INTEGER:
        return False
    while isinstance(pointer, (Binary, Paren)):
        pointer = pointer.inner if isinstance(pointer, Paren) else pointer.left
    return isinstance(pointer, Cast) and _numbers(pointer) is not None


def _element_of(pointer: Expr) -> CType | None:
    ctype = value_type(pointer)
    return ctype.element if ctype.kind in (TypeKind.POINTER, TypeKind.ARRAY) else None


def _is_to_bundle(pointer: Expr) -> bool:
    element = _element_of(pointer)
    return element is not None and _is_bundle(element)


def _numbers(pointer: Expr) -> Expr | None:
    """The pointer to real numbers that a pointer, or the address of an array of them, is."""
    inner = strip_parens(pointer)
    while isinstance(inner, Cast) and inner.type.kind is TypeKind.POINTER:
        inner = strip_parens(inner.operand)
    if isinstance(inner, Unary) and inner.op == "&":
        place = strip_parens(inner.operand)
        if value_type(place).kind is TypeKind.ARRAY:
            inner = place
    element = _element_of(inner)
    if isinstance(inner, Unary) and inner.op == "&":
        element = value_type(inner.operand)
    return inner if element is not None and element.kind is TypeKind.FLOATING else None


def _number_type(pointer: Expr) -> CType:
    """The type of the numbers behind what `_numbers` gives."""
    if isinstance(pointer, Unary) and pointer.op == "&":
        return value_type(pointer.operand)
    element = _element_of(pointer)
    assert element is not None
    return element


@final
@dataclass(slots=True)
class _Uses:
    """What such variables are copied from and to; those `otherwise` used stay as they are."""

    links: list[tuple[_Owner, _Owner]] = field(default_factory=list[tuple[_Owner, _Owner]])
    otherwise: set[_Owner] = field(default_factory=set[_Owner])
    types: dict[str, CType] = field(default_factory=dict[str, CType])

    def numbers(self) -> dict[_Owner, CType]:
        """The variables that can be elements, and memory that always has been, with their type."""
        found: dict[_Owner, CType] = {**self.types}
        seen: set[_Owner] = set()
        for start in [one for pair in self.links for one in pair if isinstance(one, Symbol)]:
            if start in seen:
                continue
            group = {start}
            while more := {
                one
                for pair in self.links
                if not group.isdisjoint(pair)
                for one in pair
                if one not in group and isinstance(one, Symbol)
            }:
                group |= more
            seen |= group
            kinds = {one for pair in self.links if not group.isdisjoint(pair) for one in pair}
            named = [one for one in kinds if isinstance(one, str)]
            if len(named) == 1 and named[0] in self.types and not group & self.otherwise:
                found.update(dict.fromkeys(group, self.types[named[0]]))
        return found

    def visit(self, node: Node) -> None:
        match node:
            case ExprStatement(expr=Assign(op="=", target=target, value=value)) if _is_bundle(
                value_type(target)
            ):
                self._link(self._of(target), self._of(value))
            case ExprStatement(expr=Call(name="memcpy", arguments=(to, what, size))) if (
                self._is_of_bundle(to) or self._is_of_bundle(what)
            ):
                one, other = self._side(to), self._side(what)
                bundle = next(object_at(side) for side in (to, what) if self._is_of_bundle(side))
                assert bundle is not None
                same = bytes_measured(size) == value_type(bundle).bits // 8
                self._link(one if same else None, other)
                self._link(other if same else None, one)
            case Declare(variables=variables):
                for one in variables:
                    self._declared(one)
            case Cast(operand=operand, type=ctype) if self._is_of_bundle(operand) and (
                ctype.element is not None and ctype.element.kind is TypeKind.FLOATING
            ):
                place = object_at(operand)
                assert place is not None
                self._link(self._of(place), self._kind(ctype.element))
            case Verbatim() if measures(node):
                pass
            case VarRef(symbol=symbol) if _is_bundle(symbol.type) or _is_to_bundle(node):
                self.otherwise.add(symbol)
            case _:
                for child in children(node):
                    self.visit(child)

    def _declared(self, variable: Variable) -> None:
        symbol, initial = variable.symbol, variable.initial
        if initial is None:
            return
        if _is_bundle(symbol.type):
            self._link(symbol, self._of(initial))
        elif symbol.type.kind is TypeKind.POINTER and _is_to_bundle(VarRef(symbol)):
            self._link(symbol, self._leads(initial))
        else:
            self.visit(initial)

    def _link(self, one: _Owner | None, other: _Owner | None) -> None:
        if one is not None and other is not None:
            self.links.append((one, other))
        else:
            self.otherwise |= {owner for owner in (one, other) if owner is not None}

    def _kind(self, ctype: CType) -> str:
        name = number_name(ctype)
        self.types.setdefault(name, replace(ctype, spelling=name, is_const=False))
        return name

    def _is_of_bundle(self, pointer: Expr) -> bool:
        place = object_at(pointer)
        return place is not None and _is_bundle(value_type(place))

    def _side(self, pointer: Expr) -> _Owner | None:
        place = object_at(pointer)
        if place is not None and _is_bundle(value_type(place)):
            return self._of(place)
        numbers = _numbers(pointer)
        if numbers is None:
            self.visit(pointer)
            return None
        self.visit(numbers)
        return self._kind(_number_type(numbers))

    def _of(self, place: Expr) -> _Owner | None:
        """Whose bits an lvalue is; what is inside of it is looked at, too."""
        match strip_parens(place):
            case VarRef(symbol=symbol) if symbol.storage is Storage.LOCAL:
                return symbol
            case Index(base=base, index=index):
                self.visit(index)
                return self._leads(base)
            case Unary(op="*", operand=operand):
                return self._leads(operand)
            case other:
                self.visit(other)
                return None

    def _leads(self, pointer: Expr) -> _Owner | None:
        match strip_parens(pointer):
            case VarRef(symbol=symbol) if symbol.storage is Storage.LOCAL:
                return symbol if symbol.type.kind is TypeKind.POINTER else None
            case Binary(op="+" | "-", left=left, right=right) if _is_to_bundle(left):
                self.visit(right)
                return self._leads(left)
            case Unary(op="&", operand=operand):
                return self._of(operand)
            case Cast(operand=operand) as cast if _is_to_bundle(cast):
                numbers = _numbers(operand)
                if numbers is None:
                    self.visit(operand)
                    return None
                self.visit(numbers)
                return self._kind(_number_type(numbers))
            case other:
                self.visit(other)
                return None


@final
@dataclass(frozen=True, slots=True)
class _Elements:
    """Puts elements in the places of vectors that are these numbers."""

    numbers: Mapping[_Owner, CType]
    symbols: SymbolTable

    def inside(self, block: Block) -> Block:
        made = tuple(new for one in block.statements for new in self._statement(one))
        same = len(made) == len(block.statements)
        if same and all(a is b for a, b in zip(made, block.statements, strict=True)):
            return block
        return replace(block, statements=made, form=Form.BUILT)

    def _statement(self, statement: Stmt) -> list[Stmt]:
        match statement:
            case Declare(variables=variables) if any(v.symbol in self.numbers for v in variables):
                made = [new for one in variables for new in self._declared(one)]
                return [replace(made[0], trivia=statement.trivia), *made[1:]]
            case _:
                return [rewrite(statement, self._replaced)]

    def _replaced(self, node: Node) -> Node | None:
        match node:
            case Block():
                return self.inside(node)
            case ExprStatement(expr=Assign(op="=", target=target, value=value)):
                copied = self._copied(target, value)
                return None if copied is None else replace(copied, trivia=node.trivia)
            case ExprStatement(expr=Call(name="memcpy", arguments=(to, what, _))):
                copied = self._moved(to, what)
                return None if copied is None else replace(copied, trivia=node.trivia)
            case Cast(operand=operand, type=ctype) if ctype.kind is TypeKind.POINTER:
                place = object_at(operand)
                if place is None or not _is_bundle(value_type(place)):
                    return None
                start = self._start(place)
                if start is None:
                    return None
                pointer, first = start
                moved = first and Binary("+", pointer, first, ctype)
                return pointer if moved is None else Paren(moved, ctype)
            case Verbatim(parts=(VarRef(symbol=symbol),)) if symbol in self.numbers and measures(
                node
            ):
                size = symbol.type.bits // 8
                return Literal(str(size), size, INT)
            case _:
                return None

    def _declared(self, variable: Variable) -> list[Stmt]:
        symbol, initial = variable.symbol, variable.initial
        number = self.numbers.get(symbol)
        if number is None:
            new = None if initial is None else rewrite(initial, self._replaced)
            return [Declare((replace(variable, initial=new),))]
        plain = self._plain(symbol, number)
        if plain.type.kind is TypeKind.POINTER:
            pointer = None if initial is None else self._pointer(initial)
            return [Declare((Variable(plain, plain.type.spelling, "", pointer, "="),))]
        extent = Literal(str(plain.type.extent), plain.type.extent, INT)
        bare = Variable(plain, number.spelling, f"[{extent.text}]", extents=(extent,))
        copied = None if initial is None else self._copied(VarRef(symbol), initial)
        return [Declare((bare,)), *([] if copied is None else [copied])]

    def _plain(self, symbol: Symbol, number: CType) -> Symbol:
        """The variable as an array of numbers, or a pointer to some."""
        if symbol.type.kind is TypeKind.POINTER:
            assert symbol.type.element is not None
            const = "const " if symbol.type.element.is_const else ""
            element = replace(number, spelling=const + number.spelling, is_const=bool(const))
            spelled = f"{element.spelling} *"
            ctype = CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=element)
        else:
            extent = symbol.type.bits // number.bits
            spelled = f"{number.spelling}[{extent}]"
            ctype = CType(spelled, TypeKind.ARRAY, element=number, extent=extent)
        return replace(symbol, type=ctype)

    def _copied(self, target: Expr, value: Expr) -> For | ExprStatement | None:
        """The loop over the elements in place of a copy, or the copy of the only one."""
        words = _is_word(target) and _is_word(value)
        if not words and not _is_bundle(value_type(target)):
            return None
        if value_type(target).bits != value_type(value).bits:
            return None
        to, from_ = self._start(target), self._start(value)
        if to is None or from_ is None:
            return None
        return self._loop(value_type(target).bits, to, from_)

    def _moved(self, to: Expr, what: Expr) -> For | ExprStatement | None:
        sides = [(side, object_at(side)) for side in (to, what)]
        bundles = [one for _, one in sides if one is not None and _is_bundle(value_type(one))]
        if not bundles:
            return None
        starts: list[tuple[Expr, Expr | None]] = []
        for side, place in sides:
            if place is not None and _is_bundle(value_type(place)):
                start = self._start(place)
            else:
                numbers = _numbers(side)
                start = None if numbers is None else (rewrite(numbers, self._replaced), None)
            if start is None:
                return None
            starts.append(start)
        return self._loop(value_type(bundles[0]).bits, starts[0], starts[1])

    def _loop(
        self, bits: int, to: tuple[Expr, Expr | None], from_: tuple[Expr, Expr | None]
    ) -> For | ExprStatement | None:
        number = _number_type(to[0])
        if number_name(number) != number_name(_number_type(from_[0])) or bits % number.bits:
            return None
        element = replace(number, spelling=unqualified(number), is_const=False)
        if bits == number.bits:
            one, other = (_only(start, element) for start in (to, from_))
            return ExprStatement(Assign("=", one, other, element))
        index = VarRef(self.symbols.fresh("k", INT, Storage.LOCAL))
        count = Literal(str(bits // number.bits), bits // number.bits, INT)
        one, other = (_element(start, index, element) for start in (to, from_))
        start = Declare((Variable(index.symbol, "int", "", Literal("0", 0, INT), "="),))
        more, step = Binary("<", index, count, BOOL), Unary("++", index, type=INT)
        return For(start, more, step, ExprStatement(Assign("=", one, other, element)))

    def _start(self, place: Expr) -> tuple[Expr, Expr | None] | None:
        """The pointer to, or array of, numbers that an lvalue begins in, and the number of its
        first element there."""
        match strip_parens(place):
            case VarRef(symbol=symbol) if (number := self.numbers.get(symbol)) is not None:
                return VarRef(self._plain(symbol, number)), None
            case Index(base=base, index=index):
                pointer = self._pointer(base)
                if pointer is None:
                    return None
                inner = rewrite(index, self._replaced)
                return pointer, self._scaled(inner, value_type(place), pointer)
            case Unary(op="*", operand=operand):
                pointer = self._pointer(operand)
                return None if pointer is None else (pointer, None)
            case _:
                return None

    def _pointer(self, pointer: Expr) -> Expr | None:
        """A pointer to vectors as one to their numbers."""
        match strip_parens(pointer):
            case VarRef(symbol=symbol) if (number := self.numbers.get(symbol)) is not None:
                return VarRef(self._plain(symbol, number))
            case Binary(op="+" | "-" as op, left=left, right=right):
                start, element = self._pointer(left), _element_of(left)
                if start is None or element is None:
                    return None
                moved = self._scaled(rewrite(right, self._replaced), element, start)
                return Binary(op, start, moved, start.type)
            case Unary(op="&", operand=operand):
                found = self._start(operand)
                if found is None:
                    return None
                start, first = found
                return start if first is None else Binary("+", start, first, start.type)
            case Cast(operand=operand):
                numbers = _numbers(operand)
                return None if numbers is None else rewrite(numbers, self._replaced)
            case _:
                return None

    def _scaled(self, index: Expr, bundle: CType, pointer: Expr) -> Expr:
        """So many vectors, counted in numbers."""
        count = bundle.bits // _number_type(pointer).bits
        value = integer_value(index)
        if value is not None:
            return Literal(str(count * value), count * value, INT)
        factor = index if is_primary(index) else Paren(index, index.type)
        return Binary("*", Literal(str(count), count, INT), factor, index.type)


def _only(start: tuple[Expr, Expr | None], element: CType) -> Expr:
    """The first of the numbers that begin somewhere."""
    pointer, first = start
    match strip_parens(pointer):
        case Unary(op="&", operand=operand) if first is None:
            return operand
        case _:
            return Index(pointer, first or Literal("0", 0, INT), element)


def _element(start: tuple[Expr, Expr | None], index: Expr, element: CType) -> Expr:
    pointer, first = start
    position = index if first is None else Binary("+", first, index, first.type)
    if isinstance(strip_parens(pointer), (Member, VarRef)):
        return Index(strip_parens(pointer), position, element)
    return element_at(strip_parens(pointer), position, element)
