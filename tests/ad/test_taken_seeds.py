"""Seeds of elements that several threads of the grid store to are taken once."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.interop.translate import translate

_KERNEL = """\
__global__ void k(const double *x, double *y, const int *__restrict__ at, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ({guard})
        {store};
}}
"""


def _adjoint(tmp_path: Path, store: str, guard: str = "i < n") -> str:
    source = tmp_path / "k.cu"
    source.write_text(_KERNEL.format(store=store, guard=guard))
    made = translate(source, grad="")
    assert made.ok
    return made.code


_COMMON = [
    *("y[0]", "y[n - 1]", "y[i / 2]", "y[i % 8]", "y[blockIdx.x]", "y[at[i]]", "y[at[i] + 1]"),
    *("y[i / 4 + i % 4]", "y[min(i, n - 1 - i)]", "y[i < 4 ? 0 : i]", "y[i & ~1]"),
]


@pytest.mark.parametrize("place", _COMMON)
def test_seeds_of_common_elements_are_exchanged(tmp_path: Path, place: str) -> None:
    code = _adjoint(tmp_path, f"{place} = x[3] * x[4]")
    shadow = place.replace("y[", "d_y[").split("[")[0]
    assert f"g2o::atomic_exch(&{shadow}[" in code
    assert f"{shadow}[0] = 0.0" not in code


@pytest.mark.parametrize("place", ["y[i]", "y[2 * i + 1]", "y[n - 1 - i]"])
def test_seeds_of_own_elements_are_plain(tmp_path: Path, place: str) -> None:
    assert "atomic_exch" not in _adjoint(tmp_path, f"{place} = 2.0 * x[3]")


@pytest.mark.parametrize("value", ["x[i]", "2.0 * x[i] + n", "sin(x[i]) * n"])
def test_scattered_values_of_their_own_tell_places_apart(tmp_path: Path, value: str) -> None:
    assert "atomic_exch" not in _adjoint(tmp_path, f"{{ int k = at[i]; y[k] = {value}; }}")


@pytest.mark.parametrize(
    "value", ["x[k]", "x[at[i + 1]]", "fmax(x[i], 1.0)", "x[i] * 0 + x[i + 1]"]
)
def test_scattered_values_that_may_be_equal_do_not(tmp_path: Path, value: str) -> None:
    assert "atomic_exch" in _adjoint(tmp_path, f"{{ int k = at[i]; y[k] = {value}; }}")


_OF_BLOCK = """\
__global__ void k(const double *x, double *y)
{{
    __shared__ double s[64];
    s[{place}] = 2.0 * x[blockIdx.x];
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = s[{place}] * s[0];
}}
"""


def _adjoint_of_block(tmp_path: Path, place: str, target: str) -> str:
    source = tmp_path / "k.cu"
    source.write_text(_OF_BLOCK.format(place=place))
    made = translate(source, grad="", target=target)
    assert made.ok
    return made.code


def test_common_seeds_of_shared_memory_are_exchanged_on_devices(tmp_path: Path) -> None:
    code = _adjoint_of_block(tmp_path, "threadIdx.x / 4", "offload")
    assert "const double seed = g2o::atomic_exch(&d_s[" in code


def test_common_seeds_of_shared_memory_are_plain_where_one_thread_runs_a_block(
    tmp_path: Path,
) -> None:
    code = _adjoint_of_block(tmp_path, "threadIdx.x / 4", "cpu")
    assert "const double seed = d_s[" in code
    assert "may take one element" not in code


@pytest.mark.parametrize("target", ["cpu", "offload"])
def test_own_seeds_of_shared_memory_are_plain(tmp_path: Path, target: str) -> None:
    assert "seed = " not in _adjoint_of_block(tmp_path, "threadIdx.x", target)


def test_one_chosen_thread_takes_its_seed_plainly(tmp_path: Path) -> None:
    assert "atomic_exch" not in _adjoint(tmp_path, "y[0] = 2.0 * x[3]", "i == 0")
