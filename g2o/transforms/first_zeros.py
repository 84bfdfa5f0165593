"""What differentiation has made starts at 0 unless it surely has a value before it is read.

    double d_u;                    double d_u = 0.0;
    if (t < n)             ->      if (t < n)
        d_u = d_y[i];                  d_u = d_y[i];
    d_x[i] += d_u;                 d_x[i] += d_u;

That an addition can be an assignment, and that a zero is needless, is decided in several places, on
different states of a kernel; what they leave behind is looked at once, in the end.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.unset import read_unset
from g2o.ir.expressions import Form, InitList
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Declare, Node, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind
from g2o.transforms.hoist_increments import zero_of


def with_first_zeros(kernel: Kernel, last_of_source: int) -> Kernel:
    """The kernel whose variables with ids behind `last_of_source` all have a value when they are
    read."""
    made = {
        one.symbol
        for node in walk(kernel.body)
        if isinstance(node, Declare)
        for one in node.variables
        if one.initial is None and one.symbol.id > last_of_source and _holds_numbers(one.symbol)
    }
    unset = read_unset(kernel.body, made) if made else frozenset[Symbol]()
    if not unset:
        return kernel

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Declare) or not any(v.symbol in unset for v in node.variables):
            return None
        variables = tuple(_zeroed(v) if v.symbol in unset else v for v in node.variables)
        return replace(node, variables=variables, form=Form.BUILT)

    body = rewrite(kernel.body, replacement)
    return replace(kernel, function=replace(kernel.function, body=body))


def _holds_numbers(symbol: Symbol) -> bool:
    inner = symbol.type.innermost if symbol.type.kind is TypeKind.ARRAY else symbol.type
    return symbol.storage is Storage.LOCAL and inner.is_arithmetic


def _zeroed(variable: Variable) -> Variable:
    ctype = variable.symbol.type
    initial = InitList(()) if ctype.kind is TypeKind.ARRAY else zero_of(ctype)
    return replace(variable, initial=initial, initial_style="=")
