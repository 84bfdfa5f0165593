"""Objects over barriers: those that do something when they are copied, or end, stay where they are.

    Restore guard(s + t);                 the loops of the two intervals would each have one of
    __syncthreads();                      their own, or share an array of objects that are made
    ...                                   first, assigned then, and end with the block

Refused, as nothing that a loop over threads can be written with leaves them what they were.
"""

from __future__ import annotations

from collections.abc import Collection

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.statements import Barrier, Block, Declare, Exchange, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk

_INSTEAD = Note("end its scope in front of the barrier, or keep its members as variables")


def refuse_objects_over_barriers(body: Block, kept: Collection[Symbol]) -> None:
    """Raise Refusal where such an object is `kept`, or its scope has a barrier."""
    for block in (node for node in walk(body) if isinstance(node, Block)):
        for at, one in enumerate(block.statements):
            if not isinstance(one, Declare):
                continue
            for variable in one.variables:
                ctype = variable.symbol.type.innermost
                waits = ctype.ends and any(map(_waits, block.statements[at + 1 :]))
                if waits or ((ctype.ends or ctype.copies) and variable.symbol in kept):
                    raise _refusal(variable, one)


def _waits(statement: Stmt) -> bool:
    return any(isinstance(node, (Barrier, Exchange)) for node in walk(statement))


def _refusal(variable: Variable, declared: Declare) -> Exception:
    ctype, name = variable.symbol.type.innermost, variable.symbol.name
    when = "when it ends" if ctype.ends else "when it is copied"
    message = f"object '{name}' across a barrier: '{ctype.spelling}' does something {when}"
    return refuse("G2O0210", message, declared.span, _INSTEAD)
