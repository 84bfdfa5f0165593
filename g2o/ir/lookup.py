"""What must hold of the names of a kernel as it is printed: C++ finds for each what is meant.

    int x = n;
    { int x = 7;  s[t] = x; }    // where the first x is meant: a fault

Symbols are identities, so a pass may put a declaration in sight of references to another variable
of its name. This looks every reference up as a compiler will.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import final

from g2o.ir.expressions import Form, VarRef, Verbatim
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    For,
    Labelled,
    LocalFunction,
    Node,
    Stmt,
    Text,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children

_Region = dict[str, Symbol]


def misnamed_in(kernel: LoweredKernel, parameters: Iterable[Symbol]) -> tuple[str, ...]:
    """What is wrong with the names of a kernel that has these `parameters`, in words."""
    region = {one.name: one for one in parameters if one.name}
    return tuple(_LookUp([region]).sequence(kernel.body, region))


@final
@dataclass(frozen=True, slots=True)
class _LookUp:
    """Goes through statements in order. `regions` are those around, the innermost last."""

    regions: list[_Region] = field(default_factory=list[_Region])

    def sequence(self, statements: Iterable[Stmt], region: _Region) -> Iterator[str]:
        for statement in statements:
            yield from self._statement(statement, region)

    def _inside(self, body: Stmt, region: _Region) -> Iterator[str]:
        """The body of something, whose outermost block is a `region` with what is in front."""
        self.regions.append(region)
        yield from self.sequence(body.statements if isinstance(body, Block) else (body,), region)
        self.regions.pop()

    def _statement(self, statement: Stmt, region: _Region) -> Iterator[str]:
        match statement:
            case Declare(variables=variables):
                for one in variables:
                    for extent in one.extents:
                        yield from self._names(extent)
                    yield from self._declare(one.symbol, region)
                    if one.initial is not None:
                        yield from self._names(one.initial)
            case Text(declares=declared):
                for symbol in declared:
                    yield from self._declare(symbol, region)
                yield from self._names(statement)
            case Block():
                yield from self._inside(statement, {})
            case For(initial=initial, condition=condition, increment=increment, body=body):
                own: _Region = {}
                self.regions.append(own)
                if initial is not None:
                    yield from self._statement(initial, own)
                for part in (condition, increment):
                    if part is not None:
                        yield from self._names(part)
                self.regions.pop()
                yield from self._inside(body, own)
            case CountedLoop(index=index, lower=lower, upper=upper, step=step, body=body):
                yield from self._names(lower)
                own = {index.name: index}
                self.regions.append(own)
                for part in (upper, step):
                    if part is not None:
                        yield from self._names(part)
                self.regions.pop()
                yield from self._inside(body, own)
            case LocalFunction(parameters=parameters, body=body):
                yield from self._inside(body, {one.name: one for one in parameters})
            case Labelled(value=value, body=body):
                if value is not None:
                    yield from self._names(value)
                yield from self._statement(body, region)
            case _:
                for part in children(statement):
                    if isinstance(part, Stmt):
                        yield from self._inside(part, {})
                    else:
                        yield from self._names(part)

    def _declare(self, symbol: Symbol, region: _Region) -> Iterator[str]:
        if symbol.name in region:
            yield f"one scope has two variables '{symbol.name}'"
        region[symbol.name] = symbol

    def _names(self, node: Node, inside: bool = False) -> Iterator[str]:
        """`inside` of a lambda, variables may be its own: `[v = x]`."""
        if isinstance(node, VarRef):
            symbol = node.symbol
            if inside and all(symbol not in region.values() for region in self.regions):
                return
            for region in reversed(self.regions):
                found = region.get(symbol.name)
                if found is not None:
                    if found != symbol:
                        yield f"'{symbol.name}' means another variable of this name"
                    break
            if node.form is Form.PRISTINE and _says_otherwise(node):
                yield f"'{symbol.name}' is spelled otherwise"
            return
        for child in children(node):
            yield from self._names(child, inside or isinstance(node, Verbatim))


def _says_otherwise(node: VarRef) -> bool:
    """Would the text of the source be printed, which has another name? A macro may stand for a
    variable of the program, which keeps its name."""
    span = node.span
    if node.symbol.storage is Storage.GLOBAL:
        return False
    if span is None or span.is_expanded or span.begin == span.end or span.file.replaced:
        return False
    return span.text.isidentifier() and span.text != node.symbol.name
