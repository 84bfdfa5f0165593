"""The threads of a strip: neighbours that go through their loops together, and what they keep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import EffectsOf
from g2o.ir.directives import simd_where
from g2o.ir.expressions import (
    Binary,
    Call,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    VarRef,
    integer_value,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    For,
    Jump,
    Node,
    Scope,
    Stmt,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import substitute
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise
from g2o.lowering.thread_group import needed_positions

_MOST_TURNS: Final = 16  # of a loop that compilers unroll


@final
@dataclass(frozen=True, slots=True)
class StripGroup:
    """The threads `low` to `high`, each called `index`; at most `extent`, a number or constant."""

    index: Symbol
    low: Expr
    high: Expr
    extent: Literal | VarRef
    effects: EffectsOf
    positions: tuple[Declare, ...] = ()  # other indices of a thread, by means of `index`
    scope: Scope = Scope.ROW

    @property
    def described(self) -> dict[Symbol, str]:
        known = (self.index, *(one.variables[0].symbol for one in self.positions))
        return dict.fromkeys(known, "the thread")

    @property
    def lacks_threads(self) -> bool:
        return False

    def loop(self, body: tuple[Stmt, ...]) -> Stmt:
        nest = block_of((*needed_positions(self.positions, body), *body))
        found = self.effects.of(nest)
        own = all(s is not None and s.storage is Storage.BLOCK for s in found.memory_writes)
        selects = own and not found.side_effects and is_arithmetic(nest)
        directive = simd_where(selects or may_vectorise(nest))
        inside = unrolled(nest) if directive else nest
        return CountedLoop(self.index, self.low, self.high, inside, directive)

    def element(self, symbol: Symbol) -> Expr:
        return Index(VarRef(symbol), self.current(), symbol.type)

    def first(self, symbol: Symbol) -> Expr:
        return Index(VarRef(symbol), Literal("0", 0, INT), symbol.type)

    def remote(self, symbol: Symbol, thread: Expr | None) -> Expr:
        raise AssertionError("threads that never wait do not read each other's values")

    def allocate(self, variable: Variable, element: str, array: Symbol) -> Stmt:
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


def unrolled(nest: Stmt) -> Stmt:
    """The body of a vector loop with its loops of few turns unrolled: clang++ vectorises no loop
    with a loop inside, and unrolls only from -O2 on by itself."""
    unroll = Text((f"#pragma GCC unroll {_MOST_TURNS}",))

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block) or not any(isinstance(s, For) for s in node.statements):
            return None
        new: list[Stmt] = []
        for statement in node.statements:
            inner = rewrite(statement, replacement)
            new += [unroll, inner] if isinstance(inner, For) else [inner]
        return replace(node, statements=tuple(new), form=Form.BUILT)

    return rewrite(Block((nest,)) if isinstance(nest, For) else nest, replacement)


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
        if not variable.suffix.startswith(front) or behind.count("[") != 1:
            continue
        array = VarRef(variable.symbol)

        def replacement(node: Node, array: VarRef = array) -> Node | None:
            match node:
                case Index(base=Index(base=base, index=own), index=element) if (
                    base == array and own == current
                ):
                    inner = rewrite(element, replacement)
                    return Index(Index(array, inner, array.symbol.type), own, node.type)
                case _:
                    return None

        new = [rewrite(statement, replacement) for statement in statements]
        named = sum(node == array for s in statements for node in walk(s))
        turned = sum(
            isinstance(node, Index)
            and node.index == current
            and isinstance(node.base, Index)
            and node.base.base == array
            for s in new
            for node in walk(s)
        )
        if named == turned:
            turned_about = replace(variable, suffix=behind + front)
            allocations[place] = replace(declare, variables=(turned_about,))
            statements = new
    return allocations, statements


def is_arithmetic(body: Node) -> bool:
    """Conditions and loops of few turns around what can be vectorised."""
    for node in walk(body):
        match node:
            case For():
                if few_turns(node) is None:
                    return False
            case While() | DoWhile() | Jump():
                return False
            case Call():
                if not may_vectorise(node):
                    return False
            case Declare(variables=variables):
                if not all(variable.symbol.type.is_arithmetic for variable in variables):
                    return False
            case _:
                pass
    return True


def few_turns(loop: For, most: int = _MOST_TURNS) -> range | None:
    """The numbers among which the counter of a loop is in its turns, where those are constant and
    at most so many."""
    found = constant_turns(loop)
    if found is not None:
        values = found.values
        few = len(values) <= most
        return range(min(values, default=0), max(values, default=-1) + 1) if few else None
    match loop:
        case For(
            initial=Declare(variables=(variable,)),
            condition=Binary(op="<" | "<=" as op, right=limit),
        ) if variable.initial is not None and variable.symbol.type.kind is TypeKind.INTEGER:
            low, high = integer_value(variable.initial), integer_value(limit)
            if low is None or high is None or high - low > most:
                return None
            return range(low, high + (op == "<="))
        case _:
            return None
