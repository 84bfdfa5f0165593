"""Whether what a thread stores shows that no other thread stores to the same element.

    z[k] = x[i];      another element of x for every i: two threads that do it have a race
    z[k] += x[k];     what is stored depends on who was there before: a race as well
    z[k] = c * z[k] + x[k];     the same
    v = z[k];  z[k] = c * v;    the same
    z[k] = 2 * w[k];  whoever stores to z[k] stores the same: several threads may
    z[k] = w[m[i]];   m may be the same for all threads that have one k

A source without races says that the elements of the first two differ between threads. The others
say nothing: threads that store the same value at the same time count as one.

Where the form of the index names the thread (`index_forms.py`), any other trace of the thread in
the value will do. Elsewhere the value has to move, whatever the data are, with a real number that
no other thread reads. What is rounded or chosen by a condition, and what lies at a place from
memory, may be the same for several threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.index_forms import IndexForms
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Member,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Stmt,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind

_OF_THREADS: Final = (Builtin.THREAD_INDEX, Builtin.BLOCK_INDEX)
_STEMS: Final = """
    sqrt cbrt rsqrt exp exp2 exp10 expm1 log log2 log10 log1p pow sin cos tan asin acos atan atan2
    sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma fma hypot __exp __log __sin __cos
    __pow __fdividef __fmaf_rn __fmul_rn __fadd_rn __fsub_rn __fdiv_rn
"""
_MOVING: Final = frozenset(name for stem in _STEMS.split() for name in (stem, f"{stem}f"))
"""Functions whose value changes wherever an argument does."""


@final
@dataclass(frozen=True, slots=True)
class _Variables:
    """What variables begin with, what may change any of them behind that, and whether threads wait
    anywhere."""

    initials: dict[Symbol, list[Expr]]
    changing: set[Symbol]
    waits: bool


@final
@dataclass(slots=True)
class OwnValues:
    """Answers for the stores of one kernel."""

    body: Block
    effects: EffectsOf
    forms: IndexForms
    is_own_load: Callable[[Expr], bool] = field(default=lambda _: False, init=False)
    own: dict[Symbol, bool] = field(default_factory=dict[Symbol, bool], init=False)
    found: _Variables | None = field(default=None, init=False)

    @property
    def variables(self) -> _Variables:
        """Found once for the body: every write asks."""
        if self.found is None:
            nodes = list(walk(self.body))
            initials: dict[Symbol, list[Expr]] = {}
            for node in nodes:
                for variable in node.variables if isinstance(node, Declare) else ():
                    if variable.initial is not None:
                        initials.setdefault(variable.symbol, []).append(variable.initial)
            changing = written_after_declaration(self.body, self.effects)
            waits = any(isinstance(node, (Barrier, Exchange)) for node in nodes)
            self.found = _Variables(initials, changing, waits)
        return self.found

    def tells_apart(self, write: Expr | None, is_own_load: Callable[[Expr], bool]) -> bool:
        """Would two threads that make the assignment to one element have a race?

        `is_own_load`: does the expression read an element that no other thread of the grid reads,
        and that nothing writes?
        """
        match write:
            case Assign(op="+=" | "-="):
                return True
            case Assign(op="=", target=target, value=value):
                if _is_read(strip_parens(target), value) or self._is_read_before(target, value):
                    return True
                if self.forms.names_thread(target):
                    return self.forms.names_more(value, target)
                self.own, self.is_own_load = {}, is_own_load
                self._until(self.body, write, True)
                return self._is_own(value)
            case _:
                return False

    def _is_read_before(self, target: Expr, value: Expr) -> bool:
        """Is the value made of what the element held before? Then another thread that writes the
        element, with nothing that orders the two, does not know which of both it reads.

            v = x[k];    x[k] = c * v - s * w;
        """
        place = strip_parens(target)
        if self.variables.waits or not isinstance(place, Index):
            return False
        if symbols_in(place) & self.variables.changing:
            return False
        held = [self._spelled(node) for node in walk(value) if isinstance(node, VarRef)]
        return place in held

    # -- what variables hold --------------------------------------------------------------------

    def _until(self, node: Stmt, write: Expr, sure: bool) -> bool:
        """Follow the code up to the assignment; is that in `node`? `sure`: every thread that gets
        to the assignment has run the code."""
        match node:
            case Block(statements=statements):
                return any(self._until(one, write, sure) for one in statements)
            case Declare(variables=variables):
                if _has(node, write):
                    return True
                for variable in variables:
                    initial = variable.initial
                    self.own[variable.symbol] = initial is not None and self._is_own(initial)
                    if initial is not None:
                        self._forget(initial)
            case ExprStatement(expr=expr):
                if _has(node, write):
                    return True
                self._run(strip_parens(expr), node, sure)
            case If(then=then, otherwise=otherwise) if _has(node, write):
                self._forget(node.condition)
                arm = then if otherwise is None or _has(then, write) else otherwise
                return self._until(arm, write, sure)
            case If(then=then, otherwise=otherwise):
                self._forget(node.condition)
                for arm in (then, otherwise):
                    if arm is not None:
                        self._until(arm, write, False)
            case For(body=body) | While(body=body) | DoWhile(body=body) if _has(node, write):
                self._forget(node)
                return self._until(body, write, sure)
            case For(body=body) if _runs(node):
                self._until(body, write, sure)
            case _:
                self._forget(node)
                return _has(node, write)
        return False

    def _run(self, expr: Expr, statement: Stmt, sure: bool) -> None:
        match expr:
            case Assign(op=op, target=VarRef(symbol=symbol), value=value) if (
                symbol.storage is Storage.LOCAL and self.effects.of(value).is_pure
            ):
                before, new = self.own.get(symbol, False), self._is_own(value)
                match op:
                    case "=":
                        self.own[symbol] = new and (sure or before)
                    case "+=" | "-=":
                        self.own[symbol] = before or (new and sure)
                    case "*=" | "/=":
                        self.own[symbol] = before
                    case _:
                        self.own[symbol] = False
            case _:
                self._forget(statement)

    def _forget(self, node: Node) -> None:
        """What the code may write is not known behind it."""
        for symbol in self.effects.of(node).writes:
            self.own[symbol] = False

    # -- expressions ----------------------------------------------------------------------------

    def _is_own(self, expr: Expr) -> bool:
        """Does the value move with a number that no other thread has?"""
        inner = strip_parens(expr)
        match inner:
            case VarRef(symbol=symbol) if symbol in self.own and symbol.type.kind in (
                TypeKind.FLOATING,
                TypeKind.RECORD,
            ):
                return self.own[symbol]
            case _ if inner.type.kind is TypeKind.INTEGER:
                return self._counts_threads(inner)
            case Index() | Member() | Unary(op="*"):
                base = strip_parens(inner.base) if isinstance(inner, Member) else None
                if isinstance(base, VarRef) and base.symbol in self.own:
                    return self.own[base.symbol]
                return self.is_own_load(inner)
            case Cast(operand=operand, type=target):
                return target.kind is TypeKind.FLOATING and self._is_own(operand)
            case Unary(op="-" | "+", operand=operand):
                return self._is_own(operand)
            case Binary(op="+" | "-" | "*" | "/", left=left, right=right):
                return self._is_own(left) or self._is_own(right)
            case Call(arguments=arguments) if inner.name in _MOVING:
                return any(self._is_own(one) for one in arguments)
            case _:
                return False

    def _counts_threads(self, expr: Expr) -> bool:
        """Is it `blockIdx.x * blockDim.x + threadIdx.x` in a kernel with no other axis?"""
        used = {
            (node.builtin, node.axis)
            for node in walk(self.body)
            if isinstance(node, LaunchRef) and node.builtin in _OF_THREADS
        }
        if len({axis for _, axis in used}) != 1:
            return False
        match self._spelled(expr):
            case Binary(op="+", left=left, right=right):
                return any(
                    _is_launch(one, Builtin.THREAD_INDEX) and _is_start_of_block(self._spelled(two))
                    for one, two in ((left, right), (right, left))
                )
            case _:
                return False

    def _spelled(self, expr: Expr) -> Expr:
        """What a variable that has one value begins with."""
        inner = strip_parens(expr)
        if not isinstance(inner, VarRef) or inner.type.bits < 32:
            return inner
        initials = self.variables.initials.get(inner.symbol, ())
        if len(initials) != 1 or inner.symbol in self.variables.changing:
            return inner
        return strip_parens(initials[0])


def _is_read(place: Expr, value: Expr) -> bool:
    """`z[k] = a * x[k] + b * z[k]`: is the element read in any case?"""
    match value:
        case _ if value == place:
            return True
        case Conditional(condition=asked) | Binary(op="&&" | "||", left=asked):
            return _is_read(place, asked)
        case Verbatim() | Code():
            return False
        case _:
            return any(_is_read(place, one) for one in children(value) if isinstance(one, Expr))


def _is_launch(expr: Expr, builtin: Builtin) -> bool:
    inner = strip_parens(expr)
    while isinstance(inner, Cast):
        inner = strip_parens(inner.operand)
    return isinstance(inner, LaunchRef) and inner.builtin is builtin


def _is_start_of_block(expr: Expr) -> bool:
    inner = strip_parens(expr)
    if not isinstance(inner, Binary) or inner.op != "*":
        return False
    return any(
        _is_launch(one, Builtin.BLOCK_INDEX) and _is_launch(two, Builtin.BLOCK_DIM)
        for one, two in ((inner.left, inner.right), (inner.right, inner.left))
    )


def _runs(loop: For) -> bool:
    """`for (int j = 0; j < 3; ++j)`, to the end: once at least, whatever the arguments are."""
    if any(isinstance(node, Jump) for node in walk(loop.body)):
        return False
    match loop.initial, loop.condition:
        case (
            Declare(variables=(variable,)),
            Binary(op="<" | "<=" | "!=", left=VarRef(symbol=symbol), right=bound),
        ) if variable.symbol == symbol and variable.initial is not None:
            first, last = integer_value(variable.initial), integer_value(bound)
            return first is not None and last is not None and first < last
        case _:
            return False


def _has(node: Node, wanted: Expr) -> bool:
    return any(inner is wanted for inner in walk(node))
