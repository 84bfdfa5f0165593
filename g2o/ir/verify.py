"""What must hold of kernel IR after every pass.

1. A variable is declared around or before its uses, or is a parameter or of namespace scope.
2. A node that still has the author's text stands inside the text of the node around it.
3. A number is that of one variable, which has one name.
4. What gets a value is a place, not a value: those of `Hit{a, b} = c` are lost.
5. Lowered kernels have neither barriers nor exchanges, nor launch indices, nor remote values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import final

from g2o.ir.dump import describe, show
from g2o.ir.expressions import (
    Assign,
    Cast,
    Expr,
    Form,
    InitList,
    LaunchRef,
    Literal,
    Remote,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.kernel import Function, LoweredKernel
from g2o.ir.statements import (
    Barrier,
    Block,
    CountedLoop,
    Declare,
    Exchange,
    ExprStatement,
    Labelled,
    LocalFunction,
    Node,
    Stmt,
    Text,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk

_WORD = re.compile(r"\w+")
_ANYWHERE = frozenset((Storage.GLOBAL, Storage.DYNAMIC_SHARED, Storage.PARAMETER))


@final
class InvalidIR(Exception):
    """A pass has left IR that breaks a rule of `g2o.ir.verify`: a bug in g2o."""


def verify_function(function: Function) -> tuple[str, ...]:
    """What is wrong with a kernel or device function, in words."""
    given = (*function.parameters, *(() if function.receiver is None else (function.receiver,)))
    twice = _of_one_number(function.body, given)
    return (*lost_in(function), *_badly_nested(function.body), *twice)


def verify_lowered(kernel: LoweredKernel) -> tuple[str, ...]:
    """What is wrong with a lowered kernel, in words."""
    body = Block(kernel.body)
    twice = _of_one_number(body, kernel.function.parameters)
    return (*lost_in_lowered(kernel), *_badly_nested(body), *twice, *_left(body))


def lost_in(function: Function) -> tuple[str, ...]:
    """Variables of a function that are used where they are not declared, and values that are
    assigned to what is no place, in words."""
    receiver = () if function.receiver is None else (function.receiver,)
    given = {*function.parameters, *receiver}
    return (*_undeclared(function.body, given), *_assigned_values(function.body))


def lost_in_lowered(kernel: LoweredKernel) -> tuple[str, ...]:
    """The same for a lowered kernel."""
    added = (s for s in (kernel.grid, kernel.block, kernel.shared_bytes) if s is not None)
    body, given = Block(kernel.body), {*kernel.function.parameters, *added}
    return (*_undeclared(body, given), *_assigned_values(body))


def _undeclared(body: Node, known: set[Symbol]) -> Iterator[str]:
    local = {symbol for node in walk(body) for symbol in _declared_by(node)}
    declared = known | local
    declared |= {
        part.symbol
        for node in walk(body)
        if isinstance(node, Verbatim)
        for part in walk(node)
        if isinstance(part, VarRef)
    }
    in_text = set(_names_in_text(body))
    reported: set[Symbol] = set()
    for node in walk(body):
        if isinstance(node, VarRef) and node.symbol not in declared | reported:
            if node.symbol.storage not in _ANYWHERE and node.symbol.name not in in_text:
                reported.add(node.symbol)
                yield f"'{show(node.symbol)}' is not declared"
    yield from _out_of_scope(body, set(known), local)


def _assigned_values(body: Node) -> Iterator[str]:
    for node in walk(body):
        if isinstance(node, Assign) and _is_value(node.target):
            yield f"'{describe(node)}' sets what is no place"


def _is_value(target: Expr) -> bool:
    match strip_parens(target):
        case Literal() | InitList():
            return True
        case Cast(operand=operand):
            return isinstance(strip_parens(operand), InitList)
        case _:
            return False


def _names_in_text(body: Node) -> Iterator[str]:
    """What may be declared by text that lowering has made."""
    for node in walk(body):
        for part in node.parts if isinstance(node, Text) else ():
            if isinstance(part, str):
                yield from _WORD.findall(part)


def _out_of_scope(node: Node, visible: set[Symbol], local: set[Symbol]) -> Iterator[str]:
    """Uses of `local` variables outside the scope that declares them, or in front of it."""
    if isinstance(node, VarRef):
        if node.symbol in local and node.symbol not in visible:
            yield f"'{show(node.symbol)}' is used outside its scope"
        return
    if isinstance(node, CountedLoop | LocalFunction):
        visible = visible | set(_declared_by(node))
    if isinstance(node, Verbatim):
        return  # its text may declare variables of its own
    if isinstance(node, Declare):
        for variable in node.variables:
            for part in (*variable.extents, variable.initial):
                if part is not None:
                    yield from _out_of_scope(part, visible, local)
            visible.add(variable.symbol)
        return
    inner = set(visible) if isinstance(node, Stmt) and _opens_scope(node) else visible
    for child in children(node):
        yield from _out_of_scope(child, inner, local)
    if isinstance(node, Exchange):
        visible.add(node.result)


def _opens_scope(node: Stmt) -> bool:
    return not isinstance(node, ExprStatement | Exchange | Labelled)


def _declared_by(node: Node) -> Sequence[Symbol]:
    match node:
        case Declare(variables=variables):
            return [variable.symbol for variable in variables]
        case Exchange(result=result):
            return [result]
        case CountedLoop(index=index):
            return [index]
        case LocalFunction(parameters=parameters):
            return parameters
        case _:
            return []


def _of_one_number(body: Node, given: Iterable[Symbol]) -> Iterator[str]:
    """Different variables that are the same to every pass."""
    known = {symbol.id: symbol for symbol in given}
    reported: set[int] = set()
    for node in walk(body):
        named = node.symbol if isinstance(node, VarRef | Remote) else None
        for symbol in (*_declared_by(node), *(() if named is None else (named,))):
            first = known.setdefault(symbol.id, symbol)
            if first.name != symbol.name and symbol.id not in reported:
                reported.add(symbol.id)
                yield f"'{show(first)}' and '{show(symbol)}' are two variables of one number"


def _badly_nested(node: Node) -> Iterator[str]:
    """Children outside the text of their parent, as far down as the author's text holds."""
    for child in children(node):
        if node.form is not Form.BUILT and child.form is not Form.BUILT:
            outer, inner = node.span, child.span
            # In the body of a macro a node has no text of its own.
            if outer is not None and inner is not None and outer.begin < outer.end:
                outside = inner.begin < outer.begin or outer.end < inner.end
                if outer.file is inner.file and outside:
                    yield f"'{describe(child)}' is not inside the text of '{describe(node)}'"
        yield from _badly_nested(child)


def _left(body: Node) -> Iterator[str]:
    for node in walk(body):
        if isinstance(node, Barrier | Exchange | LaunchRef | Remote):
            yield f"'{describe(node)}' is left after lowering"
