"""Every OpenMP thread adds to a copy of its own, where all of them add to all elements.

    #pragma omp parallel for                           #pragma omp parallel
    for (int i = 0; i < count; ++i)                    {
        for (int j = 0; j < n; ++j)                        g2o::PrivateSums<double> sums_x(d_x, n);
            g2o::atomic_add(&d_x[j], f(i, j));    ->   #pragma omp for
                                                           for (int i = 0; i < count; ++i)
                                                               for (int j = 0; j < n; ++j)
                                                                   sums_x[j] += f(i, j);
                                                       }

Legal where the loop does nothing with the array but add to elements whose range is known in front
of it. Pays where an inner loop runs over the elements, or where the text names most of them: then
there is at least as much to add as there is to copy. At the end the copies are added to the array,
one thread after the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import declared_in, root_symbol
from g2o.analysis.positions import limits_of, minimum_of, polynomial_of
from g2o.analysis.same_memory import SameMemory, same_memory
from g2o.ir.directives import PARALLEL
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    is_variable,
    strip_parens,
)
from g2o.ir.increments import is_increment, is_reason
from g2o.ir.kernel import LoweredKernel
from g2o.ir.names import names_in, symbols_behind
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, VOID, CType, TypeKind
from g2o.polyhedral.polynomial import ZERO, Polynomial
from g2o.transforms.hoist_increments import increment_place
from g2o.transforms.neighbours import expression_of


def sum_privately(lowered: LoweredKernel, *, is_c: bool = False) -> LoweredKernel:
    """Replace atomics by additions to private copies. Unchanged kernels stay as they are. `is_c`:
    what is written is C.

    double *sums_x = g2o_zeros(n * sizeof(double)); ... g2o_add_sums_double(d_x, sums_x, n);
    """
    if not any(is_increment(node) for statement in lowered.body for node in walk(statement)):
        return lowered
    symbols = symbols_behind(lowered, names_in(lowered.body))
    limits = limits_of(lowered.body)
    outside = {one.name: one for one in lowered.function.parameters}
    memory = same_memory(lowered.body)
    result: list[Stmt] = []
    for statement in lowered.body:
        for symbol in declared_in(statement) if isinstance(statement, Declare) else ():
            outside[symbol.name] = symbol
        new = None
        if isinstance(statement, CountedLoop) and statement.directive.is_parallel:
            new = _Region(statement, symbols, limits, outside, memory, is_c).replaced()
        result.extend(new or [statement])
    same = len(result) == len(lowered.body) and all(
        one is old for one, old in zip(result, lowered.body, strict=True)
    )
    return lowered if same else replace(lowered, body=tuple(result))


@final
@dataclass(frozen=True, slots=True)
class _Range:
    """Elements from `low` to `high`, both included."""

    low: Polynomial
    high: Polynomial
    is_inner: bool  # does a loop inside of the parallel one run over them?


@final
@dataclass(frozen=True, slots=True)
class _Copy:
    """The declaration of a copy, its name, the element that it begins with, and what adds it up."""

    declared: Stmt
    symbol: Symbol
    offset: Expr | None
    added: tuple[Stmt, ...] = ()


@final
@dataclass(slots=True)
class _Region:
    loop: CountedLoop
    symbols: SymbolTable
    limits: dict[str, list[Polynomial]]
    outside: dict[str, Symbol]
    memory: SameMemory
    is_c: bool
    known: dict[Symbol, Polynomial] = field(default_factory=dict[Symbol, Polynomial])
    bounds: dict[str, tuple[Polynomial, Polynomial]] = field(
        default_factory=dict[str, tuple[Polynomial, Polynomial]]
    )
    bounded: set[Symbol] = field(default_factory=set[Symbol])
    ambiguous: set[str] = field(default_factory=set[str])  # indices of loops that differ

    def replaced(self) -> list[Stmt] | None:
        """The parallel region with copies, or None where nothing is to be gained."""
        if any(isinstance(node, LocalFunction) for node in walk(self.loop)):
            return None
        calls = [n for n in walk(self.loop) if isinstance(n, Call) and is_increment(n)]
        if not calls:
            return None
        self._collect()
        declared: list[Stmt] = []
        added: list[Stmt] = []
        copies: dict[Symbol, tuple[Symbol, Expr | None]] = {}
        for root in dict.fromkeys(root_symbol(increment_place(call)) for call in calls):
            if root is None:
                continue
            made = self._copy(root, calls)
            if made is not None:
                declared.append(made.declared)
                added += made.added
                copies[root] = made.symbol, made.offset
        if not copies:
            return None
        if self.is_c:
            note = (
                "// A copy for every thread." if len(copies) == 1 else "// Copies for every thread."
            )
            declared[0] = replace(declared[0], trivia=Trivia((note,)))

        def replacement(node: Node) -> Node | None:
            match node:
                case ExprStatement(expr=Call() as call) if is_increment(call):
                    place = increment_place(call)
                    root = root_symbol(place)
                    if root is None or root not in copies:
                        return None
                    own = _moved(place, *copies[root])
                    kept = tuple(c for c in node.trivia.before if not is_reason(c))
                    trivia = Trivia(kept, node.trivia.after, node.trivia.blank_line)
                    return replace(_added(own, call.arguments[1]), trivia=trivia)
                case _:
                    return None

        body = rewrite(self.loop.body, replacement)
        shared_out = self.loop.directive.without("parallel")
        loop = replace(self.loop, body=body, directive=shared_out, trivia=NO_TRIVIA)
        return [Block((*declared, loop, *added), directive=PARALLEL, trivia=self.loop.trivia)]

    def _collect(self) -> None:
        """What integers inside the loop are, and the bounds of the loops."""
        for node in walk(self.loop):
            match node:
                case CountedLoop(index=index, lower=lower, upper=upper, step=None):
                    self._bound(index, lower, upper, inclusive=False)
                case For(
                    initial=Declare(variables=(Variable(symbol=index, initial=first),)),
                    condition=Binary(op="<" | "<=" as op, left=left, right=bound),
                ) if (
                    first is not None and is_variable(left, index) and not _is_set(node.body, index)
                ):
                    self._bound(index, first, bound, inclusive=op == "<=")
                case For(
                    initial=Declare(variables=(Variable(symbol=index, initial=first),)),
                    condition=Binary(op=">" | ">=" as op, left=left, right=bound),
                ) if first is not None and is_variable(left, index):
                    low, high = polynomial_of(bound, self.known), polynomial_of(first, self.known)
                    if low is not None and high is not None and not _is_set(node.body, index):
                        self._limit(index, low if op == ">=" else low.plus(1), high)
                case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if (
                    initial is not None and symbol.type.kind is TypeKind.INTEGER
                ):
                    value = polynomial_of(initial, self.known)
                    if value is not None and not _is_set(self.loop, symbol):
                        self.known[symbol] = value
                case _:
                    pass
        self._note_others()

    def _note_others(self) -> None:
        """Names that also belong to variables of which nothing is known."""
        for symbol in declared_in(self.loop) - self.bounded - set(self.known):
            self.ambiguous.add(symbol.name)
        for symbol in self.known:
            if symbol.name in self.bounds:
                self.ambiguous.add(symbol.name)

    def _bound(self, index: Symbol, lower: Expr, upper: Expr, *, inclusive: bool) -> None:
        low, high = polynomial_of(lower, self.known), polynomial_of(upper, self.known)
        if high is None:  # the part of a minimum that is known in front of the region
            parts = (polynomial_of(one, self.known) for one in minimum_of(strip_parens(upper)))
            high = next((one for one in parts if one and one.names <= set(self.outside)), None)
        if low is not None and high is not None:
            self._limit(index, low, high if inclusive else high.plus(-1))

    def _limit(self, index: Symbol, low: Polynomial, high: Polynomial) -> None:
        self.bounded.add(index)
        known = self.bounds.setdefault(index.name, (low, high))
        if known != (low, high):
            self.ambiguous.add(index.name)

    # -- one array ------------------------------------------------------------------------------

    def _copy(self, root: Symbol, calls: list[Call]) -> _Copy | None:
        element = root.type.element
        own = [call for call in calls if root_symbol(increment_place(call)) == root]
        mentions = sum(isinstance(n, VarRef) and n.symbol == root for n in walk(self.loop))
        if element is None or mentions != len(own) or root.type.kind is not TypeKind.POINTER:
            return None
        if self.outside.get(root.name) != root or self.memory.names_beside(root, self.loop):
            return None
        real = _only_real(element)
        ranges = [self._range(increment_place(call)) for call in own]
        found = [one for one in ranges if one is not None]
        if real is None or len(found) != len(ranges):
            return None
        if not any(one.is_inner for one in found) and not _is_listed(found):
            return None
        low = self._least([one.low for one in found])
        high = self._least([-one.high for one in found])
        if low is None or high is None:
            return None
        first = expression_of(low, None, self.outside)
        count = expression_of((-high - low).plus(1), None, self.outside)
        if first is None or count is None:
            return None
        spelled = element.spelling.removeprefix("const ")
        if self.is_c:
            return self._copy_in_c(root, None if low == ZERO else first, count, spelled)
        arguments = spelled if real == spelled else f"{spelled}, {real}"
        ctype = CType(f"g2o::PrivateSums<{arguments}>", TypeKind.OTHER)
        name = f"sums_{root.name.removeprefix('d_')}"
        copy = self.symbols.fresh(name, ctype, Storage.LOCAL)
        offset = None if low == ZERO else first
        start: list[str | Expr] = [VarRef(root)] if offset is None else [VarRef(root), " + ", first]
        note = "// a copy for every thread"
        parts = (f"{ctype.spelling} {copy.name}(", *start, ", ", count, f"); {note}")
        return _Copy(Text(parts, declares=(copy,)), copy, offset)

    def _copy_in_c(
        self, root: Symbol, offset: Expr | None, count: Expr, element: str
    ) -> _Copy | None:
        """The same with functions."""
        if element not in ("double", "float"):
            return None
        copy = self.symbols.fresh(f"sums_{root.name.removeprefix('d_')}", root.type, Storage.LOCAL)
        start = VarRef(root) if offset is None else Binary("+", VarRef(root), offset, root.type)
        size = Binary("*", count, Code((f"sizeof({element})",)), INT)
        zeros = Call("g2o_zeros", Literal("g2o_zeros"), (size,), type=root.type)
        declared = Declare((Variable(copy, f"{element} *", "", zeros, "="),))
        name = f"g2o_add_sums_{element}"
        added = Call(name, Literal(name), (start, VarRef(copy), count), type=VOID)
        return _Copy(declared, copy, offset, (ExprStatement(added),))

    def _range(self, place: Expr) -> _Range | None:
        index = _index(place)
        position = None if index is None else polynomial_of(index, self.known)
        if position is None:
            return None
        low = high = position
        inner = False
        for _ in range(8):
            names = (low.names | high.names) & set(self.bounds)
            if not names:
                break
            name = sorted(names)[0]
            if name in self.ambiguous:
                return None
            inner = inner or name != self.loop.index.name
            ends = self.bounds[name]
            if not (_is_linear(low, name) and _is_linear(high, name)):
                return None
            low_factor = low.by_monomial_in((name,)).get((name,), ZERO).value
            high_factor = high.by_monomial_in((name,)).get((name,), ZERO).value
            if low_factor is None or high_factor is None:
                return None
            low = low.substituted({name: ends[0] if low_factor >= 0 else ends[1]})
            high = high.substituted({name: ends[1] if high_factor >= 0 else ends[0]})
        inside = {symbol.name for symbol in declared_in(self.loop)} | set(self.bounds)
        inside |= {one.name for one in self.outside.values() if _is_set(self.loop, one)}
        if (low.names | high.names) - (set(self.outside) - inside):
            return None
        return _Range(low, high, inner)

    def _least(self, values: list[Polynomial]) -> Polynomial | None:
        """One of the values that is not greater than any other."""
        for value in values:
            if all(self._is_at_most(value - other) for other in values):
                return value
        return None

    def _is_at_most(self, value: Polynomial) -> bool:
        """Is the value never positive?"""
        candidates = [value]
        for name in sorted(value.names):
            factor = value.by_monomial_in((name,)).get((name,), ZERO).value
            if factor is not None and factor > 0:
                candidates += [value.substituted({name: one}) for one in self.limits.get(name, ())]
        return any(one.value is not None and one.value <= 0 for one in candidates)


def _is_listed(ranges: list[_Range]) -> bool:
    """Are at least half of the elements named, each by its number?"""
    places = {one.low.value for one in ranges if one.low == one.high}
    known = [place for place in places if place is not None]
    return len(known) == len(ranges) and max(known) - min(known) < 2 * len(known)


def _is_linear(value: Polynomial, name: str) -> bool:
    return all(product.count(name) <= 1 for product, _ in value.terms)


def _is_set(node: Node, symbol: Symbol) -> bool:
    """Does the code give the variable another value?"""
    for inner in walk(node):
        match inner:
            case Assign(target=target) if root_symbol(target) == symbol:
                return True
            case Unary(op="++" | "--" | "&", operand=operand) if root_symbol(operand) == symbol:
                return True
            case _:
                pass
    return False


def _index(place: Expr) -> Expr | None:
    """The index of the element that the place lies in."""
    inner = strip_parens(place)
    while isinstance(inner, Member) and not inner.arrow:
        inner = strip_parens(inner.base)
    match inner:
        case Index(base=VarRef(), index=index):
            return index
        case _:
            return None


def _moved(place: Expr, copy: Symbol, offset: Expr | None) -> Expr:
    """The place in the copy."""
    match place:
        case Paren(inner=inner):
            return _moved(inner, copy, offset)
        case Member(base=base):
            return replace(place, base=_moved(base, copy, offset), form=Form.BUILT, span=None)
        case Index(index=index):
            if offset is not None:
                index = Binary("-", index, offset, INT)
            return replace(place, base=VarRef(copy), index=index, form=Form.BUILT, span=None)
        case _:
            return place


def _added(place: Expr, value: Expr) -> ExprStatement:
    inner = strip_parens(value)
    if isinstance(inner, Unary) and inner.op == "-":
        return ExprStatement(Assign("-=", place, strip_parens(inner.operand), place.type))
    return ExprStatement(Assign("+=", place, value, place.type))


_VECTORS = {"float": ("float1", "float2", "float3", "float4"),
            "double": ("double1", "double2", "double3", "double4")}  # fmt: skip


def _only_real(ctype: CType) -> str | None:
    """The floating type that a value consists of; None for others, and for mixtures."""
    spelled = ctype.spelling.removeprefix("const ")
    if ctype.kind is TypeKind.FLOATING:
        return spelled
    for real, names in _VECTORS.items():
        if spelled in names:
            return real
    found = {_only_real(member) for _, member in ctype.fields}
    return next(iter(found)) if len(found) == 1 else None
