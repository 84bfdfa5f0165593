"""Calls that cannot be inlined: they copy objects that do something then.

struct Count { int *p; ~Count() { atomicAdd(p, 1); } };
int own(Count c) { return threadIdx.x; }            the copy `c` ends with the call: refused
int own(const Count &c) { ... }                     nothing is copied
"""

from __future__ import annotations

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import Call
from g2o.ir.kernel import Function
from g2o.ir.types import TypeKind


def refuse_objects_by_value(function: Function, call: Call) -> None:
    """Raise Refusal where a function is handed, or gives back, an object that does something when
    it is copied or ends: in the kernel it would be another one, or none."""
    for ctype in (*(one.type for one in function.parameters), function.result):
        if ctype.kind is not TypeKind.REFERENCE and (ctype.ends or ctype.copies):
            message = f"call of '{call.name}', for which a '{ctype.spelling}' is copied"
            raise refuse("G2O0210", message, call.span, Note("hand it over by reference"))
