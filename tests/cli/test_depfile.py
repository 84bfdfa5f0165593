"""`--depfile`: what translations depend on."""

from __future__ import annotations

import os
from pathlib import Path

from tests.cli.conftest import G2o


def _dependencies(path: str) -> tuple[str, list[str]]:
    """The targets of a depfile, and those dependencies that are the project's own."""
    targets, _, names = Path(path).read_text().partition(": ")
    return targets, [name for name in names.split(" \\\n  ") if not name.startswith("/")]


def test_files_that_are_read_are_in_it(g2o: G2o) -> None:
    Path("n.h").write_text("#define N 3\n")
    Path("k.cuh").write_text('#include "n.h"\n__device__ inline int three() { return N; }\n')
    source = '#include "k.cuh"\n__global__ void k(int *x) { *x = three(); }\n'
    Path("a $b.cu").write_text(source)
    Path("other.h").write_text("")
    assert g2o("translate", "a $b.cu", "--header", "--depfile", "x.d").exit_code == 0
    targets, own = _dependencies("x.d")
    assert targets == r"a\ $$b.omp.cpp a\ $$b.omp.h k.omp.hpp"
    assert [name.rstrip() for name in own] == [r"a\ $$b.cu", "k.cuh", "n.h"]


def _translate(g2o: G2o) -> None:
    words = (
        "--out-root",
        "o",
        "--depfile",
        "o/x.d",
        "--depfile-target",
        "stamp",
        "--no-self-check",
    )
    assert g2o("translate", "a.cu", "b.cu", *words).exit_code == 0


def test_with_a_target_only_what_changed_is_written(g2o: G2o) -> None:
    Path("k.cuh").write_text("#pragma once\n#define N 3\n__device__ inline int n() { return N; }\n")
    for name in ("a", "b"):
        source = f'#include "k.cuh"\n__global__ void {name}(int *x) {{ x[threadIdx.x] = n(); }}\n'
        Path(f"{name}.cu").write_text(source)
    _translate(g2o)
    assert _dependencies("o/x.d")[0] == "stamp"
    outputs = ["o/a.omp.cpp", "o/b.omp.cpp", "o/k.omp.hpp", "o/g2o_runtime.hpp"]

    def written() -> list[str]:
        for name in outputs:
            os.utime(name, (1, 1))
        _translate(g2o)
        return [name for name in outputs if Path(name).stat().st_mtime > 1]

    assert written() == []
    Path("a.cu").write_text(Path("a.cu").read_text().replace("x[", "x[1 + "))
    assert written() == ["o/a.omp.cpp"]
    # Who includes the header, a build may not know yet.
    Path("k.cuh").write_text(Path("k.cuh").read_text().replace("3", "4"))
    assert written() == ["o/a.omp.cpp", "o/b.omp.cpp", "o/k.omp.hpp"]


def test_derivatives_of_c_depend_on_what_they_include(g2o: G2o) -> None:
    Path("n.h").write_text("#define N 3.0\n")
    Path("f.c").write_text(
        '#include "n.h"\n#pragma g2o grad (f)/(x)\ndouble f(double x)\n{\n    return N * x;\n}\n'
    )
    assert g2o("translate", "f.c", "--depfile", "f.d").exit_code == 0
    targets, own = _dependencies("f.d")
    assert targets == "f.g2o.c"
    assert [name.rstrip() for name in own] == ["f.c", "n.h"]


def test_a_stream_has_no_rule(g2o_fake: G2o) -> None:
    Path("a.cu").write_text("")
    done = g2o_fake("translate", "a.cu", "-o", "-", "--depfile", "x.d")
    assert (done.exit_code, Path("x.d").exists()) == (2, False)
    assert g2o_fake("translate", "a.cu", "--depfile-target", "s").exit_code == 2
