"""g2o reads CUDA C++ and writes readable OpenMP C++, with adjoints as source.

    t = g2o.translate("saxpy.cu")             t.code, t.diagnostics, t.remarks, t.kernels
    k = g2o.RawKernel(source, "saxpy")        a CUDA kernel that is called on numpy arrays
    f = g2o.torch.function(source, "saxpy", launch=..., grad="saxpy(y)/(a, x)")
                                              a CUDA kernel as an operator of PyTorch

The names load what they need when they are first used: `import g2o` itself takes no time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from g2o.version import VERSION

if TYPE_CHECKING:
    from g2o import torch
    from g2o.interop.check_grads import GradientError, check_grads
    from g2o.interop.library import CompileError
    from g2o.interop.raw_kernel import RawKernel, RawModule
    from g2o.interop.translate import TranslationError, translate

__version__: Final = VERSION
__all__ = [
    "CompileError",
    "GradientError",
    "RawKernel",
    "RawModule",
    "TranslationError",
    "__version__",
    "check_grads",
    "torch",
    "translate",
]

_HOMES: Final = {
    "CompileError": "g2o.interop.library",
    "GradientError": "g2o.interop.check_grads",
    "RawKernel": "g2o.interop.raw_kernel",
    "RawModule": "g2o.interop.raw_kernel",
    "TranslationError": "g2o.interop.translate",
    "check_grads": "g2o.interop.check_grads",
    "load_ipython_extension": "g2o.interop.jupyter",
    "translate": "g2o.interop.translate",
}


def __getattr__(name: str) -> object:
    if name == "torch":
        return import_module("g2o.torch")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'g2o' has no attribute '{name}'")
    return vars(import_module(home))[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
