"""Sweeps up and down a tree of integers that leave prefix sums are one running sum.

    for (int d = N / 2; d > 0; d /= 2) {          int running = 0;
        for t < d                                 for (int k = 0; k < N; ++k) {
            tree[right] += tree[left];                const int value = tree[k];
        offset *= 2;                                  tree[k] = running;
    }                                      ->         running += value;
    total[b] = tree[N - 1];                       }
    tree[N - 1] = 0;                              total[b] = running;
    for (int d = 1; d < N; d *= 2) ...

    ... and for (int k = 0; k < n; ++k)           for (int k = 0; k < n; ++k) {
            out[k] = tree[k];              ->         out[k] = running;
                                                      running += tree[k];
                                                  }

A tree is what many threads need; one goes through the elements in order, each once. Recognised by
what the sweeps do with the elements (`sweeps.py`), not by how they are written. Legal because sums
of integers do not depend on their order; nothing overflows that did not before, for every sum that
is formed here the sweeps form as well. Sums of real numbers keep the order of the source.

Loops that store the sums elsewhere, or those up to each element, are `omp scan` loops, which
g++ computes in vectors; others stay serial, and so do all with compilers that would only warn.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Expr,
    Form,
    Index,
    Literal,
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
    Text,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.around_sweeps import gone_through, is_sweep, without_unnamed, written_extent
from g2o.lowering.scattered import scatters
from g2o.lowering.sweeps import Sum, Sweeps

_MOST_ELEMENTS = 4096
_BEFORE = "// Every element becomes the sum of those before it."
_UP_TO = "// Every element becomes the sum of those up to it."
_STORED_BEFORE = "// Stored is the sum of the elements before each."
_STORED_UP_TO = "// Stored is the sum of the elements up to each."


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
    exclusive = _leaves_prefix_sums(swept.sweeps)
    if exclusive is None:
        return None
    before = without_unnamed(swept.before, swept.gone)
    stored = _only_store(swept.after, array)
    if stored is not None:
        total = _total(swept.sweeps, bound, symbols)
        running = _stored_sum(stored, swept.sweeps, exclusive, symbols)
        return (*before, *total, *running, *swept.after[1:])
    running = _running_sum(swept.sweeps, exclusive, bound, symbols)
    return (*before, *running, *swept.after)


def _leaves_prefix_sums(sweeps: Sweeps) -> bool | None:
    """Are the sums that the sweeps leave exclusive? None where they leave something else."""
    exclusive = all(one.is_of(range(k)) for k, one in enumerate(sweeps.elements))
    inclusive = all(one.is_of(range(k + 1)) for k, one in enumerate(sweeps.elements))
    total = Sum.of(range(sweeps.extent)).counts
    if not (exclusive or inclusive) or total not in sweeps.formed:
        return None
    for assign, value in sweeps.stored:
        if value.counts != total or symbols_in(assign.target) & sweeps.changed:
            return None
    return exclusive


def _only_store(after: tuple[Stmt, ...], array: Symbol) -> CountedLoop | None:
    """`for (k) target = array[k];`, where that is all that becomes of the array."""
    match after:
        case (CountedLoop(index=index, lower=lower, step=None, body=body) as loop, *rest):
            pass
        case _:
            return None
    match statements_of(body):
        case (
            *declares,
            ExprStatement(
                expr=Assign(
                    op="=",
                    target=target,
                    value=Index(base=VarRef(symbol=stored), index=VarRef(symbol=counter)),
                )
            ),
        ) if all(isinstance(one, Declare) for one in declares):
            others = (*declares, target, loop.upper, *rest)
        case _:
            return None
    if stored != array or counter != index or integer_value(lower) != 0:
        return None
    return None if any(array in symbols_in(one) for one in others) else loop


def _stored_sum(
    loop: CountedLoop, sweeps: Sweeps, exclusive: bool, symbols: SymbolTable
) -> list[Stmt]:
    """The loop that stores the sums as it forms them."""
    ctype = replace(sweeps.element, is_const=False)
    running = symbols.fresh("running", ctype, Storage.LOCAL)
    *declares, store = statements_of(loop.body)
    assert isinstance(store, ExprStatement)
    assert isinstance(store.expr, Assign)
    element = store.expr.value
    added = _assign("+=", VarRef(running), element, ctype)
    assign = replace(store.expr, value=VarRef(running), form=Form.BUILT)
    stored = (*declares, replace(store, expr=assign, form=Form.BUILT))
    in_vectors = loop.pragma == "omp simd" and not scatters(loop)
    between = (_scan(running, exclusive),) if in_vectors else ()
    body = (*stored, *between, added) if exclusive else (added, *between, *stored)
    told = Trivia((_STORED_BEFORE if exclusive else _STORED_UP_TO,))
    declared = replace(_declare(running, ctype.spelling, Literal("0", 0, INT)), trivia=told)
    pragma = _scanning(running) if in_vectors else ""
    return [declared, replace(loop, body=Block(body), pragma=pragma, form=Form.BUILT)]


def _total(sweeps: Sweeps, bound: Expr, symbols: SymbolTable) -> list[Stmt]:
    """The sum of all elements, where the sweeps store it; it may be stored before the others."""
    if not sweeps.stored:
        return []
    ctype = replace(sweeps.element, is_const=False)
    total = symbols.fresh("total", ctype, Storage.LOCAL)
    k = symbols.fresh("k", INT, Storage.INDEX)
    element = Index(VarRef(sweeps.array), VarRef(k), ctype)
    zero = Literal("0", 0, INT)
    body = Block((_assign("+=", VarRef(total), element, ctype),))
    pragma = f"omp simd reduction(+ : {total.name})"
    return [
        _declare(total, ctype.spelling, zero),
        CountedLoop(k, zero, bound, body, pragma),
        *_stores(sweeps, total),
    ]


def _stores(sweeps: Sweeps, total: Symbol) -> list[Stmt]:
    return [
        ExprStatement(replace(assign, value=VarRef(total), form=Form.BUILT))
        for assign, _ in sweeps.stored
    ]


def _running_sum(sweeps: Sweeps, exclusive: bool, bound: Expr, symbols: SymbolTable) -> list[Stmt]:
    """The loop that leaves what the sweeps leave."""
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
            _scan(running, exclusive),
            _assign("=", element, VarRef(running), ctype),
        ]
    zero = Literal("0", 0, INT)
    pragma = "" if exclusive else _scanning(running)
    loop = CountedLoop(k, zero, bound, Block(tuple(body)), pragma)
    told = Trivia((_BEFORE if exclusive else _UP_TO,))
    declared = replace(_declare(running, ctype.spelling, zero), trivia=told)
    return [declared, loop, *_stores(sweeps, running)]


def _scanning(running: Symbol) -> str:
    return f"G2O_SCAN_PRAGMA(omp simd reduction(inscan, + : {running.name}))"


def _scan(running: Symbol, exclusive: bool) -> Text:
    """What divides the body of a loop in vectors: on the one side of it the sum is formed, on the
    other side used."""
    kind = "exclusive" if exclusive else "inclusive"
    return Text((f"#pragma G2O_SCAN_PRAGMA(omp scan {kind}({running.name}))",))


def _declare(symbol: Symbol, declared: str, initial: Expr) -> Declare:
    return Declare((Variable(symbol, declared, "", initial, "="),))


def _assign(op: str, target: Expr, value: Expr, ctype: CType) -> Stmt:
    return ExprStatement(Assign(op, target, value, ctype))
