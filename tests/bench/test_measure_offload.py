"""The table that comes from a machine with a GPU, made from programs that only print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.measure_offload import run_all


def _program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "programs.json").write_text(json.dumps({"saxpy": ["12"], "broken": []}))
    _program(tmp_path / "saxpy.cuda", "echo time_ms 2.0")
    _program(tmp_path / "saxpy.offload", "echo time_ms 3.0")
    _program(tmp_path / "broken.cuda", "echo time_ms 2.0")
    _program(tmp_path / "broken.offload", "echo no device >&2; exit 1")
    _program(tmp_path / "gradients" / "heat" / "driver", r"printf 'k\ttimes\tok\t2\t1.5 3.0\n'")
    assert run_all(tmp_path, 1) == 1
    assert capsys.readouterr().out == (
        "| program | CUDA (ms) | OpenMP (ms) | ratio |\n"
        "|---|---|---|---|\n"
        "| saxpy | 2.000 | 3.000 | 1.50 |\n"
        "| broken | offload: exit code 1: no device | | |\n"
        "| geometric mean | | | 1.50 |\n"
        "\n"
        "| kernel | primal (ms) | adjoint (ms) | ratio |\n"
        "|---|---|---|---|\n"
        "| heat | 1.5 | 3.0 | 2.00 |\n"
    )
