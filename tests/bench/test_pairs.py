"""The pairs of `bench/pairs`: complete, and both programs of each come to right results."""

import tomllib
from pathlib import Path
from typing import Final

import pytest

from bench.timing_lib.building import build_pair
from bench.timing_lib.measuring import environment, measure
from bench.timing_lib.programs import ROOT, BenchProgram, bench_programs

FOLDERS: Final = sorted(path for path in (ROOT / "bench" / "pairs").iterdir() if path.is_dir())
KEYS: Final = {"title", "args", "bench_args"}


def test_every_pair_is_complete() -> None:
    assert len(FOLDERS) >= 16
    for folder in FOLDERS:
        files = {f"{folder.name}{suffix}" for suffix in (".cu", ".omp.cpp", ".hpp")}
        assert {path.name for path in folder.iterdir()} == {*files, "meta.toml"}
        meta = tomllib.loads((folder / "meta.toml").read_text())
        assert set(meta) - {"bench_options"} == KEYS, folder
        assert isinstance(meta["title"], str)
        for key in set(meta) - {"title"}:
            assert meta[key], (folder, key)
            assert all(isinstance(word, str) for word in meta[key]), (folder, key)
        assert len(meta["args"]) == len(meta["bench_args"]), folder
    measured = [program for program in bench_programs() if program.group == "pairs"]
    assert {program.folder for program in measured} == set(FOLDERS)


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_both_programs_are_right(folder: Path, tmp_path: Path) -> None:
    """They check themselves, and end with an exit code where something is wrong."""
    meta = tomllib.loads((folder / "meta.toml").read_text())
    arguments = tuple(meta["args"])
    program = BenchProgram(folder.name, folder, folder / f"{folder.name}.omp.cpp", arguments)
    pair = build_pair(program, "g++", tmp_path)
    for threads in (1, 3):
        measure(pair, arguments, 1, environment(threads, ""))
