"""What a kernel may do on a CPU that shares its memory with the host, and not on other devices."""

from __future__ import annotations

import re

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.kernel import Kernel

_FUNCTION_POINTER = re.compile(r"\(\s*\*")


def check_for_device(kernel: Kernel) -> None:
    """Raise Refusal for a construct that would go wrong on a device of its own."""
    function = kernel.function
    for parameter in function.parameters:
        spelled = parameter.type.spelling
        if "..." in spelled:
            raise refuse("G2O0503", f"parameter pack '{parameter.name}'", function.span)
        pointee = parameter.type.element
        is_array = pointee is not None and "[" in pointee.spelling
        if _FUNCTION_POINTER.search(spelled) and not is_array:
            raise refuse("G2O0503", f"pointer to a function '{parameter.name}'", function.span)
