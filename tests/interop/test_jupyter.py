"""`%%g2o` in IPython: docs/jupyter.md runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

shells: Any = pytest.importorskip("IPython.core.interactiveshell", reason="needs g2o[jupyter]")

PAGE: Final = Path(__file__).parents[2] / "docs" / "jupyter.md"

Run = Callable[[str], None]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a cell; raises what it raises."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.chdir(tmp_path)
    shell = shells.InteractiveShell()
    shell.run_line_magic("load_ext", "g2o")

    def call(cell: str) -> None:
        shell.run_cell(cell).raise_error()

    return call


@pytest.mark.slow
def test_page_runs(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:python|cuda)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    for block in blocks:
        run(block)
    assert "void repeat(dim3 grid, dim3 block, const T *x, T *y)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("%%g2o\n__global__ void k(int *x)\n{ *x = }", "kernel.cu:3:8: error: expected expression"),
        ("%%g2o\n__global__ void k() { asm(\"x\"); }", "kernel.cu:2:23: error: inline assembly"),
        ("%%g2o --grad=k(\n;", "'k(' is no SPEC"),
        ("%%g2o --module\n;", "%%g2o: argument --module: expected one argument\nusage: %%g2o"),
        ("%%g2o --help\n;", "usage: %%g2o"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_short(run: Run, cell: str, message: str) -> None:
    error: Any = pytest.importorskip("IPython.core.error")
    with pytest.raises(error.UsageError) as raised:
        run(cell)
    assert message in str(raised.value)
