"""Loops over neighbours are split where these stop lying beside each other.

                                        for (int from = 0, to; from < n; from = to) {
                                            to = g2o::run_to_edge(from, n, {0});
    for (int i = 0; i < n; ++i) {           const int to_left = (from ? from - 1 : n - 1) - from;
        int left = i ? i - 1 : n - 1;  ->   for (int i = from; i < to; ++i) {
        y[i] = x[left];                         int left = i + to_left;
    }                                           y[i] = x[left];
                                            }
                                        }

So is a choice of what is loaded, by a condition that only changes at edges.

Index-set splitting (Griebl, Feautrier and Lengauer, "Index Set Splitting", IJPP 28, 2000), without
a copy of the loop for each part: compilers make vectors of what is the same number of elements away
for all of a run, and collect elements one by one otherwise. Legal because the turns and their order
stay, and a number that is chosen by the index is that number in each: between edges (`index_sets`)
it differs from the index by what it does in the first turn of the run.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR, PARALLEL_FOR_SIMD, SIMD
from g2o.ir.expressions import (
    Binary,
    Conditional,
    Expr,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    For,
    If,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.lowering.context import LoweringContext, minimum, substitute
from g2o.lowering.in_place import with_loops_replaced
from g2o.lowering.index_arithmetic import is_int, trapping
from g2o.lowering.index_sets import Edges, IndexSets, is_choice, is_chosen
from g2o.lowering.indices import block_of
from g2o.lowering.merged_choices import with_choices_merged
from g2o.lowering.runs import over_runs, spelled_out
from g2o.lowering.simd import may_be_vectors, may_vectorise
from g2o.lowering.stride_loops import collapsed_loops
from g2o.lowering.uniform_choices import choice_apart

_STRIP: Final = 128
_LEAST_TURNS: Final = 8
_UNNAMED: Final = "there"  # a number that has no variable of its own
_COMMENT: Final = "// Neighbours up to the next edge."


def split_index_sets(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements with runs in place of such innermost loops over threads."""
    collapsed = collapsed_loops(statements)
    return with_loops_replaced(statements, lambda loop: _split(context, loop, collapsed))


def within_a_run(loop: CountedLoop, body: tuple[Stmt, ...], effects: EffectsOf) -> Block:
    """The `body` of turns of a loop as it is between two edges, in names that nobody else knows."""
    places = _Places.of(loop, body, effects, SymbolTable())
    return block_of(body) if places is None else places.replaced(body)


def _split(context: LoweringContext, loop: CountedLoop, collapsed: Set[int]) -> tuple[Stmt, ...]:
    """The loop, or what stands in its place."""
    if id(loop) in collapsed or not _is_row(loop):
        return (loop,)
    body = with_choices_merged(statements_of(loop.body), context.effects)
    places = _Places.of(loop, body, context.effects, context.symbols)
    if places is None:
        return (loop,)
    made = places.replaced(body)
    edges = places.edges
    saves_divisions = bool(edges.quotients) and not any(map(trapping, statements_of(made)))
    if not edges or not (saves_divisions or may_be_vectors(made, context.effects.functions)):
        return (loop,)
    if loop.directive in (NO_DIRECTIVE, SIMD):
        return (places.runs(loop, made),)
    return _by_strips(loop, places, made, context.symbols)


def _is_row(loop: CountedLoop) -> bool:
    """Is it an innermost loop over threads, of which one or several go through it?"""
    plain = loop.step is None and loop.index.storage is Storage.INDEX and is_int(loop.index)
    known = loop.directive in (NO_DIRECTIVE, SIMD, PARALLEL_FOR, PARALLEL_FOR_SIMD)
    inside = (node for node in walk(loop.body) if isinstance(node, CountedLoop | For))
    return plain and known and next(inside, None) is None


def _by_strips(
    loop: CountedLoop, places: _Places, body: Block, symbols: SymbolTable
) -> tuple[Stmt, ...]:
    """The loop in parts that are shared out, each of which has its edges."""
    size, first, end = (
        VarRef(symbols.fresh(name, INT, Storage.LOCAL)) for name in ("strip", "first", "end")
    )
    before = [Declare((Variable(size.symbol, "constexpr int", "", _number(_STRIP), "="),))]
    upper = loop.upper
    if not isinstance(strip_parens(upper), VarRef) and integer_value(upper) is None:
        count = symbols.fresh("count", INT, Storage.LOCAL)
        before.append(Declare((Variable(count, "const int", "", upper, "="),)))
        upper = VarRef(count)
    last = minimum(Binary("+", first, size, INT), upper)
    until = Declare((Variable(end.symbol, "const int", "", last, "="),))
    part = replace(loop, lower=first, upper=end, directive=NO_DIRECTIVE, trivia=NO_TRIVIA)
    inside = block_of((until, places.runs(part, body)))
    parts = CountedLoop(first.symbol, loop.lower, upper, inside, PARALLEL_FOR, size)
    return (replace(before[0], trivia=loop.trivia), *before[1:], parts)


def _number(value: int) -> Literal:
    return Literal(str(value), value, INT)


@final
@dataclass(slots=True)
class _Places:
    """The numbers in the body of a loop that are the index and what is the same for a run."""

    symbols: SymbolTable
    index: Symbol
    sets: IndexSets
    values: dict[Symbol, Expr]
    positions: frozenset[Symbol]
    first: Symbol
    effects: EffectsOf
    name: str = _UNNAMED
    always: bool = False
    edges: Edges = field(default_factory=Edges)
    shifts: dict[Expr, Symbol] = field(default_factory=dict[Expr, Symbol])
    rows: list[Stmt] = field(default_factory=list[Stmt])  # declares what runs have in common

    @staticmethod
    def of(
        loop: CountedLoop, body: tuple[Stmt, ...], outer: EffectsOf, symbols: SymbolTable
    ) -> _Places | None:
        """None where no place in memory is chosen."""
        whole = block_of(body)
        effects = outer.within(whole)
        written = written_after_declaration(whole, effects)
        values: dict[Symbol, Expr] = {}
        for statement in body:
            for variable in statement.variables if isinstance(statement, Declare) else ():
                symbol, initial = variable.symbol, variable.initial
                plain = is_int(symbol) or symbol.type.kind is TypeKind.BOOL
                if initial is None or not plain or symbol in written:
                    continue
                found = effects.of(initial)
                if found.is_pure and not found.memory_reads:
                    values[symbol] = spelled_out(initial, values)
        positions = _positions(body)
        chosen = any(is_chosen(values[one]) for one in positions & values.keys())
        loads = not loop.directive.is_simd and _chooses_at_one_turn(loop, whole, effects)
        if not chosen and not loads and not any(_is_chosen_place(node) for node in walk(whole)):
            return None
        changing = declared_in(whole) | effects.of(whole).writes | {loop.index}

        def is_uniform(expr: Expr) -> bool:
            known = effects.of(expr)
            return known.is_pure and not known.memory_reads and not symbols_in(expr) & changing

        first = symbols.fresh("from", loop.index.type, Storage.LOCAL)
        sets = IndexSets(loop.index, is_uniform)
        return _Places(symbols, loop.index, sets, values, positions, first, effects)

    def replaced(self, body: tuple[Stmt, ...]) -> Block:
        """The body with these numbers as sums."""
        made = (self._statement(statement) for statement in body)
        return block_of(tuple(one for one in made if one is not None))

    def _statement(self, statement: Stmt) -> Stmt | None:
        if isinstance(statement, Declare):
            if len(statement.variables) == 1 and self._is_of_row(statement.variables[0]):
                return None
            new = tuple(self._variable(one) for one in statement.variables)
            same = all(one is old for one, old in zip(new, statement.variables, strict=True))
            return statement if same else Declare(new, trivia=statement.trivia)
        return rewrite(statement, self._place)

    def _is_of_row(self, variable: Variable) -> bool:
        """Is it the number of a row? It is declared once for a run."""
        symbol = variable.symbol
        whole = self.values.get(symbol) if symbol in self.positions else None
        edges = None if whole is None else self.sets.same(whole)
        if whole is None or not edges:
            return False
        self.edges |= edges
        first = self._at_first(whole)
        self.rows.append(Declare((replace(variable, initial=first),)))
        self.values[symbol] = VarRef(symbol)
        return True

    def _variable(self, variable: Variable) -> Variable:
        initial = variable.initial
        if initial is None:
            return variable
        if variable.symbol in self.positions and variable.symbol in self.values:
            self.name, self.always = variable.symbol.name, True
            initial = rewrite(initial, self._choice)
            self.name, self.always = _UNNAMED, False
        initial = rewrite(initial, self._place)
        return variable if initial is variable.initial else replace(variable, initial=initial)

    def _place(self, node: Node) -> Node | None:
        """An access to memory with such a number in its index, or one of two."""
        if isinstance(node, Conditional) and _is_chosen_load(node, self.effects):
            return self._load(node)
        if not isinstance(node, Index):
            return None
        index = rewrite(rewrite(node.index, self._choice), self._place)
        base = rewrite(node.base, self._place)
        same = index is node.index and base is node.base
        return node if same else Index(base, index, node.type)

    def _choice(self, node: Node) -> Node | None:
        """The number as the sum of the index and what a run has in common."""
        if isinstance(node, Index):
            return node
        if not isinstance(node, Expr) or not is_choice(node):
            return None
        whole = spelled_out(node, self.values)
        edges = self.sets.edges(whole) if self.always or not trapping(whole) else None
        if not edges:
            return node if isinstance(node, Conditional) else None
        self.edges |= edges
        if isinstance(node, Conditional):
            condition = self._at_first(spelled_out(node.condition, self.values))
            apart = choice_apart(replace(node, condition=condition), self.sets.is_uniform)
            if isinstance(apart, Binary):  # another number of the turn, and one of two
                return replace(apart, right=self._shift(strip_parens(apart.right)))
        first = VarRef(self.first)
        shift = Binary("-", Paren(self._at_first(whole), INT), first, INT)
        return Binary("+", VarRef(self.index), self._shift(shift), INT)

    def _load(self, node: Conditional) -> Expr | None:
        """One of two loads, the same one for all of a run."""
        condition = spelled_out(node.condition, self.values)
        if self.sets.is_uniform(condition):
            return None
        known = _is_equality(condition) and not trapping(condition)
        edges = self.sets.changes(condition) if known else None
        if not edges:
            return None
        self.edges |= edges
        taken = self._shift(self._at_first(condition), BOOL, "is_first")
        one, other = (rewrite(part, self._place) for part in (node.if_true, node.if_false))
        return Conditional(taken, one, other, node.type)

    def _shift(self, amount: Expr, ctype: CType = INT, name: str = "") -> Expr:
        """What a run has in common, under a name."""
        if amount not in self.shifts:
            wish = name or f"to_{self.name}"
            self.shifts[amount] = self.symbols.fresh(wish, ctype, Storage.LOCAL)
        return VarRef(self.shifts[amount])

    def _at_first(self, number: Expr) -> Expr:
        return substitute(number, {self.index: VarRef(self.first)})

    def runs(self, loop: CountedLoop, body: Block) -> For:
        """The loop over runs around that over the turns of a run."""

        def inside(to: Expr) -> tuple[Stmt, ...]:
            shifts = [
                Declare((Variable(symbol, f"const {symbol.type.spelling}", "", amount, "="),))
                for amount, symbol in self.shifts.items()
            ]
            own = _without_unnamed(body, self.effects)
            directive = SIMD if may_vectorise(own) else NO_DIRECTIVE
            turns = CountedLoop(loop.index, VarRef(self.first), to, own, directive)
            return (*self.rows, *shifts, turns)

        told = replace(loop.trivia, before=(*loop.trivia.before, _COMMENT))
        return replace(over_runs(loop, self.first, self.edges, self.symbols, inside), trivia=told)


def _without_unnamed(body: Block, effects: EffectsOf) -> Block:
    """The body without numbers that only those were found from which runs have in common."""
    for at, one in reversed([*enumerate(body.statements)]):
        match one:
            case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if initial:
                others = (*body.statements[:at], *body.statements[at + 1 :])
                named = any(symbol in symbols_in(each) for each in others)
                if not named and symbol.type.is_arithmetic and effects.is_pure(initial):
                    return _without_unnamed(replace(body, statements=others), effects)
            case _:
                pass
    return body


def _chooses_at_one_turn(loop: CountedLoop, body: Block, effects: EffectsOf) -> bool:
    """Does one turn of a loop of many, and nothing else, load another number than the others do?"""
    turns = integer_value(loop.upper)
    if turns is not None and turns < _LEAST_TURNS:
        return False
    if any(isinstance(node, If) for node in walk(body)):
        return False
    conditions = {
        variable.symbol: variable.initial
        for one in body.statements
        if isinstance(one, Declare)
        for variable in one.variables
        if variable.symbol.type.kind is TypeKind.BOOL and variable.initial is not None
    }
    return any(
        isinstance(node, Conditional)
        and _is_chosen_load(node, effects)
        and _is_equality(spelled_out(node.condition, conditions))
        for node in walk(body)
    )


def _is_equality(condition: Expr) -> bool:
    match strip_parens(condition):
        case Binary(op="==" | "!="):
            return True
        case Unary(op="!", operand=operand):
            return _is_equality(operand)
        case _:
            return False


def _is_chosen_load(node: Node, effects: EffectsOf) -> bool:
    """Is one of two numbers loaded, or perhaps none?"""
    if not isinstance(node, Conditional) or not node.type.is_arithmetic:
        return False
    done = [effects.of(one) for one in (node.if_true, node.if_false)]
    asked = effects.of(node.condition)
    pure = asked.is_pure and not asked.memory_reads and all(one.is_pure for one in done)
    return pure and any(one.memory_reads for one in done)


def _is_chosen_place(node: Node) -> bool:
    return isinstance(node, Index) and is_chosen(node.index)


def _positions(body: tuple[Stmt, ...]) -> frozenset[Symbol]:
    """The variables that places in memory are counted with."""
    found = {
        symbol
        for statement in body
        for node in walk(statement)
        if isinstance(node, Index)
        for symbol in symbols_in(node.index)
    }
    for statement in reversed(body):
        for variable in statement.variables if isinstance(statement, Declare) else ():
            if variable.symbol in found and variable.initial is not None:
                found |= symbols_in(variable.initial)
    return frozenset(found)
