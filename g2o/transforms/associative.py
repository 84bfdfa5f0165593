"""Sums of device functions in any order, where the user allows it (`--associative-math`).

    double sum = 0.0;                            double sum = 0.0;
    for (int i = 0; i < n; ++i)           ->     #pragma omp parallel for simd reduction(+ : sum)
        sum += x[i] * x[i];                      for (int i = 0; i < n; ++i)
                                                     sum += x[i] * x[i];

Threads of the CPU share the work where nothing else runs meanwhile: kernels only call the function
in front of their parallel loops (`hoist_uniform.py`), no other device function does. Elsewhere the
sum is one of vectors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from g2o.ir.directives import PARALLEL_FOR_SIMD, SIMD, Directive, sum_of
from g2o.ir.kernel import Function
from g2o.ir.statements import For, Node
from g2o.transforms.vectorise_sums import FEW_TURNS, loops_that_add_up, turns_of

_WORD: Final = re.compile(r"\w+")


def sum_pragmas(
    function: Function, shared: bool, may_vectorise: Callable[[Node], bool]
) -> Iterator[tuple[For, Directive]]:
    """The directives in front of loops of a function. Threads of the CPU share what is `shared`.

    None in what compilers may have to evaluate: no directive may stand in a `constexpr` function.
    """
    if "constexpr" in _WORD.findall(function.span.text.partition("{")[0]):
        return
    for loop, sums in loops_that_add_up(function.body, may_vectorise):
        turns = turns_of(loop)
        if turns is not None and turns < FEW_TURNS:
            continue
        # A loop inside of another one is short for its threads.
        alone = shared and turns is None and loop in function.body.statements
        form = PARALLEL_FOR_SIMD if alone else SIMD
        yield loop, form.reducing(sum_of(sums))
