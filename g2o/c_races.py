"""Data races of OpenMP C: iterations of a loop that is shared out, which meet at a location.

    #pragma omp parallel for
    for (int i = 1; i < n; ++i)
        x[i] = x[i - 1];        // i = 2 reads what i = 1 writes

The loop is a kernel with a thread for each iteration (`transforms/iteration_kernels.py`), and the
analysis is that of kernels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.functions import FunctionTable
from g2o.analysis.races import Iterations, find_races
from g2o.analysis.too_hard import too_hard
from g2o.diagnostics.diagnostic import Diagnostic, Outcome, Refusal, remark
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.openmp_c.directives import Pragma
from g2o.frontend.openmp_c.source import CSource
from g2o.ir.expressions import VarRef
from g2o.ir.kernel import Function, Kernel
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.watch import PassWatch
from g2o.passes import TranslateOptions, kernel_passes
from g2o.polyhedral.solver import RACE_LIMIT, Solver
from g2o.transforms.iteration_kernels import iteration_kernels
from g2o.transforms.thread_pragmas import thread_pragmas
from g2o.transforms.worksharing import NO_MATTER, with_worksharing

_UNKNOWN: Final = "G2O0319"
_REGIONS: Final = ("parallel", "sections", "parallel sections")


@final
@dataclass(slots=True)
class CRaces:
    """Looks for races in the loops of one file."""

    source: CSource
    options: TranslateOptions
    loops: int = 0  # looked at so far
    _read: dict[str, Function] = field(default_factory=dict[str, Function])

    def of(self, keys: Collection[str]) -> Iterator[Diagnostic]:
        """What is told of the functions with these keys."""
        for key in keys:
            try:
                yield from self._of_function(key)
            except Refusal as refusal:
                one = refusal.diagnostic
                message = f"races of a function are not looked for: {one.message}"
                yield remark(Outcome.ANALYSIS, _UNKNOWN, message, one.span)

    def _of_function(self, key: str) -> Iterator[Diagnostic]:
        function = self.source.function(key)
        pragmas = [] if function is None else self.source.pragmas_of(function)
        if function is None or not pragmas:
            return
        yield from self._not_looked_for(pragmas)
        function = self._body(key)
        assert function is not None
        functions = FunctionTable(self._body, is_c=True)
        called = FunctionTable(self._own_body, is_c=True)
        kernel, watch = Kernel(function), PassWatch()
        for one in kernel_passes(functions, [], reals=frozenset()):
            kernel = watch.run(one, kernel, self.options.optimisation)
        effects = functions.for_node(kernel.body)
        own = self._own_variables(kernel.function)
        for one in iteration_kernels(kernel.function, effects, own):
            if not _is_within(one.loop.span, function.span):
                continue  # the functions that it was inlined from have it, too
            self.loops += 1
            if one.kernel is None:
                message = "races of this loop are not looked for: its head does not count by "
                message += "steps of one size, or it has `critical` or calls that may be locks"
                yield remark(Outcome.ANALYSIS, _UNKNOWN, message, one.loop.span)
                continue
            asked = Solver(RACE_LIMIT)
            thorough, noalias = self.options.races, self.options.assume_noalias
            told = Iterations(one.counters)
            kernel = replace(one.kernel, function=self._with_own_variables(one.kernel.function))
            yield from find_races(kernel, called, noalias, asked, thorough, told)
            if thorough:
                yield from too_hard(function.name, function.name_span, Solver(), asked)

    def _own_body(self, key: str) -> Function | None:
        """A function that an iteration calls."""
        function = self._body(key)
        return None if function is None else self._with_own_variables(function)

    def _with_own_variables(self, function: Function) -> Function:
        """The function with what is `threadprivate` as variables of an iteration."""
        own = {one: replace(one, storage=Storage.LOCAL) for one in self._own_variables(function)}
        return replace(function, body=rename_symbols(function.body, own)) if own else function

    def _own_variables(self, function: Function) -> set[Symbol]:
        names = self.source.thread_private()
        refs = (node.symbol for node in walk(function.body) if isinstance(node, VarRef))
        return {one for one in refs if one.storage is Storage.GLOBAL and one.name in names}

    def _not_looked_for(self, pragmas: list[Pragma]) -> Iterator[Diagnostic]:
        found = thread_pragmas(pragmas, NO_MATTER, ())
        for one in found.unknown:
            message = (
                "races of what this pragma shares out, or puts in an order, are not looked for"
            )
            yield remark(Outcome.ANALYSIS, _UNKNOWN, message, one.span)
        for one in found.pragmas:
            if one.construct in _REGIONS:
                message = "races of what threads do outside of loops are not looked for"
                yield remark(Outcome.ANALYSIS, _UNKNOWN, message, one.span)

    def _body(self, key: str) -> Function | None:
        """A function of the file with what its loops share."""
        function = self.source.function(key)
        if function is None:
            return None
        if key not in self._read:
            effects = FunctionTable(self.source.function, is_c=True).for_node(function.body)
            pragmas = self.source.pragmas_of(function)
            own = self.source.thread_private()
            pragmas = thread_pragmas(pragmas, NO_MATTER, own).pragmas
            self._read[key] = with_worksharing(function, pragmas, effects, apart=True)
        return self._read[key]


def _is_within(span: SourceSpan | None, whole: SourceSpan) -> bool:
    return span is not None and whole.begin <= span.begin and span.end <= whole.end
