"""The parts of the runtime header: what each declares, and that each can be read alone."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.clang_unit import TranslationUnit
from g2o.frontend.cuda.unit import compiler_includes
from g2o.frontend.output import written
from g2o.runtime.headers import RUNTIME_HEADER, companion_headers, parts, with_parts

_FOLDER = Path(written.__file__).parents[2] / "runtime"
_STUBS = _FOLDER.parent / "frontend/output/headers"
_TABLE = _FOLDER / "declared.json"
_LIBRARIES = {
    *("g2o_cub.hpp", "g2o_cupy.hpp", "g2o_libcudacxx.hpp", "g2o_thrust.hpp", "g2o_torch.hpp")
}
_LIMIT = 1500  # lines of the header that every translation includes


def test_names_are_those_that_the_parts_declare(golden: Callable[[Path, str], None]) -> None:
    golden(_TABLE, json.dumps(_declared(), indent=1, sort_keys=True) + "\n")


def _declared() -> dict[str, list[str]]:
    """The names of namespace `g2o` by the part that others have to include for them: of several
    that declare a name, the one that the others include."""
    includes = "".join(f'#include "{name}"\n' for name in sorted(companion_headers() - _LIBRARIES))
    found: dict[str, set[str]] = {}
    for flags in ((), ("-DG2O_OFFLOAD=1",)):
        where = str(_FOLDER / "all.cpp")
        arguments = ("-x", "c++", "-std=c++17", "-fopenmp", "-w", *flags, f"-I{_STUBS}")
        unit = TranslationUnit(
            where, (*arguments, *compiler_includes()), {where: includes.encode()}
        )
        assert not [one.text for one in unit.messages if one.severity >= 3]
        for cursor in _outside_of_linkage(unit.top_level):
            if cursor.kind == "NAMESPACE" and cursor.spelling == "g2o":
                for name, file in _names(cursor):
                    found.setdefault(name, set()).add(Path(file).name)
    table: dict[str, list[str]] = {}
    for name, files in sorted(found.items()):
        first = min(files, key=lambda file: len(_included_by(file)))
        if first != RUNTIME_HEADER:
            table.setdefault(first, []).append(name)
    return table


def _outside_of_linkage(cursors: Iterable[Cursor]) -> Iterator[Cursor]:
    for cursor in cursors:
        if cursor.kind in ("LINKAGE_SPEC", "UNEXPOSED_DECL"):  # extern "C++" {
            yield from _outside_of_linkage(cursor.children)
        else:
            yield cursor


def _names(namespace: Cursor) -> Iterator[tuple[str, str]]:
    for cursor in namespace.children:
        if cursor.kind == "NAMESPACE" and cursor.spelling in ("types", "libraries"):
            yield from _names(cursor)
        elif cursor.kind not in ("NAMESPACE", "USING_DIRECTIVE") and cursor.spelling:
            yield cursor.spelling, cursor.file
            if cursor.kind == "ENUM_DECL":
                yield from ((one.spelling, one.file) for one in cursor.children)


def _included_by(name: str) -> set[str]:
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    direct = {line.split('"')[1] for line in lines if line.startswith('#include "')}
    return direct.union(*map(_included_by, direct))


def test_every_translation_includes_little() -> None:
    assert len((_FOLDER / RUNTIME_HEADER).read_text(encoding="utf-8").splitlines()) <= _LIMIT


@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_parts_warn_of_nothing(compiler: str, tmp_path: Path) -> None:
    """Nor inside of `extern "C"`, where programs in C style include the headers that have them."""
    includes = "".join(f'#include "{name}"\n' for name in parts())
    inside = f'extern "C" {{\n{includes}}}\n'
    _compiles(compiler, tmp_path, inside, "-Wshadow", "-Wold-style-cast")


@pytest.mark.slow
def test_every_part_can_be_included_alone(tmp_path: Path) -> None:
    for name in (RUNTIME_HEADER, *parts()):
        _compiles("g++", tmp_path, f'#include "{name}"\n')


def _compiles(compiler: str, folder: Path, includes: str, *warnings: str) -> None:
    """In front of the includes are macros that they leave alone, but not of other libraries."""
    libraries = "".join(f"#include <{name}>\n" for name in ("cblas.h", "fftw3.h", "lapacke.h"))
    macros = "".join(f"#define {letter} 1\n" for letter in "ABDFGIPTUV")
    text = f"{libraries}{macros}{includes}int sum_of_letters = P + T;\n"
    source = folder / "including.cpp"
    source.write_text(text, encoding="utf-8")
    flags = ("-std=c++17", "-fopenmp", "-Wall", "-Wextra", *warnings, "-Werror", "-fsyntax-only")
    stubs = f"-idirafter{_STUBS}"  # where libraries that the parts call are not installed
    command = [compiler, *flags, f"-I{_FOLDER}", stubs, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_is_named_is_included() -> None:
    code = '#pragma once\n#include "../g2o_runtime.hpp"\n\nint x = g2o::popc(7);\n'
    assert with_parts(code) == code.replace("\n\n", '\n#include "../g2o_math.hpp"\n\n')
    code = '#include "g2o_runtime.hpp"\r\ng2o::half h; g2o::Error popc;\r\n'
    assert with_parts(code).split("\r\n")[1:2] == ['#include "g2o_half.hpp"']
    for comment in ("  // errors", " /* errors,\n   events */ // and devices"):
        code = f'#include "g2o_runtime.hpp"{comment}\n#include <cstdio>\ng2o::DeviceProp p;\n'
        included = '\n#include "g2o_devices.hpp"\n#include <cstdio>\n'
        assert with_parts(code) == code.replace("\n#include <cstdio>\n", included)
    assert with_parts("int popc;\n") == "int popc;\n"
