"""Expressions of kernel IR.

    Expr = Literal | VarRef | LaunchRef | Unary | Binary | Assign | Conditional | Cast | Call
         | Index | Member | Paren | InitList | Verbatim | Code | Remote

Every node has a `span` (where the source spells it) and a `form` (how much of that spelling still
holds); neither takes part in equality. A rewrite keeps the span and weakens the form: the printer
reproduces the author's text around whatever changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, final

from g2o.diagnostics.source import SourceSpan
from g2o.ir.symbols import Symbol
from g2o.ir.types import BOOL, UNKNOWN, CType, TypeKind

_OPPOSITE: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


class Form(Enum):
    """How a node relates to the text of its span."""

    PRISTINE = "pristine"  # the text says exactly this
    PATCHED = "patched"  # the text says this but for children that changed
    BUILT = "built"  # the text says something else, or there is none


class Builtin(Enum):
    THREAD_INDEX = "threadIdx"
    BLOCK_INDEX = "blockIdx"
    BLOCK_DIM = "blockDim"
    GRID_DIM = "gridDim"
    WARP_SIZE = "warpSize"


AXES = "xyz"
LAUNCH = "<<<>>>"
"""The key of a call that launches a kernel: it may do whatever the grid does."""
OPEN = "?"
"""The key of a call in a template that means a function of CUDA's or of the program, whichever
takes the types of an instance."""


class _Kept:
    """Room beside the fields of a node; a node never changes, so neither does what is below it."""

    __slots__ = ("below",)
    below: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Tree(_Kept):
    """What every node has; `below` is all that `traverse.walk` has found under it, once it has."""

    span: SourceSpan | None = field(default=None, kw_only=True, compare=False, repr=False)
    form: Form = field(default=Form.BUILT, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Literal(Tree):
    """A literal or named constant as spelled, with its value where it is an integer, or a function
    of the program with its `key`."""

    text: str
    value: int | None = None
    type: CType = UNKNOWN
    key: str = field(default="", kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class VarRef(Tree):
    symbol: Symbol

    @property
    def type(self) -> CType:
        return self.symbol.type


@final
@dataclass(frozen=True, slots=True)
class LaunchRef(Tree):
    """`threadIdx.x` and its like; `axis` is None for the whole vector."""

    builtin: Builtin
    axis: int | None
    type: CType = UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class Unary(Tree):
    """`op operand`, or `operand op` where `postfix`. `*` dereferences, `&` takes an address."""

    op: str
    operand: Expr
    postfix: bool = False
    type: CType = UNKNOWN

    @property
    def is_update(self) -> bool:
        return self.op in ("++", "--")


@final
@dataclass(frozen=True, slots=True)
class Binary(Tree):
    op: str
    left: Expr
    right: Expr
    type: CType = UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class Assign(Tree):
    """`target op value` with op `=`, `+=`, ..."""

    op: str
    target: Expr
    value: Expr
    type: CType = UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class Conditional(Tree):
    condition: Expr
    if_true: Expr
    if_false: Expr
    type: CType = UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class Cast(Tree):
    """An explicit conversion to `type`. Implicit conversions are not nodes."""

    operand: Expr
    type: CType


@final
@dataclass(frozen=True, slots=True)
class Call(Tree):
    """A call. `callee` is the expression in front of the parenthesis, without template arguments
    resolved; `name` is the unqualified name (empty for indirect calls). `key` identifies a function
    of the program whose body is known; it is `LAUNCH` where a kernel is launched. `receiver` is the
    object of a method call.
    """

    name: str
    callee: Expr
    arguments: tuple[Expr, ...]
    key: str = ""
    is_cuda: bool = False  # declared by CUDA, not by the program
    template_arguments: tuple[str, ...] = ()  # as spelled or deduced; "" where not known
    type: CType = UNKNOWN

    @property
    def said_name(self) -> str:
        """What its result may be called after: the object, where an operator is called."""
        if self.name.isidentifier():
            return self.name
        match self.arguments:
            case (VarRef(symbol=called), *_):
                return called.name
            case _:
                return "call"


@final
@dataclass(frozen=True, slots=True)
class Index(Tree):
    base: Expr
    index: Expr
    type: CType = UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class Member(Tree):
    base: Expr
    name: str
    arrow: bool = False
    type: CType = UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class Paren(Tree):
    inner: Expr
    type: CType = UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class InitList(Tree):
    """`{a, b}`. `said` is what the text says instead: a constructor that gives these values."""

    elements: tuple[Expr, ...]
    type: CType = UNKNOWN
    said: Expr | None = field(default=None, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Verbatim(Tree):
    """Source text that g2o carries without understanding it.

    `parts` are the references inside it; it may read and write all of them, and any memory. Those
    at the positions `evaluated` it only evaluates: they change what they say that they change. A
    lambda whose captures are all seen keeps the values of `copied` and refers to the others.
    Where it calls a constructor of the program, these are the arguments, and `key` is that of the
    constructor; one that `converts` its only argument is not in the text. A size has its `value`,
    in bytes, where that is a constant.
    """

    parts: tuple[Expr, ...]
    pure: bool = False
    type: CType = UNKNOWN
    key: str = field(default="", kw_only=True, compare=False, repr=False)
    evaluated: frozenset[int] = field(default=frozenset(), kw_only=True, compare=False, repr=False)
    copied: frozenset[Symbol] | None = field(default=None, kw_only=True, compare=False, repr=False)
    value: int | None = field(default=None, kw_only=True, compare=False, repr=False)
    converts: bool = field(default=False, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Code(Tree):
    """C++ text made by lowering, with holes for expressions; free of side effects if `pure`."""

    parts: tuple[str | Expr, ...]
    pure: bool = True
    atomic: bool = True  # needs no parentheses as an operand
    type: CType = UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class Remote(Tree):
    """The value that a private variable has in another thread of the group: `thread` is its index
    there. `whole` stands for the variable of all threads as an array."""

    symbol: Symbol
    thread: Expr | None
    type: CType = UNKNOWN

    @property
    def whole(self) -> bool:
        return self.thread is None


Expr = (
    Literal
    | VarRef
    | LaunchRef
    | Unary
    | Binary
    | Assign
    | Conditional
    | Cast
    | Call
    | Index
    | Member
    | Paren
    | InitList
    | Verbatim
    | Code
    | Remote
)


def strip_parens(expr: Expr) -> Expr:
    """The expression inside of parentheses, and of what only gives it a place in the text."""
    while True:
        match expr:
            case Paren(inner=inner):
                expr = inner
            case Code(parts=(only,)) if not isinstance(only, str):
                expr = only
            case _:
                return expr


def place_at(address: Expr, ctype: CType) -> Expr:
    """What lies at `address`: `x[i]` at `x + i`, `y` at `&y`."""
    match strip_parens(address):
        case Unary(op="&", operand=place):
            return place
        case Binary(op="+", left=base, right=index) if base.type.kind is TypeKind.POINTER:
            return Index(base, index, ctype)
        case other:
            return Unary("*", other, type=ctype)


def element_of(array: Expr, indices: Sequence[Expr], ctype: CType) -> Expr:
    """`array[i][j]`, of type `ctype`; `array[i]` is a row of such elements."""
    types = [ctype]
    for _ in indices[1:]:
        spelled = f"{types[0].spelling}[]"
        types.insert(0, CType(spelled, TypeKind.ARRAY, is_signed=False, element=types[0]))
    for index, one in zip(indices, types, strict=False):
        array = Index(array, index, one)
    return array


def comma_operands(expr: Expr) -> list[Expr]:
    """What commas separate, in its order."""
    inner = strip_parens(expr)
    if isinstance(inner, Binary) and inner.op == ",":
        return [*comma_operands(inner.left), *comma_operands(inner.right)]
    return [expr]


def is_variable(expr: Expr, symbol: Symbol) -> bool:
    """Is it the variable, whatever parentheses stand around it?"""
    inner = strip_parens(expr)
    return isinstance(inner, VarRef) and inner.symbol == symbol


def all_of(conditions: Sequence[Expr]) -> Expr:
    """One condition or several of them, from the left."""
    whole = conditions[0]
    for condition in conditions[1:]:
        whole = Binary("&&", whole, condition, BOOL)
    return whole


def negated(condition: Expr) -> Expr:
    """`!condition`, written without `!` where that means the same."""
    inner = strip_parens(condition)
    match inner:
        case Unary(op="!", operand=operand):
            return operand
        case Binary(op=op, left=left, right=right) if op in ("==", "!=") or (
            op in _OPPOSITE and _are_integers(left, right)  # not `<` where a NaN may be
        ):
            return Binary(_OPPOSITE[op], left, right, BOOL)
        case Binary(op="||", left=left, right=right):
            return Binary("&&", negated(left), negated(right), BOOL)
        case VarRef():
            return Unary("!", inner, type=BOOL)
        case _:
            return Unary("!", Paren(inner, BOOL), type=BOOL)


def moved_by(value: Expr, number: int, ctype: CType) -> Expr:
    """An integer and a number more, as a person writes it: `n - 2` for `n - 1` and -1."""
    inner = strip_parens(value)
    match inner:
        case Literal(text=text, value=int(known)) if text.isdigit():
            return Literal(str(known + number), known + number, ctype)
        case Binary(op="+" | "-" as op, left=left, right=Literal(text=text, value=int(known))) if (
            text.isdigit() and number
        ):
            total = number + (known if op == "+" else -known)
            return moved_by(left, total, ctype)
        case _ if number == 0:
            return value
        case _:
            amount = Literal(str(abs(number)), abs(number), ctype)
            return Binary("+" if number > 0 else "-", value, amount, ctype)


def _are_integers(*operands: Expr) -> bool:
    return all(one.type.kind is TypeKind.INTEGER for one in operands)


def is_primary(expr: Expr) -> bool:
    """Does it bind tighter than any operator, however it is spelled?"""
    return isinstance(expr, (VarRef, Literal, Index, Member, Call, Paren))


def integer_value(expr: Expr, known: Mapping[Symbol, int] | None = None) -> int | None:
    """The value of an integer constant, looking through parentheses, casts and negation. Variables
    have the values that are `known` of them."""
    match expr:
        case Literal(value=value):
            return value
        case Paren(inner=inner):
            return integer_value(inner, known)
        case Cast(operand=operand):
            return _as_held(integer_value(operand, known), expr.type)
        case Unary() | Binary() if expr.type.kind is TypeKind.FLOATING:
            return None
        case Unary(op="-", operand=operand):
            value = integer_value(operand, known)
            return None if value is None else _as_held(-value, expr.type)
        case Binary(op=op, left=left, right=right):
            last = integer_value(right, known)  # sums are long on their left sides
            found = None if last is None else _fold(op, integer_value(left, known), last)
            return _as_held(found, expr.type)
        case VarRef(symbol=symbol) if known:
            return known.get(symbol)
        case _:
            return None


def _as_held(value: int | None, ctype: CType) -> int | None:
    """The number that an integer type has of a value: unsigned ones wrap round."""
    if value is None or ctype.kind is not TypeKind.INTEGER or not ctype.bits or ctype.is_signed:
        return value
    return value & ((1 << ctype.bits) - 1)


def _fold(op: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" if right > 0 and left >= 0:
            return left // right
        case "%" if right > 0 and left >= 0:
            return left % right
        case "<<" if 0 <= right < 31:
            return left << right
        case ">>" if 0 <= right < 31 and left >= 0:
            return left >> right
        case "&" if left >= 0 and right >= 0:
            return left & right
        case _:
            return None
