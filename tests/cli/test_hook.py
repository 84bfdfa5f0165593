"""The hook for pre-commit, docs/ci.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.cli.conftest import G2o

HOOKS: Final = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


def test_hook_looks_at_the_tree_for_sources_and_translations(g2o_fake: G2o) -> None:
    lines = (line.strip("- ").partition(": ") for line in HOOKS.read_text().splitlines())
    hook = {key: value for key, _, value in lines}
    program, *words = hook["entry"].split()
    assert program == "g2o"
    words += hook["args"].strip("[]").split(", ")
    names = ("a.cu", "b.cuh", "a.omp.cpp", "b.omp.hpp", "a.omp.h", "f.g2o.c")
    assert all(re.search(hook["files"], f"src/{name}") for name in names)
    assert not any(re.search(hook["files"], name) for name in ("a.cpp", "a.c", "a.cut", "omp.h"))
    Path("src").mkdir()
    Path("src/a.cu").write_text("void k() {} // __global__\n")
    assert g2o_fake(*words).exit_code == 1
    assert g2o_fake("translate", "src").exit_code == 0
    assert g2o_fake(*words).exit_code == 0
    Path("src/a.omp.cpp").write_text("")
    assert "src/a.omp.cpp: error: translation is stale" in g2o_fake(*words).err
