"""The table that comes from a machine with a GPU, made from programs that only print."""

from __future__ import annotations

import json
import subprocess
import tarfile
from pathlib import Path

import pytest

from bench.measure_offload import find_device, main, run_all
from bench.offload import copy_libraries, pack
from tests.offload.device import needs_clang


def _program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = {"saxpy": ["12"], "wrong": [], "broken": []}
    (tmp_path / "programs.json").write_text(json.dumps(plan))
    _program(tmp_path / "saxpy.cuda", "echo sum 1.00001; echo time_ms 2.0")
    _program(tmp_path / "saxpy.offload", "echo sum 1.00002; echo time_ms 3.0")
    _program(tmp_path / "wrong.cuda", "echo sum 1.5; echo time_ms 2.0")
    _program(tmp_path / "wrong.offload", "echo sum 2.5; echo time_ms 2.0")
    _program(tmp_path / "broken.cuda", "echo time_ms 2.0")
    _program(tmp_path / "broken.offload", "echo no device >&2; exit 1")
    _program(tmp_path / "gradients" / "heat" / "driver", r"printf 'k\ttimes\tok\t2\t1.5 3.0\n'")
    assert run_all(tmp_path, 1) == 1
    assert capsys.readouterr().out == (
        "| program | CUDA (ms) | OpenMP (ms) | ratio |\n"
        "|---|---|---|---|\n"
        "| saxpy | 2.000 | 3.000 | 1.50 |\n"
        "| wrong | offload: 2.5 instead of 1.5 | | |\n"
        "| broken | offload: exit code 1: no device | | |\n"
        "| geometric mean | | | 1.50 |\n"
        "\n"
        "| kernel | primal (ms) | adjoint (ms) | ratio |\n"
        "|---|---|---|---|\n"
        "| heat | 1.5 | 3.0 | 2.00 |\n"
    )


def test_nothing_without_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    if find_device()[1]:
        pytest.skip("there is a GPU")
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("nothing is measured: ")


@needs_clang
def test_libraries_are_complete(tmp_path: Path) -> None:
    """The runtime finds all but the C library beside itself, on a machine without LLVM."""
    libraries = tmp_path / "lib"
    copy_libraries(libraries)
    listed = subprocess.run(
        ["ldd", str(libraries / "libomptarget.so.19.1")],
        env={"LD_LIBRARY_PATH": str(libraries)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "libLLVM" in listed.stdout
    assert "not found" not in listed.stdout
    elsewhere = [line.split()[0] for line in listed.stdout.splitlines() if "=> /" in line]
    elsewhere = [name for name in elsewhere if not (libraries / name).exists()]
    assert {name.split(".")[0] for name in elsewhere} <= {"libc", "libm", "libdl", "libpthread"}


def test_packed_without_sources(tmp_path: Path) -> None:
    folder = tmp_path / "gpu"
    (folder / "translated").mkdir(parents=True)
    for name in ("measure.py", "x.cuda", "x.cpp", "translated/x.omp.cpp"):
        (folder / name).write_text(name)
    pack(folder, tmp_path / "gpu.tar.xz")
    with tarfile.open(tmp_path / "gpu.tar.xz") as archive:
        names = {entry.name for entry in archive.getmembers() if entry.isfile()}
    assert names == {"gpu/measure.py", "gpu/x.cuda"}
