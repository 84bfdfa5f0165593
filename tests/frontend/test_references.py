"""Names of host code that only the compiler can attribute."""

import subprocess
from pathlib import Path

from g2o.cli.main import run as run_g2o
from g2o.frontend.cuda.references import note_host_references
from g2o.frontend.cuda.unit import parse_unit

TEXT = """\
#include <cuda_fp16.h>
#include <algorithm>
void f(half2 *a, int half) { int q = min(1, half) + std::min(2, 3); half += q; }
template <class T> T g(T a) { return static_cast<half>(max(a, a)); }
void h() { using std::max; max(1, 2); }
"""


def test_references(tmp_path: Path) -> None:
    path = tmp_path / "x.cu"
    path.write_text(TEXT)
    unit, faults = parse_unit(path, (), "x.cu")
    assert faults == ()
    note_host_references(unit)
    renames = unit.semantic_renames[str(path)]
    found = [(TEXT[offset:].split("(")[0].split(" ")[0], renames[offset]) for offset in renames]
    assert sorted(found) == [
        ("half2", "g2o::half2"),
        ("half>", "g2o::half"),
        ("max", "g2o::max"),
        ("min", "g2o::min"),
    ]


def test_launches_with_spaces_in_their_chevrons_are_launches(tmp_path: Path) -> None:
    path = tmp_path / "x.cu"
    text = "__global__ void k(int *a) {}\nvoid f() { k << < 1, 8 >> > (0); g(8 >> 1); }\n"
    path.write_text(text)
    _, faults = parse_unit(path, (), "x.cu")
    assert [fault.message for fault in faults] == ["use of undeclared identifier 'g'"]
    assert [fault.span and fault.span.begin for fault in faults] == [text.index("g(8")]


def test_a_variable_that_std_would_hide(tmp_path: Path) -> None:
    """The runtime header includes more of the library than the source does."""
    path = tmp_path / "x.cu"
    path.write_text(
        "namespace std {}\nusing namespace std;\nint size, *data;\n__device__ int count;\n"
        "__global__ void k(int *x) { x[threadIdx.x] = 1; atomicAdd(&count, 1); }\n"
        "int run(int left) { size = left + ::size; { int size = 3; left = size; } return size; }\n"
        "void start() { k<<<1, 32>>>(data); }\n"
    )
    assert run_g2o(["translate", "-q", str(path)]) == 0
    code = (tmp_path / "x.omp.cpp").read_text()
    assert "::size = left + ::size; { int size = 3; left = size; } return ::size;" in code
    assert "k(1, 32, ::data)" in code
    assert "&::count" in code
    subprocess.run(["g++", "-std=c++17", "-fopenmp", "-c", "x.omp.cpp"], cwd=tmp_path, check=True)
