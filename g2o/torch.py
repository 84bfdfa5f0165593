"""CUDA kernels as operators of PyTorch.

f = g2o.torch.function(source, "saxpy", launch=..., grad="saxpy(y)/(a, x)")
z = f(n, a, x, y)       # y stays as it is; z.sum().backward() gives gradients to a and x
"""

from __future__ import annotations

from g2o.interop.torch_function import TorchFunction, function

__all__ = ["TorchFunction", "function"]
