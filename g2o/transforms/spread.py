"""Expressions become statements where a part of them has to stand in a statement of its own.

    if (a || vote(b))                   bool either = a;
        x = 1;                 ->       if (!either)
                                            either = vote(b);
                                        if (either)
                                            x = 1;

    for (...; s /= 2, barrier())        while (...) {
        x[t] += x[t + s];      ->           x[t] += x[t + s];
                                            s /= 2;
                                            barrier();
                                        }

The parts are calls that are inlined, and operations between threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import final

from g2o.analysis.effects import statements_of
from g2o.analysis.jumps import with_steps
from g2o.analysis.value_types import common_type, is_known, value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Literal,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import children, rewrite, walk, with_children
from g2o.ir.types import BOOL, CType, TypeKind, unqualified

TypeOfCall = Callable[[Call], CType | None]

_FOREVER = Literal("true", 1, BOOL)
_BREAK = Jump(JumpKind.BREAK)


def spread_conditions(
    body: Block,
    concerns: Callable[[Node], bool],
    symbols: SymbolTable,
    in_heads: Callable[[Node], bool] | None = None,
    type_of: TypeOfCall | None = None,
) -> Block:
    """Give parts that `concerns` names, and that are evaluated under a condition, a statement.

    Loops in whose conditions `in_heads` names anything get them into their bodies. `type_of` says
    what calls give where clang leaves it open, in templates. Raises Refusal for choices between
    values of which nobody knows the type.
    """
    if not any(concerns(node) for node in walk(body)):
        return body
    spreader = _Spreader(concerns, in_heads or _nothing, type_of or _unknown, symbols)
    return spreader.block(body)


def _nothing(_: Node) -> bool:
    return False


def _unknown(_: Call) -> CType | None:
    return None


@final
class _Spreader:
    def __init__(
        self,
        concerns: Callable[[Node], bool],
        in_heads: Callable[[Node], bool],
        type_of: TypeOfCall,
        symbols: SymbolTable,
    ) -> None:
        self.concerns = concerns
        self.in_heads = in_heads
        self.type_of = type_of
        self.symbols = symbols

    def block(self, body: Block) -> Block:
        new: list[Stmt] = []
        for statement in body.statements:
            new.extend(self._statement(statement))
        same = len(new) == len(body.statements) and all(
            after is before for after, before in zip(new, body.statements, strict=True)
        )
        return body if same else Block(tuple(new), trivia=body.trivia, span=body.span)

    def _nested(self, statement: Stmt) -> Stmt:
        if isinstance(statement, Block):
            return self.block(statement)
        result = self._statement(statement)
        return result[0] if len(result) == 1 else Block(tuple(result))

    def _contains(self, node: Node) -> bool:
        return any(self.concerns(inner) for inner in walk(node))

    # -- statements -----------------------------------------------------------------------------

    def _statement(self, statement: Stmt) -> list[Stmt]:
        if not self._contains(statement):
            return [statement]
        match statement:
            case Block():
                return [self.block(statement)]
            case ExprStatement(expr=expr):
                return self._expression(statement, strip_parens(expr))
            case If(condition=condition):
                return self._if(statement, strip_parens(condition))
            case Return(value=value) if value is not None:
                before, value = self._taken_out(value)
                return _after(before, statement, replace(statement, value=value))
            case Switch(condition=condition):
                before, condition = self._taken_out(condition)
                inside = self._nested(statement.body)
                return _after(
                    before, statement, replace(statement, condition=condition, body=inside)
                )
            case Declare() if any(map(self._conditional_in, _initials(statement))):
                return self._declare(statement)
            case For() | While() | DoWhile():
                return self._loop(statement)
            case Labelled():
                return [self._with_bodies(statement)]
            case _:
                return [statement]

    def _with_bodies(self, statement: Stmt) -> Stmt:
        """The statement with the statements in it spread."""
        old = children(statement)
        new = tuple(
            self._nested(child)
            if isinstance(child, (Block, ExprStatement, If, For, While, DoWhile, Switch, Labelled))
            else child
            for child in old
        )
        if all(after is before for after, before in zip(new, old, strict=True)):
            return statement
        return replace(with_children(statement, new), form=statement.form.BUILT)

    def _expression(self, statement: ExprStatement, expr: Expr) -> list[Stmt]:
        match expr:
            case Binary(op=",", left=left, right=right):
                first = ExprStatement(left, trivia=replace(statement.trivia, after=""))
                second = ExprStatement(
                    right, trivia=replace(NO_TRIVIA, after=statement.trivia.after)
                )
                return [*self._statement(first), *self._statement(second)]
            case Cast(type=CType(kind=TypeKind.VOID), operand=operand):
                return self._expression(statement, strip_parens(operand))
            case Conditional(condition=condition, if_true=if_true, if_false=if_false) if (
                self._contains(if_true) or self._contains(if_false)
            ):
                then, other = _branch(if_true), _branch(if_false)
                otherwise = other if other.statements else None
                return self._statement(If(condition, then, otherwise, trivia=statement.trivia))
            case _:
                before, new = self._taken_out(statement.expr)
                return _after(before, statement, replace(statement, expr=new))

    def _if(self, statement: If, condition: Expr) -> list[Stmt]:
        match condition:
            case Binary(op="&&", left=left, right=right) if (
                statement.otherwise is None and self._contains(right)
            ):
                inner = If(right, statement.then)
                outer = If(left, Block((inner,)), trivia=statement.trivia)
                return self._statement(outer)
            case _:
                before, new = self._taken_out(statement.condition)
                then = self._nested(statement.then)
                other = None if statement.otherwise is None else self._nested(statement.otherwise)
                if not before and then is statement.then and other is statement.otherwise:
                    return [statement]
                rebuilt = replace(statement, condition=new, then=then, otherwise=other)
                return _after(before, statement, rebuilt)

    def _declare(self, statement: Declare) -> list[Stmt]:
        result: list[Stmt] = []
        trivia = statement.trivia
        for variable in statement.variables:
            if variable.initial is not None:
                before, initial = self._taken_out(variable.initial)
                result.extend(before)
                variable = replace(variable, initial=initial)
            result.append(Declare((variable,), trivia=trivia))
            trivia = NO_TRIVIA
        return result

    # -- loops ----------------------------------------------------------------------------------

    def _loop(self, loop: For | While | DoWhile) -> list[Stmt]:
        condition = loop.condition
        opened = condition is not None and (
            any(self.in_heads(node) for node in walk(condition))
            or self._conditional_in(condition) is not None
        )
        stepped = isinstance(loop, For) and any(
            part is not None and self._contains(part) for part in (loop.initial, loop.increment)
        )
        if not opened and not stepped:
            return [self._with_bodies(loop)]
        inside = statements_of(loop.body)
        if opened and isinstance(loop, DoWhile) and any(map(_continues, inside)):
            return [self._with_bodies(loop)]  # refused where the operation is lowered
        before: tuple[Stmt, ...] = ()
        if isinstance(loop, For):
            before = () if loop.initial is None else (loop.initial,)
            if loop.increment is not None:
                step = ExprStatement(loop.increment)
                inside = (*(with_steps(statement, (step,)) for statement in inside), step)
        if opened and condition is not None:
            leave = If(Unary("!", condition, type=BOOL), _BREAK)
            inside = (*inside, leave) if isinstance(loop, DoWhile) else (leave, *inside)
            condition = None
        whole = While(condition or _FOREVER, Block(inside), trivia=loop.trivia)
        if not before:
            return [self._with_bodies(whole)]
        return [self.block(Block((*before, whole), trivia=loop.trivia))]

    # -- expressions ----------------------------------------------------------------------------

    def _taken_out(self, expr: Expr) -> tuple[list[Stmt], Expr]:
        """Statements that evaluate what stands under conditions in `expr`, and the rest of it."""
        before: list[Stmt] = []
        while True:
            node = self._conditional_in(expr)
            if node is None:
                return before, expr
            made, value = self._evaluated(node)
            for statement in made:
                before.extend(self._statement(statement))
            expr = _put(expr, node, value)

    def _conditional_in(self, node: Node | None) -> Conditional | Binary | None:
        """The outermost expression that evaluates a part under a condition which concerns us."""
        for inner in () if node is None else walk(node):
            match inner:
                case Conditional(if_true=if_true, if_false=if_false):
                    if self._contains(if_true) or self._contains(if_false):
                        return inner
                case Binary(op="&&" | "||", right=right) if self._contains(right):
                    return inner
                case _:
                    pass
        return None

    def _evaluated(self, node: Conditional | Binary) -> tuple[list[Stmt], Expr]:
        match node:
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                ctype = self._type_of_choice(node)
                chosen = VarRef(self.symbols.fresh("chosen", ctype, Storage.LOCAL))
                spelled = ctype.spelling.replace("const ", "").rstrip("& ")
                then = ExprStatement(Assign("=", chosen, if_true, ctype))
                other = ExprStatement(Assign("=", chosen, if_false, ctype))
                declared = Declare((Variable(chosen.symbol, spelled),))
                return [declared, If(condition, Block((then,)), Block((other,)))], chosen
            case Binary(op=op, left=left, right=right):
                wish = "both" if op == "&&" else "either"
                value = VarRef(self.symbols.fresh(wish, BOOL, Storage.LOCAL))
                declared = Declare((Variable(value.symbol, "bool", "", left, "="),))
                again = Block((ExprStatement(Assign("=", value, right, BOOL)),))
                asked: Expr = value if op == "&&" else Unary("!", value, type=BOOL)
                return [declared, If(asked, again)], value

    def _type_of_choice(self, node: Conditional) -> CType:
        """The type that both values are converted to; in a template, of what is known of them."""
        if is_known(node.type):
            return node.type
        first, second = map(self._type_of_value, (node.if_true, node.if_false))
        if not is_known(first) or not is_known(second):
            note = Note("give the value to a variable in an `if` instead")
            message = "choice between values of which a template leaves the type open"
            raise refuse("G2O0210", message, node.span, note)
        known = common_type(first, second)
        if known is not None:
            return known
        spelled = ", ".join(map(unqualified, (first, second)))
        return CType(f"std::common_type_t<{spelled}>", TypeKind.DEPENDENT)

    def _type_of_value(self, expr: Expr) -> CType:
        """The type of a value, where calls have those that `type_of` says."""

        def told(node: Node) -> Node | None:
            ctype = self.type_of(node) if isinstance(node, Call) else None
            return None if ctype is None or not isinstance(node, Call) else Cast(node, ctype)

        return _open_type(rewrite(expr, told))


def _open_type(expr: Expr) -> CType:
    """The type of a value; what operators give of types that a template leaves open is asked for,
    since small integers are promoted."""
    match strip_parens(expr):
        case Binary(op="+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" as op, left=left, right=right):
            first, second = _open_type(left), _open_type(right)
            if TypeKind.DEPENDENT in (first.kind, second.kind) and is_known(first):
                given = [f"std::declval<{unqualified(one)}>()" for one in (first, second)]
                is_told = is_known(second)
                return CType(f"decltype({op.join(given)})" if is_told else "", TypeKind.DEPENDENT)
        case Unary(op="+" | "-" | "~" as op, operand=operand):
            ctype = _open_type(operand)
            if ctype.kind is TypeKind.DEPENDENT and is_known(ctype):
                spelled = f"decltype({op}std::declval<{unqualified(ctype)}>())"
                return CType(spelled, TypeKind.DEPENDENT)
        case _:
            pass
    return value_type(expr)


def _put(expr: Expr, old: Expr, new: Expr) -> Expr:
    return rewrite(expr, lambda node: new if node is old else None)


def _branch(expr: Expr) -> Block:
    """What a side of `condition ? a() : (void)0` does."""
    bare = strip_parens(expr)
    while isinstance(bare, Cast) and bare.type.kind is TypeKind.VOID:
        bare = strip_parens(bare.operand)
    return Block(()) if isinstance(bare, Literal) else Block((ExprStatement(bare),))


def _after(before: list[Stmt], old: Stmt, new: Stmt) -> list[Stmt]:
    """`new` in place of `old`, behind what it needs; the comments stay around all of it."""
    if not before:
        return [old] if new == old else [replace(new, form=new.form.BUILT)]
    trivia = old.trivia
    first = replace(before[0], trivia=replace(trivia, after=""))
    last = replace(new, trivia=replace(NO_TRIVIA, after=trivia.after), form=new.form.BUILT)
    return [first, *before[1:], last]


def _initials(statement: Declare) -> list[Expr]:
    return [v.initial for v in statement.variables if v.initial is not None]


def _continues(statement: Stmt) -> bool:
    """Does a `continue` in `statement` go on with the loop around it?"""
    match statement:
        case Jump(kind=kind):
            return kind is JumpKind.CONTINUE
        case For() | While() | DoWhile():
            return False
        case _:
            return any(
                _continues(child) for child in children(statement) if isinstance(child, Stmt)
            )
