"""examples/cmake is what docs/cmake.md shows, builds, and is built again where it has to be."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import G2o

ROOT: Final = Path(__file__).parents[2]
EXAMPLE: Final = ROOT / "examples" / "cmake"
GENERATORS: Final = (
    pytest.param("Ninja", "ninja"),
    pytest.param("Unix Makefiles", "make", marks=pytest.mark.slow),
)


def _run(*words: object) -> str:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        list(map(str, words)),
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
        env=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize(("generator", "tool"), GENERATORS)
def test_what_changed_is_built_again(tmp_path: Path, generator: str, tool: str) -> None:
    if shutil.which("cmake") is None or shutil.which(tool) is None:
        pytest.skip(f"needs cmake and {tool}")
    project, build = tmp_path / "project", tmp_path / "build"
    shutil.copytree(EXAMPLE, project)
    g2o = tmp_path / "g2o"
    g2o.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m g2o "$@"\n')
    g2o.chmod(0o755)
    _run(
        *("cmake", "-S", project, "-B", build, "-G", generator, "-DCMAKE_BUILD_TYPE=Debug"),
        *(f"-Dg2o_DIR={_run(g2o, '--cmake-dir').strip()}", f"-DG2O_EXECUTABLE={g2o}"),
    )

    def built() -> tuple[bool, set[str]]:
        """Builds; tells whether anything was translated, and what was compiled."""
        said = _run("cmake", "--build", build)
        return "Translating decay.cu" in said, set(
            re.findall(r"(\w[\w.]*)\.o$", said, re.MULTILINE)
        )

    assert built() == (True, {"main.cpp", "decay.omp.cpp", "smooth.omp.cpp"})
    assert _run(build / "fit") == "height 2.00, rate 0.50\n"
    assert built() == (False, set())
    model = project / "model.cuh"
    model.touch()
    assert built() == (True, set())
    assert built() == (False, set())
    model.write_text(model.read_text().replace("HEIGHT 2.0", "HEIGHT 3.0"))
    assert built() == (True, {"decay.omp.cpp"})
    assert _run(build / "fit") == "height 3.00, rate 0.50\n"
    assert built() == (False, set())


def test_page_shows_the_example() -> None:
    page = (ROOT / "docs" / "cmake.md").read_text(encoding="utf-8")
    lists = (EXAMPLE / "CMakeLists.txt").read_text(encoding="utf-8")
    blocks = re.findall(r"^```cmake\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) > 5
    assert [line for line in lines if line not in lists.splitlines()] == []


def test_checked_in_translation_is_current(g2o: G2o, golden: Callable[[Path, str], None]) -> None:
    place = EXAMPLE / "checked_in"
    shutil.copy(place / "smooth.cu", ".")
    assert g2o("translate", "smooth.cu", "--header").exit_code == 0
    for name in ("smooth.omp.cpp", "smooth.omp.h"):
        golden(place / name, Path(name).read_text())
    runtime = place / "g2o_runtime.hpp"
    assert runtime.read_bytes() == Path("g2o_runtime.hpp").read_bytes()
