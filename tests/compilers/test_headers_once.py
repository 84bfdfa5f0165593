"""What compilers of the tests say with a header that was read before is what they say without."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

_RUNTIME = Path(__file__).parents[2] / "g2o" / "runtime"
_FINE = """\
#include <cstdio>

#include "g2o_runtime.hpp"
int main() { return int(dim3(3).x) - 3; }
"""


@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_programs_and_warnings_are_the_same(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")

    def compiled(text: str) -> subprocess.CompletedProcess[str]:
        source = tmp_path / "a.cpp"
        source.write_text(text)
        words = (compiler, "-std=c++17", "-fopenmp", "-Wall", "-Wextra", f"-I{_RUNTIME}")
        command = (*words, str(source), "-o", str(tmp_path / "a"))
        return subprocess.run(command, capture_output=True, text=True, check=False)

    for _ in range(3):  # behind the second the header is read for itself
        done = compiled(_FINE)
        assert (done.returncode, done.stderr) == (0, "")
    assert subprocess.run([tmp_path / "a"], check=False).returncode == 0
    place = Path(os.environ["G2O_TEST_COMPILERS"])
    kept = "gch" if compiler == "g++" else "pch"
    assert list(place.glob(f"*/g2o_runtime.hpp.{kept}"))
    warned = compiled(_FINE.replace("{ ", "{ int unused; "))
    assert warned.returncode == 0
    assert "unused variable" in warned.stderr
    alone = compiled("int main() { return int(dim3(3).x); }\n")
    assert alone.returncode != 0, "a source that does not include the header has it"
