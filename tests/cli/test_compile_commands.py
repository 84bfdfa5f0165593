"""Flags from compile_commands.json."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from g2o.cli.compile_commands import CompileCommands
from g2o.diagnostics.diagnostic import Refusal


def flags(root: Path, **entry: object) -> tuple[str, ...] | None:
    """The flags of `src/a.cu` by a database in `build/` with one entry."""
    for name in ("src", "build"):
        (root / name).mkdir(exist_ok=True)
    (root / "src" / "a.cu").touch()
    whole = {"directory": str(root / "build"), "file": "../src/a.cu", **entry}
    (root / "build" / "compile_commands.json").write_text(json.dumps([whole]))
    return CompileCommands.read(Path("build")).flags_of(Path("src/a.cu"))


def test_flags_of_a_command(in_tmp: Path) -> None:
    command = (
        '/opt/cuda/bin/nvcc -forward-unknown-to-host-compiler -DN=1024 -D NAME=\\"x\\" -UDEBUG'
        " --generate-code=arch=compute_80 -I../include -I ../third -isystem=../sys"
        " -O3 -std=c++17 -x cu -include pre.h -c ../src/a.cu -o a.o"
    )
    assert flags(in_tmp, command=command) == (
        "-DN=1024",
        '-DNAME="x"',
        "-UDEBUG",
        "-Iinclude",
        "-Ithird",
        "-isystem",
        "sys",
        "-std=c++17",
        "-include",
        "build/pre.h",
    )


def test_flags_of_arguments_and_of_long_forms(in_tmp: Path) -> None:
    arguments = [
        "nvcc",
        "--std",
        "c++14",
        "--define-macro=A",
        "--include-path",
        "../inc",
        "-Ione two",
    ]
    assert flags(in_tmp, arguments=arguments) == ("-std=c++14", "-DA", "-Iinc", "-Ibuild/one two")


def test_response_files(in_tmp: Path) -> None:
    (in_tmp / "build").mkdir()
    (in_tmp / "build" / "inc.rsp").write_text('-I"../a b" -DX=1\n')
    command = "nvcc --options-file inc.rsp --options-file gone.rsp -c ../src/a.cu"
    assert flags(in_tmp, command=command) == ("-Ia b", "-DX=1")


def test_a_file_without_entry_has_no_flags(in_tmp: Path) -> None:
    flags(in_tmp, command="nvcc -c ../src/a.cu")
    assert CompileCommands.read(Path("build")).flags_of(Path("src/b.cu")) is None
    assert CompileCommands.read(Path("build")).flags_of(Path("src/../src/a.cu")) == ()


def test_the_first_entry_of_a_file_counts(in_tmp: Path) -> None:
    (in_tmp / "a.cu").touch()
    entries = [{"directory": ".", "file": "a.cu", "command": f"nvcc -DN={n} a.cu"} for n in (1, 2)]
    (in_tmp / "compile_commands.json").write_text(json.dumps(entries))
    assert CompileCommands.read(Path()).flags_of(Path("a.cu")) == ("-DN=1",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "No such file"),
        ("{", "not valid JSON"),
        ("{}", "not a list"),
        ("[1]", "not an object"),
        ('[{"directory": "."}]', "no `directory` or `file`"),
        ('[{"directory": ".", "file": "a.cu"}]', "the entry of a.cu has no `command`"),
    ],
)
def test_an_unusable_database_is_refused_with_the_reason(
    in_tmp: Path, text: str | None, reason: str
) -> None:
    if text is not None:
        (in_tmp / "compile_commands.json").write_text(text)
    with pytest.raises(Refusal, match="cannot use compile commands") as caught:
        CompileCommands.read(Path())
    assert reason in caught.value.diagnostic.message
    assert caught.value.diagnostic.code == "G2O0012"
