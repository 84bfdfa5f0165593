"""`g2o.RawModule`: kernels that share the variables of the device."""

from __future__ import annotations

import numpy as np
import pytest

import g2o

pytestmark = pytest.mark.slow

SOURCE = """
__constant__ float weights[2][3];
__device__ int calls;

__global__ void weigh(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = weights[1][2] * x[i];
    if (i == 0)
        calls += 1;
}

namespace other {
template <typename T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by * weights[0][0]; }
}
"""


@pytest.fixture(scope="module")
def module() -> g2o.RawModule:
    return g2o.RawModule(
        SOURCE,
        name_expressions=["other::scale<float>", "other::scale<double>"],
        grad=["weigh(y)/(x)"],
    )


def test_kernels_share_variables(module: g2o.RawModule) -> None:
    weights = module.get_global("weights")
    assert weights.shape == (2, 3)
    weights[...] = [[2, 0, 0], [0, 0, 3]]
    x, y = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
    weigh = module.get_function("weigh")
    weigh(1, 8, (5, x, y))
    weigh(1, 8, (5, x, y))
    assert np.array_equal(y, 3 * x)
    assert module.get_global("calls") == 2
    for kind, dtype in (("float", np.float32), ("double", np.float64)):
        values = np.arange(4).astype(dtype)
        module.get_function(f"other::scale<{kind}>")(1, 4, (values, 5))
        assert values.tolist() == [0, 10, 20, 30]
    d_x, d_y = weigh.grad(1, 8, (5, x, y))
    assert d_x.tolist() == [3] * 5
    assert not d_y.any()


def test_what_a_module_does_not_have(module: g2o.RawModule) -> None:
    with pytest.raises(KeyError, match="no kernel 'none'; the module has other::scale<float>"):
        module.get_function("none")
    with pytest.raises(KeyError, match="no variable 'none'; those of the device: weights, calls"):
        module.get_global("none")
    x = np.zeros(1, np.float32)
    with pytest.raises(KeyError, match="was made without jvp="):
        module.get_function("weigh").jvp(1, 1, (1, x, x.copy()))
