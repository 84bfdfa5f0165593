"""Sweeps up and down a tree of integers that leave prefix sums are one running sum.

    for (int d = N / 2; d > 0; d /= 2) {          int running = 0;
        for t < d                                 for (int k = 0; k < N; ++k) {
            tree[right] += tree[left];                const int value = tree[k];
        offset *= 2;                                  tree[k] = running;
    }                                      ->         running += value;
    total[b] = tree[N - 1];                       }
    tree[N - 1] = 0;                              total[b] = running;
    for (int d = 1; d < N; d *= 2) ...

A tree is what many threads need; one goes through the elements in order, each once. Recognised by
what the sweeps do with the elements (`sweeps.py`), not by how they are written. Legal because sums
of integers do not depend on their order; nothing overflows that did not before, for every sum that
is formed here the sweeps form as well. Sums of real numbers keep the order of the source.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Form,
    Index,
    Literal,
    Unary,
    VarRef,
)
from g2o.ir.statements import (
    Block,
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
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.lowering.around_sweeps import gone_through, is_sweep, without_unnamed, written_extent
from g2o.lowering.sweeps import Sum, Sweeps

_MOST_ELEMENTS = 4096
_BEFORE = "// Every element becomes the sum of those before it."
_UP_TO = "// Every element becomes the sum of those up to it."


def sum_prefixes(
    statements: tuple[Stmt, ...], effects: EffectsOf, symbols: SymbolTable
) -> tuple[Stmt, ...]:
    """The statements with running sums in place of sweeps."""
    arrays = [
        variable
        for statement in statements
        for node in walk(statement)
        if isinstance(node, Declare)
        for variable in node.variables
        if _may_be_swept(variable.symbol.type)
    ]

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        for array in arrays:
            new = _swept(node.statements, array, effects, symbols)
            if new is not None:
                whole = replace(node, statements=new, form=Form.BUILT)
                return replacement(whole) or whole
        return None

    return rewrite(Block(statements), replacement).statements if arrays else statements


def _may_be_swept(ctype: CType) -> bool:
    element, extent = ctype.element, ctype.extent
    if ctype.kind is not TypeKind.ARRAY or element is None or extent is None:
        return False
    if element.kind is not TypeKind.INTEGER or element.bits < INT.bits or element.is_volatile:
        return False
    return extent <= _MOST_ELEMENTS


def _swept(
    statements: tuple[Stmt, ...], variable: Variable, effects: EffectsOf, symbols: SymbolTable
) -> tuple[Stmt, ...] | None:
    array = variable.symbol
    swept = gone_through(
        statements, array, lambda one: isinstance(one, For) and is_sweep(one, array), effects
    )
    if swept is None:
        return None
    bound = written_extent(variable, swept.sweeps.extent)
    running = _running_sum(swept.sweeps, bound, symbols)
    if running is None:
        return None
    return (*without_unnamed(swept.before, swept.gone), *running, *swept.after)


def _running_sum(sweeps: Sweeps, bound: Expr, symbols: SymbolTable) -> list[Stmt] | None:
    """The loop that leaves what the sweeps leave, if that is prefix sums."""
    count = sweeps.extent
    exclusive = all(one.is_of(range(k)) for k, one in enumerate(sweeps.elements))
    inclusive = all(one.is_of(range(k + 1)) for k, one in enumerate(sweeps.elements))
    total = Sum.of(range(count)).counts
    if not (exclusive or inclusive) or total not in sweeps.formed:
        return None
    for assign, value in sweeps.stored:
        if value.counts != total or symbols_in(assign.target) & sweeps.changed:
            return None
    ctype = replace(sweeps.element, is_const=False)
    running = symbols.fresh("running", ctype, Storage.LOCAL)
    k = symbols.fresh("k", INT, Storage.INDEX)
    element = Index(VarRef(sweeps.array), VarRef(k), ctype)
    body: list[Stmt]
    if exclusive:
        value = symbols.fresh("value", ctype, Storage.LOCAL)
        body = [
            _declare(value, f"const {ctype.spelling}", element),
            _assign("=", element, VarRef(running), ctype),
            _assign("+=", VarRef(running), VarRef(value), ctype),
        ]
    else:
        body = [
            _assign("+=", VarRef(running), element, ctype),
            _assign("=", element, VarRef(running), ctype),
        ]
    zero = Literal("0", 0, INT)
    loop = For(
        _declare(k, "int", zero),
        Binary("<", VarRef(k), bound, BOOL),
        Unary("++", VarRef(k), type=INT),
        Block(tuple(body)),
    )
    told = Trivia((_BEFORE if exclusive else _UP_TO,))
    stores = [
        ExprStatement(replace(assign, value=VarRef(running), form=Form.BUILT))
        for assign, _ in sweeps.stored
    ]
    return [replace(_declare(running, ctype.spelling, zero), trivia=told), loop, *stores]


def _declare(symbol: Symbol, declared: str, initial: Expr) -> Declare:
    return Declare((Variable(symbol, declared, "", initial, "="),))


def _assign(op: str, target: Expr, value: Expr, ctype: CType) -> Stmt:
    return ExprStatement(Assign(op, target, value, ctype))
