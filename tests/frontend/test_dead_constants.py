"""Constants that a translation has no use for."""

from __future__ import annotations

from g2o.frontend.cuda.dead_constants import without_dead_constants
from g2o.frontend.cuda.dead_macros import without_dead_macros

SOURCE = """\
constexpr unsigned kFullMask = 0xffffffffu;
static const int kWarps = 2; // of a block
const char *const kNames[] = {"a"};
constexpr int kNeverUsed = 3;
__global__ void k(int *x) { x[0] = __shfl_sync(kFullMask, kWarps, 0) + kNames[0][0]; }
"""


def test_constants_go_with_their_last_use() -> None:
    code = SOURCE.replace("__shfl_sync(kFullMask, kWarps, 0)", "kWarps")
    assert without_dead_constants(code, SOURCE) == code.split("\n", 1)[1]


def test_what_the_source_did_not_use_either_stays() -> None:
    assert without_dead_constants(SOURCE, SOURCE) == SOURCE


def test_uses_in_macros_count() -> None:
    code = SOURCE.replace("__shfl_sync(kFullMask, kWarps, 0)", "kWarps")
    code += "#define MASK kFullMask\n"
    assert without_dead_constants(code, SOURCE) == code


def test_macros_for_launch_indices_go_though_they_name_themselves() -> None:
    code = "#define cell(q) cell[X + (q)]\n#define X threadIdx.x\nint y;\n"
    assert without_dead_macros(code) == "int y;\n"


def test_macros_of_a_header_go_however_they_get_to_the_launch() -> None:
    code = """\
#define POINTS (blockDim.x * gridDim.x)
#define POINT (threadIdx.x + blockIdx.x * blockDim.x)
#define AT(p, z) (p[((z) - 1) * POINTS + POINT])
#define SPECIES(q) AT(SPECIES, q)
#define FIRST(x) ((x)[0])
"""
    assert without_dead_macros(code) == "#define FIRST(x) ((x)[0])\n"
