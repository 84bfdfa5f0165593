"""Neighbours' contributions are gathered by the thread that owns an element.

    for (int i = 1; i < n - 1; ++i) {                  for (int i = 2; i < n - 2; ++i)
        g2o::atomic_add(&d_u[i - 1], d_v[i]);    ->        d_u[i] += d_v[i + 1] + d_v[i - 1];
        g2o::atomic_add(&d_u[i + 1], d_v[i]);          ... and the same at the rim, where some of
    }                                                      the neighbours are not there

Legal where every increment of the array stands in one nest of loops over threads, goes to the
element of the thread but for a constant number of steps along the loops, and adds what no thread
of the nest changes, unless in rows that the incremented elements are not in: then adding in the
order of the elements is the same sum. Elements are told apart by the loops if no row is longer than
the stride of the next. What consumes the seeds stands in a loop behind.
(Hückelheim et al., "Parallelizable adjoint stencil computations using transposed
forward-mode algorithmic differentiation", 2018.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.positions import limits_of, minimum_of, polynomial_of
from g2o.analysis.same_memory import SameMemory, same_memory
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.increments import is_increment
from g2o.ir.kernel import LoweredKernel
from g2o.ir.names import names_in, symbols_behind
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    LocalFunction,
    Node,
    Stmt,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind
from g2o.polyhedral.polynomial import Polynomial
from g2o.transforms.gather_places import Places, replaced
from g2o.transforms.neighbours import (
    Bounds,
    Term,
    are_told_apart,
    guarded_loops,
    has_no_interior,
    interior_loops,
    rim_loops,
    steps_between,
)


def gather_increments(
    lowered: LoweredKernel,
    functions: FunctionTable,
    may_vectorise: Callable[[Node], bool],
    *,
    split: bool = True,
    is_c: bool = False,
) -> LoweredKernel:
    """Turn scattered increments around; `split` interior and rim, or have one nest of loops.
    `is_c`: what is written is C. Unchanged kernels are returned as they are."""
    if not any(is_increment(node) for statement in lowered.body for node in walk(statement)):
        return lowered
    symbols = symbols_behind(lowered, names_in(lowered.body))
    effects = functions.for_node(Block(lowered.body))
    limits = limits_of(lowered.body)
    memory = same_memory(lowered.body)
    values = _values_of(lowered.body, effects)
    result: list[Stmt] = []
    for statement in lowered.body:
        gathered = None
        if isinstance(statement, CountedLoop) and statement.directive.is_parallel:
            loop, named = _with_named_bounds(statement, symbols)
            known = {**limits, **limits_of(tuple(named))}
            nest = _Nest(loop, effects, symbols, known, values, memory, may_vectorise, split, is_c)
            gathered = nest.gathered()
            gathered = gathered and [*named, *gathered]
        result.extend(gathered or [statement])
    same = len(result) == len(lowered.body) and all(
        one is old for one, old in zip(result, lowered.body, strict=True)
    )
    return lowered if same else replace(lowered, body=tuple(result))


def _with_named_bounds(
    loop: CountedLoop, symbols: SymbolTable
) -> tuple[CountedLoop, list[Declare]]:
    """The nest with names for ends that are minima, and what declares them in front of it."""
    upper, named = loop.upper, list[Declare]()
    body = loop.body
    inner = body.statements[0] if isinstance(body, Block) and len(body.statements) == 1 else body
    if isinstance(inner, CountedLoop):
        changed, named = _with_named_bounds(inner, symbols)
        body = body if changed is inner else Block((changed,))
    if minimum_of(strip_parens(upper)) and not symbols_in(upper) & declared_in(loop):
        count = symbols.fresh(f"{loop.index.name}_end", loop.index.type, Storage.BLOCK)
        spelled = f"const {loop.index.type.spelling}"
        named = [Declare((Variable(count, spelled, "", upper, "="),)), *named]
        upper = VarRef(count)
    same = upper is loop.upper and body is loop.body
    return (loop if same else replace(loop, upper=upper, body=body)), named


def _values_of(body: tuple[Stmt, ...], effects: EffectsOf) -> dict[str, Polynomial]:
    """What names of the kernel stand for that are declared once, `const int plane = nx * ny;`, and
    never change."""
    declared = [
        variable
        for statement in body
        for node in walk(statement)
        if isinstance(node, Declare)
        for variable in node.variables
    ]
    names = Counter(variable.symbol.name for variable in declared)
    changed = written_after_declaration(Block(body), effects)
    outermost = {v.symbol for one in body if isinstance(one, Declare) for v in one.variables}
    found: dict[str, Polynomial] = {}
    for one in declared:
        integer = one.symbol.type.kind is TypeKind.INTEGER and one.symbol.type.is_signed
        if one.initial is None or not integer or names[one.symbol.name] > 1:
            continue
        if one.symbol not in outermost or one.symbol in changed:
            continue
        named = {node.symbol for node in walk(one.initial) if isinstance(node, VarRef)}
        value = polynomial_of(one.initial, {})
        if value is not None and not named & changed:
            found[one.symbol.name] = value.substituted(found)
    return found


@final
@dataclass(frozen=True, slots=True)
class _Increment:
    statement: Stmt
    place: Index
    position: Polynomial
    value: Expr


@final
class _Nest:
    """Loops over threads, directly in each other, around straight-line code."""

    def __init__(
        self,
        loop: CountedLoop,
        effects: EffectsOf,
        symbols: SymbolTable,
        limits: dict[str, list[Polynomial]],
        lengths: dict[str, Polynomial],
        memory: SameMemory,
        may_vectorise: Callable[[Node], bool],
        split: bool,
        is_c: bool,
    ) -> None:
        self.loop = loop
        self.effects = effects
        self.symbols = symbols
        self.lengths = lengths
        self.memory = memory
        self.may_vectorise = may_vectorise
        self.split = split
        self.is_c = is_c
        self.loops: list[CountedLoop] = [loop]
        body = loop.body
        while True:
            while isinstance(body, Block) and len(body.statements) == 1:
                body = body.statements[0]
            if not isinstance(body, CountedLoop):
                break
            self.loops.append(body)
            body = body.body
        self.statements = body.statements if isinstance(body, Block) else (body,)
        self.places = Places(tuple(self.loops), self.statements, limits)
        self.known = self.places.known
        self.values: dict[Symbol, Expr] = {}

    def gathered(self) -> list[Stmt] | None:
        """The loops that do the same without atomics, or None."""
        if not self._is_straight() or any(not self._is_box(loop) for loop in self.loops):
            return None
        increments = self._increments()
        if increments is None or not increments:
            return None
        taken = {id(one.statement) for found in increments.values() for one in found}
        parts = self._distributed(increments, taken)
        if parts is None:
            return None
        first, last = parts
        middle: list[Stmt] = []
        for found in increments.values():
            loops = self._gather(found)
            if loops is None:
                return None
            middle.extend(loops)
        result: list[Stmt] = []
        if _acts(first):
            result.append(self._around(first))
        result.extend(middle)
        if _acts(last):
            behind = self._around(last)
            note = Trivia(("// What was overwritten: its seeds are consumed.",))
            result.append(replace(behind, trivia=note))
        return result

    # -- what there is --------------------------------------------------------------------------

    def _is_straight(self) -> bool:
        """Is the body code without branches, whose variables keep the values they begin with?"""
        for statement in self.statements:
            match statement:
                case Declare(variables=(variable,)) if variable.initial is not None:
                    if not self.effects.is_pure(variable.initial) or not _keeps(variable):
                        return False
                    self._note(variable.symbol, variable.initial)
                case ExprStatement(expr=expr):
                    if self.effects.of(expr).writes & declared_in(Block(self.statements)):
                        return False
                case _:
                    return False
        return not any(isinstance(n, LocalFunction) for s in self.statements for n in walk(s))

    def _note(self, symbol: Symbol, initial: Expr) -> None:
        position = None
        if symbol.type.kind is TypeKind.INTEGER and symbol.type.is_signed:
            position = polynomial_of(initial, self.known)
        if position is not None:
            self.known[symbol] = position
        else:
            self.values[symbol] = initial

    def _is_box(self, loop: CountedLoop) -> bool:
        """Are the bounds the same in every iteration of the loops around?"""
        if loop.step is not None:
            return False
        inside = {one.index for one in self.loops}
        for bound in (loop.lower, loop.upper):
            if polynomial_of(bound, {}) is None:
                return False
            if any(isinstance(n, VarRef) and n.symbol in inside for n in walk(bound)):
                return False
        return True

    def _increments(self) -> dict[Symbol, list[_Increment]] | None:
        """Increments by array, where an array is only incremented and not all are plain."""
        found: dict[Symbol, list[_Increment]] = {}
        atomic: set[Symbol] = set()
        for statement in self.statements:
            if not isinstance(statement, ExprStatement):
                continue
            parts = _parts(statement.expr)
            if parts is None:
                continue
            place, value = parts
            inner = strip_parens(place)
            root = root_symbol(place)
            if root is None or not isinstance(inner, Index):
                continue
            position = self.places.position(inner)
            if is_increment(statement.expr):
                if self._is_fixed(position):
                    continue  # one place for all iterations: a sum
                atomic.add(root)
            own = root.storage is Storage.LOCAL and root.type.kind is not TypeKind.POINTER
            if own or position is None:
                if root in atomic:
                    return None
                continue
            found.setdefault(root, []).append(_Increment(statement, inner, position, value))
        chosen = {root: ones for root, ones in found.items() if root in atomic}
        for root, ones in chosen.items():
            if self.memory.names_beside(root, Block(self.statements)):
                return None
            if not self._is_alone(root, ones):
                return None
        return chosen if atomic == set(chosen) else None

    def _is_alone(self, root: Symbol, ones: list[_Increment]) -> bool:
        """Does the nest do nothing but incrementing these elements, as with rows of other times?"""
        places = [one.place for one in ones]
        others = self._elements(root, self.statements, {id(one) for one in places})
        return others is not None and self._are_elsewhere(others, places)

    def _elements(
        self, root: Symbol, nodes: Iterable[Node], known: Collection[int] = ()
    ) -> list[Index] | None:
        """The elements of an array that are named, but those `known` by identity; None where it is
        named otherwise."""
        within = [inner for node in nodes for inner in walk(node)]
        named = [one for one in within if isinstance(one, VarRef) and one.symbol == root]
        places = [
            one
            for one in within
            if isinstance(one, Index) and one.type.kind is not TypeKind.ARRAY
            if root_symbol(one) == root
        ]
        if len(named) != len(places):
            return None
        return [one for one in places if id(one) not in known]

    def _are_elsewhere(self, some: Iterable[Index], others: Collection[Index]) -> bool:
        """Do no two iterations find the same element at any of the ones and of the others?"""
        pairs = product(map(self.places.position, some), map(self.places.position, others))
        return all(
            one is not None and other is not None and self.places.are_apart(one, other)
            for one, other in pairs
        )

    def _leaves(self, statement: Stmt, read: list[Expr]) -> bool:
        """Does an assignment leave the elements of its array as they are that are `read`?"""
        match statement:
            case ExprStatement(expr=Assign(target=target, value=value)):
                place, root = strip_parens(target), root_symbol(target)
                if root is None or not isinstance(place, Index) or not self.effects.is_pure(value):
                    return False
                if self.memory.names_beside(root, Block(self.statements)):
                    return False
                needed = self._elements(root, read)
                return needed is not None and self._are_elsewhere([place], needed)
            case _:
                return False

    def _is_fixed(self, position: Polynomial | None) -> bool:
        inside = {one.index.name for one in self.loops}
        return position is not None and not position.names & inside

    def _distributed(
        self, increments: dict[Symbol, list[_Increment]], taken: set[int]
    ) -> tuple[list[Stmt], list[Stmt]] | None:
        """What comes in front of the gathering, and what behind it."""
        seeds: set[Symbol | None] = set()
        read: list[Expr] = []
        for found in increments.values():
            for one in found:
                read.append(self._inlined(one.value))
                effects = self.effects.of(read[-1])
                if not effects.is_pure or None in effects.memory_reads:
                    return None
                seeds |= effects.memory_reads
        first: list[Stmt] = []
        last: list[Stmt] = []
        moved: set[Symbol | None] = set()
        for statement in self.statements:
            if id(statement) in taken:
                continue
            if isinstance(statement, Declare):
                first.append(statement)
                last.append(statement)
                continue
            effects = self.effects.of(statement)
            if effects.memory_writes & seeds or None in effects.memory_writes:
                touched = effects.memory_reads | effects.memory_writes
                if self._leaves(statement, read) and not touched & moved:
                    first.append(statement)
                    continue
                if not _is_zeroing(statement):
                    return None
                moved |= effects.memory_writes
                last.append(statement)
            elif effects.memory_reads & moved:
                return None
            else:
                first.append(statement)
        again = self.effects.of_all(s for s in _without_unused(last) if isinstance(s, Declare))
        if again.memory_reads & self.effects.of_all(first).memory_writes:
            return None
        return first, last

    def _inlined(self, expr: Expr) -> Expr:
        """`expr` with the values of what the code declares, integers that count elements apart."""

        def put(node: Node) -> Node | None:
            if isinstance(node, VarRef) and node.symbol in self.values:
                inner = self._inlined(self.values[node.symbol])
                return inner if isinstance(inner, (VarRef, Literal)) else _bare_parens(inner)
            return None

        return replaced(expr, put)

    # -- turning around -------------------------------------------------------------------------

    def _gather(self, found: list[_Increment]) -> list[Stmt] | None:
        strides = self.places.strides(found[0].position)
        if strides is None:
            return None
        base = self.places.centre(found[0].position, strides)
        terms: list[Term] = []
        for one in found:
            steps = steps_between(base, one.position, strides)
            if steps is None:
                return None
            value = self.places.shifted(self._inlined(one.value), steps)
            if value is None:
                return None
            terms.append(Term(steps, value))
        bounds = [
            Bounds(
                loop.index,
                loop.lower,
                loop.upper,
                min(term.steps[axis] for term in terms),
                max(term.steps[axis] for term in terms),
            )
            for axis, loop in enumerate(self.loops)
        ]
        lengths = [stride.substituted(self.lengths) for stride in strides]
        apart = self.places.are_subscripts(strides) or are_told_apart(
            bounds, lengths, self.places.at_most, lambda e: polynomial_of(e, {})
        )
        if not apart:
            return None
        if all(one.first == one.last for one in bounds):
            return None
        target = self.places.element(found[0].place, base)
        if target is None:
            return None
        used = (target, *(term.value for term in terms))
        declared = self._declarations(used)
        if not self.split:
            return [guarded_loops(bounds, declared, target, terms, self.symbols)]
        simd = self.may_vectorise(Block(tuple(ExprStatement(one) for one in used)))
        inner = interior_loops(bounds, declared, target, terms, simd)
        rim = rim_loops(bounds, declared, target, terms, self.symbols, is_c=self.is_c)
        return [rim] if has_no_interior(bounds) else [inner, rim]

    def _declarations(self, used: tuple[Expr, ...]) -> list[Stmt]:
        """The declarations of integers that the expressions name."""
        wanted = {n.symbol for one in used for n in walk(one) if isinstance(n, VarRef)}
        kept: list[Stmt] = []
        for statement in reversed(self.statements):
            if isinstance(statement, Declare) and statement.variables[0].symbol in wanted:
                kept.insert(0, statement)
                initial = statement.variables[0].initial
                assert initial is not None
                wanted |= {n.symbol for n in walk(initial) if isinstance(n, VarRef)}
        return kept

    def _around(self, statements: list[Stmt]) -> CountedLoop:
        """The nest around other statements."""
        body = Block(tuple(_without_unused(statements)))
        simd = self.may_vectorise(body)
        outermost = PARALLEL_FOR
        if len(self.loops) > 1 and self.loop.directive.collapse > 1:
            outermost = self.loop.directive.without("simd")
        for depth in range(len(self.loops) - 1, -1, -1):
            loop = self.loops[depth]
            own = NO_DIRECTIVE if depth else outermost
            if depth == len(self.loops) - 1 and simd:
                own = own.with_simd()
            new = CountedLoop(loop.index, loop.lower, loop.upper, body, own)
            body = Block((new,))
        outer = body.statements[0]
        assert isinstance(outer, CountedLoop)
        return replace(outer, trivia=self.loop.trivia)


def _keeps(variable: Variable) -> bool:
    """Does the variable stand for what it begins with, and for nothing less?"""
    initial, own = variable.initial, variable.symbol.type
    if initial is None or own.is_indirect or own.kind is not initial.type.kind:
        return False
    if own.kind is TypeKind.INTEGER:
        return own.is_signed == initial.type.is_signed and own.bits >= initial.type.bits
    return own.kind is TypeKind.FLOATING and own.bits >= initial.type.bits


def _parts(expr: Expr) -> tuple[Expr, Expr] | None:
    """Place and value of an increment, atomic or plain."""
    match expr:
        case Call() if is_increment(expr):
            inner = strip_parens(expr.arguments[0])
            if isinstance(inner, Unary) and inner.op == "&":
                return strip_parens(inner.operand), expr.arguments[1]
            return None
        case Assign(op="+=", target=target, value=value):
            return strip_parens(target), value
        case Assign(op="-=", target=target, value=value):
            return strip_parens(target), Unary("-", value, type=value.type)
        case _:
            return None


def _is_zeroing(statement: Stmt) -> bool:
    match statement:
        case ExprStatement(expr=Assign(op="=", value=Literal(text="0.0" | "0.0f" | "0"))):
            return True
        case _:
            return False


def _acts(statements: list[Stmt]) -> bool:
    return any(not isinstance(statement, Declare) for statement in statements)


def _without_unused(statements: list[Stmt]) -> list[Stmt]:
    """Declarations that nothing names go."""
    kept: list[Stmt] = []
    wanted: set[Symbol] = set()
    for statement in reversed(statements):
        if isinstance(statement, Declare) and statement.variables[0].symbol not in wanted:
            continue
        wanted |= {n.symbol for n in walk(statement) if isinstance(n, VarRef)}
        kept.insert(0, statement)
    return kept


def _bare_parens(expr: Expr) -> Expr:
    inner = strip_parens(expr)
    return Paren(inner, inner.type) if isinstance(inner, Binary) and inner.op in "+-" else inner
