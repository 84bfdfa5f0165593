"""Outputs are the same bytes on every machine, and keep the encoding of the input."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import G2o

CORPUS: Final = Path(__file__).parents[2] / "corpus"
KERNEL: Final = "__global__ void k(int *x)\n{\n    x[threadIdx.x] = N;\n}\n"


def test_command_is_shown_without_paths(g2o: G2o) -> None:
    Path("sub").mkdir()
    Path("sub/x.cu").write_text(KERNEL)
    flags = ["-I", "sub", f"-I{Path.cwd()}", "-D", "N=4", '-DWHERE="/usr"']
    assert (
        g2o(
            "translate", "sub/x.cu", "-O1", *flags, "--", "-fgnu-keywords", "-isystem", "sub"
        ).exit_code
        == 0
    )
    first = Path("sub/x.omp.cpp").read_text().splitlines()[0]
    assert first.endswith(": g2o translate x.cu -O1 -DN=4 -fgnu-keywords")


def test_check_agrees_from_every_directory(g2o: G2o, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("sub/include").mkdir(parents=True)
    Path("sub/x.cu").write_text('#include "n.h"\n' + KERNEL)
    Path("sub/include/n.h").write_text("#define N 4\n")
    root = Path.cwd()
    assert g2o("translate", "sub/x.cu", "-I", "sub/include").exit_code == 0
    assert g2o("check", root / "sub/x.cu", f"-I{root}/sub/include").exit_code == 0
    monkeypatch.chdir(root / "sub")
    assert g2o("check", "x.cu", "-Iinclude").exit_code == 0


def test_encodings_change_nothing_but_the_bytes(g2o: G2o) -> None:
    text = b"// gr\xf6\xdfe \xc3\xa4\n" + (CORPUS / "block_sum/block_sum.cu").read_bytes()
    Path("unix.cu").write_bytes(text)
    Path("other.cu").write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    assert g2o("translate", "unix.cu", "other.cu").exit_code == 0
    unix, other = Path("unix.omp.cpp").read_bytes(), Path("other.omp.cpp").read_bytes()
    assert b"// gr\xf6\xdfe \xc3\xa4\n" in unix
    assert b"\r\r" not in other
    expected = b"".join(line + b"\r\n" for line in unix.splitlines()[2:])
    assert other.startswith(b"\xef\xbb\xbf")
    assert other.split(b"\r\n", 2)[2] == expected
