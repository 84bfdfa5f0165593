"""Sizes of blocks and grids that a kernel asserts, as its launches would show them.

    __global__ void row_sums(const float *x, float *y, int n)
    {
        assert(blockDim.x == 128);        // before anything else: true of all threads

Only assertions in front of everything that could keep a thread from them count. A launch that
shows another size is left its word: the program ends at the assertion, which stays. The code that
is emitted checks the sizes once, in front of its loops.

Along the axes that no code names nothing tells threads of such a block apart: there is one, which
is checked where it is relied on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from g2o.analysis.assertions import FAILURES, asserted
from g2o.analysis.functions import FunctionTable
from g2o.analysis.pure_functions import is_pure
from g2o.ir.constant_text import number_of
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Call,
    Cast,
    Code,
    Expr,
    LaunchRef,
    Paren,
    integer_value,
)
from g2o.ir.kernel import Kernel, LaunchShape
from g2o.ir.statements import Declare, DeclareTypes, Empty, ExprStatement, Node, Stmt
from g2o.ir.traverse import walk

_AXES = frozenset(range(3))
_SIZES = (Builtin.BLOCK_DIM, Builtin.GRID_DIM)

Size = tuple[Builtin, int, int]


def with_asserted_sizes(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with the sizes that it asserts in its shape."""
    statements = list(kernel.function.body.statements)
    shape, relied = kernel.shape, set(kernel.relied)
    for position, statement in enumerate(statements):
        if isinstance(statement, (Declare, DeclareTypes, Empty)):
            continue
        claim = asserted(statement.expr) if isinstance(statement, ExprStatement) else None
        if claim is None:
            break
        found = [_size(one) for one in _conjuncts(claim)]
        made = shape
        for one in found:
            made = None if made is None or one is None else _with_size(made, one)
        if made is None:
            continue  # it says more than that, or what launches contradict
        shape = made
        relied |= {one[:2] for one in found if one is not None}
        statements[position] = _gone(statement)
    if shape == kernel.shape and relied == set(kernel.relied):
        return kernel
    if (Builtin.BLOCK_DIM, 0) in relied:
        named = _named_axes(kernel.body, functions, set())
        x, y, z = (
            size or (None if axis in named else "1") for axis, size in enumerate(shape.block)
        )
        shape = replace(shape, block=(x, y, z))
    body = replace(kernel.function.body, statements=tuple(statements))
    function = replace(kernel.function, body=body)
    return replace(kernel, function=function, shape=shape, relied=frozenset(relied))


def _named_axes(body: Node, functions: FunctionTable, known: set[str]) -> set[int]:
    """The axes along which the code, or what it calls, names positions or sizes."""
    found: set[int] = set()
    for node in walk(body):
        match node:
            case LaunchRef(builtin=Builtin.THREAD_INDEX | Builtin.BLOCK_DIM, axis=axis):
                found |= _AXES if axis is None else {axis}
            case Call(key=key) if key and not _is_of_cuda(node):
                for one in set(key.split("|")) - known:
                    known.add(one)
                    function = functions.body(one)
                    found |= _AXES if function is None else set()
                    if function is not None:
                        found |= _named_axes(function.body, functions, known)
            case _:
                pass
    return found


def _is_of_cuda(call: Call) -> bool:
    """Is it a function of CUDA, of the mathematical library or of `assert`, which name no position?
    Groups do: `this_thread_block().thread_rank()`."""
    if call.name in FAILURES or is_pure(call):
        return True
    return call.is_cuda and call.name.startswith(("__", "atomic"))


def _gone(statement: Stmt) -> Empty:
    return Empty(trivia=statement.trivia)


def _conjuncts(claim: Expr) -> Iterator[Expr]:
    inner = _bare(claim)
    if isinstance(inner, Binary) and inner.op == "&&":
        yield from _conjuncts(inner.left)
        yield from _conjuncts(inner.right)
    else:
        yield inner


def _size(claim: Expr) -> Size | None:
    """`blockDim.x == 128` and `128 == blockDim.x`."""
    if not isinstance(claim, Binary) or claim.op != "==":
        return None
    for side, other in ((claim.left, claim.right), (claim.right, claim.left)):
        number = integer_value(_bare(other))
        match _bare(side):
            case LaunchRef(builtin=builtin, axis=int(axis)) if builtin in _SIZES:
                return None if number is None or number < 1 else (builtin, axis, number)
            case _:
                pass
    return None


def _with_size(shape: LaunchShape, size: Size) -> LaunchShape | None:
    """The shape with one size more; None where launches have another."""
    builtin, axis, number = size
    sizes = list(shape.block if builtin is Builtin.BLOCK_DIM else shape.grid)
    spelled = sizes[axis]
    if spelled is not None:
        return shape if number_of(spelled, shape.values.get) == number else None
    sizes[axis] = str(number)
    x, y, z = sizes
    if builtin is Builtin.BLOCK_DIM:
        return replace(shape, block=(x, y, z))
    return replace(shape, grid=(x, y, z))


def _bare(expr: Expr) -> Expr:
    while True:
        match expr:
            case Paren(inner=inner) | Cast(operand=inner):
                expr = inner
            case Code(parts=(inner,)) if not isinstance(inner, str):
                expr = inner
            case _:
                return expr
