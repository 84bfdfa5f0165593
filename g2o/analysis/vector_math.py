"""Functions of the C library for which the runtime has straight-line code.

    x[i] = expf(x[i]);    ->    x[i] = g2o::simd_expf(x[i]);

What compilers call for one number after the other keeps a loop from becoming vectors; code that is
put in the loop does not.
"""

from __future__ import annotations

from typing import Final

from g2o.ir.expressions import Call

_OF_FLOATS: Final = ("exp", "exp2", "log", "log2", "log10", "pow", "tanh", "erf")
_OF_DOUBLES: Final = ("exp", "log")
_INTRINSICS: Final = ("exp", "log", "log2", "log10", "pow")  # `__expf`

_BY_KEY: Final = {
    **{f"c:@F@{name}": name for name in _OF_DOUBLES},
    **{f"c:@F@{name}f": f"{name}f" for name in _OF_FLOATS},
    **{f"c:@F@__{name}f": f"{name}f" for name in _INTRINSICS},
    **{f"c:@N@std@F@{name}#f#": f"{name}f" for name in _OF_FLOATS},
    "c:@N@std@F@pow#f#f#": "powf",
}
"""By the keys of functions: of the C library, of CUDA, and of the C++ library for floats."""


def inline_name(call: Call) -> str | None:
    """What the runtime calls its own code for the function; None where it has none."""
    name = _BY_KEY.get(call.key)
    return None if name is None else f"g2o::simd_{name}"
