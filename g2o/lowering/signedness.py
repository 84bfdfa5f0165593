"""Signed indices that meet unsigned extents and members say what is meant.

    if (bx == grid.x - 1)            if (bx == int(grid.x) - 1)
    if (t < block.x - 1)      ->     if (t < int(block.x) - 1)
    if (n < grid.x)                  if (unsigned(n) < grid.x)
    uint2 p = {bx, t};               uint2 p = {unsigned(bx), unsigned(t)};

CUDA compares unsigned numbers here. Signed numbers compare alike where both are equal or not, and
where neither can be negative: indices and extents are not, nor is an extent less one. What may be
negative on the other side has a cast by now (g2o.transforms.explicit_signs). Everything else is
compared unsigned, as before, and a cast says so. So does one in braces, which must not narrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import final

from g2o.analysis.braces import initialised
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.spelled import is_spelled
from g2o.ir.statements import CountedLoop, Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import in_place_of, rewrite, walk, with_children
from g2o.ir.types import INT, UNSIGNED, CType, TypeKind, unqualified

_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})
_GROWING = frozenset({"+", "*", "/", "%"})


class _Sign(Enum):
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    WIDE = "unsigned, of 64 bits"
    LITERAL = "literal"


_USUAL = _GROWING | {"-", "&", "|", "^"}
_BY_STRENGTH = (_Sign.WIDE, _Sign.UNSIGNED, _Sign.SIGNED)
_SUFFIXES = {"": _Sign.LITERAL, "u": _Sign.UNSIGNED}
_UNLIKE = frozenset(
    {
        (_Sign.SIGNED, _Sign.WIDE),
        (_Sign.UNSIGNED, _Sign.SIGNED),
        (_Sign.WIDE, _Sign.SIGNED),
    }
)


def with_equal_signs(statements: tuple[Stmt, ...], grid: Symbol, block: Symbol) -> tuple[Stmt, ...]:
    """`statements` without comparisons of signed numbers with unsigned ones, `grid.x` and others,
    of which compilers warn, and without signed indices in braces of unsigned numbers."""
    signs = _Signs(frozenset((grid, block)))
    said = (rewrite(statement, _with_own_types) for statement in statements)
    return tuple(rewrite(statement, signs.compared) for statement in said)


def _with_own_types(node: Node) -> Node | None:
    """`auto i = thread;` with the type that the index of a thread has in CUDA: `unsigned`."""
    if not isinstance(node, Declare):
        return None
    changed = tuple(_with_own_type(one) for one in node.variables)
    same = all(one is old for one, old in zip(changed, node.variables, strict=True))
    return None if same else replace(node, variables=changed, form=Form.BUILT)


def _with_own_type(variable: Variable) -> Variable:
    meant, words = variable.symbol.type, variable.declared.split()
    if words not in (["auto"], ["const", "auto"]) or not isinstance(variable.initial, VarRef):
        return variable
    given = variable.initial.symbol
    indices = (Storage.INDEX, Storage.LOCAL)
    if given.storage not in indices or given.type != INT or unqualified(meant) == INT.spelling:
        return variable
    if meant.kind is not TypeKind.INTEGER:
        return variable
    return replace(variable, declared=" ".join((*words[:-1], unqualified(meant))))


@final
@dataclass(frozen=True, slots=True)
class _Signs:
    launch: frozenset[Symbol]

    def compared(self, node: Node) -> Node | None:
        match node:
            case Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                one, other = left, right
                if not is_spelled(node) and not any(map(self.is_asked_for, (left, right))):
                    return None  # nobody is warned of what a macro compares
                match self.kind(left), self.kind(right):
                    case (_Sign.SIGNED, _Sign.UNSIGNED):
                        one, other = self.alike(op, left, right)
                    case (_Sign.UNSIGNED, _Sign.SIGNED):
                        other, one = self.alike(op, right, left)
                    case (_Sign.SIGNED, _Sign.WIDE):
                        one = self.widened(left, right.type)
                    case (_Sign.WIDE, _Sign.SIGNED):
                        other = self.widened(right, left.type)
                    case (None, _Sign.UNSIGNED) if _is_made(right) and _is_word(left.type):
                        one = Cast(strip_parens(left), UNSIGNED)
                    case (_Sign.UNSIGNED, None) if _is_made(left) and _is_word(right.type):
                        other = Cast(strip_parens(right), UNSIGNED)
                    case _:
                        return None
                if one is left and other is right:
                    return None
                return with_children(node, (in_place_of(left, one), in_place_of(right, other)))
            case CountedLoop(index=index, lower=lower, upper=upper, body=body) if (
                _kind_of(index.type) == _Sign.SIGNED
                and self.kind(upper) == _Sign.UNSIGNED
                and self.is_natural(lower)
            ):
                if not self.is_extent(upper) or not self.is_natural(upper):
                    return None
                upper = rewrite(upper, self.as_int)
                return replace(node, upper=upper, body=rewrite(body, self.compared))
            case CountedLoop(index=index, upper=upper, body=body) if (
                _kind_of(index.type),
                self.kind(upper),
            ) in _UNLIKE:
                # An index that does not hold what is below such a limit would overflow.
                upper = Cast(strip_parens(upper), index.type)
                return replace(node, upper=upper, body=rewrite(body, self.compared))
            case Declare(variables=variables):
                made = tuple(map(self.narrow, variables))
                same = all(one is old for one, old in zip(made, variables, strict=True))
                return None if same else replace(node, variables=made, form=Form.BUILT)
            case InitList(elements=elements) if node.said is None:
                new = {
                    id(value): Cast(strip_parens(value), _plain(ctype))
                    for value, ctype in initialised(node)
                    if _kind_of(ctype) in (_Sign.UNSIGNED, _Sign.WIDE)
                    and self.kind(value) == _Sign.SIGNED
                    and integer_value(value) is None
                }
                if not new:
                    return None
                parts = tuple(new.get(id(one)) or rewrite(one, self.compared) for one in elements)
                return with_children(node, parts)
            case _:
                return None

    def narrow(self, variable: Variable) -> Variable:
        """`int i = bx * 256 + int(l);` of a wide `l`: the number of a thread, which fits, so that
        neighbours lie beside each other."""
        initial = variable.initial
        if initial is not None:
            initial = rewrite(initial, self.compared)
        terms = list(_terms(initial)) if initial is not None else []
        wide = [one for one in terms if isinstance(one, VarRef) and self.kind(one) == _Sign.WIDE]
        if (
            _kind_of(variable.symbol.type) == _Sign.SIGNED
            and variable.symbol.type.bits == INT.bits
            and len(wide) == 1 < len(terms)
            and all(self.is_natural(one) for one in terms)
        ):
            assert initial is not None
            whole: Expr | None = None
            for one in terms:
                term = Cast(one, INT) if one is wide[0] else one
                whole = term if whole is None else Binary("+", whole, term, INT)
            return replace(variable, initial=whole)
        return variable if initial is variable.initial else replace(variable, initial=initial)

    def is_asked_for(self, expr: Expr) -> bool:
        """Is it not the author's number, so that comparing it means something else by now?"""
        return any(
            _is_made(node) or self.is_dimension(node)
            for node in walk(expr)
            if isinstance(node, Expr)
        )

    def alike(self, op: str, signed: Expr, extent: Expr) -> tuple[Expr, Expr]:
        """Both sides with one sign, where positions or extents are among them."""
        if not self.is_extent(extent):
            return Cast(strip_parens(signed), UNSIGNED), extent
        equality = op in ("==", "!=") and self.is_sum(extent)
        if equality or self.is_natural(extent):
            return signed, rewrite(extent, self.as_int)
        return Cast(strip_parens(signed), UNSIGNED), extent

    def widened(self, signed: Expr, wide: CType) -> Expr:
        """A signed number of 32 bits as C++ takes it beside one of the type `wide`."""
        if self.is_natural(signed):
            return Cast(strip_parens(signed), UNSIGNED)
        spelled = unqualified(wide)
        name = spelled if spelled.isidentifier() else "std::size_t"
        return Code((f"{name}(", strip_parens(signed), ")"), type=wide)

    def is_sum(self, expr: Expr) -> bool:
        """Is it the same modulo 2^32, signed or unsigned?"""
        match expr:
            case Paren(inner=inner):
                return self.is_sum(inner)
            case Binary(op=op, left=left, right=right):
                return op in ("+", "-", "*") and self.is_sum(left) and self.is_sum(right)
            case _:
                return True

    def as_int(self, node: Node) -> Expr | None:
        if isinstance(node, Member) and self.is_dimension(node):
            return Code(("int(", node, ")"), type=INT)
        return None

    def is_dimension(self, expr: Expr) -> bool:
        base = expr.base if isinstance(expr, Member) else None
        return isinstance(base, VarRef) and base.symbol in self.launch

    def is_extent(self, expr: Expr) -> bool:
        """Is it made of dimensions, signed numbers and constants, of the former at least one?"""
        match expr:
            case Paren(inner=inner):
                return self.is_extent(inner)
            case Binary(op=op, left=left, right=right) if op in _GROWING or op == "-":
                parts = (left, right)
                known = all(
                    self.is_extent(one) or self.kind(one) != _Sign.UNSIGNED for one in parts
                )
                return known and any(self.is_extent(one) for one in parts)
            case _:
                return self.is_dimension(expr)

    def is_natural(self, expr: Expr) -> bool:
        """Can it not be negative, as a signed number either?"""
        match expr:
            case Paren(inner=inner):
                return self.is_natural(inner)
            case VarRef(symbol=symbol):
                return symbol.storage is Storage.INDEX
            case Literal(value=value):
                return value is not None and value >= 0
            case Code(parts=("g2o::warp_size",)):
                return True
            case Binary(op="-", left=left, right=Literal(value=1)):
                return self.is_dimension(strip_parens(left))
            case Binary(op=op, left=left, right=right) if op in _GROWING:
                return self.is_natural(left) and self.is_natural(right)
            case _:
                return self.is_dimension(expr)

    def kind(self, expr: Expr) -> _Sign | None:
        """How C++ takes the number, as it is written by now; None where that is not known."""
        match expr:
            case Paren(inner=inner):
                return self.kind(inner)
            case Literal(text=text, value=value):
                if value is None or not text[:1].isdigit():
                    return None
                return _SUFFIXES.get(text.lstrip("0123456789").lower())
            case VarRef(symbol=symbol):
                return _kind_of(symbol.type)
            case Cast(type=ctype):
                return _kind_of(ctype)
            case Code(parts=("g2o::warp_size",)):
                return _Sign.LITERAL
            case Code(parts=("int(", *_)):
                return _Sign.SIGNED
            case Code(parts=("unsigned(", *_)):
                return _Sign.UNSIGNED
            case Binary(op="<<" | ">>", left=left):
                return self.kind(left)
            case Unary(op="~" | "-" | "+", operand=operand):
                kind = self.kind(operand)
                return None if kind is _Sign.LITERAL else kind
            case Binary(op=op, left=left, right=right) if op in _USUAL:
                return self.common(left, right)
            case Conditional(if_true=if_true, if_false=if_false):
                return self.common(if_true, if_false)
            case Member() if self.is_dimension(expr):
                return _Sign.UNSIGNED
            case Member(type=ctype) | Index(type=ctype) | Call(type=ctype):
                return _kind_of(ctype)
            case _:
                return None

    def common(self, left: Expr, right: Expr) -> _Sign | None:
        """How C++ takes what two numbers become together."""
        kinds = {self.kind(left), self.kind(right)}
        if None in kinds and not kinds.isdisjoint(_BY_STRENGTH):  # no constant, which fits anyway
            kinds = {self.kind(one) or _named_kind(one) for one in (left, right)}
        if None in kinds:
            return None
        return next((one for one in _BY_STRENGTH if one in kinds), _Sign.LITERAL)


def _terms(number: Expr) -> Iterator[Expr]:
    bare = strip_parens(number)
    if isinstance(bare, Binary) and bare.op == "+":
        yield from _terms(bare.left)
        yield from _terms(bare.right)
    else:
        yield bare


def _plain(ctype: CType) -> CType:
    return replace(ctype, spelling=unqualified(ctype))


def _kind_of(ctype: CType) -> _Sign | None:
    if ctype.kind is not TypeKind.INTEGER:
        return None
    if ctype.bits > 32:
        return _Sign.WIDE if ctype.bits == 64 and not ctype.is_signed else None
    return _Sign.SIGNED if ctype.is_signed or ctype.bits < 32 else _Sign.UNSIGNED


def _named_kind(expr: Expr) -> _Sign | None:
    """The same of what an argument of a template says."""
    named = isinstance(expr, Literal) and expr.value is None and expr.text.isidentifier()
    return _kind_of(expr.type) if named else None


def _is_made(expr: Expr) -> bool:
    """Is it a cast that is not the author's, which says that the comparison is unsigned?"""
    return isinstance(expr, Cast) and expr.form is Form.BUILT


def _is_word(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and 0 < ctype.bits <= 32
