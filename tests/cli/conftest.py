"""Running the command line inside the test process."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import pytest

if importlib.util.find_spec("g2o.pipeline") is None:
    from tests.cli import fake_pipeline

    sys.modules["g2o.pipeline"] = fake_pipeline  # type: ignore[assignment]

from g2o.cli.main import run


@final
@dataclass(frozen=True, slots=True)
class Finished:
    """What a command left: exit code and both streams."""

    exit_code: int
    out: str
    err: str


G2O = Callable[..., Finished]


@pytest.fixture
def g2o(capfd: pytest.CaptureFixture[str]) -> G2O:
    """Run `g2o WORDS...` in the current directory."""

    def call(*words: object) -> Finished:
        capfd.readouterr()
        exit_code = run([str(word) for word in words])
        captured = capfd.readouterr()
        return Finished(exit_code, captured.out, captured.err)

    return call
