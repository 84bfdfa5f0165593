"""`g2o` itself, `check`, `analyze` and `explain`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from g2o.version import VERSION
from tests.cli.conftest import G2o

ROOT = Path(__file__).parents[2]
KERNEL = "void k() {} // __global__\n"


def test_it_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "g2o", "--version"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert VERSION in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["frob"], "No such command 'frob'"),
        (["translate"], "Missing argument 'FILE...'"),
        (["translate", "--frob", "a.cu"], "No such option '--frob'"),
        (["translate", "a.cu", "--target", "fpga"], "Invalid value for '--target'"),
        (["translate", "a.cu", "-O3"], "Invalid value for '-O'"),
        (["translate", "a.cu", "--grad=k("], "expected `kernel`, `kernel<float>` or"),
        (["translate", "a.cu", "b.cu", "-o", "c"], "-o takes one input FILE"),
        (["translate", "a.cu", "-o", "c", "--out-root", "d"], "exclude each other"),
        (["translate", "a.cu", "--in-root", "d"], "--in-root needs --out-root"),
        (["translate", "a.cu", "-o"], "Option '-o' requires an argument"),
        (["explain", "G2O9999"], "there is no code 'G2O9999'"),
    ],
)
def test_wrong_usage_is_2(g2o_fake: G2o, words: list[str], message: str) -> None:
    done = g2o_fake(*words)
    assert (done.exit_code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_missing_database_is_2(g2o_fake: G2o) -> None:
    Path("a.cu").write_text(KERNEL)
    done = g2o_fake("translate", "a.cu", "-p", "build")
    assert done.exit_code == 2
    assert done.err.startswith("build/compile_commands.json: error: cannot use compile commands")


def test_a_bug_is_told_in_a_sentence(g2o_fake: G2o, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.cu").write_text("CRASH")
    done = g2o_fake("translate", "a.cu")
    assert done.exit_code == 1
    assert done.err == (
        "g2o: error: internal error: LookupError: no such thing [G2O0001]\n"
        "note: this is a bug in g2o, please report it; G2O_TRACEBACK=1 shows where\n"
    )
    monkeypatch.setenv("G2O_TRACEBACK", "1")
    assert "Traceback (most recent call last)" in g2o_fake("translate", "a.cu").err


def test_version_and_help(g2o: G2o) -> None:
    assert g2o("--version").out == f"g2o {VERSION}\n"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["dynamic"]["version"]["attr"] == "g2o.version.VERSION"
    overview = g2o("--help")
    assert overview.exit_code == 0
    for command in ("translate", "check", "analyze", "verify", "explain"):
        assert f"\n  {command} " in overview.out
        done = g2o(command, "--help")
        assert (done.exit_code, done.err) == (0, "")
        assert f"g2o {command} " in done.out


def test_help_imports_neither_the_translator_nor_its_libraries() -> None:
    """`g2o --help` has to be quick: the slow imports are those of libclang, isl and rich."""
    program = (
        "import sys; from g2o.cli.main import run; run(['--help']);"
        "slow = ('clang', 'islpy', 'numpy', 'rich', 'g2o.pipeline');"
        "print(*(name for name in slow if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[-1] == ""


def test_check_of_current_stale_and_missing_translations(g2o_fake: G2o) -> None:
    source = Path("a.cu")
    source.write_text(KERNEL)
    missing = g2o_fake("check", "a.cu")
    assert missing.exit_code == 1
    assert "a.omp.cpp: error: translation is missing [G2O0015]\n" in missing.err
    assert missing.out.startswith("--- /dev/null\n+++ a.omp.cpp\n")
    assert not Path("a.omp.cpp").exists()

    g2o_fake("translate", "a.cu")
    current = g2o_fake("check", "a.cu")
    assert (current.exit_code, current.out, current.err) == (0, "", "")

    source.write_text(f"{KERNEL}int added;\n")
    stale = g2o_fake("check", "a.cu")
    assert stale.exit_code == 1
    assert stale.err == "a.omp.cpp: error: translation is stale [G2O0014]\n1 error.\n"
    assert stale.out.splitlines()[:2] == ["--- a.omp.cpp", "+++ a.omp.cpp"]
    assert stale.out.splitlines()[-1] == "+int added;"
    assert "added" not in Path("a.omp.cpp").read_text()


def test_check_of_a_file_that_cannot_be_translated(g2o_fake: G2o) -> None:
    Path("a.cu").write_text("BAD")
    done = g2o_fake("check", "a.cu")
    assert (done.exit_code, done.out) == (1, "")
    assert "bad thing [G2O0201]" in done.err


def test_check_shows_a_missing_line_end(g2o_fake: G2o) -> None:
    Path("a.cu").write_text(KERNEL.rstrip())
    g2o_fake("translate", "a.cu")
    Path("a.cu").write_text(KERNEL)
    assert "\\ No newline at end of file\n" in g2o_fake("check", "a.cu").out


def test_check_in_json(g2o_fake: G2o) -> None:
    Path("a.cu").write_text(KERNEL)
    done = g2o_fake("check", "a.cu", "--diagnostics-format", "json")
    codes = [found["code"] for found in json.loads(done.out)["diagnostics"]]
    assert codes == ["G2O0015", "G2O0015"]


def test_analyze_prints_remarks_and_writes_nothing(g2o_fake: G2o) -> None:
    Path("a.cu").write_text(KERNEL)
    done = g2o_fake("analyze", "a.cu")
    assert done.exit_code == 0
    assert done.out.startswith("a.cu:1:1: remark: barrier removed [G2O0301]\n")
    assert done.err == "1 kernel, 1 remark.\n"
    assert [path.name for path in Path().iterdir()] == ["a.cu"]


def test_explain(g2o: G2o) -> None:
    assert g2o("explain", "g2o0203").out.startswith("G2O0203: barrier under thread-dependent")
    listing = g2o("explain").out
    assert "G2O0202  inline PTX assembly\n" in listing


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("g2o rep", ["report"]),
        ("g2o translate a.cu --depfile-", ["--depfile-target"]),
        ("g2o translate --grad --target off", ["offload"]),
        ("g2o explain g2o000", [f"G2O000{digit}" for digit in range(1, 10)]),
    ],
)
def test_shells_complete_words(words: str, completed: list[str]) -> None:
    place = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = subprocess.run(
        [sys.executable, "-m", "g2o"],
        capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, **place, "_G2O_COMPLETE": "bash_complete"},
    )  # fmt: skip
    assert [line.partition(",")[2] for line in done.stdout.splitlines()] == completed
