"""What clang says of files that are not there yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda import precompiled
from g2o.frontend.cuda.clang_unit import TranslationUnit
from g2o.frontend.cuda.unit import compiler_includes
from g2o.frontend.output import written
from g2o.frontend.output.written import Written, faults
from g2o.runtime.headers import all_headers

OMP = Path(written.__file__).parent / "headers" / "omp.h"


def _written(texts: dict[Path, str], *flags: str) -> Written:
    headers = {Path("out") / name: text for name, text in all_headers("cpu").items()}
    files = {path: text.encode() for path, text in texts.items()}
    return Written({**headers, **files}, flags, (), offload=False)


def _found(code: str, *flags: str) -> list[str]:
    path = Path("out/a.cpp")
    return [one.text for one in faults(_written({path: code}, *flags), path)]


def test_files_of_directories_that_are_not_there() -> None:
    source, header = Path("out/src/a.cpp"), Path("out/inc/b.hpp")
    texts = {
        source: '#include "../g2o_runtime.hpp"\n#include "../inc/b.hpp"\nint a = b;\n',
        header: "#pragma once\nint b = c;\nnamespace n { void f() { d(); } }\n",
    }
    found = faults(_written(texts), source)
    assert [(one.text, one.file, one.inside) for one in found] == [
        ("use of undeclared identifier 'c'", header, None),
        ("use of undeclared identifier 'd'", header, "f"),
    ]


def test_errors_in_the_runtime_are_where_they_come_from() -> None:
    code = '#include "g2o_math.hpp"\nstruct S {};\nvoid f() { g2o::max(S(), S()); }\n'
    path = Path("out/a.cpp")
    found = faults(_written({path: code}), path)
    assert found
    assert {(one.file, one.inside) for one in found} == {(path, "f")}


def test_instances() -> None:
    code = "template <typename T> void k(T *p) { p->none(); }\n"
    path = Path("out/a.cpp")
    files = _written({path: code})
    assert faults(files, path) == ()
    assert faults(files, path, ("no_such_thing<int>",)) == ()
    (fault,) = faults(files, path, ("k<int>",))
    assert fault.inside == "k"


@pytest.mark.parametrize("flags", [(), ("-DError=1",), ("-std=c++20",), ("-fgnu-keywords",)])
def test_flags_that_change_what_the_runtime_means(flags: tuple[str, ...]) -> None:
    found = _found('#include "g2o_runtime.hpp"\nint x = __cplusplus;\n', *flags)
    assert bool(found) == ("-DError=1" in flags)  # that is a name of the runtime header


def test_directives_are_read() -> None:
    code = (
        "void f(int n) {\n#pragma omp parallel for reduction(+ : m)\nfor (int i = 0; i < n; ++i);}"
    )
    assert _found(code) == ["use of undeclared identifier 'm'"]


def test_what_is_kept_and_outdated_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    precompiled.precompiled.cache_clear()
    code = '#include "g2o_runtime.hpp"\nint x = y;\n'
    assert _found(code) == ["use of undeclared identifier 'y'"]
    (kept,) = (tmp_path / "g2o").glob("headers-*.pch")
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2])
    assert _found(code) == ["use of undeclared identifier 'y'"]
    precompiled.precompiled.cache_clear()


def test_nothing_is_kept_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Libclang would end the process there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(precompiled, "_ROOM", 1 << 62)
    precompiled.precompiled.cache_clear()
    assert _found('#include "g2o_runtime.hpp"\nint x = y;\n') == [
        "use of undeclared identifier 'y'"
    ]
    assert list((tmp_path / "g2o").iterdir()) == []
    precompiled.precompiled.cache_clear()


def test_own_omp_header_is_c_and_cpp() -> None:
    for language in ("c", "c++"):
        unit = TranslationUnit(str(OMP), ("-x", language, "-Wall", *compiler_includes()))
        assert [one.text for one in unit.messages if one.severity > 2] == []
