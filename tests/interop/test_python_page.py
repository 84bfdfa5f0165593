"""The blocks of docs/python.md run."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
README = PAGE.parents[1] / "README.md"


def blocks(page: Path, word: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{word}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("page", [PAGE, README], ids=lambda page: page.stem)
def test_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "saxpy.cu").write_text((README.parent / "corpus/saxpy/saxpy.cu").read_text())
    found = blocks(page, "python")
    assert found
    if find_spec("torch") is not None:
        found += blocks(page, "python torch")
    exec(compile("\n".join(found), page.name, "exec"), {"__name__": "page"})
