"""Where CUDA takes a signed number as an unsigned one, a cast says so.

    if (m < threadIdx.x)                 if (unsigned(m) < threadIdx.x)
    r = m % blockDim.x;          ->      r = unsigned(m) % blockDim.x;
    for (int j = -2; j < gridDim.x;)     for (int j = -2; unsigned(j) < gridDim.x;)

`threadIdx.x` and its like are unsigned in CUDA, so the other operand of a comparison, a quotient
or a minimum becomes unsigned with them; in the translation they are signed. That makes no
difference where the other operand cannot be negative, nor for sums and products of which only the
low bits count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.analysis.natural_values import NaturalValues, is_argument
from g2o.ir.distinct import with_distinct_nodes
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, For, If, Node, While
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import UNSIGNED, CType, TypeKind

_ORDERED = frozenset({"<", ">", "<=", ">="})
_MODULAR = frozenset({"+", "-", "*", "&", "|", "^"})
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}


def with_explicit_signs(kernel: Kernel, effects: EffectsOf) -> Kernel:
    """`kernel` with a cast wherever the sign of a number that may be negative is lost."""
    body = replace(kernel.body, statements=with_distinct_nodes(kernel.body.statements))
    natural = NaturalValues.of(body, effects)
    written = written_after_declaration(body, effects)
    signs = _Signs(natural, effects, _index_variables(body, written))
    signs.visit(body, frozenset())
    if not signs.lost:
        return kernel

    def spelled(node: Node) -> Node | None:
        if id(node) not in signs.lost:
            return None
        inner = rewrite(node, lambda child: None if child is node else spelled(child))
        return Cast(strip_parens(inner), UNSIGNED) if isinstance(inner, Expr) else None

    result = rewrite(body, spelled)
    assert isinstance(result, Block)
    return replace(kernel, function=replace(kernel.function, body=result))


@final
@dataclass(slots=True)
class _Signs:
    """`lost` has the ids of the signed operands that become unsigned, and may be negative."""

    natural: NaturalValues
    effects: EffectsOf
    indices: frozenset[Symbol]  # unsigned variables that hold `threadIdx.x` or its like
    lost: set[int] = field(default_factory=set[int])

    def visit(self, node: Node, known: frozenset[Symbol]) -> None:
        """`known` are variables that conditions around `node` say to be natural."""
        match node:
            case If(condition=condition, then=then, otherwise=otherwise):
                self.visit(condition, known)
                self.visit(then, known | self.facts(condition, True, node))
                if otherwise is not None:
                    self.visit(otherwise, known | self.facts(condition, False, node))
            case For(initial=initial, condition=condition, increment=increment, body=body):
                if initial is not None:
                    self.visit(initial, known)
                inside = known
                if condition is not None:
                    self.visit(condition, known)
                    inside = known | self.facts(condition, True, body)
                for child in (body, increment):
                    if child is not None:
                        self.visit(child, inside)
            case While(condition=condition, body=body):
                self.visit(condition, known)
                self.visit(body, known | self.facts(condition, True, body))
            case Binary(op="&&" | "||" as op, left=left, right=right):
                self.visit(left, known)
                self.visit(right, known | self.facts(left, op == "&&", node))
            case _:
                self.take(node, known)
                for child in children(node):
                    self.visit(child, known)

    def take(self, node: Node, known: frozenset[Symbol]) -> None:
        """Note what the node itself makes unsigned, or takes the value of."""
        match node:
            case Binary(op=op, left=left, right=right) if op in _ORDERED or op in ("/", "%"):
                self.combine(left, right, known)
            case Binary(op="==" | "!=", left=left, right=right):
                if not (_is_modular(left) and _is_modular(right)):
                    self.combine(left, right, known)
            case Call(name="min" | "max", arguments=(left, right), is_cuda=True):
                self.combine(left, right, known)
            case Binary(op=">>", left=left):
                self.observe(left, known)
            case Binary(type=ctype, left=left, right=right) if _is_wide(ctype):
                self.observe(left, known)
                self.observe(right, known)
            case Assign(target=target, value=value) if _is_wide(target.type):
                self.observe(value, known)
            case Declare(variables=variables):
                for variable in variables:
                    if variable.initial is not None and _is_wide(variable.symbol.type):
                        self.observe(variable.initial, known)
            case Cast(operand=operand, type=ctype) if _is_wide(ctype):
                self.observe(operand, known)
            case Call(arguments=arguments):
                for argument in arguments:
                    self.observe(argument, known)
            case _:
                pass

    def combine(self, left: Expr, right: Expr, known: frozenset[Symbol]) -> None:
        """The operands of an operation that is unsigned where one of them is."""
        for one, other in ((left, right), (right, left)):
            if not self.loses_sign(one):
                continue
            beside = _is_word(other.type) and other.type.is_signed and not self.loses_sign(other)
            if beside and not self.covers(other, known):
                self.lost.add(id(other))
            else:
                self.observe(one, known)

    def observe(self, expr: Expr, known: frozenset[Symbol]) -> None:
        """The value of an unsigned expression counts, not only its low bits."""
        if self.loses_sign(expr) and not self.covers(expr, known):
            for leaf in _modular_leaves(expr):
                safe = self.covers(leaf, known) and not is_argument(leaf)
                if leaf.type.is_signed and _is_word(leaf.type) and not safe:
                    self.lost.add(id(leaf))

    def loses_sign(self, expr: Expr) -> bool:
        """Is it unsigned in CUDA only because positions and extents are?"""
        match expr:
            case Paren(inner=inner):
                return self.loses_sign(inner)
            case LaunchRef(axis=axis):
                return axis is not None
            case VarRef(symbol=symbol):
                return symbol in self.indices
            case Binary(op="<<" | ">>", left=left):
                return self.loses_sign(left)
            case Binary(op=op, left=left, right=right) if op in _MODULAR or op in ("/", "%"):
                return self.lose_sign(left, right)
            case Conditional(if_true=if_true, if_false=if_false):
                return self.lose_sign(if_true, if_false)
            case Call(name="min" | "max", arguments=(left, right), is_cuda=True):
                return self.lose_sign(left, right)
            case _:
                return False

    def lose_sign(self, left: Expr, right: Expr) -> bool:
        if not any(map(self.loses_sign, (left, right))):
            return False
        others = (one.type for one in (left, right) if not self.loses_sign(one))
        return all(_is_word(ctype) and ctype.is_signed for ctype in others)

    def covers(self, expr: Expr, known: frozenset[Symbol]) -> bool:
        return replace(self.natural, variables=self.natural.variables | known).covers(expr)

    def facts(self, condition: Expr, holds: bool, scope: Node) -> frozenset[Symbol]:
        """Variables that are natural where the condition holds or not, all through `scope`."""
        found = frozenset(self.told_natural(condition, holds))
        return found - self.effects.of(scope).writes if found else found

    def told_natural(self, condition: Expr, holds: bool) -> Iterator[Symbol]:
        """Variables that a condition says to be natural: `i >= 0`, `0 < i && ...`, `k < i` of a
        natural k."""
        match condition:
            case Paren(inner=inner):
                yield from self.told_natural(inner, holds)
            case Unary(op="!", operand=operand):
                yield from self.told_natural(operand, not holds)
            case Binary(op="&&" | "||" as op, left=left, right=right) if holds == (op == "&&"):
                yield from self.told_natural(left, holds)
                yield from self.told_natural(right, holds)
            case Binary(op=op, left=left, right=right) if op in _MIRRORED:
                for one, other, relation in ((left, right, op), (right, left, _MIRRORED[op])):
                    told = relation if holds else _NEGATED[relation]
                    one = strip_parens(one)
                    if isinstance(one, VarRef) and _is_private(one.symbol):
                        if told in (">", ">=", "==") and self.bounds(other, told):
                            yield one.symbol
            case _:
                pass

    def bounds(self, least: Expr, relation: str) -> bool:
        """Is what is more than `least`, or at least as much, natural, as signed numbers compare?"""
        if least.type.kind is not TypeKind.INTEGER or not least.type.is_signed:
            return False
        value = integer_value(least)
        if value is not None:
            return value >= (-1 if relation == ">" else 0)
        return self.natural.covers(least)


def _is_private(symbol: Symbol) -> bool:
    signed = symbol.type.kind is TypeKind.INTEGER and symbol.type.is_signed
    return signed and symbol.storage in (Storage.LOCAL, Storage.PARAMETER)


def _index_variables(body: Block, written: set[Symbol]) -> frozenset[Symbol]:
    """Unsigned variables that are `threadIdx.x` or its like by another name."""
    found: set[Symbol] = set()
    for node in walk(body):
        for variable in node.variables if isinstance(node, Declare) else ():
            symbol, initial = variable.symbol, variable.initial
            if initial is None or symbol in written or symbol.type.is_signed:
                continue
            if isinstance(strip_parens(initial), LaunchRef):
                found.add(symbol)
    return frozenset(found)


def _is_modular(expr: Expr) -> bool:
    """Has it the same low bits, signed or unsigned?"""
    match expr:
        case Paren(inner=inner):
            return _is_modular(inner)
        case Unary(op="-" | "~" | "+", operand=operand):
            return _is_modular(operand)
        case Binary(op=op, left=left, right=right) if op in _MODULAR:
            return _is_modular(left) and _is_modular(right) and not _is_wide(expr.type)
        case VarRef() | LaunchRef() | Literal():
            return not _is_wide(expr.type)
        case _:
            return False


def _modular_leaves(expr: Expr) -> Iterator[Expr]:
    """The operands of sums, products and choices."""
    match expr:
        case Paren(inner=inner):
            yield from _modular_leaves(inner)
        case Binary(op=op, left=left, right=right) if op in _MODULAR:
            yield from _modular_leaves(left)
            yield from _modular_leaves(right)
        case Binary(op="<<", left=left):
            yield from _modular_leaves(left)
        case Conditional(if_true=if_true, if_false=if_false):
            yield from _modular_leaves(if_true)
            yield from _modular_leaves(if_false)
        case _:
            yield expr


def _is_wide(ctype: CType) -> bool:
    """Can the type hold more than the numbers of `unsigned`?"""
    wide = ctype.kind is TypeKind.INTEGER and ctype.bits > 32
    return wide or ctype.kind is TypeKind.FLOATING


def _is_word(ctype: CType) -> bool:
    """Does a number of the type become unsigned next to an unsigned one?"""
    return ctype.kind in (TypeKind.INTEGER, TypeKind.BOOL) and 0 < ctype.bits <= 32
