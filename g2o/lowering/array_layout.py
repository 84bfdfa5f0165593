"""Arrays of a block are laid out so that neighbouring threads have neighbouring elements.

    float c[HEIGHT][WIDTH][16];                  float c[HEIGHT][16][WIDTH];
    for (int ty = 0; ty < HEIGHT; ++ty)          for (int ty = 0; ty < HEIGHT; ++ty)
        for (int tx = 0; tx < WIDTH; ++tx)   ->      for (int tx = 0; tx < WIDTH; ++tx)
            for (int k = 0; k < 16; ++k)                 for (int k = 0; k < 16; ++k)
                c[ty][tx][k] = 0.0f;                         c[ty][k][tx] = 0.0f;

What a thread keeps between barriers is an array with an element for each thread, and a tile may
stand in shared memory the other way round, as banks of GPUs want it: neither is what vectors want.
The index of the innermost loop over threads moves behind the others (data layout transformation:
Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 2001, 9.3).

Legal because each use of the array names one element by all of its indices, none is led to from
another by its address, and the indices that change places are inside of their extents: the same
elements are told apart as before.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar, final

from g2o.analysis.lvalues import root_symbol
from g2o.analysis.ranges import Ranges
from g2o.analysis.strides import Strides
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    element_of,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    ExprStatement,
    For,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.lowering.context import LoweringContext
from g2o.lowering.indices import block_of
from g2o.lowering.register_tiles import tiled_arrays

Statements = tuple[Stmt, ...]
T = TypeVar("T")


def lay_out_arrays(context: LoweringContext, statements: Statements) -> Statements:
    """Put the index that neighbouring threads differ in behind the others."""
    arrays = _Arrays(Strides.of(block_of(statements)))
    for statement in statements:
        arrays.collect(statement, None)
    loops = (n for one in statements for n in walk(one) if isinstance(n, CountedLoop))
    tiled = {array for one in loops for array in tiled_arrays(context, one)}
    turned: dict[Symbol, int] = {}
    ranges: Ranges | None = None
    named: set[str] | None = None
    for array, uses in arrays.uses.items():
        place = arrays.place_of_threads(uses)
        if place is None or array in arrays.others or array in tiled:
            continue
        if any(count <= place for count in arrays.filled.get(array, ())):
            continue  # all of it at once
        named = named if named is not None else _names_in_text(statements)
        if array.name in named:
            continue
        if array.storage is not Storage.BLOCK:  # threads' own places are inside of those
            ranges = ranges or Ranges.of(block_of(statements), context.effects)
            if not _are_inside(uses, array.type, place, ranges):
                continue
        turned[array] = place
    if not turned:
        return statements
    symbols = context.symbols
    return tuple(_laid_out(one, arrays.extents, turned, symbols) for one in statements)


@final
@dataclass(frozen=True, slots=True)
class _Use:
    """An element that is named, by its indices from the outermost on, and the loop over threads
    around it."""

    indices: tuple[Expr, ...]
    threads: CountedLoop | None


@final
@dataclass(slots=True)
class _Arrays:
    """The arrays of several dimensions that a block has, with where they are used."""

    strides: Strides
    extents: dict[Symbol, list[str]] = field(default_factory=dict[Symbol, list[str]])
    uses: dict[Symbol, list[_Use]] = field(default_factory=dict[Symbol, list[_Use]])
    filled: dict[Symbol, list[int]] = field(default_factory=dict[Symbol, list[int]])
    others: set[Symbol] = field(default_factory=set[Symbol])

    def collect(self, node: Node, threads: CountedLoop | None) -> None:
        """Note what is declared and used in `node`; `threads` is the innermost loop around it."""
        match node:
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol.storage in (Storage.BLOCK, Storage.SHARED):
                        self._declare(one)
                    if not one.symbol.type.is_arithmetic:  # a name of an element, perhaps
                        self._led_to(node)
            case CountedLoop() if node.index.storage is Storage.INDEX:
                threads = node
            case Index():
                root, indices = _element(node)
                if root is not None and len(indices) == len(self.extents.get(root, ())):
                    self.uses[root].append(_Use(indices, threads))
                    for index in indices:
                        self.collect(index, threads)
                    return
            case VarRef(symbol=symbol) if symbol in self.extents:
                self.others.add(symbol)  # a row of it, or all
            case Text() if (zeroed := _zeroed(node)) is not None:
                root, indices = _element(zeroed)
                if root is not None and root in self.extents:
                    self.filled.setdefault(root, []).append(len(indices))
                    for index in indices:
                        self.collect(index, threads)
                    return
            case Unary(op="&") | Code() | Verbatim() | Text() | Cast():
                self._led_to(node)
            case Call(is_cuda=False):
                self._led_to(node)  # it may be given a reference
            case _:
                pass
        for child in children(node):
            self.collect(child, threads)

    def _led_to(self, node: Node) -> None:
        """An index leads from an element to others, if its address is taken, a reference is its
        name, or text may do anything with it."""
        if isinstance(node, Cast) and (node.type.is_arithmetic or node.type.kind is TypeKind.BOOL):
            return
        for child in children(node):
            if isinstance(child, Index | Member | Paren):
                root = root_symbol(child)
                if root is not None:
                    self.others.add(root)

    def _declare(self, variable: Variable) -> None:
        array, extents = variable.symbol, _extents(variable.suffix)
        if array in self.extents:
            self.others.add(array)
        elif len(extents) > 1 and variable.initial is None:
            self.extents[array] = extents
            self.uses[array] = []

    def place_of_threads(self, uses: list[_Use]) -> int | None:
        """The index, not the last, in which neighbouring threads differ, and by one; None where it
        is not the same one everywhere."""
        places: set[int] = set()
        for use in uses:
            if use.threads is None:
                continue
            moved = [self.strides.moves(one, use.threads) for one in use.indices]
            moving = [place for place, one in enumerate(moved) if one != 0]
            if moving:
                if len(moving) > 1 or moved[moving[0]] not in (1, -1):
                    return None
                places.add(moving[0])
        if len(places) != 1:
            return None
        (place,) = places
        return place if all(place < len(use.indices) - 1 for use in uses) else None


def _are_inside(uses: list[_Use], ctype: CType, place: int, ranges: Ranges) -> bool:
    """Are the indices that change places always inside of their extents?"""
    extents: list[int] = []
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        extents.append(ctype.extent or 0)
        ctype = ctype.element
    for use in uses:
        if len(extents) != len(use.indices):
            return False
        for index, extent in list(zip(use.indices, extents, strict=True))[place:]:
            values = ranges.range_of(index)
            if values is None or values[0] < 0 or values[1] >= extent:
                return False
    return True


def _names_in_text(statements: Statements) -> set[str]:
    """The words of what stands there as text."""
    words: set[str] = set()
    for node in (inner for one in statements for inner in walk(one)):
        match node:
            case Text(parts=parts) | Code(parts=parts):
                text = " ".join(part for part in parts if isinstance(part, str))
            case DeclareTypes(text=text):
                pass
            case Verbatim(span=span) if span is not None:
                text = span.text
            case _:
                continue
        words.update("".join(c if c.isalnum() or c == "_" else " " for c in text).split())
    return words


def _laid_out(
    statement: Stmt,
    extents: dict[Symbol, list[str]],
    turned: dict[Symbol, int],
    symbols: SymbolTable,
) -> Stmt:
    def replacement(node: Node) -> Node | None:
        match node:
            case Declare(variables=variables):
                new = tuple(_declared(one, extents, turned) for one in variables)
                same = all(one is old for one, old in zip(new, variables, strict=True))
                return None if same else replace(node, variables=new)
            case Text() if (zeroed := _zeroed(node)) is not None:
                root, indices = _element(zeroed)
                if root is None or root not in turned:
                    return None
                return _zeros(root, indices, extents[root], turned[root], symbols)
            case Index():
                root, indices = _element(node)
                if root is None or root not in turned or len(indices) != len(extents[root]):
                    return None
                places = [rewrite(one, replacement) for one in indices]
                return element_of(VarRef(root), _behind(places, turned[root]), node.type)
            case _:
                return None

    return rewrite(statement, replacement)


def _zeroed(text: Text) -> Expr | None:
    """What is filled with zeros (`initialisers.py`)."""
    match text.parts:
        case ("std::memset(", place, ", 0, sizeof(", _, "));") if not isinstance(place, str):
            return place
        case _:
            return None


def _zeros(
    array: Symbol, indices: tuple[Expr, ...], extents: list[str], place: int, symbols: SymbolTable
) -> Stmt:
    """Loops that fill what a thread has of an array."""
    ctype, values = array.type, list[int | None]()
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        values.append(ctype.extent)
        ctype = ctype.element
    own = extents[len(indices) :]
    counters = [VarRef(symbols.fresh("i", INT, Storage.LOCAL)) for _ in own]
    element = element_of(VarRef(array), _behind([*indices, *counters], place), ctype)
    zero = Literal("0", 0, INT)
    made: Stmt = ExprStatement(Assign("=", element, zero, ctype))
    limits = zip(own, values[-len(own) :], strict=True)
    for counter, (extent, value) in reversed(list(zip(counters, limits, strict=True))):
        start = Declare((Variable(counter.symbol, "int", "", zero, "="),))
        below = Binary("<", counter, Literal(extent[1:-1], value, INT), BOOL)
        made = For(start, below, Unary("++", counter, type=INT), Block((made,)))
    return made


def _declared(
    variable: Variable, extents: dict[Symbol, list[str]], turned: dict[Symbol, int]
) -> Variable:
    place = turned.get(variable.symbol)
    if place is None:
        return variable
    suffix = "".join(_behind(extents[variable.symbol], place))
    return replace(variable, suffix=suffix)


def _behind(items: list[T], place: int) -> list[T]:
    return [*items[:place], *items[place + 1 :], items[place]]


def _element(node: Expr) -> tuple[Symbol | None, tuple[Expr, ...]]:
    """The array that an element is of, with all indices from the outermost on."""
    indices: list[Expr] = []
    while isinstance(node, Index):
        indices.append(node.index)
        node = strip_parens(node.base)
    root = node.symbol if isinstance(node, VarRef) else None
    return root, tuple(reversed(indices))


def _extents(suffix: str) -> list[str]:
    """`[A][B[0] + 1]` as two pieces; none where it is anything else."""
    pieces: list[str] = []
    depth, begin = 0, 0
    for position, character in enumerate(suffix):
        depth += (character == "[") - (character == "]")
        if depth == 0:
            pieces.append(suffix[begin : position + 1])
            begin = position + 1
    return pieces if all(one.startswith("[") for one in pieces) else []
