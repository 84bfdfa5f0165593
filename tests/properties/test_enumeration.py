"""Verdicts about small launches equal what enumerating every access of every thread gives.

Of each kernel all is known: the block, the values, the trips of its loops. So a barrier goes
exactly where no two threads meet without it, an index tells threads apart exactly where they have
elements of their own, and a race is certain exactly where there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Final, final

import pytest
from properties.interpreter import Interpreter, Meaningless, Run

from g2o.analysis.access_collector import memory_model
from g2o.analysis.accesses import AccessKind
from g2o.analysis.barriers import judge_barriers
from g2o.analysis.conflicts import Certainty, Conflicts
from g2o.analysis.functions import FunctionTable
from g2o.analysis.races import find_races
from g2o.diagnostics.diagnostic import Severity
from g2o.frontend.cuda.program import read_program
from g2o.frontend.cuda.project import Project
from g2o.ir.kernel import Kernel, LaunchShape
from g2o.polyhedral.solver import Solver
from g2o.transforms.eliminate_barriers import without_barriers
from g2o.transforms.recognise import recognise

_SIZE: Final = 64
_SIZES: Final = {"s": _SIZE, "g": _SIZE}
_WIDTHS: Final = (1, 2, 4, 8)
_TRIPS: Final = (0, 1, 3)

_INDICES: Final = (
    *("t", "t + 1", "7 - t", "31 - 3 * t", "2 * t", "2 * t + 1", "t % 2", "t / 2", "0", "5"),
    *("(t + 1) % 8", "(t + 7) % 4", "4 * (t / 4) + t % 4", "t & 3", "t ^ 1", "t >> 1", "t << 1"),
    *("N * t", "t + N", "min(t, 3)", "max(t - 2, 0)", "t < 3 ? t : 10 - t", "(7 - t) / 2"),
)
_NOT_UNDERSTOOD: Final = ("t ^ 1",)  # bit by bit: any value, as far as isl is told
_LOOP_INDICES: Final = ("t + 8 * i", "8 * i", "i", "t + i", "t * 4 + i", "7 - t + 8 * i", "i % 2")
_LOOPS: Final = (
    "for (int i = 0; i < N; ++i)",
    "for (int i = N; i > 0; --i)",
    "for (int i = N - 1; i >= 0; --i)",
    "for (int i = 4; i > 0; i /= 2)",
    "for (int i = 1; i < 4; i <<= 1)",
    "for (int i = 1; i <= N; i += 2)",
)
_GUARDS: Final = (
    *("", "", "", "if (t == 0)", "if (t > 0)", "if (t < N)", "if (t % 2 == 0)", "if (t != 3)"),
    *("if (t >= 2 && t < 5)", "if (t < 1 || t > 5)", "if (N > 1)"),
)


@final
@dataclass(frozen=True, slots=True)
class _Case:
    """A kernel as text, launched with one block of `width` threads."""

    name: str
    body: str
    width: int

    @property
    def text(self) -> str:
        return (
            f"__global__ void {self.name}(int *g)\n{{\n    __shared__ int s[{_SIZE}];\n"
            f"    int t = threadIdx.x;\n{self.body}}}\n"
        )


def _access(random: Random, writes: bool, trips: int) -> str:
    """One statement that writes shared memory, or reads it."""
    head, indices = "", _INDICES
    if random.random() < 0.4:
        head, indices = random.choice(_LOOPS) + " ", (*_LOOP_INDICES, "t")
    index = random.choice(indices)
    made = f"s[{index}] = t + 1;" if writes else f"g[t] = s[{index}];"
    return f"    {random.choice(_GUARDS)} {head}{made}\n".replace("N", str(trips))


def _pair(random: Random, number: int) -> _Case:
    """Shared memory is set, changed and looked at, with a barrier between each two."""
    width, trips = random.choice(_WIDTHS), random.choice(_TRIPS)
    first = _access(random, random.random() < 0.8, trips)
    second = _access(random, random.random() < 0.4, trips)
    barrier = "    __syncthreads();\n"
    start = f"    for (int j = t; j < {_SIZE}; j += {width}) s[j] = 0;\n"
    return _Case(f"k{number}", f"{start}{barrier}{first}{barrier}{second}", width)


def _kernels(directory: Path, cases: list[_Case]) -> list[tuple[_Case, Kernel, FunctionTable]]:
    launches = "".join(f"    {case.name}<<<1, {case.width}>>>(g);\n" for case in cases)
    path = directory / "small.cu"
    path.write_text("".join(case.text for case in cases) + f"void run(int *g)\n{{\n{launches}}}\n")
    project = Project.alone(path, (), directory / "small.omp.cpp")
    read = read_program(path, (), path.name, project, "g2o_runtime.hpp")
    assert not read.diagnostics, read.diagnostics
    functions = FunctionTable(read.function, read.constant_functors)
    by_name = {source.name: source.function for source in read.kernels}
    found: list[tuple[_Case, Kernel, FunctionTable]] = []
    for case in cases:
        function = by_name[case.name]
        assert function is not None
        kernel = Kernel(function, read.shapes.get(case.name, LaunchShape()))
        found.append((case, recognise(kernel, functions), functions))
    return found


def _run(kernel: Kernel, case: _Case) -> Run:
    return Interpreter(kernel, (case.width, 1), _SIZES, ("g",), {}, 0).run()


def _goes_wrong(kernel: Kernel, case: _Case) -> bool:
    """Do threads meet, or does one read what another has not written yet?"""
    try:
        return bool(_run(kernel, case).races)
    except Meaningless:
        return True


def _judge(directory: Path, seed: int, count: int) -> tuple[int, int, int]:
    """How many kernels were judged, how many barriers kept rightly, and how many without need."""
    random = Random(seed)
    cases = [_pair(random, number) for number in range(count)]
    judged = needed = needless = 0
    for case, kernel, functions in _kernels(directory, cases):
        if _run(kernel, case).races:
            continue
        judged += 1
        model = memory_model(kernel, functions.for_node(kernel.body))
        verdicts = judge_barriers(model, Conflicts(model, Solver()))
        gone = {one.site.position for one in verdicts if one.needed_for is None}
        where = f"width {case.width}:\n{case.text}"
        assert not _goes_wrong(without_barriers(kernel, gone), case), f"{gone} must stay, {where}"
        for verdict in verdicts:
            if verdict.needed_for is None:
                continue
            without = without_barriers(kernel, gone | {verdict.site.position})
            if _goes_wrong(without, case):
                needed += 1
            else:
                certain = verdict.needed_for.meeting.certainty is Certainty.CERTAIN
                assert not certain, f"{verdict.site.position} is not needed, {where}"
                needless += 1
    return judged, needed, needless


def test_barriers(tmp_path: Path) -> None:
    results = [_judge(tmp_path, seed, 40) for seed in range(3)]
    judged, needed, needless = (sum(column) for column in zip(*results, strict=True))
    assert judged >= 60
    assert needed >= 40
    assert needless <= needed // 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_many_barriers(tmp_path: Path, seed: int) -> None:
    judged, needed, needless = _judge(tmp_path, seed, 50)
    assert judged >= 20
    assert needless <= 1 + needed // 20


def _alone(number: int, index: str, width: int, trips: int) -> _Case:
    return _Case(f"k{number}", f"    s[{index}] = t + 1;\n".replace("N", str(trips)), width)


def test_indices_and_races(tmp_path: Path) -> None:
    """One write of all threads: they have elements of their own, or race for certain."""
    chosen = list(product(_INDICES, _WIDTHS, (0, 3)))
    cases = [_alone(number, *one) for number, one in enumerate(chosen) if "N" in one[0] or one[2]]
    apart = 0
    for case, kernel, functions in _kernels(tmp_path, cases):
        collide = bool(_run(kernel, case).races)
        model = memory_model(kernel, functions.for_node(kernel.body))
        (write,) = (one for one in model.accesses if one.kind is AccessKind.WRITE)
        assert write.index is not None
        told = Conflicts(model, Solver()).tells_apart(write.index, model.thread_axes)
        found = find_races(kernel, functions, False, Solver(), True)
        certain = any(one.severity is Severity.WARNING for one in found)
        if any(f"[{index}]" in case.body for index in _NOT_UNDERSTOOD):
            assert not (told and collide), case
            assert not (certain and not collide), case
            continue
        assert told is not collide, case
        apart += told
        assert bool(found) is certain is collide, case
    assert len(cases) // 4 < apart < len(cases)
