"""Only a reverse sweep that needs nothing of the forward sweep follows a call of the primal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from g2o.interop.translate import translate

CASES: Final = Path(__file__).parent / "cases"
_STANDS_ALONE: Final = {
    ("block_sum", "block_sum"),
    ("sweep_alone", "alone"),
    ("transpose", "transpose"),
}


@pytest.mark.parametrize("name", ["block_sum", "matmul_tiled", "sweep_alone", "transpose"])
def test_primal_is_called(name: str) -> None:
    code = translate(CASES / f"{name}.cu", grad="").code
    adjoints = re.findall(r"^void (\w+)_grad\(.*?^}", code, re.MULTILINE | re.DOTALL)
    bodies = re.findall(r"^void \w+_grad\(.*?^}", code, re.MULTILINE | re.DOTALL)
    assert adjoints
    for kernel, body in zip(adjoints, bodies, strict=True):
        called = f"    {kernel}(grid, block" in body
        assert called == ((name, kernel) in _STANDS_ALONE), kernel


def test_pack_of_template_parameters_is_not_handed_on(tmp_path: Path) -> None:
    source = tmp_path / "pack.cu"
    source.write_text(
        "template <int... N> __global__ void k(const float *x, float *y)\n"
        "{\n"
        "    __shared__ float s[32];\n"
        "    s[threadIdx.x] = x[threadIdx.x];\n"
        "    __syncthreads();\n"
        "    y[threadIdx.x] = s[31 - threadIdx.x];\n"
        "}\n"
        "template __global__ void k<1, 2>(const float *, float *);\n"
    )
    assert "k<N>(" not in translate(source, grad="").code
