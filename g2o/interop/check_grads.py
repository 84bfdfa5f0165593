"""`g2o.check_grads`: are a kernel's derivatives those of what it computes?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from g2o.interop.arguments import Array, Sizes
from g2o.interop.kernel_function import as_array
from g2o.interop.raw_kernel import RawKernel

# Steps of central differences, and how far from them a derivative may be, by precision.
_STEPS: Final = {4: 2e-3, 8: 1e-6}
_TOLERANCES: Final = {4: 2e-2, 8: 1e-5}


class GradientError(AssertionError):
    """Raised where a derivative is not what differences say."""


def check_grads(
    kernel: RawKernel,
    grid: Sizes,
    block: Sizes,
    args: Sequence[object],
    *,
    shared_mem: int = 0,
    step: float | None = None,
    tolerance: float | None = None,
    seed: int = 0,
) -> None:
    """Compare the adjoint of a kernel with differences of its results, one parameter at a time.

    Each parameter that has a shadow is moved in a random direction, and what the kernel may write
    is weighed at random; `args` stay as they are. Where the kernel is not smooth, differences are
    wrong. Raises GradientError, which names the parameter, and what calls raise.
    """
    function = kernel.derivative("grad")
    random = np.random.default_rng(seed)
    precision = min((one.dtype.itemsize for one in function.new_shadows(args)), default=8)
    width = step or _STEPS.get(precision, _STEPS[4])
    allowed = tolerance or _TOLERANCES.get(precision, _TOLERANCES[4])

    def results(owner: int, direction: Array, along: float) -> list[Array]:
        moved = [_copy(one) for one in args]
        value = np.asarray(moved[owner])
        moved[owner] = value + np.asarray(along * direction.reshape(value.shape), value.dtype)
        kernel(grid, block, moved, shared_mem=shared_mem)
        return [np.asarray(moved[one]).astype(np.float64) for one in written]

    written = [owner for owner in function.owners if function.may_write(owner)]
    seeds = [random.standard_normal(as_array(args[one]).shape) for one in written]
    adjoint = kernel.vjp(grid, block, [_copy(one) for one in args], seeds, shared_mem=shared_mem)
    for owner, found in zip(function.owners, adjoint, strict=True):
        direction = random.standard_normal(found.shape)
        ahead, behind = (results(owner, direction, along) for along in (width, -width))
        differences = [(a - b) / (2 * width) for a, b in zip(ahead, behind, strict=True)]
        expected = sum(float(np.vdot(s, d)) for s, d in zip(seeds, differences, strict=True))
        scale = sum(float(np.vdot(abs(s), abs(d))) for s, d in zip(seeds, differences, strict=True))
        is_given = float(np.vdot(found.astype(np.float64), direction))
        scale += float(np.vdot(abs(found), abs(direction)))
        if not abs(is_given - expected) <= allowed * (scale + 1e-3):
            name = function.names[owner]
            message = f"the derivative of {kernel.name} by '{name}' is {is_given:g} in a direction"
            raise GradientError(f"{message} in which differences give {expected:g}")


def _copy(value: Any) -> Any:
    return as_array(value).copy() if hasattr(value, "shape") and value.shape else value
