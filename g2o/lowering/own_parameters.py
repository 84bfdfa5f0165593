"""Parameters that a kernel changes become variables of each thread: launches have one of each."""

from __future__ import annotations

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.ir.expressions import VarRef
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.lowering.context import substitute


def own_parameters(
    function: Function, body: Block, effects: EffectsOf, symbols: SymbolTable
) -> Block:
    """The body with copies of such parameters in their place.

    A parameter pack only changes where it is handed on by reference, and has no copy.
    """
    written = written_after_declaration(body, effects)
    packs = {p for p in function.parameters if "..." in p.type.spelling}
    changed = [p for p in function.parameters if p in written - packs]
    if not changed:
        return body
    copies: list[Stmt] = []
    values: dict[Symbol, VarRef] = {}
    for parameter in changed:
        copy = symbols.fresh(f"my_{parameter.name}", parameter.type, Storage.LOCAL)
        spelled = parameter.type.spelling
        copies.append(Declare((Variable(copy, spelled, "", VarRef(parameter), "="),)))
        values[parameter] = VarRef(copy)
    renamed = substitute(body, dict(values))
    assert isinstance(renamed, Block)
    return Block((*copies, *renamed.statements), span=body.span)
