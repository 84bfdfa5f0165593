"""What g2o writes for its own programs compiles as it is written first.

Where a translation does not compile, the kernel is lowered again more plainly, and that is told: a
fault of g2o that the other tests do not see.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Final

import pytest

from g2o.cli.main import run as run_g2o

_ROOT: Final = Path(__file__).parents[2]
_FOLDERS: Final = sorted(
    {
        path.parent
        for part in ("tests", "corpus", "bench")
        for path in (_ROOT / part).rglob("*.cu")
        if "bad_inputs" not in path.parts  # what follows from a refusal
    }
)
_KNOWN: Final = frozenset(
    {
        (
            "constants_of_arguments",
            "--grad",
        ),  # a constant that only an argument of a template names
        ("hidden_members", "--grad"),  # a member that is inlined, of a function that is not
        ("types_of_indices", "--grad"),  # the type of an index, behind a name of its own
    }
)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["", "--associative-math", "--grad"])
@pytest.mark.parametrize("folder", _FOLDERS, ids=lambda path: str(path.relative_to(_ROOT)))
def test_nothing_is_lowered_again(folder: Path, option: str, tmp_path: Path) -> None:
    faulty: set[tuple[str, str]] = set()
    for source in sorted(folder.glob("*.cu")):
        words = ["translate", str(source), "-o", str(tmp_path / "o.cpp"), "-q", "--keep-going"]
        told = io.StringIO()
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(told):
            run_g2o([*words, *([option] if option else [])])
        if "defect of g2o" in told.getvalue():
            faulty.add((source.stem, option))
    assert faulty <= _KNOWN
