"""Running the command line inside the test process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import final

import pytest

from g2o.cli import session
from g2o.cli.main import run
from tests.cli import fake_pipeline


@final
@dataclass(frozen=True, slots=True)
class Finished:
    """What a command left: exit code and both streams."""

    exit_code: int
    out: str
    err: str


G2o = Callable[..., Finished]


@pytest.fixture
def in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def g2o(in_tmp: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> G2o:
    """Run `g2o WORDS...` in an empty current directory."""
    del in_tmp

    def call(*words: object) -> Finished:
        capfdbinary.readouterr()
        exit_code = run([str(word) for word in words])
        captured = capfdbinary.readouterr()
        return Finished(exit_code, captured.out.decode(), captured.err.decode())

    return call


@pytest.fixture
def g2o_fake(g2o: G2o, monkeypatch: pytest.MonkeyPatch) -> G2o:
    """As `g2o`, with a translator that only marks the text: for tests of everything around it."""
    monkeypatch.setattr(session, "translate_file", fake_pipeline.translate_file)
    monkeypatch.setattr(session, "self_check", fake_pipeline.self_check)
    return g2o
