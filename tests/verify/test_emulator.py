"""CUDA programs under the emulator, for several schedules.

Each program says in its last comments what must come out: `output:` lines of standard output,
`exit:` the exit code, `stderr:` a part of standard error, `environment:` a setting, `unordered`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import final

import pytest

from g2o.verify.build import BuildOptions, Executable, build_emulated
from g2o.verify.run import Run, RunOptions, run

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.cu"))
SEEDS = (0, 1, 2, 3)


@final
@dataclass(frozen=True, slots=True)
class Expectation:
    output: list[str]
    stderr: list[str]
    exit_code: int
    environment: dict[str, str]
    unordered: bool


def expectation_of(source: Path) -> Expectation:
    lines = [line[2:].strip() for line in source.read_text().splitlines() if line[:2] == "//"]

    def values(key: str) -> list[str]:
        return [line.removeprefix(key).strip() for line in lines if line.startswith(key)]

    codes = values("exit:")
    return Expectation(
        output=values("output:"),
        stderr=values("stderr:"),
        exit_code=int(codes[0]) if codes else 0,
        environment=dict(setting.split("=", 1) for setting in values("environment:")),
        unordered="unordered" in lines,
    )


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_program(source: Path, tmp_path: Path) -> None:
    program = build_emulated([source], tmp_path, BuildOptions(optimization="-O0"))
    assert isinstance(program, Executable), program
    expected = expectation_of(source)
    assert expected.output or expected.stderr
    for seed in SEEDS:
        result = run(program, RunOptions(seed=seed, environment=expected.environment, timeout=20))
        assert isinstance(result, Run), f"seed {seed}: {result}"
        assert result.exit_code == expected.exit_code, f"seed {seed}: {result}"
        lines = [line.rstrip() for line in result.stdout.splitlines()]
        if expected.unordered:
            lines.sort()
        assert lines == expected.output, f"seed {seed}"
        for part in expected.stderr:
            assert part in result.stderr
