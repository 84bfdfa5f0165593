"""Reductions by an operator of the program, as the butterfly that cooperative groups make of them.

    Pair all = cg::reduce(warp, own, combine);   ->   Pair reduced = own;
                                                      for (int mask = 16; mask > 0; mask /= 2) {
                                                          Pair other;
                                                          other.a = warp.shfl_xor(reduced.a, mask);
                                                          other.b = warp.shfl_xor(reduced.b, mask);
                                                          reduced = combine(reduced, other);
                                                      }
                                                      Pair all = reduced;

For differentiation, which knows what becomes of shuffles and of the operator; where the value is of
whole numbers, the reduction stays. The operator is associative and commutative, as it has to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    ExprStatement,
    For,
    Node,
    Return,
    Scope,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind, unqualified
from g2o.transforms.groups import Groups, find_groups
from g2o.transforms.operations import known_kind

_VECTOR: Final = re.compile(r"(float|double)([1-4])")
_NUMBERS: Final = {
    "float": CType("float", TypeKind.FLOATING, 32),
    "double": CType("double", TypeKind.FLOATING, 64),
}


def spell_out_reductions(kernel: Kernel) -> Kernel:
    """`kernel` with butterflies in place of such reductions over tiles and warps."""
    if not any(map(_is_reduction, walk(kernel.body))):
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    body = _Butterflies(find_groups(kernel.body), symbols).inside(kernel.body)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _is_reduction(node: Node) -> bool:
    if not isinstance(node, Call) or not node.is_cuda or node.name != "reduce":
        return False
    return len(node.arguments) == 3 and known_kind(node.arguments[2]) is None


@final
@dataclass(frozen=True, slots=True)
class _Butterflies:
    groups: Groups
    symbols: SymbolTable

    def inside(self, block: Block) -> Block:
        made = tuple(new for one in block.statements for new in self._statement(one))
        if len(made) == len(block.statements):
            if all(a is b for a, b in zip(made, block.statements, strict=True)):
                return block
        return replace(block, statements=made, form=Form.BUILT)

    def _statement(self, statement: Stmt) -> list[Stmt]:
        match statement:
            case Declare() | ExprStatement() | Return():
                before: list[Stmt] = []
                while (call := self._first(statement)) is not None:
                    statement = _put(statement, call, self._reduced(call, before))
                if before:
                    before[0] = replace(before[0], trivia=statement.trivia)
                    statement = replace(statement, trivia=NO_TRIVIA)
                return [*before, statement]
            case _:
                return [rewrite(statement, self._nested)]

    def _nested(self, node: Node) -> Node | None:
        match node:
            case Block():
                return self.inside(node)
            case Declare() | ExprStatement() | Return():
                made = self._statement(node)
                return made[0] if len(made) == 1 else Block(tuple(made))
            case _:
                return None

    def _first(self, node: Node) -> Call | None:
        """The first such reduction that is done whenever the statement is."""
        chosen = [
            inner
            for one in walk(node)
            if isinstance(one, Conditional) or (isinstance(one, Binary) and one.op in ("&&", "||"))
            for inner in walk(one)
        ]
        for one in walk(node):
            if not isinstance(one, Call) or not _is_reduction(one):
                continue
            group = self.groups.group_of(one.arguments[0])
            leaves = list(_leaves(one.arguments[1], value_type(one.arguments[1])))
            real = any(value_type(leaf).kind is TypeKind.FLOATING for leaf in leaves)
            whole = leaves and all(value_type(leaf).is_arithmetic for leaf in leaves)
            if group is None or group.scope is not Scope.WARP or not real or not whole:
                continue
            if not any(inner is one for inner in chosen):
                return one
        return None

    def _reduced(self, call: Call, before: list[Stmt]) -> VarRef:
        """Puts the butterfly in front; what has its value."""
        group, value, functor = call.arguments
        given = value_type(value)
        ctype = replace(given, spelling=unqualified(given), is_const=False)
        result = self.symbols.fresh("reduced", ctype, Storage.LOCAL)
        other = self.symbols.fresh("other", ctype, Storage.LOCAL)
        mask = self.symbols.fresh("mask", INT, Storage.LOCAL)
        before.append(Declare((Variable(result, ctype.spelling, "", value, "="),)))
        combine = self._operator(functor, before)
        width = self.groups.width_of(group)
        assert width is not None
        lanes = integer_value(width)
        half: Expr = Binary("/", width, Literal("2", 2, INT), INT)
        if lanes is not None:
            half = Literal(str(lanes // 2), lanes // 2, INT)
        taken = [
            ExprStatement(Assign("=", to, self._shuffled(group, own, mask), to.type))
            for to, own in zip(
                _leaves(VarRef(other), ctype), _leaves(VarRef(result), ctype), strict=True
            )
        ]
        arguments = (VarRef(result), VarRef(other))
        name = combine.text if isinstance(combine, Literal) else ""
        both = Call(name, combine, arguments, type=ctype, span=call.span)
        body = Block(
            (
                Declare((Variable(other, ctype.spelling),)),
                *taken,
                ExprStatement(Assign("=", VarRef(result), both, ctype)),
            )
        )
        start = Declare((Variable(mask, "int", "", half, "="),))
        more = Binary(">", VarRef(mask), Literal("0", 0, INT), BOOL)
        step = Assign("/=", VarRef(mask), Literal("2", 2, INT), INT)
        before.append(For(start, more, step, body))
        return VarRef(result)

    def _operator(self, functor: Expr, before: list[Stmt]) -> Literal | VarRef:
        """The name of the function, or of the object, that combines two values."""
        bare = strip_parens(functor)
        if isinstance(bare, Unary) and bare.op == "&":
            bare = strip_parens(bare.operand)
        if isinstance(bare, (Literal, VarRef)):
            return bare
        symbol = self.symbols.fresh("combine", functor.type, Storage.LOCAL)
        before.append(Declare((Variable(symbol, "auto", "", functor, "="),)))
        return VarRef(symbol)

    def _shuffled(self, group: Expr, own: Expr, mask: Symbol) -> Call:
        callee = Member(group, "shfl_xor")
        return Call("shfl_xor", callee, (own, VarRef(mask)), is_cuda=True, type=own.type)


def _put(statement: Stmt, call: Call, result: VarRef) -> Stmt:
    return rewrite(statement, lambda node: result if node is call else None)


def _leaves(place: Expr, ctype: CType) -> Iterator[Expr]:
    """The numbers that a value consists of."""
    vector = _VECTOR.fullmatch(unqualified(ctype))
    if vector is not None:
        for axis in "xyzw"[: int(vector[2])]:
            yield Member(place, axis, type=_NUMBERS[vector[1]])
    elif ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        for k in range(ctype.extent or 0):
            yield from _leaves(Index(place, Literal(str(k), k, INT), ctype.element), ctype.element)
    elif ctype.fields:
        for name, member in ctype.fields:
            yield from _leaves(Member(place, name, type=member), member)
    else:
        yield place
