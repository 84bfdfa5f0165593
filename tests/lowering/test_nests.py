"""Loops that are collapsed have nothing between them."""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.directives import PARALLEL_FOR
from g2o.ir.expressions import Literal, VarRef
from g2o.ir.kernel import Function, Kernel, LoweredKernel
from g2o.ir.statements import Block, CountedLoop, If, Stmt
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import INT
from g2o.lowering.nests import collapse_only_nests
from tests.ir.test_dump_and_verify import kernel as kernel  # the fixture

_ZERO, _TEN = Literal("0", 0, INT), Literal("10", 10, INT)


def _lowered(function: Function, between: bool) -> LoweredKernel:
    symbols = SymbolTable()
    grid, block, z, y = (symbols.fresh(n, INT, Storage.INDEX) for n in ("g", "b", "z", "y"))
    inner: Stmt = CountedLoop(y, _ZERO, _TEN, Block(()))
    if between:
        inner = If(VarRef(z), inner)
    outer = CountedLoop(z, _ZERO, _TEN, Block((inner,)), replace(PARALLEL_FOR, collapse=2))
    return LoweredKernel(function, (outer,), grid, block, None)


def test_a_condition_between_loops_keeps_them_apart(kernel: Kernel) -> None:
    lowered = collapse_only_nests(_lowered(kernel.function, between=True))
    (outer,) = lowered.body
    assert isinstance(outer, CountedLoop)
    assert outer.directive == PARALLEL_FOR


def test_nests_stay(kernel: Kernel) -> None:
    lowered = _lowered(kernel.function, between=False)
    assert collapse_only_nests(lowered) is lowered
