"""The threads of a strip: neighbours that go through their loops together, and what they keep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import EffectsOf
from g2o.analysis.straight_line import is_inverse_root, is_lead
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.directives import SIMD
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    VarRef,
    element_of,
    integer_value,
)
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    DoWhile,
    For,
    If,
    Jump,
    Node,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk, with_children
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import substitute
from g2o.lowering.indices import block_of
from g2o.lowering.register_arrays import arrays_in_registers
from g2o.lowering.reloads import goes_at_unknown_strides, makes_wrong_vectors
from g2o.lowering.simd import may_vectorise
from g2o.lowering.thread_group import needed_positions

_MOST_TURNS: Final = 16  # of a loop that compilers unroll
MOST_ALIKE: Final = 64  # of loops, in all, that neighbours go through alike in a loop of vectors


@final
@dataclass(frozen=True, slots=True)
class StripGroup:
    """The threads `low` to `high`, each called `index`; at most `extent`, a number or constant.
    `vectors`: loops over them are those where that is possible."""

    index: Symbol
    low: Expr
    high: Expr
    extent: Literal | VarRef
    effects: EffectsOf
    positions: tuple[Declare, ...] = ()  # other indices of a thread, by means of `index`
    scope: Scope = Scope.ROW
    vectors: bool = True

    @property
    def described(self) -> dict[Symbol, str]:
        known = (self.index, *(one.variables[0].symbol for one in self.positions))
        return dict.fromkeys(known, "the thread")

    @property
    def lacks_threads(self) -> bool:
        return False

    def loop(self, body: tuple[Stmt, ...]) -> Stmt:
        nest = block_of((*needed_positions(self.positions, body), *body))
        loop = CountedLoop(self.index, self.low, self.high, nest)
        if self.vectors and (makes_vectors(loop, self.effects) or may_vectorise(nest)):
            return replace(loop, body=unrolled(nest), directive=SIMD)
        return loop

    def element(self, symbol: Symbol) -> Expr:
        return Index(VarRef(symbol), self.current(), symbol.type)

    def first(self, symbol: Symbol) -> Expr:
        return Index(VarRef(symbol), Literal("0", 0, INT), symbol.type)

    def remote(self, symbol: Symbol, thread: Expr | None) -> Expr:
        raise AssertionError("threads that never wait do not read each other's values")

    def allocate(self, variable: Variable, element: str, array: Symbol) -> Stmt:
        if variable.symbol.type.kind is TypeKind.DEPENDENT and variable.initial_style in ("(", "{"):
            what = f"'{variable.symbol.name}', whose class may have no values but those it is given"
            raise refuse("G2O0210", what)
        suffix = f"{self.brackets}{variable.suffix}"
        return Declare((Variable(array, element, suffix, extents=variable.extents),))

    def outside(self) -> dict[Symbol, Expr]:
        values: dict[Symbol, Expr] = {self.index: self.low}
        for one in self.positions:
            (variable,) = one.variables
            assert variable.initial is not None
            values[variable.symbol] = Paren(
                substitute(variable.initial, values), variable.symbol.type
            )
        return values

    def size(self) -> Expr:
        return self.extent

    def current(self) -> Expr:
        if integer_value(self.low) == 0:
            return VarRef(self.index)
        return Binary("-", VarRef(self.index), self.low, INT)

    @property
    def brackets(self) -> str:
        """Those of arrays with an element for each thread."""
        extent = self.extent
        return f"[{extent.text if isinstance(extent, Literal) else extent.symbol.name}]"

    def source_thread(self, operation: str, operand: Expr, width: Expr | None) -> Expr:
        raise AssertionError(f"{operation} between threads that never wait")


def makes_vectors(loop: CountedLoop, effects: EffectsOf, most: int = _MOST_TURNS) -> bool:
    """Is what a thread does arithmetic, with choices and loops of few turns, that compilers make
    right vectors of once the loops are unrolled?"""
    nest = loop.body
    return (
        is_arithmetic(nest, most)
        and not _stores_at_times(nest, effects)
        and not makes_wrong_vectors(nest)
        and not goes_at_unknown_strides(loop)
    )


def _stores_at_times(nest: Stmt, effects: EffectsOf) -> bool:
    """Does it something that counts, or store in what is not its own only where it is told to?
    Such stores take masks, which not every CPU has."""
    if effects.of(nest).side_effects:
        return True
    own = arrays_in_registers(nest)
    return any(
        storage is None or (storage.storage is not Storage.BLOCK and storage not in own)
        for node in walk(nest)
        if isinstance(node, If | Conditional)
        for storage in effects.of(node).memory_writes
    )


def unrolled(nest: Stmt) -> Stmt:
    """The body of a vector loop with its loops of few turns unrolled: clang++ vectorises no loop
    with a loop inside, and unrolls only from -O2 on by itself."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, For):
            return None
        inner = with_children(node, tuple(rewrite(child, replacement) for child in children(node)))
        turns = few_turns(node, MOST_ALIKE)
        most = max(_MOST_TURNS, 0 if turns is None else len(turns))
        return replace(inner, unroll=most, form=Form.BUILT)

    return rewrite(nest, replacement)


def by_element(
    allocations: list[Stmt], statements: list[Stmt], group: StripGroup
) -> tuple[list[Stmt], list[Stmt]]:
    """Small arrays of the threads with the elements of neighbours next to each other."""
    current = group.current()
    for place, declare in enumerate(allocations):
        if not isinstance(declare, Declare) or len(declare.variables) != 1:
            continue
        variable = declare.variables[0]
        front = group.brackets
        behind = variable.suffix.removeprefix(front)
        rank = behind.count("[")
        if not variable.suffix.startswith(front) or not rank:
            continue
        array = VarRef(variable.symbol)

        def replacement(node: Node, array: VarRef = array, rank: int = rank) -> Node | None:
            indices: list[Expr] = []
            base = node
            while isinstance(base, Index) and len(indices) < rank:
                indices.append(base.index)
                base = base.base
            if len(indices) < rank or not isinstance(node, Index):
                return None
            if not (isinstance(base, Index) and base.base == array and base.index == current):
                return None
            places = [rewrite(index, replacement) for index in reversed(indices)]
            return element_of(array, [*places, current], node.type)

        new = [rewrite(statement, replacement) for statement in statements]
        named = sum(node == array for s in statements for node in walk(s))
        turned = sum(_is_turned(node, array, current, rank) for s in new for node in walk(s))
        if named != turned:
            continue  # it is handed on as a whole
        turned_about = replace(variable, suffix=behind + front)
        allocations[place] = replace(declare, variables=(turned_about,))
        statements = new
    return allocations, statements


def _is_turned(node: Node, array: VarRef, current: Expr, rank: int) -> bool:
    if not isinstance(node, Index) or node.index != current:
        return False
    base: Expr = node.base
    while isinstance(base, Index) and rank:
        base, rank = base.base, rank - 1
    return not rank and base == array


def is_arithmetic(body: Node, most: int) -> bool:
    """Conditions and loops of few turns, `most` in all, around what can be vectorised."""
    arrays = arrays_in_registers(body)
    for node in walk(body):
        match node:
            case For():
                if not arrays and few_turns(node, most) is None:
                    return False
            case While() | DoWhile() | Jump():
                return False
            case Call():
                fit = is_inverse_root(node) and all(map(may_vectorise, node.arguments))
                if not fit and not may_vectorise(node):
                    return False
            case Declare(variables=variables):
                if not all(
                    one.symbol.type.is_arithmetic or one.symbol in arrays or is_lead(one, body)
                    for one in variables
                ):
                    return False
            case Assign(target=target) if not target.type.is_arithmetic:
                return False  # copied as bytes
            case _:
                pass
    return True


def few_turns(loop: For, most: int = _MOST_TURNS) -> range | None:
    """The numbers among which the counter of a loop is in its turns, where those are constant and,
    with those of the loops inside, at most so many."""
    found = constant_turns(loop)
    if found is not None:
        values = range(min(found.values, default=0), max(found.values, default=-1) + 1)
        return values if len(found.values) * _turns_inside(loop.body) <= most else None
    match loop:
        case For(
            initial=Declare(variables=(variable,)),
            condition=Binary(op="<" | "<=" as op, right=limit),
        ) if variable.initial is not None and variable.symbol.type.kind is TypeKind.INTEGER:
            low, high = integer_value(variable.initial), integer_value(limit)
            if low is None or high is None or (high - low) * _turns_inside(loop.body) > most:
                return None
            return range(low, high + (op == "<="))
        case _:
            return None


def _turns_inside(body: Node) -> int:
    """How many turns, at most, those of few turns in a loop make of one of its turns."""
    if isinstance(body, For):
        found = constant_turns(body)
        own = 1 if found is None else max(len(found.values), 1)
        return own * _turns_inside(body.body)
    return max((_turns_inside(child) for child in children(body)), default=1)
