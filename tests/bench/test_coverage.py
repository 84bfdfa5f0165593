"""The coverage script: what it reads from Makefiles, sources, args files and program output."""

from pathlib import Path

import pytest

from bench.coverage_lib.commands import Archive, Command, SubMake, parse_command, split_shell_line
from bench.coverage_lib.process import Finished
from bench.coverage_lib.programs import discover
from bench.coverage_lib.reference import Reference, agreement
from bench.coverage_lib.report import reasons, table, totals, warnings
from bench.coverage_lib.results import (
    Category,
    Outcome,
    ProgramResult,
    StageResult,
    load_results,
    save_results,
)
from bench.coverage_lib.settings import Edit, ProgramSettings, SettingsError, load_settings
from bench.coverage_lib.sources import contains_cuda, count_kernels
from bench.coverage_lib.verdict import judge
from bench.coverage_lib.workspace import make_workspace
from g2o.verify.run import Run

KERNEL = "__global__ void k(float *x) { x[threadIdx.x] = 0; }\n"
MAKEFILE = """
main: main.o host.o
	nvcc main.o host.o -o main -lm -lcublas
main.o: main.cu
	nvcc -std=c++17 -DN=4 -I../include -c main.cu -o main.o
host.o: host.cpp
	g++ -O2 -c host.cpp
run: main
	$(LAUNCHER) ./main 16 2 > log.txt
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_program_of_a_makefile(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "saxpy/Makefile": MAKEFILE,
            "saxpy/main.cu": '#include "shared.h"\n#include <cub/cub.cuh>\n' + KERNEL,
            "saxpy/host.cpp": "int main() {}\n",
            "include/shared.h": "// shared\n",
        },
    )
    (program,) = discover(tmp_path, {})
    assert program.name == "saxpy"
    assert [unit.source.name for unit in program.units] == ["main.cu", "host.cpp"]
    assert program.units[0].defines == ("N=4",)
    assert program.units[0].include_dirs == (tmp_path / "include",)
    assert program.units[0].standard == "c++17"
    assert program.root == tmp_path
    assert program.cuda_files == {tmp_path / "saxpy/main.cu"}
    assert program.kernels == 1
    assert program.libraries == ("cub", "cublas")
    assert program.args == ("16", "2")


def test_executables_of_one_makefile_are_programs(tmp_path: Path) -> None:
    makefile = "all:\n\tnvcc a.cu -o a\n\tnvcc b.cu -o b\n\tgcc tool.c -o tool\n"
    write(tmp_path, {"p/Makefile": makefile, "p/a.cu": KERNEL, "p/b.cu": KERNEL, "p/tool.c": ""})
    assert [program.name for program in discover(tmp_path, {})] == ["p/a", "p/b"]


def test_folder_without_makefile_is_one_program(tmp_path: Path) -> None:
    files = {"p/main.cu": '#include "part.cu"\n', "p/part.cu": KERNEL, "p/other.c": "int x;\n"}
    write(tmp_path, files)
    (program,) = discover(tmp_path, {"p": ProgramSettings(args=("7",), flags=("-DX",))})
    assert [unit.source.name for unit in program.units] == ["main.cu", "other.c"]
    assert program.kernels == 1
    assert program.args == ("7",)
    assert program.units[0].defines == ("X",)


def test_what_includes_cuda_is_translated_too(tmp_path: Path) -> None:
    files = {
        "p/main.cpp": '#include "api.h"\nint main() {}\n',
        "p/api.h": '#include "kernels.h"\n',
        "p/kernels.h": KERNEL,
        "p/other.cpp": "int x;\n",
        "p/Makefile": "all:\n\tnvcc main.cpp other.cpp -o main\n",
        "q/Makefile": "all:\n\tnvcc -x cu main.cpp -o main\n",
        "q/main.cpp": "int main() {}\n",
        "q/kernel.cu": KERNEL,
    }
    (first, second) = discover(write(tmp_path, files), {})
    assert {path.name for path in first.cuda_files} == {"main.cpp", "api.h", "kernels.h"}
    assert {path.name for path in second.cuda_files} == {"main.cpp"}


def test_make_called_by_a_recipe_is_followed(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "p/Makefile": "all:\n\tcd src; make\n",
            "p/src/Makefile": "all:\n\tnvcc main.cu -o main\n",
            "p/src/main.cu": KERNEL,
        },
    )
    (program,) = discover(tmp_path, {})
    assert program.units[0].source == tmp_path / "p/src/main.cu"


def test_command_lines() -> None:
    here = Path("/src")
    (first, second) = split_shell_line("cd sub && nvcc -DX='a b' -c k.cu; ar rcs l.a k.o", here)
    assert first == (here / "sub", ["nvcc", "-DX=a b", "-c", "k.cu"])
    command = parse_command(*first)
    assert isinstance(command, Command)
    assert command.output == here / "sub/k.o"
    assert command.defines == ("X=a b",)
    assert parse_command(*second) == Archive(here / "sub/l.a", (here / "sub/k.o",))
    assert parse_command(here, ["make", "all"]) == SubMake(here, ("all",))
    assert parse_command(here, ["rm", "-f", "main.o"]) is None


def test_cuda_in_comments_does_not_count(tmp_path: Path) -> None:
    write(tmp_path, {"a.h": "// cudaMalloc(x)\n/* __global__ */\n", "b.h": KERNEL + "// " + KERNEL})
    assert not contains_cuda(tmp_path / "a.h")
    assert contains_cuda(tmp_path / "b.h")
    assert contains_cuda(tmp_path / "host_only.cu")
    assert count_kernels((tmp_path / "b.h",)) == 1


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("time 3 ms\nPASS\n", Outcome.OK),
        ("Test FAILED\n", Outcome.FAILED),
        ("PASS\nmismatch at 3\n", Outcome.FAILED),
        ("No errors, results are correct\n", Outcome.OK),
        ("max error = 1e-7\n", Outcome.UNKNOWN),
        ("results are incorrect\n", Outcome.FAILED),
        ("kernel time 4 us\n", Outcome.UNKNOWN),
        ("elements to be passed to the scan: 8\nChecking forward pass\n", Outcome.UNKNOWN),
        ("usage: find WORD to be matched\n", Outcome.UNKNOWN),
    ],
)
def test_verdict(output: str, outcome: Outcome) -> None:
    assert judge(output, None).outcome is outcome


def test_verdict_with_a_pattern() -> None:
    assert judge("RMSE 0.1\n", r"RMSE 0\.\d").outcome is Outcome.OK
    assert judge("RMSE 2.1\n", r"RMSE 0\.\d").outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("stdout", "stable", "outcome"),
    [
        ("sum 3.0\n", True, Outcome.OK),
        ("sum 4.0\n", True, Outcome.FAILED),
        ("sum 4.0\n", False, Outcome.UNKNOWN),
    ],
)
def test_agreement(tmp_path: Path, stdout: str, stable: bool, outcome: Outcome) -> None:
    write(tmp_path, {"p/main.cu": KERNEL})
    (program,) = discover(tmp_path, {})
    workspace = make_workspace(program, tmp_path / "copy")
    reference = Reference(Run(0, stdout, "", 0.1), "", tmp_path, 0.1, stable)
    finished = Finished(0, "sum 3.0\n", "", 0.1)
    assert agreement(reference, finished, workspace).outcome is outcome


@pytest.mark.parametrize(("written", "outcome"), [(b"\1\2", Outcome.OK), (b"", Outcome.UNKNOWN)])
def test_nothing_to_compare_is_no_agreement(
    tmp_path: Path, written: bytes, outcome: Outcome
) -> None:
    write(tmp_path, {"p/main.cu": KERNEL})
    (program,) = discover(tmp_path, {"p": ProgramSettings(compare=("out.bin",))})
    workspace = make_workspace(program, tmp_path / "copy")
    (tmp_path / "out.bin").write_bytes(written)
    (workspace.folder / "out.bin").write_bytes(written)
    reference = Reference(Run(0, "", "", 0.1), "", tmp_path, 0.1)
    found = agreement(reference, Finished(0, "", "", 0.1), workspace)
    assert found.outcome is outcome
    assert (found.reason == "nothing to compare") == (outcome is Outcome.UNKNOWN)


def test_working_copy_has_the_edits_and_no_build_products(tmp_path: Path) -> None:
    write(tmp_path, {"p/main.cu": "#define N 1000\n" + KERNEL, "p/old.o": "", "p/data.txt": "1"})
    edits = (Edit("main.cu", "N 1000", "N 8"),)
    (program,) = discover(tmp_path, {"p": ProgramSettings(edits=edits)})
    workspace = make_workspace(program, tmp_path / "copy")
    assert (workspace.folder / "main.cu").read_text().startswith("#define N 8\n")
    assert not (workspace.folder / "old.o").exists()
    assert workspace.argument("./data.txt") == "./data.txt"
    assert (program.folder / "main.cu").read_text().startswith("#define N 1000\n")


def test_settings(tmp_path: Path) -> None:
    text = '[programs.saxpy]\nargs = "-n 4 {here}/x"\ntimeout = 5\n[programs."a/b"]\nskip = "why"\n'
    write(tmp_path, {"args.toml": text, "bad.toml": "[programs.x]\nargs = 3\n"})
    settings = load_settings(tmp_path / "args.toml")
    assert settings["saxpy"].args == ("-n", "4", f"{tmp_path}/x")
    assert settings["saxpy"].timeout == 5
    assert settings["a/b"].skip == "why"
    with pytest.raises(SettingsError, match=r"x\.args"):
        load_settings(tmp_path / "bad.toml")


def test_results_survive_the_file_and_fill_the_table(tmp_path: Path) -> None:
    ok = StageResult(Outcome.OK, 1.0)
    saved = StageResult(Outcome.OK, 1.0, warnings=("G2O0308", "G2O0701"))
    stopped = StageResult(Outcome.FAILED, 0.5, "G2O0301: texture", ("G2O0301",), "text")
    results = {
        "a": ProgramResult("a", Category.PLAIN, 2, (), "v1", ok, ok, ok, ok),
        "b": ProgramResult("b", Category.PLAIN, 1, (), "v1", stopped),
        "c": ProgramResult("c", Category.LIBRARY, 1, ("cub",), "v1", stopped),
        "d": ProgramResult("d", Category.SKIPPED, 0, (), "v1", note="no data"),
        "e": ProgramResult("e", Category.LIBRARY, 1, ("cub",), "v1", saved, ok),
    }
    save_results(tmp_path / "r.json", results)
    assert load_results(tmp_path / "r.json") == results
    rows = list(results.values())
    assert "b        1        NO         -      -    -       translate: G2O0301: texture" in table(
        rows
    )
    assert "1 (50.0 %)" in totals(rows)
    assert reasons(rows) == "G2O0301  2"
    assert "e        1        saved      yes" in table(rows)
    assert [line.split()[-1] for line in totals(rows).splitlines()[1:3]] == ["0", "1"]
    assert warnings(rows) == "G2O0308  1\nG2O0701  1"
