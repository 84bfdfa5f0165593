"""Atomic objects of libcu++ stay, but for loops that wait for them and derivatives of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_KERNEL = """\
#include <cuda/atomic>
__global__ void k(int *p, float *y, const float *x, int n)
{{
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(*p);
    cuda::atomic_ref<float> sum(y[0]);
    {statement}
}}
void launch(int *p, float *y, const float *x, int n)
{{
    k<<<4, 64>>>(p, y, x, n);
}}
"""


def _run(statement: str, folder: Path, *options: str) -> int:
    source = folder / "k.cu"
    source.write_text(_KERNEL.format(statement=statement))
    return run_g2o(["translate", "-q", *options, str(source)])


@pytest.mark.parametrize(
    "statement",
    [
        "for (int i = 0; i < n; ++i) if (x[i] > flag.load()) sum.fetch_add(x[i]);",
        "float old = sum.load(); while (!sum.compare_exchange_weak(old, old + x[threadIdx.x]));",
        "int free = 0; while (!flag.compare_exchange_strong(free, 1)) free = 0;"
        " y[0] += x[n]; flag.store(0);",
    ],
)
def test_stays(statement: str, tmp_path: Path) -> None:
    assert _run(statement, tmp_path) == 0
    assert "cuda::atomic_ref<float> sum(y[0]);" in (tmp_path / "k.omp.cpp").read_text()


@pytest.mark.parametrize(
    "statement",
    [
        "while (flag.load() == 0);",
        "while (flag.exchange(1, cuda::memory_order_acquire) != 0);",
        "for (;;) if (flag.load() != 0) break;",
        "int set = 1; while (!flag.compare_exchange_strong(set, 2)) set = 1; flag.store(0);",
        "for (;;) { int set = 1; if (flag.compare_exchange_weak(set, 0)) break; }",
    ],
)
def test_waits_are_refused(
    statement: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(statement, tmp_path) == 1
    assert "of an atomic object in a loop, which may wait [G2O0220]" in capsys.readouterr().err


def test_derivatives_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("sum.fetch_add(x[threadIdx.x]);", tmp_path, "--grad=k") == 1
    assert "'fetch_add' of an atomic object of libcu++ [G2O0403]" in capsys.readouterr().err


@pytest.mark.parametrize("header", ["cuda/semaphore", "cuda/std/complex"])
def test_other_headers_are_refused(
    header: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "k.cu"
    source.write_text(f"#include <{header}>\n__global__ void k() {{}}\n")
    assert run_g2o(["translate", str(source)]) == 1
    assert "this part of libcu++ is not translated [G2O0206]" in capsys.readouterr().err
