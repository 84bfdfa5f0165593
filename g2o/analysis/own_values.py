"""Whether what a thread stores is its own, or the same for all threads that store to the element.

    z[k] = x[i];      another value for every i: two threads that do it have a race
    z[k] = 2 * w[k];  whoever stores to z[k] stores the same: several threads may
    z[k] += x[k];     what is stored depends on who was there before

A source without races says that writes of the first kind go to elements that differ; so of the
third; writes of the second kind say nothing.
"""

from __future__ import annotations

from g2o.ir.expressions import Assign, Builtin, Expr, Index, LaunchRef, VarRef, strip_parens
from g2o.ir.statements import Declare, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk

_OF_THREADS = (Builtin.THREAD_INDEX, Builtin.BLOCK_INDEX)


def stores_own_value(write: Expr | None, body: Node) -> bool:
    """Does the value of the assignment come from a thread's index by another way than through the
    index of the element? False where that is not known."""
    if not isinstance(write, Assign):
        return False
    if write.op != "=":
        return write.op in ("+=", "-=")  # flags are set again by `|=`
    target = strip_parens(write.target)
    if not isinstance(target, Index):
        return False
    index = strip_parens(target.index)
    values = _values(body)
    known = {n for n in _outside_memory(index) if isinstance(n, VarRef)}
    settled = {one.symbol for one in known}
    pending: list[Node] = [write.value]
    seen: set[Symbol] = set()
    while pending:
        node = pending.pop()
        if node == index:
            continue
        match node:
            case LaunchRef(builtin=builtin) if builtin in _OF_THREADS:
                return True
            case VarRef(symbol=symbol) if symbol not in settled and symbol not in seen:
                seen.add(symbol)
                pending.extend(values.get(symbol, ()))
            case _:
                pending.extend(children(node))
    return False


def _values(body: Node) -> dict[Symbol, list[Expr]]:
    """What each variable is given somewhere."""
    found: dict[Symbol, list[Expr]] = {}
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for variable in variables:
                    if variable.initial is not None:
                        found.setdefault(variable.symbol, []).append(variable.initial)
            case Assign(target=VarRef(symbol=symbol), value=value):
                found.setdefault(symbol, []).append(value)
            case _:
                pass
    return found


def _outside_memory(expr: Node) -> list[Node]:
    """The parts of an index that are not indices of something that it loads."""
    if isinstance(expr, Index):
        return []
    return [expr, *(part for child in children(expr) for part in _outside_memory(child))]
