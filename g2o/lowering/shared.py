"""Shared memory becomes arrays of the block.

__shared__ float tile[N][N];     ->  float tile[N][N];
extern __shared__ float buf[];   ->  g2o::shared_array<float> buf(shared_bytes);
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import final

from g2o.analysis.definitions import hiding_others
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Binary,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    Empty,
    Node,
    Stmt,
    Text,
    Trivia,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.lowering.context import SIZE, LoweringContext, product, substitute
from g2o.lowering.grid_memory import grid_array


def hoist_shared(context: LoweringContext, body: Block) -> tuple[list[Stmt], Block]:
    """Take shared declarations out of `body`; returns them as statements for the top of a block."""
    found, body = _take_shared(context, body)
    dynamic = _Dynamic(context)
    declarations = [
        _static(variable, node)
        if variable.symbol.storage is Storage.SHARED
        else dynamic.declaration(
            variable.symbol, variable.declared, variable.suffix, node, _is_zeroed(variable)
        )
        for variable, node in found
    ]
    declared = {variable.symbol for variable, _ in found}
    for symbol in _of_file_scope(body, declared):
        element = symbol.type.element
        spelled = element.spelling if element is not None else "char"
        declarations.append(dynamic.declaration(symbol, spelled, "[]", Empty()))
    return declarations, body


def _is_zeroed(variable: Variable) -> bool:
    """Is it the memory of derivatives, which starts at 0?"""
    return isinstance(variable.initial, Literal) and variable.initial.text == "{}"


def _static(variable: Variable, node: Declare) -> Stmt:
    if not _is_zeroed(variable):
        variable = replace(variable, initial=None, initial_style="")
    return Declare((variable,), trivia=node.trivia)


def _is_shared(symbol: Symbol) -> bool:
    return symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)


def _without_empty(body: Block) -> Block:
    def clean(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        kept = tuple(
            rewrite(s, clean)
            for s in node.statements
            if not (isinstance(s, Empty) and s.form.value == "built" and not s.trivia.before)
        )
        same = len(kept) == len(node.statements) and all(
            new is old for new, old in zip(kept, node.statements, strict=True)
        )
        return node if same else Block(kept, trivia=node.trivia, span=node.span)

    result = clean(body)
    assert isinstance(result, Block)
    return result


def share_across_grid(
    context: LoweringContext, body: Block, block_rank: Expr, blocks: Expr
) -> tuple[list[Stmt], Block]:
    """Shared memory of a kernel that synchronises its grid: every block keeps its own all along.

    __shared__ float tile[N];  ->  g2o::grid_array<float[N]> tile(blocks);  and  tile[block]
    """
    found, body = _take_shared(context, body)
    declarations: list[Stmt] = []
    places: dict[Symbol, Expr] = {}
    dynamic: list[tuple[Symbol, str, Trivia]] = []
    shadows: list[tuple[Symbol, str, Trivia]] = []
    for variable, node in found:
        symbol = variable.symbol
        if symbol.storage is Storage.DYNAMIC_SHARED:
            inner = variable.suffix[variable.suffix.find("]") + 1 :]
            memory = shadows if _is_zeroed(variable) else dynamic
            memory.append((symbol, variable.declared + inner, node.trivia))
            continue
        element = variable.declared + variable.suffix
        zeroed = _is_zeroed(variable)
        declarations.append(
            grid_array(context, symbol, element, blocks, node.trivia, zeroed=zeroed)
        )
        places[symbol] = Index(VarRef(symbol), block_rank, symbol.type)
    for symbol in _of_file_scope(body, {variable.symbol for variable, _ in found}):
        element = symbol.type.element
        dynamic.append((symbol, element.spelling if element is not None else "char", NO_TRIVIA))
    placed = substitute(body, places)
    assert isinstance(placed, Block)
    if dynamic:
        memory, placed = _dynamic_across_grid(context, placed, dynamic, block_rank, blocks)
        declarations += memory
    for shadow in shadows:  # derivatives do not lie where the numbers lie
        memory, placed = _dynamic_across_grid(
            context, placed, [shadow], block_rank, blocks, zeroed=True
        )
        declarations += memory
    return declarations, placed


def _dynamic_across_grid(
    context: LoweringContext,
    body: Block,
    arrays: Sequence[tuple[Symbol, str, Trivia]],
    block_rank: Expr,
    blocks: Expr,
    *,
    zeroed: bool = False,
) -> tuple[list[Stmt], Block]:
    """Dynamic shared memory of all blocks, which is one array; each block has a part of it.

    extern __shared__ float buf[];  ->  const std::size_t shared_elements = ...;
                                        g2o::grid_array<float> buf(blocks * shared_elements);
                                        and  buf[block * shared_elements + i]
    """
    assert context.shared_bytes is not None
    owner, element, trivia = arrays[0]
    count = context.symbols.fresh("shared_elements", SIZE, Storage.BLOCK)
    bytes_of_block = context.shared_bytes.name
    rounded = f"({bytes_of_block} + sizeof({element}) - 1) / sizeof({element})"
    said = (f"const std::size_t {count.name} = {rounded};",)
    declared = Text(said, declares=(count,), trivia=trivia)
    size = product(blocks, VarRef(count))
    memory = grid_array(context, owner, element, size, zeroed=zeroed)
    start = Binary("*", _operand(block_rank), VarRef(count), SIZE)
    base = Paren(Binary("+", VarRef(owner), start, owner.type), owner.type)
    others: dict[Symbol, Expr] = {
        symbol: Code((f"reinterpret_cast<{spelled} *>(", base, ")"), type=symbol.type)
        for symbol, spelled, _ in arrays[1:]
    }
    same = {symbol for symbol, spelled, _ in arrays if spelled == element}

    def placed(node: Node) -> Node | None:
        match node:
            case Index(base=VarRef(symbol=symbol), index=index) if symbol in same:
                place = Binary("+", start, _operand(rewrite(index, placed)), SIZE)
                return replace(node, base=VarRef(owner), index=place, form=Form.BUILT)
            case VarRef(symbol=symbol) if symbol in same:
                return base
            case VarRef(symbol=symbol):
                return others.get(symbol)
            case _:
                return None

    changed = rewrite(body, placed)
    assert isinstance(changed, Block)
    return [declared, memory], changed


def _operand(expr: Expr) -> Expr:
    bare = strip_parens(expr)
    return bare if isinstance(bare, (VarRef, Literal)) else Paren(bare, bare.type)


def _take_shared(
    context: LoweringContext, body: Block
) -> tuple[list[tuple[Variable, Declare]], Block]:
    """Shared variables with the declarations that they come from, and the body without those."""
    found: list[tuple[Variable, Declare]] = []
    names: set[str] = set()
    hiding = hiding_others(body, context.kernel.function.parameters, {})
    renamed: dict[Symbol, Expr] = {}

    def take(node: Node) -> Node | None:
        if not isinstance(node, Declare):
            return None
        shared = [v for v in node.variables if _is_shared(v.symbol)]
        if not shared:
            return None
        if len(shared) < len(node.variables):
            raise refuse("G2O0201", "shared and private variables declared together", node.span)
        for position, variable in enumerate(shared):
            symbol = variable.symbol
            hides = symbol.name in names or symbol in hiding
            if hides and symbol.storage is Storage.SHARED:
                fresh = context.symbols.fresh(symbol.name, symbol.type, symbol.storage)
                renamed[symbol] = VarRef(fresh)
                variable = replace(variable, symbol=fresh)
            names.add(symbol.name)
            trivia = node if position == 0 else replace(node, trivia=Empty().trivia)
            found.append((variable, trivia))
        return Empty()

    body = _without_empty(rewrite(body, take))
    if renamed:
        replaced = substitute(body, renamed)
        assert isinstance(replaced, Block)
        body = replaced
    return found, body


_ALIGNMENT = re.compile(r"alignas\s*\((?:[^()]|\([^()]*\))*\)\s*")


@final
class _Dynamic:
    """Declares dynamic shared memory. All `extern __shared__` arrays of a kernel are the same
    memory: the first owns it, others look at it."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context
        self.first: Symbol | None = None

    def declaration(
        self, symbol: Symbol, declared: str, suffix: str, node: Stmt, is_zeroed: bool = False
    ) -> Stmt:
        assert self.context.shared_bytes is not None
        element = _ALIGNMENT.sub("", declared) + suffix[suffix.find("]") + 1 :]
        size = self.context.shared_bytes.name
        if is_zeroed:
            text = f"g2o::shared_array<{element}> {symbol.name}({size}, 0);"
        elif self.first is None:
            self.first = symbol
            text = f"g2o::shared_array<{element}> {symbol.name}({size});"
        else:
            start = f"auto *{symbol.name} = reinterpret_cast<{element} *>(&"
            parts = (start, VarRef(self.first), "[0]);")
            return Text(parts, declares=(symbol,), trivia=node.trivia)
        return Text((text,), declares=(symbol,), trivia=node.trivia)


def _of_file_scope(body: Block, declared: set[Symbol]) -> list[Symbol]:
    """Dynamic shared memory that is declared outside of the kernel."""
    result: list[Symbol] = []
    for node in walk(body):
        if isinstance(node, VarRef) and node.symbol.storage is Storage.DYNAMIC_SHARED:
            if node.symbol not in declared and node.symbol not in result:
                result.append(node.symbol)
    return result
