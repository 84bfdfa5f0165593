"""Variables that only repeat an index of the launch give way to one that names it.

    int t = threadIdx.x;                    int t = threadIdx.x;
    ...                                     ...
    {   // an inlined function         ->   {
        const int tid = threadIdx.x;            s[t] = v;
        s[tid] = v;
    }                                       }

For derivatives, heads of loops name the sizes of the launch themselves, by which threads share out
a range: a sweep that goes backwards has heads of its own.

    int stride = blockDim.x;
    for (i = t; i < n; i += stride)   ->   for (i = t; i < n; i += blockDim.x)

Legal where both have the same type and neither changes after its declaration. Where the kernel
itself names no such index, the first variable of an inner block does, from the top of the kernel:
its name must mean nothing else there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

from g2o.analysis.definitions import constants_of, declared_once, written_after_declaration
from g2o.analysis.functions import FunctionTable
from g2o.ir.comments import change_statements, without_declarations
from g2o.ir.expressions import Builtin, Cast, Expr, Form, LaunchRef, VarRef, strip_parens
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, For, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import UNSIGNED, CType, TypeKind

LaunchIndex = tuple[Builtin, int]
_INDICES = (Builtin.THREAD_INDEX, Builtin.BLOCK_INDEX)
_SIZES = (Builtin.BLOCK_DIM, Builtin.GRID_DIM)


def propagate_index_copies(
    kernel: Kernel, functions: FunctionTable, *, steps: bool = False
) -> Kernel:
    """Let one variable stand for each index of the launch; and with `steps` loops name its sizes.
    Unchanged kernels are returned as is."""
    body = _Propagation(kernel, functions).body()
    body = _with_launch_steps(body, functions) if steps else body
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body))


@final
class _Propagation:
    def __init__(self, kernel: Kernel, functions: FunctionTable) -> None:
        self.kernel = kernel
        effects = functions.for_node(kernel.body)
        self.written = written_after_declaration(kernel.body, effects)
        taken = {parameter.name for parameter in kernel.function.parameters}
        self.single = declared_once(kernel.body) - taken
        self.index_of: dict[Symbol, LaunchIndex] = {}
        self.names: dict[LaunchIndex, Symbol] = {}
        self.copies: dict[Symbol, Symbol] = {}
        self.moved: list[Stmt] = []

    def body(self) -> Block:
        body = self.kernel.body
        in_headers = {id(n.initial) for n in walk(body) if isinstance(n, For) and n.initial}
        outermost = {id(statement) for statement in body.statements}
        candidates = [
            (variable, node)
            for node in walk(body)
            if isinstance(node, Declare) and id(node) not in in_headers
            for variable in node.variables
            if self._stands_for_index(variable)
        ]
        for variable, node in candidates:
            index = self.index_of[variable.symbol]
            if id(node) in outermost and variable.symbol.name in self.single:
                self.names.setdefault(index, variable.symbol)
        seen: set[Symbol] = set()
        for variable, node in candidates:
            self._replace(variable, id(node) in outermost, seen)
            seen.add(variable.symbol)
        if not self.copies and not self.moved:
            return body
        gone = set(self.copies) | {
            variable.symbol
            for statement in self.moved
            if isinstance(statement, Declare)
            for variable in statement.variables
        }
        kept = change_statements(body, lambda statement: without_declarations(statement, gone))
        renamed = rename_symbols(kept, self.copies)
        return Block((*self.moved, *renamed.statements), trivia=body.trivia, span=body.span)

    def _stands_for_index(self, variable: Variable) -> bool:
        symbol = variable.symbol
        if symbol in self.written or symbol.storage is not Storage.LOCAL:
            return False
        if variable.initial is None or symbol.type.kind is not TypeKind.INTEGER:
            return False
        if symbol.type.bits < 32:
            return False
        index = self._index(variable.initial)
        if index is None:
            return False
        self.index_of[symbol] = index
        return True

    def _index(self, expr: Expr) -> LaunchIndex | None:
        bare = strip_parens(expr)
        if isinstance(bare, Cast) and bare.type.kind is TypeKind.INTEGER and bare.type.bits >= 32:
            bare = strip_parens(bare.operand)
        if isinstance(bare, VarRef):
            return self.index_of.get(bare.symbol)
        if not isinstance(bare, LaunchRef) or bare.axis is None:
            return None
        return (bare.builtin, bare.axis) if bare.builtin in _INDICES else None

    def _replace(self, variable: Variable, top: bool, seen: set[Symbol]) -> None:
        symbol = variable.symbol
        index = self.index_of[symbol]
        name = self.names.get(index)
        if name is None:
            if top or symbol.name not in self.single:
                return
            self.names[index] = symbol
            initial = LaunchRef(index[0], index[1], UNSIGNED)
            whole = replace(variable, initial=initial, initial_style="=")
            self.moved.append(Declare((whole,)))
            return
        moved = any(isinstance(s, Declare) and s.variables[0].symbol == name for s in self.moved)
        if name == symbol or not (moved or name in seen):
            return
        if (name.type.bits, name.type.is_signed) == (symbol.type.bits, symbol.type.is_signed):
            self.copies[symbol] = name


def _with_launch_steps(body: Block, functions: FunctionTable) -> Block:
    """The body whose loops step by sizes of the launch, not by variables that keep one."""
    constants = constants_of(body, functions.for_node(body))
    sizes = {
        symbol: initial
        for symbol, initial in constants.items()
        if symbol.storage is Storage.LOCAL and _keeps_a_size(symbol.type, initial)
    }
    if not sizes:
        return body

    def replacement(node: Node) -> Node | None:
        match node:
            case For(increment=increment) if increment is not None:
                step = rewrite(increment, size)
                inner = rewrite(node.body, replacement)
                if step is increment and inner is node.body:
                    return node
                return replace(node, increment=step, body=inner, form=Form.BUILT)
            case _:
                return None

    def size(node: Node) -> Node | None:
        match node:
            case VarRef(symbol=symbol) if symbol in sizes:
                initial = strip_parens(sizes[symbol])
                while isinstance(initial, Cast):
                    initial = strip_parens(initial.operand)
                return initial
            case _:
                return None

    return rewrite(body, replacement)


def _keeps_a_size(ctype: CType, initial: Expr) -> bool:
    """Is it a number of threads or blocks, as large as that is? There are fewer than 2^31
    along an axis."""
    if ctype.kind is not TypeKind.INTEGER or ctype.bits < 32:
        return False
    match strip_parens(initial):
        case Cast(type=CType(kind=TypeKind.INTEGER, bits=bits), operand=inner) if bits >= 32:
            return _keeps_a_size(ctype, inner)
        case LaunchRef(builtin=builtin, axis=int()):
            return builtin in _SIZES
        case _:
            return False
