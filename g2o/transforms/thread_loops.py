"""A parallel region whose code asks which thread runs it, as a loop over the threads.

    #pragma omp parallel num_threads(4)        const int threads = 4;
    {                                          #pragma omp parallel for num_threads(4)
        int t = omp_get_thread_num();    ->    for (int thread = 0; thread < threads; ++thread) {
        int first = t * n / 4;                     int t = thread;
        ...                                        int first = t * n / 4;
    }                                              ...
                                               }

Legal where threads do not wait for each other in the region, nor share out anything: what they do
is what they do one after the other then, and as many of them as are asked for may be there. So may
fewer, where OpenMP gives less; the program does not depend on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.diagnostics.diagnostic import refuse
from g2o.frontend.openmp_c.directives import Pragma
from g2o.ir.directives import SINGLE
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Expr,
    Form,
    Literal,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import (
    Block,
    Declare,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT

_NUMBER: Final = "omp_get_thread_num"
COUNT: Final = "omp_get_num_threads"
ASKING: Final = frozenset((_NUMBER, COUNT))
_ALONE: Final = frozenset(("atomic", "critical", "simd"))
"""Constructs that a thread comes to without others."""
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


def asks_for_thread(node: Node) -> Call | None:
    """A call in the code that asks which thread runs it, or how many there are."""
    calls = (one for one in walk(node) if isinstance(one, Call) and one.name in ASKING)
    return next(calls, None)


def refuse_asking(
    node: Node, function: Callable[[str], Function | None], code: str, seen: frozenset[str]
) -> None:
    """Refuse calls, by all threads, of functions that ask which thread runs them."""
    for one in walk(node):
        if not isinstance(one, Call) or one.key in seen:
            continue
        called = function(one.key)
        if called is None:
            continue
        if (asking := asks_for_thread(called.body)) is not None:
            message = f"`{asking.name}` in a function that threads of a region call"
            raise refuse(code, message, asking.span)
        refuse_asking(called.body, function, code, seen | {one.key})


def shares_out_elsewhere(
    node: Node,
    function: Callable[[str], Function | None],
    constructs: Callable[[str], frozenset[str]],
    seen: frozenset[str] = frozenset(),
) -> bool:
    """Do functions that the code calls share something out, or wait for other threads?"""
    for one in walk(node):
        if not isinstance(one, Call) or not one.key or one.key in seen:
            continue
        if constructs(one.key) - _ALONE:
            return True
        called = function(one.key)
        if called is None:
            continue
        if shares_out_elsewhere(called.body, function, constructs, seen | {one.key}):
            return True
    return False


def as_loop_over_threads(
    pragma: Pragma, region: Block, symbols: SymbolTable, named: Mapping[str, Symbol]
) -> tuple[Declare, For] | None:
    """The number of threads, and the loop; None where threads wait for each other, or share out
    what they do, or nobody knows how many there are."""
    for node in walk(region):
        if isinstance(node, For) and node.shared is not None:
            return None
        if isinstance(node, Block) and node.directive == SINGLE:
            return None
    asked = _asked_for(pragma, named)
    if asked is None:
        return None
    count = symbols.fresh("threads", INT, Storage.LOCAL)
    thread = symbols.fresh("thread", INT, Storage.LOCAL)

    def replacement(node: Node) -> Node | None:
        match node:
            case Call(name=name) if name in ASKING:
                return VarRef(thread if name == _NUMBER else count)
            case _:
                return None

    body: Stmt = rewrite(region, replacement)
    declared = Declare((Variable(count, "const int", "", asked, "="),))
    zero = Declare((Variable(thread, "int", "", Literal("0", 0, INT), "="),))
    condition = Binary("<", VarRef(thread), VarRef(count), BOOL)
    step = Unary("++", VarRef(thread), type=INT)
    return declared, For(zero, condition, step, body, span=region.span)


def as_team(
    pragma: Pragma, region: Stmt, symbols: SymbolTable, named: Mapping[str, Symbol]
) -> Stmt | None:
    """A region whose threads wait for each other as one that does not ask: how many there are is a
    number, and what the first of them does alone is done once.

        int t = omp_get_thread_num();              const int threads = omp_get_max_threads();
        if (t == 0)                        ->      #pragma omp single
            count = omp_get_num_threads();             count = threads;

    None where something else depends on which thread runs it.
    """
    asked = _asked_for(pragma, named)
    if asked is None:
        return None
    count = symbols.fresh("threads", INT, Storage.LOCAL)
    numbers = set[Symbol]()
    for node in walk(region):
        match node:
            case Declare(variables=variables):
                numbers |= {one.symbol for one in variables if _is_number(one.initial)}
            case Assign(op="=", target=VarRef(symbol=symbol), value=value) if _is_number(value):
                numbers.add(symbol)
            case _:
                pass

    def replacement(node: Node) -> Node | None:
        match node:
            case If(condition=condition, then=then, otherwise=None) if _is_of_first(
                condition, numbers
            ) and not any(isinstance(one, Jump | Return) for one in walk(then)):
                inner = statements_of(rewrite(then, replacement))
                return Block(inner, directive=SINGLE, span=node.span, form=Form.BUILT)
            case ExprStatement(expr=Assign(op="=", target=VarRef(), value=value)) if _is_number(
                value
            ):
                return Block((), form=Form.BUILT)
            case Declare(variables=variables) if any(one.symbol in numbers for one in variables):
                left = tuple(one for one in variables if one.symbol not in numbers)
                rest = replace(node, variables=left, form=Form.BUILT)
                return rewrite(rest, replacement) if left else Block((), form=Form.BUILT)
            case Call(name=name) if name == COUNT:
                return VarRef(count)
            case _:
                return None

    made = rewrite(region, replacement)
    if asks_for_thread(made) is not None or numbers & symbols_in(made):
        return None
    declared = Declare((Variable(count, "const int", "", asked, "="),))
    return Block((declared, made), form=Form.BUILT) if count in symbols_in(made) else made


def _is_number(value: Expr | None) -> bool:
    inner = None if value is None else strip_parens(value)
    return isinstance(inner, Call) and inner.name == _NUMBER


def _is_of_first(condition: Expr, numbers: Collection[Symbol]) -> bool:
    """Does it hold for the first thread of the team alone?"""
    match strip_parens(condition):
        case Unary(op="!", operand=number):
            pass
        case Binary(op="==", left=Literal(value=0), right=number):
            pass
        case Binary(op="==", left=number, right=Literal(value=0)):
            pass
        case _:
            return False
    inner = strip_parens(number)
    return _is_number(inner) or (isinstance(inner, VarRef) and inner.symbol in numbers)


def as_loop_pragma(pragma: Pragma) -> Pragma:
    """The pragma of the loop that a region has become."""
    return replace(pragma, construct="parallel for")


def _asked_for(pragma: Pragma, named: Mapping[str, Symbol]) -> Expr | None:
    """How many threads the region asks for."""
    if any(one.name == "if" for one in pragma.clauses):
        return None
    text = next((one.text or "" for one in pragma.clauses if one.name == "num_threads"), None)
    if text is None:
        return Code(("omp_get_max_threads()",), type=INT)
    if not set(_WORD.findall(text)) & named.keys():
        return Code((text.strip(),), atomic=False, type=INT)
    symbol = named.get(text.strip())
    return None if symbol is None else VarRef(symbol)
