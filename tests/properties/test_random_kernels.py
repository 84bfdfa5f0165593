"""Random kernels keep their meaning when barriers, loads and stores go."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from properties.interpreter import Interpreter, Meaningless, Run
from properties.random_kernels import SIZE, WIDTH, program
from properties.wide_kernels import SHAPES, SIZES, program_of, writers

from g2o.analysis.access_collector import memory_model
from g2o.analysis.barriers import judge_barriers
from g2o.analysis.conflicts import Certainty, Conflicts
from g2o.analysis.functions import FunctionTable
from g2o.frontend.cuda.program import read_program
from g2o.frontend.cuda.project import Project
from g2o.ir.expressions import LaunchRef
from g2o.ir.kernel import Kernel, LaunchShape
from g2o.ir.traverse import walk
from g2o.polyhedral.solver import Solver
from g2o.transforms.eliminate_barriers import eliminate_barriers, without_barriers
from g2o.transforms.eliminate_memory import eliminate_memory
from g2o.transforms.recognise import recognise

_PER_FILE = 30
_SIZES = {"s": SIZE, "p": SIZE, "g": SIZE, "h": SIZE, "q": WIDTH * WIDTH, "r": WIDTH}


def _kernels(directory: Path, text: str) -> list[tuple[Kernel, FunctionTable]]:
    path = directory / "random.cu"
    path.write_text(text)
    project = Project.alone(path, (), directory / "random.omp.cpp")
    read = read_program(path, (), "random.cu", project, "g2o_runtime.hpp")
    assert not read.diagnostics, read.diagnostics
    functions = FunctionTable(read.function, read.constant_functors)
    found: list[tuple[Kernel, FunctionTable]] = []
    for source in read.kernels:
        assert source.function is not None
        shape = read.shapes.get(source.name, LaunchShape())
        found.append((recognise(Kernel(source.function, shape), functions), functions))
    return found


def _run(kernel: Kernel, seed: int, n: int) -> Run | None:
    try:
        rows = any(
            isinstance(node, LaunchRef) and node.axis == 1 for node in walk(kernel.function.body)
        )
        threads = (WIDTH // 2, 2) if rows else (WIDTH, 1)
        return Interpreter(kernel, threads, _SIZES, ("g", "h"), {"n": n}, seed).run()
    except Meaningless:
        return None


def _optimised(kernel: Kernel, functions: FunctionTable) -> Kernel:
    kernel = eliminate_memory(kernel, functions, assume_noalias=True, solver=Solver()).kernel
    return eliminate_barriers(kernel, functions, assume_noalias=True, solver=Solver()).kernel


def check(directory: Path, seed: int) -> tuple[int, int]:
    """How many kernels of the file have a meaning, and how many lost a barrier."""
    judged = changed = 0
    for kernel, functions in _kernels(directory, program(seed, _PER_FILE)):
        n = Random(seed).choice([2, 6])
        original = _run(kernel, seed, n)
        if original is None or original.races:
            continue
        judged += 1
        result = _optimised(kernel, functions)
        if result is kernel:
            continue
        changed += 1
        for order in range(3):
            optimised = _run(result, order, n)
            where = f"{kernel.name} of program({seed}, {_PER_FILE})"
            assert optimised is not None, where
            assert not optimised.races, f"{where} races"
            assert optimised.memory == original.memory, where
    return judged, changed


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("random")


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32 - 1))
def test_meaning_is_kept(directory: Path, seed: int) -> None:
    check(directory, seed)


def test_kernels_are_judged_and_changed(directory: Path) -> None:
    """The property is not empty: enough random kernels have a meaning, and lose barriers."""
    results = [check(directory, seed) for seed in range(4)]
    judged, changed = (sum(column) for column in zip(*results, strict=True))
    assert judged >= 35
    assert changed >= 15


def _certain(kernel: Kernel, functions: FunctionTable) -> set[int | None]:
    """Barriers that some launch needs for certain."""
    model = memory_model(kernel, functions.for_node(kernel.body), assume_noalias=True)
    verdicts = judge_barriers(model, Conflicts(model, Solver()))
    return {
        verdict.site.position
        for verdict in verdicts
        if verdict.needed_for is not None
        and verdict.needed_for.meeting.certainty is Certainty.CERTAIN
    }


def test_certain_meetings_happen(directory: Path) -> None:
    """Without a barrier that is needed for certain, the threads race: isl's answer is that of
    enumerating all accesses. Only of kernels whose launch is known altogether."""
    asked = 0
    for seed in range(4):
        for kernel, functions in _kernels(directory, program(seed, _PER_FILE)):
            if kernel.shape.block[0] is None:
                continue
            original = _run(kernel, 0, 6)
            if original is None or original.races:
                continue
            kept = eliminate_barriers(
                kernel, functions, assume_noalias=True, solver=Solver()
            ).kernel
            for position in sorted(_certain(kept, functions), key=str):
                run = _run(without_barriers(kept, {position}), 0, 6)
                asked += 1
                assert run is None or run.races, f"{kernel.name} of program({seed}): {position}"
    assert asked >= 10


def check_wide(directory: Path, seed: int) -> tuple[int, int]:
    """The same as `check` for the kernels of more shapes."""
    written = [(writer, writer.text()) for writer in writers(seed, _PER_FILE)]
    kernels = {
        kernel.name: (kernel, table) for kernel, table in _kernels(directory, program_of(written))
    }
    n, m = Random(seed).choice([(2, 4), (3, 5), (4, 9), (6, 7), (1, 2)])

    def run(kernel: Kernel, order: int, shape: str, blocks: int) -> Run | None:
        values = {"n": n, "m": m}
        try:
            return Interpreter(
                kernel, SHAPES[shape], SIZES, ("g", "h"), values, order, blocks
            ).run()
        except Meaningless:
            return None

    judged = changed = 0
    for writer, _ in written:
        kernel, functions = kernels[writer.name]
        original = run(kernel, seed, writer.shape, writer.blocks)
        if original is None or original.races:
            continue
        judged += 1
        result = _optimised(kernel, functions)
        changed += result is not kernel
        for order in range(3) if result is not kernel else ():
            optimised = run(result, order, writer.shape, writer.blocks)
            where = f"{kernel.name} of writers({seed}, {_PER_FILE})"
            assert optimised is not None, where
            assert not optimised.races, f"{where} races"
            assert optimised.memory == original.memory, where
    return judged, changed


@pytest.mark.slow
def test_kernels_of_more_shapes_keep_their_meaning(directory: Path) -> None:
    results = [check_wide(directory, seed) for seed in range(2)]
    judged, changed = (sum(column) for column in zip(*results, strict=True))
    assert judged >= 10
    assert changed >= 8
