"""The same command again does nothing where nothing changed, and everything where something did."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

_SOURCE = """\
#include "first/size.h"
#include <vector>
#include "size.h"
__global__ void k(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += SIZE;
}
"""

Translate = Callable[..., str]


@pytest.fixture
def translate(tmp_path: Path) -> Translate:
    for name in ("first", "second", "third"):
        (tmp_path / name).mkdir()
    (tmp_path / "first/size.h").write_text("")
    (tmp_path / "second/size.h").write_text("#define SIZE 3\n")
    (tmp_path / "third/size.h").write_text("#define SIZE 4\n")
    (tmp_path / "a.cu").write_text(_SOURCE)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def call(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "g2o", "translate", "a.cu", "-Isecond", "-Ithird", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stderr

    return call


def test_nothing_is_done_twice(translate: Translate, tmp_path: Path) -> None:
    first = translate("--remarks")
    assert first.endswith("wrote a.omp.cpp (1 kernel)\n")
    assert "remark: " in first
    output = tmp_path / "a.omp.cpp"
    written = output.stat().st_mtime_ns
    assert translate("--remarks") == first.replace("wrote a", "unchanged: a")
    assert output.stat().st_mtime_ns == written
    assert translate("--remarks", "--no-cache") == first
    assert output.stat().st_mtime_ns > written


@pytest.mark.slow
def test_what_may_matter_counts(translate: Translate, tmp_path: Path) -> None:
    def changes(path: str, text: str | None) -> bool:
        file = tmp_path / path
        if text is None:
            file.unlink()
        else:
            file.write_text(text)
        return "wrote a.omp.cpp" in translate()

    assert "wrote" in translate()
    assert not changes("a.cu", _SOURCE)  # the time alone says nothing
    assert changes("a.cu", _SOURCE + "\n")
    assert changes("second/size.h", "#define SIZE 5\n")
    assert changes("a.omp.cpp", "")
    assert changes("g2o_runtime.hpp", None)
    assert changes("second/vector", "#include <deque>\n#include_next <vector>\n")
    assert changes("pyproject.toml", "[tool.g2o]\noptimization = 1\n")
    assert "unchanged: a.omp.cpp" in translate()
    assert "wrote a.omp.cpp" in translate("-DX=1")
