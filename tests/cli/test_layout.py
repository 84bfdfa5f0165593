"""Edits of host code keep its layout: backslashes stay aligned, lines stay within 100 columns."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import G2o

MACROS = r"""#define CHECK(call)          \
    do {                     \
        cudaError_t e = call;\
    } while (0)
#define TIGHT(call) \
    if ((call) != cudaSuccess) \
        abort();
#define FULL(x)                     \
    cudaError_t e = (x);            \
    puts(cudaGetErrorString(e));    \
    puts(cudaGetErrorName(e), text) \
"""
EXPECTED = r"""#define CHECK(call)          \
    do {                     \
        g2o::Error e = call; \
    } while (0)
#define TIGHT(call) \
    if ((call) != g2o::Success) \
        abort();
#define FULL(x)                        \
    g2o::Error e = (x);                \
    puts(g2o::get_error_string(e));    \
    puts(g2o::get_error_name(e), text) \
"""
LONG = """\
int main()
{
    int   kept ;
    cudaError_t one_error = cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyDefault, nullptr); //
    return one_error == cudaSuccess ;
}
"""


def translated(text: str, run: G2o) -> str:
    Path("x.cu").write_text(text)
    done = run("translate", "x.cu")
    assert done.exit_code == 0, done.err
    return Path("x.omp.cpp").read_text()


def test_backslashes_stay_in_their_column(g2o: G2o) -> None:
    code = translated("#include <cuda_runtime.h>\n" + MACROS, g2o)
    assert code.split('#include "g2o_runtime.hpp"\n')[1] == EXPECTED


def test_lines_that_became_too_long_are_broken(g2o: G2o) -> None:
    code = translated(LONG, g2o)
    assert max(map(len, code.splitlines())) <= 100
    assert "    int   kept ;\n" in code
    assert "    return one_error == g2o::Success ;\n" in code
