"""The loops that OpenMP shares out in a function, as kernels of one block with a thread for each
iteration: what threads of a block do to each other, the iterations do.

    double t;                                      __global__ void f(int n, double *x, double *t)
    #pragma omp parallel for                       {
    for (int i = 1; i < n; ++i) {                      int i = 1 + threadIdx.x;
        t = x[i - 1];                      ->          if (i < n) {
        x[i] = t;                                          *t = x[i - 1];
    }                                                      x[i] = *t;
                                                       }
                                                   }

Variables from outside that a loop changes are memory that all iterations share; `worksharing.py`
has declared those in it that every thread has of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of
from g2o.analysis.races import Counter
from g2o.ir.directives import CRITICAL
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Call,
    Expr,
    LaunchRef,
    Unary,
    VarRef,
    all_of,
    integer_value,
    strip_parens,
)
from g2o.ir.jumps import returning
from g2o.ir.kernel import Function, Kernel, LaunchShape
from g2o.ir.statements import Block, Declare, For, If, Node
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL, INT, VOID, CType, TypeKind
from g2o.transforms.loop_heads import LoopHead
from g2o.transforms.shared_loops import heads_of

_AXES: Final = 3
_MOST_THREADS: Final = 1024


@final
@dataclass(frozen=True, slots=True)
class IterationKernel:
    """The kernel of a loop; None where it is not known what its iterations do to each other.
    `counters` are the variables that count along the axes of the block."""

    loop: For
    kernel: Kernel | None
    counters: tuple[Counter, ...] = ()


def iteration_kernels(
    function: Function, effects: EffectsOf, of_threads: Collection[Symbol] = ()
) -> Iterator[IterationKernel]:
    """The loops of a function that are shared out, but for those inside of others. `of_threads` are
    variables from outside of which every thread has its own."""
    for loop in _shared_loops(function.body):
        heads = heads_of(loop)
        ordered = any(_may_order(node, effects) for node in walk(loop.body))
        if heads is None or len(heads) > _AXES or ordered:
            yield IterationKernel(loop, None)
            continue
        counters = tuple(
            Counter(one.index.symbol.name, integer_value(one.first), one.stride)
            for one in reversed(heads)
        )
        yield IterationKernel(loop, _kernel(function, heads, effects, of_threads), counters)


def _may_order(node: Node, effects: EffectsOf) -> bool:
    """Is it something that one thread does after the other? Functions that are handed memory may
    lock."""
    match node:
        case Block(directive=directive):
            return directive == CRITICAL
        case Call(is_cuda=False, arguments=arguments) if not effects.is_pure(node):
            given = (strip_parens(one) for one in arguments)
            return any(_leads_to_variables(one) for one in given)
        case _:
            return False


def _leads_to_variables(argument: Expr) -> bool:
    is_text = argument.type.element is not None and argument.type.element.bits == 8
    return argument.type.is_indirect and not is_text


def _shared_loops(node: Node) -> Iterator[For]:
    if isinstance(node, For) and node.shared is not None and node.shared.level == 0:
        yield node
        return
    for child in children(node):
        yield from _shared_loops(child)


def _kernel(
    function: Function,
    heads: list[LoopHead],
    effects: EffectsOf,
    of_threads: Collection[Symbol],
) -> Kernel:
    symbols = SymbolTable(continued=function.symbols)
    inside = heads[-1].loop.body
    counters = {one.index.symbol for one in heads}
    own = {*declared_in(heads[0].loop), *counters, *of_threads}
    named = dict.fromkeys(n.symbol for n in walk(heads[0].loop) if isinstance(n, VarRef))
    effect = effects.of(inside)
    changed = effect.writes | effect.memory_writes
    shared: dict[Symbol, Expr] = {}
    for one in named:
        if one in own:
            continue
        is_place = one in changed and one.type.kind not in (TypeKind.POINTER, TypeKind.ARRAY)
        new = replace(one, type=_given(one.type, is_place), storage=Storage.PARAMETER)
        place = Unary("*", VarRef(new), type=one.type)
        shared[one] = place if is_place else VarRef(new)
    declared: list[Declare] = []
    guards: list[Expr] = []
    shape = LaunchShape()
    block: list[str | None] = []
    for axis, head in enumerate(reversed(heads)):
        thread = head.place_of(LaunchRef(Builtin.THREAD_INDEX, axis, INT))
        declared.append(Declare((replace(head.index, initial=thread, initial_style="="),)))
        guards.append(Binary(head.op, VarRef(head.index.symbol), head.limit, BOOL))
        count = head.count()
        known = None if count is None else min(max(count, 1), _MOST_THREADS)
        block.append(None if known is None else str(known))
    block += ["1"] * (_AXES - len(block))
    shape = replace(shape, block=(block[0], block[1], block[2]))
    guarded = If(all_of(guards), Block(tuple(returning(one) for one in statements_of(inside))))
    body = rewrite(Block((*declared, guarded), span=function.body.span), lambda n: _of(n, shared))
    parameters = [
        node.symbol for one in shared.values() for node in walk(one) if isinstance(node, VarRef)
    ]
    made = replace(
        function,
        symbols=symbols,
        parameters=tuple(parameters),
        body=body,
        result=VOID,
        is_kernel=True,
    )
    return Kernel(made, shape)


def _of(node: Node, shared: dict[Symbol, Expr]) -> Node | None:
    return shared.get(node.symbol) if isinstance(node, VarRef) else None


def _given(ctype: CType, is_place: bool) -> CType:
    element = ctype.element if ctype.kind is TypeKind.ARRAY else ctype
    if not is_place and ctype.kind is not TypeKind.ARRAY:
        return ctype
    assert element is not None
    spelled = f"{element.spelling} *"
    return CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=element)
