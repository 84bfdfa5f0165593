"""Names of files that are not ASCII, in locales that have them and in those that do not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

_LOCALES = {
    "utf8": {"LC_ALL": "C.UTF-8"},
    "ascii": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
_HEADER = "__device__ inline float twice(float x) { return 2 * x; }\n"
_SOURCE = """\
#include "größe.cuh"
__global__ void k(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = twice(x[i]);
}
"""


def _g2o(folder: Path, locale: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, **_LOCALES[locale]}
    command = [sys.executable, "-m", "g2o", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "données"
    folder.mkdir()
    (folder / "größe.cuh").write_text(_HEADER, encoding="utf-8")
    (folder / "日本.cu").write_text(_SOURCE, encoding="utf-8")
    return folder


@pytest.mark.parametrize("locale", [pytest.param("utf8", marks=pytest.mark.slow), "ascii"])
def test_a_translation_is_the_same(folder: Path, locale: str) -> None:
    words = ("données/日本.cu", "--header", "--report", "données/ré.html", "-DA=ö")
    done = _g2o(folder.parent, locale, "translate", *words)
    assert done.returncode == 0, done.stderr
    assert "wrote données/日本.omp.cpp".encode() in done.stderr
    code = (folder / "日本.omp.cpp").read_text(encoding="utf-8")
    assert code.splitlines()[0].endswith(": g2o translate 日本.cu '-DA=ö'")
    assert '#include "größe.omp.hpp"' in code
    assert "日本.cu" in (folder / "ré.html").read_text(encoding="utf-8")
    checked = _g2o(folder.parent, locale, "check", "données/日本.cu", "--header", "-DA=ö")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, b"", b"")
    stale = _g2o(folder.parent, locale, "check", "données/日本.cu", "-DA=ü")
    assert stale.returncode == 1
    assert "+++ données/日本.omp.cpp".encode() in stale.stdout


@pytest.mark.parametrize("locale", _LOCALES)
def test_diagnostics_name_the_file(folder: Path, locale: str) -> None:
    (folder / "日本.cu").write_text('#include "größe.cuh"\nint é = ;\n', encoding="utf-8")
    done = _g2o(folder.parent, locale, "translate", "données/日本.cu")
    assert done.returncode == 1
    assert done.stderr.startswith("données/日本.cu:2:".encode())
    words = ("translate", "données/日本.cu", "--diagnostics-format", "json")
    found = json.loads(_g2o(folder.parent, locale, *words).stdout.decode("utf-8"))
    assert found["diagnostics"][0]["path"] == "données/日本.cu"
