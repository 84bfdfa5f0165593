"""When `#pragma omp simd` may stand on a loop over threads.

Legality: threads of one barrier interval do not depend on each other in a program without races, so
the loop carries no dependence, unless an operation between threads hides in the body. Profit, and
compilers that warn when a demanded vectorisation fails, ask for more: straight-line arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping

from g2o.analysis.effect_sets import FunctionEffects
from g2o.analysis.straight_line import obstacle
from g2o.ir.statements import Node
from g2o.lowering.reloads import makes_wrong_vectors


def may_vectorise(body: Node) -> bool:
    """Is the body of a thread loop fit for `omp simd`?"""
    return obstacle(body) is None and not makes_wrong_vectors(body)


def may_vectorise_with_records(body: Node) -> bool:
    """The same for the sums of an adjoint. Variables may be small structures of numbers, used
    member by member; square roots may stay, as no compiler adds up in another order unless told to.
    """
    return obstacle(body, records=True) is None and not makes_wrong_vectors(body)


def may_be_vectors(body: Node, functions: Mapping[str, FunctionEffects]) -> bool:
    """Is it arithmetic that compilers make vectors of without being told to? With choices, small
    structures, and calls of those of the `functions` that are such arithmetic."""
    return obstacle(body, functions=functions) is None and not makes_wrong_vectors(body)
