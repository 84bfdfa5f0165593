"""docs/ad.md shows what really comes out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from g2o.interop.translate import translate

PAGE: Final = Path(__file__).parents[2] / "docs" / "ad.md"
EXAMPLES: Final = re.findall(
    r"^```cuda\n(.*?)^```\n\n```cpp\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
)


def test_page_has_examples() -> None:
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example_is_what_comes_out(number: int, tmp_path: Path) -> None:
    source, expected = EXAMPLES[number]
    path = tmp_path / "example.cu"
    path.write_text(source, encoding="utf-8")
    code = translate(path, grad="", hvp="" if "_hvp(" in expected else ()).code
    functions = [f"{one}}}\n" for one in expected.split("\n}\n")[:-1]]
    assert functions
    assert all(one.strip().removesuffix("}").strip() in code for one in functions)
