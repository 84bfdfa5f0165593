"""Variables that a loop steps along with its counter, as functions of the counter.

    for (int k = 0; k < n; ++k) {              for (int k = 0; k < n; ++k) {
        s += f(x[at]);                             s += f(x[at + k]);
        if (s < limit)                 ->          if (s < limit)
            more = false;                              more = false;
        else                                   }
            ++at;
    }

The reverse sweep knows the counter of an iteration, and with it where that was; a variable that
steps would go onto a tape. Of a loop in steps of 8, `at += 8 * n` is `at + k * n`. Legal where
nothing else changes the variable. Where nothing names it behind the loop, it does not matter either
whether the last iteration steps it; else all steps are made there at once, as many as there are
iterations of a loop that nothing leaves early.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from operator import is_
from typing import Final, final

from g2o.ad.loops import Counted, Stepped, counted, stepped
from g2o.ad.places import addressed
from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.induction import inductions
from g2o.analysis.value_types import value_type
from g2o.ir.bodies import with_bodies
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Form,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    moved_by,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Empty,
    ExprStatement,
    For,
    If,
    Jump,
    Return,
    Stmt,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind

_HOLDERS: Final = (Block, If, For, While, DoWhile)


def with_closed_forms(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """`statements` with what loops step found from their counters, where that is legal."""
    return _Sequence(effects, addressed(statements)).changed(statements)


@final
class _Sequence:
    def __init__(self, effects: EffectsOf, addressed: Collection[Symbol]) -> None:
        self.effects = effects
        self.addressed = addressed

    def changed(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """A sequence of statements, and all sequences inside of them."""
        result: list[Stmt] = []
        for position, statement in enumerate(statements):
            behind: list[Stmt] = []
            if isinstance(statement, For):
                own = self._declared_before(statements, position)
                named = {one for later in statements[position + 1 :] for one in symbols_in(later)}
                if own & named:
                    statement, behind = self._stepped_at_once(statement, own & named)
                if own - named:
                    statement = self._loop(statement, own - named)
            if isinstance(statement, _HOLDERS):
                statement = with_bodies(statement, self.changed)
            result += (statement, *behind)
        same = len(result) == len(statements) and all(map(is_, result, statements))
        return statements if same else tuple(result)

    def _declared_before(self, statements: tuple[Stmt, ...], position: int) -> set[Symbol]:
        """Integers that are declared in front of a loop, which nothing but their names leads to."""
        return {
            one.symbol
            for statement in statements[:position]
            if isinstance(statement, Declare)
            for one in statement.variables
            if one.symbol.type.kind is TypeKind.INTEGER
            and one.symbol.storage is Storage.LOCAL
            and one.symbol not in self.addressed
        }

    def _stepped_at_once(self, loop: For, wanted: set[Symbol]) -> tuple[For, list[Stmt]]:
        """A loop without the steps of variables that are named behind it, and these steps."""
        head = counted(loop, self.effects)
        turns = None if head is None else self._turns(loop, head)
        if head is None or turns is None or not isinstance(loop.initial, Declare):
            return loop, []
        some = _none_or(turns, integer_value(head.first) == 0)
        if some is None:
            return loop, []
        steps: list[Stmt] = []
        outside = (loop.initial, loop.condition, loop.increment)
        named = {symbol for one in outside if one is not None for symbol in symbols_in(_said(one))}
        for symbol, step in inductions(loop, self.effects).items():
            fits = _fits(symbol.type, head.index.type) and _adds(
                symbol.type, value_type(step.amount)
            )
            if symbol not in wanted - named or step.op != "+" or not fits:
                continue
            loop = self._without(loop, symbol, step.amount, head)
            whole = _times(some, step.amount, symbol.type)
            steps.append(ExprStatement(Assign("+=", VarRef(symbol), whole, symbol.type)))
        return loop, steps

    def _turns(self, loop: For, head: Counted) -> Expr | None:
        """How many iterations there are of a loop that counts up to where it ends, a number below 0
        standing for none; None for others, and where that is not known behind it."""
        if head.falls or head.relation != "<" or integer_value(head.step) != 1:
            return None
        if loop.shared is not None or any(isinstance(n, (Jump, Return)) for n in walk(loop.body)):
            return None
        needed = self.effects.of_all((head.first, head.bound))
        if not needed.is_pure or needed.memory_reads or needed.reads & self.effects.of(loop).writes:
            return None
        begin = integer_value(head.first)
        if begin is not None:
            return moved_by(head.bound, -begin, head.index.type)
        return Paren(Binary("-", head.bound, head.first, head.index.type), head.index.type)

    def _loop(self, loop: For, own: set[Symbol]) -> For:
        head = counted(loop, self.effects) or stepped(loop, self.effects)
        if head is None or head.falls or (integer_value(head.step) or 0) < 1:
            return loop
        if not isinstance(loop.initial, Declare) or loop.shared is not None:
            return loop
        begin = self.effects.of(head.first)
        if not begin.is_pure or begin.memory_reads or begin.reads & self.effects.of(loop).writes:
            return loop  # what the counter began with is not known any more inside
        loop = self._with_free_steps(loop, own)
        outside = (loop.initial, loop.condition, loop.increment)
        named = {symbol for one in outside if one is not None for symbol in symbols_in(_said(one))}
        for symbol, step in inductions(loop, self.effects).items():
            if symbol not in own or symbol in named or step.op != "+":
                continue
            amount = value_type(step.amount)
            if _fits(symbol.type, head.index.type) and _adds(symbol.type, amount):
                loop = self._without(loop, symbol, step.amount, head)
        for symbol in sorted(own - named, key=lambda one: one.id):
            if symbol in symbols_in(loop.body) and symbol in self.effects.of(loop.body).writes:
                folded = self._folded(loop, symbol)
                loop = loop if folded is None else folded[0]
        return loop

    def _folded(self, loop: For, symbol: Symbol) -> tuple[For, Expr] | None:
        """A loop around one that steps a variable, and names it nowhere else, without the steps:

            for (int i = 0; i < h; ++i)          x[at + (i * w + j) * step]
                for (int j = 0; j < w; ++j) {
                    x[at] = ...;
                    at += step;
                }

        and by how much the loop has stepped it where it has run at all: what the variable is
        elsewhere does not matter.
        """
        head = counted(loop, self.effects)
        turns = None if head is None else self._turns(loop, head)
        if head is None or turns is None:
            return None
        wide = symbol.type
        if not _fits(wide, head.index.type) or not isinstance(loop.initial, Declare):
            return None
        step = inductions(loop, self.effects).get(symbol)
        if step is not None:
            if step.op != "+" or not _adds(wide, value_type(step.amount)):
                return None
            amount, inner = step.amount, self._without(loop, symbol, step.amount, head)
        else:
            naming = [one for one in statements_of(loop.body) if symbol in symbols_in(one)]
            match naming:
                case [For() as only]:
                    folded = self._folded(only, symbol)
                case _:
                    folded = None
            if folded is None:
                return None
            made, amount = folded
            value = _value(symbol, amount, head, behind=False)
            body = (
                _with(made, symbol, value) if one is naming[0] else one
                for one in statements_of(loop.body)
            )
            inner = replace(loop, body=Block(tuple(body)), form=Form.BUILT)
        needed = self.effects.of(amount)
        if not needed.is_pure or needed.memory_reads or needed.reads & self.effects.of(loop).writes:
            return None
        return inner, _times(turns, amount, wide)

    def _with_free_steps(self, loop: For, own: set[Symbol]) -> For:
        """The loop with steps at the end of what does not leave it done in any case."""
        *first, last = statements_of(loop.body) or (Empty(),)
        if not isinstance(last, If) or last.otherwise is None or last.is_constexpr:
            return loop
        condition = loop.condition
        then = statements_of(last.then)
        match condition:
            case Binary(op="&&", left=VarRef(symbol=more)) if _sets_false(then, more):
                pass
            case VarRef(symbol=more) if _sets_false(then, more):
                pass
            case _:
                return loop
        otherwise = list(statements_of(last.otherwise))
        steps: list[Stmt] = []
        while otherwise and self._is_step(otherwise[-1], own):
            steps.insert(0, otherwise.pop())
        stepping = {symbol for one in steps for symbol in self.effects.of(one).writes}
        if not steps or any(stepping & symbols_in(one) for one in otherwise):
            return loop
        other = Block(tuple(otherwise)) if otherwise else None
        leaving = replace(last, otherwise=other, form=Form.BUILT)
        body = Block((*first, leaving, *steps))
        return replace(loop, body=body, form=Form.BUILT)

    def _is_step(self, statement: Stmt, own: set[Symbol]) -> bool:
        match statement:
            case ExprStatement(
                expr=Unary(op="++" | "--", operand=VarRef(symbol=symbol))
                | Assign(op="+=" | "-=", target=VarRef(symbol=symbol)) as expr
            ):
                amount = expr.value if isinstance(expr, Assign) else None
                is_number = amount is None or isinstance(amount, Literal)
                return is_number and symbol in own and not statement.trivia.before
            case _:
                return False

    def _without(self, loop: For, symbol: Symbol, amount: Expr, head: Counted | Stepped) -> For:
        """The loop without the step of a variable, which is found from the index."""
        before = _value(symbol, amount, head, behind=False)
        behind = _value(symbol, amount, head, behind=True)
        body: list[Stmt] = []
        is_stepped = False
        for statement in statements_of(loop.body):
            if isinstance(statement, ExprStatement) and symbol in self.effects.of(statement).writes:
                is_stepped = True
                continue
            body.append(_with(statement, symbol, behind if is_stepped else before))
        return replace(loop, body=Block(tuple(body)), form=Form.BUILT)


def _value(symbol: Symbol, amount: Expr, head: Counted | Stepped, *, behind: bool) -> Expr:
    """The variable in an iteration, or behind its step there."""
    ctype, index, step = symbol.type, head.index, integer_value(head.step) or 1
    times: Expr = VarRef(index)
    begin = integer_value(head.first)
    if behind and (begin is None or step > 1):
        times = Binary("+", times, head.step, index.type)
    elif begin is not None and behind:
        begin -= 1
    if begin is None:
        times = Binary("-", times, head.first, index.type)
    elif begin > 0:
        times = Binary("-", times, Literal(str(begin), begin, index.type), index.type)
    elif begin < 0:
        times = Binary("+", times, Literal(str(-begin), -begin, index.type), index.type)
    factor = amount if step == 1 else _divided(amount, head.step)
    if factor is None:
        times = Binary("/", _operand(times), head.step, index.type)
        factor = amount
    if integer_value(factor) != 1:
        times = _operand(times)
        if ctype.bits > index.type.bits:
            times = Cast(strip_parens(times), ctype)
        times = Binary("*", times, factor, ctype)
    return Binary("+", VarRef(symbol), times, ctype)


def _times(turns: Expr, amount: Expr, ctype: CType) -> Expr:
    """By how much a variable is stepped in all."""
    if ctype.bits > value_type(turns).bits:
        turns = Cast(strip_parens(turns), ctype)
    return turns if integer_value(amount) == 1 else Binary("*", turns, _operand(amount), ctype)


def _none_or(turns: Expr, from_0: bool) -> Expr | None:
    """How many iterations there are, where a number below 0 stands for none; None where that would
    wrap around."""
    ctype = value_type(turns)
    if not ctype.is_signed:
        return turns if from_0 else None
    known = integer_value(turns)
    if known is not None:
        return turns if known >= 0 else Literal("0", 0, INT)
    zero = Literal("0", 0, INT)
    least = zero if ctype.bits == INT.bits else Cast(zero, ctype)
    return Call("max", Literal("std::max"), (least, turns), type=ctype)


def _operand(expr: Expr) -> Expr:
    return expr if isinstance(expr, VarRef) else Paren(expr, expr.type)


def _divided(amount: Expr, step: Expr) -> Expr | None:
    """`amount / step` where the one is spelled as a multiple of the other; None for others."""
    bare = strip_parens(amount)
    if bare == step or integer_value(bare) == integer_value(step):
        return Literal("1", 1, INT)
    match bare:
        case Binary(op="*", left=left, right=right) if strip_parens(left) == step:
            return right
        case Binary(op="*", left=left, right=right) if strip_parens(right) == step:
            return left
        case _:
            return None


def _with(statement: Stmt, symbol: Symbol, value: Expr) -> Stmt:
    return rewrite(
        statement,
        lambda node: value if isinstance(node, VarRef) and node.symbol == symbol else None,
    )


def _fits(ctype: CType, index: CType) -> bool:
    """Is a sum with the index of a loop, or a multiple of it, the number that steps would give?"""
    if index.kind is not TypeKind.INTEGER or min(ctype.bits, index.bits) < 32:
        return False
    if index.bits > ctype.bits:
        return False
    return (ctype.is_signed and index.is_signed) or (ctype.bits, ctype.is_signed) == (
        index.bits,
        index.is_signed,
    )


def _adds(ctype: CType, amount: CType) -> bool:
    """Is a multiple of the amount, worked out in the type, what adding it so often gives?"""
    if amount.kind is TypeKind.INTEGER and 32 <= amount.bits < ctype.bits:
        return True
    return _fits(ctype, amount)


def _sets_false(statements: tuple[Stmt, ...], flag: Symbol) -> bool:
    match statements[-1:]:
        case (ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)),):
            return symbol == flag and integer_value(value) == 0
        case _:
            return False


def _said(part: Stmt | Expr) -> Stmt:
    return part if not isinstance(part, Expr) else ExprStatement(part)
