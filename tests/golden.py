"""Golden files: what g2o wrote when somebody last looked at it and found it right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

import pytest


def compare_with_golden(path: Path, text: str, *, update: bool) -> None:
    """Fail unless the golden file `path` holds `text` (Latin-1); with `update`, make it so."""
    data = text.encode("latin-1")
    if update:
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return
    if not path.is_file():
        pytest.fail(f"{path} is missing: run `make golden` and look at it")
    expected = path.read_bytes().decode("latin-1")
    if expected == text:
        return
    difference = difflib.unified_diff(
        expected.splitlines(), text.splitlines(), "golden", "now", lineterm=""
    )
    pytest.fail("\n".join([f"{path} differs; `make golden` rewrites it", *difference]))


def orphans(directory: Path, pattern: str, expected: Iterable[Path]) -> list[Path]:
    """Golden files in `directory` that no test compares with any more."""
    return sorted(set(directory.glob(pattern)) - set(expected))
