"""`g2o translate` around the translator: paths, exit codes, what is written and what is not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import G2o

KERNEL = "void k() {} // __global__\n"


def write(*names: str, text: str = KERNEL) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def tree() -> list[str]:
    """All files below the current directory but the runtime header and inputs."""
    files = (str(path) for path in Path().rglob("*") if path.is_file())
    return sorted(name for name in files if not name.endswith((".cu", ".cuh")))


def test_output_stands_beside_the_input(g2o_fake: G2o) -> None:
    write("src/a.cu", "src/util.cuh")
    done = g2o_fake("translate", "src/a.cu", "src/util.cuh")
    assert (done.exit_code, done.out) == (0, "")
    assert done.err == "wrote src/a.omp.cpp (1 kernel)\nwrote src/util.omp.hpp (1 kernel)\n"
    assert tree() == ["src/a.omp.cpp", "src/g2o_runtime.hpp", "src/util.omp.hpp"]
    assert "// with: ['a.cu', 'util.cuh']" in Path("src/a.omp.cpp").read_text()


def test_named_output(g2o_fake: G2o) -> None:
    write("a.cu")
    Path("cpu").mkdir()
    assert g2o_fake("translate", "a.cu", "-o", "cpu/x.cpp", "--header").exit_code == 0
    assert tree() == ["cpu/g2o_runtime.hpp", "cpu/x.cpp", "cpu/x.h"]


def test_header_stands_beside_the_output(g2o_fake: G2o) -> None:
    write("a.cu")
    assert g2o_fake("translate", "a.cu", "--header").exit_code == 0
    assert tree() == ["a.omp.cpp", "a.omp.h", "g2o_runtime.hpp"]


def test_output_to_stdout_writes_no_file(g2o_fake: G2o) -> None:
    write("a.cu")
    done = g2o_fake("translate", "a.cu", "-o", "-")
    assert done.exit_code == 0
    assert done.out.endswith(KERNEL)
    assert done.err == ""
    assert tree() == []


def test_devices_are_not_replaced(g2o_fake: G2o) -> None:
    write("a.cu")
    assert g2o_fake("translate", "a.cu", "-o", os.devnull).exit_code == 0
    assert Path(os.devnull).is_char_device()
    assert not Path(os.devnull).with_name("g2o_runtime.hpp").exists()


def test_out_root_mirrors_the_common_directory(g2o_fake: G2o) -> None:
    write("src/a.cu", "src/deep/b.cu")
    assert g2o_fake("translate", "src/a.cu", "src/deep/b.cu", "--out-root", "out").exit_code == 0
    assert tree() == ["out/a.omp.cpp", "out/deep/b.omp.cpp", "out/g2o_runtime.hpp"]


def test_in_root_is_what_out_root_mirrors(g2o_fake: G2o) -> None:
    write("src/deep/b.cu")
    options = ("--out-root", "out", "--in-root", ".")
    assert g2o_fake("translate", "src/deep/b.cu", *options).exit_code == 0
    assert tree() == ["out/g2o_runtime.hpp", "out/src/deep/b.omp.cpp"]
    assert "// runtime: ../../g2o_runtime.hpp\n" in Path("out/src/deep/b.omp.cpp").read_text()


def test_input_outside_in_root(g2o_fake: G2o) -> None:
    write("src/a.cu", "b.cu")
    options = ("--out-root", "out", "--in-root", "src")
    done = g2o_fake("translate", "src/a.cu", "b.cu", *options)
    assert done.exit_code == 2
    assert done.err == "b.cu: error: not below the input root src [G2O0011]\n1 error.\n"
    assert tree() == []


def test_all_flags_reach_the_translator(g2o_fake: G2o) -> None:
    write("a.cu")
    words = "-Ione -I two -DX=1 -D Y -std=c++17 -include pre.h -O1 --assume-noalias --jvp k"
    done = g2o_fake("translate", "a.cu", *words.split(), "--grad", "--", "-w", "-fx=y")
    assert done.exit_code == 0
    assert Path("a.omp.cpp").read_text().splitlines()[:3] == [
        "// flags: -Ione -Itwo -DX=1 -DY -std=c++17 -include pre.h -w -fx=y",
        "// grads: ('',) jvps: ('k',) target: cpu",
        "// optimisation: 1 noalias: True",
    ]


def test_flags_of_a_database_stand_between_search_paths_and_the_rest(g2o_fake: G2o) -> None:
    write("a.cu", "b.cu")
    entry = {"directory": ".", "file": "a.cu", "command": "nvcc -Istored -DN=1 -c a.cu"}
    Path("compile_commands.json").write_text(json.dumps([entry]))
    done = g2o_fake("translate", "a.cu", "b.cu", "-p", ".", "-Iown", "-DN=2")
    assert done.exit_code == 0
    assert "// flags: -Iown -Istored -DN=1 -DN=2\n" in Path("a.omp.cpp").read_text()
    assert "// flags: -Iown -DN=2\n" in Path("b.omp.cpp").read_text()
    assert done.err.splitlines()[0].startswith("b.cu: warning: no entry in compile_commands.json")


def test_headers_take_the_flags_of_a_source(g2o_fake: G2o) -> None:
    write("a.cu", "k.cuh")
    entry = {"directory": ".", "file": "a.cu", "command": "nvcc -Istored -DN=1 -c a.cu"}
    Path("compile_commands.json").write_text(json.dumps([entry]))
    done = g2o_fake("translate", "k.cuh", "a.cu", "-p", ".")
    assert done.exit_code == 0
    assert "// flags: -Istored -DN=1\n" in Path("k.omp.hpp").read_text()
    assert "warning" not in done.err


def test_every_fault_is_reported_and_nothing_written(g2o_fake: G2o) -> None:
    write("bad.cu", text="x BAD\nBAD\n")
    write("good.cu")
    Path("good.omp.cpp").write_text("old")
    Path("dir").mkdir()
    Path("binary.cu").write_bytes(b"\x7fELF\0\0")
    done = g2o_fake("translate", "good.cu", "missing.cu", "dir", "binary.cu", "bad.cu")
    assert done.exit_code == 1
    assert [line for line in done.err.splitlines() if not line.startswith(" ")] == [
        "bad.cu:1:3: error: bad thing [G2O0201]",
        "bad.cu:2:1: error: bad thing [G2O0201]",
        "binary.cu: error: not a text file: it has a NUL byte at offset 4 [G2O0005]",
        "dir: error: is a directory without .cu and .cuh files [G2O0003]",
        "missing.cu: error: no such file [G2O0002]",
        "5 errors.",
    ]
    assert tree() == ["good.omp.cpp"]
    assert Path("good.omp.cpp").read_text() == "old"


def test_keep_going_writes_the_rest_and_still_fails(g2o_fake: G2o) -> None:
    write("bad.cu", text="BAD")
    write("good.cu")
    done = g2o_fake("translate", "good.cu", "missing.cu", "bad.cu", "--keep-going")
    assert done.exit_code == 1
    assert tree() == ["bad.omp.cpp", "g2o_runtime.hpp", "good.omp.cpp"]


def test_refusals_and_bottomless_recursion_are_diagnostics(g2o_fake: G2o) -> None:
    write("r.cu", text="REFUSE")
    write("d.cu", text="DEEP")
    done = g2o_fake("translate", "r.cu", "d.cu")
    assert done.exit_code == 1
    assert "d.cu: error: nested too deeply for g2o [G2O0103]\n" in done.err
    assert "r.cu:1:1: error: inline PTX [G2O0202]\n" in done.err


def test_empty_file_is_translated_with_a_warning(g2o_fake: G2o) -> None:
    write("e.cu", text="")
    done = g2o_fake("translate", "e.cu")
    assert done.exit_code == 0
    assert done.err == (
        "e.cu: warning: file is empty [G2O0006]\n1 warning.\nwrote e.omp.cpp (0 kernels)\n"
    )


def test_input_is_never_overwritten(g2o_fake: G2o) -> None:
    write("a.cu")
    Path("link.cpp").symlink_to("a.cu")
    for output in ("a.cu", "./a.cu", "link.cpp"):
        done = g2o_fake("translate", "a.cu", "-o", output)
        assert done.exit_code == 2
        assert "would overwrite an input [G2O0008]\n" in done.err
    assert Path("a.cu").read_text() == KERNEL
    write("g2o_runtime.hpp")
    done = g2o_fake("translate", "a.cu", "g2o_runtime.hpp")
    assert done.exit_code == 2
    assert Path("g2o_runtime.hpp").read_text() == KERNEL


def test_inputs_that_differ_in_their_suffix_alone(g2o_fake: G2o) -> None:
    write("u.h", "u.cuh", "x.cpp", "x.cu")
    assert g2o_fake("translate", "u.h", "u.cuh", "x.cpp", "x.cu").exit_code == 0
    outputs = ["u.h.omp.hpp", "u.omp.hpp", "x.cpp.omp.cpp", "x.omp.cpp"]
    assert [name for name in tree() if ".omp." in name] == outputs


def test_two_inputs_with_one_output(g2o_fake: G2o) -> None:
    write("u.h", "u.cuh", "u.h.cuh")
    done = g2o_fake("translate", "u.h", "u.cuh", "u.h.cuh")
    assert done.exit_code == 2
    message = "u.h.cuh: error: would be written to u.h.omp.hpp, as u.h [G2O0009]\n1 error.\n"
    assert done.err == message


def test_the_same_input_twice_is_translated_once(g2o_fake: G2o) -> None:
    write("a.cu")
    done = g2o_fake("translate", "a.cu", "a.cu")
    assert (done.exit_code, done.err) == (0, "wrote a.omp.cpp (1 kernel)\n")


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("missing/x.cpp", "No such file or directory"),
        ("dir", "is a directory"),
        ("file/x.cpp", "Not a directory"),
        ("n" * 300, "File name too long"),
    ],
)
def test_output_that_cannot_be_written(g2o_fake: G2o, output: str, reason: str) -> None:
    write("a.cu", "file")
    Path("dir").mkdir()
    before = tree()
    done = g2o_fake("translate", "a.cu", "-o", output)
    assert done.exit_code == 1
    assert done.err == f"{output}: error: cannot write output: {reason} [G2O0007]\n1 error.\n"
    assert tree() == before


def test_a_failing_write_leaves_all_outputs_as_they_were(g2o_fake: G2o) -> None:
    write("a.cu", "b.cu")
    Path("a.omp.cpp").write_text("old")
    Path("b.omp.cpp").mkdir()
    assert g2o_fake("translate", "a.cu", "b.cu").exit_code == 1
    assert Path("a.omp.cpp").read_text() == "old"
    assert tree() == ["a.omp.cpp"]


def test_output_keeps_its_mode_and_a_link_stays_a_link(g2o_fake: G2o) -> None:
    write("a.cu")
    Path("real.cpp").touch(mode=0o640)
    Path("a.omp.cpp").symlink_to("real.cpp")
    assert g2o_fake("translate", "a.cu").exit_code == 0
    assert Path("a.omp.cpp").is_symlink()
    assert Path("real.cpp").read_text().endswith(KERNEL)
    assert Path("real.cpp").stat().st_mode & 0o777 == 0o640


def test_current_runtime_header_is_left_alone(g2o_fake: G2o) -> None:
    write("a.cu")
    g2o_fake("translate", "a.cu")
    os.utime("g2o_runtime.hpp", (1, 1))
    g2o_fake("translate", "a.cu")
    assert Path("g2o_runtime.hpp").stat().st_mtime == 1
    Path("g2o_runtime.hpp").write_text("edited")
    g2o_fake("translate", "a.cu")
    assert Path("g2o_runtime.hpp").read_text() != "edited"


def test_every_byte_of_the_source_survives(g2o_fake: G2o) -> None:
    data = b"\xef\xbb\xbf// gr\xf6\xdfe\r\nint x;\r\n// \xe6\xbc\xa2"
    Path("a.cu").write_bytes(data)
    assert g2o_fake("translate", "a.cu").exit_code == 0
    assert Path("a.omp.cpp").read_bytes().endswith(data)


def test_remarks_and_report(g2o_fake: G2o) -> None:
    write("a.cu")
    done = g2o_fake("translate", "a.cu", "--remarks", "--report", "r.html")
    assert "a.cu:1:1: remark: barrier removed [G2O0301]\n" in done.err
    assert "barrier removed" in Path("r.html").read_text()
    assert "remark" not in g2o_fake("translate", "a.cu").err


def test_json_is_the_only_thing_on_any_stream(g2o_fake: G2o) -> None:
    write("bad.cu", text="BAD")
    done = g2o_fake("translate", "bad.cu", "missing.cu", "--diagnostics-format", "json")
    assert (done.exit_code, done.err) == (1, "")
    codes = [found["code"] for found in json.loads(done.out)["diagnostics"]]
    assert codes == ["G2O0201", "G2O0002"]
    write("good.cu")
    done = g2o_fake("translate", "good.cu", "--diagnostics-format=json", "-o", "no/x.cpp")
    assert [found["code"] for found in json.loads(done.out)["diagnostics"]] == ["G2O0007"]


def test_sarif(g2o_fake: G2o) -> None:
    write("bad.cu", text="BAD")
    done = g2o_fake("translate", "bad.cu", "--diagnostics-format", "sarif")
    assert json.loads(done.out)["runs"][0]["results"][0]["ruleId"] == "G2O0201"


def test_quiet(g2o_fake: G2o) -> None:
    write("a.cu")
    assert g2o_fake("translate", "a.cu", "-q").err == ""


def test_absolute_input_below_the_current_directory_is_shown_relative(g2o_fake: G2o) -> None:
    write("a.cu", text="BAD")
    done = g2o_fake("translate", Path("a.cu").absolute())
    assert done.err.startswith("a.cu:1:1: error:")


def test_names_that_are_not_utf8_and_links_that_lead_nowhere(g2o_fake: G2o) -> None:
    Path("loop.cu").symlink_to("loop.cu")
    done = g2o_fake("translate", "loop.cu", "\udcff.cu")
    assert done.exit_code == 1
    link, name, _ = done.err.splitlines()
    assert link == "loop.cu: error: cannot read: Too many levels of symbolic links [G2O0004]"
    assert name.endswith(".cu: error: no such file [G2O0002]")
    done = g2o_fake("translate", "\udcff.cu", "--diagnostics-format", "sarif")
    assert '"uri": "%FF.cu"' in done.out


def test_mixed_line_ends_stay_where_they_are(g2o: G2o) -> None:
    Path("x.cu").write_bytes(b"int a;\r\nint b;\ncudaError_t e;\r\n")
    assert g2o("translate", "x.cu").exit_code == 0
    assert Path("x.omp.cpp").read_bytes().endswith(b"int a;\r\nint b;\ng2o::Error e;\r\n")


def test_a_fault_of_a_header_is_told_once(g2o: G2o) -> None:
    """It is found in each source that includes the header, and in the header as an input."""
    device = "__device__ float twice(float x) { return 2 * x; }\n"
    write("common.h", text="#include <cutlass/gemm.h>\n" + device)
    write(
        "a.cu", "b.cu", text='#include "common.h"\n__global__ void k(float *x) { *x = twice(1); }\n'
    )
    done = g2o("translate", str(Path("a.cu").absolute()), "b.cu")
    assert done.exit_code == 1
    assert done.err.count("CUTLASS is not translated") == 1, done.err
    assert done.err.startswith("common.h:1:10: error: ")
    assert done.err.endswith("\n1 error.\n")
