"""Names for the positions of threads and blocks.

A local that the source initialises from `threadIdx.x` and never changes names the loop over x; the
declaration goes and its comments move on.

    int t = threadIdx.x;                  for (int t = 0; t < int(block.x); ++t) {
    buf[t] = x[threadIdx.x];        ->        buf[t] = x[t];
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar, final

from g2o.analysis.definitions import declared_once, written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.ir.comments import comments_of, with_comments, without_declarations
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Empty, Node, Stmt, Trivia, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import INT, UNSIGNED, TypeKind

N = TypeVar("N", bound=Node)
LaunchIndex = tuple[Builtin, int]
_NAMES = {Builtin.THREAD_INDEX: ("tx", "ty", "tz"), Builtin.BLOCK_INDEX: ("bx", "by", "bz")}
_RING = frozenset({"+", "*", "&", "|", "^", "<<", "/", "%", ">>"})
_VALUED = frozenset({"/", "%", ">>"})
_SUMS = frozenset({"+", "-", "*"})
_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})


@final
@dataclass(frozen=True, slots=True)
class IndexNames:
    """The loop variable of every launch index that the kernel uses."""

    symbols: dict[LaunchIndex, Symbol]

    def axes(self, builtin: Builtin) -> list[int]:
        return sorted(axis for kind, axis in self.symbols if kind is builtin)


def used_axes(body: Node, builtin: Builtin) -> set[int]:
    found: set[int] = set()
    for node in walk(body):
        if isinstance(node, LaunchRef) and node.builtin is builtin:
            found.update((0, 1, 2) if node.axis is None else (node.axis,))
    return found


def find_aliases(
    statements: tuple[Stmt, ...], effects: EffectsOf, body: Node
) -> dict[LaunchIndex, Symbol]:
    """Locals at the top of the kernel that stand for a launch index throughout."""
    written = written_after_declaration(body, effects)
    single = declared_once(body)
    found: dict[LaunchIndex, Symbol] = {}
    for statement in statements:
        if not isinstance(statement, Declare):
            continue
        for variable in statement.variables:
            if variable.initial is None or variable.symbol in written:
                continue
            if variable.symbol.name not in single:
                continue
            index = _plain_index(variable.initial)
            if index is not None and _holds_an_index(variable.symbol):
                found.setdefault(index, variable.symbol)
    return found


def without_index_variables(body: Block, effects: EffectsOf) -> Block:
    """The body with `threadIdx.x` and its like where the source names them by variables."""
    values: dict[Symbol, Expr] = {}
    gone: set[Symbol] = set()
    written = written_after_declaration(body, effects)
    for statement in body.statements:
        if not isinstance(statement, Declare):
            continue
        for variable in statement.variables:
            if variable.initial is None or variable.symbol in written:
                continue
            index = _plain_index(variable.initial)
            if index is not None and _holds_an_index(variable.symbol):
                values[variable.symbol] = LaunchRef(*index, UNSIGNED)
                gone.add(variable.symbol)
    if not values:
        return body

    def replacement(node: Node) -> Node | None:
        return values.get(node.symbol) if isinstance(node, VarRef) else None

    statements = drop_declarations(body.statements, gone)
    return rewrite(block_of(statements), replacement)


def _plain_index(expr: Expr) -> LaunchIndex | None:
    expr = strip_parens(expr)
    if isinstance(expr, Cast) and expr.type.kind is TypeKind.INTEGER and expr.type.bits >= 32:
        expr = strip_parens(expr.operand)
    if not isinstance(expr, LaunchRef) or expr.axis is None:
        return None
    if expr.builtin in (Builtin.THREAD_INDEX, Builtin.BLOCK_INDEX):
        return expr.builtin, expr.axis
    return None


def _holds_an_index(symbol: Symbol) -> bool:
    return symbol.type.kind is TypeKind.INTEGER and symbol.type.bits >= 32


def name_indices(
    axes_of: dict[Builtin, set[int]], aliases: dict[LaunchIndex, Symbol], symbols: SymbolTable
) -> IndexNames:
    """A loop variable for each launch index that is looped over: the alias, or a usual name."""
    chosen: dict[LaunchIndex, Symbol] = {}
    for builtin in (Builtin.BLOCK_INDEX, Builtin.THREAD_INDEX):
        axes = axes_of[builtin]
        for axis in sorted(axes):
            alias = aliases.get((builtin, axis))
            if alias is not None:
                unqualified = alias.type.spelling.replace("const", "").strip()
                ctype = replace(alias.type, spelling=unqualified, is_const=False)
                chosen[builtin, axis] = replace(alias, type=ctype, storage=Storage.INDEX)
                continue
            only_x = builtin is Builtin.THREAD_INDEX and axes == {0}
            wish = "t" if only_x else _NAMES[builtin][axis]
            chosen[builtin, axis] = symbols.fresh(wish, INT, Storage.INDEX)
    return IndexNames(chosen)


def remove_aliases(statements: tuple[Stmt, ...], names: IndexNames) -> tuple[Stmt, ...]:
    """Drop the declarations of locals that name loops; their comments go to what follows."""
    indices = {symbol: symbol for symbol in names.symbols.values()}
    rest = drop_declarations(statements, set(indices))
    return tuple(rename_symbols(statement, indices) for statement in rest)


def drop_declarations(statements: tuple[Stmt, ...], gone: set[Symbol]) -> tuple[Stmt, ...]:
    kept: list[Stmt] = []
    pending: list[str] = []
    for statement in statements:
        result = without_declarations(statement, gone)
        if result is None:
            pending.extend(comments_of(statement))
            continue
        kept.append(with_comments(result, tuple(pending)))
        pending.clear()
    if pending:
        kept.append(Empty(trivia=Trivia(tuple(pending))))
    return tuple(kept)


def substitute_indices(
    body: N,
    values: dict[LaunchIndex, Expr],
    dims: dict[LaunchIndex, Expr],
    constants: dict[LaunchIndex, Expr] | None = None,
) -> N:
    """Put loop variables and launch parameters in place of CUDA's builtin variables.

    CUDA's are unsigned; a signed loop variable is cast where that could make a difference, and a
    constant extent takes the place of `block.x` only where it could not. What else is added to a
    signed loop variable is made signed too: compilers vectorise accesses to `x[bx * block.x + t]`
    only where they need not think of the position wrapping around.
    """
    known = constants or {}

    def whole(builtin: Builtin) -> Expr:
        if builtin in (Builtin.BLOCK_DIM, Builtin.GRID_DIM):
            return dims[builtin, -1]
        parts: list[str | Expr] = ["uint3{"]
        for axis in range(3):
            value = values.get((builtin, axis))
            parts.extend(("unsigned(", value, ")") if value is not None else ("0u",))
            parts.append(", " if axis < 2 else "}")
        return Code(tuple(parts))

    def visit(node: Node, sign_matters: bool) -> Node | None:
        if not isinstance(node, LaunchRef):
            return None
        if node.builtin is Builtin.WARP_SIZE:
            return Code(("g2o::warp_size",), type=INT)
        if node.axis is None:
            return whole(node.builtin)
        if node.builtin in (Builtin.BLOCK_DIM, Builtin.GRID_DIM):
            constant = None if sign_matters else known.get((node.builtin, node.axis))
            if constant is None and not sign_matters and id(node) in positional:
                return Code(("int(", dims[node.builtin, node.axis], ")"), type=INT)
            return constant or dims[node.builtin, node.axis]
        value = values[node.builtin, node.axis]
        if sign_matters and value.type.is_signed:
            return Code(("unsigned(", value, ")"), type=UNSIGNED)
        return value

    sensitive = _sign_sensitive(body)
    positional = _added_to_indices(body, values)
    placed = rewrite(body, lambda node: visit(node, id(node) in sensitive))
    return rewrite(placed, _without_idle_cast)


def _without_idle_cast(node: Node) -> Expr | None:
    """`int(bx * 8 + t)`, as a pass has written it, when the indices have become signed; `int(bx)`
    of one index as the author has, too."""
    match node:
        case Cast(operand=operand, type=ctype) if (
            (ctype.kind, ctype.bits)
            == (
                TypeKind.INTEGER,
                32,
            )
            and ctype.is_signed
            and _is_int_index(operand)
        ):
            return strip_parens(operand)
        case Cast(operand=operand, type=ctype, span=None) if (ctype.kind, ctype.bits) == (
            TypeKind.INTEGER,
            32,
        ) and ctype.is_signed:
            return strip_parens(operand) if _is_int_sum(operand) else None
        case Cast(operand=operand, type=ctype, form=Form.BUILT) if ctype == UNSIGNED:
            return _as_unsigned(strip_parens(operand))
        case _:
            return None


def _as_unsigned(operand: Expr) -> Expr | None:
    """What needs no cast to be unsigned: `grid.x`, `8u`."""
    match operand:
        case VarRef(type=ctype) | Member(type=ctype) if (
            ctype.kind is TypeKind.INTEGER and ctype.bits == 32 and not ctype.is_signed
        ):
            return operand
        case Literal(text=text, value=int(value)) if text.isdecimal():
            return Literal(f"{text}u", value, UNSIGNED)
        case _:
            return None


def _is_int_index(expr: Expr) -> bool:
    index = strip_parens(expr)
    return (
        isinstance(index, VarRef) and index.symbol.storage is Storage.INDEX and _is_int_sum(index)
    )


def _is_int_sum(expr: Expr) -> bool:
    """Is every part of the sum or product an `int`, so that it is one itself?"""
    match expr:
        case Paren(inner=inner):
            return _is_int_sum(inner)
        case Binary(op="+" | "-" | "*", left=left, right=right):
            return _is_int_sum(left) and _is_int_sum(right)
        case VarRef(symbol=symbol):
            ctype = symbol.type
            return (ctype.kind, ctype.bits, ctype.is_signed) == (TypeKind.INTEGER, 32, True)
        case Literal(text=text, value=value):
            return value is not None and text.isdecimal()
        case Code(type=ctype):
            return ctype == INT
        case _:
            return False


def _sign_sensitive(body: Node) -> set[int]:
    """Ids of launch references whose unsignedness the surrounding expression can observe."""
    found: set[int] = set()

    def visit(node: Node, safe: bool) -> None:
        match node:
            case LaunchRef():
                if not safe:
                    found.add(id(node))
            case Binary(op=op, left=left, right=right):
                if op in _COMPARISONS or op in ("&&", "||", ","):
                    visit(left, _is_ring(left))
                    visit(right, _is_ring(right))
                else:
                    inner = safe and (op in _RING or (op == "-" and safe))
                    wide = node.type.bits > 32 or node.type.kind is TypeKind.FLOATING
                    for child in (left, right):
                        plain = inner or (wide and _is_ring(child))
                        if op in _VALUED:  # more than the low bits count
                            plain = plain and _is_ring(child)
                        visit(child, plain and (op != "-" or _into_int(node, safe)))
            case Paren(inner=inner):
                visit(inner, safe)
            case Code(parts=(only,)) if not isinstance(only, str):
                visit(only, safe)  # what is left of a sum
            case Declare(variables=variables):
                for variable in variables:
                    for extent in variable.extents:
                        visit(extent, True)
                    if variable.initial is not None:
                        visit(variable.initial, _takes_index(variable))
            case Assign(op=op, target=target, value=value):
                visit(target, True)
                plain = op in ("=", "+=", "-=", "*=", "&=", "|=", "^=")
                narrow = target.type.kind is TypeKind.INTEGER and target.type.bits <= 32
                visit(value, plain and (narrow or (target.type.is_arithmetic and _is_ring(value))))
            case Index(base=base, index=index):
                visit(base, True)
                visit(index, _is_ring(index) or (base.type.is_indirect and _is_sum(index)))
            case Cast(operand=operand, type=ctype):
                visit(operand, ctype.is_arithmetic and _is_ring(operand))
            case Unary(op="-" | "~", operand=operand):
                visit(operand, False)
            case Unary(operand=operand):
                visit(operand, safe)
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                visit(condition, True)
                visit(if_true, safe)
                visit(if_false, safe)
            case Call(callee=callee, arguments=arguments, key=key):
                visit(callee, False)
                for argument in arguments:
                    visit(argument, bool(key) and _is_ring(argument))
            case _:
                for child in children(node):
                    visit(child, True)

    visit(body, True)
    return found


def _added_to_indices(body: Node, values: dict[LaunchIndex, Expr]) -> set[int]:
    """Ids of the launch dimensions in sums with the index of a thread, all else being signed."""
    found: set[int] = set()

    def visit(node: Node) -> None:
        if isinstance(node, Binary) and node.op in _SUMS:
            leaves = list(_leaves(node))
            signed = all(_is_signed_leaf(leaf, values) for leaf in leaves)
            if signed and any(_is_thread_index(leaf) for leaf in leaves):
                found.update(id(leaf) for leaf in leaves if isinstance(leaf, LaunchRef))
                return
        for child in children(node):
            visit(child)

    visit(body)
    return found


def _leaves(expr: Expr) -> Iterator[Expr]:
    """The operands of a sum of products."""
    match expr:
        case Paren(inner=inner):
            yield from _leaves(inner)
        case Binary(op=op, left=left, right=right) if op in _SUMS:
            yield from _leaves(left)
            yield from _leaves(right)
        case _:
            yield expr


def _is_signed_leaf(leaf: Expr, values: dict[LaunchIndex, Expr]) -> bool:
    match leaf:
        case LaunchRef(builtin=Builtin.BLOCK_DIM | Builtin.GRID_DIM, axis=axis):
            return axis is not None
        case LaunchRef(builtin=builtin, axis=axis) if axis is not None:
            value = values.get((builtin, axis))
            return value is not None and value.type.is_signed
        case _:
            return leaf.type.kind is TypeKind.INTEGER and leaf.type.is_signed


def _is_thread_index(leaf: Expr) -> bool:
    match leaf:
        case LaunchRef(builtin=Builtin.THREAD_INDEX):
            return True
        case VarRef(symbol=symbol):
            return symbol.storage is Storage.INDEX
        case _:
            return False


def _is_ring(expr: Expr) -> bool:
    """Only sums, products and the like of non-negative values: no wrap-around below zero."""
    match expr:
        case Paren(inner=inner):
            return _is_ring(inner)
        case Code(parts=(only,)) if not isinstance(only, str):
            return _is_ring(only)
        case Binary(op="-", left=LaunchRef(builtin=builtin), right=Literal(value=1)):
            return builtin in (
                Builtin.BLOCK_DIM,
                Builtin.GRID_DIM,
            )  # of which there is one at least
        case Binary(op="-"):
            return False
        case Unary(op="-" | "~"):
            return False
        case Binary(left=left, right=right):
            return _is_ring(left) and _is_ring(right)
        case _:
            return True


def _is_sum(index: Expr) -> bool:
    """Only sums, differences and products? Their low bits do not depend on signs, and an index that
    means an element is the same number as a signed one."""
    match index:
        case Paren(inner=inner):
            return _is_sum(inner)
        case Code(parts=(only,)) if not isinstance(only, str):
            return _is_sum(only)
        case Binary(op=op, left=left, right=right):
            return op in _SUMS and index.type.bits <= 32 and _is_sum(left) and _is_sum(right)
        case VarRef() | LaunchRef() | Literal():
            return index.type.kind is TypeKind.INTEGER and index.type.bits <= 32
        case _:
            return False


def _into_int(node: Binary, safe: bool) -> bool:
    return safe and node.type.bits <= 32


def _takes_index(variable: Variable) -> bool:
    """Does initialising `variable` hide whether the value was signed?"""
    ctype = variable.symbol.type
    if variable.initial is None or "auto" in variable.declared:
        return False
    narrow = ctype.kind is TypeKind.INTEGER and ctype.bits <= 32
    return narrow or (ctype.is_arithmetic and _is_ring(variable.initial))


def block_of(statements: tuple[Stmt, ...] | list[Stmt]) -> Block:
    return Block(tuple(statements))
