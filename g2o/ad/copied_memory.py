"""Memory that is copied or set to 0 as a whole, number by number.

    memcpy(v, x + 4 * i, sizeof(v));    ->    for (int k = 0; k < 4; ++k)
                                                  v[k] = x[4 * i + k];
    memset(s, 0, n * sizeof(double));   ->    for (int k = 0; k < n; ++k)
                                                  s[k] = 0.0;

Legal where both sides have elements of one type, and the number of bytes says how many there are.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ad.increments import zero
from g2o.ad.reals import carries, is_real
from g2o.analysis.copied_elements import copied_count, copied_element, element_at
from g2o.ir.expressions import Assign, Binary, Call, Expr, Literal, Unary, VarRef, strip_parens
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Declare, ExprStatement, For, Node, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import rewrite
from g2o.ir.types import BOOL, INT, unqualified


def with_memory_copied(kernel: Kernel) -> Kernel:
    """`kernel` with loops in place of memcpy and memset on numbers."""
    symbols = SymbolTable(continued=kernel.function.symbols)

    def replacement(node: Node) -> Node | None:
        match node:
            case ExprStatement(
                expr=Call(name="memcpy" | "memset" as name, arguments=(to, what, size))
            ):
                loop = _loop(name, strip_parens(to), strip_parens(what), size, symbols)
                return None if loop is None else replace(loop, trivia=node.trivia, span=node.span)
            case _:
                return None

    body = rewrite(kernel.body, replacement)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _loop(name: str, to: Expr, what: Expr, size: Expr, symbols: SymbolTable) -> For | None:
    element = copied_element(to)
    if element is None or not carries(element):
        return None
    sides = (to,)
    if name == "memcpy":
        other = copied_element(what)
        if other is None or unqualified(other) != unqualified(element):
            return None
        sides = (to, what)
    elif not is_real(element) or not isinstance(what, Literal) or what.value != 0:
        return None
    count = copied_count(strip_parens(size), element, sides)
    if count is None:
        return None
    index = symbols.fresh("k", INT, Storage.LOCAL)
    place = element_at(to, VarRef(index), element)
    value = element_at(what, VarRef(index), element) if name == "memcpy" else zero(element)
    start = Declare((Variable(index, "int", "", Literal("0", 0, INT), "="),))
    more = Binary("<", VarRef(index), count, BOOL)
    step = Unary("++", VarRef(index), type=INT)
    return For(start, more, step, ExprStatement(Assign("=", place, value, element)))
