"""Trees of threads that add up an array, of which the total is all that is used, are one sum.

    for (int d = N / 2; d > 0; d /= 2) {          int sum = 0;
    #pragma omp simd                              #pragma omp simd reduction(+ : sum)
        for (int t = 0; t < d; ++t)       ->      for (int k = 0; k < N; ++k)
            s[t] += s[t + d];                         sum += s[k];
    }                                             out[b] = sum;
    out[b] = s[0];

A tree is what many threads need. Recognised by what it leaves in element 0 (`sweeps.py`), not by
how it is written. Legal because nothing reads the other elements behind it: the array is declared
in the same block of statements. Integers are added up without a sign, which wraps around, so that
the order makes no difference; real numbers where the user allows another order
(`--associative-math`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.ir.expressions import (
    Assign,
    Cast,
    Expr,
    Form,
    Index,
    Literal,
    Unary,
    VarRef,
    integer_value,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    Node,
    Stmt,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, UNSIGNED, CType, TypeKind
from g2o.lowering.around_sweeps import (
    declared_symbols,
    gone_through,
    is_sweep,
    without_unnamed,
    written_extent,
)
from g2o.lowering.sweeps import Sum

_MOST_ELEMENTS: Final = 4096
_LEAST_ELEMENTS: Final = 32


def sum_totals(
    statements: tuple[Stmt, ...], effects: EffectsOf, symbols: SymbolTable, associative: bool
) -> tuple[Stmt, ...]:
    """The statements with sums in place of trees; of real numbers, too, where they are
    `associative`."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        for statement in node.statements:
            for variable in statement.variables if isinstance(statement, Declare) else ():
                if _may_be_summed(variable.symbol.type, associative):
                    new = _summed(node.statements, variable, effects, symbols)
                    if new is not None:
                        whole = replace(node, statements=new, form=Form.BUILT)
                        return replacement(whole) or whole
        return None

    return rewrite(Block(statements), replacement).statements


def _may_be_summed(ctype: CType, associative: bool) -> bool:
    element, extent = ctype.element, ctype.extent
    if ctype.kind is not TypeKind.ARRAY or element is None or extent is None:
        return False
    if element.is_volatile or not _LEAST_ELEMENTS <= extent <= _MOST_ELEMENTS:
        return False
    if element.kind is TypeKind.INTEGER:
        return element.bits == INT.bits
    return associative and element.kind is TypeKind.FLOATING


def _summed(
    statements: tuple[Stmt, ...], variable: Variable, effects: EffectsOf, symbols: SymbolTable
) -> tuple[Stmt, ...] | None:
    array = variable.symbol
    swept = gone_through(statements, array, lambda one: _adds_up(one, array), effects)
    if swept is None or swept.sweeps.stored:
        return None
    count = _count(swept.sweeps.elements[0], swept.sweeps.extent)
    if count is None or not all(_reads_the_first_only(one, array) for one in swept.after):
        return None
    if not any(array in declared_symbols(one) for one in swept.before):
        return None
    element = swept.sweeps.element
    ctype = replace(element, is_const=False)
    sum_type = UNSIGNED if ctype.kind is TypeKind.INTEGER else ctype
    total = symbols.fresh("sum", sum_type, Storage.LOCAL)
    result: Expr = VarRef(total)
    if ctype.kind is TypeKind.INTEGER and ctype.is_signed:
        result = Cast(result, INT)
    bound = written_extent(variable, count)
    told = swept.region[0].trivia.before
    return (
        *without_unnamed(swept.before, swept.gone),
        *_sum(array, ctype, total, bound, symbols, told),
        *(_with_total(one, array, result) for one in swept.after),
    )


def _adds_up(statement: Stmt, array: Symbol) -> bool:
    """Is it a loop in which threads add up elements of the array?"""
    if isinstance(statement, For):
        return is_sweep(statement, array)
    return isinstance(statement, CountedLoop) and any(
        isinstance(node, Assign)
        and isinstance(node.target, Index)
        and node.target.base == VarRef(array)
        and any(isinstance(one, Index) and one.base == VarRef(array) for one in walk(node.value))
        for node in walk(statement)
    )


def _count(total: Sum, extent: int) -> int | None:
    """The number of first values that a sum is of, each once; None where it is another sum."""
    count = bin(total.counts).count("1")
    fits = _LEAST_ELEMENTS <= count <= extent and total.is_of(range(count))
    return count if fits else None


def _reads_the_first_only(statement: Stmt, array: Symbol) -> bool:
    """Is nothing but element 0 of the array named, and only read?"""
    nodes = list(walk(statement))
    named = sum(isinstance(node, VarRef) and node.symbol == array for node in nodes)
    first = sum(isinstance(node, Index) and _is_first(node, array) for node in nodes)
    changed = (
        node.target if isinstance(node, Assign) else node.operand
        for node in nodes
        if isinstance(node, Assign) or (isinstance(node, Unary) and node.op in ("++", "--", "&"))
    )
    return named == first and not any(array in symbols_in(one) for one in changed)


def _is_first(expr: Index, array: Symbol) -> bool:
    return expr.base == VarRef(array) and integer_value(expr.index) == 0


def _with_total(statement: Stmt, array: Symbol, total: Expr) -> Stmt:
    def replacement(node: Node) -> Node | None:
        return total if isinstance(node, Index) and _is_first(node, array) else None

    return rewrite(statement, replacement)


def _sum(
    array: Symbol,
    ctype: CType,
    total: Symbol,
    bound: Expr,
    symbols: SymbolTable,
    told: tuple[str, ...],
) -> tuple[Stmt, Stmt]:
    k = symbols.fresh("k", INT, Storage.LOCAL)
    element = Index(VarRef(array), VarRef(k), ctype)
    add = ExprStatement(Assign("+=", VarRef(total), element, total.type))
    zero = Literal("0" if total.type.kind is TypeKind.INTEGER else "0.0f", 0, INT)
    if total.type.kind is TypeKind.FLOATING and total.type.bits > INT.bits:
        zero = Literal("0.0", 0, INT)
    start = Variable(total, total.type.spelling, "", zero, "=")
    loop = CountedLoop(
        k,
        Literal("0", 0, INT),
        bound,
        Block((add,)),
        pragma=f"omp simd reduction(+ : {total.name})",
    )
    return Declare((start,), trivia=Trivia(told)), loop
