"""Adjoints of loops that a grid shares out, iteration by iteration where that is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.interop.translate import translate

_KERNEL = """\
__global__ void k(const double *x, double *y, const int *__restrict__ at, int n)
{{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        {body}
}}
"""


def _adjoint(tmp_path: Path, body: str) -> str:
    source = tmp_path / "k.cu"
    source.write_text(_KERNEL.format(body=body))
    made = translate(source, grad="")
    assert made.ok
    return made.code.split("k_grad(", 1)[1]


@pytest.mark.parametrize(
    "body", ["y[i] = x[i] * x[i];", "if (at[i]) y[i] += x[i] * y[i];", "y[n + i] = sin(x[i]);"]
)
def test_iterations_alone_need_no_atomics_and_one_loop(tmp_path: Path, body: str) -> None:
    code = _adjoint(tmp_path, body)
    assert "atomic" not in code
    assert code.count("for (int i = 0; i < n; ++i)") == code.count("for (") == 1


@pytest.mark.parametrize("body", ["if (i > 8) y[i] += y[i - 8];", "y[at[i]] = x[i];"])
def test_iterations_that_may_meet_stay_with_their_thread(tmp_path: Path, body: str) -> None:
    assert "base += grid.x * block.x" in _adjoint(tmp_path, body)
