"""No thread meets another one in loops and their derivatives, as ThreadSanitizer sees it, for any
schedule: it knows OpenMP's barriers from the runtime (Archer)."""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from g2o.cli.main import run as run_g2o
from tests.openmp_c import clauses, test_loops
from tests.openmp_c.functions import FUNCTIONS
from tests.openmp_c.random_c.checks import check
from tests.openmp_c.random_c.functions import random_function
from tests.openmp_c.test_functions import OTHERS, driver, program

_COMPILER: Final = "clang-19"
_FLAGS: Final = ("-std=gnu11", "-O1", "-g1", "-fopenmp", "-w", "-fsanitize=thread")
_SCHEDULES: Final = ("static", "dynamic", "guided")
_REPEATS: Final = 20
_WITHOUT_SCHEDULE: Final = re.compile(
    r"^([ \t]*#[ \t]*pragma omp (?:parallel )?for\b(?![^\n]*\b(?:schedule|lastprivate)\b)"
    r"(?:\\\n|[^\n/])*)",
    re.MULTILINE,
)
_RACE: Final = """
#include <stdio.h>
int main(void)
{
    int s = 0;
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 1000; ++i)
        s += i;
    printf("%d\\n", s);
    return 0;
}
"""


@cache
def _archer() -> str:
    """The library that tells ThreadSanitizer of OpenMP, or what is missing."""
    command = [_COMPILER, "-print-file-name=libarcher.so"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found if Path(found).is_absolute() else ""


_needs_archer = pytest.mark.skipif(
    not _archer(), reason=f"{_COMPILER} has no libarcher.so, without which barriers look like races"
)


def with_runtime_schedule(text: str) -> str:
    """C whose loops are shared out as the environment says, where they do not say it. With
    `lastprivate` clang 19 takes the value of another iteration for schedules that are not static.
    """
    return _WITHOUT_SCHEDULE.sub(lambda found: f"{found[1].rstrip()} schedule(runtime) ", text)


def _built(folder: Path) -> Path:
    command = [_COMPILER, *_FLAGS, "driver.c", "-o", "driver", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    return folder / "driver"


def _seen() -> dict[str, str]:
    """What lets ThreadSanitizer see what OpenMP does."""
    return {
        "OMP_TOOL_LIBRARIES": _archer(),
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
        "LD_LIBRARY_PATH": str(Path(_archer()).parent),
    }


def _run(target: Path, schedule: str) -> subprocess.CompletedProcess[str]:
    threads = {"OMP_NUM_THREADS": "4", "OMP_SCHEDULE": schedule}
    environment = os.environ | _seen() | threads
    return subprocess.run(
        [target], capture_output=True, text=True, env=environment, check=False, timeout=1500
    )


def _has_no_races(folder: Path) -> None:
    target = _built(folder)
    for schedule in _SCHEDULES:
        done = _run(target, schedule)
        assert "ThreadSanitizer" not in done.stderr, done.stderr[:4000]
        assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.slow
@_needs_archer
def test_races_are_seen(tmp_path: Path) -> None:
    (tmp_path / "driver.c").write_text(_RACE)
    done = _run(_built(tmp_path), "static")
    assert "data race" in done.stderr
    assert done.returncode != 0


@pytest.mark.slow
@_needs_archer
def test_functions_have_no_races(tmp_path: Path) -> None:
    functions = FUNCTIONS | clauses.CLAUSES | clauses.HEADS | OTHERS
    (tmp_path / "functions.c").write_text(with_runtime_schedule(program(functions)))
    assert run_g2o(["translate", "-q", str(tmp_path / "functions.c")]) == 0
    written = driver(functions, "functions.g2o.c", repeats=_REPEATS)
    assert (tmp_path / "functions.g2o.c").read_text().count("schedule(runtime)") > len(functions)
    (tmp_path / "driver.c").write_text(written)
    _has_no_races(tmp_path)


@pytest.mark.slow
@_needs_archer
def test_loops_have_no_races(tmp_path: Path) -> None:
    text = with_runtime_schedule(test_loops.program(repeats=_REPEATS))
    (tmp_path / "loops.c").write_text(text)
    assert run_g2o(["translate", "-q", str(tmp_path / "loops.c")]) == 0
    (tmp_path / "driver.c").write_text('#include "loops.g2o.c"\n')
    _has_no_races(tmp_path)


@pytest.mark.slow
@_needs_archer
@pytest.mark.parametrize("first", range(5000, 5104, 26))
def test_random_functions_have_no_races(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in _seen().items():
        monkeypatch.setenv(name, value)
    functions = [random_function(first + at) for at in range(26)]
    flags = ("-fsanitize=thread", "-g1")
    found = check(functions, tmp_path, _COMPILER, threads=(4,), flags=flags)
    assert not found.wrong
    assert len(found.refused) < 5
