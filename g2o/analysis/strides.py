"""How far accesses to memory move between two iterations of a loop: which loop belongs inside.

    out[row * n + col] = in[row * n + col]      // col: neighbours; row: a whole row apart
    sum += x[i]; i += step;                     // far
    sum += x[key[i]];                           // anywhere

Only a measure of cost: nothing that is legal depends on it. Variables have the movement of what is
assigned to them, the farthest where there are several values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from g2o.analysis.lvalues import root_symbol
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, DoWhile, ExprStatement, For, Node, Stmt, While
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import INT, CType, TypeKind

Loop = CountedLoop | For | While | DoWhile

FAR: Final = 1 << 20
"""Bytes, or elements, between two iterations where the distance is no constant."""

_LINE: Final = 64  # bytes that memory is read in
_CACHE: Final = 16 * 1024  # bytes of the cache next to a core that one array may well take
_OF_BLOCKS: Final = (Storage.LOCAL, Storage.BLOCK, Storage.SHARED)
_LEAST_GAIN: Final = 0.4  # of those that an iteration takes
_UNKNOWN_SIZE: Final = 4  # bytes of a value of open type
_AT_HAND: Final = 1 / 16  # of a line, for elements of an array that is near as a whole
_NEAR: Final = 4096  # bytes
_ONE: Final = Literal("1", 1, INT)
_CHOOSING: Final = frozenset({"min", "max", "fmin", "fmax", "clamp", "abs", "__ldg"})

Movement = int | None
"""Between two iterations; None where it is different each time."""


@final
@dataclass(frozen=True, slots=True)
class _Value:
    """`expr` is assigned, or if `steps` added, inside of the loops `around`."""

    expr: Expr
    steps: bool
    around: frozenset[int]


@final
@dataclass(slots=True)
class Strides:
    """The movements in one body of code."""

    values: dict[Symbol, list[_Value]] = field(default_factory=dict[Symbol, "list[_Value]"])
    declared: dict[Symbol, frozenset[int]] = field(default_factory=dict[Symbol, frozenset[int]])
    waiting: set[Symbol] = field(default_factory=set[Symbol])
    known: dict[tuple[Symbol, int], tuple[Movement, Loop]] = field(
        default_factory=dict[tuple[Symbol, int], tuple[Movement, Loop]]
    )
    """How variables move in loops, by identity, which the loop that is kept with it makes sure of.
    Cycles make no difference: who asks for what waits knows nothing either."""

    @staticmethod
    def of(body: Node) -> Strides:
        """Of all the loops in `body`."""
        found = Strides()
        found._collect(body, frozenset())
        return found

    def cost(
        self, loop: Loop, body: Node, numbers: Sequence[Expr] = (), far: bool = False
    ) -> float:
        """Lines of memory that the accesses in `body` take for each iteration of `loop`, and those
        to elements of unknown arrays with these `numbers`; of memory that is `far` alone, if that
        is said: small arrays of the block or of a thread are in the cache next to the core."""
        accesses = (one for one in set(accesses_in(body)) if not (far and _is_near(one)))
        found = sum(self._lines_of(one, loop) for one in accesses)
        unknown = (_scaled(self.moves(one, loop), _UNKNOWN_SIZE) for one in set(numbers))
        return found + sum(map(_lines, unknown))

    def _lines_of(self, access: Expr, loop: Loop) -> float:
        moved = self.address(access, loop)
        return _AT_HAND if moved is None and _stays_near(access) else _lines(moved)

    def is_better_outside(
        self,
        loop: Loop,
        threads: Loop,
        body: Node,
        numbers: Sequence[Expr] = (),
        gain: float = _LEAST_GAIN,
        far: bool = False,
    ) -> bool:
        """Does `body`, which stands in both, move far less from thread to thread? That is, does it
        save as many lines of memory (`far` memory alone) an iteration as `gain` says, and half of
        them?"""
        inside = self.cost(loop, body, numbers, far)
        across = self.cost(threads, body, numbers, far)
        return inside - across >= gain and across <= inside / 2

    def address(self, access: Expr, loop: Loop) -> Movement:
        """How many bytes an access moves."""
        match access:
            case Paren(inner=inner) | Member(base=inner, arrow=False):
                return self.address(inner, loop)
            case Index(base=base, index=index):
                moved = _scaled(self.moves(index, loop), size_of(access.type))
                return _sum(self._pointer(base, loop), moved)
            case Unary(op="*", operand=base) | Member(base=base, arrow=True):
                return self.moves(base, loop)
            case Call(arguments=(_, index, *_)):  # a texture
                return _scaled(self.moves(index, loop), size_of(access.type))
            case _:
                return self.moves(access, loop)

    def _pointer(self, base: Expr, loop: Loop) -> Movement:
        """How many bytes the place moves that an element is counted from."""
        base = strip_parens(base)
        if base.type.kind is TypeKind.ARRAY and not isinstance(base, VarRef):
            return self.address(base, loop)
        return self.moves(base, loop)

    def moves(self, expr: Expr, loop: Loop) -> Movement:
        """How much a number changes, or how many bytes a pointer moves."""
        match expr:
            case VarRef(symbol=symbol):
                return self._variable(symbol, loop)
            case Paren(inner=inner) | Cast(operand=inner) | Assign(value=inner):
                return self.moves(inner, loop)
            case Unary(op="-" | "+" | "++" | "--", operand=operand):
                return self.moves(operand, loop)
            case Unary(op="&", operand=operand):
                return self.address(operand, loop)
            case Member(base=base, arrow=False) if not _is_memory(base):
                return self.moves(base, loop)
            case Index() | Unary(op="*") | Member():
                return None if self._is_anew(expr, loop) or self.address(expr, loop) != 0 else 0
            case Binary(op="+" | "-", left=left, right=right):
                return self._added(left, right, loop)
            case Binary(op="*" | "<<", left=left, right=right):
                return self._product(expr.op, left, right, loop)
            case Binary(op="/" | "%" | ">>" | "&", left=left, right=right):
                return self._part(expr.op, left, right, loop)
            case Conditional(if_true=one, if_false=other):
                return _worst((self.moves(one, loop), self.moves(other, loop)))
            case Call(name=name, arguments=arguments) if name in _CHOOSING:
                return _worst([self.moves(one, loop) for one in arguments])
            case Code(parts=(str() as text, *_)) if text.startswith(("std::min", "std::max")):
                return _worst(self._parts(expr, loop))
            case _:
                parts = self._parts(expr, loop)
                return 0 if all(one == 0 for one in parts) else None

    def _parts(self, expr: Expr, loop: Loop) -> list[Movement]:
        return [self.moves(one, loop) for one in children(expr) if isinstance(one, Expr)]

    def _variable(self, symbol: Symbol, loop: Loop) -> Movement:
        if symbol == counter_of(loop):
            return _step_of(loop)
        inside = [one for one in self.values.get(symbol, ()) if id(loop) in one.around]
        if not inside:
            return 0
        if symbol in self.waiting:
            return None
        if (known := self.known.get((symbol, id(loop)))) is not None:
            return known[0]
        again = id(loop) in self.declared.get(symbol, frozenset())
        self.waiting.add(symbol)
        moved = _worst([self._value(one, again, symbol, loop) for one in inside])
        self.waiting.discard(symbol)
        self.known[symbol, id(loop)] = moved, loop
        return moved

    def _value(self, value: _Value, again: bool, symbol: Symbol, loop: Loop) -> Movement:
        """What one assignment does; `again`: the variable is a new one in each iteration."""
        moved = self.moves(value.expr, loop)
        if not value.steps or again or moved != 0:
            return moved
        amount = integer_value(value.expr)
        return _scaled(FAR if amount is None else amount, _pointee(symbol.type))

    def _is_anew(self, expr: Expr, loop: Loop) -> bool:
        """Is it an element of an array that every iteration has for itself?"""
        root = root_symbol(expr)
        if root is None or root.type.kind is not TypeKind.ARRAY:
            return False
        return id(loop) in self.declared.get(root, frozenset())

    def _added(self, left: Expr, right: Expr, loop: Loop) -> Movement:
        one, other = self.moves(left, loop), self.moves(right, loop)
        if left.type.kind is TypeKind.POINTER or left.type.kind is TypeKind.ARRAY:
            other = _scaled(other, _pointee(left.type))
        return _sum(one, other)

    def _product(self, op: str, left: Expr, right: Expr, loop: Loop) -> Movement:
        one, other = self.moves(left, loop), self.moves(right, loop)
        if one == 0 and other == 0:
            return 0
        if one is None or other is None or (one != 0 and other != 0):
            return None
        fixed, moved = (left, other) if one == 0 else (right, one)
        factor = integer_value(fixed)
        if factor is not None and op == "<<":
            factor = 1 << factor if fixed is right else None
        return _scaled(moved, FAR if factor is None else factor)

    def _part(self, op: str, left: Expr, right: Expr, loop: Loop) -> Movement:
        """Most iterations leave a quotient as it is, and take a remainder one further."""
        one, other = self.moves(left, loop), self.moves(right, loop)
        if one is None or other != 0:
            return None
        fixed = integer_value(right)
        if op in ("%", "&"):
            return one
        if fixed is None:
            return FAR if abs(one) >= FAR else 0
        return one // (fixed or 1) if op == "/" else one >> fixed

    def _collect(self, node: Node, around: frozenset[int]) -> None:
        match node:
            case Declare(variables=variables):
                for variable in variables:
                    self.declared[variable.symbol] = around
                    if variable.initial is not None:
                        self._hold(variable.symbol, variable.initial, False, around)
            case Assign(op="=", target=VarRef(symbol=symbol), value=value):
                step = _step(symbol, value)
                self._hold(symbol, value if step is None else step, step is not None, around)
            case Assign(op="+=" | "-=", target=VarRef(symbol=symbol), value=value):
                self._hold(symbol, value, True, around)
            case Assign(target=VarRef(symbol=symbol)):
                self._hold(symbol, Index(node.target, node.value), False, around)
            case Unary(op="++" | "--", operand=VarRef(symbol=symbol)):
                self._hold(symbol, _ONE, True, around)
            case _:
                pass
        if isinstance(node, Loop):
            around = around | {id(node)}
        for child in children(node):
            self._collect(child, around)

    def _hold(self, symbol: Symbol, value: Expr, steps: bool, around: frozenset[int]) -> None:
        self.values.setdefault(symbol, []).append(_Value(value, steps, around))


def _is_near(access: Expr) -> bool:
    array = root_symbol(access)
    return (
        array is not None
        and array.storage in _OF_BLOCKS
        and array.type.kind is TypeKind.ARRAY
        and size_of(array.type) <= _CACHE
    )


def accesses_in(body: Node) -> Iterator[Expr]:
    """The accesses to memory, each as a whole: `a[i][j].x` is one."""
    inner: set[int] = set()
    for node in walk(body):
        if id(node) in inner:
            if isinstance(node, Index | Member | Paren):
                inner.add(id(node.base if not isinstance(node, Paren) else node.inner))
            continue
        match node:
            case Index(base=base):
                inner.add(id(base))
                yield node
            case Member(base=base, arrow=False) if _is_memory(base):
                inner.add(id(base))
                yield node
            case Member(arrow=True) | Unary(op="*"):
                yield node
            case Call(name=name, is_cuda=True) if name.startswith("tex1D"):
                yield node
            case _:
                pass


def by_locality(indices: Sequence[Symbol], body: Stmt) -> list[Symbol]:
    """`indices` of a loop nest from the one that belongs into the innermost loop outwards; between
    equals the order stays."""
    costs: dict[Symbol, float] = {}
    for index in indices:
        loop = CountedLoop(index, _ONE, _ONE, body)
        costs[index] = Strides.of(loop).cost(loop, body)
    return sorted(indices, key=lambda index: costs[index])


def counter_of(loop: Loop) -> Symbol | None:
    """The variable that a loop counts in its head."""
    match loop:
        case CountedLoop(index=index):
            return index
        case For(initial=Declare(variables=(variable,))):
            return variable.symbol
        case For(initial=ExprStatement(expr=Assign(target=VarRef(symbol=symbol)))):
            return symbol
        case _:
            return None


def size_of(ctype: CType) -> int:
    """Bytes of a value."""
    if ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        return size_of(ctype.element) * ctype.extent if ctype.extent else FAR
    return max(ctype.bits // 8, 1) if ctype.bits else _UNKNOWN_SIZE


def _stays_near(access: Expr) -> bool:
    """Is it an element of an array so small that the nearest cache holds all of it?"""
    root = root_symbol(access)
    return root is not None and root.type.kind is TypeKind.ARRAY and size_of(root.type) <= _NEAR


def _step_of(loop: Loop) -> Movement:
    match loop:
        case CountedLoop(step=step):
            amount = 1 if step is None else integer_value(step)
        case For(increment=Unary(op="++" | "--")):
            return 1
        case For(increment=Assign(op="+=" | "-=", value=step)):
            amount = integer_value(step)
        case _:
            amount = None
    return FAR if amount is None else amount


def _step(symbol: Symbol, value: Expr) -> Expr | None:
    """What `symbol = symbol + amount` adds."""
    match strip_parens(value):
        case Binary(op="+" | "-", left=VarRef(symbol=added), right=amount) if added == symbol:
            return amount
        case Binary(op="+", left=amount, right=VarRef(symbol=added)) if added == symbol:
            return amount
        case _:
            return None


def _is_memory(base: Expr) -> bool:
    return any(isinstance(one, Index) or _reads(one) for one in _bases(base))


def _reads(expr: Expr) -> bool:
    return (isinstance(expr, Unary) and expr.op == "*") or (isinstance(expr, Member) and expr.arrow)


def _bases(expr: Expr) -> Iterator[Expr]:
    while True:
        yield expr
        match expr:
            case Member(base=inner) | Paren(inner=inner):
                expr = inner
            case _:
                return


def _pointee(ctype: CType) -> int:
    if ctype.kind in (TypeKind.POINTER, TypeKind.ARRAY) and ctype.element is not None:
        return size_of(ctype.element)
    return 1


def _lines(moved: Movement) -> float:
    return 1.0 if moved is None else min(1.0, abs(moved) / _LINE)


def _sum(one: Movement, other: Movement) -> Movement:
    if one is None or other is None:
        return None
    if abs(one) >= FAR or abs(other) >= FAR:
        return max(one, other, key=abs)
    return one + other


def _scaled(moved: Movement, factor: int) -> Movement:
    if moved is None:
        return None
    return max(-FAR, min(FAR, moved * factor))


def _worst(movements: Sequence[Movement]) -> Movement:
    return (
        None
        if None in movements
        else max((m for m in movements if m is not None), key=abs, default=0)
    )
