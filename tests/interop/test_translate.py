"""`g2o.translate`, and what `import g2o` costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import g2o

SAXPY = """\
// y += a x, \u00fcber alles
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
"""


def test_translate(tmp_path: Path) -> None:
    path = tmp_path / "saxpy.cu"
    path.write_text(SAXPY, encoding="utf-8")
    translation = g2o.translate(path)
    assert translation.ok
    assert translation.kernels == ("saxpy",)
    assert translation.diagnostics == ()
    assert "void saxpy(dim3 grid, dim3 block, int n, float a" in translation.code
    assert "// y += a x, \u00fcber alles\n" in translation.code
    assert g2o.translate(str(path), header=True).header is not None


def test_faults_are_diagnostics(tmp_path: Path) -> None:
    path = tmp_path / "bad.cu"
    path.write_text('__global__ void k(int *x) { asm("nop;"); }\n')
    translation = g2o.translate(path)
    assert not translation.ok
    assert [fault.code for fault in translation.diagnostics][:1] == ["G2O0202"]
    assert not g2o.translate(path, grad="k").ok
    with pytest.raises(FileNotFoundError):
        g2o.translate(tmp_path / "missing.cu")


def test_other_files_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text("__device__ inline int one() { return 1; }\n")
    (tmp_path / "a.cu").write_text(
        '#include "k.cuh"\n__global__ void k(int *x) { x[threadIdx.x] = one() + N; }\n'
    )
    path = tmp_path / "a.cu"
    translation = g2o.translate(path, flags=["-DN=2"], others=[tmp_path / "k.cuh"])
    assert translation.ok
    assert '#include "k.omp.hpp"' in translation.code
    assert [fault.code for fault in g2o.translate(path, flags=["-DN=2"]).diagnostics] == ["G2O0016"]


def test_import_loads_nothing_else() -> None:
    code = "import sys, g2o; print({'numpy', 'clang', 'g2o.pipeline'} & set(sys.modules))"
    command = [sys.executable, "-c", f"{code}; print(g2o.__version__, 'RawKernel' in dir(g2o))"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[0] == "set()"
    assert done.stdout.splitlines()[1].endswith("True")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = vars(g2o).get("nothing") or g2o.__getattr__("nothing")
