"""`bench/run.py`: one small program from translation to table, and what the tables say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.run import main
from bench.timing_lib.building import StepFailed, build_pair
from bench.timing_lib.measuring import PairedTimes, environment, measure
from bench.timing_lib.programs import BenchProgram, UnknownProgram, bench_programs
from bench.timing_lib.report import (
    ProgramTimes,
    as_json,
    geometric_mean,
    program_table,
    program_tables,
)
from bench.timing_lib.translation import generated_source

CUDA = """\
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 1.0f;
}

int main(int argc, char **)
{
    float *x;
    cudaMalloc(&x, 100 * sizeof(float));
    fill<<<1, 128>>>(x, 100);
    cudaDeviceSynchronize();
    cudaFree(x);
    printf("time_ms %.3f\\n", 2.0 * argc);
    return 0;
}
"""
WRITTEN = """\
#include <cstdio>
int main(int argc, char **)
{
    printf("time_ms %.3f\\n", 4.0 * argc);
    return 0;
}
"""


def folders(root: Path, written: str) -> tuple[Path, Path, Path]:
    """A folder of hand-written programs and a corpus, with the one program `tiny`; no pairs."""
    baselines, corpus, pairs = root / "baseline", root / "corpus", root / "pairs"
    (corpus / "tiny").mkdir(parents=True)
    baselines.mkdir()
    (baselines / "tiny.cpp").write_text(written)
    (corpus / "tiny" / "tiny.cu").write_text(CUDA)
    (corpus / "tiny" / "meta.toml").write_text('bench_args = ["7"]\n')
    return baselines, corpus, pairs


def tiny(root: Path, written: str = WRITTEN) -> BenchProgram:
    [program] = bench_programs((), *folders(root, written))
    return program


def test_program_is_built_and_measured(tmp_path: Path) -> None:
    program = tiny(tmp_path)
    pair = build_pair(program, "g++", tmp_path / "build")
    times = measure(pair, program.arguments, 2, environment(2, ""))
    assert times == PairedTimes((4.0, 4.0), (8.0, 8.0))
    assert abs(times.ratio - 0.5) < 1e-9


def test_program_with_options_stands_behind_itself(tmp_path: Path) -> None:
    baselines, corpus, pairs = folders(tmp_path, WRITTEN)
    meta = corpus / "tiny" / "meta.toml"
    meta.write_text(meta.read_text() + 'bench_options = ["--associative-math"]\n')
    plain, free = bench_programs((), baselines, corpus, pairs)
    assert (plain.name, free.name) == ("tiny", "tiny --associative-math")
    assert free.options == ("--associative-math",)
    build_pair(free, "g++", tmp_path / "build")
    code = (tmp_path / "build" / "translation" / "tiny.omp.cpp").read_text()
    assert "--associative-math" in code.splitlines()[0]
    rows = [
        ProgramTimes("tiny", PairedTimes((4.0,), (1.0,))),
        ProgramTimes("other", PairedTimes((1.0,), (1.0,))),
        ProgramTimes(free.name, PairedTimes((1.0,), (1.0,))),
    ]
    assert program_table(rows).splitlines()[-2:] == [
        "geometric mean 2.000, maximum 4.00",
        "geometric mean 1.000, maximum 1.00, with the options that are shown",
    ]


def test_pair_is_a_group_of_its_own(tmp_path: Path) -> None:
    baselines, corpus, pairs = folders(tmp_path, WRITTEN)
    (pairs / "small").mkdir(parents=True)
    (pairs / "small" / "meta.toml").write_text('bench_args = ["1"]\n')
    tiny, small = bench_programs((), baselines, corpus, pairs)
    assert (tiny.group, small.group) == ("corpus", "pairs")
    assert small.baseline == pairs / "small" / "small.omp.cpp"
    rows = [
        ProgramTimes("tiny", PairedTimes((4.0,), (1.0,))),
        ProgramTimes("small", PairedTimes((2.0,), (1.0,)), group="pairs"),
    ]
    means = [line for line in program_tables(rows).splitlines() if line.startswith("geometric")]
    assert means == ["geometric mean 4.000, maximum 4.00", "geometric mean 2.000, maximum 2.00"]
    assert json.loads(as_json({}, rows, []))["geometric_mean"] == {"corpus": 4.0, "pairs": 2.0}


def test_program_without_a_time_is_a_fault(tmp_path: Path) -> None:
    program = tiny(tmp_path, "int main() {}\n")
    pair = build_pair(program, "g++", tmp_path / "build")
    with pytest.raises(StepFailed, match="run written: it prints no line `time_ms NUMBER`"):
        measure(pair, (), 1, environment(1, ""))


def test_baseline_that_does_not_build_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(StepFailed, match=r"build the baseline: .*error"):
        build_pair(tiny(tmp_path, "int main( {}\n"), "g++", tmp_path / "build")


def test_unknown_program_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnknownProgram, match="nosuch"):
        bench_programs(("nosuch",), *folders(tmp_path, WRITTEN))
    assert main(["--programs", "nosuch"]) == 2
    assert "no hand-written form of nosuch" in capsys.readouterr().err


def test_every_baseline_has_its_corpus_program() -> None:
    assert all(program.inputs for program in bench_programs())


def test_table_has_ratios_their_mean_and_faults() -> None:
    rows = [
        ProgramTimes("fast", PairedTimes((1.0, 1.0, 1.0), (4.0, 4.0, 2.0))),
        ProgramTimes("slow", PairedTimes((4.0,), (1.0,))),
        ProgramTimes("broken", None, "translate: error: no"),
    ]
    mean = geometric_mean(rows)
    assert mean is not None
    assert abs(mean - 1.0) < 1e-9
    assert program_table(rows).splitlines() == [
        "program  emitted ms  written ms   ratio",
        "slow          4.00        1.00    4.00",
        "fast          1.00        4.00    0.25",
        "broken  translate: error: no",
        "geometric mean 1.000, maximum 4.00",
    ]
    document = json.loads(as_json({"rounds": 3}, rows, []))
    assert [row["ratio"] for row in document["programs"]] == [0.25, 4.0, None]


def test_generated_source_has_the_lines_asked_for() -> None:
    source = generated_source(300)
    assert 300 <= source.count("\n") <= 320
    assert source.count("__global__") == source.count("<<<")
