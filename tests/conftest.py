"""Options and fixtures of the whole suite."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import emulation
from tests.compilers import reading_headers_once
from tests.golden import compare_with_golden


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the golden files; look at the diff before you commit it",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--update-golden") and os.environ.get("CI"):
        raise pytest.UsageError("--update-golden is refused under CI")
    if config.getoption("--update-golden"):
        os.environ[emulation.UPDATE] = "1"
    gc.set_threshold(100_000, 20, 100)  # as the `g2o` script does
    compilers = ExitStack()
    compilers.enter_context(reading_headers_once())
    config.add_cleanup(compilers.close)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """`golden(path, text)` fails with a diff unless the file `path` has `text`."""
    update = bool(request.config.getoption("--update-golden"))
    return lambda path, text: compare_with_golden(path, text, update=update)
