"""Where a kernel rounds, said in the kernel itself: what error estimates are made from.

    v += a * x[i];    ->    const double product = a * x[i];
                            g2o::rounded(product, v_terms);
                            v += product;
                            g2o::rounded(v, v);

Every number that an operation stores is rounded: its relative change is an input of the kernel like
any other, and its adjoint is the number times its shadow (Singh et al., "Fast and automatic
floating-point error analysis with CHEF-FP", IPDPS 2023; Menon et al., "ADAPT", SC 2018). A call of
`g2o::rounded` tells activity of the input, and the reverse sweep where it is to be taken: behind
the assignment. It is in no kernel that comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.ad.components import behind
from g2o.ad.increments import atomic_add, zero
from g2o.ad.reals import carries, is_real, real_parts
from g2o.analysis.effects import root_symbol, statements_of
from g2o.analysis.pure_functions import CONVERSIONS, ROUNDED
from g2o.analysis.value_types import is_known, value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import (
    Assign,
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
    is_primary,
    negated,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Labelled,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, walk, with_children
from g2o.ir.types import CType, TypeKind, unqualified

DOUBLE: Final = CType("double", TypeKind.FLOATING, 64)
_NAMES: Final = {"+": "sum", "-": "difference", "*": "product", "/": "quotient"}
_STEPS: Final = ("floor", "ceil", "trunc", "round", "rint", "nearbyint", "lrint", "lround")
_ATOMIC_SUMS: Final = ("atomicAdd", "atomicSub")
_MOVES: Final = ("__ldg", "__shfl", "fabs", "abs", "fmin", "fmax", "min", "max", "copysign")


@final
@dataclass(frozen=True, slots=True)
class Rounding:
    """What the assignments to `variable` in one line round: the numbers that are stored, or, where
    `is_terms`, those inside of what is computed for them. `reads` are the variables that the values
    are made of: all of what is stored, some of the terms. `change` and `square` stand for the
    relative changes: inputs of the kernel. `is_copy`: what is stored is rounded by its type only.
    """

    variable: str
    is_terms: bool
    is_copy: bool
    type: CType
    span: SourceSpan | None
    reads: tuple[str, ...]
    change: Symbol
    square: Symbol

    @property
    def inputs(self) -> tuple[Symbol, Symbol]:
        return self.change, self.square


@final
@dataclass(frozen=True, slots=True)
class LeftOut:
    """What rounding may do that no derivative knows of."""

    what: str
    span: SourceSpan | None


def left_out(statements: tuple[Stmt, ...], is_active: Callable[[Expr], bool]) -> list[LeftOut]:
    """Where numbers that are rounded decide: which way conditions go, and whole numbers."""

    def depends(expr: Expr) -> bool:
        return any(
            isinstance(node, (VarRef, Index, Member, Unary))
            and is_real(value_type(node))
            and is_active(node)
            for node in walk(expr)
        )

    found: dict[tuple[str, int], LeftOut] = {}
    place: SourceSpan | None = None
    for node in walk(Block(statements)):
        place = node.span or place
        match node:
            case If(condition=expr) | While(condition=expr) | DoWhile(condition=expr):
                what = "which way a condition goes"
            case For(condition=expr) | Conditional(condition=expr):
                what = "which way a condition goes"
            case Cast(operand=expr, type=CType(kind=TypeKind.INTEGER)):
                what = "a whole number"
            case Call(name=name) if name in CONVERSIONS or name.removesuffix("f") in _STEPS:
                expr, what = node, "a whole number"
            case _:
                continue
        if expr is not None and depends(expr):
            span = expr.span or place
            one = LeftOut(f"rounding may change {what}", span)
            found.setdefault((what, -1 if span is None else span.line), one)
    return list(found.values())


def is_marker(statement: Node) -> bool:
    match statement:
        case ExprStatement(expr=Call(name=name)):
            return name == ROUNDED
        case _:
            return False


def without_markers(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements without calls of `g2o::rounded`."""
    body = Block(statements)
    if not any(map(is_marker, walk(body))):
        return statements
    return _unmarked(body).statements


def _unmarked(node: Block) -> Block:
    kept = tuple(one for one in node.statements if not is_marker(one))
    return replace(node, statements=tuple(map(_unmarked_below, kept)))


def _unmarked_below(node: Stmt) -> Stmt:
    if isinstance(node, Block):
        return _unmarked(node)
    old = children(node)
    new = tuple(_unmarked_below(one) if isinstance(one, Stmt) else one for one in old)
    same = all(one is two for one, two in zip(new, old, strict=True))
    return node if same else with_children(node, new)


def with_roundings(
    body: Block, symbols: SymbolTable, called: Mapping[Symbol, str]
) -> tuple[Block, tuple[Rounding, ...]]:
    """`body` with a call of `g2o::rounded` behind everything that rounds a real number, operations
    apart, and what is rounded in order. `called` is what variables are called that the source has
    no name for."""
    marker = _Marker(symbols, {one: (name,) for one, name in called.items()})
    marked = replace(body, statements=marker.sequence(body.statements), form=Form.BUILT)
    return marked, tuple(marker.found.values())


@final
@dataclass(slots=True)
class _Marker:
    """`known_as` are the variables whose numbers others have that the source does not know."""

    symbols: SymbolTable
    known_as: dict[Symbol, tuple[str, ...]] = field(default_factory=dict[Symbol, tuple[str, ...]])
    found: dict[tuple[str, int, tuple[str, ...] | None], Rounding] = field(
        default_factory=dict["tuple[str, int, tuple[str, ...] | None]", Rounding]
    )

    # -- statements -----------------------------------------------------------------------------

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(one for statement in statements for one in self._statement(statement))

    def _statement(self, statement: Stmt) -> list[Stmt]:
        match statement:
            case Declare(variables=variables) if len(variables) > 1:
                apart = [Declare((one,), span=statement.span) for one in variables]
                apart[0] = replace(apart[0], trivia=statement.trivia)
                return [made for one in apart for made in self._statement(one)]
            case Declare(variables=(Variable(initial=initial) as variable,)) if initial is not None:
                return self._declared(statement, variable, initial)
            case ExprStatement(expr=Assign() as assign):
                return self._assigned(statement, assign)
            case ExprStatement(expr=Call(name=name) as call) if name.startswith(_ATOMIC_SUMS):
                return self._atomic(statement, call)
            case ExprStatement(expr=Unary(op="++" | "--", operand=target)) if is_real(
                value_type(target)
            ):
                return [statement, *self._stored(target, (target,), statement.span, False)]
            case Exchange(result=result, operands=(operand, *_)):
                self.known_as[result] = tuple(self._read_in(operand))
                return [statement]  # it has the number that another thread has
            case Block():
                return [replace(statement, statements=self.sequence(statement.statements))]
            case Labelled(body=body):
                first, *rest = self._statement(body)
                return [replace(statement, body=first, form=Form.BUILT), *rest]
            case For(body=body):
                inner = self._body(body)
                return [replace(statement, body=inner, form=Form.BUILT)]
            case _:
                return [self._with_bodies(statement)]

    def _with_bodies(self, statement: Stmt) -> Stmt:
        old = children(statement)
        new = tuple(self._body(one) if isinstance(one, Stmt) else one for one in old)
        same = all(one is two for one, two in zip(new, old, strict=True))
        return statement if same else with_children(statement, new)

    def _body(self, statement: Stmt) -> Stmt:
        """A branch or the body of a loop."""
        if isinstance(statement, (Declare, ExprStatement)):
            made = self._statement(statement)
            return statement if len(made) == 1 else Block(tuple(made))
        return Block(self.sequence(statements_of(statement)), trivia=statement.trivia)

    def _declared(self, statement: Declare, variable: Variable, initial: Expr) -> list[Stmt]:
        symbol = variable.symbol
        if symbol.type.is_indirect or not carries(symbol.type):
            return [statement]
        if _is_own_copy(statement, initial):
            self.known_as[symbol] = tuple(self._read_in(initial))
            return [statement]
        before: list[Stmt] = []
        span = variable.span or statement.span or _first_span(initial)
        value = self._apart(initial, self._name(symbol), span, before)
        if value is not initial:
            changed = replace(variable, initial=value)
            statement = replace(statement, variables=(changed,), form=Form.BUILT)
        return [*before, statement, *self._stored(VarRef(symbol), (initial,), span)]

    def _assigned(self, statement: ExprStatement, assign: Assign) -> list[Stmt]:
        target, value = assign.target, assign.value
        ctype = value_type(target)
        if ctype.is_indirect or not carries(ctype):
            return [statement]
        before: list[Stmt] = []
        span = assign.span or statement.span or _first_span(value)
        root = root_symbol(target)
        if root is not None:
            whole = assign.op != "="
            new = self._apart(value, self._name(root), span, before, whole=whole)
            changed = replace(assign, value=new, form=Form.BUILT)
            if new is not value:
                statement = replace(statement, expr=changed, form=Form.BUILT)
        sources = (value,) if assign.op == "=" else (target, value)
        is_copy = None if assign.op == "=" else False
        return [*before, statement, *self._stored(target, sources, span, is_copy)]

    def _atomic(self, statement: ExprStatement, call: Call) -> list[Stmt]:
        """A sum that threads add to."""
        address, value = call.arguments[:2]
        target = behind(address)
        root = root_symbol(target)
        if root is None or not is_real(value_type(target)):
            return [statement]
        before: list[Stmt] = []
        span = call.span or statement.span or _first_span(value)
        added = self._apart(value, self._name(root), span, before, whole=True)
        if before:
            arguments = (address, added, *call.arguments[2:])
            changed = replace(call, arguments=arguments, form=Form.BUILT)
            statement = replace(statement, expr=changed, form=Form.BUILT)
        ctype = value_type(target)
        entry = self._entry(self._name(root), ctype, span, (target, value), is_terms=False)
        return [*before, statement, _marker(target, entry, call.name)]

    def _name(self, symbol: Symbol) -> str:
        """What the source calls the variable."""
        return next(iter(self.known_as.get(symbol, ())), symbol.wish or symbol.name)

    def _read_in(self, value: Expr) -> Iterator[str]:
        """The variables that real numbers in an expression come from."""
        for node in walk(value):
            if isinstance(node, VarRef) and carries(node.symbol.type):
                yield from self.known_as.get(node.symbol, (node.symbol.wish or node.symbol.name,))

    # -- what is rounded ------------------------------------------------------------------------

    def _stored(
        self,
        target: Expr,
        values: tuple[Expr, ...],
        span: SourceSpan | None,
        is_copy: bool | None = None,
    ) -> list[Stmt]:
        root = root_symbol(target)
        if root is None or (values and all(map(_is_exact, values))):
            return []
        copies = not any(map(_computes, values)) if is_copy is None else is_copy
        parts = real_parts(target)
        if not parts:
            return []
        ctype = value_type(parts[0])
        entry = self._entry(self._name(root), ctype, span, values, is_terms=False, is_copy=copies)
        return [_marker(part, entry) for part in parts]

    def _entry(
        self,
        variable: str,
        ctype: CType,
        span: SourceSpan | None,
        values: tuple[Expr, ...],
        *,
        is_terms: bool,
        is_copy: bool = False,
    ) -> Rounding:
        reads = tuple(dict.fromkeys(name for value in values for name in self._read_in(value)))
        key = variable, -1 if span is None else span.line, None if is_terms else reads
        known = self.found.get(key)
        if known is not None:
            merged = tuple(dict.fromkeys((*known.reads, *reads)))
            made = replace(known, reads=merged, is_copy=known.is_copy and is_copy)
        else:
            wish = f"{variable}_terms" if is_terms else variable
            change = self.symbols.declare(wish, DOUBLE, Storage.PARAMETER)
            square = self.symbols.declare(f"square_{wish}", DOUBLE, Storage.PARAMETER)
            made = Rounding(variable, is_terms, is_copy, ctype, span, reads, change, square)
        self.found[key] = made
        return made

    def _apart(
        self,
        expr: Expr,
        variable: str,
        span: SourceSpan | None,
        before: list[Stmt],
        *,
        whole: bool = False,
        guards: tuple[Expr, ...] = (),
    ) -> Expr:
        """`expr` with the operations inside of it in variables, declared `before`; the outermost
        one, too, where it is the `whole` that is meant. What is only evaluated where the `guards`
        hold is 0 elsewhere.
        """

        def inner(operand: Expr, *more: Expr, whole: bool = True) -> Expr:
            under = (*guards, *more)
            return self._apart(operand, variable, span, before, whole=whole, guards=under)

        match expr:
            case Paren(inner=below):
                new = inner(below, whole=whole)
                same = new is below
                if same or is_primary(new):
                    return expr if same else new
                return replace(expr, inner=new, form=Form.BUILT)
            case Code(parts=(only,)) if not isinstance(only, str):
                return inner(only, whole=whole)
            case Conditional(condition=condition, if_true=one, if_false=other) if carries(
                value_type(expr)
            ):
                first = inner(one, condition, whole=whole)
                second = inner(other, negated(condition), whole=whole)
                return _with_parts(expr, (condition, first, second))
            case InitList(elements=elements, said=None):
                return _with_parts(expr, tuple(inner(one, whole=False) for one in elements))
            case Call(name=name, callee=callee, arguments=arguments) if name.startswith("make_"):
                parts = tuple(inner(one, whole=False) for one in arguments)
                return _with_parts(expr, (callee, *parts))
            case Unary(op="-" | "+", operand=operand) if is_real(value_type(expr)):
                return _with_parts(expr, (inner(operand),))
            case Cast(operand=operand, type=ctype) if is_real(ctype):
                return _with_parts(expr, (inner(operand),))
            case Binary(op="+" | "-" | "*" | "/") if is_real(value_type(expr)):
                new = _with_parts(expr, (inner(expr.left), inner(expr.right)))
            case Call(name=name, callee=callee, arguments=arguments) if is_real(
                value_type(expr)
            ) and not name.startswith(("atomic", "__shfl")):
                new = _with_parts(expr, (callee, *map(inner, arguments)))
            case _:
                return expr
        if not whole or not _names(expr) or not _computes(expr):
            return new
        ctype = replace(value_type(expr), is_const=False)
        if not is_known(ctype):
            raise refuse("G2O0403", "operation of an open type, which rounds", span)
        is_binary = isinstance(expr, Binary)
        wish = _NAMES.get(expr.op, "value") if is_binary else f"{expr.said_name}_value"
        symbol = self.symbols.fresh(wish, ctype, Storage.LOCAL)
        for guard in reversed(guards):
            new = Conditional(guard, new, zero(ctype), ctype)
        spelled = f"const {unqualified(ctype)}"
        before.append(Declare((Variable(symbol, spelled, "", new, "="),), span=span))
        entry = self._entry(variable, ctype, span, (expr,), is_terms=True)
        before.append(_marker(VarRef(symbol), entry))
        return VarRef(symbol)


def _first_span(value: Expr) -> SourceSpan | None:
    """Where the value comes from: what inlining has made has no other place."""
    return next((node.span for node in walk(value) if node.span is not None), None)


def _with_parts(expr: Expr, parts: tuple[Expr, ...]) -> Expr:
    same = all(one is two for one, two in zip(parts, children(expr), strict=True))
    return expr if same else replace(with_children(expr, parts), form=Form.BUILT)


def _marker(target: Expr, entry: Rounding, by: str = ROUNDED) -> Stmt:
    """What is in `target` is rounded, `by` an atomic function where others may write it, too."""
    inputs = tuple(VarRef(one) for one in entry.inputs)
    return ExprStatement(Call(ROUNDED, Literal(by), (target, *inputs)))


def value_there(target: Expr, by: str) -> Expr:
    """The number that is rounded: where threads add to it, it is looked up by adding nothing."""
    if by == ROUNDED:
        return target
    scope = "_block" if by.endswith("_block") else ""
    looked = atomic_add(target, zero(value_type(target)), scope)
    assert isinstance(looked, ExprStatement)
    return looked.expr


def _is_own_copy(statement: Declare, initial: Expr) -> bool:
    """Is the variable what the kernel changes in place of a parameter?"""
    match initial:
        case VarRef(symbol=Symbol(storage=Storage.PARAMETER, name=name)):
            (variable,) = statement.variables
            return statement.span is None and variable.symbol.wish == f"my_{name}"
        case _:
            return False


def _computes(value: Expr) -> bool:
    """Is the value made by an operation that rounds it?"""
    match strip_parens(value):
        case Binary(op="*" | "/", left=left, right=right):
            return not (_is_power_of_two(left) or _is_power_of_two(right))
        case Binary():
            return True
        case Unary(op="-" | "+", operand=operand) | Cast(operand=operand):
            return _computes(operand)
        case Conditional(if_true=one, if_false=other):
            return _computes(one) or _computes(other)
        case Call(name=name):
            return not name.removesuffix("f").startswith(_MOVES)
        case _:
            return False


def _is_exact(value: Expr) -> bool:
    """Is it a number that every floating type has, whatever variables hold?"""
    match strip_parens(value):
        case Literal() as literal:
            number = _number(literal)
            return number is None or _is_short(number)
        case Unary(op="-" | "+", operand=operand) | Cast(operand=operand):
            return _is_exact(operand)
        case Binary(left=left, right=right):
            return False if _names(left) or _names(right) else _is_exact(left) and _is_exact(right)
        case _:
            return False


def _names(value: Expr) -> bool:
    return any(isinstance(node, VarRef) for node in walk(value))


def _number(literal: Literal) -> float | None:
    if literal.value is not None:
        return float(literal.value)
    try:
        return float(literal.text.rstrip("fFlL"))
    except ValueError:
        return None


def _is_short(number: float) -> bool:
    """Has it the few digits that half precision has, too?"""
    mantissa, exponent = number.as_integer_ratio()
    while mantissa and mantissa % 2 == 0:
        mantissa //= 2
    return abs(mantissa) < 2**11 and exponent < 2**14 and abs(number) < 65504


def _is_power_of_two(value: Expr) -> bool:
    inner = strip_parens(value)
    number = _number(inner) if isinstance(inner, Literal) else None
    if not number:
        return False
    mantissa, exponent = abs(number).as_integer_ratio()
    return mantissa & (mantissa - 1) == 0 and exponent & (exponent - 1) == 0
