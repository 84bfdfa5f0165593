"""What a kernel may do on a CPU that shares its memory with the host, and not on other devices."""

from __future__ import annotations

import re

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import VarRef
from g2o.ir.kernel import Kernel
from g2o.ir.symbols import Storage
from g2o.ir.traverse import walk

_FUNCTION_POINTER = re.compile(r"\(\s*\*")
_TEXTURE_REFERENCE = re.compile(r"\btexture\s*<")


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
    for node in walk(kernel.body):
        match node:
            case VarRef(symbol=symbol) if symbol.storage is Storage.GLOBAL and (
                _TEXTURE_REFERENCE.search(symbol.type.spelling)
            ):
                raise refuse("G2O0503", f"texture reference '{symbol.name}'", node.span)
            case _:
                pass
