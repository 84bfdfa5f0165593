"""Many small programs as one: what they print is compared for each; starting costs more than they.

The CUDA sources are emulated together, their translations (each made on its own) built and run
together. What cannot be one program with others, or does not end there, is verified alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import re
import subprocess
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Final

from g2o.cli.main import run as run_g2o
from g2o.verify.build import (
    BuildFailure,
    BuildOptions,
    Executable,
    build_emulated,
    build_translation,
)
from g2o.verify.compare import Agreement, compare_text
from g2o.verify.run import Run, RunOptions, run
from tests import emulation
from tests.sanitizing import batch

_RUNTIME: Final = Path(__file__).parents[1] / "g2o" / "runtime"
_THREADS: Final = (1, 2, 4)
_ALONE: Final = re.compile(r"^(?:extern )?__shared__|^int main\(.*\}$", re.MULTILINE)
"""What cannot be in a namespace: variables of all blocks, and a `main` of one line."""

_IN_STEP: Final = "G2O0309"
"""The remark that a program takes lanes to be in step: all of a group would be emulated so."""


def agreements_once(
    name: str, sources: Sequence[Path], base: Path, options: Sequence[str] = ()
) -> dict[str, str]:
    """As `agreements`, once for all processes of one run of the tests, whose temporary files lie
    below `base`; `name` is that of the group."""
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = folder / "agreements.json"
        if not kept.is_file():
            kept.write_text(json.dumps(agreements(sources, folder, options)))
    return json.loads(kept.read_text())


def agreements(
    sources: Sequence[Path], scratch: Path, options: Sequence[str] = ()
) -> dict[str, str]:
    """What is wrong with each program, by its name: nothing where all runs print the same."""
    texts: list[tuple[str, str]] = []
    faults: dict[str, str] = {}
    for source in sources:
        if _ALONE.search(source.read_text("latin-1")):
            faults[source.stem] = _alone(source, options)
            continue
        written = scratch / f"{source.stem}.omp.cpp"
        words = ["--in-root", str(source.parent), "--out-root", str(scratch), "--remarks"]
        words += ["--no-self-check", *options]  # it is compiled anyway
        with contextlib.redirect_stderr(io.StringIO()) as remarks:
            code = run_g2o(["translate", str(source), *words])
        if code != 0:
            faults[source.stem] = "is not translated"
        elif _IN_STEP in remarks.getvalue():
            faults[source.stem] = _alone(source, options)
        else:
            texts.append((source.stem, written.read_text("latin-1")))
    usual = BuildOptions(include_directories=(_RUNTIME,))
    expected = emulated([one for one in sources if one.stem not in faults], scratch)
    translated = None
    while texts and translated is None:
        (scratch / "all.cpp").write_text(batch(texts), "latin-1")
        translated = build_translation([scratch / "all.cpp"], scratch / "translated", usual)
        if isinstance(translated, BuildFailure):
            apart = _named_in(translated, {name for name, _ in texts})
            faults |= apart
            texts = [one for one in texts if one[0] not in apart]
            translated = None
    actual = [_printed(translated, count) for count in _THREADS]
    for source in sources:
        if source.stem not in faults:
            printed = [one.get(source.stem) for one in (expected, *actual)]
            faults[source.stem] = _difference(printed) if all(printed) else _alone(source, options)
    return faults


def emulated(sources: Sequence[Path], scratch: Path, *, again: bool = False) -> dict[str, str]:
    """What each program prints, by its name, but for those that a namespace changes; `again`:
    whatever is known of it."""
    known = {} if again else {one.stem: emulation.kept(one) for one in sources}
    found = {name: printed[0] for name, printed in known.items() if printed is not None}
    texts = [(one.stem, one.read_text("latin-1")) for one in sources if one.stem not in found]
    built = None
    while texts and built is None:
        (scratch / "all.cu").write_text(batch(texts), "latin-1")
        built = build_emulated([scratch / "all.cu"], scratch / "emulated", BuildOptions())
        if isinstance(built, BuildFailure):
            apart = _named_in(built, {name for name, _ in texts})
            texts = [one for one in texts if one[0] not in apart]
            built = None
    printed = _printed(built, None)
    for one in sources:
        if one.stem in printed:
            emulation.keep(one, [printed[one.stem]])
    return found | printed


def printed_at_once(
    texts: Sequence[tuple[str, str]], folder: Path, command: Sequence[str]
) -> dict[str, str]:
    """What each translation prints, by its name, where all are built together by a command that
    must not say anything."""
    (folder / "all.cpp").write_text(batch(texts))
    for words in ([*command, "all.cpp", "-o", "all"], ["./all"]):
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[:4000]
    return _by_name(done.stdout)


def _by_name(printed: str) -> dict[str, str]:
    parts = re.split(r"\n-- program (\w+)\n", printed)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _named_in(failure: BuildFailure, names: Set[str]) -> dict[str, str]:
    """What the compiler says of which programs, whose names stand where those of files do."""
    found = re.findall(r"^(\w+):\d+:\d+: error: (.*)", failure.output, flags=re.MULTILINE)
    named = {name: f"does not compile: {said}" for name, said in found if name in names}
    assert named, failure.output[:4000]
    return named


def _difference(printed: Sequence[str | None]) -> str:
    """In what the translation prints something else than the emulation, which is the first. That
    it may be right where it stands alone is no excuse: memory of others lay around it."""
    wanted, *others = (one or "" for one in printed)
    for threads, text in zip(_THREADS, others, strict=True):
        verdict = compare_text(wanted, text)
        if not isinstance(verdict, Agreement):
            return f"with {threads} threads: {verdict.reason}"
        if verdict.numbers == 0:
            return "prints no number to compare"
    return ""


def _printed(program: object, threads: int | None) -> dict[str, str]:
    """What each program prints, as far as they come to their ends."""
    if not isinstance(program, Executable):
        return {}
    finished = run(program, RunOptions(timeout=300, threads=threads))
    if not isinstance(finished, Run) or finished.exit_code != 0:
        return {}
    return _by_name(finished.stdout)


def _alone(source: Path, options: Sequence[str]) -> str:
    code = run_g2o(["verify", str(source), *options])
    return "" if code == 0 else "differs from the emulation, or does not build: see what is shown"
