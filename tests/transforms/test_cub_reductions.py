"""CUB's reductions become operations between threads, or are refused; never plain calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_KERNEL = """\
#include <cub/cub.cuh>
{outside}
struct Plus {{
    float factor;
    __device__ float operator()(float a, float b) const {{ return factor * (a + b); }}
}};
__global__ void k(const float *x, float *y, int n)
{{
    {inside}
    __shared__ {storage} storage;
    float v = x[blockIdx.x * 64 + threadIdx.x];
    {statement}
    if (threadIdx.x == 0)
        y[blockIdx.x] = v;
}}
void launch(const float *x, float *y, int n)
{{
    k<<<4, 64>>>(x, y, n);
}}
"""
_INSIDE = "typedef cub::BlockReduce<float, 64> Reduce;"
_STORAGE = "Reduce::TempStorage"


def _translated(tmp_path: Path, **parts: str) -> tuple[int, str]:
    words = {"outside": "", "inside": _INSIDE, "storage": _STORAGE}
    source = tmp_path / "k.cu"
    source.write_text(_KERNEL.format(**{**words, **parts}))
    code = run_g2o(["translate", "-q", "--without", "collectives", str(source)])
    output = tmp_path / "k.omp.cpp"
    return code, output.read_text() if output.exists() else ""


@pytest.mark.parametrize(
    ("parts", "call"),
    [
        ({"statement": "v = Reduce(storage).Sum(v);"}, "g2o::reduce_add(v, 64)"),
        (
            {"outside": _INSIDE, "inside": "", "statement": "v = Reduce(storage).Sum(v);"},
            "g2o::reduce_add(v, 64)",
        ),
        ({"statement": "v = Reduce(storage).Reduce(v, cub::Min());"}, "g2o::reduce_min(v, 64)"),
        (
            {"statement": "v = Reduce(storage).Reduce(v, thrust::multiplies<float>());"},
            "g2o::reduce_with(v, 64, thrust::multiplies<float>())",
        ),
        (
            {
                "inside": _INSIDE + " using Memory = typename Reduce::TempStorage;",
                "storage": "Memory",
                "statement": "v = Reduce(storage).Sum(v);",
            },
            "g2o::reduce_add(v, 64)",
        ),
        (
            {
                "inside": "using Reduce = cub::WarpReduce<float, 8>;",
                "storage": "typename Reduce::TempStorage",
                "statement": "v = Reduce(storage).Sum(v);",
            },
            "g2o::reduce_add(v, 8)",
        ),
        ({"statement": "Reduce reduce(storage); v = reduce.Sum(v);"}, "g2o::reduce_add(v, 64)"),
        ({"statement": "v = Reduce().Sum(v);"}, "g2o::reduce_add(v, 64)"),
        ({"statement": "v = Reduce(storage).Sum(v, n);"}, "value[t] = t < n ? v : 0;"),
        (
            {
                "inside": _INSIDE,
                "storage": "union { Reduce::TempStorage reduce; }",
                "statement": "v = Reduce(storage.reduce).Sum(v);",
            },
            "g2o::reduce_add(v, 64)",
        ),
        (
            {
                "inside": "using Reduce = cub::WarpScan<float, 16>;",
                "storage": "typename Reduce::TempStorage",
                "statement": "Reduce(storage).ExclusiveSum(v, v);",
            },
            "g2o::exclusive_scan_add(",
        ),
    ],
    ids=[
        "sum",
        "declared outside",
        "minimum",
        "function object",
        "named memory",
        "part of a warp",
        "object",
        "memory of its own",
        "first threads",
        "member of a union",
        "scan of lanes",
    ],
)
def test_translated(parts: dict[str, str], call: str, tmp_path: Path) -> None:
    code, text = _translated(tmp_path, **parts)
    assert code == 0
    assert call in text
    kernel = text[text.index("void k(") :]
    assert "TempStorage" not in kernel
    assert "cub::" not in kernel


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            {"statement": "while (Reduce(storage).Reduce(v, cub::Max(), n) > v) v += 1;"},
            "cub::BlockReduce::Reduce inside of a condition",
        ),
        (
            {"statement": "v = Reduce(storage).Reduce(v, Plus{v});"},
            "cub reduction with an operator that is not made in place",
        ),
        (
            {"statement": "auto *s = &storage; v = Reduce(*s).Sum(v);"},
            "use of CUB's memory that is no plain operation",
        ),
        (
            {
                "inside": _INSIDE + " union Memory { Reduce::TempStorage reduce; float own; };",
                "storage": "Memory",
                "statement": "v = Reduce(storage.reduce).Sum(v);",
            },
            "memory of CUB beside 'float own' in one structure",
        ),
        (
            {
                "outside": f"struct Own {{ {_INSIDE} }};",
                "inside": "",
                "storage": "Own::Reduce::TempStorage",
                "statement": "v = Own::Reduce(storage).Sum(v);",
            },
            "whose class is declared elsewhere",
        ),
        (
            {
                "outside": _INSIDE + " typedef Reduce::TempStorage Memory;",
                "inside": "",
                "storage": "Memory",
                "statement": "v = Reduce(storage).Sum(v);",
            },
            "cub operation 'Sum' whose memory is declared elsewhere",
        ),
        (
            {"statement": "if (threadIdx.x < 40) v = Reduce(storage).Sum(v);"},
            "under thread-dependent control flow",
        ),
        (
            {
                "inside": "using Reduce = cub::WarpReduce<float, 12>;",
                "statement": "v = Reduce(storage).Sum(v);",
            },
            "cub::WarpReduce of 12 lanes",
        ),
        (
            {
                "inside": "typedef cub::BlockDiscontinuity<float, 64> Reduce;",
                "statement": "Reduce(storage).FlagHeads(&v);",
            },
            "'cub::BlockDiscontinuity' is not translated",
        ),
    ],
)
def test_refused(
    parts: dict[str, str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = _translated(tmp_path, **parts)
    assert (code, text) == (1, "")
    assert message in capsys.readouterr().err


def test_values_are_converted_first(tmp_path: Path) -> None:
    code, text = _translated(
        tmp_path,
        inside="typedef cub::BlockReduce<int, 64> Reduce;",
        statement="v = Reduce(storage).Sum(v * 0.5f);",
    )
    assert code == 0
    assert "int value[64];" in text
    assert "value[t] = int(" in text
