"""CUDA's declarations are read once, and mean what they would in front of every file."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.diagnostics.source import files_read
from g2o.frontend.cuda import precompiled
from g2o.frontend.cuda.clang_unit import TranslationUnit
from g2o.frontend.cuda.unit import DECLARATIONS, parse_unit

_CODE = "#include <cstdlib>\n__global__ void k(int *p) { *p = %s; }\n"


def _messages(directory: Path, value: str, *flags: str) -> list[str]:
    path = directory / "a.cu"
    path.write_text(_CODE % value)
    _, faults = parse_unit(path, flags, "a.cu")
    return [fault.message for fault in faults]


def test_a_second_file_does_not_read_them_again(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(_CODE % "1")
    unit, faults = parse_unit(path, (), "a.cu")
    assert faults == ()
    arguments = unit.parsed.arguments
    kept = precompiled.precompiled(DECLARATIONS / "g2o_cuda.h", arguments)
    assert kept is not None
    assert any(name.endswith("/stdlib.h") for name in kept.files)
    assert set(kept.files) <= files_read()
    read = TranslationUnit(str(path), (*arguments, "-include-pch", str(kept.path)))
    assert not any(name.endswith("/stdlib.h") for _, name, _ in read.includes)


@pytest.mark.parametrize(
    ("flags", "value"),
    [
        (("-DVALUE_OF=3",), "VALUE_OF"),
        (("-D", "VALUE_OF=abs(3)"), "VALUE_OF"),
        (("-std=c++20",), "1"),
    ],
)
def test_flags_that_decide(flags: tuple[str, ...], value: str, tmp_path: Path) -> None:
    assert _messages(tmp_path, value, *flags) == []
    assert _messages(tmp_path, "no_such_name", *flags)


def test_a_directory_with_a_header_of_the_same_name_is_looked_into_first(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "stdlib.h").write_text("#include_next <stdlib.h>\n#define OWN_VALUE 7\n")
    assert _messages(tmp_path, "OWN_VALUE")
    assert _messages(tmp_path, "OWN_VALUE", "-I", str(own)) == []


def test_what_has_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    header = tmp_path / "h.h"
    arguments = ("-x", "c++")
    header.write_text("int a;\n")
    first = precompiled.precompiled(header, arguments)
    assert first is not None
    precompiled.precompiled.cache_clear()
    header.write_text("int a;\nint b;\n")
    path = tmp_path / "m.cpp"
    path.write_text("int c = b;\n")
    found = precompiled.unit_behind(header, arguments, str(path), arguments, {})
    precompiled.precompiled.cache_clear()
    assert found is not None
    assert found.messages == ()


@pytest.mark.parametrize("name", ["C", "F", "P", "S", "T", "V"])
def test_macros_of_a_command_line_do_not_meet_the_declarations(name: str, tmp_path: Path) -> None:
    assert _messages(tmp_path, name, f"-D{name}=3") == []


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_functions_for_hosts_and_for_devices_stay_two(tmp_path: Path, standard: str) -> None:
    path = tmp_path / "a.cu"
    path.write_text("""#include <stdio.h>
#include <vector>
__global__ void k(int *p) { printf("%d", *p); }
int main() { std::vector<int> v(3); printf("%zu", v.size()); return 0; }
""")
    _, faults = parse_unit(path, (f"-std={standard}",), "a.cu")
    assert faults == ()
