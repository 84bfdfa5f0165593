"""References to values, which live on as long as the reference does, become the values.

    const V &v = make(x);          const V v = make(x);
    const float &f = x * 2;   ->   const float f = x * 2;

Where a thread keeps one over a barrier: what has no place has no address, either.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.definitions import with_variables
from g2o.analysis.memory import Memory
from g2o.ir.statements import Block, Declare, Node, Variable
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind


def own_bound_values(body: Block, kept: set[Symbol], memory: Memory, symbols: SymbolTable) -> Block:
    """The body with variables in place of the references in `kept` that are bound to values."""
    values: dict[Symbol, Symbol] = {}
    for node in walk(body):
        for variable in node.variables if isinstance(node, Declare) else ():
            symbol, initial = variable.symbol, variable.initial
            target = symbol.type.element
            if symbol not in kept or symbol.type.kind is not TypeKind.REFERENCE:
                continue
            if initial is not None and target is not None and memory.is_value(initial):
                own = symbols.declare(symbol.name, target, symbol.storage)
                values[symbol] = replace(own, wish=symbol.wish or own.wish)
    if not values:
        return body

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Declare) or not any(v.symbol in values for v in node.variables):
            return None
        return with_variables(node, map(_as_value, node.variables))

    def _as_value(variable: Variable) -> Variable:
        if variable.symbol not in values:
            return variable
        return replace(variable, declared=variable.declared.rstrip(" &"))

    return rename_symbols(rewrite(body, replacement), values)
